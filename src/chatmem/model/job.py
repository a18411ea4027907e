"""Work for the background, as a person sees it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias

JobState: TypeAlias = Literal["waiting", "running", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobReport:
    """A job in the table: done ones leave it.

    `state` is `failed` for a job that was given up after `attempts` attempts; `error` is what went
    wrong last, None where nothing did. `due_at` is when it is tried (again).
    """

    number: int
    kind: str
    session_id: str
    state: JobState
    due_at: datetime
    attempts: int
    error: str | None
