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
from dataclasses import dataclass
from datetime import date as Date
from datetime import datetime
from hashlib import sha256
from itertools import accumulate, islice, takewhile, zip_longest
from typing import Final, NamedTuple, TypeAlias

from chatmem.agent.plan import (
    MOST_DESCRIPTION_CHARS,
    Answer,
    PlanAnswer,
    PlanStep,
    Run,
    StepAnswer,
    read_answer,
)
from chatmem.chat.tools import Toolbox, ToolRun
from chatmem.engine.service import MemoryService
from chatmem.errors import InvalidInputError, PlanError, StepError
from chatmem.prompt import fence
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
_WORDS: Final[Mapping[str, Mapping[str, str]]] = toml_of("chatmem.agent", "instructions")
_SIGNS: Final = {"done": "[x]", "failed": "[!]", "open": "[ ]", "cancelled": "[-]"}
_HEAD: Final = phrases("agent.head")


class HistoryLine(NamedTuple):
    """One line of history: a tool's observation, or a step's result."""

    head: str
    body: str
    is_observation: bool

    @property
    def text(self) -> str:
        """The line as it stands in a request; its text is harmless."""
        return fence.item(self.head, self.body)

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
        queries = [f"{run.request} {run.intent}".strip()]
        return self._ask(PlanAnswer, run, queries, {}, self.most_steps, now)

    def step(self, run: Run, step: PlanStep, may_call: bool, now: datetime) -> StepAnswer:
        """A tool call or the result of the step that is due.

        Raises:
            StepError: the model gave none that can be used, asked twice.

        Source: S1.7.2.
        """
        queries, more = [step.description, run.request], _step_sections(run, step, may_call)
        return self._ask(StepAnswer, run, queries, more, self.most_steps - step.number, now)

    def _ask(
        self,
        shape: type[Answer],
        run: Run,
        queries: Sequence[str],
        more: Mapping[str, str],
        most_steps: int,
        now: datetime,
    ) -> Answer:
        """The model's answer, or its second: that request says what was wrong with the first.

        Counts an access of the memories in the request, once a run. Source: S3.2.3.
        """
        kind, error = ("planning", PlanError) if shape is PlanAnswer else ("stepping", StepError)
        words, tools = _WORDS[run.language], self.tools.documentation()
        values = {"steps": self.most_steps, "chars": MOST_DESCRIPTION_CHARS, "data": words["data"]}
        told = f"{words['tools']}\n{tools}" if tools else words["no_tools"]
        system = f"{words[kind] % values}\n\n{told}"
        conversation = _conversation(self.memory, self.session_id, run) if self.session_id else ""
        recalled = self._recall(queries, run, now)
        memories = _remembered("memories", list(recalled.values()), run)
        sections = {"conversation": conversation, "memories": memories, **more}
        user = request = _user_prompt(run, now.astimezone().date(), sections)
        for is_last in (False, True):
            answer: object = self.send(request, system)
            if not isinstance(answer, str):
                raise InvalidInputError(
                    f"send_ai_request: gave {type(answer).__name__}, takes a function that returns "
                    "text"
                )
            try:
                found = read_answer(answer, shape, self.tools.names, most_steps)
                break
            except InvalidInputError as problem:
                if is_last:
                    raise error(str(problem), answer) from problem
                shown, cut = truncate_tokens(answer[:_SHOWN_CHARS], _SHOWN_TOKENS)
                shown = f"{shown}…" if cut else shown
                quoted = fence.fenced(fence.DOCUMENT_FENCE, "answer", shown, mark_of(user))
                request = f"{user}\n\n{words['repair'] % (problem, quoted)}"
        if fresh := recalled.keys() - run.counted:
            self.memory.count_access(fresh, now=now)
            run.counted |= fresh
        return found

    def _recall(self, queries: Sequence[str], run: Run, now: datetime) -> dict[str, str]:
        """Lines of the memories for these queries, by their ids, the first of each first.

        Recalled anew for each request, so that what was forgotten in between does not come back.
        Nothing is recalled where memory is switched off. What recall could not use, the run notes.
        """
        if not self.memory.settings.memory.enabled:
            return {}
        found = [
            self.memory.get_relevant_memories(
                query[:_QUERY_CHARS], session_id=self.session_id, now=now
            )
            for query in queries
        ]
        run.missing |= dict.fromkeys(one for results in found for one in results.missing)
        asked, user_id = " ".join(queries), self.memory.user_id
        material = Material(message=asked, language=run.language, viewer=user_id)
        hits = {hit.memory.id: hit for rank in zip_longest(*found) for hit in rank if hit}
        lines = {
            name: fence.memory_line(hit, material, _ENTRY_TOKENS) for name, hit in hits.items()
        }
        return dict(islice(lines.items(), _fitting(lines.values(), MEMORY_TOKENS)))


def _user_prompt(run: Run, day: Date, more: Mapping[str, str]) -> str:
    """Date and language, the request and what belongs to it, and more sections by their names.

    Each has its title; those without text are left out, and what changes least comes first.
    Source: S1.7.1.
    """
    sections = {
        "request": run.request,
        "intent": run.intent,
        "content": _marked(run.content, run.language),
        **more,
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
    due = [fence.item("", f"{step.number}. {step.description}")]
    if plan.open_count == 1:
        due.append(phrases("agent.last_step")[language])
    if not may_call:
        due.append(phrases("agent.no_more_calls")[language])
    return {
        "plan": "\n".join(fence.item("", text) for text in (plan.goal, *steps) if text),
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
    said = phrases("agent.cut")[language].format(len(beginning), len(content))
    note = f"\n{said}" if cut else ""
    return f'<document mark="{mark}">\n{beginning}\n</document mark="{mark}">{note}'


def _conversation(memory: MemoryService, session_id: str, run: Run) -> str:
    lines = [
        fence.message_line(
            WindowMessage(one.role, fence.excerpt(one.content, _ENTRY_TOKENS, "")), run.language
        )
        for one in memory.sessions.window(session_id, CONVERSATION_MESSAGES)
    ]
    count = _fitting(reversed(lines), CONVERSATION_TOKENS)
    return _remembered("this session", lines[len(lines) - count :], run)


def _remembered(origin: str, lines: Sequence[str], run: Run) -> str:
    return fence.fenced_items(fence.MEMORY_FENCE, origin, lines, run.mark) if lines else ""


def _fitting(lines: Iterable[str], max_tokens: int) -> int:
    """How many lines from the beginning on fit."""
    totals = accumulate(count_tokens(line) + 1 for line in lines)
    return sum(1 for _ in takewhile(lambda total: total <= max_tokens, totals))


def history_text(run: Run, number: int, max_tokens: int = HISTORY_TOKENS) -> str:
    """The steps that are over and the calls of step `number`, fenced; "" for nothing yet.

    At most `max_tokens` long, but for the head of the newest entry, which always stands there.
    """
    language = run.language
    entries: list[HistoryLine] = []
    for one in run.results:
        entries += [_of_call(one.number, call, language) for call in one.calls]
        status = phrases(f"agent.status.{one.status}")[language]
        head = _HEAD[language].format(one.number, status)
        entries.append(HistoryLine(head, one.result, is_observation=False))
    entries += [_of_call(number, call, language) for call in run.calls]
    if not entries:
        return ""
    frame = count_tokens(fence.fenced_items(HISTORY_FENCE, _ORIGIN, ["", ""], run.mark))
    fitting, dropped = fitted(entries, max(0, max_tokens - frame), language)
    lines = [one.text for one in fitting]
    if dropped:
        lines.insert(0, f"- ({phrases('agent.earlier')[language].format(dropped)})")
    return fence.fenced_items(HISTORY_FENCE, _ORIGIN, lines, run.mark)


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
        bare = fitting[newest]._replace(body="").tokens + 2
        fitting[newest] = _shortened(fitting[newest], max_tokens - bare, language)
    return fitting[first:], first


def _of_call(number: int, call: ToolRun, language: LanguageCode) -> HistoryLine:
    arguments, cut = truncate_tokens(
        json.dumps(call.arguments, ensure_ascii=False), _ARGUMENT_TOKENS
    )
    what = neutralise(f"{call.name} {arguments}{'…' if cut else ''}")
    if call.failed:
        what = f"{what}, {phrases('agent.status.error')[language]}"
    return HistoryLine(_HEAD[language].format(number, what), call.content, is_observation=True)


def _shortened(entry: HistoryLine, limit: int, language: LanguageCode) -> HistoryLine:
    mark = phrases("agent.shortened")[language]
    if entry.body.endswith(mark) and limit:
        return entry
    text, cut = truncate_tokens(entry.body, limit - count_tokens(mark))
    if not cut:
        return entry
    return entry._replace(body=f"{text}{mark}" if text else phrases("agent.left_out")[language])
