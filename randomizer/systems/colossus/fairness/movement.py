"""The cost of every step on many battlelands at once, and of reaching each hex from each side.

    maps = Battlelands.of(batch)
    travel_costs(maps, FLIER)[side, :, map_number]    # from one entry side to each of the 27 hexes

A step onto a hex costs 1 or 2 movement points, or ``BARRED`` if the creature cannot make it. The
rules are those by which battles are fought (``randomizer/systems/colossus/battle_terrain.py``).
Arrays have the hex first and the map last: shape (27, n) for hexes, (27, 6, n) for their sides.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.systems.colossus.battle_terrain import (
    BARRED,
    ENTRY_HEXES,
    flight_cost,
    hazard_cost,
    hexside_cost,
)
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_COUNT, NEIGHBOURS, opposite_side
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.rules import HAZARDS, HEXSIDES
from randomizer.systems.colossus.terrain_set import COLOSSUS

CHUNK = 4096
"""The number of maps processed at once: few enough for the processor's cache."""

Bytes = NDArray[np.uint8]
"""Costs or codes; the shape stands where it is used."""

AROUND = np.array(NEIGHBOURS)
"""The hex across each side of each hex, (27, 6), -1 beyond the board.

As an index -1 picks the last hex: what is read there is replaced afterwards, or not used.
"""

FROM_START_LIST = 6
"""The index of the start list among the starts of ``travel_costs``, behind the six entry sides."""

_OPPOSITE_SIDES = np.array([opposite_side(side) for side in range(6)])
"""The number that each side, 0 to 5, has in the hex beyond it."""

EVERYTHING = frozenset(HAZARDS) | frozenset(HEXSIDES)
"""All that a creature can be native to."""

NON_NATIVE = Creature()
"""A creature on foot that is native to nothing."""

NATIVE = Creature(native_to=EVERYTHING)
"""A creature on foot that is native to everything."""

FLIER = Creature(flies=True)
"""A flier that is native to nothing."""


@dataclass(frozen=True, eq=False)
class Battlelands:
    """The planes of n battlelands, with the map as the last axis."""

    terrain: NDArray[np.integer]
    """The code of the terrain of each hex, (27, n)."""
    elevation: NDArray[np.integer]
    """The elevation of each hex, (27, n)."""
    hexside: Bytes | None
    """The code of the hexside at each side, (27, 6, n); None if no map has any."""
    start: NDArray[np.bool_] | None
    """True for the hexes of the start list, (27, n); None if no map has one."""

    @property
    def count(self) -> int:
        """The number of maps, n."""
        return int(self.terrain.shape[1])

    @classmethod
    def of(cls, batch: Batch) -> Battlelands:
        """Return the maps of a batch that has all 27 hexes."""
        # The column of each hex in the batch, whose cells are in any order.
        columns_by_cell = np.argsort(batch.cells)
        positions_among_sorted = np.searchsorted(batch.cells[columns_by_cell], CELL_OF_HEX)
        columns = columns_by_cell[positions_among_sorted]
        terrain = np.ascontiguousarray(batch.terrain[:, columns].T)
        elevation = np.ascontiguousarray(batch.elevation[:, columns].T)
        hexside = None
        start = None
        if batch.hexside is not None and batch.hexside.any():
            hexside = np.ascontiguousarray(np.moveaxis(batch.hexside[:, columns], 0, 2))
        if batch.start is not None and batch.start.any():
            start = np.ascontiguousarray(batch.start[:, columns].T > 0)
        return cls(terrain, elevation, hexside, start)


def hazard_costs(creature: Creature) -> Bytes:
    """Return the cost of stopping on each hazard (by terrain code) from level ground."""
    return np.array(
        [hazard_cost(creature, terrain.name) for terrain in COLOSSUS.terrains], np.uint8
    )


def _hexside_costs(creature: Creature, *, uphill: bool) -> Bytes:
    """Return the cost of entering across each hexside, by its code, onto a hex that costs 1."""
    names = ("", *(hexside.name for hexside in COLOSSUS.hexsides))
    return np.array([hexside_cost(creature, name, uphill=uphill) for name in names], np.uint8)


def across(plane: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return the value beyond each side of each hex, (27, 6, n).

    ``plane`` has a value for each hex, (27, n), or for each side, (27, 6, n); in the second case it
    is the value of the same edge as the neighbour has it. Beyond the board the values are
    undefined.
    """
    if plane.ndim == 2:
        return np.asarray(plane[AROUND])
    return np.asarray(plane[AROUND, _OPPOSITE_SIDES])


def entry_costs(maps: Battlelands, creature: Creature) -> Bytes:
    """Return the cost of entering each hex across each side, and of stopping there, (27, 6, n).

    It is 1, 2 or BARRED. At sides on the edge of the board it is the cost of entering the board
    there. Slowing does not add up: the highest of the costs of hazard and hexsides counts.
    """
    hazards = hazard_costs(creature)[maps.terrain][:, None]
    if maps.hexside is None or creature.flies:
        return np.asarray(np.repeat(hazards, 6, axis=1))
    level = _hexside_costs(creature, uphill=False)
    climbing = _hexside_costs(creature, uphill=True)
    is_on_board = (AROUND >= 0)[:, :, None]
    # Each of the two hexes at an edge can have a hexside there. A creature that enters crosses that
    # of the entered hex, perhaps uphill, and that of the hex it leaves, never uphill.
    is_uphill = maps.elevation[:, None] > across(maps.elevation)
    costs_of_own_side = np.where(is_uphill, climbing[maps.hexside], level[maps.hexside])
    costs = np.maximum(costs_of_own_side, level[across(maps.hexside)])
    return np.asarray(np.maximum(hazards, np.where(is_on_board, costs, 1)), np.uint8)


def travel_costs(maps: Battlelands, creature: Creature, chunk: int = CHUNK) -> Bytes:
    """Return the least cost of reaching each hex, (7, 27, n), BARRED if it cannot be reached.

    The first axis has the six entry sides and the start list (``FROM_START_LIST``), the second the
    hexes that are reached. The cost of the entered hex is included; hexes of the start list cost
    nothing from there. Fliers cross for 1 what slows them or bars them from landing. ``chunk`` maps
    are worked on at once.
    """
    # The cost of a step on the way; for fliers it is the cost of crossing a hex, not of landing.
    landing_costs = hazard_costs(creature)[maps.terrain]
    steps = entry_costs(maps, creature)
    hex_costs = landing_costs
    if creature.flies:
        flights = [flight_cost(creature, terrain.name) for terrain in COLOSSUS.terrains]
        hex_costs = np.array(flights, np.uint8)[maps.terrain]
        steps = np.repeat(hex_costs[:, None], 6, axis=1)

    # Begin with the hexes by which creatures enter, and those of the start list. The hex is the
    # first axis here, because the spreading goes hex by hex.
    costs = np.full((HEX_COUNT, 7, maps.count), BARRED, np.uint8)
    for side, hexes in enumerate(ENTRY_HEXES):
        costs[hexes, side] = hex_costs[list(hexes)]
    starts_there: NDArray[np.bool_] | None = None
    if maps.start is not None:
        # A creature cannot start on a hex of the list that it may not stop on.
        starts_there = maps.start & (landing_costs < BARRED)
        costs_from_list = costs[:, FROM_START_LIST]  # a view: what is written there is in costs
        costs_from_list[starts_there] = 0

    # Spread the costs from there over the board.
    for start in range(0, maps.count, chunk):
        maps_of_chunk = slice(start, start + chunk)
        _spread(costs[:, :, maps_of_chunk], np.ascontiguousarray(steps[:, :, maps_of_chunk]))

    # A flier lands at the end: there it pays for stopping instead of crossing.
    if creature.flies:
        costs = np.minimum(costs + landing_costs[:, None] - hex_costs[:, None], BARRED)
        if starts_there is not None:
            costs[:, FROM_START_LIST][starts_there] = 0
    return np.moveaxis(costs, 0, 1)


class _Step(NamedTuple):
    """A step onto a hex from its neighbour."""

    hex_id: int
    """The hex that is entered."""
    side: int
    """The side of the entered hex that is crossed."""
    neighbour: int
    """The hex beyond that side, from which the step comes."""


def _all_steps() -> tuple[_Step, ...]:
    """Return all steps on the board in the order of the hexes that are entered."""
    steps = list[_Step]()
    for hex_id in range(HEX_COUNT):
        for side, neighbour in enumerate(NEIGHBOURS[hex_id]):
            if neighbour >= 0:
                steps.append(_Step(hex_id, side, neighbour))
    return tuple(steps)


_STEPS = _all_steps()


def _spread(costs: Bytes, steps: Bytes) -> None:
    """Lower ``costs`` (27, k, n), in place, to those of the cheapest paths.

    ``steps`` (27, 6, n) are the costs of entering each hex across each side. This is the algorithm
    of Bellman and Ford: all steps are tried, in rounds, until none makes a path cheaper. Each round
    goes through the hexes forwards and then backwards, so that paths in both directions take few
    rounds.
    """
    while True:
        old_costs = costs.copy()
        for hex_id, side, neighbour in (*_STEPS, *reversed(_STEPS)):
            cost = costs[neighbour] + steps[hex_id, side]  # at most 2 * BARRED: it fits into a byte
            np.minimum(costs[hex_id], cost, out=costs[hex_id])
        if np.array_equal(old_costs, costs):
            return
