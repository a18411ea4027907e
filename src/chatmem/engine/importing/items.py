"""What an importer finds in a file: messages of conversations, and memories.

Source: interfaces.md, "Command line"; decisions 1 (imports deduplicate by the source's own ids).
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

from chatmem.model import Category, Kind, Message, Role, Source, Visibility
from chatmem.model.memory import DEFAULT_CONFIDENCE, NEUTRAL_IMPORTANCE, JsonValue

Format: TypeAlias = Literal["chatgpt", "openai", "locomo", "jsonl", "mem0", "markdown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedMemory:
    """A long-term memory that a file holds; `timestamp` None means that the file does not say.

    `source_tag` is the memory's id in its source (`mem0:8f3a`), kept among the tags, by which a
    second import recognises it even after it was edited here.
    """

    content: str
    category: Category = "fact"
    kind: Kind = "semantic"
    timestamp: datetime | None = None
    tags: tuple[str, ...] = ()
    source_tag: str | None = None
    importance: int = NEUTRAL_IMPORTANCE
    confidence: float = DEFAULT_CONFIDENCE
    visibility: Visibility = "private"
    source: Source = "user_stated"
    key: str | None = None
    value: JsonValue = None


Item: TypeAlias = Message | ImportedMemory

_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "me": "user",
    "用户": "user",
    "用戶": "user",
    "我": "user",
    "assistant": "assistant",
    "ai": "assistant",
    "bot": "assistant",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "model": "assistant",
    "助手": "assistant",
    "system": "system",
    "developer": "system",
    "系统": "system",
    "系統": "system",
    "tool": "tool",
    "function": "tool",
}


def role_and_speaker(name: str) -> tuple[Role, str | None]:
    """The role a speaker's name stands for, and the name itself where it is a person's.

    People who chat with each other are all `user`: what any of them said was said by a human.
    """
    role = _ROLES.get(name.strip().lower())
    return (role, None) if role is not None else ("user", name.strip() or None)


def with_caption(text: str, caption: object) -> str:
    """The text, and after it what a shared picture shows."""
    if not isinstance(caption, str) or not caption.strip():
        return text
    return f"{text} [{caption.strip()}]" if text else f"[{caption.strip()}]"
