"""The lengths and colours that the drawings of rivers and of their springs share.

Constants that are lengths are shares of the distance from a cell's centre to a side, the *unit*,
and widths of rivers are counted in quarters (river_courses.py).
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtGui import QColor

from app.appearance.painting import mixed
from app.render.cell_geometry import apothem
from app.render.scene.routes.river_courses import QUARTERS
from app.render.scene.routes.route_lines import WIDTHS
from randomizer.model.grid.layouts import Layout

BANK = QColor("#e9dcae")
"""The colour of banks."""

BANKS = ((0.13, 0.32), (0.07, 0.62))
"""The pale banks, the wider first: how far they reach beyond the water, and their opacities."""

SHORE_LIGHT = QColor("#d8eef2")
"""The colour towards which water gets lighter at the banks."""

SHORE_SHARE = 0.36
"""How much of that colour is in it: as much as in the sea at its shores."""


def shallow_water(colour: QColor) -> QColor:
    """Return the colour of the water at the banks."""
    return mixed(colour, SHORE_LIGHT, SHORE_SHARE)


class RiverScale(NamedTuple):
    """The lengths by which the rivers of a route are drawn, in map units."""

    unit: float
    """The distance from a cell's centre to a side."""

    quarter: float
    """A quarter of the width of the route."""

    min_width: float
    """No river is thinner than this, so that it is still seen from afar."""


def river_scale(layout: Layout, width: float, min_width: float) -> RiverScale:
    """Return the scale of a route that is ``width`` times as wide as water usually is."""
    unit = apothem(layout)
    return RiverScale(unit, WIDTHS["water"] * unit * width / QUARTERS, min_width)
