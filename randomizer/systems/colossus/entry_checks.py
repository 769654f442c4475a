"""Warnings about entry sides from which creatures on foot do not come onto the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.basics.plurals import listed
from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.battle.battleland import (
    BARRED,
    BOTTOM,
    ENTRY_HEXES,
    Battleland,
    hazard_cost,
    hexside_cost,
)
from randomizer.systems.colossus.battle.creatures import Creature
from randomizer.systems.colossus.board import (
    CELL_OF_HEX,
    ENTRY_SIDES,
    HEX_COUNT,
    LABELS,
    NEIGHBOURS,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from randomizer.model.planes.composite import Composite

WHO = "creatures on foot, native to nothing,"

_ANYBODY = Creature()


def check_entries(composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each entry side that is shut off from the largest open ground.

    Ground is open to creatures on foot that are native to nothing. What is still outside after its
    first move dies. On a map with a start list only the attacker enters, from the bottom.
    """
    battleland = Battleland.of(composite)
    open_ground = max(_open_grounds(battleland), key=len, default=frozenset())
    if battleland.start:
        sides = [BOTTOM]
    else:
        sides = [*range(len(ENTRY_SIDES))]
    problems = []
    for side in sides:
        name, _labels = ENTRY_SIDES[side]
        hexes = ENTRY_HEXES[side]
        entered = [each for each in hexes if _is_open(battleland, each)]
        if not entered:
            words = f"{name}: {WHO} cannot come in, {_names(hexes)} are closed to them"
            problems.append(_warning("entry-shut", words, hexes[0]))
        elif not open_ground.intersection(entered):
            words = f"{name}: {WHO} come in at {_names(entered)}, but not to the rest of the board"
            problems.append(_warning("entry-cut-off", words, entered[0]))
    return tuple(problems)


def _open_grounds(battleland: Battleland) -> list[frozenset[int]]:
    """Return the groups of hexes between which one can walk."""
    unseen = {number for number in range(HEX_COUNT) if _is_open(battleland, number)}
    grounds = []
    while unseen:
        ground = {unseen.pop()}
        edge = list(ground)
        while edge:
            number = edge.pop()
            for side, neighbour in enumerate(NEIGHBOURS[number]):
                if neighbour in unseen and not _has_barrier(battleland, number, side, neighbour):
                    unseen.remove(neighbour)
                    ground.add(neighbour)
                    edge.append(neighbour)
        grounds.append(frozenset(ground))
    return grounds


def _is_open(battleland: Battleland, number: int) -> bool:
    return hazard_cost(_ANYBODY, battleland.hazards[number]) < BARRED


def _has_barrier(battleland: Battleland, number: int, side: int, neighbour: int) -> bool:
    """Return whether a hexside between two hexes lets nobody through, in either direction."""
    hexsides = (battleland.hexsides[number][side], battleland.hexsides[neighbour][(side + 3) % 6])
    return any(hexside_cost(_ANYBODY, name, uphill=True) >= BARRED for name in hexsides)


def _names(hexes: Iterable[int]) -> str:
    return listed([LABELS[number] for number in hexes])


def _warning(code: str, words: str, number: int) -> Problem:
    return Problem(Severity.WARNING, code, words, cell=CELL_OF_HEX[number])
