"""`chatmem partition`: the tables of a PostgreSQL database, split by their user."""

from typing import Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.progress import progress_bar
from chatmem.interfaces.cli.target import Target

SHARDS = 32


def partition(
    target: Target,
    count: Annotated[
        int | None,
        typer.Option(min=0, help="Hash partitions of each table of users; 0 joins them again."),
    ] = None,
    citus: Annotated[
        bool, typer.Option("--citus", help="Spread the tables over the nodes of Citus instead.")
    ] = False,
    shards: Annotated[
        int, typer.Option(min=1, help=f"With --citus: shards of each table; {SHARDS}.")
    ] = SHARDS,
) -> None:
    """Split the tables of a PostgreSQL database by their user.

    A new database gets its tables so. Those of one with memories in it are copied in one
    transaction: stop the servers first; it needs as much room once more, and a role that may make
    tables. What goes wrong leaves everything as it was.
    """
    from chatmem.config import Settings
    from chatmem.engine.factory import distribute_database, partition_database

    if citus == (count is not None):
        raise typer.BadParameter("takes either --count or --citus")
    settings = Settings()
    if citus:
        spread = distribute_database(target.database, settings, shards)
        output.print_fields({"shards": shards, "tables": len(spread)}, as_json=target.as_json)
        return
    assert count is not None
    with progress_bar("Copying tables") as progress:
        changed = partition_database(target.database, settings, count, progress)
    output.print_fields({"partitions": count, "copied": changed}, as_json=target.as_json)
