"""Text on the map: each letter, with a halo, is drawn once as a pixmap and then copied."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap

from app.appearance.painting import painting
from app.render.raster.fragments import draw_by_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from PySide6.QtGui import QColor, QFont

HALO = 1.0
"""How far the halo reaches around letters, in logical pixels."""


def text_pixmap(text: str, face: QFont, ratio: float, ink: QColor, halo: QColor) -> QPixmap:
    """Return a transparent pixmap with a text in its middle, with a halo."""
    metrics = QFontMetricsF(face)
    box = QRectF(0, 0, metrics.horizontalAdvance(text) + 6, metrics.height() + 2)
    pixmap = QPixmap(math.ceil(box.width() * ratio), math.ceil(box.height() * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with painting(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(face)
        painter.setPen(halo)
        for dx, dy in ((-HALO, 0), (HALO, 0), (0, -HALO), (0, HALO)):
            painter.drawText(box.translated(dx, dy), Qt.AlignmentFlag.AlignCenter, text)
        painter.setPen(ink)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    return pixmap


class Letters:
    """The letters of one font in one colour, at one device pixel ratio."""

    def __init__(self, face: QFont, ratio: float, ink: QColor, halo: QColor) -> None:
        self._face, self._ratio, self._ink, self._halo = face, ratio, ink, halo
        self._metrics = QFontMetricsF(face)
        self._pixmaps: dict[int, QPixmap] = {}
        self._advances: dict[int, float] = {}

    def write(self, painter: QPainter, texts: Sequence[str], middles: NDArray[np.float64]) -> None:
        """Draw texts, centred on ``middles`` (n, 2), in device pixels, the painter's unit.

        Texts must not overlap: all texts are drawn at once, letter by letter.
        """
        lengths = np.array([len(text) for text in texts], np.intp)
        codes = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32).astype(np.int64)
        if not len(codes):
            return
        kinds, which = np.unique(codes, return_inverse=True)
        advances = np.array([self._advance(code) for code in kinds.tolist()])[which]
        ends = np.cumsum(advances)
        firsts = np.cumsum(lengths) - lengths
        starts = np.append(0.0, ends)[firsts]
        widths = np.add.reduceat(np.append(advances, 0.0), firsts)
        widths[lengths == 0] = 0.0
        owner = np.repeat(np.arange(len(texts)), lengths)
        letters = np.empty((len(codes), 2))  # the middle of each
        letters[:, 0] = (
            middles[owner, 0] - widths[owner] / 2 + (ends - advances / 2 - starts[owner])
        )
        letters[:, 1] = middles[owner, 1]
        draw_by_key(painter, codes, letters, self._pixmap)

    def _advance(self, code: int) -> float:
        found = self._advances.get(code)
        if found is None:
            found = self._advances[code] = self._metrics.horizontalAdvance(chr(code)) * self._ratio
        return found

    def _pixmap(self, code: int) -> QPixmap:
        found = self._pixmaps.get(code)
        if found is None:
            found = self._pixmaps[code] = text_pixmap(
                chr(code), self._face, self._ratio, self._ink, self._halo
            )
        return found
