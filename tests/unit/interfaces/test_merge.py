"""Two versions of a document brought together, and what is replaced in the editor."""

import pytest

from chatmem.interfaces.web.merge import Stretch, edits, merge, rebased

BASE = """# Memory

- Lives in Leeds <!-- id=a -->
- 养了一只猫 <!-- id=b -->
- Keeps bees <!-- id=c -->
"""


def changed(stretches: list[Stretch]) -> list[str]:
    return [one.changed for one in stretches if one.changed != "same"]


def applied(before: str, after: str) -> str:
    text = before
    for one in reversed(edits(before, after)):
        text = text[: one.start] + one.text + text[one.end :]
    return text


@pytest.mark.parametrize(
    ("mine", "theirs", "found"),
    [
        (("Leeds", "York"), ("一只猫", "两只猫"), ["mine", "theirs"]),
        (("Leeds", "York"), ("Leeds", "Hull"), ["conflict"]),
        (("Leeds", "York"), ("Leeds", "York"), ["both"]),
        (("- Keeps bees <!-- id=c -->\n", ""), ("bees", "wasps"), ["conflict"]),
    ],
    ids=["neighbours", "one line", "the same", "removed and changed"],
)
def test_changes_of_both_sides_are_told_apart(
    mine: tuple[str, str], theirs: tuple[str, str], found: list[str]
) -> None:
    assert changed(merge(BASE, BASE.replace(*mine), BASE.replace(*theirs))) == found


def test_a_conflict_has_the_lines_of_both() -> None:
    found = merge(BASE, BASE.replace("Leeds", "York"), BASE.replace("Leeds", "Hull"))
    (conflict,) = (one for one in found if one.changed == "conflict")
    assert not conflict.only_added
    assert conflict.mine == ("- Lives in York <!-- id=a -->",)


def test_what_both_added_at_one_place_has_room_there() -> None:
    (found,) = (
        one for one in merge(BASE, BASE + "- mine\n", BASE + "- 他们的\n") if one.changed != "same"
    )
    assert found.only_added
    assert (found.mine, found.theirs) == (("- mine",), ("- 他们的",))


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("", "- a <!-- id=1 -->"),
        ("X", "- aX <!-- id=1 -->"),
        ("\n- l", "- a <!-- id=1 -->\n- l"),
        ("，不加糖\n- 茶", "- a，不加糖 <!-- id=1 -->\n- 茶"),
    ],
)
def test_an_id_lands_behind_the_bullet_it_was_made_for(typed: str, wanted: str) -> None:
    assert rebased("- a", "- a <!-- id=1 -->", "- a" + typed) == wanted


def test_a_line_deleted_while_it_got_its_id_stays_deleted() -> None:
    assert rebased("- a\n- b", "- a <!-- id=1 -->\n- b", "- b") == "- b"


def test_lines_added_on_both_sides_both_stay() -> None:
    assert rebased("a", "a\ntheirs", "a\nmine") == "a\nmine\ntheirs"


def test_an_edit_touches_no_more_than_it_has_to() -> None:
    after = BASE.replace("Leeds <!-- id=a -->", "Leeds <!-- id=a at=1 -->").replace("bees", "wasps")
    found = edits(BASE, after)
    assert [one.text for one in found] == ["at=1 ", "wasp"]
    assert applied(BASE, after) == after
