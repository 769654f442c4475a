"""The units of a map as the advice about them sees them: with types, cells, carriers and loads.

    units = UnitsOnMap(things, grid, period, sides, terrain)
    units.cells[army.id]                        # the cell of a unit
    units.carriers.get(army.id)                 # the id of what carries it, if anything does
    units.can_stand[unit_type, terrain_type]    # where a type belongs

A *unit* is a thing of the map. Its ``kind`` is the name of its type; a *type* is the number of a
unit type of the period, since values of types are rows and tables there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from randomizer.languages.language import TextPlace
from randomizer.model.grid.grid import Grid
from randomizer.model.map.carriers import carriers
from randomizer.model.things.things import Thing
from randomizer.systems.xconq.advice.units import movers
from randomizer.systems.xconq.period.period import Period
from randomizer.systems.xconq.records import Sides
from randomizer.systems.xconq.units.unit_kinds import kind_numbers
from randomizer.systems.xconq.units.unit_state import TRANSPORT
from randomizer.systems.xconq.world.hexes import distances

OFF_MAP = -1
"""The cell of a unit that is not on the map."""


@dataclass(frozen=True, eq=False)
class UnitsOnMap:
    """The units of a map. What is derived from them is worked out when it is first asked for."""

    units: Sequence[Thing]
    grid: Grid
    period: Period
    sides: Sides

    terrain: NDArray[np.uint8] | None = None
    """The terrain code of each cell, (height, width); None for a map without terrain."""

    is_terrain_chosen: bool = True
    """False if the map's file has no map: then its units stand on a world made up for them."""

    find_definition: Callable[[str], TextPlace | None] = lambda _name: None
    """Returns where the period's own text defines a unit type, None if it does not."""

    read_rolled_period: Callable[[], Period | None] = lambda: None
    """Reads the period that the map was rolled from, None if it was not rolled. That is slow."""

    @property
    def types(self) -> Mapping[str, int]:
        """The unit types by the names of their kinds."""
        return kind_numbers(self.period)

    @cached_property
    def by_id(self) -> Mapping[int, Thing]:
        """The units by their ids."""
        return {unit.id: unit for unit in self.units}

    @cached_property
    def cells(self) -> Mapping[int, int]:
        """The cells of the units by their ids, or ``OFF_MAP``."""
        points = np.array([(unit.x, unit.y) for unit in self.units], np.float64).reshape(-1, 2)
        cells = self.grid.cells_at(points).tolist()
        return {unit.id: cell for unit, cell in zip(self.units, cells, strict=True)}

    @cached_property
    def carriers(self) -> Mapping[int, int]:
        """The ids of the carriers, by those of the units that they carry."""
        return carriers(self.grid, TRANSPORT, self.units)

    @cached_property
    def loads(self) -> Mapping[int, Sequence[Thing]]:
        """The units that are carried, by the ids of their carriers."""
        loads: dict[int, list[Thing]] = defaultdict(list)
        for carried, carrier in self.carriers.items():
            loads[carrier].append(self.by_id[carried])
        return loads

    @cached_property
    def can_enter(self) -> NDArray[np.bool_]:
        """True where a unit type can move on a terrain type, (units, terrains)."""
        return np.asarray(self.period.table("moves") >= 0)

    @cached_property
    def can_stand(self) -> NDArray[np.bool_]:
        """True where an uncarried unit type can be on a terrain type, (units, terrains).

        Types that move can be where they can move. The others, such as cities, can be where a roll
        puts them (“favored”), and where any type can move that also moves there: a city on hills
        is odd, on the open sea it is a mistake. Types that move everywhere, as aircraft, do not
        count.
        """
        can_move = movers(self.period)
        is_favored = self.period.table("favored") > 0
        # The types that tell what kind of terrain is near: they move, but not everywhere. Terrain
        # that no type enters does not count for that.
        is_entered = self.can_enter[can_move].any(axis=0)
        moves_everywhere = (self.can_enter | ~is_entered).all(axis=1)
        is_bound = can_move & ~moves_everywhere

        can_stand: NDArray[np.bool_] = self.can_enter.copy()
        for unit_type in np.flatnonzero(~can_move).tolist():
            favored_terrains = is_favored[unit_type]
            shares_terrain = is_bound & self.can_enter[:, favored_terrains].any(axis=1)
            if shares_terrain.any():
                entered_terrains = self.can_enter[shares_terrain].any(axis=0)
                can_stand[unit_type] = favored_terrains | entered_terrains
            else:
                can_stand[unit_type] = True  # nothing is known of where it belongs
        return can_stand

    def terrain_under(self, unit: Thing) -> int | None:
        """Return the terrain type under a unit; None off the map and for one the period lacks."""
        cell = self.cells[unit.id]
        if self.terrain is None or cell == OFF_MAP:
            return None
        code = int(self.terrain.flat[cell])
        if code >= len(self.period.terrains):
            return None
        return code

    def name_side(self, owner: int) -> str:
        """Return the name of the side of an owner, as in ``Thing.owner``.

        A side without a name is called by its number in files, which is one less.
        """
        if owner == 0:
            return "no side"
        number = owner - 1
        if number < len(self.sides.sides) and self.sides.sides[number].name:
            return self.sides.sides[number].name
        return f"side {number}"

    def name(self, unit: Thing) -> str:
        """Return a unit as a sentence calls it: ``Rome, city on 12,5``."""
        cell = self.cells[unit.id]
        if cell == OFF_MAP:
            name = f"{unit.kind} off the map"
        else:
            x, y = self.grid.xy(cell)
            name = f"{unit.kind} on {x},{y}"
        if unit.label:
            return f"{unit.label}, {name}"
        return name

    def type_name(self, unit_type: int) -> str:
        """Return the name of a unit type."""
        return self.period.units[unit_type].name

    def distances_from(self, unit: Thing, cells: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the distances of cells (n,) from a unit, (n,): in hexes round the world.

        From a unit off the map, which is on no hex, they are straight ones in map units.
        """
        unit_cell = self.cells[unit.id]
        if unit_cell == OFF_MAP:
            steps = self.grid.centres_of(cells) - (unit.x, unit.y)
            return np.hypot(steps[:, 0], steps[:, 1])
        width = self.grid.width
        y, x = np.divmod(cells.astype(np.int64), width)
        unit_y, unit_x = divmod(unit_cell, width)
        return distances(width, x, y, unit_x, unit_y).astype(np.float64)

    def load_of(self, unit: Thing) -> list[Thing]:
        """Return a unit together with what it carries, and what that carries."""
        load = [unit]
        for carrier in load:  # a queue: the loop goes on to the units that it adds
            load += self.loads.get(carrier.id, ())
        return load
