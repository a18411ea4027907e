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


class AnswerReader(SpokenText):
    """Reads one answer; `calls` and `updates` fill while it is fed.

    Calls are looked for where `reads_calls`; in code, and behind a backtick, they are quoted and
    no calls. `unreadable` counts updates that are no JSON. What a reasoning model thinks is left
    out; `took_back` is True after a piece by which all text before it turned out to be thoughts.
    """

    candidate = CANDIDATE

    def __init__(self, *, reads_calls: bool) -> None:
        super().__init__()
        self._reads_calls = reads_calls
        self._forget()

    def _forget(self) -> None:
        self.calls: list[AbpCall] = []
        self.updates: list[Mapping[str, Any]] = []
        self.unreadable = 0

    def _take_back(self, rest: str) -> str:
        self._forget()
        return super()._take_back(rest)

    def _marked(self, length: int, more_comes: bool) -> str | None:
        """What is shown of a text that begins with a candidate; "" where a block was taken out."""
        mark = mark_at_start(
            self._held, at_line_start=not self._line.strip(), more_comes=more_comes
        )
        if mark == "unsure":
            return None
        if mark in ("call", "update") and self._line.endswith("`"):
            mark = "text"  # quoted
        if mark in ("call", "abp") and not self._reads_calls:
            mark = "text" if mark == "call" else "code"
        if mark == "text":
            return self._take(length)
        if mark == "code":
            return super()._marked(length, more_comes)
        return self._out(mark, more_comes)

    def _out(self, mark: Mark, more_comes: bool) -> str | None:
        """Takes the block out, and what stands in it in."""
        block = block_at_start(mark, self._held, more_comes=more_comes)
        if block is None and more_comes:
            return None if len(self._held) <= MOST_HELD_CHARS else self._take(1)
        self._has_begun = True
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
