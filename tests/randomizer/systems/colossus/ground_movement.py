"""Where a ground creature that is native nowhere can go: which maps are fair to play."""

from __future__ import annotations

import numpy as np

from randomizer.batches.batch import batch_of
from randomizer.model.planes.composite import Composite
from randomizer.systems.colossus.board import GRID, NEIGHBOURS
from randomizer.systems.colossus.fairness import battles
from randomizer.systems.colossus.fairness.movement import (
    BARRED,
    ENTRY_HEXES,
    NON_NATIVE,
    Battlelands,
    entry_costs,
    hazard_costs,
)
from randomizer.systems.colossus.system import SYSTEM

SIDES = tuple(frozenset(hexes) for hexes in ENTRY_HEXES)
"""The hexes of the six entry sides, clockwise from the top."""

MIDDLE = frozenset(battles.MIDDLE)

NEAR_MIDDLE = MIDDLE | {number for near in MIDDLE for number in NEIGHBOURS[near]}


def countries(composite: Composite) -> list[frozenset[int]]:
    """The open hexes in groups within which one can walk, the largest first."""
    maps = Battlelands.of(batch_of(SYSTEM, GRID, composite))
    steps = entry_costs(maps, NON_NATIVE)[:, :, 0]
    unseen = set(np.flatnonzero(hazard_costs(NON_NATIVE)[maps.terrain[:, 0]] < BARRED).tolist())
    found = []
    while unseen:
        reached = {unseen.pop()}
        current = list(reached)
        while current:
            number = current.pop()
            for side, neighbour in enumerate(NEIGHBOURS[number]):
                if neighbour in unseen and steps[neighbour, (side + 3) % 6] < BARRED:
                    unseen.remove(neighbour)
                    reached.add(neighbour)
                    current.append(neighbour)
        found.append(frozenset(reached))
    return sorted(found, key=len, reverse=True)
