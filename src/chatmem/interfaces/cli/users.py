"""Commands for whoever runs a place: its users, and backups of all of it."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.target import Target, YesOption

if TYPE_CHECKING:
    from chatmem.engine.move import MoveReport
    from chatmem.model.people import UserCounts

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup, a zip.")]


def users(
    target: Target,
    action: Annotated[
        Literal["list", "export", "delete"], typer.Argument(help="What to do.")
    ] = "list",
    name: Annotated[str | None, typer.Argument(metavar="[USER]", help="Whom.")] = None,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="The zip.")] = None,
    yes: YesOption = False,
) -> None:
    """List the users of this place, export one (export USER FILE), or delete one (delete USER).

    Deleting is final: rows, documents, keys, everything. Export first what is to be kept.
    """
    given = sum(one is not None for one in (name, file))
    if given != ("list", "delete", "export").index(action) or (yes and action != "delete"):
        raise typer.BadParameter("export takes a USER and a FILE, delete a USER, list neither")
    with target.open() as memory:
        if name is None:
            found = memory.users.list()
            target.print(found, map(_user_line, found))
        elif file is not None:
            _print_backup(target, file, memory.users.export(name, file), "exported")
        else:
            keep = f"`chatmem users export {name} FILE` keeps a copy"
            if not yes:
                output.confirm(
                    f"{_user_line(memory.users.get(name))}: delete all of it for good? {keep}.",
                    if_nobody=f"--yes deletes all that {name} has for good; {keep}",
                )
            rows = memory.users.delete(name)
            target.print({"deleted": rows, "user": name}, [f"{name}: deleted, {rows} rows"])


def backup(target: Target, file: BackupFile) -> None:
    """Write everything of every user to one file, beside a running server too.

    It is read again and verified before it takes the place of an older one.
    """
    with target.open() as memory, output.progress_bar("Backing up") as progress:
        report = memory.backup(file, progress)
        if "encrypted" in memory.stats().backend:
            output.warn(f"{file} is plain, unlike the memory: keep it where only you can read it")
    _print_backup(target, file, report, "written and verified")


def restore_backup(target: Target, file: BackupFile) -> None:
    """Bring all of a backup, or of a user's export, into an empty place; stop its servers first.

    A file that is damaged changes nothing. Where it is interrupted the same command completes it.
    """
    from chatmem.engine.move import restore_backup

    with output.progress_bar("Restoring") as progress:
        report = restore_backup(file, target.database or target.data, progress=progress)
    _print_backup(target, file, report, "verified and restored")


def _print_backup(target: Target, file: Path, report: "MoveReport", done: str) -> None:
    for why in report.left_out:
        output.warn(f"without a document, whose memories are among the rows: {why}")
    rows, documents = sum(report.rows.values()), output.counted(report.documents, "document")
    target.print(
        {"path": str(file), **asdict(report)}, [f"{file}: {done}, {rows} rows, {documents}"]
    )


def _user_line(one: "UserCounts") -> str:
    return (
        f"{one.user_id}  {output.counted(one.messages, 'message')}, "
        f"{output.counted(one.memories, 'memory', 'memories')}, {output.counted(one.keys, 'key')}, "
        f"head of {output.counted(one.circles, 'circle')}"
    )
