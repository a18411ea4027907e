"""`chatmem keys`: who may ask the server. A key is shown once, and kept as a hash."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.engine.keys import Keys
    from chatmem.model.key import ApiKey


class Action(StrEnum):
    """What to do with keys."""

    CREATE = "create"
    LIST = "list"
    REVOKE = "revoke"
    OPEN = "open"


def keys(
    target: Target,
    action: Annotated[Action, typer.Argument(help="What to do.")] = Action.LIST,
    name: Annotated[
        str | None, typer.Argument(metavar="[USER|ID]", help="create: the user; revoke: the key.")
    ] = None,
    admin: Annotated[
        bool, typer.Option("--admin", help="create: the key may act for other users.")
    ] = False,
) -> None:
    """Make, list and revoke the server's keys: create USER [--admin], list, revoke ID.

    A place that has had a key stays closed; when all are revoked, `open` lets this machine ask
    without one again.
    """
    if (name is None) != (action in (Action.LIST, Action.OPEN)):
        raise typer.BadParameter("create takes a USER, revoke an ID, list and open neither")
    if admin and action is not Action.CREATE:
        raise typer.BadParameter("--admin goes with create")
    with target.open() as memory:
        if action is Action.CREATE and name is not None:
            _create(memory.keys, name, admin, as_json=target.as_json)
        elif action is Action.REVOKE and name is not None:
            _revoke(memory.keys, name, as_json=target.as_json)
        elif action is Action.OPEN:
            memory.keys.open()
            output.print_fields({"keys": False}, as_json=target.as_json)
        else:
            _list(memory.keys.list(), as_json=target.as_json)


def _create(all_keys: "Keys", user_id: str, admin: bool, *, as_json: bool) -> None:
    key, kept = all_keys.create(user_id, is_admin=admin)
    output.print_fields({"id": kept.id, "key": key, "user": kept.user_id}, as_json=as_json)
    if not as_json:
        output.warn("this key is shown only now; with it, the server asks everybody for one")


def _revoke(all_keys: "Keys", key_id: str, *, as_json: bool) -> None:
    all_keys.revoke(key_id)
    output.print_fields({"revoked": True, "id": key_id}, as_json=as_json)
    if not any(one.revoked_at is None for one in all_keys.list()):
        output.warn(
            "no key counts any more: the server refuses everybody until there is one "
            "(`chatmem keys create USER`), or until `chatmem keys open`, which answers this "
            "machine without keys"
        )


def _list(found: "list[ApiKey]", *, as_json: bool) -> None:
    if as_json:
        output.print_json([_fields(one) for one in found])
        return
    if not found:
        output.warn("there are no keys: the server answers this machine only")
    for one in found:
        what = "admin" if one.is_admin else "user"
        state = f"revoked {one.revoked_at:%Y-%m-%d}" if one.revoked_at else "counts"
        shown = output.shown(one.user_id)
        print(f"{one.id}  {what:5}  {one.created_at:%Y-%m-%d}  {state}  {shown}")


def _fields(key: "ApiKey") -> dict[str, object]:
    from chatmem.model.time import to_text

    return {
        "id": key.id,
        "user": key.user_id,
        "admin": key.is_admin,
        "created_at": to_text(key.created_at),
        "revoked_at": to_text(key.revoked_at) if key.revoked_at else None,
    }
