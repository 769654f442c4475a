"""The names of a board's entry sides along its edges."""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF

from app.render.scene.batch import TextBatch
from app.render.theme import Theme
from randomizer.model.battlemap import BattleMap
from randomizer.model.grid.grid import Grid

SIZE = 0.24
"""The type size in map units."""

APART = 0.28
"""How far outside the board a line of names is, in map units."""


_lines: WeakKeyDictionary[Grid, tuple[NDArray[np.float64], NDArray[np.float64]]] = (
    WeakKeyDictionary()
)
"""For each board the middles (n, 2) and the angles (n,) of the names of its sides."""


def batches(battlemap: BattleMap, theme: Theme) -> Iterator[TextBatch]:
    """Yield the names of the entry sides, turned along their cells."""
    sides = battlemap.system.entry_sides
    if not sides:
        return
    if battlemap.grid not in _lines:
        lines = [_entry_line(battlemap.grid, cells) for _, cells in sides]
        points = np.array([line.center().toTuple() for line in lines])
        _lines[battlemap.grid] = points, np.array([_readable_angle(line) for line in lines])
    points, angles = _lines[battlemap.grid]
    names = [name for name, _ in sides]
    yield TextBatch(names, points, SIZE, theme.entry_side_text, angles=angles)


def _entry_line(grid: Grid, cells: tuple[int, ...]) -> QLineF:
    """Return a line outside the board along the cells of an entry side, in map units."""
    left, top, right, bottom = grid.bounds
    middle = QPointF((left + right) / 2, (top + bottom) / 2)
    first, last = QPointF(*grid.centre(cells[0])), QPointF(*grid.centre(cells[-1]))
    centre = (first + last) / 2
    along = QLineF(first, last).unitVector()
    normal = QPointF(-along.dy(), along.dx())
    if QPointF.dotProduct(normal, centre - middle) < 0:
        normal = -normal
    farthest = max(
        QPointF.dotProduct(QPointF(*grid.corner(cell, i)) - centre, normal)
        for cell in cells
        for i in range(grid.degree)
    )
    away = centre + normal * (farthest + APART)
    return QLineF(away - (last - first) / 2, away + (last - first) / 2)


def _readable_angle(line: QLineF) -> float:
    """Return the rotation in degrees, clockwise, of a text along a line, not upside down."""
    angle = -line.angle()
    return angle if -90 < (angle + 180) % 360 - 180 <= 90 else angle + 180
