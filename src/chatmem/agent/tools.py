"""The tools that an agent's steps may call; whatever goes wrong in one is something to read.

Source: S1.7 (command documentation); S4.3.2 (memory writes of a tool).
"""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from chatmem.agent.plan import Observation
from chatmem.agent.prompts import CHARS_A_TOKEN
from chatmem.chat.toolbox import Toolbox, ToolSource
from chatmem.engine.service import MemoryService
from chatmem.errors import ChatmemError
from chatmem.prompt.imitations import neutralise
from chatmem.text.tokens import truncate_tokens


class AgentTools(Toolbox):
    """Tools whose results are observations, and whose writes are made at once."""

    def __init__(
        self, memory: MemoryService, tools: Iterable[ToolSource], most_tokens: int
    ) -> None:
        """Raises InvalidInputError for what is no tool, and for two tools of one name."""
        super().__init__(tools)
        self._memory = memory
        self._most_tokens = most_tokens

    def observe(self, name: str, arguments: Any, now: datetime) -> Observation:  # noqa: ANN401
        """What the tool gave back, harmless, cut to what an observation may have.

        A tool that is not there, arguments that do not fit, a tool that raises, and a write that
        memory refuses are told in the content.
        """
        result = self.call(name, arguments)
        given = result.content
        text = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False)
        head = text[: self._most_tokens * CHARS_A_TOKEN]
        content, is_cut = truncate_tokens(neutralise(head), self._most_tokens)
        if is_cut or len(head) < len(text):
            content = f"{content}… (cut, {len(text)} characters in all)"
        content, failed = content.strip() or "(nothing)", result.failed
        try:
            if result.memory_writes:
                self._memory.apply_writes(result.memory_writes, now=now)
        except ChatmemError as error:
            content, failed = f"{content}\nnot remembered: {neutralise(str(error))}", True
        return Observation(name, arguments if arguments is not None else {}, content, failed)
