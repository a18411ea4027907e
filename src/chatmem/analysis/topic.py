"""What a message is about, as keywords of its own.

Source: S3.1 (current_topic), S3.3.7 (its keywords take part in retrieval).
"""

import re
from functools import lru_cache
from itertools import chain
from typing import Final

from chatmem.text.language import language_of
from chatmem.text.normalise import has_han, normalise
from chatmem.text.segment import extract_keywords
from chatmem.text.wordlist import word_lists

_WORDS: Final = word_lists("chatmem.analysis", "fillers")
FILLERS: Final = frozenset(chain.from_iterable(_WORDS["fillers"].values()))
"""About 500 words that name no topic, besides stop words, in the form that `normalise` gives."""
_POINTING_ON: Final = _WORDS["pointing_on"]
"""With these a short message goes on with the topic before it: `and in winter?`."""
MAX_TOPIC_CHARS: Final = 40
MAX_TOPIC_WORDS: Final = 6
_READ_CHARS: Final = 400
"""What a message is about stands at its beginning, or else it is about too much."""

# Figures, with a unit or without; numbers of orders and accounts.
_NUMBER: Final = re.compile(
    r"[\d.,:/%€$£¥-]+(?:st|nd|rd|th|am|pm|k|w)?|(?<![a-z\d-])(?=[a-z-]*(?:\d[a-z-]*){3})[a-z\d-]+"
    r"|(?<![一二两三四五六七八九十百千万半几])[一二两三四五六七八九十百千万半几]+(?:多"
    r"|余)?[元块口人个天月年号日点位份封张本只条件杯次家套台周岁]钱?"
    r"|one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|thousand|million"
)
_SHORT_WORDS: Final = 5
_SHORT_CHARS_ZH: Final = 10


def topic_of(text: str, previous: str | None = None) -> str | None:
    """Keywords of `text` with spaces between them, at most 40 characters; None where it has none.

    A short message that only goes on (`and in winter?`, `那成都呢`) adds to `previous`.

    Args:
        text: what a person says, without code and quotations.
        previous: the topic until now.
    """
    head = text[:_READ_CHARS]
    keywords = [word for word in extract_keywords(head) if not _is_filler(word)]
    if not keywords:
        return None
    if previous and len(keywords) == 1 and _goes_on(head):
        known = [word for word in previous.split() if normalise(word) != normalise(keywords[0])]
        while known and len(" ".join([*known, keywords[0]])) > MAX_TOPIC_CHARS:
            known.pop()
        return " ".join([*known, keywords[0]])[:MAX_TOPIC_CHARS]
    return _joined(_best(keywords, head))


@lru_cache(maxsize=8_192)
def _is_filler(word: str) -> bool:
    plain = normalise(word)
    if plain in FILLERS or _NUMBER.fullmatch(plain):
        return True
    # A character alone is mostly half of a word that was cut.
    return len(plain) == 1 and has_han(plain)


def _best(keywords: list[str], text: str) -> list[str]:
    """At most six of the keywords, in order: names, words said twice, longer ones first."""
    if len(keywords) <= MAX_TOPIC_WORDS:
        return keywords
    plain = normalise(text)
    counts = {word: plain.count(normalise(word)) for word in keywords}

    def weight(place: int) -> float:
        word = keywords[place]
        name = 1.0 if word[0].isupper() and place > 0 else 0.0
        length = min(len(word) / (2 if has_han(word) else 5), 2.0)
        return counts[word] + name + length - place / len(keywords)

    places = sorted(range(len(keywords)), key=weight, reverse=True)[:MAX_TOPIC_WORDS]
    return [keywords[place] for place in sorted(places)]


def _joined(keywords: list[str]) -> str:
    topic = ""
    for word in keywords:
        longer = f"{topic} {word}" if topic else word[:MAX_TOPIC_CHARS]
        if len(longer) <= MAX_TOPIC_CHARS:
            topic = longer
    return topic


def _goes_on(text: str) -> bool:
    if language_of(text) == "zh":
        return len(text) <= _SHORT_CHARS_ZH and any(
            word in text for word in _POINTING_ON["chinese"]
        )
    words = normalise(text).replace("?", " ").split()
    return len(words) <= _SHORT_WORDS and not {*words}.isdisjoint(_POINTING_ON["english"])
