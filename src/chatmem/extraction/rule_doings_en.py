"""What English predicates say of habits, plans and events."""

import re
from datetime import date
from typing import Final

from chatmem.extraction.dates_said import SaidDate, dates_in, with_dates
from chatmem.extraction.rule_clauses_en import Saying, theirs, third_person, told_of
from chatmem.extraction.rule_frames import Fact, thing
from chatmem.text.irregular import BASE_FORM
from chatmem.text.wordlist import listed

_FREQUENCY: Final = re.compile(
    r"\b(?:every (?:single |other |second |few )?(?:day|morning|evening|night"
    r"|afternoon|week(?:end|day)?"
    r"|month|year|summer|winter|spring|autumn|fall|(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?"
    r"(?: (?:morning|afternoon|evening|night))?(?:,? (?:and|or|&) \w+day)?"
    r"|(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day (?:mornings|afternoons|evenings|nights)"
    r"|(?:on )?(?:most |the )?(?:weekends|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)"
    r"(?: and (?:mon|tues|wednes|thurs|fri|satur|sun)days)?"
    r"|(?:once|twice|(?:\w+|\d+|\d+-\d+) times) (?:a|per|each|every) (?:day|week|month|year)"
    r"|(?:daily|weekly)(?=$| (?:at|in|for|before|after|with|on|and|to)\b)"
    r"|each (?:day|morning|evening|night|week|month)|most (?:days|mornings"
    r"|evenings"
    r"|nights)|(?:\w+|\d) (?:days|nights|mornings|evenings) (?:a|per) week"
    r"|all the time(?! i)|(?:nine|9) times out of (?:ten|10)|most of the time"
    r"|on an? \w+day(?: \w+)?|(?:mon|tues|wednes|thurs|fri|satur|sun)days"
    r"|(?:before|after) (?:work|school|breakfast|dinner|lunch|bed)(?! (?:today|tomorrow|yesterday))"
    r"|in the (?:mornings|evenings|afternoons)|at (?:the )?weekends|a day(?= |$)"
    r"|mornings|evenings|nightly"
    r"|during (?:ramadan|lent|the week|term|winter|summer)|(?:once|twice) in a while|all year round"
    r"|every (?:few|couple of|\d+|two|three|four|six) (?:days|weeks|months|hours|years))\b"
)
_CLOCK: Final = re.compile(
    r"^(?:(?:wake|get) up|go to (?:bed|sleep)|sleep(?= from)|work(?= from)|start work|finish work"
    r"|have (?:breakfast|lunch|dinner)"
    r"|eat (?:breakfast|lunch|dinner)) (?:\w+ )?(?:at|around|by|before|after"
    r"|from) (?:about |around |like )?"
    r"(?:\d|six|seven|five|eight|nine|ten|eleven|midnight|noon)"
)
_NO_HABIT: Final = re.compile(
    r"^(?:am (?!up$|up at|taking|at|in bed|working|running|training|swimming"
    r"|going (?!to (?!the |an? |my |work|school|church|yoga|bed)))|feel|think"
    r"|find|wonder|forget|get (?!up|to work|home|takeout|coffee|my)|want|need"
    r"|have (?!coffee|tea|porridge|cereal|soup|salad|toast|fruit|yogh?urt|rice"
    r"|fish|breakfast|lunch|dinner"
    r"|an? |oatmeal|eggs|toast|yoga|therapy|band|choir|piano|guitar|class"
    r"|football|soccer|swimming|training|dinner|band|practice)|try|end up"
    r"|know|seem|hear|wish|hope|worry|struggle|say|tell|ask|believe|assume|lose|see|look|appreciate"
    r"|remember|understand|guess|wanted|would|will|can|can't|could|should|must"
    r"|might|may|don't (?!eat|drink|work|smoke|cook|drive)|didn't"
    r"|haven't|miss|notice|realize|realise|dream|imagine|fail|keep|suffer|expect|like|love|hate"
    r"|enjoy|prefer|come|mean|regret|made|make (?:mistakes|sure|the)|let|was|were"
    r"|used|consider|discuss|learn|cry|argue|fight)\b"
)
_POINTS: Final = re.compile(
    r"\b(?:it|this|that|these|those|them|you|your|him|her|she|he|they|here|there|something|someone"
    r"|somewhere|(?:new|good|small|big|different|another|nice) one|anything"
    r"|everything|stuff|things?|one of)\b"
)
_VERB: Final = re.compile(r"^[a-z][a-z'-]+$")


_CARRIED: Final = frozenset(
    listed(
        "go have eat drink take play read run swim walk do practice practise "
        "meditate cook watch work"
        " call visit write train lift"
    )
)


def habit(subject: Saying, today: date, *, carried: bool = False) -> Fact | None:
    """A habit of the writer or of somebody close, or None.

    Args:
        subject: who, and what is said of them.
        today: the day on which it was said.
        carried: the subject is that of the clause before.
    """
    if carried and subject.plain.partition(" ")[0] not in _CARRIED:
        return None
    plain = subject.plain
    words = plain.split()
    often = subject.often
    frequency = _FREQUENCY.search(plain)
    clock = _CLOCK.match(plain)
    if not (frequency or clock or often in _STEADY) or not 2 <= len(words) <= 22:
        return None
    if _NO_HABIT.match(plain) or _POINTS.search(_WHEN.sub("", plain)) or not _present(words[0]):
        return None
    if (
        not (frequency or clock)
        and often in ("always", "never", "only")
        and words[0] not in _STEADILY
    ):
        return None
    if not (frequency or clock) and (
        len(words) < (2 if often in ("never", "only") else 3) or words[0] in ("am",)
    ):
        return None
    when = frequency[0] if frequency else often or "at that time"
    what = _doing(_FREQUENCY.sub("", plain))
    if len(what) < 3 or (" " not in what and what not in _ALONE):
        return None
    what = what.removeprefix("am ")
    return Fact(_told(subject, subject.own), _key("habit", subject, what), when, "pattern")


_ALONE: Final = frozenset(
    listed(
        "run swim jog meditate exercise journal cycle hike pray cook bike train "
        "fast garden paint read"
        " write knit stretch dance sing box climb surf ski draw nap row bake walk"
    )
)
_WHEN: Final = re.compile(r" (?:when|because|so|unless|while|since) .*$")
_STEADILY: Final = frozenset(
    listed(
        "take drink eat order have buy wear use go run cook read sleep work carry listen watch keep"
        " book choose pick travel fly skip smoke drive walk cycle sit pay put add start bring play"
        " swim pray fast"
    )
)
_STEADY: Final = frozenset(
    {
        "usually",
        "always",
        "only",
        "never",
        "normally",
        "typically",
        "generally",
        "tend to",
        "regularly",
    }
)


def _present(verb: str) -> bool:
    if not _VERB.match(verb):
        return False
    if verb in BASE_FORM or verb in ("did", "had", "went"):
        return verb == "read"
    return not (verb.endswith("ed") and verb not in ("need", "feed", "speed"))


def _doing(plain: str) -> str:
    """The core of a habit: `go to the gym` of `go to the gym at 7 before work`."""
    plain = re.sub(
        r" (?:at(?! least)|around|by|before|after|for|from|with|because|since"
        r"|to relax|so|in the|on the way"
        r"|when|while|as|until|during|with my)\b.*$",
        "",
        plain.strip(" ,."),
    )
    return thing(plain.strip(" ,."))


_FUTURE: Final = re.compile(
    r"^(?:am (?:going to (?P<a>.+)|planning to (?P<b>.+)|planning (?P<c>an? .+)"
    r"|hoping to (?P<h>.+)|about to (?P<i>.+)|(?P<d>[a-z]+ing .+"
    r"|getting married.*|due.*|off to .+))"
    r"|will (?:be )?(?P<e>.+)|plan (?:to|on) (?P<f>.+)|have (?P<g>.+)"
    r"|(?P<j>(?:start|leave|fly|graduate|begin|move|finish|return|arrive|depart"
    r"|turn|travel|get|go|meet|sit|take|present|defend|play|perform|retire)\b.*)"
    r"|need to (?P<k>.+)|must (?P<l>.+)|booked (?P<m>.+)|want to (?P<n>(?:visit"
    r"|go to|travel|run|move|buy|learn|climb|finish|start) .+)"
    r"|(?:signed up for|entered|registered for|enrolled in|got tickets (?:for|to)"
    r"|have tickets (?:for|to)) (?P<o>.+)"
    r"|(?:got|just got|have got) (?P<p>(?:an?|my|our|the) .+))$"
)
_TRIVIAL: Final = re.compile(
    r"^(?:(?:definitely|probably|also|just|then|maybe|certainly|surely|try|keep"
    r"|give|let|tell|ask|see"
    r"|think|talk|chat|check|look|consider|continue|come|remember|follow|do"
    r"|be (?:back|there|careful|sure|able|ok|okay|fine|happy)"
    r"|back|able|use|make sure|take (?:your|note|care|it|a look|some time)|read"
    r"|listen to|watch|work on|work hard|say|share|show|go (?:now|back to|ahead"
    r"|to (?:bed|sleep|work))|get (?:some|back|ready)|feel|feeling|having (?:a"
    r"|trouble|fun|some)|thinking|looking|trying|enjoying|considering|wondering"
    r"|doing|working|writing|reading|using|feeling|getting (?!married|divorced|a "
    r"|surgery|my)|trouble|time|no|nothing|something|been|busy|fun|sleep|rest"
    r"|relax|enjoy|bring|a (?:good|great|nice|bad|lot|busy|long|question|feeling"
    r"|few|break|rest|chat|problem|hard|rough)|to|enough|some|stay|miss|need|want"
    r"|like|love|hope)\b)"
)
_WEIGHTY: Final = re.compile(
    r"\b(?:off to|teeth|braces|cast off|stitches|results|blood (?:test|work)|jab|tattoo"
    r"|the keys|ultrasound|baptism|christening|bar mitzvah|baby shower|hen do"
    r"|stag|relocat\w*|tickets|gig|taking (?:the"
    r"|my|our)|physio|optician|gp|vet|hen party|citizenship|emigrat\w*|host\w*"
    r"|operation|biopsy|emigrating"
    r"|trip|travel\w*|fly\w*|flight|mov(?:e|ing) (?:to|out|in|into|house|back"
    r"|away|home|apartments?)|married|wedding|visit\w*"
    r"|vacation|holiday|exam|interview"
    r"|appointment|surgery|operation|marathon|conference|presentation|meeting"
    r"|deadline|dentist|doctor"
    r"|check-?up|graduat\w*|start\w*|retir\w*|concert|due|baby|birthday"
    r"|anniversary|party|test|defend\w*|defen[cs]e|submit|hand in|turn in"
    r"|course|class|race|tournament|match|game|performance|recital|lesson"
    r"|training|camp\w*|hik\w*|ski\w*|climb\w*"
    r"|dinner|lunch|brunch|date with|pick up|picking up|meet\w*|see(?:ing)? (?:my"
    r"|the)|going to|driving to|train to|leav\w*|return\w*|sit|take|present\w*"
    r"|host\w*|launch\w*|release|audition|hearing|court|scan|mri|vaccin\w*"
    r"|physio\w*|therapy|haircut|renew|pay|tak(?:e|ing)|adopt\w*"
    r"|buy(?:ing)? (?:an?|my|our|the) (?:\w+ )?(?:house|flat|car|apartment|condo)"
    r"|clos\w* on|turn \d+|turning|join\w*|play\w*|perform\w*|run(?:ning)?"
    r"|volunteer\w*|go to|reunion|funeral|workshop|seminar|webinar|festival"
    r"|cruise|road trip|picnic|barbecue|bbq|semester|internship|job|shift|mot"
    r"|inspection|viewing|babysit\w*)\b"
)
_UNDATED: Final = re.compile(
    r"^(?:am (?:planning (?:to (?:visit|travel|move|go|buy (?:an?|my|our)|study"
    r"|retire|get married|learn|run|climb)|an? (?:[\w'-]+ ){0,3}?(?:trip|vacation"
    r"|holiday|wedding|move|party|honeymoon|road trip))|getting married"
    r"|expecting (?:a\b|our|my|twins)|moving to|about to (?:start|move|graduate"
    r"|retire|become))|plan (?:to|on) (?:visit|travel|move|go to|study|retire"
    r"|buy (?:an?|my|our)|learn|run|climb|stay)\w*"
    r"|am (?:relocating|emigrating) to|will (?:be )?(?:travel(?:l?ing)?|mov(?:e"
    r"|ing)|fly(?:ing)?|graduat(?:e"
    r"|ing)) (?:to|from|in)|booked (?:a|an|my|our|flights|tickets)) ?.*$"
)


def plan(subject: Saying, today: date) -> Fact | None:
    """Something that the writer or somebody close will do on a day that is told, or None."""
    match = _FUTURE.match(subject.plain)
    if match is None or subject.often or _FREQUENCY.search(subject.plain):
        return None
    ahead = _ahead(subject.plain, today)
    what = next(group for group in match.groups() if group)
    if _PERFECT.match(subject.own.lower()) and not subject.plain.startswith("am planning"):
        return None
    if ahead is None and not _undated(subject, today):
        return None
    bare = without_dates(what, today)
    if _POINTS.search(_no_dates(what, today)) or _TRIVIAL.match(bare) or len(what.split()) > 22:
        return None
    if (
        ahead is not None
        and not _WEIGHTY.search(what)
        and subject.plain.startswith(("have ", "want", "need", "will", "must", "am ", "got "))
    ):
        return None
    dates = dates_in(subject.own.lower(), today)
    core = thing(bare)
    if len(core) < 3:
        return None
    value = ahead.iso if ahead else "yes"
    return Fact(
        _told(subject, with_dates(subject.own, dates)),
        _key("plan", subject, _where(subject.said) or (_base(core) if match["d"] else core)),
        value,
    )


_TRIP: Final = re.compile(
    r"\b(?:fly|flying|travel\w*|go|going|trip|drive|driving|visit|visiting|head"
    r"|heading|off|flight)(?: back| home"
    r"| over)?(?: to)? (?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
)


def _where(said: str) -> str:
    """The place of a journey: it is the same plan however one gets there."""
    trip = _TRIP.search(said)
    return thing(trip["v"]) if trip and not _DAY.match(trip["v"]) else ""


_DAY: Final = re.compile(
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|(?:Jan|Feb|Mar|Apr|May|June|July"
    r"|Aug|Sept|Oct|Nov|Dec)|Dr\b|Grand|Mom|Mum|Dad"
)


def _undated(subject: Saying, today: date) -> bool:
    """True for a plan of weight that has no day yet."""
    if subject.who or dates_in(subject.plain, today):
        return False
    match = _UNDATED.match(subject.plain)
    if match is None:
        return False
    if not _TO_A_PLACE.search(subject.plain):
        return True
    return any(word[:1].isupper() for word in subject.said.split())


_TO_A_PLACE: Final = re.compile(r"\b(?:visit|go|travel\w*|fly\w*|stay)\b")
_PERFECT: Final = re.compile(r"(?:have|has) (?:\w+ )?been ")
_SILENT_E: Final = frozenset(
    listed(
        "smok vap bak mov tak mak driv hav leav com danc cycl writ rid hik rac celebrat graduat "
        "relocat retir bik"
        " clos arriv purchas mak giv serv produc releas "
    )
)


def _base(core: str) -> str:
    """`fly to tokyo` of `flying to tokyo`: a plan is the same in either form."""
    verb, gap, rest = core.partition(" ")
    if len(verb) < 6 or not verb.endswith("ing") or verb in ("wedding", "meeting", "training"):
        return core
    stem = verb[:-3]
    if stem in _SILENT_E:
        stem += "e"
    elif stem[-1] == stem[-2] and stem[-1] not in "lse":
        stem = stem[:-1]
    return f"{stem}{gap}{rest}"


def based(core: str) -> str:
    """A habit as a part of a key: `smoke` of `smoking`."""
    return _base(core)


def often(subject: Saying) -> bool:
    """True where it is said how often something is done."""
    return subject.often in _STEADY or _FREQUENCY.search(subject.plain) is not None


_APPOINTED: Final = re.compile(
    r"(?:my|our) (?P<n>(?:flight|train|bus) (?:to|from) [\w-]+"
    r"|(?:[\w'-]+ ){0,4}?(?:flight|train|exam|exams|finals?|test"
    r"|interview|appointment|surgery|operation|deadline|wedding|party|trip"
    r"|holiday|vacation|presentation|thesis|paper|concert|recital|marathon|race"
    r"|graduation|due date|baby|lease|visa|contract|class|course|semester|term"
    r"|first day|last day|meeting|conference|viva|defen[cs]e|checkup|check-up"
    r"|court date|hearing|audition|game|match|tournament|performance|ceremony"
    r"|license|passport|anniversary|birthday|show))"
    r"(?:'s| is| are| will be| starts?| begins?| ends?| takes place| leaves?"
    r"| departs?| expires?)(?: (?:on|at|in|due|scheduled for|coming up|set for"
    r"|already|due on|due by|booked for))* .+$"
    r"|(?:(?:my|an?|got an?|got my|have an?) )?(?P<s>(?:(?:job|final|second|first"
    r"|driving|dentist|doctor'?s?|gp|vet|hospital|physio|therapy|math|chemistry"
    r"|visa|history|biology|physics|piano) )*(?:dentist"
    r"|doctor'?s?(?: appointment)?|gp appointment|vet appointment|appointment"
    r"|interview|exam|finals|midterms?|physio|therapy|surgery|flight|test"
    r"|check-?up|wedding|mri|scan|ultrasound|recital|viva|graduation|audition"
    r"|court date|root canal|colonoscopy)) (?=(?:is )?(?:on |at |in |tomorrow"
    r"|next|this|today|mon|tues|wed|thurs|fri|sat|sun))(?:is )?(?:on )?.+$"
    r"|(?:the )?(?P<d>deadline for (?:my|our) [\w' -]+?) is .+$"
)


def appointment(said: str, plain: str, today: date) -> Fact | None:
    """`My flight is on Friday`: something of the writer's that has its day, or None."""
    match = _APPOINTED.match(plain)
    if match is None:
        return None
    ahead = _ahead(plain, today)
    what = match["n"] or match["s"] or match["d"]
    if ahead is None or what.endswith(("birthday", "anniversary")):
        return None
    told = theirs(
        re.sub(
            r"^(?:my|our|the|an?|got an?|got my|have an?) ",
            "",
            with_dates(said, dates_in(plain, today)),
            flags=re.I,
        )
    )
    told = told[:1].upper() + told[1:]
    return Fact(told.strip(" ,.!"), f"plan:{thing(what)}", ahead.iso)


def _ahead(plain: str, today: date) -> SaidDate | None:
    """The first date in it that lies ahead: not today, and not what has been."""
    for each in dates_in(plain, today):
        if each.first > today or (
            each.unit != "day"
            and each.first.year >= today.year
            and each.unit in ("weekend", "month", "season")
            and (each.first.year, each.first.month) >= (today.year, today.month)
        ):
            return each
    return None


def _no_dates(plain: str, today: date) -> str:
    for each in reversed(dates_in(plain, today)):
        plain = plain[: each.start] + " " + plain[each.end :]
    return plain


def without_dates(plain: str, today: date) -> str:
    """The words of a plan without its day and its hour."""
    for each in reversed(dates_in(plain, today)):
        plain = plain[: each.start] + " " + plain[each.end :]
    plain = re.sub(
        r"\b(?:at|around|by|from) \d[\d:]* ?(?:am|pm|a\.m\.|p\.m\.|o'clock)?(?=\W|$)", " ", plain
    )
    plain = (
        re.sub(r"\b(?:for|with|because|so|and|since)\b.*$", "", plain)
        if len(plain.split()) > 6
        else plain
    )
    return thing(plain)


_EVENT: Final = re.compile(
    r"^(?:broke (?:my|his|her|their) (?!heart|promise|record|phone|fast|diet)\w+"
    r"|(?:sprained|twisted|tore|fractured|dislocated|injured|hurt) (?:my|his"
    r"|her) \w+"
    r"|(?:had|underwent|have had) (?:an? |my |back |knee |heart |eye "
    r"|\w+ )*(?:surgery|operation|baby|miscarriage|stroke|heart attack|accident"
    r"|car accident|root canal|c-section|transplant|concussion)\b"
    r"|gave birth|passed (?:my|the|his|her) [\w' -]*(?:exam|test|interview|bar"
    r"|driving|defen[cs]e|finals|licen[cs]e|boards|certification)"
    r"|failed (?:my|the|his|her) [\w' -]*(?:exam|test|driving|interview|class"
    r"|course)|passed away|died"
    r"|lost (?:my|our|his|her) (?:job|mother|father|mom|mum|dad|grandma\w*"
    r"|grandpa\w*|grandmother|grandfather|dog|cat|wife|husband|wallet|passport"
    r"|sister|brother)"
    r"|lost \d+(?:\.\d)? ?(?:kg|kilos?|pounds|lbs)|gained \d+(?:\.\d)? ?(?:kg|kilos?|pounds|lbs)"
    r"|won (?:a|an|the|first|second|third|my|our|gold|silver|bronze)\b|ran (?:a"
    r"|my first|the|my) (?:[\w'-]+ )*(?:marathon|half[- ]marathon|10k|5k|race"
    r"|ultra\w*)"
    r"|(?:finished|completed|submitted|defended|published|released|launched"
    r"|signed) (?:a|an|my|our|the) (?:[\w'-]+ ){0,3}(?:thesis|dissertation"
    r"|marathon|degree|course|master'?s|ph\.?d|paper|album|app|company|startup"
    r"|game|contract|lease|training|certification|bootcamp|apprenticeship"
    r"|internship)\b"
    r"|celebrated (?:my|our|his|her) [\w' -]*(?:birthday|anniversary|wedding|graduation)"
    r"|broke up|split up|separated)"
)
_TRAVELLED: Final = re.compile(
    r"^(?:went (?:back |up |down |over )?to|visited|(?:got|came) back from"
    r"|returned from|travell?ed (?:around |to |through )?|flew to|drove to"
    r"|went (?:hiking|camping|skiing|diving|sailing|surfing|kayaking) (?:in|at"
    r"|near)) ?(?P<v>.+)$"
)
_LONG_AGO: Final = re.compile(r"\b(?:years?|decades?) ago\b|\bas a (?:kid|child|teenager)\b")


_PAST_VERB: Final = re.compile(
    r"(?:had|went|got|ran|saw|met|took|flew|drove|gave|did|made|won|lost|came|held|threw|rode|swam"
    r"|wrote|built|caught|fell|hit|spoke|told|\w{3,}ed)\b"
)
_MATTERS: Final = re.compile(
    r"\b(?:anniversary|birthday|wedding|funeral|interview|exam|test|graduation"
    r"|graduated|concert|gig"
    r"|marathon|race|10k|5k|half|surgery|hospital|a&e|emergency room|baby"
    r"|my first|our first|honeymoon"
    r"|festival|accident|crash(?:ed)?|stolen|mugged|robbed|burgled|scan|mri"
    r"|vaccin\w+|dentist|proposed"
    r"|engaged|audition|viva|defen[cs]e|ceremony|reunion|citizenship|licen[cs]e|promotion|therapy"
    r"|therapist|operation|biopsy|blood test|tattoo|keys|lease|contract|offer|flood\w*|fire|flew to"
    r"|landed|arrived in|hiked|climbed|camping|tournament|final|match|recital|exhibition|degree)\b"
)


def event(subject: Saying, today: date) -> Fact | None:
    """Something of weight that happened once, or None."""
    plain = subject.plain
    if subject.often or len(plain.split()) > 22:
        return None
    dates = dates_in(plain, today, past=True)
    found = _EVENT.match(plain) is not None
    if not found and (trip := _TRAVELLED.match(plain)):
        name = subject.said[trip.start("v") :]
        found = name[:1].isupper() and any(each.first < today for each in dates)
    if not found and not re.search(r" ago$", plain) and _PAST_VERB.match(plain):
        # A day that matters: the anniversary dinner yesterday, not any dinner.
        found = _MATTERS.search(plain) is not None and any(
            each.first < today and each.unit != "year" for each in dates
        )
    if not found or re.search(r"\b(?:it|this|that|you|your)\b", plain):
        return None
    told = _told(subject, with_dates(subject.own, dates_in(subject.own.lower(), today, past=True)))
    return Fact(told, kind="episodic")


def _told(subject: Saying, own: str) -> str:
    own = own.strip(" ,.;!")
    if subject.who:
        return told_of(subject.who, subject.name, own, subject.often)
    return third_person(own, subject.often)


def _key(kind: str, subject: Saying, what: str) -> str:
    return f"relation:{subject.who}:{kind}:{what}" if subject.who else f"{kind}:{what}"
