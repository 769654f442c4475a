"""Draws the names of a board's entry sides along its edges."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF

from app.appearance.painting import saved_state
from app.render.overlays.lettering import font

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter

    from app.render.theme import Theme
    from app.render.viewport import Viewport
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.grid import Grid


class EntrySideNames:
    """Draws the names of the entry sides in one theme; keeps their lines by system."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._lines: dict[str, list[tuple[str, QLineF]]] = {}

    def paint(
        self, painter: QPainter, battlemap: BattleMap, viewport: Viewport, dirty: QRectF
    ) -> None:
        """Draw the names that reach into ``dirty`` (logical pixels, the painter's unit)."""
        if not battlemap.system.entry_sides:
            return
        painter.setFont(font(viewport.scale * 0.24))
        painter.setPen(self._theme.entry_side_text)
        metrics = QFontMetricsF(painter.font())
        for name, line in self._lines_of(battlemap):
            at = viewport.to_screen(line.center().x(), line.center().y())
            width, height = metrics.horizontalAdvance(name), metrics.height()
            reach = math.hypot(width, height) / 2 + 2
            if not dirty.intersects(QRectF(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach)):
                continue
            with saved_state(painter):
                painter.translate(at)
                painter.rotate(readable_angle(line))
                box = QRectF(-width / 2 - 4, -height / 2, width + 8, height)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)

    def _lines_of(self, battlemap: BattleMap) -> list[tuple[str, QLineF]]:
        """The name and the ``entry_line`` of each entry side."""
        lines = self._lines.get(battlemap.system.name)
        if lines is None:
            lines = [
                (name, entry_line(battlemap.grid, cells))
                for name, cells in battlemap.system.entry_sides
            ]
            self._lines[battlemap.system.name] = lines
        return lines


def entry_line(grid: Grid, cells: tuple[int, ...]) -> QLineF:
    """A line outside the board along the cells of an entry side, in map units."""
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
    away = centre + normal * (farthest + 0.28)
    return QLineF(away - (last - first) / 2, away + (last - first) / 2)


def readable_angle(line: QLineF) -> float:
    """The rotation in degrees, clockwise, of a text along a line that is not upside down."""
    angle = -line.angle()
    return angle if -90 < (angle + 180) % 360 - 180 <= 90 else angle + 180
