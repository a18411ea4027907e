"""Frames: how a statement about a person is put, and what key and value it gives."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final, Literal, TypeAlias

from chatmem.model import Category, Kind
from chatmem.model.memory import JsonValue
from chatmem.text.normalise import normalise

Check: TypeAlias = Literal[
    "", "place", "town", "name", "thing", "common", "firm", "intro", "article"
]


@dataclass(frozen=True, slots=False)
class Frame:
    """A predicate, and what is to be remembered of who it is said of.

    `key` and `value` are templates over the pattern's groups; a key's group is written as a thing:
    lower case, Simplified, without articles. Without a key no other statement takes this one's
    place. `check` says what group `v` has to be. `told` is a template for the statement's words;
    empty, they are the writer's own. `own` is True where only the writer may be meant.
    """

    pattern: str
    key: str = ""
    value: str = "{v}"
    category: Category = "fact"
    kind: Kind = "semantic"
    check: Check = ""
    told: str = ""
    own: bool = False

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled when it is first needed: all of them take long."""
        return re.compile(self.pattern)


@dataclass(frozen=True, slots=True)
class Fact:
    """What a frame found: the words to keep, and what they are about."""

    content: str
    key: str | None = None
    value: JsonValue = None
    category: Category = "fact"
    kind: Kind = "semantic"
    confidence: float = 0.9
    importance: int = 3
    wish: Literal["remember", "forget"] = "remember"


Frames: TypeAlias = Mapping[str, Sequence[Frame]]
_ARTICLE: Final = re.compile(
    r"^(?:an?|the|my|our|your|their|his|her|some|all|any|to|of|really|very|this|that)\s+"
)
_SPACES: Final = re.compile(r"\s+")
_AROUND: Final = " \t,.;:!?~，。；：！？～、…\"'“”‘’《》「」()（）"
MAX_THING_CHARS: Final = 60


@lru_cache(256)
def thing(said: str) -> str:
    """`said` as a part of a key: lower case, Simplified, without articles."""
    plain = _SPACES.sub(" ", normalise(said)).strip(_AROUND)
    while (shorter := _ARTICLE.sub("", plain)) != plain:
        plain = shorter
    return plain[:MAX_THING_CHARS].strip(_AROUND)
