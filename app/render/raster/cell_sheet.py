"""The sprites of cells side by side in one pixmap, so that one call draws all cells of a frame.

Cells are drawn in the order of the map, not terrain by terrain: neighbouring pixels are written one
after the other, which is quicker.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPixmap

from app.appearance.painting import painting
from app.render.raster.fragments import draw_fragments, draw_parts
from app.render.terrain_pictures import BASE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from app.render.terrain_pictures import CellKey, TerrainPictures
    from app.render.theme import Theme
    from randomizer.model.terrain import Terrain

WIDEST = 1024
"""A sheet is at most this many pixels wide, but at least one sprite."""


class CellSheet:
    """Sprites of cells at one scale, of ``pixels`` device pixels a map unit.

    ``stencil`` has the size of a sprite and is opaque where a sprite may draw. ``box`` is the
    bounding box of a sprite around the cell's centre, in map units; ``outline`` (or None) is drawn
    over every sprite.
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
        self._slots: dict[CellKey, int] = {}
        self._drafts: set[CellKey] = set()
        self.pixmap = self._blank(1)

    def _blank(self, rows: int) -> QPixmap:
        pixmap = QPixmap(self._columns * self.width, rows * self.height)
        pixmap.fill(Qt.GlobalColor.transparent)
        return pixmap

    @property
    def bytes(self) -> int:
        """How much memory the sheet takes."""
        return self.pixmap.width() * self.pixmap.height() * 4

    def ready(self, key: CellKey) -> bool:
        """Whether this sprite is drawn, and not only drafted."""
        return key in self._slots and key not in self._drafts

    def rect(self, key: CellKey) -> QRect:
        """Where on ``pixmap`` a sprite lies. Raises KeyError before ``draw`` made it."""
        row, column = divmod(self._slots[key], self._columns)
        return QRect(column * self.width, row * self.height, self.width, self.height)

    def draw(self, keys: Sequence[CellKey], *, progressive: bool = False) -> NDArray[np.float64]:
        """Draw the sprites that are missing; the left top corners on ``pixmap`` of all, (n, 2).

        ``progressive``: sprites that take long are drafted, in another resolution or one colour.
        """
        missing = [key for key in keys if not (progressive and key in self._slots)]
        missing = [key for key in missing if not self.ready(key)]
        if missing:
            for key in missing:
                self._slots.setdefault(key, len(self._slots))
            rows = -(-len(self._slots) // self._columns) * self.height
            if rows > self.pixmap.height():
                former, self.pixmap = self.pixmap, self._blank(rows // self.height)
            else:
                former = None
            with painting(self.pixmap) as painter:
                painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
                if former is not None:
                    painter.drawPixmap(0, 0, former)
                for key in missing:
                    self._draw(painter, key, progressive)
                painter.setClipping(False)
                corners = self._corners(missing)
                painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_DestinationIn)
                draw_fragments(painter, self._stencil, corners)
                if self._outline is not None:
                    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
                    draw_fragments(painter, self._outline, corners)
        return self._corners(keys)

    def paint(
        self, painter: QPainter, sources: NDArray[np.float64], corners: NDArray[np.float64]
    ) -> None:
        """Draw sprites: ``sources`` (n, 2) as ``draw`` gave them, at ``corners`` (n, 2).

        Corners are whole pixels, the painter's unit.
        """
        draw_parts(painter, self.pixmap, (self.width, self.height), sources, corners)

    def _corners(self, keys: Sequence[CellKey]) -> NDArray[np.float64]:
        rows, columns = np.divmod([self._slots[key] for key in keys], self._columns)
        return np.column_stack([columns * self.width, rows * self.height]).astype(np.float64)

    def _draw(self, painter: QPainter, key: CellKey, progressive: bool) -> None:
        """Draw one sprite over its whole rectangle; the stencil cuts it out afterwards.

        A draft is a terrain picture of another size, or the plain colour of the terrain.
        """
        rect = self.rect(key)
        small = self._pixels <= BASE
        painted = self._terrain_pictures.has(key)
        sharp = not progressive or (painted and small)
        painter.setClipRect(rect)
        if key in self._drafts:
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.fillRect(rect, Qt.GlobalColor.transparent)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        if sharp or painted:
            fine = sharp and not small
            source = (
                self._terrain_pictures.paint(key, self._pixels)
                if fine
                else self._terrain_pictures.scaled(key, self._pixels)
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
            painter.fillRect(rect, self._theme.terrain_colour(self._terrains[key[0]]))
        if sharp:
            self._drafts.discard(key)
        else:
            self._drafts.add(key)
