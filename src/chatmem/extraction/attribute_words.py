"""Attributes of which a person has one at a time, by the words that tell and change them.

The words stand in `words/attributes.toml`. Patterns look through normalised text: small letters,
Simplified characters.

Source: decisions 4 ("near in meaning").
"""

import re
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from chatmem.extraction.words import word_file


@dataclass(frozen=True, slots=False)
class Attribute:
    """One thing that a person has one value of at a time.

    `told` finds statements of it, `changed` those by which it is another one from now on; `keys`
    are the first or last parts of keys that are about it. `own` is True for what belongs to the
    writer whoever the sentence speaks of: a partner, a pet.
    """

    name: str
    told: str
    changed: str
    keys: tuple[str, ...] = ()
    own: bool = False

    @cached_property
    def _told(self) -> re.Pattern[str]:
        return re.compile(self.told)

    @cached_property
    def _changed(self) -> re.Pattern[str]:
        return re.compile(self.changed)

    def is_told(self, plain: str) -> bool:
        """True where the text states it."""
        return self._told.search(plain) is not None

    def is_changed(self, plain: str) -> bool:
        """True where the text gives it another value, or ends it."""
        return self._changed.search(plain) is not None


@cache
def attributes() -> tuple[Attribute, ...]:
    """All that are known."""
    words = word_file("attributes")
    return (
        *(
            Attribute(
                one["name"],
                one["told"],
                one["changed"],
                tuple(one.get("keys", ())),
                own=one.get("own", False),
            )
            for one in words["attribute"]
        ),
        *(_person(**one) for one in words["person"]),
    )


@lru_cache(1024)
def events_of(content: str) -> frozenset[str]:
    """The kinds of event that normalised text speaks of."""
    return frozenset(kind for kind, words in _events().items() if words.search(content))


def attribute_of_key(key: str | None) -> Attribute | None:
    """The attribute that a key names: `home`, `relation:sister:occupation`."""
    if key is None:
        return None
    known = _by_key()
    return known.get(key) or known.get(key.rpartition(":")[2]) or known.get(key.partition(":")[0])


@cache
def _by_key() -> dict[str, Attribute]:
    return {key: one for one in attributes() for key in one.keys}


@cache
def _events() -> dict[str, re.Pattern[str]]:
    return {kind: re.compile(words) for kind, words in word_file("attributes")["events"].items()}


def _person(name: str, zh: str, en: str) -> Attribute:
    """Somebody of whom one has one at a time, and may have another."""
    return Attribute(
        name,
        rf"(?:{zh}|\b(?:{en})\b)",
        rf"(?:(?:{zh})[^，。]{{0,6}}(?:离职|辞|走了|换|退休|调走|跳槽)|换了?(?:个|位|新)"
        rf"?[^，。]{{0,6}}(?:{zh})|"
        rf"新(?:来的)?(?:{zh})"
        rf"|\b(?:new|different|another) (?:\w+ )?(?:{en})\b|\b(?:{en})\b[^.]{{0,14}}\b(?:left|"
        rf"quit|moved|retired|is now|got replaced|changed|got promoted)\b"
        rf"|\b(?:{en})(?: is|'s) [^.]{{2,40}}\bnow\b|\bnow (?:report to|see)\b"
        rf"|(?:{zh})(?:现在)?(?:换成|变成|成了)|现在(?:是)?(?:姓|叫)|现在(?:的)?(?:{zh})(?:是|叫|姓)"
        rf"|\b(?:switched|changed) (?:my |our |to a new )?(?:{en})s?\b|\bmatched with\b)",
        (f"relation:{name}", *(f"relation:{role}" for role in zh.split("|"))),
        own=True,
    )
