"""Draws placed things: a disc in the owner's colour with a letter, or a dot at small scales."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap, QPolygonF

from app.appearance.painting import saved_state
from app.render.overlays.lettering import blank, font
from app.render.raster.fragments import draw_fragments
from randomizer.model.indices import places_by_value

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.render.theme import Theme
    from app.render.viewport import Viewport
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.layer import Layer
    from randomizer.model.thing_index import ThingArrays
    from randomizer.model.things import Things

OWNERS = ("#f2efe6", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#f0e442")
"""The colours of owner 0 (nobody), 1, 2 ...: the set of Okabe and Ito for the colour-blind."""

LARGEST = 26.0
"""The largest diameter of a disc, in logical pixels."""

LETTERED_FROM = 11.0
"""Discs of this diameter (logical pixels) or more have a letter."""

HEADINGS = 16
"""The number of directions in which a disc may point."""


def diameter(scale: float, degree: int) -> float:
    """The diameter of a disc in logical pixels; ``degree`` is the number of a cell's sides."""
    return min(LARGEST, max(3.0, scale * (0.9 if degree == 6 else 0.7)))


class ThingOverlay:
    """Draws things in one theme; keeps their discs, and their order from top to bottom."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._discs: dict[tuple[object, ...], QPixmap] = {}
        self._sorted: dict[int, tuple[Things, int, NDArray[np.intp], NDArray[np.float64]]] = {}

    def paint(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        viewport: Viewport,
        dirty: QRectF,
        ratio: float,
    ) -> None:
        """Draw the things in ``dirty`` (logical pixels); the painter's unit is a device pixel."""
        size = diameter(viewport.scale, battlemap.grid.degree)
        for layer in battlemap.layers:
            if layer.visible and len(layer.things):
                self._paint_layer(painter, layer, viewport, dirty, size, ratio)

    def _paint_layer(
        self,
        painter: QPainter,
        layer: Layer,
        viewport: Viewport,
        dirty: QRectF,
        size: float,
        ratio: float,
    ) -> None:
        arrays = layer.things.arrays()
        places = self._within(viewport, dirty, layer, arrays, size)
        if not len(places):
            return
        lettered = size >= LETTERED_FROM
        owners = arrays.owners[places] % len(OWNERS)
        keys = owners
        if lettered:
            heading = np.rint(arrays.angles[places] / (360 / HEADINGS)).astype(np.int64) % HEADINGS
            keys = (arrays.kinds[places] * HEADINGS + heading) * len(OWNERS) + owners
        offset = np.array((viewport.dx, viewport.dy)) * ratio
        at = arrays.points[places] * (viewport.scale * ratio) + offset
        for key, part in places_by_value(keys):
            rest, owner = divmod(key, len(OWNERS))
            kind, heading_step = divmod(rest, HEADINGS)
            letter = arrays.kind_names[kind] if lettered else ""
            disc = self._disc(initial(letter), owner, heading_step, size, ratio)
            half = disc.width() / 2
            draw_fragments(painter, disc, np.floor(at[part] - half + 0.5))

    def _within(
        self, viewport: Viewport, dirty: QRectF, layer: Layer, arrays: ThingArrays, size: float
    ) -> NDArray[np.intp]:
        """The rows of ``arrays`` (n,) that may show in ``dirty``, from top to bottom.

        ``size`` is the diameter of a disc; both are in logical pixels.
        """
        things, saved_state = layer.things, self._sorted.get(layer.id)
        if saved_state is None or saved_state[0] is not things or saved_state[1] != things.revision:
            order = np.argsort(arrays.points[:, 1], kind="stable")
            saved_state = (things, things.revision, order, arrays.points[order, 1])
            self._sorted[layer.id] = saved_state
        reach = size + 2
        dirty = dirty.adjusted(-reach, -reach, reach, reach)
        left, top = viewport.to_map(dirty.topLeft())
        right, bottom = viewport.to_map(dirty.bottomRight())
        first, last = np.searchsorted(saved_state[3], (top, bottom))
        rows = saved_state[2][first:last]
        x = arrays.points[rows, 0]
        return np.asarray(rows[(x >= left) & (x <= right)])

    def _disc(self, letter: str, owner: int, heading: int, size: float, ratio: float) -> QPixmap:
        key = (letter, owner, heading, size, ratio)
        disc = self._discs.get(key)
        if disc is None:
            if len(self._discs) > 2000:
                self._discs.clear()
            disc = self._discs[key] = self._draw(letter, owner, heading, size, ratio)
        return disc

    def _draw(self, letter: str, owner: int, heading: int, size: float, ratio: float) -> QPixmap:
        """The pixmap of a disc."""
        room = size * (1.5 if letter else 1.0) + 2
        with blank(QSizeF(room, room), ratio) as (pixmap, painter):
            painter.translate(room / 2, room / 2)
            draw_disc(painter, letter, owner, heading, size)
        return pixmap


def draw_disc(painter: QPainter, letter: str, owner: int, heading: int, size: float) -> None:
    """Draw a disc around (0, 0) of diameter ``size``, with a letter and a tip if there is a letter.

    The tip points to ``heading``: clockwise from the top, in steps of 1/``HEADINGS`` of a turn.
    """
    colour = QColor(OWNERS[owner])
    ink = QColor(0, 0, 0) if colour.lightness() > 100 else QColor(255, 255, 255)
    painter.setBrush(colour)
    painter.setPen(QPen(QColor(20, 20, 20, 220), 1.0 if letter else 0.6))
    half = size / 2
    if letter:
        with saved_state(painter):
            painter.rotate(heading * 360 / HEADINGS)
            tip = ((0, -half * 1.45), (half * 0.5, -half * 0.8), (-half * 0.5, -half * 0.8))
            painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in tip]))
    painter.drawEllipse(QPointF(), half - 0.5, half - 0.5)
    if letter:
        painter.setPen(ink)
        painter.setFont(font(size * 0.62, bold=True))
        box = QRectF(-size, -size, 2 * size, 2 * size)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, letter)


def initial(kind: str) -> str:
    """The letter of a kind of thing: the first of its last word (``gaia/tree/oak``: O)."""
    words = kind.replace("|", "/").rstrip("/").rsplit("/", 1)
    return words[-1][:1].upper()
