"""The sprites of cells side by side in one pixmap, so that one call draws all cells of a frame.

Cells are drawn in the order of the map, not terrain by terrain: pixels that lie near each other are
written one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.render.raster.fragments import draw_fragments
from app.render.terrain_pictures import BASE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.render.terrain_pictures import TerrainPictures
    from app.render.theme import Theme
    from randomizer.model.terrain import Terrain

WIDEST = 1024
"""A sheet is about so many pixels wide, or as wide as one sprite."""

Look = tuple[int, int]
"""Terrain index and elevation."""


class CellSheet:
    """Sprites of ``stencil``'s size and shape at one scale, ``pixels`` a map unit.

    ``box`` is what a sprite covers around the cell's centre, in map units; ``outline`` (or None)
    lies over each.
    """

    def __init__(
        self,
        terrain_pictures: TerrainPictures,
        terrains: Sequence[Terrain],
        theme: Theme,
        box: QRectF,
        pixels: float,
        stencil: QPixmap,
        outline: QPixmap | None,
    ) -> None:
        self._terrain_pictures, self._terrains, self._theme = terrain_pictures, terrains, theme
        self._box, self._pixels = box, pixels
        self._stencil, self._outline = stencil, outline
        self.width, self.height = stencil.width(), stencil.height()
        self._columns = max(1, min(16, WIDEST // self.width))
        self._slots: dict[Look, int] = {}
        self._drafts: set[Look] = set()
        self.pixmap = self._blank(1)

    def _blank(self, rows: int) -> QPixmap:
        pixmap = QPixmap(self._columns * self.width, rows * self.height)
        pixmap.fill(Qt.GlobalColor.transparent)
        return pixmap

    @property
    def bytes(self) -> int:
        """How much memory the sheet takes."""
        return self.pixmap.width() * self.pixmap.height() * 4

    def ready(self, look: Look) -> bool:
        """Whether this sprite is drawn for good."""
        return look in self._slots and look not in self._drafts

    def rect(self, look: Look) -> QRect:
        """Where on the pixmap a sprite lies that was drawn."""
        row, column = divmod(self._slots[look], self._columns)
        return QRect(column * self.width, row * self.height, self.width, self.height)

    def draw(self, looks: Sequence[Look], *, progressive: bool = False) -> NDArray[np.float64]:
        """See that these sprites are there: their corners on the pixmap, shape (n, 2).

        ``progressive``: what would take time to draw is only drafted.
        """
        missing = [look for look in looks if not (progressive and look in self._slots)]
        missing = [look for look in missing if not self.ready(look)]
        if missing:
            for look in missing:
                self._slots.setdefault(look, len(self._slots))
            rows = -(-len(self._slots) // self._columns) * self.height
            if rows > self.pixmap.height():
                former, self.pixmap = self.pixmap, self._blank(rows // self.height)
            else:
                former = None
            painter = QPainter(self.pixmap)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            if former is not None:
                painter.drawPixmap(0, 0, former)
            for look in missing:
                self._draw(painter, look, progressive)
            painter.setClipping(False)
            corners = self._corners(missing)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
            draw_fragments(painter, self._stencil, corners)
            if self._outline is not None:
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
                draw_fragments(painter, self._outline, corners)
            painter.end()
        return self._corners(looks)

    def _corners(self, looks: Sequence[Look]) -> NDArray[np.float64]:
        rows, columns = np.divmod([self._slots[look] for look in looks], self._columns)
        return np.column_stack([columns * self.width, rows * self.height]).astype(np.float64)

    def _draw(self, painter: QPainter, look: Look, progressive: bool) -> None:
        """A picture that fills its place, and more than the cell.

        A draft is a picture of another size, or the plain colour of the terrain.
        """
        rect = self.rect(look)
        small = self._pixels <= BASE
        painted = self._terrain_pictures.has(*look)
        sharp = not progressive or (painted and small)
        painter.setClipRect(rect)
        if look in self._drafts:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.fillRect(rect, Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        if sharp or painted:
            fine = sharp and not small
            source = (
                self._terrain_pictures.paint(*look, self._pixels)
                if fine
                else self._terrain_pictures.scaled(*look, self._pixels)
            )
            box, scale = self._terrain_pictures.box, self._pixels
            painter.drawImage(
                QRectF(
                    rect.left() + (box.left() - self._box.left()) * scale,
                    rect.top() + (box.top() - self._box.top()) * scale,
                    box.width() * scale,
                    box.height() * scale,
                ),
                source,
            )
        else:
            painter.fillRect(rect, self._theme.terrain_colour(self._terrains[look[0]]))
        if sharp:
            self._drafts.discard(look)
        else:
            self._drafts.add(look)
