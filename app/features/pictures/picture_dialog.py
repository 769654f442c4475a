"""The dialog that exports a picture or prints: a form on the left, a preview on the right.

``PictureController`` opens a ``PictureDialog`` for one of three purposes: a picture, a print, or
files for a virtual table. ``TablesDialog`` is made from it.

    a field changes    ``make_request`` makes a ``PictureRequest`` of all fields; ``_show_request``
                       tells what it makes (picture_description.py), and draws a preview
    Export or Print    ``ask_and_make`` asks for a file or a printer; ``_run_job`` runs the job
                       that writes the file or prints, and the dialog closes
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal
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
from app.document.map_names import file_name_of
from app.features.pictures.page_preview import PagePreview
from app.features.pictures.picture_description import MEASURED_KINDS, PictureDescriber
from app.features.pictures.picture_form import PictureForm
from app.features.pictures.picture_purpose import Purpose
from app.features.pictures.picture_texts import text_about_table, tip_with_names
from app.features.pictures.preview_drawer import PreviewDrawer
from app.paper import picture_settings
from app.paper.export import export_work, kind_of
from app.paper.picture_request import (
    KINDS,
    ON_PAPER,
    TABLES,
    PictureRequest,
    has_usual_walls,
)
from app.paper.picture_settings import WALLS
from app.paper.virtual_table import table_request, table_work
from app.qt_guard import connect, guarded
from app.render.overlay_choices import CONTOUR_STEP, apply_switched, differences, kind_of_map
from app.render.overlay_options import OVERLAYS, Overlays
from app.render.renderer import Renderer
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.dialogs.files import choose_file_to_write
from app.widgets.layout.builders import described, lay_out, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.basics.plurals import counted
from randomizer.model.notes import notes_of
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import ProblemError, Severity, error
from randomizer.storage.disk.file_names import without_forbidden

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.paper.printing import PrintRun

DIALOG_SIZE = QSize(840, 620)
"""The size of the dialog when it opens, in logical pixels."""

KIND_OF_TABLE = "table"
"""The key of the kind of file last made for a virtual table, among the settings for pictures."""


class PictureDialog(QDialog):
    """Asks how a picture is to be made, and makes it.

    The picture is of the map that is current when the dialog is made, whichever is current later.
    It has the overlays and the terrain pictures of ``renderer`` unless the user changes them here,
    and a theme of its own. The dialog deletes itself when it is closed.

    A subclass may override ``has_kinds``, ``values``, ``make_request`` and ``work``: what is asked
    for, what is remembered, and what is made. ``make_request`` is called by the constructor
    already, so a subclass makes its own fields before.
    """

    reported = Signal(str)
    """A message for the status bar."""

    has_kinds = True
    """True if the kind of picture can be chosen; else it is a PDF."""

    def __init__(
        self,
        document: MapDocument,
        renderer: Renderer,
        settings: Settings,
        parent: QWidget | None = None,
        *,
        purpose: Purpose = Purpose.PICTURE,
        describer: PictureDescriber | None = None,
        group_above: QWidget | None = None,
    ) -> None:
        """Make the dialog.

        ``describer`` tells what is made, None for one picture of the map. ``group_above`` is a
        group of further fields above the form.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(purpose.value)
        self._purpose = purpose
        self._document = document
        self._open_map = document.current_map
        self._describer = describer or PictureDescriber(document.current_map)
        self._pictures = renderer.pictures
        self._settings = settings
        self._job: Job | PrintRun | None = None
        """Writes the file or prints; None while neither is done."""
        battlemap = document.battlemap
        self._kind_of_map = kind_of_map(battlemap.system, battlemap.terrain_set)
        """The kind of map for which the choice of overlays is remembered."""
        self._usual_overlays = _usual_overlays(renderer, purpose)
        """The overlays that are drawn unless another choice is made here."""

        self.form = self._make_form()
        self.preview = PagePreview()
        self._preview_drawer = PreviewDrawer(self._open_map, self)
        connect(self._preview_drawer.drawn, self.preview.show_image)
        self.status = DialogStatus("What will be made")
        self.bar = described(QProgressBar(), "How much is done")
        self.bar.hide()
        self.pdf_button: QPushButton | None = None
        """Writes the pages as a file instead of printing them; None unless the map is printed."""
        self._make_buttons()
        connect(self._preview_drawer.failed, self.status.complain)
        connect(self.form.changed, self._show_request)
        self._lay_out(group_above)
        self._show_request()

    # --- construction -----------------------------------------------------------------------

    def _make_form(self) -> PictureForm:
        """Return the form, with the values of the last time."""
        battlemap = self._document.battlemap
        form = PictureForm(
            battlemap,
            paged=self._purpose.is_paged or not self.has_kinds,
            kinds=self._purpose.kinds,
            has_key=self.has_kinds and bool(notes_of(battlemap)),
            overlays=self._usual_overlays,
        )
        switched = self._settings.picture_overlays(self._kind_of_map)
        overlays = apply_switched(self._usual_overlays, switched)
        ticked = {name: overlays.shows(name) for name in OVERLAYS}
        contours = {CONTOUR_STEP: overlays.contour_step}
        walls = {WALLS.name: has_usual_walls(battlemap, self._document.composite)}
        remembered = dict(self._settings.picture)
        if self._purpose is Purpose.TABLE:
            # The kind of a picture is not the kind of a file for a virtual table.
            remembered["kind"] = remembered.get(KIND_OF_TABLE, "")
        form.show_values({**remembered, **walls, **ticked, **contours})
        return form

    def _make_buttons(self) -> None:
        """Make the buttons; Enter presses the first one."""
        action_role = QDialogButtonBox.ButtonRole.ActionRole
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.go_button: QPushButton = self.buttons.addButton(self._purpose.button_text, action_role)
        self.go_button.setDefault(True)
        connect(self.go_button.clicked, self.ask_and_make)
        if self._purpose is Purpose.PRINT:
            self.pdf_button = self.buttons.addButton("Save as P&DF...", action_role)
            self.pdf_button.setAutoDefault(False)
            connect(self.pdf_button.clicked, self.ask_for_file)
        self.close_button = self.buttons.button(QDialogButtonBox.StandardButton.Close)
        self.close_button.setAutoDefault(False)
        connect(self.buttons.rejected, self.reject)

    def _lay_out(self, group_above: QWidget | None) -> None:
        """Put form and preview side by side, status, bar and buttons below them."""
        line = lay_out(QHBoxLayout(), (self.form, 3), (self.preview, 4))
        foot = (self.status, self.bar, self.buttons)
        middle = lay_out_dialog(self, (line, 1), foot=foot, size=DIALOG_SIZE)
        if group_above is not None:
            middle.insertWidget(0, group_above)

    @property
    def _composite(self) -> Composite:
        """The composite of the map as it is now."""
        return self._open_map.live_composite()

    def values(self) -> dict[str, object]:
        """Return the values of the settings by their names, to be remembered."""
        return self.form.values()

    # --- what will be made ------------------------------------------------------------------

    def make_request(self) -> PictureRequest:
        """Return the request that the fields make.

        Raises ProblemError if it cannot be one for a virtual table.
        """
        kind = self.form.kind
        values = self.form.values()
        if kind not in MEASURED_KINDS:
            # A picture in pixels has no size on paper. With one in millimetres, too, its file would
            # also say how wide a cell is printed (``picture_settings.make_request``).
            values["size"] = None
        request = picture_settings.make_request(
            kind, values, self.form.overlays, pictures=self._pictures, name=self._name()
        )
        if kind in TABLES:
            return table_request(request)
        return request

    def _show_request(self) -> None:
        """Tell what will be made, and draw the preview soon if it looks otherwise now.

        If the values cannot be used, tell why, and disable the buttons that make the picture.
        """
        kind = self.form.kind
        try:
            request = self.make_request()
            description = self._describer.describe(request, kind)
        except ProblemError as reason:
            self.status.say(reason.problems[0].message, Severity.ERROR)
            self.status.label.setToolTip("")
            self._enable_making(is_enabled=False)
            self._preview_drawer.drop_waiting()
            return
        self.status.say(description.text)
        self.status.label.setToolTip(plain_text(tip_with_names(description.left_out_names)))
        self._enable_making(is_enabled=True)

        # The pages are shown at once; the map on them is drawn again only if it looks otherwise.
        if kind == ".pdf":
            self.preview.show_plan(description.plan)
        else:
            self.preview.show_plan(None)
        self._preview_drawer.request_drawing(request, description.scale_on_paper)

    # --- making it --------------------------------------------------------------------------

    async def ask_and_make(self) -> None:
        """Ask for the file or the printer, then make the picture."""
        if self._purpose is Purpose.PRINT:
            self._store_values()
            from app.paper.printing import ask_for_printer

            folder = Path(self._settings.last_directory)
            if self._open_map.path is not None:
                folder = self._open_map.path.parent
            ask_for_printer(self._name(), self, self.print_on, folder)
            return
        await self.ask_for_file()

    async def ask_for_file(self) -> None:
        """Ask for the file, then write the picture or the pages into it."""
        self._store_values()
        kind = self.form.kind
        title = self.windowTitle()
        if self._purpose is Purpose.PRINT:
            title = "Save as PDF"
        chosen = await choose_file_to_write(
            self,
            title,
            Path(self._settings.last_directory) / f"{self._name()}{kind}",
            f"{(KINDS | TABLES)[kind]} (*{kind})",
            suffix_of=lambda _name_filter: kind,
        )
        if chosen is not None:
            await self._export(chosen.path)

    def _store_values(self) -> None:
        """Store the values for the next time; those of overlays are stored by kind of map.

        For a virtual table only kind, folder and pixels are stored: what is usual there, such as no
        grid lines, would not suit the next picture.
        """
        overlay_names = (*OVERLAYS, CONTOUR_STEP)
        values = {name: value for name, value in self.values().items() if name not in overlay_names}
        if self.form.kind in TABLES:
            values = {name: values[name] for name in ("folder", "pixels")}
            values[KIND_OF_TABLE] = self.form.kind
        else:
            switched = differences(self.form.overlays, self._usual_overlays)
            self._settings.set_picture_overlays(self._kind_of_map, switched)
        self._settings.remember_picture(values)

    def _name(self) -> str:
        """Return the name of the map, as a file can have it, without a suffix."""
        return without_forbidden(file_name_of(self._open_map))

    def export_to(self, path: Path) -> None:
        """Write the picture; the suffix of ``path`` is its kind."""
        run(self._export(path))

    async def _export(self, path: Path) -> None:
        """Write the picture and close; if it cannot be made, tell why."""
        try:
            work = self.work(path)
        except ProblemError as reason:
            self.status.complain(reason.problems)
            return
        self._settings.last_directory = str(path.parent)
        written = await self._run_job(Job(work, self), f"Writing {path.name} ...")
        if path.suffix.lower() in TABLES:
            self.reported.emit(text_about_table(written))
        else:
            self.reported.emit(f"Exported {path.name}")
        self.accept()

    def work(self, path: Path) -> Work:
        """Return the work of the job that writes the file ``path``; its suffix is the kind.

        The form shows that kind first, from which the request is made. The work returns a
        ``TableExport`` for a virtual table, else the path. Raises ProblemError if the picture
        cannot be made.
        """
        if path.suffix.lower() in TABLES:
            return self._table_work(path)
        self._show_kind(kind_of(path))
        return export_work(path, self.make_request(), self._open_map.battlemap, self._composite)

    def _table_work(self, path: Path) -> Work:
        """Return the work that writes the files for a virtual table.

        Raises ProblemError if it cannot be made, or if another file would be replaced.
        """
        # The suffix is written in small letters, as virtual tables know it.
        written_path = path.with_suffix(path.suffix.lower())
        self._check_may_write(written_path, chosen_path=path)
        self._show_kind(written_path.suffix)
        folder = str(self.values()["folder"])
        return table_work(self._open_map.battlemap, self.make_request(), folder, written_path)

    def _check_may_write(self, written_path: Path, chosen_path: Path) -> None:
        """Raise ProblemError if a file would be replaced about which nobody was asked.

        The dialog for files has asked about ``chosen_path`` only, whose suffix can be in capitals.
        """
        if any(open_map.path == written_path for open_map in self._document.maps):
            message = f"{written_path.name} is the file of an open map: choose another name"
            raise error("file-of-a-map", message, path=str(written_path))
        if written_path != chosen_path and written_path.exists():
            message = f"{written_path.name} is there already: choose it by this name"
            raise error("file-there", message, path=str(written_path))

    def _show_kind(self, kind: str) -> None:
        """Show the kind of the file that was chosen in the form, if that shows another one."""
        if kind != self.form.kind:
            self.form.show_values({**self.form.values(), "kind": kind})

    def print_on(self, device: QPagedPaintDevice) -> None:
        """Print on a device with pages."""
        run(self._print(device))

    async def _print(self, device: QPagedPaintDevice) -> None:
        """Print and close; if it cannot be printed, tell why."""
        from app.paper.printing import PrintRun

        battlemap = self._open_map.battlemap
        try:
            printing = PrintRun(device, self.make_request(), battlemap, self._composite, self)
        except ProblemError as reason:
            self.status.complain(reason.problems)
            return
        count = await self._run_job(printing, "Printing ...")
        self.reported.emit(f"Printed {counted(count, 'page')}")
        self.accept()

    async def _run_job(self, job: Job | PrintRun, text: str) -> Any:
        """Run a job, with its progress in the dialog, whose Close cancels it; return its result.

        Raises Stopped if the job failed or was cancelled; the user is told.
        """
        self._job = job
        connect(job.progressed, self.bar.setValue)
        try:
            self._show_making(is_making=True)
            self.bar.setValue(0)
            self.status.say(text)
            return await result(job)
        except ProblemError as reason:
            self.status.complain(reason.problems)
            raise Stopped from reason
        except Stopped:
            if isValid(self):  # else the dialog was destroyed with its window
                if isinstance(job, Job):
                    self.status.say("Cancelled: nothing was written.")
                else:
                    self.status.say("Cancelled: some pages may be printed.")
            raise
        finally:
            self._job = None
            if isValid(self):
                self._show_making(is_making=False)

    @property
    def _making_buttons(self) -> list[QPushButton]:
        """The buttons that make the picture as the fields say."""
        if self.pdf_button is None:
            return [self.go_button]
        return [self.go_button, self.pdf_button]

    def _enable_making(self, *, is_enabled: bool) -> None:
        """Enable or disable the buttons that make the picture."""
        for button in self._making_buttons:
            button.setEnabled(is_enabled)

    def _show_making(self, *, is_making: bool) -> None:
        """Show that something is being made: with a bar, and nothing to use but Cancel."""
        self.bar.setVisible(is_making)
        self.form.setEnabled(not is_making)
        self._enable_making(is_enabled=not is_making)
        if is_making:
            self.close_button.setText("Cancel")
        else:
            self.close_button.setText("Close")

    @guarded
    def done(self, result: int) -> None:
        """Close the dialog; but while something is being made, cancel that instead."""
        if self._job is not None:
            self._job.cancel()
            return
        self._preview_drawer.stop()
        super().done(result)


def _usual_overlays(renderer: Renderer, purpose: Purpose) -> Overlays:
    """Return the overlays that are ticked at first: those of the desk, with two exceptions."""
    # Locks matter only while one works on the desk.
    overlays = renderer.overlays.having("locks", ON_PAPER.locks)
    if purpose is Purpose.PRINT:
        # On paper people count and move by the cells.
        overlays = overlays.having("grid_lines", True)
    return overlays
