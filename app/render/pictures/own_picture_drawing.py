"""Draws the picture that a user has given to a terrain, or its pattern, into the box of a cell."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.render.pictures.ground_phase import MARGIN, Phase
from app.render.pictures.own_pictures import own_picture
from app.render.pictures.terrain_patterns import PATTERNS, Pattern, draw_pattern, ink_on
from randomizer.model.terrain.terrain import Terrain

PATTERN_OPACITY = 90
"""The opacity of a pattern that the user has chosen, of 255."""

STRETCHED = 1.25
"""A picture of the user's own whose proportions differ by more from a cell's is not stretched."""


def draw_users_picture(painter: QPainter, terrain: Terrain, phase: Phase) -> None:
    """Draw the user's own picture of a terrain, or else its pattern; nothing if it has neither."""
    image = own_picture(terrain.asset)
    if image is None:
        if terrain.pattern in PATTERNS:
            painter.setClipRect(phase.box, Qt.ClipOperation.IntersectClip)
            ink = ink_on(QColor(terrain.colour), PATTERN_OPACITY)
            draw_pattern(painter, Pattern(terrain.pattern), ink)
        return
    # The box of the phase is a little larger than the cell, which the picture fills.
    box_of_phase = phase.box
    share = 1 / (1 + MARGIN)
    box = QRectF(0, 0, box_of_phase.width() * share, box_of_phase.height() * share)
    box.moveCenter(box_of_phase.center())
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
    # Both have the same proportions if these two are equal.
    across = image.width() * box.height()
    down = image.height() * box.width()
    is_shaped_like_box = max(across, down) <= STRETCHED * min(across, down)
    if not is_shaped_like_box:
        box = fitted_into(box, image)
    painter.drawImage(box, image)


def fitted_into(box: QRectF, image: QImage) -> QRectF:
    """Return the largest box of the image's proportions inside ``box``, centred."""
    size = image.size().toSizeF().scaled(box.size(), Qt.AspectRatioMode.KeepAspectRatio)
    inner = QRectF(0, 0, size.width(), size.height())
    inner.moveCenter(box.center())
    return inner
