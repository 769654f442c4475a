"""The countries of sides: the land of each, in a light tint of its colour and with an outline.

A *side* is a player or a nation, which owns cells of a map. ``CountriesCache`` keeps the countries
of a map while it is drawn again and again, and ``paint_countries`` draws them::

    paint_countries(painter, countries_cache.of(battlemap), scale)
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from app.appearance.painting import saved_state
from app.render.scene.things.looks import colour_of
from app.render.scene.things.things_state import ThingsState
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap

TINT_OPACITY = 0.18
"""The opacity of the colour of a side over its country."""

OUTLINE_WIDTH = 0.12
"""The width of the outline, in map units."""

MIN_OUTLINE_PIXELS = 2.5
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
    """Return the country that consists of ``cells`` (n,) and belongs to an ``owner``.

    From here on *side* is one of a cell.
    """
    centres = grid.centres_of(cells).tolist()
    corners = grid.layout.corners
    ground = QPainterPath()
    for x, y in centres:
        ground.addPolygon(QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners]))
        ground.closeSubpath()
    outline = []
    for side in range(grid.degree):
        # -1, where there is no neighbour, is none of the cells.
        ends_there = ~np.isin(grid.neighbours_of(cells, side), cells)
        first_dx, first_dy = corners[side]
        last_dx, last_dy = corners[(side + 1) % grid.degree]
        for row in np.flatnonzero(ends_there).tolist():
            x, y = centres[row]
            outline.append(QLineF(x + first_dx, y + first_dy, x + last_dx, y + last_dy))
    return Country(colour_of(kind=None, owner=owner), ground, outline)


def paint_countries(painter: QPainter, countries: tuple[Country, ...], scale: float) -> None:
    """Draw countries with a painter whose unit is the map unit, ``scale`` pixels long."""
    with saved_state(painter):
        for country in countries:
            tint = QColor(country.colour)
            tint.setAlphaF(TINT_OPACITY)
            painter.fillPath(country.ground, tint)
            pen = QPen(QColor(country.colour), max(OUTLINE_WIDTH, MIN_OUTLINE_PIXELS / scale))
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            painter.drawLines(country.outline)


class CountriesCache:
    """The countries of the map that was asked for last, kept until something of them changes.

    Countries follow from the things on the visible layers, such as towns, and from the records of
    the map, which name its sides.
    """

    def __init__(self) -> None:
        self._key: object = None
        """All on which ``_countries`` depend; None until they are first worked out."""
        self._countries: tuple[Country, ...] = ()
        """The countries that were worked out last."""

    def of(self, battlemap: BattleMap) -> tuple[Country, ...]:
        """Return the countries now: one object until something of them changes."""
        # Grids compare by identity; things by their objects and revisions; records by value.
        state = ThingsState(battlemap)
        key = (battlemap.system.name, state, battlemap.grid, dict(battlemap.records))
        if key != self._key:
            self._key = key
            self._countries = countries_of(battlemap)
        return self._countries
