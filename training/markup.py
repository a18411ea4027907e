"""The writers' notation of labelled messages, read and checked; `guide.md` describes it.

    python training/markup.py FILE.txt ...              # errors with line and what was expected; counts
    python training/markup.py FILE.txt --to FILE.jsonl  # the same messages, stand-off
"""

import argparse
import json
import re
import sys
import tomllib
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
ATTRIBUTES: Final = tomllib.loads(
    (ROOT / "src/chatmem/extraction/attributes.toml").read_text(encoding="utf-8")
)
SUBJECTS: Final = frozenset(
    "wife husband partner ex mother father parents son daughter child children brother sister"
    " grandmother grandfather grandparents grandchild uncle aunt cousin nephew niece"
    " mother-in-law father-in-law in-laws family friend roommate pet other".split()
)
STANDINGS: Final = frozenset(
    "holds began ended corrected denied wished once joking hypothetical played quoted".split()
)
CATEGORIES: Final = frozenset(("preference", "fact", "pattern"))
ORDERS: Final = frozenset(("remember", "forget"))
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
class Message:
    """A labelled message. `asked` is how many characters of `text` the assistant's question has."""

    text: str
    spans: tuple[Span, ...] = ()
    asked: int = 0
    group: bool = False

    def row(self) -> dict[str, Any]:
        """As a line of JSONL says it: what is usual is left out."""
        usual: dict[str, Any] = {"value": None, "subject": "self", "standing": "holds", "order": None}
        spans = [
            {k: v for k, v in asdict(one).items() if k not in usual or v != usual[k]}
            for one in self.spans
        ]
        row: dict[str, Any] = {"text": self.text, "spans": spans}
        if self.asked:
            row["asked"] = self.asked
        if self.group:
            row["group"] = True
        return row


@dataclass(slots=True)
class _Reading:
    text: str = ""
    spans: list[Span] = field(default_factory=list)
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
    return Message(text=got.text, spans=tuple(got.spans), asked=asked, group=group)


def _step(line: str, place: int, got: _Reading) -> int:
    sign = line[place]
    if sign == "⟦":
        if got.open is not None:
            raise MarkupError("⟦ inside ⟦ ⟧: marks do not nest")
        tags, bar, _ = line[place + 1 :].partition("|")
        if not bar or _SIGN.search(tags):
            raise MarkupError(f"⟦ without tags: expected ⟦attribute|words⟧ at {line[place:place+30]!r}")
        got.open = {"start": len(got.text), **read_tags(tags)}
        return place + 1 + len(tags) + 1
    if sign in "⟧⟪⟫":
        if got.open is None:
            raise MarkupError(f"{sign} outside of ⟦ ⟧")
        if sign == "⟪":
            if "value" in got.open:
                raise MarkupError("a second ⟪ in one mark: one value at most")
            got.open["value"] = (len(got.text), -1)
        elif sign == "⟫":
            if got.open.get("value", (0, 0))[1] != -1:
                raise MarkupError("⟫ without ⟪")
            got.open["value"] = (got.open["value"][0], len(got.text))
        else:
            if got.open.get("value", (0, 0))[1] == -1:
                raise MarkupError("⟪ without ⟫")
            got.open["end"] = len(got.text)
            span = Span(**got.open)
            if not got.text[span.start : span.end].strip():
                raise MarkupError("an empty mark")
            got.spans.append(span)
            got.open = None
        return place + 1
    got.text += sign
    return place + 1


def read_tags(tags: str) -> dict[str, Any]:
    """What `attribute @subject !standing =category +order` says.

    Raises:
        MarkupError: a tag is not one of the guide's.
    """
    name, *rest = tags.split() or [""]
    if name not in ATTRIBUTES:
        raise MarkupError(f"attribute {name!r}; expected one of {', '.join(ATTRIBUTES)}")
    said: dict[str, Any] = {"attribute": name, "category": ATTRIBUTES[name]["category"]}
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
    spans: list[Span] = []
    for said in row.get("spans", ()):
        span = {"category": "fact", **said}
        try:
            value = span.pop("value", None)
            one = Span(**span, value=tuple(value) if value else None)
        except TypeError as error:
            raise MarkupError(f"span {said}: {error}") from error
        for name, got, known in (
            ("attribute", one.attribute, frozenset(ATTRIBUTES)),
            ("subject", one.subject, SUBJECTS | {"self"}),
            ("standing", one.standing, STANDINGS),
            ("category", one.category, CATEGORIES),
            ("order", one.order, ORDERS | {None}),
        ):
            if got not in known:
                wanted = ", ".join(sorted(map(str, known)))
                raise MarkupError(f"{name} {got!r}; expected one of {wanted}")
        for start, end in filter(None, ((one.start, one.end), one.value)):
            if not 0 <= start < end <= len(text):
                raise MarkupError(f"place {start}..{end}; expected 0..{len(text)}")
        spans.append(one)
    return Message(text=text, spans=tuple(spans), asked=asked, group=bool(row.get("group")))


def main() -> int:
    """0 where every line follows the guide, 1 where one does not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--to", type=Path, help="write all messages there, stand-off")
    parser.add_argument("--pairs", action="store_true", help="the files hold pairs")
    given = parser.parse_args()
    rows: list[dict[str, Any]] = []
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    wrong = 0
    for path in given.files:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            try:
                row = read_pair(line) if given.pairs else read_line(line).row()
            except MarkupError as error:
                wrong += 1
                sys.stdout.write(f"{path}:{number}: {error}\n")
                continue
            text = json.dumps(row, ensure_ascii=False)
            said = row.get("text", text)
            if said in seen:
                wrong += 1
                sys.stdout.write(f"{path}:{number}: said before: {said[:60]!r}\n")
                continue
            seen.add(said)
            rows.append(row)
            if given.pairs:
                counts[row["relation"]] += 1
                continue
            counts["messages"] += 1
            counts["with marks"] += bool(row["spans"])
            for span in row["spans"]:
                counts[f"attribute {span['attribute']}"] += 1
    sys.stdout.write(", ".join(f"{k}: {v}" for k, v in sorted(counts.items())) + f"; {wrong} wrong\n")
    if given.to:
        given.to.write_text(
            "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8"
        )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
