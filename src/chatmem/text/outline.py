"""The sections of a Markdown document, what in it is not to be read for bullets, and comments.

Only lines that begin at the margin count: `#` and `##` headings open a section (deeper ones stay
inside it), a fence hides what stands between it and its end, and so does a comment over several
lines. A fence or a comment that is never closed hides nothing: half a file must not vanish because
somebody is typing. What bullets contain is indented, so it never counts here, and appending a
bullet never changes the outline of what was there.

What is not a bullet's text is in an HTML comment of its own:

    <!-- id=m1 confidence=0.8 key="favourite tea" -->

Names are ASCII words. Values are bare words where that is safe, and JSON strings where it is not;
in those `<`, `>`, backticks, `--` and everything unprintable are escaped, so that no value can end
the comment, open another one, or change how the text around it is rendered. Source: decisions 2.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from chatmem.errors import InvalidInputError
from chatmem.text.languages import expression

OPEN = "<!--"
CLOSE = "-->"
COMMENT = expression(rf"{OPEN}(?:(?!{OPEN}|{CLOSE}).)*{CLOSE}", re.DOTALL)
EMPTY_COMMENT = f"{OPEN} {CLOSE}"

_ATTRIBUTE_NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*"
_ATTRIBUTE_NAME_ONLY = expression(_ATTRIBUTE_NAME)
_BARE = expression(r"(?:(?!--)[\w.:+/@,%-])+(?<!-)")
_PAIR = expression(
    rf"""(?<!\s)\s++(?P<name>{_ATTRIBUTE_NAME})=(?:"(?P<json>(?:[^"\\]|\\.)*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"']+))"""
)

BOM = "\ufeff"
Stretch: TypeAlias = tuple[int, int]

# The literal newline first: the search then runs at memchr speed.
_MARK = expression(r"\n(?:##?[ \t]|```|~~~|<!--)")
_FIRST_MARK = expression(r"##?[ \t]|```|~~~|<!--")
_HEADING = expression(r"##?[ \t]+(.*?)(?:[ \t]+#+)?[ \t\r]*$")
_FENCE = expression(r"`{3,}(?=[^`\n]*$)|~{3,}", re.MULTILINE)
LIST_MARKER = r"(?:[-*+]|[0-9]{1,9}[.)])"
"""What begins a bullet, as the source of a pattern: `-`, `*`, `+`, `1.`, `1)`."""
_BULLET_LINE = expression(rf"{LIST_MARKER}(?:[ \t]|$)")


class Section(NamedTuple):
    """A heading of the first or second level and what stands below it, as offsets."""

    title: str
    start: int
    body: int
    end: int


class Outline(NamedTuple):
    """The sections of a document and its hidden stretches (whole lines), both in order."""

    sections: tuple[Section, ...]
    hidden: tuple[Stretch, ...]


def outline(text: str) -> Outline:
    """The outline of a document, without reading its bullets: under 3 ms for 1 MB."""
    hidden: list[Stretch] = []
    headings: list[tuple[str, int, int]] = []
    unclosed: dict[str, int] = {}
    shown_from = 0
    for start in _marks(text):
        if start < shown_from:
            continue
        if text[start] == "#":
            body = line_end(text, start)
            heading = _HEADING.match(text[start:body].rstrip("\r\n"))
            headings.append((heading[1] if heading else "", start, body))
            continue
        find_end = _comment_end if text.startswith(OPEN, start) else _fence_end
        if (end := find_end(text, start, unclosed)) is not None:
            hidden.append((start, end))
            shown_from = end
    ends = [start for _, start, _ in headings[1:]] + [len(text)]
    sections = (Section(*heading, end) for heading, end in zip(headings, ends, strict=False))
    return Outline(tuple(sections), tuple(hidden))


def line_end(text: str, position: int) -> int:
    """Offset behind the newline that ends the line at `position`, or the end of the text."""
    newline = text.find("\n", position)
    return len(text) if newline == -1 else newline + 1


def _marks(text: str) -> Iterator[int]:
    first = len(BOM) if text.startswith(BOM) else 0
    if _FIRST_MARK.match(text, first):
        yield first
    for mark in _MARK.finditer(text):
        yield mark.start() + 1


def _fence_end(text: str, start: int, unclosed: dict[str, int]) -> int | None:
    """Offset behind the last line of the fence that opens here, or None.

    `unclosed` has, by sign, the shortest fence without an end, so that the search stays linear.
    """
    opening = _FENCE.match(text, start)
    if opening is None:
        return None
    run, sign = opening[0], opening[0][0]
    if len(run) >= unclosed.get(sign, len(text)):
        return None
    closing = re.compile(rf"\n{run}{sign}*[^\S\n]*(?=\n|\Z)").search(text, opening.end())
    if closing is None:
        unclosed[sign] = len(run)
        return None
    return line_end(text, closing.end())


def _comment_end(text: str, start: int, unclosed: dict[str, int]) -> int | None:
    first_line_end = line_end(text, start)
    if OPEN in unclosed or text.find(CLOSE, start, first_line_end) != -1:
        return None
    close = text.find(CLOSE, first_line_end)
    while close != -1:
        line = text.rfind("\n", 0, close) + 1
        # A bullet's own comment ends no other: the bullets below an open one stay memories.
        at_margin = text[line] not in " \t" and not _BULLET_LINE.match(text, line)
        if at_margin and text.find(OPEN, line, close) == -1:
            return line_end(text, close)
        close = text.find(CLOSE, line_end(text, close))
    unclosed[OPEN] = start
    return None


def find_comment(block: str) -> tuple[Stretch, Mapping[str, str]] | None:
    """Where the comment of a bullet stands, the last one that is ours, and what it says; or None.

    At the end of the block any list of `name=value` counts, also an empty one; before the end,
    where a person may have typed on behind it, only one with an id.
    """
    end = block.rfind(CLOSE)
    at_end = True
    while end != -1:
        start = block.rfind(OPEN, 0, end)
        if start == -1:
            return None
        attributes = _attributes(block[start + len(OPEN) : end])
        after = end + len(CLOSE)
        at_end = at_end and not block[after:].strip()
        if attributes is not None and (at_end or "id" in attributes):
            return (start, after), attributes
        at_end = False
        end = block.rfind(CLOSE, 0, start)
    return None


def render_comment(attributes: Mapping[str, str]) -> str:
    """The comment that `find_comment` reads back with equal attributes, on one line.

    Raises:
        InvalidInputError: a name that is no ASCII word.
    """
    if not attributes:
        return EMPTY_COMMENT
    for name in attributes:
        if _ATTRIBUTE_NAME_ONLY.fullmatch(name) is None:
            takes = "ASCII letters, digits and _, with single hyphens inside"
            why = f"attribute name {name!r} cannot stand in a comment; use {takes}"
            raise InvalidInputError(why)
    pairs = [f"{name}={_quoted(value)}" for name, value in attributes.items()]
    return f"{OPEN} {' '.join(pairs)} {CLOSE}"


def _quoted(value: str) -> str:
    if _BARE.fullmatch(value):
        return value
    escaped = "".join(map(_escaped, json.dumps(value, ensure_ascii=False)))
    return escaped.replace("--", "-\\u002d")


def _escaped(character: str) -> str:
    if character in "<>`":
        return f"\\u{ord(character):04x}"
    if character.isprintable():
        return character
    return json.dumps(character)[1:-1]


def _attributes(body: str) -> Mapping[str, str] | None:
    """What stands between the marks as attributes; None when it is something else."""
    attributes: dict[str, str] = {}
    position = 0
    while pair := _PAIR.match(body, position):
        attributes[pair["name"]] = _value(pair)
        position = pair.end()
    return attributes if not body[position:].strip() else None


def _value(pair: re.Match[str]) -> str:
    if pair["bare"] is not None:
        return pair["bare"]
    if pair["single"] is not None:
        return pair["single"]
    try:
        return str(json.loads(f'"{pair["json"]}"', strict=False))
    except ValueError:  # typed by hand, such as "C:\path"
        return pair["json"]
