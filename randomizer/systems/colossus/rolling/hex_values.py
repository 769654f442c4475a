"""Values of a map by hex id, as rollers need them, and a rolled map as a layer again.

The planes of a map have a value for each cell of a grid of 6 x 6, of which 27 are hexes of the
board (board.py). Rollers know only the hexes, by their ids 0 .. 26::

    planes of a map      --- hex_base --->      HexBase    ---+
    locked values        --- locks_of --->      Locks      ---+---> roll ---> RolledMap
    layer of a new roll  <-- layer_of_roll ---------------------------------------+
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from randomizer.model.map.layer import Layer, Roll, roll_name
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Plane
from randomizer.roll_base import Base
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_COUNT, SIDES
from randomizer.systems.colossus.properties import START_LIST, SUBTITLE, TITLE, TOWER
from randomizer.systems.colossus.rolling.hex_locks import NO_LOCKS, LockedState, Locks
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import HexBase, RolledMap
from randomizer.systems.colossus.system import (
    ELEVATION,
    HEXSIDE,
    ORIGIN,
    SIDE_ORIGIN,
    SYSTEM,
    TERRAIN,
)

UNTITLED = "Randomized!"
"""The game's title and subtitle where neither the script nor the map has one."""

CELLS = np.array(CELL_OF_HEX)
"""The cell of each hex, (27,)."""

_SIDES = (CELLS[:, None] * SIDES + np.arange(SIDES)).ravel()
"""The indices of the sides of all hexes in a flat plane of sides, hex by hex, (27 * SIDES,)."""


@dataclass(frozen=True)
class Ground:
    """The values that settings put under the whole map before a script is rolled onto it."""

    terrain: int | None = None
    """The code of the terrain; None: the terrain of the map that is there."""

    elevation: int | None = None
    """None: the elevation of the map that is there."""


NO_GROUND = Ground()


def hex_base(planes: Mapping[str, Plane], ground: Ground = NO_GROUND) -> HexBase:
    """Return the values that a script starts from: the ground, else those of planes."""
    terrains = planes[TERRAIN.name].ravel()[CELLS].tolist()
    if ground.terrain is not None:
        terrains = [ground.terrain] * HEX_COUNT
    elevations = planes[ELEVATION.name].ravel()[CELLS].tolist()
    if ground.elevation is not None:
        elevations = [ground.elevation] * HEX_COUNT
    hexsides = planes[HEXSIDE.name].reshape(-1, SIDES)[CELLS].tolist()
    return HexBase(terrains, elevations, hexsides)


def locks_of(base: Base) -> Locks:
    """Return the locked values of a map.

    ``Base.locked_mask`` leaves out those that a layer above covers.
    """
    if not base.locked:
        return NO_LOCKS
    is_terrain_locked = base.locked_mask(TERRAIN).ravel()
    is_elevation_locked = base.locked_mask(ELEVATION).ravel()
    is_hexside_locked = base.locked_mask(HEXSIDE).ravel()
    shown_terrains = base.shown.planes[TERRAIN.name].ravel()
    shown_elevations = base.shown.planes[ELEVATION.name].ravel()
    shown_hexsides = base.shown.planes[HEXSIDE.name].ravel()
    hexes: dict[int, LockedState] = {}
    sides: dict[tuple[int, int], int] = {}
    for hex_id, cell in enumerate(CELL_OF_HEX):
        terrain = None
        if is_terrain_locked[cell]:
            terrain = int(shown_terrains[cell])
        elevation = None
        if is_elevation_locked[cell]:
            elevation = int(shown_elevations[cell])
        if terrain is not None or elevation is not None:
            hexes[hex_id] = (terrain, elevation)
        for side in range(SIDES):
            if is_hexside_locked[cell * SIDES + side]:
                sides[hex_id, side] = int(shown_hexsides[cell * SIDES + side])
    return Locks(hexes, sides)


def layer_of_roll(rolled: RolledMap, source: Roll, beneath: Composite, ground: Ground) -> Layer:
    """Return the layer with what a roll has set on top of the map ``beneath``.

    A hex that no statement placed and that the ground leaves as it was is not set. ``source`` is
    what the map was rolled from.
    """
    grid = SYSTEM.new_grid()
    planes: dict[str, Plane] = {}
    for spec in (TERRAIN, ELEVATION, HEXSIDE, ORIGIN, SIDE_ORIGIN):
        planes[spec.name] = spec.allocate(grid)

    # Hexes.
    origins = np.array(rolled.origin)
    is_placed = origins >= 0
    has_terrain = is_placed | (ground.terrain is not None)
    has_elevation = is_placed | (ground.elevation is not None)
    planes[TERRAIN.name].flat[CELLS[has_terrain]] = np.array(rolled.terrain)[has_terrain]
    planes[ELEVATION.name].flat[CELLS[has_elevation]] = np.array(rolled.elevation)[has_elevation]
    planes[ORIGIN.name].flat[CELLS[is_placed]] = origins[is_placed]

    # Hexsides.
    side_origins = np.array(rolled.side_origin).ravel()
    is_side_set = side_origins >= 0
    hexsides = np.array(rolled.hexside).ravel()
    planes[HEXSIDE.name].flat[_SIDES[is_side_set]] = hexsides[is_side_set]
    planes[SIDE_ORIGIN.name].flat[_SIDES[is_side_set]] = side_origins[is_side_set]

    properties = rolled_properties(rolled, rolled.startlist, beneath)
    layer = Layer(0, "", planes=planes, properties=properties, roll=source)
    layer.name = roll_name(layer)
    return layer


def rolled_properties(
    rolled: RolledMap | Program, start_list: tuple[str, ...] | None, beneath: Composite
) -> dict[str, Any]:
    """Return the properties that a roll with a start list sets on top of the map ``beneath``.

    ``rolled`` can be the program instead of a map: titles and tower do not depend on the roll.
    """
    properties = {
        TITLE.name: _title(rolled.title, beneath.properties.get(TITLE.name)),
        SUBTITLE.name: _title(rolled.subtitle, beneath.properties.get(SUBTITLE.name)),
        TOWER.name: rolled.tower,
        START_LIST.name: start_list,
    }
    return {name: value for name, value in properties.items() if value is not None}


def _title(title_of_script: str | None, title_beneath: str | None) -> str | None:
    """Return the title or subtitle that a roll sets, None if the map keeps its own.

    - The script sets one: that one.
    - Only the map has one, which can be "": None.
    - Neither has one (both are None): that of the game.
    """
    if title_of_script is None and title_beneath is None:
        return UNTITLED
    return title_of_script
