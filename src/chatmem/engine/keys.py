"""Keys of a server: made once, kept as a hash, revoked.

Source: interfaces.md (identity).
"""

import hashlib
import secrets
from datetime import datetime

from chatmem.engine.checks import checked_user
from chatmem.engine.state import Engine
from chatmem.errors import InvalidInputError
from chatmem.model.people import ApiKey
from chatmem.model.time import utc_now

PREFIX = "cm_"
_KEY_BYTES = 32


class Keys:
    """All keys of a place."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def create(
        self, user_id: str, *, is_admin: bool = False, now: datetime | None = None
    ) -> tuple[str, ApiKey]:
        """A new key, shown only now, and what is kept of it.

        Raises:
            InvalidInputError: an id that no user can have.
        """
        key = PREFIX + secrets.token_urlsafe(_KEY_BYTES)
        kept = ApiKey(
            id=secrets.token_hex(4),
            user_id=checked_user(user_id),
            is_admin=is_admin,
            created_at=now or utc_now(),
        )
        with self._engine.store.transaction():
            self._engine.store.keys.add(kept, digest_of(key))
        return key, kept

    def list(self) -> list[ApiKey]:
        """All keys, revoked ones too, the newest first."""
        return self._engine.store.keys.list()

    def revoke(self, key_id: str, *, now: datetime | None = None) -> None:
        """The key no longer counts, from the next request on.

        Raises:
            InvalidInputError: no such key, or one that was revoked before.
        """
        with self._engine.store.transaction():
            done = self._engine.store.keys.revoke(key_id, now or utc_now())
        if not done:
            raise InvalidInputError(
                f"key: none with the id {key_id!r} counts; `chatmem keys list` shows them"
            )

    def find(self, key: str) -> ApiKey | None:
        """What is kept of a key that counts; None for any other text."""
        found = self._engine.store.keys.by_digest(digest_of(key))
        return found if found is not None and found.revoked_at is None else None

    def are_needed(self) -> bool:
        """True since the first key was made: requests without one are then refused.

        When the last one is revoked, nobody is answered: revoking must not open anything.
        """
        return self._engine.store.keys.any()

    def open(self) -> None:
        """Forget the keys that were revoked: without keys, this machine is answered again.

        Raises:
            InvalidInputError: a key counts.
        """
        with self._engine.store.transaction():
            counting = [one.id for one in self.list() if one.revoked_at is None]
            if counting:
                raise InvalidInputError(
                    f"keys: {len(counting)} count ({', '.join(counting[:3])}, ...): revoke them "
                    "before the server may answer without"
                )
            self._engine.store.keys.forget_revoked()


def digest_of(key: str) -> str:
    """The hash by which a key is found; keys are random, so a plain hash is enough."""
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()
