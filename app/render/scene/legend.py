"""The legend: the terrains, hexsides, ways and symbols that a map shows, and a bar of its scale.

On a screen it lies in the lower left corner of the map, as one icon: its text has the same size at
every scale. In pictures it lies outside the map, below it or beside it, and belongs to the map: its
size depends on nothing but the size of the map, so that pictures of every scale are alike.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPaintEngine, QPainter, QPen

from app.appearance.painting import saved_state
from app.render.level_of_detail import MARGIN
from app.render.overlay_options import Overlays
from app.render.piece import Piece, image_of
from app.render.scene.batch import IconBatch
from app.render.scene.cells import bare_cell, board_cell
from app.render.scene.edges.hexsides import hexside
from app.render.scene.icons import font, text_width
from app.render.scene.pieces import Pieces
from app.render.scene.things.looks import Look
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import RouteSpec

TYPE = 11.0
"""The type size, in logical pixels, as all lengths here unless they say otherwise."""

ROW = 19.0
"""The height of a row."""

SWATCH = 26.0
"""The width of the picture of a terrain, side, way or symbol at the left of a row."""

GAP = 8.0
"""The distance between a picture and its name."""

ROOM = 10.0
"""The distance between the edge of the legend and what is in it."""

BAR_ROOM = 34.0
"""The height that the scale bar takes with its text."""

BAR_HIGH = 5.0
"""The height of the bar itself."""

LONGEST_BAR = 170.0
"""The greatest length of the bar. It has a round number of units (1, 2, 5, 10 ...) that fits."""

BAR_PARTS = 4
"""The parts of the bar, dark and light in turn."""

ROOM_BESIDE_BAR = 60.0
"""The width that is left for the numbers at the ends of the bar."""

MOST_ROWS = 40
"""The most rows in all: others are left out."""

MOST_IN_COLUMN = 12
"""The most rows in a column: with more there is another column beside it."""

PAPER = 0xF4FFFFFF
"""The colour of its ground, 0xAARRGGBB: white, through which the map shows a little."""

SHARE = 0.45
"""The greatest share of the map's width and height that it covers."""

LEAST_SHRINK = 0.4
"""It is not shown where it would have to be smaller than this part of its size."""

DOTS_OF_A_PIXEL = 4
"""A pixel of a picture in a PDF has so many dots: 300 an inch where the PDF has 1,200."""

LEAST_TYPE = 0.2
"""The least type size in pictures, in map units: that of the names of cells."""

TYPES_IN_MAP = 80.0
"""The usual type size in pictures: so many lines of it are as high as the root of the map's width
times its height. If it is larger, the type is smaller."""


class Side(NamedTuple):
    """A hexside by its code, from 1 on."""

    code: int


class Row(NamedTuple):
    """A row of the legend: a picture and a name."""

    text: str
    """The name."""

    subject: int | Side | RouteSpec | Look
    """What it is the name of: the code of a terrain, a hexside, a way, or the look of a symbol."""

    symbol: Look | None = None
    """A symbol of the same name that stands on the terrain."""

    def draw(self, painter: QPainter, pieces: Pieces) -> None:
        """Draw it with its left top corner at (0, 0)."""
        if painter.paintEngine().type() == QPaintEngine.Type.Pdf:
            # The shapes of all terrains would take as much room as a picture of the whole map.
            box = QRectF(0, 0, SWATCH, ROW)
            unit = painter.deviceTransform().m11() / DOTS_OF_A_PIXEL
            with image_of(box, unit) as (image, on_image):
                self._draw_swatch(on_image, pieces)
            painter.drawImage(QRectF(0, 0, image.width() / unit, image.height() / unit), image)
        else:
            self._draw_swatch(painter, pieces)
        painter.setFont(font(TYPE))
        painter.drawText(QPointF(SWATCH + GAP, ROW / 2 + TYPE * 0.36), self.text)

    def _draw_swatch(self, painter: QPainter, pieces: Pieces) -> None:
        with saved_state(painter):
            painter.translate(SWATCH / 2, ROW / 2)
            if isinstance(self.subject, Look):
                self.subject.draw(painter, ROW - 2)
            else:
                # A hex of radius 1 fits into the height of a row; a square of side 1, too, with
                # some air.
                cell_height = 1.2
                if pieces.layout.degree == 6:
                    cell_height = 2.0
                scale = (ROW - 2) / cell_height
                painter.scale(scale, scale)
                for piece in _on_a_cell(pieces, self.subject):
                    with saved_state(painter):
                        piece.draw_clipped(painter)
        if self.symbol is not None:
            with saved_state(painter):
                painter.translate(SWATCH / 2, ROW / 2)
                self.symbol.draw(painter, ROW - 6)


def _on_a_cell(pieces: Pieces, subject: int | Side | RouteSpec) -> Iterator[Piece]:
    """Yield the pieces of a terrain, side or way that lie upon each other on a cell."""
    if isinstance(subject, Side):
        yield bare_cell(pieces)
        yield hexside(pieces, subject.code, pieces.layout.degree // 2)
    elif not isinstance(subject, int):
        yield pieces.routes.sample(subject)
    elif pieces.features is None:
        yield board_cell(pieces, subject, 0)
    else:
        yield bare_cell(pieces)
        yield from pieces.features.on_one_cell(subject, 0)


class Bar(NamedTuple):
    """A bar that shows the scale of a map, such as 6 km."""

    unit_pixels: float
    """The length of a unit on the map, in logical pixels."""

    units: float
    """How many units the bar is long."""

    unit: str
    """The name of the unit."""

    @property
    def length(self) -> float:
        """The length of the bar, in logical pixels."""
        return self.unit_pixels * self.units


class Content(NamedTuple):
    """The content of a legend, and its layout."""

    title: str
    """The title of the map, "" for none."""

    rows: tuple[Row, ...]

    bar: Bar | None
    """The scale bar; None on maps whose cells have no size."""

    columns: int
    """In how many columns the rows stand."""

    plate: tuple[float, float] | None = None
    """The least width and height, in logical pixels, of the *plate* that it is in a picture: as
    wide as the map, or as high. None on a screen."""

    @property
    def column_width(self) -> float:
        """The least width of a column."""
        widest = max((text_width(row.text, TYPE) for row in self.rows), default=0.0)
        return SWATCH + GAP + widest + GAP

    @property
    def rows_in_column(self) -> int:
        """The number of rows in the first column."""
        return math.ceil(len(self.rows) / self.columns)

    @property
    def height_of_rest(self) -> float:
        """The height of all but the rows."""
        height = 2 * ROOM
        if self.title:
            height += ROW
        if self.bar is not None:
            height += BAR_ROOM
        return height

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height."""
        bar_width = 0.0
        if self.bar is not None:
            bar_width = self.bar.length + ROOM_BESIDE_BAR
        title_width = text_width(self.title, TYPE + 2, bold=True)
        width = 2 * ROOM + max(self.columns * self.column_width, bar_width, title_width)
        height = self.height_of_rest + self.rows_in_column * ROW
        if self.plate is None:
            return width, height
        least_width, least_height = self.plate
        return max(width, least_width), max(height, least_height)

    def draw(self, painter: QPainter, pieces: Pieces) -> None:
        """Draw it with its left top corner at (0, 0), in logical pixels."""
        width, height = self.extent
        theme = pieces.theme
        ink = QColor(theme.label_text)
        painter.setPen(QPen(ink, 1))
        box = QRectF(0.5, 0.5, width - 1, height - 1)
        if self.plate is None:
            painter.setBrush(QColor.fromRgba(theme.label_halo.rgb() & PAPER))
            painter.drawRoundedRect(box, 4, 4)
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box)
        top = ROOM
        pitch = max(self.column_width, (width - 2 * ROOM) / self.columns)
        if self.title:
            painter.setFont(font(TYPE + 2, bold=True))
            painter.drawText(QPointF(ROOM, top + TYPE + 1), self.title)
            top += ROW
        for number, row in enumerate(self.rows):
            column, line = divmod(number, self.rows_in_column)
            corner = QPointF(ROOM + column * pitch, top + line * ROW)
            with saved_state(painter):
                painter.translate(corner)
                row.draw(painter, pieces)
        if self.bar is not None:
            painter.translate(ROOM + 4, height - ROOM - BAR_ROOM + 10)
            _draw_bar(painter, ink, self.bar)


class Legend(NamedTuple):
    """The legend as an icon."""

    pieces: Pieces
    content: Content

    def draw(self, painter: QPainter, size: float) -> None:
        """Draw it in the middle of a square of ``size``, as large as fits."""
        width, height = self.content.extent
        painter.scale(size / max(width, height), size / max(width, height))
        painter.translate(-width / 2, -height / 2)
        self.content.draw(painter, self.pieces)


class LegendOfPicture(NamedTuple):
    """The legend outside the map, in pictures of all of it."""

    content: Content

    left: float
    """Where its left end lies, in map units."""

    top: float
    """Where its upper end lies, in map units."""

    pixel: float
    """The length of one of its pixels, in map units."""

    @property
    def box(self) -> QRectF:
        """The room that it takes, in map units."""
        width, height = self.content.extent
        return QRectF(self.left, self.top, width * self.pixel, height * self.pixel)

    def draw(self, painter: QPainter, pieces: Pieces) -> None:
        """Draw it with a painter whose unit is the map unit."""
        with saved_state(painter):
            painter.translate(self.left, self.top)
            painter.scale(self.pixel, self.pixel)
            self.content.draw(painter, pieces)


def legend_of_picture(
    battlemap: BattleMap, composite: Composite, overlays: Overlays, *, is_titled: bool = False
) -> LegendOfPicture | None:
    """Return the legend of a picture of the whole map: below a wide map, beside a high one.

    It says the title of the map, unless its page ``is_titled``.

    None without the overlay, and for a map that has nothing to be explained.
    """
    if not overlays.legend:
        return None
    left, top, right, bottom = battlemap.grid.bounds
    width = right - left
    height = bottom - top
    type_size = max(LEAST_TYPE, math.sqrt(width * height) / TYPES_IN_MAP)
    pixel = type_size / TYPE
    content = _content(battlemap, composite, overlays)
    content = content._replace(bar=_bar(battlemap, composite, 1 / pixel))
    if is_titled:
        content = content._replace(title="")
    if not (content.rows or content.bar):
        return None
    if width >= height:
        columns = int((width / pixel - 2 * ROOM) / content.column_width)
        corner = (left, bottom + MARGIN)
        plate = (width / pixel, 0.0)
    else:
        in_column = max(1, int((height / pixel - content.height_of_rest) / ROW))
        columns = math.ceil(len(content.rows) / in_column)
        corner = (right + MARGIN, top)
        plate = (0.0, height / pixel)
    columns = max(1, min(columns, len(content.rows)))
    if content.rows:
        in_column = math.ceil(len(content.rows) / columns)
        columns = math.ceil(len(content.rows) / in_column)  # none of them is empty
    return LegendOfPicture(content._replace(columns=columns, plate=plate), *corner, pixel)


def batches(
    pieces: Pieces, battlemap: BattleMap, composite: Composite, overlays: Overlays, scale: float
) -> Iterator[IconBatch]:
    """Yield the legend of what a map shows, in the corner of the map on a screen.

    ``scale`` is the hex radius in logical pixels.
    """
    content = _content(battlemap, composite, overlays)
    left, top, right, bottom = battlemap.grid.bounds
    width, height = content._replace(bar=_bar(battlemap, composite, scale)).extent
    shrink = min(
        1.0, SHARE * (right - left) * scale / width, SHARE * (bottom - top) * scale / height
    )
    content = content._replace(bar=_bar(battlemap, composite, scale / shrink))
    if shrink < LEAST_SHRINK or not (content.rows or content.bar):
        return
    width, height = (shrink * length / scale for length in content.extent)
    middle = (left + width / 2 + GAP / scale, bottom - height / 2 - GAP / scale)
    icon = Legend(pieces, content)
    yield IconBatch([icon], np.zeros(1, np.intp), np.array([middle]), max(width, height))


def _content(battlemap: BattleMap, composite: Composite, overlays: Overlays) -> Content:
    """Return what the legend of a map with these overlays says, without a bar."""
    rows = [*_terrains(battlemap, composite)]
    if overlays.hexsides:
        rows += _hexsides(battlemap, composite)
    rows += _ways(battlemap, composite)
    if overlays.things:
        rows = _joined(rows, list(_symbols(battlemap)))
    del rows[MOST_ROWS:]
    title = battlemap.system.map_title(composite.properties)
    return Content(title, tuple(rows), None, max(1, math.ceil(len(rows) / MOST_IN_COLUMN)))


def _terrains(battlemap: BattleMap, composite: Composite) -> Iterator[Row]:
    spec = battlemap.system.terrain
    terrains = composite.terrain_set.terrains
    if spec is None:
        return
    codes = composite.planes[spec.name].reshape(-1)[battlemap.grid.cells]
    subject = np.flatnonzero(np.bincount(codes, minlength=len(terrains))[: len(terrains)]).tolist()
    for code in sorted(subject, key=lambda code: (terrains[code].order, code)):
        yield Row(terrains[code].name, code)


def _hexsides(battlemap: BattleMap, composite: Composite) -> Iterator[Row]:
    spec = battlemap.system.hexside
    if spec is None or is_blank(composite.planes[spec.name]):
        return
    hexsides = composite.terrain_set.hexsides
    counts = np.bincount(composite.planes[spec.name].reshape(-1), minlength=len(hexsides) + 1)
    for code in np.flatnonzero(counts[1 : len(hexsides) + 1]).tolist():
        yield Row(hexsides[code].name, Side(code + 1))


def _ways(battlemap: BattleMap, composite: Composite) -> Iterator[Row]:
    for route in battlemap.system.routes_of(composite.terrain_set):
        plane = composite.planes[route.plane]
        if not is_blank(plane) and route.runs(plane).any():
            yield Row(route.name, route)


def _joined(rows: list[Row], symbols: list[Row]) -> list[Row]:
    """Return rows and symbols behind them; one called like a terrain (Volcano) stands on that."""
    by_name = {row.text: row.subject for row in symbols if isinstance(row.subject, Look)}
    joined = []
    for row in rows:
        symbol = None
        if isinstance(row.subject, int):  # the code of a terrain
            symbol = by_name.pop(row.text, None)
        joined.append(row._replace(symbol=symbol))
    return [*joined, *(row for row in symbols if row.text in by_name)]


def _symbols(battlemap: BattleMap) -> Iterator[Row]:
    kinds_on_map: set[str] = set()
    for layer in battlemap.layers:
        if layer.visible:
            kinds_on_map.update(layer.things.kinds)
    for name, kind in kinds_by_name(battlemap).items():
        if name in kinds_on_map and kind.icon:
            look = Look.of(kind, name, owner=0, angle=0.0)
            yield Row(kind.title, look._replace(size=1.0))


def _bar(battlemap: BattleMap, composite: Composite, scale: float) -> Bar | None:
    """Return the scale bar of a map that says how wide a cell is; None for others."""
    cell_width = battlemap.system.cell_width(battlemap, composite.properties)
    if cell_width is None:
        return None
    unit = battlemap.grid.layout.neighbour_distance * scale / cell_width.length
    power = 10.0 ** math.floor(math.log10(LONGEST_BAR / unit))
    number = max(step * power for step in (1, 2, 5) if step * power * unit <= LONGEST_BAR)
    return Bar(unit, number, cell_width.unit)


def _draw_bar(painter: QPainter, ink: QColor, bar: Bar) -> None:
    """Draw a bar in parts, dark and light, with numbers at its ends and its middle."""
    part_width = bar.length / BAR_PARTS
    painter.setPen(QPen(ink, 1))
    for index in range(BAR_PARTS):
        painter.setBrush(Qt.GlobalColor.transparent)
        if index % 2 == 0:
            painter.setBrush(ink)
        painter.drawRect(QRectF(index * part_width, 0, part_width, BAR_HIGH))
    painter.setFont(font(TYPE))
    for share in (0.0, 0.5, 1.0):
        number = f"{bar.units * share:g}"
        text = number
        if share == 1:
            text = f"{number} {bar.unit}".strip()
        # The number is centred, without the name of the unit.
        x = bar.length * share - text_width(number, TYPE) / 2
        painter.drawText(QPointF(x, BAR_HIGH + TYPE + 3), text)
