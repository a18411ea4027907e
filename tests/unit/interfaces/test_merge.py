"""Two versions of a document brought together, and what is replaced in the editor."""

import pytest

from chatmem.interfaces.web.merge import Stretch, edits, merge, rebased

BASE = """# Memory

- Lives in Leeds <!-- id=a -->
- 养了一只猫 <!-- id=b -->
- Keeps bees <!-- id=c -->
"""


def changes(mine: str, theirs: str) -> list[Stretch]:
    return [one for one in merge(BASE, mine, theirs) if one.changed != "same"]


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
    stretches = changes(BASE.replace(*mine), BASE.replace(*theirs))
    assert [one.changed for one in stretches] == found


def test_a_conflict_has_the_lines_of_both() -> None:
    (conflict,) = changes(BASE.replace("Leeds", "York"), BASE.replace("Leeds", "Hull"))
    assert not conflict.only_added
    assert conflict.mine == ("- Lives in York <!-- id=a -->",)


def test_what_both_added_at_one_place_has_room_there() -> None:
    (found,) = changes(BASE + "- mine\n", BASE + "- 他们的\n")
    assert found.only_added
    assert (found.mine, found.theirs) == (("- mine",), ("- 他们的",))


@pytest.mark.parametrize(
    ("before", "after", "typed", "wanted"),
    [
        ("- a", "- a <!-- id=1 -->", "- a", "- a <!-- id=1 -->"),
        ("- a", "- a <!-- id=1 -->", "- aX", "- aX <!-- id=1 -->"),
        ("- a", "- a <!-- id=1 -->", "- a\n- l", "- a <!-- id=1 -->\n- l"),
        ("- a", "- a <!-- id=1 -->", "- a，不加糖\n- 茶", "- a，不加糖 <!-- id=1 -->\n- 茶"),
        ("- a\n- b", "- a <!-- id=1 -->\n- b", "- b", "- b"),
        ("a", "a\ntheirs", "a\nmine", "a\nmine\ntheirs"),
    ],
)
def test_what_is_typed_meanwhile_stays_and_ids_land_behind_their_bullets(
    before: str, after: str, typed: str, wanted: str
) -> None:
    assert rebased(before, after, typed) == wanted


def test_an_edit_touches_no_more_than_it_has_to() -> None:
    after = BASE.replace("Leeds <!-- id=a -->", "Leeds <!-- id=a at=1 -->").replace("bees", "wasps")
    assert [one.text for one in edits(BASE, after)] == ["at=1 ", "wasp"]
