"""The writers' notation of labelled messages, read and checked; `guide.md` describes it.

python training/markup.py FILE.txt ...              # errors with line and what was expected; counts
python training/markup.py FILE.txt --to FILE.jsonl  # the same messages, stand-off
"""

import argparse
import json
import re
import sys
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from chatmem.extraction.reader import labels

ATTRIBUTES: Final = labels.ATTRIBUTES_BY_KEY
SUBJECTS: Final = frozenset(labels.SUBJECTS) - {"self"}
STANDINGS: Final = frozenset(labels.STANDINGS)
CATEGORIES: Final = frozenset(labels.CATEGORY_HEADS)
ORDERS: Final = frozenset(("remember", "forget"))
SECRETS: Final = frozenset(labels.SECRETS)
_SECRET: Final = "secret."
RELATIONS: Final = frozenset(("replaces", "independent", "same", "ends"))
_SIGN: Final = re.compile(r"[⟦⟧⟪⟫]")
ASKED: Final = " ⟹ "
PAIR: Final = " ⇒ "


class MarkupError(ValueError):
    """A line does not follow the guide: says what was found and what was expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A statement in a message: offsets of its words and of its value, in code points."""

    start: int
    end: int
    attribute: str
    category: str
    value: tuple[int, int] | None = None
    subject: str = "self"
    standing: str = "holds"
    order: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Secret:
    """What lets somebody in who knows it: offsets in code points, and of which kind it is."""

    start: int
    end: int
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A labelled message. `asked` is how many characters of `text` the assistant's question has."""

    text: str
    spans: tuple[Span, ...] = ()
    secrets: tuple[Secret, ...] = ()
    asked: int = 0
    group: bool = False

    def row(self) -> dict[str, Any]:
        """As a line of JSONL says it: what is usual is left out."""
        usual: dict[str, Any] = {
            "value": None,
            "subject": "self",
            "standing": "holds",
            "order": None,
        }
        spans = [
            {k: v for k, v in asdict(one).items() if k not in usual or v != usual[k]}
            for one in self.spans
        ]
        row: dict[str, Any] = {"text": self.text, "spans": spans}
        if self.secrets:
            row["secrets"] = [asdict(one) for one in self.secrets]
        if self.asked:
            row["asked"] = self.asked
        if self.group:
            row["group"] = True
        return row


@dataclass(slots=True)
class _Reading:
    text: str = ""
    spans: list[Span] = field(default_factory=list)
    secrets: list[Secret] = field(default_factory=list)
    open: dict[str, Any] | None = None


def read_line(line: str) -> Message:
    """The message that a line in the writers' notation says.

    Raises:
        MarkupError: the line does not follow the guide.
    """
    group = line.startswith("G" + ASKED)
    if group:
        line = line[len("G" + ASKED) :]
    parts = line.split(ASKED)
    if len(parts) > 2:
        raise MarkupError(f"{ASKED.strip()!r} stands {len(parts) - 1} times; once at most")
    line = line.replace("\\n", "\n")
    got = _Reading()
    place = 0
    asked = 0
    cut = len(parts[0].replace("\\n", "\n")) if len(parts) == 2 else -1
    while place < len(line):
        if place == cut:
            got.text += "\n"
            asked = len(got.text)
            place += len(ASKED)
            continue
        place = _step(line, place, got)
    if got.open is not None:
        raise MarkupError("⟦ without ⟧")
    if not got.text.strip():
        raise MarkupError("an empty message")
    return Message(
        text=got.text,
        spans=tuple(got.spans),
        secrets=tuple(got.secrets),
        asked=asked,
        group=group,
    )


def _step(line: str, place: int, got: _Reading) -> int:
    """Take in what stands at this place; the place behind it."""
    sign = line[place]
    if sign == "⟦":
        return _opened(line, place, got)
    if sign not in "⟧⟪⟫":
        got.text += sign
        return place + 1
    if got.open is None:
        raise MarkupError(f"{sign} outside of ⟦ ⟧")
    value = got.open.get("value")
    if sign == "⟪":
        if value is not None:
            raise MarkupError("a second ⟪ in one mark: one value at most")
        got.open["value"] = (len(got.text), -1)
    elif sign == "⟫":
        if value is None or value[1] != -1:
            raise MarkupError("⟫ without ⟪")
        got.open["value"] = (value[0], len(got.text))
    else:
        _closed(got, got.open)
    return place + 1


def _opened(line: str, place: int, got: _Reading) -> int:
    if got.open is not None:
        raise MarkupError("⟦ inside ⟦ ⟧: marks do not nest")
    tags, bar, _ = line[place + 1 :].partition("|")
    if not bar or _SIGN.search(tags):
        there = line[place : place + 30]
        raise MarkupError(f"⟦ without tags: expected ⟦attribute|words⟧ at {there!r}")
    got.open = {"start": len(got.text), **read_tags(tags)}
    return place + 1 + len(tags) + 1


def _closed(got: _Reading, mark: dict[str, Any]) -> None:
    if mark.get("value", (0, 0))[1] == -1:
        raise MarkupError("⟪ without ⟫")
    end = len(got.text)
    if not got.text[mark["start"] : end].strip():
        raise MarkupError("an empty mark")
    if "kind" in mark:
        got.secrets.append(Secret(start=mark["start"], end=end, kind=mark["kind"]))
    else:
        got.spans.append(Span(**mark, end=end))
    got.open = None


def read_tags(tags: str) -> dict[str, Any]:
    """What `attribute @subject !standing =category +order` or `secret.kind` says.

    Raises:
        MarkupError: a tag is not one of the guide's.
    """
    name, *rest = tags.split() or [""]
    if name.startswith(_SECRET) and not rest:
        kind = name.removeprefix(_SECRET)
        if kind not in SECRETS:
            raise MarkupError(f"secret {kind!r}; expected one of {', '.join(sorted(SECRETS))}")
        return {"kind": kind}
    if name not in ATTRIBUTES:
        raise MarkupError(f"attribute {name!r}; expected one of {', '.join(ATTRIBUTES)}")
    said: dict[str, Any] = {"attribute": name, "category": ATTRIBUTES[name].category}
    kinds = {
        "@": ("subject", SUBJECTS | {"self"}),
        "!": ("standing", STANDINGS),
        "=": ("category", CATEGORIES),
        "+": ("order", ORDERS),
    }
    for tag in rest:
        if tag[0] not in kinds:
            raise MarkupError(f"tag {tag!r}; expected @subject, !standing, =category or +order")
        what, known = kinds[tag[0]]
        if tag[1:] not in known:
            raise MarkupError(f"{what} {tag!r}; expected one of {', '.join(sorted(known))}")
        said[what] = tag[1:]
    return said


def read_pair(line: str) -> dict[str, Any]:
    """Two messages and how the second bears on the first: `message ⇒ message ⇒ relation`.

    Raises:
        MarkupError: the line does not follow the guide.
    """
    parts = line.split(PAIR)
    if len(parts) != 3:
        raise MarkupError(f"{len(parts)} parts; expected `message ⇒ message ⇒ relation`")
    before, after, relation = read_line(parts[0]), read_line(parts[1]), parts[2].strip()
    if relation not in RELATIONS:
        raise MarkupError(f"relation {relation!r}; expected one of {', '.join(sorted(RELATIONS))}")
    for said in (before, after):
        if len(said.spans) != 1:
            raise MarkupError(f"{len(said.spans)} marks in {said.text!r}; a pair's message has one")
    return {"before": before.row(), "after": after.row(), "relation": relation}


def checked_row(row: dict[str, Any]) -> Message:
    """The message that a line of JSONL holds.

    Raises:
        MarkupError: something in it is not as the guide has it.
    """
    text, asked = row.get("text"), row.get("asked", 0)
    if not isinstance(text, str) or not text.strip():
        raise MarkupError(f"text {text!r}; expected the message's words")
    if not isinstance(asked, int) or not 0 <= asked < len(text):
        raise MarkupError(f"asked {asked!r}; expected a number below {len(text)}")
    spans = tuple(_checked_span(said, len(text)) for said in row.get("spans", ()))
    secrets = tuple(_checked_secret(said, len(text)) for said in row.get("secrets", ()))
    group = bool(row.get("group"))
    return Message(text=text, spans=spans, secrets=secrets, asked=asked, group=group)


def _checked_secret(said: dict[str, Any], length: int) -> Secret:
    try:
        secret = Secret(**said)
    except TypeError as error:
        raise MarkupError(f"secret {said}: {error}") from error
    if secret.kind not in SECRETS:
        wanted = ", ".join(sorted(SECRETS))
        raise MarkupError(f"kind {secret.kind!r}; expected one of {wanted}")
    if not 0 <= secret.start < secret.end <= length:
        raise MarkupError(f"place {secret.start}..{secret.end}; expected 0..{length}")
    return secret


def _checked_span(said: dict[str, Any], length: int) -> Span:
    value = said.get("value")
    try:
        span = Span(**{**said, "value": tuple(value) if value else None})
    except TypeError as error:
        raise MarkupError(f"span {said}: {error}") from error
    for name, known in (
        ("attribute", frozenset(ATTRIBUTES)),
        ("subject", SUBJECTS | {"self"}),
        ("standing", STANDINGS),
        ("category", CATEGORIES),
        ("order", ORDERS | {None}),
    ):
        got = getattr(span, name)
        if got not in known:
            wanted = ", ".join(sorted(map(str, known)))
            raise MarkupError(f"{name} {got!r}; expected one of {wanted}")
    for start, end in filter(None, ((span.start, span.end), span.value)):
        if not 0 <= start < end <= length:
            raise MarkupError(f"place {start}..{end}; expected 0..{length}")
    return span


def main() -> int:
    """0 where every line follows the guide, 1 where one does not."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, help="write all messages there, stand-off")
    parser.add_argument("--pairs", action="store_true", help="the files hold pairs")
    given = parser.parse_args()
    rows: list[str] = []
    counts: Counter[str] = Counter()
    wrong = 0
    for path in given.files:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                row = read_pair(line) if given.pairs else read_line(line).row()
                said = json.dumps(row, ensure_ascii=False)
                if said in rows:
                    raise MarkupError("said before")
            except MarkupError as error:
                wrong += 1
                sys.stdout.write(f"{path}, line {number}: {error}\n")
                continue
            rows.append(said)
            counts.update(_counted(row))
    told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items()))
    sys.stdout.write(f"{told}; {wrong} wrong\n")
    if given.to:
        given.to.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return 1 if wrong else 0


def _counted(row: dict[str, Any]) -> list[str]:
    """What a line is counted as."""
    if "relation" in row:
        return [row["relation"]]
    attributes = [f"attribute {span['attribute']}" for span in row["spans"]]
    secrets = [f"secret {one['kind']}" for one in row.get("secrets", ())]
    return ["messages", *attributes, *secrets, *(["with marks"] if attributes else [])]


if __name__ == "__main__":
    sys.exit(main())
