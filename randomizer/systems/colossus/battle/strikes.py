"""Strikes and rangestrikes: how many dice they have, and their strike number.

Each die that shows at least the strike number is a hit. Power gives dice. Skill gives accuracy: the
striker's makes the strike number smaller, the target's makes it larger. On open ground a Lion
(power 5, skill 3) strikes a Troll (power 8, skill 2) with 5 dice, which hit from 4 - 3 + 2 = 3 on.

Source: the section on strikes of the project's fact sheet on battles of Titan. The effects on
strikes in the tables of ``rules`` are not used here, but by the fairness measures only: these need
one number a hexside, while a strike depends on both creatures and on the height between them.
"""

from __future__ import annotations

from typing import NamedTuple

from randomizer.systems.colossus.battle.line_of_sight import steps_between
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import NEIGHBOURS
from randomizer.systems.colossus.creatures import Creature

EVEN_STRIKE_NUMBER = 4
"""The strike number between creatures of equal skill where terrain has no effect."""

LARGEST_STRIKE_NUMBER = 6
"""No die shows more, so that every strike can hit."""

STRIKE_COVER = ("Brambles", "Tree", "Stone")
"""The hazards in which natives are harder to hit by strikes."""

RANGESTRIKE_COVER = ("Brambles", "Stone")
"""The hazards in which natives are harder to hit by rangestrikes; the rules do not name Tree."""

MIN_RANGE = 3
"""The least range of a rangestrike. Neighbours are at range 2, since both ends are counted."""

MIN_RANGE_OF_MAGIC = 2
"""The least range of a magic missile, which can hit a neighbour across a cliff."""


class Strike(NamedTuple):
    """The dice of one strike."""

    dice: int
    """The number of dice."""

    number: int
    """The strike number: a die that shows at least this is a hit."""


def strike(land: Battleland, striker: Creature, hex_id: int, side: int, target: Creature) -> Strike:
    """Return the strike of a creature on a hex at a target beyond one of its sides.

    The caller makes sure that there is no cliff between them: nobody strikes across one.
    """
    hazard = land.hazards[hex_id]
    target_hazard = land.hazards[NEIGHBOURS[hex_id][side]]
    own_hexside, hexside_beyond = land.edge(hex_id, side)
    rise = land.rise(hex_id, side)

    # Terrain of the striker gives dice to its natives; a dune of the target costs others a die.
    dice = striker.power
    if hazard == "Volcano" and striker.lives_in(hazard):
        dice += 2
    if own_hexside == "Dune" and striker.lives_in("Dune"):
        dice += 2
    elif own_hexside == "Slope" and striker.lives_in("Slope"):
        dice += 1
    elif hexside_beyond == "Dune" and not striker.lives_in("Dune"):
        dice -= 1

    # Brambles hinder others than natives. Height counts at walls and slopes.
    skill = striker.skill
    if hazard == "Brambles" and not striker.lives_in(hazard):
        skill -= 1
    if rise > 0 and own_hexside == "Wall":
        skill += 1
    if rise < 0 and (
        hexside_beyond == "Wall" or (hexside_beyond == "Slope" and not striker.lives_in("Slope"))
    ):
        skill -= 1

    is_covered = target_hazard in STRIKE_COVER and _has_cover(striker, target, target_hazard)
    return Strike(dice, _strike_number(skill, target, is_covered=is_covered))


def strike_terrain(land: Battleland, hex_id: int, side: int) -> tuple[object, ...]:
    """Return all of a battleland on which a strike across a side of a hex depends.

    The strikes of one creature at another across two edges are equal if these are.
    """
    hazard = land.hazards[hex_id]
    target_hazard = land.hazards[NEIGHBOURS[hex_id][side]]
    return (hazard, target_hazard, land.edge(hex_id, side), land.rise(hex_id, side))


def rangestrike(
    land: Battleland, striker: Creature, start: int, end: int, target: Creature, brambles: int
) -> Strike | None:
    """Return the rangestrike of a creature on hex ``start`` at a target on hex ``end``.

    None if the range or the kinds of the creatures do not allow it. ``brambles`` is the number of
    Brambles hexes between. The caller makes sure that the line of sight is free.
    """
    strike_range = steps_between(start, end) + 1  # both ends are counted
    min_range = MIN_RANGE
    if striker.magic:
        min_range = MIN_RANGE_OF_MAGIC
    # A creature shoots as far as its skill is.
    is_in_range = min_range <= strike_range <= striker.skill
    if not striker.rangestrikes or not is_in_range:
        return None
    if target.lord and not striker.magic:
        return None

    hazard = land.hazards[start]
    target_hazard = land.hazards[end]
    dice = striker.power // 2
    if hazard == "Volcano" and striker.lives_in(hazard):
        dice += 2
    if striker.magic:
        # Neither range nor terrain weakens a magic missile.
        return Strike(dice, _strike_number(striker.skill, target, is_covered=False))

    skill = striker.skill
    skill -= strike_range - MIN_RANGE
    if not striker.lives_in("Brambles"):
        skill -= brambles
    if target_hazard == "Volcano":
        skill -= 1
    if "Wall" in land.hexsides[end]:
        skill -= max(0, land.elevations[end] - land.elevations[start])
    is_covered = target_hazard in RANGESTRIKE_COVER and _has_cover(striker, target, target_hazard)
    return Strike(dice, _strike_number(skill, target, is_covered=is_covered))


def rangestrike_terrain(land: Battleland, start: int, end: int) -> tuple[object, ...]:
    """Return all on which a rangestrike between two hexes depends but for the Brambles between.

    The rangestrikes of one creature at another between two pairs of hexes are equal if these are.
    """
    height_of_wall = 0
    if "Wall" in land.hexsides[end]:
        height_of_wall = land.elevations[end] - land.elevations[start]
    return (steps_between(start, end), land.hazards[start], land.hazards[end], height_of_wall)


def _has_cover(striker: Creature, target: Creature, hazard: str) -> bool:
    """Return whether a hazard protects a target on it: one that is native, from one that is not."""
    return target.lives_in(hazard) and not striker.lives_in(hazard)


def _strike_number(skill: int, target: Creature, *, is_covered: bool) -> int:
    """Return the strike number for the striker's skill with all bonuses and penalties.

    It is at least 1: skills are 2 to 4, and no bonus is larger than 1.
    """
    number = EVEN_STRIKE_NUMBER - skill + target.skill
    if is_covered:
        number += 1
    return min(LARGEST_STRIKE_NUMBER, number)
