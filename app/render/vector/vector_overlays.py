"""Draws the overlays of a map as shapes and text."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtSvg import QSvgRenderer

from app.appearance.icons import icon_svg
from app.appearance.painting import saved_state
from app.render.cell_geometry import cell_outline, side_ends
from app.render.opacity_passes import flat
from app.render.overlays.cell_overlays import LABEL_RAISED
from app.render.overlays.entry_sides import entry_line, readable_angle
from app.render.overlays.round_edge import paint_round_edge
from app.render.overlays.thing_loads import loads_of
from app.render.overlays.thing_overlay import Look, diameter, draw_load, draw_thing
from app.render.piece import Piece
from app.render.vector.text import TYPE_SIZE, draw_text
from app.render.viewport import Viewport
from randomizer.model.indices import places_by_value
from randomizer.model.kinds_on_map import known_kinds
from randomizer.model.planes import is_blank
from randomizer.model.things_at import shown_within

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from app.render.theme import Theme
    from app.render.vector.piece_painter import PiecePainter
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite

ICON_BOX = QRectF(-0.2, -0.2, 0.4, 0.4)


class VectorOverlays:
    """The overlays of one map in one theme.

    The painter's unit is the map unit; ``at`` (n, 2) are the centres of cells.
    """

    def __init__(
        self,
        battlemap: BattleMap,
        composite: Composite,
        theme: Theme,
        piece_painter: PiecePainter,
    ) -> None:
        self._battlemap = battlemap
        self._composite = composite
        self._theme = theme
        self._piece_painter = piece_painter
        self._layout = battlemap.grid.layout
        self._icons: dict[str, QSvgRenderer] = {}
        self._width = max(x for x, _ in self._layout.corners)
        self._height = 0.6 if self._layout.degree == 4 else 1.0

    def cell_list(
        self, painter: QPainter, at: NDArray[np.float64], pen_width: float
    ) -> Iterator[None]:
        """An outline and a flag in listed cells."""
        ring = cell_outline(self._layout, 0.74)
        pen = QPen(self._theme.cell_list, pen_width)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)

        def draw(painter: QPainter) -> None:
            painter.setPen(pen)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPolygon(ring)

        box = ring.boundingRect().adjusted(-pen_width, -pen_width, pen_width, pen_width)
        yield from self._piece_painter.put(painter, Piece("start", box, draw), at)
        flags = at + np.array((-0.58 * self._width, 0.02))
        yield from self._put_icon(painter, "cell-list", self._theme.cell_list, flags)

    def labels(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """The name of each of ``cells`` (n,)."""
        system, grid = self._battlemap.system, self._battlemap.grid
        texts = [system.cell_name(grid, cell) for cell in cells.tolist()]
        yield from self._write(painter, texts, at, -LABEL_RAISED[grid.degree], 0.19)

    def names(
        self, painter: QPainter, terrain: NDArray[np.int64], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """The name of each terrain index of ``terrain`` (n,)."""
        terrains = self._battlemap.terrain_set.terrains
        texts = [terrains[code].name for code in terrain.tolist()]
        yield from self._write(painter, texts, at, 0.43 * self._height, 0.145)

    def elevation(
        self, painter: QPainter, elevation: NDArray[np.int64], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """A badge where the ``elevation`` (n,) is not 0."""
        for high, places in places_by_value(elevation):
            if high:
                draw = partial(self._draw_badge, text=str(high))
                spots = at[places] + np.array((0.0, 0.67 * self._height))
                badge = Piece(("badge", high), ICON_BOX, draw)
                yield from self._piece_painter.put(painter, badge, spots)

    def _draw_badge(self, painter: QPainter, text: str) -> None:
        painter.setPen(QPen(self._theme.elevation_badge_text, 0.015))
        painter.setBrush(self._theme.elevation_badge_fill)
        painter.drawEllipse(QPointF(), 0.125, 0.125)
        draw_text(painter, text, 0.17, self._theme.elevation_badge_text, bold=True)

    def locks(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """An icon in those of ``cells`` (n,) that are locked, and on their locked sides."""
        colour = self._theme.lock
        if not is_blank(self._battlemap.locked_cells):
            locked = at[flat(self._battlemap.locked_cells)[cells]]
            spots = locked + np.array((0.58 * self._width, 0.02))
            yield from self._put_icon(painter, "lock", colour, spots)
        if not is_blank(self._battlemap.locked_sides):
            sides = flat(self._battlemap.locked_sides)[cells]
            for side in range(self._layout.degree):
                middle = np.array(side_ends(self._layout, side)).mean(axis=0)
                yield from self._put_icon(painter, "lock", colour, at[sides[:, side]] + middle)

    def _put_icon(
        self, painter: QPainter, name: str, colour: QColor, at: NDArray[np.float64]
    ) -> Iterator[None]:
        """An icon on a disc at the places ``at`` (n, 2)."""
        if not len(at):
            return
        picture = self._icons.setdefault(name, QSvgRenderer(icon_svg(name, colour)))

        def draw(painter: QPainter) -> None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.label_halo)
            painter.drawEllipse(QPointF(), 0.16, 0.16)
            picture.render(painter, QRectF(-0.13, -0.13, 0.26, 0.26))

        yield from self._piece_painter.put(painter, Piece(name, ICON_BOX, draw), at)

    def _write(
        self,
        painter: QPainter,
        texts: Sequence[str],
        at: NDArray[np.float64],
        lower: float,
        size: float,
    ) -> Iterator[None]:
        """Texts of a ``size``, each ``lower`` than its cell's centre, one a step."""
        ink, halo = self._theme.label_text, self._theme.label_halo
        for text, (x, y) in zip(texts, at.tolist(), strict=True):
            with saved_state(painter):
                painter.translate(x, y + lower)
                draw_text(painter, text, size, ink, halo)
            yield

    def things(self, painter: QPainter, area: QRectF, scale: float) -> Iterator[None]:
        """The things in ``area`` (map units); ``scale`` is the hex radius in logical pixels."""
        size = diameter(self._battlemap, scale) / scale
        near = area.adjusted(-size, -size, size, size)
        box = (near.left(), near.top(), near.right(), near.bottom())
        kinds = {kind.name: kind for kind in known_kinds(self._battlemap)}
        loads = loads_of(self._battlemap)
        for layer in self._battlemap.layers:
            if not layer.visible or not layer.things:
                continue
            found = shown_within(self._battlemap.grid, layer.things, *box)
            for thing_id, at in zip(found.ids.tolist(), found.points.tolist(), strict=True):
                if thing_id in loads.carried:
                    continue
                thing = layer.things[thing_id]
                with saved_state(painter):
                    painter.translate(*at)
                    painter.scale(size / TYPE_SIZE, size / TYPE_SIZE)
                    look = Look.of(kinds.get(thing.kind), thing.kind, thing.owner, thing.angle)
                    draw_thing(painter, look, TYPE_SIZE)
                    if thing.id in loads.numbers:
                        draw_load(painter, loads.numbers[thing.id], TYPE_SIZE)
                yield

    def round_edge(self, painter: QPainter, area: QRectF) -> None:
        """The edge of a map that has a round one, in ``area`` (map units)."""
        paint_round_edge(painter, self._battlemap, Viewport(1.0, 0.0, 0.0), area, self._theme)

    def entry_sides(self, painter: QPainter) -> None:
        """The names of the board's entry sides, along them."""
        for name, cells in self._battlemap.system.entry_sides:
            line = entry_line(self._battlemap.grid, cells)
            with saved_state(painter):
                painter.translate(line.center())
                painter.rotate(readable_angle(line))
                draw_text(painter, name, 0.24, self._theme.entry_side_text)
