"""How long until the window is painted, against a bare Qt + numpy window: ``python`` this file.

Both are whole processes, in turn, seven counted pairs after one warm-up; the goal is a ratio of at
most 1.25 (medians).
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

PAIRS = 7

BARE = """
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

def show(self, shown=MainWindow.show):
    self.desk.canvas.painted.connect(lambda: (os.write(1, b"painted"), os._exit(0)))
    shown(self)

MainWindow.show = show
from app.__main__ import main
main([])
"""


def milliseconds(program: str) -> float:
    """From the start of the process until its window has been painted."""
    environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a user's second start finds compiled files
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).resolve().parents[2],
        env=environment,
        stdout=subprocess.PIPE,
        check=False,
    )
    spent = (time.perf_counter() - start) * 1000
    if done.stdout != b"painted":
        raise SystemExit("the window was never painted")
    return spent


def main() -> None:
    """Print medians and their ratio."""
    pairs = [(milliseconds(BARE), milliseconds(DESK)) for _ in range(PAIRS + 1)][1:]
    bare = statistics.median(pair[0] for pair in pairs)
    desk = statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(desk / bare for bare, desk in pairs)
    print(f"bare Qt + numpy window {bare:.0f} ms, the desk {desk:.0f} ms, ratio {ratio:.2f}")


if __name__ == "__main__":
    main()
