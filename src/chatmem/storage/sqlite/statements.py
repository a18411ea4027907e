"""SQL lives in `.sql` files; this reads one file into its named statements."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from chatmem.storage.visibility import VISIBLE


@cache
def statements(name: str) -> Mapping[str, str]:
    """The statements of `sql/<name>.sql` by the names in their `-- name:` lines.

    The mark `{visible}` becomes the visibility predicate (`storage/visibility.py`).
    """
    text = (files(__package__) / "sql" / f"{name}.sql").read_text("utf-8")
    found: dict[str, str] = {}
    for part in text.split("-- name:")[1:]:
        title, _, body = part.partition("\n")
        found[title.strip()] = body.strip().replace("{visible}", VISIBLE)
    return found
