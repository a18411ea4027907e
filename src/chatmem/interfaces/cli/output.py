"""How results reach a person or a program: JSON, lines, small tables.

Stored text is data: characters that could rewrite what stands on a terminal are shown as escapes.
"""

import json
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from chatmem.model.time import to_text

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from chatmem.model import AtomicMemoryRecord, Hit, Parts

_KEPT_CONTROLS = "\n\t"
_ESCAPED_CATEGORIES = ("Cc", "Cs")  # controls, and lone surrogates
_DIRECTION_OVERRIDES = "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def print_json(value: object) -> None:
    """Prints one JSON document; dataclasses become objects, times ISO 8601 text in UTC."""
    print(json.dumps(value, ensure_ascii=False, indent=2, default=_plain))


def print_record(record: "AtomicMemoryRecord", *, as_json: bool = False) -> None:
    """Prints a memory: its id and what it is on one line, its text below."""
    if as_json:
        from chatmem.engine.importing import as_json as columns

        print_json(columns(record))
        return
    print(_headline(record))
    print(_indented(record.content))


def tell_masked(record: "AtomicMemoryRecord") -> None:
    """Says beside the result which secrets of a text were masked when it was written."""
    from chatmem.extraction.redact import masked_kinds

    if kinds := masked_kinds(record.content):
        warn(f"masked: {', '.join(kinds).replace('_', ' ')}")


def print_hit(hit: "Hit") -> None:
    """Prints what was found, and why: the parts of its score."""
    print(f"{hit.score:.3f}  {_headline(hit.memory)}")
    print(_indented(hit.memory.content))
    print(f"       ({parts_line(hit.parts)})")


def print_fields(found: Mapping[str, object], *, as_json: bool) -> None:
    """Prints named values, one a line."""
    if as_json:
        print_json(found)
        return
    width = max((len(name) for name in found), default=0)
    for name, value in found.items():
        text = json.dumps(value, ensure_ascii=False, default=_plain)
        print(f"{name:{width}}  {shown(text.strip(chr(34)))}")


def parts_line(parts: "Parts") -> str:
    """The parts that apply, by name, in the order of the model."""
    values = ((field.name, getattr(parts, field.name)) for field in fields(parts))
    return " ".join(
        f"{name}={value:.2f}" if isinstance(value, float) else f"{name}={value}"
        for name, value in values
        if value is not None
    )


def warn(message: str) -> None:
    """Prints a remark on stderr, beside the result and not in it."""
    print(f"chatmem: {shown(message)}", file=sys.stderr)


def shown(text: str) -> str:
    """`text` as a terminal may get it: control characters as visible escapes."""
    if text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def counted(count: int, one: str, many: str | None = None) -> str:
    """`1 message`, `2 messages`; `many` where an s does not make it."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def console(*, stderr: bool = False) -> "Console":
    """A console as wide as the terminal, or of 80 columns where there is none."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def table(header: Sequence[str], *, numbers: Sequence[int] = ()) -> "Table":
    """An empty table; columns whose index is in `numbers` are set flush right and never broken."""
    from rich import box
    from rich.table import Table

    made = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, header_style="bold")
    for index, title in enumerate(header):
        numeric = index in numbers
        made.add_column(title, justify="right" if numeric else "left", no_wrap=numeric)
    return made


def _headline(record: "AtomicMemoryRecord") -> str:
    what = record.category or record.role or "memory"
    if record.kind == "episodic":
        what = "log entry"
    gone = "" if record.is_valid else "  (superseded)"
    tags = "".join(f"  #{shown(tag)}" for tag in record.tags)
    return f"{record.id}  {record.timestamp:%Y-%m-%d}  {what}{gone}{tags}"


def _indented(text: str) -> str:
    return "\n".join(f"       {line}" for line in shown(text).splitlines())


def _visible(char: str) -> str:
    control = unicodedata.category(char) in _ESCAPED_CATEGORIES and char not in _KEPT_CONTROLS
    if control or char in _DIRECTION_OVERRIDES:
        return char.encode("unicode_escape").decode()
    return char


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, datetime):
        return to_text(value)
    return dict(value) if isinstance(value, Mapping) else str(value)
