"""The HTML comment in which a bullet carries what is not its text.

    <!-- id=m1 confidence=0.8 key="favourite tea" -->

Names are ASCII words. Values are bare words where that is safe, and JSON strings where it is not;
in those `<`, `>`, backticks, `--` and everything unprintable are escaped, so that no value can end
the comment, open another one, or change how the text around it is rendered.

Source: decisions 2.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from chatmem.errors import InvalidInputError

OPEN = "<!--"
CLOSE = "-->"
EMPTY_COMMENT = f"{OPEN} {CLOSE}"

_NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*"
_NAME_ONLY = re.compile(_NAME)
_BARE = re.compile(r"(?:(?!--)[\w.:+/@,%-])+(?<!-)")
_PAIR = re.compile(
    rf"""(?<!\s)\s++(?P<name>{_NAME})=(?:"(?P<json>(?:[^"\\]|\\.)*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"']+))"""
)


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment of ours: where it stands in the text it was found in, and what it says."""

    start: int
    end: int
    attributes: Mapping[str, str]


def find_comment(block: str) -> Comment | None:
    """The comment of a bullet: the last one that is ours, or None.

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
            return Comment(start, after, attributes)
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
    pairs = [f"{_checked(name)}={_quoted(value)}" for name, value in attributes.items()]
    return f"{OPEN} {' '.join(pairs)} {CLOSE}"


def _checked(name: str) -> str:
    if _NAME_ONLY.fullmatch(name) is None:
        takes = "ASCII letters, digits and _, with single hyphens inside"
        raise InvalidInputError(f"attribute name {name!r} cannot stand in a comment; use {takes}")
    return name


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
