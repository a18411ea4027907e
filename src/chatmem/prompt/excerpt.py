"""The passage of a long text that says most about a message.

Source: decisions 5 (the budget of one entry).
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from chatmem.text.languages import language_by_script
from chatmem.text.normalise import normalise
from chatmem.text.segment import is_single_han, query_tokens
from chatmem.text.sentences import sentences
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


def query_terms(message: str) -> QueryTerms:
    """What this message asks for."""
    terms = query_tokens(message[:_LOOKED_AT_CHARS]).terms
    return {term: _CHARACTER_WEIGHT if is_single_han(term) else 1.0 for term in terms}


def fits(text: str, max_tokens: int) -> bool:
    """True if the text has at most `max_tokens`; short ones are not even counted."""
    return len(text) * 4 <= max_tokens or count_tokens(text) <= max_tokens


def excerpt(text: str, max_tokens: int, query: QueryTerms) -> str:
    """The text, or its best whole sentences for the query, at most `max_tokens` long.

    What is left out shows as `…`. A sentence that is too long by itself is cut inside.
    """
    if fits(text, max_tokens):
        return text
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
    passage = _joined(every, sorted(chosen)) if chosen else _cut_inside(every, seed, query)
    return passage if fits(passage, max_tokens) else _cut_short(passage, max_tokens)


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
