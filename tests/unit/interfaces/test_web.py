"""What the page makes of memories, errors and searches."""

import logging
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from tests.contract.given import memory

from chatmem import errors
from chatmem.errors import (
    ChatmemError,
    ImportFormatError,
    InvalidInputError,
    MemoryNotFoundError,
    ModelUnavailableError,
)
from chatmem.interfaces.web.markdown import safe_html
from chatmem.interfaces.web.merge import Side, edits, merged, rebased
from chatmem.interfaces.web.pages import LOGGER, is_unexpected
from chatmem.interfaces.web.views.memories.card_parts import (
    pieces,
    read_value,
    reason_of,
    value_text,
)
from chatmem.interfaces.web.views.memories.rows import PASSAGE_CHARS, passage_of, shares_of
from chatmem.interfaces.web.visit import SignedOutError
from chatmem.interfaces.web.words import LANGUAGES, Language, complaint_of, missing_of, speak, words
from chatmem.model import Hit, Missing, Parts
from chatmem.model.memory import JsonValue
from chatmem.retrieval.scoring import score_memory


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("Likes green tea", "Likes black tea",
         [("span", "Likes "), ("del", "green"), ("ins", "black"), ("span", " tea")]),
        ("喜欢绿茶", "喜欢红茶",
         [("span", "喜欢"), ("del", "绿"), ("ins", "红"), ("span", "茶")]),
        ("喜歡茶", "喜歡烏龍茶", [("span", "喜歡"), ("ins", "烏龍"), ("span", "茶")]),
        ("a\n<b>", "a\n<b>", [("span", "a\n<b>")]),
        ("", "new", [("ins", "new")]),
    ],
)  # fmt: skip
def test_a_text_is_compared_by_words_and_by_chinese_characters(
    before: str, after: str, expected: list[tuple[str, str]]
) -> None:
    assert list(pieces(before, after)) == expected


@pytest.mark.parametrize(
    "reason",
    [
        *("asked to remember", "written into the daily log", "extracted from session s1 by rules"),
        "extracted from session s1; 2 by reader",
        "maybe about 36j7xd1dj8zka; extracted from session s1 by reader",
        *("said to be out of date", "superseded: near in meaning", "superseded: home"),
        *("conflict: home", "said again", "said before what is known: home"),
        *("says the same as 36j7xd1dj8zka", "MEMORY.md was full", "evicted: more than 50 memories"),
        *("written in MEMORY.md", "edited in daily/2026-03-02.md", "moved to archive/2026-03.md"),
        *("36j7xd1dj8zka was restored", "superseded: home; extracted from session s1; 2 by gpt-4o"),
        "undone: superseded: home",
    ],
)
def test_every_reason_of_the_engine_is_told_in_the_visitors_language(reason: str) -> None:
    texts = {}
    for language in LANGUAGES:
        speak(language)
        texts[language] = reason_of(reason)

    assert all(texts.values())
    assert any("\u4e00" <= sign <= "\u9fff" for sign in texts["zh-Hans"])
    assert "superseded" not in "".join(texts.values())
    assert "session" not in texts["zh-Hans"]
    assert "reader" not in "".join(texts.values())


def test_what_the_change_says_by_itself_is_not_said_again() -> None:
    speak("en")

    assert reason_of("edited") == reason_of("undone: edited") == ""
    assert reason_of("because I said so") == "because I said so"


UNCODED = [
    "BudgetError", "TemplateNotFoundError", "NotOwnerError",
    "StorageError", "DocumentError", "DatabaseError", "DatabaseAwayError", "ProviderError",
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_with_a_code_is_told_whole(language: Language) -> None:
    speak(language)
    error = InvalidInputError("content: is empty").coded("empty", name="content")
    expected = words("errors.InvalidInputError_empty", name=words("card.content"))

    complaint = complaint_of(error)

    assert (complaint.text, complaint.detail) == (expected, "")


def test_the_engines_sentence_stands_below_where_it_says_more() -> None:
    speak("zh-Hans")

    complaint = complaint_of(MemoryNotFoundError("abc"))
    assert (complaint.text, complaint.detail) == (words("errors.MemoryNotFoundError"), "")
    refused = complaint_of(ModelUnavailableError("it refuses", status=503))
    assert (refused.text, refused.detail) == (words("errors.ModelUnavailableError"), "it refuses")


def test_a_file_that_cannot_be_imported_is_named_without_its_folder() -> None:
    error = ImportFormatError("/tmp/x/talk.json, line 3: not JSON; expected valid JSON")
    error.coded("json", file="talk.json", place="line 3", reason="not JSON")

    speak("zh-Hant")

    complaint = complaint_of(error)

    assert complaint.text == words("errors.ImportFormatError_json")
    assert complaint.detail == "talk.json, line 3: not JSON"


@pytest.mark.parametrize("name", UNCODED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_that_a_page_meets_has_words(language: Language, name: str) -> None:
    error: ChatmemError = getattr(errors, name)("why it was so")

    speak(language)

    complaint = complaint_of(error)

    assert complaint.text == words(f"errors.{name}")
    assert complaint.detail == "why it was so"


def test_an_unknown_error_is_told_as_it_is() -> None:
    assert complaint_of(ChatmemError("something else")).text == "something else"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_switched_off_needs_no_reason(language: Language) -> None:
    speak(language)

    off = missing_of(Missing("embedder", "the setting is none", "off"))
    failing = missing_of(Missing("embedder", "no answer", "failing"))

    assert (off.text, off.detail) == (words("errors.missing_embedder_off"), "")
    assert (failing.text, failing.detail) == (words("errors.missing_embedder_failing"), "no answer")
    assert str(missing_of(Missing("moon", "it is new"))) == "it is new"


@pytest.mark.parametrize(
    ("before", "typed", "after"),
    [
        ("Berlin", "Oslo", "Oslo"),
        (None, "柏林", "柏林"),
        (None, "", None),
        ("Berlin", " ", None),
        (12, "13", 13),
        (12, "a dozen", "a dozen"),
        (["a", "b"], '["a"]', ["a"]),
        (True, "", None),
    ],
)
def test_a_value_stays_of_its_kind(before: JsonValue, typed: str, after: JsonValue) -> None:
    assert read_value(typed, before) == after
    assert read_value(value_text(before), before) == before


NOW = datetime(2026, 11, 21, tzinfo=UTC)
MEMORY = memory("a", "Keeps bees", timestamp=NOW, category="fact", access_count=3)


@pytest.mark.parametrize(
    "parts",
    [
        Parts(keyword=0.5, bm25=0.4, vector=0.6, relevance=0.7 * 0.6 + 0.3 * 0.4),
        Parts(keyword=0.5, bm25=0.4, relevance=0.4),
        Parts(keyword=0.5),
    ],
)
def test_shares_make_the_score(parts: Parts) -> None:
    for on_topic in (None, False, True):  # of a search, and of a recall
        score, own = parts.relevance or parts.keyword or 0.0, dict[str, Any]()
        if on_topic is not None:
            score, own = score_memory(MEMORY, 0.5, {"fact"}, on_topic=on_topic, now=NOW)

        shares = shares_of(Hit(MEMORY, score, replace(parts, **own)))

        assert sum(share.amount for share in shares) == pytest.approx(score)
        assert ("topic" in {share.name for share in shares}) is (on_topic is True)
        assert all(0 <= share.amount <= share.most + 1e-9 for share in shares)


def test_of_a_long_text_the_passage_is_shown_that_was_asked_for() -> None:
    text = "很久以前。" * 400 + "我养蜜蜂。" + "后来呢？" * 400

    shown = list(passage_of(text, "蜜蜂"))

    assert "蜜蜂" in [part for part, is_marked in shown if is_marked]
    assert shown[0] == ("…", False)
    assert shown[-1] == ("…", False)
    assert len("".join(part for part, _ in shown)) == PASSAGE_CHARS + 2


@pytest.mark.parametrize(
    ("markdown", "html"),
    [
        ("# A\n\n**b** ~~c~~", "<h3>A</h3>\n<p><strong>b</strong> <s>c</s></p>\n"),
        ("[a](notes.md) <!-- b -->", "<p>a </p>\n"),
        ("[a](javascript:b)", "<p>[a](javascript:b)</p>\n"),
        ("- <img src=x onerror=y>", "<ul>\n<li>\n&lt;img src=x onerror=y&gt;</li>\n</ul>\n"),
        ("<script>a</script>", "&lt;script&gt;a&lt;/script&gt;"),
        ("<!-- a --> <script>b</script>", ""),
        ("![a](b.png)", "<p>a</p>\n"),
    ],
)
def test_markdown_neither_acts_nor_loads(markdown: str, html: str) -> None:
    assert safe_html(markdown) == html


@pytest.mark.parametrize("markdown", ["[a](https://b.c)", "![a](https://b.c)"])
def test_links_and_pictures_lead_out_in_a_window_of_their_own(markdown: str) -> None:
    link = '<a href="https://b.c" target="_blank" rel="noopener noreferrer">a</a>'
    assert safe_html(markdown) == f"<p>{link}</p>\n"


@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (InvalidInputError("importance: got 9, takes 1 to 5"), 0),
        (SignedOutError(), 0),
        (RuntimeError("nobody expected this"), 1),
    ],
)
def test_only_what_nobody_expected_is_logged(
    caplog: pytest.LogCaptureFixture, error: Exception, logged: int
) -> None:
    logging.getLogger(LOGGER).addFilter(is_unexpected)
    with caplog.at_level(logging.ERROR, LOGGER):
        try:
            raise error
        except Exception as raised:
            logging.getLogger(LOGGER).exception(raised)
    assert len(caplog.records) == logged


BASE = """# Memory

- Lives in Leeds <!-- id=a -->
- 养了一只猫 <!-- id=b -->
- Keeps bees <!-- id=c -->
"""


@pytest.mark.parametrize(
    ("mine", "theirs", "keep", "found"),
    [
        (("Leeds", "York"), ("一只猫", "两只猫"), "mine", ["York <!-- id=a -->", "两只猫"]),
        (("Leeds", "York"), ("Leeds", "Hull"), "both", ["York <!-- id=a -->\n- Lives in Hull"]),
        (("Leeds", "York"), ("Leeds", "Hull"), "theirs", ["Hull <!-- id=a -->\n- 养了"]),
        (("Leeds", "York"), ("Leeds", "York"), "both", ["York <!-- id=a -->\n- 养了"]),
        (("- Keeps bees <!-- id=c -->\n", ""), ("bees", "wasps"), "both", ["wasps"]),
        ((" id=c -->\n", " id=c -->\n- x\n"), (" id=c -->\n", " id=c -->\n- 他\n"), "mine",
         [" id=c -->\n- x\n- 他\n"]),
    ],
    ids=["neighbours", "one line", "theirs", "the same", "removed and changed", "both added"],
)  # fmt: skip
def test_changes_of_both_sides_are_brought_together(
    mine: tuple[str, str], theirs: tuple[str, str], keep: Side, found: list[str]
) -> None:
    text = merged(BASE, BASE.replace(*mine), BASE.replace(*theirs), keep)
    assert all(one in text for one in found)
    assert "Leeds" not in text or "Leeds" not in (*mine, *theirs)


@pytest.mark.parametrize(
    ("before", "after", "typed", "wanted"),
    [
        ("- a", "- a <!-- id=1 -->", "- a", "- a <!-- id=1 -->"),
        ("- a", "- a <!-- id=1 -->", "- aX", "- aX <!-- id=1 -->"),
        ("- a", "- a <!-- id=1 -->", "- a\n- l", "- a <!-- id=1 -->\n- l"),
        ("- a", "- a <!-- id=1 -->", "- a，不加糖\n- 茶", "- a，不加糖 <!-- id=1 -->\n- 茶"),
        ("- a\n- b", "- a <!-- id=1 -->\n- b", "- b", "- b"),
        ("a", "a\ntheirs", "a\nmine", "a\nmine\ntheirs"),
        ("a\nb", "a\ntheirs\nb", "a\nmine\nb", "a\nmine\ntheirs\nb"),
    ],
)
def test_what_is_typed_meanwhile_stays_and_ids_land_behind_their_bullets(
    before: str, after: str, typed: str, wanted: str
) -> None:
    assert rebased(before, after, typed) == wanted


def test_an_edit_touches_no_more_than_it_has_to() -> None:
    after = BASE.replace("Leeds <!-- id=a -->", "Leeds <!-- id=a at=1 -->").replace("bees", "wasps")
    assert [one.new for one in edits(BASE, after)] == ["at=1 ", "wasp"]
