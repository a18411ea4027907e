"""What the index keeps of a text besides its vector."""

from dataclasses import dataclass

from chatmem.text.flags import text_flags
from chatmem.text.segment import index_tokens


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """Tokens of a text in order, its `TextFlags` as an int, and who said it (None: nobody)."""

    tokens: tuple[str, ...]
    flags: int = 0
    speaker: str | None = None


def index_entry(content: str, speaker: str | None = None) -> IndexEntry:
    """What the index keeps of a text that `speaker` said."""
    return IndexEntry(tuple(index_tokens(content)), int(text_flags(content)), speaker)
