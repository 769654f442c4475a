"""The whole story of a world of one's own, with mouse and keys: from New map to a PDF."""

from __future__ import annotations

import math
import re

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from app.cli.picture import main as picture
from app.features.new_map.dialog import NewMapDialog
from app.features.terrains.fields import OWN_PICTURE
from randomizer.model.map.regions import cells_by_region
from randomizer.model.planes.routes import PRESENT
from tests.app.conftest import mouse, new_map_dialog
from tests.randomizer.map_strategies import contents
from tests.randomizer.own_terrains import png

DRIVEN_DIALOGS = (NewMapDialog,)

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton
PURPLE = png(16, 16, (160, 0, 200))

SMALL_ON_PAPER = ("--paper", "A4", "--hex-mm", "3")
"""Options of a picture: as large as the paper, it takes a second and a half longer."""


@pytest.fixture
def journals(tmp_path):
    return tmp_path / "journals"


class Person:
    """A person at the desk."""

    def __init__(self, window, qtbot) -> None:
        self.window = window
        self.qtbot = qtbot
        self.desk = window.desk
        self.document = window.desk.document

    @property
    def grid(self):
        return self.document.battlemap.grid

    def point(self, cell: int):
        return self.desk.canvas.viewport.to_screen(*self.grid.centre(cell)).toPoint()

    def click(self, *cells: int) -> None:
        for cell in cells:
            QTest.mouseClick(self.desk.canvas, LEFT, pos=self.point(cell))

    def drag(self, *cells: int) -> None:
        canvas = self.desk.canvas
        points = [self.point(cell) for cell in cells]
        mouse(canvas, "MouseButtonPress", points[0], LEFT, LEFT)
        for point in points[1:]:
            mouse(canvas, "MouseMove", point, NONE, LEFT)
        mouse(canvas, "MouseButtonRelease", points[-1], LEFT, NONE)

    def write(self, field, text: str) -> None:
        field.selectAll()
        QTest.keyClicks(field, text)
        if isinstance(field, QLineEdit):
            QTest.keyClick(field, Qt.Key.Key_Return)
        else:
            QApplication.sendEvent(field, QFocusEvent(QEvent.Type.FocusOut))

    def place(self, kind: str, **values: str):
        """Place a thing of a kind where there is room, and write its values in the form."""
        things = [
            (visible_thing.x, visible_thing.y)
            for visible_thing in self.document.battlemap.visible_things()
        ]
        inner = (x + y * self.grid.width for y in range(2, 10) for x in range(2, 14))
        cell = next(
            cell
            for cell in inner
            if all(math.dist(self.grid.centre(cell), at) > 4 for at in things)
        )
        self.desk.tools.choose("things")
        palette = self.desk.docks.panel("palette")
        page = palette.things
        rows = [page.kinds.item(row) for row in range(page.kinds.count())]
        page.kinds.itemClicked.emit(next(row for row in rows if row.text().startswith(kind)))
        self.click(cell)
        thing = max(self.document.battlemap.visible_things(), key=lambda each: each.id)
        self.document.pick([thing.id])
        page.form.show_things()
        for name, text in values.items():
            self.write(page.form.form.field(name), text)
        self.document.pick([])
        return self.document.battlemap.thing(thing.id)


def test_a_world_of_ones_own(window, qtbot, hand, tmp_path):
    person = Person(window, qtbot)
    desk = person.desk
    document = person.document

    # A landscape by dice.
    dialog = new_map_dialog(window, "Landscape or free map", "Landscape")
    dialog.form.field("width").setValue(16)
    dialog.form.field("height").setValue(12)
    dialog.make_button.click()
    qtbot.waitUntil(lambda: document.battlemap.system.name == "free")
    desk.canvas.fit()
    rolled = contents(document.battlemap)
    start = document.history.index

    # A terrain of one's own with a picture of one's own, painted along the coast.
    (tmp_path / "own.png").write_bytes(PURPLE)
    desk.docks.open("terrains")
    panel = desk.docks.panel("terrains")
    panel.editor.buttons["Add"].click()
    own = len(document.battlemap.terrain_set.terrains) - 1
    pictures = panel.editor.form.field("picture")
    hand.expect("Picture of New terrain").type_path(tmp_path / "own.png")
    pictures.setCurrentIndex(pictures.findData(OWN_PICTURE))
    qtbot.waitUntil(lambda: bool(document.battlemap.terrain_set.terrains[own].asset))
    desk.tools.options.choose(terrain=own)
    desk.tools.choose("terrain")
    coast = (50, 51, 52)
    person.click(*coast)

    # A river and a road that crosses it.
    names = [way.name for way in document.battlemap.terrain_set.ways]
    desk.tools.choose("route")
    for name, cells in (("River", (36, 52, 68, 84)), ("Road", (66, 67, 68, 69))):
        desk.tools.options.choose(route=names.index(name))
        person.drag(*cells)
        plane = document.composite.planes[f"way{names.index(name) + 1}"].reshape(-1)
        assert all(plane[cell] & PRESENT for cell in cells), name

    # One part is locked, the rest rolled again.
    document.select(range(16 * 8, 16 * 12))
    desk.commands.run("select.lock")
    desk.commands.run("select.nothing")
    terrain = document.composite.planes["terrain"].copy()
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("script.roll")
    after = document.composite.planes["terrain"]
    assert (after.reshape(-1)[list(coast)] == own).all()
    assert (after[8:] == terrain[8:]).all()
    assert (after[:8] != terrain[:8]).mean() > 0.2
    road = document.composite.planes[f"way{names.index('Road') + 1}"].reshape(-1)
    assert all(road[cell] & PRESENT for cell in (66, 67, 68, 69)), "what was drawn stays"

    # Names, a region, a note.
    note = person.place("Note", label="Hoard", **{"state.text": "Gold"})
    assert note.label == "Hoard"
    person.place("Label", label="Inner Sea")
    desk.docks.open("regions")
    regions = desk.docks.panel("regions")
    regions.buttons["Add"].click()
    person.click(5, 6, 7)
    person.write(regions.form.field("name"), "Rohan")
    assert cells_by_region(document.battlemap, document.composite).tolist() == [3]

    # Everything is undone, and done again.
    done = document.history.index
    finished = contents(document.battlemap)
    document.go_to(start)
    assert contents(document.battlemap) == rolled
    document.go_to(done)
    assert contents(document.battlemap) == finished

    # Saved, printed with a key, opened again.
    path = tmp_path / "world.battlemap"
    hand.expect("Save map as").type_path(path)
    desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: path.exists() and not document.modified)
    assert picture([str(path), str(tmp_path / "world.pdf"), *SMALL_ON_PAPER]) == 0
    pdf = (tmp_path / "world.pdf").read_bytes()
    assert len(re.findall(rb"/Type /Page\b", pdf)) == 2, "the map, and its key"
    desk.files.closing.close_current()
    desk.files.open_path(path)
    qtbot.waitUntil(lambda: document.path == path)
    assert contents(document.battlemap) == finished
    assert document.battlemap.thing(note.id).label == "Hoard"
    assert document.battlemap.assets
