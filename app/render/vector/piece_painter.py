"""Draws the batches of a scene for pictures on paper and in files: pieces, texts, icons, surfaces.

A ``VectorMap`` draws all pieces of a picture with one ``PiecePainter``: as shapes, or as images
that are painted once for each piece. ``lay`` draws all other batches, in which texts stay text. All
of it is done in steps, generators that yield after some milliseconds, so that a job can be
cancelled. No QPixmap is used, so that it may be done on any thread.
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
"""The number of images that are drawn in one step.

Pieces that are shapes are drawn one in a step: one may take 20 milliseconds.
"""


class _PieceImage(NamedTuple):
    """The image of a piece. The centre of the piece lies where four pixels meet."""

    image: QImage

    left: int
    """The left end of the image, in pixels from the centre of the piece."""

    top: int
    """The upper end of the image, in pixels from the centre of the piece."""


class PiecePainter:
    """Draws pieces with a painter whose unit is the map unit.

    If ``unit`` is 0 they are drawn as shapes. Otherwise they are images of ``unit`` pixels a map
    unit: PNGs are made quicker so, and the PDFs of large maps are smaller.
    """

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self._images: dict[object, _PieceImage] = {}
        """The images of the pieces that were drawn so far, by the keys of the pieces."""

    def put(self, painter: QPainter, piece: Piece, at: NDArray[np.float64]) -> Iterator[None]:
        """Draw one piece at each of the points ``at`` (n, 2), in map units, in steps."""
        batch = Batch(np.zeros(len(at), np.intp), np.arange(len(at)))
        yield from self.lay(painter, [piece], batch, at)

    def lay(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        at: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw a batch, in its order, as if it were opaque.

        ``pieces`` are those whose numbers the batch has, ``at`` (n, 2) are the points where they
        lie, in map units.
        """
        if not len(at):
            return
        if self.unit == 0:
            yield from self._put_shapes(painter, pieces, batch, at)
            return

        # Each piece is painted once.
        for number in np.unique(batch.piece_of).tolist():
            piece = pieces[number]
            if piece.key not in self._images:
                self._images[piece.key] = self._paint(piece)
                yield
        images = [self._images[pieces[number].key] for number in batch.piece_of.tolist()]
        if painter.paintEngine().type() == QPaintEngine.Type.Raster:
            yield from self._put_on_image(painter, images, at)
        else:
            yield from self._put_on_paper(painter, images, at)

    def _put_shapes(
        self,
        painter: QPainter,
        pieces: Pieces | Sequence[Piece],
        batch: Batch,
        at: NDArray[np.float64],
    ) -> Iterator[None]:
        """Draw the pieces of a batch as shapes; the parameters are those of ``lay``."""
        for number, (x, y) in zip(batch.piece_of.tolist(), at.tolist(), strict=True):
            with saved_state(painter):
                painter.translate(x, y)
                pieces[number].draw_clipped(painter)
            yield

    def _put_on_image(
        self, painter: QPainter, images: list[_PieceImage], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """Draw n images pixel for pixel on another image, the centres at ``at`` (n, 2), rounded.

        A rounded centre lies where four pixels of the other image meet.
        """
        matrix = painter.transform()
        # Not ``np.rint``, which rounds halves up in one strip of a picture and down in the next.
        rounded = np.floor(at * self.unit + (matrix.dx() + 0.5, matrix.dy() + 0.5))
        centres = rounded.astype(int).tolist()
        with saved_state(painter):
            painter.resetTransform()
            for count, ((x, y), image) in enumerate(zip(centres, images, strict=True), 1):
                painter.drawImage(x + image.left, y + image.top, image.image)
                if count % IMAGES_AT_ONCE == 0:
                    yield

    def _put_on_paper(
        self, painter: QPainter, images: list[_PieceImage], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """Draw n images with their centres exactly at ``at`` (n, 2): paper has no pixels."""
        previous_image = None
        for count, ((x, y), image) in enumerate(zip(at.tolist(), images, strict=True), 1):
            left = x + image.left / self.unit
            top = y + image.top / self.unit
            width = image.image.width() / self.unit
            height = image.image.height() / self.unit
            painter.drawImage(QRectF(left, top, width, height), image.image)
            # An image that differs from the one before may have to be compressed: that takes time.
            is_another_image = image is not previous_image
            previous_image = image
            if is_another_image or count % IMAGES_AT_ONCE == 0:
                yield

    def put_picture(self, painter: QPainter, box: QRectF, picture: QImage) -> Iterator[None]:
        """Draw a picture of the ground, which is then no pieces, in a box (map units)."""
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
"""The width of the stroke along letters that is their halo, as a share of the type size."""

TYPE_SIZE = 32
"""Text is set in this type size, in pixels, and scaled: so it has the same shape at every size."""


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
    """Draw a text with its middle at (0, 0), in a type size of ``size`` units of the painter.

    The painter stays scaled. The halo, if there is one, is drawn below the letters: a broad stroke
    along their outlines. In an SVG it is the same text in the colour of the halo, for which
    ``app.paper.svg`` writes a stroke; outlines would make files seven times as large.
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
"""The size in which icons are drawn, in logical pixels, before they are scaled.

Smaller icons would leave out what is too small to be seen on a screen.
"""

ICON_MARGIN = 3.0
"""Room around icons for their outlines, in the units of ``ICON_SIZE``."""


def lay(painter: QPainter, piece_painter: PiecePainter, batch: OverlayBatch) -> Iterator[None]:
    """Draw texts, icons or covered ground with a painter whose unit is the map unit, in steps."""
    if isinstance(batch, TextBatch):
        yield from _lay_texts(painter, batch)
    elif isinstance(batch, CoveredBatch):
        yield from _lay_covered(painter, batch)
    else:
        # Icons are drawn as pieces, so that each is an image once, where pieces are images.
        pieces = [_piece_of_icon(icon, batch) for icon in batch.icons]
        pieces_at_points = Batch(piece_of=batch.icon_of, rows=np.arange(len(batch.points)))
        yield from piece_painter.lay(painter, pieces, pieces_at_points, batch.points)


def lay_surface(painter: QPainter, batch: SurfaceBatch) -> Iterator[None]:
    """Draw a surface, a picture that is worked out pixel by pixel, on an image, in steps.

    The painter's unit is the map unit, scaled evenly.
    """
    matrix = painter.transform()
    pixels_a_unit = matrix.m11()
    device = painter.device()
    area = QRect(0, 0, device.width(), device.height())
    origin = QPointF(matrix.dx(), matrix.dy())
    steps = surface_steps(painter, batch, origin, pixels_a_unit, area)
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
            draw_text(
                painter,
                batch.texts[number],
                batch.size,
                batch.ink,
                batch.halo,
                bold=batch.bold,
                italic=batch.italic,
            )
        yield


def _lay_covered(painter: QPainter, batch: CoveredBatch) -> Iterator[None]:
    """Draw covered ground, one piece at each step."""
    numbers = batch.covered_of.tolist()
    points = batch.points.tolist()
    angles = batch.angles.tolist()
    pixel = 1 / ICON_SIZE  # in map units: lines are as wide as on a screen of this scale
    for number, (x, y), angle in zip(numbers, points, angles, strict=True):
        with saved_state(painter):
            painter.translate(x, y)
            painter.rotate(angle)
            batch.covered[number].draw(painter, pixel)
        yield


def _piece_of_icon(icon: Icon, batch: IconBatch) -> Piece:
    """Return a piece that draws an icon in the size of its batch."""
    half = batch.size / 2 * (batch.reach + ICON_MARGIN / ICON_SIZE)
    box = QRectF(-half, -half, 2 * half, 2 * half)
    draw = partial(_draw_icon, icon, batch.size / ICON_SIZE)
    return Piece((icon, batch.size), box, draw)


def _draw_icon(icon: Icon, scale: float, painter: QPainter) -> None:
    """Draw an icon in ``ICON_SIZE``, scaled."""
    painter.scale(scale, scale)
    icon.draw(painter, ICON_SIZE)
