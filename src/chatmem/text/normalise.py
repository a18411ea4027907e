"""The one normaliser, for indexing and for querying."""

import unicodedata

from chatmem.text.languages import languages_in


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


def tag_form(tag: str) -> str:
    """The tag without regard to case, width, blanks around it, or Traditional characters."""
    return " ".join(normalise(tag).split())
