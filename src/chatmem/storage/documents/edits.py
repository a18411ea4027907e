"""A document with memories put in, replaced or taken out: text in, text out."""

from collections.abc import Collection, Iterable

from chatmem.model import AtomicMemoryRecord
from chatmem.storage.documents.folder import SKELETON
from chatmem.storage.documents.headings import headings_for
from chatmem.storage.documents.places import MAIN, document_day
from chatmem.storage.documents.records import record_to_bullet
from chatmem.text.bullet_edits import append, newline_of, plain_title, remove, replace
from chatmem.text.bullets import Bullet, parse
from chatmem.text.comments import CLOSE, OPEN

SKELETONS = {MAIN: SKELETON}
"""What a new document begins with; other documents begin empty."""


def place_bullets(
    text: str, path: str, put: Iterable[AtomicMemoryRecord], gone: Collection[str]
) -> str:
    """The document `path` with these memories in it and without those whose ids are `gone`.

    A memory that stands there already is replaced where it stands, or moves to the section of its
    new category.
    """
    if gone:
        text = remove(text, gone)
    for record in put:
        text = _placed(text, path, record)
    return text


def without_cut_line(text: str) -> str:
    """The document without a last line that ends inside one of our comments; whole lines only."""
    if not text or text.endswith("\n"):
        return text
    start = text.rfind("\n") + 1
    if text.rfind(OPEN) >= start and text.rfind(OPEN) > text.rfind(CLOSE):
        return text[:start]
    return text + newline_of(text)


def _placed(text: str, path: str, record: AtomicMemoryRecord) -> str:
    titles = () if document_day(path) else tuple(headings_for(record.category))
    there: tuple[Bullet, ...] = ()
    if record.id in text:  # parsing is only worth it when the id occurs at all
        there = parse(text).with_id(record.id)
    if not there:
        return append(text, record_to_bullet(record, path), titles)
    bullet = record_to_bullet(record, path, others=there[0].attributes)
    wanted = {plain_title(title) for title in titles}
    if not titles or plain_title(there[0].heading or "") in wanted:
        return replace(text, there[0], bullet)
    return append(remove(text, [record.id]), bullet, titles)
