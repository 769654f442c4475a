"""One frame of the raster renderer: which cells are drawn, where, and with which sprites."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter, QPixmap

from app.render.raster.fragments import draw_fragments
from app.render.raster.sprites import Sprites
from app.render.viewport import Viewport
from randomizer.model.battlemap import BattleMap
from randomizer.model.composite import Composite


@dataclass(frozen=True, eq=False)
class Frame:
    """The ``cells`` (n,) that may show in ``dirty`` (logical pixels).

    ``at`` (n, 2) are their centres in device pixels, the painter's unit. ``ratio`` is the number
    of device pixels in a logical one.
    """

    painter: QPainter
    battlemap: BattleMap
    composite: Composite
    viewport: Viewport
    ratio: float
    dirty: QRectF
    sprites: Sprites
    cells: NDArray[np.intp]
    at: NDArray[np.float64]

    @property
    def unit(self) -> float:
        """Device pixels in a map unit."""
        return self.viewport.scale * self.ratio

    def with_centres(self, at: NDArray[np.float64]) -> Frame:
        """Return the same frame with other centres."""
        return replace(self, at=at)

    def some(self, places: NDArray[np.intp] | NDArray[np.bool_]) -> Frame:
        """Return the same frame with some of its cells: places in ``cells``, or a mask of them."""
        return replace(self, cells=self.cells[places], at=self.at[places])

    def to_device(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map units (n, 2) to device pixels."""
        offset = np.array((self.viewport.dx, self.viewport.dy)) * self.ratio
        return np.asarray(points * self.unit + offset)

    def corners(self, box: QRectF) -> NDArray[np.float64]:
        """Return the left top corners (n, 2), in whole device pixels, of sprites that fill ``box``.

        ``box`` lies around the cell's centre, in map units.
        """
        offset = np.array((box.left(), box.top())) * self.unit + 0.5
        return np.asarray(np.floor(self.at + offset))

    def draw_in_box(
        self, pixmap: QPixmap, box: QRectF, opacity: NDArray[np.float64] | float = 1.0
    ) -> None:
        """Draw a sprite at every cell; ``box`` lies around the cell's centre, in map units."""
        draw_fragments(self.painter, pixmap, self.corners(box), opacity)
