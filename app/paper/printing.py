"""Printing on the UI thread, as Qt's printers require it, a few milliseconds at a time.

``ask_for_printer`` opens the system's dialog; a ``PrintRun`` then prints a map on that printer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QPagedPaintDevice
from PySide6.QtWidgets import QDialog, QWidget

from app.fault_log import problem_of
from app.paper.documents import heading
from app.paper.map_drawing import page_map
from app.paper.notes_key import key_pages
from app.paper.page_painter import paint_document
from app.paper.picture_request import PictureRequest
from app.qt_guard import connect
from app.render.vector.snapshots import snapshot
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter


TURN_MS = 8
"""The time that it paints in one turn of the event loop; the last step may take 20 ms more.

With more, the window would answer the user noticeably later.
"""


class PrintRun(QObject):
    """A print in progress, with the signals of a ``Job``; it keeps the ``device`` alive."""

    progressed = Signal(int)
    """Carries the percentage done, after each turn of the event loop."""

    finished = Signal(int)
    """Everything is printed; carries the number of pages."""

    failed = Signal(object)
    """The printer took no page; carries the problems."""

    stopped = Signal()
    """The print was cancelled."""

    def __init__(
        self,
        device: QPagedPaintDevice,
        request: PictureRequest,
        battlemap: BattleMap,
        composite: Composite,
        parent: QObject | None = None,
    ) -> None:
        """Prepare the print of the map as it is now; later edits do not change it.

        Raises ProblemError if the map does not fit on the paper as requested.
        """
        super().__init__(parent)
        map_copy, composite_copy = snapshot(battlemap, composite, request.overlays)
        plan = request.plan(map_copy, composite_copy)
        title = heading(battlemap.system, composite_copy, request.name)
        pages_of_key = key_pages(request, plan, map_copy, composite_copy, title)
        # No cell is drawn as shapes: these take long to print.
        drawn_map = page_map(request, plan, map_copy, composite_copy, max_cells_as_shapes=0)
        self._device = device
        self._page_count = len(plan.pages()) + len(pages_of_key)
        if request.has_overview(plan):
            self._page_count += 1
        self._steps = paint_document(
            device, drawn_map, plan, title, overview=request.overview, pages_after_map=pages_of_key
        )
        """The work that is left; each step takes a few milliseconds."""
        self._timer = QTimer(self)
        """Calls ``_go_on`` in every turn of the event loop, from ``start`` to the end."""
        connect(self._timer.timeout, self._go_on)

    @property
    def running(self) -> bool:
        """True if it was started, and has neither finished, failed nor been stopped."""
        return self._timer.isActive()

    def start(self) -> None:
        """Begin in the next turn of the event loop."""
        self._timer.start(0)

    def cancel(self) -> None:
        """Stop, and abort the printer's job if it can be aborted."""
        self._timer.stop()
        self._steps.close()
        abort = getattr(self._device, "abort", None)  # a printer has it, a writer of PDFs has not
        if abort is not None:
            abort()
        self.stopped.emit()

    def _go_on(self) -> None:
        """Print for some milliseconds, and tell how far it is, or that it has ended."""
        percent: int | None = None  # before the first step
        clock = QElapsedTimer()
        clock.start()
        try:
            while clock.elapsed() < TURN_MS:
                percent = next(self._steps)
        except StopIteration:
            self._timer.stop()
            self.finished.emit(self._page_count)
            return
        except ProblemError as reason:
            self._timer.stop()
            self.failed.emit(reason.problems)
            return
        except Exception as fault:
            self._timer.stop()
            self.failed.emit((problem_of(fault),))
            raise  # the guard of the slot reports it
        if percent is not None:
            self.progressed.emit(percent)


def ask_for_printer(
    name: str, parent: QWidget, on_chosen: Callable[[QPrinter], None], folder: Path | None = None
) -> None:
    """Open the system's print dialog; ``on_chosen`` is called with the printer if it is accepted.

    Without a printer it offers a PDF called ``name`` in ``folder``.
    """
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(name)
    if folder is not None and not QPrinterInfo.availablePrinterNames():
        printer.setOutputFileName(str(folder / f"{name}.pdf"))
    dialog = QPrintDialog(printer, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    connect(dialog.accepted, lambda: on_chosen(printer))
    QDialog.open(dialog)  # QPrintDialog.open has other parameters
