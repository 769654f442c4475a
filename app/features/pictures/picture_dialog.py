"""The dialog that exports a picture or prints: a form on the left, a preview on the right.

``PictureController`` opens a ``PictureDialog`` for one of three purposes: a picture, a print, or
files for a virtual table. ``TablesDialog`` is one with a further group of fields.

    a field changes    ``make_request`` makes a ``PictureRequest`` of all fields; ``_show_request``
                       tells what it makes, and draws a preview
    Export or Print    ``ask_and_make`` asks for a file or a printer; ``_run`` runs the job that
                       writes the file or prints, and the dialog closes

What can be made is said by the *maker* of the dialog (picture_maker.py).
"""

from __future__ import annotations

from dataclasses import dataclass
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
from app.background.jobs import Job
from app.document.map_names import file_name_of
from app.features.pictures.page_preview import PagePreview
from app.features.pictures.picture_description import MEASURED_KINDS
from app.features.pictures.picture_form import PictureForm
from app.features.pictures.picture_maker import Maker, PictureMaker
from app.features.pictures.picture_memory import PictureMemory
from app.features.pictures.picture_purpose import Purpose
from app.features.pictures.picture_texts import text_about_table, tip_with_names
from app.features.pictures.preview_drawer import PreviewDrawer
from app.paper import picture_settings
from app.paper.picture_request import KINDS, TABLES, PictureRequest
from app.qt_guard import connect, guarded
from app.render.renderer import Renderer
from app.settings import Settings
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.dialogs.files import choose_file_to_write
from app.widgets.layout.builders import described, lay_out, plain_text
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.basics.plurals import counted
from randomizer.model.notes import notes_of
from randomizer.model.problems import ProblemError, Severity
from randomizer.storage.disk.file_names import without_forbidden

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.paper.printing import PrintRun

DIALOG_SIZE = QSize(840, 620)
"""The size of the dialog when it opens, in logical pixels."""


@dataclass(frozen=True)
class Making:
    """The work that the dialog does now: a picture is written or printed."""

    job: Job | PrintRun

    text: str
    """The message while it is done."""

    text_if_cancelled: str
    """The message after it was cancelled."""


class PictureDialog(QDialog):
    """Asks how a picture is to be made, and makes it.

    The picture is of the map that is current when the dialog is made, whichever is current later.
    It has the overlays and the terrain pictures of ``renderer`` unless the user changes them here,
    and a theme of its own. The dialog deletes itself when it is closed.
    """

    reported = Signal(str)
    """A message for the status bar."""

    def __init__(
        self,
        document: MapDocument,
        renderer: Renderer,
        settings: Settings,
        parent: QWidget | None = None,
        *,
        purpose: Purpose = Purpose.PICTURE,
        maker: Maker | None = None,
        group_above: QWidget | None = None,
    ) -> None:
        """Make the dialog.

        ``maker`` makes what is asked for, None for one picture of the map. ``group_above`` is a
        group of further fields above the form.
        """
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(purpose.value)
        self._purpose = purpose
        self._open_map = document.current_map
        self._maker = maker or PictureMaker(document)
        self._pictures = renderer.pictures
        self._settings = settings
        self._memory = PictureMemory(settings, renderer, self._open_map, purpose)
        self._making: Making | None = None
        """What is written or printed now; None while nothing is."""
        self.form = self._make_form()
        self.preview = PagePreview()
        self._preview_drawer = PreviewDrawer(self._open_map, self)
        self.status = DialogStatus("What will be made")
        self.bar = described(QProgressBar(), "How much is done")
        self.bar.hide()
        self.pdf_button: QPushButton | None = None
        """Writes the pages as a file instead of printing them; None unless the map is printed."""
        self._make_buttons()
        self._lay_out(group_above)
        connect(self._preview_drawer.drawn, self.preview.show_image)
        connect(self._preview_drawer.failed, self.status.complain)
        connect(self.form.changed, self._show_request)
        self._show_request()

    # --- construction -----------------------------------------------------------------------

    def _make_form(self) -> PictureForm:
        """Return the form, with the values of the last time."""
        battlemap = self._open_map.battlemap
        has_kinds = not self._maker.is_always_pdf
        form = PictureForm(
            battlemap,
            paged=self._purpose.is_paged or not has_kinds,
            kinds=self._purpose.kinds,
            has_key=has_kinds and bool(notes_of(battlemap)),
            overlays=self._memory.usual_overlays,
        )
        form.show_values(self._memory.values())
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

    # --- what will be made ------------------------------------------------------------------

    def values(self) -> dict[str, object]:
        """Return the values of the settings by their names, to be remembered."""
        return {**self.form.values(), **self._maker.values()}

    def make_request(self) -> PictureRequest:
        """Return the request that the fields make. Raises ProblemError if they make none."""
        kind = self.form.kind
        values = self.form.values()
        if kind not in MEASURED_KINDS:
            # A picture in pixels has no size on paper. With one in millimetres, too, its file would
            # also say how wide a cell is printed (``picture_settings.make_request``).
            values["size"] = None
        request = picture_settings.make_request(
            kind, values, self.form.overlays, pictures=self._pictures, name=self._map_name()
        )
        return self._maker.complete_request(request, kind)

    def _map_name(self) -> str:
        """Return the name of the map, as a file can have it, without a suffix."""
        return without_forbidden(file_name_of(self._open_map))

    def _show_request(self) -> None:
        """Tell what will be made, and draw the preview soon if it looks otherwise now.

        If the values cannot be used, tell why, and disable the buttons that make the picture.
        """
        kind = self.form.kind
        try:
            request = self.make_request()
            description = self._maker.describe(request, kind)
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

    # --- asking for a file or a printer -----------------------------------------------------

    async def ask_and_make(self) -> None:
        """Ask for the file or the printer, then make the picture."""
        if self._purpose is Purpose.PRINT:
            self._ask_for_printer()
        else:
            await self.ask_for_file()

    def _ask_for_printer(self) -> None:
        """Ask for the printer, then print on it."""
        from app.paper.printing import ask_for_printer

        self._remember_values()
        folder = Path(self._settings.last_directory)
        if self._open_map.path is not None:
            folder = self._open_map.path.parent
        ask_for_printer(self._map_name(), self, self.print_on, folder)

    async def ask_for_file(self) -> None:
        """Ask for the file, then write the picture or the pages into it."""
        self._remember_values()
        kind = self.form.kind
        title = self.windowTitle()
        if self._purpose is Purpose.PRINT:
            title = "Save as PDF"
        chosen = await choose_file_to_write(
            self,
            title,
            Path(self._settings.last_directory) / f"{self._map_name()}{kind}",
            f"{(KINDS | TABLES)[kind]} (*{kind})",
            suffix_of=lambda _name_filter: kind,
        )
        if chosen is not None:
            await self._export(chosen.path)

    def _remember_values(self) -> None:
        """Remember the values for the next time."""
        self._memory.store(self.form.kind, self.values(), self.form.overlays)

    # --- making it --------------------------------------------------------------------------

    def export_to(self, path: Path) -> None:
        """Write the picture; the suffix of ``path`` is its kind."""
        run(self._export(path))

    async def _export(self, path: Path) -> None:
        """Write the picture and close; if it cannot be made, tell why."""
        try:
            kind = self._maker.kind_of_file(path)
            self._show_kind(kind)  # the request is made of what the form shows
            work = self._maker.work(path, self.make_request(), self.form.values())
        except ProblemError as reason:
            self.status.complain(reason.problems)
            return
        self._settings.last_directory = str(path.parent)
        making = Making(
            Job(work, self), f"Writing {path.name} ...", "Cancelled: nothing was written."
        )
        written = await self._run(making)
        if kind in TABLES:
            self.reported.emit(text_about_table(written))
        else:
            self.reported.emit(f"Exported {path.name}")
        self.accept()

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
        composite = self._open_map.live_composite()
        try:
            print_run = PrintRun(device, self.make_request(), battlemap, composite, self)
        except ProblemError as reason:
            self.status.complain(reason.problems)
            return
        making = Making(print_run, "Printing ...", "Cancelled: some pages may be printed.")
        page_count = await self._run(making)
        self.reported.emit(f"Printed {counted(page_count, 'page')}")
        self.accept()

    async def _run(self, making: Making) -> Any:
        """Do the work, with its progress in the dialog, and return the result of its job.

        Close cancels it. Raises Stopped if it failed or was cancelled; the user is told.
        """
        self._making = making
        connect(making.job.progressed, self.bar.setValue)
        try:
            self._show_making(is_making=True)
            self.bar.setValue(0)
            self.status.say(making.text)
            return await result(making.job)
        except ProblemError as reason:
            self.status.complain(reason.problems)
            raise Stopped from reason
        except Stopped:
            if isValid(self):  # else the dialog was destroyed with its window
                self.status.say(making.text_if_cancelled)
            raise
        finally:
            self._making = None
            if isValid(self):
                self._show_making(is_making=False)

    def _show_making(self, *, is_making: bool) -> None:
        """Show that something is being made: with a bar, and nothing to use but Cancel."""
        self.bar.setVisible(is_making)
        self.form.setEnabled(not is_making)
        self._enable_making(is_enabled=not is_making)
        if is_making:
            self.close_button.setText("Cancel")
        else:
            self.close_button.setText("Close")

    def _enable_making(self, *, is_enabled: bool) -> None:
        """Enable or disable the buttons that make the picture."""
        self.go_button.setEnabled(is_enabled)
        if self.pdf_button is not None:
            self.pdf_button.setEnabled(is_enabled)

    @guarded
    def done(self, result: int) -> None:
        """Close the dialog; but while something is being made, cancel that instead."""
        if self._making is not None:
            self._making.job.cancel()
            return
        self._preview_drawer.stop()
        super().done(result)
