"""Overview: how much is remembered and how it grew, what is under way, and what works."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import accumulate
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from fastapi import Request
from nicegui import ui

from chatmem.chat.pipeline import find_local_servers
from chatmem.engine.diagnosis import Stats
from chatmem.engine.service import MemoryService
from chatmem.errors import ProviderError, SessionNotFoundError
from chatmem.interfaces.web import widgets
from chatmem.interfaces.web.visit import Visit, session_address
from chatmem.interfaces.web.words import missing_of, words
from chatmem.model import CATEGORIES, GrowthDay, JobReport, MemoryFilter, Missing

Works: TypeAlias = Literal["yes", "no", "off"]
_ICONS: Final[Mapping[Works, str]] = {
    "yes": "check_circle",
    "no": "error",
    "off": "remove_circle_outline",
}
_MIB: Final = 1024 * 1024
_LOOK_SECONDS: Final = 3.0
_LISTED: Final = 200
_ROWS: Final = 8
_ALL_DAYS: Final = 3_650
_OTHER: Final = "other"
"""Stands for memories without a category."""
_BARS: Final = (*CATEGORIES, _OTHER)
_PALETTE: Final = ("#db2777", "#0d9488", "#6366f1", "#a16207", "#be123c", "#4d7c0f")
_COLOURS: Final[dict[str, str]] = {
    **dict(zip(CATEGORIES, _PALETTE, strict=False)),
    _OTHER: "#94a3b8",
    "turns": "#0369a1",
    "so_far": "#d97706",
}
_MUTED, _LINE, _SURFACE, _TEXT = (
    f"getComputedStyle(document.body).getPropertyValue('--{name}').trim()"
    for name in ("muted", "line", "surface", "text")
)


async def show(visit: Visit, request: Request) -> None:
    """The view."""
    stats = await visit.run(visit.memory.stats)
    categories = await visit.run(category_counts, visit.memory)
    counts = {one: f"{getattr(stats, one):,}" for one in ("long_term", "messages", "sessions")}
    counts["size"] = words("overview.mib", size=f"{stats.database_bytes / _MIB:.1f}")
    widgets.facts(((words(f"overview.{name}"), value) for name, value in counts.items()), "tiles")
    with widgets.section(words("overview.growth"), "trending_up"):
        await GrowthPanel(visit).load()
    with ui.element("div").classes("overview-pairs w-full"):
        with ui.column().classes("w-full gap-4"):
            with widgets.section(words("overview.categories"), "category"):
                category_bars(categories)
            with widgets.section(words("overview.works"), "verified"):
                await _works_panel(visit, stats)
        with widgets.section(words("overview.queue"), "pending_actions"):
            await QueuePanel(visit).load()


async def _works_panel(visit: Visit, stats: Stats) -> None:
    health = await visit.run(visit.memory.health)
    settings = (await visit.run(lambda: visit.memory.settings)).memory
    lacking = {one.what: one for one in (*health.degraded, *stats.missing)}
    reasons = {name: str(missing_of(one)) for name, one in lacking.items()}
    vectors = reasons.get("vectors") or reasons.get("embedder") or stats.embedder or ""
    found: list[tuple[str, Works, str]] = [
        ("database", "yes" if health.can_serve else "no", ""),
        ("full_text", _works(lacking, "full_text"), reasons.get("full_text", "")),
        ("vectors", _works(lacking, "vectors", "embedder"), vectors),
    ]
    found += [(name, "no", reasons[name]) for name in ("indexer", "settings") if name in reasons]
    for name, is_on in (("memory", settings.enabled), ("extraction", settings.auto_extract)):
        state = words("overview.on" if is_on else "overview.off")
        found.append((name, "yes" if is_on else "off", state))
    with ui.element("ul").classes("works w-full"):
        for name, works, detail in found:
            with ui.element("li").classes("works-item"):
                _item(words(f"overview.works_{name}"), works, detail)
        with ui.element("li").classes("works-item") as model:
            ui.label(words("overview.looking")).classes("muted")
    checks = ui.column().classes("works-checks w-full")

    async def look() -> None:
        works, detail = await visit.run_slow(_model, visit)
        with widgets.redrawn(model):
            _item(words("overview.works_model"), works, detail)

    async def check() -> None:
        """Everything that `chatmem doctor` looks at; details, which are English, only of faults."""
        asks.disable()
        try:
            findings = await visit.run_slow(visit.memory.diagnose)
        finally:
            asks.enable()
        with widgets.redrawn(checks):
            for one in widgets.listed(findings, "works w-full", each="works-item"):
                title = words.get(f"overview.found_{one.name.replace(' ', '_')}", one.name)
                is_said = not one.ok or words.language == "en"
                _item(title, "yes" if one.ok else "no", one.detail if is_said else "")

    ui.timer(0.1, look, once=True)
    asks = widgets.button(
        words("overview.check"), check, icon="health_and_safety", look="flat", dense=True
    )


def _works(lacking: Mapping[str, Missing], *names: str) -> Works:
    """Whether it works; "off" where somebody has switched it off."""
    found = [lacking[name] for name in names if name in lacking]
    if not found:
        return "yes"
    return "off" if all(one.code == "off" for one in found) else "no"


def _item(title: str, works: Works, detail: str) -> None:
    ui.icon(_ICONS[works], size="sm").classes(f"works-{works}").props("aria-hidden=true")
    with ui.column().classes("gap-0 min-w-0"):
        ui.label(title)
        if detail:
            widgets.hint(detail)


def _model(visit: Visit) -> tuple[Works, str]:
    """Whether a model is configured, and which; else what runs on this machine."""
    llm = visit.memory.settings.llm
    if llm.model and llm.base_url:
        return "yes", llm.model
    try:
        servers = find_local_servers()
    except ProviderError:
        servers = []
    if not servers:
        return "off", words("overview.model_none")
    names = "; ".join(f"{one.name}: {', '.join(one.models[:3])}" for one in servers)
    return "off", words("overview.model_found", names=names)


class _Queue(NamedTuple):
    failed: list[JobReport]
    waiting: list[JobReport]
    vectors: int
    titles: Mapping[str, str]


class QueuePanel:
    """Background work, looked at again every few seconds; what was given up can be tried again."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._drawn: _Queue | None = None
        self._place = ui.column().classes("w-full gap-3")
        ui.timer(_LOOK_SECONDS, self.load, immediate=False)

    async def load(self) -> None:
        """Show what waits now; where nothing has changed, nothing is drawn again."""
        found = await self._visit.run(self._look)
        if found == self._drawn:
            return
        self._drawn = found
        with widgets.redrawn(self._place):
            self._show(found)

    def _look(self) -> _Queue:
        memory = self._visit.memory
        jobs = memory.jobs.list(_LISTED)
        failed = [job for job in jobs if job.state == "failed"]
        waiting = [job for job in jobs if job.state != "failed"]
        # Without a model for them, no vectors are made: nothing waits then.
        has_model = memory.settings.embedder.name != "none"
        vectors = memory.health().waiting_for_vectors if has_model else 0
        titles = {}
        for session_id in {job.session_id for job in [*failed[:_ROWS], *waiting[:_ROWS]]}:
            if session_id:
                titles[session_id] = session_id
                with suppress(SessionNotFoundError):
                    titles[session_id] = memory.sessions.get(session_id).title or session_id
        return _Queue(failed, waiting, vectors, titles)

    def _show(self, queue: _Queue) -> None:
        failed, waiting = queue.failed, queue.waiting
        if not (failed or waiting or queue.vectors):
            ui.label(words("overview.idle")).classes("muted")
            return
        with ui.row().classes("w-full gap-x-5 gap-y-1"):
            for name, count in (("jobs", len(waiting)), ("vectors_wait", queue.vectors)):
                if count:
                    ui.label(words.counted(f"overview.{name}", count))
            if failed:
                ui.label(words.counted("overview.failed", len(failed))).classes("field-error")
        for job in failed[:_ROWS]:
            self._failure(job, queue.titles)
        if waiting:
            for job in widgets.listed(waiting[:_ROWS], "job-list w-full", each=""):
                self._waiting(job, queue.titles)
        left = max(0, len(failed) - _ROWS) + max(0, len(waiting) - _ROWS)
        if left:
            widgets.hint(words("overview.more_jobs", count=left))

    def _failure(self, job: JobReport, titles: Mapping[str, str]) -> None:
        jobs = self._visit.memory.jobs
        what = words(f"overview.job_{job.kind}")
        if job.session_id:
            what = f"{what} · {titles[job.session_id]}"
        with ui.element("div").classes("job-failed w-full"):
            with ui.row().classes("w-full items-center gap-2"):
                ui.label(what).classes("font-medium break-words grow min-w-0")
                for name, icon, call in (
                    ("retry", "replay", jobs.retry),
                    ("discard", "close", jobs.discard),
                ):
                    do = partial(self._do, call, job.number, name)
                    deed = widgets.button(words(f"overview.{name}"), do, icon=icon, dense=True)
                    deed.props("size=sm padding='2px 8px'")
                    widgets.named(deed, words(f"overview.{name}_one", what=what))
            detail = words("overview.attempts", count=job.attempts)
            widgets.hint(f"{detail}: {job.error}" if job.error else detail)

    def _waiting(self, job: JobReport, titles: Mapping[str, str]) -> None:
        with ui.row().classes("items-center gap-x-2 gap-y-0 w-full"):
            widgets.decoration("autorenew" if job.state == "running" else "schedule")
            ui.label(words(f"overview.job_{job.kind}"))
            if job.session_id:
                link = ui.link(titles[job.session_id], session_address(job.session_id))
                link.classes("frame-link").style("overflow-wrap: anywhere")
            state = words(f"overview.state_{job.state}")
            ui.label(f"{state} · {words.moment(job.due_at)}").classes("muted text-xs")

    async def _do(self, call: Callable[[int], None], number: int, name: str) -> None:
        await self._visit.carry_out(partial(call, number), f"overview.{name}_done")
        await self.load()


class GrowthPanel:
    """A plot of what was stored on each day and of all there was by then."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        self._days: list[GrowthDay] = []
        spans = {days: words("overview.days", days=days) for days in (30, 90, 365)}
        whats = {what: words(f"overview.{what}") for what in ("memories", "messages")}
        with ui.row().classes("gap-3"):
            self._what = self._choice(whats, "memories", words("overview.what"))
            self._span = self._choice(spans, 90, words("overview.span"))
        self._place = ui.column().classes("w-full gap-2")

    async def load(self) -> None:
        """Read what was stored, and show the chosen span of it."""
        self._days = await self._visit.run(self._visit.memory.growth, _ALL_DAYS)
        self._show()

    def _choice(self, options: dict[Any, str], value: object, name: str) -> ui.toggle:
        made = widgets.toggle(options, value, "dense padding='2px 12px' role=group")
        return widgets.named(made, name).on_value_change(self._show)

    def _show(self) -> None:
        span = int(self._span.value)
        names = _BARS if self._what.value == "memories" else ("turns",)
        days = self._days[-span:]
        before = sum(_of_day(day, names) for day in self._days[:-span])
        with widgets.redrawn(self._place):
            memories = sum(day.long_term for day in days)
            messages = sum(day.turns for day in days)
            name = "grew" if memories or messages else "grew_not"
            said = {"memories": f"{memories:,}", "messages": f"{messages:,}"}
            message = words(f"overview.{name}", days=len(days), **said)
            if any(_of_day(day, names) for day in days):
                plot = ui.echart(_options(days, names, before), renderer="svg")
                widgets.named(plot, message).props("role=img").classes("w-full h-64")
            widgets.hint(message)


def _of_day(day: GrowthDay, names: Sequence[str]) -> int:
    counts: dict[str, int] = {name or _OTHER: count for name, count in day.by_category.items()}
    counts["turns"] = day.turns
    return sum(counts.get(name, 0) for name in names)


def _label(name: str) -> str:
    return words(f"card.category_{name}" if name in CATEGORIES else f"overview.category_{name}")


def _options(days: Sequence[GrowthDay], names: Sequence[str], before: int) -> dict[str, Any]:
    """The plot: a day's counts as stacked bars, their sum as a line."""

    def series(name: str, label: str, data: list[int], **look: object) -> dict[str, Any]:
        return {"name": label, "data": data, "itemStyle": {"color": _COLOURS[name]}, **look}

    columns = {name: [_of_day(day, (name,)) for day in days] for name in names}
    bars = [
        series(name, _label(name), data, type="bar", stack="day", barMinWidth=2)
        for name, data in columns.items()
        if any(data)
    ]
    sums = list(accumulate((_of_day(day, names) for day in days), initial=before))[1:]
    line = series(
        "so_far", words("overview.so_far"), sums,
        type="line", yAxisIndex=1, showSymbol=False, symbol="circle", lineStyle={"width": 2},
    )  # fmt: skip
    return {
        "animation": False,
        "grid": {"left": 44, "right": 52, "top": 56, "bottom": 28},
        "legend": {"top": 0, "left": 0, "type": "scroll", "textStyle": {":color": _MUTED}},
        "tooltip": {
            "trigger": "axis",
            "renderMode": "richText",
            ":backgroundColor": _SURFACE,
            ":borderColor": _LINE,
            "textStyle": {":color": _TEXT},
        },
        "xAxis": {
            "type": "category",
            "data": [words.short_day(day.day) for day in days],
            "axisLabel": {":color": _MUTED, "hideOverlap": True},
            "axisLine": {"lineStyle": {":color": _LINE}},
            "axisTick": {"show": False},
        },
        "yAxis": [
            _axis(words("overview.a_day"), "left", has_lines=True),
            _axis(words("overview.so_far"), "right", has_lines=False),
        ],
        "series": [*bars, line],
    }


def _axis(name: str, place: str, *, has_lines: bool) -> dict[str, Any]:
    return {
        "type": "value",
        "name": name,
        "nameTextStyle": {":color": _MUTED, "align": place},
        "position": place,
        "minInterval": 1,
        "axisLabel": {":color": _MUTED},
        "splitLine": {"show": has_lines, "lineStyle": {":color": _LINE}},
    }


def category_counts(memory: MemoryService) -> dict[str, int]:
    """How many valid long-term memories there are by category; `other` have none."""
    every = memory.browse(MemoryFilter(memory_type="long_term"), limit=0).total
    counts: dict[str, int] = {
        one: memory.browse(MemoryFilter(memory_type="long_term", category=one), limit=0).total
        for one in CATEGORIES
    }
    other = every - sum(counts.values())
    return counts | {_OTHER: other} if other > 0 else counts


def category_bars(counts: Mapping[str, int]) -> None:
    """A bar for each category."""
    most = max(counts.values())
    if not most:
        ui.label(words("overview.no_memories")).classes("muted")
        return
    with ui.element("dl").classes("bars w-full m-0"):
        for name, count in counts.items():
            with ui.element("dt"):
                ui.label(_label(name))
            with ui.element("dd").classes("m-0"):
                with ui.element("div").classes("bar").props("aria-hidden=true"):
                    width = 100 * count / most
                    ui.element("div").style(f"width: {width:.1f}%; background: {_COLOURS[name]}")
                ui.label(f"{count:,}").classes("bar-number")
