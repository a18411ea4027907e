"""Bringing in a file on the page: choose it, watch it come in, read what came of it."""

import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, Literal

from nicegui import ui
from nicegui.elements.upload_files import FileUpload
from nicegui.events import UploadEventArguments

from chatmem.engine.importing import FORMATS, Format, ImportReport, Note, import_file
from chatmem.errors import ImportFormatError, StorageError
from chatmem.interfaces.web.visit import Visit
from chatmem.interfaces.web.widgets import button, complain, hint, named, redrawn
from chatmem.interfaces.web.words import Words

_LOOK_SECONDS: Final = 0.2
_ACCEPTED: Final = ".jsonl,.json,.md,.markdown,.txt,.zip,.xz"


class ProgressBar:
    """A labelled bar that says how far a piece of work is, and is hidden at other times."""

    def __init__(self, visit: Visit) -> None:
        self._words = visit.words
        self._done = self._total = 0
        with ui.column().classes("w-full gap-1").props("aria-live=polite") as self._box:
            self._label = hint("")
            self._bar = ui.linear_progress(value=0, show_value=False).classes("w-full")
        self._box.visible = False
        self._timer = ui.timer(_LOOK_SECONDS, self._look, active=False)

    @contextmanager
    def during(self, work: str, *buttons: ui.button) -> Iterator[None]:
        """Show the bar while the block runs; these buttons cannot be pressed meanwhile."""
        for one in buttons:
            one.disable()
        self._done = self._total = 0
        named(self._bar, work)
        self._label.set_text(work)
        self._bar.value = 0
        self._box.visible = True
        self._timer.activate()
        try:
            yield
        finally:
            if not self._box.is_deleted:  # it is when the window was closed
                self._timer.deactivate()
                self._box.visible = False
                for one in buttons:
                    one.enable()

    def note(self, done: int, total: int) -> None:
        """The work got so far; it says so in its own thread."""
        self._done, self._total = done, total

    def _look(self) -> None:
        if self._total:
            self._bar.value = self._done / self._total
            text = self._words("settings.progress", done=self._done, total=self._total)
            self._label.set_text(text)


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
        words = visit.words
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
        self._bar = ProgressBar(visit)
        self._report = ui.column().classes("w-full gap-1").props("aria-live=polite")

    async def _take(self, event: UploadEventArguments) -> None:
        words, name = self._visit.words, event.file.name
        self._report.clear()
        report = None
        with self._bar.during(words("settings.reading", file=name), self._button):
            try:
                report = await self._bring_in(event.file)
            except (ImportFormatError, StorageError) as error:
                if not self._report.is_deleted:
                    with self._report:
                        complain(words, error)
        if self._report.is_deleted:  # the person has left; what was brought in stays
            return
        self._upload.reset()
        if report is not None:
            self._show(name, report)
            if self._on_done is not None:
                await self._on_done(report)

    def _refuse(self) -> None:
        with redrawn(self._report):
            message = self._visit.words("settings.rejected", kinds=_ACCEPTED.replace(",", " "))
            ui.label(message).classes("field-error break-words").props("role=alert")

    async def _bring_in(self, file: FileUpload) -> ImportReport:
        """Import the file, from a temporary copy under its own name."""
        chosen: Format | Literal["auto"] = self._format.value
        with tempfile.TemporaryDirectory(prefix="chatmem-") as folder:
            path = Path(folder) / (file.name or "import")
            await file.save(path)
            return await self._visit.run_slow(
                import_file, self._visit.memory, path, format=chosen, progress=self._bar.note
            )

    def _show(self, name: str, report: ImportReport) -> None:
        words = self._visit.words
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
            for note, count in report.notes.items():
                hint(words("settings.noted", note=_noted(words, note), count=f"{count:,}"))
            if report.messages:
                hint(words("settings.extracting"))
        ui.notify(words("settings.import_done"), type="positive")


def _noted(words: Words, note: str) -> str:
    """A note on the import in the visitor's language; an unknown one as it is."""
    known = next((one for one in Note if one == note), None)
    return words(f"settings.note_{known.name.lower()}") if known else note
