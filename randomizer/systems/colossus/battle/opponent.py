"""The opponent: where the creatures of a side move and whom they strike, in many battles at once.

It follows the game's simple AI: every creature scores every hex, each keeps its best few, and the
legion takes a combination with a high sum. The weights are the game's, as the section "The simple
AI's battle" of the project's fact sheet has them; they are fitted to no recorded battle. Where the
game shuffles combinations until its time is up, this opponent places one creature after the other
and then improves single ones.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.battleland import ENTRY_HEXES, OUTSIDE, Battleland
from randomizer.systems.colossus.battle.creatures import Creature
from randomizer.systems.colossus.battle.line_of_sight import steps_between
from randomizer.systems.colossus.battle.many_battles import Battles
from randomizer.systems.colossus.battle.rule_tables import (
    MEAN_HITS,
    SIZE,
    Flags,
    Indices,
    Numbers,
    RuleTables,
)
from randomizer.systems.colossus.battle.strike_phase import StrikePhase, occupied_bits
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS
from randomizer.systems.colossus.rules import HAZARDS

ATTACKER, DEFENDER = 0, 1

FRIEND = 100
"""For each neighbouring friend."""

SHARED_TARGET = 50
"""For each target that a friend strikes, too."""

EARLY = 4
"""The last turn in which attackers mind wounds, and Titans keep back."""

WIDTH = 24
"""How many placements of a part of a legion are looked into further."""

MOST = 12
"""The most hexes that a creature chooses among."""

NEVER = np.float32(-1e9)


def kill_value(land: Battleland, kind: Creature) -> int:
    """Return what the game's AI gives for killing a creature."""
    value = 10 * kind.points + (1 if kind.skill <= 2 else 2 if kind.skill >= 4 else 0)
    value += 4 * kind.flies + 5 * kind.rangestrikes + 4 * kind.magic + 1000 * kind.is_titan
    return value + 3 * is_favoured(land, kind)


def is_favoured(land: Battleland, kind: Creature) -> bool:
    """Return whether a battleland has a hazard or hexside that its natives strike better by."""
    hexsides = {hexside for sides in land.hexsides for hexside in sides}
    helping = {"Brambles", "Tree", "Volcano", "Stone"} & {*land.hazards}
    return any(map(kind.lives_in, helping | ({"Slope", "Dune"} & hexsides)))


class Opponent:
    """The scores of one battle's creatures, worked out once for all battles."""

    def __init__(self, tables: RuleTables) -> None:
        self.tables = tables
        land, kinds = tables.land, tables.kinds
        self._values = np.array([kill_value(land, kind) for kind in kinds], np.float32)
        self._outside = [
            -1500.0 * (kind.points + kind.flies + kind.rangestrikes + is_favoured(land, kind))
            for kind in kinds
        ]
        self._range = np.full((SIZE, SIZE), 99, np.float32)
        self._friends = np.zeros(SIZE, np.uint32)
        for start in range(HEX_COUNT):
            for end in range(HEX_COUNT):
                steps = steps_between(start, end)
                self._range[start, end] = steps + 1
                self._friends[start] |= np.uint32((steps == 1) << end)
        self._ground = [
            np.array([_ground(land, kind, number) for number in range(HEX_COUNT)]) for kind in kinds
        ]
        self._entrances = np.array(
            [
                [*(1 + min(self._range[number, hexes]) for number in range(HEX_COUNT)), 0]
                for hexes in (list(ENTRY_HEXES[side]) for side in tables.entry_sides)
            ]
        )
        """(side, SIZE): the range from the entrance."""
        # Means of strikes by the hex of the enemy, then that of the own creature: rows to take.
        means = MEAN_HITS[tables.dice, tables.number]
        self._deals = np.ascontiguousarray(means.swapaxes(2, 3))
        self._takes = np.floor(means)

    # --- moving ---------------------------------------------------------------------------------

    def move(self, battles: Battles, side: int) -> None:
        """Move the creatures of a side."""
        slots = battles.sides[side]
        held = battles.held(side)
        rows = range(*slots.indices(len(battles.kinds)))
        every = np.arange(battles.count)
        reach = np.array(
            [battles.moves(slot, side, every, held[row]).T for row, slot in enumerate(rows)]
        )
        mobile = reach.any(axis=2)
        reach[np.arange(len(rows))[:, None], every, battles.hex[slots]] = True
        scores = Scores(self, battles, side)
        base = np.array([scores.of(slot) for slot in rows])
        base += self._jitter(battles, side)
        choice = _Choice(base, reach, mobile, battles.hex[slots], battles.gone[slots], scores.hits)
        goals = choice.choose(self._friends)
        self._go(battles, side, goals, base)

    def _jitter(self, battles: Battles, side: int) -> Numbers:
        """(n, SIZE): less than any weight; decides between equal hexes, as a shuffle would."""
        sites = np.arange(SIZE, dtype=np.uint64) + np.uint64(
            1_000_000 + (battles.turn * 2 + side) * SIZE
        )
        return battles.draw(sites[:, None], slice(None)).T.astype(np.float32) * 0.5

    def _go(self, battles: Battles, side: int, goals: Indices, base: Numbers) -> None:
        """Move the creatures to their goals, (slots, n), in an order in which they can go there."""
        slots = battles.sides[side]
        start = battles.hex[slots]
        held = battles.held(side)
        waits = goals != start
        steps = np.where(
            start == OUTSIDE, self._entrances[side][goals], self._range[start, goals]
        ) * waits
        for far in (*range(int(steps.max()), 0, -1), 0):  # the farthest first: nobody is in the way
            for row in range(len(goals)):
                which = np.flatnonzero(waits[row] & ((steps[row] == far) | (far == 0)))
                if len(which):
                    ends = battles.moves(slots.start + row, side, which, held[row])
                    able = ends[goals[row, which], np.arange(len(which))]
                    battles.move(slots.start + row, which[able], goals[row, which[able]])
                    waits[row, which[able]] = False
        for row in range(len(goals)):  # who cannot go there takes the best hex, or stays
            which = np.flatnonzero(waits[row])
            if len(which):
                ends = battles.moves(slots.start + row, side, which, held[row])
                scores = np.where(ends.T, base[row, which], NEVER)
                goal = scores.argmax(axis=1)
                every = np.arange(len(which))
                able = scores[every, goal] > base[row, which, start[row, which]]
                battles.move(slots.start + row, which[able], goal[able])

    # --- strikes --------------------------------------------------------------------------------

    def strike(self, battles: Battles, side: int, phase: int, *, ranged: bool) -> None:
        """Let the creatures of a side strike: those with one target first, then the best target."""
        strikes = StrikePhase(battles, side, phase, ranged=ranged)
        kinds = battles.kinds[strikes.targets]
        values = self._values[kinds]
        powers = battles.powers[strikes.targets]
        for row in range(strikes.possible.shape[0]):
            which = np.flatnonzero(strikes.possible[row].sum(axis=0) == 1)
            if len(which):
                targets = strikes.possible[row][:, which].argmax(axis=0)
                strikes.strike(which, np.full(len(which), row), targets, values)
        while True:
            which = np.flatnonzero(strikes.possible.any(axis=(0, 1)))
            if not len(which):
                return
            possible = strikes.possible[:, :, which]
            sums = (strikes.mean_hits[:, :, which] * possible).sum(axis=0)
            dies = sums + battles.hits[strikes.targets][:, which] >= powers
            worth = np.where(dies, 10_000 + values[:, None], values[:, None] * sums / powers)
            targets = np.where(possible.any(axis=0), worth, -1).argmax(axis=0)
            strikers = possible[:, targets, np.arange(len(which))].argmax(axis=0)
            strikes.strike(which, strikers, targets, values)


class Scores:
    """What the hexes are worth for the creatures of a side, with the enemies where they are.

    ``hits`` holds for every slot of the side the enemies that it can strike from each hex:
    (enemies, n, SIZE).
    """

    def __init__(self, opponent: Opponent, battles: Battles, side: int) -> None:
        self._opponent, self._battles, self._side = opponent, battles, side
        enemies = battles.sides[1 - side]
        self._enemies = [
            slot
            for slot in range(*enemies.indices(len(battles.kinds)))
            if (battles.hex[slot] != OUTSIDE).any()
        ]
        tables = battles.tables
        contact = tables.contact.T
        shape = (len(self._enemies), battles.count, SIZE)
        self._contact = np.empty(shape, np.bool_)
        for row, enemy in enumerate(self._enemies):
            np.take(contact, battles.hex[enemy], axis=0, out=self._contact[row])
        self._any_contact = self._contact.any(axis=0)
        self._kinds: dict[int, tuple[Numbers, Numbers, Flags]] = {}
        self.hits: list[Flags] = []
        nearest = np.full((battles.count, SIZE), 99, np.float32)
        if side == ATTACKER:
            for enemy in self._enemies:
                np.minimum(nearest, opponent._range[battles.hex[enemy]], out=nearest)
        self._nearest = nearest

    def of(self, slot: int) -> Numbers:
        """(n, SIZE): the score of a creature on each hex and outside."""
        battles, opponent = self._battles, self._opponent
        index = int(battles.kinds[slot])
        if index not in self._kinds:
            self._kinds[index] = self._of_kind(index)
        score, damage, hits = self._kinds[index]
        self.hits.append(hits)
        kind = battles.tables.kinds[index]
        score = score.copy()
        if self._side == DEFENDER or battles.turn <= EARLY:
            factor = 1 if self._side == ATTACKER else 2
            value = opponent._values[index] * factor
            dies = damage + battles.hits[slot][:, None] >= kind.power
            score -= np.where(dies, 20 * value, value) * self._any_contact
        outside = battles.hex[slot] == OUTSIDE
        score[:, OUTSIDE] = np.where(outside, opponent._outside[index], NEVER)
        return score

    def _of_kind(self, index: int) -> tuple[Numbers, Numbers, Flags]:
        """Return the score of a kind but for its wounds, the hits it must expect, its targets."""
        battles, opponent = self._battles, self._opponent
        kind, tables = battles.tables.kinds[index], battles.tables
        value = np.zeros((battles.count, SIZE), np.float32)
        damage, bonus = np.zeros_like(value), np.zeros_like(value)
        for row, enemy in enumerate(self._enemies):
            other = int(battles.kinds[enemy])
            foe, place, contact = tables.kinds[other], battles.hex[enemy], self._contact[row]
            dealt = opponent._deals[index, other][place]
            most = np.maximum(value, opponent._values[other])
            kills = dealt + battles.hits[enemy][:, None] >= foe.power
            harm = np.floor(dealt * (0.5 / foe.power) * most)
            value = np.where(contact, np.where(kills, most, harm), value)
            damage += opponent._takes[other, index][place]
            extra = 1300 * foe.is_titan + 600 * (foe.name == "Warlock")
            extra += 500 * (foe.rangestrikes and not kind.rangestrikes)
            if extra:
                bonus += contact * np.float32(extra)
        attacks = self._side == ATTACKER
        score = bonus + (25 if attacks else 1) * value
        score += self._any_contact * np.float32(400 if attacks else -20)
        score[:, :HEX_COUNT] += opponent._ground[index] + self._position(kind)
        if attacks and not kind.is_titan:
            score -= 300 * self._nearest
        hits = self._contact
        if kind.rangestrikes:
            ranged, extra_score = self._ranged(index)
            hits = hits | ranged
            score += extra_score
        return score, damage, hits

    def _position(self, kind: Creature) -> Numbers:
        battles, opponent = self._battles, self._opponent
        land, reach = battles.tables.land, opponent._entrances[self._side, :HEX_COUNT]
        elevations = np.array(land.elevations)
        closed = np.array([_closed_sides(land, number) for number in range(HEX_COUNT)])
        in_tower = land.tower and self._side == DEFENDER
        if kind.is_titan:
            if in_tower:
                return 2000 * elevations
            return (400 * closed - 5000 * reach) * (battles.turn <= EARLY)
        if self._side == ATTACKER:
            return np.zeros(HEX_COUNT, np.float32)
        if in_tower:
            return 80 * elevations
        alive = (~battles.gone[battles.sides[DEFENDER]]).sum(axis=0)
        best = np.where((alive <= 3) & (battles.turn < EARLY), 2, 3)[:, None]
        return closed - 60 * np.abs(reach - best)

    def _ranged(self, index: int) -> tuple[Flags, Numbers]:
        """Return the targets of rangestrikes from each hex, (enemies, n, SIZE), and their score."""
        battles = self._battles
        tables, kind = battles.tables, battles.tables.kinds[index]
        targets = np.zeros_like(self._contact)
        score = np.zeros((battles.count, SIZE), np.float32)
        clear = np.zeros((battles.count, SIZE), np.bool_)
        occupied = occupied_bits(battles)[:, None]
        hexes = np.arange(SIZE)[None, :]
        for row, enemy in enumerate(self._enemies):
            other = int(battles.kinds[enemy])
            foe = tables.kinds[other]
            dice, number = tables.rangestrike(
                index, other, hexes, battles.hex[enemy][:, None], occupied
            )
            targets[row] = (dice > 0) & ~self._any_contact
            score += targets[row] * np.float32(500 * foe.is_titan)
            clear |= targets[row] & (number <= 4 - kind.skill + foe.skill)
        count = targets.sum(axis=0)
        score += 300 * (count > 0) + 100 * (count > 1) + 100 * clear
        return targets, score


class _Choice:
    """The search for hexes of a whole side that together have a high score.

    The creatures are placed one after the other, the most important first; WIDTH of the best
    placements go on each time.
    """

    def __init__(
        self,
        base: Numbers,
        reach: Flags,
        mobile: Flags,
        start: Indices,
        gone: Flags,
        hits: list[Flags],
    ) -> None:
        self._mobile, self._start, self._gone = mobile, start, gone
        self._hits = [
            (each * (1 << np.arange(len(each), dtype=np.uint8))[:, None, None]).sum(
                axis=0, dtype=np.uint8
            )
            for each in hits
        ]
        ranks = np.cumsum(mobile, axis=0)
        count = ranks[-1]
        more = np.select([count >= 7, count == 6, count == 5], [1, 3, 8], 16)
        self._most = np.minimum(ranks + more, MOST)
        scores = np.where(reach, base, NEVER)
        self._order = np.argsort(-scores, axis=2)[:, :, :MOST]
        self._scores = np.take_along_axis(scores, self._order, axis=2)
        self._scores[np.arange(MOST) >= self._most[:, :, None]] = NEVER

    def choose(self, friends: NDArray[np.uint32]) -> Indices:
        """Return the hex of every creature, (slots, n); those that cannot move stay."""
        slots, count = self._start.shape
        every = np.arange(count)
        occupied = np.zeros((count, 1), np.uint32)
        once, twice = np.zeros((count, 1), np.uint8), np.zeros((count, 1), np.uint8)
        for row in range(slots):
            placed = ~self._mobile[row] & ~self._gone[row]
            here = self._start[row]
            hits = (self._hits[row][every, here] * placed)[:, None]
            occupied[:, 0] |= _BITS[here] * placed
            twice |= once & hits
            once |= hits
        fixed, unmoved = once.copy(), occupied.copy()
        total = np.zeros((count, 1), np.float32)
        goals = np.zeros((count, 1, slots), np.int8)
        for row in range(slots):
            moving = self._mobile[row]
            width = total.shape[1]
            if not moving.any():
                goals[:, :, row] = self._start[row][:, None]
                continue
            most = int(self._most[row][moving].max())
            order, scores = self._order[row][:, :most], self._scores[row][:, :most].copy()
            hits = self._hits[row][every[:, None], order]
            near = friends[order]
            bits = _BITS[order]
            if not moving.all():
                still = ~moving
                order = np.where(moving[:, None], order, self._start[row][:, None])
                scores[still] = NEVER
                scores[still, 0] = 0
                hits = hits * moving[:, None]
                near = near * moving[:, None]
                bits = bits * moving[:, None]
            gain = total[:, :, None] + scores[:, None]
            near_movers = near[:, None] & (occupied & ~unmoved)[:, :, None]
            gain += 2 * FRIEND * _ones(near_movers)
            gain += FRIEND * _ones(near & unmoved)[:, None]
            shared = hits[:, None] & once[:, :, None]
            gain += SHARED_TARGET * _ONES[shared]
            gain += SHARED_TARGET * _ONES[shared & ~(twice | fixed)[:, :, None]]
            gain[(bits[:, None] & occupied[:, :, None]) != 0] = NEVER
            gain = gain.reshape(count, -1)
            if gain.shape[1] > WIDTH:
                best = np.argpartition(gain, -WIDTH, axis=1)[:, -WIDTH:]
            else:
                best = np.broadcast_to(np.arange(gain.shape[1]), gain.shape)
            total = np.take_along_axis(gain, best, axis=1)
            parent, choice = best // most, best % most
            which = every[:, None]
            goals = goals[which, parent]
            goals[:, :, row] = order[which, choice]
            occupied = occupied[which, parent] | bits[which, choice]
            struck = hits[which, choice]
            once, twice = once[which, parent], twice[which, parent]
            twice = twice | (once & struck)
            once = once | struck
        best = total.argmax(axis=1)
        return goals[every, best].T.astype(np.intp)


_BITS = np.array([*(1 << number for number in range(HEX_COUNT)), 0], np.uint32)
_ONES = np.array([bin(value).count("1") for value in range(1 << 16)], np.float32)
"""The number of bits of a value."""


def _ones(bits: NDArray[np.uint32]) -> Numbers:
    return _ONES[bits & 0xFFFF] + _ONES[bits >> 16]


def _ground(land: Battleland, kind: Creature, number: int) -> float:
    """Return what a hex is worth by its hazard, hexsides and elevation alone."""
    hazard = land.hazards[number]
    native = kind.lives_in(hazard)
    bonus = {
        "Tower": 2 * kind.power,
        "Brambles": kind.power,
        "Volcano": kind.skill + kind.power,
        "Sand": 3 * kind.skill,
    }.get(hazard, 0)
    from randomizer.systems.colossus.battle.battleland import hazard_damage

    score = -200 * hazard_damage(kind, hazard) * (5 if kind.is_titan else 1)
    high = ("Slope", "Wall", "Dune")
    edges = [land.edge(number, side) for side in range(6)]
    favourable = hazard in ("Tree", "Brambles", "Volcano", "Stone")
    if native and (favourable or any(own in high for own, _other in edges)):
        score += 40 + 3 * (bonus + kind.power * (land.elevations[number] > 0))
    elif not native and (hazard == "Brambles" or any(other in high for _own, other in edges)):
        score += 3 * bonus - 100
    return score


def _closed_sides(land: Battleland, number: int) -> int:
    """Return how many neighbours of a hex are beyond the rim, or Tree or Stone.

    The sheet says "barred"; by the recorded moves Bog is not meant.
    """
    return sum(
        beyond < 0 or HAZARDS[land.hazards[beyond]].through is None for beyond in NEIGHBOURS[number]
    )
