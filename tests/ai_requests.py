"""A model as an agent asks it, which answers what it is told to."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as it was sent."""

    user: str
    system: str


PlannedAnswer: TypeAlias = str | Mapping[str, Any] | BaseException | Callable[[Sent], Any]
"""Text, an object to be sent as JSON, an error to be raised, or what makes one of the two."""


class ScriptedRequests:
    """`send_ai_request` that gives its answers one after the other and keeps every request."""

    def __init__(self, *answers: PlannedAnswer) -> None:
        self.planned: list[PlannedAnswer] = list(answers)
        self.sent: list[Sent] = []

    def __call__(self, user_prompt: str, system_prompt: str) -> str:
        """The next answer; an AssertionError where there is none left."""
        self.sent.append(Sent(user_prompt, system_prompt))
        if not self.planned:
            raise AssertionError(f"request {len(self.sent)} was not expected:\n{user_prompt}")
        answer = self.planned.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        if callable(answer):
            answer = answer(self.sent[-1])
        return answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
