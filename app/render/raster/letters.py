"""Draws texts with a *halo*, a line around their letters that sets them off from the map.

A text is drawn as shapes (``draw_outlined``), as a pixmap (``text_pixmap``), or letter by letter
from stored pixmaps (``Letters``), in the look of a ``TextLook``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from app.appearance.painting import painting
from app.render.raster.fragments import draw_by_key

Points = NDArray[np.float64]
"""The middles of texts and icons (n, 2), in device pixels."""

MIN_HALO_WIDTH = 1.0
"""The width of the halo around letters of ordinary size, in logical pixels."""

HALO_WIDTH_SHARE = 1 / 12
"""The width of the halo around large letters, as a share of their size."""

ROUND = (Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
"""The style, the cap and the join of pens."""

PIXMAP_ROOM_X = 6
"""So much wider than its text is a pixmap, in logical pixels, with an ordinary halo."""

PIXMAP_ROOM_Y = 2
"""So much higher it is."""


class TextLook(NamedTuple):
    """All on which the pixels of a text depend but the text."""

    face: QFont
    """The font, whose size is in logical pixels."""

    ratio: float
    """The device pixels in a logical pixel."""

    ink: QColor
    """The colour of the letters."""

    halo: QColor | None
    """The colour around them; None, which only turned texts may have, for no halo."""

    @property
    def key(self) -> tuple[object, ...]:
        """A key by which pixmaps of texts in this look, with a halo, can be stored."""
        assert self.halo is not None
        face = self.face
        return (
            face.pixelSize(),
            face.bold(),
            face.italic(),
            self.ratio,
            self.ink.rgba(),
            self.halo.rgba(),
        )

    @property
    def halo_width(self) -> float:
        """The width of the halo around letters, in logical pixels."""
        return max(MIN_HALO_WIDTH, self.face.pixelSize() * HALO_WIDTH_SHARE)


def draw_outlined(painter: QPainter, text: str, look: TextLook) -> None:
    """Draw a text as shapes with a halo of any width, centred on (0, 0), in logical pixels."""
    assert look.halo is not None
    metrics = QFontMetricsF(look.face)
    path = QPainterPath()
    base = (metrics.ascent() - metrics.descent()) / 2
    path.addText(-metrics.horizontalAdvance(text) / 2, base, look.face, text)
    painter.strokePath(path, QPen(look.halo, 2 * look.halo_width, *ROUND))
    painter.fillPath(path, look.ink)


def text_pixmap(text: str, look: TextLook) -> QPixmap:
    """Return a transparent pixmap with a text in its middle, with a halo."""
    assert look.halo is not None
    metrics = QFontMetricsF(look.face)
    ratio = look.ratio
    # Beyond that of an ordinary halo, for which the two constants have room.
    room_for_halo = 2 * (look.halo_width - MIN_HALO_WIDTH)
    width = metrics.horizontalAdvance(text) + PIXMAP_ROOM_X + room_for_halo
    height = metrics.height() + PIXMAP_ROOM_Y + room_for_halo
    box = QRectF(0, 0, width, height)
    pixmap = QPixmap(math.ceil(box.width() * ratio), math.ceil(box.height() * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with painting(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if look.halo_width > MIN_HALO_WIDTH:
            painter.translate(box.center())
            draw_outlined(painter, text, look)
        else:
            _draw_with_thin_halo(painter, box, text, look)
    return pixmap


def _draw_with_thin_halo(painter: QPainter, box: QRectF, text: str, look: TextLook) -> None:
    """Draw a text in the middle of a box with a halo of ``MIN_HALO_WIDTH``.

    The halo is the text in its colour, moved to all four sides of the text itself.
    """
    assert look.halo is not None
    painter.setFont(look.face)
    painter.setPen(look.halo)
    width = MIN_HALO_WIDTH
    for dx, dy in ((-width, 0), (width, 0), (0, -width), (0, width)):
        painter.drawText(box.translated(dx, dy), Qt.AlignmentFlag.AlignCenter, text)
    painter.setPen(look.ink)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)


class Letters:
    """The pixmaps of letters in one look, each drawn when a text first has it."""

    def __init__(self, look: TextLook) -> None:
        self._look = look
        self._metrics = QFontMetricsF(look.face)
        self._pixmaps: dict[int, QPixmap] = {}
        """The pixmaps of letters, by their Unicode code points."""
        self._advances: dict[int, float] = {}
        """The widths of letters in device pixels, by their code points."""

    def write(self, painter: QPainter, texts: Sequence[str], middles: Points) -> None:
        """Draw texts, centred on ``middles`` (n, 2), in device pixels, the painter's unit.

        Texts must not overlap: their letters are drawn in the order of code points, so that those
        of one text would lie partly over and partly under those of another. Arrays of letters have
        the letters of all texts one after another.
        """
        lengths = np.array([len(text) for text in texts], np.intp)
        letters = np.frombuffer("".join(texts).encode("utf-32-le"), np.uint32).astype(np.int64)
        if not len(letters):
            return
        # The width of each letter, and where it ends if all texts are written in one line.
        different_letters, kind_of_letter = np.unique(letters, return_inverse=True)
        widths_of_kinds = [self._advance(letter) for letter in different_letters.tolist()]
        letter_widths = np.array(widths_of_kinds)[kind_of_letter]
        letter_ends = np.cumsum(letter_widths)

        # Where each text begins in that line, and how wide it is.
        first_letters = np.cumsum(lengths) - lengths
        text_starts = np.append(0.0, letter_ends)[first_letters]
        text_widths = np.add.reduceat(np.append(letter_widths, 0.0), first_letters)
        text_widths[lengths == 0] = 0.0  # ``reduceat`` has the first letter of the next text there

        # The middles of letters: from the line each text is moved to its own middle.
        text_of_letter = np.repeat(np.arange(len(texts)), lengths)
        from_text_start = letter_ends - letter_widths / 2 - text_starts[text_of_letter]
        left_ends = middles[text_of_letter, 0] - text_widths[text_of_letter] / 2
        letter_middles = np.empty((len(letters), 2))
        letter_middles[:, 0] = left_ends + from_text_start
        letter_middles[:, 1] = middles[text_of_letter, 1]
        draw_by_key(painter, letters, letter_middles, self._pixmap)

    def _advance(self, code_point: int) -> float:
        """Return the width of a letter, given by its code point, in device pixels."""
        advance = self._advances.get(code_point)
        if advance is None:
            advance = self._metrics.horizontalAdvance(chr(code_point)) * self._look.ratio
            self._advances[code_point] = advance
        return advance

    def _pixmap(self, code_point: int) -> QPixmap:
        """Return the pixmap of a letter, given by its code point."""
        pixmap = self._pixmaps.get(code_point)
        if pixmap is None:
            pixmap = text_pixmap(chr(code_point), self._look)
            self._pixmaps[code_point] = pixmap
        return pixmap
