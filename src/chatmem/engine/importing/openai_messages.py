"""Messages in the form of OpenAI's chat API.

    {"messages": [{"role": "user", "content": "..."}]}

one conversation, a list of them, one a line (the form of fine-tuning files), or a bare list of
messages. Such files rarely carry ids, so a message is known by a hash of all that was said up to
it: a conversation exported again after it grew adds only what is new.
Source: interfaces.md, "Command line".
"""

import hashlib
from collections.abc import Iterator

from chatmem.engine.importing.source_file import Note, SourceFile, role_and_speaker
from chatmem.model import Message

EXPECTED = '{"messages": [{"role", "content"}]}, a list of those, or a list of messages'
_ATTACHMENTS = ("image", "audio", "video", "file")
_ID_CHARS = 20
_SESSION_DEPTH = 2  # a first question alone ("hi") opens many conversations; with its answer, one


def read(source: SourceFile) -> Iterator[Message]:
    """The messages of every conversation; system prompts are left out, with a note.

    Raises:
        ImportFormatError: a conversation or message has not the expected shape.
    """
    for place, conversation in _conversations(source):
        name, messages = None, conversation
        if isinstance(conversation, dict):
            name = conversation.get("id", conversation.get("conversation_id"))
            messages = conversation.get("messages")
        if not isinstance(messages, list):
            raise source.broken(place or None, "no list of `messages`", EXPECTED)
        yield from _messages(source, place, messages, None if name is None else str(name))


def content_text(content: object) -> str:
    """What a message says: its text, its text parts joined, `[image]` and the like for the rest."""
    if isinstance(content, str):
        return content
    parts = [content] if isinstance(content, dict) else content
    return "\n".join(filter(None, map(_part_text, parts))) if isinstance(parts, list) else ""


def _conversations(source: SourceFile) -> Iterator[tuple[str, object]]:
    """Each conversation, and where it stands in the file."""
    if source.is_json_lines:
        for number, line in source.lines():
            yield f"line {number}", source.parse(line, f"line {number}")
        return
    document = source.json
    first = document[0] if isinstance(document, list) and document else None
    if isinstance(document, list) and not (isinstance(first, dict) and "role" in first):
        for index, conversation in enumerate(document):
            yield f"conversation {index}", conversation
    else:
        yield "", document


def _messages(
    source: SourceFile, place: str, messages: list[object], name: str | None
) -> Iterator[Message]:
    spoken = []
    for index, message in enumerate(messages):
        spot = f"{place}, message {index}" if place else f"message {index}"
        fields = source.checked(message, spot, EXPECTED, role=str)
        role, _ = role_and_speaker(fields["role"])
        spoken.append((role, content_text(fields.get("content")), fields))
    session = name or _hash([f"{role} {text}" for role, text, _ in spoken][:_SESSION_DEPTH])
    known_by, moment = session, source.now
    for role, text, fields in spoken:
        # The chain makes equal words at different places different messages.
        known_by = _hash([known_by, role, text])
        if role == "system":
            source.notes[Note.SYSTEM_PROMPT] += 1
        elif not text.strip():
            source.notes[Note.WITHOUT_TEXT] += 1
        else:
            moment = source.moment(fields.get("created_at", fields.get("timestamp")), moment)
            identifier = fields.get("id")
            yield Message(
                role=role,
                content=text,
                session_id=session,
                timestamp=moment,
                source_id=identifier if isinstance(identifier, str) else known_by,
            )


def _hash(texts: list[str]) -> str:
    joined = "\x00".join(texts).encode(errors="surrogatepass")
    return f"openai-{hashlib.sha256(joined).hexdigest()[:_ID_CHARS]}"


def _part_text(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        return ""
    text = part.get("text", part.get("transcript"))
    if isinstance(text, str):
        return text
    kind = part.get("type", part.get("content_type"))
    if not isinstance(kind, str):
        return ""
    return next((f"[{name}]" for name in _ATTACHMENTS if name in kind), "")
