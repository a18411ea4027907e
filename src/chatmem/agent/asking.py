"""One question to the model, and a second one where its answer cannot be used.

Source: S1.7; decisions 4 (a typed, validated answer and a retry).
"""

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from chatmem.agent.instructions import repair_note
from chatmem.errors import InvalidInputError, PlanError, StepError
from chatmem.prompt.fence import DOCUMENT_FENCE, fenced
from chatmem.text.language import Language
from chatmem.text.thoughts import without_thoughts
from chatmem.text.tokens import truncate_tokens

SendRequest: TypeAlias = Callable[[str, str], str]
"""`send_ai_request(user_prompt, system_prompt)`, the model's text."""

_SHOWN_TOKENS = 500
"""Of an answer that could not be used; what is longer is asked for again from the beginning."""
_SHOWN_CHARS = 8_000

Read = TypeVar("Read")


def ask(
    send: SendRequest,
    prompts: tuple[str, str],
    read: Callable[[str], Read],
    language: Language,
    error: type[PlanError] | type[StepError],
) -> Read:
    """What `read` makes of the model's answer to (user prompt, system prompt), or of its second.

    The second request says what was wrong; its system prompt is the same.

    Raises:
        InvalidInputError: `send` gave no text.
        PlanError, StepError: neither answer can be used.
    """
    user, system = prompts
    answer = _text(send(user, system))
    try:
        return read(answer)
    except InvalidInputError as first:
        problem = str(first)
    shown, cut = truncate_tokens(answer[:_SHOWN_CHARS], _SHOWN_TOKENS)
    quoted = fenced(DOCUMENT_FENCE, "answer", f"{shown}…" if cut else shown)
    note = repair_note(problem, quoted, language)
    answer = _text(send(f"{user}\n\n{note}", system))
    try:
        return read(answer)
    except InvalidInputError as second:
        raise error(str(second), answer) from second


def _text(answer: object) -> str:
    if not isinstance(answer, str):
        raise InvalidInputError(
            f"send_ai_request: gave {type(answer).__name__}, takes a function that returns text"
        )
    return without_thoughts(answer) or answer
