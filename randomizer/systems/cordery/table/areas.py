"""What an area of a wargame table can hold: terrains, planes, routes, crossings.

An area is a cell of the table. A plane is an array with one value for each area; ``SYSTEM`` takes
its planes from here. Features that can share an area, such as a hill and a village, are on separate
planes: so a layer with the village leaves the hill of a layer below visible.
"""

from __future__ import annotations

from dataclasses import replace

from randomizer.model.planes.planes import Element, PlaneSpec
from randomizer.model.planes.routes import PRESENT, CrossingSpec, RouteSpec
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.cordery.table import features

TERRAINS = TerrainSet(
    "Wargame table",
    (
        Terrain("Open", "#dfe8c0", ".", description="Open ground."),
        Terrain("Mountain", "#8f8578", "M", description="Nobody climbs it."),
        Terrain("Lake", "#8ab6d8", "L", description="Still water.", body=True, water=True),
        Terrain("Marsh", "#a9c2a4", "S", ("Swamp",), description="Wet ground.", body=True),
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

UNSET = 0xFF
"""The value of the plane ``crossing`` in a layer that says nothing of an area."""

TRACK = 0x80
"""The bit of a link plane, beside ``PRESENT``, that says that the route is a track."""

# The two numbers at the end of each plane are its unset value, which a layer has where it says
# nothing of an area, and the value that is shown where no layer says anything.
TERRAIN = PlaneSpec("terrain", "u2", Element.CELL, 0xFFFF, 0)
"""The ground of areas, as an index in ``TERRAINS``."""

ELEVATION = PlaneSpec("elevation", "i2", Element.CELL, -0x8000, 0)
"""The heights of hills, in contours."""

LINKS = tuple(
    PlaneSpec(name, "u1", Element.CELL, TRACK, 0, links=True)
    for name in (features.RIVER, features.ROAD, features.RAIL)
)
"""Bit masks of the sides by which a route leaves an area; 0 where none runs.

The unset value is a track that is not present (0xFF would be a route that leaves a hex by all
sides).
"""

CROSSING = PlaneSpec("crossing", "u1", Element.CELL, UNSET, 0)
"""The way in which a road crosses a river, as an index in ``CROSSINGS``."""

MOST_PLACES = 0xFFFF
"""The unset value of ``PLACE``: the numbers of inhabited places are smaller."""

PLACE = PlaneSpec("place", "u2", Element.CELL, MOST_PLACES, 0)
"""The number of the inhabited place that an area was rolled as a part of.

It is 0 for areas that are not inhabited, or were drawn by hand.
"""

ORIGIN = PlaneSpec("origin", "i4", Element.CELL, -1, -1, shown=False)
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
    RouteSpec("River", features.RIVER, PRESENT, "water", "#8ab6d8"),
    RouteSpec("Road", features.ROAD, PRESENT, "road", "#fbf3dc"),
    RouteSpec("Track", features.ROAD, PRESENT | TRACK, "track", "#8a6238"),
    RouteSpec("Railway", features.RAIL, PRESENT, "rail", "#33302e"),
)
"""The kinds of routes that a person can draw: title, plane, bits, style and colour."""

CROSSING_SPECS = (
    CrossingSpec(features.ROAD, features.RIVER, CROSSINGS[1:], "crossing"),
    CrossingSpec(features.RAIL, features.RIVER, ("railway bridge",)),
    CrossingSpec(features.RAIL, features.ROAD, ("level crossing",)),
)
"""The crossings of two routes: the one above, the one below, and the kinds of crossings.

Only those of a road and a river are recorded, in the plane ``crossing``; the rest follow from the
routes.
"""
