"""Prompts as an application asks for them: messages for chat models, text for completion models.

    builder = ChatContextBuilder(memory)
    messages = builder.build_messages("什么时候搬家？", session_id)
    reply = client.chat.completions.create(model=..., messages=messages)
    memory.save_conversation_turn("什么时候搬家？", reply.choices[0].message.content, session_id)

Source: S1.4, S1.8, S4.1, S5.6; decisions 5.
"""

from typing import TYPE_CHECKING, Any

from chatmem.engine.prompt.compose import ContextMessages, ContextRequest, ContextText
from chatmem.errors import InvalidInputError
from chatmem.prompt.receipt import Receipt

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService


class _Builder:
    """`defaults` are options for every call; `receipt` is the last call's."""

    def __init__(self, memory: "MemoryService", **defaults: Any) -> None:  # noqa: ANN401
        self._memory = memory
        self._defaults = defaults
        self.receipt: Receipt | None = None

    def _request(
        self, message: str, session_id: str | None, options: dict[str, Any]
    ) -> ContextRequest:
        given = self._defaults | options
        try:
            return ContextRequest(message=message, session_id=session_id, **given)
        except TypeError as error:
            known = ", ".join(ContextRequest.__dataclass_fields__)
            raise InvalidInputError(f"context: {error}; takes {known}") from error


class ChatContextBuilder(_Builder):
    """Builds the messages that a chat model gets; `defaults` are options for every call.

    `receipt` is the last call's; each result carries its own.
    """

    def build_messages(
        self,
        message: str,
        session_id: str | None = None,
        **options: Any,  # noqa: ANN401
    ) -> ContextMessages:
        """One system message or none, the session's window, and the message, within the budget.

        `options` are fields of `ContextRequest`: `base_system_prompt, persona, scenario, skills,
        session_messages, rag, tools, language, budget, use_memory, counts_access, now`.

        Raises:
            InvalidInputError: an unknown option, or one with a value that does not fit.
            MessageOrderError: `session_messages` whose roles do not follow one another.
            BudgetError: the message, or what must stand beside it, is larger than the budget.
            TemplateNotFoundError: an unknown persona or scenario.
            SessionNotFoundError: the session is another user's.

        Source: S1.4.1, S1.8, S4.1, S5.6.
        """
        messages = self._memory.context().messages(self._request(message, session_id, options))
        self.receipt = messages.receipt
        return messages


class PromptComposer(_Builder):
    """Composes a prompt as flat text, for completion models; takes what the builder takes."""

    def compose(
        self,
        message: str,
        session_id: str | None = None,
        **options: Any,  # noqa: ANN401
    ) -> ContextText:
        """`[SYSTEM] [MEMORY] [RAG] [USER] [TOOL INSTR]`, those that there are, within the budget.

        Raises:
            ChatmemError: as `ChatContextBuilder.build_messages`.

        Source: S4.1.1, S5.6.
        """
        text = self._memory.context().text(self._request(message, session_id, options))
        self.receipt = text.receipt
        return text
