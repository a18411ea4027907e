"""Settings that stay with the data,."""

import json
from collections.abc import Mapping

from chatmem.storage.tables.database import SqlDatabase


class SettingTable:
    """Settings that were changed from inside, in the table `setting`; they stay with the data.

    Every change raises the version in the same transaction.
    """

    def __init__(self, database: SqlDatabase) -> None:
        self._db = database
        self._sql = database.statements("settings")

    def stored(self) -> Mapping[str, object]:
        """By dotted name, as JSON knows them."""
        return {name: _value(text) for name, text in self._db.execute(self._sql["all"])}

    def put(self, name: str, value: object) -> None:
        """Insert or replace."""
        with self._db.transaction():
            self._db.execute(
                self._sql["put"], {"name": name, "value": json.dumps(value, ensure_ascii=False)}
            )
            self._db.execute(self._sql["touch"])

    def delete(self, name: str) -> None:
        """The file, the environment or the default counts again."""
        with self._db.transaction():
            self._db.execute(self._sql["delete"], {"name": name})
            self._db.execute(self._sql["touch"])

    def version(self) -> int:
        """Changes whenever a setting was stored or deleted, by whatever process."""
        found = self._db.one(self._sql["version"])
        return int(found[0]) if found else 0


def _value(text: str) -> object:
    """What was stored; text that somebody wrote without quotes is taken as it stands."""
    try:
        value: object = json.loads(text)
    except ValueError:
        return text
    return value
