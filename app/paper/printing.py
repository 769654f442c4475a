"""Printing on the UI thread, as Qt's printers require it, a few milliseconds at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtGui import QPagedPaintDevice
from PySide6.QtWidgets import QDialog, QWidget

from app.paper.export import heading, page_map
from app.paper.notes_key import key_pages
from app.paper.page_painter import paint_document
from app.paper.picture_request import PictureRequest
from app.qt_guard import connect
from app.render.vector.vector_map import snapshot
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from PySide6.QtPrintSupport import QPrinter


TURN_MS = 8
"""How long it paints in one turn of the event loop; one step may take 20 ms more."""


class PrintRun(QObject):
    """A print in progress, with the signals of a ``Job``; it keeps the ``device``.

    ``finished(int)`` gives the number of pages.
    """

    progressed = Signal(int)
    finished = Signal(int)
    failed = Signal(object)
    stopped = Signal()

    def __init__(
        self,
        device: QPagedPaintDevice,
        request: PictureRequest,
        battlemap: BattleMap,
        composite: Composite,
        parent: QObject | None = None,
    ) -> None:
        """Raise ProblemError if the map does not fit on the paper as requested."""
        super().__init__(parent)
        still, shown = snapshot(battlemap, composite, request.overlays)
        plan = request.plan(still, shown)
        title = heading(battlemap.system, shown, request.name)
        more = key_pages(request, plan, still, shown, title)
        self._device = device
        self._count = len(plan.pages()) + len(more)
        self._steps = paint_document(
            device,
            page_map(request, plan, still, shown, most_shapes=0),  # shapes take long to print
            plan,
            title,
            overview=request.overview,
            more=more,
        )
        self._percent = 0
        self._timer = QTimer(self)
        connect(self._timer.timeout, self._go_on)

    @property
    def running(self) -> bool:
        """True if it was started and has not told its end."""
        return self._timer.isActive()

    def start(self) -> None:
        """Begin in the next turn of the event loop."""
        self._timer.start(0)

    def cancel(self) -> None:
        """Stop, and abort the printer's job if it can be aborted."""
        self._timer.stop()
        self._steps.close()
        abort = getattr(self._device, "abort", None)
        if abort is not None:
            abort()
        self.stopped.emit()

    def _go_on(self) -> None:
        clock = QElapsedTimer()
        clock.start()
        try:
            while clock.elapsed() < TURN_MS:
                self._percent = next(self._steps)
        except StopIteration:
            self._timer.stop()
            self.finished.emit(self._count)
            return
        except ProblemError as reason:
            self._timer.stop()
            self.failed.emit(reason.problems)
            return
        self.progressed.emit(self._percent)


def ask_for_printer(
    name: str, parent: QWidget, chosen: Callable[[QPrinter], None], folder: Path | None = None
) -> None:
    """Open the system's print dialog; ``chosen`` is called with the printer if it is accepted.

    Without a printer it offers a PDF called ``name`` in ``folder``.
    """
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter, QPrinterInfo

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(name)
    if folder is not None and not QPrinterInfo.availablePrinterNames():
        printer.setOutputFileName(str(folder / f"{name}.pdf"))
    dialog = QPrintDialog(printer, parent)
    connect(dialog.accepted, lambda: chosen(printer))
    QDialog.open(dialog)  # QPrintDialog.open has other parameters
