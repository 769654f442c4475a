"""Draws the same piece in many places: as shapes each time, or as an image painted once.

Nothing here is a QPixmap, so it may be done on any thread.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
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

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray
    from PySide6.QtGui import QPolygonF

SMOOTH = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform

IMAGES_AT_ONCE = 2000
"""So many images are drawn in one step; of shapes it is one, as it may take 20 milliseconds."""

TYPE_SIZE = 32
"""Text is set in this pixel size and scaled: then it has the same shape everywhere."""


@contextmanager
def saved_state(painter: QPainter) -> Iterator[None]:
    """The painter is afterwards as it was, also if the steps in between are broken off."""
    painter.save()
    try:
        yield
    finally:
        painter.restore()


class Symbol(NamedTuple):
    """Something to draw; ``box`` holds it, around its place, in map units.

    What has the same ``key`` looks the same. Of what is drawn the polygon ``clip`` is kept.
    """

    key: object
    box: QRectF
    draw: Callable[[QPainter], None]
    clip: QPolygonF | None = None

    def draw_clipped(self, painter: QPainter) -> None:
        """Draw what is kept."""
        if self.clip is not None:
            inside = QPainterPath()
            inside.addPolygon(self.clip)
            inside.closeSubpath()
            painter.setClipPath(inside, Qt.ClipOperation.IntersectClip)
        self.draw(painter)


class SymbolPainter:
    """Puts pieces in their places with a painter whose unit is the map unit.

    As images they have ``unit`` pixels a map unit: that makes pixels quickly, and a large map does
    not make a large PDF. 0 draws them as shapes.
    """

    def __init__(self, unit: float) -> None:
        self.unit = unit
        self._images: dict[object, QImage] = {}

    def put(self, painter: QPainter, symbol: Symbol, at: NDArray[np.float64]) -> Iterator[None]:
        """Draw one piece at the places ``at``, shape (n, 2), some at each step."""
        if not len(at):
            return
        if not self.unit:
            yield from self._put_shapes(painter, symbol, at)
            return
        if symbol.key not in self._images:
            self._images[symbol.key] = self._paint(symbol)
            yield
        image = self._images[symbol.key]
        if painter.paintEngine().type() == QPaintEngine.Type.Raster:
            yield from self._put_pixels(painter, image, symbol.box, at)
        else:
            left, top = symbol.box.left(), symbol.box.top()
            width, height = image.width() / self.unit, image.height() / self.unit
            for index, (x, y) in enumerate(at.tolist(), 1):
                painter.drawImage(QRectF(x + left, y + top, width, height), image)
                if index == 1 or index % IMAGES_AT_ONCE == 0:  # the first time it is packed
                    yield

    def _put_shapes(
        self, painter: QPainter, symbol: Symbol, at: NDArray[np.float64]
    ) -> Iterator[None]:
        for x, y in at.tolist():
            with saved_state(painter):
                painter.translate(x, y)
                symbol.draw_clipped(painter)
            yield

    def _put_pixels(
        self, painter: QPainter, image: QImage, box: QRectF, at: NDArray[np.float64]
    ) -> Iterator[None]:
        """Whole pixels, one to one."""
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

    def _paint(self, symbol: Symbol) -> QImage:
        width = max(1, math.ceil(symbol.box.width() * self.unit))
        height = max(1, math.ceil(symbol.box.height() * self.unit))
        image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.transparent)
        painter = QPainter(image)
        painter.setRenderHints(SMOOTH)
        painter.scale(self.unit, self.unit)
        painter.translate(-symbol.box.topLeft())
        symbol.draw_clipped(painter)
        painter.end()
        return image


def draw_text(
    painter: QPainter,
    text: str,
    size: float,
    ink: QColor,
    halo: QColor | None = None,
    *,
    bold: bool = False,
) -> None:
    """A text around (0, 0), ``size`` of the painter's units high; text in an SVG or PDF, too."""
    font = QFont()
    font.setPixelSize(TYPE_SIZE)
    font.setBold(bold)
    metrics = QFontMetricsF(font)
    left = -metrics.horizontalAdvance(text) / 2
    baseline = (metrics.ascent() - metrics.descent()) / 2
    painter.scale(size / TYPE_SIZE, size / TYPE_SIZE)
    if halo is not None:
        path = QPainterPath()
        path.addText(left, baseline, font, text)
        if painter.paintEngine().type() == QPaintEngine.Type.Pdf:
            # PDF strokes with opaque ink; else the outline is worked out: pages four times as large
            halo = QColor(halo.rgb())
        pen = QPen(halo, TYPE_SIZE * 0.2)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
    painter.setFont(font)
    painter.setPen(ink)
    painter.drawText(QPointF(left, baseline), text)
