"""Whose file a profile is, and who may read and write it.

Source: S2.2; decisions 6.
"""

from dataclasses import dataclass

from chatmem.engine.checked import checked_choice
from chatmem.engine.people import PARENT
from chatmem.model import ANY_TAG, PROFILES, Circle
from chatmem.storage.documents.places import HOUSEHOLD, PROFILE
from chatmem.storage.tables.people import PeopleTable
from chatmem.storage.values import Owner


@dataclass(frozen=True, slots=True)
class ProfilePlace:
    """Whose file a profile is, and what this user may do with it."""

    user_id: str
    path: str
    reads: bool = True
    writes: bool = True
    head: str | None = None


class ProfilePlaces:
    """Where the profiles of one user are; thread-safe."""

    def __init__(self, people: PeopleTable, owner: Owner) -> None:
        self._people = people
        self._user_id = owner.user_id
        self._shared: tuple[int, ProfilePlace] | None = None

    def of(self, name: str) -> ProfilePlace:
        """The place of `user` or `household`; a household is looked up again when one has changed.

        Raises:
            InvalidInputError: no profile has this name.
        """
        if checked_choice(name, "profile", PROFILES) == "user":
            return ProfilePlace(self._user_id, PROFILE)
        version = self._people.version()
        shared = self._shared
        if shared is None or shared[0] != version:
            shared = self._shared = (version, self._of_household())
        return shared[1]

    def _of_household(self) -> ProfilePlace:
        """The head's file, or this user's own where they live in no household."""
        user = self._user_id
        circle = next(iter(self._people.circles_of(user, "household")), None)
        if circle is None or circle.head == user:
            return ProfilePlace(user, HOUSEHOLD)
        role = _role(circle, user)
        rules = self._people.rules(role) if role is not None else []
        reads = any(rule.effect == "allow" and rule.tag == ANY_TAG for rule in rules)
        writes = reads and role == PARENT
        return ProfilePlace(circle.head, HOUSEHOLD, reads=reads, writes=writes, head=circle.head)


def _role(circle: Circle, user_id: str) -> str | None:
    return next((one.role for one in circle.members if one.user_id == user_id), None)
