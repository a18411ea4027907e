"""Commands that read: search and list."""

from dataclasses import asdict
from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.model import Hit, MemoryType


class TypeOption(StrEnum):
    """Which memories to list."""

    LONG_TERM = "long_term"
    SHORT_TERM = "short_term"
    ALL = "all"


LimitOption = Annotated[
    int, typer.Option("--limit", "-n", min=1, max=1000, help="How many at most.")
]


def search(
    target: Target,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question or words.")],
    limit: LimitOption = 10,
    since: Annotated[
        str | None, typer.Option("--since", metavar="DATE", help="Only from this date on.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", metavar="DATE", help="Only up to this date.")
    ] = None,
) -> None:
    """Find memories and old messages, by words and by meaning."""
    time_range = _time_range(since, until)
    with target.open() as memory:
        results = memory.search_memories(query, time_range, limit)
    if target.as_json:
        output.print_json(
            {
                "results": [_as_json(hit) for hit in results],
                "missing": [asdict(missing) for missing in results.missing],
            }
        )
        return
    for missing in results.missing:
        output.warn(f"without {missing}")
    if not results:
        print("Nothing found.")
    for hit in results:
        output.print_hit(hit)


def list_memories(
    target: Target,
    memory_type: Annotated[
        TypeOption, typer.Option("--type", help="Which of them.")
    ] = TypeOption.LONG_TERM,
    limit: LimitOption = 50,
    offset: Annotated[int, typer.Option("--offset", min=0, help="How many to skip.")] = 0,
) -> None:
    """List memories, newest first."""
    from chatmem.engine.importing import as_json

    wanted: dict[TypeOption, MemoryType | None] = {
        TypeOption.LONG_TERM: "long_term",
        TypeOption.SHORT_TERM: "short_term",
        TypeOption.ALL: None,
    }
    with target.open() as memory:
        page = memory.list_memories(wanted[memory_type], limit, offset)
    if target.as_json:
        items = [as_json(record) for record in page.items]
        output.print_json({"items": items, "total": page.total, "limit": limit, "offset": offset})
        return
    for record in page.items:
        output.print_record(record)
    print(f"{len(page.items)} of {page.total}")


def _as_json(hit: "Hit") -> dict[str, object]:
    """A hit as the REST interface shows it."""
    record = hit.memory
    return {
        "id": record.id,
        "content": record.content,
        "score": hit.score,
        "parts": asdict(hit.parts),
        "memory_type": record.memory_type,
        "kind": record.kind,
        "role": record.role,
        "session_id": record.session_id,
        "timestamp": record.timestamp,
    }


def _time_range(
    since: str | None, until: str | None
) -> tuple[datetime | None, datetime | None] | None:
    if since is None and until is None:
        return None
    start, end = _date("--since", since), _date("--until", until)
    if end is not None and end.time() == time.min:  # a day, meant with all its hours
        end += timedelta(days=1, microseconds=-1)
    return start, end


def _date(option: str, text: str | None) -> datetime | None:
    if text is None:
        return None
    from chatmem.engine.importing.dates import read_date

    moment = read_date(text)
    if moment is None:
        raise typer.BadParameter(f"{option}: {text!r} is no date; one is 2026-05-20")
    return moment
