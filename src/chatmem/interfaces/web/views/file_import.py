"""Bringing in a file on the page: choose it, watch it come in, read what came of it."""

import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from nicegui import ui
from nicegui.events import UploadEventArguments

from chatmem.engine.importing import FORMATS, ImportReport, Note, import_file
from chatmem.errors import ImportFormatError, StorageError
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button, complain, hint, named, redrawn
from chatmem.interfaces.web.words import words

_ACCEPTED: Final = ".jsonl,.json,.md,.markdown,.txt,.zip,.xz"


class ProgressBar:
    """A labelled bar that says how far a piece of work is, and is hidden at other times."""

    def __init__(self) -> None:
        self.text, self.share = "", 0.0
        with ui.column().classes("w-full gap-1").props("aria-live=polite") as self._box:
            hint("").bind_text_from(self, "text")
            self._bar = ui.linear_progress(show_value=False).bind_value_from(self, "share")
        self._bar.classes("w-full")
        self._box.visible = False

    @contextmanager
    def during(self, work: str, *buttons: ui.button) -> Iterator[None]:
        """Show the bar while the block runs; these buttons cannot be pressed meanwhile."""
        for one in buttons:
            one.disable()
        self.text, self.share = work, 0.0
        named(self._bar, work)
        self._box.visible = True
        try:
            yield
        finally:
            if not self._box.is_deleted:  # it is when the window was closed
                self._box.visible = False
                for one in buttons:
                    one.enable()

    def note(self, done: int, total: int) -> None:
        """The work got so far; it says so in its own thread."""
        if total:
            self.share = done / total
            self.text = words("settings.progress", done=done, total=total)


def _dropping(upload: int) -> dict[str, str]:
    """JavaScript handlers by event, which hand a dropped file to the upload."""
    mark = "e.currentTarget.classList.toggle('import-over', %s)"
    over = f"(e) => {{ e.preventDefault(); {mark % 'true'}; }}"
    return {
        "dragenter": over,
        "dragover": over,
        "dragleave": "(e) => { if (!e.currentTarget.contains(e.relatedTarget)) "
        f"{mark % 'false'}; }}",
        "drop": f"(e) => {{ e.preventDefault(); {mark % 'false'}; "
        f"getElement({upload}).$refs.qRef.addFiles(e.dataTransfer.files); }}",
    }


class ImportPanel:
    """A file chooser, the formats there are, a progress bar and a report."""

    def __init__(
        self, visit: Visit, on_done: Callable[[ImportReport], Awaitable[None]] | None = None
    ) -> None:
        self._visit = visit
        self._on_done = on_done
        formats = {"auto": words("settings.format_auto")}
        formats |= {name: words.get(f"settings.format_{name}", name) for name in FORMATS}
        with ui.row().classes("w-full items-center gap-3 import-place") as place:
            label = words("settings.format")
            self._format = ui.select(formats, value="auto", label=label).classes("w-64 max-w-full")
            self._format.props("outlined dense")
            self._upload = ui.upload(on_upload=self._take, auto_upload=True).classes("hidden")
            self._upload.props(f'accept="{_ACCEPTED}"')
            self._button = button(words("settings.choose_file"), icon="upload_file")
            pick = f"() => getElement({self._upload.id}).$refs.qRef.pickFiles()"
            self._button.on("click", js_handler=pick)
            hint(words("settings.drop_here"), "import-drop")
        for event, handler in _dropping(self._upload.id).items():
            place.on(event, js_handler=handler)
        self._upload.on("rejected", self._refuse)
        self._bar = ProgressBar()
        self._report = ui.column().classes("w-full gap-1").props("aria-live=polite")

    async def _take(self, event: UploadEventArguments) -> None:
        """Import the file, from a temporary copy under its own name."""
        name = event.file.name
        self._report.clear()
        report = None
        with self._bar.during(words("settings.reading", file=name), self._button):
            try:
                with tempfile.TemporaryDirectory(prefix="chatmem-") as folder:
                    path = Path(folder) / (name or "import")
                    await event.file.save(path)
                    report = await self._visit.run_slow(
                        import_file,
                        self._visit.memory,
                        path,
                        format=self._format.value,
                        progress=self._bar.note,
                    )
            except (ImportFormatError, StorageError) as error:
                if not self._report.is_deleted:
                    with self._report:
                        complain(error)
        if self._report.is_deleted:  # the person has left; what was brought in stays
            return
        self._upload.reset()
        if report is not None:
            self._show(name, report)
            if self._on_done is not None:
                await self._on_done(report)

    def _refuse(self) -> None:
        with redrawn(self._report):
            message = words("settings.rejected", kinds=_ACCEPTED.replace(",", " "))
            ui.label(message).classes("field-error break-words").props("role=alert")

    def _show(self, name: str, report: ImportReport) -> None:
        known = report.messages_known + report.memories_known
        with self._report:
            ui.label(
                words(
                    "settings.imported",
                    file=name,
                    messages=report.messages,
                    memories=report.memories,
                    sessions=report.sessions,
                )
            ).classes("break-words")
            if known:
                hint(words("settings.known", count=known))
            known_notes = {one.value: f"settings.note_{one.name.lower()}" for one in Note}
            for note, count in report.notes.items():
                text = words.get(known_notes.get(note, ""), note)
                hint(words("settings.noted", note=text, count=f"{count:,}"))
            if report.messages:
                hint(words("settings.extracting"))
        ui.notify(words("settings.import_done"), type="positive")
