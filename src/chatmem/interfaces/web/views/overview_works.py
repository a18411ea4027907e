"""What works: search by words and by meaning, the models, the settings, the files."""

from collections.abc import Iterable, Mapping
from typing import Final, Literal, TypeAlias

from nicegui import ui

from chatmem.chat.discover import LocalServer, find_local_servers
from chatmem.engine.diagnosis import Finding, Stats
from chatmem.errors import ProviderError
from chatmem.interfaces.web.complaint import missing_of
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.waiting import away_for_long
from chatmem.interfaces.web.words import Words
from chatmem.model import Missing

State: TypeAlias = Literal["yes", "no", "off"]
_ICONS: Final[Mapping[State, str]] = {
    "yes": "check_circle",
    "no": "error",
    "off": "remove_circle_outline",
}


async def works_panel(visit: Visit, stats: Stats) -> None:
    """What works now; the rest of it is looked at on request, or once the page is there."""
    words = visit.words
    health = await visit.away(visit.memory.health)
    settings = (await visit.away(lambda: visit.memory.settings)).memory
    lacking = {one.what: one for one in (*health.degraded, *stats.missing)}
    reasons = {name: str(missing_of(words, one)) for name, one in lacking.items()}
    with ui.element("ul").classes("works w-full"):
        _works(words, "database", "yes" if health.can_serve else "no", "")
        _works(words, "full_text", _state(lacking, "full_text"), reasons.get("full_text", ""))
        told = reasons.get("vectors") or reasons.get("embedder") or stats.embedder or ""
        _works(words, "vectors", _state(lacking, "vectors", "embedder"), told)
        for name in ("indexer", "settings"):
            if name in reasons:
                _works(words, name, "no", reasons[name])
        for name, is_on in (("memory", settings.enabled), ("extraction", settings.auto_extract)):
            state: State = "yes" if is_on else "off"
            _works(words, name, state, words("overview.on" if is_on else "overview.off"))
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


def _state(lacking: Mapping[str, Missing], *names: str) -> State:
    """Whether it works; what somebody has switched off is no fault."""
    found = [lacking[name] for name in names if name in lacking]
    if not found:
        return "yes"
    return "off" if all(one.code == "off" for one in found) else "no"


def _works(words: Words, name: str, state: State, told: str) -> None:
    with ui.element("li").classes("works-item"):
        _item(words(f"overview.works_{name}"), state, told)


def _item(title: str, state: State, told: str) -> None:
    ui.icon(_ICONS[state], size="sm").classes(f"works-{state}").props("aria-hidden=true")
    with ui.column().classes("gap-0 min-w-0"):
        ui.label(title)
        if told:
            ui.label(told).classes("muted text-sm break-words")


def _model(visit: Visit) -> tuple[State, str]:
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
    place = ui.element("ul").classes("works works-checks w-full")

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
                    _finding(words, one)

    button = ui.button(words("overview.check"), icon="health_and_safety", on_click=check)
    button.props("flat dense no-caps")


def _finding(words: Words, finding: Finding) -> None:
    """What was looked at. The details are the engine's own, in English: elsewhere only faults."""
    try:
        title = words(f"overview.found_{finding.name.replace(' ', '_')}")
    except KeyError:
        title = finding.name
    told = "" if finding.ok and words.language != "en" else finding.detail
    _item(title, "yes" if finding.ok else "no", told)
