"""The meter of MEMORY.md: how long it is, and how much of that reaches a prompt.

Source: S5.6.1, S5.9.1.
"""

from nicegui import ui

from chatmem.engine.remember.markdown import MainReach
from chatmem.interfaces.web.views.section import section
from chatmem.interfaces.web.visit import Visit
from chatmem.text.language import Language

WHOLE = 100.0


class BudgetMeter:
    """A card with a bar: what reaches a prompt, what does not, and how much room there is."""

    def __init__(self, visit: Visit) -> None:
        self._visit = visit
        words = visit.words
        with section(words("memory.budget"), "data_usage"):
            with ui.element("div").classes("budget-track") as self._track:
                self._used = ui.element("div").classes("budget-used")
                self._rest = ui.element("div").classes("budget-rest")
                self._mark = ui.element("div").classes("budget-mark")
            self._track.props("role=meter aria-valuemin=0")
            self._track.props["aria-label"] = words("memory.budget")
            self._size = ui.label().classes("font-medium")
            self._reach = ui.label().classes("muted text-sm")
            self._full = ui.label().classes("budget-full text-sm")

    async def weigh(self, text: str) -> None:
        """Show how much of this text would reach a prompt."""
        language: Language = "en" if self._visit.language == "en" else "zh"
        reach = await self._visit.away(self._visit.memory.main.reach, text, language)
        self._show(reach)

    def _show(self, reach: MainReach) -> None:
        words = self._visit.words
        is_whole = reach.shown == reach.memories and reach.tokens <= reach.most_shown
        taken = reach.tokens if is_whole else min(reach.shown_tokens, reach.tokens)
        scale = max(reach.most, reach.tokens, 1)
        self._used.style(f"width: {WHOLE * taken / scale:.2f}%")
        self._rest.style(f"width: {WHOLE * (reach.tokens - taken) / scale:.2f}%")
        self._mark.style(f"left: {WHOLE * min(reach.most_shown, scale) / scale:.2f}%")
        size = words("memory.budget_size", tokens=f"{reach.tokens:,}", most=f"{reach.most:,}")
        self._size.set_text(size)
        values = {
            "shown": f"{reach.shown:,}",
            "memories": f"{reach.memories:,}",
            "tokens": f"{reach.shown_tokens:,}",
            "most": f"{reach.most_shown:,}",
        }
        name = "empty" if not reach.tokens else "whole" if is_whole else "part"
        said = words(f"memory.budget_{name}", **values)
        self._reach.set_text(said)
        over = reach.tokens > reach.most
        self._full.set_visibility(over)
        self._full.set_text(words("memory.budget_full") if over else "")
        self._track.props(f"aria-valuenow={reach.tokens} aria-valuemax={scale}")
        self._track.props["aria-valuetext"] = f"{size}. {said}"
