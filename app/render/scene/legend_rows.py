"""The rows of a legend: the terrains, hexsides, ways and symbols that a map shows.

A row is a small picture, the *swatch*, with a name beside it. ``rows_of`` returns those of a map;
``Row.draw`` draws one. All lengths are in logical pixels unless something else is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPaintEngine, QPainter

from app.appearance.painting import saved_state
from app.render.overlay_options import Overlays
from app.render.piece import Piece, image_of
from app.render.scene.cells import bare_cell, board_cell
from app.render.scene.edges.hexsides import single_piece
from app.render.scene.icons import font
from app.render.scene.pieces import Pieces
from app.render.scene.things.looks import Look
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import RouteSpec

TYPE_SIZE = 11.0
"""The type size of a legend."""

BASELINE = 0.36
"""The baseline of a name lies so far below the middle of its row, in type sizes: half the height of
a capital letter."""

ROW_HEIGHT = 19.0
"""The height of a row."""

SWATCH_WIDTH = 26.0
"""The width of the swatch at the left of a row."""

GAP = 8.0
"""The distance between a swatch and its name."""

SWATCH_MARGIN = 2.0
"""Swatches are so much lower than their row, so that they do not touch each other."""

SYMBOL_MARGIN = 6.0
"""A symbol on a terrain is so much lower than the row: the terrain is seen around it."""

HEX_HEIGHT = 2.0
"""The height of the room for a hex in a swatch, in map units: that of a hex of radius 1."""

SQUARE_HEIGHT = 1.2
"""The height of the room for a square, in map units: that of a square of side 1, and some air."""

MAX_ROWS = 40
"""The most rows of a legend: others are left out."""

PDF_DOTS_PER_PIXEL = 4
"""A pixel of a picture in a PDF is so many dots wide: 300 pixels an inch where it has 1,200
dots."""


class TerrainCode(NamedTuple):
    """A terrain as the subject of a row."""

    code: int
    """Its index in the terrain set."""


class HexsideCode(NamedTuple):
    """A hexside as the subject of a row."""

    code: int
    """Its index in the terrain set + 1, as planes have it."""


class Row(NamedTuple):
    """A row of the legend: a swatch and a name."""

    text: str
    """The name."""

    subject: TerrainCode | HexsideCode | RouteSpec | Look
    """What the name is of: a terrain, a hexside, a way, or a symbol, which has a look."""

    symbol: Look | None = None
    """A symbol of the same name, which is drawn on the terrain; None for none."""

    def draw(self, painter: QPainter, pieces: Pieces) -> None:
        """Draw the row with its left top corner at (0, 0)."""
        if painter.paintEngine().type() == QPaintEngine.Type.Pdf:
            # With the shapes of all terrains the file would be twice as large.
            box = QRectF(0, 0, SWATCH_WIDTH, ROW_HEIGHT)
            pixels_per_logical_pixel = painter.deviceTransform().m11() / PDF_DOTS_PER_PIXEL
            with image_of(box, pixels_per_logical_pixel) as (image, on_image):
                self._draw_swatch(on_image, pieces)
            width = image.width() / pixels_per_logical_pixel
            height = image.height() / pixels_per_logical_pixel
            painter.drawImage(QRectF(0, 0, width, height), image)
        else:
            self._draw_swatch(painter, pieces)
        painter.setFont(font(TYPE_SIZE))
        baseline = ROW_HEIGHT / 2 + TYPE_SIZE * BASELINE
        painter.drawText(QPointF(SWATCH_WIDTH + GAP, baseline), self.text)

    def _draw_swatch(self, painter: QPainter, pieces: Pieces) -> None:
        """Draw the picture of the subject, and over it the symbol."""
        with saved_state(painter):
            painter.translate(SWATCH_WIDTH / 2, ROW_HEIGHT / 2)
            if isinstance(self.subject, Look):
                self.subject.draw(painter, ROW_HEIGHT - SWATCH_MARGIN)
            else:
                _draw_cell(painter, pieces, self.subject)
        if self.symbol is not None:
            with saved_state(painter):
                painter.translate(SWATCH_WIDTH / 2, ROW_HEIGHT / 2)
                self.symbol.draw(painter, ROW_HEIGHT - SYMBOL_MARGIN)


def _draw_cell(
    painter: QPainter, pieces: Pieces, subject: TerrainCode | HexsideCode | RouteSpec
) -> None:
    """Draw a cell around (0, 0), as high as a swatch, that shows a terrain, hexside or way."""
    cell_height = SQUARE_HEIGHT
    if pieces.layout.degree == 6:
        cell_height = HEX_HEIGHT
    scale = (ROW_HEIGHT - SWATCH_MARGIN) / cell_height
    painter.scale(scale, scale)
    for piece in _pieces_on_cell(pieces, subject):
        with saved_state(painter):
            piece.draw_clipped(painter)


def _pieces_on_cell(
    pieces: Pieces, subject: TerrainCode | HexsideCode | RouteSpec
) -> Iterator[Piece]:
    """Yield the pieces that lie upon each other on such a cell, the lowest first."""
    match subject:
        case HexsideCode(code):
            yield bare_cell(pieces)
            yield single_piece(pieces, code, pieces.layout.degree // 2)
        case RouteSpec():
            yield pieces.routes.sample(subject)
        case TerrainCode(code) if pieces.features is None:
            yield board_cell(pieces, code, 0)
        case TerrainCode(code):
            assert pieces.features is not None
            yield bare_cell(pieces)
            yield from pieces.features.on_one_cell(code, 0)


def rows_of(battlemap: BattleMap, composite: Composite, overlays: Overlays) -> list[Row]:
    """Return the rows of the legend of a map with these overlays, ``MAX_ROWS`` at most.

    Terrains come first, then hexsides, ways and symbols. A symbol with the name of a terrain that
    has a row, such as Volcano, stands on that terrain and has no row of its own.
    """
    terrain_rows = list(_terrain_rows(battlemap, composite))
    symbol_rows: list[Row] = []
    if overlays.things:
        symbol_rows = list(_symbol_rows(battlemap))
    symbols_by_name = {row.text: row.subject for row in symbol_rows}

    rows = []
    names_of_terrains = set()
    for row in terrain_rows:
        names_of_terrains.add(row.text)
        symbol = symbols_by_name.get(row.text)
        if isinstance(symbol, Look):
            row = row._replace(symbol=symbol)
        rows.append(row)
    if overlays.hexsides:
        rows += _hexside_rows(battlemap, composite)
    rows += _way_rows(battlemap, composite)
    rows += [row for row in symbol_rows if row.text not in names_of_terrains]
    return rows[:MAX_ROWS]


def _terrain_rows(battlemap: BattleMap, composite: Composite) -> Iterator[Row]:
    """Yield the rows of the terrains that cells of the map have, in the order of the palette."""
    spec = battlemap.system.terrain
    if spec is None:
        return
    terrains = composite.terrain_set.terrains
    codes_of_cells = composite.planes[spec.name].reshape(-1)[battlemap.grid.cells]
    counts = np.bincount(codes_of_cells, minlength=len(terrains))
    counts = counts[: len(terrains)]  # a damaged map can have higher codes
    codes = np.flatnonzero(counts).tolist()
    for code in sorted(codes, key=lambda code: (terrains[code].order, code)):
        yield Row(terrains[code].name, TerrainCode(code))


def _hexside_rows(battlemap: BattleMap, composite: Composite) -> Iterator[Row]:
    """Yield the rows of the hexsides that the map has, in the order of the terrain set."""
    spec = battlemap.system.hexside
    if spec is None or is_blank(composite.planes[spec.name]):
        return
    counts = np.bincount(composite.planes[spec.name].reshape(-1))
    for code, hexside_type in enumerate(composite.terrain_set.hexsides, 1):
        if code < len(counts) and counts[code]:
            yield Row(hexside_type.name, HexsideCode(code))


def _way_rows(battlemap: BattleMap, composite: Composite) -> Iterator[Row]:
    """Yield the rows of the ways that run through cells of the map."""
    for route in battlemap.system.routes_of(composite.terrain_set):
        plane = composite.planes[route.plane]
        if not is_blank(plane) and route.runs(plane).any():
            yield Row(route.name, route)


def _symbol_rows(battlemap: BattleMap) -> Iterator[Row]:
    """Yield the rows of the kinds of things on visible layers that are drawn as a symbol."""
    kinds_on_map: set[str] = set()
    for layer in battlemap.layers:
        if layer.visible:
            kinds_on_map.update(layer.things.kinds)
    for name, kind in kinds_by_name(battlemap).items():
        if name in kinds_on_map and kind.icon:
            look = Look.of(kind, name, owner=0, angle=0.0)
            yield Row(kind.title, look._replace(size=1.0))
