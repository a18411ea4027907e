"""Words of scripts that put spaces between them: their plain form and their stem."""

import re
import unicodedata
from functools import cache, lru_cache
from importlib import import_module
from threading import Lock
from typing import Any, Final

MAX_TOKEN_CHARS: Final = 64
_CACHED_WORDS = 1 << 15

_POSSESSIVE = re.compile(r"['’](?:s|S)?$")
_CLITICS = frozenset({"s", "m", "d", "re", "ve", "ll"})
# What a full-text tokenizer would cut down to a single letter, or take for a stop word.
_SPELLED_OUT = {
    "c++": "cplusplus",
    "c#": "csharp",
    "f#": "fsharp",
    "u.s.": "usa",
    "u.s.a.": "usa",
}
_VERSIONED = re.compile(r"(?<![^\W_])([^\W\d_]*)(\d+(?:\.\d+)+)")
_DOTTED_DATE = re.compile(r"\d{4}\.\d{1,2}(?:\.\d{1,2})?|\d{1,2}\.\d{1,2}\.\d{4}")
# Latin letters with accents; those of Cyrillic (й) and other scripts are letters of their own.
_ACCENTED = re.compile("[\u00c0-\u024f\u1e00-\u1eff]")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_stemmer_lock = Lock()


@cache
def _stemmer() -> Any:  # noqa: ANN401 - a compiled module without types
    return import_module("Stemmer").Stemmer("english", 0)


@lru_cache(_CACHED_WORDS)
def stem(word: str) -> str:
    """The Snowball stem of a lower-case English word, of irregular forms that of their base.

    Words in other letters stay as they are.
    """
    if not (word.isascii() and word.isalpha()):
        return word
    with _stemmer_lock:  # one stemmer must not be used by two threads at once
        stemmed: str = _stemmer().stemWord(BASE_FORM.get(word, word))
    return stemmed


@lru_cache(_CACHED_WORDS)
def stems(piece: str) -> tuple[str, ...]:
    """The index terms of one normalised word: stems of its plain words."""
    return tuple(stem(word) for word in plain_words(piece))


@lru_cache(_CACHED_WORDS)
def plain_words(piece: str) -> tuple[str, ...]:
    """What one normalised word says, without its punctuation; usually one word, at times none.

    `alice's` is alice, `we've` is we, `don't` is dont; `python3.11` is python and 3.11; `1,000` is
    1000; `2023.5.1` is three numbers; `c++` is cplusplus; `__init__` is init; `café` is cafe.
    """
    if piece in _SPELLED_OUT:
        return (_SPELLED_OUT[piece],)
    plain = piece.replace("’", "'").strip("_'")
    head, _, tail = plain.rpartition("'")
    plain = (head if tail in _CLITICS and head else plain).replace("'", "").replace(",", "")
    if _ACCENTED.search(plain):
        plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", plain))
    if "." not in plain:
        parts = [plain]
    elif _DOTTED_DATE.fullmatch(plain):
        parts = plain.split(".")
    elif versioned := _VERSIONED.fullmatch(plain):
        parts = [versioned[1] if versioned[1] != "v" else "", versioned[2]]
    elif any(letter.isdigit() for letter in plain):
        parts = plain.split(".")
    else:
        parts = [plain.replace(".", "")]
    return tuple(part[:MAX_TOKEN_CHARS] for part in parts if part)


def surface(piece: str) -> str:
    """The word as a person would quote it: without possessive and underscores around it."""
    return _POSSESSIVE.sub("", piece).strip("_")


_GROUPS: Final = """
arise arose arisen; awake awoke; bear bore born; beat beaten; become became; begin began begun;
bend bent; bite bit bitten; bleed bled; blow blew blown; break broke broken; breed bred; bring
brought; build built; burn burnt; buy bought; catch caught; choose chose chosen; come came; creep
crept; deal dealt; dig dug; draw drew drawn; dream dreamt; drink drank drunk; drive drove driven;
eat ate eaten; fall fell fallen; feed fed; feel felt; fight fought; find found; flee fled; fly
flew flown; forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got
gotten; give gave given; go went gone; grow grew grown; hang hung; hear heard; hide hid hidden;
hold held; keep kept; kneel knelt; know knew known; lay laid; lead led; lean leant; learn learnt;
leave left; lend lent; lie lay lain; light lit; lose lost; make made; mean meant; meet met; pay
paid; ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; seek
sought; sell sold; send sent; sew sewn; shake shook shaken; shine shone; shoot shot; show shown;
shrink shrank; sing sang sung; sink sank sunk; sit sat; sleep slept; slide slid; speak spoke
spoken; speed sped; spend spent; spin spun; stand stood; steal stole stolen; stick stuck; strike
struck; swear swore sworn; sweep swept; swim swam swum; swing swung; take took taken; teach
taught; tear tore torn; tell told; think thought; throw threw thrown; understand understood; wake
woke woken; wear wore worn; weave wove woven; weep wept; win won; write wrote written; child
children; man men; woman women; person people; foot feet; tooth teeth; mouse mice; goose geese;
life lives; wife wives; knife knives; leaf leaves; half halves; shelf shelves; bad worse worst;
good better best
"""

BASE_FORM: Final = {
    form: words[0]
    for words in (group.split() for group in _GROUPS.split(";"))
    for form in words[1:]
}
"""From an irregular form to its base: went -> go, children -> child."""
