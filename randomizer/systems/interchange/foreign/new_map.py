"""Makes the map that a reader of another program's file returns.

It is a free map of one layer, with a terrain set of its own. A reader calls ``check_size`` as soon
as it knows the size of the map, and ``foreign_map`` at the end:

    check_size(width, height, line=3)        # ProblemError at line 3 for a size that no map has
    planes = {"terrain": terrain_plane, "elevation": elevation_plane}
    return foreign_map("Wesnoth", Grid(FLAT, width, height), terrains, planes)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Planes
from randomizer.model.planes.planes import Plane
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet, Way
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.system import MAX_CELLS, SYSTEM
from randomizer.systems.interchange.foreign.faults import fault

WIDEST_ELEVATIONS = 200
"""The largest difference of elevations for which all elevations in between can be painted, too.

With a larger one the list of elevations gets long; a map of heights in feet would have thousands.
"""

_MAX_ELEVATIONS = 1000
"""The largest number of elevations of a terrain set."""

_USUAL_HIGHEST = 9
"""The highest elevation that a map of lower land offers for painting."""


def foreign_map(
    program: str,
    grid: Grid,
    terrains: Sequence[Terrain],
    planes: Planes,
    *,
    hexsides: Sequence[Hexside] = (),
    ways: Sequence[Way] = (),
    things: Iterable[Thing] = (),
    tactical: bool = False,
) -> BattleMap:
    """Return a map of one layer with these planes, things and terrain set.

    ``program`` becomes the name of the terrain set. The values of ``planes`` are as for every map:
    indices of ``terrains``, and indices of ``hexsides`` plus 1. ``tactical`` is true for boards on
    which units move from cell to cell.
    """
    terrain_set = TerrainSet(
        name=program,
        terrains=tuple(terrains),
        hexsides=tuple(hexsides),
        elevations=_elevations_to_paint(planes.get("elevation")),
        ways=tuple(ways),
        tactical=tactical,
    )
    layer = Layer(id=1, name="Map", planes=planes, things=Things(things))
    return BattleMap.new(SYSTEM, grid, [layer], terrain_set)


def _elevations_to_paint(plane: Plane | None) -> tuple[int, ...]:
    """Return the elevations that a terrain set offers, in ascending order.

    They are those of the plane of elevations (None: 0 alone), all between them, and 0 to 9. If they
    would be too many, they are those of the plane alone, and of these the lowest.
    """
    if plane is None:
        elevations = {0}
    else:
        is_set = plane != SYSTEM.height.unset
        elevations = set(np.unique(plane[is_set]).tolist())
    lowest = min(elevations, default=0)
    highest = max(elevations, default=0)
    if highest - lowest <= WIDEST_ELEVATIONS:
        elevations |= set(range(min(lowest, 0), max(highest, _USUAL_HIGHEST) + 1))
    return tuple(sorted(elevations)[:_MAX_ELEVATIONS])


def check_size(width: int, height: int, line: int = 1, column: int = 1) -> None:
    """Raise ProblemError for a width or height, in cells, that no map has.

    A reader calls this before it takes memory: the size comes from a file that can say anything.
    ``line`` and ``column`` are the position of the size in the file, for the error.
    """
    if width < 1 or height < 1 or width * height > MAX_CELLS:
        message = f"a map has 1 to {MAX_CELLS:,} cells, not {width} x {height}"
        raise fault(message, line, column)
