"""Which memory a command works on: `--data`, `--database`, `--user`, and `--json` beside them.

Every command takes them, before and after its own arguments; what stands nearer to the command
wins. Source: interfaces.md, "Command line".
"""

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Concatenate, ParamSpec

import typer

from chatmem.errors import InvalidInputError
from chatmem.interfaces.cli.failures import reported

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

DataOption = Annotated[str | None, typer.Option("--data", metavar="DIR", help="The data folder.")]
DatabaseOption = Annotated[
    str | None,
    typer.Option("--database", metavar="URL", help="A postgresql:// address, not a folder."),
]
UserOption = Annotated[str | None, typer.Option("--user", metavar="USER", help="Whose memory.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON.")]

_ADDRESS = re.compile(r"postgres(ql)?://")
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class Target:
    """The memory that the command line names, not yet opened, and how to print."""

    data: str | None = None
    database: str | None = None
    user: str | None = None
    as_json: bool = False

    @property
    def is_named(self) -> bool:
        """True when the command line itself says where the memory is."""
        return bool(self.data or self.database)

    def at(self, folder: str) -> "Target":
        """The same target in another data folder."""
        return Target(data=folder, user=self.user, as_json=self.as_json)

    def open(self, *, background: bool = False, **overrides: Any) -> "MemoryService":  # noqa: ANN401
        """Opens the memory; `overrides` are settings that came from the command's own options.

        `background` is for a command that goes on for a while: most end before a thread is of use.

        Raises:
            ChatmemError: it cannot be opened, or a setting has a value that it does not take.
        """
        from chatmem.config import Settings
        from chatmem.engine.service import MemoryService

        if self.database is not None and not _ADDRESS.match(self.database):
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


def options(
    data: DataOption = None,
    database: DatabaseOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
) -> Target:
    """The options that every command takes."""
    return Target(data, database, user, as_json)


def add_command(app: typer.Typer, name: str, run: Callable[Concatenate[Target, P], None]) -> None:
    """Adds a function to the command line: its first parameter is the target, the rest its own."""
    shared = tuple(inspect.signature(options).parameters.values())
    own = tuple(inspect.signature(run).parameters.values())[1:]
    call: Callable[..., None] = run

    def entry(ctx: typer.Context, **arguments: object) -> None:
        target = _target(ctx.find_root().params, arguments)
        with reported(as_json=target.as_json):
            call(target, **{parameter.name: arguments[parameter.name] for parameter in own})

    context = inspect.Parameter(
        "ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    keywords = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in (*own, *shared)]
    entry.__doc__ = run.__doc__
    entry.__annotations__ = {p.name: p.annotation for p in (context, *keywords)}
    entry.__signature__ = inspect.Signature([context, *keywords])  # type: ignore[attr-defined]
    app.command(name)(entry)


def _target(before: Mapping[str, Any], after: Mapping[str, Any]) -> Target:
    """What the options before the command and those after it name together.

    Raises:
        typer.BadParameter: a folder and a database address are both named in one place.
    """
    for place in (before, after):
        if place.get("data") and place.get("database"):
            raise typer.BadParameter("--data and --database name two memories; give one of them")
    nearer = after if after.get("data") or after.get("database") is not None else before
    return Target(
        data=nearer.get("data"),
        database=nearer.get("database"),
        user=after.get("user") or before.get("user"),
        as_json=bool(after.get("as_json") or before.get("as_json")),
    )
