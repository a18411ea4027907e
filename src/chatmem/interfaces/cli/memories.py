"""Commands that change one memory: remember, log, forget, restore, history."""

import sys
from enum import StrEnum
from typing import Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.finishing import finish_work
from chatmem.interfaces.cli.target import Target

STDIN = "-"

IdArgument = Annotated[str, typer.Argument(metavar="ID", help="The memory's id.")]
TextArgument = Annotated[str, typer.Argument(help="The text; - reads it from standard input.")]


class CategoryOption(StrEnum):
    """What a memory is about."""

    PREFERENCE = "preference"
    FACT = "fact"
    PATTERN = "pattern"


class VisibilityOption(StrEnum):
    """Who may see a memory."""

    PRIVATE = "private"
    HOUSEHOLD = "household"
    GROUP = "group"
    PUBLIC = "public"


def remember(
    target: Target,
    fact: TextArgument,
    category: Annotated[
        CategoryOption, typer.Option("--category", help="Kind of fact.")
    ] = CategoryOption.FACT,
    importance: Annotated[
        int, typer.Option("--importance", min=1, max=5, help="1 to 5; 3 is neutral.")
    ] = 3,
    key: Annotated[
        str | None,
        typer.Option("--key", help="Name of what it tells; a newer one of this name replaces it."),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option("--tag", help="A tag; may be given again.")
    ] = None,
    visibility: Annotated[
        VisibilityOption, typer.Option("--visibility", help="Who may see it.")
    ] = VisibilityOption.PRIVATE,
) -> None:
    """Remember a fact, preference or pattern for good."""
    with target.open() as memory:
        record = memory.append_memory(
            _text(fact),
            category.value,
            importance=importance,
            visibility=visibility.value,
            key=key,
            tags=tuple(tag or ()),
        )
        output.print_record(record, as_json=target.as_json)
        output.tell_masked(record)
        finish_work(memory)


def log(target: Target, entry: TextArgument) -> None:
    """Write an entry into today's log."""
    with target.open() as memory:
        record = memory.append_daily_log(_text(entry))
        output.print_record(record, as_json=target.as_json)
        output.tell_masked(record)
        finish_work(memory)


def forget(
    target: Target,
    memory_id: Annotated[str | None, typer.Argument(metavar="[ID]", help="The memory.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="All long-term memories; conversations stay.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Delete a memory, or all of them, for good.

    It is gone from the files, the index and the history, and cannot be restored.
    """
    if (memory_id is None) != everything:
        raise typer.BadParameter("give the ID of one memory, or --all")
    if everything and not yes:
        _confirm(target)
    with target.open() as memory:
        if memory_id is not None:
            memory.forget(memory_id)
            count = 1
        else:
            count = memory.forget_all()
    if target.as_json:
        output.print_json({"deleted": count if everything else True, "id": memory_id})
    else:
        print(f"{count} {'memory' if count == 1 else 'memories'} forgotten")


def restore(
    target: Target,
    memory_id: IdArgument,
    keep_both: Annotated[
        bool,
        typer.Option("--keep-both", help="If a newer one took its place: keep that one too."),
    ] = False,
) -> None:
    """Undo the last change of a memory.

    That may be an edit, or that a newer memory took its place: it gives it back, unless both are
    kept. What was forgotten stays forgotten.
    """
    with target.open() as memory:
        record = memory.restore(memory_id, keep_both=keep_both)
        output.print_record(record, as_json=target.as_json)
        output.tell_masked(record)
        finish_work(memory)


def history(target: Target, memory_id: IdArgument) -> None:
    """Show what happened to a memory."""
    from chatmem.engine.importing import as_json
    from chatmem.model.time import to_text

    with target.open() as memory:
        entries = memory.history(memory_id)
    if target.as_json:
        output.print_json(
            [
                {
                    "at": entry.at,
                    "action": entry.action,
                    "reason": entry.reason,
                    "before": None if entry.before is None else as_json(entry.before),
                    "after": as_json(entry.after),
                }
                for entry in entries
            ]
        )
        return
    for entry in entries:
        reason = f" ({output.shown(entry.reason)})" if entry.reason else ""
        print(f"{to_text(entry.at)}  {entry.action}{reason}")
        print(f"  {output.shown(entry.after.content)}")


def _text(argument: str) -> str:
    return sys.stdin.read() if argument == STDIN else argument


def _confirm(target: Target) -> None:
    """Asks a person; where nobody can be asked, `--yes` is needed.

    Raises:
        typer.Abort: the answer was no.
    """
    if not sys.stdin.isatty():
        raise typer.BadParameter("--all forgets everything; add --yes, since nobody can be asked")
    whose = target.user or "the default user"
    typer.confirm(f"Forget all long-term memories of {whose}, for good?", abort=True, err=True)
