"""Profiles as documents: what a person reads and edits, and the mark of the version they read."""

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

ProfileName: TypeAlias = Literal["user", "household"]
PROFILES: tuple[ProfileName, ...] = get_args(ProfileName)


@dataclass(frozen=True, slots=True)
class ProfileDocument:
    """A profile's text, "" before anybody wrote one, and its etag, "" with it. Source: S2.2."""

    content: str
    etag: str
