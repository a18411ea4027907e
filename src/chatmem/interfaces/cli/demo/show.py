"""The demo on a page of 80 columns, or as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from chatmem.engine.demo.conversation import Fact, Turn
from chatmem.engine.demo.replay import Replay
from chatmem.engine.importing import as_json as columns
from chatmem.interfaces.cli.output import counted, parts_line, shown, table
from chatmem.interfaces.cli.wrapping import wrapped
from chatmem.model import Hit, SearchResults
from chatmem.text.bullets import visible_text

SEARCH_PARTS = ("bm25", "vector")
_COLUMNS_BEFORE_TEXT = 24

_SPEAKERS = {"user": "you", "assistant": "bot"}


def print_replay(console: Console, played: Replay, document: str, *, kept_in: str | None) -> None:
    """Prints the conversation, what is kept of it, and what each question found."""
    for part in _page(played, document, console.width):
        console.print(part)
    if kept_in is None:
        closing = "The data of this demo is gone now; `chatmem demo --data DIR` keeps it in DIR."
    else:
        closing = f"The data is in {kept_in}; try `chatmem search --data {kept_in} 大提琴`."
    console.print(Text(closing, style="dim"))


def as_json(played: Replay, document: str) -> dict[str, object]:
    """The same as values."""
    return {
        "turns": len(played.turns),
        "remembered": [columns(record) for record in played.remembered],
        "document": document,
        "answers": [
            {
                "question": answer.asked.text,
                "about": answer.asked.about,
                "results": [_hit(hit) for hit in answer.found],
            }
            for answer in played.answers
        ],
        "recall": {
            "message": played.recalled_for,
            "results": [_hit(hit) for hit in played.recalled],
        },
        "missing": [asdict(missing) for missing in played.recalled.missing],
    }


def _page(played: Replay, document: str, width: int) -> Iterator[RenderableType]:
    yield _title("1 · A conversation, in three sessions")
    for _, turns in groupby(played.turns, key=lambda turn: turn.session):
        yield from _session(list(turns), width)
    yield _title("2 · What is kept")
    yield (
        f"Every message, word for word ({counted(2 * len(played.turns), 'row')}), and "
        f"{counted(len(played.remembered), 'memory', 'memories')} remembered on request: facts in "
        "MEMORY.md, notes in daily/. You may edit these files; your edits win. This is MEMORY.md "
        "without the comments that hold ids:\n"
    )
    yield Padding(Text(shown(visible_text(document).strip()), style="green"), (0, 0, 0, 3))
    yield _title("3 · Five questions, weeks later")
    yield "score = 0.7 x vector (meaning) + 0.3 x bm25 (words)\n"
    for answer in played.answers:
        yield Text(answer.asked.text, style="bold")
        yield Text(f"({answer.asked.about})", style="dim")
        yield _found(answer.found, width)
    yield _title("4 · What would go into the next prompt")
    yield Text.assemble("Recall for “", (played.recalled_for, "bold"), "” ranks memories only:\n")
    for hit in played.recalled:
        yield Text(f"{hit.score:.2f}  ").append_text(_told(hit, width - 6))
        why = Text(wrapped(parts_line(hit.parts), width - 6), style="dim")
        yield Padding(why, (0, 0, 1, 6))
    for missing in played.recalled.missing:
        yield Text(f"Not available here: {missing}", style="yellow")


def _title(text: str) -> RenderableType:
    return Padding(Rule(Text(text, style="bold"), align="left"), (1, 0))


def _session(turns: Sequence[Turn], width: int) -> Iterator[RenderableType]:
    yield Text(f"{turns[0].at:%d %B %Y}", style="dim")
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column(no_wrap=True, overflow="ignore")
    room = width - 6
    for turn in turns:
        grid.add_row("you", wrapped(turn.user, room))
        grid.add_row("bot", Text(wrapped(turn.assistant, room), style="dim"))
        if turn.request is not None:
            place = "MEMORY.md" if isinstance(turn.request, Fact) else "daily log"
            grid.add_row("", Text(wrapped(f"-> {place}: {turn.request.text}", room), style="green"))
    yield Padding(grid, (0, 0, 1, 1))


def _found(results: SearchResults, width: int) -> RenderableType:
    if not results:
        return Text("nothing found\n", style="yellow")
    made = table(["score", *SEARCH_PARTS, "found"], numbers=range(len(SEARCH_PARTS) + 1))
    for hit in results:
        values = (getattr(hit.parts, part) for part in SEARCH_PARTS)
        cells = ("" if value is None else f"{value:.2f}" for value in values)
        made.add_row(f"{hit.score:.2f}", *cells, _told(hit, width - _COLUMNS_BEFORE_TEXT))
    return made


def _told(hit: Hit, width: int) -> Text:
    """Day, origin and words of a hit; further lines begin below the first word."""
    record = hit.memory
    if record.role is not None:
        origin = _SPEAKERS.get(record.role, record.role)
    else:
        origin = "log" if record.kind == "episodic" else record.category or "memory"
    label = f"{record.timestamp:%d %b} {origin}: "
    lines = wrapped(shown(record.content), width - len(label)).replace(
        "\n", "\n" + " " * len(label)
    )
    return Text.assemble((label, "cyan"), lines)


def _hit(hit: Hit) -> dict[str, object]:
    return {"score": hit.score, "parts": asdict(hit.parts), "memory": columns(hit.memory)}
