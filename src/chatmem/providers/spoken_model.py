"""A chat model of pydantic-ai whose answers hold no thoughts, however its server writes those.

Imported with the first question: pydantic-ai takes long.
"""

from dataclasses import replace
from typing import Any

from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.wrapper import WrapperModel

from chatmem.text.thoughts import without_thoughts


class SpokenModel(WrapperModel):
    """pydantic-ai parts thoughts in whole tags from text; here go those without a beginning too."""

    async def request(self, *args: Any, **kwargs: Any) -> ModelResponse:  # noqa: ANN401 - as there
        """The answer, its text parts without thoughts."""
        response = await super().request(*args, **kwargs)
        parts = [
            replace(part, content=without_thoughts(part.content))
            if isinstance(part, TextPart)
            else part
            for part in response.parts
        ]
        return replace(response, parts=parts)
