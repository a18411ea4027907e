"""The extractor that needs no model: rules for what people say of themselves, in both languages.

Precision before recall: a wrong memory is met again in every later answer. Source: decisions 4.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from chatmem.extraction.candidate import Candidate, Said
from chatmem.extraction.clauses import Clause, clauses
from chatmem.extraction.own_words import OwnWords, own_words
from chatmem.extraction.rule_cantonese import spoken_plainly
from chatmem.extraction.rule_changes import changes
from chatmem.extraction.rule_chinese import ClausesZh, freely_zh
from chatmem.extraction.rule_clauses_en import tidied
from chatmem.extraction.rule_corrections import Corrections
from chatmem.extraction.rule_english import ClausesEn, freely_en
from chatmem.extraction.rule_frames import Fact
from chatmem.extraction.rule_plain_states import plain_states
from chatmem.extraction.rule_replies import wishes_for_replies
from chatmem.extraction.rule_runs_en import runs
from chatmem.extraction.rule_short_statements import short_statements
from chatmem.extraction.rule_sources import LOOKS_PERSONAL, is_no_source, without_code
from chatmem.extraction.rule_wishes import MAY_WISH, Wished, wished
from chatmem.extraction.worth import Embeds
from chatmem.extraction.worth_reading import reviewed
from chatmem.text.normalise import has_han

MAX_PER_MESSAGE: Final = 4
ORDERED_CONFIDENCE: Final = 0.95
ORDERED_IMPORTANCE: Final = 4
MAX_CONTENT_CHARS: Final = 240
IN_PASSING_CONFIDENCE: Final = 0.8


class RuleExtractor:
    """Proposes what the users of a session said of themselves and of people close to them."""

    name = "rules"

    def __init__(self, embedder: Embeds | None = None) -> None:
        """Args: what makes vectors of clauses, which Chinese is then read with too."""
        self._embedder = embedder

    def extract(self, messages: Sequence[Said]) -> list[Candidate]:
        """What is worth keeping of the messages of users, in order, at most four of each.

        Questions, suppositions, quotations, code, parts in a play and texts to be worked on give
        nothing. Dates are those of each message's own clock.

        Raises:
            ProviderError: the embedder failed.
        """
        found: list[Candidate] = []
        for message in messages:
            if message.role == "user":
                found += _of_message(message, found, self._embedder)
        return found

    def changes(self, messages: Sequence[Said]) -> list[Candidate]:
        """Sentences about a change, of too little confidence to be kept by themselves.

        They are worth keeping where they make a memory out of date. Settled after the others.
        """
        return [one for message in messages if message.role == "user" for one in _changes(message)]


def _of_message(
    message: Said, before: Sequence[Candidate], embedder: Embeds | None
) -> list[Candidate]:
    text = tidied(without_code(message.content))
    own = own_words(text)
    if not own.text or is_no_source(text):
        return []
    found = _by_rules(text, own, message, before) if _may_tell(text) else []
    found = [
        fact
        for fact in reviewed(found, own, text, message.at.date(), embedder)
        if len(fact.content) <= MAX_CONTENT_CHARS
    ]
    kept = sorted(found, key=lambda fact: (-fact.importance, -fact.confidence))[:MAX_PER_MESSAGE]
    return [_candidate(fact, message) for fact in found if fact in kept]


def _by_rules(text: str, own: OwnWords, message: Said, before: Sequence[Candidate]) -> list[Fact]:
    """What the rules find, of two statements with one key the later one."""
    facts: dict[str, Fact] = {}
    if not any(MAY_WISH.search(plain) and wished(plain) for plain in own.plain):
        facts.update((f"remember{fact.key}", fact) for fact in wishes_for_replies(own, text))
    for fact in _facts(own, message.at.date(), Corrections(before)):
        if len(fact.content) <= MAX_CONTENT_CHARS:
            _take(fact, facts)
    return list(facts.values())


def _may_tell(text: str) -> bool:
    """Cheap: False for most of what tells nothing of anybody; a few words may be a statement."""
    return len(text) <= _FEW_CHARS or LOOKS_PERSONAL.search(text) is not None


_FEW_CHARS: Final = 32


def _changes(message: Said) -> list[Candidate]:
    text = tidied(without_code(message.content))
    own = own_words(text)
    if not own.text or is_no_source(text):
        return []
    return [_candidate(fact, message) for fact in changes(own, message.at.date())]


def _take(fact: Fact, facts: dict[str, Fact]) -> None:
    """Add it: of two statements with one key in a message the later one counts."""
    place = f"{fact.wish}{fact.key or fact.content.lower()}"
    before = facts.get(place)
    if fact.confidence == IN_PASSING_CONFIDENCE:
        if _is_told(fact, facts.values()):
            return
        if before is not None:
            fact = replace(fact, key=f"relation:{fact.key}")
            place = f"{fact.wish}{fact.key}"
    elif (
        before is not None
        and before.confidence == IN_PASSING_CONFIDENCE
        and str(before.value).lower() not in fact.content.lower()
    ):
        facts[f"{place}:name"] = replace(before, key=f"relation:{before.key}")
    facts[place] = fact


_APART: Final = frozenset(("employer", "occupation"))


def _is_told(fact: Fact, before: Iterable[Fact]) -> bool:
    """True where a whole statement has said it already."""
    named = " is called " in fact.content
    for each in before:
        if not isinstance(fact.value, str):
            continue
        told = fact.value.lower() in each.content.lower()
        if each.key is not None and each.key == fact.key and (told or not named):
            return True
        apart = named and not (fact.key or "").startswith("pet:")
        if told and not apart and fact.key not in _APART and len(fact.value) > 3:
            return True
    return False


def _candidate(fact: Fact, message: Said) -> Candidate:
    return Candidate(
        content=fact.content,
        category=fact.category,
        kind=fact.kind,
        key=fact.key,
        value=fact.value,
        confidence=fact.confidence,
        importance=fact.importance,
        wish=fact.wish,
        said_in=message.number,
        said_at=message.at,
    )


def _facts(own: OwnWords, today: date, corrections: Corrections) -> Iterator[Fact]:
    letters = [letter for letter in own.text if letter.isalpha()]
    lower_case = not any(letter.isupper() for letter in letters)
    readers = (ClausesEn(today, own.text, lower_case=lower_case), ClausesZh(today, own.text))
    ordered: list[Clause] = []
    for sentence, plain, parts in _sentences(own):
        order = wished(plain) if MAY_WISH.search(plain) else None
        if order is not None:
            yield from _ordered(order, sentence, plain, today, lower_case, ordered)
            ordered = []
            continue
        ordered = parts
        for clause in parts:
            clause = spoken_plainly(clause)
            reader = readers[has_han(clause.plain)]
            if not clause.stated:
                reader.interrupt()
                yield from _in_passing(reader, clause)
                continue
            if corrected := corrections.corrected(clause, today):
                yield corrected
                continue
            found = list(reader.facts(clause.text, clause.plain, first=clause.first))
            if not found:
                alone = len(own.sentences) == 1 and len(parts) == 1
                found = list(plain_states(clause, alone=alone, today=today))
                if not found and alone:
                    found = list(short_statements(clause, today))
            for fact in found:
                corrections.add(fact)
                yield fact
            yield from _in_passing(reader, clause)


def _in_passing(reader: ClausesEn | ClausesZh, clause: Clause) -> Iterator[Fact]:
    """What an English clause of any sort tells beside what it is about."""
    if isinstance(reader, ClausesEn):
        for fact in reader.asides(clause.text, clause.plain):
            yield replace(fact, confidence=IN_PASSING_CONFIDENCE)


def _sentences(own: OwnWords) -> Iterator[tuple[str, str, list[Clause]]]:
    """Each sentence with its clauses."""
    parts: list[Clause] = []
    grouped: list[list[Clause]] = []
    for clause in clauses(own):
        if clause.first and parts:
            grouped.append(parts)
            parts = []
        parts.append(clause)
    if parts:
        grouped.append(parts)
    rest = iter(grouped)
    group = next(rest, None)
    for sentence, plain in zip(own.sentences, own.plain, strict=True):
        if group is not None and group[0].text and sentence.startswith(group[0].text):
            yield sentence, plain, _meant(group)
            group = next(rest, None)
        else:
            yield sentence, plain, []


def _meant(parts: list[Clause]) -> list[Clause]:
    if any(has_han(clause.plain) for clause in parts):
        return _in_earnest(parts)
    return runs(parts)


_WOULD: Final = re.compile(r"\b(?:would|could|might|will|should)\b|'d\b|'ll\b|[会就将能]")


def _in_earnest(parts: list[Clause]) -> list[Clause]:
    """The clauses of a sentence, of which those before an `if` are meant as they stand."""
    if all(clause.stated or clause.questioned for clause in parts):
        return parts
    found: list[Clause] = []
    for number, clause in enumerate(parts):
        alone = OwnWords(clause.text, (clause.text,), (clause.plain,))
        if not all(each.stated for each in clauses(alone)) or _WOULD.search(clause.plain):
            return [*found, *parts[number:]]
        found.append(replace(clause, stated=not clause.questioned))
    return found


def _ordered(
    order: Wished, sentence: str, plain: str, today: date, lower_case: bool, before: list[Clause]
) -> Iterator[Fact]:
    """What the user orders to be remembered or forgotten."""
    said, said_plain = sentence[order.start : order.end], plain[order.start : order.end]
    said = said.strip(" \t\n.。!！~～,，;；:：")
    said_plain = said_plain.strip(" \t\n.。!！~～,，;；:：")
    if order.order == "remember" and not said and before:
        said = "，".join(clause.text for clause in before)
        said_plain = "，".join(clause.plain for clause in before)
        if not all(clause.stated for clause in before):
            return
    if not said or len(said) != len(said_plain):
        return
    chinese = has_han(said_plain)
    if order.order == "forget" and (aside := _ASIDE.search(said_plain)):
        said, said_plain = said[: aside.start()], said_plain[: aside.start()]
    reader = ClausesZh(today, said) if chinese else ClausesEn(today, said, lower_case=lower_case)
    facts = list(_read(reader, said, said_plain))
    if order.order == "forget":
        key = facts[0].key if len(facts) == 1 else None
        yield Fact(said, key, wish="forget", confidence=ORDERED_CONFIDENCE)
        return
    if not facts:
        fact = (freely_zh if chinese else freely_en)(said, said_plain, today)
        facts = [fact] if fact else []
    for fact in facts:
        yield replace(fact, confidence=ORDERED_CONFIDENCE, importance=ORDERED_IMPORTANCE)


_ASIDE: Final = re.compile(
    r"(?<=..)(?:吧|了吧|哈|啊)?[，；].*$|, (?:please|thanks|thank|it|i|we|she|he|ok|that)\b.*$"
)


def _read(reader: ClausesEn | ClausesZh, said: str, plain: str) -> Iterator[Fact]:
    own = OwnWords(said, (said,), (plain,))
    for clause in clauses(own):
        if clause.stated:
            yield from reader.facts(clause.text, clause.plain, first=clause.first)
