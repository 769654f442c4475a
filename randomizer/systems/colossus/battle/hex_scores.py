"""The worth of each hex for the creatures of a side, with all others where they are.

The game's simple AI adds up, for a creature on a hex: what it could deal and would suffer there,
what the terrain does for it, how far it is from where the side wants to be, and whom it could
rangestrike. All numbers are the game's ("Score of one creature on one hex" in the project's fact
sheet); none is fitted to recorded battles.

Many battles are computed at once: n is their number in the shapes of arrays, SIZE that of the hexes
and the outside.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.many_battles import (
    ATTACKER,
    DEFENDER,
    Battles,
    occupied_bits,
)
from randomizer.systems.colossus.battle.placement import FRIEND
from randomizer.systems.colossus.battle.rules_by_land import SIZE, Flags, Numbers
from randomizer.systems.colossus.battle.score_tables import FAR, ScoreTables
from randomizer.systems.colossus.battle.strikes import EVEN_STRIKE_NUMBER
from randomizer.systems.colossus.battle_terrain import OUTSIDE
from randomizer.systems.colossus.board import HEX_COUNT
from randomizer.systems.colossus.creatures import Creature

EARLY = 4
"""The last turn in which attackers mind wounds, and Titans keep back: the game's number."""

_EARLY_FOR_FEW = 3
"""The last turn in which few defenders wait nearer to their entrance, one turn less in the game."""

_FEW_DEFENDERS = 3
"""So many defenders, or fewer, are few."""

_WAITING_RANGE = 3
"""The range from their entrance at which defenders wait."""

_WAITING_RANGE_OF_FEW = 2
"""The same for few defenders in early turns."""

_WOUND = 0.5
"""The part of an enemy's value that counts for wounds by which it would just die."""

# Scores of being beside enemies, of rangestrikes, and of a position; all are added up.

_ENEMY_TITAN = 1300
"""For each enemy Titan in contact."""

_ENEMY_WARLOCK = 600
"""For each enemy in contact that has magic missiles."""

_ENEMY_RANGESTRIKER = 500
"""For each enemy in contact that rangestrikes, for a creature that does not."""

_DEATH = 20
"""The factor of a creature's loss where it must expect to die, not only to be wounded."""

_ANY_RANGED_TARGET = 300
"""For having a target of rangestrikes."""

_SECOND_RANGED_TARGET = 100
"""For having a second one, too."""

_CLEAR_RANGED_TARGET = 100
"""For having a target that is struck without a penalty of range or terrain."""

_TITAN_AT_RANGE = 500
"""For having a Titan as a target of rangestrikes."""

_BESIDE_TITAN = 600
"""For being beside one's own Titan; ``FRIEND`` is that for any other friend."""

_RANGE_TO_ENEMY = -300
"""For attackers, for each hex of the range to the nearest enemy."""

_RANGE_FROM_WAITING = -60
"""For defenders, for each hex of the distance from the range at which they wait."""

_TITAN_FROM_ENTRANCE = -5000
"""For early Titans, for each hex of the range from the entrance."""

_TITAN_CLOSED_SIDE = 400
"""For early Titans, for each side of the hex that is closed: ``closed_sides``."""

_TOWER_HEIGHT = 80
"""For defenders of a tower, for each level of elevation."""

_TITAN_TOWER_HEIGHT = 2000
"""The same for their Titan."""


class _SideWeights(NamedTuple):
    """The weights in which the game treats attackers otherwise than defenders."""

    kill: int
    """The factor of the value that a creature can gain by its strikes."""

    contact: int
    """The score of being in contact with enemies at all."""

    loss: int
    """The factor of a creature's value, which it can lose."""


_WEIGHTS = {
    ATTACKER: _SideWeights(kill=25, contact=400, loss=1),
    DEFENDER: _SideWeights(kill=1, contact=-20, loss=2),
}
"""The weights of each side: attackers seek contact, defenders mind their losses."""


class HexWorths(NamedTuple):
    """The worth of hexes for a creature."""

    scores: Numbers
    """(n, SIZE): the score of each hex, and of staying outside."""

    targets: Flags
    """(enemies, n, SIZE): whom it can strike from each hex."""

    guard: Numbers
    """(n,): what it gets for being beside its Titan, more than beside another friend."""


class _RangedTargets(NamedTuple):
    """Whom a creature could rangestrike from each hex."""

    targets: Flags
    """(enemies, n, SIZE): the targets."""

    scores: Numbers
    """(n, SIZE): the score for having them."""


class HexScores:
    """The worth of hexes for the creatures of a side, with all others where they are.

    It lives for one move of that side. The numbers are the game's ("Score of one creature on one
    hex" in the fact sheet).
    """

    def __init__(self, tables: ScoreTables, battles: Battles, side: int) -> None:
        self._score_tables = tables
        self._battles = battles
        self._side = side
        self._weights = _WEIGHTS[side]
        enemies = battles.sides[1 - side]
        enemy_slots = range(enemies.start, enemies.stop)
        kinds = battles.tables.kinds
        kinds_of_side = battles.kinds[battles.sides[side]]

        # Who is there.
        self._has_titan = any(kinds[kind].is_titan for kind in kinds_of_side)
        """True if the side began with a Titan."""
        self._enemies = [slot for slot in enemy_slots if (battles.hex[slot] != OUTSIDE).any()]
        """The slots of the enemies that are on the board in some battle."""

        # Where the enemies are.
        hexes = battles.hex[self._enemies]
        self._lands = battles.lands_of(slice(None))
        """(n or 1,): the battleland of each battle."""
        self._contact: Flags = battles.tables.by_land.contact[self._lands, hexes]
        """(enemies, n, SIZE): from where each enemy can be struck."""
        self._any_contact = self._contact.any(axis=0)
        """(n, SIZE): from where any enemy can be struck."""
        self._nearest = tables.ranges[hexes].min(axis=0, initial=FAR)
        """(n, SIZE): the range of the nearest enemy from each hex."""

    def worth_of_hexes(self, slot: int) -> HexWorths:
        """Return what the hexes are worth for the creature of a slot."""
        battles = self._battles
        tables = self._score_tables
        kind_index = int(battles.kinds[slot])
        lands = self._lands
        kind = battles.tables.kinds[kind_index]
        hits = battles.hits[slot].astype(np.float32)
        scores = self._contact_scores(slot)
        terrain_scores = tables.terrain_scores[lands, kind_index]
        scores[:, :HEX_COUNT] += terrain_scores + self._position(kind)
        targets = self._contact
        if kind.rangestrikes:
            ranged = self._ranged_targets(kind_index)
            targets = targets | ranged.targets
            scores = scores + ranged.scores
        scores[:, OUTSIDE] = tables.outside[lands, kind_index]
        guard = np.zeros(len(hits), np.float32)
        if self._has_titan and not kind.is_titan:
            # Any friend beside it is worth FRIEND, which ``placement`` counts: this is the rest.
            # A strong creature guards a Titan better, and one that has been hit worse.
            strength = 2 * kind.skill * (2 * kind.power - hits)
            guard = _BESIDE_TITAN - FRIEND + strength
        return HexWorths(scores, targets, guard)

    def _contact_scores(self, slot: int) -> Numbers:
        """Return the score of each hex for the strikes that a creature would have there, (n, SIZE).

        It is what the creature would deal to the enemies in contact, less what it would suffer.
        """
        battles = self._battles
        tables = self._score_tables
        lands = self._lands
        weights = self._weights
        kind_index = int(battles.kinds[slot])
        kind = battles.tables.kinds[kind_index]
        kill_term = np.zeros(self._any_contact.shape, np.float32)
        wounds = np.zeros(self._any_contact.shape, np.float32)
        scores = np.zeros(self._any_contact.shape, np.float32)
        for row, enemy in enumerate(self._enemies):
            enemy_index = int(battles.kinds[enemy])
            enemy_kind = battles.tables.kinds[enemy_index]
            hexes = battles.hex[enemy]
            contact = self._contact[row]

            kill_term = np.where(contact, self._kill_term(kill_term, kind_index, enemy), kill_term)
            wounds += tables.hits_suffered[lands, enemy_index, kind_index, hexes]

            bonus = _ENEMY_TITAN * enemy_kind.is_titan + _ENEMY_WARLOCK * enemy_kind.magic
            if enemy_kind.rangestrikes and not kind.rangestrikes:
                bonus += _ENEMY_RANGESTRIKER
            scores += contact * np.float32(bonus)
        scores += weights.kill * kill_term
        scores += self._any_contact * np.float32(weights.contact)

        # Attackers mind their wounds only in early turns.
        if self._side == DEFENDER or battles.turn <= EARLY:
            dies = wounds + battles.hits[slot][:, None] >= kind.power
            loss = tables.values[lands, kind_index][:, None] * weights.loss
            scores -= np.where(dies, _DEATH * loss, loss) * self._any_contact
        return scores

    def _kill_term(self, kill_term: Numbers, kind_index: int, enemy: int) -> Numbers:
        """Return the score of killing or wounding one enemy more, (n, SIZE), as the game has it.

        Enemy after enemy a kill raises the term to the enemy's value, and a wound sets it to a part
        of that, even if it was higher before. With enemies worth 100 and 60::

            kill, kill          100, 100
            kill, half dead     100,  25       the half of the half of 100, not of 60
            half dead, kill      25,  60
        """
        battles = self._battles
        tables = self._score_tables
        lands = self._lands
        enemy_index = int(battles.kinds[enemy])
        power = battles.tables.kinds[enemy_index].power
        dealt_hits = tables.hits_dealt[lands, kind_index, enemy_index, battles.hex[enemy]]
        enemy_values = tables.values[lands, enemy_index][:, None]
        greatest_value = np.maximum(kill_term, enemy_values)
        kills = dealt_hits + battles.hits[enemy][:, None] >= power
        harm = np.floor(dealt_hits * (_WOUND / power) * greatest_value)
        return np.asarray(np.where(kills, greatest_value, harm))

    def _position(self, kind: Creature) -> NDArray[np.float64]:
        """Return the score of hexes by where they are on the board, (n or 1, hexes)."""
        battles = self._battles
        tables = self._score_tables
        lands = self._lands
        ranges = tables.entrances[lands, self._side, :HEX_COUNT]

        # Defenders of a tower go up.
        is_tower = battles.tables.lands[0].tower  # joined battlelands are all towers, or none
        if self._side == DEFENDER and is_tower:
            weight_of_height = _TOWER_HEIGHT
            if kind.is_titan:
                weight_of_height = _TITAN_TOWER_HEIGHT
            return np.asarray(weight_of_height * tables.heights[lands])

        # Early Titans keep near the entrance, with their back to the rim.
        closed_sides_of_hexes = tables.closed[lands]
        if kind.is_titan:
            is_early = battles.turn <= EARLY
            scores = _TITAN_CLOSED_SIDE * closed_sides_of_hexes + _TITAN_FROM_ENTRANCE * ranges
            return np.asarray(scores * is_early)

        if self._side == ATTACKER:
            return np.asarray(_RANGE_TO_ENEMY * self._nearest[:, :HEX_COUNT])

        # Defenders wait at some range from their entrance, few of them nearer.
        defender_counts = (~battles.gone[battles.sides[DEFENDER]]).sum(axis=0)
        waits_nearer = (defender_counts <= _FEW_DEFENDERS) & (battles.turn <= _EARLY_FOR_FEW)
        best_range = np.where(waits_nearer, _WAITING_RANGE_OF_FEW, _WAITING_RANGE)[:, None]
        return np.asarray(closed_sides_of_hexes + _RANGE_FROM_WAITING * np.abs(ranges - best_range))

    def _ranged_targets(self, kind_index: int) -> _RangedTargets:
        """Return the targets of rangestrikes; who is in contact with an enemy has none."""
        battles = self._battles
        rule_tables = self._battles.tables
        targets = np.zeros_like(self._contact)
        has_clear_target = np.zeros(self._any_contact.shape, np.bool_)
        has_titan = np.zeros(self._any_contact.shape, np.bool_)
        occupied = occupied_bits(battles)[:, None]
        hexes = np.arange(SIZE)
        lands = self._lands[:, None]
        skill = rule_tables.kinds[kind_index].skill
        for row, enemy in enumerate(self._enemies):
            enemy_index = int(battles.kinds[enemy])
            enemy_hexes = battles.hex[enemy][:, None]
            enemy_kind = rule_tables.kinds[enemy_index]
            rangestrikes = rule_tables.rangestrike(
                lands, kind_index, enemy_index, hexes, enemy_hexes, occupied
            )
            targets[row] = (rangestrikes.dice > 0) & ~self._any_contact
            # Clear: neither range nor terrain makes the strike number, the least score of a die
            # that hits, higher than the skills alone do.
            clear_number = EVEN_STRIKE_NUMBER - skill + enemy_kind.skill
            has_clear_target |= targets[row] & (rangestrikes.strike_numbers <= clear_number)
            has_titan |= targets[row] & enemy_kind.is_titan
        count = targets.sum(axis=0)
        scores = (
            _ANY_RANGED_TARGET * (count > 0)
            + _SECOND_RANGED_TARGET * (count > 1)
            + _CLEAR_RANGED_TARGET * has_clear_target
            + _TITAN_AT_RANGE * has_titan
        )
        return _RangedTargets(targets, scores.astype(np.float32))
