"""The languages that chatmem knows: a folder each, and what asks which one a text is in.

Whatever differs between languages is a field of `Language`. Elsewhere in the house a text is asked
for its language, and the language for what is needed; a further language is a further folder here.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from chatmem.text.languages.en import ENGLISH
from chatmem.text.languages.en import stem as stem
from chatmem.text.languages.language import Language as Language
from chatmem.text.languages.language import LanguageCode as LanguageCode
from chatmem.text.languages.language import Script as Script
from chatmem.text.languages.language import TextFlags as TextFlags
from chatmem.text.languages.language import expression as expression
from chatmem.text.languages.zh import CHINESE
from chatmem.text.languages.zh.segment import STOP_CHARACTERS as STOP_CHARACTERS
from chatmem.text.languages.zh.segment import simplify as simplify
from chatmem.text.languages.zh.segment import spellings as spellings

DEFAULT: Final = ENGLISH
"""What a text is in that shows no language; it has no letters of its own."""
LANGUAGES: Final = (ENGLISH, CHINESE)
BY_CODE: Final = {one.code: one for one in LANGUAGES}
SCRIPTS: Final = {script: one for one in LANGUAGES for script in one.scripts}
"""The language of each script."""

STOP_WORDS: Final = frozenset[str]().union(
    *(one.words["questions"]["words"] for one in LANGUAGES),
    *(words for one in LANGUAGES for words in one.words["stop_words"].values()),
)
FILLERS: Final = frozenset[str]().union(*(one.words["topic"]["fillers"] for one in LANGUAGES))
"""Words that name no topic, besides stop words, in the form that `normalise` gives."""
UNSPACED_LETTERS: Final = "".join(one.letters for one in LANGUAGES if not one.spaced)
"""The class of letters of all languages that put no spaces between words."""

_OWN_LETTERS: Final = [(one, expression(f"[{one.letters}]")) for one in LANGUAGES if one.letters]
_UNITS: Final = tuple((one, expression(one.unit)) for one in reversed(LANGUAGES))
# What is written in no language: code, addresses.
_FOREIGN: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|https?://\S+", re.DOTALL)
_LOOKED_AT_CHARS: Final = 2_000


def language_of(text: str) -> Language:
    """The language that most of `text` is in, by Chinese characters and English words.

    A Chinese sentence with English names in it is Chinese (`我用 Python 写代码`); code and
    addresses do not count; a text in neither, an empty one included, is in the default. The first
    2,000 characters decide.
    """
    head = text[:_LOOKED_AT_CHARS]
    if head.isascii():
        return DEFAULT
    told = _FOREIGN.sub(" ", head)
    counted = [(len(unit.findall(told)), one) for one, unit in _UNITS]
    most, language = max(counted, key=lambda pair: pair[0])
    return language if most else DEFAULT


def language_by_script(text: str) -> Language:
    """The language whose own letters stand in `text`; the default where there are none."""
    _, *others = languages_in(text)
    return others[0] if others else DEFAULT


def languages_in(text: str) -> Iterator[Language]:
    """Those that words of `text` may be in: the default, and those whose letters stand in it."""
    yield DEFAULT
    if not text.isascii():
        yield from (one for one, letter in _OWN_LETTERS if letter.search(text))


def script_of(text: str) -> Script:
    """The script of the language of `text`: Traditional where any of its Chinese is."""
    return language_of(text).script_of(text[:_LOOKED_AT_CHARS])


def any_of(part: Callable[[Language], str], before: str = "") -> str:
    """One pattern that finds what a pattern of any language does, or the one given before them."""
    return "|".join(filter(None, [before, *map(part, LANGUAGES)]))


def phrases(name: str) -> Mapping[LanguageCode, str]:
    """A phrase in every language, by its code."""
    return {one.code: one.phrases[name] for one in LANGUAGES}


def script_phrases(name: str) -> Mapping[Script, str]:
    """A phrase in every script of every language."""
    return {script: one.phrases[f"{name}.{script}"] for one in LANGUAGES for script in one.scripts}
