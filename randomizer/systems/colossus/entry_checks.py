"""Warnings about entry sides from which creatures on foot do not come onto the board.

In a battle each army enters by one of the six sides of the board, over the three or four hexes
beside it. A creature that is still outside after its first move dies, so that a side with water all
along loses the battle. ``check_entries`` is one of the checks of a battleland that the problem list
of a map shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.basics.plurals import counted, listed
from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.battle_terrain import (
    BARRED,
    ENTRY_HEXES,
    Battleland,
    edges_around,
    hazard_cost,
)
from randomizer.systems.colossus.board import (
    BOTTOM,
    CELL_OF_HEX,
    ENTRY_SIDES,
    HEX_COUNT,
    LABELS,
)
from randomizer.systems.colossus.creatures import Creature

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.planes.composite import Composite

STRANGERS = "creatures on foot without a native terrain"
"""The name of ``_STRANGER`` in messages."""

_STRANGER = Creature()
"""A creature on foot that is native to nothing: what bars it bars most creatures."""


def check_entries(composite: Composite) -> tuple[Problem, ...]:
    """Return a warning for each entry side that is shut, or cut off from the open ground.

    A side is shut if no hex beside it can be entered. It is cut off if none of its hexes belongs to
    the open ground, the largest group of hexes between which creatures can walk (the first one
    found of several that are as large).
    """
    battleland = Battleland.of(composite)
    groups = _walkable_groups(battleland)
    open_ground = max(groups, key=len, default=frozenset())
    if battleland.start:
        # The defender starts on the hexes of the list, and only the attacker enters.
        sides = [BOTTOM]
    else:
        sides = list(range(len(ENTRY_SIDES)))
    problems = []
    for side in sides:
        name, _labels = ENTRY_SIDES[side]
        hexes = ENTRY_HEXES[side]
        open_hexes = [hex_id for hex_id in hexes if _is_open(battleland, hex_id)]
        if not open_hexes:
            text = f"{name} is shut: {STRANGERS} cannot enter {_listed_labels(hexes)}"
            problems.append(_warning("entry-shut", text, hexes[0]))
        elif open_ground.isdisjoint(open_hexes):
            entries = _listed_labels(open_hexes)
            pockets = [group for group in groups if not group.isdisjoint(open_hexes)]
            size = counted(sum(len(pocket) for pocket in pockets), "hex", "hexes")
            text = (
                f"{name} is cut off: {STRANGERS} enter at {entries}, but cannot leave {size} there"
            )
            problems.append(_warning("entry-cut-off", text, open_hexes[0]))
    return tuple(problems)


def _walkable_groups(battleland: Battleland) -> list[frozenset[int]]:
    """Return the groups of hexes between which strangers can walk.

    The idea is a flood fill: each group spreads from one of its hexes. It does not matter from
    which, since every step can be taken back: of all hexsides only a cliff bars strangers, and it
    does so in both directions.
    """
    unvisited_hexes = {hex_id for hex_id in range(HEX_COUNT) if _is_open(battleland, hex_id)}
    groups = []
    while unvisited_hexes:
        group = {unvisited_hexes.pop()}
        hexes_to_look_around = list(group)
        while hexes_to_look_around:
            for neighbour, crossed_side in edges_around(hexes_to_look_around.pop()):
                cost = battleland.entry_cost(_STRANGER, neighbour, crossed_side)
                if neighbour in unvisited_hexes and cost < BARRED:
                    unvisited_hexes.remove(neighbour)
                    group.add(neighbour)
                    hexes_to_look_around.append(neighbour)
        groups.append(frozenset(group))
    return groups


def _is_open(battleland: Battleland, hex_id: int) -> bool:
    """Return whether a stranger may stop on a hex."""
    return hazard_cost(_STRANGER, battleland.hazards[hex_id]) < BARRED


def _listed_labels(hexes: Sequence[int]) -> str:
    """Return the labels of hexes as a list in a sentence."""
    return listed([LABELS[hex_id] for hex_id in hexes])


def _warning(code: str, text: str, hex_id: int) -> Problem:
    """Return a warning that is shown at a hex."""
    return Problem(Severity.WARNING, code, text, cell=CELL_OF_HEX[hex_id])
