"""What a language is: one value with all that differs from one to another.

Patterns are sources of regular expressions, over a clause in lower case and in the language's plain
script unless it is said otherwise; an empty one matches nothing. Word lists are written down as
blocks of words with spaces between them.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from enum import IntFlag
from functools import cached_property
from importlib.resources import files
from typing import Any, Literal, NamedTuple, TypeAlias, cast

from chatmem.model import Category

LanguageCode: TypeAlias = Literal["zh", "en"]
Script: TypeAlias = Literal["en", "zh-Hans", "zh-Hant"]
Again: TypeAlias = Literal["weekday", "day of the month", "day of the year"]
EVERY: tuple[Again, ...] = ("weekday", "day of the month", "day of the year")

Unit: TypeAlias = Literal["day", "week", "weekend", "month", "season", "year"]
Moment: TypeAlias = tuple[date, Unit]
"""The first day of what is meant, and how exact it is."""
Said: TypeAlias = Mapping[str, str | None]
"""What the pattern of dates has found, by its groups."""
Words: TypeAlias = tuple[str, ...]


def listed(block: str) -> Words:
    """The words of `block`, in order."""
    return tuple(block.split())


def toml_of(package: str, name: str) -> dict[str, Any]:
    """What stands in `name`.toml beside the modules of the package."""
    return tomllib.loads((files(package) / f"{name}.toml").read_text(encoding="utf-8"))


def word_lists(package: str, name: str) -> Mapping[str, Mapping[str, Words]]:
    """The lists of `name`.toml in the package, by table and key; a list may also hold phrases."""
    return {
        table: {
            key: listed(one) if isinstance(one, str) else tuple(one) for key, one in said.items()
        }
        for table, said in toml_of(package, name).items()
    }


class Expression:
    """A pattern's methods, from the first use on those of the compiled one."""

    def __init__(self, source: str, flags: int) -> None:
        self._source = source, flags

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever a pattern has
        compiled = re.compile(*self._source)
        vars(self).update({one: getattr(compiled, one) for one in dir(compiled) if one[0] != "_"})
        return getattr(compiled, name)


def expression(source: str, flags: int = 0) -> re.Pattern[str]:
    """A regular expression that is compiled when it is first used: most commands use few."""
    return cast("re.Pattern[str]", Expression(source, flags))


class TextFlags(IntFlag):
    """Properties of a text that search can weigh; they fit into a byte."""

    QUESTION = 1
    TIME = 2
    NUMBER = 4


class Segmenter(NamedTuple):
    """Takes a run of a language's own letters apart, in its plain script."""

    index_tokens: Callable[[str], list[str]]
    query_terms: Callable[[str], list[str]]
    words: Callable[[str], list[tuple[str, str]]]
    """The words of a run as it was written, each as spelled there and in the plain script."""
    last_word: Callable[[str], str]
    """What a star behind the run is for; "" where beginnings of words cannot be asked for."""


class Cues(NamedTuple):
    """What words tell of a text; of normalised texts."""

    categories: Callable[[str], set[Category]]
    text_flags: Callable[[str], int]
    asks_for: Callable[[str], int]
    feelings: Mapping[str, str]
    """Emotions by the words that tell of them in a clause."""
    exclaimed: Mapping[str, str]
    """Those that nobody says of others."""
    not_own: str
    """Stands before a feeling that is not the writer's."""
    not_felt: str
    """Stands before one that is denied."""
    politeness: str
    """What has a word of feeling in it and tells none: titles, greetings."""
    question_particles: Words = ()
    counted: str = ""
    """What follows a number of four digits that is no year."""


def emotions(by_emotion: Mapping[str, Words]) -> Mapping[str, str]:
    """Which emotion each of the words tells."""
    return {word: emotion for emotion, words in by_emotion.items() for word in words}


class Dates(NamedTuple):
    """How dates are said."""

    pattern: re.Pattern[str]
    moment: Callable[[Said, date, bool], Moment | None]
    """What is meant by what was said on a day, and whether of what has been; None: no date.

    A group `iso` has a date in figures, which is read for all."""
    written: Callable[[Said, Moment], str]
    recurring: tuple[re.Pattern[str], Mapping[re.Pattern[str], tuple[Again, ...]]]
    """What a clause ends with, and the marks of dates in it that come again."""


class Clauses(NamedTuple):
    """How sentences part, which clauses state nothing, and how memory is told what to do.

    Orders are met in whole sentences.
    """

    breaks: str
    requests: str
    """Questions in form, orders in fact."""
    supposed: str
    """Suppositions, and what others have said."""
    denied: str
    tells_assistant: str
    work_on_text: str
    remember: str
    """Stands before what is to be remembered."""
    remembered: str
    """Stands behind it."""
    forget: str


class Titles(NamedTuple):
    """What a title does without, and what a summary is drawn to; over text as it was said."""

    polite: re.Pattern[str]
    introduction: str
    own: str
    number: str
    """A keyword that is a number, with a unit or without: normalised, and the whole word."""
    asking: str = ""
    """Particles before a question mark."""


class Slots(NamedTuple):
    """How people state the slots of a task.

    Every pattern of `stated` has a group `v`, the value; those of destination, origin and name are
    over a clause as it was said.
    """

    stated: Mapping[str, Words]
    past: str
    """A clause about what has been, or about every week, states no date; nor does a farewell."""
    been: str = ""
    """A clause about a journey that is over."""
    place_at_start: Callable[[str], int] | None = None
    """How much of a value names a place; None where capitals tell."""
    no_places: frozenset[str] = frozenset()


@dataclass(frozen=True, kw_only=True)
class Language:
    """A language. `letters` is the class of characters that only it is written with, "" for none.

    `unit` is what is counted to tell how much of a text is in it; `plain_script` turns variants of
    its letters into one (None: there are none).
    """

    code: LanguageCode
    scripts: tuple[Script, ...]
    script_of: Callable[[str], Script]
    letters: str = ""
    unit: str
    spaced: bool
    full_stop: str
    colon: str
    words: Mapping[str, Mapping[str, Words]]
    """`words.toml`: stop words, words of questions, of topics, MEMORY.md's headings, categories."""
    sentence_end: str
    abbreviation: str = ""
    asking: str
    """What a question has that the start of its answer has not."""
    asks_assistant: str
    """Asks for what the assistant said; both whatever the case, as it was said."""
    cues: Cues
    dates: Dates
    clauses: Clauses
    titles: Titles
    slots: Slots
    segmenter: Segmenter | None = None
    plain_script: Callable[[str], str] | None = None

    @cached_property
    def phrases(self) -> Mapping[str, str]:
        """What chatmem writes in this language, by table and name (`session.topic`)."""
        return dict(_flat(toml_of(f"chatmem.text.languages.{self.code}", "phrases")))


def _flat(table: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if isinstance(value, str):
            yield f"{before}{key}", value
        else:
            yield from _flat(value, f"{before}{key}.")
