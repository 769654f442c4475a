"""What holds the window on a large map: the longest turn of the event loop in each action."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.background.actions import run
from tests.benchmarks.benchmark import Row, benchmark
from tests.benchmarks.windows import OpenWindow
from tests.end_to_end.test_large_map import Person, do_everything, large_map, paste_all

SHOWN_ACTIONS = 8
"""So many rows, those with the longest pauses."""


@benchmark("large-map", full=640, tiny=48)
def measure_large_map(side: int) -> Iterator[Row]:
    window = OpenWindow()
    window.window.resize(1600, 1000)
    window.do("open", lambda: window.desk.document.open_map(large_map(side)))
    window.rest(1.2)  # until its journal has begun
    person = TimedPerson(window)
    do_everything(person)
    copy_save_and_compare(person, side)
    pauses = sorted(window.pauses_ms.items(), key=lambda item: -item[1])
    yield Row("longest pause of all actions", pauses[0][1], "ms")
    for action, pause_ms in pauses[:SHOWN_ACTIONS]:
        yield Row(action, pause_ms, "ms")


class TimedPerson(Person):
    """Does one thing after another, and measures the longest pause in each."""

    def __init__(self, window: OpenWindow) -> None:
        super().__init__(window.window, None)
        self.open_window = window

    def do(
        self,
        name: str,
        action: Callable[[], object],
        until: Callable[[], bool] = lambda: True,
    ) -> None:
        """Do something, and measure."""
        self.open_window.do(name, action, until)

    def zoom_in_and_out(self) -> None:
        """Zoom as a wheel does, with a turn of the event loop after each step."""
        for factor in (1.5, 1 / 1.5):
            for _step in range(12):
                self.canvas.zoom(factor)
                self.open_window.rest(0.001)


def copy_save_and_compare(person: TimedPerson, side: int) -> None:
    """Do what is done with a whole map besides."""
    desk = person.open_window.desk
    history = person.document.history
    paste_all(person)
    steps = history.index
    person.do("a click with stamp", person.click, lambda: history.index == steps + 1)
    person.choose("edit.undo")
    path = person.open_window.folder / "large.battlemap"
    person.do("save", lambda: run(desk.files.saving.save_to(path)), path.exists)
    changed_map = large_map(side)
    changed_map.layers[0].planes["terrain"][::20, ::20] = 5
    windows: list = []

    def compare() -> None:
        windows.append(desk.compare.show(changed_map, "the other"))

    def is_compared() -> bool:
        return bool(windows) and windows[0].comparison is not None

    person.do("compare", compare, is_compared)
