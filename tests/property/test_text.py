"""Statements about all texts: tokens, bullets, merges."""

import unicodedata
from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.conftest import examples, some
from tests.unit.text.chinese_sentences import EXAMPLES

from chatmem.interfaces.web.merge import SIDES, Side, edits, merged, rebased
from chatmem.text.bullets import Bullet, annotate, append, parse, remove, replace, visible_text
from chatmem.text.clean import clean_text
from chatmem.text.cues import asks_for, detect_categories, text_flags
from chatmem.text.languages import STOP_WORDS
from chatmem.text.normalise import normalise
from chatmem.text.outline import find_comment, outline, render_comment
from chatmem.text.segment import extract_keywords, index_tokens, normalised_words, query_tokens
from chatmem.text.tokens import count_tokens, truncate_tokens

any_text = st.text(st.characters(exclude_categories=["Cs"]))
# Also what JSON and broken files bring: halves of characters.
raw_text = st.text(st.one_of(st.characters(), st.characters(categories=["Cs", "Cc", "Zs", "Cf"])))
# Writing systems side by side, with what separates and joins words.
mixed_text = st.text(
    st.one_of(
        st.sampled_from("我喜歡用写代码图书馆〇𠮷 のカナ한국ภาษา हि Aa3.,'’*\"+#_-:()éß\n\t\x00"),
        st.characters(),
    ),
    max_size=60,
)
han_runs = st.text(
    st.sampled_from(sorted({char for row in EXAMPLES for char in row.simplified if char >= "一"})),
    max_size=12,
)


@given(raw_text)
@example("\x00\ufeff \x85x")
@example("\ufeff\ud83d\ude00\r\r\n")
def test_clean_text_is_storable_and_cleaning_twice_changes_nothing(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.encode("utf-8")
    assert cleaned == cleaned.strip()
    assert not cleaned.startswith("\ufeff")
    assert not {"\x00", "\r", "\u2028", "\x7f", "\x85", "\x1b"} & set(cleaned)
    assert clean_text(cleaned) == cleaned


@given(st.one_of(raw_text, mixed_text, han_runs))
def test_normalise_is_idempotent(text: str) -> None:
    assert normalise(normalise(text)) == normalise(text)


@given(st.one_of(raw_text, mixed_text))
@example("İ'S")
@example("a.b.c*")
def test_tokens_are_safe_in_a_full_text_query(text: str) -> None:
    query = query_tokens(text)
    tokens = [*index_tokens(text), *query.terms, *query.prefixes]
    for token in tokens:
        assert 0 < len(token) <= 64
        assert not any(char.isspace() or char in '"\x00*' for char in token)


@given(mixed_text)
def test_a_text_is_found_by_everything_it_says(text: str) -> None:
    assert set(query_tokens(text.replace("*", " ")).terms) <= set(index_tokens(text))


@given(st.data())
@settings(max_examples=examples(200))
def test_any_part_of_a_chinese_sentence_is_found(data: st.DataObject) -> None:
    row = data.draw(st.sampled_from(EXAMPLES))
    sentence = normalise(data.draw(st.sampled_from([row.simplified, row.traditional])))
    start = data.draw(st.integers(0, len(sentence) - 1))
    end = data.draw(st.integers(start + 1, len(sentence)))
    part = sentence[start:end]
    if "python" not in sentence:
        assert set(query_tokens(part).terms) <= set(index_tokens(sentence))


@given(han_runs, han_runs, han_runs)
def test_a_run_is_found_whatever_stands_around_it(before: str, run: str, after: str) -> None:
    text = normalise(before + run + after)
    part = text[len(before) : len(before) + len(run)]
    assert set(query_tokens(part).terms) <= set(index_tokens(text))


@given(mixed_text, mixed_text)
def test_more_text_never_takes_a_token_away(one: str, other: str) -> None:
    assert set(index_tokens(one)) <= set(index_tokens(f"{one}\n{other}"))


@given(st.one_of(raw_text, mixed_text))
def test_keywords_are_words_of_the_message_without_stop_words(text: str) -> None:
    keywords = extract_keywords(text)
    assert set(keywords) <= {word for word, _ in normalised_words(text)}
    assert len({normalise(keyword) for keyword in keywords}) == len(keywords)
    assert not {normalise(keyword) for keyword in keywords if len(keyword) > 1} & STOP_WORDS


@given(st.one_of(raw_text, mixed_text))
def test_cues_of_any_text_are_in_range(text: str) -> None:
    assert 0 <= text_flags(text) < 8
    assert not asks_for(text) & 1
    assert detect_categories(text) <= {"preference", "fact", "pattern"}


@given(any_text, st.integers(0, 20))
def test_truncated_text_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    cut, was_cut = truncate_tokens(text, limit)
    assert count_tokens(cut) <= limit
    assert was_cut == (count_tokens(text) > limit)
    assert text.startswith(cut)
    assert was_cut or cut == text


TITLES = ("Facts", "事实")
MANY = settings(max_examples=examples(150))


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
    _, told = some(find_comment(f"something {text}"))
    assert told == attributes
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
    assert parse(after, ["the one"]).with_id("the one") == parse(after).with_id("the one")
    assert said(parse(left).bullets) == said(parse(remove(text, {"the one"})).bullets)
    assert remove(left, {"the one"}) == left


@MANY
@given(DOCUMENTS, st.data())
def test_taking_any_bullet_out_leaves_the_others_alone(text: str, data: st.DataObject) -> None:
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
def test_a_bullet_is_replaced_and_others_stay(text: str, new: Bullet, data: st.DataObject) -> None:
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


VERSION_LINES = st.lists(st.sampled_from(["", "- a", "- b", "- 茶", "🍵 x", "# T"]), max_size=7)
TEXTS = VERSION_LINES.map("\n".join)


@given(TEXTS, TEXTS, TEXTS, st.sampled_from(SIDES))
def test_a_merge_has_every_line_that_a_side_added(
    base: str, mine: str, theirs: str, keep: Side
) -> None:
    assert merged(base, mine, base, keep) == merged(base, base, mine, keep) == mine
    before, found = (Counter(text.split("\n")) for text in (base, merged(base, mine, theirs, keep)))
    for side, text in (("mine", mine), ("theirs", theirs)):
        if keep in ("both", side):
            assert Counter(text.split("\n")) - before <= found


@given(TEXTS, TEXTS)
def test_edits_make_the_one_text_the_other(before: str, after: str) -> None:
    text = before
    for one in reversed(edits(before, after)):
        text = text[: one.start] + "".join(one.new) + text[one.end :]
    assert text == after


@given(TEXTS, TEXTS)
def test_a_change_meets_no_typing_and_typing_meets_no_change(before: str, after: str) -> None:
    assert rebased(before, after, before) == after
    assert rebased(before, before, after) == after


@given(VERSION_LINES, VERSION_LINES)
def test_every_line_added_while_ids_came_in_is_there(before: list[str], typed: list[str]) -> None:
    marked = "\n".join(f"{line} <!-- id={n} -->" for n, line in enumerate(before))
    current = "\n".join([*before, *(f"typed {line}" for line in typed)])
    text = rebased("\n".join(before), marked, current)
    assert [line for line in text.split("\n") if line.startswith("typed ")] == [
        f"typed {line}" for line in typed
    ]
