"""The closed lists that the reader chooses from: what a statement is about, and how it is meant.

Attributes are read from `extraction/attributes.toml`. Source: `training/guide.md`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple, TypeAlias, get_args

from chatmem.model import Category
from chatmem.text.languages import LANGUAGES, LanguageCode
from chatmem.text.languages.language import toml_of

Wish: TypeAlias = Literal["remember", "forget"]
"""What a writer orders memory to do."""
Standing: TypeAlias = Literal[
    "holds",
    "began",
    "ended",
    "corrected",
    "denied",
    "wished",
    "once",
    "joking",
    "hypothetical",
    "played",
    "quoted",
]
"""How a statement is meant: as true, as new or over, as wished, or not in earnest."""


@dataclass(frozen=True, slots=True)
class Attribute:
    """What a statement can be about: labels by language, usual category, if it has one value.

    Of a `single` attribute a person has one value at a time.
    """

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
        key: Attribute({code: fields.pop(code) for code in codes}, **fields)
        for key, fields in found.items()
    }


ATTRIBUTES_BY_KEY: Final = _read()
ATTRIBUTES: Final = tuple(ATTRIBUTES_BY_KEY)
NO_ATTRIBUTE: Final = "other"
"""What is about none of them: it retires nothing, and nothing retires it."""
CATEGORY_HEADS: Final[tuple[Category, ...]] = ("fact", "preference", "pattern")
"""The categories in the order of the network's output."""
STANDINGS: Final[tuple[Standing, ...]] = get_args(Standing)
ORDERS: Final[tuple[Wish | Literal["none"], ...]] = ("none", "remember", "forget")
SECRETS: Final = ("password", "code", "card", "account", "id", "key", "seed")
"""Kinds of what lets somebody in who knows it; it is no statement, and never kept."""
SELF: Final = "self"
SOMEBODY_ELSE: Final = "other"
SUBJECTS: Final = (
    SELF, "aunt", "brother", "child", "children", "cousin", "daughter", "ex", "family", "father",
    "father-in-law", "friend", "grandchild", "grandfather", "grandmother", "grandparents",
    "husband", "in-laws", "mother", "mother-in-law", "nephew", "niece", SOMEBODY_ELSE, "parents",
    "partner", "pet", "roommate", "sister", "son", "uncle", "wife",
)  # fmt: skip
"""Whom a statement is about: the writer, somebody close by relation, or somebody else."""
TAGS: Final = ("out", "begins", "inside", "unkept", "unkept inside")
"""What a token is to a statement; of those that are not kept, too."""
Bearing: TypeAlias = Literal["replaces", "ends", "same", "independent"]
"""What a statement does to an older one."""
BEARINGS: Final[tuple[Bearing, ...]] = get_args(Bearing)
_NOT_IN_EARNEST: Final = frozenset({"joking", "hypothetical", "played", "quoted"})


class Secret(NamedTuple):
    """Where a secret stands in a text, end exclusive, and its kind."""

    start: int
    end: int
    kind: str


def is_kept(subject: str, standing: str) -> bool:
    """True for what is said in earnest of the writer or of somebody close."""
    return subject != SOMEBODY_ELSE and standing not in _NOT_IN_EARNEST
