"""The cost of every step on many battlelands at once, and of reaching each hex from each side.

Arrays have the hex first and the map last: shape (27, n), edges (27, 6, n). The rules are those of
``randomizer/systems/colossus/rules.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.batch import Batch
from randomizer.systems.colossus.board import (
    CELL_OF_HEX,
    ENTRY_SIDES,
    HEX_COUNT,
    HEX_OF_LABEL,
    NEIGHBOURS,
)
from randomizer.systems.colossus.rules import HAZARDS, HEXSIDES, Entry
from randomizer.systems.colossus.terrain_set import COLOSSUS

BARRED = 100
"""The cost of what cannot be entered or reached: no path is as long as that."""

CHUNK = 4096
"""The number of maps processed at once, for the cache."""

Bytes = NDArray[np.uint8]

AROUND = np.array(NEIGHBOURS)
"""(27, 6): the hex across each side, -1 beyond the board."""

_BACK = (np.arange(6) + 3) % 6

ENTRY_HEXES = tuple(tuple(HEX_OF_LABEL[label] for label in labels) for _, labels in ENTRY_SIDES)
"""The hexes of each entry side."""


class Creature(NamedTuple):
    """A kind of creature.

    ``native_to`` names hazards and hexsides; with Lake it is a water dweller.
    """

    flies: bool = False
    native_to: frozenset[str] = frozenset()

    def lives_in(self, name: str) -> bool:
        """Whether it is native to a hazard or hexside; water dwellers are native to rivers, too."""
        return name in self.native_to or (name == "River" and "Lake" in self.native_to)


EVERYTHING = frozenset(HAZARDS) | frozenset(HEXSIDES)
NON_NATIVE = Creature()
"""On foot, native to nothing."""

NATIVE = Creature(native_to=EVERYTHING)
FLIER = Creature(flies=True)


@dataclass(frozen=True, eq=False)
class Battlelands:
    """n battlelands: ``terrain`` and ``elevation`` (27, n), ``hexside`` (27, 6, n).

    ``start`` (27, n) marks the hexes of the start list. ``hexside`` and ``start`` are None where no
    map has any.
    """

    terrain: NDArray[np.integer]
    elevation: NDArray[np.integer]
    hexside: Bytes | None
    start: NDArray[np.bool_] | None

    @property
    def count(self) -> int:
        """The number of maps, n."""
        return int(self.terrain.shape[1])

    @classmethod
    def of(cls, batch: Batch) -> Battlelands:
        """Return the maps of a batch that has all 27 hexes."""
        columns = np.argsort(batch.cells)[np.searchsorted(np.sort(batch.cells), CELL_OF_HEX)]
        terrain = np.ascontiguousarray(batch.terrain[:, columns].T)
        elevation = np.ascontiguousarray(batch.elevation[:, columns].T)
        hexside = start = None
        if batch.hexside is not None and batch.hexside.any():
            hexside = np.ascontiguousarray(np.moveaxis(batch.hexside[:, columns], 0, 2))
        if batch.start is not None and batch.start.any():
            start = np.ascontiguousarray(batch.start[:, columns].T > 0)
        return cls(terrain, elevation, hexside, start)


def _cost(entry: Entry, native: bool) -> int:
    if entry is Entry.NOBODY or (entry is Entry.NATIVES and not native):
        return BARRED
    return 2 if entry is Entry.SLOWS_ALL or (entry is Entry.SLOWS_OTHERS and not native) else 1


def hazard_costs(creature: Creature) -> Bytes:
    """Return the cost of entering a hex of each hazard (by terrain code) from level ground."""
    costs = []
    for terrain in COLOSSUS.terrains:
        rule = HAZARDS[terrain.name]
        entry = rule.fliers if creature.flies else rule.ground
        costs.append(_cost(entry, creature.lives_in(terrain.name)))
    return np.array(costs, np.uint8)


def hexside_costs(creature: Creature) -> tuple[Bytes, Bytes]:
    """By hexside code, the least cost of crossing: in both directions, and only uphill."""
    both, uphill = (np.ones(len(COLOSSUS.hexsides) + 1, np.uint8) for _ in range(2))
    for code, hexside in enumerate(COLOSSUS.hexsides, 1):
        rule = HEXSIDES[hexside.name]
        if not creature.flies:
            cost = _cost(rule.ground, creature.lives_in(hexside.name))
            (uphill if rule.uphill else both)[code] = cost
    return both, uphill


def across(plane: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return the values beyond each side: (27, n) or (27, 6, n) in, (27, 6, n) out.

    Beyond the board the values are undefined.
    """
    return np.asarray(plane[AROUND] if plane.ndim == 2 else plane[AROUND, _BACK])


def entry_costs(maps: Battlelands, creature: Creature) -> Bytes:
    """(27, 6, n): the cost of entering each hex across each side, 1, 2 or BARRED.

    The hazard can bar entry; then cliffs, rivers, walls and slopes apply. Slowing does not add up:
    the highest of the costs is used. At the board's edge it is the cost of entering the board.
    """
    hazards = hazard_costs(creature)[maps.terrain][:, None]
    if maps.hexside is None or creature.flies:
        return np.asarray(np.repeat(hazards, 6, axis=1))
    both, uphill = hexside_costs(creature)
    inner = (AROUND >= 0)[:, :, None]
    higher = maps.elevation[:, None] > across(maps.elevation)
    costs = np.maximum(both[maps.hexside], both[across(maps.hexside)])
    costs = np.maximum(costs, np.where(higher, uphill[maps.hexside], 1))
    return np.asarray(np.maximum(hazards, np.where(inner, costs, 1)), np.uint8)


def travel_costs(maps: Battlelands, creature: Creature) -> Bytes:
    """(7, 27, n): the least cost from each entry side, and from the start list, to each hex.

    The cost of the entered hex is included; hexes of the start list cost nothing from there.
    BARRED: unreachable.
    """
    steps = entry_costs(maps, creature)
    ground = hazard_costs(creature)[maps.terrain]
    costs = np.full((HEX_COUNT, 7, maps.count), BARRED, np.uint8)
    for side, hexes in enumerate(ENTRY_HEXES):
        costs[hexes, side] = ground[list(hexes)]
    if maps.start is not None:
        costs[:, 6][maps.start & (ground < BARRED)] = 0
    for first in range(0, maps.count, CHUNK):
        part = slice(first, first + CHUNK)
        _spread(costs[:, :, part], np.ascontiguousarray(steps[:, :, part]))
    return np.moveaxis(costs, 0, 1)


_WAYS = tuple(
    (number, side, neighbour)
    for number in range(HEX_COUNT)
    for side, neighbour in enumerate(NEIGHBOURS[number])
    if neighbour >= 0
)


def _spread(costs: Bytes, steps: Bytes) -> None:
    """Lower the costs ``found`` (27, k, n), in place, to those of the cheapest paths."""
    while True:
        before = costs.copy()
        for number, side, neighbour in (*_WAYS, *reversed(_WAYS)):
            way = costs[neighbour] + steps[number, side]
            np.minimum(costs[number], way, out=costs[number])
        if np.array_equal(before, costs):
            return
