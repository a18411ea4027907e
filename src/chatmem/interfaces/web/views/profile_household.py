"""Who lives in the household: invite, join, change a role, leave. Source: decisions 6."""

from collections.abc import Callable
from typing import Final

from nicegui import ui

from chatmem.engine.people import PARENT
from chatmem.interfaces.web.views.question import answer_to, question
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit
from chatmem.model import Circle, Invitation, Member

_KNOWN_ROLES: Final = ("parent", "child", "member", "guest", "agent")


class HouseholdCard:
    """The household of the user, or how to come by one."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._people = visit.memory.people

    async def build(self) -> None:
        """Show it; where something changes, the whole page is read again, as rights change too."""
        circle = await self._visit.away(self._people.household)
        invited = await self._visit.away(self._people.invitations)
        rules = await self._visit.away(self._people.rules)
        roles = sorted({rule.role for rule in rules})
        with section(self._visit.words("profile.household"), "groups"):
            if circle is None:
                self._without()
            else:
                self._with(circle, roles)
            for invitation in invited:
                if invitation.kind == "household":
                    self._invitation(invitation)

    def _without(self) -> None:
        words = self._visit.words
        ui.label(words("profile.none")).classes("muted")
        with ui.row().classes("w-full items-start gap-2 no-wrap"):
            name = ui.input(words("profile.name")).props("outlined dense maxlength=120")
            name.classes("flex-1 min-w-0 max-w-sm")

            async def create() -> None:
                if str(name.value or "").strip():
                    await self._do(lambda: self._people.create_household(str(name.value).strip()))
                else:
                    name.run_method("focus")

            button = ui.button(words("profile.create"), icon="add_home", on_click=create)
            button.props("outline no-caps").classes("h-10")
            name.on("keydown.enter", create)

    def _with(self, circle: Circle, roles: list[str]) -> None:
        words, user = self._visit.words, self._visit.memory.user_id
        own = next((one.role for one in circle.members if one.user_id == user), "")
        manages = circle.head == user or own == PARENT
        ui.label(circle.name).classes("text-base font-medium break-words")
        with ui.element("ul").classes("household w-full"):
            for member in circle.members:
                self._member(circle, member, roles if manages else [])
        if manages:
            self._invite(circle, roles)
        leave = ui.button(words("profile.leave"), icon="logout")
        leave.props("outline no-caps color=negative")

        async def go() -> None:
            if await self._is_sure(words("profile.leave_sure", household=circle.name)):
                await self._do(lambda: self._people.remove(circle.circle_id, user))

        leave.on_click(go)

    def _member(self, circle: Circle, member: Member, roles: list[str]) -> None:
        words, user = self._visit.words, self._visit.memory.user_id
        with ui.element("li").classes("household-member"):
            ui.icon("person", size="sm").classes("muted").props("aria-hidden=true")
            ui.label(member.user_id).classes("flex-1 min-w-0 break-words")
            if member.user_id == circle.head:
                ui.label(words("profile.head")).classes("muted text-sm")
            if not roles:
                ui.label(self._role(member.role)).classes("muted text-sm")
                return
            chosen = ui.select(
                {role: self._role(role) for role in sorted({*roles, member.role})},
                value=member.role,
                label=words("profile.role_of", user=member.user_id),
                on_change=lambda event: self._do(
                    lambda: self._people.set_role(circle.circle_id, member.user_id, event.value)
                ),
            )
            chosen.props("outlined dense options-dense").classes("w-52")
            if member.user_id not in (user, circle.head):
                self._remove_button(circle, member)

    def _remove_button(self, circle: Circle, member: Member) -> None:
        words = self._visit.words
        label = words("profile.remove", user=member.user_id)

        async def go() -> None:
            if await self._is_sure(words("profile.remove_sure", user=member.user_id)):
                await self._do(lambda: self._people.remove(circle.circle_id, member.user_id))

        button = ui.button(icon="person_remove", on_click=go).props("flat round dense")
        button.props["aria-label"] = label
        button.tooltip(label)

    def _invite(self, circle: Circle, roles: list[str]) -> None:
        words = self._visit.words
        with ui.row().classes("w-full items-start gap-2"):
            who = ui.input(words("profile.user_id")).props("outlined dense maxlength=200")
            who.classes("flex-1 min-w-40")
            role = ui.select(
                {one: self._role(one) for one in roles}, value=PARENT, label=words("profile.role")
            ).props("outlined dense options-dense")
            role.classes("w-36")

            async def invite() -> None:
                user = str(who.value or "").strip()
                if not user:
                    who.run_method("focus")
                    return
                await self._visit.away_for_long(
                    self._people.invite, circle.circle_id, user, role.value
                )
                who.set_value("")
                ui.notify(words("profile.invited", user=user), type="positive")

            button = ui.button(words("profile.invite"), icon="person_add", on_click=invite)
            button.props("outline no-caps").classes("h-10")

    def _invitation(self, invitation: Invitation) -> None:
        words, circle_id = self._visit.words, invitation.circle_id
        user = self._visit.memory.user_id
        with ui.row().classes("document-hint items-center gap-2 w-full p-3"):
            said = words(
                "profile.invitation",
                head=invitation.head,
                household=invitation.name,
                role=self._role(invitation.role),
            )
            ui.label(said).classes("flex-1 min-w-48 break-words")
            decline = ui.button(
                words("profile.decline"),
                on_click=lambda: self._do(lambda: self._people.remove(circle_id, user)),
            )
            decline.props("flat no-caps")
            join = ui.button(
                words("profile.join"),
                on_click=lambda: self._do(lambda: self._people.join(circle_id)),
            )
            join.props("unelevated no-caps")

    def _role(self, role: str) -> str:
        return self._visit.words(f"profile.role_{role}") if role in _KNOWN_ROLES else role

    async def _do(self, call: Callable[[], object]) -> None:
        await self._visit.away_for_long(call)
        ui.navigate.reload()

    async def _is_sure(self, title: str) -> bool:
        words = self._visit.words
        with question(title) as dialog:
            ui.label(words("profile.hides")).classes("muted")
            with ui.row().classes("w-full justify-end gap-2"):
                cancel = ui.button(words("frame.cancel"), on_click=lambda: dialog.submit(False))
                cancel.props("flat no-caps")
                go_on = ui.button(words("profile.sure"), on_click=lambda: dialog.submit(True))
                go_on.props("outline no-caps color=negative")
        return bool(await answer_to(dialog))
