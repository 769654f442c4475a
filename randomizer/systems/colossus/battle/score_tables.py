"""Tables of the worth of creatures and hexes for the game's AI before a battle begins.

These scores depend on the battleland and on the kinds of creatures, but not on where anybody is.
``ScoreTables`` has them as arrays, with an entry for each combination; the functions below work out
one entry, and state the rule.

All numbers are the game's, as the section "The simple AI's battle" of the project's fact sheet has
them.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from randomizer.systems.colossus.battle.hit_chances import SIXTHS
from randomizer.systems.colossus.battle.line_of_sight import steps_between
from randomizer.systems.colossus.battle.rule_tables import SIZE, RuleTables
from randomizer.systems.colossus.battle_terrain import ENTRY_HEXES, Battleland, hazard_damage
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.rules import HAZARDS

FAR = 99
"""The range of an enemy outside: more than any on the board."""

_HEXES = range(HEX_COUNT)

_HIDING_HEXSIDES = ("Slope", "Wall", "Dune")
"""The hexsides that are worse to stand below than above."""


class ScoreTables:
    """The scores for the battlelands and the kinds of creatures of some rule tables.

    A hex is an index up to SIZE, the last of which is outside of the board.
    """

    def __init__(self, tables: RuleTables) -> None:
        lands = tables.lands
        kinds = tables.kinds
        rules = tables.by_land
        self.values = np.array(
            [[kill_value(land, kind) for kind in kinds] for land in lands], np.float32
        )
        """(lands, kinds): the value of killing each creature."""

        self.outside = np.array([[outside_score(land, kind) for kind in kinds] for land in lands])
        """(lands, kinds): the score of staying outside."""

        self.ranges = np.full((SIZE, SIZE), FAR, np.float32)
        """(SIZE, SIZE): the range of one hex from another, counting both ends."""
        for start in _HEXES:
            self.ranges[start, :HEX_COUNT] = [steps_between(start, end) + 1 for end in _HEXES]

        # The entrance of a side is one step beyond its entry hexes.
        ranges = [1 + self.ranges[list(hexes)].min(axis=0) for hexes in ENTRY_HEXES]
        self.entrances = np.array(ranges)[rules.entry_sides]
        """(lands, side, SIZE): the range of each hex from the entrance of a side."""

        self.terrain_scores = np.array(
            [[terrain_scores(land, kind) for kind in kinds] for land in lands]
        )
        """(lands, kinds, hexes): the score of each hex by its terrain alone."""

        self.closed = np.array(
            [[closed_sides(land, number) for number in _HEXES] for land in lands]
        )
        """(lands, hexes): how many sides of each hex are closed."""

        self.heights = np.array([land.elevations for land in lands])
        """(lands, hexes): the elevation of each hex."""

        means = (SIXTHS[rules.dice, rules.number] / 6).astype(np.float32)
        self.hits_dealt = np.ascontiguousarray(means.swapaxes(3, 4))
        """(lands, kinds, kinds, SIZE, SIZE): the mean hits of a strike.

        The indices are land, kind of the striker, kind of the target, hex of the target, hex of the
        striker.
        """

        self.hits_suffered = np.floor(means)
        """(lands, kinds, kinds, SIZE, SIZE): the mean hits of an enemy's strike, rounded down.

        The indices are land, kind of the enemy, kind of the target, hex of the enemy, hex of the
        target.
        """


def kill_value(land: Battleland, kind: Creature) -> int:
    """Return the worth of a creature to the game's AI: its points, and its abilities a little."""
    value = 10 * kind.points
    if kind.skill <= 2:
        value += 1
    elif kind.skill >= 4:
        value += 2
    value += 4 * kind.flies + 5 * kind.rangestrikes + 4 * kind.magic + 1000 * kind.is_titan
    return value + 3 * is_favoured(land, kind)


def is_favoured(land: Battleland, kind: Creature) -> bool:
    """Return whether a creature is native to a hazard or hexside of a battleland that helps it."""
    helpful = {"Brambles", "Tree", "Volcano", "Stone"} & {*land.hazards}
    helpful |= {"Slope", "Dune"} & {*chain.from_iterable(land.hexsides)}
    return any(map(kind.lives_in, helpful))


def outside_score(land: Battleland, kind: Creature) -> int:
    """Return the score of staying outside the board, by the creature's worth."""
    return -1500 * (kind.points + kind.flies + kind.rangestrikes + is_favoured(land, kind))


def terrain_scores(land: Battleland, kind: Creature) -> list[int]:
    """Return ``terrain_score`` of all hexes of a battleland."""
    return [terrain_score(land, kind, number) for number in _HEXES]


def terrain_score(land: Battleland, kind: Creature, number: int) -> int:
    """Return the score of hex ``number`` by its hazard, hexsides and elevation alone.

    A native gains in helpful terrain; a creature that is not native loses in Brambles, and below a
    slope, wall or dune of a neighbour. Damage by the hazard counts for all.
    """
    hazard = land.hazards[number]
    bonuses_of_hazards = {
        "Tower": 2 * kind.power,
        "Brambles": kind.power,
        "Volcano": kind.skill + kind.power,
        "Sand": 3 * kind.skill,
    }
    bonus = bonuses_of_hazards.get(hazard, 0)
    weight_of_damage = 1
    if kind.is_titan:
        weight_of_damage = 5
    score = -200 * hazard_damage(kind, hazard) * weight_of_damage

    # The near hexside is that of the hex itself, the far one that of the neighbour.
    has_hexside = False
    is_below_hexside = False
    for side in range(6):
        near_hexside, far_hexside = land.edge(number, side)
        has_hexside = has_hexside or near_hexside in _HIDING_HEXSIDES
        is_below_hexside = is_below_hexside or far_hexside in _HIDING_HEXSIDES

    if kind.lives_in(hazard):
        if hazard in ("Tree", "Brambles", "Volcano", "Stone") or has_hexside:
            if land.elevations[number] > 0:
                bonus += kind.power
            score += 40 + 3 * bonus
    elif hazard == "Brambles" or is_below_hexside:
        score += 3 * bonus - 100
    return score


def closed_sides(land: Battleland, number: int) -> int:
    """Return how many neighbours of a hex are beyond the rim, or Tree or Stone.

    The fact sheet says "barred"; by the recorded moves Bog does not count.
    """
    count = 0
    for neighbour in NEIGHBOURS[number]:
        # Tree and Stone are the hazards through which nobody sees.
        if neighbour < 0 or HAZARDS[land.hazards[neighbour]].skill_through is None:
            count += 1
    return count
