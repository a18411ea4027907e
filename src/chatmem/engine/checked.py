"""Values from outside, checked: each error names the value, what it got and what it takes."""

from typing import TypeVar

from chatmem.errors import InvalidInputError
from chatmem.text.clean import clean_text

_Choice = TypeVar("_Choice", bound=str)


def checked_text(value: object, name: str) -> str:
    """The text, cleaned, with at least one visible character.

    Raises:
        InvalidInputError: no text, or nothing left of it.
    """
    if not isinstance(value, str):
        raise InvalidInputError(f"{name}: got {type(value).__name__}, takes text")
    cleaned = clean_text(value)
    if not cleaned:
        raise InvalidInputError(f"{name}: is empty, takes text with at least one visible character")
    return cleaned


def checked_choice(value: object, name: str, choices: tuple[_Choice, ...]) -> _Choice:
    """The value, which is one of the choices.

    Raises:
        InvalidInputError: it is none of them.
    """
    for choice in choices:
        if value == choice:
            return choice
    raise InvalidInputError(f"{name}: got {value!r}, takes one of {', '.join(choices)}")


def checked_number(
    value: object, name: str, low: float, high: float, *, whole: bool = False
) -> float:
    """The number, which lies in [low, high].

    Raises:
        InvalidInputError: no number, not a whole one, or out of the range.
    """
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if number and low <= float(str(value)) <= high and not (whole and not isinstance(value, int)):
        return float(str(value))
    kind = "a whole number" if whole else "a number"
    raise InvalidInputError(f"{name}: got {value!r}, takes {kind} from {low:g} to {high:g}")
