"""`chatmem demo`: a conversation goes in, and the right memories come back, with the reasons."""

import tempfile
from contextlib import ExitStack

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.target import Target


def show_demo(target: Target) -> None:
    """Show on a made-up conversation what is kept and found, and why.

    Works in a folder of its own that is gone afterwards, or in the one given with --data.
    """
    from chatmem.engine.demo.replay import replay
    from chatmem.interfaces.cli.demo import show

    if target.database:
        raise typer.BadParameter("the demo works in a folder; name one with --data, or none")
    with ExitStack() as stack:
        folder = target.data or stack.enter_context(tempfile.TemporaryDirectory(prefix="chatmem-"))
        memory = stack.enter_context(target.at(folder).open())
        played = replay(memory)
        document = memory.read_main()
    if target.as_json:
        output.print_json(show.as_json(played, document))
    else:
        show.print_replay(output.console(), played, document, kept_in=target.data)
