"""A map as a widget or an image shows it: what the renderer is asked to draw.

    view = MapView(battlemap, battlemap.composite(), fitting(grid, size), ratio=2.0)
    renderer.paint(painter, view, dirty)

Lengths are counted in three units::

    map unit        on the map: the radius of a hex
    logical pixel   in widgets: ``viewport.scale`` of them are a map unit
    device pixel    on the screen: ``ratio`` of them are a logical pixel, ``unit`` a map unit
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from app.render.viewport import Viewport
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite


@dataclass(frozen=True, eq=False)
class MapView:
    """A map, the values that its cells show, and where it is seen."""

    battlemap: BattleMap
    """The map that is drawn."""

    composite: Composite
    """The values that its cells show: those of its layers, or others that are shown instead."""

    viewport: Viewport
    """The part of the map that is seen."""

    ratio: float = 1.0
    """The device pixels in a logical pixel."""

    @property
    def unit(self) -> float:
        """The device pixels in a map unit."""
        return self.viewport.scale * self.ratio

    @property
    def origin(self) -> QPointF:
        """The point where the origin of the map is seen, in device pixels."""
        return QPointF(self.viewport.dx, self.viewport.dy) * self.ratio

    def map_area(self, box: QRectF) -> QRectF:
        """Return a box of logical pixels in map units."""
        left_top = QPointF(*self.viewport.to_map(box.topLeft()))
        right_bottom = QPointF(*self.viewport.to_map(box.bottomRight()))
        return QRectF(left_top, right_bottom)
