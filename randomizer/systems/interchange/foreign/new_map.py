"""The map that a reader returns: a free map of one layer with a terrain set of its own.

Readers call ``check_size`` as soon as they know the size, and ``foreign_map`` at the end.
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
from randomizer.systems.free.system import MOST_CELLS, SYSTEM
from randomizer.systems.interchange.foreign.faults import fault

WIDEST_ELEVATIONS = 200
"""The largest difference of elevations for which all elevations in between can be painted, too.

With a larger one the list of elevations gets long; a map of heights in feet would have thousands.
"""

_MOST_ELEVATIONS = 1000
"""The largest number of elevations of a terrain set."""


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
    """Return a map of one layer, whose values are ``planes``, with a terrain set of its own.

    ``program`` is the name of the set. The values of the planes are indices into ``terrains`` and
    ``hexsides``; ``tactical`` is the field of ``TerrainSet``.
    """
    elevations = _elevations_to_paint(planes.get("elevation"))
    terrain_set = TerrainSet(
        program, tuple(terrains), tuple(hexsides), elevations, tuple(ways), tactical
    )
    layer = Layer(1, "Map", planes=planes, things=Things(things))
    return BattleMap.new(SYSTEM, grid, [layer], terrain_set)


def _elevations_to_paint(plane: Plane | None) -> tuple[int, ...]:
    """Return the elevations of a terrain set: those of a plane, all between them, and 0 to 9.

    If they are too far apart, those of the plane alone.
    """
    elevations = {0}
    if plane is not None:
        is_set = plane > -0x8000
        elevations = set(np.unique(plane[is_set]).tolist())
    lowest = min(elevations, default=0)
    highest = max(elevations, default=0)
    if highest - lowest <= WIDEST_ELEVATIONS:
        elevations |= set(range(min(lowest, 0), max(highest, 9) + 1))
    return tuple(sorted(elevations)[:_MOST_ELEVATIONS])


def check_size(width: int, height: int, line: int = 1, column: int = 1) -> None:
    """Raise ProblemError for a width or height, in cells, that no map has.

    A reader calls this before it takes memory: the size comes from a file that can say anything.
    """
    if width < 1 or height < 1 or width * height > MOST_CELLS:
        message = f"a map has 1 to {MOST_CELLS:,} cells, not {width} x {height}"
        raise fault(message, line, column)
