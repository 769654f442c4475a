"""Printing: page by page on the UI thread, as printers want it, a few milliseconds at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal
from PySide6.QtWidgets import QDialog, QWidget

from app.paper.export import Order, heading, page_map
from app.paper.page_painter import document_steps
from app.render.vector.vector_map import snapshot
from randomizer.model.problems import ProblemError

if TYPE_CHECKING:
    from PySide6.QtGui import QPagedPaintDevice
    from PySide6.QtPrintSupport import QPrinter

    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite

TURN_MS = 8
"""How long to paint before the event loop gets its turn; one step may take 20 ms more."""


class PrintRun(QObject):
    """One print under way; its signals are those of a ``Job``.

    ``finished(int)`` says how many pages there are. The run keeps its device.
    """

    progressed = Signal(int)
    finished = Signal(int)
    failed = Signal(object)
    stopped = Signal()

    def __init__(
        self,
        device: QPagedPaintDevice,
        order: Order,
        battlemap: BattleMap,
        composite: Composite,
        parent: QObject | None = None,
    ) -> None:
        """Raises ProblemError if the map does not come onto the paper as it is ordered."""
        super().__init__(parent)
        still, shown = snapshot(battlemap, composite)
        plan = order.plan(still)
        self._device = device
        self._count = len(plan.pages())
        self._steps = document_steps(
            device,
            page_map(order, plan, still, shown, most_shapes=0),  # a page of shapes ends late
            plan,
            heading(shown),
            overview=order.overview,
        )
        self._percent = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)

    def start(self) -> None:
        """Begin when the event loop comes to it."""
        self._timer.start(0)

    def cancel(self) -> None:
        """Give up: no page comes, where the printer can still be told so."""
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


def ask_for_printer(name: str, parent: QWidget, chosen: Callable[[QPrinter], None]) -> None:
    """Open the system's dialog; ``chosen`` is called with the printer, if one is."""
    from PySide6.QtPrintSupport import QPrintDialog, QPrinter

    printer = QPrinter(QPrinter.PrinterMode.HighResolution)
    printer.setDocName(name)
    dialog = QPrintDialog(printer, parent)
    dialog.accepted.connect(lambda: chosen(printer))
    QDialog.open(dialog)  # QPrintDialog.open wants a receiver and hides this one
