"""Commands on people and their rights: household, group, profile, keys, users."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from chatmem.interfaces.cli import shell
from chatmem.interfaces.cli.upkeep import print_backup
from chatmem.model import Circle, CircleKind, ProfileName
from chatmem.model.people import ApiKey, UserCounts

if TYPE_CHECKING:
    from chatmem.engine.people import People


def _circle_command(kind: CircleKind, doc: str) -> Callable[..., None]:
    """The command for one kind of circle; `doc` is its help."""

    def command(
        target: shell.Target,
        circle_id: Annotated[
            str | None,
            typer.Argument(metavar="[ID]", help="Which one; needed where there are several."),
        ] = None,
        create: Annotated[str | None, typer.Option(metavar="NAME", help="Make a new one.")] = None,
        add: Annotated[
            str | None,
            typer.Option(metavar="USER", help="Invite a user, or give a member another --role."),
        ] = None,
        role: Annotated[
            str | None, typer.Option(help="What they see: parent, child, guest, member, agent.")
        ] = None,
        join: Annotated[bool, typer.Option("--join", help="Accept an invitation.")] = False,
        remove: Annotated[
            str | None, typer.Option(metavar="USER", help="Take a user out; yourself to leave.")
        ] = None,
        delete: Annotated[
            bool, typer.Option("--delete", help="End it; its members keep theirs.")
        ] = False,
    ) -> None:
        changes = [one for one in (create, add, remove) if one is not None]
        if len(changes) + join + delete > 1:
            raise typer.BadParameter("--create, --add, --join, --remove, --delete: one at a time")
        if create is not None and circle_id is not None:
            raise typer.BadParameter("--create makes a new one and takes no ID")
        if role is not None and create is None and add is None:
            raise typer.BadParameter("--role goes with --create or --add USER")
        with target.open() as memory:
            people = memory.people
            if create is not None:
                make = people.create_household if kind == "household" else people.create_group
                _print_circles(target, [make(create, role) if role else make(create)])
            elif join:
                joined = people.join(_circle(people, kind, circle_id, is_invitation=True))
                _print_circles(target, [joined])
            elif add is not None:
                _add(target, people, _circle(people, kind, circle_id), add, role)
            elif delete or remove is not None:
                meant = _circle(people, kind, circle_id)
                people.delete(meant) if remove is None else people.remove(meant, remove)
                _print_all(target, people, kind)
            elif circle_id is not None:
                _print_circles(target, [people.circle(circle_id)])
            else:
                _print_all(target, people, kind)

    command.__doc__ = doc
    return command


household = _circle_command(
    "household",
    """Show your household, or change who is in it.

    Its members see memories of visibility household, as far as their roles allow.
    """,
)
group = _circle_command(
    "group",
    """Show your groups, or change who is in them.

    Their members see memories of visibility group, as far as their roles allow.
    """,
)


def _add(
    target: shell.Target, people: "People", circle_id: str, user: str, role: str | None
) -> None:
    circle = people.circle(circle_id)
    if role is not None and any(one.user_id == user for one in circle.members):
        _print_circles(target, [people.set_role(circle_id, user, role)])
        return
    people.invite(circle_id, user, role)
    target.print(
        {"id": circle_id, "invited": user},
        [f"{user} is invited: `chatmem --user {user} {circle.kind} --join` accepts"],
    )


def _circle(
    people: "People", kind: CircleKind, circle_id: str | None, *, is_invitation: bool = False
) -> str:
    """The circle, or invitation, that is meant: the one named, else the only one."""
    if circle_id is not None:
        return circle_id
    if is_invitation:
        if_none = f"you are invited to no {kind}"
        ids = [one.circle_id for one in people.invitations() if one.kind == kind]
    else:
        if_none = f"you are in no {kind}; --create NAME makes one"
        ids = [one.circle_id for one in people.circles(kind)]
    if not ids:
        raise typer.BadParameter(if_none)
    if len(ids) > 1:
        raise typer.BadParameter(f"which {kind}? give its ID: {', '.join(ids)}")
    return ids[0]


def _print_all(target: shell.Target, people: "People", kind: CircleKind) -> None:
    circles = people.circles(kind)
    invitations = [one for one in people.invitations() if one.kind == kind]
    invited = (f"{one.circle_id}  {one.name}  invited by {one.head}" for one in invitations)
    target.print(
        {"items": circles, "invitations": invitations},
        [*_circle_lines(circles), *invited] or [f"No {kind}."],
    )


def _print_circles(target: shell.Target, circles: list[Circle]) -> None:
    target.print(circles, _circle_lines(circles))


def _circle_lines(circles: Iterable[Circle]) -> Iterator[str]:
    for circle in circles:
        yield f"{circle.circle_id}  {circle.name}"
        for member in circle.members:
            head = ", head" if member.user_id == circle.head else ""
            yield f"       {member.user_id}  ({member.role}{head})"


def profile(
    target: shell.Target,
    household: Annotated[
        bool, typer.Option("--household", help="The household's profile, not the user's.")
    ] = False,
    text: Annotated[
        str | None,
        typer.Option("--set", metavar="TEXT|-", help="Write this; - reads standard input."),
    ] = None,
    etag: Annotated[
        str | None, typer.Option(help="With --set: only over the version that has this etag.")
    ] = None,
) -> None:
    """Show a profile, which stands in every prompt, or write it.

    It is the file USER.md, or HOUSEHOLD.md in the folder of the household's head: any editor will
    do, too.
    """
    if etag is not None and text is None:
        raise typer.BadParameter("--etag goes with --set")
    name: ProfileName = "household" if household else "user"
    with target.open() as memory:
        if text is None:
            found = memory.profiles.read(name)
            line = found.content.rstrip("\n") if found.content.strip() else None
            target.print(found, [line or "Nothing is written there yet."])
        else:
            found = memory.profiles.write(name, shell.text_of(text), etag)
            target.print(found, [f"{name} profile written"])


def keys(
    target: shell.Target,
    action: Annotated[
        Literal["create", "list", "revoke", "open"], typer.Argument(help="What to do.")
    ] = "list",
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
    if (name is None) != (action in ("list", "open")):
        raise typer.BadParameter("create takes a USER, revoke an ID, list and open neither")
    if admin and action != "create":
        raise typer.BadParameter("--admin goes with create")
    with target.open() as memory:
        keys = memory.keys
        if action == "open":
            keys.open()
            target.print_fields({"keys": False})
        elif name is None:
            found = keys.list()
            if not found and not target.as_json:
                shell.warn("there are no keys: the server answers this machine only")
            columns = {"id": "id", "user": "user_id", "admin": "is_admin"}
            columns |= {name: name for name in ("created_at", "revoked_at")}
            shown = [{name: getattr(one, of) for name, of in columns.items()} for one in found]
            target.print(shown, map(_key_line, found))
        elif action == "create":
            secret, key = keys.create(name, is_admin=admin)
            target.print_fields({"id": key.id, "key": secret, "user": key.user_id})
            if not target.as_json:
                shell.warn("this key is shown only now; with it, the server asks everybody for one")
        else:
            keys.revoke(name)
            target.print_fields({"revoked": True, "id": name})
            if not any(one.revoked_at is None for one in keys.list()):
                shell.warn(
                    "no key counts any more: the server refuses everybody until there is one "
                    "(`chatmem keys create USER`), or until `chatmem keys open`, which answers "
                    "this machine without keys"
                )


def _key_line(key: ApiKey) -> str:
    what = "admin" if key.is_admin else "user"
    state = f"revoked {key.revoked_at:%Y-%m-%d}" if key.revoked_at else "counts"
    return f"{key.id}  {what:5}  {key.created_at:%Y-%m-%d}  {state}  {key.user_id}"


def users(
    target: shell.Target,
    action: Annotated[
        Literal["list", "export", "delete"], typer.Argument(help="What to do.")
    ] = "list",
    name: Annotated[str | None, typer.Argument(metavar="[USER]", help="Whom.")] = None,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="The zip.")] = None,
    yes: shell.YesOption = False,
) -> None:
    """List the users of this place, export one (export USER FILE), or delete one (delete USER).

    Deleting is final: rows, documents, keys, everything. Export first what is to be kept.
    """
    given = sum(one is not None for one in (name, file))
    if given != ("list", "delete", "export").index(action) or (yes and action != "delete"):
        raise typer.BadParameter("export takes a USER and a FILE, delete a USER, list neither")
    with target.open() as memory:
        if name is None:
            found = memory.users.list()
            target.print(found, map(_user_line, found))
        elif file is not None:
            print_backup(target, file, memory.users.export(name, file), "exported")
        else:
            keep = f"`chatmem users export {name} FILE` keeps a copy"
            if not yes:
                shell.confirm(
                    f"{_user_line(memory.users.get(name))}: delete all of it for good? {keep}.",
                    if_nobody=f"--yes deletes all that {name} has for good; {keep}",
                )
            rows = memory.users.delete(name)
            target.print({"deleted": rows, "user": name}, [f"{name}: deleted, {rows} rows"])


def _user_line(one: UserCounts) -> str:
    return (
        f"{one.user_id}  {shell.counted(one.messages, 'message')}, "
        f"{shell.counted(one.memories, 'memory', 'memories')}, {shell.counted(one.keys, 'key')}, "
        f"head of {shell.counted(one.circles, 'circle')}"
    )
