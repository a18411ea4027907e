"""JSON Lines: one message a line, in the form that `chatmem eval` reads.

    {"conv": "c1", "id": "m1", "speaker": "Mei", "text": "...", "date"?, "session"?, "caption"?}

What `chatmem export` writes is read as well. Source: interfaces.md, "Command line".
"""

from collections.abc import Iterator, Mapping
from datetime import datetime

from chatmem.engine.importing import records
from chatmem.engine.importing.items import Item, role_and_speaker, with_caption
from chatmem.engine.importing.source_file import SourceFile
from chatmem.model import Message

EXPECTED = 'one {"conv", "id", "speaker", "text", "date"?, "session"?} a line'


def read(source: SourceFile) -> Iterator[Item]:
    """What the lines hold, in file order.

    Raises:
        ImportFormatError: a line is no JSON object or lacks a field.
    """
    moment = source.now
    for number, line in source.lines():
        place = f"line {number}"
        fields = source.parse(line, place)
        if not isinstance(fields, dict):
            raise source.broken(place, "not an object", EXPECTED)
        if records.is_record(fields):
            item = records.read_record(source, place, fields)
            if item is not None:
                yield item
        else:
            moment = source.moment(fields.get("date"), moment)
            yield read_line(source, place, fields, moment)


def read_line(
    source: SourceFile, place: str, fields: Mapping[str, object], moment: datetime
) -> Message:
    """The message of one line; without `session`, a conversation is one session.

    Raises:
        ImportFormatError: a field is missing.
    """
    for name in ("conv", "id", "speaker", "text"):
        value = fields.get(name)
        if not isinstance(value, str) and not (name in ("conv", "id") and isinstance(value, int)):
            raise source.broken(place, f"no `{name}`", EXPECTED)
    conversation, session = fields["conv"], fields.get("session")
    role, speaker = role_and_speaker(str(fields["speaker"]))
    return Message(
        role=role,
        speaker=speaker,
        content=with_caption(str(fields["text"]), fields.get("caption")),
        session_id=str(conversation) if session is None else f"{conversation}/{session}",
        timestamp=moment,
        source_id=f"{conversation}/{fields['id']}",
    )
