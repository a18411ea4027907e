"""Messages and the memories of the same words: what is new, and what stands there already."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from chatmem.engine.space import Space
from chatmem.engine.state import entry_of, new_id
from chatmem.model import AtomicMemoryRecord, Message, SavedMessage


@dataclass(frozen=True, slots=True)
class KeptMessage:
    """A message to be kept, the id of its memory, and when that is stored: None for one that is."""

    message: Message
    memory_id: str
    stored_at: datetime | None

    @property
    def saved(self) -> SavedMessage:
        """What became of it."""
        return SavedMessage(self.memory_id, self.message.role, duplicate=self.stored_at is None)


def with_memory(space: Space, message: Message) -> KeptMessage:
    """The message with the memory that says the same, as S1.3 has it, or with a new one."""
    same = space.store.memories.same_start(
        space.owner, message.session_id, message.role, message.content
    )
    if space.engine.settings.memory.dedup == "exact":
        same = [(known, content) for known, content in same if content == message.content]
    if same:
        return KeptMessage(message, same[0][0], None)
    return KeptMessage(message, new_id(), message.timestamp)


def keep(space: Space, kept: Sequence[KeptMessage]) -> None:
    """Write the messages, and memories of those that are new, together."""
    entered = []
    for one in kept:
        if one.stored_at is None:
            continue
        message = one.message
        record = AtomicMemoryRecord(
            id=one.memory_id,
            user_id=space.owner.user_id,
            timestamp=message.timestamp,
            create_time=one.stored_at,
            content=message.content,
            session_id=message.session_id,
            app_type=message.app_type,
            role=message.role,
            memory_type="short_term",
        )
        entered.append((record, entry_of(record, message.speaker or message.role)))
    if entered:
        space.store.memories.insert_all(space.owner, entered)
    if kept:
        space.store.conversations.insert_all(
            space.owner, [(one.message, one.memory_id) for one in kept]
        )
