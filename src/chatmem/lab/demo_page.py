"""The demo on a page of the terminal, or as JSON; a Chinese character is two columns."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from chatmem.engine.importing import as_json as columns
from chatmem.lab.demo import QUESTIONS, RECALLED_FOR, TURNS, DemoTurn, Replay
from chatmem.lab.report import table
from chatmem.model import Hit, Parts, SearchResults
from chatmem.text.bullets import visible_text
from chatmem.text.languages import UNSPACED_LETTERS

SEARCH_PARTS = ("bm25", "vector")
_COLUMNS_BEFORE_TEXT = 24
# Marks that may not begin a line stay with what they follow.
_CLOSING = r"，。！？；：、）》」』”’…"
_PIECE = re.compile(
    rf"[^\s{UNSPACED_LETTERS}{_CLOSING}]+[{_CLOSING}]*|[{UNSPACED_LETTERS}{_CLOSING}][{_CLOSING}]*|\s+"
)
_SPEAKERS = {"user": "you", "assistant": "bot"}


def replay_as_json(replay: Replay, document: str) -> dict[str, object]:
    """What the page shows, as values; `document` is the text of MEMORY.md."""
    return {
        "turns": len(TURNS),
        "remembered": [columns(record) for record in replay.remembered],
        "document": document,
        "answers": [
            {
                "question": question,
                "about": QUESTIONS[question],
                "results": [_hit_as_json(hit) for hit in found],
                "nearest": [_hit_as_json(hit) for hit in found.nearest],
            }
            for question, found in replay.answers.items()
        ],
        "recall": {
            "message": RECALLED_FOR,
            "results": [_hit_as_json(hit) for hit in replay.recalled],
        },
        "missing": [asdict(missing) for missing in replay.recalled.missing],
    }


def _hit_as_json(hit: Hit) -> dict[str, object]:
    return {"score": hit.score, "parts": asdict(hit.parts), "memory": columns(hit.memory)}


@dataclass(frozen=True, slots=True)
class DemoPage:
    """Prints the demo; `escaped` makes text safe for a terminal, `parts_line` writes parts."""

    console: Console
    escaped: Callable[[str], str]
    parts_line: Callable[[Parts], str]

    def print(self, replay: Replay, document: str, *, folder: str | None) -> None:
        """The conversation, what is stored of it, and what each question found."""
        for part in self._page(replay, document):
            self.console.print(part)
        closing = "The data of this demo is gone now; `chatmem demo --data DIR` keeps it in DIR."
        if folder is not None:
            closing = f"The data is in {folder}; try `chatmem search --data {folder} 大提琴`."
        self.console.print(Text(closing, style="dim"))

    def _page(self, replay: Replay, document: str) -> Iterator[RenderableType]:
        room = self.console.width - 6
        yield _title("1 · A conversation, in three sessions")
        for _, turns in groupby(TURNS, key=lambda turn: turn.session):
            yield from _session(list(turns), room)
        yield _title("2 · What is kept")
        yield (
            f"Every message, word for word ({2 * len(TURNS)} rows), and "
            f"{len(replay.remembered)} memories remembered on request: facts in "
            "MEMORY.md, notes in daily/. You may edit these files; your edits win. This is "
            "MEMORY.md without the comments that hold ids:\n"
        )
        text = self.escaped(visible_text(document).strip())
        yield Padding(Text(text, style="green"), (0, 0, 0, 3))
        yield _title("3 · Five questions, weeks later")
        yield "score = 0.7 x vector (meaning) + 0.3 x bm25 (words)\n"
        for question, found in replay.answers.items():
            yield Text(question, style="bold")
            yield Text(f"({QUESTIONS[question]})", style="dim")
            yield self._table(found)
        yield _title("4 · What would go into the next prompt")
        yield Text.assemble("Recall for “", (RECALLED_FOR, "bold"), "” ranks memories only:\n")
        for hit in replay.recalled:
            yield Text(f"{hit.score:.2f}  ").append_text(self._words(hit, room))
            why = Text(wrapped(self.parts_line(hit.parts), room), style="dim")
            yield Padding(why, (0, 0, 1, 6))
        for missing in replay.recalled.missing:
            yield Text(f"Not available here: {missing}", style="yellow")

    def _table(self, results: SearchResults) -> RenderableType:
        what = "found" if results else "nearest"
        made = table(["score", *SEARCH_PARTS, what], numbers=range(len(SEARCH_PARTS) + 1))
        for hit in results or results.nearest:
            values = (getattr(hit.parts, part) for part in SEARCH_PARTS)
            cells = ("" if value is None else f"{value:.2f}" for value in values)
            words = self._words(hit, self.console.width - _COLUMNS_BEFORE_TEXT)
            made.add_row(f"{hit.score:.2f}", *cells, words)
        return made

    def _words(self, hit: Hit, width: int) -> Text:
        """Day, origin and words of a hit; further lines begin below the first word."""
        record = hit.memory
        if record.role is not None:
            origin = _SPEAKERS.get(record.role, record.role)
        else:
            origin = "log" if record.kind == "episodic" else record.category or "memory"
        label = f"{record.timestamp:%d %b} {origin}: "
        lines = wrapped(self.escaped(record.content), width - len(label))
        return Text.assemble((label, "cyan"), lines.replace("\n", "\n" + " " * len(label)))


def _title(text: str) -> RenderableType:
    return Padding(Rule(Text(text, style="bold"), align="left"), (1, 0))


def _session(turns: Sequence[DemoTurn], width: int) -> Iterator[RenderableType]:
    yield Text(f"{turns[0].at:%d %B %Y}", style="dim")
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(no_wrap=True, overflow="ignore")
    for turn in turns:
        grid.add_row("you", wrapped(turn.user, width))
        grid.add_row("bot", Text(wrapped(turn.assistant, width), style="dim"))
        if turn.note is not None:
            file = "MEMORY.md" if "category" in turn.note else "daily log"
            text = wrapped(f"-> {file}: {turn.note['text']}", width)
            grid.add_row("", Text(text, style="green"))
    yield Padding(grid, (0, 0, 1, 1))


def wrapped(text: str, width: int) -> str:
    """The text in lines of at most `width` columns, broken at blanks and after Chinese characters.

    A longer word has a line of its own, whole, so that it can be copied. (rich breaks Chinese
    anywhere, also before a comma.)
    """
    return "\n".join(line for part in text.splitlines() for line in _lines(part, width))


def _lines(text: str, width: int) -> Iterator[str]:
    line = ""
    for piece in _PIECE.findall(text):
        if line.strip() and cell_len((line + piece).rstrip()) > width:
            yield line.rstrip()
            line = piece.lstrip()
        else:
            line += piece
    yield line.rstrip()
