"""The commands and their options. Nothing heavy is imported before a command runs."""

import inspect
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from chatmem import __version__
from chatmem.errors import ChatmemError
from chatmem.interfaces.cli import main as main  # by this name in scripts of older installations
from chatmem.interfaces.cli import shell

EXIT_NOT_UNDERSTOOD = 2


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"chatmem {__version__}")
        raise typer.Exit


def _options(
    ctx: typer.Context,
    data: shell.DataOption = None,
    database: shell.DatabaseOption = None,
    user: shell.UserOption = None,
    as_json: shell.JsonOption = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Memory for chat applications and agents, in Chinese and English, on your own machine."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help(), file=sys.stderr)
        raise typer.Exit(EXIT_NOT_UNDERSTOOD)


def _add_command(app: typer.Typer, name: str) -> None:
    """Adds a command: its function's first parameter is the target, the rest its own options."""
    module, _, function = _COMMANDS[name].partition(".")
    run = getattr(import_module(f"chatmem.interfaces.cli.{module}"), function)
    shared = tuple(inspect.signature(shell.Target).parameters.values())
    own = tuple(inspect.signature(run).parameters.values())[1:]

    def entry(ctx: typer.Context, **arguments: object) -> None:
        if shell.SERVED.get() and not (
            module in _SERVED and all(map(_is_no_file, arguments.values()))
        ):
            raise shell.OwnProcessError
        target = _target(ctx.find_root().params, arguments)
        with errors_reported(as_json=target.as_json):
            run(target, **{parameter.name: arguments[parameter.name] for parameter in own})

    context = inspect.Parameter(
        "ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context
    )
    keywords = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in (*own, *shared)]
    entry.__doc__ = run.__doc__
    entry.__annotations__ = {p.name: p.annotation for p in (context, *keywords)}
    entry.__signature__ = inspect.Signature([context, *keywords])  # type: ignore[attr-defined]
    app.command(name)(entry)


def _is_no_file(value: object) -> bool:
    return all(map(_is_no_file, value)) if isinstance(value, list) else not isinstance(value, Path)


def _target(before: Mapping[str, Any], after: Mapping[str, Any]) -> shell.Target:
    """What the options before and after the command name together; the nearer ones win.

    Raises:
        typer.BadParameter: a folder and a database address are both named on one side.
    """
    for side in (before, after):
        if side.get("data") and side.get("database"):
            raise typer.BadParameter("--data and --database name two memories; give one of them")
    nearer = after if after.get("data") or after.get("database") is not None else before
    return shell.Target(
        data=nearer.get("data"),
        database=nearer.get("database"),
        user=after.get("user") or before.get("user"),
        as_json=bool(after.get("as_json") or before.get("as_json")),
    )


@contextmanager
def errors_reported(*, as_json: bool) -> Iterator[None]:
    """Turns what goes wrong inside into one line on stderr and the exit code.

    Raises:
        typer.Exit: in place of every `ChatmemError` and every refusal of the system.
    """
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        raise typer.Exit(shell.EXIT_BROKEN_PIPE) from None
    except ChatmemError as error:
        _report(str(error), as_json=as_json)
    except OSError as error:
        reason = error.strerror or str(error)
        _report(f"{error.filename}: {reason}" if error.filename else reason, as_json=as_json)
    else:
        return
    raise typer.Exit(shell.EXIT_FAILED)


def _report(message: str, *, as_json: bool) -> None:
    """Prints `chatmem: message` on stderr as one line, or `{"error": message}`."""
    line = " ".join(message.split())
    print(json.dumps({"error": line}) if as_json else f"chatmem: {line}", file=sys.stderr)


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code: 0 done, 1 failed, 2 not understood."""
    app = typer.Typer(
        name="chatmem",
        add_completion=False,
        rich_markup_mode=None,  # rich's own help costs 0.14 s, half of what is allowed
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(_options)
    # One takes a third of a millisecond to make: those that are not named are left out.
    for name in [name for name in _COMMANDS if name in arguments] or _COMMANDS:
        _add_command(app, name)
    try:
        code = app(arguments, prog_name="chatmem", standalone_mode=False)
    except typer.Abort:
        return shell.EXIT_FAILED
    except typer.TyperException as error:
        context: typer.Context | None = getattr(error, "ctx", None)
        hint = f" (see `{context.command_path} --help`)" if context else ""
        _report(error.format_message() + hint, as_json="--json" in arguments)
        return error.exit_code
    return code if isinstance(code, int) else 0


_COMMANDS: Mapping[str, str] = {
    "import": "upkeep.import_file",
    "export": "upkeep.export_file",
    "migrate": "upkeep.migrate",
    "partition": "upkeep.partition",
    "backup": "upkeep.backup",
    "restore-backup": "upkeep.restore_backup",
    "users": "people.users",
    "search": "memories.search",
    "list": "memories.list_memories",
    "remember": "memories.remember",
    "log": "memories.log",
    "forget": "memories.forget",
    "restore": "memories.restore",
    "history": "memories.history",
    "context": "sessions.context",
    "chat": "chat.chat",
    "agent": "chat.agent",
    "serve": "serve.serve",
    "mcp": "serve.mcp",
    "keys": "people.keys",
    "sessions": "sessions.sessions",
    "jobs": "upkeep.jobs",
    "profile": "people.profile",
    "household": "people.household",
    "group": "people.group",
    "config": "upkeep.config",
    "reindex": "upkeep.reindex",
    "stats": "upkeep.stats",
    "doctor": "upkeep.doctor",
    "encrypt": "upkeep.encrypt",
    "decrypt": "upkeep.decrypt",
    "rekey": "upkeep.rekey",
    "demo": "lab.demo",
    "eval": "lab.evaluate",
    "bench": "lab.bench",
}
"""By name, where each is; loaded when it is named, and for the help of all."""
_SERVED = ("memories", "people", "sessions")
"""Whose commands a server may carry out for another process, where they name no files."""
