"""The export of ChatGPT: `conversations.json`, or the zip that holds it.

    [{"conversation_id", "title", "current_node", "mapping":
      {node: {"parent": node, "message": {"id", "author": {"role"}, "content": {"parts": [...]},
       "create_time"}}}}]

A conversation is a tree, since answers can be tried again and questions edited; what is imported
is the branch that was last on the screen. Source: interfaces.md, "Command line".
"""

from collections.abc import Iterator, Mapping
from typing import Any

from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.openai_messages import content_text
from chatmem.engine.importing.source_file import SourceFile, role_and_speaker
from chatmem.model import Message

EXPECTED = 'conversations with a `mapping` of nodes, as in the "conversations.json" of an export'
_MACHINERY = ("user_editable_context", "model_editable_context", "thoughts", "reasoning_recap")
"""Kinds of content that are no part of the conversation."""


def read(source: SourceFile) -> Iterator[Message]:
    """The messages of every conversation's current branch, oldest first.

    Raises:
        ImportFormatError: no conversations are in the file, or one has no usable mapping.
    """
    for file, document in _documents(source):
        conversations = document if isinstance(document, list) else [document]
        for index, conversation in enumerate(conversations):
            place = f"{file}conversation {index}"
            checked = source.checked(conversation, place, EXPECTED, mapping=dict)
            yield from _conversation(source, place, checked)


def _documents(source: SourceFile) -> Iterator[tuple[str, object]]:
    if not source.is_zip:
        yield "", source.json
        return
    found = False
    for name, text in source.zip_texts("conversations", ".json"):
        found = True
        yield f"{name}, ", source.parse(text, name)
    if not found:
        raise source.broken(None, "a zip without conversations.json", "a ChatGPT export")


def _conversation(
    source: SourceFile, place: str, conversation: Mapping[str, Any]
) -> Iterator[Message]:
    nodes: dict[str, dict[str, Any]] = conversation["mapping"]
    for name, node in nodes.items():
        source.checked(node, f"{place}, node {name}", EXPECTED)
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


def _branch(nodes: Mapping[str, Mapping[str, Any]], current: object) -> list[str]:
    """Names of the nodes from the root to the current one, or to the last leaf."""
    if not isinstance(current, str) or current not in nodes:
        parents = {node.get("parent") for node in nodes.values()}
        leaves = [name for name in nodes if name not in parents]
        current = leaves[-1] if leaves else None
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
