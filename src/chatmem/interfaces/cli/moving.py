"""`chatmem migrate`: the whole memory to another place, a database on a server or a folder."""

from dataclasses import asdict
from typing import Annotated

import typer

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
    with target.open() as memory, progress_bar("Moving") as progress:
        moved = memory.move_to(to, progress)
    if target.as_json:
        output.print_json(asdict(moved))
        return
    print(
        f"moved {sum(moved.rows.values())} rows and {moved.documents} documents, compared and the "
        "same; the old place is as it was"
    )
