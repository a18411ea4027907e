"""What a command leaves to be done: done before it ends, since nothing runs after it."""

from typing import TYPE_CHECKING

from chatmem.errors import ProviderError
from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.progress import progress_bar

if TYPE_CHECKING:
    from chatmem.engine.service import MemoryService


def finish_work(memory: "MemoryService") -> None:
    """Gives every row that waits its vector, and does what else waits (summaries, say).

    An embedder that fails costs nothing that was saved: the rows keep waiting, words find them,
    and a remark on stderr says so.
    """
    with progress_bar("Indexing") as progress:
        try:
            memory.wait_until_idle(progress)
        except ProviderError as error:
            output.warn(f"saved, but vectors have to wait: {error}")
