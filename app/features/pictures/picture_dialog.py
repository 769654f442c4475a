"""The dialog that exports a picture or prints: fields on the left, a preview on the right."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QPagedPaintDevice
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QWidget,
)
from shiboken6 import isValid

from app.background.actions import Stopped, result, run
from app.background.jobs import Job, Work
from app.background.latest_job import LatestJob
from app.features.pictures.page_preview import PagePreview
from app.features.pictures.picture_form import PictureForm
from app.paper.export import export_work, kind_of, png_size
from app.paper.page_painter import CELL_DETAIL, SCREEN_DOTS_PER_MM
from app.paper.picture_request import (
    KINDS,
    ON_PAPER,
    TABLES,
    WALLS,
    PictureRequest,
    has_walls_at_first,
    make_request,
)
from app.paper.preview import preview
from app.paper.steps import as_work
from app.paper.virtual_table import table_request, table_work
from app.qt_guard import connect, guarded
from app.render.level_of_detail import LABELS_FROM, cell_size
from app.render.overlay_choices import CONTOUR_STEP, differences, kind_of_map, with_differences
from app.render.overlay_options import OVERLAYS
from app.render.renderer import Renderer
from app.render.vector.vector_map import snapshot
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.dialogs.files import choose_file_to_write
from app.widgets.layout.builders import described, lay_out
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import notes_of
from randomizer.model.planes.composite import Composite
from randomizer.model.players_view import players_view
from randomizer.model.problems import ProblemError, Severity, error

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.paper.page_plan import PagePlan
    from app.paper.printing import PrintRun

PREVIEW_SIDE = 420
"""The map in the preview has at most this many pixels a side."""

PREVIEW_DELAY_MS = 150
"""How long after the last change of a field the preview is drawn."""


class PictureDialog(QDialog):
    """Asks how a picture is to be made, and makes it; with ``printing`` on a printer.

    The picture is of the map that is current when the dialog is made, whichever is current later.
    Theme aside it looks as ``renderer`` draws the map, unless another choice is made here.
    """

    reported = Signal(str)
    """A message for the status bar."""

    has_kinds = True
    """Whether the kind of picture can be chosen; else it is a PDF."""

    def __init__(
        self,
        document: MapDocument,
        renderer: Renderer,
        settings: Settings,
        parent: QWidget | None = None,
        *,
        printing: bool = False,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Print")
        self._document = document
        self._open_map = document.current_map
        self._pictures = renderer.pictures
        self._settings = settings
        self._printing = printing
        self._job: Job | PrintRun | None = None
        self._image_job = LatestJob(self)
        self._previewed: object = None
        self._preview_scale = math.inf
        self._preview_timer = QTimer(self, singleShot=True, interval=PREVIEW_DELAY_MS)
        connect(self._preview_timer.timeout, self._draw_preview)
        battlemap = document.battlemap
        self._kind_of_map = kind_of_map(battlemap.system, battlemap.terrain_set)
        # As the desk shows it, since a person sees that; locks are for the work on the desk.
        self._usual_overlays = renderer.overlays.having("locks", ON_PAPER.locks)
        self.form = PictureForm(
            battlemap,
            paged=printing or not self.has_kinds,
            has_key=self.has_kinds and bool(notes_of(battlemap)),
            overlays=self._usual_overlays,
        )
        switched = settings.picture_overlays(self._kind_of_map)
        overlays = with_differences(self._usual_overlays, switched)
        ticked = {name: overlays.shows(name) for name in OVERLAYS}
        contours = {CONTOUR_STEP: overlays.contour_step}
        walls = {WALLS.name: has_walls_at_first(battlemap, document.composite)}
        self.form.show_values({**settings.picture, **walls, **ticked, **contours})
        self.preview = PagePreview()
        self.status = DialogStatus("What will be made")
        self.bar = described(QProgressBar(), "How much is done")
        self.bar.hide()
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.go_button: QPushButton = self.buttons.addButton(
            "&Print..." if printing else "&Export...", QDialogButtonBox.ButtonRole.ActionRole
        )
        self.go_button.setDefault(True)
        self.pdf_button: QPushButton | None = None
        """Writes the pages as a file, where they would be printed."""
        if printing:
            self.pdf_button = self.buttons.addButton(
                "Save as P&DF...", QDialogButtonBox.ButtonRole.ActionRole
            )
            self.pdf_button.setAutoDefault(False)
            connect(self.pdf_button.clicked, self.ask_for_file)
        self.close_button = self.buttons.button(QDialogButtonBox.StandardButton.Close)
        self.close_button.setAutoDefault(False)
        connect(self.go_button.clicked, self.ask)
        connect(self.buttons.rejected, self.reject)
        connect(self.form.changed, self._show_request)
        self._lay_out()
        self._show_request()

    def _lay_out(self) -> None:
        line = lay_out(QHBoxLayout(), (self.form, 3), (self.preview, 4))
        foot = (self.status, self.bar, self.buttons)
        self._middle = lay_out_dialog(self, (line, 1), foot=foot, size=QSize(840, 620))

    @property
    def _composite(self) -> Composite:
        return self._document.composite_of(self._open_map)

    def values(self) -> dict[str, object]:
        """Return what is set, by the names of the settings, to be remembered."""
        return self.form.values()

    # --- what will be made ------------------------------------------------------------------

    @property
    def request(self) -> PictureRequest:
        """The request that the fields make."""
        kind = self.form.kind
        values = self.form.values()
        if kind not in (".svg", ".pdf"):
            values["size"] = None  # it has pixels, and says nothing of millimetres
        request = make_request(
            kind, values, self.form.overlays, pictures=self._pictures, name=self._name()
        )
        if kind in TABLES:
            return table_request(request)
        return request

    def _show_request(self) -> None:
        kind = self.form.kind
        if self.has_kinds and not self._printing:
            is_table = kind in TABLES
            self.setWindowTitle("Export for a virtual table" if is_table else "Export picture")
        plan: PagePlan | None = None
        scale = math.inf  # of pixels it is asked of the request
        try:
            request = self.request
            if kind in (".svg", ".pdf"):
                plan = self.plan(request)
                scale = plan.unit * SCREEN_DOTS_PER_MM
                text = self._text_of(plan)
                if self._has_key_pages(request):
                    text = f"{text}; pages with the key of the notes follow"
            else:
                width, height = png_size(request, *self.shown_map(request))
                text = f"{width:,} x {height:,} pixels"
            if self._lacks_room_for_texts(request, plan):
                cells = cell_words(self._open_map.battlemap.grid.layout).cells
                text = f"{text}; {cells} so small get no texts"
        except ProblemError as reason:
            self.status.say(reason.problems[0].message, Severity.ERROR)
            for button in self._making_buttons:
                button.setEnabled(False)
            self._preview_timer.stop()
            return
        self.status.say(text)
        for button in self._making_buttons:
            button.setEnabled(True)
        self.preview.show_plan(plan if kind == ".pdf" else None)
        drawn_as = (request.theme, request.overlays, request.pixels, scale)
        if drawn_as != self._previewed:
            self._previewed = drawn_as
            self._preview_scale = scale
            self._preview_timer.start()

    def plan(self, request: PictureRequest) -> PagePlan:
        """Return how the map lies on its pages. Raises ProblemError if it does not fit on them."""
        return request.plan(*self.shown_map(request))

    def shown_map(self, request: PictureRequest) -> tuple[BattleMap, Composite]:
        """Return what of the map the picture shows: for players nothing secret."""
        battlemap = self._open_map.battlemap
        if request.overlays.players:
            view = players_view(battlemap)
            if view is not battlemap:
                return view, view.composite()
        return battlemap, self._composite

    def _text_of(self, plan: PagePlan) -> str:
        """Return how the map lies on its pages."""
        layout = self._open_map.battlemap.grid.layout
        count = plan.columns * plan.rows
        pages = counted(count, "page")
        if count > 1:
            pages += f" ({plan.columns} x {plan.rows})"
        return (
            f"{pages}; the map is {plan.width:.0f} x {plan.height:.0f} mm, "
            f"{cell_words(layout).cells} {plan.hex_mm(layout):.1f} mm"
        )

    def _lacks_room_for_texts(self, request: PictureRequest, plan: PagePlan | None) -> bool:
        """Return whether texts are asked for that cells of this size have no room for.

        ``plan`` is how the map lies on paper, None for a picture of pixels.
        """
        if not (request.overlays.labels or request.overlays.names):
            return False
        grid = self._open_map.battlemap.grid
        if plan is None:
            scale = request.pixels_per_unit(grid.layout)
        else:
            scale = plan.unit * SCREEN_DOTS_PER_MM * CELL_DETAIL
        return cell_size(grid, scale) < LABELS_FROM

    def _has_key_pages(self, request: PictureRequest) -> bool:
        """Return whether pages with notes follow the map."""
        is_asked_for = self.has_kinds and request.key and request.overlays.things
        if not is_asked_for or self.form.kind != ".pdf":
            return False
        battlemap, _composite = self.shown_map(request)
        return bool(notes_of(battlemap))

    def _draw_preview(self) -> None:
        request = self.request
        still = snapshot(self._open_map.battlemap, self._composite, request.overlays)
        steps = preview(request, *still, PREVIEW_SIDE, self._preview_scale)
        self._image_job.run(as_work(steps), self.preview.show_image, self.status.complain)

    # --- making it --------------------------------------------------------------------------

    async def ask(self) -> None:
        """Ask for the file or the printer, then make the picture."""
        if self._printing:
            self._remember()
            from app.paper.printing import ask_for_printer

            path = self._open_map.path
            folder = Path(self._settings.last_directory) if path is None else path.parent
            ask_for_printer(self._name(), self, self.print_on, folder)
            return
        await self.ask_for_file()

    async def ask_for_file(self) -> None:
        """Ask for the file, then write the picture or the pages into it."""
        self._remember()
        kind = self.form.kind
        chosen = await choose_file_to_write(
            self,
            "Save as PDF" if self._printing else self.windowTitle(),
            Path(self._settings.last_directory) / f"{self._name()}{kind}",
            f"{(KINDS | TABLES)[kind]} (*{kind})",
            suffix_of=lambda _name_filter: kind,
        )
        if chosen is not None:
            await self._export(chosen.path)

    def _remember(self) -> None:
        """Remember what is set for the next time."""
        of_overlays = (*OVERLAYS, CONTOUR_STEP)
        values = {name: value for name, value in self.values().items() if name not in of_overlays}
        if self.form.kind in TABLES:  # pictures stay as they were
            values = {name: values[name] for name in ("folder", "pixels")}
        else:
            switched = differences(self.form.overlays, self._usual_overlays)
            self._settings.set_picture_overlays(self._kind_of_map, switched)
        self._settings.picture = values

    def _name(self) -> str:
        path = self._open_map.path
        if path is not None:
            name = path.stem
        else:
            name = self._document.name_of(self._open_map)
        return "".join(" " if letter in '/\\:*?"<>|' else letter for letter in name)

    def export_to(self, path: Path) -> None:
        """Write the picture; the suffix of ``path`` is its kind."""
        run(self._export(path))

    async def _export(self, path: Path) -> None:
        try:
            work = self.work(path)
        except ProblemError as reason:
            self.status.complain(reason.problems)
            return
        self._settings.last_directory = str(path.parent)
        picture = await self._make(Job(work, self), f"Writing {path.name} ...")
        if isinstance(picture, Path):
            message = f"Exported {picture.name}"
        else:
            texts = (picture.summary, *picture.losses)
            message = f"Exported {picture.path.name}. {'. '.join(texts)}."
        self.reported.emit(message)
        self.accept()

    def work(self, path: Path) -> Work:
        """Return the work of the job that writes the file.

        Raises ProblemError if it cannot be made.
        """
        if path.suffix in TABLES:
            if path.suffix != self.form.kind:
                self.form.show_values({**self.values(), "kind": path.suffix})
            if any(open_map.path == path for open_map in self._document.maps):
                message = f"{path.name} is the file of an open map: choose another name"
                raise error("file-of-a-map", message, path=str(path))
            folder = str(self.values()["folder"])
            return table_work(self._open_map.battlemap, self.request, folder, path)
        if kind_of(path) != self.form.kind:
            self.form.show_values({**self.form.values(), "kind": kind_of(path)})
        return export_work(path, self.request, self._open_map.battlemap, self._composite)

    def print_on(self, device: QPagedPaintDevice) -> None:
        """Print on a device with pages."""
        run(self._print(device))

    async def _print(self, device: QPagedPaintDevice) -> None:
        from app.paper.printing import PrintRun

        battlemap = self._open_map.battlemap
        try:
            printing = PrintRun(device, self.request, battlemap, self._composite, self)
        except ProblemError as reason:
            self.status.complain(reason.problems)
            return
        count = await self._make(printing, "Printing ...")
        self.reported.emit(f"Printed {counted(count, 'page')}")
        self.accept()

    async def _make(self, job: Job | PrintRun, text: str) -> Any:
        """Return what a job makes; meanwhile it is shown how far that is, and can be cancelled.

        Raises Stopped if nothing was made, which is told.
        """
        self._job = job
        connect(job.progressed, self.bar.setValue)
        try:
            self._show_making(True)
            self.bar.setValue(0)
            self.status.say(text)
            return await result(job)
        except ProblemError as reason:
            self.status.complain(reason.problems)
            raise Stopped from reason
        except Stopped:
            if isValid(self):
                self.status.say("Cancelled: nothing was written.")
            raise
        finally:
            self._job = None
            if isValid(self):
                self._show_making(False)

    @property
    def _making_buttons(self) -> list[QPushButton]:
        """The buttons that make the picture as the fields say."""
        return [button for button in (self.go_button, self.pdf_button) if button is not None]

    def _show_making(self, is_making: bool) -> None:
        self.bar.setVisible(is_making)
        self.form.setEnabled(not is_making)
        for button in self._making_buttons:
            button.setEnabled(not is_making)
        self.close_button.setText("Cancel" if is_making else "Close")

    @guarded
    def done(self, result: int) -> None:
        """Close; while something is being made, break that off instead."""
        if self._job is not None:
            self._job.cancel()
            return
        self._preview_timer.stop()
        self._image_job.cancel()
        super().done(result)
