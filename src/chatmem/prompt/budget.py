"""How long a prompt and its parts may be.

What a prompt cannot do without (the message, the system prompt, the scenario's words, skills,
tools) has to fit. The rest goes in as it fits, in the order of `receipt.PRIORITY`.

Source: S4.2.1, S4.2.2, S4.2.3; decisions 5.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields

from chatmem.errors import InvalidInputError

_LARGEST = 10_000_000
_LEAST = {"total_tokens": 1, "entry_tokens": 8}


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of one prompt, in o200k tokens where the name says so.

    `memory_tokens` is the whole memory section (without the history that flat text shows there),
    `main_tokens` MEMORY.md inside it; `max_entries` counts what is recalled and found, and
    summaries; an entry longer than `entry_tokens` is cut down to its best passage.

    Raises:
        InvalidInputError: a value that is no whole number, or out of its range.
    """

    total_tokens: int = 16_000
    memory_tokens: int = 2_000
    main_tokens: int = 1_200
    household_tokens: int = 400
    profile_tokens: int = 600
    rag_tokens: int = 2_000
    window_messages: int = 20
    max_entries: int = 40
    entry_tokens: int = 160
    semantic_top_k: int = 3
    episodic_top_k: int = 1

    def __post_init__(self) -> None:
        check_limits({limit.name: getattr(self, limit.name) for limit in fields(self)}, "budget")


LIMITS = tuple(limit.name for limit in fields(Budget))


def make_budget(*changes: Mapping[str, int]) -> Budget:
    """The default budget with these limits changed, the last mapping winning.

    Raises:
        InvalidInputError: a name that is no limit, or a value that does not fit.
    """
    limits: dict[str, int] = {}
    for one in changes:
        check_limits(one, "budget")
        limits |= one
    return Budget(**limits)


def check_limits(limits: Mapping[str, object], place: str) -> None:
    """Check that each is a limit of `Budget`, with a value that it takes.

    Raises:
        InvalidInputError: one is not; the message begins with `place`.
    """
    for name, value in limits.items():
        if name not in LIMITS:
            raise InvalidInputError(f"{place}: no limit {name!r}; there are {', '.join(LIMITS)}")
        least = _LEAST.get(name, 0)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= _LARGEST:
            takes = f"a whole number from {least} to {_LARGEST:,}"
            raise InvalidInputError(f"{place}: {name}: got {value!r}, takes {takes}")
