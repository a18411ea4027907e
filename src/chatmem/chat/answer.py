"""An answer as it comes, taken apart: text for the reader, calls for tools, updates for memory.

What is shown of an answer does not depend on the pieces that it comes in.

Source: decisions 5 (both forms of ABP); S3.2.1.
"""

import json
from collections.abc import Mapping
from typing import Any

from chatmem.chat.blocks import (
    CANDIDATE,
    AbpCall,
    Mark,
    block_at_start,
    calls_of_block,
    calls_of_mark,
    mark_at_start,
)
from chatmem.text.thoughts import MOST_HELD_CHARS, SpokenText


class AnswerReader:
    """Reads one answer; `calls` and `updates` fill while it is fed.

    Calls are looked for where `reads_calls`; in code, and behind a backtick, they are quoted and
    no calls. `unreadable` counts updates that are no JSON. What a reasoning model thinks is left
    out; `took_back` is True after a piece by which all text before it turned out to be thoughts.
    """

    def __init__(self, *, reads_calls: bool) -> None:
        self.calls: list[AbpCall] = []
        self.updates: list[Mapping[str, Any]] = []
        self.unreadable = 0
        self.took_back = False
        self._reads_calls = reads_calls
        self._spoken = SpokenText()
        self._held = ""
        self._line = ""
        self._code = ""

    def feed(self, piece: str) -> str:
        """The text that can be shown now."""
        self._hear(self._spoken.feed(piece))
        return self._shown(more_comes=True)

    def finish(self) -> str:
        """The rest of the text: nothing more comes."""
        self._hear(self._spoken.finish())
        return self._shown(more_comes=False)

    def _hear(self, spoken: str) -> None:
        self.took_back = self._spoken.took_back
        if self.took_back:
            self.calls, self.updates, self.unreadable = [], [], 0
            self._held = self._line = self._code = ""
        self._held += spoken

    def _shown(self, *, more_comes: bool) -> str:
        shown: list[str] = []
        while self._held:
            step = self._in_code(more_comes) if self._code else self._in_text(more_comes)
            if step is None:
                break
            shown.append(step)
        return "".join(shown)

    def _in_code(self, more_comes: bool) -> str | None:
        """The next line of code, or as much as there is; None where it may be the fence's end."""
        line, newline, _ = self._held.partition("\n")
        whole_line = (self._line + line).strip()
        fence_like = not whole_line.strip(self._code[0])
        if not newline and more_comes:
            return None if fence_like else self._take(len(line))
        if fence_like and len(whole_line) >= len(self._code):
            self._code = ""
        return self._take(len(line) + len(newline))

    def _in_text(self, more_comes: bool) -> str | None:
        """Text up to the next mark; "" where a block was taken out, None where more must come."""
        match = CANDIDATE.search(self._held)
        if match is None:
            return self._take(len(self._held))
        if match.start():
            return self._take(match.start())
        mark = mark_at_start(
            self._held, at_line_start=not self._line.strip(), more_comes=more_comes
        )
        if mark == "unsure":
            return None
        if mark == "abp" and not self._reads_calls:
            mark = "code"
        if mark in ("call", "update") and self._line.endswith("`"):
            mark = "none"  # quoted
        if mark == "none" or (mark == "call" and not self._reads_calls):
            return self._take(match.end())
        return self._open_code() if mark == "code" else self._out(mark, more_comes)

    def _open_code(self) -> str:
        """The fence's first line; what follows is code up to a fence as long."""
        line, newline, _ = self._held.partition("\n")
        sign = line[0]
        self._code = sign * (len(line) - len(line.lstrip(sign)))
        return self._take(len(line) + len(newline))

    def _out(self, mark: Mark, more_comes: bool) -> str | None:
        """Takes the block out, and what stands in it in."""
        block = block_at_start(mark, self._held, more_comes=more_comes)
        if block is None and more_comes:
            return None if len(self._held) <= MOST_HELD_CHARS else self._take(1)
        if block is None:  # an update without its end
            self.unreadable += 1
            self._held = ""
            return ""
        if mark == "call":
            self.calls += calls_of_mark(block.inner)
        elif mark == "abp":
            self.calls += calls_of_block(block.inner)
        elif not self._note_update(block.inner):
            return self._take(block.length)
        self._held = self._held[block.length :]
        return ""

    def _note_update(self, inner: str) -> bool:
        """True where it is an update, one that cannot be read included."""
        try:
            found = json.loads(inner)
        except ValueError:
            self.unreadable += 1
            return True
        update = found.get("memory_update") if isinstance(found, dict) else None
        many = update if isinstance(update, list) else [update]
        updates = [one for one in many if isinstance(one, dict)]
        self.updates += updates
        return len(updates) == len(many)

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        self._line = (self._line + taken).rpartition("\n")[2]
        return taken


class ShownText:
    """Collects what is shown; whitespace waits until something stands behind it.

    So that the text as it was streamed and the text as it is saved are the same.
    """

    def __init__(self) -> None:
        self.text = ""
        self._waiting = ""
        self._before = ""

    def show(self, piece: str) -> str:
        """What of it, and of what waited, is shown now."""
        whole = self._waiting + piece
        if not self.text:
            whole = whole.lstrip()
        shown = whole.rstrip()
        self._waiting = whole[len(shown) :]
        self.text += shown
        return shown

    def begin_paragraph(self) -> None:
        """What comes next stands by itself."""
        self._waiting = "\n\n" if self.text else ""
        self._before = self.text

    def take_back(self) -> None:
        """What was shown of this paragraph was none: a model's thoughts."""
        self.text = self._before
        self._waiting = "\n\n" if self.text else ""
