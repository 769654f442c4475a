"""Where a ground creature that is native nowhere can go: which maps are fair to play.

Source: the movement table of the project's fact sheet on Colossus.
"""

from __future__ import annotations

from randomizer.battlemap import Composite
from randomizer.colossus.board import (
    CELL_OF_HEX,
    ENTRY_SIDES,
    HEX_COUNT,
    HEX_OF_LABEL,
    NEIGHBOURS,
)
from randomizer.colossus.terrain_set import COLOSSUS

BARRED = frozenset(
    COLOSSUS.terrain_code(name) for name in ("Tree", "Volcano", "Bog", "Lake", "Stone")
)
CLIFF = COLOSSUS.hexside_code("c")

SIDES = tuple(frozenset(HEX_OF_LABEL[label] for label in labels) for _, labels in ENTRY_SIDES)
"""The hexes of the six entry sides, clockwise from the top."""

MIDDLE = frozenset(HEX_OF_LABEL[label] for label in ("C3", "D3", "D4"))
"""The three hexes in the middle of the board."""

NEAR_MIDDLE = MIDDLE | {number for near in MIDDLE for number in NEIGHBOURS[near]}


def countries(composite: Composite) -> list[frozenset[int]]:
    """The open hexes in groups within which one can walk, the largest first."""
    terrain = composite.planes["terrain"].ravel()
    hexside = composite.planes["hexside"].reshape(-1, 6)
    unseen = {number for number in range(HEX_COUNT) if terrain[CELL_OF_HEX[number]] not in BARRED}
    found = []
    while unseen:
        reached = {unseen.pop()}
        front = list(reached)
        while front:
            number = front.pop()
            for side, neighbour in enumerate(NEIGHBOURS[number]):
                if neighbour in unseen:
                    here = hexside[CELL_OF_HEX[number], side]
                    there = hexside[CELL_OF_HEX[neighbour], (side + 3) % 6]
                    if CLIFF not in (here, there):
                        unseen.remove(neighbour)
                        reached.add(neighbour)
                        front.append(neighbour)
        found.append(frozenset(reached))
    return sorted(found, key=len, reverse=True)
