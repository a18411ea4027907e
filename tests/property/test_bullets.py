"""The grammar of memory documents holds for any text, not just for ours."""

import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.conftest import examples

from chatmem.text.bullets import Bullet, annotate, append, parse, remove, replace, visible_text
from chatmem.text.outline import find_comment, outline, render_comment

TITLES = ("Facts", "事实")
MANY = settings(max_examples=examples(150), deadline=None)


def as_cleaned(text: str) -> str:
    """What reaches the grammar: no controls but tab and newline, no surrogates, no outer space."""
    kept = (c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))
    return "".join(kept).strip()


SHARDS = st.sampled_from(
    [
        "- ", " - ", "* ", "+ ", "1. ", "-", "---", "- - -", "* * *", "***", "```", "~~~~",
        "```python", "# ", "## Facts", "## ", "--", "<!--", "-->", "<!-- -->", "<!-- id=x1 -->",
        " <!-- id=\"y\" ", "id=m0", "\n", "\n\n", "\n  ", "\n    ", "\n\t", " ", "  ", "\t",
        "`", "|", "> ", "\\",
        "<div>", "&nbsp;", "=======", "<<<<<<< HEAD", ">>>>>>> x", "\u2028", "\u3000", "\ufeff",
        "茶", "偏好", "咖啡", "👩‍👩‍👧", "שלום", "\u202e", "é", "a", "word", "=", "\"", "'",
    ]
)  # fmt: skip
MARKDOWN = st.lists(SHARDS | st.text(max_size=6), max_size=14).map("".join)
CONTENTS = MARKDOWN.map(as_cleaned).filter(bool)
NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]*(-[A-Za-z0-9_]+)*", fullmatch=True)
VALUES = st.text(max_size=12) | MARKDOWN
ATTRIBUTES = st.dictionaries(NAMES, VALUES, max_size=4)
BULLETS = st.builds(Bullet, CONTENTS, ATTRIBUTES)
LINES = MARKDOWN.map(lambda text: text.replace("\r", ""))
DOCUMENTS = st.one_of(
    LINES,
    st.lists(LINES, max_size=6).map("\n".join),
    st.lists(LINES, max_size=6).map("\r\n".join),
    LINES.map("\ufeff".__add__),
)


def lines_of(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]


def said(bullets: tuple[Bullet, ...]) -> list[tuple[str, dict[str, str]]]:
    return [(bullet.content, dict(bullet.attributes)) for bullet in bullets]


@MANY
@given(ATTRIBUTES)
def test_any_attributes_come_back_from_their_comment(attributes: dict[str, str]) -> None:
    text = render_comment(attributes)
    found = find_comment(f"something {text}")
    assert found is not None
    assert found.attributes == attributes
    assert "\n" not in text
    assert "--" not in text.removeprefix("<!--").removesuffix("-->")  # else renderers differ
    text.encode()  # lone surrogates are escaped


@MANY
@given(DOCUMENTS, BULLETS, st.sampled_from([TITLES, ()]))
def test_an_appended_bullet_comes_back_and_nothing_else_changes(
    text: str, bullet: Bullet, titles: tuple[str, ...]
) -> None:
    before = parse(text).bullets
    after = append(text, bullet, titles)
    bullets = list(said(parse(after).bullets))
    assert said((bullet,))[0] in bullets
    bullets.remove(said((bullet,))[0])
    assert bullets == said(before)


@MANY
@given(DOCUMENTS, BULLETS)
def test_an_append_only_inserts(text: str, bullet: Bullet) -> None:
    after = append(text, bullet, TITLES)
    added = len(after) - len(text)
    assert any(after[:at] + after[at + added :] == text for at in range(len(text) + 1))


@MANY
@given(DOCUMENTS, CONTENTS, st.sampled_from([TITLES, ()]))
def test_removing_what_was_appended_gives_back_every_other_bullet(
    text: str, content: str, titles: tuple[str, ...]
) -> None:
    after = append(text, Bullet(content, {"id": "the one"}), titles)
    left = remove(after, {"the one"})
    assert said(parse(left).bullets) == said(parse(remove(text, {"the one"})).bullets)
    assert remove(left, {"the one"}) == left


@MANY
@given(DOCUMENTS, st.data())
def test_taking_any_bullet_out_leaves_the_others_as_they_were(
    text: str, data: st.DataObject
) -> None:
    bullets = parse(text).bullets
    if not bullets:
        return
    marked = annotate(text, [(b, {"id": f"n{i}"}) for i, b in enumerate(bullets)])
    number = data.draw(st.integers(0, len(bullets) - 1))
    left = parse(remove(marked, {f"n{number}"})).bullets
    expected = [(b.content, {"id": f"n{i}"}) for i, b in enumerate(bullets) if i != number]
    assert said(left) == expected


@MANY
@given(DOCUMENTS, BULLETS, st.data())
def test_a_replaced_bullet_comes_back_and_the_others_stay(
    text: str, new: Bullet, data: st.DataObject
) -> None:
    bullets = parse(text).bullets
    if not bullets:
        return
    number = data.draw(st.integers(0, len(bullets) - 1))
    expected = said(bullets)
    expected[number] = said((new,))[0]
    after = replace(text, bullets[number], new)
    assert said(parse(after).bullets) == expected
    again = parse(after).bullets[number]
    assert replace(after, again, new) == after


@MANY
@given(DOCUMENTS)
def test_giving_ids_changes_no_letter_of_a_person(text: str) -> None:
    bullets = parse(text).bullets
    ids = [{**bullet.attributes, "id": f"n{number}"} for number, bullet in enumerate(bullets)]
    marked = annotate(text, list(zip(bullets, ids, strict=True)))
    expected = [(b.content, i) for b, i in zip(bullets, ids, strict=True)]
    assert said(parse(marked).bullets) == expected
    assert lines_of(visible_text(marked)) == lines_of(visible_text(text))


@MANY
@given(DOCUMENTS)
def test_bullets_stand_in_order_inside_the_text_and_outside_what_is_hidden(text: str) -> None:
    position = 0
    for bullet in parse(text).bullets:
        assert bullet.place is not None
        assert position <= bullet.place.start < bullet.place.end <= len(text)
        position = bullet.place.end
        for start, end in outline(text).hidden:
            assert bullet.place.end <= start or bullet.place.start >= end
