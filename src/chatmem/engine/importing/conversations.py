"""Conversations of other programs: ChatGPT's export, OpenAI messages, LoCoMo, any JSON of messages.

Each reader yields the messages of a file in its order, and raises ImportFormatError where a part of
it has not the expected shape. Source: interfaces.md, "Command line".
"""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from chatmem.engine.importing.source_file import Note, SourceFile, read_date, role_and_speaker
from chatmem.model import Message

CHATGPT = 'conversations with a `mapping` of nodes, as in the "conversations.json" of an export'
_MACHINERY = ("user_editable_context", "model_editable_context", "thoughts", "reasoning_recap")
"""Kinds of content that are no part of the conversation."""
JSON = 'lists of {"role", "content", "timestamp"?, "session_id"?} or of {"query", "response"}'
_FIELDS: Mapping[str, tuple[str, ...]] = {
    "speaker": ("role", "speaker", "sender_name", "sender", "from", "author"),
    "text": ("content", "text", "value", "message"),
    "moment": ("created_at", "timestamp", "create_time", "date", "time"),
    "session": ("session_id", "session", "conversation_id"),
    "id": ("id", "message_id"),
}
"""What files call the parts of a message; the first that has a value counts."""
_ROUNDS = (
    *(("query", "response"), ("question", "answer"), ("user", "assistant")),
    *(("prompt", "completion"), ("input", "output")),
)
"""What they call a question and its answer, where these are one object."""
_ATTACHMENTS = ("image", "audio", "video", "file")
_OPENAI = "openai-"
_ID_CHARS = 20
_SESSION_DEPTH = 2  # a first question alone ("hi") opens many conversations; with its answer, one
LOCOMO = (
    'samples like {"sample_id", "conversation": {"session_1": [{"speaker", "dia_id", "text"}]}}'
)
_SESSION = re.compile(r"session_(\d+)")


def read_chatgpt(source: SourceFile) -> Iterator[Message]:
    """The messages of every conversation in `conversations.json`, or in the zip that holds it.

        [{"conversation_id", "title", "current_node", "mapping":
          {node: {"parent": node, "message": {"id", "author": {"role"},
           "content": {"parts": [...]}, "create_time"}}}}]

    A conversation is a tree, since answers can be tried again and questions edited; only the branch
    that was last on the screen is read.
    """
    texts = source.zip_texts("conversations", ".json") if source.is_zip else ()
    packed = ((f"{name}, ", source.parse(text, name)) for name, text in texts)
    for file, document in packed if source.is_zip else (("", source.json),):
        conversations = document if isinstance(document, list) else [document]
        for index, conversation in enumerate(conversations):
            place = f"{file}conversation {index}"
            yield from _branch_messages(
                source, place, source.checked(conversation, place, mapping=dict)
            )


def _branch_messages(
    source: SourceFile, place: str, conversation: Mapping[str, Any]
) -> Iterator[Message]:
    nodes: dict[str, dict[str, Any]] = conversation["mapping"]
    for name, node in nodes.items():
        source.checked(node, f"{place}, node {name}")
    session = conversation.get("conversation_id") or conversation.get("id")
    moment = read_date(conversation.get("create_time")) or source.now
    for name in _branch(nodes, conversation.get("current_node")):
        message = nodes[name].get("message")
        if not isinstance(message, dict) or _is_hidden(message):
            continue
        role, _ = role_and_speaker(str(_mapping(message.get("author")).get("role")))
        content = message.get("content")
        parts = _mapping(content).get("parts")
        text = content_text(parts if isinstance(parts, list) else content)
        if role == "system" or not text.strip():
            continue
        moment = source.moment(message.get("create_time"), moment)
        yield Message(
            role=role,
            content=text,
            session_id=str(session or next(iter(nodes))),
            timestamp=moment,
            source_id=str(message.get("id") or name),
        )


def _branch(nodes: dict[str, dict[str, Any]], current: object) -> list[str]:
    """Names of the nodes from the root to the current one, or to the last leaf."""
    if not isinstance(current, str) or current not in nodes:
        parents = {node.get("parent") for node in nodes.values()}
        current = next((name for name in reversed(nodes) if name not in parents), None)
    branch: dict[str, None] = {}
    while isinstance(current, str) and current in nodes and current not in branch:
        branch[current] = None
        current = nodes[current].get("parent")
    return list(reversed(branch))


def _is_hidden(message: Mapping[str, object]) -> bool:
    """True for what the person never saw: settings, thoughts, calls of tools."""
    return (
        bool(_mapping(message.get("metadata")).get("is_visually_hidden_from_conversation"))
        or _mapping(message.get("content")).get("content_type") in _MACHINERY
        or message.get("recipient") not in (None, "all")
    )


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def read_json(source: SourceFile, *, raw_ids: bool = False) -> Iterator[Message]:
    """The messages of any JSON: a list of messages or rounds is a conversation.

        {"messages": [{"role": "user", "content": "..."}]}
        {"Mei": {"history": {"2026-04-27": [{"query": "...", "response": "..."}]}}}

    It is named as its messages say, else after the fields it stands under and how it begins, and
    dated by the one of these fields that is a date. `raw_ids`: as `read_talk`.
    """
    lines = source.lines() if source.is_json_lines else ()
    values = (source.parse(line, f"line {number}") for number, line in lines)
    for value in values if source.is_json_lines else (source.json,):
        for listed, path, name in _lists(value):
            messages = [one for one in listed if said(one)]
            if len(messages) < len(listed):
                source.notes[Note.WITHOUT_TEXT] += len(listed) - len(messages)
            for session, talk in talks_of(messages).items():
                yield from read_talk(source, talk, name or session, path=path, raw_ids=raw_ids)


def _lists(
    value: object, path: tuple[str, ...] = (), name: str = "", levels: int = 64
) -> Iterator[tuple[list[Any], tuple[str, ...], str]]:
    """The lists of messages, in their order, the fields that each stands under, and its name."""
    listed = value if isinstance(value, list) else [value]
    if any(text for one in listed for _, text, _ in said(one)):
        yield listed, path, name
    elif isinstance(value, dict) and levels:
        own = value.get("id", value.get("conversation_id", ""))
        for field, one in value.items():
            if field == "messages":
                yield from _lists(one, path, str(own or ""), levels - 1)
            else:
                yield from _lists(one, (*path, field.strip()), "", levels - 1)
    elif isinstance(value, list) and levels:
        for one in listed:
            yield from _lists(one, path, "", levels - 1)


def said(fields: object) -> list[tuple[str, str, object]]:
    """Speaker, text and id of what an object says: one, in a round two, nothing if no message."""
    if not isinstance(fields, dict):
        return []
    speaker = _field(fields, "speaker")
    if isinstance(speaker, str):
        return [(speaker, content_text(_field(fields, "text")), _field(fields, "id"))]
    for asked, answered in _ROUNDS:
        if isinstance(fields.get(asked), str) and isinstance(fields.get(answered), str):
            return [("user", fields[asked], None), ("assistant", fields[answered], None)]
    return []


def talks_of(messages: Iterable[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """The messages by the session that they name, "" where they name none, in their order."""
    talks: dict[str, list[dict[str, Any]]] = {}
    for fields in messages:
        talks.setdefault(str(_field(fields, "session") or ""), []).append(fields)
    return talks


def read_talk(
    source: SourceFile,
    talk: Iterable[dict[str, Any]],
    name: str,
    *,
    path: tuple[str, ...] = (),
    raw_ids: bool = False,
) -> Iterator[Message]:
    """The messages of one conversation; one whose name is "" is known by how it begins.

    Such files rarely carry ids, so a message is known by a hash of all that was said up to it: a
    conversation exported again after it grew adds only what is new. `path` has the fields it stands
    under. With `raw_ids` its messages' ids are unique beyond it.
    """
    day = next((field for field in reversed(path) if read_date(field)), None)
    spoken = [
        (*role_and_speaker(who), text, own, _field(fields, "moment") or day)
        for fields in talk
        for who, text, own in said(fields)
    ]
    begin = _hash([f"{role} {text}" for role, _, text, *_ in spoken][:_SESSION_DEPTH])
    session = name or "/".join([*path, begin.removeprefix(_OPENAI) if path else begin])
    known_by, moment = session, source.now
    for role, speaker, text, own, at in spoken:
        # The chain makes equal words at different places different messages.
        known_by = _hash([known_by, role, text])
        if role == "system":
            source.notes[Note.SYSTEM_PROMPT] += 1
        elif not text.strip():
            source.notes[Note.WITHOUT_TEXT] += 1
        else:
            moment = source.moment(at, moment)
            if raw_ids:
                identifier = own if isinstance(own, str) else known_by
            else:
                identifier = known_by if own is None else f"{session}/{own}"
            yield Message(
                role=role,
                content=text,
                session_id=session,
                timestamp=moment,
                speaker=speaker,
                source_id=identifier,
            )


def _field(fields: Mapping[str, Any], kind: str) -> Any:  # noqa: ANN401 - of a file
    return next((fields[name] for name in _FIELDS[kind] if fields.get(name) is not None), None)


def _hash(texts: list[str]) -> str:
    joined = "\x00".join(texts).encode(errors="surrogatepass")
    return f"{_OPENAI}{hashlib.sha256(joined).hexdigest()[:_ID_CHARS]}"


def content_text(content: object) -> str:
    """What a message says: its text, its text parts joined, `[image]` and the like for the rest."""
    if isinstance(content, str):
        return content
    parts = [content] if isinstance(content, dict) else content
    return "\n".join(filter(None, map(_part_text, parts))) if isinstance(parts, list) else ""


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


def read_locomo(source: SourceFile) -> Iterator[Message]:
    """The messages of LoCoMo's JSON, session after session in the order of their numbers.

        [{"sample_id": "conv-1", "conversation": {"session_1_date_time": "...",
          "session_1": [{"speaker": "...", "dia_id": "D1:1", "text": "...", "blip_caption": ""}]}}]

    Its questions and annotations are left alone.
    """
    for place, sample in enumerate(source.json_list):
        fields = source.checked(sample, f"sample {place}", conversation=dict)
        name, conversation = fields.get("sample_id", f"sample-{place}"), fields["conversation"]
        sessions = [found for key in conversation if (found := _SESSION.fullmatch(key))]
        if not sessions:
            raise source.broken(f"sample {name}", "no session")
        moment = source.now
        for session in (one[0] for one in sorted(sessions, key=lambda one: int(one[1]))):
            turns = conversation[session]
            if not isinstance(turns, list):
                raise source.broken(f"sample {name}, {session}", "not a list of turns")
            moment = source.moment(conversation.get(f"{session}_date_time"), moment)
            for index, turn in enumerate(turns):
                where = f"sample {name}, {session}[{index}]"
                said_in = source.checked(turn, where, text=str, speaker=str)
                number = said_in.get("dia_id", f"{session}:{index}")
                yield spoken(said_in, f"{name}/{session}", moment, f"{name}/{number}")


def spoken(fields: Mapping[str, Any], session_id: str, moment: datetime, source_id: str) -> Message:
    """What a `speaker` says in a `text`, and after it what a shared picture shows."""
    role, speaker = role_and_speaker(fields["speaker"])
    shown = fields.get("blip_caption", fields.get("caption"))
    shown = f"[{shown.strip()}]" if isinstance(shown, str) and shown.strip() else ""
    return Message(
        role=role,
        speaker=speaker,
        content=" ".join(filter(None, (fields["text"], shown))),
        session_id=session_id,
        timestamp=moment,
        source_id=source_id,
    )
