"""Which Markdown files there are, what each is for, their headings, and where a user's folder is.

    data/prompts/memory/            the default user
        MEMORY.md                   semantic memories, by section
        daily/2026-11-21.md         episodic memories of a day
        archive/2026-11.md          rotated and superseded ones, same format
        USER.md  HOUSEHOLD.md       profiles: documents, not lists of memories
        users/<user>/...            the same for every other user

Source: decisions 2; S5.1.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import lru_cache
from itertools import chain
from pathlib import Path
from urllib.parse import quote

from chatmem.errors import InvalidInputError
from chatmem.model.memory import CATEGORIES, Category, Kind
from chatmem.text.bullets import plain_title
from chatmem.text.languages import LANGUAGES, expression

MAIN = "MEMORY.md"
PROFILE = "USER.md"
HOUSEHOLD = "HOUSEHOLD.md"
DAILY = "daily"
ARCHIVE = "archive"
USERS = "users"
DEFAULT_USER = "default"
# The first of each is the one that is written when a document has none of them.
_TITLES: dict[Category, tuple[str, ...]] = {
    category: tuple(chain.from_iterable(one.words["headings"][category] for one in LANGUAGES))
    for category in CATEGORIES
}
SKELETONS: Mapping[str, str] = {
    MAIN: "\n".join(["# Memory\n", *(f"## {titles[0]}\n" for titles in _TITLES.values())])
}
"""What a new document begins with; other documents begin empty. Source: S5.1.3."""
_CATEGORIES: dict[str, Category] = {
    plain_title(title): category for category, titles in _TITLES.items() for title in titles
}

# File systems allow 255 bytes; a name that is cut keeps its readable beginning and a hash.
_LONGEST_NAME = 120
_READABLE_PART = 64
_DOCUMENT = expression(
    r"MEMORY\.md|USER\.md|HOUSEHOLD\.md"
    r"|daily/(?P<day>[0-9]{4}-[0-9]{2}-[0-9]{2})\.md|archive/(?P<month>[0-9]{4}-[0-9]{2})\.md"
)
_DOT_AT_AN_END = expression(r"^\.|\.$")
# Windows keeps these names for devices, with any ending.
_DEVICE = expression(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)", re.IGNORECASE)


def daily_document(day: date) -> str:
    """`daily/2026-11-21.md`."""
    return f"{DAILY}/{day.isoformat()}.md"


def archive_document(day: date) -> str:
    """`archive/2026-11.md`, for what leaves MEMORY.md in that month."""
    return f"{ARCHIVE}/{day.isoformat()[:7]}.md"


def document_day(path: str) -> date | None:
    """The day of a daily document; None for every other document."""
    match = _DOCUMENT.fullmatch(path)
    return date.fromisoformat(match["day"]) if match and match["day"] else None


def kind_of(path: str) -> Kind:
    """What the memories of this document are unless they say otherwise."""
    return "episodic" if path.startswith(f"{DAILY}/") else "semantic"


def category_of(heading: str | None) -> Category:
    """The category of bullets below this heading: `fact` below one that says nothing."""
    return _CATEGORIES.get(plain_title(heading or ""), "fact")


def headings_for(category: Category | None) -> Sequence[str]:
    """Titles of the section for this category, for `append`: the first is the one to create."""
    return _TITLES[category or "fact"]


def holds_memories(path: str) -> bool:
    """True for documents whose bullets are memories, False for profiles."""
    return path not in (PROFILE, HOUSEHOLD)


@lru_cache(maxsize=4096)
def is_document(path: str) -> bool:
    """True for the paths above, relative to a user's folder; dates must exist."""
    if match := _DOCUMENT.fullmatch(path):
        day = match["day"] or (f"{match['month']}-01" if match["month"] else "2000-01-01")
        with suppress(ValueError):
            return bool(date.fromisoformat(day))
    return False


def require_document(path: str) -> str:
    """The path.

    Raises:
        InvalidInputError: it is none of those above.
    """
    if not is_document(path):
        raise InvalidInputError(
            f"{path!r} is no memory document; takes MEMORY.md, USER.md, HOUSEHOLD.md, "
            "daily/YYYY-MM-DD.md or archive/YYYY-MM.md"
        )
    return path


def user_folder(base: Path, user_id: str) -> Path:
    """The folder of a user's documents below `base`, which is the default user's own."""
    if user_id == DEFAULT_USER:
        return base
    return base / USERS / folder_name(user_id)


def folder_name(user_id: str) -> str:
    """A folder name for a user id, the same for equal ids (in NFC) and different for others.

    What is not in [A-Za-z0-9_.-] is percent-encoded, and so are a dot at either end and the first
    letter of a device name. A very long id becomes its beginning, `~` and a hash.
    """
    data = unicodedata.normalize("NFC", user_id).encode()
    name = _DOT_AT_AN_END.sub("%2E", quote(data, safe="").replace("~", "%7E"))
    if _DEVICE.match(name):
        name = f"%{data[0]:02X}{name[1:]}"
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[:_READABLE_PART]}~{hashlib.sha256(data).hexdigest()[:40]}"
