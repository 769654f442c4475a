"""What holds the window: ``python -m tests.benchmarks.bench_window [RUNS] [--profile ACTION]``.

Every run is a process of its own with the real window (offscreen unless told otherwise). A beat
of a millisecond measures the longest pause between two ticks in each action, in computing of the
window's thread and by the clock (threads of jobs and other programs hold it, too). The goal is 50;
the columns are median and worst of the runs. ``--profile`` prints instead what the window's thread
computes in the longest turn of the actions with that in their names.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import cProfile
import gc
import json
import pstats
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QSettings, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from app.background.garbage import UiGarbage
from app.background.jobs import Job
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.settings import Settings
from app.window import MainWindow
from randomizer.model.battlemap import BattleMap
from randomizer.model.layer import Layer
from randomizer.systems.cordery.system import SYSTEM, new_grid

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "randomizer" / "systems" / "colossus" / "scripts" / "Mountains.rnd"

RUNS = 5
GOAL_MS = 50
REST_S = 0.3
"""An action ends when what it waits for has come, and nothing has happened for so long."""

PATIENCE_S = 60

PROFILED_LINES = 60


class Beat:
    """The longest pause between two ticks: of computing on this thread, and by the clock."""

    def __init__(self, profiled: bool) -> None:
        self.computing_ms = self.clock_ms = 0.0
        self._profile = cProfile.Profile(time.thread_time) if profiled else None
        self._longest: cProfile.Profile | None = None
        self._last = (time.thread_time(), time.perf_counter())
        self._timer = QTimer(interval=1)
        self._timer.timeout.connect(self._tick)
        self._timer.start()
        if self._profile is not None:
            self._profile.enable()

    def _tick(self) -> None:
        now = (time.thread_time(), time.perf_counter())
        computing, clock = ((now[kind] - self._last[kind]) * 1000 for kind in (0, 1))
        if self._profile is not None:
            self._profile.disable()
            if computing > self.computing_ms:
                self._longest = self._profile
            self._profile = cProfile.Profile(time.thread_time)
        self.computing_ms = max(self.computing_ms, computing)
        self.clock_ms = max(self.clock_ms, clock)
        self._last = (time.thread_time(), time.perf_counter())
        if self._profile is not None:
            self._profile.enable()

    def stop(self) -> None:
        """Measure no more; print the profile of the longest turn, if one was made."""
        self._tick()
        self._timer.stop()
        if self._profile is not None and self._longest is not None:
            self._profile.disable()
            print(f"{self.computing_ms:.1f} ms of computing")
            stats = pstats.Stats(self._longest)
            stats.sort_stats("cumulative").print_stats(PROFILED_LINES)
            stats.sort_stats("tottime").print_stats(PROFILED_LINES // 2)


class Desk:
    """A real window, and what each action held it for."""

    def __init__(self, profiled: str = "") -> None:
        self.application = QApplication.instance()
        self.blocks: dict[str, tuple[float, float]] = {}
        self._profiled = profiled
        self.folder = Path(tempfile.mkdtemp())
        settings = Settings(QSettings(f"{self.folder}/x.ini", QSettings.Format.IniFormat))
        self.window = MainWindow(MapDocument(sample_map()), settings, self.folder / "journals")
        self.window.resize(1280, 860)
        ready: list[bool] = []
        self.window.desk.ready.connect(lambda: ready.append(True))
        self.window.show()
        self.until(lambda: bool(ready))
        gc.freeze()
        self._garbage = UiGarbage(self.window)
        self.rest(1.0)
        self.document = self.window.desk.document
        self.randomize = self.window.desk.docks.panel("randomize")

    # --- time -------------------------------------------------------------------------------

    def rest(self, seconds: float) -> None:
        """Let the event loop run."""
        end = time.perf_counter() + seconds
        self.until(lambda: time.perf_counter() >= end)

    def until(self, done: Callable[[], bool]) -> None:
        """Let the event loop run until something is there. Raises TimeoutError if it never is."""
        end = time.perf_counter() + PATIENCE_S
        while not done():
            if time.perf_counter() > end:
                raise TimeoutError
            QApplication.processEvents()
            time.sleep(0.0003)  # or the window's thread keeps the others from working

    def do(self, name: str, action: Callable[[], object], until: Callable[[], bool]) -> None:
        """Do something, and measure."""
        beat = Beat(bool(self._profiled) and self._profiled in name)
        action()
        self.until(until)
        self.rest(REST_S)
        beat.stop()
        self.blocks[name] = (beat.computing_ms, beat.clock_ms)

    # --- dice -------------------------------------------------------------------------------

    @property
    def dice(self):  # type: ignore[no-untyped-def]
        """The panel Dice, if it is made."""
        return self.window.desk.docks.find_panel("dice")

    def _thrown(self) -> bool:
        from app.systems.cordery.feature import DiceController

        throwing = self.dice.findChild(DiceController).throwing
        rolled = not self.randomize.rolling.busy and bool(self.dice.log.lines())
        return rolled and throwing.has_fresh_log

    def table(self, width: int, height: int) -> None:
        """A bare table as the current map."""
        battlemap = BattleMap.new(SYSTEM, new_grid("square", width, height), [Layer(1, "Table")])
        self.document.show_map(battlemap)

    def tables(self) -> None:
        """Lay tables."""
        self.do("panel Dice", lambda: self.table(9, 8), lambda: self.dice is not None)
        throwing = self._throwing()
        throwing.choose(relief="mountainous", railways=2, lakes=True)
        self.rest(REST_S)
        throw = self.dice.throw_action
        back = self.dice.back_action
        again = self.dice.again_action
        self.do("first throw, 9 x 8", throw.trigger, self._thrown)
        self.do("second throw, 9 x 8", again.trigger, self._thrown)
        self.do("third throw, 9 x 8", again.trigger, self._thrown)
        self.do("a table back, 9 x 8", back.trigger, self._thrown)
        for part in ("hills", "water", "railways"):
            part_again = self.dice.form.again[part]
            self.do(f"{part} thrown again, 9 x 8", part_again.click, self._thrown)
        self.do("tab Dice log", lambda: self.dice.tabs.setCurrentIndex(1), self._thrown)
        self.do("a throw beside its log", again.trigger, self._thrown)
        self.do("a line is played", lambda: self.dice.player.show_line(5), self._thrown)
        self.do("playing stops", self.dice.player.stop, self._thrown)
        self.do(
            "gallery of 48 tables", lambda: self.window.desk.docks.show("gallery"), self._settled
        )
        gallery = self.window.desk.docks.panel("gallery")
        self.do("48 other tables", gallery.numbers.new_seed.click, self._settled)
        self.window.desk.docks["gallery"].hide()
        self.do("a bare table, 60 x 60", lambda: self.table(60, 60), lambda: True)
        self._throwing().choose(relief="mountainous", railways=2, lakes=True)
        self.rest(REST_S)
        self.do("first throw, 60 x 60", throw.trigger, self._thrown)
        self.do("second throw, 60 x 60", again.trigger, self._thrown)

    def _throwing(self):  # type: ignore[no-untyped-def]
        from app.systems.cordery.feature import DiceController

        return self.dice.findChild(DiceController).throwing

    # --- judging ----------------------------------------------------------------------------

    def _settled(self) -> bool:
        gallery = self.window.desk.docks.find_panel("gallery")
        return (
            gallery is not None
            and bool(gallery.model.unpinned)
            and not gallery.search.job.busy
            and not gallery.pictures.waiting
        )

    def _panel(self, name: str) -> None:
        find_panel = self.window.desk.docks.find_panel
        self.do(
            f"panel {name}",
            lambda: self.window.desk.docks.show(name),
            lambda: find_panel(name) is not None,
        )

    def panels(self) -> None:
        """Open what is made late, with a script at hand."""
        self.window.desk.files.open_path(SCRIPT)
        self.until(lambda: self.randomize.scripts.script.name == SCRIPT.name)
        self.rest(1.0)
        self._panel("odds")
        self.rest(1.5)
        self._type()
        self._panel("fairness")
        self.rest(2.0)
        self.do("panel gallery", lambda: self.window.desk.docks.show("gallery"), self._settled)
        gallery = self.window.desk.docks.panel("gallery")
        self.do("48 other maps", gallery.numbers.new_seed.click, self._settled)

    def _type(self) -> None:
        """Change a percentage again and again, with the odds on the map."""
        from app.features.odds.feature import OddsController

        live = self.window.desk.docks.panel("odds").findChild(OddsController).live
        self.until(lambda: live.fresh)
        editor = self.randomize.editor
        found = re.search(r"HAZARDS.*?,\s*(?=\d\d)", editor.text(), re.DOTALL)
        assert found is not None
        place = found.end()

        def key() -> None:
            cursor = editor.textCursor()
            cursor.setPosition(place)
            cursor.setPosition(place + 1, cursor.MoveMode.KeepAnchor)
            editor.setTextCursor(cursor)
            QTest.keyClicks(editor, "19"[cursor.selectedText() == "1"])

        def keys() -> None:
            for _ in range(10):
                key()
                self.rest(0.12)

        self.do("ten keys with the odds on", keys, lambda: live.fresh)


def run(profiled: str) -> dict[str, tuple[float, float]]:
    """All actions once."""
    _application = QApplication([])
    found: dict[str, tuple[float, float]] = {}
    desks = []  # kept: what they hold is no garbage before the end
    for actions in (Desk.tables, Desk.panels):
        desk = Desk(profiled)
        desks.append(desk)
        actions(desk)
        found |= desk.blocks
        Job.finish_all()
        desk.window.hide()  # closing it would ask what is to be saved
        desk.rest(REST_S)
    return found


def main() -> None:
    """Print a row for each action."""
    words = sys.argv[1:]
    if "--profile" in words:
        run(words[words.index("--profile") + 1])
        return
    if "--once" in words:
        print(json.dumps(run("")), flush=True)
        os._exit(0)  # a bench's windows are not taken apart
    runs = int(words[0]) if words else RUNS
    every: list[dict[str, tuple[float, float]]] = []
    for _ in range(runs):
        done = subprocess.run(
            [sys.executable, "-m", "tests.benchmarks.bench_window", "--once"],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        every.append(json.loads(done.stdout.splitlines()[-1]))
    print(f"{'ms, of ' + str(runs) + ' runs':28} {'computing':>16} {'by the clock':>16}")
    for name in every[0]:
        row = f"{name:28}"
        for kind in (0, 1):
            figures = [found[name][kind] for found in every]
            row += f" {statistics.median(figures):8.1f} {max(figures):7.1f}"
        print(row + ("  over the goal" if max(f[name][0] for f in every) > GOAL_MS else ""))


if __name__ == "__main__":
    main()
