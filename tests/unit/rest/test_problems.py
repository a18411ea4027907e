"""Every error of the tree has its answer."""

import pytest

from chatmem import errors
from chatmem.errors import (
    ChatmemError,
    DocumentError,
    NotOwnerError,
    SettingError,
    StaleEtagError,
)
from chatmem.interfaces.rest.problems import problem_of


def _leaves(kind: type[ChatmemError]) -> list[type[ChatmemError]]:
    own = [one for one in kind.__subclasses__() if one.__module__ == errors.__name__]
    return [kind, *(leaf for one in own for leaf in _leaves(one))]


def _made(kind: type[ChatmemError]) -> ChatmemError:
    if kind is StaleEtagError:
        return StaleEtagError("MEMORY.md", "old", "new", "# Now")
    if kind is SettingError:
        return SettingError("memory.x", 1, "text")
    return kind("why")


@pytest.mark.parametrize("kind", _leaves(ChatmemError)[1:], ids=lambda kind: kind.__name__)
def test_every_error_of_ours_has_a_status(kind: type[ChatmemError]) -> None:
    assert problem_of(_made(kind)).status in {404, 409, 412, 422, 502, 503, 504}


def test_what_is_not_ours_says_nothing() -> None:
    found = problem_of(RuntimeError("hunter2"))
    assert found.status == 500
    assert "hunter2" not in found.detail


def test_an_owner_is_not_hinted_at() -> None:
    found = problem_of(NotOwnerError("it belongs to tom"))
    assert found.status == 404
    assert "tom" not in found.detail


def test_a_stale_etag_comes_with_the_present_text() -> None:
    found = problem_of(StaleEtagError("MEMORY.md", "old", "new", "# Now"))
    assert (found.status, dict(found.members)) == (412, {"content": "# Now", "etag": "new"})


def test_files_are_named_to_who_runs_the_server() -> None:
    error = DocumentError("/srv/data/MEMORY.md cannot be read")
    assert "/srv" not in problem_of(error).detail
    assert "/srv" in problem_of(error, for_operator=True).detail
