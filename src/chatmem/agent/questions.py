"""What an agent asks its model: a plan or a step, and once more where the answer is of no use.

The system prompts hold nothing of a request and are the same, byte for byte, from step to step and
from run to run: a provider's prompt cache holds.

Source: S1.7; S3.2.3; decisions 4 (a typed, validated answer and a retry), 5 (stable parts first).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Final, TypeAlias

from chatmem.agent.answers import (
    MOST_DESCRIPTION_CHARS,
    Answer,
    PlanAnswer,
    StepAnswer,
    read_answer,
)
from chatmem.agent.plan import PlanStep, Run
from chatmem.agent.prompts import AgentContext, recall_context, step_sections, user_prompt
from chatmem.chat.tools import Toolbox
from chatmem.engine.service import MemoryService
from chatmem.errors import InvalidInputError, PlanError, StepError
from chatmem.prompt.fence import DOCUMENT_FENCE, fenced
from chatmem.prompt.imitations import mark_of
from chatmem.text.languages import LanguageCode
from chatmem.text.tokens import truncate_tokens
from chatmem.text.wordlist import toml_of

SendRequest: TypeAlias = Callable[[str, str], str]
"""`send_ai_request(user_prompt, system_prompt)`, the model's text."""
_SHOWN_TOKENS: Final = 500
"""Of an answer that could not be used; what is longer is asked for again from the beginning."""
_SHOWN_CHARS: Final = 8_000


@dataclass(frozen=True, slots=True)
class Questions:
    """Asks for plans and steps, with what is remembered for each."""

    memory: MemoryService
    send: SendRequest
    tools: Toolbox
    most_steps: int
    session_id: str | None

    def plan(self, run: Run, now: datetime) -> PlanAnswer:
        """The plan for a run's task.

        Raises:
            PlanError: the model gave none that can be used, asked twice.

        Source: S1.7.1.
        """
        values = {"steps": self.most_steps, "chars": MOST_DESCRIPTION_CHARS}
        system = self._instructions("planning", run.language, values)
        context = recall_context(
            self.memory, [f"{run.request} {run.intent}".strip()], self.session_id, run, now
        )
        user = user_prompt(run, context, now.astimezone().date())
        answer = self._ask(user, system, PlanAnswer, self.most_steps, run.language)
        self._count(context, run, now)
        return answer

    def step(self, run: Run, step: PlanStep, may_call: bool, now: datetime) -> StepAnswer:
        """A tool call or the result of the step that is due.

        Raises:
            StepError: the model gave none that can be used, asked twice.

        Source: S1.7.2.
        """
        system = self._instructions("stepping", run.language, {})
        queries = [step.description, run.request]
        context = recall_context(self.memory, queries, self.session_id, run, now)
        more = step_sections(run, step, may_call)
        user = user_prompt(run, context, now.astimezone().date(), more)
        room = self.most_steps - step.number
        answer = self._ask(user, system, StepAnswer, room, run.language)
        self._count(context, run, now)
        return answer

    def _ask(
        self,
        user: str,
        system: str,
        shape: type[Answer],
        most_steps: int,
        language: LanguageCode,
    ) -> Answer:
        """The model's answer, or its second: that request says what was wrong with the first."""
        answer = _text(self.send(user, system))
        try:
            return read_answer(answer, shape, self.tools.names, most_steps)
        except InvalidInputError as first:
            problem = str(first)
        shown, cut = truncate_tokens(answer[:_SHOWN_CHARS], _SHOWN_TOKENS)
        quoted = fenced(DOCUMENT_FENCE, "answer", f"{shown}…" if cut else shown, mark_of(user))
        note = _words(language)["repair"] % (problem, quoted)
        answer = _text(self.send(f"{user}\n\n{note}", system))
        try:
            return read_answer(answer, shape, self.tools.names, most_steps)
        except InvalidInputError as second:
            error = PlanError if shape is PlanAnswer else StepError
            raise error(str(second), answer) from second

    def _instructions(self, kind: str, language: LanguageCode, values: Mapping[str, object]) -> str:
        """What the model is told of planning or of a step, and the tools."""
        words, tools = _words(language), self.tools.documentation()
        text = words[kind] % {**values, "data": words["data"]}
        return f"{text}\n\n" + (f"{words['tools']}\n{tools}" if tools else words["no_tools"])

    def _count(self, context: AgentContext, run: Run, now: datetime) -> None:
        """Counts an access of what stood in a request, once a run. Source: S3.2.3."""
        fresh = [one for one in context.memory_ids if one not in run.counted]
        if fresh:
            self.memory.count_access(fresh, now=now)
            run.counted.update(fresh)


@cache
def _words(language: LanguageCode) -> Mapping[str, str]:
    words: Mapping[str, str] = toml_of("chatmem.agent", "instructions")[language]
    return words


def _text(answer: object) -> str:
    if not isinstance(answer, str):
        raise InvalidInputError(
            f"send_ai_request: gave {type(answer).__name__}, takes a function that returns text"
        )
    return answer
