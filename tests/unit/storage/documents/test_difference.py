import pytest

from chatmem.storage.documents.difference import DocumentChanges, difference, fingerprint
from chatmem.text.bullets import Bullet, MarkdownPage, parse

MAIN = "MEMORY.md"
ARCHIVE = "archive/2026-11.md"
DAY = "daily/2026-11-21.md"
PLACES = {"main": MAIN, "archive": ARCHIVE, "day": DAY}


def known(**texts: str) -> dict[str, dict[str, str]]:
    return {
        PLACES[name]: {b.id: fingerprint(b) for b in parse(text).bullets if b.id}
        for name, text in texts.items()
    }


def listed(*ids: str, heading: str = "Facts") -> str:
    return f"## {heading}\n\n" + "".join(f"- text of {i} <!-- id={i} -->\n" for i in ids)


def pages(**texts: str | None) -> dict[str, MarkdownPage | None]:
    return {PLACES[name]: None if t is None else parse(t) for name, t in texts.items()}


def told(result: DocumentChanges) -> dict[str, list[str | None]]:
    return {
        "added": [entry.id or f"? {entry.bullet.content}" for entry in result.added],
        "changed": [entry.id for entry in result.changed],
        "moved": [f"{move.id} > {move.document}" for move in result.moved],
        "removed": list(result.removed),
        "held": list(result.held),
    }


def expect(result: DocumentChanges, **lists: list[str]) -> None:
    assert told(result) == {name: lists.get(name, []) for name in told(result)}


def test_another_category_or_attribute_is_a_change_and_another_word_for_it_is_none() -> None:
    before = known(main=listed("a"))
    expect(difference(before, pages(main=listed("a", heading="Preferences"))), changed=["a"])
    expect(difference(before, pages(main=listed("a", heading="事实"))))
    marked = listed("a").replace("id=a", "id=a importance=5")
    expect(difference(before, pages(main=marked)), changed=["a"])
    assert fingerprint(Bullet("x", {"a": "1", "b": "2"})) == fingerprint(
        Bullet("x", {"b": "2", "a": "1"})
    )


def test_a_copy_in_another_document_does_not_take_the_id_away() -> None:
    before = known(day=listed("a"))
    both = pages(main=listed("a"), day=listed("a"))
    expect(difference(before, both))
    expect(difference(before, pages(main=listed("a"))))
    other = pages(main="- something else <!-- id=a -->")
    expect(difference(before, other), added=["? something else"])


@pytest.mark.parametrize("cut", range(1, len("- text of c <!-- id=c -->") + 1))
def test_a_document_cut_anywhere_in_its_last_lines_is_held(cut: int) -> None:
    whole = listed("a", "b", "c", "d")
    start = whole.index("- text of c")
    result = difference(known(main=whole), pages(main=whole[: start + cut]))
    if cut == len("- text of c <!-- id=c -->"):
        # Cut exactly behind a bullet: indistinguishable from deleting the last one in an editor.
        expect(result, removed=["d"])
    else:
        expect(result, held=[MAIN])


def test_a_last_line_without_newline_is_no_accident_by_itself() -> None:
    before = known(main=listed("a", "b"))
    text = listed("a", "b") + "- typed just now"
    expect(difference(before, pages(main=text)), added=["? typed just now"])
    text = listed("b") + "some prose"
    expect(difference(before, pages(main=text)), removed=["a"])


def test_losing_more_than_half_of_many_at_once_is_held() -> None:
    names = "abcdefgh"
    before = known(main=listed(*names))
    expect(difference(before, pages(main=listed(*names[:4]))), removed=list("efgh"))
    result = difference(before, pages(main=listed(*names[:3])))
    expect(result, held=[MAIN])
    assert "lost 5 of 8 memories" in result.held[MAIN]
    moved = difference(before, pages(main=listed(*names[:3]), archive=listed(*names[3:])))
    assert (len(moved.moved), moved.held) == (5, {})


def test_few_memories_may_all_be_deleted() -> None:
    names = "abcdefg"
    result = difference(known(main=listed(*names)), pages(main="## Facts\n"))
    expect(result, removed=list(names))


def test_memories_that_moved_into_a_held_document_are_not_forgotten() -> None:
    before = known(main=listed("a", "b"), archive=listed("c"))
    cut = listed("c", "b") + "- half <!-- id=x"
    result = difference(before, pages(main=listed("a"), archive=cut))
    assert set(result.held) == {MAIN, ARCHIVE}
    assert not result
    whole = difference(before, pages(main=listed("a"), archive=cut + " -->\n"))
    expect(whole, moved=[f"b > {ARCHIVE}"], added=["x"])


def test_memories_that_moved_out_of_a_held_document_have_moved() -> None:
    before = known(main=listed("a", "b"), archive=listed("c"))
    result = difference(before, pages(main=None, archive=listed("c", "b")))
    expect(result, held=[MAIN], moved=[f"b > {ARCHIVE}"])
