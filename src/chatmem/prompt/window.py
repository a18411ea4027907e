"""The running session's messages, as many as fit, oldest rounds first out.

Source: S1.4.1, S2.5.1; decisions 5.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from chatmem.errors import MessageOrderError
from chatmem.prompt.material import WindowMessage

Round: TypeAlias = list[tuple[int, WindowMessage]]
ROLES = ("system", "user", "assistant", "tool")
_AFTER = {
    None: ("system", "user"),
    "system": ("system", "user"),
    "user": ("assistant",),
    "assistant": ("user", "tool"),
    "tool": ("tool", "assistant"),
}


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
    system: list[str] = []
    conversation: list[WindowMessage] = []
    before: str | None = None
    for index, message in enumerate(messages):
        role, content = _read(message, index)
        if role not in _AFTER[before]:
            takes = " or ".join(_AFTER[before])
            where = f"behind {before}" if before else "at the beginning"
            raise MessageOrderError(
                f"session_messages[{index}]: {role} cannot stand {where}; takes {takes}"
            )
        if role == "system":
            system.append(content)
        else:
            conversation.append(WindowMessage(role, content))
        before = role
    if before in ("user", "tool"):
        raise MessageOrderError(
            f"session_messages[{len(messages) - 1}]: ends with {before}, takes assistant: "
            "the new message is given by itself"
        )
    return system, tuple(conversation)


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


def rounds(messages: Sequence[WindowMessage]) -> list[Round]:
    """The messages by rounds, each with its place; a user's message begins one.

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


def _read(message: object, index: int) -> tuple[str, str]:
    place = f"session_messages[{index}]"
    if not isinstance(message, Mapping):
        raise MessageOrderError(
            f'{place}: got {type(message).__name__}, takes {{"role", "content"}}'
        )
    role, content = message.get("role"), message.get("content")
    if role not in ROLES:
        raise MessageOrderError(f"{place}: role {role!r}, takes {', '.join(ROLES)}")
    if not isinstance(content, str):
        raise MessageOrderError(f"{place}: content of {role} is no text")
    return str(role), content
