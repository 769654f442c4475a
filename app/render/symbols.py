"""Symbols: drawings that are repeated at many places of a map, such as a cell or a bend of road.

They are described here once and drawn by both renderers: as sprites, or as shapes and images
(``app.render.vector.symbol_painter``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainterPath

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtCore import QRectF
    from PySide6.QtGui import QPainter, QPolygonF


class Symbol(NamedTuple):
    """A drawing around (0, 0), in map units (y runs down).

    Symbols with the same ``key`` look the same. ``box`` encloses what ``draw`` draws; of that only
    what lies within the polygon ``clip`` is shown (None: all).
    """

    key: object
    box: QRectF
    draw: Callable[[QPainter], None]
    clip: QPolygonF | None = None

    def draw_clipped(self, painter: QPainter) -> None:
        """Draw what lies within ``clip``; the painter stays clipped."""
        if self.clip is not None:
            inside = QPainterPath()
            inside.addPolygon(self.clip)
            inside.closeSubpath()
            painter.setClipPath(inside, Qt.ClipOperation.IntersectClip)
        self.draw(painter)


if TYPE_CHECKING:
    SymbolPlaces = tuple[Symbol, NDArray[np.intp]]
    """A symbol and the places (n,), in an array of cells, where it is drawn."""
