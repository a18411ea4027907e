"""The page's texts in each language; errors, numbers and times as their readers write them.

Texts are in `en/VIEW.toml` and `zh/VIEW.toml`, the names of categories where all is that a language
says of them; OpenCC makes Traditional Chinese of Simplified, with Taiwan's words. Times are local
to the server. The engine's own sentence on an error, which is English, stands below where it says
more.
"""

import tomllib
from contextlib import suppress
from contextvars import ContextVar
from datetime import date, datetime
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from chatmem import errors
from chatmem.model import Missing
from chatmem.text.languages import BY_CODE, LanguageCode

Language: TypeAlias = Literal["en", "zh-Hans", "zh-Hant"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
NAMES: Final[dict[Language, str]] = {"en": "English", "zh-Hans": "简体中文", "zh-Hant": "繁體中文"}
_QUOTES: Final = str.maketrans("“”", "「」")
_FOLDERS: Final[dict[Language, LanguageCode]] = {"en": "en", "zh-Hans": "zh", "zh-Hant": "zh"}

_spoken: ContextVar[Language] = ContextVar("spoken", default="en")


def speak(language: Language) -> None:
    """Let `words` be of this language in what answers now: a request, or a frame of a window."""
    _spoken.set(language)


class Words:
    """The words of one language, by default the one spoken: `words("search.found", count=3)`."""

    def __init__(self, language: Language | None = None) -> None:
        self._language = language

    @property
    def language(self) -> Language:
        """The language."""
        return self._language or _spoken.get()

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


words: Final = Words()


@cache
def _texts(language: Language) -> dict[str, str]:
    names = BY_CODE[_FOLDERS[language]].words["names"]
    found = {f"card.category_{category}": name for category, (name,) in names.items()}
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
    liked: list[tuple[float, str]] = []
    for part in header.lower().split(","):
        tag, _, weight = part.strip().partition(";q=")
        with suppress(ValueError):
            liked.append((float(weight or 1), tag))
    liked.sort(key=lambda one: -one[0])
    return next(filter(None, (_of_tag(tag) for weight, tag in liked if weight > 0)), "en")


def _of_tag(tag: str) -> Language | None:
    if tag.startswith("en"):
        return "en"
    if not tag.startswith("zh"):
        return None
    traditional = any(part in tag for part in ("hant", "tw", "hk", "mo"))
    return "zh-Hant" if traditional else "zh-Hans"


_COMPLETE: Final = (
    errors.CircleNotFoundError,
    errors.MemoryNotFoundError,
    errors.NothingToRestoreError,
    errors.SessionNotFoundError,
    errors.StaleEtagError,
)
"""Of these the visitor's own sentence says all."""
_FIELDS: Final = frozenset({"content", "confidence", "importance", "tags", "key", "value"})


class Complaint(NamedTuple):
    """A sentence, and the engine's own as a detail, "" where that adds nothing."""

    text: str
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.text} ({self.detail})" if self.detail else self.text


def complaint_of(error: errors.ChatmemError) -> Complaint:
    """The error as the visitor reads it; in English alone where there are no words for it."""
    kinds = [kind.__name__ for kind in type(error).__mro__]
    facts = dict(error.facts)
    if facts.get("name") in _FIELDS:
        facts["name"] = words(f"card.{facts['name']}")
    for name in (f"{kind}{code}" for kind in kinds for code in (f"_{error.code}", "")):
        with suppress(KeyError):  # no such text, or a fact that it tells is missing
            text = words(f"errors.{name}", **facts)
            says_all = isinstance(error, errors.InvalidInputError) and name not in kinds
            return Complaint(text, "" if says_all else _detail(error))
    return Complaint(str(error))


def missing_of(missing: Missing) -> Complaint:
    """What could not be used, as the visitor reads it; why, where that is not all of it."""
    name = f"errors.missing_{missing.what}"
    text = words.get(f"{name}_{missing.code}", "") or words.get(name, "")
    if not text:
        return Complaint(missing.why)
    return Complaint(text, "" if missing.code in ("off", "renewing", "waiting") else missing.why)


def _detail(error: errors.ChatmemError) -> str:
    if isinstance(error, _COMPLETE):
        return ""
    if isinstance(error, errors.ImportFormatError) and error.facts:  # without the server's folder
        file, place = error.facts.get("file"), error.facts.get("place")
        where = f"{file}, {place}" if place else file
        return f"{where}: {error.facts.get('reason')}"
    return error.problem if isinstance(error, errors.ChatError) else str(error)
