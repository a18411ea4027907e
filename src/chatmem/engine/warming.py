"""Loading ahead what the first question would wait for."""

from typing import Final

from chatmem.engine.state import Engine
from chatmem.errors import ProviderError
from chatmem.retrieval.query import read_query

_WORDS: Final = "warm up, 你好世界"


def warm_up(engine: Engine) -> None:
    """Load the dictionary and the embedder's weights, where they are of this process.

    An embedder behind an address is not asked: nothing is sent that nobody wants.
    """
    read_query(_WORDS)
    if engine.embedder is None or engine.settings.embedder.name.startswith("openai:"):
        return
    try:
        engine.embedder.embed_query(_WORDS)
    except ProviderError:
        return  # the first question will say so
