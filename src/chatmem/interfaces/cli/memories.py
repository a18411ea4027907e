"""Commands on memories: search, list, remember, log, forget, restore, history."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from chatmem.interfaces.cli import shell
from chatmem.model import Category, MemoryState, Visibility

if TYPE_CHECKING:
    from chatmem.model import AtomicMemoryRecord, Hit, Parts, SearchResults

IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The memory's id.")]
TextArgument = Annotated[str, typer.Argument(help="The text; - reads it from standard input.")]


def _date(text: str) -> datetime:
    from chatmem.engine.importing.source_file import read_date

    moment = read_date(text)
    if moment is None:
        raise typer.BadParameter(f"{text!r} is no date; one is 2026-05-20")
    return moment


def search(
    target: shell.Target,
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A question or words.")],
    limit: shell.LimitOption = 10,
    since: Annotated[
        datetime | None, typer.Option(metavar="DATE", parser=_date, help="Only from this date on.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option(metavar="DATE", parser=_date, help="Only up to this date.")
    ] = None,
) -> None:
    """Find memories and old messages, by words and by meaning."""
    if until is not None and until.time() == time.min:  # a day, meant with all its hours
        until += timedelta(days=1, microseconds=-1)
    time_range = (since, until) if since or until else None
    with target.searching() as memory:
        results = memory.search_memories(query, time_range, limit)
    target.warn_missing(results.missing)
    found, nearest = (list(map(_hit_as_json, hits)) for hits in (results.hits, results.nearest))
    shown = {"results": found, "missing": results.missing, "nearest": nearest}
    target.print(shown, hit_lines(results))


def list_memories(
    target: shell.Target,
    memory_type: Annotated[
        Literal["long_term", "short_term", "all"], typer.Option("--type", help="Which of them.")
    ] = "long_term",
    limit: shell.LimitOption = 50,
    offset: shell.OffsetOption = 0,
    state: Annotated[
        MemoryState, typer.Option(help="superseded: replaced by another one, or evicted.")
    ] = "valid",
) -> None:
    """List memories, newest first."""
    with target.open() as memory:
        wanted = None if memory_type == "all" else memory_type
        page = memory.list_memories(wanted, limit, offset, state=state)
    lines = [line for record in page.items for line in _record_lines(record)]
    target.print(
        {"items": page.items, "total": page.total, "limit": limit, "offset": offset},
        [*lines, f"{len(page.items)} of {page.total}"],
    )


def remember(
    target: shell.Target,
    fact: TextArgument,
    category: Annotated[Category, typer.Option(help="Kind of fact.")] = "fact",
    importance: Annotated[int, typer.Option(min=1, max=5, help="1 to 5; 3 is neutral.")] = 3,
    key: Annotated[
        str | None,
        typer.Option(help="Name of what it tells; a newer one of this name replaces it."),
    ] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag; may be given again.")] = None,
    visibility: Annotated[Visibility, typer.Option(help="Who may see it.")] = "private",
) -> None:
    """Remember a fact, preference or pattern for good."""
    with target.open() as memory:
        record = memory.append_memory(
            shell.text_of(fact),
            category,
            importance=importance,
            visibility=visibility,
            key=key,
            tags=tuple(tag or ()),
        )
        shell.finish_work(memory)
        _print_record(target, memory.get(record.id))  # as it is settled


def log(target: shell.Target, entry: TextArgument) -> None:
    """Write an entry into today's log."""
    with target.open() as memory:
        _print_record(target, memory.append_daily_log(shell.text_of(entry)))
        shell.finish_work(memory)


def forget(
    target: shell.Target,
    memory_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="The memory.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All long-term memories; conversations stay.")
    ] = False,
    prove: Annotated[
        bool, typer.Option("--prove", help="Search all that is stored for what is left of it.")
    ] = False,
    yes: shell.YesOption = False,
) -> None:
    """Delete a memory, or all of them, for good; on a terminal it is shown first.

    It is gone from the files, the index and the history, and cannot be restored. With --prove the
    exit code is 1 where anything is left.
    """
    if (memory_id is None) != everything or (prove and everything):
        raise typer.BadParameter("give the ID of one memory, or --all (without --prove)")
    if everything and not yes:
        shell.confirm(
            f"Forget all long-term memories of {target.user or 'the default user'}, for good?",
            if_nobody="--all forgets everything; add --yes, since nobody can be asked",
        )
    count, shown, gone = 1, list[str](), None
    from chatmem.engine.diagnosis import PURGE_DUE

    with target.open() as memory:
        if memory_id is not None:
            shown = list(_record_lines(memory.get(memory_id)))
            if not yes and sys.stdin.isatty():
                question = shell.escaped("\n".join([*shown, "Forget this, for good?"]))
                typer.confirm(question, abort=True, err=True)
            gone = memory.forget(memory_id, prove=prove)
        else:
            count = memory.forget_all()
        purged = memory.health().has("purge")
    if not purged:
        shell.warn(PURGE_DUE)
    shown.append(f"{shell.counted(count, 'memory', 'memories')} forgotten")
    told: dict[str, object] = {"deleted": count if everything else True, "id": memory_id}
    proof = gone.proof if gone else None
    if gone and proof:
        told |= {"removed": gone.removed, "proof": proof}
        shown += [
            f"removed: {_counts(gone.removed)}",
            f"looked for: {_counts(proof.looked_for) or 'nothing that only it has said'}",
            f"looked in: {', '.join(proof.looked_in)}",
            *(f"still in {place}: {', '.join(held)}" for place, held in proof.found.items()),
            *(() if proof.found else ("found: nothing",)),
        ]
    target.print(told | {"purged": purged}, shown)
    if proof and proof.found:
        raise typer.Exit(1)


def _counts(of_each: Mapping[Any, int]) -> str:
    return ", ".join(f"{count} {what.replace('_', ' ')}" for what, count in of_each.items())


def restore(
    target: shell.Target,
    memory_id: IdArgument,
    keep_both: Annotated[
        bool | None,
        typer.Option(
            "--keep-both/--swap", help="If another one took its place: keep both, or only this one."
        ),
    ] = None,
) -> None:
    """Undo the last change of a memory.

    That may be an edit, or that another memory took its place: then a terminal asks whether both
    are kept, or the two change places, which is what is done where nobody can be asked. What was
    forgotten stays forgotten.
    """
    with target.open() as memory:
        other = memory.undoable(memory_id).other
        if other is not None and keep_both is None and sys.stdin.isatty():
            keep_both = typer.confirm(f"Keep {other.content!r} too?", err=True)
        record = memory.restore(memory_id, keep_both=bool(keep_both))
        other = other and memory.get(other.id)
        lines = list(_record_lines(record))
        if other is not None:
            became = "kept beside it:" if other.is_valid else "out of date now:"
            lines += [became, *_record_lines(other)]
        target.print({**asdict(record), "other": other}, lines)
        shell.finish_work(memory)


def history(target: shell.Target, memory_id: IdArgument) -> None:
    """Show what happened to a memory."""
    from chatmem.model.time import to_text

    with target.open() as memory:
        entries = memory.history(memory_id)
    steps, lines = [], []
    for one in entries:
        names = ("at", "action", "reason", "before", "after")
        steps.append({name: getattr(one, name) for name in names})
        reason = f" ({one.reason})" if one.reason else ""
        lines += [f"{to_text(one.at)}  {one.action}{reason}", f"  {one.after.content}"]
    target.print(steps, lines)


def parts_line(parts: "Parts") -> str:
    """The parts of a score that apply, by name, in the order of the model."""
    values = ((field.name, getattr(parts, field.name)) for field in fields(parts))
    return " ".join(
        f"{name}={value:.2f}" if isinstance(value, float) else f"{name}={value}"
        for name, value in values
        if value not in (None, ())
    )


def _print_record(target: shell.Target, record: "AtomicMemoryRecord") -> None:
    """Prints a memory, and on stderr which secrets of its text were masked."""
    from chatmem.extraction.redact import masked_kinds

    target.print(record, _record_lines(record))
    if kinds := masked_kinds(record.content):
        shell.warn(f"masked: {', '.join(kinds).replace('_', ' ')}")


def _record_lines(record: "AtomicMemoryRecord", start: str = "") -> Iterator[str]:
    what = record.category or record.role or "memory"
    if record.kind == "episodic":
        what = "log entry"
    gone = "" if record.is_valid else "  (superseded)"
    tags = "".join(f"  #{tag}" for tag in record.tags)
    yield f"{start}{record.id}  {record.timestamp:%Y-%m-%d}  {what}{gone}{tags}"
    for line in record.content.splitlines():
        yield f"       {line}"


def hit_lines(results: "SearchResults") -> Iterator[str]:
    """What was found, else what comes nearest: each memory, and the parts of its score."""
    if not results:
        yield "Nothing speaks of this; nearest:" if results.nearest else "Nothing found."
    for hit in results or results.nearest:
        yield from _record_lines(hit.memory, f"{hit.score:.3f}  ")
        yield f"       ({parts_line(hit.parts)})"


def _hit_as_json(hit: "Hit") -> dict[str, object]:
    """A hit as the REST interface shows it."""
    record = hit.memory
    scored = {"id": record.id, "content": record.content, "score": hit.score, "parts": hit.parts}
    names = ("memory_type", "kind", "role", "session_id", "timestamp")
    return scored | {name: getattr(record, name) for name in names}
