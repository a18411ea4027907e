"""`chatmem sessions`: conversations, listed, read, named and deleted."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.recall import LimitOption
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService
    from chatmem.model import Session
    from chatmem.storage.values import StoredMessage


def sessions(
    target: Target,
    session: Annotated[
        str | None, typer.Argument(metavar="[SESSION]", help="Show this one's messages.")
    ] = None,
    limit: LimitOption = 50,
    offset: Annotated[int, typer.Option("--offset", min=0, help="How many to skip.")] = 0,
    new: Annotated[bool, typer.Option("--new", help="Start a session; prints its id.")] = False,
    title: Annotated[
        str | None, typer.Option("--title", metavar="TEXT", help="Give the session this title.")
    ] = None,
    collect: Annotated[
        int | None, typer.Option("--collect", metavar="NUMBER", help="Collect a message.")
    ] = None,
    drop: Annotated[
        int | None, typer.Option("--drop", metavar="NUMBER", help="It is no longer collected.")
    ] = None,
    collected: Annotated[
        bool, typer.Option("--collected", help="List the collected messages.")
    ] = False,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete the session and all that came from it.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """List sessions, or show one; name it, collect a message of it, or delete it for good."""
    if session is None and (title is not None or delete or collect is not None or drop is not None):
        raise typer.BadParameter("name the SESSION that is meant")
    if session is not None and (new or collected):
        raise typer.BadParameter("--new and --collected take no SESSION")
    if delete and not yes:
        _confirm(str(session))
    with target.open() as memory:
        if session is None:
            _overview(memory, target, limit, offset, new=new, collected=collected)
        elif delete:
            count = memory.sessions.delete(session)
            if target.as_json:
                output.print_json({"deleted": True, "id": session, "messages": count})
            else:
                print(f"session {output.shown(session)} deleted")
        else:
            _change(memory, session, title, collect, drop)
            _show(memory, target, session, limit)


def _overview(
    memory: "MemoryService",
    target: Target,
    limit: int,
    offset: int,
    *,
    new: bool,
    collected: bool,
) -> None:
    if new:
        made = memory.new_session()
        if target.as_json:
            output.print_json({"session_id": made})
        else:
            print(made)
    elif collected:
        _print_messages(memory.sessions.collected(limit, offset), target, with_session=True)
    else:
        page = memory.sessions.list(limit, offset)
        if target.as_json:
            output.print_json({**asdict(page), "items": [asdict(one) for one in page.items]})
            return
        for one in page.items:
            print(_line(one))
        if not page.items:
            print("No sessions.")
        elif page.total > offset + len(page.items):
            print(f"... {page.total} in all; --offset {offset + len(page.items)} shows more")


def _change(
    memory: "MemoryService", session: str, title: str | None, collect: int | None, drop: int | None
) -> None:
    if title is not None:
        memory.sessions.rename(session, title or None)
    if collect is not None:
        memory.sessions.collect(session, collect)
    if drop is not None:
        memory.sessions.collect(session, drop, collected=False)


def _show(memory: "MemoryService", target: Target, session: str, limit: int) -> None:
    known = memory.sessions.get(session)
    messages = memory.sessions.messages(session, limit)
    if target.as_json:
        output.print_json({**asdict(known), "messages": [asdict(one) for one in messages]})
        return
    print(_line(known))
    if known.snippet:
        print(f"       {output.shown(known.snippet)}")
    _print_messages(messages, target)


def _print_messages(
    messages: "Sequence[StoredMessage]", target: Target, *, with_session: bool = False
) -> None:
    if target.as_json:
        output.print_json([asdict(one) for one in messages])
        return
    for one in messages:
        mark = " *" if one.is_collected else ""
        where = f"  {output.shown(one.session_id)}" if with_session else ""
        print(f"{one.id:>6}  {one.create_time:%Y-%m-%d %H:%M}  {one.role}{mark}{where}")
        for line in output.shown(one.content).splitlines():
            print(f"        {line}")


def _line(session: "Session") -> str:
    count = output.counted(session.message_count, "message")
    title = output.shown(session.title) if session.title else "(no title yet)"
    return f"{session.session_id}  {session.updated_at:%Y-%m-%d %H:%M}  {count}  {title}"


def _confirm(session: str) -> None:
    """Asks a person; where nobody can be asked, `--yes` is needed.

    Raises:
        typer.Abort: the answer was no.
    """
    if not sys.stdin.isatty():
        raise typer.BadParameter("--delete is for good; add --yes, since nobody can be asked")
    question = f"Delete session {session} and everything that came from it, for good?"
    typer.confirm(question, abort=True, err=True)
