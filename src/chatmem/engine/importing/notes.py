"""What a person should know about an import: said as it is, and known by name."""

from enum import StrEnum


class Note(StrEnum):
    """A thing that was left out, or guessed; its text is what English readers see."""

    UNDATED = "messages without a date, dated like the one before or now"
    BADLY_DATED = "messages with a date that cannot be read, dated like the one before or now"
    MEMORY_UNDATED = "memories without a readable date, dated now"
    SUPERSEDED = "superseded memories, left out"
    FOREIGN = "memories of other users, left out"
    SYSTEM_PROMPT = "system prompts, left out"
    WITHOUT_TEXT = "messages without text (tool calls, for example), left out"
