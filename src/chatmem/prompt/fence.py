"""Data in a prompt: between a fence's two lines, saying where it is from, unable to leave it.

    <memory-482913075226 source="MEMORY.md">
    > ## Preferences

    - Drinks oolong
    </memory-482913075226>

The mark is the prompt's own. Memories and messages are items, one under the other; documents and
what tools give back are quoted line by line. The words that introduce data to the model are phrases
of its language. Of a long text stands the passage that says most about the message.

Source: decisions 5; lessons.md, "stored text acts as instructions".
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from chatmem.model import Hit, SessionSummary
from chatmem.prompt import receipt
from chatmem.prompt.imitations import neutralise, quoted
from chatmem.prompt.material import Material, RagDocument, WindowMessage
from chatmem.text.languages import BY_CODE, LanguageCode, expression, language_by_script, phrases
from chatmem.text.normalise import normalise
from chatmem.text.segment import is_single_han, query_tokens, sentences
from chatmem.text.tokens import count_tokens, truncate_tokens

GAP = "…"
_CHARACTER_WEIGHT = 0.3
"""A single Chinese character says less than a word."""
_LOOKED_AT_CHARS = 4_000
"""From both ends, as much as the index holds of a message."""
_BEFORE_CHARS = 40
_GAP_TOKENS = 2

QueryTerms: TypeAlias = Mapping[str, float]
"""What a message asks for: terms as they stand in a normalised text, and their weights."""


@lru_cache(maxsize=8)
def query_terms(message: str) -> QueryTerms:
    """What this message asks for."""
    terms = query_tokens(message[:_LOOKED_AT_CHARS]).terms
    return {term: _CHARACTER_WEIGHT if is_single_han(term) else 1.0 for term in terms}


def fits(text: str, max_tokens: int) -> bool:
    """True if the text has at most `max_tokens`; of few bytes not even counted: none takes more."""
    size = len(text.encode(errors="surrogatepass"))
    return size <= max_tokens or count_tokens(text) <= max_tokens


def excerpt(text: str, max_tokens: int, message: str) -> str:
    """The text, or its best passage for the message, at most `max_tokens` long."""
    return text if fits(text, max_tokens) else passage(text, max_tokens, message)


def passage(text: str, max_tokens: int, message: str) -> str:
    """The best whole sentences of a text for the message, at most `max_tokens` long, on one line.

    What is left out shows as `…`. A sentence that is too long by itself is cut inside.
    """
    query = query_terms(message)
    if len(text) > 2 * _LOOKED_AT_CHARS:
        text = f"{text[:_LOOKED_AT_CHARS]}\n{text[-_LOOKED_AT_CHARS:]}"
    every = sentences(text)
    scores = [_score(sentence, query) for sentence in every]
    seed = max(range(len(every)), key=scores.__getitem__, default=0)
    order = sorted(range(len(every)), key=lambda n: (-scores[n], abs(n - seed), n))
    chosen: set[int] = set()
    left = max_tokens - _GAP_TOKENS
    for number in order:
        cost = count_tokens(every[number]) + _GAP_TOKENS
        if cost <= left:
            chosen.add(number)
            left -= cost
        elif not chosen or not scores[number]:
            break
    found = _joined(every, sorted(chosen)) if chosen else _cut_inside(every, seed, query)
    return found if fits(found, max_tokens) else _cut_short(found, max_tokens)


def cut_at_lines(text: str, max_tokens: int, note: str) -> str:
    """The text, or its first lines and the note, at most `max_tokens` long; "" where none fit."""
    if fits(text, max_tokens):
        return text
    left = max_tokens - count_tokens(note) - 1
    beginning, _ = truncate_tokens(text, max(left, 0))
    whole_lines = beginning.rpartition("\n")[0] or beginning
    cut = f"{whole_lines.rstrip()}\n{note}"
    return cut if whole_lines.strip() and fits(cut, max_tokens) else ""


def _score(text: str, query: QueryTerms) -> float:
    """0 or more: the weights of the terms that the text holds."""
    normal = normalise(text)
    return sum(weight for term, weight in query.items() if term in normal)


def _joined(every: Sequence[str], chosen: Sequence[int]) -> str:
    pieces = [] if chosen[0] == 0 else [f"{GAP} "]
    for place, number in enumerate(chosen):
        if place and chosen[place - 1] != number - 1:
            pieces.append(f" {GAP} ")
        elif place and not _ends_wide(every[number - 1]):
            pieces.append(" ")
        pieces.append(every[number])
    if chosen[-1] != len(every) - 1:
        pieces.append(f" {GAP}")
    return "".join(pieces)


def _ends_wide(sentence: str) -> bool:
    return not language_by_script(sentence[-1]).spaced or sentence[-1] in "。！？；…”’」』）"


def _cut_inside(every: Sequence[str], seed: int, query: QueryTerms) -> str:
    sentence = every[seed] if every else ""
    normal = normalise(sentence)
    places = [place for term in query if (place := normal.find(term)) >= 0]
    start = max(0, min(places, default=0) - _BEFORE_CHARS)
    return (f"{GAP} " if start or seed else "") + sentence[start:]


def _cut_short(text: str, max_tokens: int) -> str:
    for spare in (_GAP_TOKENS, 2 * _GAP_TOKENS):
        beginning, _ = truncate_tokens(text, max_tokens - spare)
        cut = f"{beginning.rstrip()}{GAP}"
        if fits(cut, max_tokens):
            return cut
    return truncate_tokens(text, max_tokens)[0]


MEMORY_FENCE: Final = "memory"
DOCUMENT_FENCE: Final = "document"
"""The tags of the fences that a prompt has."""
_INTRODUCTIONS: Final = {
    name: phrases(f"prompt.introduction.{name}") for name in (MEMORY_FENCE, DOCUMENT_FENCE)
}
ORIGINS: Final = {
    receipt.HOUSEHOLD: "HOUSEHOLD.md",
    receipt.PROFILE: "USER.md",
    receipt.MAIN: "MEMORY.md",
    receipt.SEMANTIC: "memories",
    receipt.EPISODIC: "episodes",
    receipt.SUMMARIES: "earlier sessions",
    receipt.SEARCH: "search",
    receipt.WINDOW: "this session",
}
"""The `source` of each section's fence."""
_TITLED: Final = (receipt.HOUSEHOLD, receipt.PROFILE, receipt.WINDOW)
_TITLES: Final = {name: phrases(f"prompt.title.{name}") for name in _TITLED}
_ROLES: Final = {
    name: phrases(f"prompt.role.{name}") for name in ("user", "assistant", "tool", "system")
}
_SHARED: Final = phrases("prompt.shared")
_UNTIL: Final = phrases("prompt.until")
_MAX_LABEL_CHARS: Final = 80
_UNLABELLED: Final = str.maketrans('"<>[]', "'()()")
_BLANK_LINES: Final = expression(r"\n\s*\n")


def introduction(name: str, language: LanguageCode, mark: str) -> str:
    """What the model is told before the first fence of this name."""
    return _INTRODUCTIONS[name][language].format(mark=mark)


def fenced(name: str, origin: str, body: str, mark: str) -> str:
    """The body between the fence's lines, each of its own lines quoted."""
    return fenced_items(name, origin, [quoted(neutralise(body))], mark)


def fenced_items(name: str, origin: str, lines: Iterable[str], mark: str) -> str:
    """`<name-mark source="origin">`, the lines, `</name-mark>`.

    The lines are those of `item` or `quoted`: each begins as no line of the prompt does. What they
    know of the mark goes.
    """
    source = f' source="{label(origin)}"' if origin.strip() else ""
    inside = "\n".join([f"{source}>", *lines]).replace(mark, GAP)
    return f"<{name}-{mark}{inside}\n</{name}-{mark}>"


def fenced_section(section: str, lines: Iterable[str], language: LanguageCode, mark: str) -> str:
    """The lines of a section of memory between its fence, below its title if it has one."""
    fence = fenced_items(MEMORY_FENCE, ORIGINS[section], lines, mark)
    title = _TITLES.get(section)
    return f"{title[language]}\n{fence}" if title else fence


def fenced_document(document: RagDocument, content: str, mark: str) -> str:
    """This content of a document, quoted, labelled with its title and source."""
    origin = ", ".join(one for one in (document.title, document.source) if one and one.strip())
    return fenced_items(DOCUMENT_FENCE, origin, [content], mark)


def label(text: str) -> str:
    """A name or title on one line, at most 80 characters, without anything that ends a label."""
    line = " ".join(neutralise(text).translate(_UNLABELLED).split())
    return line if len(line) <= _MAX_LABEL_CHARS else line[: _MAX_LABEL_CHARS - 1] + "…"


def item(origin: str, text: str) -> str:
    """`- (origin) text`; further lines are indented, blank ones go.

    The text is neutralised by itself first: at the beginning of a line of its own it may be taken
    for something that it is not behind the origin.
    """
    safe = neutralise(text).strip()
    if "\n" in safe:
        safe = _BLANK_LINES.sub("\n", safe).replace("\n", "\n  ")
    return f"- ({origin}) {safe}" if origin else f"- {safe}"


def memory_line(hit: Hit, material: Material, max_tokens: int) -> str:
    """`- (2023-05-08, Caroline) text`: when, who or what kind, who shared it, what."""
    memory = hit.memory
    language = material.language
    origin = [memory.timestamp.date().isoformat()]
    if memory.memory_type == "short_term" and memory.role:
        speaker = material.speakers.get(memory.id)
        origin.append(label(speaker) if speaker else _role(memory.role, language))
    elif memory.category:
        origin.append(memory.category)
    if memory.valid_to is not None:
        origin.append(_UNTIL[language].format(memory.valid_to.date().isoformat()))
    if memory.user_id != material.viewer:
        origin.append(_SHARED[language].format(label(memory.user_id)))
    return _line(", ".join(origin), memory.content, max_tokens, material.message)


def summary_line(summary: SessionSummary, material: Material, max_tokens: int) -> str:
    """`- (2026-11-02) title: snippet`, without a title that the snippet begins with."""
    title, snippet = summary.title.strip(), summary.snippet.strip()
    begun = snippet.startswith(title.rstrip("…. "))
    parts = [part for part in ("" if begun else title, snippet) if part]
    text, day = BY_CODE[material.language].colon.join(parts), summary.updated_at.date()
    return _line(day.isoformat(), text, max_tokens, material.message)


def _line(origin: str, text: str, max_tokens: int, message: str) -> str:
    whole = item(origin, text)  # what fits with its origin fits without it, and is counted once
    return whole if fits(whole, max_tokens) else item(origin, excerpt(text, max_tokens, message))


def message_line(message: WindowMessage, language: LanguageCode) -> str:
    """`- (user) text`: a message of the running session in flat text."""
    return item(_role(message.role, language), message.content)


def _role(role: str, language: LanguageCode) -> str:
    return _ROLES[role][language] if role in _ROLES else label(role)
