"""The profiles: what every prompt says of the user, and of the household they live in.

Source: S2.2.1, S2.2.2; decisions 6.
"""

from fastapi import Request
from nicegui import ui

from chatmem.interfaces.web.views.document import DocumentEditor, Source
from chatmem.interfaces.web.views.profile_household import HouseholdCard
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit
from chatmem.model import ProfileName
from chatmem.storage.documents.places import HOUSEHOLD, PROFILE

SETTING = "memory.enable_user_profile"
_FILES: dict[ProfileName, str] = {"user": PROFILE, "household": HOUSEHOLD}


async def show(visit: Visit, request: Request) -> None:
    """USER.md, who lives in the household, and HOUSEHOLD.md."""
    words = visit.words
    with section("USER.md", "person"):
        ui.label(words("profile.user_about")).classes("muted text-sm -mt-2")
        settings = await visit.away(visit.memory.config.get)
        if not settings[SETTING]:
            ui.label(words("profile.user_off")).classes("document-hint p-3 w-full")
        await _editor(visit, "user", writable=True)
    household = HouseholdCard(visit)
    await household.build()
    await _household(visit)


async def _household(visit: Visit) -> None:
    words = visit.words
    place = await visit.away(visit.memory.profiles.place, "household")
    with section("HOUSEHOLD.md", "home"):
        if not place.reads:
            ui.label(words("profile.household_hidden")).classes("muted")
            return
        name = "about" if place.writes else "read_only"
        ui.label(words(f"profile.household_{name}", head=place.head or "")).classes(
            "muted text-sm -mt-2 break-words"
        )
        await _editor(visit, "household", writable=place.writes)


async def _editor(visit: Visit, name: ProfileName, *, writable: bool) -> None:
    profiles = visit.memory.profiles
    source = Source(
        _FILES[name],
        lambda: profiles.read(name),
        lambda text, etag: profiles.write(name, text, etag),
    )
    start = await visit.away(profiles.read, name)
    DocumentEditor(visit, source, start, writable=writable)
