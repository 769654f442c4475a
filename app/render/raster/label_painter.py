"""Paints the texts, icons and covered ground of a scene, mostly with pixmaps that it stores.

Texts that stand at several points have a pixmap each, texts that all differ (names of cells) are
drawn letter by letter, and turned ones as shapes. Begin with ``LabelPainter.paint``, which the
renderer calls.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import partial

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap

from app.appearance.painting import saved_state
from app.render.piece import Piece
from app.render.pixmap_cache import PixmapCache
from app.render.raster.atlas import Atlas
from app.render.raster.fragments import draw_by_key
from app.render.raster.letters import Letters, Points, TextLook, draw_outlined, text_pixmap
from app.render.scene.batch import Batch, CoveredBatch, IconBatch, OverlayBatch, TextBatch
from app.render.scene.icons import Icon, font
from app.render.viewport import Viewport
from randomizer.model.basics.caches import register_bytes

TEXT_BYTES = 2_000_000
"""The pixmaps of texts that are stored take at most so many bytes."""
register_bytes(f"{__name__}.TEXT_BYTES", TEXT_BYTES)

ICON_BYTES = 1_000_000
"""If the icons of all scales so far take more bytes, they are dropped when the scale changes."""
register_bytes(f"{__name__}.ICON_BYTES", ICON_BYTES)

MAX_ICONS = 2000
"""Once there are more icons than these, all are dropped, and drawn again as they are needed."""

ICON_MARGIN = 3
"""Room for the outlines of an icon, in logical pixels."""

MAX_LOOKS = 4
"""The letters of at most so many fonts and colours are stored."""

TURNED_ROOM = 4
"""Added to both sides of the box of a turned text, in logical pixels: slanting letters reach
out."""

TURNED_HALO_ROOM = 2
"""Added around a turned text, in logical pixels, when it is looked whether it is seen: its halo."""


class LabelPainter:
    """Paints batches with a painter whose unit is a device pixel.

    Example: ``label_painter.paint(painter, things.batches(...), viewport, dirty, ratio)``.
    """

    def __init__(self) -> None:
        self._texts = PixmapCache(TEXT_BYTES)
        """The pixmaps of whole texts."""
        self._letters: dict[tuple[object, ...], Letters] = {}
        """The letters by their ``TextLook.key``."""
        self._icons: Atlas | None = None
        """The sprites of icons, of ``_pieces``; None until there is one."""
        self._scale = 0.0
        """The scale at which icons were painted last."""
        self._pieces: list[Piece] = []
        """The icons as pieces, in logical pixels."""
        self._piece_indices: dict[tuple[Icon, float, float], int] = {}
        """The index of each icon in ``_pieces``, by icon, size and width of the box."""

    def paint(
        self,
        painter: QPainter,
        batches: Iterable[OverlayBatch],
        viewport: Viewport,
        dirty: QRectF,
        ratio: float,
    ) -> None:
        """Draw the batches, at least what of them lies in ``dirty`` (logical pixels).

        Only turned texts, which take longest, are left out elsewhere. ``ratio`` is the number of
        device pixels in a logical one.
        """
        device_viewport = viewport.in_device_pixels(ratio)
        offset = (device_viewport.dx, device_viewport.dy)
        for batch in batches:
            middles = batch.points * device_viewport.scale + offset
            if isinstance(batch, IconBatch):
                self._paint_icons(painter, batch, middles, viewport.scale, ratio)
            elif isinstance(batch, CoveredBatch):
                _paint_covered(painter, batch, middles, viewport.scale, ratio)
            elif batch.angles is not None:
                _paint_turned(painter, batch, middles, dirty, _look_of(batch, viewport, ratio))
            elif batch.text_of is None:
                self._paint_letters(painter, batch, middles, _look_of(batch, viewport, ratio))
            else:
                self._paint_texts(painter, batch, middles, _look_of(batch, viewport, ratio))

    # --- texts ------------------------------------------------------------------------------

    def _paint_texts(
        self, painter: QPainter, batch: TextBatch, middles: Points, look: TextLook
    ) -> None:
        """Draw texts that stand at several points, each as one pixmap."""
        assert batch.text_of is not None
        key = look.key

        def pixmap(text_index: int) -> QPixmap:
            text = batch.texts[text_index]
            return self._texts.get_or_draw((text, *key), partial(text_pixmap, text, look))

        draw_by_key(painter, batch.text_of.astype(np.int64), middles, pixmap)

    def _paint_letters(
        self, painter: QPainter, batch: TextBatch, middles: Points, look: TextLook
    ) -> None:
        """Draw texts that all differ, letter by letter."""
        letters = self._letters.get(look.key)
        if letters is None:
            if len(self._letters) >= MAX_LOOKS:
                self._letters.clear()
            letters = Letters(look)
            self._letters[look.key] = letters
        letters.write(painter, batch.texts, middles)

    # --- icons ------------------------------------------------------------------------------

    def _paint_icons(
        self, painter: QPainter, batch: IconBatch, middles: Points, scale: float, ratio: float
    ) -> None:
        """Draw icons as sprites of an atlas, whose pieces are measured in logical pixels."""
        # The size is rounded, so that errors of rounding do not give an icon several sprites. The
        # box has whole device pixels.
        size = round(batch.size * scale, 6)
        device_side = math.ceil((size * batch.reach + ICON_MARGIN) * ratio)
        if batch.smallest_px is not None:
            # The size and the box are even numbers: the middle of the icon lies between pixels.
            size = max(batch.smallest_px, 2 * round(size / 2))
            device_side = 2 * math.ceil((size * batch.reach + ICON_MARGIN) * ratio / 2)
        side = device_side / ratio
        box = QRectF(-side / 2, -side / 2, side, side)

        atlas = self._atlas_for(scale, ratio)  # first: a new one has no pieces yet
        piece_indices = [self._piece_index(icon, size, box) for icon in batch.icons]
        piece_of = np.array(piece_indices, np.intp)[batch.icon_of]
        if not atlas.is_ready(piece_of):
            atlas.draw_all(piece_of)
        every_row = np.arange(len(middles))
        atlas.paint(painter, Batch(piece_of, every_row, batch.opacity), middles)

    def _atlas_for(self, scale: float, ratio: float) -> Atlas:
        """Return the sprites of icons, made anew if there are too many, or for another ratio.

        A new atlas begins without pieces: indices of former ones are of no use with it.
        """
        has_other_scale = self._scale != scale
        self._scale = scale
        atlas = self._icons
        if atlas is not None and atlas.unit == ratio:
            has_many_icons = len(self._pieces) > MAX_ICONS
            has_many_of_other_scales = has_other_scale and atlas.bytes > ICON_BYTES
            if not has_many_icons and not has_many_of_other_scales:
                return atlas
        self._pieces = []
        self._piece_indices = {}
        self._icons = Atlas(self._pieces, ratio)
        return self._icons

    def _piece_index(self, icon: Icon, size: float, box: QRectF) -> int:
        """Return the index in ``_pieces`` of an icon in this size and box."""
        key = (icon, size, box.width())
        index = self._piece_indices.get(key)
        if index is None:
            index = len(self._pieces)
            self._piece_indices[key] = index
            self._pieces.append(Piece(key, box, partial(icon.draw, size=size)))
        return index


def _paint_covered(
    painter: QPainter, batch: CoveredBatch, middles: Points, scale: float, ratio: float
) -> None:
    """Draw covered ground as shapes: each is turned by an angle of its own."""
    covered_indices = batch.covered_of.tolist()
    angles = batch.angles.tolist()
    for covered_index, (x, y), angle in zip(covered_indices, middles.tolist(), angles, strict=True):
        with saved_state(painter):
            painter.setOpacity(painter.opacity() * batch.opacity)
            painter.translate(x, y)
            painter.rotate(angle)
            painter.scale(scale * ratio, scale * ratio)
            batch.covered[covered_index].draw(painter, 1 / scale)


def _look_of(batch: TextBatch, viewport: Viewport, ratio: float) -> TextLook:
    """Return the look of the texts of a batch at the scale of a viewport."""
    face = font(batch.size * viewport.scale, bold=batch.bold, italic=batch.italic)
    return TextLook(face, ratio, batch.ink, batch.halo)


def _paint_turned(
    painter: QPainter, batch: TextBatch, middles: Points, dirty: QRectF, look: TextLook
) -> None:
    """Draw texts that are turned, those that reach into ``dirty`` (logical pixels), as shapes."""
    assert batch.angles is not None
    metrics = QFontMetricsF(look.face)
    logical_middles = (middles / look.ratio).tolist()
    angles = batch.angles.tolist()
    for text, (x, y), angle in zip(batch.texts, logical_middles, angles, strict=True):
        width = metrics.horizontalAdvance(text)
        height = metrics.height()
        reach = math.hypot(width, height) / 2 + TURNED_HALO_ROOM
        if not dirty.intersects(QRectF(x - reach, y - reach, 2 * reach, 2 * reach)):
            continue
        with saved_state(painter):
            painter.setFont(look.face)
            painter.scale(look.ratio, look.ratio)
            painter.translate(QPointF(x, y))
            painter.rotate(angle)
            if look.halo is not None:
                draw_outlined(painter, text, look)
            else:
                painter.setPen(look.ink)
                box = QRectF(-width / 2, -height / 2, width, height)
                box.adjust(-TURNED_ROOM, 0.0, TURNED_ROOM, 0.0)
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
