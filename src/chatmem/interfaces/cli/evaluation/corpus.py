"""The two files that an evaluation reads: conversations, and questions with their evidence.

Source: interfaces.md, "Command line" (`chatmem eval`).
"""

from dataclasses import dataclass
from pathlib import Path

from chatmem.engine.importing import SourceFile, jsonl
from chatmem.model import Message
from chatmem.model.time import utc_now

EXPECTED_QUERY = 'one {"qa_id", "conv", "question", "evidence": [ids]} a line'


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the corpus: its own id and the message that it becomes."""

    id: str
    message: Message


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the conversation to search, and the ids of the lines that answer it."""

    id: str
    conversation: str
    text: str
    evidence: tuple[str, ...]


def read_corpus(path: Path) -> dict[str, list[Line]]:
    """The lines of each conversation, in file order.

    Raises:
        ImportFormatError: a line lacks a field.
        StorageError: the file cannot be read.
    """
    source = SourceFile(path, user_id="", now=utc_now())
    conversations: dict[str, list[Line]] = {}
    before = source.now
    for number, text in source.lines():
        place = f"line {number}"
        fields = source.parse(text, place)
        if not isinstance(fields, dict):
            raise source.broken(place, "not an object", jsonl.EXPECTED)
        before = source.moment(fields.get("date"), before)
        message = jsonl.read_line(source, place, fields, before)
        conversations.setdefault(str(fields["conv"]), []).append(Line(str(fields["id"]), message))
    if not conversations:
        raise source.broken(None, "no message in it", jsonl.EXPECTED)
    return conversations


def read_questions(path: Path, conversations: dict[str, list[Line]]) -> list[Question]:
    """The questions, in file order.

    Raises:
        ImportFormatError: a line lacks a field, or asks about a conversation that is not there.
        StorageError: the file cannot be read.
    """
    source = SourceFile(path, user_id="", now=utc_now())
    questions = []
    for number, text in source.lines():
        place = f"line {number}"
        fields = source.parse(text, place)
        if not isinstance(fields, dict):
            raise source.broken(place, "not an object", EXPECTED_QUERY)
        for name in ("qa_id", "conv", "question"):
            if not isinstance(fields.get(name), str):
                raise source.broken(place, f"no `{name}`", EXPECTED_QUERY)
        if fields["conv"] not in conversations:
            raise source.broken(
                place, f"conversation {fields['conv']!r} is not in the corpus", "one that is"
            )
        evidence = fields.get("evidence") or []
        if not isinstance(evidence, list):
            raise source.broken(place, "`evidence` is no list", EXPECTED_QUERY)
        questions.append(
            Question(fields["qa_id"], fields["conv"], fields["question"], tuple(map(str, evidence)))
        )
    if not questions:
        raise source.broken(None, "no question in it", EXPECTED_QUERY)
    return questions
