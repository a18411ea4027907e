"""The one normaliser, for indexing and for querying."""

import unicodedata
from functools import lru_cache

from chatmem.text.languages import languages_in

# One message is normalised for its tokens, its flags and its categories in turn.
_REMEMBERED_TEXTS = 16
_REMEMBERED_CHARS = 4000


def normalise(text: str) -> str:
    """`text` as it is compared: NFKC, lower case, Simplified Chinese; idempotent.

    Source: decisions 3.
    """
    if text.isascii():
        return text.lower()
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _fold(text)


def _fold(text: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).lower())
    for language in languages_in(folded):
        if language.plain_script is not None:
            folded = language.plain_script(folded)
    return folded


_remembered = lru_cache(_REMEMBERED_TEXTS)(_fold)


def tag_form(tag: str) -> str:
    """The tag without regard to case, width, blanks around it, or Traditional characters."""
    return " ".join(normalise(tag).split())
