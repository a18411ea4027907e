"""What English messages tell in passing: `for my 8 year old, Otis`, `as a vegetarian`.

Such words stand in requests and questions as well, which state nothing else.
"""

import re
from collections.abc import Iterator
from typing import Final

from chatmem.extraction.rule_clauses_en import one_more
from chatmem.extraction.rule_frames import Fact, thing
from chatmem.extraction.rule_possessions_en import possession
from chatmem.extraction.rule_words_en import (
    AILMENTS,
    MANY_OF,
    PARTNERS,
    PET_KINDS,
    PET_NOUN,
    PETS,
    RELATIONS,
    SAME_ROLES,
)

_AS_ONE: Final = re.compile(
    r"^\W*(?:(?:and|so|but|also|well|hi|hey|hello|speaking|coming from|talking) )*"
    r"(?:as (?P<a>(?:an?|the) [^,.?]+?)|(?:as|being|i'm) (?:someone|somebody|a person|one|people)"
    r" (?:who(?P<s>'s| is| has| works| lives| can't| doesn't| never| hates| loves| suffers| uses"
    r"| speaks| grew| was)) (?P<w>[^,.?]+?)"
    r"|(?:being|as i'm|since i'm|because i'm|given i'm|seeing as i'm) (?P<b>[^,.?]+?))"
    r"(?=$|[,.?!]| (?:i|i've|i'd|i'm|i'll|my|what|how|which|where|can|should|is|are|do)\b)"
)
_ADJECTIVE: Final = (
    r"(?:(?:\w+er|oldest|youngest|eldest|little|big|twin|late|new|middle|dear|old|lovely|own|only"
    r"|first|second|best|poor|baby|teenage|adult|elderly|rescue|stupid|crazy|beloved|one-eyed"
    r"|(?P<age>\d{1,2}|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    r"[- ](?P<unit>year|yr|month|mo|week)s?[- ]old) )*"
)
_NAMED: Final = re.compile(
    rf"\b(?:my|our) {_ADJECTIVE}(?P<rel>{RELATIONS}|{PET_NOUN})"
    r"(?:,? (?:called |named |is called |is named |whose name is )?|'s name is |'s called )"
    r"(?P<name>[A-Za-zÀ-ÿ][\wÀ-ÿ-]+)(?!['’]s? \w+ (?:says|said|thinks))",
    re.IGNORECASE,
)
_CALLED: Final = re.compile(r"(?:called|named|name is)\W+$")
_AGED: Final = re.compile(
    r"\b(?:my|our) (?:(?:little|own|eldest|youngest|oldest) )?(?P<n>\d{1,2}|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen)[- ]?"
    r"(?P<u>year|yr|y|month|mo|week)s?[- /]?(?:old|o)\b(?P<who> (?:son|daughter|boy|girl|kid|child"
    r"|twins|niece|nephew|grandson|granddaughter|toddler|brother|sister|puppy|dog|cat|kitten"
    r"|stepson|stepdaughter|baby|mother|father|mum|mom|dad|gran\w*|lab\w*|cousin))?"
    r"(?:(?P<next>,? [A-Za-zÀ-ÿ][\wÀ-ÿ-]+))?(?P<rest>[^\n]{0,30})",
    re.IGNORECASE,
)
_NO_CHILD: Final = re.compile(
    r"^(?: \w+)?(?: (?:car|laptop|phone|house|macbook|computer|pc|tv|fridge|boiler|bike|mattress"
    r"|washing|dishwasher|honda|toyota|ford|vw|sourdough|tree|macbook|iphone|camera|sofa|printer"
    r"|relationship|marriage|account|jeans|self|roof|starter|company|dog|cat"
    r"|puppy|kitten|lab\w*))\b"
)
_AILING: Final = re.compile(
    rf"\b(?:my|our) (?!(?:\w+ )?(?:friend|boss|{RELATIONS})'s)(?P<v>(?:(?:chronic|severe|bad|mild"
    r"|terrible|left|right|lower|upper|type \w+|seasonal|late-onset|rheumatoid|generalised"
    rf"|generalized|social|lactose|gluten|nut|peanut|dairy|shellfish|egg|soy|\w+) )?(?:{AILMENTS}"
    r"|allergy|intolerance|pregnancy))\b(?! (?:is gone|went away|test|are\b|is (?:to )?(?:\w+$)))"
)
_OPERATED: Final = re.compile(
    r"\b(?:my|his|her) (?P<v>(?:recent |first |second |last |emergency )?(?:(?:\w+ )?(?:surgery"
    r"|operation|replacement|transplant|bypass|c-section|hysterectomy|mastectomy)|stroke"
    r"|heart attack|miscarriage|concussion|accident|car accident))\b"
    r"(?P<t> (?:last|in|this|\w+ (?:weeks?|months?|years?|days?) ago)[\w ]{0,14})?"
)
_BRANDED: Final = re.compile(
    r"\b(?:my|our) (?P<v>(?:old |new |second-?hand |trusty |beloved )?(?:(?:19"
    r"|20)\d\d )?(?:(?:skoda"
    r"|peugeot|renault|fiat|citro[eë]n|nissan|vauxhall|opel|toyota|honda|mazda|subaru|volvo|hyundai"
    r"|kia|tesla|bmw|audi|vw|volkswagen|suzuki|maruti|dacia|jeep|ford|lexus|mini cooper|prius"
    r"|iphone|pixel \d|galaxy s|oneplus|macbook|thinkpad|chromebook|ipad|kindle|fairphone|garmin"
    r"|fitbit|apple watch|ps5|ps4|xbox|nintendo switch|steam deck|brompton|vespa"
    r"|ducati|royal enfield"
    r"|raspberry pi|dell xps)(?: (?:pro|air|max|mini|plus|se|ultra|model \w"
    r"|[a-z]*\d[\w.]*|cr-v|golf"
    r"|polo|leaf|corolla|civic|yaris|clio|focus|fiesta|fit|jazz|transporter|outback|octavia|fabia"
    r"|swift|duster|switch|series|paperwhite|carbon))*))(?='s\b|\b)",
)
_MANY: Final = re.compile(
    r"\b(?P<det>my|our|with|and|have|got|us and) (?P<n>two|three|four|five|six|2"
    r"|3|4|5|6|twin) (?:\w+ )?"
    r"(?P<k>kids|children|sons|daughters|boys|girls|toddlers|grandkids|grandchildren|teenagers"
    r"|teens|cats|dogs|rabbits|horses|chickens|hens|stepkids)\b"
)
_JOB: Final = re.compile(
    r"\b(?:my|our) (?:new |current |day |full-time |part-time |first |own |small |little )*"
    r"(?P<v>(?:job|shift|role|position|apprenticeship|internship|work) (?:as an?|at|in|with) "
    r"(?:an? |the )?[\w&'.-]+(?: (?!last|this|and|but|so|in|on|at|for|is|was|has|to|because|i\b|i'm"
    r"|what|how|can)[\w&'.-]+){0,3}"
    r"|(?:ph\.?d|degree|master'?s|masters|bachelor'?s|thesis|dissertation|mba|course) (?:in|on|at) "
    r"[\w&'-]+(?: (?!last|this|and|but|so|in|on|at|for|is|was|has|to|because|i\b|i'm|what|how|can)"
    r"[\w&'-]+){0,4})"
)
_NO_MORE: Final = re.compile(
    r"\b(?:lost|quit|left|leave|leaving|hate|losing|about|from|interview)\W*$"
)
_HOUSE: Final = re.compile(
    r"\b(?:my|our) (?:new |tiny |little |small |old |rented |studio |two[- ]bed(?:room)? )*"
    r"(?P<k>flat|house|apartment|place|studio|home|condo|cottage|garden|allotment|farm) in "
    r"(?:(?:north|south|east|west|central|downtown) )?(?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)",
)
_HERE: Final = re.compile(
    r"\b(?:(?:here|down here|up here|over here) in|i'm in|we're in|greetings from|hello from"
    r"|hi from|writing from) (?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)(?!.*\b(?:holiday|vacation|trip"
    r"|visit\w*|tour|conference|layover|week|days|weekend|today|tomorrow|tonight|airport|travel\w*"
    r"|right now|hotel)\b)"
)
_PREGNANT: Final = re.compile(
    r"\b(?:while|now (?:that )?|when|since) (?:i'm|i am) (?P<v>(?:\d+ (?:weeks"
    r"|months) )?pregnant|breastfeeding)\b"
)
_NO_NAME: Final = frozenset(
    [
        "me",
        "us",
        "him",
        "her",
        "them",
        "you",
        "it",
        "i",
        "i'm",
        "and",
        "is",
        "was",
        "has",
        "who",
        "that",
        "but",
        "so",
        "in",
        "on",
        "at",
        "for",
        "with",
        "from",
        "to",
        "of",
        "a",
        "an",
        "the",
        "my",
        "our",
        "he",
        "she",
        "they",
        "lives",
        "works",
        "just",
        "also",
        "will",
        "said",
        "says",
        "can",
        "does",
        "did",
        "do",
        "what",
        "how",
        "when",
        "where",
        "which",
        "would",
        "could",
        "should",
        "may",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "january",
        "february",
        "march",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "christmas",
        "easter",
        "english",
        "spanish",
        "french",
        "german",
        "chinese",
        "japanese",
        "italian",
        "mom",
        "mum",
        "dad",
        "god",
        "google",
        "facebook",
        "instagram",
        "netflix",
        "youtube",
        "whatsapp",
        "tiktok",
        "amazon",
        "spotify",
    ]
)


def predicates(said: str, plain: str) -> Iterator[tuple[str, str]]:
    """`As a nurse` as the predicate `am a nurse`, said and in lower case."""
    match = _AS_ONE.match(plain)
    if match is None:
        return
    group = next(name for name in ("a", "w", "b") if match[name])
    words = said[slice(*match.span(group))].strip()
    verb = "am"
    if group == "w":
        verb = match["s"].strip().replace("'s", "am")
        verb = {"is": "am", "has": "have", "doesn't": "don't"}.get(verb, verb)
        if verb in ("works", "lives", "hates", "loves", "suffers", "uses", "speaks"):
            verb = verb[:-1]
    yield f"{verb} {words}", f"{verb} {words.lower()}"


def asides(said: str, plain: str) -> Iterator[Fact]:
    """What a clause tells in passing of the writer and of people and pets close to him."""
    yield from _people(said)
    yield from _health(said, plain)
    for match in _BRANDED.finditer(plain):
        words = _cased(said, match)
        yield Fact(f"Has {_article(words)}", possession(words), words)
    for match in _MANY.finditer(plain):
        if match["det"] in ("with", "and") and not re.search(r"\b(?:i|we|my|our|us)\b", plain):
            continue
        kind = match["k"]
        pet = kind[:-1] in PETS or kind == "chickens"
        key = f"pet:{kind[:-1]}" if pet else "children"
        yield Fact(f"Has {match['n']} {kind}", key, f"{match['n']} {kind}")
    for match in _JOB.finditer(plain):
        if _NO_MORE.search(plain, 0, match.start()):
            continue
        yield from _job(_cased(said, match))
    for pattern in (_HOUSE, _HERE):
        for match in pattern.finditer(said):
            yield Fact(f"Lives in {match['v']}", "home", match["v"])


def _health(said: str, plain: str) -> Iterator[Fact]:
    for match in _AILING.finditer(plain):
        if match["v"].endswith(("anxiety", "depression", "insomnia", "pain")):
            continue
        yield Fact(f"Has {_cased(said, match)}", _ailment_key(match["v"]), "yes")
    for match in _OPERATED.finditer(plain):
        when = said[slice(*match.span("t"))] if match["t"] else ""
        yield Fact(f"Had {_article(_cased(said, match))}{when}", kind="semantic")
    for match in _PREGNANT.finditer(plain):
        yield Fact(f"Is {match['v']}", "health:pregnant", "yes")


def _people(said: str) -> Iterator[Fact]:
    for match in _NAMED.finditer(said):
        name, role = match["name"], match["rel"].lower()
        marked = _CALLED.search(match[0][: match.start("name") - match.start()].lower())
        if name.lower() in _NO_NAME or not (name[:1].isupper() or marked):
            continue
        if role in (*MANY_OF, "boss", "manager"):
            continue
        yield named(one_more(match[0][: match.start("rel") - match.start()], role), name)
    for match in _AGED.finditer(said):
        who = (match["who"] or "").strip().lower()
        if not who and _NO_CHILD.match(f"{match['next'] or ''}{match['rest']}".lower()):
            continue
        unit = {"yr": "year", "y": "year", "mo": "month"}.get(
            match["u"].lower(), match["u"].lower()
        )
        role = who or "child"
        told = f"Has a {match['n']}-{unit}-old {who}".strip()
        age = match["n"] if unit == "year" else f"{match['n']} {unit}s"
        yield Fact(told, f"relation:{SAME_ROLES.get(role, role)}:age", age)
        name = (match["next"] or "").strip(" ,")
        if name[:1].isupper() and name.lower() not in _NO_NAME:
            yield named(role, name)


def kind_of(role: str) -> str:
    """A pet's kind, `other cat` for `other kitten`; empty for people."""
    more, _, last = role.rpartition(" ")
    kind = PET_KINDS.get(last, last)
    known = kind in PETS and more in ("", "other", "second", "third")
    return f"{more} {kind}".strip() if known else ""


def named(role: str, name: str) -> Fact:
    """That somebody close, or a pet, is called so."""
    told = f"{role[:1].upper()}{role[1:]} is called {name}"
    if kind := kind_of(role):
        return Fact(told, f"pet:{kind}", name)
    if role in PARTNERS:
        return Fact(told, "partner", name)
    return Fact(told, f"relation:{SAME_ROLES.get(role, role)}", name)


def _ailment_key(plain: str) -> str:
    if plain.endswith("allergy"):
        return f"allergy:{thing(plain.removesuffix(' allergy'))}"
    return f"health:{thing(plain)}"


def _job(words: str) -> Iterator[Fact]:
    head, _, what = words.partition(" ")
    link, _, what = what.partition(" ")
    if head.lower() in ("job", "role", "position", "work", "shift", "apprenticeship", "internship"):
        if link == "as":
            what = re.sub(r"^an? ", "", what)
            yield Fact(f"Works as {_article(what)}", "occupation", what)
        elif not re.match(
            r"(?:the )?(?:moment|work|home|all|that|this|hand|least|progress)\b", what
        ):
            key = "employer" if link in ("at", "with") else "occupation"
            yield Fact(f"Works {link} {what}", key, what)
    elif link != "at" or what[:1].isupper():
        yield Fact(f"Is doing their {words}", "studies", what)


def _cased(said: str, match: re.Match[str]) -> str:
    return said[slice(*match.span("v"))]


def _article(words: str) -> str:
    if re.match(r"(?:an?|the|two) |\w+ surgery\b|surgery\b", words.lower()):
        return words
    return f"{'an' if words[:1].lower() in 'aeio' else 'a'} {words}"
