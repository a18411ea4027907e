"""Households and groups: who belongs together, and so sees what the others share.

Source: decisions 6.
"""

from collections.abc import Sequence
from datetime import datetime

from chatmem.engine.checks import checked_choice, checked_text, checked_user
from chatmem.engine.space import Space
from chatmem.engine.state import new_id
from chatmem.errors import CircleNotFoundError, InvalidInputError, NotOwnerError
from chatmem.model import EFFECTS, Circle, CircleKind, Invitation, RoleRule
from chatmem.model.time import moment_or_now, utc_now
from chatmem.text.normalise import tag_form

PARENT, MEMBER = "parent", "member"
"""Roles that a new circle gives: of a household, of a group. Parents may change who is in it."""


class People:
    """The circles of one user.

    Joining one shows to its other members what this user shares with circles of its kind, so nobody
    is in a circle who has not joined it.
    """

    def __init__(self, space: Space) -> None:
        self._space = space

    def create_household(
        self, name: str, role: str = PARENT, *, now: datetime | None = None
    ) -> Circle:
        """A new household with this user as its head.

        Raises:
            InvalidInputError: no name, or a role without rules.
        """
        return self._create("household", name, role, now)

    def create_group(self, name: str, role: str = MEMBER, *, now: datetime | None = None) -> Circle:
        """A new group with this user as its head.

        Raises:
            InvalidInputError: no name, or a role without rules.
        """
        return self._create("group", name, role, now)

    def circles(self, kind: CircleKind | None = None) -> list[Circle]:
        """The circles that this user is in, the oldest first."""
        return self._space.store.people.circles_of(self._space.owner.user_id, kind)

    def household(self) -> Circle | None:
        """The first household that this user is in, or None."""
        return next(iter(self.circles("household")), None)

    def circle(self, circle_id: str) -> Circle:
        """The circle with its members.

        Raises:
            CircleNotFoundError: there is none, or this user is not in it.
        """
        found = self._space.store.people.circle(str(circle_id))
        if found is None or _role(found, self._space.owner.user_id) is None:
            raise CircleNotFoundError(str(circle_id))
        return found

    def invite(
        self, circle_id: str, user_id: str, role: str | None = None, *, now: datetime | None = None
    ) -> None:
        """Ask a user in; `join` makes them a member. A role is `parent` or `member` by itself.

        Raises:
            CircleNotFoundError: there is none, or this user is not in it.
            NotOwnerError: neither the head nor, in a household, a parent.
            InvalidInputError: a role without rules, or somebody who is in it already.
        """
        known = None if role is None else self._known_role(role)
        user = checked_user(user_id)
        with self._space.store.transaction():
            circle = self._managed(circle_id)
            if _role(circle, user) is not None:
                raise InvalidInputError(
                    f"user id: {user!r} is in {circle.name!r} already; set_role changes the role"
                ).coded("member", user=user, circle=circle.name)
            self._space.store.people.invite(
                circle.circle_id, user, known or _first_role(circle.kind), moment_or_now(now)
            )

    def invitations(self) -> list[Invitation]:
        """What this user may join, the oldest first."""
        return self._space.store.people.invited(self._space.owner.user_id)

    def join(self, circle_id: str, *, now: datetime | None = None) -> Circle:
        """The circle, of which this user now is a member.

        Raises:
            CircleNotFoundError: there is no invitation to it.
        """
        people, user = self._space.store.people, self._space.owner.user_id
        with self._space.store.transaction():
            for invitation in people.invited(user):
                if invitation.circle_id == circle_id:
                    people.uninvite(circle_id, user)
                    people.put_member(circle_id, user, invitation.role, moment_or_now(now))
                    return self.circle(circle_id)
        raise CircleNotFoundError(str(circle_id))

    def set_role(self, circle_id: str, user_id: str, role: str) -> Circle:
        """The circle, in which the member now has another role.

        Raises:
            CircleNotFoundError: there is none, or this user is not in it.
            NotOwnerError: neither the head nor, in a household, a parent.
            InvalidInputError: a role without rules, or somebody who is not in it.
        """
        known, user = self._known_role(role), checked_user(user_id)
        with self._space.store.transaction():
            circle = self._managed(circle_id)
            _check_member(circle, user)
            self._space.store.people.put_member(circle.circle_id, user, known, utc_now())
            return self.circle(circle_id)

    def remove(self, circle_id: str, user_id: str) -> None:
        """Take a member out, or an invitation back; everybody may leave, or decline.

        What was shared between them and the others is hidden at once. A head who leaves hands over
        to the oldest parent, or member of a group; where there is none the circle is gone. Only the
        head takes the head out.

        Raises:
            CircleNotFoundError: there is none, or this user is not in it.
            NotOwnerError: somebody else, and neither the head nor, in a household, a parent.
            InvalidInputError: somebody who is not in it.
        """
        people, user = self._space.store.people, checked_user(user_id)
        with self._space.store.transaction():
            if user == self._space.owner.user_id and people.uninvite(str(circle_id), user):
                return
            leaves = user == self._space.owner.user_id
            circle = self.circle(circle_id) if leaves else self._managed(circle_id)
            if people.uninvite(circle.circle_id, user):
                return
            _check_member(circle, user)
            if user == circle.head and not leaves:
                raise NotOwnerError(f"{circle.name!r} is {user!r}'s: only its head can leave it")
            people.remove_member(circle.circle_id, user)
            if user == circle.head:
                self._hand_over(circle)

    def delete(self, circle_id: str) -> None:
        """End the circle; what its members shared with it is hidden from the others at once.

        Raises:
            CircleNotFoundError: there is none, or this user is not in it.
            NotOwnerError: not the head.
        """
        with self._space.store.transaction():
            circle = self.circle(circle_id)
            if circle.head != self._space.owner.user_id:
                raise NotOwnerError(
                    f"{circle.name!r} belongs to its head, {circle.head!r}: only they can delete "
                    "it; you can leave it"
                )
            self._space.store.people.delete(circle.circle_id)

    def rules(self, role: str | None = None) -> list[RoleRule]:
        """What a role sees, or what all of them do."""
        return self._space.store.people.rules(None if role is None else tag_form(str(role)))

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
        with self._space.store.transaction():
            self._space.store.people.set_rules(name, rules)

    def _create(self, kind: CircleKind, name: str, role: str, now: datetime | None) -> Circle:
        title, known, circle_id = checked_text(name, "name"), self._known_role(role), new_id()
        with self._space.store.transaction():
            self._space.store.people.create(
                circle_id, kind, title, self._space.owner.user_id, known, moment_or_now(now)
            )
            return self.circle(circle_id)

    def _managed(self, circle_id: str) -> Circle:
        """The circle, if this user may say who is in it."""
        circle, user = self.circle(circle_id), self._space.owner.user_id
        parent = circle.kind == "household" and _role(circle, user) == PARENT
        if circle.head != user and not parent:
            who = "its head or a parent" if circle.kind == "household" else "its head"
            raise NotOwnerError(f"only {who} can change who is in {circle.name!r}; you can leave")
        return circle

    def _known_role(self, role: str) -> str:
        name = tag_form(checked_text(role, "role"))
        known = tuple(sorted({rule.role for rule in self._space.store.people.rules()}))
        return checked_choice(name, "role", known)

    def _hand_over(self, circle: Circle) -> None:
        others = [one for one in circle.members if one.user_id != circle.head]
        if circle.kind == "household":
            others = [one for one in others if one.role == PARENT]
        if others:
            self._space.store.people.put_head(circle.circle_id, others[0].user_id)
        else:
            self._space.store.people.delete(circle.circle_id)


def _role(circle: Circle, user_id: str) -> str | None:
    return next((one.role for one in circle.members if one.user_id == user_id), None)


def _check_member(circle: Circle, user_id: str) -> None:
    if _role(circle, user_id) is None:
        members = ", ".join(one.user_id for one in circle.members)
        raise InvalidInputError(
            f"user id: {user_id!r} is not in {circle.name!r}; its members are {members}"
        )


def _first_role(kind: CircleKind) -> str:
    return PARENT if kind == "household" else MEMBER
