"""`/api/memory/main`, `daily`, `profile`, `household`: the Markdown documents, with etags.

Source: S5.8.1, S5.1, S2.2; interfaces.md.
"""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Depends, HTTPException, Path, Response, status

from chatmem.errors import InvalidInputError
from chatmem.interfaces.rest import requests
from chatmem.interfaces.rest.answers import DailyDays, DailyLog, DocumentAnswer, Memory
from chatmem.interfaces.rest.openapi import problems
from chatmem.interfaces.rest.requests import Current, Limit, Offset, ThreadedRoute
from chatmem.model import DocumentText

router = APIRouter(prefix="/api/memory", tags=["documents"], route_class=ThreadedRoute)

_DayPath: TypeAlias = Annotated[
    str,
    Path(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        description="A day, as 2026-11-21.",
        json_schema_extra={"format": "date"},
        examples=["2026-11-21"],
    ),
]


@dataclass
class DocumentEdit:
    """A document as a client wants it, and the version that it is to replace."""

    body: requests.DocumentBody
    response: Response
    if_match: requests.IfMatch = None

    def over(
        self, current: DocumentText, *, holds_memories: bool = False
    ) -> tuple[str, str | None]:
        """The text, and the etag that it replaces, None for any; what holds memories needs one."""
        if holds_memories and self.if_match is None:
            why = "send `If-Match` with the etag that GET gave, or `*` to replace any version"
            raise HTTPException(428, why)
        return self.body.content, requests.matched_etag(self.if_match, current.etag)


async def named_day(day: _DayPath) -> date:
    """The day that an address names."""
    try:
        return date.fromisoformat(day)
    except ValueError as error:
        raise InvalidInputError(f"date: got {day!r}, takes a day such as 2026-11-21") from error


Edit: TypeAlias = Annotated[DocumentEdit, Depends()]
Day: TypeAlias = Annotated[date, Depends(named_day)]


@router.get("/main", responses=problems())
def read_main(memory: Current, response: Response) -> DocumentAnswer:
    """MEMORY.md as it stands."""
    return _answer(response, memory.main.read())


@router.put("/main", responses=problems(409, 412, 422, 428))
def write_main(edit: Edit, memory: Current, forget: requests.Forget = False) -> DocumentAnswer:
    """Write MEMORY.md whole: new bullets become memories, those that are gone are forgotten.

    Keep the comments behind the bullets: they hold the ids. A text that lacks more than three
    memories is refused (409) without `forget=true`.
    """
    given = edit.over(memory.main.read(), holds_memories=True)
    return _answer(edit.response, memory.main.write(*given, forget=forget))


@router.get("/profile", responses=problems())
def read_profile(memory: Current, response: Response) -> DocumentAnswer:
    """The user's profile, USER.md."""
    return _answer(response, memory.profiles.read("user"))


@router.put("/profile", responses=problems(404, 412, 422))
def write_profile(edit: Edit, memory: Current) -> DocumentAnswer:
    """Write the user's profile whole."""
    given = edit.over(memory.profiles.read("user"))
    return _answer(edit.response, memory.profiles.write("user", *given))


@router.get("/household", responses=problems())
def read_household(memory: Current, response: Response) -> DocumentAnswer:
    """The household's profile, HOUSEHOLD.md; empty for who may not read it."""
    return _answer(response, memory.profiles.read("household"))


@router.put("/household", responses=problems(404, 412, 422))
def write_household(edit: Edit, memory: Current) -> DocumentAnswer:
    """Write the household's profile whole: for its head and for parents."""
    given = edit.over(memory.profiles.read("household"))
    return _answer(edit.response, memory.profiles.write("household", *given))


@router.get("/daily", responses=problems(422))
def list_days(memory: Current, limit: Limit = 50, offset: Offset = 0) -> DailyDays:
    """A page of the days that have a log, the latest first."""
    return DailyDays.model_validate(memory.daily_logs.days(limit, offset))


@router.get("/daily/{day}", responses=problems(422))
def read_day(day: Day, memory: Current, response: Response) -> DailyLog:
    """The log of a day as it stands; empty where there is none."""
    found = _answer(response, memory.daily_logs.read(day))
    return DailyLog(date=day, **found.model_dump())


@router.put("/daily/{day}", responses=problems(409, 412, 422, 428))
def write_day(day: Day, edit: Edit, memory: Current, forget: requests.Forget = False) -> DailyLog:
    """Write a day's log whole, as MEMORY.md; one in which nothing is left is gone."""
    given = edit.over(memory.daily_logs.read(day), holds_memories=True)
    found = _answer(edit.response, memory.daily_logs.write(day, *given, forget=forget))
    return DailyLog(date=day, **found.model_dump())


@router.post("/daily/{day}", status_code=status.HTTP_201_CREATED, responses=problems(422))
def append_to_day(day: Day, body: requests.DailyEntry, memory: Current) -> Memory:
    """Add a note to a day's log."""
    return Memory.model_validate(memory.daily_logs.append(day, body.entry))


def _answer(response: Response, found: DocumentText) -> DocumentAnswer:
    response.headers["ETag"] = f'"{found.etag}"'
    return DocumentAnswer.model_validate(found)
