"""Paints a part of a map on paper, with names and signs of the right size.

On paper a map is measured in millimetres. Texts have the size that they have on a usual screen,
while cells show the details of a finer one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter

from app.paper.page_plan import MM_PER_INCH, Box

if TYPE_CHECKING:
    from app.render.vector.vector_map import VectorMap

SCREEN_DOTS_PER_MM = 96 / MM_PER_INCH
"""Names and signs are as large on paper as on a screen of this density."""

CELL_DETAIL = 1.6
"""Cells on paper show what they show on a screen that is this many times as dense.

Print is finer than a screen: numbers, grid lines and hexsides can still be read there.
"""

MIN_LIGHT = 128
"""Grounds whose lightness (0 to 255) is lower are dark."""


def rect(box: Box) -> QRectF:
    """Return a box as a QRectF."""
    return QRectF(box.left, box.top, box.width, box.height)


def paint_map(painter: QPainter, vector_map: VectorMap, box: Box, scale: float) -> Iterator[None]:
    """Paint the part ``box`` of a map; the painter's unit is the map unit.

    ``scale`` is the ``text_scale`` of ``VectorMap.draw_in_steps``.
    """
    if is_dark(vector_map.ground):  # a light one is the paper
        painter.fillRect(rect(box), vector_map.ground)
    yield from vector_map.draw_in_steps(painter, rect(box), scale, scale * CELL_DETAIL)


def is_dark(colour: QColor) -> bool:
    """Return whether light colours are needed on this ground."""
    return colour.lightness() < MIN_LIGHT
