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

ATTACKER, DEFENDER = 0, 1

FRIEND = 100
"""For each neighbouring friend."""

SHARED_TARGET = 50
"""For each target that a friend strikes, too."""

EARLY = 4
"""The last turn in which attackers mind wounds, and Titans keep back."""

ROUNDS = 2
"""How often the single creatures are improved."""

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
        self._friends = np.zeros((SIZE, SIZE), np.float32)
        for start in range(HEX_COUNT):
            for end in range(HEX_COUNT):
                steps = steps_between(start, end)
                self._range[start, end] = steps + 1
                self._friends[start, end] = steps == 1
        self._ground = [
            np.array([_ground(land, kind, number) for number in range(HEX_COUNT)]) for kind in kinds
        ]
        self._entrances = np.array(
            [
                [1 + min(self._range[number, hexes]) for number in range(HEX_COUNT)]
                for hexes in (list(ENTRY_HEXES[side]) for side in tables.entry_sides)
            ]
        )
        """(side, hexes): the range from the entrance."""
        # Means of strikes by the hex of the enemy, then that of the own creature: rows to take.
        means = MEAN_HITS[tables.dice, tables.number]
        self._deals = np.ascontiguousarray(means.swapaxes(2, 3))
        self._takes = np.floor(means)

    # --- moving ---------------------------------------------------------------------------------

    def move(self, battles: Battles, side: int) -> None:
        """Move the creatures of a side."""
        slots = battles.sides[side]
        held = battles.held(side)
        occupied = battles.occupied()
        rows = range(*slots.indices(len(battles.kinds)))
        reach = np.array(
            [
                battles.moves(slot, side, occupied, held[row]).T
                for row, slot in enumerate(rows)
            ]
        )
        mobile = reach.any(axis=2)
        reach[np.arange(len(rows))[:, None], np.arange(battles.count), battles.hex[slots]] = True
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
        rows = range(*slots.indices(len(battles.kinds)))
        every = np.arange(battles.count)
        held = battles.held(side)
        waits = goals != battles.hex[slots]
        for attempt in range(3):
            if not waits.any():
                return
            for row, slot in enumerate(rows):
                if not waits[row].any():
                    continue
                ends = battles.moves(slot, side, battles.occupied(), held[row])
                goal = goals[row]
                if attempt == 2:  # it cannot go there: its best single hex, or nowhere
                    scores = np.where(ends.T, base[row], NEVER)
                    goal = scores.argmax(axis=1)
                    stays = base[row][every, battles.hex[slot]]
                    able = waits[row] & (scores[every, goal] > stays)
                else:
                    able = waits[row] & ends[goal, every]
                battles.move(slot, goal, able)
                waits[row] &= ~able

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
        land, reach = battles.tables.land, opponent._entrances[self._side]
        elevations = np.array(land.elevations)
        closed = np.array([_closed_sides(land, kind, number) for number in range(HEX_COUNT)])
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
    """The search for hexes of a whole side that together have a high score."""

    def __init__(
        self,
        base: Numbers,
        reach: Flags,
        mobile: Flags,
        start: Indices,
        gone: Flags,
        hits: list[Flags],
    ) -> None:
        self._mobile, self._start, self._gone, self._hits = mobile, start, gone, hits
        self._base = np.where(reach, base, NEVER)
        ranks = np.cumsum(mobile, axis=0)
        count = ranks[-1]
        more = np.select([count >= 7, count == 6, count == 5], [1, 3, 8], 16)
        best = np.sort(self._base, axis=2)[:, :, ::-1]
        last = np.minimum(ranks + more, SIZE) - 1
        least = np.take_along_axis(best, last[:, :, None], axis=2)
        self._base[self._base < least] = NEVER

    def choose(self, friends: Numbers) -> Indices:
        """Return the hex of every creature, (slots, n); those that cannot move stay."""
        slots, count = self._start.shape
        every = np.arange(count)
        hexes = np.where(self._mobile, OUTSIDE, self._start)
        placed = ~self._mobile & ~self._gone
        near = np.zeros((count, SIZE), np.float32)
        taken = np.zeros((count, SIZE), np.int8)
        strikers = np.zeros((len(self._hits[0]), count), np.int8)
        fixed = np.zeros_like(strikers)
        for row in range(slots):
            here = placed[row]
            near += friends[hexes[row]] * (here * np.float32(FRIEND))[:, None]
            taken[every, hexes[row]] += here
            strikers += self._hits[row][:, every, hexes[row]] & here
        fixed += strikers
        for round_ in range(1 + ROUNDS):
            for row in range(slots):
                moving = self._mobile[row]
                if not moving.any():
                    continue
                if round_:
                    near -= friends[hexes[row]] * (moving * np.float32(2 * FRIEND))[:, None]
                    taken[every, hexes[row]] -= moving
                    strikers -= self._hits[row][:, every, hexes[row]] & moving
                taken[:, OUTSIDE] = 0
                score = self._base[row] + near
                weights = np.float32(SHARED_TARGET) * (
                    (strikers > 0).astype(np.float32) + ((strikers == 1) & (fixed == 0))
                )
                for enemy, weight in enumerate(weights):
                    score += self._hits[row][enemy] * weight[:, None]
                score[taken > 0] = NEVER
                hexes[row] = np.where(moving, score.argmax(axis=1), hexes[row])
                near += friends[hexes[row]] * (moving * np.float32(2 * FRIEND))[:, None]
                taken[every, hexes[row]] += moving
                strikers += self._hits[row][:, every, hexes[row]] & moving
        return hexes


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


def _closed_sides(land: Battleland, kind: Creature, number: int) -> int:
    """Return how many neighbours of a hex are no hexes, or barred for a creature."""
    return sum(
        beyond < 0 or land.entry_cost(kind, beyond, (side + 3) % 6) > 2
        for side, beyond in enumerate(NEIGHBOURS[number])
    )
