"""`chatmem profile`: the user's profile and the household's, shown and written."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.model import ProfileName

STDIN = "-"


def profile(
    target: Target,
    household: Annotated[
        bool, typer.Option("--household", help="The household's profile, not the user's.")
    ] = False,
    text: Annotated[
        str | None,
        typer.Option("--set", metavar="TEXT|-", help="Write this; - reads standard input."),
    ] = None,
    etag: Annotated[
        str | None,
        typer.Option("--etag", help="With --set: only over the version that has this etag."),
    ] = None,
) -> None:
    """Show a profile, which stands in every prompt, or write it.

    It is the file USER.md, or HOUSEHOLD.md in the folder of the household's head: any editor will
    do, too.
    """
    if etag is not None and text is None:
        raise typer.BadParameter("--etag goes with --set")
    name: ProfileName = "household" if household else "user"
    with target.open() as memory:
        if text is None:
            found = memory.profiles.read(name)
        else:
            content = sys.stdin.read() if text == STDIN else text
            found = memory.profiles.write(name, content, etag)
    if target.as_json:
        output.print_json(asdict(found))
    elif text is not None:
        print(f"{name} profile written")
    elif found.content.strip():
        print(output.shown(found.content.rstrip("\n")))
    else:
        print("Nothing is written there yet.")
