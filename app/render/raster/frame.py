"""One frame on its way to the screen: what is drawn where, in device pixels."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from app.render.raster.fragments import draw_fragments

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter, QPixmap

    from app.render.raster.sprites import Sprites
    from app.render.viewport import Viewport
    from randomizer.model.battlemap import BattleMap, Composite


@dataclass(frozen=True, eq=False)
class Frame:
    """The ``cells`` (n,) that may show in ``dirty`` (logical pixels), their centres in ``at``.

    ``at`` has shape (n, 2) and is in device pixels, which are the painter's unit too.
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
        """Device pixels a map unit."""
        return self.viewport.scale * self.ratio

    def moved(self, at: NDArray[np.float64]) -> Frame:
        """The same frame with these centres."""
        return replace(self, at=at)

    def some(self, places: NDArray[np.intp] | NDArray[np.bool_]) -> Frame:
        """The same frame with some of its cells."""
        return replace(self, cells=self.cells[places], at=self.at[places])

    def to_device(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Map units (n, 2) to device pixels."""
        offset = np.array((self.viewport.dx, self.viewport.dy)) * self.ratio
        return np.asarray(points * self.unit + offset)

    def corners(self, box: QRectF) -> NDArray[np.float64]:
        """Where the corners of sprites lie, in whole pixels: shape (n, 2).

        ``box`` lies around the cell's centre, in map units.
        """
        offset = np.array((box.left(), box.top())) * self.unit + 0.5
        return np.asarray(np.floor(self.at + offset))

    def draw_in_box(
        self, pixmap: QPixmap, box: QRectF, opacity: NDArray[np.float64] | float = 1.0
    ) -> None:
        """Draw a sprite at every cell; ``box`` lies around the cell's centre, in map units."""
        draw_fragments(self.painter, pixmap, self.corners(box), opacity)

    def draw_centred(self, pixmap: QPixmap, x: float = 0.0, y: float = 0.0) -> None:
        """Draw a mark at every cell, its middle (x, y) map units from the cell's centre."""
        half = np.array((pixmap.width(), pixmap.height())) / 2 - 0.5
        draw_fragments(
            self.painter, pixmap, np.floor(self.at + np.array((x, y)) * self.unit - half)
        )
