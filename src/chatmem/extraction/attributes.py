"""What a statement can be about: the closed vocabulary in `attributes.toml`, and keys made of it.

A key names what a memory is about: `home`, `wife:occupation`, `allergy:花生`. Of a person and an
attribute with one value at a time the key is the same whatever the value.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from chatmem.model import Category
from chatmem.text.languages import LANGUAGES, LanguageCode
from chatmem.text.normalise import normalise
from chatmem.text.wordlist import toml_of

_LONGEST_VALUE: Final = 40


@dataclass(frozen=True, slots=True)
class Attribute:
    """One attribute: its label in each language, its usual category, and if it has one value."""

    key: str
    labels: Mapping[LanguageCode, str]
    category: Category
    single: bool = False

    def is_called(self, name: str) -> bool:
        """True if the name is its label in some language, but for capitals."""
        return any(label.lower() == name for label in self.labels.values())


def _read() -> Mapping[str, Attribute]:
    found = toml_of("chatmem.extraction", "attributes")
    codes = [language.code for language in LANGUAGES]
    return {
        key: Attribute(key, {code: said.pop(code) for code in codes}, **said)
        for key, said in found.items()
    }


ATTRIBUTES_BY_KEY: Final = _read()
NO_ATTRIBUTE: Final = "other"
"""What is about none of them: it retires nothing, and nothing retires it."""


def key_of(attribute: str, subject: str | None, value: str | None) -> str | None:
    """The key of a statement; None for one that names nothing that another could be about.

    Args:
        attribute: a key of the vocabulary.
        subject: the relation of whom it is about, None for the writer.
        value: what is said of it.
    """
    if attribute == NO_ATTRIBUTE:
        return None
    known = ATTRIBUTES_BY_KEY[attribute]
    parts = [attribute] if subject is None else [subject, attribute]
    if not known.single:
        said = normalise(value or "")
        if not said or len(said) > _LONGEST_VALUE:
            return None
        parts.append(said)
    return ":".join(parts)
