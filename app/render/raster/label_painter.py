"""Paints the texts, icons and covered ground of a scene, mostly with pixmaps that it stores.

Texts that stand at several points have a pixmap each, texts that all differ (names of cells) are
drawn letter by letter, and turned ones as shapes. Begin with ``LabelPainter.paint``, which the
renderer calls.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen, QPixmap

from app.appearance.painting import painting, saved_state
from app.render.piece import Piece
from app.render.pixmap_cache import PixmapCache
from app.render.raster.atlas import Atlas
from app.render.raster.fragments import draw_by_key
from app.render.scene.batch import Batch, CoveredBatch, IconBatch, OverlayBatch, TextBatch
from app.render.scene.icons import Icon, font
from app.render.viewport import Viewport
from randomizer.model.basics.caches import register_bytes

Points = NDArray[np.float64]
"""The middles of texts and icons (n, 2), in device pixels."""

HALO = 1.0
"""How far the halo reaches around letters, in logical pixels."""

HALO_SHARE = 1 / 12
"""How far it reaches around large ones, as a share of their size."""

ROUND = (Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
"""The style, the cap and the join of pens."""

PIXMAP_ROOM_X = 6
"""So much wider than its text is a pixmap, in logical pixels, with an ordinary halo."""

PIXMAP_ROOM_Y = 2
"""So much higher it is."""


def _halo_reach(face: QFont) -> float:
    """Return how far the halo reaches around letters, in logical pixels."""
    return max(HALO, face.pixelSize() * HALO_SHARE)


def _draw_outlined(painter: QPainter, text: str, face: QFont, ink: QColor, halo: QColor) -> None:
    """Draw a text as shapes with a halo of any width, centred on (0, 0)."""
    metrics = QFontMetricsF(face)
    path = QPainterPath()
    base = (metrics.ascent() - metrics.descent()) / 2
    path.addText(-metrics.horizontalAdvance(text) / 2, base, face, text)
    painter.strokePath(path, QPen(halo, 2 * _halo_reach(face), *ROUND))
    painter.fillPath(path, ink)


def text_pixmap(text: str, face: QFont, ratio: float, ink: QColor, halo: QColor) -> QPixmap:
    """Return a transparent pixmap with a text in its middle, with a halo."""
    metrics = QFontMetricsF(face)
    reach = _halo_reach(face)
    room_for_halo = 2 * (reach - HALO)
    width = metrics.horizontalAdvance(text) + PIXMAP_ROOM_X + room_for_halo
    height = metrics.height() + PIXMAP_ROOM_Y + room_for_halo
    box = QRectF(0, 0, width, height)
    pixmap = QPixmap(math.ceil(box.width() * ratio), math.ceil(box.height() * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    with painting(pixmap) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if reach > HALO:
            painter.translate(box.center())
            _draw_outlined(painter, text, face, ink, halo)
            return pixmap
        # A halo of a pixel: the text in its colour on all four sides of the text itself.
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
        self._face = face
        self._ratio = ratio
        self._ink = ink
        self._halo = halo
        self._metrics = QFontMetricsF(face)
        self._pixmaps: dict[int, QPixmap] = {}
        """The pixmaps of letters, by their Unicode code points."""
        self._advances: dict[int, float] = {}
        """The widths of letters in device pixels, by their code points."""

    def write(self, painter: QPainter, texts: Sequence[str], middles: Points) -> None:
        """Draw texts, centred on ``middles`` (n, 2), in device pixels, the painter's unit.

        Texts must not overlap: all texts are drawn at once, letter by letter. Arrays of letters
        have the letters of all texts one after another.
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

    def _advance(self, code: int) -> float:
        result = self._advances.get(code)
        if result is None:
            result = self._advances[code] = self._metrics.horizontalAdvance(chr(code)) * self._ratio
        return result

    def _pixmap(self, code: int) -> QPixmap:
        result = self._pixmaps.get(code)
        if result is None:
            result = self._pixmaps[code] = text_pixmap(
                chr(code), self._face, self._ratio, self._ink, self._halo
            )
        return result


TEXT_BYTES = 2_000_000
"""The pixmaps of texts that are stored take at most so many bytes."""
register_bytes(f"{__name__}.TEXT_BYTES", TEXT_BYTES)

ICON_BYTES = 1_000_000
"""Icons of former scales are stored up to so many bytes, with those of the current scale."""
register_bytes(f"{__name__}.ICON_BYTES", ICON_BYTES)

MOST_ICONS = 2000
"""Once there are more icons than these all are drawn again."""

ICON_MARGIN = 3
"""Room for the outlines of an icon, in logical pixels."""

MOST_FACES = 4
"""The letters of at most so many fonts and colours are stored."""

TURNED_ROOM = 4
"""So much wider on each side than its text is the box of a turned one, in logical pixels: slanting
letters reach out of their width."""


class LabelPainter:
    """Paints batches with a painter whose unit is a device pixel.

    Example: ``label_painter.paint(painter, things.batches(...), viewport, dirty, ratio)``.
    """

    def __init__(self) -> None:
        self._texts = PixmapCache(TEXT_BYTES)
        """The pixmaps of whole texts."""
        self._letters: dict[tuple[object, ...], Letters] = {}
        """The letters by font, colours and ratio."""
        self._icons: Atlas | None = None
        """The sprites of icons, of ``_pieces``; None until there is one."""
        self._scale = 0.0
        """The scale at which icons were painted last."""
        self._pieces: list[Piece] = []
        """The icons as pieces, in logical pixels."""
        self._numbers: dict[tuple[Icon, float, float], int] = {}
        """The index of each icon in ``_pieces``, by icon, size and width of the box."""

    def paint(
        self,
        painter: QPainter,
        batches: Iterable[OverlayBatch],
        viewport: Viewport,
        dirty: QRectF,
        ratio: float,
    ) -> None:
        """Draw what of the batches lies in ``dirty`` (logical pixels), or more.

        ``ratio`` is the number of device pixels in a logical one.
        """
        offset = np.array((viewport.dx, viewport.dy)) * ratio
        for batch in batches:
            middles = batch.points * (viewport.scale * ratio) + offset
            if isinstance(batch, IconBatch):
                self._paint_icons(painter, batch, middles, viewport.scale, ratio)
                continue
            if isinstance(batch, CoveredBatch):
                _paint_covered(painter, batch, middles, viewport.scale, ratio)
                continue
            face = font(batch.size * viewport.scale, bold=batch.bold, italic=batch.italic)
            if batch.angles is not None:
                _paint_turned(painter, batch, middles, face, ratio, dirty)
            elif batch.text_of is None:
                self._paint_letters(painter, batch, middles, face, ratio)
            else:
                self._paint_texts(painter, batch, middles, face, ratio)

    # --- texts ------------------------------------------------------------------------------

    def _paint_texts(
        self, painter: QPainter, batch: TextBatch, middles: Points, face: QFont, ratio: float
    ) -> None:
        """Draw texts that stand at several points, each as one pixmap."""
        ink = batch.ink
        halo = batch.halo
        text_of = batch.text_of
        assert halo is not None
        assert text_of is not None
        look = (face.pixelSize(), batch.bold, batch.italic, ratio, ink.rgba(), halo.rgba())

        def pixmap(number: int) -> QPixmap:
            text = batch.texts[number]
            draw = partial(text_pixmap, text, face, ratio, ink, halo)
            return self._texts.get_or_draw((text, *look), draw)

        draw_by_key(painter, text_of.astype(np.int64), middles, pixmap)

    def _paint_letters(
        self, painter: QPainter, batch: TextBatch, middles: Points, face: QFont, ratio: float
    ) -> None:
        """Draw texts that all differ, letter by letter."""
        assert batch.halo is not None
        inks = batch.ink.rgba(), batch.halo.rgba()
        key = (face.pixelSize(), batch.bold, batch.italic, ratio, *inks)
        letters = self._letters.get(key)
        if letters is None:
            if len(self._letters) >= MOST_FACES:
                self._letters.clear()
            letters = self._letters[key] = Letters(face, ratio, batch.ink, batch.halo)
        letters.write(painter, batch.texts, middles)

    # --- icons ------------------------------------------------------------------------------

    def _paint_icons(
        self, painter: QPainter, batch: IconBatch, middles: Points, scale: float, ratio: float
    ) -> None:
        """Draw icons as sprites of an atlas, whose pieces are measured in logical pixels."""
        # Rounded, so that an icon of one size has one sprite. The box has whole device pixels.
        size = round(batch.size * scale, 6)
        device_side = math.ceil((size * batch.reach + ICON_MARGIN) * ratio)
        if batch.smallest_px:
            # Both are even: the middle of the icon lies between pixels.
            size = max(batch.smallest_px, 2 * round(size / 2))
            device_side = 2 * math.ceil((size * batch.reach + ICON_MARGIN) * ratio / 2)
        side = device_side / ratio
        box = QRectF(-side / 2, -side / 2, side, side)

        atlas = self._atlas_for(scale, ratio)
        numbers = [self._number(icon, size, box) for icon in batch.icons]
        piece_of = np.array(numbers, np.intp)[batch.icon_of]
        if not atlas.is_ready(piece_of):
            atlas.draw(piece_of)
        every_row = np.arange(len(middles))
        atlas.paint(painter, Batch(piece_of, every_row, batch.opacity), middles)

    def _atlas_for(self, scale: float, ratio: float) -> Atlas:
        """Return the sprites of icons; an empty atlas if there are too many of other scales."""
        atlas = self._icons
        has_other_scale = self._scale != scale
        self._scale = scale
        if (
            atlas is not None
            and atlas.unit == ratio
            and len(self._pieces) <= MOST_ICONS
            and not (has_other_scale and atlas.bytes > ICON_BYTES)
        ):
            return atlas
        self._pieces = []
        self._numbers = {}
        self._icons = Atlas(self._pieces, ratio)
        return self._icons

    def _number(self, icon: Icon, size: float, box: QRectF) -> int:
        """Return the number of the piece that is an icon in this size and box."""
        key = (icon, size, box.width())
        if key not in self._numbers:
            self._numbers[key] = len(self._pieces)
            self._pieces.append(Piece(key, box, partial(icon.draw, size=size)))
        return self._numbers[key]


def _paint_covered(
    painter: QPainter, batch: CoveredBatch, middles: Points, scale: float, ratio: float
) -> None:
    """Draw covered ground as shapes: each is turned by an angle of its own."""
    numbers = batch.covered_of.tolist()
    angles = batch.angles.tolist()
    for number, (x, y), angle in zip(numbers, middles.tolist(), angles, strict=True):
        with saved_state(painter):
            painter.setOpacity(painter.opacity() * batch.opacity)
            painter.translate(x, y)
            painter.rotate(angle)
            painter.scale(scale * ratio, scale * ratio)
            batch.covered[number].draw(painter, 1 / scale)


def _paint_turned(
    painter: QPainter, batch: TextBatch, middles: Points, face: QFont, ratio: float, dirty: QRectF
) -> None:
    """Draw texts that are turned, those that reach into ``dirty``."""
    assert batch.angles is not None
    metrics = QFontMetricsF(face)
    logical_middles = (middles / ratio).tolist()
    angles = batch.angles.tolist()
    for text, (x, y), angle in zip(batch.texts, logical_middles, angles, strict=True):
        width = metrics.horizontalAdvance(text)
        height = metrics.height()
        reach = math.hypot(width, height) / 2 + 2  # and a little for the halo
        if not dirty.intersects(QRectF(x - reach, y - reach, 2 * reach, 2 * reach)):
            continue
        with saved_state(painter):
            painter.setFont(face)
            painter.scale(ratio, ratio)
            painter.translate(QPointF(x, y))
            painter.rotate(angle)
            if batch.halo is not None:
                _draw_outlined(painter, text, face, batch.ink, batch.halo)
            else:
                painter.setPen(batch.ink)
                box = QRectF(-width / 2, -height / 2, width, height)
                box.adjust(-TURNED_ROOM, 0.0, TURNED_ROOM, 0.0)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
