"""The profiles of user and household, and the household's members.

Source: S2.2.1, S2.2.2; decisions 6.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from fastapi import Request
from nicegui import ui

from chatmem.engine.people import PARENT
from chatmem.interfaces.web import widgets
from chatmem.interfaces.web.views.document import DocumentEditor, Source
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.words import words
from chatmem.model import Circle, Invitation, Member, ProfileName
from chatmem.storage.documents.places import HOUSEHOLD, PROFILE

_SETTING: Final = "memory.enable_user_profile"
_FILES: Final[dict[ProfileName, str]] = {"user": PROFILE, "household": HOUSEHOLD}


async def show(visit: Visit, request: Request) -> None:
    """USER.md, who lives in the household, and HOUSEHOLD.md."""
    with widgets.section(PROFILE, "person"):
        widgets.hint(words("profile.user_about"), "-mt-2")
        settings = await visit.run(visit.memory.config.get)
        if not settings[_SETTING]:
            ui.label(words("profile.user_off")).classes("document-hint p-3 w-full")
        await _editor(visit, "user", writable=True)
    await HouseholdCard(visit).build()
    place = await visit.run(visit.memory.profiles.place, "household")
    with widgets.section(HOUSEHOLD, "home"):
        if not place.reads:
            ui.label(words("profile.household_hidden")).classes("muted")
            return
        name = "about" if place.writes else "read_only"
        widgets.hint(words(f"profile.household_{name}", head=place.head or ""), "-mt-2")
        await _editor(visit, "household", writable=place.writes)


async def _editor(visit: Visit, name: ProfileName, *, writable: bool) -> None:
    profiles = visit.memory.profiles
    source = Source(
        _FILES[name],
        lambda: profiles.read(name),
        lambda text, etag: profiles.write(name, text, etag),
    )
    start = await visit.run(profiles.read, name)
    DocumentEditor(visit, source, start, writable=writable)


class HouseholdCard:
    """The household of the user, or how to come by one."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._people = visit.memory.people

    async def build(self) -> None:
        """Show it; where something changes, the whole page is read again, as rights change too."""
        circle = await self._visit.run(self._people.household)
        invited = await self._visit.run(self._people.invitations)
        rules = await self._visit.run(self._people.rules)
        roles = sorted({rule.role for rule in rules})
        with widgets.section(words("profile.household"), "groups"):
            if circle is None:
                self._without()
            else:
                self._with(circle, roles)
            for invitation in invited:
                if invitation.kind == "household":
                    self._invitation(invitation)

    def _without(self) -> None:
        ui.label(words("profile.none")).classes("muted")
        with ui.row().classes("w-full items-start gap-2 no-wrap"):
            name = ui.input(words("profile.name")).props("outlined dense maxlength=120")
            name.classes("flex-1 min-w-0 max-w-sm")

            async def create() -> None:
                if chosen := str(name.value or "").strip():
                    await self._do(lambda: self._people.create_household(chosen))
                else:
                    name.run_method("focus")

            widgets.button(words("profile.create"), create, icon="add_home").classes("h-10")
            name.on("keydown.enter", create)

    def _with(self, circle: Circle, roles: list[str]) -> None:
        user = self._visit.memory.user_id
        own = next((one.role for one in circle.members if one.user_id == user), "")
        manages = circle.head == user or own == PARENT
        ui.label(circle.name).classes("text-base font-medium break-words")
        for member in widgets.listed(circle.members, "household w-full", each="household-member"):
            self._member(circle, member, roles if manages else [])
        if manages:
            self._invite(circle, roles)

        title = words("profile.leave_sure", household=circle.name)
        leave = partial(self._remove, circle, user, title)
        widgets.button(words("profile.leave"), leave, icon="logout", look="danger")

    def _member(self, circle: Circle, member: Member, roles: list[str]) -> None:
        user = member.user_id
        widgets.decoration("person", "sm")
        ui.label(user).classes("flex-1 min-w-0 break-words")
        if user == circle.head:
            widgets.hint(words("profile.head"))
        if not roles:
            widgets.hint(self._role(member.role))
            return
        ui.select(
            {role: self._role(role) for role in sorted({*roles, member.role})},
            value=member.role,
            label=words("profile.whose_role", user=user),
            on_change=lambda event: self._do(
                lambda: self._people.set_role(circle.circle_id, user, event.value)
            ),
        ).props("outlined dense options-dense").classes("w-52")
        if user in (self._visit.memory.user_id, circle.head):
            return
        remove = partial(self._remove, circle, user, words("profile.remove_sure", user=user))
        widgets.icon_button("person_remove", words("profile.remove", user=user), remove)

    def _invite(self, circle: Circle, roles: list[str]) -> None:
        with ui.row().classes("w-full items-start gap-2"):
            who = ui.input(words("profile.user_id")).props("outlined dense maxlength=200")
            who.classes("flex-1 min-w-40")
            named_roles = {one: self._role(one) for one in roles}
            role = ui.select(named_roles, value=PARENT, label=words("profile.role"))
            role.props("outlined dense options-dense").classes("w-36")

            async def invite() -> None:
                user = str(who.value or "").strip()
                if not user:
                    who.run_method("focus")
                    return
                call = partial(self._people.invite, circle.circle_id, user, role.value)
                await self._visit.carry_out(call, "profile.invited", user=user)
                who.set_value("")

            widgets.button(words("profile.invite"), invite, icon="person_add").classes("h-10")

    def _invitation(self, invitation: Invitation) -> None:
        circle_id = invitation.circle_id
        decline = partial(self._people.remove, circle_id, self._visit.memory.user_id)
        join = partial(self._people.join, circle_id)
        with ui.row().classes("document-hint items-center gap-2 w-full p-3"):
            message = words(
                "profile.invitation",
                head=invitation.head,
                household=invitation.name,
                role=self._role(invitation.role),
            )
            ui.label(message).classes("flex-1 min-w-48 break-words")
            widgets.button(words("profile.decline"), partial(self._do, decline), look="flat")
            widgets.button(words("profile.join"), partial(self._do, join), look="main")

    def _role(self, role: str) -> str:
        return words.get(f"profile.role_{role}", role)

    async def _do(self, call: Callable[[], object]) -> None:
        await self._visit.run_slow(call)
        ui.navigate.reload()

    async def _remove(self, circle: Circle, user: str, title: str) -> None:
        """Take the user out of the circle, once the person confirms."""
        if await widgets.is_sure(title, words("profile.hides"), "profile.sure"):
            await self._do(lambda: self._people.remove(circle.circle_id, user))
