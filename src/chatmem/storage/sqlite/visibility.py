"""The function that the visibility predicate calls on SQLite."""

import json
from functools import lru_cache

import apsw

from chatmem.text.normalise import tag_form

_KNOWN_TAGS = 4_096


def register_visibility(connection: apsw.Connection) -> None:
    """The function that the visibility predicate calls, on one connection."""
    connection.create_scalar_function("tag_matches", _tag_matches, 2, deterministic=True)


def _tag_matches(*values: object) -> bool:
    """True when the JSON list `tags` holds the tag, in whatever form it is written."""
    tags, tag = values
    return tag_form(str(tag)) in _forms(str(tags))


@lru_cache(_KNOWN_TAGS)
def _forms(tags: str) -> frozenset[str]:
    return frozenset(tag_form(str(one)) for one in json.loads(tags))
