"""Draws a map as shapes and text: for paper, SVG, PDF and images of any size.

No QPixmap is used, so that it may be done on any thread.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPaintEngine, QPainter, QPen, QPolygonF

from app.appearance.painting import saved_state
from app.render.cell_colours import HINDRANCES, CellColours
from app.render.cell_geometry import (
    SIDE_REACH,
    cell_outline,
    side_ends,
    side_transform,
)
from app.render.cell_list import listed_cells
from app.render.detail import HEXES_FROM, LABELS_FROM, SIDES_FROM, cell_size, sprites_from
from app.render.map_edges import map_edge_sides, near_map_edge
from app.render.opacity_passes import SINGLE_PASS, flat
from app.render.picture_source import SIDE_BOX, pictures_in
from app.render.raster.overview_raster import OverviewRaster
from app.render.raster.sprites import OVERLAP_PX
from app.render.relief import relief
from app.render.symbols import Symbol
from app.render.table.cells import TableCells
from app.render.terrain_pictures import TerrainPictures
from app.render.variants import MOST_VARIANTS, variants_at
from app.render.vector.symbol_painter import SMOOTH
from app.render.vector.vector_overlays import VectorOverlays
from app.render.viewport import Viewport
from app.render.water import water_opacity
from randomizer.model.indices import places_by_value
from randomizer.model.layer import Layer
from randomizer.model.planes import is_blank

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from numpy.typing import NDArray

    from app.render.overlay_options import Overlays
    from app.render.picture_source import Pictures
    from app.render.theme import Theme
    from app.render.vector.symbol_painter import SymbolPainter
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.composite import Composite
    from randomizer.model.planes import PlaneSpec

STRIP_PIXELS = 200_000
"""This many pixels of the overview raster are drawn in one step."""

PAPER_PIXELS = 3.0
"""Pixels of the overview raster on paper, for one on a screen: about 300 an inch."""

SHADES = 8
"""The number of different lights of the relief, and of shades."""

WATERS = 40
"""The number of different opacities of water, from none at all on."""


def snapshot(battlemap: BattleMap, composite: Composite) -> tuple[BattleMap, Composite]:
    """Copies of a map, of its visible layers only the things, and of its composite.

    They can be drawn on another thread.
    """
    locks = (battlemap.locked_cells, battlemap.locked_sides)
    cells, sides = (plane if is_blank(plane) else plane.copy() for plane in locks)
    still = replace(
        battlemap,
        layers=[
            Layer(layer.id, layer.name, things=layer.things.copy())
            for layer in battlemap.layers
            if layer.visible
        ],
        locked_cells=cells,
        locked_sides=sides,
        records=dict(battlemap.records),
    )
    return still, composite.copy()


class VectorMap:
    """One map in one theme, drawn with ``symbol_painter``.

    ``ground`` is the colour of what it is drawn on, seen around the map and in its holes.
    """

    def __init__(
        self,
        battlemap: BattleMap,
        composite: Composite,
        theme: Theme,
        pictures: Pictures,
        overlays: Overlays,
        symbol_painter: SymbolPainter,
        ground: QColor,
    ) -> None:
        self.battlemap = battlemap
        self.composite = composite
        self.theme = theme
        self.ground = ground
        self._overview: OverviewRaster | None = None
        self._overlays = overlays
        self._system = battlemap.system
        self._layout = battlemap.grid.layout
        self._pictures = pictures_in(theme, pictures)
        self._terrain_pictures = TerrainPictures(
            self._layout, battlemap.terrain_set, pictures, theme
        )
        self._symbol_painter = symbol_painter
        self._vector_overlays = VectorOverlays(battlemap, composite, theme, symbol_painter)
        # How much larger cells are drawn, in map units, so that no gap shows between them.
        self._overlap = OVERLAP_PX / symbol_painter.unit if symbol_painter.unit else 0.006
        self._starts = listed_cells(battlemap, composite)

    def steps(self, painter: QPainter, area: QRectF, scale: float) -> Generator[None, None, None]:
        """Draw what lies in ``area``, in steps of some milliseconds.

        The units of painter and area are map units. ``scale`` is the level of detail: the hex
        radius in the logical pixels of a screen on which the map would have the same size.
        """
        painter.setRenderHints(SMOOTH)
        reach = 1 + SIDE_REACH + 2 / scale
        near = area.adjusted(-reach, -reach, reach, reach)
        size = cell_size(self.battlemap.grid, scale)
        if size < sprites_from(self.battlemap) and self._symbol_painter.unit:
            yield from self._overview_cells(painter, area, scale)
            yield from self._map_edges(painter, *self._at_map_edges(near), scale)
        else:
            yield from self._cells_and_overlays(painter, *self._in(near), scale)
        if self._overlays.things:
            yield from self._vector_overlays.things(painter, area, scale)
        if size >= LABELS_FROM and self._overlays.entry_sides:
            self._vector_overlays.entry_sides(painter)

    def _in(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """The cells (n,) whose centres lie in a box, and their centres (n, 2), in map units."""
        grid = self.battlemap.grid
        cells = grid.cells_in(box.left(), box.top(), box.right(), box.bottom())
        return cells, grid.centres_of(cells)

    def _at_map_edges(self, box: QRectF) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
        """As ``_in``, but without the inner cells of a map that has no holes."""
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
            if self.battlemap.terrain_set.contours:
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
        shown, overlays = self._overlays, self._vector_overlays
        if shown.cell_list:
            there = at[np.isin(cells, self._starts)]
            yield from overlays.cell_list(painter, there, max(2 / scale, 0.04))
        if shown.labels:
            yield from overlays.labels(painter, cells, at)
        if shown.names:
            yield from overlays.names(painter, self._values(self._system.terrain, cells), at)
        if shown.elevation and not self.battlemap.terrain_set.contours:
            yield from overlays.elevation(painter, self._values(self._system.elevation, cells), at)
        if shown.locks:
            yield from overlays.locks(painter, cells, at)

    # --- cells ------------------------------------------------------------------------------

    def _cells(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64], scale: float
    ) -> Iterator[None]:
        known = len(self.battlemap.terrain_set.terrains) - 1
        terrain = np.minimum(self._values(self._system.terrain, cells), known)
        elevation = self._values(self._system.elevation, cells).clip(-6, 6)
        elevation *= self._overlays.elevation
        variant = variants_at(self.battlemap.terrain_set, terrain.astype(np.intp), cells)
        inside = cell_outline(self._layout, 1 + self._overlap)
        keys = (terrain * MOST_VARIANTS + variant) << 32 | (elevation & 0xFFFFFFFF)
        for key, places in places_by_value(keys):
            first = places[0]
            shown = int(terrain[first]), int(elevation[first]), int(variant[first])
            draw = partial(self._terrain_pictures.draw, key=shown)
            symbol = Symbol(("cell", key), inside.boundingRect(), draw, inside)
            yield from self._symbol_painter.put(painter, symbol, at[places])
        if self._overlays.grid_lines:  # half of the sides: the others are drawn by the neighbours
            outline = cell_outline(self._layout)
            half = QPolygonF([outline.at(i) for i in range(self._layout.degree // 2 + 1)])
            draw = partial(_draw_lines, pen=QPen(self.theme.grid_line, 1 / scale), lines=half)
            box = cell_outline(self._layout, 1 + 1 / scale).boundingRect()
            yield from self._symbol_painter.put(painter, Symbol("grid", box, draw), at)

    def _table_features(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        system, grid = self.battlemap.system, self.battlemap.grid
        grid_lines = self._overlays.grid_lines
        table = TableCells(system, grid, self.composite.planes, cells, grid_lines)
        for symbol, places in self._terrain_pictures.table_features.symbols(table):
            yield from self._symbol_painter.put(painter, symbol, at[places])

    def _plain_cells(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        shown = self._colours().of(self.composite, cells, self._starts).astype(np.int64)
        for colour, places in places_by_value(shown):
            yield from self._symbol_painter.put(
                painter, self._tile(QColor(colour), 0.02), at[places]
            )

    def _colours(self) -> CellColours:
        return CellColours(self.battlemap, SINGLE_PASS, self.theme, self._overlays, None)

    def _overview_cells(self, painter: QPainter, area: QRectF, scale: float) -> Iterator[None]:
        """The overview raster, a strip at each step."""
        if self._overview is None:
            self._overview = OverviewRaster(self.battlemap.grid, self.ground.rgb())
            colours = self._colours()
            self._overview.fill(lambda run: colours.of(self.composite, run, self._starts))
        raster = painter.paintEngine().type() == QPaintEngine.Type.Raster
        unit = self._symbol_painter.unit if raster else scale * PAPER_PIXELS
        left, top = area.left() * unit, area.top() * unit
        # On an image its whole pixels; else pixels are counted from the corner of the area.
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
        """Light and shade of the relief, water, and shades over terrain that hinders."""
        if self._overlays.shows_relief(self._system):
            light = relief(self.battlemap, self.composite, cells)
            for step, places in places_by_value(np.rint(light * SHADES).astype(np.int64)):
                colour = QColor(255, 255, 255) if step > 0 else QColor(0, 0, 0)
                colour.setAlphaF(abs(step) / SHADES * 140 / 256)
                if step:
                    yield from self._symbol_painter.put(painter, self._tile(colour), at[places])
        if self._overlays.shows_water(self._system):
            yield from self._water(painter, cells, at)
        if self._overlays.passability:
            terrains = self.battlemap.terrain_set.terrains
            for code, places in places_by_value(self._values(self._system.terrain, cells)):
                if terrains[code].hinders:
                    shade, share = HINDRANCES[terrains[code].hinders]
                    colour = QColor(shade)
                    colour.setAlphaF(share)
                    yield from self._symbol_painter.put(painter, self._tile(colour), at[places])

    def _water(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        """The surface of the water over cells below its level."""
        opacity = water_opacity(self.battlemap, self.composite, cells)
        if opacity is None:
            return
        for step, places in places_by_value(np.rint(opacity * WATERS).astype(np.int64)):
            colour = QColor(self.theme.water)
            colour.setAlphaF(step / WATERS)
            if step:
                yield from self._symbol_painter.put(painter, self._tile(colour), at[places])

    def _tile(self, colour: QColor, grow: float = 0.0) -> Symbol:
        """A cell of one colour, larger by the share ``grow``."""
        polygon = cell_outline(self._layout, 1 + grow)

        def draw(painter: QPainter) -> None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            painter.drawConvexPolygon(polygon)

        return Symbol(("tile", colour.rgba(), grow), polygon.boundingRect(), draw)

    def _values(self, spec: PlaneSpec | None, cells: NDArray[np.intp]) -> NDArray[np.int64]:
        """The values of a cell plane at ``cells`` (n,); 0 if the system has no such plane."""
        values = self.composite.plane(spec)
        if values is None:
            return np.zeros(len(cells), np.int64)
        if is_blank(values):
            return np.full(len(cells), values[0, 0], np.int64)
        return np.asarray(flat(values)[cells], np.int64)

    # --- sides ------------------------------------------------------------------------------

    def _map_edges(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64], scale: float
    ) -> Iterator[None]:
        """The map's edges, and the seam of a map that wraps."""
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
                yield from self._symbol_painter.put(painter, symbol, at[there])

    def _hexsides(
        self, painter: QPainter, cells: NDArray[np.intp], at: NDArray[np.float64]
    ) -> Iterator[None]:
        plane = self.composite.plane(self._system.hexside)
        if plane is None or is_blank(plane):
            return
        codes = flat(plane)[cells]
        for side in range(self._layout.degree):
            box = side_transform(self._layout, side).mapRect(SIDE_BOX)
            there = np.flatnonzero(codes[:, side])
            for code, places in places_by_value(codes[there, side].astype(np.int64)):
                draw = partial(self._draw_hexside, side=side, code=code)
                symbol = Symbol(("hexside", side, code), box, draw)
                yield from self._symbol_painter.put(painter, symbol, at[there[places]])

    def _draw_hexside(self, painter: QPainter, side: int, code: int) -> None:
        painter.setTransform(side_transform(self._layout, side), combine=True)
        self._pictures.hexside(painter, self.battlemap.terrain_set.hexsides[code - 1])


def _draw_lines(painter: QPainter, pen: QPen, lines: QPolygonF) -> None:
    painter.setPen(pen)
    painter.drawPolyline(lines)
