"""What the reader tells of a statement, each from a closed list.

Source: `training/guide.md`.
"""

from typing import Final, Literal, TypeAlias, get_args

from chatmem.extraction.attributes import ATTRIBUTES_BY_KEY
from chatmem.model import Category

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

ATTRIBUTES: Final = tuple(ATTRIBUTES_BY_KEY)
CATEGORIES: Final[tuple[Category, ...]] = ("fact", "preference", "pattern")
STANDINGS: Final[tuple[Standing, ...]] = get_args(Standing)
ORDERS: Final[tuple[Wish | Literal["none"], ...]] = ("none", "remember", "forget")
SECRETS: Final = ("password", "code", "card", "account", "id", "key", "seed")
"""What lets somebody in who knows it, by kind; it is no statement, and never kept."""
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
_NOT_IN_EARNEST: Final = frozenset({"joking", "hypothetical", "played", "quoted"})


def is_kept(subject: str, standing: str) -> bool:
    """True for what is said in earnest of the writer or of somebody close."""
    return subject != SOMEBODY_ELSE and standing not in _NOT_IN_EARNEST
