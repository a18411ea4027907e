"""How far an agent may go, and how long its requests may become."""

from dataclasses import dataclass, fields

from chatmem.engine.checked import checked_number

_MOST = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentLimits:
    """Bounds of a run; tokens are o200k tokens.

    `steps` counts all steps that are carried out, those of a changed plan included.
    `requests_per_step` counts answers that could be used; a second request after an unusable one
    comes on top. `history_tokens` holds what was done so far: its oldest observations are
    shortened first. An observation is what a tool gave back.
    """

    steps: int = 12
    requests_per_step: int = 6
    content_tokens: int = 8_000
    memory_tokens: int = 1_500
    conversation_messages: int = 10
    conversation_tokens: int = 1_500
    history_tokens: int = 4_000
    observation_tokens: int = 1_000

    def __post_init__(self) -> None:
        """Raises InvalidInputError for a bound that is no whole number, or too small."""
        for field in fields(self):
            least = 1 if field.name in ("steps", "requests_per_step") else 0
            place = f"limits.{field.name}"
            checked_number(getattr(self, field.name), place, least, _MOST, whole=True)
