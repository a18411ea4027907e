"""The export of ChatGPT: `conversations.json`, or the zip that holds it.

    [{"conversation_id", "title", "current_node", "mapping":
      {node: {"parent": node, "message": {"id", "author": {"role"}, "content": {"parts": [...]},
       "create_time"}}}}]

A conversation is a tree, since answers can be tried again and questions edited; what is imported
is the branch that was last on the screen. Source: interfaces.md, "Command line".
"""

from collections.abc import Iterator, Mapping

from chatmem.engine.importing.dates import read_date
from chatmem.engine.importing.items import role_and_speaker
from chatmem.engine.importing.openai_messages import content_text
from chatmem.engine.importing.source_file import SourceFile
from chatmem.model import Message, Role

EXPECTED = 'conversations with a `mapping` of nodes, as in the "conversations.json" of an export'

# What is part of the machinery, not of the conversation.
_HIDDEN_CONTENT = ("user_editable_context", "model_editable_context", "thoughts", "reasoning_recap")


def read(source: SourceFile) -> Iterator[Message]:
    """The messages of every conversation's current branch, oldest first.

    Raises:
        ImportFormatError: no conversations are in the file, or one has no usable mapping.
    """
    for file, document in _documents(source):
        conversations = document if isinstance(document, list) else [document]
        for index, conversation in enumerate(conversations):
            spot = f"{file}conversation {index}"
            if not isinstance(conversation, dict) or "mapping" not in conversation:
                raise source.broken(spot, "no `mapping`", EXPECTED)
            yield from _conversation(source, spot, conversation)


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
    source: SourceFile, spot: str, conversation: Mapping[str, object]
) -> Iterator[Message]:
    nodes = _nodes(source, spot, conversation["mapping"])
    name = conversation.get("conversation_id") or conversation.get("id") or next(iter(nodes), spot)
    moment = read_date(conversation.get("create_time")) or source.now
    for node in _branch(nodes, conversation.get("current_node")):
        message = nodes[node].get("message")
        if not isinstance(message, dict) or _is_hidden(message):
            continue
        role, text = _role(message), content_text(_content(message))
        if role == "system" or not text.strip():
            continue
        moment = source.moment(message.get("create_time"), moment)
        yield Message(
            role=role,
            content=text,
            session_id=str(name),
            timestamp=moment,
            source_id=str(message.get("id") or node),
        )


def _nodes(source: SourceFile, spot: str, mapping: object) -> dict[str, dict[str, object]]:
    if not isinstance(mapping, dict):
        raise source.broken(spot, "no `mapping`", EXPECTED)
    for name, node in mapping.items():
        if not isinstance(node, dict):
            raise source.broken(f"{spot}, node {name}", "not an object", EXPECTED)
    return mapping


def _branch(nodes: Mapping[str, Mapping[str, object]], current: object) -> list[str]:
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


def _role(message: Mapping[str, object]) -> Role:
    author = message.get("author")
    name = author.get("role") if isinstance(author, dict) else None
    return role_and_speaker(name)[0] if isinstance(name, str) else "user"


def _content(message: Mapping[str, object]) -> object:
    content = message.get("content")
    if isinstance(content, dict) and isinstance(content.get("parts"), list):
        return content["parts"]
    return content


def _is_hidden(message: Mapping[str, object]) -> bool:
    """True for what the person never saw: settings, thoughts, calls of tools."""
    metadata, content = message.get("metadata"), message.get("content")
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation"):
        return True
    if isinstance(content, dict) and content.get("content_type") in _HIDDEN_CONTENT:
        return True
    return message.get("recipient") not in (None, "all")
