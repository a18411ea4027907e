"""English sentences cut where a new statement or question begins, with or without a comma."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from chatmem.extraction.clauses import Clause, asks

_AUX: Final = r"(?:is|are|'s|do|does|did|should|shall|can|could|would|will|might|am|was|has|have)"
_RUN: Final = re.compile(
    r"\s(?=(?:and|so|because|but|then|since(?! i was)|although|while|plus|as"
    r"|or) (?:also |now |then |maybe )?"
    r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'll|my|our|he|she|he's|she's|they|they're|was|were"
    r"|wondering|wonder|want|wanted|need|would|looking|trying|hoping|can|could|please|what|how"
    r"|where|which|is|are|do|does|should|whatever|people|everyone|now|it's|that|it|the|this)\b)"
    rf"|\s(?=(?:what|what's|whats|how|where|which|who|when|why) (?:\w+ )?{_AUX}\b)"
    r"|\s(?=(?:what|how)'s\b|how (?:much|many|long|far|often|old|big)\b"
    r"|what (?:kind|sort|type|size)"
    r"|whats\b)"
    r"|\s(?=(?:any|some|got any) (?:tips|ideas?|advice|suggestions?|recommendations?|recs|good"
    r"|chance|thoughts|way|other)\b)"
    r"|\s(?=(?:is|are) (?:there|it|that|this|they|those)\b)"
    r"|(?<!i) (?=(?:can|could|should|would|will) (?:you|u|i|we|it|they)\b)"
    r"|\s(?=(?:do|does|did) (?:you|i|we|it|they|he|she|that|this)\b)"
    r"|\s(?=(?:pls|please|plz|help me|help with|give me|recommend|suggest|tell me|show me|make me"
    r"|find me|write me|wondering if|looking for)\b)"
    r"|\s(?=(?:[a-z]+ )?(?:friend|boss|doctor|mum|mom|dad|wife|husband|he|she|they|who|people) "
    r"(?:says|said|thinks|reckons|claims|keeps (?:saying|telling))\b)"
)
_SUPPOSED: Final = re.compile(
    r"\b(?:if(?! (?:it|that) (?:helps|matters|makes)| you must know| anyone)|suppose|supposing"
    r"|imagine|imagining|pretend|hypothetically|let's say|lets say|say i|say someone|i wish|as if"
    r"|as though|unless|assuming|in case|would have|could have|act as|for example|for instance"
    r"|e\.g|whether)\b"
)
_ASKED_IF: Final = re.compile(
    r"\b(?:wonder\w*|know|see|check|ask\w*|sure|tell me|idea|decide\w*|clue|find out|out) "
    r"(?:if|whether)\b"
)
_WOULD: Final = re.compile(r"\b(?:would|could|might|should)\b|'d\b")
_AGAIN: Final = re.compile(r"^\W*(?:but|because|since|cos|anyway)\b")
_OTHERS: Final = (
    r"(?:he|she|they|who|someone|somebody|people|everyone|everybody|some|wife|husband|mom|mum"
    r"|mother|dad|father|sister|brother|friend|flatmate|roommate|mate|partner|boyfriend|girlfriend"
    r"|boss|colleague|coworker|teacher|doctor|neighbou?r|landlord|manager|guy|woman|man|lady"
    r"|character|novel|story|book|article|narrator|bride|[a-z]+'s)"
)
_REPORTED: Final = re.compile(
    rf"\b{_OTHERS}\s+(?:\w+\s)?(?:says?|said|tells?|told|asks?|asked|thinks?"
    r"|thought|claims?|claimed"
    r"|wrote|writes|replied|texted|reckons?|believes?|insists?|swears?|suggested|suggests?"
    r"|mentioned|wants me|(?:keeps|is) (?:saying|telling|asking))\b"
    r"|\b(?:apparently|supposedly|rumou?r|i (?:heard|read|saw) (?:that )?|it says)\b"
)
_EXPERT: Final = re.compile(
    r"^(?:\W*(?:and|so|but) )?(?:(?P<of>my (?:son|daughter))'s|my|the|our|her|his) "
    r"(?:\w+ )?(?:doctor|gp|doc|dentist|physio\w*|vet|school|teacher|cardiologist|dermatologist"
    r"|consultant|specialist|optician|nurse|therapist|psychiatrist)s? (?:has "
    r"|have |just |recently )*"
    r"(?:told (?:me|us)|says|said|confirmed|found out|diagnosed me with)(?: that)? "
)
_BARE_START: Final = re.compile(
    r"^\W*(?:(?:and|so|but|also|just)\W+)*(?:had|was|am|has|have|did|may)\s+"
    r"(?!i\b|you\b|we\b|he\b|she\b|they\b|it\b|the\b|there\b|anyone|any\b|my \w+ (?:ever|been))"
)
_GUESS: Final = re.compile(r"^\W*guess (?:what|who)\b")


def runs(parts: Sequence[Clause]) -> list[Clause]:
    """The clauses of one sentence, cut finer, each meant as it stands itself."""
    found: list[Clause] = []
    supposed = reported = False
    for part in _cut(parts):
        plain = part.plain
        if reported and re.match(
            r"^\W*(?:and |so |but |anyway )?(?:i\b|i'm|i've|my|we|our)", plain
        ):
            reported = False
        if supposed and _AGAIN.match(plain):
            supposed = False
        asked = _is_asked(plain)
        if _ASKED_IF.search(plain):
            asked = True
        elif _SUPPOSED.search(plain):
            supposed = True
            _unstate_wishes(found)
        if (expert := _EXPERT.match(plain)) and not asked:
            text, plain = part.text[expert.end() :], plain[expert.end() :]
            if expert["of"]:
                who = expert["of"]
                text = re.sub(r"^(?:he|she)(?='s| )", who, text)
                plain = text.lower() if len(text.lower()) == len(text) else text
            part = Clause(text, plain, stated=True, questioned=False, first=part.first)
        elif _REPORTED.search(plain):
            reported = True
        stated = not (asked or supposed or reported) and part.stated
        found.append(Clause(part.text, part.plain, stated, asked, part.first))
    return found


def _is_asked(plain: str) -> bool:
    if _GUESS.match(plain):
        return False
    return asks(plain) and (_BARE_START.match(plain) is None or plain.rstrip()[-1:] == "?")


def _unstate_wishes(found: list[Clause]) -> None:
    """`I would go, if ...`: what hangs on a supposition is none either."""
    if found and _WOULD.search(found[-1].plain):
        last = found[-1]
        found[-1] = Clause(last.text, last.plain, False, last.questioned, last.first)


def _cut(parts: Sequence[Clause]) -> Iterator[Clause]:
    for part in parts:
        start = 0
        told = part.stated or not _addressed(part.plain)
        for match in _RUN.finditer(part.plain):
            if match.start() <= start:
                continue
            end = match.start()
            yield _piece(part, start, end, told)
            start = end
        yield _piece(part, start, len(part.plain), told)


def _addressed(plain: str) -> bool:
    return re.match(r"\W*you(?:'re| are| will| must| should)\b", plain) is not None


def _piece(part: Clause, start: int, end: int, told: bool) -> Clause:
    return Clause(
        part.text[start:end], part.plain[start:end], told, False, part.first and start == 0
    )
