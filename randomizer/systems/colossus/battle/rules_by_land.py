"""The arrays of rules that depend on the battleland, and the types of arrays of battles.

``rule_filling`` fills the arrays of one battleland, ``rule_tables`` looks them up. To add an array,
name it in ``RulesByLand`` and ``blank_rules``, and fill it in ``RuleFiller``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.board import HEX_COUNT

Whole = NDArray[np.int8]
"""Small whole numbers, such as hits and dice."""

Flags = NDArray[np.bool_]
"""Truth values."""

Numbers = NDArray[np.float32]
"""Scores."""

Indices = NDArray[np.intp]
"""Indices, such as those of hexes, of kinds and of battles."""

SIZE = HEX_COUNT + 1
"""The number of hexes, and one for OUTSIDE."""

MAX_LINES = 2
"""The lines of sight between two hexes: a line along edges can pass on either side of them."""

BLOCKED = np.uint32(1 << 31)
"""The bit that marks a missing second line of sight.

Every set of occupied hexes contains it (``many_battles.occupied_bits``), so that a missing line
counts as blocked, by the same test as a line with creatures on it.
"""

HIGHEST_FACE = 6
"""The highest face of a die, and so the strike number of the hardest strike."""

SIDES = range(6)
"""The sides of a hex."""


class RulesByLand(NamedTuple):
    """What the rules say on one battleland, or on several, by battleland.

    The first axis of each array, *lands*, is that of the battlelands. *kinds* is the number of the
    different creatures.
    """

    entry_sides: Indices
    """(lands, 2): the entry side of the attacker and that of the defender, who is opposite."""

    contact: Flags
    """(lands, SIZE, SIZE): whether two hexes are neighbours without a cliff between them."""

    into_dune: Flags
    """(lands, SIZE, SIZE): whether a strike from the first hex goes up a dune of the second."""

    dice: Whole
    """(lands, kinds, kinds, SIZE, SIZE): the dice of a strike, 0 where there is none.

    The axes after the first are striker, target, the striker's hex and the target's.
    """

    strike_number: Whole
    """The strike number, which each die must show at least; the shape is that of ``dice``."""

    ranged_dice: Whole
    """The dice of a rangestrike, 0 where there is none; the shape is that of ``dice``."""

    ranged_strike_number: Whole
    """The strike number of a rangestrike: ``dice``'s axes, and one more for the lines of sight."""

    blockers: NDArray[np.uint32]
    """(lands, SIZE, SIZE, MAX_LINES): bit sets of the hexes that block a line if occupied."""

    damage: Whole
    """(lands, kinds, SIZE): the hits that a creature takes from the hazard before strikes."""

    slows: Whole
    """(lands, kinds, SIZE): the movement points that the hazard takes before strikes."""

    heals: Whole
    """(lands, kinds, SIZE): the hits that the hazard heals before strikes."""

    stop_cost: Whole
    """(lands, kinds, hexes, 6): the cost of entering a hex across a side, and stopping."""

    cross_cost: Whole
    """The cost of entering a hex and going on, in the shape of ``stop_cost``.

    It differs for fliers, who cross what they cannot land on.
    """


def blank_rules(kind_count: int) -> RulesByLand:
    """Return the arrays of one battleland on which no creature can strike or is hindered."""
    strikes = (1, kind_count, kind_count, SIZE, SIZE)
    hazards = (1, kind_count, SIZE)
    entries = (1, kind_count, HEX_COUNT, len(SIDES))
    return RulesByLand(
        entry_sides=np.zeros((1, 2), np.intp),
        contact=np.zeros((1, SIZE, SIZE), np.bool_),
        into_dune=np.zeros((1, SIZE, SIZE), np.bool_),
        dice=np.zeros(strikes, np.int8),
        strike_number=np.full(strikes, HIGHEST_FACE, np.int8),
        ranged_dice=np.zeros(strikes, np.int8),
        ranged_strike_number=np.full((*strikes, MAX_LINES), HIGHEST_FACE, np.int8),
        blockers=np.full((1, SIZE, SIZE, MAX_LINES), BLOCKED),
        damage=np.zeros(hazards, np.int8),
        slows=np.zeros(hazards, np.int8),
        heals=np.zeros(hazards, np.int8),
        stop_cost=np.zeros(entries, np.int8),
        cross_cost=np.zeros(entries, np.int8),
    )


def joined_rules(several: Sequence[RulesByLand]) -> RulesByLand:
    """Return the arrays of all battlelands, one after the other; the same creatures fight on all.

    Joining two battlelands, whose ``dice`` are each (1, kinds, kinds, SIZE, SIZE), gives ``dice``
    of the shape (2, kinds, kinds, SIZE, SIZE).
    """
    # zip puts the same array of all battlelands together: all ``entry_sides``, all ``contact`` ...
    return RulesByLand(*(np.concatenate(arrays) for arrays in zip(*several, strict=True)))
