"""Values of a TOML template, checked; errors name the file and the key.

Raises of every function: InvalidInputError.
"""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from chatmem.errors import InvalidInputError
from chatmem.text.language import Language

Table: TypeAlias = Mapping[str, Any]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def check_keys(table: Table, known: Sequence[str], place: str) -> None:
    """Nothing but these keys; a misspelt one must not pass in silence."""
    for key in table:
        if key not in known:
            raise InvalidInputError(f"{place}: {key}: no such key; there are {', '.join(known)}")


def required_text(table: Table, key: str, place: str) -> str:
    """A text that is there and not blank."""
    value = table.get(key)
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(f"{place}: {key}: got {value!r}, takes a text")
    return value.strip()


def in_languages(table: Table, key: str, place: str) -> Mapping[Language, str]:
    """`[key]` with `en` and `zh`; what is missing is "" ."""
    value = table.get(key, {})
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"{place}: {key}: takes a table with en and zh")
    check_keys(value, LANGUAGES, f"{place}: {key}")
    told: dict[Language, str] = {}
    for language in LANGUAGES:
        text = value.get(language, "")
        if not isinstance(text, str):
            raise InvalidInputError(f"{place}: {key}.{language}: got {text!r}, takes a text")
        told[language] = text.strip()
    return told


def chosen(table: Table, key: str, of: Sequence[str], place: str) -> tuple[str, ...]:
    """A list of these names, none twice; all of them if the key is absent."""
    value = table.get(key, list(of))
    takes = f"a list of {', '.join(of)}, none twice"
    fine = isinstance(value, list) and all(isinstance(one, str) and one in of for one in value)
    if not fine or len(set(value)) != len(value):
        raise InvalidInputError(f"{place}: {key}: got {value!r}, takes {takes}")
    return tuple(value)
