"""What a prompt is made of, how it is read from what a caller gives, and how long it may be.

The caller has decided who may see the values. Memory that is switched off is memory that is not
here. What a prompt cannot do without (the message, the system prompt, the scenario's words, skills,
tools) has to fit the budget; the rest goes in as it fits, in the order of `receipt.PRIORITY`.

Source: S1.4.1, S2.5.1, S4.2.1, S4.2.2, S4.2.3; interfaces.md (tools); decisions 5.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date as Date
from typing import Any, TypeAlias

from chatmem.errors import InvalidInputError, MessageOrderError
from chatmem.model import Hit, SessionSummary
from chatmem.prompt.main_memory import MainMemory
from chatmem.text.languages import DEFAULT, LanguageCode

_LARGEST = 10_000_000
_LEAST = {"total_tokens": 1, "entry_tokens": 8}


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of one prompt, in o200k tokens where the name says so.

    `memory_tokens` is the whole memory section (without the history that flat text shows there),
    `main_tokens` MEMORY.md inside it; `max_entries` counts what is recalled and found, and
    summaries; an entry longer than `entry_tokens` is cut down to its best passage. `make_budget`
    checks them.
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


ROLES = ("system", "user", "assistant", "tool")
_FOLLOWERS = {
    None: ("system", "user"),
    "system": ("system", "user"),
    "user": ("assistant",),
    "assistant": ("user", "tool"),
    "tool": ("tool", "assistant"),
}
_TOOL_NAME = re.compile(r"[A-Za-z0-9_.:/-]{1,128}")


@dataclass(frozen=True, slots=True)
class WindowMessage:
    """A message of the running session; `role` is user, assistant, tool or system."""

    role: str
    content: str


Round: TypeAlias = list[tuple[int, WindowMessage]]
"""The user's message and what follows it, each with its index in the window."""


@dataclass(frozen=True, slots=True)
class RagDocument:
    """A document that the caller found for this message."""

    content: str
    title: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may call; `parameters` is its JSON schema."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that may go into one prompt.

    `base_prompt` None takes the persona's own words, "" neither. `semantic` and `episodic` are
    recalled memories, `found` those of a search beside them, each best first; `window` has the
    oldest message first. Memories of others than `viewer` are marked as shared. `speakers` are
    names of who said a turn, by the memory's id.
    """

    message: str
    base_prompt: str | None = None
    skills: Sequence[str] = ()
    date: Date | None = None
    language: LanguageCode = DEFAULT.code
    household: str = ""
    profile: str = ""
    main: MainMemory = field(default_factory=MainMemory)
    semantic: Sequence[Hit] = ()
    episodic: Sequence[Hit] = ()
    summaries: Sequence[SessionSummary] = ()
    found: Sequence[Hit] = ()
    window: Sequence[WindowMessage] = ()
    rag: Sequence[RagDocument] = ()
    tools: Sequence[Tool] = ()
    viewer: str = "default"
    speakers: Mapping[str, str] = field(default_factory=dict)


def read_tool(value: object) -> Tool:
    """A tool from `{"name", "description", "parameters"}` or OpenAI's wrapping of it.

    Raises:
        InvalidInputError: no name, or a description or parameters of another type.
    """
    takes = 'takes {"name", "parameters"}'
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"tools: got {type(value).__name__}, {takes}")
    value = value.get("function", value)
    if not isinstance(value, Mapping):
        raise InvalidInputError(f'tools: "function" is no object; {takes}')
    name = value.get("name")
    if not isinstance(name, str) or not _TOOL_NAME.fullmatch(name):
        raise InvalidInputError(
            f"tools: name: got {name!r}, takes 1 to 128 letters, digits and . _ : / -"
        )
    description = value.get("description") or ""
    if not isinstance(description, str):
        raise InvalidInputError(f"tools: description of {name!r} is no text")
    parameters = value.get("parameters")
    parameters = {} if parameters is None else parameters
    if not isinstance(parameters, Mapping):
        raise InvalidInputError(f"tools: parameters of {name!r} are no JSON schema (an object)")
    return Tool(name, description, parameters)


def check_order(
    messages: Sequence[Mapping[str, Any]],
) -> tuple[list[str], tuple[WindowMessage, ...]]:
    """The system texts at the beginning, and the conversation, which ends with an assistant's.

    Raises:
        MessageOrderError: a message without role or text, or one that cannot follow the one before
            it; the error has its index and both roles.
    """
    if isinstance(messages, (str, Mapping)):
        raise MessageOrderError('session_messages: takes a list of {"role", "content"}')
    conversation: list[WindowMessage] = []
    before: str | None = None
    for index, message in enumerate(messages):
        place = f"session_messages[{index}]"
        found = _read_message(message, place)
        if found.role not in _FOLLOWERS[before]:
            where = f"behind {before}" if before else "at the beginning"
            takes = " or ".join(_FOLLOWERS[before])
            raise MessageOrderError(f"{place}: {found.role} cannot stand {where}; takes {takes}")
        conversation.append(found)
        before = found.role
    if before in ("user", "tool"):
        raise MessageOrderError(
            f"session_messages[{len(messages) - 1}]: ends with {before}, takes assistant: "
            "the new message is given by itself"
        )
    system = [one.content for one in conversation if one.role == "system"]
    return system, tuple(conversation[len(system) :])


def _read_message(message: object, place: str) -> WindowMessage:
    if not isinstance(message, Mapping):
        raise MessageOrderError(
            f'{place}: got {type(message).__name__}, takes {{"role", "content"}}'
        )
    role, content = message.get("role"), message.get("content")
    if role not in ROLES:
        raise MessageOrderError(f"{place}: role {role!r}, takes {', '.join(ROLES)}")
    if not isinstance(content, str):
        raise MessageOrderError(f"{place}: content of {role} is no text")
    return WindowMessage(str(role), content)


def rounds(messages: Sequence[WindowMessage]) -> list[Round]:
    """The messages by rounds; a user's message begins one.

    System messages and those without text are no part of a round.
    """
    found: list[Round] = []
    for index, message in enumerate(messages):
        if message.role == "system" or not message.content.strip():
            continue
        if message.role == "user" or not found:
            found.append([])
        found[-1].append((index, message))
    return found


def window(messages: Sequence[WindowMessage], max_messages: int) -> tuple[WindowMessage, ...]:
    """The newest whole rounds that have at most `max_messages` messages together, oldest first.

    Source: S2.5.1.
    """
    newest: list[WindowMessage] = []
    for one in reversed(rounds(messages)):
        if len(newest) + len(one) > max_messages:
            break
        newest = [*(message for _, message in one), *newest]
    return tuple(newest)
