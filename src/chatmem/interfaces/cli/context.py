"""`chatmem context`: the prompt that a message gets."""

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.options import PersonaOption
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.prompt.receipt import Receipt

STDIN = "-"


class RenderingOption(StrEnum):
    """How the prompt is written."""

    MESSAGES = "messages"
    TEXT = "text"


def context(
    target: Target,
    message: Annotated[str, typer.Argument(help="The user's message; - reads standard input.")],
    session: Annotated[
        str | None, typer.Option("--session", metavar="ID", help="The running session.")
    ] = None,
    persona: PersonaOption = None,
    scenario: Annotated[
        str | None, typer.Option("--scenario", help="A scenario with budgets of its own.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", metavar="TEXT", help="A system prompt, not the persona's."),
    ] = None,
    rag: Annotated[
        list[Path] | None,
        typer.Option("--rag", metavar="FILE", help="A document to put in; may be given again."),
    ] = None,
    tools: Annotated[
        Path | None,
        typer.Option("--tools", metavar="FILE", help="A JSON list of tools to describe."),
    ] = None,
    max_tokens: Annotated[
        int | None, typer.Option("--max-tokens", min=1, help="Tokens of the whole prompt.")
    ] = None,
    format: Annotated[
        RenderingOption, typer.Option("--format", help="Chat messages, or one text.")
    ] = RenderingOption.MESSAGES,
    receipt: Annotated[
        bool, typer.Option("--receipt", help="Show what went in and what was left out.")
    ] = False,
) -> None:
    """Show the prompt that a message would get; nothing is saved or counted."""
    from chatmem.engine.context import ChatContextBuilder, PromptComposer

    wishes: dict[str, Any] = {
        "persona": persona,
        "scenario": scenario,
        "base_system_prompt": system,
        "rag": [_document(path) for path in rag or ()],
        "tools": _tools(tools) if tools else (),
        "budget": {"total_tokens": max_tokens} if max_tokens else None,
        "counts_access": False,
    }
    said = sys.stdin.read() if message == STDIN else message
    with target.open() as memory:
        if format is RenderingOption.TEXT:
            text = PromptComposer(memory).compose(said, session, **wishes)
            shown: dict[str, object] = {"text": str(text)}
            made, missing = text.receipt, text.missing
        else:
            messages = ChatContextBuilder(memory).build_messages(said, session, **wishes)
            shown = {"messages": list(messages)}
            made, missing = messages.receipt, messages.missing
    if target.as_json:
        output.print_json({**shown, "receipt": made.as_json()})
        return
    for lacking in missing:
        output.warn(f"without {lacking}")
    if "text" in shown:
        print(output.shown(str(shown["text"])))
    else:
        for one in messages:
            print(f"--- {one['role']}")
            print(output.shown(one["content"]))
    if receipt:
        _print_receipt(made)


def _print_receipt(receipt: "Receipt") -> None:
    print()
    made = output.table(["section", "tokens", "memories"], numbers=(1,))
    for section in receipt.sections:
        made.add_row(section.name, str(section.tokens), " ".join(section.items))
    made.add_row("total", str(receipt.total_tokens), "")
    output.console().print(made)
    for left in receipt.left_out:
        print(f"left out: {output.shown(left.id)} ({output.shown(left.reason)})")


def _document(path: Path) -> dict[str, str]:
    return {"content": _read(path), "title": path.name}


def _tools(path: Path) -> list[Any]:
    try:
        found = json.loads(_read(path))
    except json.JSONDecodeError as error:
        raise typer.BadParameter(f"--tools: {path} is not JSON ({error})") from error
    return found if isinstance(found, list) else [found]


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise typer.BadParameter(f"{path}: cannot be read ({reason})") from error
