"""How the user wants to be answered from now on, in his own words."""

import re
from collections.abc import Iterator
from typing import Final

from chatmem.extraction.clauses import Clause, clauses
from chatmem.extraction.own_words import OwnWords
from chatmem.extraction.profile import profile_statements
from chatmem.extraction.rule_clauses_en import saying, theirs, third_person, without_lead
from chatmem.extraction.rule_frames import Fact
from chatmem.text.normalise import has_han

_HINT: Final = re.compile(
    r"answer|repl|respon|explain|explanation|emoji|bullet|markdown|\btone\b"
    r"|concise|talk to me|speak to me"
    r"|回答|回复|回覆|答复|说话|說話|解释|解釋|讲解|语气|語氣|表情|列表|简洁|啰嗦",
    re.IGNORECASE,
)
_ASKED_ZH: Final = re.compile(r"^(?:请你?|麻烦你?|你|希望你?|，|以后|跟我|和我|对我|给我)+")
_ASKED_EN: Final = re.compile(
    r"^\W*(?:(?:please|pls|and|so|but|from now on,?|in (?:the )?future,?|i(?:'d"
    r"| would) (?:like|prefer|want) (?:it if )?you (?:to )?|i want you to"
    r"|i prefer (?:it when )?you(?:r)?|can you|could you|you should|when you)\s+)+",
    re.IGNORECASE,
)
_NO_WISH: Final = re.compile(r"\b(?:i(?:'d| would) like to|sometimes|learn)\b|想学|学习")
_REPLY: Final = "reply_"


def wishes_for_replies(own: OwnWords, message: str) -> Iterator[Fact]:
    """What the message asks of all replies: a preference each."""
    if not _HINT.search(message):
        return
    told: set[str] = set()
    for statement in profile_statements(message):
        if not statement.slot.startswith(_REPLY):
            continue
        said = next((each.text for each in clauses(own) if _says(each, statement.slot)), "")
        if not said:
            continue
        content = _told(said)
        if content in told:
            continue
        told.add(content)
        yield Fact(content, statement.slot, statement.text, "preference")


def _says(clause: Clause, slot: str) -> bool:
    if _NO_WISH.search(clause.plain):
        return False
    return clause.stated and any(each.slot == slot for each in profile_statements(clause.text))


def _told(said: str) -> str:
    said = said.strip(" .。!！~,，")
    if has_han(said):
        return _ASKED_ZH.sub("", re.sub("(?:跟|和|对|對|给|給)我|我", "", said))
    if (subject := saying(*without_lead(said, said.lower()))) is not None:
        return third_person(subject.own, subject.often)
    told = theirs(_ASKED_EN.sub("", said))
    return "Wants replies: " + told[:1].lower() + told[1:]
