"""What a reasoning model thinks before it answers (`<think>...</think>`): nothing that it says.

Thoughts stand at the beginning of an answer, or at the beginning of a line of it; a server whose
template writes the opening tag by itself sends only the closing one, on a line of its own. In
code, and inside of a line, such a tag is quoted.
"""

import re
from typing import Final

from chatmem.text.languages import expression

_OPENS: Final = expression(r"<(think|thinking|thought|thoughts)>", re.IGNORECASE)
_CLOSES: Final = expression(r"</(?:think|thinking|thought|thoughts)>", re.IGNORECASE)
_ALONE: Final = expression(rf"(?:{_CLOSES.pattern})[ \t]*(?:\n|\Z)", re.IGNORECASE)
_MAY_BE_TAG: Final = expression(r"</?[a-z]*\Z", re.IGNORECASE)
_TAG_CHARS: Final = len("</thoughts>")
_FENCE_CHARS: Final = 3
MOST_HELD_CHARS: Final = 50_000
"""Behind a tag inside of an answer; where no end comes until then, it was text."""


def without_thoughts(text: str) -> str:
    """The answer in a model's text; the text itself where it thinks nothing.

    An answer that broke off in the thoughts it began with says nothing.
    """
    if _OPENS.search(text) is None and _CLOSES.search(text) is None:
        return text
    spoken = SpokenText()
    said = spoken.feed(text)
    rest = spoken.finish()  # may take back what was said: the text ends in the end of thoughts
    told = rest if spoken.took_back else said + rest
    return told if told == text else told.strip()


class SpokenText:
    """Reads an answer as it comes, and passes on what is no thought; the same for any pieces.

    `took_back` is True after a piece with the end of thoughts that had no beginning: everything
    passed on until that piece was one of them.
    """

    candidate = re.compile(r"`+|~+")
    """What `_marked` looks at."""

    def __init__(self) -> None:
        self.took_back = False
        self._held = ""
        self._line = ""
        self._code = ""
        self._has_begun = False
        self._inside = ""

    def feed(self, piece: str, *, more_comes: bool = True) -> str:
        """What of it, and of what was held, is said."""
        self._held += piece
        self.took_back = False
        said: list[str] = []
        while self._held:
            step = self._step(more_comes)
            if step is None:
                break
            if self.took_back and not self._has_begun:
                said.clear()
            said.append(step)
        return "".join(said)

    def finish(self) -> str:
        """The rest: nothing more comes."""
        return self.feed("", more_comes=False)

    def _step(self, more_comes: bool) -> str | None:
        """What is said next; None where what comes decides."""
        if self._inside:
            return self._thoughts(more_comes)
        if self._code:
            return self._in_code(more_comes)
        if not self._line.strip():
            rest = self._held.lstrip()
            blank = len(self._held) - len(rest)
            if opens := _OPENS.match(rest):
                return self._open(blank, opens.end())
            closes = _ALONE.match(rest)
            if closes and (not more_comes or closes[0].endswith("\n")):
                return self._take_back(rest[closes.end() :])
            if more_comes and (closes or _MAY_BE_TAG.match(rest) or not rest):
                return None
        line, newline, _ = self._held.partition("\n")
        match = self.candidate.search(line)
        if match is None:
            return self._take(len(line) + len(newline))
        return self._take(match.start()) or self._marked(match.end(), more_comes)

    def _thoughts(self, more_comes: bool) -> str | None:
        """Passes over them; inside of an answer they have to have an end."""
        end = _CLOSES.search(self._held)
        if end is not None:
            self._held = self._held[end.end() :].lstrip()
            self._inside = ""
            return ""
        if self._inside == "first":
            self._held = self._held[-_TAG_CHARS:] if more_comes else ""
            return None
        if more_comes and len(self._held) <= MOST_HELD_CHARS:
            return None
        self._inside = ""
        return self._take(1)  # no tag then

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

    def _marked(self, length: int, more_comes: bool) -> str | None:
        """What is said of a text that begins with so long a candidate: here, it may open code."""
        line, newline, _ = self._held.partition("\n")
        if self._line.strip():
            return self._take(length)
        if more_comes and not newline and (length == len(line) or length >= _FENCE_CHARS):
            return None
        if length < _FENCE_CHARS or line[0] in line[length:]:  # its first line has no fence in it
            return self._take(length)
        self._code = line[:length]
        return self._take(len(line) + len(newline))

    def _open(self, blank: int, length: int) -> str:
        if self._has_begun:
            self._inside = "later"
            return self._take(blank)
        self._inside = "first"
        self._held = self._held[blank + length :]
        return ""

    def _take_back(self, rest: str) -> str:
        self._held = rest.lstrip()
        self.took_back, self._has_begun, self._line = True, False, ""
        return ""

    def _take(self, length: int) -> str:
        taken, self._held = self._held[:length], self._held[length:]
        self._line = (self._line + taken).rpartition("\n")[2]
        self._has_begun = self._has_begun or bool(taken.strip())
        return taken
