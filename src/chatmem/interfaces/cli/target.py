"""Which memory a command works on, how it prints, and the options that several commands take.

Source: interfaces.md, "Command line".
"""

import io
import os
import re
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chatmem.errors import InvalidInputError
from chatmem.interfaces.cli import output

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

DataOption = Annotated[str | None, typer.Option("--data", metavar="DIR", help="The data folder.")]
DatabaseOption = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="A postgresql:// address, not a folder."),
]
UserOption = Annotated[str | None, typer.Option("--user", metavar="USER", help="Whose memory.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

LimitOption = Annotated[
    int, typer.Option("--limit", "-n", min=1, max=1000, help="How many at most.")
]
OffsetOption = Annotated[int, typer.Option("--offset", min=0, help="How many to skip.")]
YesOption = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
ModelOption = Annotated[
    str | None, typer.Option("--model", metavar="NAME", help="The model, as its server says.")
]
BaseUrlOption = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="An OpenAI-compatible address, with /v1."),
]
PersonaOption = Annotated[
    str | None, typer.Option("--persona", help="general, coding, household, or your own.")
]

EXIT_FAILED = 1
"""The exit code of a command that was understood and could not do its work."""


@dataclass(frozen=True, slots=True)
class Served:
    """A command that a server carries out for a process in `cwd`, on its memory in `folder`."""

    memory: "MemoryService"
    folder: str
    cwd: str
    streams: Mapping[str, io.StringIO]
    """`stdout` and `stderr`."""


SERVED: ContextVar[Served | None] = ContextVar("SERVED", default=None)
"""None where the command is this process's own."""


class OwnProcessError(Exception):
    """What is asked takes the files, terminal or input of who asks, and nothing was done yet."""


@dataclass(frozen=True, slots=True)
class Target:
    """The memory that the command line names, not yet opened, and how to print."""

    data: DataOption = None
    database: DatabaseOption = None
    user: UserOption = None
    as_json: JsonOption = False

    def open(
        self,
        *,
        background: bool = False,
        **overrides: Any,  # noqa: ANN401
    ) -> AbstractContextManager["MemoryService"]:
        """The memory, until it is left; `overrides` are settings from the command's own options.

        `background` is for a command that goes on for a while: most end before a thread is of use.

        Raises:
            ChatmemError: it cannot be opened, or a setting has a value that it does not take.
            OwnProcessError: a server is asked, and not for its own memory.
        """
        if call := SERVED.get():
            settings = call.memory.settings
            place = os.path.realpath(os.path.join(call.cwd, self.data or settings.data))
            if self.database or place != call.folder:
                raise OwnProcessError
            return nullcontext(call.memory.for_user(self.user or settings.user))
        from chatmem.config import Settings
        from chatmem.config.groups import POSTGRES_ADDRESS
        from chatmem.engine.service import MemoryService

        if self.database is not None and not re.match(POSTGRES_ADDRESS, self.database):
            raise InvalidInputError(
                "--database: takes an address, postgresql://user:password@host:port/database; "
                "--data takes a folder"
            )
        if self.database is not None:
            overrides["database"] = self.database  # what depends on it, such as threads, sees it
        settings = Settings(**overrides)
        return MemoryService.open(
            self.database or self.data, self.user, settings=settings, background=background
        )

    def print(self, value: object, lines: Iterable[str]) -> None:
        """Prints the value where JSON is asked for, else the lines."""
        if self.as_json:
            output.print_json(value)
        else:
            output.print_lines(lines)

    def print_fields(self, fields: Mapping[str, object]) -> None:
        """Prints named values, one a line, or as JSON."""
        width = max(map(len, fields))
        values = {name: output.to_json(value).strip('"') for name, value in fields.items()}
        self.print(fields, (f"{name:{width}}  {value}" for name, value in values.items()))

    def warn_missing(self, missing: Iterable[object]) -> None:
        """Says on stderr what a result could not use; JSON has it in the result."""
        if not self.as_json:
            for one in missing:
                output.warn(f"without {one}")
