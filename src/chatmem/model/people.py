"""Households, groups and roles; profiles; keys of a server.

Source: decisions 6.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, TypeAlias, get_args

CircleKind: TypeAlias = Literal["household", "group"]
Effect: TypeAlias = Literal["allow", "deny"]
EFFECTS: tuple[Effect, ...] = get_args(Effect)
ANY_TAG = "*"
"""In a rule, every memory, whatever its tags."""


@dataclass(frozen=True, slots=True)
class Member:
    """A user in a circle; `role` says, through the rules of that role, what they see there."""

    user_id: str
    role: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Circle:
    """A household or a group: users who see what its other members share with it.

    `head` is who made it; a household's HOUSEHOLD.md is the one in the head's folder.
    """

    circle_id: str
    kind: CircleKind
    name: str
    head: str
    created_at: datetime
    members: tuple[Member, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Invitation:
    """A circle that a user may join, and the role they would have there."""

    circle_id: str
    kind: CircleKind
    name: str
    head: str
    role: str
    invited_at: datetime


@dataclass(frozen=True, slots=True)
class RoleRule:
    """Whether a role sees memories with this tag (`*`: any); a denial wins over what allows."""

    role: str
    effect: Effect
    tag: str


ProfileName: TypeAlias = Literal["user", "household"]
PROFILES: tuple[ProfileName, ...] = get_args(ProfileName)


@dataclass(frozen=True, slots=True)
class DocumentText:
    """A document's text, comments included, and its etag; both "" where there is none."""

    content: str
    etag: str


@dataclass(frozen=True, slots=True)
class UserCounts:
    """What a user has: messages, valid long-term memories, keys that count, circles they head."""

    user_id: str
    messages: int
    memories: int
    keys: int
    circles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiKey:
    """A key of a server, bound to one user; an admin's may act for others."""

    id: str
    user_id: str
    is_admin: bool
    created_at: datetime
    revoked_at: datetime | None = None
