"""What went wrong, as a visitor of each language reads it."""

import json

import pytest

from chatmem import errors
from chatmem.errors import (
    ChatmemError,
    ImportFormatError,
    InvalidInputError,
    MemoryNotFoundError,
    ModelUnavailableError,
)
from chatmem.interfaces.web.complaint import complaint_of, missing_of
from chatmem.interfaces.web.views.memories.card_edit import read_value, value_text
from chatmem.interfaces.web.words import LANGUAGES, Language, Words
from chatmem.model import Missing
from chatmem.model.memory import JsonValue

UNCODED = [
    "BudgetError", "TemplateNotFoundError", "NotOwnerError",
    "StorageError", "DocumentError", "DatabaseError", "DatabaseAwayError", "ProviderError",
]  # fmt: skip


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_with_a_code_is_told_whole(language: Language) -> None:
    words = Words(language)
    error = InvalidInputError("content: is empty").coded("empty", name="content")
    expected = words("errors.InvalidInputError_empty", name=words("card.content"))

    complaint = complaint_of(words, error)

    assert (complaint.text, complaint.detail) == (expected, "")


def test_the_engines_sentence_stands_below_where_it_says_more() -> None:
    words = Words("zh-Hans")

    complaint = complaint_of(words, MemoryNotFoundError("abc"))
    assert (complaint.text, complaint.detail) == (words("errors.MemoryNotFoundError"), "")
    refused = complaint_of(words, ModelUnavailableError("it refuses", status=503))
    assert (refused.text, refused.detail) == (words("errors.ModelUnavailableError"), "it refuses")


def test_a_file_that_cannot_be_imported_is_named_without_its_folder() -> None:
    error = ImportFormatError("/tmp/x/talk.json, line 3: not JSON; expected valid JSON")
    error.coded("json", file="talk.json", place="line 3", reason="not JSON")

    complaint = complaint_of(Words("zh-Hant"), error)

    assert complaint.text == Words("zh-Hant")("errors.ImportFormatError_json")
    assert complaint.detail == "talk.json, line 3: not JSON"


@pytest.mark.parametrize("name", UNCODED)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_that_a_page_meets_has_words(language: Language, name: str) -> None:
    error: ChatmemError = getattr(errors, name)("why it was so")

    complaint = complaint_of(Words(language), error)

    assert complaint.text == Words(language)(f"errors.{name}")
    assert complaint.detail == "why it was so"


def test_an_unknown_error_is_told_as_it_is() -> None:
    assert complaint_of(Words("zh-Hans"), ChatmemError("something else")).text == "something else"


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_switched_off_needs_no_reason(language: Language) -> None:
    words = Words(language)

    off = missing_of(words, Missing("embedder", "the setting is none", "off"))
    failing = missing_of(words, Missing("embedder", "no answer", "failing"))

    assert (off.text, off.detail) == (words("errors.missing_embedder_off"), "")
    assert (failing.text, failing.detail) == (words("errors.missing_embedder_failing"), "no answer")
    assert str(missing_of(words, Missing("moon", "it is new"))) == "it is new"


@pytest.mark.parametrize(
    ("before", "typed", "after"),
    [
        ("Berlin", "Oslo", "Oslo"),
        ("12", "13", "13"),
        (None, "柏林", "柏林"),
        (None, "", None),
        ("Berlin", " ", None),
        (12, "13", 13),
        (12, "12", 12),
        (12, "a dozen", "a dozen"),
        (["a", "b"], '["a"]', ["a"]),
        (True, "", None),
    ],
)
def test_a_value_stays_of_its_kind(before: JsonValue, typed: str, after: JsonValue) -> None:
    assert read_value(typed, before) == after
    assert read_value(value_text(before), before) == before


def test_a_long_value_is_shown_as_json() -> None:
    value: JsonValue = {"stadt": "柏林"}
    assert json.loads(value_text(value)) == value
