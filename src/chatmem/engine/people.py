"""Households and groups: who belongs together, and so sees what the others share.

Source: decisions 6.
"""

from collections.abc import Sequence
from datetime import datetime

from chatmem.engine.checks import checked_choice, checked_text, checked_user
from chatmem.engine.space import SpacePart
from chatmem.engine.state import new_id
from chatmem.errors import CircleNotFoundError, InvalidInputError, NotOwnerError
from chatmem.model import EFFECTS, Circle, CircleKind, Invitation, RoleRule
from chatmem.model.time import moment_or_now, utc_now
from chatmem.storage.documents.places import HOUSEHOLD
from chatmem.text.normalise import tag_form

PARENT, MEMBER = "parent", "member"
"""Roles that a new circle gives: of a household, of a group. Parents may change who is in it."""
_FIRST_ROLES: dict[CircleKind, str] = {"household": PARENT, "group": MEMBER}


class People(SpacePart):
    """The circles of one user.

    Joining one shows to its other members what this user shares with circles of its kind, so nobody
    is in a circle who has not joined it.

    Methods that name a circle raise `CircleNotFoundError` where this user is not in it; those that
    change who is in it raise `NotOwnerError` unless the user is its head or, in a household, a
    parent. Roles are those that have rules; another one is an `InvalidInputError`.
    """

    def create_household(
        self, name: str, role: str = PARENT, *, now: datetime | None = None
    ) -> Circle:
        """A new household with this user as its head."""
        return self._create("household", name, role, now)

    def create_group(self, name: str, role: str = MEMBER, *, now: datetime | None = None) -> Circle:
        """A new group with this user as its head."""
        return self._create("group", name, role, now)

    def circles(self, kind: CircleKind | None = None) -> list[Circle]:
        """The circles that this user is in, the oldest first."""
        return self._store.people.circles_of(self._user, kind)

    def household(self) -> Circle | None:
        """The first household that this user is in, or None."""
        return next(iter(self.circles("household")), None)

    def circle(self, circle_id: str) -> Circle:
        """The circle with its members."""
        found = self._store.people.circle(str(circle_id))
        if found is None or _role(found, self._user) is None:
            raise CircleNotFoundError(str(circle_id))
        return found

    def invite(
        self, circle_id: str, user_id: str, role: str | None = None, *, now: datetime | None = None
    ) -> None:
        """Ask a user in; `join` makes them a member. A role is `parent` or `member` by default.

        Raises:
            InvalidInputError: somebody who is in it already.
        """
        known = None if role is None else self._known_role(role)
        user = checked_user(user_id)
        with self._store.transaction():
            circle = self._managed(circle_id)
            if _role(circle, user) is not None:
                raise InvalidInputError(
                    f"user id: {user!r} is in {circle.name!r} already; set_role changes the role"
                ).coded("member", user=user, circle=circle.name)
            role = known or _FIRST_ROLES[circle.kind]
            self._store.people.invite(circle.circle_id, user, role, moment_or_now(now))

    def invitations(self) -> list[Invitation]:
        """What this user may join, the oldest first."""
        return self._store.people.invited(self._user)

    def join(self, circle_id: str, *, now: datetime | None = None) -> Circle:
        """The circle, of which this user now is a member.

        Raises:
            CircleNotFoundError: there is no invitation to it.
        """
        people, moment = self._store.people, moment_or_now(now)
        with self._store.transaction():
            for invitation in self.invitations():
                if invitation.circle_id == circle_id:
                    people.uninvite(circle_id, self._user)
                    people.put_member(circle_id, self._user, invitation.role, moment)
                    return self.circle(circle_id)
        raise CircleNotFoundError(str(circle_id))

    def set_role(self, circle_id: str, user_id: str, role: str) -> Circle:
        """The circle, in which the member now has another role.

        Raises:
            InvalidInputError: somebody who is not in it.
        """
        known, user = self._known_role(role), checked_user(user_id)
        with self._store.transaction():
            circle = self._managed(circle_id)
            _check_member(circle, user)
            self._store.people.put_member(circle.circle_id, user, known, utc_now())
            return self.circle(circle_id)

    def remove(self, circle_id: str, user_id: str) -> None:
        """Take a member out, or an invitation back; everybody may leave, or decline.

        What was shared between them and the others is hidden at once. A head who leaves hands over
        to the oldest parent, or member of a group; where there is none the circle is gone.

        Raises:
            NotOwnerError: also where somebody else takes the head out.
            InvalidInputError: somebody who is not in it.
        """
        people, user = self._store.people, checked_user(user_id)
        leaves = user == self._user
        with self._store.transaction():
            if leaves and people.uninvite(str(circle_id), user):
                return
            circle = self.circle(circle_id) if leaves else self._managed(circle_id)
            if people.uninvite(circle.circle_id, user):
                return
            _check_member(circle, user)
            if user == circle.head and not leaves:
                raise NotOwnerError(f"{circle.name!r} is {user!r}'s: only its head can leave it")
            people.remove_member(circle.circle_id, user)
            heirs = [
                one.user_id
                for one in circle.members
                if one.user_id != user and (circle.kind == "group" or one.role == PARENT)
            ]
            if user == circle.head and heirs:
                people.put_head(circle.circle_id, heirs[0])
            elif user == circle.head:
                people.delete(circle.circle_id)

    def delete(self, circle_id: str) -> None:
        """End the circle; what its members shared with it is hidden from the others at once.

        HOUSEHOLD.md goes for good with the last household of its head.

        Raises:
            NotOwnerError: not the head.
            DocumentError: the circle is gone, and HOUSEHOLD.md could not be removed.
        """
        with self._store.transaction():
            circle = self.circle(circle_id)
            if circle.head != self._user:
                raise NotOwnerError(
                    f"{circle.name!r} belongs to its head, {circle.head!r}: only they can delete "
                    "it; you can leave it"
                )
            self._store.people.delete(circle.circle_id)
        if circle.kind == "household" and self.household() is None:
            self._documents.edit(lambda: self._documents.folder.remove(HOUSEHOLD))
            self._documents.store_profile(HOUSEHOLD, None)
            self._store.purge()

    def rules(self, role: str | None = None) -> list[RoleRule]:
        """What a role sees, or what all of them do."""
        return self._store.people.rules(None if role is None else tag_form(str(role)))

    def set_rules(self, role: str, rules: Sequence[RoleRule]) -> None:
        """Replace what a role sees, in every circle of this store; without rules it sees nothing.

        For whoever runs the store: this changes what others see too, so offer it to no user.

        Raises:
            InvalidInputError: no role, or a rule of another role, effect or without a tag.
        """
        name = tag_form(checked_text(role, "role"))
        for rule in rules:
            if tag_form(rule.role) != name:
                raise InvalidInputError(f"rules: got one of role {rule.role!r} among {name!r}'s")
            checked_choice(rule.effect, "rule effect", EFFECTS)
            checked_text(rule.tag, "rule tag")
        with self._store.transaction():
            self._store.people.set_rules(name, rules)

    @property
    def _user(self) -> str:
        return self._owner.user_id

    def _create(self, kind: CircleKind, name: str, role: str, now: datetime | None) -> Circle:
        title, known, circle_id = checked_text(name, "name"), self._known_role(role), new_id()
        people, moment = self._store.people, moment_or_now(now)
        with self._store.transaction():
            people.create(circle_id, kind, title, self._user, known, moment)
            return self.circle(circle_id)

    def _managed(self, circle_id: str) -> Circle:
        """The circle, if this user may say who is in it."""
        circle = self.circle(circle_id)
        is_household = circle.kind == "household"
        if circle.head != self._user and not (is_household and _role(circle, self._user) == PARENT):
            who = "its head or a parent" if is_household else "its head"
            raise NotOwnerError(f"only {who} can change who is in {circle.name!r}; you can leave")
        return circle

    def _known_role(self, role: str) -> str:
        name = tag_form(checked_text(role, "role"))
        known = tuple(sorted({rule.role for rule in self._store.people.rules()}))
        return checked_choice(name, "role", known)


def _role(circle: Circle, user_id: str) -> str | None:
    return next((one.role for one in circle.members if one.user_id == user_id), None)


def _check_member(circle: Circle, user_id: str) -> None:
    if _role(circle, user_id) is None:
        members = ", ".join(one.user_id for one in circle.members)
        raise InvalidInputError(
            f"user id: {user_id!r} is not in {circle.name!r}; its members are {members}"
        )
