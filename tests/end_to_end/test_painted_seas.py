"""A sea that is painted by hand is level: it has no steps in it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.systems.free.packaged_sets import packaged_set
from randomizer.systems.free.system import SYSTEM, free_map
from tests.app.conftest import mouse
from tests.daily import deep_but

LEFT = Qt.MouseButton.LeftButton


def point(window, x: int, y: int) -> QPoint:
    canvas = window.desk.canvas
    grid = canvas.document.battlemap.grid
    return canvas.viewport.to_screen(*grid.centre(grid.cell(x, y))).toPoint()


def elevation(window) -> np.ndarray:
    return window.desk.document.composite.planes[SYSTEM.height.name]


def choose(window, terrain: str) -> None:
    code = window.desk.document.battlemap.terrain_set.terrain_code(terrain)
    window.desk.commands.run("tool.terrain")
    window.desk.tools.options.choose(terrain=code)


@pytest.fixture
def window(shared_window):
    return shared_window


@pytest.fixture(params=deep_but([FLAT, SQUARE], FLAT), ids=lambda layout: layout.name)
def coast(request, window):
    """A window with a sea in the west and, from column 6 on, land that rises to the east."""
    document = window.desk.document
    document.show_map(free_map(request.param, 16, 10))
    grid = document.battlemap.grid
    columns = grid.cells % grid.width
    sea = document.battlemap.terrain_set.terrain_code("Sea")
    west = grid.cells[columns < 6]
    for plane, cells, values in (
        (SYSTEM.terrain.name, west, sea),
        (SYSTEM.height.name, grid.cells, np.maximum(0, columns - 6)),
    ):
        edit = set_values(document.battlemap, document.active_layer_id, plane, cells, values)
        document.push(edit, "Paint")
    return window


def test_a_bay_that_is_dragged_into_the_land_is_as_low_as_the_sea(coast):
    canvas = coast.desk.canvas
    choose(coast, "Sea")
    steps = len(coast.desk.document.history.steps)
    QTest.mousePress(canvas, LEFT, pos=point(coast, 5, 4))
    for x in range(6, 13):
        mouse(canvas, "MouseMove", point(coast, x, 4), LEFT, LEFT)
    QTest.mouseRelease(canvas, LEFT, pos=point(coast, 12, 4))
    assert (elevation(coast)[4, 6:13] == 0).all()
    assert elevation(coast)[2, 12] == 6, "the land keeps its elevation"
    assert len(coast.desk.document.history.steps) == steps + 1
    coast.desk.commands.run("edit.undo")
    assert elevation(coast)[4, 12] == 6


def test_a_lake_lies_as_low_as_the_lowest_ground_around_it(coast):
    choose(coast, "Shallows")
    coast.desk.tools.options.choose(radius=1)
    QTest.mouseClick(coast.desk.canvas, LEFT, pos=point(coast, 11, 5))
    planes = coast.desk.document.composite.planes
    shallows = coast.desk.document.battlemap.terrain_set.terrain_code("Shallows")
    lake = elevation(coast)[planes[SYSTEM.terrain.name] == shallows]
    assert len(lake) > 6
    assert (lake == 3).all()


def test_land_keeps_its_elevation_when_it_is_painted(coast):
    choose(coast, "Wood")
    before = elevation(coast).copy()
    QTest.mouseClick(coast.desk.canvas, LEFT, pos=point(coast, 11, 5))
    assert (elevation(coast) == before).all()


def test_ponds_of_a_battlefield_lie_at_the_level_of_their_board(window):
    document = window.desk.document
    document.show_map(free_map(FLAT, 8, 6, terrain_set=packaged_set("Battlefield")))
    everywhere = document.battlemap.grid.cells
    edit = set_values(
        document.battlemap, document.active_layer_id, SYSTEM.height.name, everywhere, 2
    )
    document.push(edit, "Raise")
    names = [terrain.name for terrain in document.battlemap.terrain_set.terrains if terrain.water]
    choose(window, names[0])
    QTest.mouseClick(window.desk.canvas, LEFT, pos=point(window, 3, 3))
    assert (elevation(window) == 2).all()
