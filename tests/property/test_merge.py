"""Whatever three texts: their stretches give them again, and nothing that was typed is lost."""

from hypothesis import given
from hypothesis import strategies as st

from chatmem.text.merge import edits, merge, rebased

LINES = st.lists(st.sampled_from(["", "- a", "- b", "- 茶", "🍵 x", "# T"]), max_size=7)
TEXTS = LINES.map("\n".join)


@given(TEXTS, TEXTS, TEXTS)
def test_the_stretches_of_a_version_are_that_version(base: str, mine: str, theirs: str) -> None:
    found = merge(base, mine, theirs)
    assert [line for one in found for line in one.base] == base.split("\n")
    assert [line for one in found for line in one.mine] == mine.split("\n")
    assert [line for one in found for line in one.theirs] == theirs.split("\n")


@given(TEXTS, TEXTS)
def test_edits_make_the_one_text_the_other(before: str, after: str) -> None:
    text = before
    for one in reversed(edits(before, after)):
        text = text[: one.start] + one.text + text[one.end :]
    assert text == after


@given(TEXTS, TEXTS)
def test_a_change_meets_no_typing_and_typing_meets_no_change(before: str, after: str) -> None:
    assert rebased(before, after, before) == after
    assert rebased(before, before, after) == after


@given(LINES, LINES)
def test_every_line_that_was_added_while_ids_came_in_is_there(
    before: list[str], typed: list[str]
) -> None:
    marked = "\n".join(f"{line} <!-- id={n} -->" for n, line in enumerate(before))
    current = "\n".join([*before, *(f"typed {line}" for line in typed)])
    text = rebased("\n".join(before), marked, current)
    assert [line for line in text.split("\n") if line.startswith("typed ")] == [
        f"typed {line}" for line in typed
    ]
