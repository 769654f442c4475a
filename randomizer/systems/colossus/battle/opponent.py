"""The opponent: where the creatures of a side move and whom they strike, in many battles at once.

It follows the game's simple AI: every creature scores every hex, each keeps its best few, and the
legion takes the combination with the highest sum. Where the game shuffles combinations until its
time is up, ``placement`` searches. All numbers below are the game's, as the section "The simple
AI's battle" of the project's fact sheet has them; none is fitted to recorded battles.

``simulator`` calls ``Opponent.move`` and ``Opponent.strike``. Many battles are computed at once: n
is their number in the shapes of arrays, and SIZE that of the hexes and the outside.
"""

from __future__ import annotations

from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.line_of_sight import steps_between
from randomizer.systems.colossus.battle.many_battles import (
    ATTACKER,
    DEFENDER,
    Battles,
    StrikePhase,
    occupied_bits,
)
from randomizer.systems.colossus.battle.placement import FRIEND, NEVER, place
from randomizer.systems.colossus.battle.rule_tables import (
    SIXTHS,
    SIZE,
    Flags,
    Indices,
    Numbers,
    RuleTables,
)
from randomizer.systems.colossus.battle_terrain import (
    ENTRY_HEXES,
    OUTSIDE,
    Battleland,
    hazard_damage,
)
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.creatures import Creature
from randomizer.systems.colossus.rules import HAZARDS

EARLY = 4
"""The last turn in which attackers mind wounds, and Titans keep back: the game's number."""

FAR = 99
"""The range of an enemy outside: more than any on the board."""

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

_KILL_BEFORE_WOUND = 10_000
"""A target that would die is struck before any other: more than a kill value."""

_HEXES = range(HEX_COUNT)

_JITTER_SITES = np.uint64(1 << 32)
"""The first site of the draws that decide between equal hexes: beyond the sites of strikes."""

_RETRY = 0
_GIVE_UP = -1
"""The last two rounds of moves: the others are called by the distance that creatures go."""


class _SideWeights(NamedTuple):
    """What the game weighs otherwise for attackers than for defenders."""

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


class Opponent:
    """Moves and strikes for both sides, by what their creatures think of each hex.

    Example::

        opponent.move(battles, DEFENDER)
        opponent.strike(battles, DEFENDER, phase=2, ranged=True)
    """

    def __init__(self, tables: RuleTables) -> None:
        lands = tables.lands
        kinds = tables.kinds
        self._values = np.array(
            [[kill_value(land, kind) for kind in kinds] for land in lands], np.float32
        )
        """(lands, kinds): the value of killing each creature."""
        self._outside = np.array([[outside_score(land, kind) for kind in kinds] for land in lands])
        """(lands, kinds): the score of staying outside."""
        self._ranges = np.full((SIZE, SIZE), FAR, np.float32)
        """(SIZE, SIZE): the range of one hex from another, counting both ends."""
        for start in _HEXES:
            self._ranges[start, :HEX_COUNT] = [steps_between(start, end) + 1 for end in _HEXES]
        ranges = [1 + self._ranges[list(hexes)].min(axis=0) for hexes in ENTRY_HEXES]
        self._entrances = np.array(ranges)[tables.entry_sides]
        """(lands, side, SIZE): the range of each hex from the entrance of a side."""
        self._terrain_scores = np.array(
            [[terrain_scores(land, kind) for kind in kinds] for land in lands]
        )
        """(lands, kinds, hexes): the score of each hex by its terrain alone."""
        self._closed = np.array(
            [[closed_sides(land, number) for number in _HEXES] for land in lands]
        )
        """(lands, hexes): how many sides of each hex are closed."""
        self._heights = np.array([land.elevations for land in lands])
        """(lands, hexes): the elevation of each hex."""
        means = (SIXTHS[tables.dice, tables.number] / 6).astype(np.float32)
        self._hits_dealt = np.ascontiguousarray(means.swapaxes(3, 4))
        """(lands, kinds, kinds, SIZE, SIZE): the mean hits of a strike, by land, the kinds of
        striker and target, the hex of the target, and that of the striker."""
        self._hits_suffered = np.floor(means)
        """(lands, kinds, kinds, SIZE, SIZE): the whole mean hits of an enemy's strike, by land, the
        kinds of enemy and target, the hex of the enemy, and that of the target."""

    # --- moving ---------------------------------------------------------------------------------

    def move(self, battles: Battles, side: int) -> None:
        """Move the creatures of a side: score all hexes, place the legion, and go there."""
        slots_of_side = battles.sides[side]
        slots = range(slots_of_side.start, slots_of_side.stop)

        # The hexes where each creature can be after the move, (slots, n, SIZE).
        every_battle = np.arange(battles.count)
        start = battles.hex[slots_of_side]
        reach = np.array([battles.moves(slot, every_battle).T for slot in slots])
        mobile = np.asarray(reach.any(axis=2))
        reach[np.arange(len(slots))[:, None], every_battle, start] = True  # everybody can stay
        stays = ~mobile & ~battles.gone[slots_of_side]

        side_scores = _Scores(self, battles, side)
        worths = [side_scores.worth_of_hexes(slot) for slot in slots]
        scores = np.array([worth.scores for worth in worths])
        scores = scores + self._jitter(battles, slots)
        goals = place(
            scores=np.where(reach, scores, NEVER),
            mobile=mobile,
            stays=stays,
            start=start,
            targets=[worth.targets for worth in worths],
            guards=[worth.guard for worth in worths],
        )
        self._go(battles, side, goals, scores)

    def _jitter(self, battles: Battles, slots: range) -> NDArray[np.float64]:
        """Return what is added to the scores of creatures, (slots, n, SIZE).

        It is less than any weight, and decides between equal hexes. It leaves no ties: so a battle
        does not depend on those that are fought together with it.
        """
        first_site = SIZE * (len(battles.kinds) * battles.turn + slots.start)
        sites = np.arange(SIZE * len(slots), dtype=np.uint64)
        sites = sites + np.uint64(first_site) + _JITTER_SITES
        return battles.draw(sites.reshape(-1, SIZE, 1), slice(None)).swapaxes(1, 2) / 2

    def _go(self, battles: Battles, side: int, goals: Indices, scores: NDArray[np.float64]) -> None:
        """Move creatures to their goals, (slots, n), in an order in which they can go there."""
        first = battles.sides[side].start
        start = battles.hex[battles.sides[side]]
        waits = goals != start
        outside = start == OUTSIDE
        lands = battles.lands_of(slice(None))
        from_outside = self._entrances[lands, side, goals]
        steps = np.where(outside, from_outside, self._ranges[start, goals]) * waits
        # The game tries orders until one lets all through. Here who goes far goes first, so that
        # nobody is in the way. In a further round everybody who still waits may try; in the last
        # one who cannot come to its goal takes the best hex that it can reach, or stays.
        for distance in (*range(int(steps.max()), 0, -1), _RETRY, _GIVE_UP):
            for row in range(len(goals)):
                is_due = waits[row]
                if distance > 0:
                    is_due = is_due & (steps[row] == distance)
                which = np.flatnonzero(is_due)
                if not len(which):
                    continue
                goal = goals[row, which]
                reachable = battles.moves(first + row, which).T
                can_move = reachable[np.arange(len(which)), goal]
                if distance == _GIVE_UP:
                    reachable_scores = np.where(reachable, scores[row, which], NEVER)
                    goal = reachable_scores.argmax(axis=1)
                    score_of_staying = scores[row, which, start[row, which]]
                    can_move = reachable_scores.max(axis=1) > score_of_staying
                battles.move(first + row, which[can_move], goal[can_move])
                waits[row, which[can_move]] = False

    # --- strikes --------------------------------------------------------------------------------

    def strike(self, battles: Battles, side: int, phase: int, *, ranged: bool) -> None:
        """Let the creatures of a side strike: those with one target first, then the best target.

        With ``ranged`` they rangestrike.
        """
        strikes = StrikePhase(battles, side, phase, ranged=ranged)
        # The value of killing each target in each battle, (targets, n).
        values = self._values[battles.lands_of(slice(None))][:, battles.kinds[strikes.targets]].T
        values = np.broadcast_to(values, (len(values), battles.count))
        powers = battles.powers[strikes.targets]

        # Every creature with exactly one target strikes it.
        for row, possible in enumerate(strikes.possible):
            which = np.flatnonzero(possible.sum(axis=0) == 1)
            target = possible[:, which].argmax(axis=0)
            strikes.strike(which, np.full(len(which), row), target, values)

        # Then the best target of all is struck by the first creature that can, again and again.
        while True:
            which = np.flatnonzero(strikes.possible.any(axis=(0, 1)))
            if not which.size:
                return
            possible = strikes.possible[:, :, which]
            # The expected hits of all who can still strike each target, in sixths: these are whole
            # numbers, which add up without rounding.
            sixths = strikes.sixths[:, :, which].sum(axis=0)
            dies = sixths + 6 * battles.hits[strikes.targets][:, which] >= 6 * powers
            # Of those that would die the one of the highest value; any of them before all others.
            worth_of_kill = _KILL_BEFORE_WOUND + values[:, which]
            worth_of_wound = values[:, which] * sixths / powers
            worth = np.where(dies, worth_of_kill, worth_of_wound)
            target = np.where(possible.any(axis=0), worth, -1).argmax(axis=0)
            striker = possible[:, target, np.arange(len(which))].argmax(axis=0)
            strikes.strike(which, striker, target, values)


class _Worth(NamedTuple):
    """What hexes are worth for a creature."""

    scores: Numbers
    """(n, SIZE): the score of each hex, and of staying outside."""
    targets: Flags
    """(enemies, n, SIZE): whom it can strike from each hex."""
    guard: Numbers
    """(n,): what it gets for being beside its Titan, more than beside another friend."""


class _Scores:
    """What the hexes are worth for the creatures of a side, with all others where they are.

    It lives for one move of that side. The numbers are the game's ("Score of one creature on one
    hex" in the fact sheet).
    """

    def __init__(self, opponent: Opponent, battles: Battles, side: int) -> None:
        self._opponent = opponent
        self._battles = battles
        self._side = side
        self._weights = _WEIGHTS[side]
        enemies = battles.sides[1 - side]
        enemy_slots = range(enemies.start, enemies.stop)
        kinds = battles.tables.kinds
        kinds_of_side = battles.kinds[battles.sides[side]]
        self._has_titan = any(kinds[kind].is_titan for kind in kinds_of_side)
        """Whether the side began with a Titan."""
        self._enemies = [slot for slot in enemy_slots if (battles.hex[slot] != OUTSIDE).any()]
        """The slots of the enemies that are on the board in some battle."""
        hexes = battles.hex[self._enemies]
        self._lands = battles.lands_of(slice(None))
        """(n or 1,): the battleland of each battle."""
        self._contact: Flags = battles.tables.contact[self._lands, hexes]
        """(enemies, n, SIZE): from where each enemy can be struck."""
        self._any_contact = self._contact.any(axis=0)
        """(n, SIZE): from where any enemy can be struck."""
        self._nearest = opponent._ranges[hexes].min(axis=0, initial=FAR)
        """(n, SIZE): the range of the nearest enemy from each hex."""

    def worth_of_hexes(self, slot: int) -> _Worth:
        """Return what the hexes are worth for the creature of a slot."""
        battles = self._battles
        opponent = self._opponent
        kind_index = int(battles.kinds[slot])
        lands = self._lands
        kind = battles.tables.kinds[kind_index]
        hits = battles.hits[slot].astype(np.float32)
        scores = self._contact_scores(slot)
        terrain_scores = opponent._terrain_scores[lands, kind_index]
        scores[:, :HEX_COUNT] += terrain_scores + self._position(kind)
        targets = self._contact
        if kind.rangestrikes:
            ranged_targets, ranged_scores = self._ranged(kind_index)
            targets = targets | ranged_targets
            scores = scores + ranged_scores
        scores[:, OUTSIDE] = opponent._outside[lands, kind_index]
        guard = np.zeros(len(hits), np.float32)
        if self._has_titan and not kind.is_titan:
            # Any friend beside it is worth FRIEND, which ``placement`` counts: this is the rest.
            guard = _BESIDE_TITAN - FRIEND + 2 * kind.skill * (2 * kind.power - hits)
        return _Worth(scores, targets, guard)

    def _contact_scores(self, slot: int) -> Numbers:
        """Return the score of each hex for the strikes that a creature would have there, (n, SIZE).

        It is what the creature would deal to the enemies in contact, less what it would suffer.
        """
        battles = self._battles
        opponent = self._opponent
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

            # As the game does it, enemy after enemy: a kill raises the term to the value of the
            # enemy, a wound sets it to a part of that, even if it was higher before.
            dealt_hits = opponent._hits_dealt[lands, kind_index, enemy_index, hexes]
            enemy_values = opponent._values[lands, enemy_index][:, None]
            greatest_value = np.maximum(kill_term, enemy_values)
            kills = dealt_hits + battles.hits[enemy][:, None] >= enemy_kind.power
            harm = np.floor(dealt_hits * (0.5 / enemy_kind.power) * greatest_value)
            kill_term = np.where(contact, np.where(kills, greatest_value, harm), kill_term)
            wounds += opponent._hits_suffered[lands, enemy_index, kind_index, hexes]

            bonus = _ENEMY_TITAN * enemy_kind.is_titan + _ENEMY_WARLOCK * enemy_kind.magic
            if enemy_kind.rangestrikes and not kind.rangestrikes:
                bonus += _ENEMY_RANGESTRIKER
            scores += contact * np.float32(bonus)
        scores += weights.kill * kill_term
        scores += self._any_contact * np.float32(weights.contact)

        # Attackers mind their wounds only in early turns.
        if self._side == DEFENDER or battles.turn <= EARLY:
            dies = wounds + battles.hits[slot][:, None] >= kind.power
            loss = opponent._values[lands, kind_index][:, None] * weights.loss
            scores -= np.where(dies, _DEATH * loss, loss) * self._any_contact
        return scores

    def _position(self, kind: Creature) -> NDArray[np.float64]:
        """Return the score of hexes by where they are on the board, (n or 1, hexes)."""
        battles = self._battles
        opponent = self._opponent
        lands = self._lands
        ranges = opponent._entrances[lands, self._side, :HEX_COUNT]

        # Defenders of a tower go up.
        if self._side == DEFENDER and battles.tables.lands[0].tower:
            weight_of_height = _TOWER_HEIGHT
            if kind.is_titan:
                weight_of_height = _TITAN_TOWER_HEIGHT
            return np.asarray(weight_of_height * opponent._heights[lands])

        # Early Titans keep near the entrance, with their back to the rim.
        closed_sides_of_hexes = opponent._closed[lands]
        if kind.is_titan:
            is_early = battles.turn <= EARLY
            scores = _TITAN_CLOSED_SIDE * closed_sides_of_hexes + _TITAN_FROM_ENTRANCE * ranges
            return np.asarray(scores * is_early)

        if self._side == ATTACKER:
            return np.asarray(_RANGE_TO_ENEMY * self._nearest[:, :HEX_COUNT])

        # Defenders wait at a range of 3 from their entrance; 3 of them or fewer, early, at 2.
        are_few = (~battles.gone[battles.sides[DEFENDER]]).sum(axis=0) <= 3
        best_range = np.where(are_few & (battles.turn < EARLY), 2, 3)[:, None]
        return np.asarray(closed_sides_of_hexes + _RANGE_FROM_WAITING * np.abs(ranges - best_range))

    def _ranged(self, kind_index: int) -> tuple[Flags, Numbers]:
        """Return the targets of rangestrikes from each hex, (enemies, n, SIZE), and their score.

        The score has the shape (n, SIZE). Who is in contact with an enemy does not rangestrike.
        """
        battles = self._battles
        tables = self._battles.tables
        targets = np.zeros_like(self._contact)
        has_clear_target = np.zeros(self._any_contact.shape, np.bool_)
        has_titan = np.zeros(self._any_contact.shape, np.bool_)
        occupied = occupied_bits(battles)[:, None]
        hexes = np.arange(SIZE)
        lands = self._lands[:, None]
        skill = tables.kinds[kind_index].skill
        for row, enemy in enumerate(self._enemies):
            enemy_index = int(battles.kinds[enemy])
            enemy_hexes = battles.hex[enemy][:, None]
            enemy_kind = tables.kinds[enemy_index]
            dice, number = tables.rangestrike(
                lands, kind_index, enemy_index, hexes, enemy_hexes, occupied
            )
            targets[row] = (dice > 0) & ~self._any_contact
            # Clear: neither range nor terrain makes the strike number, the least score of a die
            # that hits, higher than the skills alone do.
            has_clear_target |= targets[row] & (number <= 4 - skill + enemy_kind.skill)
            has_titan |= targets[row] & enemy_kind.is_titan
        count = targets.sum(axis=0)
        scores = (
            _ANY_RANGED_TARGET * (count > 0)
            + _SECOND_RANGED_TARGET * (count > 1)
            + _CLEAR_RANGED_TARGET * has_clear_target
            + _TITAN_AT_RANGE * has_titan
        )
        return targets, scores.astype(np.float32)


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
        has_hexside = has_hexside or near_hexside in ("Slope", "Wall", "Dune")
        is_below_hexside = is_below_hexside or far_hexside in ("Slope", "Wall", "Dune")

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
