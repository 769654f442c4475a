"""The colours of a map, from ``resources/themes.json`` and ``resources/colour_sets.json``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from PySide6.QtGui import QColor

from randomizer.model.basics.caches import KB, registered
from randomizer.model.planes.routes import RouteSpec
from randomizer.model.terrain.terrain import Terrain

COLOUR_SETS = (
    ("pictures", "Pictures"),
    ("colour-blind", "Colours that everyone can tell apart"),
    ("print", "Light, for print"),
)
"""Names and titles of the colour sets."""

DEPTH = QColor(16, 24, 44, 54)
"""The tint of each unit of depth."""

ROADSIDE = "#6d5637"
"""The edges of roads; whole cells with roads where they are but a few pixels."""


@dataclass(frozen=True)
class Theme:
    """The colours of one theme (``name``) in one colour set.

    ``elevation_tints[n]``, translucent, is drawn over a cell of elevation n. ``terrains`` has the
    colours, by name, of terrains, routes and contours that do not have their own.
    """

    name: str
    background: QColor
    board_outline: QColor
    grid_line: QColor
    label_text: QColor
    label_halo: QColor
    cursor: QColor
    cell_list: QColor
    lock: QColor
    seam: QColor
    entry_side_text: QColor
    elevation_badge_fill: QColor
    elevation_badge_text: QColor
    problem_ring: QColor
    water: QColor
    elevation_tints: tuple[QColor, ...]
    colour_set: str = "pictures"
    terrains: Mapping[str, QColor] = field(default_factory=dict)

    def terrain_colour(self, terrain: Terrain) -> QColor:
        """Return the plain colour of a terrain."""
        return self._colour_of(terrain.name, terrain.colour)

    def route_colour(self, route: RouteSpec) -> QColor:
        """Return the colour of the line of a route."""
        return self._colour_of(route.name, route.colour)

    def route_cell_colour(self, route: RouteSpec) -> QColor:
        """Return the colour of a cell with a route where cells are but a few pixels."""
        if route.style == "road":
            return QColor(ROADSIDE)
        return self.route_colour(route)

    def _colour_of(self, name: str, fallback: str) -> QColor:
        return self.terrains.get(name) or QColor(fallback)

    def tints_of(self, elevation: int) -> list[QColor]:
        """Return the translucent colours that are drawn over a cell of an elevation.

        There is one for each unit above 0 or below it, so that a cell gets darker or paler by each
        unit. [] for elevation 0.
        """
        if elevation < 0:
            return [DEPTH] * abs(elevation)
        highest = len(self.elevation_tints) - 1  # what is higher still has this tint, too
        return [self.elevation_tints[min(height, highest)] for height in range(1, elevation + 1)]


def _colour(value: object) -> QColor:
    if isinstance(value, list):
        return QColor(*value)
    return QColor(str(value))


def _table(file: str, name: str) -> dict[str, Any]:
    text = files("app.resources").joinpath(file).read_text("utf-8")
    return dict(json.loads(text)[name])


@registered(count=20, bytes_each=10 * KB)
@cache
def theme(name: str, colour_set: str = "pictures") -> Theme:
    """Return the theme ``light`` or ``dark`` in one of the ``COLOUR_SETS``.

    Raises KeyError for other names.
    """
    if colour_set == "pictures":
        special = {}
    else:
        special = _table("colour_sets.json", colour_set)
    colours = _table("themes.json", name) | special.get("colours", {})
    tints = tuple(_colour(value) for value in colours.pop("elevation_tints"))
    return Theme(
        name=name,
        elevation_tints=tints,
        colour_set=colour_set,
        terrains={key: QColor(value) for key, value in special.get("terrains", {}).items()},
        **{key: _colour(value) for key, value in colours.items()},
    )
