"""The demo on a page of 80 columns, or as JSON."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import groupby

from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from chatmem.engine.importing import as_json as columns
from chatmem.interfaces.cli.demo.conversation import Fact, Turn
from chatmem.interfaces.cli.demo.replay import Answer, Replay
from chatmem.interfaces.cli.output import counted, shown, table
from chatmem.model import Hit, SearchResults
from chatmem.text.bullets import visible_text

SEARCH_PARTS = ("bm25", "vector")
RECALL_PARTS = ("keyword", "category", "recency", "frequency", "confidence", "importance")

_SPEAKERS = {"user": "you", "assistant": "bot"}


def print_replay(console: Console, played: Replay, document: str, *, kept_in: str | None) -> None:
    """Prints the conversation, what is kept of it, and what each question found."""
    for part in _page(played, document):
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


def _page(played: Replay, document: str) -> Iterator[RenderableType]:
    yield _title("1 · A conversation, in three sessions")
    for _, turns in groupby(played.turns, key=lambda turn: turn.session):
        yield from _session(list(turns))
    yield _title("2 · What is kept")
    yield (
        f"Every message, word for word ({counted(2 * len(played.turns), 'row')}), and "
        f"{counted(len(played.remembered), 'memory', 'memories')} remembered on request: the "
        "facts in MEMORY.md,\nthe notes in daily/. You may edit these files; your edits win. "
        "MEMORY.md, without the\ncomments that hold ids:\n"
    )
    yield Padding(Text(shown(visible_text(document).strip()), style="green"), (0, 0, 1, 3))
    yield _title("3 · Five questions, weeks later")
    yield "score = 0.7 × vector (meaning) + 0.3 × bm25 (words)\n"
    for answer in played.answers:
        yield from _answer(answer)
    yield _title("4 · What would go into the next prompt")
    yield Text.assemble("Recall for “", (played.recalled_for, "bold"), "” ranks memories only:")
    yield _found(played.recalled, RECALL_PARTS)
    for missing in played.recalled.missing:
        yield Text(f"Not available here: {missing}", style="yellow")


def _title(text: str) -> RenderableType:
    return Padding(Rule(Text(text, style="bold"), align="left", characters="─"), (1, 0))


def _session(turns: Sequence[Turn]) -> Iterator[RenderableType]:
    yield Text(f"{turns[0].at:%d %B %Y}", style="dim")
    grid = Table.grid(padding=(0, 1))
    grid.add_column(style="cyan", no_wrap=True)
    grid.add_column()
    for turn in turns:
        grid.add_row("you", turn.user)
        grid.add_row("bot", Text(turn.assistant, style="dim"))
        if turn.request is not None:
            place = "MEMORY.md" if isinstance(turn.request, Fact) else "daily log"
            grid.add_row("", Text(f"↳ {place}: {turn.request.text}", style="green"))
    yield Padding(grid, (0, 0, 1, 1))


def _answer(answer: Answer) -> Iterator[RenderableType]:
    yield Text.assemble((answer.asked.text, "bold"), f"   ({answer.asked.about})")
    yield _found(answer.found, SEARCH_PARTS)


def _found(results: SearchResults, parts: Sequence[str]) -> RenderableType:
    if not results:
        return Text("  nothing found\n", style="yellow")
    made = table(["score", *parts, "found"], numbers=range(len(parts) + 1))
    for hit in results:
        values = (getattr(hit.parts, part) for part in parts)
        cells = ("" if value is None else f"{value:.2f}" for value in values)
        made.add_row(f"{hit.score:.2f}", *cells, _told(hit))
    return made


def _told(hit: Hit) -> Text:
    record = hit.memory
    if record.role is not None:
        origin = _SPEAKERS.get(record.role, record.role)
    else:
        origin = "log" if record.kind == "episodic" else record.category or "memory"
    return Text.assemble((f"{record.timestamp:%d %b} {origin}: ", "cyan"), shown(record.content))


def _hit(hit: Hit) -> dict[str, object]:
    return {"score": hit.score, "parts": asdict(hit.parts), "memory": columns(hit.memory)}
