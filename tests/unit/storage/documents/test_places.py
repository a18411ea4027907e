import unicodedata
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.storage.documents.places import folder_name


@pytest.mark.parametrize(
    ("user_id", "name"),
    [
        ("alice", "alice"),
        ("a.b-c_D9", "a.b-c_D9"),
        ("alice@example.org", "alice%40example.org"),
        ("小明", "%E5%B0%8F%E6%98%8E"),
        (".", "%2E"),
        ("..", "%2E%2E"),
        ("../../etc", "%2E.%2F..%2Fetc"),
        ("a\x00b", "a%00b"),
        ("100%", "100%25"),
        ("CON", "%43ON"),
        ("nul.txt", "%6Eul.txt"),
    ],
)
def test_user_ids_become_safe_names_and_come_back(user_id: str, name: str) -> None:
    assert folder_name(user_id) == name
    assert unquote(name, errors="strict") == user_id


def test_long_ids_become_short_different_names() -> None:
    names = {folder_name("记" * 500 + end) for end in "ab"}
    assert len(names) == 2
    assert all(len(name) <= 120 for name in names)


@given(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=30))
def test_names_stay_in_their_folder_and_differ_as_the_ids_do(one: str, two: str) -> None:
    first, second = folder_name(one), folder_name(two)
    assert Path("x", first).resolve().parent == Path("x").resolve()
    are_equal = unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", two)
    assert (first == second) == are_equal
