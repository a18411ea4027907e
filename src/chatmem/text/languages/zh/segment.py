"""Chinese characters: both scripts, and runs of them taken apart with the dictionary of rjieba.

Its statistical guesses (`hmm`) are off: they read 我想学 as one word, and depend on the context.
"""

from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from operator import add
from threading import Lock
from typing import Any, Final

from chatmem.text.clean import without_surrogates
from chatmem.text.languages.language import Segmenter, expression
from chatmem.text.languages.zh.cues import WORDS

# Ideographs with their compatibility forms and extensions; the zero 〇 counts as one.
HAN: Final = "〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
_HAN: Final = expression(f"[{HAN}]")
STOP_CHARACTERS: Final = frozenset("".join(WORDS["characters"]["stop"]))
"""Single characters that say nothing."""
# Some phrases of the conversion table feed one another (in 4 of 1,000 lines of random characters;
# two rounds made all of them stable). Without the bound, a cycle in the table would never end.
_MAX_ROUNDS = 4


@cache
def _converter(table: str) -> Callable[[str], str]:
    # Loaded with the first Chinese text: importing this module must cost nothing.
    convert: Callable[[str], str] = import_module("opencc").OpenCC(table).convert
    return convert


def simplify(text: str) -> str:
    """`text` with Traditional Chinese characters turned into Simplified ones; idempotent."""
    current = without_surrogates(text)
    if not _HAN.search(current):
        return current
    convert = _converter("t2s")
    for _ in range(_MAX_ROUNDS):
        before, current = current, convert(current)
        if current == before:
            break
    return current


def spellings(text: str) -> tuple[str, ...]:
    """The text as it stands and, where they differ, in Simplified and in Traditional Chinese."""
    if not _HAN.search(text):
        return (text,)
    simplified = simplify(text)
    return tuple(dict.fromkeys((text, simplified, _converter("s2t")(simplified))))


_ADDED_PLACES = frozenset(WORDS["dictionary"]["places"])
_NAME_TAGS = frozenset({"nr", "nrt", "nrfg"})
_AT_A_PERSON = ("家", "那", "那里", "那儿", "的")
# Characters between words that are joined to one word: most names have two or three.
_LONGEST_JOINED = 4

_loading = Lock()


def _jieba() -> Any:  # noqa: ANN401 - a compiled module without types
    # While a word is added nobody may cut: the first texts may come on several threads at once.
    with _loading:
        return _loaded()


@cache
def _loaded() -> Any:  # noqa: ANN401 - a compiled module without types
    # Loaded with the first Chinese text: the dictionary takes 50 ms and 33 MB.
    module = import_module("rjieba")
    for word in WORDS["dictionary"]["words"]:
        module.add_word(word, None, None)
    return module


def _index_tokens(run: str) -> list[str]:
    """Characters, pairs of neighbours, and every longer dictionary word in a Simplified run."""
    tokens = list(run)
    if len(run) > 1:
        tokens += map(add, run, run[1:])
    if len(run) > 2:
        tokens += [word for word in _jieba().cut_all(run) if len(word) > 2]
    return tokens


def _query_terms(run: str) -> list[str]:
    """Dictionary words of a Simplified run, pairs that no word covers, and all characters.

    Every one of them is among the index tokens of any run that contains this one.
    """
    terms = [word for word in _jieba().cut_for_search(run, False) if len(word) > 1]
    terms += [one + two for one, two in pairwise(_cut(run)) if _loose(one) and _loose(two)]
    terms += run
    return terms


def _words(run: str) -> list[tuple[str, str]]:
    """The words of `run`, each as spelled there and in Simplified characters.

    Neighbouring characters that belong to no dictionary word are joined, up to four: names are
    such.
    """
    simplified = simplify(run)
    spelling = run if len(run) == len(simplified) else simplified
    found: list[tuple[str, str]] = []
    start = 0
    for word in _joined(_cut(simplified)):
        end = start + len(word)
        found.append((spelling[start:end], word))
        start = end
    return found


def _cut(run: str) -> list[str]:
    """The Simplified run as a sequence of dictionary words and single characters."""
    parts: list[str] = _jieba().cut(run, False)
    return parts


def place_at_start(run: str) -> int:
    """How many characters of a Simplified run its first word takes, 0 where it names no place.

    The dictionary takes foreign cities for people's names (柏林); a person's own is taken for a
    place with them, unless a home follows it (王伟家).
    """
    tagged: list[tuple[str, str]] = _jieba().tag(run, False)
    if not tagged:
        return 0
    word, tag = tagged[0]
    following = tagged[1][0] if len(tagged) > 1 else ""
    if word in _ADDED_PLACES or tag == "ns":
        return len(word)
    if tag in _NAME_TAGS and len(word) > 1 and following not in _AT_A_PERSON:
        return len(word)
    return 0


def _joined(parts: list[str]) -> Iterator[str]:
    loose: list[str] = []
    for part in [*parts, ""]:
        if part and _loose(part):
            loose.append(part)
            continue
        if 1 < len(loose) <= _LONGEST_JOINED:
            yield "".join(loose)
        else:
            yield from loose
        loose.clear()
        if part:
            yield part


def _loose(part: str) -> bool:
    return len(part) == 1 and part not in STOP_CHARACTERS


SEGMENTER: Final = Segmenter(
    index_tokens=_index_tokens,
    query_terms=_query_terms,
    words=_words,
    last_word=lambda run: _cut(run)[-1],
)
