"""The CPU time until the window is painted, beside that of a bare Qt window with numpy.

Both are whole processes, in turn. It is not the very first start, which stores sprites and compiled
files, but the one after it.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from collections.abc import Iterator
from tempfile import TemporaryDirectory

from tests.benchmarks.benchmark import ROOT, Row, benchmark
from tests.benchmarks.processes import child_cpu_s
from tests.benchmarks.running import environment_of

BARE_WINDOW = """
import os
import numpy
from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QApplication, QWidget

class Window(QWidget):
    def paintEvent(self, event):
        QPainter(self).fillRect(self.rect(), Qt.GlobalColor.white)
        os.write(1, b"painted")
        os._exit(0)

application = QApplication([])
window = Window()
window.resize(1280, 860)
window.show()
application.exec()
"""

DESK = """
import gc
import os
gc.disable()  # as app.__main__ does first of all; here MainWindow is imported before main() runs
from app.window import MainWindow

def show(self, show_window=MainWindow.show):
    def end():
        if not self.desk.canvas.drafted:
            os.write(1, b"painted")
        if "STAY_MS" in os.environ:
            from PySide6.QtCore import QTimer
            QTimer.singleShot(int(os.environ["STAY_MS"]), lambda: os._exit(0))
        else:
            os._exit(0)
    self.desk.canvas.painted.connect(end)
    show_window(self)

MainWindow.show = show
from app.__main__ import main
main([])
"""

STAY_MS = 3000
"""So long the first window stays, so that it stores its sprites."""


@benchmark("start", full=9, tiny=1)
def measure_start(pairs: int) -> Iterator[Row]:
    bare_ms = []
    desk_ms = []
    with TemporaryDirectory() as home:
        very_first_ms = window_ms(DESK, home)
        window_ms(DESK, home, STAY_MS=str(STAY_MS))
        window_ms(BARE_WINDOW, home)
        for _pair in range(pairs):
            bare_ms.append(window_ms(BARE_WINDOW, home))
            desk_ms.append(window_ms(DESK, home))
    ratios = [desk / bare for bare, desk in zip(bare_ms, desk_ms, strict=True)]
    desk_median_ms = statistics.median(desk_ms)
    bare_median_ms = statistics.median(bare_ms)
    yield Row("first paint (x a bare window)", desk_median_ms, "ms", statistics.median(ratios))
    yield Row("first paint above a bare window", desk_median_ms - bare_median_ms, "ms")
    yield Row("the very first start", very_first_ms, "ms", very_first_ms / bare_median_ms)


def window_ms(program: str, home: str, **variables: str) -> float:
    """Return the CPU time of a process from its start until its window has been painted.

    Raises RuntimeError if the window was never painted, or was a draft then.
    """
    outputs: list[bytes] = []

    def show_window() -> None:
        process = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**environment_of(home), **variables},
            stdout=subprocess.PIPE,
            check=False,
        )
        outputs.append(process.stdout)

    spent_s = child_cpu_s(show_window)
    if outputs != [b"painted"]:
        raise RuntimeError("the window was never painted whole")
    return 1000 * spent_s
