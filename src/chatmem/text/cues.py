"""Cues: which kind of memory a text speaks of, what it offers, and what a question asks for.

Languages look their words up in sets, phrases as pairs of neighbouring words or with `in`: a
message of 100 characters costs a few microseconds.
"""

from typing import Final

from chatmem.model import Category
from chatmem.text.languages import LANGUAGES, any_of, expression, languages_in
from chatmem.text.languages import TextFlags as TextFlags
from chatmem.text.normalise import normalise

_DIGIT: Final = expression(r"[0-9]")
_COUNTED: Final = any_of(lambda language: language.cues.counted)
_TIME_DIGITS: Final = expression(
    rf"[0-9]{{1,2}}:[0-9]{{2}}|\b(?:19|20)[0-9]{{2}}\b(?!\s*(?:{_COUNTED}))"
    r"|[0-9]{1,4}[-/.][0-9]{1,2}[-/.][0-9]{1,4}"
)
# All are met in normalised text: ？ is ? there, and 嗎 is 吗.
_QUESTION_PARTICLES: Final = tuple(
    particle for one in LANGUAGES for particle in one.cues.question_particles
)
_LITTLE_SAID: Final = 25  # characters: a greeting, not a statement
_AFTER_PARTICLE: Final = " \t\n\"'”’)》」』]】。.!~"
_SENTENCE: Final = expression(r"[^.!?。\n]+[.!?。]*")


def detect_categories(message: str) -> frozenset[Category]:
    """The categories whose cues `message` has; a question about a preference has its cue too.

    Source: S3.3.2.
    """
    text = normalise(message)
    return frozenset[Category]().union(
        *(language.cues.categories(text) for language in languages_in(text))
    )


def text_flags(text: str) -> TextFlags:
    """What `text` is and contains, by its words alone."""
    normal = normalise(text)
    found = TextFlags.QUESTION.value if _is_question(normal) else 0
    if _DIGIT.search(normal):
        found |= TextFlags.NUMBER.value
        if _TIME_DIGITS.search(normal):
            found |= TextFlags.TIME.value
    for language in languages_in(normal):
        found |= language.cues.text_flags(normal)
    return TextFlags(found)


def asks_for(question: str) -> TextFlags:
    """What an answer to `question` contains: TIME (when), NUMBER (how many)."""
    normal = normalise(question)
    found = 0
    for language in languages_in(normal):
        found |= language.cues.asks_for(normal)
    return TextFlags(found)


def _is_question(text: str) -> bool:
    """True if the text only asks: it has a question, and next to nothing outside of questions."""
    bare = text.rstrip(_AFTER_PARTICLE)
    if "?" not in text:
        return bare.endswith(_QUESTION_PARTICLES) and len(bare) < 2 * _LITTLE_SAID
    sentences: list[str] = _SENTENCE.findall(text)
    said = sum(len(one.strip()) for one in sentences if not one.endswith("?"))
    return said < _LITTLE_SAID
