"""The wall between what was said and what is made of it: secrets stay in the conversation.

A message is masked before it is read, not what was read from it: a topic or a summary has lost the
word that gave its secret away.

Source: decisions 4.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from chatmem.analysis.turn import Analyzer, TurnAnalysis
from chatmem.extraction.redact import mask_secrets, without_marks
from chatmem.model import WorkingMemory


@dataclass(frozen=True, slots=True)
class MaskedAnalyzer:
    """An analyzer that never sees a secret; `without_secrets` is the engine's."""

    analyzer: Analyzer
    without_secrets: Callable[[str], str]

    def analyse(self, message: str, previous: WorkingMemory | None) -> TurnAnalysis:
        """What the message tells beside its secrets; raises what the analyzer raises."""
        return self.analyzer.analyse(without_marks(self.without_secrets(message)), previous)


def masked_columns(columns: dict[str, Any]) -> dict[str, Any]:
    """The columns of a memory without secrets; those that are no text are left to their check.

    A value that its key or its content gives away is gone with it.
    """
    found = dict(columns)
    content, key, value = (columns.get(name) for name in ("content", "key", "value"))
    if isinstance(content, str):
        masked = mask_secrets(content)
        found["content"] = masked.text
        if masked.kinds and isinstance(value, str) and value not in masked.text:
            found["value"] = None
    if isinstance(value, str):
        said_of = str(key or "").replace("_", " ").replace(":", " ")
        if mask_secrets(value).kinds or mask_secrets(f"{said_of}: {value}").kinds:
            found["value"] = None
    if isinstance(columns.get("tags"), list | tuple):
        tags = [mask_secrets(one).text if isinstance(one, str) else one for one in columns["tags"]]
        found["tags"] = type(columns["tags"])(tags)
    return found
