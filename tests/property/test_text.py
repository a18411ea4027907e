"""What holds for every text."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.conftest import examples
from tests.unit.text.chinese_sentences import EXAMPLES

from chatmem.text.clean import clean_text
from chatmem.text.cues import asks_for, detect_categories, text_flags
from chatmem.text.languages import STOP_WORDS
from chatmem.text.normalise import normalise
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
    assert 0 <= text_flags(text) < 16
    assert not asks_for(text) & 1
    assert detect_categories(text) <= {"preference", "fact", "pattern"}


@given(any_text, st.integers(0, 20))
def test_truncated_text_is_a_beginning_within_the_limit(text: str, limit: int) -> None:
    cut, was_cut = truncate_tokens(text, limit)
    assert count_tokens(cut) <= limit
    assert was_cut == (count_tokens(text) > limit)
    assert text.startswith(cut)
    assert was_cut or cut == text
