"""What a prompt is made of, how it is read from what a caller gives, and how long it may be.

The caller has decided who may see the values. Memory that is switched off is memory that is not
here. What a prompt cannot do without (the message, the system prompt, the scenario's words, skills,
tools) has to fit the budget; the rest goes in as it fits, in the order of `receipt.PRIORITY`.

MEMORY.md goes in whole, inside its cap: it depends on the file, the cap and the language only, so
it is the same from turn to turn.

Source: S1.4.1, S2.5.1, S4.2.1, S4.2.2, S4.2.3, S5.6.1; interfaces.md (tools); decisions 2, 5.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import date as Date
from functools import cache
from itertools import accumulate
from typing import Annotated, Any, TypeAlias, TypeVar

from pydantic import AfterValidator, ConfigDict, Field, TypeAdapter, ValidationError

from chatmem.errors import InvalidInputError, MessageOrderError
from chatmem.model import Hit, SessionSummary
from chatmem.prompt.imitations import mark_of, neutralise, quoted
from chatmem.text.bullets import parse
from chatmem.text.clean import clean_text
from chatmem.text.languages import DEFAULT, LanguageCode, expression, phrases
from chatmem.text.outline import BOM, CLOSE, COMMENT, LIST_MARKER
from chatmem.text.tokens import count_tokens

_MOST_PROBLEMS = 5
_MOST_SHOWN = 80
_LARGEST = 10_000_000
_BULLET = expression(rf"(?<!\s)\s*+{LIST_MARKER}\s+")
# Code as it is; or a heading, where one of no lower level or the end comes next.
_NOTHING_BELOW = expression(
    r"^(?P<code>(?:```|~~~)(?s:.*?)(?:^(?:```|~~~)|\Z))"
    r"|^(?P<level>#{1,6})(?:[ \t].*)?(?:\n\s*|\Z)(?=\Z|(?!(?P=level)#)#{1,6}(?:[ \t\n]|\Z))",
    re.MULTILINE,
)
_BLANK_LINES = expression(r"\n(?:[ \t]*\n)+")
_MARGIN_TOKENS = 2
_CUT = phrases("prompt.memories_cut")
_Limit: TypeAlias = Annotated[int, Field(strict=True, ge=0, le=_LARGEST)]
_Kind = TypeVar("_Kind")
_adapter: Callable[[type], TypeAdapter[Any]] = cache(TypeAdapter)


def validated(kind: type[_Kind], value: object, place: str) -> _Kind:
    """The value as this dataclass.

    Raises:
        InvalidInputError: it does not fit; the message begins with `place` and says what does not.
    """
    try:
        found: _Kind = _adapter(kind).validate_python(value)
    except ValidationError as error:
        raise InvalidInputError(f"{place}: {problems(error, kind)}") from None
    return found


def problems(error: ValidationError, kind: type | None = None) -> str:
    """What does not fit, at most five of it, and what the dataclass `kind` takes, on one line."""
    found = []
    for one in error.errors(include_url=False, include_context=False):
        place, got = ".".join(map(str, one["loc"])), one["input"]
        shown = isinstance(got, (str, int, float, type(None))) and len(str(got)) <= _MOST_SHOWN
        what = f"got {got!r}: " if shown and one["type"] != "missing" else ""
        if kind is not None and one["type"] == "unexpected_keyword_argument":
            what = f"there is none; there are {', '.join(known.name for known in fields(kind))}"
        else:
            what += one["msg"].removeprefix("Value error, ")
        found.append(f"{place}: {what}" if place else what)
    more = len(found) - _MOST_PROBLEMS
    return "; ".join(found[:_MOST_PROBLEMS]) + (f"; and {more} more" if more > 0 else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Limits of one prompt, in o200k tokens where the name says so.

    `memory_tokens` is the whole memory section (without the history that flat text shows there),
    `main_tokens` MEMORY.md inside it; `max_entries` counts what is recalled and found, and
    summaries; an entry longer than `entry_tokens` is cut down to its best passage. `make_budget`
    checks them.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    total_tokens: Annotated[_Limit, Field(ge=1)] = 16_000
    memory_tokens: _Limit = 2_000
    main_tokens: _Limit = 1_200
    household_tokens: _Limit = 400
    profile_tokens: _Limit = 600
    rag_tokens: _Limit = 2_000
    window_messages: _Limit = 20
    max_entries: _Limit = 40
    entry_tokens: Annotated[_Limit, Field(ge=8)] = 160
    semantic_top_k: _Limit = 3
    episodic_top_k: _Limit = 1


def make_budget(*changes: Mapping[str, object], place: str = "budget") -> Budget:
    """The default budget with these limits changed, the last mapping winning.

    Raises:
        InvalidInputError: a name that is no limit, or a value that does not fit; the message begins
            with `place`.
    """
    limits: dict[str, object] = {}
    for one in changes:
        limits |= one
    return validated(Budget, limits, place)


_FOLLOWERS: Mapping[str | None, tuple[str, ...]] = {
    None: ("system", "user"),
    "system": ("system", "user"),
    "user": ("assistant",),
    "assistant": ("user", "tool"),
    "tool": ("tool", "assistant"),
}


@dataclass(frozen=True, slots=True)
class WindowMessage:
    """A message of the running session."""

    role: Annotated[str, Field(pattern="^(?:system|user|assistant|tool)$")]
    content: str


Round: TypeAlias = list[tuple[int, WindowMessage]]
"""The user's message and what follows it, each with its index in the window."""


@dataclass(frozen=True, slots=True)
class RagDocument:
    """A document that the caller found for this message."""

    content: Annotated[str, AfterValidator(clean_text), Field(min_length=1)]
    title: str | None = None
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the model may call; `parameters` is its JSON schema."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.:/-]{1,128}$")]
    description: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the file as a reader sees it; `id` is the memory's where it is a bullet."""

    text: str
    id: str | None = None
    is_bullet: bool = False


@dataclass(frozen=True, slots=True)
class MainMemory:
    """The text for the prompt, its tokens once quoted, and the memories that it holds, or does not.

    `texts` are those of the memories in it, as `plain` gives them; `pieces` the whole file.
    """

    text: str = ""
    tokens: int = 0
    ids: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    texts: frozenset[str] = frozenset()
    pieces: tuple[Piece, ...] = ()
    language: LanguageCode = DEFAULT.code

    def within(self, max_tokens: int) -> "MainMemory":
        """The same, shortened to at most `max_tokens`; empty where nothing fits."""
        if self.tokens <= max_tokens:
            return self
        return _fitted(self.pieces, max_tokens, self.language)


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """Everything that may go into one prompt.

    `base_prompt` None takes the persona's own words, "" neither. `semantic` and `episodic` are
    recalled memories, `found` those of a search beside them, each best first; `window` has the
    oldest message first. Memories of others than `viewer` are marked as shared. `speakers` are
    names of who said a turn, by the memory's id. `mark` is that of the fences (`mark_of`).
    """

    message: str
    base_prompt: str | None = None
    skills: Sequence[str] = ()
    date: Date | None = None
    language: LanguageCode = DEFAULT.code
    household: str = ""
    profile: str = ""
    main: MainMemory = field(default_factory=MainMemory)
    semantic: Sequence[Hit] = ()
    episodic: Sequence[Hit] = ()
    summaries: Sequence[SessionSummary] = ()
    found: Sequence[Hit] = ()
    window: Sequence[WindowMessage] = ()
    rag: Sequence[RagDocument] = ()
    tools: Sequence[Tool] = ()
    viewer: str = "default"
    speakers: Mapping[str, str] = field(default_factory=dict)
    mark: str = field(default_factory=mark_of)


def read_tool(value: object) -> Tool:
    """A tool from `{"name", "description", "parameters"}` or OpenAI's wrapping of it.

    Raises:
        InvalidInputError: no name, or a description or parameters of another type.
    """
    plain = value.get("function", value) if isinstance(value, Mapping) else value
    if isinstance(plain, Mapping):  # what is null is not given
        plain = {name: one for name, one in plain.items() if one is not None}
    return validated(Tool, plain, "tools")


def check_order(
    messages: Sequence[Mapping[str, Any]],
) -> tuple[list[str], tuple[WindowMessage, ...]]:
    """The system texts at the beginning, and the conversation, which ends with an assistant's.

    Raises:
        MessageOrderError: a message without role or text, or one that cannot follow the one before
            it; the error has its index and both roles.
    """
    try:
        conversation = _adapter(list[WindowMessage]).validate_python(messages)
    except ValidationError as error:
        raise MessageOrderError(f"session_messages: {problems(error)}") from None
    before: str | None = None
    for index, message in enumerate(conversation):
        if message.role not in _FOLLOWERS[before]:
            where = f"behind {before}" if before else "at the beginning"
            takes = " or ".join(_FOLLOWERS[before])
            raise MessageOrderError(
                f"session_messages[{index}]: {message.role} cannot stand {where}; takes {takes}"
            )
        before = message.role
    if before in ("user", "tool"):
        raise MessageOrderError(
            f"session_messages[{len(messages) - 1}]: ends with {before}, takes assistant: "
            "the new message is given by itself"
        )
    system = [one.content for one in conversation if one.role == "system"]
    return system, tuple(conversation[len(system) :])


def rounds(messages: Sequence[WindowMessage]) -> list[Round]:
    """The messages by rounds; a user's message begins one.

    System messages and those without text are no part of a round.
    """
    found: list[Round] = []
    for index, message in enumerate(messages):
        if message.role == "system" or not message.content.strip():
            continue
        if message.role == "user" or not found:
            found.append([])
        found[-1].append((index, message))
    return found


def window(messages: Sequence[WindowMessage], max_messages: int) -> tuple[WindowMessage, ...]:
    """The newest whole rounds that have at most `max_messages` messages together, oldest first.

    Source: S2.5.1.
    """
    newest: list[WindowMessage] = []
    for one in reversed(rounds(messages)):
        if len(newest) + len(one) > max_messages:
            break
        newest = [*(message for _, message in one), *newest]
    return tuple(newest)


def prepare_main(text: str, max_tokens: int, language: LanguageCode) -> MainMemory:
    """MEMORY.md without comments and empty headings, at most `max_tokens` long; "" if it is empty.

    Where it is too long it ends with a whole bullet, and a last line says how many there are.

    Source: S5.6.1; decisions 2.
    """
    pieces = tuple(piece for piece in _pieces(text.removeprefix(BOM)) if piece.text)
    return _fitted(pieces, max_tokens, language)


def plain(text: str) -> str:
    """The text without regard to case and blanks."""
    return " ".join(text.split()).casefold()


def _pieces(text: str) -> Iterator[Piece]:
    """The file in order: bullets one by one, and what stands between them."""
    position = 0
    for bullet in parse(text).bullets:
        if (place := bullet.place) is not None:
            if position < place.start:
                yield Piece(visible(text[position : place.start]))
            yield Piece(visible(text[place.start : place.end]), bullet.id, is_bullet=True)
            position = place.end
    yield Piece(visible(text[position:]))


def visible(stretch: str) -> str:
    """What a reader of the rendered page sees: a person's own comments are for no model either."""
    end = stretch.rfind(CLOSE) + len(CLOSE) if CLOSE in stretch else 0  # behind it nothing closes
    *before, last = COMMENT.split(stretch[:end])
    return neutralise("".join([*(one.rstrip(" \t") for one in before), last, stretch[end:]]))


def _fitted(pieces: tuple[Piece, ...], max_tokens: int, language: LanguageCode) -> MainMemory:
    whole = _joined(pieces)
    if _size(whole) <= max_tokens:
        return _main_memory(whole, pieces, len(pieces), language)
    bullets = sum(piece.is_bullet for piece in pieces)
    least = _CUT[language].format(shown=0, all=bullets)
    room = max_tokens - count_tokens(least) + _MARGIN_TOKENS
    totals = list(accumulate(count_tokens(piece.text) for piece in pieces))
    # About how many fit, or one more: their sum is nearly the whole's.
    for length in range(bisect_right(totals, room), 0, -1):
        if text := _joined(pieces[:length]):
            shown = sum(piece.is_bullet for piece in pieces[:length])
            text = f"{text}\n\n{_CUT[language].format(shown=shown, all=bullets)}"
            if _size(text) <= max_tokens:
                return _main_memory(text, pieces, length, language)
    return _main_memory("", pieces, 0, language)


def _main_memory(
    text: str, pieces: tuple[Piece, ...], length: int, language: LanguageCode
) -> MainMemory:
    """The text with what the first `length` pieces hold."""
    ids = dict.fromkeys(piece.id for piece in pieces[:length] if piece.id)
    whole = length == len(pieces)
    texts = (
        plain(_BULLET.sub("", piece.text, count=1))
        for piece in pieces
        if piece.is_bullet and (piece.id in ids if piece.id else whole)
    )
    return MainMemory(
        text=text,
        tokens=_size(text),
        ids=tuple(ids),
        left_out=tuple(piece.id for piece in pieces if piece.id and piece.id not in ids),
        texts=frozenset(texts),
        pieces=pieces,
        language=language,
    )


def _joined(pieces: Sequence[Piece]) -> str:
    """The text of the pieces, without headings that nothing stands under."""
    text, before = "".join(piece.text for piece in pieces), ""
    while text != before:
        text, before = _NOTHING_BELOW.sub(lambda match: match["code"] or "", text), text
    return _BLANK_LINES.sub("\n\n", text).strip("\n")


def _size(text: str) -> int:
    """The tokens that it takes in a prompt, where it is quoted."""
    return count_tokens(quoted(text)) if text else 0
