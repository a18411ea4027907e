"""What works: search by words and by meaning, the models, the settings, the files."""

from collections.abc import Iterable
from typing import Final

from nicegui import ui

from chatmem.chat.discover import LocalServer, find_local_servers
from chatmem.engine.diagnosis import Finding, Stats
from chatmem.engine.health import Health
from chatmem.errors import ProviderError
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.waiting import away_for_long
from chatmem.interfaces.web.words import Words

_ICONS: Final = {"yes": "check_circle", "no": "error", "off": "remove_circle_outline"}


async def works_panel(visit: Visit, stats: Stats) -> None:
    """What works now; the rest of it is looked at on request, or once the page is there."""
    words = visit.words
    health = await visit.away(visit.memory.health)
    settings = (await visit.away(lambda: visit.memory.settings)).memory
    reasons = {one.what: one.why for one in (*health.degraded, *stats.missing)}
    with ui.element("ul").classes("works w-full"):
        _works(words, "database", health.can_serve, "")
        _works(words, "full_text", "full_text" not in reasons, reasons.get("full_text", ""))
        has_vectors = not {"vectors", "embedder"} & set(reasons)
        why = reasons.get("vectors") or reasons.get("embedder") or stats.embedder or ""
        _works(words, "vectors", has_vectors, why)
        _of_health(words, health)
        _works(words, "memory", settings.enabled, "", is_choice=True)
        _works(words, "extraction", settings.auto_extract, "", is_choice=True)
        model = ui.element("li").classes("works-item")
    with model:
        ui.label(words("overview.looking")).classes("muted")

    async def look() -> None:
        state, told = await away_for_long(visit, _model, visit)
        model.clear()
        with model:
            _item(words("overview.works_model"), state, told)

    ui.timer(0.1, look, once=True)
    _checks(visit)


def _of_health(words: Words, health: Health) -> None:
    for one in health.degraded:
        if one.what in ("indexer", "settings"):
            _works(words, one.what, False, one.why)


def _works(words: Words, name: str, well: bool, told: str, *, is_choice: bool = False) -> None:
    with ui.element("li").classes("works-item"):
        state = "yes" if well else "off" if is_choice else "no"
        if is_choice:
            told = words("overview.on" if well else "overview.off")
        _item(words(f"overview.works_{name}"), state, told)


def _item(title: str, state: str, told: str) -> None:
    ui.icon(_ICONS[state], size="sm").classes(f"works-{state}").props("aria-hidden=true")
    with ui.column().classes("gap-0 min-w-0"):
        ui.label(title)
        if told:
            ui.label(told).classes("muted text-sm break-words")


def _model(visit: Visit) -> tuple[str, str]:
    """Whether there is a model, and which; only this machine is asked."""
    words = visit.words
    llm = visit.memory.settings.llm
    if llm.model and llm.base_url:
        return "yes", llm.model
    try:
        found = find_local_servers()
    except ProviderError:
        found = []
    if found:
        return "off", words("overview.model_found", names=_names(found))
    return "off", words("overview.model_none")


def _names(servers: Iterable[LocalServer]) -> str:
    return "; ".join(f"{one.name}: {', '.join(one.models[:3])}" for one in servers)


def _checks(visit: Visit) -> None:
    """Everything that `chatmem doctor` looks at."""
    words = visit.words
    place = ui.element("ul").classes("works w-full")

    async def check() -> None:
        button.disable()
        try:
            found: list[Finding] = await away_for_long(visit, visit.memory.diagnose)
        finally:
            button.enable()
        place.clear()
        with place:
            for one in found:
                with ui.element("li").classes("works-item"):
                    _item(one.name, "yes" if one.ok else "no", one.detail)

    button = ui.button(words("overview.check"), icon="health_and_safety", on_click=check)
    button.props("flat dense no-caps")
