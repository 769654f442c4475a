"""The countries of sides: a light tint in the colour of the side, and an outline.

``CountriesCache.of`` a map returns them, and ``paint_countries`` draws them.
"""

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
"""The width of the outline, in map units."""

LINE_PIXELS = 2.5
"""The least width of the outline, in pixels: it is seen on a map that is drawn small, too."""


class Country(NamedTuple):
    """The cells that belong to a side, to be drawn; in map units."""

    colour: str
    """The colour of the side."""

    ground: QPainterPath
    """All cells of the country."""

    outline: list[QLineF]
    """The sides of cells beyond which the country ends."""


def countries_of(battlemap: BattleMap) -> tuple[Country, ...]:
    """Return the countries of a map; none where no side has one."""
    countries = []
    for owner, cells in battlemap.system.countries(battlemap).items():
        countries.append(_country(battlemap.grid, owner, cells))
    return tuple(countries)


def _country(grid: Grid, owner: int, cells: NDArray[np.intp]) -> Country:
    """Return the country that consists of ``cells`` (n,); ``owner`` is the number of the side."""
    centres = grid.centres_of(cells).tolist()
    corners = grid.layout.corners
    ground = QPainterPath()
    for x, y in centres:
        ground.addPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))
        ground.closeSubpath()
    outline = []
    for side in range(grid.degree):
        ends_there = ~np.isin(grid.neighbours_of(cells, side), cells)
        first_dx, first_dy = corners[side]
        last_dx, last_dy = corners[(side + 1) % grid.degree]
        for row in np.flatnonzero(ends_there).tolist():
            x, y = centres[row]
            outline.append(QLineF(x + first_dx, y + first_dy, x + last_dx, y + last_dy))
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
    """``countries_of`` the map asked for last, worked out again when something has changed.

    Countries follow from the things on the visible layers, such as towns, and from the records of
    the map, which name its sides.
    """

    def __init__(self) -> None:
        self._key: object = ()
        """The ids and revisions of ``_things`` and the lean of the grid, at the last call."""
        self._things: tuple[Things, ...] = ()
        """The things of the visible layers; kept alive, so that no others get their ids."""
        self._records: Mapping[str, MapRecord] = {}
        self._grid: Grid | None = None
        self._countries: tuple[Country, ...] = ()

    def of(self, battlemap: BattleMap) -> tuple[Country, ...]:
        """Return the countries now: one object until something of them changes."""
        things = tuple(layer.things for layer in battlemap.layers if layer.visible)
        revisions = tuple((id(of_layer), of_layer.revision) for of_layer in things)
        grid = battlemap.grid
        key = (revisions, grid.lean)
        is_known = key == self._key and grid is self._grid and battlemap.records == self._records
        if not is_known:
            self._key = key
            self._things = things
            self._records = dict(battlemap.records)
            self._grid = grid
            self._countries = countries_of(battlemap)
        return self._countries
