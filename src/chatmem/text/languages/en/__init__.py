"""English: how it parts and asks, which clauses state nothing, orders, and all its other parts."""

import re
from functools import cache, lru_cache
from importlib import import_module
from itertools import chain
from threading import Lock
from typing import Any, Final

from chatmem.text.languages.en.cues import CUES, WORDS
from chatmem.text.languages.en.dates import DATES
from chatmem.text.languages.en.slots import SLOTS
from chatmem.text.languages.language import Clauses, Language, Orders, Titles

_ASK: Final = (
    r"(?:(?:please|pls|(?:can|could|would|will) you|i(?: want|'d like) you to"
    r"|you (?:can|should|must)|just|also|and|but|so|oh|ok|okay|hey|hi|actually|now)[,:!]? )*"
)
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
    clauses=Clauses(
        breaks=r"\s(?=but\s)",
        requests=(
            r"^\W*(?:(?:and|so|but|hi|hey|hello|ok|okay|also|please)\W+)*"
            r"(?:can|could|would|will) (?:you|we|u|i (?:get|have|ask))\b"
        ),
        supposed=(
            r"\b(?:if|suppose|supposing|imagine|pretend|hypothetically|what if|let's say|lets say"
            r"|say i|i wish|as if|as though|unless|assuming|in case|would have|could have|act as"
            r"|for example|for instance|e\.g)\b"
            r"|\b(?:he|she|they|who|someone|somebody|people|wife|husband|mom|mum|mother|dad|father"
            r"|sister|brother|friend|boss|colleague|teacher|doctor|neighbou?r|character|novel|story"
            r"|book|article|[a-z]+'s)\s+(?:\w+\s)?(?:says?|said|tells?|told|asks?|asked|thinks?|claims?"
            r"|wrote|writes|replied|texted)\b"
        ),
        denied=(
            r"\b(?:not|no|never|none|cannot|without|neither|nor|hardly|instead of|rather than"
            r"|no longer)\b|n't\b|n’t\b"
        ),
        tells_assistant=r"you(?:'re| are| will| must| should)\b",
        work_on_text=(
            r"\b(?:translat\w*|proofread\w*|rewrit\w*|rephras\w*|paraphras\w*|summari[sz]e\w*|polish"
            r"|correct|edit|improve|grammar|role-?play\w*|pretend)\b"
        ),
    ),
    titles=Titles(
        polite=re.compile(
            r"""^\W*(?:
                (?:hi|hello|hey|hiya|dear|good\ (?:morning|afternoon|evening|day)|greetings|yo|ok
                  |okay|so|well|thanks|thank\ you|please|sorry|excuse\ me|um+|hmm+|sure|great
                  |alright)\b(?:\ (?:there|all|everyone|again|assistant
                    |so\ much|very\ much|a\ lot))?[\s,.!:;-]*
              | (?:can|could|would|will)\ (?:you|u)(?:\ (?:please|kindly|possibly|maybe|also))?
                (?:\ help\ (?:me|us)(?:\ (?:to|with|out\ with))?)?\s+
              | (?:would\ you\ mind|do\ you\ mind)\s+
              | i(?:'d|\ would)\ (?:like|love)\ (?:you\ )?(?:to\ know\ )?to\s+
              | i\ (?:want|need)\ (?:you\ )?to\s+
              | i\ was\ wondering\ (?:if|whether)\ (?:you\ could\ )?
              | (?:please\ )?help\ (?:me|us)(?:\ (?:to|with|out\ with))?\s+
              | i(?:'m|\ am)\ looking\ for\s+(?=\w)
              | (?:could|can|may)\ i\ (?:please\ )?(?:get|have|ask)(?:\ you)?\s+
              | give\ me\s+ | (?:please\ )?tell\ me(?:\ about)?\s+ | show\ me\s+ | do\ you\ know\s+
            )""",
            re.IGNORECASE | re.VERBOSE,
        ),
        introduction=(
            r"^\W*(?:my name(?:'s| is)|i'm back|i am back|nice to meet|i'm [A-Z]\w+$|it's me"
            r"|how are you|are you there|thanks?|thank you|good night|see you|bye|i understand"
            r"|i see|got it)\b"
        ),
        own=r"\b(?:I|my|we|our|I'm|I've)\b",
        number=(
            "one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|hundred|thousand|million"
        ),
    ),
    orders=Orders(
        remember=(
            rf"^\W*{_ASK}(?:remember|memori[sz]e)(?: for (?:me|later))?"
            r"(?:,? that,? (?=\w)|[:,] |,? (?=(?:i|i'm|i've|my|our|we)\b))"
        ),
        remembered=(
            rf"(?:^|[.,;!:–—-]\s*|\b(?=(?:please|so|and|but)\b)){_ASK}(?:(?:remember|note"
            r"|don't forget) (?:that|this|it)(?: down)?|keep (?:that|this|it) in mind)"
            r"(?:,? (?:please|for (?:me|later|the future|next time)|ok|okay))*\s*[.!]*$"
        ),
        forget=(
            rf"^\W*{_ASK}(?:forget|don't remember|stop remembering|no need to remember"
            r"|(?:delete|remove|erase|wipe|clear) (?=.*\b(?:memor|you (?:know|have|remember)"
            r"|your (?:records?|notes))))"
        ),
    ),
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
