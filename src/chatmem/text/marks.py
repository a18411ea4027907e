"""Where a text says what a query asks for: what a person sees highlighted."""

from collections.abc import Iterator

from chatmem.text.latin import plain_words, stems
from chatmem.text.normalise import normalise
from chatmem.text.scripts import is_han, is_unspaced, pieces
from chatmem.text.segment import QueryTokens, is_single_han, query_tokens

Mark = tuple[int, int]


def find_marks(text: str, query: str) -> list[Mark]:
    """Begins and ends of what the query asks for, in order, apart from one another.

    Words count in all their forms, as the index sees them. Single Chinese characters are marked
    only where nothing longer is, as they say little.
    """
    asked = query_tokens(query)
    found = list(_found(text, asked))
    longer = [mark for mark, is_single in found if not is_single]
    return _joined(longer or [mark for mark, _ in found])


def _found(text: str, asked: QueryTokens) -> Iterator[tuple[Mark, bool]]:
    """Every mark, and whether it is only a single character."""
    terms = frozenset(asked.terms)
    end = 0
    for piece in pieces(text):
        begin = text.index(piece, end)
        end = begin + len(piece)
        normal = normalise(piece)
        if is_han(piece) or is_unspaced(piece):
            if len(normal) == len(piece):
                yield from _inside(normal, begin, asked)
        elif terms.intersection(stems(normal)) or _begins(normal, asked.prefixes):
            yield (begin, end), False


def _inside(run: str, offset: int, asked: QueryTokens) -> Iterator[tuple[Mark, bool]]:
    for term in (*asked.terms, *asked.prefixes):
        place = run.find(term)
        while place >= 0:
            yield (offset + place, offset + place + len(term)), is_single_han(term)
            place = run.find(term, place + 1)


def _begins(word: str, prefixes: tuple[str, ...]) -> bool:
    return any(plain.startswith(prefixes) for plain in plain_words(word)) if prefixes else False


def _joined(marks: list[Mark]) -> list[Mark]:
    joined: list[Mark] = []
    for begin, end in sorted(marks):
        if joined and begin <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((begin, end))
    return joined
