"""A million hexes in the real window: nothing that a person does is done for each of them there.

``python -m tests.benchmarks large-map`` measures how long each action holds the window.
"""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest

from randomizer.geometry import stamp_placing
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.grid.layouts import POINTY
from randomizer.systems.free.system import free_map
from tests.ui_work import UiWork

SIDE = 640  # turned it has at most 1024 columns and rows, too
MAX_CALLS = SIDE * SIDE // 2
"""In one turn of the event loop. The first pictures of another map take the most, 100,000."""

OVERLAYS = (
    "elevation", "grid-lines", "hex-labels", "hexsides", "locks", "passability", "placed-things",
    "relief", "start-list",
)  # fmt: skip


class Person:
    """Does one thing after another, and counts the calls of the longest turn in each."""

    def __init__(self, window, qtbot) -> None:
        self.window = window
        self.qtbot = qtbot
        self.document = window.desk.document
        self.canvas = window.desk.canvas
        self.actions = {action.objectName(): action for action in window.findChildren(QAction)}
        self.calls: dict[str, int] = {}

    def do(self, name, action, until=lambda: True) -> None:
        with UiWork() as work:
            action()
            self.qtbot.waitUntil(until)
            self.canvas.repaint()
        self.calls[name] = max(self.calls.get(name, 0), work.max_calls)

    def choose(self, name, until=lambda: True) -> None:
        """An entry of the menus."""
        self.do(name, self.actions[name].trigger, until)

    def change(self, name) -> None:
        """An entry that makes an undo step, which is then undone."""
        steps = self.document.history.index
        self.choose(name, lambda: self.document.history.index == steps + 1)
        undone = lambda: self.document.history.index == steps  # noqa: E731
        self.do(f"undo of {name}", self.actions["edit.undo"].trigger, undone)

    def click(self, aside: int = 0) -> None:
        point = self.canvas.rect().center() + QPoint(aside, aside)
        QTest.mouseMove(self.canvas, point)
        QTest.mouseClick(self.canvas, Qt.MouseButton.LeftButton, pos=point)

    def zoom_in_and_out(self) -> None:
        for factor in (1.5, 1 / 1.5):
            for _ in range(12):
                self.canvas.zoom(factor)
                self.canvas.repaint()


def large_map(side=SIDE):
    """Return a map with patches of terrain of 4 x 4 cells; ``side`` is a multiple of 4."""
    battlemap = free_map(POINTY, side, side)
    noise = np.random.default_rng(1)
    patches = np.kron(noise.integers(0, 11, (side // 4, side // 4)), np.ones((4, 4), np.int64))
    battlemap.layers[0].planes["terrain"] = patches.astype("u2")
    battlemap.layers[0].planes["elevation"] = noise.integers(0, 4, (side, side)).astype("i2")
    return battlemap


def paste_all(person: Person) -> None:
    """All that the map shows, copied and laid down on it again."""
    said = person.window.statusBar().currentMessage
    person.choose("select.all")
    person.choose("edit.copy", lambda: "copied" in said())
    person.choose("edit.paste", lambda: person.canvas.tool.name == "stamp")


def do_everything(person: Person) -> None:
    """What a person does with a large map; in the end it is as it was."""
    document = person.document
    options = person.window.desk.tools.options
    battlemap = document.battlemap
    options.choose(terrain=4)
    person.choose("select.all")
    person.change("select.fill-with-terrain")
    person.change("select.lock")
    for name in ("shrink", "grow", "invert", "all"):
        person.choose(f"select.{name}")
    person.change("edit.delete")
    person.choose("select.nothing")
    for name in OVERLAYS:
        for _ in range(2):
            person.choose(f"view.{name}")
    for name in ("view.colours.dark", "view.colours.light", "view.previous-map", "view.next-map"):
        person.choose(name)
    for name in ("map.flip-horizontally", "map.turn-right", "layer.new-layer"):
        person.change(name)
    ground = battlemap.layers[0].id
    for name, was, new in (("visible", True, False), ("opacity", 1.0, 0.5)):
        edit = LayerField(ground, name, was, new)
        person.do(name, lambda edit=edit: document.push(edit, "Change layer"))
        person.choose("edit.undo")
    for name in ("random", "fill"):
        options.choose(radius=9)
        person.choose(f"tool.{name}")
        person.do(f"a click with {name}", person.click)
        person.choose("edit.undo")
    person.choose("view.fit-map")
    person.do("zoom in and out", person.zoom_in_and_out)


@pytest.fixture
def journals(tmp_path):
    return tmp_path / "data" / "journals"


@pytest.fixture
def person(window, qtbot):
    window.resize(1600, 1000)
    window.desk.document.open_map(large_map())
    return Person(window, qtbot)


@pytest.mark.deep
def test_nothing_is_done_for_each_hex_on_the_windows_thread(person):
    battlemap = person.document.battlemap
    before = {name: plane.copy() for name, plane in battlemap.layers[0].planes.items()}
    do_everything(person)
    assert {name: n for name, n in person.calls.items() if n > MAX_CALLS} == {}
    planes = person.document.battlemap.layers[0].planes
    assert all(np.array_equal(planes[name], plane) for name, plane in before.items())
    assert not person.document.battlemap.locked_cells.any()


@pytest.mark.deep
def test_what_was_copied_from_all_of_it_is_laid_down_off_the_windows_thread(person):
    document = person.document
    history = person.document.history
    before = document.battlemap.layers[0].planes["terrain"].copy()
    paste_all(person)
    steps = history.index
    with UiWork() as work:
        person.click(aside=90)
        person.qtbot.waitUntil(lambda: history.index == steps + 1)
    assert work.where(stamp_placing.place) == {"job"}
    assert history.steps[steps].text.startswith("Stamp")
    assert not np.array_equal(document.battlemap.layers[0].planes["terrain"], before)
    document.undo()
    assert np.array_equal(document.battlemap.layers[0].planes["terrain"], before)


@pytest.mark.deep
def test_a_change_meanwhile_leaves_nothing_of_what_was_being_laid_down(person):
    document = person.document
    history = person.document.history
    paste_all(person)
    person.click(aside=90)
    document.push(LayerField(document.battlemap.layers[0].id, "name", "Ground", "Mud"), "Rename")
    steps = history.index
    before = document.battlemap.layers[0].planes["terrain"].copy()
    said = person.window.statusBar().currentMessage
    person.qtbot.waitUntil(lambda: "meanwhile" in said())
    assert history.index == steps
    assert np.array_equal(document.battlemap.layers[0].planes["terrain"], before)
