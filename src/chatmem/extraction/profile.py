"""What of a message belongs into the profile: who its writer is, and how replies should be.

Source: S2.2.2.
"""

from dataclasses import dataclass
from typing import Final

from chatmem.extraction.candidate import Candidate, NewMessage
from chatmem.extraction.phrasing import memory_text
from chatmem.extraction.reader.labels import SELF, Standing, Wish
from chatmem.extraction.reader.reading import read

SINGLE_SLOTS: Final = frozenset(
    {"reply_language", "reply_length", "reply_tone", "reply_format", "address"}
)
"""Of these a profile holds one each: a new statement replaces the old one."""
MAX_STATEMENT_CHARS: Final = 120
_SLOTS: Final = {
    "reply.language": "reply_language",
    "reply.length": "reply_length",
    "reply.tone": "reply_tone",
    "reply.format": "reply_format",
    "reply.address": "address",
    "reply.other": "preference",
    **dict.fromkeys(
        ("name", "nickname", "origin", "identity", "language", "home", "employer", "occupation",
         "school", "study"),
        "background",
    ),
    **dict.fromkeys(("taste", "like", "hobby", "diet"), "preference"),
}  # fmt: skip
_LASTS: Final = frozenset({"holds", "began", "corrected"})


@dataclass(frozen=True, slots=True)
class ProfileStatement:
    """A line for a profile, in the person's own words, and what it is about.

    `slot` is one of `SINGLE_SLOTS`, background or preference.
    """

    text: str
    slot: str


def profile_statements(message: NewMessage) -> tuple[ProfileStatement, ...]:
    """What belongs into the profile of the user who wrote it; mostly nothing.

    The later of two statements for a single-valued slot counts.

    Raises:
        ReaderWeightsError: what the reader has learned is missing or damaged.
    """
    found: dict[tuple[str, str], ProfileStatement] = {}
    for one in read(message.content, message.question, group=message.group):
        text = memory_text(one, message.at.date())
        line = _statement(text, one.attribute, one.subject, one.standing, one.order)
        if line is not None:
            found[(line.slot, "" if line.slot in SINGLE_SLOTS else text)] = line
    return tuple(found.values())


def profile_statement(candidate: Candidate) -> ProfileStatement | None:
    """What of it belongs into the profile of the user; mostly nothing."""
    one = candidate
    if one.attribute is None:
        return None
    return _statement(one.content, one.attribute, one.subject, one.standing, one.wish)


def _statement(
    text: str, attribute: str, subject: str, standing: Standing, wish: Wish | None
) -> ProfileStatement | None:
    slot = _SLOTS.get(attribute)
    if slot is None or subject != SELF or standing not in _LASTS or wish == "forget":
        return None
    return ProfileStatement(text, slot) if len(text) <= MAX_STATEMENT_CHARS else None
