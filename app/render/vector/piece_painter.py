"""Painters of pieces, the small drawings of which maps consist, for pictures on paper and in files.

A ``VectorMap`` draws all pieces of a picture with one painter of pieces::

    piece_painter = ImagePiecePainter(unit=40.0)    # 40 pixels a map unit
    yield from piece_painter.draw_batch(painter, pieces, batch, points)

``ShapePiecePainter`` draws shapes, ``ImagePiecePainter`` images that it paints once for each piece;
``app.paper`` has further ones. They draw in steps: methods are generators that yield after some
milliseconds, so that a job can be cancelled. No QPixmap is used, so that any thread may run them.

In all of them ``painter`` is what Qt draws with, and its unit is the map unit.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPaintEngine, QPainter

from app.appearance.painting import painting, saved_state
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.pieces import Pieces

SMOOTH = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform
"""How shapes and images are drawn."""

IMAGES_AT_ONCE = 2000
"""The number of images that are drawn in one step; more would delay a cancellation.

Pieces that are shapes are drawn one in a step: one may take 20 milliseconds.
"""


class PiecePainter(ABC):
    """Draws pieces; each subclass is one way to do so."""

    @property
    def image_unit(self) -> float | None:
        """The pixels a map unit of the images that pieces are drawn as; None if they are shapes."""
        return None

    @abstractmethod
    def draw_batch(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        points: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw a batch of n pieces, in its order.

        ``batch.piece_of`` holds indices into ``pieces``. ``points`` (n, 2) are where the pieces
        lie, in map units; neither the rows nor the opacity of the batch are used.

        On an image the painter is scaled by ``image_unit``, if there is one, and not turned.
        """

    def draw_piece(
        self, painter: QPainter, piece: Piece, points: NDArray[np.float64]
    ) -> Iterator[None]:
        """Draw one piece at each of ``points`` (n, 2), in map units."""
        count = len(points)
        batch = Batch(piece_of=np.zeros(count, np.intp), rows=np.arange(count))
        yield from self.draw_batch(painter, [piece], batch, points)

    def draw_ground_picture(
        self, painter: QPainter, box: QRectF, picture: QImage
    ) -> Iterator[None]:
        """Draw a picture of the ground, in place of the pieces there, in a box of map units."""
        painter.drawImage(box, picture)
        yield


class ShapePiecePainter(PiecePainter):
    """Draws pieces as shapes, which are sharp at every size."""

    def draw_batch(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        points: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw a batch, one piece at each step."""
        for number, (x, y) in zip(batch.piece_of.tolist(), points.tolist(), strict=True):
            with saved_state(painter):
                painter.translate(x, y)
                pieces[number].draw_clipped(painter)
            yield


class _PieceImage(NamedTuple):
    """The image of a piece. The centre of the piece lies where four pixels meet."""

    pixels: QImage

    left: int
    """The left end of the image, in pixels from the centre of the piece."""

    top: int
    """The upper end of the image, in pixels from the centre of the piece."""


class ImagePiecePainter(PiecePainter):
    """Draws pieces as images of ``unit`` pixels a map unit.

    So PNGs are made quicker than of shapes, and the PDFs of large maps are smaller.
    """

    def __init__(self, unit: float) -> None:
        self._unit = unit
        self._images: dict[object, _PieceImage] = {}
        """The images of the pieces that were drawn so far, by the keys of the pieces."""

    @property
    def image_unit(self) -> float:
        """The pixels a map unit of the images."""
        return self._unit

    def draw_batch(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        points: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw a batch; pieces that were not drawn before are painted first, one at each step."""
        if not len(points):
            return
        for number in np.unique(batch.piece_of).tolist():
            piece = pieces[number]
            if piece.key not in self._images:
                self._images[piece.key] = self._image_of(piece)
                yield
        images = [self._images[pieces[number].key] for number in batch.piece_of.tolist()]
        if painter.paintEngine().type() == QPaintEngine.Type.Raster:
            yield from self._copy_to_image(painter, images, points)
        else:
            yield from self._draw_on_paper(painter, images, points)

    def _image_of(self, piece: Piece) -> _PieceImage:
        """Return the image of a piece, its box rounded outwards to whole pixels."""
        unit = self._unit
        box = piece.box
        left = math.floor(box.left() * unit)
        top = math.floor(box.top() * unit)
        width = max(1, math.ceil(box.right() * unit) - left)
        height = max(1, math.ceil(box.bottom() * unit) - top)
        image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        with painting(image) as painter:
            painter.setRenderHints(SMOOTH)
            painter.translate(-left, -top)
            painter.scale(unit, unit)
            piece.draw_clipped(painter)
        return _PieceImage(image, left, top)

    def _copy_to_image(
        self, painter: QPainter, images: list[_PieceImage], points: NDArray[np.float64]
    ) -> Iterator[None]:
        """Draw n images pixel for pixel on another image, their centres at ``points``, rounded.

        A rounded centre lies where four pixels of the other image meet.
        """
        matrix = painter.transform()
        # Not ``np.rint``, which rounds halves up in one strip of a picture and down in the next.
        rounded = np.floor(points * self._unit + (matrix.dx() + 0.5, matrix.dy() + 0.5))
        centres = rounded.astype(int).tolist()
        with saved_state(painter):
            painter.resetTransform()
            for count, ((x, y), piece_image) in enumerate(zip(centres, images, strict=True), 1):
                painter.drawImage(x + piece_image.left, y + piece_image.top, piece_image.pixels)
                if count % IMAGES_AT_ONCE == 0:
                    yield

    def _draw_on_paper(
        self, painter: QPainter, images: list[_PieceImage], points: NDArray[np.float64]
    ) -> Iterator[None]:
        """Draw n images with their centres exactly at ``points``: paper has no pixels."""
        unit = self._unit
        previous_image = None
        for count, ((x, y), piece_image) in enumerate(zip(points.tolist(), images, strict=True), 1):
            left = x + piece_image.left / unit
            top = y + piece_image.top / unit
            width = piece_image.pixels.width() / unit
            height = piece_image.pixels.height() / unit
            painter.drawImage(QRectF(left, top, width, height), piece_image.pixels)
            # An image that differs from the one before may have to be compressed: that takes time.
            is_another_image = piece_image is not previous_image
            previous_image = piece_image
            if is_another_image or count % IMAGES_AT_ONCE == 0:
                yield
