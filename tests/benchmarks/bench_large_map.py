"""What holds the window on a million hexes: ``python -m tests.benchmarks.bench_large_map``.

Prints for each action the longest pause between two ticks of a beat, in computing of the window's
thread and by the clock, as ``bench_window`` does; the goal is 50 ms.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from collections.abc import Callable

from PySide6.QtWidgets import QApplication

from app.background.jobs import Job
from tests.benchmarks.bench_window import GOAL_MS, Desk
from tests.end_to_end.test_large_map import Person, do_everything, large_map, paste_all


class TimedHand(Person):
    """Does one thing after another, and measures the longest pause in each."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.window, desk)
        self.desk = desk
        self.times: dict[str, tuple[float, float]] = {}

    def do(
        self, name: str, action: Callable[[], object], until: Callable[[], bool] = lambda: True
    ) -> None:
        """Do something, and measure."""
        self.desk.do(name, action, until)
        found = self.desk.blocks[name]
        before = self.times.get(name, (0.0, 0.0))
        self.times[name] = max(found[0], before[0]), max(found[1], before[1])

    def zoom_in_and_out(self) -> None:
        """As a wheel does, with a turn of the event loop after each step."""
        for factor in (1.5, 1 / 1.5):
            for _ in range(12):
                self.canvas.zoom(factor)
                self.desk.rest(0.001)

    def copy_save_and_compare(self) -> None:
        """What is done with a whole map besides."""
        window = self.window
        history = self.document.history
        paste_all(self)
        steps = history.index
        self.do("a click with stamp", self.click, lambda: history.index == steps + 1)
        self.choose("edit.undo")
        path = self.desk.folder / "large.battlemap"
        self.do("save", lambda: window.desk.files.saving.save_to(path), path.exists)
        theirs = large_map()
        theirs.layers[0].planes["terrain"][::20, ::20] = 5
        compare = lambda: opened.append(window.desk.compare.show(theirs, "the other"))  # noqa: E731
        opened: list = []
        self.do("compare", compare, lambda: bool(opened) and opened[0].comparison is not None)


def main() -> None:
    """Print a row for each action, the longest first."""
    _application = QApplication([])
    desk = Desk()
    desk.window.resize(1600, 1000)
    person = TimedHand(desk)
    person.do("open", lambda: desk.document.open_map(large_map()))
    desk.rest(1.2)  # until its journal has begun
    do_everything(person)
    person.copy_save_and_compare()
    print(f"{'ms':32} {'computing':>10} {'by the clock':>13}")
    for name, (computing, clock) in sorted(person.times.items(), key=lambda each: -each[1][0]):
        late = "  over the goal" if computing > GOAL_MS else ""
        print(f"{name:32} {computing:10.1f} {clock:13.1f}{late}")
    Job.finish_all()
    os._exit(0)  # a bench's windows are not taken apart


if __name__ == "__main__":
    main()
