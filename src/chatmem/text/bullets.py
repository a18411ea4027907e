"""The line grammar of memory documents: one bullet, one memory.

    ## Preferences

    - Drinks oolong, no sugar <!-- id=m1 importance=5 -->
    - A longer one: further lines are indented,

      blank lines may stand between them, and so may lists, headings and
      ```python
      code
      ```
      <!-- id=m2 -->

A bullet begins with `-`, `*`, `+`, `1.` or `1)` and runs on over indented and blank lines. Its last
comment of the form `name=value ...` is ours (`text.outline`); everything else in it is content.
Everything that is no bullet, whatever it is, is left alone: prose, deeper headings, a person's own
comments, merge markers. Bullets inside a fence or a comment at the margin are no memories.

A byte order mark and Windows line ends are normal; content has LF. An edit touches the bullets it
names and nothing else: every other byte stays, line ends and a byte order mark included.

Source: decisions 2; S5.1.
"""

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from chatmem.errors import InvalidInputError
from chatmem.text.languages import expression
from chatmem.text.outline import (
    BOM,
    CLOSE,
    LIST_MARKER,
    Section,
    Stretch,
    find_comment,
    line_end,
    outline,
    render_comment,
)

_TAB_COLUMNS = 4
_CONTINUATION_COLUMNS = 2
_MARKER = expression(rf"(?P<indent> {{0,3}})(?P<marker>{LIST_MARKER})(?:(?P<gap>[ \t]+)|\r?$)")
_RULE = expression(r"(?<![ \t*-])[ \t]*+([-*])(?:[ \t]*+\1){2,}+[ \t]*+$")
_BLOCK = expression(r"(?<![ \t>])[ \t>]*+(?:\||```|~~~)")
_BLANK = " \t\r\n"
_EDGES = expression(r"^\W+|\W+$")
_ID = expression(rf"""id=(?:(["'])|((?:(?!{CLOSE})[^\s"'])+))""")
_IN_A_LIST = expression(rf" {{0,3}}{LIST_MARKER}(?:[ \t]|$)|  |\t")


class BulletPlace(NamedTuple):
    """Where a bullet stands in its document, as offsets, and how it is written there."""

    start: int
    end: int
    comment: Stretch | None
    indent: int
    marker: str


@dataclass(frozen=True, slots=True)
class Bullet:
    """One memory as a document holds it.

    `heading` is the title of its section; it and `place` are None for a bullet that is yet to be
    written. Two bullets are equal when they say the same under the same heading.
    """

    content: str
    attributes: Mapping[str, str] = field(default_factory=dict, hash=False)
    heading: str | None = None
    place: BulletPlace | None = field(default=None, compare=False)

    @property
    def id(self) -> str | None:
        """Id of the memory, or None where nobody has given the bullet one."""
        return self.attributes.get("id") or None


class MarkdownPage(NamedTuple):
    """A document as it was read: its text and its bullets, in order."""

    text: str
    bullets: tuple[Bullet, ...]

    def with_id(self, memory_id: str) -> tuple[Bullet, ...]:
        """The bullets that carry this id: usually one; a copy or a merge makes more."""
        return tuple(bullet for bullet in self.bullets if bullet.id == memory_id)


def parse(text: str, ids: Collection[str] | None = None) -> MarkdownPage:
    """The bullets of a document. Never fails: what it cannot read is no bullet.

    With `ids` those that carry one of them, and perhaps others: found by a search of the text.
    """
    near: list[int] | None = None
    if ids is not None:
        wanted = {*ids}
        near = [one.start() for one in _ID.finditer(text) if one[1] or one[2] in wanted]
        if not near:
            return MarkdownPage(text, ())
    shape, found = outline(text), list[Bullet]()
    headings = [(section.start, section.title) for section in reversed(shape.sections)]
    title: str | None = None
    for start, end, marker in _blocks(text, shape.hidden):
        if near is not None and bisect_left(near, start) == bisect_left(near, end):
            continue
        while headings and headings[-1][0] < start:
            title = headings.pop()[1]
        found.append(_bullet(text, start, end, marker, title))
    return MarkdownPage(text, tuple(bullet for bullet in found if bullet.content))


def render(bullet: Bullet, indent: int = 0, marker: str = "-") -> str:
    """The lines of a bullet, joined by LF and ending in one.

    Raises:
        InvalidInputError: an attribute name that cannot stand in a comment.
    """
    content = bullet.content.replace("\r\n", "\n").replace("\r", "\n")
    lead = f"{' ' * indent}{marker}"
    margin = " " * (len(lead) + 1)
    first, *others = content.split("\n")
    if _RULE.match(f"{lead} {first}"):  # `- - -` is a line across the page, not a bullet
        first, others = "", [first, *others]
    lines = [f"{lead} {first}" if first else lead]
    lines += [margin + line if line else "" for line in others]
    if bullet.attributes or find_comment(content) is not None:
        comment = render_comment(bullet.attributes)
        if needs_own_line(content):
            lines.append(margin + comment)
        else:
            lines[-1] += f" {comment}"
    return "\n".join(lines) + "\n"


def visible_text(text: str) -> str:
    """The document without our comments, as a reader sees it and as a prompt takes it."""
    edits = [(0, len(BOM), "")] if text.startswith(BOM) else []
    for start, end, _ in _blocks(text, outline(text).hidden):
        edits.append((start, end, _split(text[start:end])[2]))
    return spliced(text, edits).replace("\r\n", "\n")


def spliced(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """The text with other text from a start to an end, for each of the edits in order."""
    pieces: list[str] = []
    position = 0
    for start, end, new in edits:
        pieces += text[position:start], new
        position = end
    return "".join(pieces) + text[position:]


def needs_own_line(content: str) -> bool:
    """True where a comment behind the last line of this content may become part of it."""
    return "\n" in content or _BLOCK.match(content) is not None


def append(text: str, bullet: Bullet, titles: Sequence[str] = (), *more: Bullet) -> str:
    """The document with one more bullet, or several, at the end of a section.

    The section is the first whose title is one of `titles`, whatever its case and decoration; if
    there is none it is created at the end, as `titles[0]`. Without titles the bullet goes to the
    end of the document. Bullets are not parsed for this: about 1 ms for a document of 1 MB.
    """
    wanted = {plain_title(title) for title in titles}
    sections = outline(text).sections if titles else (Section("", 0, 0, len(text)),)
    for section in sections:
        if not titles or plain_title(section.title) in wanted:
            return append_to(text, bullet, section, *more)
    block = "".join(map(render, (bullet, *more)))
    return _inserted(text, len(text), f"## {titles[0]}\n\n{block}", apart=True)


def append_to(text: str, bullet: Bullet, section: Section, *more: Bullet) -> str:
    """The document with more bullets at the end of a section of its `outline`."""
    return _inserted(text, section.end, "".join(map(render, (bullet, *more))), apart=False)


def replace(text: str, bullet: Bullet, new: Bullet) -> str:
    """The document with `new` in the place of a bullet that `parse` found in this same text.

    Indentation and marker stay as the person wrote them.
    """
    place = _place_of(bullet)
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
    return without(text, (one for one in parse(text, ids).bullets if one.id in ids))


def without(text: str, bullets: Iterable[Bullet]) -> str:
    """The document without bullets that `parse` found, in this order, in this same text."""
    return spliced(text, ((place.start, place.end, "") for place in map(_place_of, bullets)))


def newline_of(text: str) -> str:
    """How this document ends its lines: as its first line does; LF when it has none."""
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


@lru_cache(maxsize=512)
def plain_title(title: str) -> str:
    """A heading as it is compared: no case, and no punctuation or emoji around it."""
    return _EDGES.sub("", title).casefold()


def _blocks(text: str, hidden: Iterable[Stretch]) -> Iterator[tuple[int, int, re.Match[str]]]:
    """Start, end and marker of every stretch that a marker opens.

    Bullets stand at columns 0-1 or 2-3, and a line belongs to the one above it from two columns
    further on. Two classes, not exact columns: taking a bullet out then never gives the lines
    behind it to the one before it.
    """
    start, end, inner = 0, 0, 0
    marker: re.Match[str] | None = None
    for offset, line in _lines(text, hidden):
        bare = line.strip(" \t\r")
        if not bare:
            continue
        columns = len(line[: len(line) - len(line.lstrip(" \t"))].expandtabs(_TAB_COLUMNS))
        if marker is None or columns < inner:
            if marker is not None:
                yield start, end, marker
            marker = None if _RULE.match(bare) else _MARKER.match(line)
            start = offset
            inner = columns // 2 * 2 + _CONTINUATION_COLUMNS
        end = min(offset + len(line) + 1, len(text))


def _lines(text: str, hidden: Iterable[Stretch]) -> Iterator[tuple[int, str]]:
    """Offset and text of every line; a hidden stretch, and the end, show as a fence."""
    position = len(BOM) if text.startswith(BOM) else 0
    for start, end in (*hidden, (len(text), len(text))):
        for line in text[position:start].split("\n"):
            yield position, line
            position += len(line) + 1
        yield start, "```"
        position = end


def _bullet(text: str, start: int, end: int, marker: re.Match[str], heading: str | None) -> Bullet:
    comment, attributes, told = _split(text[start:end])
    gap = marker["gap"] or " "
    width = len(marker["indent"]) + len(marker["marker"]) + min(len(gap), _TAB_COLUMNS)
    first, *others = told.split("\n")
    lines = [first[marker.end() :], *(_dedented(line, width) for line in others)]
    stretch = (start + comment[0], start + comment[1]) if comment else None
    place = BulletPlace(start, end, stretch, len(marker["indent"]), marker["marker"])
    content = "\n".join(line.removesuffix("\r") for line in lines).strip()
    return Bullet(content, attributes, heading, place)


@lru_cache(maxsize=1_024)  # most bullets of a document are as they were
def _split(block: str) -> tuple[Stretch | None, Mapping[str, str], str]:
    """Where the comment of a bullet stands in it, what it says, and the block without it."""
    comment, attributes = find_comment(block) or (None, {})
    return comment, attributes, _without(block, *comment) if comment else block


def _without(block: str, start: int, end: int) -> str:
    """The block without its comment, and without the line if the comment stood alone on it."""
    before, after = block[:start].rstrip(" \t"), block[end:]
    rest = after.lstrip(" \t")
    if before.endswith("\n") and rest[:1] in ("", "\r", "\n"):
        return before + rest.removeprefix("\r").removeprefix("\n")
    if after and not after[0].isspace():  # somebody typed on, right behind the comment
        return block[:start] + after
    return before + after


def _dedented(line: str, width: int) -> str:
    for position in range(min(width, len(line))):
        if line[position] == "\t":
            return line[position + 1 :]
        if line[position] != " ":
            return line[position:]
    return line[width:]


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
    place = _place_of(bullet)
    comment = render_comment(attributes)
    if place.comment is not None:
        return (*place.comment, comment)
    end = len(text[: place.end].rstrip(_BLANK))
    if needs_own_line(bullet.content):
        margin = " " * (place.indent + len(place.marker) + 1)
        return end, end, newline_of(text) + margin + comment
    return end, end, f" {comment}"


def _place_of(bullet: Bullet) -> BulletPlace:
    if bullet.place is None:
        raise InvalidInputError("the bullet has no place in a document; take it from parse(text)")
    return bullet.place
