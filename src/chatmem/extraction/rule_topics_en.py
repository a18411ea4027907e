"""English statements whose subject is a thing: `Jazz is my thing`, `our lease is up in May`."""

import re
from datetime import date
from typing import Final

from chatmem.extraction.dates_said import dates_in, with_dates
from chatmem.extraction.rule_clauses_en import theirs
from chatmem.extraction.rule_frames import Check, Fact, Frame, thing
from chatmem.extraction.rule_parts_en import COUNT
from chatmem.extraction.rule_words_en import (
    LANGUAGES,
    MANY_OF,
    OCCUPATIONS,
    PET_NOUN,
    RELATIONS,
    TRADES,
)

_BE: Final = r"(?:'s| is| are|'re| has to be| will always be| have to be)"
_LIKED: Final = (
    r"(?:what keeps me \w+|(?:pretty much |definitely |totally |absolutely "
    r"|really |kind of )*(?:so )?my"
    r" (?:thing|jam|happy place|passion|love|first love|true love|guilty pleasure|comfort \w+|life"
    r"|absolute favou?rites?|all-time favou?rites?|go-to(?: [\w-]+)?|drug|weakness|obsession|hobby"
    r"|number one|top pick|kind of [\w ]+|favou?rite(?: [\w ]+)?)|where it'?s at for me"
    r"|the best thing ever|life)"
)
_NOT_LIKED: Final = (
    r"(?:isn't|is not|aren't|are not|'s not|'re not|was never|is never"
    r"|has never been|have never been"
    r"|is really not|just isn't|just aren't) (?:really |exactly "
    r"|quite )?(?:my (?:thing|jam|cup of tea"
    r"|favou?rite(?: [\w ]+)?|style|bag|scene|kind of [\w ]+)|for me)"
)
_UPSETS: Final = (
    r"(?:(?:really |always |usually |just )*(?:makes?|gives?) me (?:sick|ill"
    r"|nauseous|queasy|gag|sneeze"
    r"|itch\w*|bloated|migraines?|a migraine|heartburn|hives|a rash|headaches?"
    r"|anxious|uncomfortable"
    r"|jittery|cry|wheeze|vomit|throw up|the creeps)|(?:doesn't|don't|does not"
    r"|do not|never) (?:really )?"
    r"(?:agree|sit well) with me|upsets? my (?:stomach|tummy|gut)|trigger\w* my \w+"
    r"|sends? me to hospital"
    r"|bores? me(?: to \w+)?"
    r"|(?:creeps?|grosses|freaks?|weirds) me out|gets on my nerves|(?:is"
    r"|are) off the (?:menu|table)"
    r"|(?:is|are) a (?:no-go|hard no|deal-?breaker|nightmare for me)|(?:scares?"
    r"|terrif(?:y|ies)) me\b.*)"
)
_WORD: Final = (
    r"(?!it\b|that\b|this\b|he\b|she\b|they\b|you\b|i\b|which\b|what\b|there\b"
    r"|these\b|those\b|we\b|my\b|who\b|nothing\b|everything\b|something\b"
    r"|the (?:first|second|last|other|one)\b)"
)
_OWN_THING: Final = (
    r"car|van|bike|phone|mobile|laptop|computer|pc|camera|motorbike|motorcycle|scooter|guitar|piano"
    r"|tablet|e-?reader|watch|smartwatch|tv|telly|oven|hob|printer|console|setup"
    r"|rig|boat|tent|keyboard"
    r"|daily driver|work (?:laptop|phone|computer)"
)


def _topic(pattern: str, key: str, told: str, value: str = "{v}", check: Check = "") -> Frame:
    return Frame(pattern, key, value, check=check, told=told)


def _taste(pattern: str, value: str, told: str, check: Check = "thing") -> Frame:
    return Frame(pattern, "taste:{v}", value, "preference", check=check, told=told)


TOPICS: Final = (
    _taste(
        rf"{_WORD}(?P<v>[\w' -]{{3,40}}?) and (?:i|me) (?:do not|don't|never"
        r"|have never) (?:really )?"
        r"(?:get along|get on|mix|agree)\b.*$",
        "dislike",
        "Does not get along with {v}",
    ),
    _taste(
        r"i (?:can't|couldn't|could not|cannot) (?:live|do|function"
        r"|survive) without (?:my )?(?P<v>.+)$",
        "like",
        "Cannot live without {v}",
    ),
    _topic(r"myself (?P<v>[a-z][\w'-]+(?: [a-z][\w'-]+)?)$", "name", "Name is {v}", check="name"),
    _topic(
        rf"(?P<v>{LANGUAGES}) (?:isn't|is not|'s not) (?:really )?my (?:first|native"
        r"|mother) (?:language|tongue)\b.*$",
        "language:{v}",
        "{all}",
        "not native",
    ),
    _taste(
        rf"{_WORD}(?P<v>[\w' &-]{{3,50}}?){_BE} (?P<w>{_LIKED})(?: these days"
        r"| right now| lately| now)*$",
        "like",
        "Likes {v} ({w})",
    ),
    _taste(
        rf"{_WORD}(?P<v>[\w' &-]{{3,50}}?) (?P<w>{_NOT_LIKED})\b.*$",
        "dislike",
        "Does not like {v} ({w})",
    ),
    _taste(
        rf"{_WORD}(?P<v>[\w'&-]+(?: [\w'&-]+){{0,4}}?) (?P<w>{_UPSETS})$",
        "dislike",
        "Dislikes {v}: {v} {w}",
    ),
    _taste(
        rf"{_WORD}(?P<v>[\w'&-]+(?: [\w'&-]+){{0,3}}?)(?: for me)?,? (?:every "
        r"(?:single )?time|any day(?: of the week)?|all the way|all day long"
        r"|all day every day)$",
        "like",
        "Prefers {v}",
    ),
    _taste(
        rf"{_WORD}(?P<v>[\w'&-]+(?: [\w'&-]+){{0,3}}?) over (?P<w>(?!.*\b(?:is|was"
        r"|what|he|she)\b)[\w' -]+?)(?:,? (?:every (?:single )?time|any day|always"
        r"|for me))*$",
        "like",
        "Prefers {v} over {w}",
    ),
    _taste(
        r"(?:team|always|forever) (?P<v>(?:tea|coffee|cat|dog|cats|dogs|pc|console"
        r"|vim|emacs|dark mode|light mode)\w*)$",
        "like",
        "Prefers {v}",
    ),
    _taste(r"no (?P<v>[\w]+(?: [\w]+)?(?: or [\w]+)?) for me\b.*$", "dislike", "No {v}"),
    _taste(
        r"(?:the )?(?:last|only) (?:thing|food|music|sport) i (?P<w>want|like|love"
        r"|hate|can't stand|enjoy) (?:is|are) (?P<v>.+)$",
        "{w}",
        "{w} {v}",
    ),
    _taste(
        r"what i (?:really )?(?:love|like|enjoy) (?:most |best )?(?:is|are) (?P<v>.+)$",
        "like",
        "Likes {v}",
    ),
    _taste(
        r"(?:nothing|not much|few things) (?:beats|is better than|compares to"
        r"|like) (?P<v>(?!a good|the real).+)$",
        "like",
        "Likes {v}: nothing beats it",
    ),
    _topic(
        r"i(?:'d| would) (?:rather|prefer)(?: if"
        r"| it if)? you (?:just )?call(?:ed)? me (?P<v>[a-z][\w'-]+)\b.*$",
        "nickname",
        "Wants to be called {v}",
        check="name",
    ),
    _topic(
        r"(?:it's |this is )?(?P<v>[a-z][\w'-]+(?: [a-z][\w'-]+)?) here(?: again)?\W*(?:from .*)?$",
        "name",
        "Name is {v}",
        check="intro",
    ),
    _topic(
        r"my (?:mum|mom|family|parents|friends|colleagues|mates) (?:all )?(?:call"
        r"|calls) me (?P<v>[a-z][\w'-]+)\b.*$",
        "nickname",
        "Goes by {v}",
        check="name",
    ),
    _topic(
        r"(?:the )?(?:surname|last name)(?:'s| is) (?P<v>[a-z][\w'-]+)\W*$",
        "surname",
        "Surname is {v}",
        check="name",
    ),
    Frame(r"(?P<v>\d{2})(?: ?[mf]| years old| ?y/?o| yrs?)$", "age", told="Age is {v}"),
    _topic(r"(?:my )?age(?:'s| is|:) (?P<v>\d{1,2})$", "age", "Age is {v}"),
    _topic(
        r"there(?:'s| is| are|'re| were) (?:only "
        r"|just )?(?P<v>\w+) of us(?P<w>(?: (?:at home|in (?:the|our|my) [\w ]+|kids"
        r"|siblings|living here|now|total|in total))*)$",
        "household",
        "There are {v} of them{w}",
    ),
    _topic(
        r"there(?:'s| is| are|'re) (?:only |just )?(?P<v>two|three|four|five"
        r"|\d) of them(?P<w>(?:,? [\w ,]+)?)$",
        "children",
        "Has {v} kids{w}",
    ),
    _topic(
        r"(?:and |plus )?(?P<v>(?:two|three|four|five|\d) (?:\w+ )?(?:kids|children"
        r"|boys|girls|daughters|sons|teenagers|toddlers))(?: at home| here| and .*)?$",
        "children",
        "Has {v}",
    ),
    _topic(
        r"(?:and |plus )?(?P<v>(?:one|an?|two|three|four"
        r"|\d) (?:[\w-]+ ){0,3}(?P<p>cat|dog|puppy|kitten|rabbit|hamster|parrot"
        r"|horse|tortoise)s?)$",
        "pet:{p}",
        "Has {v}",
    ),
    _topic(
        r"(?P<v>no (?:kids|children|pets|siblings|allergies|dietary restrictions|car"
        r"|partner|dependents))(?: yet)?$",
        "",
        "Has {v}",
    ),
    _topic(
        rf"(?:my|our) (?:new |current |old )?(?P<w>{_OWN_THING})(?:'s| is)(?: actually"
        r"| just| now)* (?P<v>(?:an? |the )?(?!broken|dead|old|slow|fine|new|dying"
        r"|stuck|ringing|lost|too|so|very|really|not|at|in|on|being|gone|mess|bit"
        r"|pain|total|complete)(?=.*(?:\d|[A-Z]"
        rf"|[a-z]))[\w'.-]+(?: [\w'.-]+){{0,4}}?)(?: (?:and|but|so|which|that|with"
        r"|running|from|from|on)\b.*)?$",
        "possession:{w}",
        "{w} is {v}",
        check="article",
    ),
    _topic(
        r"(?:my|our) (?P<w>(?:[\w-]+ )?(?:wifi|router|internet provider|bank|gym"
        r"|church|mosque|school|uni|university|college|major|gp|mobile provider"
        r"|airline|team|football team|star sign|blood type|shoe size|dress size"
        r"|ring size|pronouns|time ?zone|working hours|work hours|office hours"
        r"|day off|days off|payday|budget for rent|rent|salary|daily limit"
        r"|calorie goal|weight|height|bmi|resting heart rate|a1c|blood pressure"
        r"|ethnicity|religion|faith|background|hair|eyes|hair colou?r|eye colou?r"
        r"|due date|field|trade|speciality|specialty|line of work|role|job title"
        r"|title|position|commute|shift|hours|sleep schedule|bedtime|work schedule"
        r"|schedule|license plate|native language|first language|mother tongue))(?:'s"
        r"| is| are|'re| starts?| ends?| takes?)(?: now| currently| usually| normally"
        r"| about| around)* (?P<v>(?!\w+ing\b|not|fine|good|great|bad|terrible|awful"
        r"|ok|so|too|very|really|pretty|killing|a (?:mess|nightmare|joke|pain)|down"
        r"|broken|being|driving|due to|the same|crazy|trash|crap|slow|all over|over"
        r"|going|getting|longer|stupid|up in the air|falling|thinning|a disaster"
        r"|on fire|insane|closed|open)[\w$£€#.:,/%'&+ -]{2,60})$",
        "{w}",
        "{w} is {v}",
    ),
    _topic(
        r"(?:my|our) (?:\w+ )?(?:job|work|profession|trade|day job|career)(?:'s"
        r"| is)(?: as| being| mostly| basically"
        rf"| in)* (?P<v>(?:an? )?(?:[\w-]+ ){{0,4}}(?:{OCCUPATIONS}|{TRADES}))\b.*$",
        "occupation",
        "Job is {v}",
    ),
    _topic(
        r"(?:my|our) (?P<w>office|work|workplace|company|shop|school|flat|house"
        r"|apartment|place|studio|home|campus|store|farm|practice|salon|clinic)(?:'s"
        r"| is) (?:(?:located|based|right|over|just) )*(?P<x>in|near|on|outside|at"
        r"|next to|by) (?P<v>[a-z][\w' -]+)$",
        "{w}:place",
        "{w} is {x} {v}",
        check="town",
    ),
    _topic(
        rf"(?:my|our) (?:{RELATIONS}) and (?:{RELATIONS}|me) (?:both )?(?P<v>live|work"
        r"|are from) .+$",
        "",
        "{all}",
    ),
    _topic(
        r"(?:my|our) (?:family|people|parents|folks|grandparents)(?:'s| is"
        r"| are)(?: all| originally| both)* from (?P<v>[a-z][\w' ]+)$",
        "relation:family:hometown",
        "Family is from {v}",
        check="town",
    ),
    _topic(
        r"(?:my )?(?:first|native|mother|home) (?:language|tongue)(?:'s| is"
        rf"|:) (?P<v>{LANGUAGES})\b.*$",
        "language:{v}",
        "Native language is {v}",
        "native",
    ),
    _topic(
        rf"(?P<v>{LANGUAGES})(?:'s| is)(?: actually)? my (?:first|native|second|third"
        r"|mother|home) (?:language|tongue)\b.*$",
        "language:{v}",
        "{all}",
    ),
    _topic(
        rf"my (?P<v>{LANGUAGES})(?:'s| is) (?P<w>(?:(?:pretty|quite|very|still|really"
        r"|only|not|a bit|kind of|about) )*(?:rusty|basic|terrible|decent|fluent|good"
        r"|ok|okay|conversational|intermediate|bad|awful|rubbish|beginner|a[12]|b[12]"
        r"|c[12])[\w ]*)$",
        "language:{v}",
        "{v} is {w}",
        "{w}",
    ),
    _topic(
        r"(?:my|our) (?:dog|cat|puppy|kitten|rabbit|horse|parrot|hamster)(?:'s"
        r"| is) (?P<v>(?:an? )[\w -]{3,40})$",
        "",
        "{all}",
    ),
    _topic(
        r"(?:my|our) (?:food |only |main )?allerg(?:y|ies)(?:'s| is| are"
        r"|:)(?: to)? (?P<v>[\w ,&'-]+)$",
        "allergy:{v}",
        "Is allergic to {v}",
        "yes",
    ),
    Frame(
        r"(?P<v>(?:mon|tues|wednes|thurs|fri|satur|sun)days?(?: and (?:mon|tues"
        r"|wednes|thurs|fri|satur|sun)days?)?) (?:is|are) my (?P<w>days? off"
        r"|gym days?|rest days?|office days?|cheat days?|busiest days?|laundry days?"
        r"|leg days?)$",
        "{w}",
        "{v}",
        "pattern",
        told="{v} are their {w}",
    ),
    _topic(
        r"(?:we're|we are) (?:a )?(?P<v>(?:a )?(?:family|household|party|team) of (?:\w+))\b.*$",
        "household",
        "Is {v}",
    ),
    _topic(
        rf"(?:my|our) (?:\w+ )?(?:{PET_NOUN})s? (?:are|is|'s) (?P<v>{COUNT} years? old|\d+)$",
        "",
        "{all}",
    ),
    _topic(
        r"(?:my|our) (?P<w>birthday|anniversary|wedding anniversary)(?:'s| is| falls"
        r"| was)(?: on| in)? (?P<v>(?:on )?(?:christmas eve|christmas day|christmas"
        r"|boxing day|new year'?s (?:eve|day)|halloween|valentine'?s day"
        r"|april fools'?(?: day)?|leap day|bastille day|independence day"
        r"|st\.? patrick'?s day|bonfire night|guy fawkes night|canada day"
        r"|may day))\b.*$",
        "{w}",
        "{w} is on {v}",
    ),
)
"""Over a segment in lower case; `{all}` is the whole of it."""

_EVENT: Final = (
    r"(?:wedding|exam|exams|finals|interview|appointment|surgery|operation"
    r"|deadline|party|trip|holiday"
    r"|vacation|flight|train|presentation|thesis|viva|defen[cs]e|concert|gig|recital|marathon|race"
    r"|graduation|meeting|conference|hearing|audition|match|tournament|ceremony|funeral|baptism"
    r"|christening|reunion|move|launch|moving day|due date|scan|check-?up|closing"
    r"|honeymoon|exhibition"
    r"|course|test|final|half marathon|driving test|retreat|festival|play|show|demo|workshop)"
)
_MOVED: Final = (
    r"(?:(?:'s| is| are| has| have|'ve| was| were| got)(?: now| just| actually"
    r"| been| already| all)*"
    r"(?: (?:moved|pushed(?: back)?|rescheduled|postponed|brought forward|changed|shifted|delayed"
    r"|booked in|booked|set|scheduled|fixed|confirmed|planned|due|up|over|out))?"
    r"(?: (?:for|to|until|till|on|by|in|at))*"
    r"| (?:runs? out|expires?|ends?|starts?|begins?|takes? place|falls|finishes|opens?|closes"
    r"|kicks off|renews?)(?: (?:on|in|at))?)"
)
_DATED: Final = re.compile(
    rf"^(?:(?P<own>my|our) (?P<n>(?!(?:{RELATIONS})\b)(?:[\w'-]+ ){{0,4}}?[\w-]+?)"
    r"|the (?P<m>(?:[\w-]+ )"
    rf"{{0,2}}?{_EVENT})){_MOVED} (?P<rest>.*\d\d\d\d-\d\d.*)$"
)
_SLIGHT: Final = re.compile(
    r"\b(?:parcel|package|order|delivery|day|week|weekend|month|plan|homework"
    r"|question|code|bus|boss"
    r"|teacher|professor|guess|point|phone|computer|laptop|mood|head|stomach|brain|alarm)$"
)


def dated_topic(said: str, plain: str, today: date) -> Fact | None:
    """`Our lease is up in May`: something of the writer's with a day ahead of it, or None."""
    if not plain.startswith(("my ", "our ", "the ")):
        return None
    dates = dates_in(plain, today)
    ahead = next((each for each in dates if each.last >= today and each.first != today), None)
    if ahead is None:
        return None
    told = with_dates(said, dates)
    match = _DATED.match(told.lower())
    if match is None:
        return None
    what = match["n"] or match["m"]
    if _SLIGHT.search(what):
        return None
    told = re.sub(r"^(?:my|our|the) ", "", theirs(re.sub(r"^(?:[Mm]y|[Oo]ur|[Tt]he) ", "", told)))
    return Fact(told[:1].upper() + told[1:].strip(" ,.!"), f"plan:{thing(what)}", ahead.iso)


_BIRTHDAY: Final = re.compile(
    r"^(?:it's |it is |it'll be |it will be |it was )?(?:my"
    rf"|our) (?P<rel>(?:\w+ )?(?:{RELATIONS}))'s? "
    r"(?P<w>(?:\d+(?:st|nd|rd|th)|big \d0|[a-z]+ieth)(?: birthday)?|birthday"
    r"|graduation|wedding|surgery"
    r"|operation|funeral|christening|bar mitzvah|bat mitzvah|anniversary|baby shower|hen do|stag do"
    r"|retirement party|exam|interview|due date|party|recital)(?:'s| is"
    r"| falls)?(?: (?:on|coming up))*"
    r" (?P<v>.+)$"
)


def of_theirs(said: str, plain: str, today: date) -> Fact | None:
    """`It's my mum's 70th on 3 July`: a day of somebody close, or None."""
    match = _BIRTHDAY.match(plain)
    if match is None:
        return _own_birthday(said, plain, today)
    dates = dates_in(plain, today)
    if not dates or match["rel"].split()[-1] in (*MANY_OF, "boss"):
        return None
    who = said[slice(*match.span("rel"))]
    what = said[slice(*match.span("w"))]
    if what[:1].isdigit() and "birthday" not in what.lower():
        what += " birthday"
    when = with_dates(said[match.start("v") :], dates_in(plain[match.start("v") :], today))
    when = when if re.match(r"(?:on|in|at|from|by) ", when) else f"on {when}"
    told = f"{who[:1].upper()}{who[1:]}'s {what} is {when}"
    role = match["rel"].split()[-1]
    if what.lower().endswith("birthday"):
        return Fact(told.strip(" ,.!"), f"relation:{role}:birthday", f"{dates[0].first:%m-%d}")
    return Fact(told.strip(" ,.!"), f"relation:{role}:plan:{thing(what)}", dates[0].iso)


_OWN_BIRTHDAY: Final = re.compile(
    r"(?:it's|its|it is|it'll be|it will be) my (?P<w>(?:\d+(?:st|nd|rd|th)"
    r"|[a-z]+ieth)(?: birthday)?|birthday)"
)


def _own_birthday(said: str, plain: str, today: date) -> Fact | None:
    match = _OWN_BIRTHDAY.match(plain)
    dates = dates_in(plain, today) if match else []
    if match is None or not dates or not dates[0].is_day:
        return None
    what = match["w"] if "birthday" in match["w"] else f"{match['w']} birthday"
    told = f"{what[:1].upper()}{what[1:]} is on {dates[0].iso}"
    return Fact(told, "birthday", f"{dates[0].first:%m-%d}")
