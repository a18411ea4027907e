"""Runs of Chinese characters, taken apart with the dictionary of rjieba.

Its statistical guesses (`hmm`) are off: they read 我想学 as one word, and depend on the context.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import pairwise
from operator import add
from threading import Lock
from typing import Any

from chatmem.text.stopwords import STOP_CHARACTERS
from chatmem.text.wordlist import listed

# Words of today and of Taiwan that the dictionary lacks, in Simplified characters.
_ADDED_WORDS = listed(
    """
    智慧型手机 智慧手机 行动电话 随身碟 优格 部落格 机器学习 深度学习 微信 抖音 小红书 大模型
    智能体 提示词 全栈
    """
)
# Cities that the dictionary knows as something else or not at all.
_ADDED_PLACES = frozenset(listed("清迈 曼谷 巴厘岛 普吉岛 墨尔本 首尔 釜山 台中 高雄 花莲 垦丁"))
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
    for word in _ADDED_WORDS:
        module.add_word(word, None, None)
    return module


def han_index_tokens(run: str) -> list[str]:
    """Characters, pairs of neighbours, and every longer dictionary word in a Simplified run."""
    tokens = list(run)
    if len(run) > 1:
        tokens += map(add, run, run[1:])
    if len(run) > 2:
        tokens += [word for word in _jieba().cut_all(run) if len(word) > 2]
    return tokens


def han_query_terms(run: str) -> list[str]:
    """Dictionary words of a Simplified run, pairs that no word covers, and all characters.

    Every one of them is among the index tokens of any run that contains this one.
    """
    terms = [word for word in _jieba().cut_for_search(run, False) if len(word) > 1]
    terms += [one + two for one, two in pairwise(han_cut(run)) if _loose(one) and _loose(two)]
    terms += run
    return terms


def han_words(run: str, simplified: str) -> list[tuple[str, str]]:
    """The words of `run`, each as spelled there and in Simplified characters.

    Neighbouring characters that belong to no dictionary word are joined, up to four: names are
    such. `simplified` is the same run in Simplified characters.
    """
    spelling = run if len(run) == len(simplified) else simplified
    found: list[tuple[str, str]] = []
    start = 0
    for word in _joined(han_cut(simplified)):
        end = start + len(word)
        found.append((spelling[start:end], word))
        start = end
    return found


def han_cut(run: str) -> list[str]:
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
