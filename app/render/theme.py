"""The colours in which maps are drawn: a theme, "light" or "dark", in one of the colour sets.

Themes have the colours of the background, lines and texts (``resources/themes.json``). A colour set
says how terrains look: as pictures, or in plain colours that everyone can tell apart or that suit
print (``resources/colour_sets.json``)::

    colours = theme("light", "print")
    colours.terrain_colour(terrain)
"""

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

PICTURES = "pictures"
"""The name of the colour set in which terrains have their pictures."""

COLOUR_SETS = (
    (PICTURES, "Pictures"),
    ("colour-blind", "Colours that everyone can tell apart"),
    ("print", "Light, for print"),
)
"""Names and titles of the colour sets."""

DEPTH_TINT = QColor(16, 24, 44, 54)
"""The translucent tint of one unit of depth: a cell n units deep has it n times."""

ROADSIDE = "#6d5637"
"""The colour of the edges of roads, and of whole cells with roads where these are a few pixels."""


@dataclass(frozen=True)
class Theme:
    """The colours of one theme in one colour set."""

    name: str
    """The name of the theme, "light" or "dark"."""

    background: QColor
    """What lies around the map."""

    board_outline: QColor
    """The edge of the map."""

    grid_line: QColor
    """The outlines of cells."""

    label_text: QColor
    """The letters of names and numbers on the map."""

    label_halo: QColor
    """The rim around these letters, and around lines, so that they are seen on every ground."""

    cursor: QColor
    """What the canvas draws over the map: the cursor, the selection, previews of tools."""

    cell_list: QColor
    """The marks of cells on the cell list of a system (``System.cell_list``)."""

    lock: QColor
    """The padlocks of locked cells, and the bands around them."""

    seam: QColor
    """The line along which a map that goes round is cut open."""

    entry_side_text: QColor
    """The names of the rims of a board, beside the map."""

    elevation_badge_fill: QColor
    """The discs behind the numbers of elevations."""

    elevation_badge_text: QColor
    """The numbers of elevations."""

    problem_ring: QColor
    """What is wrong, refused or different: rings of problems, and cells that a tool leaves out."""

    water: QColor
    """Water that covers low land, on maps whose heights lie on corners."""

    elevation_tints: tuple[QColor, ...]
    """The translucent tint that each elevation adds to that below it; that of 0 is not used."""

    colour_set: str = PICTURES
    """The name of the colour set."""

    plain_colours: Mapping[str, QColor] = field(default_factory=dict)
    """The colours that the colour set gives to terrains and routes, by their names.

    Others have the colours of the terrain set.
    """

    @property
    def has_pictures(self) -> bool:
        """True if terrains are drawn with their pictures; the other sets give them one colour."""
        return self.colour_set == PICTURES

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
        """Return what the colour set has for a terrain or route, else the colour ``fallback``."""
        return self.plain_colours.get(name) or QColor(fallback)

    def tints_of(self, elevation: int) -> list[QColor]:
        """Return the translucent colours that are drawn over a cell of an elevation.

        There is one for each unit above 0 or below it, so that a cell gets darker or paler by each
        unit: three for the elevation 3, [] for 0.
        """
        if elevation < 0:
            return [DEPTH_TINT] * abs(elevation)
        highest = len(self.elevation_tints) - 1  # higher units have the same tint as this one
        return [self.elevation_tints[min(height, highest)] for height in range(1, elevation + 1)]


def _colour(value: object) -> QColor:
    """Return a colour of a JSON file: "#rrggbb", or [red, green, blue] and perhaps alpha."""
    if isinstance(value, list):
        return QColor(*value)
    return QColor(str(value))


def _table(file: str, name: str) -> dict[str, Any]:
    """Return the table with a name in a JSON file of ``app.resources``: a new dictionary."""
    text = files("app.resources").joinpath(file).read_text("utf-8")
    return dict(json.loads(text)[name])


@registered(count=20, bytes_each=10 * KB)
@cache
def theme(name: str, colour_set: str = PICTURES) -> Theme:
    """Return the theme ``light`` or ``dark`` in one of the ``COLOUR_SETS``.

    The tables of ``themes.json`` have the fields of ``Theme``. Raises KeyError for other names.
    """
    if colour_set == PICTURES:
        colours_of_set = {}
    else:
        colours_of_set = _table("colour_sets.json", colour_set)
    colours = _table("themes.json", name) | colours_of_set.get("colours", {})
    tints = tuple(_colour(value) for value in colours.pop("elevation_tints"))
    plain_colours = colours_of_set.get("terrains", {})
    return Theme(
        name=name,
        elevation_tints=tints,
        colour_set=colour_set,
        plain_colours={key: QColor(value) for key, value in plain_colours.items()},
        **{key: _colour(value) for key, value in colours.items()},
    )
