"""What an English clause states about its writer and the people close to him."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from typing import Final

from chatmem.extraction.dates_said import SaidDate, dates_in, with_dates
from chatmem.extraction.rule_asides_en import asides, kind_of, named, predicates
from chatmem.extraction.rule_clauses_en import (
    Saying,
    continued,
    one_more,
    parted,
    predicate,
    saying,
    segments,
    theirs,
    third_person,
    told_of,
    unspoken,
    without_lead,
)
from chatmem.extraction.rule_doings_en import (
    appointment,
    based,
    event,
    habit,
    often,
    plan,
    without_dates,
)
from chatmem.extraction.rule_frames import Fact, Frame, thing
from chatmem.extraction.rule_general_en import GENERAL_EN
from chatmem.extraction.rule_objects_en import (
    is_firm,
    is_name,
    is_place,
    is_thing,
    is_town,
    shortened,
)
from chatmem.extraction.rule_patterns_en import ENGLISH
from chatmem.extraction.rule_possessions_en import items, possession
from chatmem.extraction.rule_requests_en import request
from chatmem.extraction.rule_sentences_en import SENTENCES
from chatmem.extraction.rule_topics_en import TOPICS, dated_topic, of_theirs
from chatmem.extraction.rule_words_en import (
    LANGUAGES,
    MANY_OF,
    OCCUPATIONS,
    PARTNERS,
    PET_KINDS,
    PETS,
    RELATIONS,
    SAME_ROLES,
)
from chatmem.text.irregular import BASE_FORM
from chatmem.text.wordlist import listed

MAX_WORDS: Final = 32
_OF_FACTS: Final = {
    "home": ":home",
    "occupation": ":occupation",
    "employer": ":employer",
    "school": ":school",
    "age": ":age",
    "hometown": ":hometown",
    "nationality": ":nationality",
    "diet": ":diet",
    "partner": ":partner",
    "children": ":children",
    "birthday": ":birthday",
}
_PRONOUN: Final = re.compile(r"\b(?:her|him|them)\b(?! (?:own|house|place|\w+s?\b(?= (?:is|are))))")
_TEMPLATE: Final = re.compile(r"\{(\w+)(?:\|(\w+))?\}")
_DATE_ONLY: Final = re.compile(r"^\W*(?:(?:and|so|but|also|then|anyway|btw),? )?")
_AFTER_DATE: Final = re.compile(
    r"^(?:,? )?(?:(?:at|around|by) \d{1,2}(?::\d\d)? ?(?:am|pm|a\.m\.|p\.m\.|o'clock)?\W*)?"
)
_LEAD_DATE_SUBJECT: Final = re.compile(r"^\W*(?:i|i'm|i've|i'll|we|we're|we'll|my|our)\b")


class ClausesEn:
    """The clauses of one message in turn: what one leaves open, the next may close."""

    def __init__(self, today: date, message: str, *, lower_case: bool) -> None:
        """Args: the day of the message, the message, and whether its writer uses no capitals."""
        self._today = today
        self._lower_case = lower_case
        self._opening = True
        self._greeted = _GREETING.search(message) is not None
        self._before: Saying | None = None
        self._waiting = ""
        self._relative = self._name = ""
        self._pet: Fact | None = None
        self._unnamed = ""
        self._left = ""

    def interrupt(self) -> None:
        """A question or a supposition stands between: what follows has a subject of its own."""
        self._before, self._waiting, self._relative = None, "", ""

    def facts(self, said: str, plain: str, *, first: bool) -> Iterator[Fact]:
        """What the clause states, in order.

        Args:
            said: the clause as it was written.
            plain: the same in lower case, of the same length.
            first: it begins a sentence.
        """
        if first:
            self._before, self._waiting = None, ""
        if len(plain.split()) > MAX_WORDS:
            return
        for part, part_plain in segments(said, plain):
            part, part_plain = without_lead(part, part_plain)
            if not part_plain:
                continue
            if self._date_alone(part_plain):
                self._waiting = part
                continue
            if self._waiting:
                part, part_plain = (
                    f"{part} {self._waiting}",
                    f"{part_plain} {self._waiting.lower()}",
                )
                self._waiting = ""
            part, part_plain = self._date_last(part, part_plain)
            yield from self._in_segment(part, part_plain, first=first)
            self._opening = first = False

    def _date_alone(self, plain: str) -> bool:
        """True for `Next Friday at 3` and `Every morning`, which belong to what follows."""
        if LEADING_HABIT.fullmatch(plain):
            return True
        dates = dates_in(plain, self._today)
        if len(dates) != 1 or dates[0].start > 4:
            return False
        rest = plain[dates[0].end :]
        return not _AFTER_DATE.sub("", rest).strip(" .")

    def _date_last(self, said: str, plain: str) -> tuple[str, str]:
        """`Tomorrow I fly to Rome` as `I fly to Rome tomorrow`."""
        if match := LEADING_HABIT.match(plain):
            end = match.end()
        else:
            dates = dates_in(plain[:40], self._today)
            if not dates or dates[0].start != 0:
                return said, plain
            end = dates[0].end
        rest, rest_plain = said[end:].lstrip(" ,"), plain[end:].lstrip(" ,")
        if not _LEAD_DATE_SUBJECT.match(rest_plain):
            return said, plain
        rest = rest.rstrip(" .!")
        rest_plain = rest_plain[: len(rest)]
        head = said[:end].strip()
        head = head[:1].lower() + head[1:] if not head[:2].isupper() else head
        return f"{rest} {head}", f"{rest_plain} {plain[:end].strip()}"

    def asides(self, said: str, plain: str) -> Iterator[Fact]:
        """What the clause tells in passing, whether it is a statement, a request or a question."""
        for own, own_plain in predicates(said, plain):
            subject = predicate(own, own_plain)
            if subject is not None:
                yield from self._of(subject, carried=True)
        self._mention(plain)
        last = _UNNAMED.search(plain)
        self._unnamed = "" if last is None else last["rel"] or last["kid"] or "child"
        for fact in asides(said, plain):
            yield replace(fact, content=self._dated(fact.content))

    def _dated(self, told: str) -> str:
        return with_dates(told, dates_in(told.lower(), self._today, past=True))

    def _mention(self, plain: str) -> None:
        for mention in _MENTION.finditer(plain):
            if mention[1] != self._relative:
                self._relative, self._name = mention[1], ""

    def _named_after(self, said: str, plain: str, *, first: bool) -> Fact | None:
        """`..., Otis` and `she's called Duchess`, of whoever has just been spoken of."""
        if not first and (role := self._unnamed) and _NAME_ALONE.match(said):
            self._unnamed = ""
            return named(role, said.strip(" ,.!()"))
        if not first and (role := self._unnamed) and (age := _AGE_ALONE.match(plain)):
            self._unnamed = ""
            key = f"relation:{SAME_ROLES.get(role, role)}:age"
            return Fact(f"{role[:1].upper()}{role[1:]} is {age['v']}", key, age["v"])
        if not first and (pet := self._pet) is not None and _NAMES_ALONE.match(said):
            names = said.strip(" ,.!()")
            joint = "," if ": " in pet.content else ":"
            self._pet = replace(pet, content=f"{pet.content}{joint} {names}", value=names)
            return self._pet
        if (pet := self._pet) is not None and (match := _PET_NAMED.match(plain)):
            name = said[slice(*match.span("v"))]
            if name[:1].isupper() or self._lower_case:
                self._pet = None
                return replace(pet, content=f"{pet.content}, called {name}", value=name)
        return None

    def _in_segment(self, said: str, plain: str, *, first: bool) -> Iterator[Fact]:
        if named_after := self._named_after(said, plain, first=first):
            yield named_after
            return
        pronoun = _SUBJECT_PRONOUN.match(plain) is not None
        said, plain = self._named(said, plain)
        if stated := self._whole(said, plain):
            self._before = None
            yield from _each_of(stated)
            return
        subject = saying(said, plain)
        if subject is not None:
            yield from self._new_subject(subject, named=not pronoun)
        elif self._before is not None:
            subject = continued(self._before, said, plain)
            # `..., like 6am` is an example.
            if subject is not None and not subject.plain.startswith("like "):
                yield from self._of(subject, carried=True)
        elif (subject := unspoken(said, plain)) is not None and (
            first or not plain.startswith(("was born", "turned", "passed", "died"))
        ):
            self._before = subject
            yield from self._of(subject, carried=False)

    def _whole(self, said: str, plain: str) -> Fact | None:
        """What a segment says that is no predicate of somebody: names, favourites, appointments."""
        for read in (appointment, of_theirs, dated_topic):
            if found := read(said, plain, self._today):
                return found
        if wish := request(said, plain):
            return wish
        for frame in (*SENTENCES, *TOPICS):
            match = frame.compiled.match(plain)
            if match is not None and (fact := self._sentence(frame, match, said)) is not None:
                return fact
        return None

    def _new_subject(self, subject: Saying, *, named: bool) -> Iterator[Fact]:
        self._before = subject
        if subject.who:
            self._relative, self._name = subject.who, subject.name
        facts = [fact for each in parted(subject) for fact in self._of(each, carried=False)]
        yield from facts
        if facts and subject.name and named:
            yield from _called(subject)

    def _named(self, said: str, plain: str) -> tuple[str, str]:
        """`I cook for her` with who she is, where the message has named her."""
        for mention in _MENTION.finditer(plain):
            if not (mention.start() == 0 and _SUBJECT_PRONOUN.match(plain)):
                self._relative = mention[1]
                self._name = ""
        if self._relative and (whose := _WHOSE.match(plain)):
            who = f"my {self._relative}'s"
            return who + said[whose.end() :], who + plain[whose.end() :]
        pronoun = _SUBJECT_PRONOUN.match(plain)
        if pronoun and self._relative and _agrees(pronoun[1], self._relative):
            who = f"my {self._relative} {self._name}".strip()
            return who + said[pronoun.end(1) :], who.lower() + plain[pronoun.end(1) :]
        if (
            not self._relative
            or not _PRONOUN.search(plain)
            or not plain.startswith(("i ", "i'm", "we "))
        ):
            return said, plain
        return _PRONOUN.sub(f"my {self._relative}", said), _PRONOUN.sub(
            f"my {self._relative}", plain
        )

    def _sentence(self, frame: Frame, match: re.Match[str], said: str) -> Fact | None:
        groups = {
            name: said[slice(*match.span(name))].strip()
            for name in match.re.groupindex
            if match[name] is not None
        }
        if not self._fits(frame, groups.get("v", "")):
            return None
        if frame.own and not (self._greeted or self._opening):
            return None
        if frame.key == "age" and not self._greeted:
            return None
        if which := groups.get("of"):
            one = one_more(which, groups["rel"])
            groups["of"], groups["rel"] = ("" if one != groups["rel"] else f"{which} "), one
        groups["all"] = theirs(re.sub(r"^(?:[Mm]y|[Oo]ur) ", "", said))
        told = _filled(frame.told, groups)
        told = told[:1].upper() + told[1:]
        return self._fact(frame, groups, told, past=False, who=groups.get("rel", "").lower())

    def _fits(self, frame: Frame, value: str) -> bool:
        if frame.check == "place":
            return is_place(value, lower_case=self._lower_case)
        if frame.check == "town":
            return is_town(value)
        if frame.check == "name":
            return is_name(value, lower_case=self._lower_case)
        if frame.check == "intro":
            return value[:1].isupper() and is_name(value, lower_case=False)
        if frame.check == "article":
            return re.match(r"(?:an?|the) |.*[A-Z\d]", value) is not None
        if frame.check == "thing":
            return is_thing(value)
        if frame.check == "common":
            # With a capital it is what is being asked about: a park, a product.
            return is_thing(value) and not value[:1].isupper()
        if frame.check == "firm":
            return is_firm(value)
        return True

    def _of(self, subject: Saying, *, carried: bool) -> Iterator[Fact]:
        verb = subject.plain.partition(" ")[0]
        if subject.who in _NOT_CLOSE or (subject.who in MANY_OF and not subject.name):
            return
        if self._left and (match := _NOW_AT.match(subject.plain)) and not subject.who:
            where = subject.said[slice(*match.span("v"))]
            verb = "Works" if self._left == "employer" else "Is"
            yield Fact(f"{verb} {match[1]} {where}", self._left, where)
            self._left = ""
            return
        for frame in ENGLISH.get(verb, ()):
            match = frame.compiled.match(subject.plain)
            if match is None or (frame.own and subject.who):
                continue
            if subject.often in ("never", "rarely", "seldom", "hardly ever") or (
                subject.often in ("sometimes", "often") and frame.category != "preference"
            ):
                break
            groups = {
                name: subject.said[slice(*match.span(name))].strip(" ,.!")
                for name in match.re.groupindex
                if match[name] is not None
            }
            groups["what"] = subject.plain
            groups["own"] = subject.said
            if not self._fits(frame, groups.get("v", "")):
                continue
            yield from self._framed(subject, frame, match, groups)
            return
        fact = None if carried else plan(subject, self._today)
        fact = fact or habit(subject, self._today, carried=carried) or event(subject, self._today)
        if fact is not None:
            yield fact
            return
        yield from self._generally(subject, verb)

    def _generally(self, subject: Saying, verb: str) -> Iterator[Fact]:
        """What lasts by the class of its verb and object, whatever the words."""
        if _TO_THE_READER.search(subject.plain) or len(subject.plain) > MAX_GENERAL_CHARS:
            return
        if subject.often in ("rarely", "seldom", "hardly ever", "sometimes"):
            return
        for frame in GENERAL_EN.get(verb, ()):
            match = frame.compiled.match(subject.plain)
            if match is None:
                continue
            groups = {
                name: subject.said[slice(*match.span(name))].strip(" ,.!")
                for name in match.re.groupindex
                if match[name] is not None
            }
            groups["what"] = subject.plain
            if not self._fits(frame, groups.get("v", "")):
                continue
            yield from self._framed(subject, frame, match, groups)
            return

    def _framed(
        self, subject: Saying, frame: Frame, match: re.Match[str], groups: dict[str, str]
    ) -> Iterator[Fact]:
        verb = subject.plain.partition(" ")[0]
        told = self._told(subject, frame, match)
        value = groups.get("v", "")
        kind = frame.key.partition(":")[0]
        parts = items(value, most=4 if kind == "allergy" else 2) if kind in _LISTED else [value]
        for part in parts:
            each = dict(groups, v=part) if "v" in groups else groups
            only = told.replace(value, part) if len(parts) > 1 else told
            fact = self._fact(
                frame, each, only, past=_is_past(verb), who=subject.who, name=subject.name
            )
            if fact.key is None or fact.key.startswith("habit:"):
                plays = fact.category == "pattern" and frame.key.startswith(
                    ("habit:play", "habit:sing")
                )
                steady = often(subject)
                if plays and not steady:
                    fact = replace(fact, category="fact")
                elif steady and fact.category == "fact" and subject.plain.startswith("have "):
                    fact = replace(fact, category="pattern")
            yield fact
        if not subject.who:
            yield from _beside(frame, groups, subject.said)

    def _told(self, subject: Saying, frame: Frame, match: re.Match[str]) -> str:
        own, often = subject.own, subject.often
        if frame.category == "preference" and match["v"]:
            # A reason behind what is liked (`because it is quiet`) is left out.
            behind = len(subject.said) - match.start("v")
            own = own[: len(own) - behind] + shortened(own[len(own) - behind :])
        own = _REASON.sub("", _CONSEQUENCE.sub("", own))
        if subject.who:
            return told_of(subject.who, subject.name, own, often)
        return third_person(own, often)

    def _settled(self, key: str | None, told: str, groups: dict[str, str]) -> str | None:
        """The key without what does not tell one thing from another."""
        kind, _, what = (key or "").partition(":")
        if kind == "plan":
            return f"plan:{without_dates(what, self._today)}"
        if kind == "possession":
            return possession(what)
        if kind == "habit":
            return f"habit:{based(what)}"
        if kind == "pet" and (more := _ONE_MORE.search(told)):
            return f"{key}:{thing(groups.get('n', '') or more[0])}"
        return key

    def _fact(
        self,
        frame: Frame,
        groups: dict[str, str],
        told: str,
        *,
        past: bool,
        who: str = "",
        name: str = "",
    ) -> Fact:
        dates: list[SaidDate] = []
        if frame.key == "birthday" or groups.get("w", "").endswith(("birthday", "birth")):
            if not re.search(r"\d", groups["v"]):
                told = re.sub(r"\bon (?=(?:on|in) )", "", told)
                dates = dates_in(told.lower(), self._today)
            groups["v"] = _month_and_day(groups["v"], self._today)
        elif frame.category != "pattern":
            dates = dates_in(told.lower(), self._today, past=past)
        if "v" in groups and frame.check in ("thing", "common"):
            groups["v"] = shortened(groups["v"])
        key = _ENJOYED_BY.sub("taste:", _filled(frame.key, groups, keyed=True)) or None
        value = _filled(frame.value, groups) or None
        if key is None:
            value = None
        if key is not None and who:
            key = _key_of(who, name, key)
        key = self._settled(key, told, groups)
        if key is not None and key.startswith("possession:") and value == "yes":
            value = groups.get("v", value)
        fact = Fact(with_dates(told, dates), key, value, frame.category, frame.kind)
        if key in ("home", "employer") and isinstance(value, str) and value.startswith("not "):
            self._left = key
        if key is not None and key.startswith("pet:") and not groups.get("n"):
            self._pet = fact
        return fact


def _each_of(fact: Fact) -> Iterator[Fact]:
    """`Allergic to cats and pollen` as two facts, every other one as it is."""
    kind, _, what = (fact.key or "").partition(":")
    parts = items(what, most=4) if kind == "allergy" else [what]
    for part in parts:
        told = fact.content.replace(what, part) if len(parts) > 1 else fact.content
        yield replace(fact, content=told, key=f"{kind}:{part}" if what else fact.key)


def freely_en(said: str, plain: str, today: date) -> Fact | None:
    """What the user orders to be remembered, in the third person, whatever it is."""
    said, plain = without_lead(said, plain)
    if not plain or _POINTS_BACK.match(plain):
        return None
    subject = saying(said, plain)
    if subject is None:
        said = re.sub(r"^(?:[Mm]y|[Oo]ur) ", "", said)
        told = theirs(said)
        told = told[:1].upper() + told[1:]
    elif subject.who:
        told = told_of(subject.who, subject.name, subject.own, subject.often)
    else:
        told = third_person(subject.own, subject.often)
    return Fact(with_dates(told, dates_in(told.lower(), today)))


_POINTS_BACK: Final = re.compile(r"^(?:it|that|this|these|those|to|how|when|what|me|you)\b")
_GREETING: Final = re.compile(
    r"\b(?:hi|hello|hey|hiya|context|about me|background|nice to meet"
    r"|good (?:morning|afternoon|evening)|introduce"
    r"|intro|by the way|pleased to meet|new here|name)\b",
    re.IGNORECASE,
)


# `drinking coffee` is liked as coffee is.
_ENJOYED_BY: Final = re.compile(
    r"^taste:(?:to )?(?:drink(?:ing)?|eat(?:ing)?|listen(?:ing)? to|watch(?:ing)?|play(?:ing)?)"
    r" (?:the |an? )?(?=\w)"
)
LEADING_HABIT: Final = re.compile(
    r"(?:every (?:single |other )?(?:day|morning|evening|night|week|weekend"
    r"|weekday|month|year|summer|winter"
    r"|spring|autumn|fall|christmas|(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)day)(?: (?:morning|afternoon|evening|night))?|each \w+"
    r"|on (?:most |the )?(?:weekends|weekdays|(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)days?(?: (?:mornings?|evenings?|afternoons?|nights?))?)"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)days|(?:once|twice|three times) a \w+|most \w+s"
    r"|in the (?:mornings?|evenings?|afternoons?)|after work|before bed"
    r"|after dinner|at night)(?=[ ,.]|$)"
)
_CONSEQUENCE: Final = re.compile(
    r",? (?:(?:so|but)\b(?! (?:far|much|many|is|are)\b)|and (?:need|want|would"
    r"|could|am|was|trying|looking|i|have some)\b).*$"
)
_REASON: Final = re.compile(
    r",? (?:because|cos|as|since|even though|although|though|which|when) "
    r"(?:i|i'm|i've|we|it|it's|the|my|he|she|they|is|was|means?|makes?)\b.*$"
)
_TO_THE_READER: Final = re.compile(r"\byou(?:r|rs|'re|'ve)?\b")
_LISTED: Final = frozenset(("allergy", "taste"))
_NOT_CLOSE: Final = frozenset(("boss", "manager"))
_NOW_AT: Final = re.compile(r"am (at|in|with) (?P<v>(?!home\b|work\b|bed\b|a hurry)[\w' -]+)$")
_AGE_ALONE: Final = re.compile(r"\W*(?:who's |who is |aged )?(?P<v>\d{1,2})\W*$")
_UNNAMED: Final = re.compile(
    r"\b(?:my|our) (?:(?:\w+er|youngest|oldest|eldest|little|new|\d+[- ]year[- ]old) )*"
    rf"(?:(?P<rel>{RELATIONS})|\d+[- ](?:year|yr|month)s?[- ]old(?: (?P<kid>son"
    r"|daughter|boy|girl))?)\W*$"
)
_NAME_ALONE: Final = re.compile(r"\W*[A-Z][a-zÀ-ÿ]+\W*$")
_NAMES_ALONE: Final = re.compile(r"\W*[A-Z][\w-]+(?:,? (?:and |& )?[A-Z][\w-]+)*\W*$")
_PET_NAMED: Final = re.compile(
    r"(?:(?:he|she|it|they)(?:'s|'re| is| are) (?:called|named)|(?:we"
    r"|i)(?:'ve)? (?:called|named|call"
    r"|are calling|decided to call) (?:him|her|it|them)|(?:his|her|its|their) names?(?:'s| is| are)"
    r"|named (?:him|her|it)|called) (?P<v>[a-z][\w'-]+(?:(?:,| and) [a-z][\w'-]+)*)\W*$"
)
MAX_GENERAL_CHARS: Final = 160
_PAST: Final = frozenset(
    listed(
        "moved relocated settled lived worked grew was joined started took became "
        "quit stopped gave"
        " retired left got bought sold adopted studied graduated majored had went"
    )
)


def _month_and_day(said: str, today: date) -> str:
    """`06-05` for a birthday on June 5th, with its year where that is told."""
    dates = dates_in(said.lower(), today)
    if len(dates) != 1 or not dates[0].is_day:
        return said
    year = re.search(r"(?:19|20)\d\d", said)
    return dates[0].first.isoformat() if year else f"{dates[0].first:%m-%d}"


_MENTION: Final = re.compile(
    r"\b(?:my|our|an?) (?:\w+er |big |twin |new |[\w]+-\w+ "
    rf"|\w+ )?({RELATIONS})\b(?!'s? (?!\d|birthday))"
)
_SUBJECT_PRONOUN: Final = re.compile(r"(he|she|they)(?='s\b|'re\b| )")
_WHOSE: Final = re.compile(r"(?:his|her|their)(?= (?:birthday|name))")
_SHE: Final = frozenset(
    listed(
        "mom mum mother mama mommy sister wife girlfriend daughter grandma "
        "grandmother granny nan aunt"
        " niece stepmother mother-in-law sister-in-law fiancée granddaughter ex-wife"
    )
)
_HE: Final = frozenset(
    listed(
        "dad father papa daddy brother husband boyfriend son grandpa grandfather uncle nephew"
        " stepfather father-in-law brother-in-law fiancé grandson ex-husband"
    )
)
_THEY: Final = frozenset(
    listed(
        "parents kids children twins siblings sisters brothers sons daughters "
        "grandparents dogs cats"
        " grandkids"
    )
)


def _agrees(pronoun: str, who: str) -> bool:
    """True where the pronoun can mean the person."""
    if pronoun == "they":
        return who in _THEY
    return who not in _THEY and who not in (_HE if pronoun == "she" else _SHE)


def _called(subject: Saying) -> Iterator[Fact]:
    """`My brother Tom is a cook` tells his name as well."""
    if subject.who in PETS or subject.who in MANY_OF:
        return
    role = SAME_ROLES.get(subject.who, subject.who)
    key = "partner" if subject.who in PARTNERS else f"relation:{role}"
    told = f"{subject.who[:1].upper()}{subject.who[1:]} is called {subject.name}"
    if subject.name.lower() not in ("and", "i"):
        yield Fact(told, key, subject.name)


_ONE_MORE: Final = re.compile(r"\b(?:another|second|third)\b")
_AT_FIRM: Final = re.compile(r"\b(?:at|for) (?P<v>(?:the )?[A-Z][\w&.'-]*(?: [A-Z][\w&.'-]*)*)")
_AS_ROLE: Final = re.compile(
    rf"\bas (?P<v>an? (?:[\w-]+ ){{0,4}}?(?:{OCCUPATIONS}))\b", re.IGNORECASE
)
_IN_TOWN: Final = re.compile(r"\bin (?P<v>[A-Z][\w'-]+(?: [A-Z][\w'-]+)*)$")
_IN_DEGREE: Final = re.compile(
    r"\b(?P<d>degree|bachelor'?s|master'?s|phd|doctorate|diploma|BA|BSc|MSc|MA|MBA) in "
    r"(?P<v>[\w' ]+?)(?: (?:and|but|so|from|in|at|last|with)\b.*)?$"
)
_MORE_LANGUAGES: Final = re.compile(rf"\b(?:{LANGUAGES})\b", re.IGNORECASE)


def _beside(frame: Frame, groups: dict[str, str], said: str) -> Iterator[Fact]:
    """What the same words tell besides: the firm of a job, the job at a firm, a second language."""
    if frame.key == "occupation" and (firm := _AT_FIRM.search(said)):
        yield Fact(f"Works at {firm['v']}", "employer", firm["v"])
    elif not frame.key and said.startswith("live ") and (town := _IN_TOWN.search(said)):
        yield Fact(f"Lives in {town['v']}", "home", town["v"])
    elif frame.key == "school" and (degree := _IN_DEGREE.search(said)):
        yield Fact(f"Has a {degree['d']} in {degree['v']}", "major", degree["v"])
    elif frame.key == "employer" and (role := _AS_ROLE.search(said)):
        yield Fact(f"Works as {role['v']}", "occupation", re.sub(r"^an? ", "", role["v"]))
    elif frame.key == "language:{v}" and frame.value == "speaks":
        for language in _MORE_LANGUAGES.findall(said)[1:]:
            yield Fact(f"Speaks {language}", f"language:{language.lower()}", "speaks")


_SAME_FORM: Final = frozenset(("read", "left", "found", "lay", "born", "felt"))


def _is_past(verb: str) -> bool:
    return verb in _PAST or (verb in BASE_FORM and verb not in _SAME_FORM)


def _key_of(who: str, name: str, key: str) -> str:
    """The key of a fact about somebody else."""
    role = thing(f"{who} {name}") if who in MANY_OF else SAME_ROLES.get(who, who)
    if key.startswith("relation:") and key.count(":") == 1:
        if who in PARTNERS:
            return "partner"
        kind = kind_of(who)
        return f"pet:{kind}" if kind else f"relation:{role}"
    if who in PARTNERS and key == "partner":
        return "partner"
    return f"relation:{role}{_OF_FACTS.get(key, ':' + key)}"


def _filled(template: str, groups: dict[str, str], *, keyed: bool = False) -> str:
    def fill(match: re.Match[str]) -> str:
        said = groups.get(match[1], "") or groups.get(match[2] or "", "")
        return _singular(thing(said)) if keyed else said

    return _TEMPLATE.sub(fill, template).strip() if "{" in template else template


def _singular(said: str) -> str:
    """A pet's kind in the singular: only keys of one word are turned."""
    if said.endswith("s") and (
        said[:-1] in PETS or said in ("sisters", "brothers", "cousins", "siblings")
    ):
        said = said[:-1]
    return PET_KINDS.get(said, said)
