"""Edits of a memory document: the text before in, the text after out.

An edit touches the bullets it names and nothing else: every other byte stays, line ends and a byte
order mark included. Source: decisions 2.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from chatmem.errors import InvalidInputError
from chatmem.text.bullets import Bullet, BulletPlace, needs_own_line, parse, render, spliced
from chatmem.text.comments import render_comment
from chatmem.text.outline import BOM, Section, line_end, outline

_BLANK = " \t\r\n"
_EDGES = re.compile(r"^\W+|\W+$")
_IN_A_LIST = re.compile(r" {0,3}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)|  |\t")


def append(text: str, bullet: Bullet, titles: Sequence[str] = ()) -> str:
    """The document with one more bullet at the end of a section.

    The section is the first whose title is one of `titles`, whatever its case and decoration; if
    there is none it is created at the end, as `titles[0]`. Without titles the bullet goes to the
    end of the document. Bullets are not parsed for this: about 1 ms for a document of 1 MB.
    """
    wanted = {plain_title(title) for title in titles}
    sections = outline(text).sections if titles else (Section("", 0, 0, len(text)),)
    for section in sections:
        if not titles or plain_title(section.title) in wanted:
            return append_to(text, bullet, section)
    return _inserted(text, len(text), f"## {titles[0]}\n\n{render(bullet)}", apart=True)


def append_to(text: str, bullet: Bullet, section: Section) -> str:
    """The document with one more bullet at the end of a section of its `outline`."""
    return _inserted(text, section.end, render(bullet), apart=False)


def replace(text: str, bullet: Bullet, new: Bullet) -> str:
    """The document with `new` in the place of a bullet that `parse` found in this same text.

    Indentation and marker stay as the person wrote them.
    """
    place = _place(bullet)
    block = render(new, place.indent, place.marker).replace("\n", newline_of(text))
    if text[place.end - 1] != "\n":
        block = block.rstrip("\r\n")
    return spliced(text, [(place.start, place.end, block)])


def annotate(text: str, changes: Iterable[tuple[Bullet, Mapping[str, str]]]) -> str:
    """The document with new attributes on bullets that `parse` found in this same text.

    Only the comments change: what a person wrote stays letter by letter.
    """
    return spliced(text, sorted(_comment(text, *change) for change in changes))


def remove(text: str, ids: Collection[str]) -> str:
    """The document without the bullets that carry one of these ids, every copy included."""
    return without(text, (one for one in parse(text).bullets if one.id in ids))


def without(text: str, bullets: Iterable[Bullet]) -> str:
    """The document without bullets that `parse` found, in this order, in this same text."""
    return spliced(text, ((place.start, place.end, "") for place in map(_place, bullets)))


def newline_of(text: str) -> str:
    """How this document ends its lines: as its first line does; LF when it has none."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def plain_title(title: str) -> str:
    """A heading as it is compared: no case, and no punctuation or emoji around it."""
    return _EDGES.sub("", title).casefold()


def _inserted(text: str, limit: int, block: str, *, apart: bool) -> str:
    """The block behind the last line before `limit` that is not blank."""
    newline = newline_of(text)
    first = len(BOM) if text.startswith(BOM) else 0
    last = limit
    while last > first and text[last - 1] in _BLANK:
        last -= 1
    line = text[max(text.rfind("\n", 0, last) + 1, first) : last]
    if not line:
        return text[:last] + block.replace("\n", newline) + text[last:]
    if apart or not _IN_A_LIST.match(line):
        block = f"\n{block}"
    end = line_end(text, last)
    if text[end - 1] != "\n":
        block = f"\n{block}"
    return "".join((text[:end], block.replace("\n", newline), text[end:]))


def _comment(text: str, bullet: Bullet, attributes: Mapping[str, str]) -> tuple[int, int, str]:
    """What to put between which offsets so that the bullet carries these attributes."""
    place = _place(bullet)
    comment = render_comment(attributes)
    if place.comment is not None:
        return (*place.comment, comment)
    end = len(text[: place.end].rstrip(_BLANK))
    if needs_own_line(bullet.content):
        margin = " " * (place.indent + len(place.marker) + 1)
        return end, end, newline_of(text) + margin + comment
    return end, end, f" {comment}"


def _place(bullet: Bullet) -> BulletPlace:
    if bullet.place is None:
        raise InvalidInputError("the bullet has no place in a document; take it from parse(text)")
    return bullet.place
