"""The countries of sides: a light tint in the colour of the side, and an outline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.appearance.painting import saved_state
from app.render.scene.things.looks import colour_of
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.records.map_records import MapRecord
from randomizer.model.things.things import Things

TINT = 0.18
"""The opacity of the colour of a side over its country."""

LINE = 0.12
LINE_PIXELS = 2.5
"""The least width of the outline, in map units and in pixels."""


class Country(NamedTuple):
    """The country of a side in map units, and the colour of the side."""

    colour: str
    ground: QPainterPath
    outline: list[QLineF]


def countries_of(battlemap: BattleMap) -> tuple[Country, ...]:
    """Return the countries of a map; none where no side has one."""
    grid = battlemap.grid
    return tuple(
        _country(grid, owner, cells)
        for owner, cells in battlemap.system.countries(battlemap).items()
    )


def _country(grid: Grid, owner: int, cells: NDArray[np.intp]) -> Country:
    centres = grid.centres_of(cells).tolist()
    corners = grid.layout.corners
    ground = QPainterPath()
    for x, y in centres:
        ground.addPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))
        ground.closeSubpath()
    outline = []
    for side in range(grid.degree):
        ends = ~np.isin(grid.neighbours_of(cells, side), cells)
        first = corners[side]
        last = corners[(side + 1) % grid.degree]
        for row in np.flatnonzero(ends).tolist():
            x, y = centres[row]
            outline.append(QLineF(x + first[0], y + first[1], x + last[0], y + last[1]))
    return Country(colour_of(None, owner), ground, outline)


def paint_countries(painter: QPainter, countries: tuple[Country, ...], scale: float) -> None:
    """Draw countries with a painter whose unit is the map unit, ``scale`` pixels long."""
    with saved_state(painter):
        for country in countries:
            tint = QColor(country.colour)
            tint.setAlphaF(TINT)
            painter.fillPath(country.ground, tint)
            pen = QPen(QColor(country.colour), max(LINE, LINE_PIXELS / scale))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawLines(country.outline)


class CountriesCache:
    """``countries_of`` the map asked for last, worked out again when something has changed."""

    def __init__(self) -> None:
        self._key: object = ()
        self._layers: tuple[Things, ...] = ()
        self._records: Mapping[str, MapRecord] = {}
        self._grid: Grid | None = None
        self._countries: tuple[Country, ...] = ()

    def of(self, battlemap: BattleMap) -> tuple[Country, ...]:
        """Return the countries now: one object until something of them changes."""
        layers = tuple(layer.things for layer in battlemap.layers if layer.visible)
        grid = battlemap.grid
        key = (tuple((id(layer), layer.revision) for layer in layers), grid.lean)
        is_known = key == self._key and grid is self._grid and battlemap.records == self._records
        if not is_known:
            self._key = key
            self._layers = layers  # so that no other ones get their ids
            self._records = dict(battlemap.records)
            self._grid = grid
            self._countries = countries_of(battlemap)
        return self._countries
