"""Draws texts, icons and covered ground for pictures on paper and in files.

A scene yields them as batches that have points of their own (``OverlayBatch``)::

    for batch in things.batches(...):
        yield from draw_overlay_batch(painter, batch, piece_painter)

Texts stay texts, so that a PDF or an SVG can be searched for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPaintEngine,
    QPainter,
    QPainterPath,
    QPen,
)

from app.appearance.painting import saved_state
from app.render.piece import Piece
from app.render.scene.batch import Batch, CoveredBatch, IconBatch, OverlayBatch, TextBatch
from app.render.scene.icons import Icon
from app.render.vector.piece_painter import PiecePainter

HALO = 0.2
"""The width of the stroke along letters that is their halo, as a share of the type size."""

TYPE_SIZE = 32
"""Text is set in this type size, in pixels, and scaled: so it has the same shape at every size."""

ICON_SIZE = 32.0
"""The size in which icons are drawn, in logical pixels, before they are scaled.

Smaller icons would leave out what is too small to be seen on a screen.
"""

ICON_MARGIN = 3.0
"""Room around icons for their outlines, in the units of ``ICON_SIZE``."""


def draw_overlay_batch(
    painter: QPainter, batch: OverlayBatch, piece_painter: PiecePainter
) -> Iterator[None]:
    """Draw a batch with a painter whose unit is the map unit, in steps.

    Icons are drawn by ``piece_painter``: where it draws images, each icon is painted once.
    """
    if isinstance(batch, TextBatch):
        yield from _draw_texts(painter, batch)
    elif isinstance(batch, CoveredBatch):
        yield from _draw_covered_ground(painter, batch)
    else:
        pieces = [_piece_of_icon(icon, batch) for icon in batch.icons]
        pieces_at_points = Batch(piece_of=batch.icon_of, rows=np.arange(len(batch.points)))
        yield from piece_painter.draw_batch(painter, pieces, pieces_at_points, batch.points)


# --- texts ----------------------------------------------------------------------------------------


def _draw_texts(painter: QPainter, batch: TextBatch) -> Iterator[None]:
    """Draw texts, one at each step."""
    if batch.text_of is None:  # each text once, in their order
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
            painter.scale(batch.size / TYPE_SIZE, batch.size / TYPE_SIZE)
            draw_text(painter, batch.texts[number], batch)
        yield


def draw_text(painter: QPainter, text: str, batch: TextBatch) -> None:
    """Draw a text of a batch with its middle at (0, 0), in the units of ``TYPE_SIZE``.

    Its colours and its type are those of the batch. The halo, if there is one, lies below the
    letters.
    """
    font = QFont()
    font.setPixelSize(TYPE_SIZE)
    font.setBold(batch.bold)
    font.setItalic(batch.italic)
    metrics = QFontMetricsF(font)
    left = -metrics.horizontalAdvance(text) / 2
    baseline = (metrics.ascent() - metrics.descent()) / 2
    start = QPointF(left, baseline)
    painter.setFont(font)
    if batch.halo is not None:
        _draw_halo(painter, text, font, start, batch.halo)
    painter.setPen(batch.ink)
    painter.drawText(start, text)


def _draw_halo(painter: QPainter, text: str, font: QFont, start: QPointF, colour: QColor) -> None:
    """Draw a broad stroke along the outlines of letters that begin at ``start``.

    ``font`` is that of the painter.
    """
    engine = painter.paintEngine().type()
    if engine == QPaintEngine.Type.SVG:
        # Outlines would make files seven times as large. The module ``app.paper.qt_svg`` finds this
        # text below the same one in ink, and writes it with a stroke.
        painter.setPen(colour)
        painter.drawText(start, text)
        return
    outlines = QPainterPath()
    outlines.addText(start, font, text)
    if engine == QPaintEngine.Type.Pdf:
        # Opaque: else Qt computes the outline of the stroke, and pages are four times as large.
        colour = QColor(colour.rgb())
    pen = QPen(colour, TYPE_SIZE * HALO)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.strokePath(outlines, pen)


# --- covered ground and icons ---------------------------------------------------------------------


def _draw_covered_ground(painter: QPainter, batch: CoveredBatch) -> Iterator[None]:
    """Draw covered ground, that of one thing at each step."""
    numbers = batch.covered_of.tolist()
    points = batch.points.tolist()
    angles = batch.angles.tolist()
    # In map units: lines are as wide as on a screen with ICON_SIZE pixels a map unit.
    pixel = 1 / ICON_SIZE
    for number, (x, y), angle in zip(numbers, points, angles, strict=True):
        with saved_state(painter):
            painter.translate(x, y)
            painter.rotate(angle)
            batch.covered[number].draw(painter, pixel)
        yield


def _piece_of_icon(icon: Icon, batch: IconBatch) -> Piece:
    """Return a piece that draws an icon in the size of its batch."""
    # Reach and margin are multiples of the size of the icon.
    half = batch.size / 2 * (batch.reach + ICON_MARGIN / ICON_SIZE)
    box = QRectF(-half, -half, 2 * half, 2 * half)
    draw = partial(_draw_icon, icon, batch.size / ICON_SIZE)
    return Piece((icon, batch.size), box, draw)


def _draw_icon(icon: Icon, scale: float, painter: QPainter) -> None:
    """Draw an icon in ``ICON_SIZE``, scaled."""
    painter.scale(scale, scale)
    icon.draw(painter, ICON_SIZE)
