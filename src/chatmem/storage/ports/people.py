"""The port of people: circles, roles, and what is shared."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from chatmem.model import Category, Circle, CircleKind, Invitation, RoleRule
from chatmem.storage.ports.values import Owner, Rows


@dataclass(frozen=True, slots=True)
class SharedRows:
    """Rows of another owner that a viewer may see, ascending, and the category of each.

    `version` is the owner's (`LexicalIndex.version`).
    """

    owner: Owner
    version: int
    rows: Rows
    categories: tuple[Category | None, ...]


class PeopleTable(Protocol):
    """Households and groups, their members, and the rules of their roles. Source: decisions 6."""

    def create(
        self, circle_id: str, kind: CircleKind, name: str, head: str, role: str, at: datetime
    ) -> None:
        """A new circle with its head as the first member."""

    def circle(self, circle_id: str) -> Circle | None:
        """The circle with its members, or None."""

    def circles_of(self, user_id: str, kind: CircleKind | None = None) -> list[Circle]:
        """The circles that a user is in, the oldest first."""

    def invite(self, circle_id: str, user_id: str, role: str, at: datetime) -> None:
        """Ask a user in; nothing is shared before `put_member`."""

    def invited(self, user_id: str) -> list[Invitation]:
        """What a user is invited to, the oldest first."""

    def uninvite(self, circle_id: str, user_id: str) -> bool:
        """True when the user was invited."""

    def put_head(self, circle_id: str, user_id: str) -> None:
        """Another member is the head from now on."""

    def put_member(self, circle_id: str, user_id: str, role: str, at: datetime) -> None:
        """Take a user in, or give a member another role."""

    def remove_member(self, circle_id: str, user_id: str) -> bool:
        """True when the user was in it."""

    def delete(self, circle_id: str) -> None:
        """The circle, all memberships and invitations are gone."""

    def rules(self, role: str | None = None) -> list[RoleRule]:
        """The rules of a role, or all."""

    def set_rules(self, role: str, rules: Sequence[RoleRule]) -> None:
        """Replace a role's rules; without any it sees nothing."""

    def shared_with(self, viewer: Owner) -> list[SharedRows]:
        """Rows of others that the viewer may see, by owner."""

    def version(self) -> int:
        """Counts every change of what is shared, with whom, by whom."""
