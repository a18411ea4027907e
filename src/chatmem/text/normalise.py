"""The one normaliser, for indexing and for querying."""

import unicodedata
from functools import cache, lru_cache, partial

from chatmem.text.clean import without_surrogates
from chatmem.text.languages import languages_in, simplify

_narrow = cache(partial(unicodedata.normalize, "NFKC"))


@lru_cache(maxsize=4)
def normalise(text: str) -> str:
    """`text` as it is compared: NFKC, lower case, Simplified Chinese; idempotent.

    Source: decisions 3.
    """
    if text.isascii():
        return text.lower()
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    for language in languages_in(folded):
        if language.plain_script is not None:
            folded = language.plain_script(folded)
    return folded


def fold(text: str) -> str:
    """The text in one width and in Simplified characters, of the same length."""
    if text.isascii():
        return text
    wide = unicodedata.normalize("NFKC", text)
    if len(wide) != len(text):
        wide = "".join(one if len(one) == 1 else "□" for one in map(_narrow, text))
    wide = without_surrogates(wide)
    simple = simplify(wide)
    return simple if len(simple) == len(text) else wide


def tag_form(tag: str) -> str:
    """The tag without regard to case, width, blanks around it, or Traditional characters."""
    return " ".join(normalise(tag).split())
