"""Warnings about entry sides from which creatures on foot do not come onto the board."""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.basics.plurals import counted, listed
from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.battle_terrain import (
    BARRED,
    BOTTOM,
    ENTRY_HEXES,
    Battleland,
    edges_around,
    hazard_cost,
)
from randomizer.systems.colossus.board import CELL_OF_HEX, ENTRY_SIDES, HEX_COUNT, LABELS
from randomizer.systems.colossus.creatures import Creature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.planes.composite import Composite

STRANGERS = "creatures on foot without a native terrain"

_STRANGER = Creature()


def check_entries(composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each entry side that is shut, or cut off from the open ground.

    The open ground is the largest group of hexes between which creatures on foot can walk that are
    native to nothing. What is still outside the board after its first move dies. On a map with a
    start list only the attacker enters, from the bottom.
    """
    battleland = Battleland.of(composite)
    groups = _walkable_groups(battleland)
    open_ground = max(groups, key=len, default=frozenset())
    if battleland.start:
        sides = [BOTTOM]
    else:
        sides = list(range(len(ENTRY_SIDES)))
    problems = []
    for side in sides:
        name, _labels = ENTRY_SIDES[side]
        hexes = ENTRY_HEXES[side]
        open_hexes = [number for number in hexes if _is_open(battleland, number)]
        if not open_hexes:
            text = f"{name} is shut: {STRANGERS} cannot enter {_names(hexes)}"
            problems.append(_warning("entry-shut", text, hexes[0]))
        elif open_ground.isdisjoint(open_hexes):
            where = _names(open_hexes)
            pockets = [group for group in groups if not group.isdisjoint(open_hexes)]
            size = counted(sum(map(len, pockets)), "hex", "hexes")
            text = f"{name} is cut off: {STRANGERS} enter at {where}, but cannot leave {size} there"
            problems.append(_warning("entry-cut-off", text, open_hexes[0]))
    return tuple(problems)


def _walkable_groups(battleland: Battleland) -> list[frozenset[int]]:
    """Return the groups of hexes between which one can walk, by a flood from each in turn."""
    unseen = {number for number in range(HEX_COUNT) if _is_open(battleland, number)}
    groups = []
    while unseen:
        group = {unseen.pop()}
        rim = list(group)
        while rim:
            for beyond, back in edges_around(rim.pop()):
                cost = battleland.entry_cost(_STRANGER, beyond, back)
                if beyond in unseen and cost < BARRED:
                    unseen.remove(beyond)
                    group.add(beyond)
                    rim.append(beyond)
        groups.append(frozenset(group))
    return groups


def _is_open(battleland: Battleland, number: int) -> bool:
    return hazard_cost(_STRANGER, battleland.hazards[number]) < BARRED


def _names(hexes: Sequence[int]) -> str:
    return listed([LABELS[number] for number in hexes])


def _warning(code: str, text: str, number: int) -> Problem:
    return Problem(Severity.WARNING, code, text, cell=CELL_OF_HEX[number])
