"""Extraction by a language model: one typed prompt over new messages and known memories near them.

The model answers in the closed lists of the reader. What is outside of them is mended where it is
clear what was meant, else dropped.

Source: decisions 4; S3.2.1, S5.4.3; `next/reader.md`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final, TypeAlias

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    ValidationError,
    WithJsonSchema,
    model_validator,
)

from chatmem.extraction.extractor import LEAST_CONFIDENCE, Candidate, NewMessage, finished, key_of
from chatmem.extraction.phrasing import MAX_CONTENT_CHARS, subject_called, with_subject
from chatmem.extraction.reader import labels
from chatmem.model import CATEGORIES
from chatmem.providers.chat_model import ChatEndpoint
from chatmem.text.clean import clean_text
from chatmem.text.languages import language_by_script
from chatmem.text.normalise import normalise
from chatmem.text.segment import extract_keywords
from chatmem.text.tokens import DATA_NOTE, MESSAGE_TOKENS, count_tokens, fenced

MAX_INPUT_TOKENS: Final = 6_000
MAX_CANDIDATES: Final = 40
MAX_KNOWN: Final = 12
DEFAULT_CONFIDENCE: Final = 0.8
_LONGEST_VALUE_CHARS: Final = 120
_AROUND_TOKENS: Final = 24
"""Besides its words a message has at most so many, with its number and its day."""
_MOST_IMPORTANT: Final = 5
_STEM_CHARS: Final = 5
_LEAST_SHARED_CHARS: Final = 2
_PER_CENT: Final = 100
_ASKS: Final = ("?", "？")
"""What ends so is a request that was taken for a fact."""

_EXAMPLE: Final = (
    '{"memories":[{"message":1,"content":"Wife is vegan","attribute":"diet","value":"vegan",'
    '"subject":"wife"},{"message":2,"content":"希望回答简短","attribute":"reply.length",'
    '"value":"短点"}]}'
)
_INSTRUCTIONS: Final = f"""\
From a user's new messages, note what a good assistant would still want to know in a month: about
the user and people close to them: who they are, home, work, family, health, tastes, habits, things
owned, plans, what happened and matters later, and how replies should be from now on. Facts said in
passing inside a request count. Nothing for questions, tasks and their details, opinions on the
world, moods, thanks, today's work, work in group chats. These messages were picked since something
may be in them; an empty list where there is nothing.

One item per fact. Leave out fields that have their usual value.
message: the number of the message that says it.
content: a short sentence without "I", in the message's language ("Lives in Berlin"); relative
dates become dates, counted from the message's day.
attribute: {" ".join(labels.ATTRIBUTES)}. (employer: for whom; occupation: as what;
taste: food, drink; like: other tastes; reply: how replies should be.)
value: the words said that answer the attribute ("Berlin").
category: {" ".join(CATEGORIES)}. kind: semantic, or episodic on a named day.
subject: usually self; else {" ".join(labels.SUBJECTS[1:])} (other: boss, stranger).
standing: usually holds; else {" ".join(labels.STANDINGS[1:])} (ended: not so any more;
once: this time only; played: role play; quoted: others' words).
wish: remember or forget, only where memory is asked to.
confidence: 0 to 1. importance: 1 to 5, usually 3.

只记用户本人和亲近的人的事实；提问、任务、假设、玩笑、扮演、引用不记。
content 用消息的语言，不用“我”。

message 1: my wife's vegan, dinner ideas? / message 2: 以后回答短点 / message 3: Translate: I am ill
{_EXAMPLE}

{DATA_NOTE}
"""
_ABOUT_KNOWN: Final = """
Known memories stand before the messages: note nothing that only they say. Where an item replaces
one, ends one, or says one again, it has two fields more: about, its number; bearing: replaces, ends
or same. One topic is not enough: it needs the same person and attribute.
known 7: 在阿里上班, 我跳到腾讯了
gives "standing":"began","about":7,"bearing":"replaces".
"""

_BEARINGS: Final[tuple[labels.Bearing, ...]] = ("replaces", "ends", "same")
_SHAPE: Final = {"type": "array"}
"""Small models give back a shape that says more; the instructions have all fields and lists."""
_NOTHING: Final = ("none", "null", "n/a")
_SELF: Final = ("user", "the user", "me", "i", "writer", "用户", "本人", "自己")
_MEANT: Final = {
    "attribute": {
        "job": "occupation", "profession": "occupation", "company": "employer", "city": "home",
        "location": "home", "address": "home", "residence": "home", "hometown": "origin",
        "preference": "like", "dislike": "like", "food": "taste", "drink": "taste",
        "health": "condition", "illness": "condition", "medicine": "medication", "car": "vehicle",
        "phone": "device", "hobbies": "hobby", "allergies": "allergy", "studies": "study",
    },
    "standing": {
        "true": "holds", "current": "holds", "present": "holds", "new": "began", "started": "began",
        "over": "ended", "past": "ended", "stopped": "ended", "correction": "corrected",
        "denial": "denied", "wish": "wished", "joke": "joking", "role play": "played",
        "quote": "quoted",
    },
    "bearing": {
        "replace": "replaces", "replaced": "replaces", "updates": "replaces", "end": "ends",
        "ended": "ends", "repeats": "same", "repeat": "same", "says again": "same",
    },
}  # fmt: skip
"""Words that models write where a closed list has another one."""


def _word(raw: object) -> str:
    return " ".join(clean_text(raw).lower().split()) if isinstance(raw, str) else ""


def _words(raw: object) -> str:
    """A text on one line; several values one after the other."""
    parts = raw if isinstance(raw, list) else [raw]
    return " ".join(clean_text(", ".join(str(one) for one in parts if _is_plain(one))).split())


def _is_plain(raw: object) -> bool:
    return isinstance(raw, str | int | float) and not isinstance(raw, bool)


def _number(raw: object) -> float | None:
    """The first number in it."""
    found = re.search(r"-?\d{1,6}(?:\.\d{1,6})?", str(raw)) if _is_plain(raw) else None
    return None if found is None else float(found[0])


def _confidence(raw: object) -> float:
    """In [0, 1], whether it was given as a share or in per cent."""
    number = _number(raw)
    share = DEFAULT_CONFIDENCE if number is None else number
    return min(1.0, share if share <= 1 else share / _PER_CENT)


def _attribute(raw: object) -> str:
    """The attribute that is meant; `other` for what none of them is about."""
    word = _word(raw).replace("reply_", "reply.").partition(":")[0].strip()
    meant = _MEANT["attribute"].get(word, word)
    for one in (meant, meant.removesuffix("s")):
        if one in labels.ATTRIBUTES:
            return one
    named = (key for key, one in labels.ATTRIBUTES_BY_KEY.items() if one.is_called(meant))
    return next(named, labels.NO_ATTRIBUTE)


def _subject(raw: object) -> str:
    """Whom it is about; whoever is not in the list is somebody else, of whom nothing is kept."""
    word = _word(raw).removeprefix("my ").removeprefix("user's ").removeprefix("我")
    if word in labels.SUBJECTS:
        return word
    if word in _SELF or not word:
        return labels.SELF
    return subject_called(word) or labels.SOMEBODY_ELSE


def _meant(of: str) -> BeforeValidator:
    """A word of that closed list, by whatever other name a model calls it."""
    return BeforeValidator(lambda raw: _MEANT[of].get(_word(raw), _word(raw)))


_Word: TypeAlias = Annotated[str, BeforeValidator(_word)]
_Count: TypeAlias = Annotated[int, BeforeValidator(lambda raw: int(_number(raw) or 0))]


class _Item(BaseModel, defer_build=True):
    """One item of an answer, mended; not valid where it is unclear what it means."""

    content: Annotated[str, BeforeValidator(_words), Field(min_length=1)]
    category: _Word = ""
    attribute: Annotated[str, BeforeValidator(_attribute)] = labels.NO_ATTRIBUTE
    subject: Annotated[str, BeforeValidator(_subject)] = labels.SELF
    value: Annotated[str, BeforeValidator(_words)] = ""
    standing: Annotated[labels.Standing, _meant("standing")] = "holds"
    wish: _Word = ""
    kind: _Word = ""
    confidence: Annotated[float, BeforeValidator(_confidence)] = DEFAULT_CONFIDENCE
    importance: _Count = 0
    message: _Count = 0
    about: _Count = 0
    bearing: Annotated[str, _meant("bearing")] = ""

    @property
    def is_to_be_kept(self) -> bool:
        """True for orders to forget, and for what is sure, lasts and is meant in earnest."""
        if self.wish == "forget":
            return labels.is_kept(labels.SELF, self.standing)
        lasts = self.confidence >= LEAST_CONFIDENCE and self.standing != "once"
        return lasts and labels.is_kept(self.subject, self.standing)


def _items(raw: object) -> list[_Item]:
    """The items of an answer that can be used, in order; `ValueError` if it has none but others."""
    listed = raw if isinstance(raw, list) else [] if raw is None else [raw]
    found = [item for one in listed[:MAX_CANDIDATES] if (item := _item(one)) is not None]
    if listed and not found:
        # The model is asked once more.
        raise ValueError("no item is one: each needs a content and a standing of the list")
    return found


def _item(raw: object) -> _Item | None:
    if not isinstance(raw, dict) or _words(raw.get("content")).endswith(_ASKS):
        return None
    given = {key: value for key, value in raw.items() if _word(value) not in _NOTHING}
    try:
        return _Item.model_validate(given)
    except ValidationError:
        return None


class _Found(BaseModel, defer_build=True):
    memories: Annotated[list[_Item], BeforeValidator(_items), WithJsonSchema(_SHAPE)] = Field(
        default_factory=list
    )

    @model_validator(mode="before")
    @classmethod
    def _as_object(cls, raw: object) -> object:
        """A list, one item alone, and an answer in the frame of its shape: for what they are."""
        if isinstance(raw, dict) and isinstance(raw.get("properties"), dict):
            raw = raw["properties"]
        if isinstance(raw, list) or (isinstance(raw, dict) and "content" in raw):
            return {"memories": raw}
        return raw


class ModelExtractor:
    """By a model, whose `name` it has; takes as long as the model takes."""

    def __init__(self, chat_model: ChatEndpoint) -> None:
        self.name = chat_model.name
        self._chat_model = chat_model

    def extract(
        self, messages: Sequence[NewMessage], known: Mapping[str, str] | None = None
    ) -> list[Candidate]:
        """What the model found that shares a word with the messages; the rest are inventions.

        `known` has the contents of memories that the messages may be about, by id.

        The model is asked once, or several times for more messages than it can read at once.

        Raises:
            ProviderError: no answer, or none that fits.
        """
        known = known or {}
        ids = list(known)[:MAX_KNOWN]
        before = [(f"known {place}", known[one]) for place, one in enumerate(ids, start=1)]
        room = MAX_INPUT_TOKENS - sum(map(_size, before))
        instructions = _INSTRUCTIONS + (_ABOUT_KNOWN if known else "")
        found: dict[tuple[int, str, str], Candidate] = {}
        for batch in _batches(messages, room):
            entries = [_as_entry(place, one) for place, one in enumerate(batch, start=1)]
            text = fenced([*before, *entries], MAX_INPUT_TOKENS)
            for item in self._chat_model.extract(instructions, text, _Found).memories:
                source = _source(item, batch)
                if source is not None and item.is_to_be_kept:
                    one = _candidate(item, source, ids)
                    found.setdefault((one.said_in, one.wish, one.content), one)
        return list(found.values())


def _batches(messages: Sequence[NewMessage], room: int) -> Iterator[list[NewMessage]]:
    """As many messages at a time as a model can read at once."""
    batch: list[NewMessage] = []
    left = room
    for one in messages:
        size = _size(_as_entry(len(messages), one))
        if batch and size > left:
            yield batch
            batch, left = [], room
        batch.append(one)
        left -= size
    if batch:
        yield batch


def _size(entry: tuple[str, str]) -> int:
    return min(count_tokens(": ".join(entry)), MESSAGE_TOKENS) + _AROUND_TOKENS


def _as_entry(place: int, source: NewMessage) -> tuple[str, str]:
    """A message as the model gets it: its number, its day, and the question that it answers."""
    where = " in a group chat" if source.group else ""
    day = source.at.astimezone().strftime("%Y-%m-%d %A")
    asked = f"(asked: {source.question}) " if source.question else ""
    return f"message {place}, {source.role}{where} on {day}", asked + source.content


def _source(item: _Item, messages: Sequence[NewMessage]) -> NewMessage | None:
    """The message that says it: the one that is named, else another one; None for an invention."""
    named = messages[item.message - 1 : item.message] if item.message > 0 else []
    return next((one for one in [*named, *messages] if _is_borne_out(item, one)), None)


def _is_borne_out(item: _Item, source: NewMessage) -> bool:
    """True when some word of the statement that means something, or its value, was said."""
    text = normalise(f"{source.question} {source.content}")
    if item.value and normalise(item.value) in text:
        return True
    words = [normalise(word) for word in extract_keywords(item.content)]
    if any(word[:_STEM_CHARS] in text for word in words if len(word) > _LEAST_SHARED_CHARS):
        return True
    content = normalise(item.content)
    pairs = (content[at : at + _LEAST_SHARED_CHARS] for at in range(len(content) - 1))
    return any(
        pair in text for pair in pairs if " " not in pair and not language_by_script(pair).spaced
    )


def _candidate(item: _Item, source: NewMessage, known: Sequence[str]) -> Candidate:
    forgets = item.wish == "forget"
    content = item.content[:MAX_CONTENT_CHARS]
    if not forgets:
        content = with_subject(item.content, item.subject, language_by_script(item.content))
    usual = labels.ATTRIBUTES_BY_KEY[item.attribute].category
    value = item.value[:_LONGEST_VALUE_CHARS] or None
    bears = "ends" if forgets else item.bearing  # what is to be forgotten ends
    bearing = next((one for one in _BEARINGS if one == bears), None)
    is_known = 1 <= item.about <= len(known)
    candidate = Candidate(
        content=content,
        category=next((one for one in CATEGORIES if one == item.category), usual),
        key=key_of(item.attribute, item.subject, value),
        value=value,
        confidence=item.confidence,
        importance=item.importance and min(_MOST_IMPORTANT, max(1, item.importance)),
        wish="forget" if forgets else "remember",
        attribute=item.attribute,
        subject=item.subject,
        standing=item.standing,
        bears_on=(known[item.about - 1], bearing) if bearing and is_known else None,
    )
    ordered, names_day = item.wish == "remember", item.kind == "episodic"
    return finished(candidate, source, ordered=ordered, names_day=names_day)
