"""`chatmem migrate`: the whole memory to another place, a database on a server or a folder."""

import sys
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from chatmem.errors import InvalidInputError
from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.progress import progress_bar
from chatmem.interfaces.cli.target import Target


def migrate(
    target: Target,
    to: Annotated[
        str,
        typer.Option(metavar="PLACE", help="An empty postgresql:// database, or an empty folder."),
    ],
) -> None:
    """Copy everything to another place: a PostgreSQL database, or back into a folder.

    Every user, message, memory, document and key; compared at the end. The old place stays as it
    is. Nothing may write to it meanwhile; a move that was interrupted goes on where it stopped.
    """
    if target.data and not (Path(target.data) / "chatmem.db").is_file():
        raise InvalidInputError(
            f"--data: {target.data} holds no memory (there is no chatmem.db): name the folder that "
            "is to be moved"
        )
    try:
        with target.open() as memory, progress_bar("Moving") as progress:
            moved = memory.move_to(to, progress)
    except KeyboardInterrupt:
        print("chatmem: stopped; the same command goes on where it was", file=sys.stderr)
        raise
    if target.as_json:
        output.print_json(asdict(moved))
        return
    print(
        f"moved {sum(moved.rows.values())} rows and {moved.documents} documents, compared and the "
        "same; the old place is as it was"
    )
