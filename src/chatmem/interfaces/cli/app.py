"""The `chatmem` command line. Nothing heavy is imported before a command runs.

Source: interfaces.md, "Command line" (`chatmem --help` answers in under 0.3 s).
"""

import io
import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from chatmem import __version__
from chatmem.interfaces.cli import (
    agent,
    chat,
    config,
    context,
    failures,
    jobs,
    keys,
    lab,
    mcp,
    memories,
    moving,
    partition,
    people,
    profile,
    recall,
    serve,
    sessions,
    transfer,
    upkeep,
)
from chatmem.interfaces.cli.target import (
    DatabaseOption,
    DataOption,
    JsonOption,
    UserOption,
    add_command,
)

app = typer.Typer(
    name="chatmem",
    add_completion=False,
    rich_markup_mode=None,  # rich's own help costs 0.14 s, half of what is allowed
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"chatmem {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def _options(
    ctx: typer.Context,
    data: DataOption = None,
    database: DatabaseOption = None,
    user: UserOption = None,
    as_json: JsonOption = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Memory for chat applications and agents, in Chinese and English, on your own machine."""
    if ctx.invoked_subcommand is None:
        print(ctx.get_help(), file=sys.stderr)
        raise typer.Exit(failures.EXIT_NOT_UNDERSTOOD)


add_command(app, "import", transfer.import_file)
add_command(app, "export", transfer.export_file)
add_command(app, "migrate", moving.migrate)
add_command(app, "partition", partition.partition)
add_command(app, "search", recall.search)
add_command(app, "list", recall.list_memories)
add_command(app, "remember", memories.remember)
add_command(app, "log", memories.log)
add_command(app, "forget", memories.forget)
add_command(app, "restore", memories.restore)
add_command(app, "history", memories.history)
add_command(app, "context", context.context)
add_command(app, "chat", chat.chat)
add_command(app, "agent", agent.agent)
add_command(app, "serve", serve.serve)
add_command(app, "mcp", mcp.mcp)
add_command(app, "keys", keys.keys)
add_command(app, "sessions", sessions.sessions)
add_command(app, "jobs", jobs.jobs)
add_command(app, "profile", profile.profile)
add_command(app, "household", people.household)
add_command(app, "group", people.group)
add_command(app, "config", config.config)
add_command(app, "reindex", upkeep.reindex)
add_command(app, "stats", upkeep.stats)
add_command(app, "doctor", upkeep.doctor)
add_command(app, "demo", lab.demo)
add_command(app, "eval", lab.evaluate)
add_command(app, "bench", lab.bench)


def main() -> None:
    """Runs the command line and ends the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show Chinese is no reason to fail.
            stream.reconfigure(errors="backslashreplace")
    # Before numpy is loaded: what is multiplied here is small, and threads would wait for threads.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Runs one command and returns its exit code: 0 done, 1 failed, 2 not understood."""
    try:
        code = app(arguments, prog_name="chatmem", standalone_mode=False)
    except typer.Abort:
        return failures.EXIT_FAILED
    except typer.TyperException as error:
        context: typer.Context | None = getattr(error, "ctx", None)
        hint = f" (see `{context.command_path} --help`)" if context else ""
        failures.report(error.format_message() + hint, as_json="--json" in arguments)
        return error.exit_code
    return code if isinstance(code, int) else 0
