"""A table that changed as a whole is shown when all its sprites are drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QImage

from app.canvas.canvas import MapCanvas
from app.canvas.map_widget import TURN_MS
from app.document.document import MapDocument
from app.render.raster.atlas import Atlas
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.planes.composite import Composite
from randomizer.systems.cordery.entered_dice import RECORD, EnteredDice
from tests.app.canvas.updates import note_updates
from tests.app.cordery_tables import bare_table, rolled_table


class Paints(QObject):
    """Counts the sprites that were drawn before each frame of a canvas began."""

    def __init__(self, canvas: MapCanvas, atlas: Atlas) -> None:
        super().__init__()
        self.atlas = atlas
        self.before = list[int]()
        canvas.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:  # noqa: N802  (Qt's name)
        if event.type() == QEvent.Type.Paint:
            self.before.append(len(self.atlas))
        return False


@pytest.fixture
def canvas(qtbot):
    """Shows a bare table; every turn of the event loop draws one sprite."""
    canvas = MapCanvas(MapDocument(bare_table("square", 8, 8)), Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(500, 500)
    canvas.show()
    qtbot.waitExposed(canvas)
    qtbot.waitUntil(lambda: canvas.is_sharp)
    canvas.repaint()  # now, so that no frame is due that was asked for before
    canvas.turn_ms = 0
    return canvas


def hills():
    """The layer of hills of a table that was thrown."""
    layers = rolled_table("square", relief="hilly").layers
    layer = next(each for each in layers if each.roll and each.roll.part == "hills")
    assert np.count_nonzero(layer.planes["elevation"])
    return layer.copy()


def lay(canvas) -> None:
    layer = hills()
    layer.id = 77
    canvas.document.push(LayerInsert(1, layer), "Throw")


def test_another_table_is_shown_when_all_that_lies_on_it_is_drawn(canvas, qtbot):
    atlas = canvas.renderer.sprites(canvas.document.battlemap, canvas.viewport.scale, 1.0).atlas
    paints = Paints(canvas, atlas)
    lay(canvas)
    before = len(atlas)
    qtbot.waitUntil(lambda: bool(paints.before))
    assert paints.before[0] > before + 1
    qtbot.waitUntil(lambda: canvas.is_sharp)  # a late resize begins with a draft
    shown = canvas.grab().toImage()
    assert len(atlas) == paints.before[0], "no frame had to draw a sprite"
    assert shown == fresh(canvas)


def test_a_table_that_went_out_of_sight_is_not_prepared(canvas, qtbot):
    lay(canvas)
    assert canvas.is_drawing_hidden
    canvas.turn_ms = TURN_MS
    canvas.document.open_map(bare_table("square", 6, 6))
    assert not canvas.is_drawing_hidden
    qtbot.waitUntil(lambda: canvas.is_sharp)
    assert canvas.grab().toImage() == fresh(canvas)


def test_what_is_undone_meanwhile_is_not_shown(canvas, qtbot):
    bare = canvas.grab().toImage()
    lay(canvas)
    canvas.document.undo()
    qtbot.waitUntil(lambda: not canvas.is_drawing_hidden)
    assert canvas.grab().toImage() == bare


def with_hill(canvas, cell: int) -> Composite:
    """What the canvas shows, with a hill in one area."""
    composite = canvas.document.composite.copy()
    elevation = composite.planes["elevation"].copy()
    elevation.flat[cell] = 1
    return replace(composite, planes={**composite.planes, "elevation": elevation})


def test_of_a_table_shown_instead_only_what_differs_is_drawn(canvas, monkeypatch):
    grid = canvas.document.battlemap.grid
    canvas.show_instead(with_hill(canvas, grid.cell(1, 1)))
    canvas.repaint()
    first = canvas.grab().toImage()
    updates = note_updates(monkeypatch, canvas)
    canvas.show_instead(with_hill(canvas, grid.cell(1, 1)))
    assert updates == [], "it looks the same"
    canvas.show_instead(with_hill(canvas, grid.cell(2, 1)))
    right_columns = canvas.rect().translated(canvas.width() * 3 // 4, 0)
    assert updates
    assert not any(box.intersects(right_columns) for (box,) in updates)
    assert canvas.grab().toImage() != first
    canvas.show_instead(None)
    assert canvas.grab().toImage() == fresh(canvas)


def test_dice_that_are_noted_in_the_map_draw_nothing_again(canvas, monkeypatch):
    dice = EnteredDice().with_die("hills die", dice_in_throw=1, score=4)
    edit = set_record(canvas.document.battlemap, RECORD, dice.as_record())
    updates = note_updates(monkeypatch, canvas)
    canvas.document.push(edit, "Enter a die")
    assert updates == []


def fresh(canvas) -> QImage:
    """What a new canvas shows of the same map."""
    other = MapCanvas(MapDocument(canvas.document.battlemap), Renderer(theme("light")))
    other.resize(canvas.size())
    other.grab()  # it is given its size now; what takes time it only drafts
    while not other._draw_missing():
        pass  # what its timer does in as many turns
    other.sharpening.may_draft = False
    return other.grab().toImage()
