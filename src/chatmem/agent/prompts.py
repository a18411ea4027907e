"""What an agent asks its model: a plan or a step, and once more where the answer is of no use.

The system prompts hold nothing of a request and are the same, byte for byte, from step to step and
from run to run: a provider's prompt cache holds. The user prompts hold all that changes, and only
that. Memories and the conversation are recalled anew for each request. Of what was done so far the
oldest observations give way first: they are shortened, then left out. Results of steps come after
them, since later steps build on those. What was shortened says so.

Source: S1.7.1, S1.7.2 (request, current content, intent, memories, history); S1.4.2; S3.2.3;
decisions 4 (a typed, validated answer and a retry), 5 (stable parts first).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date as Date
from datetime import datetime
from functools import cache
from hashlib import sha256
from itertools import accumulate, takewhile, zip_longest
from typing import Final, TypeAlias

from chatmem.agent.plan import (
    MOST_DESCRIPTION_CHARS,
    Answer,
    PlanAnswer,
    PlanStep,
    Run,
    StepAnswer,
    StepResult,
    read_answer,
)
from chatmem.chat.tools import Toolbox, ToolRun
from chatmem.engine.service import MemoryService
from chatmem.errors import InvalidInputError, PlanError, StepError
from chatmem.model import Hit
from chatmem.prompt.fence import (
    DOCUMENT_FENCE,
    MEMORY_FENCE,
    excerpt,
    fenced,
    fenced_items,
    item,
    memory_line,
    message_line,
    query_terms,
)
from chatmem.prompt.imitations import mark_of, neutralise
from chatmem.prompt.material import Material, WindowMessage
from chatmem.prompt.sections import metadata
from chatmem.text.languages import LanguageCode, phrases
from chatmem.text.languages.language import toml_of
from chatmem.text.tokens import count_tokens, truncate_tokens

SendRequest: TypeAlias = Callable[[str, str], str]
"""`send_ai_request(user_prompt, system_prompt)`, the model's text."""
_SHOWN_TOKENS: Final = 500
"""Of an answer that could not be used; what is longer is asked for again from the beginning."""
_SHOWN_CHARS: Final = 8_000
HISTORY_FENCE: Final = "tool_history"
CONTENT_TOKENS: Final = 8_000
MEMORY_TOKENS: Final = 1_500
CONVERSATION_MESSAGES: Final = 10
CONVERSATION_TOKENS: Final = 1_500
HISTORY_TOKENS: Final = 4_000
MAX_CHARS_PER_TOKEN: Final = 16
"""More than nearly every token has: what is longer is cut before it is counted."""
_MARK_CHARS: Final = 12
_ENTRY_TOKENS: Final = 300
_QUERY_CHARS: Final = 2_000
_ORIGIN: Final = "this run"
_SHORT_TOKENS: Final = 40
_ARGUMENT_TOKENS: Final = 60
_CUT: Final = phrases("agent.cut")
_LAST: Final = phrases("agent.last_step")
_NO_MORE_CALLS: Final = phrases("agent.no_more_calls")
_SIGNS: Final = {"done": "[x]", "failed": "[!]", "open": "[ ]", "cancelled": "[-]"}
_SHORTENED: Final = phrases("agent.shortened")
_LEFT_OUT: Final = phrases("agent.left_out")
_EARLIER: Final = phrases("agent.earlier")
_HEAD: Final = phrases("agent.head")
_STATUSES: Final = {
    name: phrases(f"agent.status.{name}") for name in ("done", "failed", "cancelled", "error")
}


@dataclass(frozen=True, slots=True)
class AgentContext:
    """Fenced lines, and the memories among them."""

    memories: str = ""
    conversation: str = ""
    memory_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HistoryLine:
    """One line of history: a tool's observation, or a step's result."""

    head: str
    body: str
    is_observation: bool

    @property
    def text(self) -> str:
        """The line as it stands in a request; its text is harmless."""
        return item(self.head, self.body)

    @property
    def tokens(self) -> int:
        """What it takes, with its line break."""
        return count_tokens(self.text) + 1


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
        context = self._recall([f"{run.request} {run.intent}".strip()], run, now)
        user = _user_prompt(run, context, now.astimezone().date())
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
        context = self._recall([step.description, run.request], run, now)
        more = _step_sections(run, step, may_call)
        user = _user_prompt(run, context, now.astimezone().date(), more)
        room = self.most_steps - step.number
        answer = self._ask(user, system, StepAnswer, room, run.language)
        self._count(context, run, now)
        return answer

    def _recall(self, queries: Sequence[str], run: Run, now: datetime) -> AgentContext:
        """The memories for these queries, the first of each first; the session's newest messages.

        Recalled anew for each request, so that what was forgotten in between does not come back.
        Nothing is recalled where memory is switched off. What recall could not use, the run notes.
        """
        conversation = _conversation(self.memory, self.session_id, run) if self.session_id else ""
        if not self.memory.settings.memory.enabled:
            return AgentContext(conversation=conversation)
        found = [
            self.memory.get_relevant_memories(
                query[:_QUERY_CHARS], session_id=self.session_id, now=now
            )
            for query in queries
        ]
        run.missing |= dict.fromkeys(one for results in found for one in results.missing)
        hits: dict[str, Hit] = {}
        for rank in zip_longest(*found):
            hits |= {hit.memory.id: hit for hit in rank if hit is not None}
        material = Material(message=queries[0], language=run.language, viewer=self.memory.user_id)
        terms = query_terms(" ".join(queries))
        lines = [memory_line(hit, material, _ENTRY_TOKENS, terms) for hit in hits.values()]
        count = _fitting(lines, MEMORY_TOKENS)
        text = fenced_items(MEMORY_FENCE, "memories", lines[:count], run.mark) if count else ""
        return AgentContext(text, conversation, tuple(hits)[:count])

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


def _user_prompt(
    run: Run, context: AgentContext, day: Date, more: Mapping[str, str] | None = None
) -> str:
    """Date and language, the request and what belongs to it, and more sections by their names.

    Each has its title; those without text are left out, and what changes least comes first.
    Source: S1.7.1.
    """
    sections = {
        "request": run.request,
        "intent": run.intent,
        "content": _marked(run.content, run.language),
        "conversation": context.conversation,
        "memories": context.memories,
        **(more or {}),
    }
    titled = (
        f"{phrases(f'agent.title.{name}')[run.language]}\n{text}"
        for name, text in sections.items()
        if text
    )
    return "\n\n".join([metadata(day, run.language), *titled])


def _step_sections(run: Run, step: PlanStep, may_call: bool) -> dict[str, str]:
    """The plan, what was done so far, and the step that is due. Source: S1.7.2."""
    language, plan = run.language, run.plan
    steps = [f"{_SIGNS[one.status]} {one.number}. {one.description}" for one in plan.steps]
    due = [item("", f"{step.number}. {step.description}")]
    if plan.open_count == 1:
        due.append(_LAST[language])
    if not may_call:
        due.append(_NO_MORE_CALLS[language])
    return {
        "plan": "\n".join(item("", text) for text in (plan.goal, *steps) if text),
        "history": history_text(run, step.number),
        "step": "\n".join(due),
    }


def _marked(content: str, language: LanguageCode) -> str:
    """The content as it is, between two lines whose mark stands in no content but by chance.

    Nothing in it is changed, other than in memories: it is what the agent works on, and its rules
    and tags must come back as they were. Its own hash is a mark that its writer cannot put in.
    """
    if not content:
        return ""
    mark = sha256(content.encode()).hexdigest()[:_MARK_CHARS]
    beginning, _ = truncate_tokens(content[: CONTENT_TOKENS * MAX_CHARS_PER_TOKEN], CONTENT_TOKENS)
    cut = len(beginning) < len(content)
    note = f"\n{_CUT[language].format(len(beginning), len(content))}" if cut else ""
    return f'<document mark="{mark}">\n{beginning}\n</document mark="{mark}">{note}'


def _conversation(memory: MemoryService, session_id: str, run: Run) -> str:
    terms = query_terms("")
    lines = [
        message_line(
            WindowMessage(one.role, excerpt(one.content, _ENTRY_TOKENS, terms)), run.language
        )
        for one in memory.sessions.window(session_id, CONVERSATION_MESSAGES)
    ]
    count = _fitting(reversed(lines), CONVERSATION_TOKENS)
    return fenced_items(MEMORY_FENCE, "this session", lines[-count:], run.mark) if count else ""


def _fitting(lines: Iterable[str], max_tokens: int) -> int:
    """How many lines from the beginning on fit."""
    totals = accumulate(count_tokens(line) + 1 for line in lines)
    return sum(1 for _ in takewhile(lambda total: total <= max_tokens, totals))


def history_text(run: Run, number: int, max_tokens: int = HISTORY_TOKENS) -> str:
    """The steps that are over and the calls of step `number`, fenced; "" for nothing yet.

    At most `max_tokens` long, but for the head of the newest entry, which always stands there.
    """
    language = run.language
    entries = [one for result in run.results for one in _of_step(result, language)]
    entries += [_of_call(number, call, language) for call in run.calls]
    if not entries:
        return ""
    frame = count_tokens(fenced_items(HISTORY_FENCE, _ORIGIN, ["", ""], run.mark))
    fitting, dropped = fitted(entries, max(0, max_tokens - frame), language)
    lines = [one.text for one in fitting]
    if dropped:
        lines.insert(0, f"- ({_EARLIER[language].format(dropped)})")
    return fenced_items(HISTORY_FENCE, _ORIGIN, lines, run.mark)


def fitted(
    entries: Sequence[HistoryLine], max_tokens: int, language: LanguageCode
) -> tuple[list[HistoryLine], int]:
    """The entries that have at most `max_tokens` together, and how many old ones went."""
    fitting = list(entries)
    sizes = [one.tokens for one in fitting]
    newest = len(fitting) - 1
    for limit, observations in ((_SHORT_TOKENS, True), (0, True), (_SHORT_TOKENS, False)):
        for place, one in enumerate(fitting[:newest]):
            if sum(sizes) <= max_tokens:
                return fitting, 0
            if one.is_observation == observations:
                fitting[place] = _shortened(one, limit, language)
                sizes[place] = fitting[place].tokens
    first = 0
    while first < newest and sum(sizes[first:]) > max_tokens:
        first += 1
    if sizes[newest] > max_tokens:
        bare = replace(fitting[newest], body="").tokens + 2
        fitting[newest] = _shortened(fitting[newest], max_tokens - bare, language)
    return fitting[first:], first


def _of_step(result: StepResult, language: LanguageCode) -> list[HistoryLine]:
    entries = [_of_call(result.number, call, language) for call in result.calls]
    status = _STATUSES[result.status][language]
    head = _HEAD[language].format(result.number, status)
    return [*entries, HistoryLine(head, result.result, is_observation=False)]


def _of_call(number: int, call: ToolRun, language: LanguageCode) -> HistoryLine:
    arguments, cut = truncate_tokens(
        json.dumps(call.arguments, ensure_ascii=False), _ARGUMENT_TOKENS
    )
    what = neutralise(f"{call.name} {arguments}{'…' if cut else ''}")
    if call.failed:
        what = f"{what}, {_STATUSES['error'][language]}"
    return HistoryLine(_HEAD[language].format(number, what), call.content, is_observation=True)


def _shortened(entry: HistoryLine, limit: int, language: LanguageCode) -> HistoryLine:
    mark = _SHORTENED[language]
    if entry.body.endswith(mark) and limit:
        return entry
    text, cut = truncate_tokens(entry.body, limit - count_tokens(mark))
    if not cut:
        return entry
    return replace(entry, body=f"{text}{mark}" if text else _LEFT_OUT[language])
