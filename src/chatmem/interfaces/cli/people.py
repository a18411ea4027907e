"""`chatmem household` and `chatmem group`: who sees what is shared with them."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from chatmem.interfaces.cli import output
from chatmem.interfaces.cli.target import Target

if TYPE_CHECKING:
    from chatmem.engine.people import People
    from chatmem.model import Circle, CircleKind

IdArgument = Annotated[
    str | None, typer.Argument(metavar="[ID]", help="Which one; needed where there are several.")
]
CreateOption = Annotated[
    str | None, typer.Option("--create", metavar="NAME", help="Make a new one.")
]
AddOption = Annotated[
    str | None,
    typer.Option("--add", metavar="USER", help="Invite a user, or give a member another --role."),
]
RoleOption = Annotated[
    str | None, typer.Option("--role", help="What they see: parent, child, guest, member, agent.")
]
JoinOption = Annotated[bool, typer.Option("--join", help="Accept an invitation.")]
RemoveOption = Annotated[
    str | None, typer.Option("--remove", metavar="USER", help="Take a user out; yourself to leave.")
]
DeleteOption = Annotated[bool, typer.Option("--delete", help="End it; its members keep theirs.")]


def household(
    target: Target,
    circle_id: IdArgument = None,
    create: CreateOption = None,
    add: AddOption = None,
    role: RoleOption = None,
    join: JoinOption = False,
    remove: RemoveOption = None,
    delete: DeleteOption = False,
) -> None:
    """Show your household, or change who is in it.

    Its members see memories of visibility household, as far as their roles allow.
    """
    _run(target, "household", circle_id, (create, add, join, remove, delete), role)


def group(
    target: Target,
    circle_id: IdArgument = None,
    create: CreateOption = None,
    add: AddOption = None,
    role: RoleOption = None,
    join: JoinOption = False,
    remove: RemoveOption = None,
    delete: DeleteOption = False,
) -> None:
    """Show your groups, or change who is in them.

    Their members see memories of visibility group, as far as their roles allow.
    """
    _run(target, "group", circle_id, (create, add, join, remove, delete), role)


def _run(
    target: Target,
    kind: "CircleKind",
    circle_id: str | None,
    wishes: tuple[str | None, str | None, bool, str | None, bool],
    role: str | None,
) -> None:
    create, add, join, remove, delete = wishes
    if sum(one is not None and one is not False for one in wishes) > 1:
        raise typer.BadParameter("--create, --add, --join, --remove, --delete: one at a time")
    if create is not None and circle_id is not None:
        raise typer.BadParameter("--create makes a new one and takes no ID")
    if role is not None and create is None and add is None:
        raise typer.BadParameter("--role goes with --create or --add USER")
    with target.open() as memory:
        people = memory.people
        if create is not None:
            make = people.create_household if kind == "household" else people.create_group
            _print([make(create, role) if role else make(create)], target)
        elif join:
            _print([people.join(_invitation(people, kind, circle_id))], target)
        elif add is not None:
            _add(people, _one(people, kind, circle_id), add, role, target)
        elif delete or remove is not None:
            _end(people, _one(people, kind, circle_id), remove)
            _overview(people, kind, target)
        else:
            _overview(people, kind, target, circle_id)


def _end(people: "People", circle_id: str, user: str | None) -> None:
    if user is None:
        people.delete(circle_id)
    else:
        people.remove(circle_id, user)


def _add(people: "People", circle_id: str, user: str, role: str | None, target: Target) -> None:
    circle = people.circle(circle_id)
    if role is not None and any(one.user_id == user for one in circle.members):
        _print([people.set_role(circle_id, user, role)], target)
        return
    people.invite(circle_id, user, role)
    if target.as_json:
        output.print_json({"id": circle_id, "invited": user})
    else:
        name = output.shown(user)
        print(f"{name} is invited: `chatmem --user {name} {circle.kind} --join` accepts")


def _one(people: "People", kind: "CircleKind", circle_id: str | None) -> str:
    """The circle that is meant: the one named, or the only one."""
    if circle_id is not None:
        return circle_id
    found = [one.circle_id for one in people.circles(kind)]
    return _only(found, kind, f"you are in no {kind}; --create NAME makes one")


def _invitation(people: "People", kind: "CircleKind", circle_id: str | None) -> str:
    if circle_id is not None:
        return circle_id
    found = [one.circle_id for one in people.invitations() if one.kind == kind]
    return _only(found, kind, f"you are invited to no {kind}")


def _only(found: list[str], kind: str, none: str) -> str:
    if not found:
        raise typer.BadParameter(none)
    if len(found) > 1:
        raise typer.BadParameter(f"which {kind}? give its ID: {', '.join(found)}")
    return found[0]


def _overview(
    people: "People", kind: "CircleKind", target: Target, circle_id: str | None = None
) -> None:
    if circle_id is not None:
        _print([people.circle(circle_id)], target)
        return
    circles = people.circles(kind)
    invitations = [one for one in people.invitations() if one.kind == kind]
    if target.as_json:
        output.print_json(
            {
                "items": [asdict(one) for one in circles],
                "invitations": [asdict(one) for one in invitations],
            }
        )
        return
    _print(circles, target)
    for one in invitations:
        print(f"{one.circle_id}  {output.shown(one.name)}  invited by {output.shown(one.head)}")
    if not circles and not invitations:
        print(f"No {kind}.")


def _print(circles: "list[Circle]", target: Target) -> None:
    if target.as_json:
        output.print_json([asdict(one) for one in circles])
        return
    for circle in circles:
        print(f"{circle.circle_id}  {output.shown(circle.name)}")
        for member in circle.members:
            head = ", head" if member.user_id == circle.head else ""
            print(f"       {output.shown(member.user_id)}  ({output.shown(member.role)}{head})")
