"""A hex landscape as a newcomer rolls, locks, names and exports it."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.document.map_files import new_map as map_of_kind
from randomizer.catalog.catalog import system_named
from randomizer.model.planes.routes import SIDES

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def desk(qtbot, active):
    """The desk with a landscape that was rolled."""
    desk = active.desk
    desk.document.open_map(map_of_kind(system_named("free")))
    desk.commands.fill("randomize.roll-with.script.*")
    with qtbot.waitSignal(desk.rolling.rolled):
        desk.commands.run("randomize.roll-with.script.inland-landscape")
    return desk


def position(desk, cell: int):
    """Return where a cell is on the canvas."""
    return desk.canvas.viewport.to_screen(*desk.document.battlemap.grid.centre(cell)).toPoint()


def lock_middle(desk) -> np.ndarray:
    """Lock the middle of the map by dragging over it; return which cells are locked, (cells,)."""
    grid = desk.document.battlemap.grid
    desk.tools.choose("lock")
    desk.tools.options.choose(radius=3)
    middle = grid.height // 2
    first = grid.cell(grid.width // 3, middle)
    last = grid.cell(2 * grid.width // 3, middle)
    QTest.mousePress(desk.canvas, LEFT, pos=position(desk, first))
    QTest.mouseMove(desk.canvas, position(desk, last))
    QTest.mouseRelease(desk.canvas, LEFT, pos=position(desk, last))
    return desk.document.battlemap.locked_cells.reshape(-1)


def rivers_that_end(desk, is_locked: np.ndarray) -> list[int]:
    """Return the cells of land beside locked ones from which a river flows nowhere."""
    planes = desk.document.composite.planes
    terrain_set = desk.document.battlemap.terrain_set
    grid = desk.document.battlemap.grid
    (number,) = [index for index, way in enumerate(terrain_set.ways, 1) if way.name == "River"]
    links = planes[f"way{number}"].reshape(-1) & SIDES
    flow = planes["flow"].reshape(-1) & SIDES
    is_water = np.array([terrain.water for terrain in terrain_set.terrains])
    is_land = ~is_water[planes["terrain"].reshape(-1)]
    cells = np.flatnonzero(is_land & ~is_locked & (links > 0) & (flow == 0)).tolist()
    return [cell for cell in cells if is_locked[list(grid.neighbours(cell))].any()]


def test_no_river_ends_at_the_border_of_what_is_locked(desk, qtbot):
    is_locked = lock_middle(desk).copy()
    assert is_locked.sum() > 30
    for _roll in range(4):
        with qtbot.waitSignal(desk.rolling.rolled):
            desk.commands.run("script.roll")
        assert not rivers_that_end(desk, is_locked)
        assert "Locks kept" in desk.frame.statusBar().currentMessage()
