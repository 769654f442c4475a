"""A canvas on a free map of any layout, driven by columns and rows."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from app.document.document import MapDocument
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set
from randomizer.systems.free.system import free_map
from tests.app.conftest import CanvasDriver, mouse

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton


class GridDriver(CanvasDriver):
    """A canvas whose places are (column, row), from 0 on."""

    def __init__(self, qtbot, battlemap: BattleMap) -> None:
        super().__init__(qtbot, MapDocument(battlemap))
        self.refused: list[str] = []
        self.document.work_refused.connect(self.refused.append)

    @property
    def grid(self):
        return self.document.battlemap.grid

    def at(self, x: int, y: int, side: int | None = None, depth: float = 0.9) -> QPoint:
        place = self.grid.cell(x, y)
        px, py = self.grid.centre(place)
        if side is not None:
            ends = self.grid.corner(place, side), self.grid.corner(place, side + 1)
            px += (sum(end[0] for end in ends) / 2 - px) * depth
            py += (sum(end[1] for end in ends) / 2 - py) * depth
        return self.canvas.viewport.to_screen(px, py).toPoint()

    def click(self, *place: int, modifiers=None) -> None:
        self.drag(self.at(*place), modifiers=modifiers)

    def drag(self, *points: QPoint, modifiers=None, release: bool = True) -> None:
        mouse(self.canvas, "MouseButtonPress", points[0], LEFT, LEFT, modifiers)
        for point in points[1:]:
            mouse(self.canvas, "MouseMove", point, NONE, LEFT, modifiers)
        if release:
            mouse(self.canvas, "MouseButtonRelease", points[-1], LEFT, NONE, modifiers)

    def hover(self, *place: int) -> None:
        mouse(self.canvas, "MouseMove", self.at(*place), NONE, NONE)

    def plane(self, name: str):
        return np.array(self.document.composite.planes[name])

    def painted(self, code: int) -> set[tuple[int, int]]:
        """The (column, row) of every cell of a terrain."""
        ys, xs = np.nonzero(self.plane("terrain") == code)
        return set(zip(xs.tolist(), ys.tolist(), strict=True))

    def cells(self, cells) -> set[tuple[int, int]]:
        return {self.grid.xy(int(cell)) for cell in cells}


@pytest.fixture
def make_driver(qtbot):
    """Makes drivers of free maps with the hazards of Titan."""
    titan = packaged_set(TITAN_HAZARDS)
    return lambda layout=FLAT, width=16, height=12, **more: GridDriver(
        qtbot, free_map(layout, width, height, terrain_set=titan, **more)
    )


@pytest.fixture
def driver(make_driver) -> GridDriver:
    return make_driver()
