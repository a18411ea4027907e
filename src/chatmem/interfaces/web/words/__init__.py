"""What the page says, in each of its languages.

A view's words stand in `en/VIEW.toml` and `zh/VIEW.toml`; Traditional Chinese follows from
Simplified by OpenCC, with Taiwan's words. A missing word is a defect that a test finds, not a
blank.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Final, Literal, TypeAlias, get_args

Language: TypeAlias = Literal["en", "zh-Hans", "zh-Hant"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
NAMES: Final[dict[Language, str]] = {"en": "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}
_QUOTES: Final = str.maketrans("“”", "「」")
_FOLDERS: Final[dict[Language, str]] = {"en": "en", "zh-Hans": "zh", "zh-Hant": "zh"}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language: `words("search.found", count=3)`."""

    language: Language

    def __call__(self, name: str, /, **values: object) -> str:
        """The text of that name, with the values in their places.

        Raises:
            KeyError: no such text, or one of its values is missing.
        """
        text = _texts(self.language)[name]
        return text.format(**values) if values else text


@cache
def _texts(language: Language) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in files(__package__).joinpath(_FOLDERS[language]).iterdir():
        if file.name.endswith(".toml"):
            view = file.name.removesuffix(".toml")
            for name, text in tomllib.loads(file.read_text(encoding="utf-8")).items():
                found[f"{view}.{name}"] = text
    if language == "zh-Hant":
        convert = import_module("opencc").OpenCC("s2twp").convert
        found = {name: convert(text).translate(_QUOTES) for name, text in found.items()}
    return found


def preferred(header: str) -> Language:
    """The language that an `Accept-Language` header likes best, of those that there are."""
    best: tuple[float, Language] = (0.0, "en")
    for part in header.split(","):
        tag, _, weight = part.strip().partition(";q=")
        known = _of_tag(tag.lower())
        try:
            liked = float(weight) if weight else 1.0
        except ValueError:
            continue
        if known is not None and liked > best[0]:
            best = (liked, known)
    return best[1]


def _of_tag(tag: str) -> Language | None:
    if tag.startswith("en"):
        return "en"
    if not tag.startswith("zh"):
        return None
    traditional = any(part in tag for part in ("hant", "tw", "hk", "mo"))
    return "zh-Hant" if traditional else "zh-Hans"
