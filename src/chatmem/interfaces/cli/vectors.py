"""Vectors for what a command saved: made before it ends, since nothing runs after it."""

from typing import TYPE_CHECKING

from chatmem.errors import ProviderError
from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.progress import progress_bar

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService


def make_vectors(memory: "MemoryService") -> None:
    """Gives every row that waits its vector.

    An embedder that fails costs nothing that was saved: the rows keep waiting, words find them,
    and a remark on stderr says so.
    """
    with progress_bar("Indexing") as progress:
        try:
            memory.wait_until_indexed(progress)
        except ProviderError as error:
            output.warn(f"saved, but vectors have to wait: {error}")
