"""A walk of random commands, clicks and keys through a real window, to find what nobody thinks of.

``python -m tests.end_to_end.random_walk --seed 3 --seconds 60``: the same seed walks the same way
as far as the machine's pace allows. Every step is written to standard error before it is taken, so
that the last line before a crash says what led to it. The exit status is 1 if anything was raised.
Commands that ask for files or end the program are left out; dialogs and menus are closed. With
``--test-system`` it walks among maps of the test system, which is registered as installed; with
``--narrow`` as in a window that leaves the panels no room beside the map.

What is to be deleted is deleted after every step, as the event loop of the desk would do it. Before
the walk each kind of map is opened, rolled, saved and closed once. Each minute a line tells of the
memory in use; before the walk, every five minutes and at the end, when only one new map is open,
another tells of it and of what is alive: it should not grow from the fifth minute on.
"""

from __future__ import annotations

import argparse
import ctypes
import faulthandler
import gc
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PySide6.QtCore import QEvent, QObject, QPoint, QSettings, QSize, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QMenu,
    QSlider,
    QTabWidget,
    QWidget,
)

from app.background.garbage import limit_heaps
from app.background.jobs import Job
from app.desk import dock_room
from app.document.document import MapDocument
from app.document.map_files import new_map
from app.document.open_map import OpenMap
from app.document.sample import sample_map
from app.features.selection import clipboard
from app.render.piece import Piece
from app.settings import Settings
from app.window import MainWindow
from randomizer.catalog.generators import generator_named
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import LAYOUTS, OBLIQUE, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.system import SYSTEM as TABLE
from randomizer.systems.cordery.system import table_grid
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.system import SYSTEM as WORLD
from randomizer.systems.zeroad.system import SYSTEM as SQUARES
from tests.app.saves import agree, finished
from tests.end_to_end.cache_sizes import cache_sizes
from tests.test_system.installing import register
from tests.test_system.system import SYSTEM as LAND

LEFT_OUT = ("quit", "exit", "print", "open", "save", "export", "manual", "tour", "recover", "close")
"""Commands and buttons with such a word are not pressed."""

SIZES = ((8, 8), (9, 8), (6, 6), (20, 12), (1, 1))
MAX_MAPS = 6
LONGEST_JOB_S = 60
"""So long jobs of closed maps may take to end. ``gc.get_objects`` beside a job that runs would also
make its ``tuple(...)`` fail, with a SystemError: for a moment it holds each tuple that is made."""

DOCKS = ("gallery", "odds", "fairness", "dice", "layers", "history", "scenario")
COUNTED = (OpenMap, MainWindow, Job, BattleMap, Piece)
KEYS = [
    "Tab",
    "Escape",
    "Return",
    "Left",
    "Right",
    "Up",
    "Down",
    "Space",
    "Delete",
    "Comma",
    "Period",
    "1",
    "5",
    "B",
]


class Walk:
    """One window, walked through with the dice of one seed."""

    def __init__(self, seed: int, folder: Path, *, test_system: bool = False) -> None:
        self.dice = random.Random(seed)
        self.folder = folder
        self.raised = 0
        self.kinds: list[Counter[str]] = []
        settings = Settings(QSettings(str(folder / "desk.ini"), QSettings.Format.IniFormat))
        self.window = MainWindow(MapDocument(sample_map()), settings, folder / "journals")
        self.window.resize(1300, 850)
        ready = QSignalSpy(self.window.desk.ready)
        self.window.show()
        while not ready.count():
            self.pass_time(0.02)
        self.closing = QTimer(interval=150)
        self.closing.timeout.connect(close_what_asks)
        self.closing.start()
        self.steps = {
            self.open_table: 6, self.open_world: 4, self.use_things: 3, self.open_other: 3,
            self.open_islands: 1,
            self.change_tab: 5, self.roll: 16,
            self.undo_or_redo: 12, self.drag: 18, self.show_or_hide: 4, self.press_button: 16,
            self.change_widget: 8, self.press_key: 4, self.command: 10,
        }  # fmt: skip
        self.docks = DOCKS
        if test_system:
            for step in (self.open_table, self.open_world, self.open_islands):
                del self.steps[step]
            self.steps |= {self.open_land: 6, self.load_moor: 3, self.open_other: 1}
            self.steps |= {self.use_things: 8}
            self.docks = (*DOCKS, "testsys")
            self.open_land()
            self.load_moor()
            while self.window.desk.docks.find_panel("testsys") is None:
                self.pass_time(0.05)

    def pass_time(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            QApplication.processEvents()
            delete_what_is_to_be_deleted()
            time.sleep(0.002)

    def say(self, *words: object) -> None:
        print(*words, file=sys.stderr, flush=True)

    def note(self, *reason) -> None:
        self.raised += 1
        traceback.print_exception(*reason)

    def go(self, seconds: float) -> int:
        """Walk for so long; how many steps were taken."""
        self.use_each_kind()
        self.tell_alive("before the walk")
        start = time.monotonic()
        count = 0
        minute = 0
        while time.monotonic() < start + seconds:
            if time.monotonic() >= start + 60 * minute:
                self.tell_memory(f"minute {minute}, {count} steps")
                if minute and minute % 5 == 0:
                    self.close_all_maps()
                    self.tell_alive(f"minute {minute}")
                minute += 1
            (step,) = self.dice.choices(list(self.steps), list(self.steps.values()))
            try:
                step()
            except Exception:  # noqa: BLE001 - told at once, and counted
                self.note(*sys.exc_info())
            self.pass_time(self.dice.choice((0, 0.005, 0.02, 0.05, 0.15)))
            self.close_some_maps()
            count += 1
            if count % 200 == 0:
                gc.collect()
        return count

    def tell_memory(self, when: str) -> None:
        """Print what is in use now: memory, objects of Qt below all windows, and more.

        Then the kinds of Qt's objects of which there are more than after the first minute.
        """
        delete_what_is_to_be_deleted()
        gc.collect()
        document = self.window.desk.document
        steps = sum(len(open_map.history.steps) for open_map in document.maps)
        kinds = Counter(
            each.metaObject().className()
            for window in QApplication.topLevelWidgets()
            for each in tree_of(window)
        )
        print(
            f"{when}: {memory_mb():.0f} MB, {allocated_mb():.0f} of it allocated,"
            f" {len(QApplication.allWidgets())} widgets, {kinds.total()} objects of Qt,"
            f" {sys.getallocatedblocks()} blocks of Python;"
            f" {len(document.maps)} maps with {steps} steps"
        )
        self.kinds.append(kinds)
        more = kinds - self.kinds[min(1, len(self.kinds) - 1)]
        print("   more:", *(f"{count} {kind}" for kind, count in more.most_common(8)), flush=True)

    def tell_alive(self, when: str) -> None:
        """Print the memory in use and how many of the large objects are alive."""
        self.tell_memory(f"{when}, all maps closed")
        counts = Counter(
            type(get_object).__name__
            for get_object in gc.get_objects()
            if type(get_object) in COUNTED
        )
        print("   alive:", *(f"{count} {name}," for name, count in sorted(counts.items())))
        for cache in cache_sizes()[:12]:
            size = cache.size / 2**20
            most = cache.most / 2**20
            print(f"   {size:6.2f} MB of {most:.2f} {cache.name}, {cache.count} results")

    def use_each_kind(self) -> None:
        """Open, roll, save and close a map of each kind."""
        desk = self.window.desk
        for open_one in (self.open_other, self.open_table, self.open_world, self.open_islands):
            open_one()
            self.pass_time(0.5)
            self.trigger(desk.docks.panel("randomize").roll_action)
            while desk.rolling.busy:
                self.pass_time(0.05)
            finished(desk.files.saving.save_to(self.folder / f"{open_one.__name__}.battlemap"))
            self.close_all_maps()

    def close_all_maps(self) -> None:
        """Close all maps but a new one, and wait until what ran for them is over."""
        document = self.window.desk.document
        new = document.open_map(sample_map())
        for each in document.maps:
            if each is not new:
                self.close_map(each)
        self.pass_time(3)
        end = time.monotonic() + LONGEST_JOB_S
        while Job.any_running() and time.monotonic() < end:
            self.pass_time(0.2)

    def end(self) -> None:
        self.closing.stop()
        close_what_asks()
        self.close_all_maps()
        self.tell_alive("at the end")
        for open_map in self.window.desk.document.maps:
            open_map.history.mark_clean()
            open_map.rolled = False
        self.window.desk.questions.may_close = agree
        self.window.close()
        self.pass_time(0.3)
        Job.finish_all()
        clipboard.leave_only_text()

    # --- steps ------------------------------------------------------------------------------

    def open_table(self) -> None:
        kind = self.dice.choice(("square", "hex"))
        size = self.dice.choice(SIZES)
        self.say("table", kind, *size)
        table = BattleMap.new(TABLE, table_grid(kind, *size), [Layer(1, "Table")])
        self.window.desk.document.open_map(table)

    def open_world(self) -> None:
        width, height = self.dice.choice(((60, 30), (9, 9), (4, 3), (200, 120)))
        name = self.dice.choice(("Modern", "Fantasy"))
        self.say("world", name, width, height)
        world = BattleMap.new(WORLD, Grid(OBLIQUE, width, height, wrap=True), [Layer(1, "World")])
        self.window.desk.document.open_map(world)
        self.load(name)

    def open_islands(self) -> None:
        self.say("islands")
        self.window.desk.document.open_map(new_map(SQUARES, Grid(SQUARE, 128, 128)))
        self.load("Islands")

    def open_land(self) -> None:
        width, height = self.dice.choice(((12, 10), (4, 3), (1, 1), (40, 30)))
        self.say("land", width, height)
        grid = Grid(SQUARE, width, height)
        land = BattleMap.new(LAND, grid, [Layer(1, "Ground")])
        self.window.desk.document.open_map(land)

    def load_moor(self) -> None:
        self.load("Moor")

    def load(self, name: str) -> None:
        self.say("script", name)
        generator = generator_named(name)
        assert generator is not None
        finished(self.window.desk.scripts.opening.open_generator(generator))

    def open_other(self) -> None:
        layout = self.dice.choice(LAYOUTS)
        width = self.dice.choice((30, 200))
        battleland = self.dice.random() < 0.6
        self.say("battleland" if battleland else f"free map, {layout.name}, {width} x 40")
        self.window.desk.document.open_map(
            sample_map() if battleland else free_map(layout, width, 40)
        )

    def change_tab(self) -> None:
        self.say("tab")
        self.window.desk.document.make_current(self.dice.choice(self.window.desk.document.maps))

    def close_some_maps(self) -> None:
        document = self.window.desk.document
        if len(document.maps) > MAX_MAPS:
            self.close_map(document.maps[0])

    def close_map(self, open_map: OpenMap) -> None:
        open_map.history.mark_clean()
        open_map.rolled = False
        self.window.desk.document.close_map(open_map)

    def roll(self) -> None:
        panel = self.window.desk.docks.panel("randomize")
        actions = (panel.roll_action, panel.again_action, panel.new_layer_action)
        self.trigger(self.dice.choice((*actions, panel.previous_action, panel.next_action)))

    def undo_or_redo(self) -> None:
        document = self.window.desk.document
        undo = self.dice.random() < 0.6
        self.say("undo" if undo else "redo")
        (document.undo if undo else document.redo)()

    def use_things(self) -> None:
        """Take up the tool of things, and most often another kind to place."""
        desk = self.window.desk
        if not desk.tools.suits("things"):
            return
        desk.tools.choose("things")
        page = desk.docks.panel("palette").things
        if page is None:  # the fault of a test has kept it away
            return
        kinds = page.kinds
        row = self.dice.randrange(-3, kinds.count())
        self.say("things", row)
        if row >= 0:
            box = kinds.visualItemRect(kinds.item(row))
            QTest.mouseClick(kinds.viewport(), Qt.MouseButton.LeftButton, pos=box.center())
        self.drag()

    def drag(self) -> None:
        canvas = self.window.desk.canvas
        left = Qt.MouseButton.LeftButton
        plain = Qt.NoModifier
        start, end = (
            QPoint(self.dice.randrange(canvas.width()), self.dice.randrange(canvas.height()))
            for _ in range(2)
        )
        self.say("drag", start.toTuple(), end.toTuple())
        QTest.mousePress(canvas, left, plain, start)
        QTest.mouseMove(canvas, end)
        if self.dice.random() < 0.1:
            QTest.keyClick(canvas, Qt.Key.Key_Escape)
        QTest.mouseRelease(canvas, left, plain, end)

    def show_or_hide(self) -> None:
        name = self.dice.choice(self.docks)
        show = self.dice.random() < 0.7
        self.say("show" if show else "hide", name)
        self.window.desk.docks.show(name) if show else self.window.desk.docks.close(name)

    def press_button(self) -> None:
        buttons = [b for b in self.ready(QAbstractButton) if pressed(name_of(b) + b.toolTip())]
        if buttons:
            button = self.dice.choice(buttons)
            self.say("button", name_of(button))
            button.click()

    def change_widget(self) -> None:
        widgets = [*self.ready(QComboBox), *self.ready(QSlider), *self.ready(QTabWidget)]
        if not widgets:
            return
        widget = self.dice.choice(widgets)
        self.say(type(widget).__name__, widget.accessibleName())
        if isinstance(widget, QSlider):
            widget.setValue(self.dice.randint(widget.minimum(), widget.maximum()))
        elif widget.count():
            widget.setCurrentIndex(self.dice.randrange(widget.count()))
            if isinstance(widget, QComboBox):
                widget.activated.emit(widget.currentIndex())

    def press_key(self) -> None:
        key = self.dice.choice(KEYS)
        self.say("key", key)
        focus = QApplication.focusWidget() or self.window.desk.canvas
        QTest.keyClick(focus, Qt.Key[f"Key_{key}"])

    def command(self) -> None:
        menus = [action.menu() for action in self.window.menuBar().actions() if action.menu()]
        self.trigger(self.dice.choice([each for menu in menus for each in commands(menu)]))

    def trigger(self, action: QAction) -> None:
        if action.isEnabled():
            self.say("command", action.text())
            action.trigger()

    def ready(self, kind: type[QWidget]) -> list[QWidget]:
        return [
            widget
            for widget in QApplication.allWidgets()
            if isinstance(widget, kind)
            and widget.isVisible()
            and widget.isEnabled()
            and self.window.isAncestorOf(widget)
        ]


def tree_of(root: QObject) -> Iterator[QObject]:
    """An object of Qt and all below it.

    Not ``findChildren``: PySide makes what it gives children of the wrapper it was called on, which
    keeps them, also those that Qt makes by itself (the line of a number's box), when Qt has deleted
    them.
    """
    yield root
    for child in root.children():
        yield from tree_of(child)


def delete_what_is_to_be_deleted() -> None:
    """``processEvents`` does not do it, only an event loop."""
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def memory_mb() -> float:
    """The memory of this process in MB, without what is free again; NaN where Linux is missing."""
    if sys.platform != "linux":
        return float("nan")
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # of glibc
    if trim is not None:
        trim(0)
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


class _MallInfo(ctypes.Structure):
    """``struct mallinfo2`` of glibc: ten numbers."""

    _fields_ = (("numbers", ctypes.c_size_t * 10),)
    MAPPED = 4
    IN_USE = 7
    """Where bytes of large blocks, and those in use in the arenas, stand."""


def allocated_mb() -> float:
    """What the allocator of C has given out in MB (Python's own blocks are in it); NaN elsewhere.

    What of ``memory_mb`` is beyond it is free, but lies between blocks in use.
    """
    tell = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if tell is None:
        return float("nan")
    tell.restype = _MallInfo
    info = tell()
    return float(info.numbers[info.MAPPED] + info.numbers[info.IN_USE]) / 2**20


def name_of(button: QAbstractButton) -> str:
    return f"{button.text()} {button.accessibleName()} "


def pressed(words: str) -> bool:
    return not any(word in words.lower().replace("&", "") for word in LEFT_OUT)


def commands(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        if action.menu():
            yield from commands(action.menu())
        elif not action.isSeparator() and pressed(action.text()):
            yield action


def close_what_asks() -> None:
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, QDialog | QMenu) and widget.isVisible():
            widget.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--test-system", action="store_true", help="walk among its maps")
    parser.add_argument("--narrow", action="store_true", help="panels are put aside, if narrow")
    options = parser.parse_args()
    faulthandler.enable()
    if not options.narrow:  # the screen is 800 pixels wide; people's windows are wider
        dock_room.ROOMY = QSize(0, 0)
    app = QApplication([])
    gc.disable()  # as in the desk: jobs must not collect what holds Qt objects
    limit_heaps()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["HOME"] = folder
        if options.test_system:
            sys.path.insert(0, str(register(Path(folder) / "installed")))
        walk = Walk(options.seed, Path(folder), test_system=options.test_system)
        sys.excepthook = walk.note
        count = walk.go(options.seconds)
        walk.end()
    print(f"{count} steps, {walk.raised} exceptions")
    app.processEvents()
    return 1 if walk.raised else 0


if __name__ == "__main__":
    sys.exit(main())
