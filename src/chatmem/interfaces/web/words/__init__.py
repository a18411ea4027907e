"""The page's texts in each language, and numbers and times as their readers write them.

Texts are in `en/VIEW.toml` and `zh/VIEW.toml`, the names of categories where all is that a language
says of them; OpenCC makes Traditional Chinese of Simplified, with Taiwan's words. Times are local
to the server.
"""

import tomllib
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Final, Literal, TypeAlias, get_args

from chatmem.text.languages import BY_CODE, LanguageCode

Language: TypeAlias = Literal["en", "zh-Hans", "zh-Hant"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
NAMES: Final[dict[Language, str]] = {"en": "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}
_QUOTES: Final = str.maketrans("“”", "「」")
_FOLDERS: Final[dict[Language, LanguageCode]] = {"en": "en", "zh-Hans": "zh", "zh-Hant": "zh"}


@dataclass(frozen=True, slots=True)
class Words:
    """The words of one language: `words("search.found", count=3)`."""

    language: Language

    def __call__(self, name: str, /, **values: object) -> str:
        """The text of that name, filled with the values.

        Raises:
            KeyError: no such text, or a value is missing.
        """
        text = _texts(self.language)[name]
        return text.format(**values) if values else text

    def get(self, name: str, otherwise: str) -> str:
        """The text of that name, or the other one where there is none."""
        return _texts(self.language).get(name, otherwise)

    def counted(self, name: str, count: int, **values: object) -> str:
        """`3 messages`, `1 message`: the text `name`, or `name_one` for a single one."""
        chosen = f"{name}_one" if count == 1 else name
        return self(chosen, count=f"{count:,}", **values)

    def day(self, moment: datetime) -> str:
        """`21 Nov 2026`, `2026年11月21日`."""
        local = moment.astimezone()
        if self.language == "en":
            return f"{local.day} {local:%b %Y}"
        return f"{local.year}年{local.month}月{local.day}日"

    def short_day(self, day: date) -> str:
        """`21 Nov`, `11月21日`."""
        return f"{day:%d %b}" if self.language == "en" else f"{day.month}月{day.day}日"

    def clock(self, moment: datetime) -> str:
        """`14:05`."""
        return f"{moment.astimezone():%H:%M}"

    def moment(self, moment: datetime) -> str:
        """`21 Nov 2026, 14:05`, `2026年11月21日 14:05`."""
        between = ", " if self.language == "en" else " "
        return f"{self.day(moment)}{between}{self.clock(moment)}"


@cache
def _texts(language: Language) -> dict[str, str]:
    names = BY_CODE[_FOLDERS[language]].category_names
    found = {f"card.category_{category}": name for category, name in names.items()}
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
