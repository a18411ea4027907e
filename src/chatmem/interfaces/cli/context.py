"""`chatmem context`: the prompt that a message gets."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.output import read_text, text_of
from chatmem.interfaces.cli.target import PersonaOption, Target

if TYPE_CHECKING:
    from chatmem.prompt.compose import ContextMessages, ContextText


def context(
    target: Target,
    message: Annotated[str, typer.Argument(help="The user's message; - reads standard input.")],
    session: Annotated[str | None, typer.Option(metavar="ID", help="The running session.")] = None,
    persona: PersonaOption = None,
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
        "rag": [{"content": read_text(path), "title": path.name} for path in rag or ()],
        "tools": _tools(tools) if tools else (),
        "budget": {"total_tokens": max_tokens} if max_tokens else None,
        "counts_access": False,
    }
    content = text_of(message)
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
        output.print_lines(output.receipt_lines(made.receipt))


def _tools(path: Path) -> list[Any]:
    try:
        found = json.loads(read_text(path))
    except json.JSONDecodeError as error:
        raise typer.BadParameter(f"--tools: {path} is not JSON ({error})") from error
    return found if isinstance(found, list) else [found]
