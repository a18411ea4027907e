"""`/api/memory/main`, `daily`, `profile`, `household`: the Markdown documents, with etags.

Source: S5.8.1, S5.1, S2.2; interfaces.md.
"""

from datetime import date
from typing import Annotated, TypeAlias

from fastapi import APIRouter, Path, Response, status

from chatmem.engine.service import MemoryService
from chatmem.errors import InvalidInputError
from chatmem.interfaces.rest.current import Current
from chatmem.interfaces.rest.models import Memory
from chatmem.interfaces.rest.models_documents import (
    DailyDays,
    DailyEntry,
    DailyLog,
    Document,
    DocumentBody,
)
from chatmem.interfaces.rest.models_problems import problems
from chatmem.interfaces.rest.routers.etags import IfMatch, give_etag, wanted_etag
from chatmem.interfaces.rest.routers.paging import Limit, Offset
from chatmem.interfaces.rest.threaded import Threaded
from chatmem.model import ProfileName

router = APIRouter(prefix="/api/memory", tags=["documents"], route_class=Threaded)

Day: TypeAlias = Annotated[
    str,
    Path(
        pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$",
        description="A day, as 2026-11-21.",
        json_schema_extra={"format": "date"},
        examples=["2026-11-21"],
    ),
]


@router.get("/main", responses=problems())
def read_main(memory: Current, response: Response) -> Document:
    """MEMORY.md as it stands."""
    found = memory.main.read()
    give_etag(response, found.etag)
    return Document.model_validate(found)


@router.put("/main", responses=problems(412, 422))
def write_main(
    body: DocumentBody, memory: Current, response: Response, if_match: IfMatch = None
) -> Document:
    """Write MEMORY.md whole: new bullets become memories, those that are gone are forgotten.

    Keep the comments behind the bullets: they hold the ids.
    """
    etag = wanted_etag(if_match, memory.main.read().etag)
    written = memory.main.write(body.content, etag)
    give_etag(response, written.etag)
    return Document.model_validate(written)


@router.get("/profile", responses=problems())
def read_profile(memory: Current, response: Response) -> Document:
    """The user's profile, USER.md."""
    return _profile(memory, response, "user")


@router.put("/profile", responses=problems(404, 412, 422))
def write_profile(
    body: DocumentBody, memory: Current, response: Response, if_match: IfMatch = None
) -> Document:
    """Write the user's profile whole."""
    return _write_profile(memory, response, "user", body, if_match)


@router.get("/household", responses=problems())
def read_household(memory: Current, response: Response) -> Document:
    """The household's profile, HOUSEHOLD.md; empty for who may not read it."""
    return _profile(memory, response, "household")


@router.put("/household", responses=problems(404, 412, 422))
def write_household(
    body: DocumentBody, memory: Current, response: Response, if_match: IfMatch = None
) -> Document:
    """Write the household's profile whole: for its head and for parents."""
    return _write_profile(memory, response, "household", body, if_match)


@router.get("/daily", responses=problems(422))
def list_days(memory: Current, limit: Limit = 50, offset: Offset = 0) -> DailyDays:
    """A page of the days that have a log, the latest first."""
    return DailyDays.model_validate(memory.daily_logs.days(limit, offset))


@router.get("/daily/{day}", responses=problems(422))
def read_day(day: Day, memory: Current, response: Response) -> DailyLog:
    """The log of a day as it stands; empty where there is none."""
    wanted = _day(day)
    found = memory.daily_logs.read(wanted)
    give_etag(response, found.etag)
    return DailyLog(date=wanted, content=found.content, etag=found.etag)


@router.put("/daily/{day}", responses=problems(412, 422))
def write_day(
    day: Day, body: DocumentBody, memory: Current, response: Response, if_match: IfMatch = None
) -> DailyLog:
    """Write a day's log whole: new bullets become memories, those that are gone are forgotten.

    Keep the comments behind the bullets: they hold the ids. A log in which nothing is left is gone.
    """
    wanted = _day(day)
    etag = wanted_etag(if_match, memory.daily_logs.read(wanted).etag)
    written = memory.daily_logs.write(wanted, body.content, etag)
    give_etag(response, written.etag)
    return DailyLog(date=wanted, content=written.content, etag=written.etag)


@router.post("/daily/{day}", status_code=status.HTTP_201_CREATED, responses=problems(422))
def append_to_day(day: Day, body: DailyEntry, memory: Current) -> Memory:
    """Add a note to a day's log."""
    return Memory.model_validate(memory.daily_logs.append(_day(day), body.entry))


def _profile(memory: MemoryService, response: Response, name: ProfileName) -> Document:
    found = memory.profiles.read(name)
    give_etag(response, found.etag)
    return Document.model_validate(found)


def _write_profile(
    memory: MemoryService,
    response: Response,
    name: ProfileName,
    body: DocumentBody,
    if_match: str | None,
) -> Document:
    etag = wanted_etag(if_match, memory.profiles.read(name).etag)
    written = memory.profiles.write(name, body.content, etag)
    give_etag(response, written.etag)
    return Document.model_validate(written)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError as error:
        raise InvalidInputError(f"date: got {text!r}, takes a day such as 2026-11-21") from error
