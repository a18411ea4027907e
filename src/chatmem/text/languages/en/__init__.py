"""English: how it parts and asks, which clauses state nothing, orders, slots, and all its parts."""

import re
from functools import cache, lru_cache
from importlib import import_module
from threading import Lock
from typing import Any, Final

from chatmem.text.languages.en.cues import CUES, WORDS
from chatmem.text.languages.en.dates import DATES, MONTH, MONTHS, WEEKDAY, WEEKDAYS
from chatmem.text.languages.language import Clauses, Language, Slots, Titles, expression

_NUMERAL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|a dozen"
_CURRENCY = (
    r"euros?|dollars?|bucks|pounds|usd|eur|gbp|cny|rmb|yuan|hkd|twd|ntd|yen|jpy|francs?|chf|rupees?"
)
_AMOUNT = (
    rf"(?:[$€£¥]\s?\d[\d,.]*(?<![,.])(?:\s?[km]\b)?|\d[\d,.]*\s?k?\s?(?:[$€£¥]|(?:{_CURRENCY})\b))"
)
_MONTH = f"{MONTH}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_DATE = (
    rf"(?:(?:next|this coming|this) (?:{WEEKDAY}|week(?:end)?|month|year|spring|summer|autumn"
    rf"|fall|winter)|(?:the day after )?tomorrow(?: (?:morning|afternoon|evening|night))?|tonight"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b(?:,? \d{{4}})?|(?:{_MONTH})\.?"
    rf" \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|\d{{4}}-\d{{1,2}}-\d{{1,2}}"
    rf"|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?|in (?:early |mid-?|late )?(?:{MONTH})\b(?:"
    rf" \d{{4}})?|in (?:\d+|{_NUMERAL}|a couple of|a few|a) (?:days?|weeks?|months?)\b|(?:on "
    rf"|this )(?:{WEEKDAY})(?: (?:morning|afternoon|evening|night))?\b)"
)
_DEADLINE = (
    rf"(?:{_DATE}|(?:the )?(?:{WEEKDAY})(?: (?:morning|afternoon|evening|night|noon))?"
    rf"|(?:the )?end of (?:the |this |next )?(?:day|week|month|year|quarter|{MONTH})"
    rf"|(?:{MONTH})|midnight|noon|eod|tonight|\d{{1,2}}(?::\d{{2}})?\s?[ap]\.?m\b\.?)"
)
_PEOPLE = (
    r"people|persons|adults|guests|travell?ers|passengers|attendees|participants|of us|kids"
    r"|children|pax"
)
_CHILDREN = (
    rf"(?:,? (?:and|plus) (?:\d+|{_NUMERAL}|a|an) (?:kids?|child|children|baby|infants?"
    r"|toddlers?))?"
)
_LANGUAGES = (
    "english|chinese|mandarin|cantonese|japanese|korean|french|german|spanish|italian|portuguese"
    "|russian|arabic|hindi|thai|vietnamese|dutch|turkish|polish|swedish|greek|hebrew|latin"
    "|indonesian"
)
_PLACE = (
    r"(?P<v>[A-Z][\w'’-]+(?: (?:of |de |del |la |los |las |san |am |an der )?[A-Z][\w'’-]+){0,2})"
)
_GOING = (
    r"(?:going|go|moving|move|flying|fly|travell?ing|travel|driving|drive|heading|head|relocating"
    r"|relocate|trip|flights?|trains?|tickets?|journey|holiday|vacation|bus|visit(?:ing)?|shipping"
    r"|ship|deliver(?:y|ed)?|ride)"
)

_STATED: Final = {
    "date": (rf"\b(?P<v>{_DATE})",),
    "time": (
        r"\b(?:at|from|around|by) (?P<v>\d{1,2}(?::\d{2})?\s?[ap]\.?m\b\.?|\d{1,2}:\d{2}|noon"
        r"|midnight)",
    ),
    "deadline": (
        rf"\b(?:deadline|due(?: date)?|submission) (?:is|on|by|for it is|will be)(?: on| by)? "
        rf"(?P<v>{_DEADLINE})",
        rf"\b(?:due|deadline)[: ]+(?P<v>{_DEADLINE})",
        rf"\b(?:by|before|no later than|until) (?P<v>{_DEADLINE})",
    ),
    "budget": (
        rf"\bbudget(?:'s| is| of| would be| will be|:)?(?: only| about| around| roughly| up to"
        rf"| at most| max(?:imum)?)* ?:? ?(?P<v>{_AMOUNT}|\d[\d,.]*\d\s?k?\b)",
        rf"(?P<v>{_AMOUNT}) (?:\w+ )?budget\b",
        rf"\b(?:spend|pay)(?: \w+)? (?:up to|at most|no more than|a maximum of|max) "
        rf"(?P<v>{_AMOUNT})",
        rf"\b(?:under|below|up to|at most|less than|no more than|max(?:imum)?) (?P<v>{_AMOUNT})",
    ),
    "people": (
        rf"\b(?:for|with|we are|we're|total of|about|around|plus|there are|there will be) (?P<v>"
        rf"(?:\d{{1,4}}|{_NUMERAL}) (?:{_PEOPLE}){_CHILDREN})\b",
        rf"^\W*(?P<v>(?:\d{{1,4}}|{_NUMERAL}) (?:{_PEOPLE}){_CHILDREN})\W*$",
        rf"\b(?:party|group|family|table) (?:of|for) (?P<v>\d{{1,3}}|{_NUMERAL})\b(?! (?:days?"
        rf"|nights?|hours?|weeks?|o'clock|pm|am|[ap]\.m))(?!:)",
    ),
    "language": (
        rf"\b(?:write|draft|reply|answer|respond|translate\w*|put|make|say|compose|give"
        rf"|say)\b[^.?]{{0,40}}? (?:in|into|to) (?P<v>{_LANGUAGES})\b",
    ),
    "order_number": (
        r"\border (?:number|no\.?|id|#)?\s?(?:is|:|=)?\s?#?(?P<v>"
        r"(?=[a-z-]*\d)[a-z0-9][a-z0-9-]{3,24})\b",
    ),
    "version": (
        r"\b(?:version|release|v)\s?(?:is |number |: ?)?(?P<v>\d+(?:\.\d+)+(?:-?(?:rc|beta|alpha"
        r"|b)\d*)?)\b",
    ),
    "destination": (
        rf"\b{_GOING}\b.{{0,30}}? to {_PLACE}",
        rf"\b(?:visit(?:ing)?|(?:stay(?:ing)?|land(?:ing)?|arriv(?:e|ing)|[Hh]otels?|[Hh]ostels?"
        rf"|[Aa]irbnb|[Aa]partment|[Rr]ooms?|[Ww]eekend|[Hh]oliday|[Tt]rip|days|nights|[Vv]acation)"
        rf" (?:in|at)) {_PLACE}",
        rf"\b[Ff]rom [A-Z][\w'’-]+(?: [A-Z][\w'’-]+)? to {_PLACE}",
        rf"\b[Dd]estination(?: is|:)? {_PLACE}",
    ),
    "origin": (
        rf"\b(?:{_GOING}|depart(?:ing)?|leav(?:e|ing)|starting|fly)(?: over| out)? from {_PLACE}",
        rf"\b[Ff]rom {_PLACE} to [A-Z]",
    ),
    "name": (
        r"\b[Mm]y name(?:'s| is|’s) (?P<v>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2})",
        r"\b(?:I'm|I am|I’m) (?:called|named) (?P<v>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*){0,2})",
        r"\b[Cc]all me (?P<v>[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)?)",
    ),
}

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
    words=WORDS,
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
    titles=Titles(
        polite=expression(
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
    slots=Slots(
        stated=_STATED,
        been=(
            r"\b(?:went|took|flew|moved|travell?ed|visited|drove|was|were|been to|did|stayed|got"
            r"|spent|met|back from|last|used to|never)\b"
        ),
        past=(
            r"\b(?:yesterday|ago|last|was|were|went|had|did|used to|got|took|set|met|saw|made|came"
            r"|gave|spent|bought|flew|drove|ate|told|said|found|left|lost|won|ran|read|wrote|began|i've"
            r"|have been|has been|[a-z]{3,}(?<!ne)ed)\b(?! to\b)|\b(?:usually|always|every|each"
            r"|often|normally|[a-z]+days)\b|see you|talk (?:to you )?(?:again )?(?:tomorrow|soon"
            r"|later)|again tomorrow|chat with you"
        ),
        no_places=frozenset((*WEEKDAYS, *MONTHS, *WORDS["slots"]["no_places"])),
    ),
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
