"""MEMORY.md as a whole: read, written, and weighed against what a prompt takes of it.

Source: S5.8.1, S5.9.1, S5.6.1; decisions 2; interfaces.md (`/api/memory/main`).
"""

from typing import NamedTuple

from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.documents.whole import DocumentText, read_whole, write_whole
from chatmem.engine.state import Engine
from chatmem.prompt.main_memory import prepare_main
from chatmem.storage.documents.places import MAIN
from chatmem.text.bullet_edits import annotate
from chatmem.text.bullets import parse, visible_text
from chatmem.text.language import Language
from chatmem.text.tokens import count_tokens


class MainReach(NamedTuple):
    """How much of a MEMORY.md reaches a prompt.

    `tokens` are the whole file's without its comments, of at most `most`
    (`memory.main_max_tokens`): what is past it moves to the archive. A prompt takes `shown_tokens`
    of them, of at most `most_shown` (`memory.main_section_tokens`), with `shown` of `memories`.
    """

    tokens: int
    most: int
    shown_tokens: int
    most_shown: int
    memories: int
    shown: int


class MainDocument:
    """MEMORY.md of one user."""

    def __init__(self, engine: Engine, documents: MemoryDocuments) -> None:
        self._engine = engine
        self._documents = documents

    def read(self) -> DocumentText:
        """The text as it stands, ids in comments included.

        Raises:
            DocumentError: the file cannot be read.
        """
        return read_whole(self._documents, MAIN)

    def write(self, content: str, etag: str | None = None) -> DocumentText:
        """The document as it stands after the writing, with the ids of new bullets.

        With an etag, nothing is written over a version that the writer has not read.

        Raises:
            InvalidInputError: no text.
            StaleEtagError: it has changed since; has the text as it stands.
            DocumentError: the file cannot be read or written; nothing was changed.
        """
        return write_whole(self._documents, MAIN, content, etag)

    def reach(self, content: str, language: Language = "en") -> MainReach:
        """How much of this text would reach a prompt if it were MEMORY.md.

        `language` is the prompt's: in it a text that was cut says so.
        """
        memory = self._engine.obey_settings().memory
        cap = min(memory.main_section_tokens, memory.memory_section_tokens)
        text = _named(content)
        taken = prepare_main(text, cap, language)
        return MainReach(
            tokens=count_tokens(visible_text(content)),
            most=memory.main_max_tokens,
            shown_tokens=taken.tokens,
            most_shown=cap,
            memories=len(taken.ids) + len(taken.left_out),
            shown=len(taken.ids),
        )


def _named(content: str) -> str:
    """The text with an id of its own on every bullet: new ones have none yet."""
    bullets = parse(content).bullets
    return annotate(
        content,
        [(one, {**one.attributes, "id": f"b{number}"}) for number, one in enumerate(bullets)],
    )
