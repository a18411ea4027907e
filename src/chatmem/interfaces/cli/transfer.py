"""`chatmem import` and `chatmem export`."""

import json
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.destination import STDOUT, text_file
from chatmem.interfaces.cli.finishing import finish_work
from chatmem.interfaces.cli.progress import progress_bar
from chatmem.interfaces.cli.target import Target


class FormatOption(StrEnum):
    """The formats of `import`, and `auto`."""

    AUTO = "auto"
    CHATGPT = "chatgpt"
    OPENAI = "openai"
    LOCOMO = "locomo"
    JSONL = "jsonl"
    MEM0 = "mem0"
    MARKDOWN = "markdown"


def import_file(
    target: Target,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file; .xz and .zip too.")],
    format: Annotated[
        FormatOption, typer.Option("--format", help="The file's format; auto looks into it.")
    ] = FormatOption.AUTO,
) -> None:
    """Bring in conversations or memories from a file.

    What is there already is not added twice; a file that is broken changes nothing.
    """
    from chatmem.engine.importing import import_file

    with target.open() as memory:
        with progress_bar("Importing") as progress:
            report = import_file(
                memory, file, user_id=memory.user_id, format=format.value, progress=progress
            )
        finish_work(memory)
    if target.as_json:
        output.print_json(report)
        return
    added = [
        output.counted(count, one, many)
        for count, one, many in (
            (report.messages, "message", None),
            (report.memories, "memory", "memories"),
        )
        if count
    ]
    known = report.messages_known + report.memories_known
    there = f", {known} already there" if known else ""
    print(f"{file} ({report.format}): {' and '.join(added) or 'nothing'} added{there}")
    for note, count in report.notes.items():
        print(f"  {note}: {count}")


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
    if file == STDOUT:
        return
    if target.as_json:
        output.print_json({"path": file, "exported": count})
    else:
        print(f"{file}: {output.counted(count, 'memory', 'memories')} exported")
