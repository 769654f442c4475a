"""Draws pieces at many places, as shapes each time or as images painted once; texts stay text.

No QPixmap is used, so that it may be done on any thread.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QImage,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
)

from app.appearance.painting import painting, saved_state
from app.render.piece import Piece
from app.render.raster.surface_painter import surface_steps
from app.render.scene.batch import (
    Batch,
    CoveredBatch,
    IconBatch,
    OverlayBatch,
    SurfaceBatch,
    TextBatch,
)
from app.render.scene.icons import Icon
from app.render.scene.pieces import Pieces

SMOOTH = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform

IMAGES_AT_ONCE = 2000
"""This many images are drawn in one step; of shapes it is one, which may take 20 milliseconds."""


class _PieceImage(NamedTuple):
    """The pixels of a piece. Its centre lies at a corner of pixels, as in those of all pieces."""

    image: QImage
    left: int
    """The left end of the image, in pixels from the centre."""
    top: int
    """The upper end of the image, in pixels from the centre."""


class PiecePainter:
    """Draws pieces with a painter whose unit is the map unit.

    With ``unit`` they are images of that many pixels a map unit: PNGs are made quicker, and the
    PDFs of large maps are smaller. With 0 they are shapes.
    """

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self._images: dict[object, _PieceImage] = {}
        """The images of the pieces that were drawn, by their keys."""

    def put(self, painter: QPainter, piece: Piece, at: NDArray[np.float64]) -> Iterator[None]:
        """Draw a piece at the places ``at`` (n, 2), in map units, some of them at each step."""
        batch = Batch(np.zeros(len(at), np.intp), np.arange(len(at)))
        yield from self.lay(painter, [piece], batch, at)

    def lay(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        at: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw a batch that is opaque, in the order of its pieces.

        ``at`` (n, 2) are their places, in map units.
        """
        if not len(at):
            return
        if not self.unit:
            for number, (x, y) in zip(batch.piece_of.tolist(), at.tolist(), strict=True):
                with saved_state(painter):
                    painter.translate(x, y)
                    pieces[number].draw_clipped(painter)
                yield
            return

        # Each piece is painted once.
        for number in np.unique(batch.piece_of).tolist():
            piece = pieces[number]
            if piece.key not in self._images:
                self._images[piece.key] = self._paint(piece)
                yield
        images = [self._images[pieces[number].key] for number in batch.piece_of.tolist()]
        if painter.paintEngine().type() == QPaintEngine.Type.Raster:
            yield from self._put_pixels(painter, images, at)
        else:
            yield from self._put_images(painter, images, at)

    def _put_pixels(
        self, painter: QPainter, images: list[_PieceImage], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """Draw images pixel for pixel, their centres at the corners of whole pixels."""
        matrix = painter.transform()
        # Not ``np.rint``, which rounds halves up in one strip of a picture and down in the next.
        rounded = np.floor(at * self.unit + (matrix.dx() + 0.5, matrix.dy() + 0.5))
        centres = rounded.astype(int).tolist()
        with saved_state(painter):
            painter.resetTransform()
            for index, ((x, y), image) in enumerate(zip(centres, images, strict=True), 1):
                painter.drawImage(x + image.left, y + image.top, image.image)
                if index % IMAGES_AT_ONCE == 0:
                    yield

    def _put_images(
        self, painter: QPainter, images: list[_PieceImage], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """Draw images at their exact places, on paper."""
        for index, ((x, y), image) in enumerate(zip(at.tolist(), images, strict=True), 1):
            left = x + image.left / self.unit
            top = y + image.top / self.unit
            width = image.image.width() / self.unit
            height = image.image.height() / self.unit
            painter.drawImage(QRectF(left, top, width, height), image.image)
            is_new = index == 1 or image is not images[index - 2]  # and has to be compressed
            if is_new or index % IMAGES_AT_ONCE == 0:
                yield

    def put_picture(self, painter: QPainter, box: QRectF, picture: QImage) -> Iterator[None]:
        """Draw a picture of the whole ground in a box, in map units."""
        painter.drawImage(box, picture)
        yield

    def _paint(self, piece: Piece) -> _PieceImage:
        """Return the image of a piece, its box rounded outwards to whole pixels."""
        box = piece.box
        left = math.floor(box.left() * self.unit)
        top = math.floor(box.top() * self.unit)
        width = max(1, math.ceil(box.right() * self.unit) - left)
        height = max(1, math.ceil(box.bottom() * self.unit) - top)
        image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        with painting(image) as painter:
            painter.setRenderHints(SMOOTH)
            painter.translate(-left, -top)
            painter.scale(self.unit, self.unit)
            piece.draw_clipped(painter)
        return _PieceImage(image, left, top)


HALO = 0.2
"""How wide the stroke of a halo is, as a part of the size of the text."""

TYPE_SIZE = 32
"""Text is set in this pixel size and scaled, so that it has the same shape at every size."""


def draw_text(
    painter: QPainter,
    text: str,
    size: float,
    ink: QColor,
    halo: QColor | None = None,
    *,
    bold: bool = False,
    italic: bool = False,
) -> None:
    """Draw a text centred on (0, 0), ``size`` of the painter's units high; it stays scaled.

    In an SVG a halo is the same text in its colour, below; app.paper.svg strokes it. Outlines of
    the letters would make files seven times as large.
    """
    font = QFont()
    font.setPixelSize(TYPE_SIZE)
    font.setBold(bold)
    font.setItalic(italic)
    metrics = QFontMetricsF(font)
    left = -metrics.horizontalAdvance(text) / 2
    baseline = (metrics.ascent() - metrics.descent()) / 2
    painter.scale(size / TYPE_SIZE, size / TYPE_SIZE)
    engine = painter.paintEngine().type()
    painter.setFont(font)
    if halo is not None and engine == QPaintEngine.Type.SVG:
        painter.setPen(halo)
        painter.drawText(QPointF(left, baseline), text)
    elif halo is not None:
        path = QPainterPath()
        path.addText(left, baseline, font, text)
        if engine == QPaintEngine.Type.Pdf:
            # Opaque: else Qt computes the outline of the stroke, and pages are four times as large.
            halo = QColor(halo.rgb())
        pen = QPen(halo, TYPE_SIZE * HALO)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
    painter.setPen(ink)
    painter.drawText(QPointF(left, baseline), text)


ICON_SIZE = 32.0
"""Icons are drawn in this size, in which everything is seen, and scaled."""

ICON_MARGIN = 3.0
"""Room around icons for their outlines, in the units of ``ICON_SIZE``."""


def lay(painter: QPainter, piece_painter: PiecePainter, batch: OverlayBatch) -> Iterator[None]:
    """Draw a batch with a painter whose unit is the map unit, in steps."""
    if isinstance(batch, TextBatch):
        yield from _lay_texts(painter, batch)
    elif isinstance(batch, CoveredBatch):
        yield from _lay_covered(painter, batch)
    else:
        pieces = [_piece(icon, batch) for icon in batch.icons]
        placed = Batch(batch.icon_of, np.arange(len(batch.points)))
        yield from piece_painter.lay(painter, pieces, placed, batch.points)


def lay_surface(painter: QPainter, batch: SurfaceBatch) -> Iterator[None]:
    """Draw a surface on an image, in steps, with a painter whose unit is the map unit."""
    matrix = painter.transform()
    device = painter.device()
    area = QRect(0, 0, device.width(), device.height())
    origin = QPointF(matrix.dx(), matrix.dy())
    steps = surface_steps(painter, batch, origin, matrix.m11(), area)
    with saved_state(painter):
        painter.resetTransform()
        yield from steps


def _lay_texts(painter: QPainter, batch: TextBatch) -> Iterator[None]:
    """Draw texts, one at each step."""
    if batch.text_of is None:
        text_of = range(len(batch.texts))
    else:
        text_of = batch.text_of.tolist()
    if batch.angles is None:
        angles = np.zeros(len(batch.points))
    else:
        angles = batch.angles
    for number, (x, y), angle in zip(text_of, batch.points.tolist(), angles.tolist(), strict=True):
        with saved_state(painter):
            painter.translate(x, y)
            painter.rotate(angle)
            look = (batch.size, batch.ink, batch.halo)
            text = batch.texts[number]
            bold = batch.bold
            italic = batch.italic
            draw_text(painter, text, *look, bold=bold, italic=italic)
        yield


def _lay_covered(painter: QPainter, batch: CoveredBatch) -> Iterator[None]:
    """Draw covered ground, one piece at each step."""
    placed_texts = zip(
        batch.covered_of.tolist(), batch.points.tolist(), batch.angles.tolist(), strict=True
    )
    for number, (x, y), angle in placed_texts:
        with saved_state(painter):
            painter.translate(x, y)
            painter.rotate(angle)
            batch.covered[number].draw(painter, 1 / ICON_SIZE)
        yield


def _piece(icon: Icon, batch: IconBatch) -> Piece:
    """Return an icon in the size of its batch as a piece."""
    half = batch.size / 2 * (batch.reach + ICON_MARGIN / ICON_SIZE)
    box = QRectF(-half, -half, 2 * half, 2 * half)
    return Piece((icon, batch.size), box, partial(_draw, icon, batch.size / ICON_SIZE))


def _draw(icon: Icon, scale: float, painter: QPainter) -> None:
    painter.scale(scale, scale)
    icon.draw(painter, ICON_SIZE)
