"""`chatmem sessions`: conversations, listed, read, named and deleted.

And `chatmem context`: the prompt that the next message of one gets.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from chatmem.interfaces.cli import shell

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService
    from chatmem.model import Page, Session
    from chatmem.prompt.compose import ContextMessages, ContextText
    from chatmem.storage.values import StoredMessage


def sessions(
    target: shell.Target,
    session: Annotated[
        str | None, typer.Argument(metavar="[SESSION]", help="Show this one's messages.")
    ] = None,
    limit: shell.LimitOption = 50,
    offset: shell.OffsetOption = 0,
    new: Annotated[bool, typer.Option("--new", help="Start a session; prints its id.")] = False,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Give the session this title.")
    ] = None,
    collect: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Collect a message.")
    ] = None,
    drop: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="It is no longer collected.")
    ] = None,
    collected: Annotated[
        bool, typer.Option("--collected", help="List the collected messages.")
    ] = False,
    delete: Annotated[
        bool, typer.Option("--delete", help="Delete the session and all that came from it.")
    ] = False,
    yes: shell.YesOption = False,
) -> None:
    """List sessions, or show one; name it, collect a message of it, or delete it for good."""
    if session is None and (delete or (title, collect, drop) != (None, None, None)):
        raise typer.BadParameter("name the SESSION that is meant")
    if session is not None and (new or collected):
        raise typer.BadParameter("--new and --collected take no SESSION")
    if delete and not yes:
        shell.confirm(
            f"Delete session {session} and everything that came from it, for good?",
            if_nobody="--delete is for good; add --yes, since nobody can be asked",
        )
    with target.open() as memory:
        if session is not None and delete:
            count = memory.sessions.delete(session)
            target.print(
                {"deleted": True, "id": session, "messages": count}, [f"session {session} deleted"]
            )
        elif session is not None:
            _change(memory, session, title, collect, drop)
            shown = memory.sessions.get(session)
            messages = memory.sessions.messages(session, limit)
            snippet = [f"       {shown.snippet}"] if shown.snippet else []
            target.print(
                {**asdict(shown), "messages": messages},
                [_session_line(shown), *snippet, *_message_lines(messages)],
            )
        elif new:
            made = memory.new_session()
            target.print({"session_id": made}, [made])
        elif collected:
            messages = memory.sessions.collected(limit, offset)
            target.print(messages, _message_lines(messages, with_session=True))
        else:
            page = memory.sessions.list(limit, offset)
            target.print(page, _page_lines(page, offset))


def _change(
    memory: "MemoryService", session: str, title: str | None, collect: int | None, drop: int | None
) -> None:
    if title is not None:
        memory.sessions.rename(session, title or None)
    if collect is not None:
        memory.sessions.collect(session, collect)
    if drop is not None:
        memory.sessions.collect(session, drop, collected=False)


def _page_lines(page: "Page[Session]", offset: int) -> Iterator[str]:
    yield from map(_session_line, page.items)
    end = offset + len(page.items)
    if not page.items:
        yield "No sessions."
    elif page.total > end:
        yield f"... {page.total} in all; --offset {end} shows more"


def _session_line(session: "Session") -> str:
    count = shell.counted(session.message_count, "message")
    title = session.title or "(no title yet)"
    return f"{session.session_id}  {session.updated_at:%Y-%m-%d %H:%M}  {count}  {title}"


def _message_lines(
    messages: "Iterable[StoredMessage]", *, with_session: bool = False
) -> Iterator[str]:
    for one in messages:
        mark = " *" if one.is_collected else ""
        session = f"  {one.session_id}" if with_session else ""
        yield f"{one.id:>6}  {one.create_time:%Y-%m-%d %H:%M}  {one.role}{mark}{session}"
        for line in one.content.splitlines():
            yield f"        {line}"


def context(
    target: shell.Target,
    message: Annotated[str, typer.Argument(help="The user's message; - reads standard input.")],
    session: Annotated[str | None, typer.Option(metavar="ID", help="The running session.")] = None,
    persona: shell.PersonaOption = None,
    scenario: Annotated[
        str | None, typer.Option(help="A scenario with budgets of its own.")
    ] = None,
    system: Annotated[
        str | None, typer.Option(metavar="TEXT", help="A system prompt, not the persona's.")
    ] = None,
    rag: Annotated[
        list[Path] | None,
        typer.Option(metavar="FILE", help="A document to put in; may be given again."),
    ] = None,
    tools: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A JSON list of tools to describe.")
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option(min=1, help="Tokens of the whole prompt.")
    ] = None,
    format: Annotated[
        Literal["messages", "text"], typer.Option(help="Chat messages, or one text.")
    ] = "messages",
    receipt: Annotated[
        bool, typer.Option("--receipt", help="Show what went in and what was left out.")
    ] = False,
) -> None:
    """Show the prompt that a message would get; nothing is saved or counted."""
    from chatmem.engine.context import ChatContextBuilder, PromptComposer

    request: dict[str, Any] = {
        "persona": persona,
        "scenario": scenario,
        "base_system_prompt": system,
        "rag": [{"content": shell.read_text(path), "title": path.name} for path in rag or ()],
        "tools": _tools(tools) if tools else (),
        "budget": {"total_tokens": max_tokens} if max_tokens else None,
        "counts_access": False,
    }
    content = shell.text_of(message)
    with target.open() as memory:
        made: ContextMessages | ContextText = (
            PromptComposer(memory).compose(content, session, **request)
            if format == "text"
            else ChatContextBuilder(memory).build_messages(content, session, **request)
        )
    lines = (
        [made]
        if isinstance(made, str)
        else [line for one in made for line in (f"--- {one['role']}", one["content"])]
    )
    target.warn_missing(made.missing)
    target.print({format: made, "receipt": made.receipt.as_json()}, lines)
    if receipt and not target.as_json:
        print()
        shell.print_lines(shell.receipt_lines(made.receipt))


def _tools(path: Path) -> list[Any]:
    try:
        found = json.loads(shell.read_text(path))
    except json.JSONDecodeError as error:
        raise typer.BadParameter(f"--tools: {path} is not JSON ({error})") from error
    return found if isinstance(found, list) else [found]
