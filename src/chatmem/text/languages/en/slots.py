"""How English states the slots of a task."""

from typing import Final

from chatmem.text.languages.en.cues import WORDS
from chatmem.text.languages.en.dates import MONTHS, WEEKDAYS
from chatmem.text.languages.language import Slots

_NUMERAL = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|a dozen"
_CURRENCY = (
    r"euros?|dollars?|bucks|pounds|usd|eur|gbp|cny|rmb|yuan|hkd|twd|ntd|yen|jpy|francs?|chf|rupees?"
)
_AMOUNT = (
    rf"(?:[$€£¥]\s?\d[\d,.]*(?<![,.])(?:\s?[km]\b)?|\d[\d,.]*\s?k?\s?(?:[$€£¥]|(?:{_CURRENCY})\b))"
)
_LONG_MONTH = "|".join(MONTHS)
_MONTH = f"{_LONG_MONTH}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
_WEEKDAY = "|".join(WEEKDAYS)
_DATE = (
    rf"(?:(?:next|this coming|this) (?:{_WEEKDAY}|week(?:end)?|month|year|spring|summer|autumn"
    rf"|fall|winter)|(?:the day after )?tomorrow(?: (?:morning|afternoon|evening|night))?|tonight"
    rf"|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{_MONTH})\b(?:,? \d{{4}})?|(?:{_MONTH})\.?"
    rf" \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|\d{{4}}-\d{{1,2}}-\d{{1,2}}"
    rf"|\d{{1,2}}/\d{{1,2}}(?:/\d{{2,4}})?|in (?:early |mid-?|late )?(?:{_LONG_MONTH})\b(?:"
    rf" \d{{4}})?|in (?:\d+|{_NUMERAL}|a couple of|a few|a) (?:days?|weeks?|months?)\b|(?:on "
    rf"|this )(?:{_WEEKDAY})(?: (?:morning|afternoon|evening|night))?\b)"
)
_DEADLINE = (
    rf"(?:{_DATE}|(?:the )?(?:{_WEEKDAY})(?: (?:morning|afternoon|evening|night|noon))?"
    rf"|(?:the )?end of (?:the |this |next )?(?:day|week|month|year|quarter|{_LONG_MONTH})"
    rf"|(?:{_LONG_MONTH})|midnight|noon|eod|tonight|\d{{1,2}}(?::\d{{2}})?\s?[ap]\.?m\b\.?)"
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

SLOTS: Final = Slots(
    stated=_STATED,
    been=(
        r"\b(?:went|took|flew|moved|travell?ed|visited|drove|was|were|been to|did|stayed|got|spent"
        r"|met|back from|last|used to|never)\b"
    ),
    past=(
        r"\b(?:yesterday|ago|last|was|were|went|had|did|used to|got|took|set|met|saw|made|came|gave"
        r"|spent|bought|flew|drove|ate|told|said|found|left|lost|won|ran|read|wrote|began|i've"
        r"|have been|has been|[a-z]{3,}(?<!ne)ed)\b(?! to\b)|\b(?:usually|always|every|each|often"
        r"|normally|[a-z]+days)\b|see you|talk (?:to you )?(?:again )?(?:tomorrow|soon|later)"
        r"|again tomorrow|chat with you"
    ),
    no_places=frozenset((*WEEKDAYS, *MONTHS, *WORDS["slots"]["no_places"])),
)
