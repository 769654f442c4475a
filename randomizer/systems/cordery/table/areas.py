"""What an area of a wargame table can hold: terrains, planes, routes, crossings.

An area is a cell of the table. A plane is an array with one value for each area; ``SYSTEM`` takes
its planes from here. Features that can share an area, such as a hill and a village, are on separate
planes: so a layer with the village leaves the hill of a layer below visible.

    terrain = TERRAINS.terrain_code("Village")           # in the plane "terrain"
    elevation = 2                                        # contours, in the plane "elevation"
    road = RouteInArea(sides=0b001001, is_track=True)    # from side 0 to side 3
    road.value                                           # 0b11_001001, in the plane "road"
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from randomizer.model.planes.planes import Element, PlaneSpec
from randomizer.model.planes.routes import PRESENT, SIDES, CrossingSpec, RouteSpec
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.cordery.table import features

TERRAINS = TerrainSet(
    "Wargame table",
    (
        # Name, colour, one-letter name. Neighbouring areas of a terrain with ``body`` are drawn as
        # one.
        Terrain("Open", "#dfe8c0", ".", description="Open ground."),
        Terrain("Mountain", "#8f8578", "M", description="Nobody climbs it."),
        Terrain("Lake", "#8ab6d8", "L", description="Still water.", body=True, water=True),
        Terrain("Marsh", "#a9c2a4", "S", aliases=("Swamp",), description="Wet ground.", body=True),
        Terrain("Deciduous trees", "#6f9e4f", "D", description="Broad-leaved trees."),
        Terrain("Coniferous trees", "#3f7350", "C", description="Firs and pines."),
        Terrain("Palm trees", "#86a83e", "P", description="Palms."),
        Terrain("Settlement", "#d9a27f", "s", description="A dwelling, a farm or a hamlet."),
        Terrain("Village", "#e6c7a8", "v", description="Two areas of dwellings.", body=True),
        Terrain("Town", "#dcb394", "t", description="Three or four areas of buildings.", body=True),
        Terrain("City", "#cf9f86", "c", description="Five areas of buildings or more.", body=True),
        Terrain("Field", "#e6cf7d", "f", description="Ploughed land."),
        Terrain("Orchard", "#b9c56a", "o", description="Rows of fruit trees."),
        Terrain("Olive grove", "#a3ad7d", "g", description="Rows of olive trees."),
        Terrain("Vineyard", "#b79bb0", "y", description="Rows of vines."),
    ),
    elevations=(0, 1, 2),
)

TRACK = 0x80
"""The bit of a link plane, beside ``PRESENT``, that says that the route is a track."""


class RouteInArea(NamedTuple):
    """A river, road, track or railway in an area, which is one byte in its link plane::

        bit    7       6         5 ... 0
               TRACK   PRESENT   bit i: the route leaves the area by side i

    An area without a route has the value 0.
    """

    sides: int
    """The sides by which it leaves the area, as a bit mask."""

    is_track: bool = False
    """True for a track, which is a road with a mark."""

    @classmethod
    def of_value(cls, value: int) -> RouteInArea | None:
        """Return the route that a value of a link plane means, None if it is no route."""
        if not value & PRESENT:
            return None
        return cls(value & SIDES, bool(value & TRACK))

    @property
    def value(self) -> int:
        """The value in its link plane."""
        if self.is_track:
            return PRESENT | TRACK | self.sides
        return PRESENT | self.sides


def _plane(name: str, dtype: str, *, unset: int, default: int, links: bool = False) -> PlaneSpec:
    """Return the description of a plane with a value for each area.

    A layer has ``unset`` where it says nothing of an area; ``default`` is shown where no layer says
    anything. With ``links`` the values are those of ``RouteInArea``.
    """
    return PlaneSpec(name, dtype, Element.CELL, unset, default, links=links)


TERRAIN = _plane("terrain", "u2", unset=0xFFFF, default=0)
"""The ground of areas, as an index in ``TERRAINS``."""

ELEVATION = _plane("elevation", "i2", unset=-0x8000, default=0)
"""The heights of hills, in contours."""

_UNSET_LINKS = TRACK
"""The unset value of links: a track that is not present, which no route is.

0xFF would be a route that leaves a hex by all sides.
"""

LINKS = tuple(
    _plane(name, "u1", unset=_UNSET_LINKS, default=0, links=True)
    for name in (features.RIVER, features.ROAD, features.RAIL)
)
"""The routes that run through areas, one plane for each of the three kinds."""

CROSSING = _plane("crossing", "u1", unset=0xFF, default=0)
"""The way in which a road crosses a river, as an index in ``CROSSINGS``."""

UNSET_PLACE = 0xFFFF
"""The unset value of ``PLACE``: the numbers of inhabited places are smaller."""

PLACE = _plane("place", "u2", unset=UNSET_PLACE, default=0)
"""The number of the inhabited place that an area was rolled as a part of.

It is 0 for areas that are not inhabited, or were drawn by hand.
"""

ORIGIN = PlaneSpec("origin", "i4", Element.CELL, unset=-1, default=-1, shown=False)
"""The index of the line in the log of a layer's roll that set an area; -1 for none."""

SHOWN = (TERRAIN, ELEVATION, *LINKS, CROSSING, PLACE)
"""The planes of what is seen on a table."""

LOCKED_VALUES = {
    spec.name: replace(spec, name=f"locked:{spec.name}", shown=False) for spec in SHOWN
}
"""Planes that record what was locked when a layer was rolled, by the name of the map's plane."""

CROSSINGS = ("", features.FORD, features.BRIDGE)
"""The meaning of the values of the plane ``crossing``: how a road crosses a river."""

ROUTES = (
    # A track is a road with a mark: both are bits of one plane.
    RouteSpec("River", features.RIVER, mark=PRESENT, style="water", colour="#8ab6d8"),
    RouteSpec("Road", features.ROAD, mark=PRESENT, style="road", colour="#fbf3dc"),
    RouteSpec("Track", features.ROAD, mark=PRESENT | TRACK, style="track", colour="#8a6238"),
    RouteSpec("Railway", features.RAIL, mark=PRESENT, style="rail", colour="#33302e"),
)
"""The kinds of routes that a person can draw, each with its plane."""

CROSSING_SPECS = (
    CrossingSpec(
        over=features.ROAD, under=features.RIVER, kinds=CROSSINGS[1:], plane=CROSSING.name
    ),
    CrossingSpec(over=features.RAIL, under=features.RIVER, kinds=("railway bridge",)),
    CrossingSpec(over=features.RAIL, under=features.ROAD, kinds=("level crossing",)),
)
"""The crossings of two routes.

Only those of a road and a river are recorded, in the plane ``crossing``; the rest follow from the
routes.
"""
