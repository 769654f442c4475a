"""Draws a map as shapes and text instead of pixels: for paper, SVG, and pictures of any size.

Nothing here is a QPixmap, so a picture may be drawn on any thread.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPen, QPolygonF

from app.render.cell_colours import HINDRANCES, CellColours
from app.render.detail import HEXES_FROM, LABELS_FROM, SIDES_FROM, cell_size, sprites_from
from app.render.map_edges import map_edge_sides, near_map_edge
from app.render.opacity_passes import SINGLE_PASS, flat
from app.render.picture_source import SIDE_BOX, pictures_in
from app.render.raster.fragments import groups
from app.render.raster.overview_raster import OverviewRaster
from app.render.raster.sprites import SEAM, SIDE_REACH, side_ends, side_transform
from app.render.relief import relief
from app.render.table.features import Table
from app.render.terrain_pictures import TerrainPictures
from app.render.vector.symbol_painter import SMOOTH, Symbol, SymbolPainter, saved_state
from app.render.vector.vector_overlays import VectorOverlays
from app.render.viewport import Viewport
from randomizer.model.battlemap import is_blank
from randomizer.model.things import Things

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    from app.render.detail import Overlays
    from app.render.picture_source import Pictures
    from app.render.theme import Theme
    from randomizer.model.battlemap import BattleMap, Composite

STRIP_PIXELS = 200_000
"""So many pixels of plain cells are painted in one step."""

PAPER_PIXELS = 3.0
"""Plain cells have so many pixels on paper where a screen has one: about 300 an inch."""

SHADES = 8
"""Light and shade of the relief come in so many steps each."""


def snapshot(battlemap: BattleMap, composite: Composite) -> tuple[BattleMap, Composite]:
    """A map that no edit changes, and what it shows now: for a picture made on another thread."""
    locks = (battlemap.locked_cells, battlemap.locked_sides)
    cells, sides = (plane if is_blank(plane) else plane.copy() for plane in locks)
    still = replace(
        battlemap,
        layers=[],
        locked_cells=cells,
        locked_sides=sides,
        things=Things(battlemap.things.values()),
    )
    return still, composite.copy()


class VectorMap:
    """One map under one look, put together from ``symbols``.

    ``ground`` is the colour of what it is drawn on: around the board, and where it has holes.
    """

    def __init__(
        self,
        battlemap: BattleMap,
        composite: Composite,
        theme: Theme,
        pictures: Pictures,
        overlays: Overlays,
        symbols: SymbolPainter,
        ground: QColor,
    ) -> None:
        self.battlemap = battlemap
        self.composite = composite
        self.theme = theme
        self.ground = ground
        self._overview: OverviewRaster | None = None
        self._overlays = overlays
        self._layout = battlemap.grid.layout
        self._pictures = pictures_in(theme, pictures)
        self._terrain_pictures = TerrainPictures(
            self._layout, battlemap.system.terrain_set, pictures, theme
        )
        self._symbols = symbols
        self._cell_overlays = VectorOverlays(battlemap, composite, theme, self._symbols)
        # So that no seam shows between cells.
        self._grown = SEAM / symbols.unit if symbols.unit else 0.006
        names = composite.startlist or ()
        found = (battlemap.system.cell_of_name(battlemap.grid, name) for name in names)
        self._starts = np.array(sorted({cell for cell in found if cell is not None}), np.intp)

    def steps(self, painter: QPainter, area: QRectF, scale: float) -> Generator[None, None, None]:
        """Draw what lies in ``area``; painter and area are in map units.

        ``scale`` is the hex radius in pixels of a screen on which the map would look as large: it
        says what can still be told apart. A step takes some milliseconds.
        """
        painter.setRenderHints(SMOOTH)
        reach = 1 + SIDE_REACH + 2 / scale
        near = area.adjusted(-reach, -reach, reach, reach)
        size = cell_size(self.battlemap.grid, scale)
        if size < sprites_from(self.battlemap) and self._symbols.unit:
            yield from self._overview_cells(painter, area, scale)
            yield from self._map_edges(painter, *self._at_the_end(near), scale)
        else:
            yield from self._cells_and_overlays(painter, *self._in(near), scale)
        if self._overlays.things:
            yield from self._cell_overlays.things(painter, area, scale)
        if size >= LABELS_FROM and self._overlays.entry_sides:
            self._cell_overlays.entry_sides(painter)

    def _in(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The cells whose centres lie in a box, and these centres."""
        grid = self.battlemap.grid
        cells = grid.cells_in(box.left(), box.top(), box.right(), box.bottom())
        return cells, grid.centres_of(cells)

    def _at_the_end(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """``_in``, of a large map only the cells that may lie at its rim or seam."""
        grid = self.battlemap.grid
        if grid.mask is not None:
            return self._in(box)
        left, top, right, bottom = grid.bounds
        whole = QRectF(QPointF(left, top), QPointF(right, bottom))
        deep = 2.5
        ends = (
            QRectF(left, top, deep, whole.height()),
            QRectF(right - deep, top, deep, whole.height()),
            QRectF(left, top, whole.width(), deep),
            QRectF(left, bottom - deep, whole.width(), deep),
        )
        there = [self._in(end.intersected(box))[0] for end in ends if end.intersects(box)]
        cells = np.unique(np.concatenate([np.zeros(0, np.intp), *there]))
        return cells, grid.centres_of(cells)

    def _cells_and_overlays(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64], scale: float
    ) -> Iterator[None]:
        size = cell_size(self.battlemap.grid, scale)
        if size < sprites_from(self.battlemap):
            yield from self._plain_cells(painter, cells, at)
        else:
            yield from self._cells(painter, cells, at, scale)
            if self.battlemap.system.terrain_set.contours:
                yield from self._table_features(painter, cells, at)
            yield from self._shades(painter, cells, at)
        yield from self._map_edges(painter, cells, at, scale)
        if size >= SIDES_FROM and self._overlays.hexsides:
            yield from self._hexsides(painter, cells, at)
        if size >= LABELS_FROM:
            yield from self._on_cells(painter, cells, at, scale)

    def _on_cells(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64], scale: float
    ) -> Iterator[None]:
        shown, cell_overlays = self._overlays, self._cell_overlays
        if shown.start_list:
            there = at[np.isin(cells, self._starts)]
            yield from cell_overlays.start_list(painter, there, max(2 / scale, 0.04))
        if shown.labels:
            yield from cell_overlays.labels(painter, cells, at)
        if shown.names:
            yield from cell_overlays.names(painter, self._values("terrain", cells), at)
        if shown.elevation and not self.battlemap.system.terrain_set.contours:
            yield from cell_overlays.elevation(painter, self._values("elevation", cells), at)
        if shown.locks:
            yield from cell_overlays.locks(painter, cells, at)

    # --- cells ------------------------------------------------------------------------------

    def _cells(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64], scale: float
    ) -> Iterator[None]:
        known = len(self.battlemap.system.terrain_set.terrains) - 1
        terrain = np.minimum(self._values("terrain", cells), known)
        elevation = self._values("elevation", cells).clip(-6, 6) * self._overlays.elevation
        inside = self._outline(1 + self._grown)
        for key, places in groups(terrain << 32 | (elevation & 0xFFFFFFFF)):
            high = int(elevation[places[0]])
            draw = partial(self._terrain_pictures.draw, terrain=key >> 32, elevation=high)
            symbol = Symbol(("cell", key), inside.boundingRect(), draw, inside)
            yield from self._symbols.put(painter, symbol, at[places])
        if self._overlays.grid_lines:  # half of the sides: the others are those of neighbours
            outline = self._outline()
            half = QPolygonF([outline.at(i) for i in range(self._layout.degree // 2 + 1)])
            draw = partial(_draw_lines, pen=QPen(self.theme.grid_line, 1 / scale), lines=half)
            box = self._outline(1 + 1 / scale).boundingRect()
            yield from self._symbols.put(painter, Symbol("grid", box, draw), at)

    def _table_features(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """Hills, features and routes."""
        system, grid = self.battlemap.system, self.battlemap.grid
        seams = self._overlays.grid_lines
        table = Table(system, grid, self.composite.planes, cells, seams)
        for symbol, places in self._terrain_pictures.table_features.symbols(table):
            yield from self._symbols.put(painter, symbol, at[places])

    def _plain_cells(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        shown = self._colours().of(self.composite, cells, self._starts).astype(np.int64)
        for colour, places in groups(shown):
            yield from self._symbols.put(painter, self._tile(QColor(colour), 0.02), at[places])

    def _colours(self) -> CellColours:
        return CellColours(self.battlemap, SINGLE_PASS, self.theme, self._overlays, None)

    def _overview_cells(self, painter: QPainter, area: QRectF, scale: float) -> Iterator[None]:
        """Plain cells as pixels, a strip at each step."""
        if self._overview is None:
            self._overview = OverviewRaster(self.battlemap.grid, self.ground.rgb())
            colours = self._colours()
            self._overview.fill(lambda run: colours.of(self.composite, run, self._starts))
        raster = painter.paintEngine().type() == QPaintEngine.Type.Raster
        unit = self._symbols.unit if raster else scale * PAPER_PIXELS
        left, top = area.left() * unit, area.top() * unit
        # Whole pixels of the image that is painted on, else from the corner of the area.
        start = QPointF(painter.transform().dx(), painter.transform().dy())
        viewport = Viewport(unit, start.x(), start.y()) if raster else Viewport(unit, -left, -top)
        first = math.floor(left + viewport.dx), math.floor(top + viewport.dy)
        width, height = math.ceil(area.width() * unit) + 1, math.ceil(area.height() * unit) + 1
        plain = self._layout.degree == 4 or unit < HEXES_FROM
        draw = self._overview.stretched if plain else self._overview.hexes
        rows = max(1, STRIP_PIXELS // width)
        for row in range(0, height, rows):
            box = first[0], first[1] + row, width, min(rows, height - row)
            pixels = draw(viewport, 1.0, box)
            strip = QImage(pixels.data, *box[2:], 4 * width, QImage.Format.Format_RGB32)
            with saved_state(painter):
                if raster:
                    painter.resetTransform()
                else:
                    painter.translate(area.topLeft())
                    painter.scale(1 / unit, 1 / unit)
                painter.drawImage(box[0], box[1], strip)
            yield

    def _shades(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """Light and shade of the relief, and how much terrain hinders."""
        if self._overlays.shading:
            light = relief(self.battlemap.grid, self.composite, cells)
            for step, places in groups(np.rint(light * SHADES).astype(np.int64)):
                colour = QColor(255, 255, 255) if step > 0 else QColor(0, 0, 0)
                colour.setAlphaF(abs(step) / SHADES * 140 / 256)
                if step:
                    yield from self._symbols.put(painter, self._tile(colour), at[places])
        if self._overlays.passability:
            terrains = self.battlemap.system.terrain_set.terrains
            for code, places in groups(self._values("terrain", cells)):
                if terrains[code].hinders:
                    shade, share = HINDRANCES[terrains[code].hinders]
                    colour = QColor(shade)
                    colour.setAlphaF(share)
                    yield from self._symbols.put(painter, self._tile(colour), at[places])

    def _tile(self, colour: QColor, grow: float = 0.0) -> Symbol:
        """A cell of one colour, larger than it is by the share ``grow``."""
        polygon = self._outline(1 + grow)

        def draw(painter: QPainter) -> None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawConvexPolygon(polygon)

        return Symbol(("tile", colour.rgba(), grow), polygon.boundingRect(), draw)

    def _values(self, plane: str, cells: NDArray[np.intp]) -> NDArray[np.int64]:
        values = self.composite.planes.get(plane)
        if values is None:
            return np.zeros(len(cells), np.int64)
        if is_blank(values):
            return np.full(len(cells), values[0, 0], np.int64)
        return np.asarray(flat(values)[cells], np.int64)

    def _outline(self, size: float = 1.0) -> QPolygonF:
        return QPolygonF([QPointF(x * size, y * size) for x, y in self._layout.corners])

    # --- sides ------------------------------------------------------------------------------

    def _map_edges(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64], scale: float
    ) -> Iterator[None]:
        """The ends of the map, and the seam of a world that goes round."""
        width = min(0.5, max(1.5 / scale, 0.05))
        near = near_map_edge(self.battlemap.grid, cells)
        cells, at = cells[near], at[near]
        solid, dotted = Qt.PenStyle.SolidLine, Qt.PenStyle.DotLine
        for side in range(self._layout.degree):
            (ax, ay), (bx, by) = side_ends(self._layout, side)
            line = QPolygonF([QPointF(ax, ay), QPointF(bx, by)])
            box = line.boundingRect().adjusted(-width, -width, width, width)
            ends = map_edge_sides(self.battlemap.grid, cells, side)
            for there, colour, style in (
                (ends[0], self.theme.board_outline, solid),
                (ends[1] & self._overlays.seam, self.theme.seam, dotted),
            ):
                pen = QPen(colour, width, style, Qt.PenCapStyle.RoundCap)
                symbol = Symbol((style, side), box, partial(_draw_lines, pen=pen, lines=line))
                yield from self._symbols.put(painter, symbol, at[there])

    def _hexsides(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        plane = self.composite.planes.get("hexside")
        if plane is None or is_blank(plane):
            return
        codes = flat(plane)[cells]
        for side in range(self._layout.degree):
            box = side_transform(self._layout, side).mapRect(SIDE_BOX)
            there = np.flatnonzero(codes[:, side])
            for code, places in groups(codes[there, side].astype(np.int64)):
                draw = partial(self._draw_hexside, side=side, code=code)
                symbol = Symbol(("hexside", side, code), box, draw)
                yield from self._symbols.put(painter, symbol, at[there[places]])

    def _draw_hexside(self, painter: QPainter, side: int, code: int) -> None:
        painter.setTransform(side_transform(self._layout, side), combine=True)
        self._pictures.hexside(painter, self.battlemap.system.terrain_set.hexsides[code - 1])


def _draw_lines(painter: QPainter, pen: QPen, lines: QPolygonF) -> None:
    painter.setPen(pen)
    painter.drawPolyline(lines)
