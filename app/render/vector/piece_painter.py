"""Draws pieces at many places, as shapes each time or as images painted once; texts stay text.

No QPixmap is used, so that it may be done on any thread.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

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

from app.appearance.painting import saved_state
from app.render.piece import Piece, image_of
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
            left = piece.box.left()
            top = piece.box.top()
            width = image.width() / self.unit
            height = image.height() / self.unit
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

    def put_picture(self, painter: QPainter, box: QRectF, picture: QImage) -> Iterator[None]:
        """Draw a picture of the whole ground in a box, in map units."""
        painter.drawImage(box, picture)
        yield

    def _paint(self, piece: Piece) -> QImage:
        with image_of(piece.box, self.unit) as (image, painter):
            painter.setRenderHints(SMOOTH)
            piece.draw_clipped(painter)
        return image


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
