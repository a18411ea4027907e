"""All users of a place: who they are, what one of them has as a file, and how one is deleted."""

from pathlib import Path
from typing import Final

from chatmem.engine.checks import checked_user
from chatmem.engine.documents.documents import MemoryDocuments
from chatmem.engine.factory import OpenMemory
from chatmem.engine.move import MoveReport, write_backup
from chatmem.engine.people import People
from chatmem.engine.space import Space
from chatmem.errors import InvalidInputError, UserNotFoundError
from chatmem.model.people import UserCounts
from chatmem.storage.values import Owner

_NO_NUMBER: Final = -1  # of a user who has a key, or an invitation, and was never here


class Users:
    """The users of a place: for whoever runs it, so offer this to no user.

    Methods that name a user raise `UserNotFoundError` for one who has nothing here.
    """

    def __init__(self, opened: OpenMemory) -> None:
        self._opened = opened
        self._engine = opened.engine
        self._store = opened.engine.store

    @property
    def deleted(self) -> int:
        """Counts up with every deletion: what a process has of users may be out of date."""
        return self._opened.closed

    def list(self) -> list[UserCounts]:
        """Everybody, by name, and how much they have."""
        return self._store.owners.counted()

    def get(self, user_id: str) -> UserCounts:
        """How much the user has."""
        user = checked_user(user_id)
        for found in self._store.owners.counted(user):
            return found
        raise UserNotFoundError(user)

    def export(self, user_id: str, file: Path) -> MoveReport:
        """Write everything of the user, history and keys too, into a backup; see `write_backup`."""
        return write_backup(self._engine, file, self._owner(self.get(user_id).user_id))

    def delete(self, user_id: str) -> int:
        """Delete a user for good: all rows, which are counted, keys, documents, folder.

        Circles that they head go to another member; answers to repeated writes, which may quote
        them, go for everybody. Copies stay: exports, backups, the logs of a database's server.

        Raises:
            InvalidInputError: nobody else has a key, and the server would be open to the machine.
            StorageError: something cannot be deleted; the user is still there, to be deleted again.
        """
        user, engine, store = checked_user(user_id), self._engine, self._store
        folder = engine.documents_of(user)
        if not store.transfer.counts(self._owner(user)) and not folder.stamps():
            raise UserNotFoundError(user)
        if {one.user_id for one in store.keys.list()} == {user}:
            raise InvalidInputError(
                f"user: nobody but {user!r} has a key, and without any the server answers all of "
                "this machine: make another one first, `chatmem keys create USER`"
            ).coded("only_keys", user=user)
        with self._opened.closing(user):
            engine.accesses.flush(store)
            owner = self._owner(user)
            folder.initialise(skeleton=False)
            with folder.lock(), store.transaction():
                people = People(Space(engine, owner, MemoryDocuments(engine, owner, folder)))
                for circle in people.circles():
                    people.remove(circle.circle_id, user)
                rows = store.erase(owner)
                store.answers.blank()
                folder.erase()  # last: where it fails, all rows are there to try again
        store.purge()
        return rows

    def _owner(self, user: str) -> Owner:
        return self._store.owners.find(user) or Owner(_NO_NUMBER, user)
