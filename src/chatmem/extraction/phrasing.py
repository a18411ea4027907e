"""The text of a memory: a statement in the person's own words, so that they stand by themselves.

Nothing is conjugated or turned round, since that is where sentences break. A label stands before it
where its own words do not say what or whom they are about.
"""

import re
from datetime import date
from typing import Final

from chatmem.extraction.reader.labels import ATTRIBUTES_BY_KEY, SELF
from chatmem.extraction.reader.reading import Statement
from chatmem.extraction.reader.tokens import fold
from chatmem.text.dates import dates_in, with_dates
from chatmem.text.languages import LANGUAGES, Language, language_by_script, simplify
from chatmem.text.wordlist import toml_of

MAX_CONTENT_CHARS: Final = 240
_EDGES: Final = " \t\n.。!！~～,，;；:：、…-—"
_PAIRS: Final = {"(": ")", "（": "）", "[": "]", "「": "」", "“": "”", "《": "》", "【": "】"}
_BARE_SHARE: Final = 0.75
_FEW_CHARS: Final = {True: 24, False: 8}
"""Of a language with spaces and of one without. An answer that is hardly more than its value needs
a label, a whole sentence does not."""
_SURE_OF_SUBJECT: Final = 0.5
"""Whom a memory is about has to be known: without a label it would be the writer's."""
_RECURRING: Final = frozenset({"habit", "schedule", "commute", "birthday"})
_SUBJECTS: Final[dict[str, dict[str, list[str]]]] = toml_of("chatmem.extraction", "subjects")


def memory_text(statement: Statement, today: date) -> str:
    """The statement as a memory: at most 240 characters, dates those of the calendar.

    Recurring dates (birthdays, every Friday) stay; `today` is the message's, by the writer's clock.
    """
    words = dated(_whole(statement.text), statement, today)
    language = language_by_script(words)
    if language.spaced and not words.isascii():
        language = language_by_script(statement.text)
    # Hardly more than its value says nothing of what it is about.
    is_short = len(statement.text) <= _FEW_CHARS[language.spaced]
    is_bare = len(statement.value or "") >= _BARE_SHARE * len(statement.text)
    if statement.answers and is_short and is_bare:
        label = ATTRIBUTES_BY_KEY[statement.attribute].labels[language.code]
        words = f"{label}{language.colon}{words}"
    if statement.standing == "denied" and statement.in_question:
        words = language.phrases["memory.not_so"].format(words)
    subject = statement.subject if _is_sure_of_subject(statement) else SELF
    return with_subject(words, subject, language)


def names_subject(statement: Statement) -> bool:
    """Whether a memory can tell whom it is about: the reader is sure of it, or its words say it."""
    if statement.subject == SELF or _is_sure_of_subject(statement):
        return True
    return any(_names(statement.text, one) for one in _SUBJECTS)


def _is_sure_of_subject(statement: Statement) -> bool:
    return float(statement.subjects.max()) >= _SURE_OF_SUBJECT


def with_subject(words: str, subject: str, language: Language) -> str:
    """The words, at most 240 characters, with a label of whom they are about if they do not say."""
    if subject != SELF and not _names(words, subject):
        words = f"{_SUBJECTS[subject][language.code][0]}{language.colon}{words}"
    words = words[:1].upper() + words[1:]
    return words[:MAX_CONTENT_CHARS].strip()


def subject_called(word: str) -> str | None:
    """Whom a word of any language names ("girlfriend": the partner); None for nobody."""
    for subject, said in _SUBJECTS.items():
        if any(word in words for words in said.values()):
            return subject
    return None


def dated(words: str, statement: Statement, today: date) -> str:
    """The words with dates of the calendar for those that count from the day they were said."""
    if statement.attribute in _RECURRING or statement.category == "pattern":
        return words
    folded = fold(words).lower()
    if len(folded) != len(words):
        return words
    past = statement.attribute == "event" or statement.standing == "ended"
    return with_dates(words, dates_in(folded, today, past=past))


def _whole(words: str) -> str:
    """One line without loose ends: no punctuation at the edges, no lone bracket."""
    words = re.sub(r"\s+", " ", words).strip(_EDGES)
    for opens, closes in _PAIRS.items():
        surplus = words.count(opens) - words.count(closes)
        if surplus > 0:
            place = words.rfind(opens)
            words = words[:place] + words[place + 1 :]
        elif surplus < 0:
            words = words.replace(closes, "", 1)
    if words.count('"') % 2:
        words = words.replace('"', "")
    return words.strip(_EDGES)


def _names(words: str, subject: str) -> bool:
    """Whether the words say whom they are about."""
    said = simplify(words.lower())
    spoken = set(re.findall(r"[^\W\d_]+", said))
    for language in LANGUAGES:
        known = _SUBJECTS[subject][language.code]
        whole = [word for word in known if language.spaced and word.isalpha()]
        if any(word in spoken or f"{word}s" in spoken for word in whole):
            return True
        if any(word in said for word in known if word not in whole):
            return True
    return False
