"""Commands that move data: import, export, migrate, partition, backup, restore-backup."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from chatmem.errors import InvalidInputError
from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.output import STANDARD, text_file
from chatmem.interfaces.cli.target import Target
from chatmem.model import ImportFormat

if TYPE_CHECKING:
    from chatmem.engine.move import MoveReport

SHARDS = 32
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a zip.")]


def import_file(
    target: Target,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file; .xz and .zip too.")],
    format: Annotated[
        Literal["auto", ImportFormat], typer.Option(help="The file's format; auto looks into it.")
    ] = "auto",
) -> None:
    """Bring in conversations or memories from a file.

    What is there already is not added twice; a file that is broken changes nothing.
    """
    from chatmem.engine.importing import import_file

    with target.open() as memory:
        with output.progress_bar("Importing") as progress:
            report = import_file(memory, file, format=format, progress=progress)
        output.finish_work(memory)
    came = ((report.messages, "message", None), (report.memories, "memory", "memories"))
    added = [output.counted(*one) for one in came if one[0]]
    repeats = report.messages_known + report.memories_known
    already = f", {repeats} already there" if repeats else ""
    target.print(
        report,
        [
            f"{file} ({report.format}): {' and '.join(added) or 'nothing'} added{already}",
            *(f"  {note}: {count}" for note, count in report.notes.items()),
        ],
    )


def export_file(
    target: Target,
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON Lines; .xz packs, - prints.")],
) -> None:
    """Write everything of this user to a file.

    One JSON object a line, with every column, as `import` reads it.
    """
    from chatmem.engine.importing import as_json

    with target.open() as memory, text_file(file) as stream:
        count = 0
        for record in memory.export_records():
            stream.write(json.dumps(as_json(record), ensure_ascii=False) + "\n")
            count += 1
    if file != STANDARD:
        target.print(
            {"path": file, "exported": count},
            [f"{file}: {output.counted(count, 'memory', 'memories')} exported"],
        )


def migrate(
    target: Target,
    to: Annotated[
        str,
        typer.Option(metavar="PLACE", help="An empty postgresql:// database, or an empty folder."),
    ],
) -> None:
    """Copy everything to another place: a PostgreSQL database, or back into a folder.

    Every user, message, memory, document and key; compared at the end. The old place stays as it
    is. Nothing may write to it meanwhile; where it is interrupted the same command completes it.
    """
    if target.data and not (Path(target.data) / "chatmem.db").is_file():
        raise InvalidInputError(
            f"--data: {target.data} holds no memory (there is no chatmem.db): name the folder that "
            "is to be moved"
        )
    with target.open() as memory, output.progress_bar("Moving") as progress:
        moved = memory.move_to(to, progress)
    target.print(
        moved,
        [
            f"moved {sum(moved.rows.values())} rows and {moved.documents} documents, compared and "
            "the same; the old place is as it was"
        ],
    )


def partition(
    target: Target,
    shards: Annotated[int, typer.Option(min=1, help=f"Of each table; {SHARDS}.")] = SHARDS,
) -> None:
    """Spread the tables of a PostgreSQL database over the nodes of Citus, by their user."""
    from chatmem.config import Settings
    from chatmem.engine.factory import distribute_database

    spread = distribute_database(target.database, Settings(), shards)
    target.print_fields({"shards": shards, "tables": len(spread)})


def backup(target: Target, file: BackupFile) -> None:
    """Write everything of every user to one file, beside a running server too.

    It is read again and verified before it takes the place of an older one.
    """
    with target.open() as memory, output.progress_bar("Backing up") as progress:
        report = memory.backup(file, progress)
        if "encrypted" in memory.stats().backend:
            output.warn(f"{file} is plain, unlike the memory: keep it where only you can read it")
    print_backup(target, file, report, "written and verified")


def restore_backup(target: Target, file: BackupFile) -> None:
    """Bring all of a backup, or of a user's export, into an empty place; stop its servers first.

    A file that is damaged changes nothing. Where it is interrupted the same command completes it.
    """
    from chatmem.engine.move import restore_backup

    with output.progress_bar("Restoring") as progress:
        report = restore_backup(file, target.database or target.data, progress=progress)
    print_backup(target, file, report, "verified and restored")


def print_backup(target: Target, file: Path, report: "MoveReport", done: str) -> None:
    """Prints how much a file holds, and warns of the documents that it lacks."""
    for why in report.left_out:
        output.warn(f"without a document, whose memories are among the rows: {why}")
    rows, documents = sum(report.rows.values()), output.counted(report.documents, "document")
    target.print(
        {"path": str(file), **asdict(report)}, [f"{file}: {done}, {rows} rows, {documents}"]
    )
