"""Draws pieces at many places: as shapes each time, or as images that are painted once.

No QPixmap is used, so that it may be done on any thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPaintEngine, QPainter

from app.appearance.painting import saved_state
from app.render.piece import Piece, image_of
from app.render.scene.batch import Batch
from app.render.scene.pieces import Pieces

SMOOTH = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform

IMAGES_AT_ONCE = 2000
"""This many images are drawn in one step; of shapes it is one, which may take 20 milliseconds."""


class PiecePainter:
    """Draws pieces with a painter whose unit is the map unit.

    With ``unit`` they are images of that many pixels a map unit: PNGs are made quicker, and the
    PDFs of large maps are smaller. With 0 they are shapes.
    """

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self._images: dict[object, QImage] = {}

    def put(self, painter: QPainter, piece: Piece, at: NDArray[np.float64]) -> Iterator[None]:
        """Draw a piece at the places ``at`` (n, 2), in map units, some of them at each step."""
        if not len(at):
            return
        if not self.unit:
            yield from self._put_shapes(painter, piece, at)
            return
        if piece.key not in self._images:
            self._images[piece.key] = self._paint(piece)
            yield
        image = self._images[piece.key]
        if painter.paintEngine().type() == QPaintEngine.Type.Raster:
            yield from self._put_pixels(painter, image, piece.box, at)
        else:
            left, top = piece.box.left(), piece.box.top()
            width, height = image.width() / self.unit, image.height() / self.unit
            for index, (x, y) in enumerate(at.tolist(), 1):
                painter.drawImage(QRectF(x + left, y + top, width, height), image)
                if index == 1 or index % IMAGES_AT_ONCE == 0:  # the first one is compressed
                    yield

    def lay(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        at: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw a batch that is opaque and not empty, in the order of its pieces.

        ``at`` (n, 2) are their places, in map units.
        """
        ends = np.flatnonzero(np.diff(batch.piece_of)) + 1
        for number, run in zip(batch.piece_of[np.append(0, ends)], np.split(at, ends), strict=True):
            yield from self.put(painter, pieces[int(number)], run)

    def _put_shapes(
        self, painter: QPainter, piece: Piece, at: NDArray[np.float64]
    ) -> Iterator[None]:
        for x, y in at.tolist():
            with saved_state(painter):
                painter.translate(x, y)
                piece.draw_clipped(painter)
            yield

    def _put_pixels(
        self, painter: QPainter, image: QImage, box: QRectF, at: NDArray[np.float64]
    ) -> Iterator[None]:
        """Draw an image pixel for pixel, its corners at whole pixels."""
        matrix = painter.transform()
        offset = (matrix.dx() + 0.5, matrix.dy() + 0.5)
        corner = np.array((box.left(), box.top()))
        corners = (at + corner) * self.unit + offset
        with saved_state(painter):
            painter.resetTransform()
            for index, (x, y) in enumerate(np.floor(corners).astype(int).tolist(), 1):
                painter.drawImage(x, y, image)
                if index % IMAGES_AT_ONCE == 0:
                    yield

    def _paint(self, piece: Piece) -> QImage:
        with image_of(piece.box, self.unit) as (image, painter):
            painter.setRenderHints(SMOOTH)
            piece.draw_clipped(painter)
        return image
