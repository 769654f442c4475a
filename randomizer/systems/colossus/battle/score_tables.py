"""Tables of the worth of creatures and hexes for the game's AI before a battle begins.

These scores depend on the battleland and on the kinds of creatures, but not on where anybody is.
``ScoreTables`` has them as arrays, with an entry for each combination; the functions below work out
one entry, and state the rule.

All numbers are the game's, as the section "The simple AI's battle" of the project's fact sheet has
them; only ``closed_sides`` follows recorded moves instead.
"""

from __future__ import annotations

from itertools import chain

import numpy as np

from randomizer.systems.colossus.battle.hit_chances import SIXTHS
from randomizer.systems.colossus.battle.line_of_sight import steps_between
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.rules_by_land import SIZE
from randomizer.systems.colossus.battle_terrain import ENTRY_HEXES, Battleland, hazard_damage
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.rules import HAZARDS

FAR = 99
"""The range of an enemy outside: more than any on the board."""

_HEXES = range(HEX_COUNT)

# The value of killing a creature: a sum over its points and what it can do.

_VALUE_OF_POINT = 10
_VALUE_OF_SKILL = {2: 1, 4: 2}
"""By skill; the usual skill of 3 adds nothing."""
_VALUE_OF_FLIER = 4
_VALUE_OF_RANGESTRIKER = 5
_VALUE_OF_MAGIC = 4
_VALUE_OF_TITAN = 1000
_VALUE_OF_FAVOURED = 3
"""For a creature that the terrain of the battleland helps."""

_OUTSIDE = -1500
"""For staying outside, for each point of the creature, and each ability."""

# The score of a hex by its terrain.

_DAMAGE = -200
"""For each hit by the hazard."""

_DAMAGE_OF_TITAN = -1000
"""The same for a Titan."""

_HELPFUL_TERRAIN = 40
"""For a native in terrain that helps it."""

_HARMFUL_TERRAIN = -100
"""For a creature that is not native in Brambles, or below the hexside of a neighbour."""

_BONUS = 3
"""The factor of the bonus of a hazard, which counts in both cases."""

_HEXSIDES_WITH_HEIGHT = ("Slope", "Wall", "Dune")
"""The hexsides that are worse to stand below than above."""


class ScoreTables:
    """The scores for the battlelands and the kinds of creatures of some rule tables.

    A hex is an index up to SIZE, the last of which is outside of the board.
    """

    def __init__(self, tables: RuleTables) -> None:
        kinds = tables.kinds
        rules = tables.by_land
        # A battleland can be there several times, for several entry sides: it is judged once.
        lands = list(dict.fromkeys(tables.lands))
        number_of_land = {land: index for index, land in enumerate(lands)}
        numbers = [number_of_land[land] for land in tables.lands]
        self.values = np.array(
            [[kill_value(land, kind) for kind in kinds] for land in lands], np.float32
        )[numbers]
        """(lands, kinds): the value of killing each creature."""

        self.outside = np.array([[outside_score(land, kind) for kind in kinds] for land in lands])[
            numbers
        ]
        """(lands, kinds): the score of staying outside."""

        self.ranges = np.full((SIZE, SIZE), FAR, np.float32)
        """(SIZE, SIZE): the range of one hex from another, counting both ends."""
        for start in _HEXES:
            self.ranges[start, :HEX_COUNT] = [steps_between(start, end) + 1 for end in _HEXES]

        # The entrance of a side is one step beyond its entry hexes.
        ranges_from_entrance = [1 + self.ranges[list(hexes)].min(axis=0) for hexes in ENTRY_HEXES]
        self.entrances = np.array(ranges_from_entrance)[rules.entry_sides]
        """(lands, side, SIZE): the range of each hex from the entrance of a side."""

        self.terrain_scores = np.array(
            [[terrain_scores(land, kind) for kind in kinds] for land in lands]
        )[numbers]
        """(lands, kinds, hexes): the score of each hex by its terrain alone."""

        self.closed = np.array(
            [[closed_sides(land, hex_id) for hex_id in _HEXES] for land in lands]
        )[numbers]
        """(lands, hexes): how many sides of each hex are closed."""

        self.heights = np.array([land.elevations for land in lands])[numbers]
        """(lands, hexes): the elevation of each hex."""

        # The game rounds what a creature suffers, and not what it deals.
        means = (SIXTHS[rules.dice, rules.strike_number] / 6).astype(np.float32)
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
    value = _VALUE_OF_POINT * kind.points + _VALUE_OF_SKILL.get(kind.skill, 0)
    if kind.flies:
        value += _VALUE_OF_FLIER
    if kind.rangestrikes:
        value += _VALUE_OF_RANGESTRIKER
    if kind.magic:
        value += _VALUE_OF_MAGIC
    if kind.is_titan:
        value += _VALUE_OF_TITAN
    if is_favoured(land, kind):
        value += _VALUE_OF_FAVOURED
    return value


def is_favoured(land: Battleland, kind: Creature) -> bool:
    """Return whether a creature is native to a hazard or hexside of a battleland that helps it."""
    helpful = {"Brambles", "Tree", "Volcano", "Stone"} & {*land.hazards}
    helpful |= {"Slope", "Dune"} & {*chain.from_iterable(land.hexsides)}
    return any(map(kind.lives_in, helpful))


def outside_score(land: Battleland, kind: Creature) -> int:
    """Return the score of staying outside the board, by the creature's worth."""
    abilities = [kind.flies, kind.rangestrikes, is_favoured(land, kind)]
    return _OUTSIDE * (kind.points + abilities.count(True))


def terrain_scores(land: Battleland, kind: Creature) -> list[int]:
    """Return ``terrain_score`` of all hexes of a battleland."""
    return [terrain_score(land, kind, hex_id) for hex_id in _HEXES]


def terrain_score(land: Battleland, kind: Creature, hex_id: int) -> int:
    """Return the score of a hex by its hazard, hexsides and elevation alone.

    A native gains in helpful terrain; a creature that is not native loses in Brambles, and below a
    slope, wall or dune of a neighbour. Damage by the hazard counts for all.
    """
    hazard = land.hazards[hex_id]
    bonuses_of_hazards = {
        "Tower": 2 * kind.power,
        "Brambles": kind.power,
        "Volcano": kind.skill + kind.power,
        "Sand": 3 * kind.skill,
    }
    bonus = bonuses_of_hazards.get(hazard, 0)
    score_of_hit = _DAMAGE
    if kind.is_titan:
        score_of_hit = _DAMAGE_OF_TITAN
    score = score_of_hit * hazard_damage(kind, hazard)

    edges = [land.edge(hex_id, side) for side in range(6)]
    has_hexside = any(edge.own in _HEXSIDES_WITH_HEIGHT for edge in edges)
    is_below_hexside = any(edge.beyond in _HEXSIDES_WITH_HEIGHT for edge in edges)

    if kind.lives_in(hazard):
        if hazard in ("Tree", "Brambles", "Volcano", "Stone") or has_hexside:
            if land.elevations[hex_id] > 0:
                bonus += kind.power
            score += _HELPFUL_TERRAIN + _BONUS * bonus
    elif hazard == "Brambles" or is_below_hexside:
        score += _HARMFUL_TERRAIN + _BONUS * bonus
    return score


def closed_sides(land: Battleland, hex_id: int) -> int:
    """Return how many neighbours of a hex are beyond the rim, or Tree or Stone.

    The fact sheet says "barred"; by the recorded moves Bog does not count.
    """
    count = 0
    for neighbour in NEIGHBOURS[hex_id]:
        # Tree and Stone are the hazards through which nobody sees.
        if neighbour < 0 or HAZARDS[land.hazards[neighbour]].skill_through is None:
            count += 1
    return count
