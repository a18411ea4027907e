import unicodedata
from datetime import date
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chatmem.errors import InvalidInputError
from chatmem.storage.documents.places import (
    archive_document,
    daily_document,
    document_day,
    folder_name,
    holds_memories,
    is_document,
    kind_of,
    user_folder,
)


def test_documents_of_a_day_and_a_month() -> None:
    day = date(2026, 11, 21)
    assert daily_document(day) == "daily/2026-11-21.md"
    assert archive_document(day) == "archive/2026-11.md"
    assert document_day("daily/2026-11-21.md") == day
    assert document_day("archive/2026-11.md") is None


def test_kinds_of_documents() -> None:
    assert kind_of("daily/2026-11-21.md") == "episodic"
    assert kind_of("MEMORY.md") == kind_of("archive/2026-11.md") == "semantic"
    assert [holds_memories(p) for p in ("MEMORY.md", "USER.md", "HOUSEHOLD.md")] == [
        True,
        False,
        False,
    ]


@pytest.mark.parametrize(
    "path",
    [
        "memory.md", "notes.md", "daily/notes.md", "daily/2026-02-30.md", "archive/2026-13.md",
        "../MEMORY.md", "daily/../MEMORY.md", "/etc/passwd", ".MEMORY.md.ab12.chatmem-tmp", ".lock",
        "MEMORY.md\n", "users/x/MEMORY.md", "daily/２０２６-11-21.md",
    ],
)  # fmt: skip
def test_nothing_else_is_a_document(path: str) -> None:
    assert not is_document(path)


def test_the_default_user_has_the_folder_itself() -> None:
    assert user_folder(Path("m"), "default") == Path("m")
    assert user_folder(Path("m"), "u1") == Path("m/users/u1")


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


@pytest.mark.parametrize("user_id", ["", "\ud800"])
def test_ids_without_a_name_are_refused(user_id: str) -> None:
    with pytest.raises(InvalidInputError, match="user id"):
        folder_name(user_id)


@given(st.text(min_size=1, max_size=30), st.text(min_size=1, max_size=30))
def test_names_stay_in_their_folder_and_differ_as_the_ids_do(one: str, two: str) -> None:
    first, second = folder_name(one), folder_name(two)
    assert Path("x", first).resolve().parent == Path("x").resolve()
    are_equal = unicodedata.normalize("NFC", one) == unicodedata.normalize("NFC", two)
    assert (first == second) == are_equal
