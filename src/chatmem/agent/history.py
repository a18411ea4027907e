"""What was done so far, as the next request tells it, within its tokens.

The oldest observations give way first: they are shortened, then left out. Results of steps come
after them, since later steps build on those. What was shortened says so.

Source: S1.7 (history is dynamic content).
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from chatmem.agent.plan import Observation, StepResult
from chatmem.prompt.fence import fenced_items, item
from chatmem.prompt.imitations import neutralise
from chatmem.text.languages import LanguageCode as Language
from chatmem.text.tokens import count_tokens, truncate_tokens

HISTORY_FENCE: Final = "tool_history"
_ORIGIN: Final = "this run"
_SHORT_TOKENS: Final = 40
_ARGUMENT_TOKENS: Final = 60
_SHORTENED: Final = {"en": "… (shortened)", "zh": "……（已缩短）"}
_LEFT_OUT: Final = {"en": "(left out)", "zh": "（已省略）"}
_EARLIER: Final = {"en": "{} earlier entries left out", "zh": "更早的 {} 条已省略"}
_HEADS: Final = {
    "en": {"step": "step {}, {}", "call": "step {}, {}"},
    "zh": {"step": "步骤 {}，{}", "call": "步骤 {}，{}"},
}
_STATUSES: Final = {
    "en": {"done": "done", "failed": "failed", "cancelled": "cancelled", "error": "error"},
    "zh": {"done": "已完成", "failed": "失败", "cancelled": "已取消", "error": "出错"},
}


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


def history_text(
    results: Sequence[StepResult],
    running: tuple[int, Sequence[Observation]],
    max_tokens: int,
    language: Language,
) -> str:
    """The steps that are over and the calls of the running one, fenced; "" for nothing yet.

    At most `max_tokens` long, but for the head of the newest entry, which always stands there.
    """
    entries = [one for result in results for one in _of_step(result, language)]
    number, calls = running
    entries += [_of_call(number, call, language) for call in calls]
    if not entries:
        return ""
    frame = count_tokens(fenced_items(HISTORY_FENCE, _ORIGIN, ["", ""]))
    kept, dropped = fitted(entries, max(0, max_tokens - frame), language)
    lines = [one.text for one in kept]
    if dropped:
        lines.insert(0, f"- ({_EARLIER[language].format(dropped)})")
    return fenced_items(HISTORY_FENCE, _ORIGIN, lines)


def fitted(
    entries: Sequence[HistoryLine], max_tokens: int, language: Language
) -> tuple[list[HistoryLine], int]:
    """The entries that have at most `max_tokens` together, and how many old ones went."""
    kept = list(entries)
    sizes = [_size(one) for one in kept]
    newest = len(kept) - 1
    for limit, observations in ((_SHORT_TOKENS, True), (0, True), (_SHORT_TOKENS, False)):
        for place, one in enumerate(kept[:newest]):
            if sum(sizes) <= max_tokens:
                return kept, 0
            if one.is_observation == observations:
                kept[place] = _shortened(one, limit, language)
                sizes[place] = _size(kept[place])
    first = 0
    while first < newest and sum(sizes[first:]) > max_tokens:
        first += 1
    if sizes[newest] > max_tokens:
        bare = _size(replace(kept[newest], body="")) + 2
        kept[newest] = _shortened(kept[newest], max_tokens - bare, language)
    return kept[first:], first


def _of_step(result: StepResult, language: Language) -> list[HistoryLine]:
    entries = [_of_call(result.number, call, language) for call in result.calls]
    status = _STATUSES[language][result.status]
    head = _HEADS[language]["step"].format(result.number, status)
    return [*entries, HistoryLine(head, result.result, is_observation=False)]


def _of_call(number: int, call: Observation, language: Language) -> HistoryLine:
    arguments, cut = truncate_tokens(
        json.dumps(call.arguments, ensure_ascii=False), _ARGUMENT_TOKENS
    )
    what = neutralise(f"{call.name} {arguments}{'…' if cut else ''}")
    if call.failed:
        what = f"{what}, {_STATUSES[language]['error']}"
    return HistoryLine(
        _HEADS[language]["call"].format(number, what), call.content, is_observation=True
    )


def _shortened(entry: HistoryLine, limit: int, language: Language) -> HistoryLine:
    mark = _SHORTENED[language]
    if entry.body.endswith(mark) and limit:
        return entry
    text, cut = truncate_tokens(entry.body, limit - count_tokens(mark))
    if not cut:
        return entry
    return replace(entry, body=f"{text}{mark}" if text else _LEFT_OUT[language])


def _size(entry: HistoryLine) -> int:
    return count_tokens(entry.text) + 1
