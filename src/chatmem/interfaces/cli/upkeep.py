"""Commands for the data as a whole: its state, its settings, its files, and moving it."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from chatmem.errors import InvalidInputError
from chatmem.interfaces.cli import shell
from chatmem.model import ImportFormat, JobReport

if TYPE_CHECKING:
    from chatmem.engine.move import MoveReport

SHARDS = 32
_NO_VALUE = ("none", "null")
"""How a person writes that a setting has no value."""
BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a zip.")]


def import_file(
    target: shell.Target,
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
        with shell.progress_bar("Importing") as progress:
            report = import_file(memory, file, format=format, progress=progress)
        shell.finish_work(memory)
    came = ((report.messages, "message", None), (report.memories, "memory", "memories"))
    added = [shell.counted(*one) for one in came if one[0]]
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
    target: shell.Target,
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON Lines; .xz packs, - prints.")],
) -> None:
    """Write everything of this user to a file.

    One JSON object a line, with every column, as `import` reads it.
    """
    from chatmem.engine.importing import as_json

    with target.open() as memory, shell.text_file(file) as stream:
        count = 0
        for record in memory.export_records():
            stream.write(json.dumps(as_json(record), ensure_ascii=False) + "\n")
            count += 1
    if file != shell.STANDARD:
        target.print(
            {"path": file, "exported": count},
            [f"{file}: {shell.counted(count, 'memory', 'memories')} exported"],
        )


def migrate(
    target: shell.Target,
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
    with target.open() as memory, shell.progress_bar("Moving") as progress:
        moved = memory.move_to(to, progress)
    target.print(
        moved,
        [
            f"moved {sum(moved.rows.values())} rows and {moved.documents} documents, compared and "
            "the same; the old place is as it was"
        ],
    )


def partition(
    target: shell.Target,
    shards: Annotated[int, typer.Option(min=1, help=f"Of each table; {SHARDS}.")] = SHARDS,
) -> None:
    """Spread the tables of a PostgreSQL database over the nodes of Citus, by their user."""
    from chatmem.config import Settings
    from chatmem.engine.factory import distribute_database

    spread = distribute_database(target.database, Settings(), shards)
    target.print_fields({"shards": shards, "tables": len(spread)})


def backup(target: shell.Target, file: BackupFile) -> None:
    """Write everything of every user to one file, beside a running server too.

    It is read again and verified before it takes the place of an older one.
    """
    with target.open() as memory, shell.progress_bar("Backing up") as progress:
        report = memory.backup(file, progress)
        if "encrypted" in memory.stats().backend:
            shell.warn(f"{file} is plain, unlike the memory: keep it where only you can read it")
    print_backup(target, file, report, "written and verified")


def restore_backup(target: shell.Target, file: BackupFile) -> None:
    """Bring all of a backup, or of a user's export, into an empty place; stop its servers first.

    A file that is damaged changes nothing. Where it is interrupted the same command completes it.
    """
    from chatmem.engine.move import restore_backup

    with shell.progress_bar("Restoring") as progress:
        report = restore_backup(file, target.database or target.data, progress=progress)
    print_backup(target, file, report, "verified and restored")


def print_backup(target: shell.Target, file: Path, report: "MoveReport", done: str) -> None:
    """Prints how much a file holds, and warns of the documents that it lacks."""
    for why in report.left_out:
        shell.warn(f"without a document, whose memories are among the rows: {why}")
    rows, documents = sum(report.rows.values()), shell.counted(report.documents, "document")
    target.print(
        {"path": str(file), **asdict(report)}, [f"{file}: {done}, {rows} rows, {documents}"]
    )


def reindex(
    target: shell.Target,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="Take this file as it is, MEMORY.md say: what is gone from it is forgotten.",
        ),
    ] = None,
) -> None:
    """Read the files again and make the search index anew.

    A file that is missing or empty is written again from the index, unless it is accepted.
    """
    with target.open() as memory:
        report = memory.reindex(accept or ())
        with shell.progress_bar("Indexing") as progress:
            memory.wait_until_indexed(progress)
    target.print_fields(asdict(report))


def stats(target: shell.Target) -> None:
    """Show how much is kept, and where."""
    with target.open() as memory:
        target.print_fields(asdict(memory.stats()))


def doctor(target: shell.Target) -> None:
    """Check the installation and the data.

    Exits with 1 when something is wrong, and says what to do.
    """
    with target.open() as memory:
        findings = memory.diagnose()
    target.print(
        findings, (f"{'ok  ' if one.ok else 'FAIL'}  {one.name}: {one.detail}" for one in findings)
    )
    if not all(finding.ok for finding in findings):
        raise typer.Exit(shell.EXIT_FAILED)


def encrypt(target: shell.Target) -> None:
    """Encrypt the data folder: the database, and the Markdown files, which become rows of it.

    With the key in CHATMEM_KEY or CHATMEM_KEY_FILE, or with a new one. If it is stopped, the same
    command finishes.
    """
    _convert(target, "encrypt")


def decrypt(target: shell.Target) -> None:
    """Make an encrypted data folder plain again, with its Markdown files."""
    _convert(target, "decrypt")


def rekey(target: shell.Target) -> None:
    """Encrypt an encrypted data folder anew, with a new key."""
    _convert(target, "rekey")


def _convert(target: shell.Target, wish: str) -> None:
    from chatmem.config import Settings
    from chatmem.engine.factory import convert_place

    kept_in, left = convert_place(target.database or target.data, Settings(), wish)
    told: dict[str, object] = {"encrypted": wish != "decrypt"}
    if kept_in:
        told |= {"key": kept_in, "note": "back this file up: nothing opens the folder without it"}
    target.print_fields(told)
    if left:
        shell.warn(f"these are still plain, see what they say: {', '.join(map(str, left))}")
        raise typer.Exit(shell.EXIT_FAILED)


def jobs(
    target: shell.Target,
    retry: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Try one again that failed.")
    ] = None,
    discard: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Strike a failed one off.")
    ] = None,
) -> None:
    """List background work that waits or has failed; try a failed job again, or strike it off."""
    if retry is not None and discard is not None:
        raise typer.BadParameter("--retry and --discard are two different wishes")
    with target.open() as memory:
        if retry is not None:
            memory.jobs.retry(retry)
            shell.finish_work(memory)
        if discard is not None:
            memory.jobs.discard(discard)
        found = memory.jobs.list()
    if not found and not target.as_json:
        print("nothing waits", file=sys.stderr)
    target.print(found, map(_job_line, found))


def _job_line(job: JobReport) -> str:
    about = f" of session {job.session_id}" if job.session_id else ""
    failure = f", attempt {job.attempts}: {job.error}" if job.error is not None else ""
    return f"{job.number}  {job.state}  {job.kind}{about}{failure}"


def config(
    target: shell.Target,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A setting: rag_top_n, or memory.rag_top_n."),
    ] = None,
    value: Annotated[
        str | None, typer.Argument(metavar="[VALUE]", help="Its new value, kept with the data.")
    ] = None,
    unset: Annotated[
        str | None, typer.Option(metavar="NAME", help="Let the file or the default count again.")
    ] = None,
) -> None:
    """Show the settings of this memory, or change one: it is kept with the data.

    What is kept here wins over chatmem.toml and the environment, for every program that has this
    memory open.
    """
    from chatmem.engine.settings import LIMITS, setting_name

    if unset is not None and name is not None:
        raise typer.BadParameter("--unset NAME takes no other NAME")
    if name is not None and value is None and "=" in name:
        name, _, value = (part.strip() for part in name.partition("="))
    with target.open() as memory:
        if unset is not None:
            memory.config.unset([unset])
        elif name is not None and value is not None:
            memory.config.set({name: None if value.lower() in _NO_VALUE else value})
        values = memory.config.get()
        chosen = name if unset is None else unset
        names = list(values) if chosen is None else [setting_name(chosen)]
        origins = {one: memory.config.origin(one) for one in names}
        if LIMITS.intersection(names) and (unset or value):
            shell.finish_work(memory)
    width = max(map(len, names))
    texts = {one: json.dumps(values[one], ensure_ascii=False) for one in names}
    target.print(
        {one: {"value": values[one], "origin": origins[one]} for one in names},
        (f"{one:{width}}  {texts[one]}  ({origins[one]})" for one in names),
    )
