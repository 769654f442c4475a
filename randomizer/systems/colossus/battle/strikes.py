"""Strikes and rangestrikes: how many dice they have, and their strike number.

Each die of at least the strike number is a hit. Source: the section on strikes of the project's
fact sheet on battles of Titan; where that of ``rules`` differs, it counts for measures only.
"""

from __future__ import annotations

from typing import NamedTuple

from randomizer.systems.colossus.battle.line_of_sight import steps_between
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import NEIGHBOURS
from randomizer.systems.colossus.creatures import Creature


class Strike(NamedTuple):
    """The number of dice, and what each must show at least."""

    dice: int
    number: int


def strike(land: Battleland, striker: Creature, number: int, side: int, target: Creature) -> Strike:
    """Return the strike of a creature on hex ``number`` at a target beyond a side, no cliff."""
    hazard = land.hazards[number]
    own_hexside, opposite_hexside = land.edge(number, side)
    rise = land.rise(number, side)
    dice = striker.power
    skill = striker.skill
    if hazard == "Volcano" and striker.lives_in(hazard):
        dice += 2
    if own_hexside == "Dune" and striker.lives_in("Dune"):
        dice += 2
    elif own_hexside == "Slope" and striker.lives_in("Slope"):
        dice += 1
    elif opposite_hexside == "Dune" and not striker.lives_in("Dune"):
        dice -= 1
    if hazard == "Brambles" and not striker.lives_in(hazard):
        skill -= 1
    if rise > 0 and own_hexside == "Wall":
        skill += 1
    if rise < 0 and (
        opposite_hexside == "Wall"
        or (opposite_hexside == "Slope" and not striker.lives_in("Slope"))
    ):
        skill -= 1
    cover = {"Brambles", "Tree", "Stone"} & {land.hazards[NEIGHBOURS[number][side]]}
    return Strike(dice, _strike_number(skill, striker, target, cover))


def rangestrike(
    land: Battleland, striker: Creature, start: int, end: int, target: Creature, brambles: int
) -> Strike | None:
    """Return the rangestrike of a creature on ``start`` at a target on ``end``, None if too far.

    ``brambles`` is the number of Brambles hexes between. The line of sight is not asked here.
    """
    reach = steps_between(start, end) + 1  # counts both ends
    least_reach = 3
    if striker.magic:
        least_reach = 2
    if not striker.rangestrikes or not least_reach <= reach <= striker.skill:
        return None
    if target.lord and not striker.magic:
        return None
    hazard = land.hazards[start]
    end_hazard = land.hazards[end]
    dice = striker.power // 2
    skill = striker.skill
    if hazard == "Volcano" and striker.lives_in(hazard):
        dice += 2
    if striker.magic:
        return Strike(dice, _strike_number(skill, striker, target, set()))
    skill -= reach - 3
    if not striker.lives_in("Brambles"):
        skill -= brambles
    if end_hazard == "Volcano":
        skill -= 1
    if "Wall" in land.hexsides[end]:
        skill -= max(0, land.elevations[end] - land.elevations[start])
    cover = {"Brambles", "Stone"} & {end_hazard}
    return Strike(dice, _strike_number(skill, striker, target, cover))


def _strike_number(skill: int, striker: Creature, target: Creature, cover: set[str]) -> int:
    """Return what each die must show; natives of the hazard they stand in are harder to hit."""
    covered = any(target.lives_in(terrain) and not striker.lives_in(terrain) for terrain in cover)
    return min(6, 4 - skill + target.skill + covered)
