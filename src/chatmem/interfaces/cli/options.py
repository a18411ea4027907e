"""Options that several commands take: the model they talk to, and in which role it answers."""

from typing import Annotated

import typer

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
