"""`chatmem config`: the settings that stay with the data, shown and changed."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService

_NOTHING = ("none", "null")
"""How a person writes that a setting has no value."""


def config(
    target: Target,
    name: Annotated[
        str | None,
        typer.Argument(metavar="[NAME]", help="A setting: rag_top_n, or memory.rag_top_n."),
    ] = None,
    value: Annotated[
        str | None, typer.Argument(metavar="[VALUE]", help="Its new value, kept with the data.")
    ] = None,
    unset: Annotated[
        str | None,
        typer.Option("--unset", metavar="NAME", help="Let the file or the default count again."),
    ] = None,
) -> None:
    """Show the settings of this memory, or change one: it is kept with the data.

    What is kept here wins over chatmem.toml and the environment, for every program that has this
    memory open.
    """
    if unset is not None and name is not None:
        raise typer.BadParameter("--unset NAME takes no other NAME")
    with target.open() as memory:
        if unset is not None:
            memory.config.unset([unset])
        elif name is not None and value is not None:
            memory.config.set({name: None if value.lower() in _NOTHING else value})
        _print(memory, unset if unset is not None else name, as_json=target.as_json)


def _print(memory: "MemoryService", name: str | None, *, as_json: bool) -> None:
    from chatmem.engine.settings import setting_name

    values = memory.config.get()
    wanted = list(values) if name is None else [setting_name(name)]
    found = {one: {"value": values[one], "origin": memory.config.origin(one)} for one in wanted}
    if as_json:
        output.print_json(found)
        return
    width = max(map(len, wanted))
    for one, told in found.items():
        text = output.shown(json.dumps(told["value"], ensure_ascii=False))
        print(f"{one:{width}}  {text}  ({told['origin']})")
