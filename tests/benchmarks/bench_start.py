"""The CPU time until the window is painted, against a bare Qt + numpy window: ``python`` this file.

Both are whole processes, in turn, nine counted pairs after one warm-up; the goal is a ratio of at
most 2.0 and 200 ms above the bare window (medians). The first picture of the desk is whole: nothing
of it is drafted. It is not the very first start: an earlier one has stored its sprites.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

PAIRS = 9

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
    def painted():
        if not self.desk.canvas.drafted:
            os.write(1, b"painted")
        if "STAY_MS" in os.environ:
            from PySide6.QtCore import QTimer
            QTimer.singleShot(int(os.environ["STAY_MS"]), lambda: os._exit(0))
        else:
            os._exit(0)
    self.desk.canvas.painted.connect(painted)
    shown(self)

MainWindow.show = show
from app.__main__ import main
main([])
"""


def milliseconds(program: str, home: str, **variables: str) -> float:
    """The CPU time of a process from its start until its window has been painted."""
    platform = os.environ.get("QT_QPA_PLATFORM", "offscreen")
    environment = {**os.environ, "QT_QPA_PLATFORM": platform, "HOME": home, **variables}
    for name in [name for name in environment if name.startswith("XDG_")]:
        del environment[name]
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # a user's second start finds compiled files
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).resolve().parents[2],
        env=environment,
        stdout=subprocess.PIPE,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.stdout != b"painted":
        raise SystemExit("the window was never painted")
    return (after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime) * 1000


def main() -> None:
    """Print medians and their ratio."""
    with TemporaryDirectory() as home:
        first = milliseconds(DESK, home)
        milliseconds(DESK, home, STAY_MS="3000")
        pairs = [(milliseconds(BARE, home), milliseconds(DESK, home)) for _ in range(PAIRS + 1)][1:]
    bare = statistics.median(pair[0] for pair in pairs)
    desk = statistics.median(pair[1] for pair in pairs)
    ratio = statistics.median(desk / bare for bare, desk in pairs)
    above = statistics.median(desk - bare for bare, desk in pairs)
    print(
        f"bare Qt + numpy window {bare:.0f} ms, the desk {desk:.0f} ms of CPU,"
        f" ratio {ratio:.2f}, {above:.0f} ms above;"
        f" the very first start {first:.0f} ms"
    )


if __name__ == "__main__":
    main()
