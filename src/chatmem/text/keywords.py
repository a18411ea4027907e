"""The words of a message that say what it is about."""

from chatmem.text.latin import plain_words
from chatmem.text.scripts import is_han, is_unspaced
from chatmem.text.segment import normalised_words
from chatmem.text.stopwords import STOP_CHARACTERS, STOP_WORDS

_ONE_LETTER_WORDS = frozenset({"a", "i"})


def extract_keywords(message: str) -> tuple[str, ...]:
    """The keywords of `message`, in order, spelled as there, none twice; stop words give `()`.

    `我喜欢用 Python 写代码` gives 喜欢, Python, 代码. Verbs that carry meaning stay (like,
    writing); a single lower-case letter or digit says nothing, a capital may (the language C).

    Source: S3.3.1.
    """
    keywords: dict[str, str] = {}
    for word, plain in normalised_words(message):
        if not _is_empty(word, plain):
            keywords.setdefault(plain, word)
    return tuple(keywords.values())


def _is_empty(word: str, plain: str) -> bool:
    if is_han(word):
        return plain in STOP_CHARACTERS or plain in STOP_WORDS
    if is_unspaced(word):
        return False
    if len(word) == 1 and word.isascii():
        return not word.isupper() or plain in _ONE_LETTER_WORDS
    return all(part in STOP_WORDS for part in plain_words(plain))
