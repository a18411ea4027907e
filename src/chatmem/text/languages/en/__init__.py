"""English."""

from functools import cache, lru_cache
from importlib import import_module
from itertools import chain
from threading import Lock
from typing import Any, Final

from chatmem.text.languages.en.clauses import CLAUSES, ORDERS, TITLES
from chatmem.text.languages.en.cues import CUES, WORDS
from chatmem.text.languages.en.dates import DATES
from chatmem.text.languages.en.slots import SLOTS
from chatmem.text.languages.language import Language

ENGLISH: Final = Language(
    code="en",
    scripts=("en",),
    script_of=lambda _: "en",
    unit=r"[A-Za-z][A-Za-z'’]*",
    spaced=True,
    full_stop=".",
    colon=": ",
    stop_words=frozenset(chain.from_iterable(WORDS["stop_words"].values())),
    question_words=frozenset(WORDS["questions"]["words"]),
    fillers=frozenset(WORDS["topic"]["fillers"]),
    pointing_on=WORDS["topic"]["pointing_on"],
    sentence_end=(
        r"(?<![A-Z])(?<!(?<![A-Z])\.)\.+[”’)\"']*(?=\s|$)"  # not the full stop of an initial
        r"|(?<=[A-Z]{2})\.(?=\s|$)"  # but that behind an acronym
    ),
    abbreviation=(r"Mr|Mrs|Ms|Dr|Prof|St|Jr|Sr|vs|etc|approx|No|Inc|Ltd|Co|Fig|e\.g|i\.e|[ap]\.m"),
    asking=(
        r"^(?:(?:what|which|who|whom|whose|when|where|why|how)\b"
        r"(?:\s+(?:many|much|long|often|old|far|(?:kind|type)s?\s+of"
        r"|was|is|are|were|did|does|do|has|have|had|would|could|might|will|can))*"
        r"|(?:did|does|do|is|are|was|were|has|have|had|would|could|can|will)\b)\s*"
    ),
    asks_assistant=(
        r"\byou(?:'d| had| have)? (?:told|said|mention\w*|recommend\w*|suggest\w*|provid\w*|gave"
        r"|list\w*|shar\w*|explain\w*|describ\w*)|\bremind me\b"
        r"|(?:our|previous|last|earlier) (?:conversation|chat|discussion)"
    ),
    headings=WORDS["headings"],
    category_names={name: one for name, (one,) in WORDS["names"].items()},
    cues=CUES,
    dates=DATES,
    clauses=CLAUSES,
    titles=TITLES,
    orders=ORDERS,
    slots=SLOTS,
)

_CACHED_WORDS: Final = 1 << 15
BASE_FORM: Final = {
    form: words[0]
    for words in (group.split() for group in " ".join(WORDS["forms"]["irregular"]).split(";"))
    for form in words[1:]
}
"""From an irregular form to its base: went -> go, children -> child."""
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
