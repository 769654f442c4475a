"""The opponent: where the creatures of a side move and whom they strike, in many battles at once.

It follows the game's simple AI: every creature scores every hex, each keeps its best few, and the
legion takes the combination with the highest sum. The weights are the game's, as the section "The
simple AI's battle" of the project's fact sheet has them; they are fitted to no recorded battle.
Where the game shuffles combinations until its time is up, ``placement`` searches.
"""

from __future__ import annotations

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
"""The last turn in which attackers mind wounds, and Titans keep back."""

FAR = 99
"""The range of an enemy outside."""

_HEXES = range(HEX_COUNT)

_JITTER_SITES = np.uint64(1 << 32)
"""Beyond the sites of strikes."""


class Opponent:
    """What the creatures of two armies think of the hexes of a battleland."""

    def __init__(self, tables: RuleTables) -> None:
        lands = tables.lands
        kinds = tables.kinds
        self._values = np.array(
            [[kill_value(land, kind) for kind in kinds] for land in lands], np.float32
        )
        """(lands, kinds), as ``_outside``."""
        self._outside = np.array([[outside_score(land, kind) for kind in kinds] for land in lands])
        self._ranges = np.full((SIZE, SIZE), FAR, np.float32)
        for start in _HEXES:
            self._ranges[start, :HEX_COUNT] = [steps_between(start, end) + 1 for end in _HEXES]
        ranges = [1 + self._ranges[list(hexes)].min(axis=0) for hexes in ENTRY_HEXES]
        self._entrances = np.array(ranges)[tables.entry_sides]
        """(lands, side, SIZE): the range from the entrance."""
        self._ground = np.array(
            [[[ground_score(land, kind, n) for n in _HEXES] for kind in kinds] for land in lands]
        )
        self._closed = np.array([[closed_sides(land, n) for n in _HEXES] for land in lands])
        self._heights = np.array([land.elevations for land in lands])
        means = (SIXTHS[tables.dice, tables.number] / 6).astype(np.float32)
        self._deals = np.ascontiguousarray(means.swapaxes(3, 4))
        """(lands, kinds, kinds, SIZE, SIZE): the mean hits of striker and target; its hex, the
        striker's."""
        self._takes = np.floor(means)
        """(lands, kinds, kinds, SIZE, SIZE): whole hits of an enemy's strike; its hex, the
        target's."""

    # --- moving ---------------------------------------------------------------------------------

    def move(self, battles: Battles, side: int) -> None:
        """Move the creatures of a side."""
        slots = battles.sides[side]
        rows = range(slots.start, slots.stop)
        every = np.arange(battles.count)
        start = battles.hex[slots]
        reach = np.array([battles.moves(slot, every).T for slot in rows])
        mobile = np.asarray(reach.any(axis=2))
        reach[np.arange(len(rows))[:, None], every, start] = True
        scores, targets, guards = zip(*map(_Scores(self, battles, side).of, rows), strict=True)
        # Less than any weight, it decides between equal hexes. It leaves no ties: so a battle does
        # not depend on those that are fought together with it.
        first = SIZE * (len(battles.kinds) * battles.turn + slots.start)
        sites = np.arange(SIZE * len(rows), dtype=np.uint64) + np.uint64(first) + _JITTER_SITES
        jitter = battles.draw(sites.reshape(-1, SIZE, 1), slice(None)).swapaxes(1, 2) / 2
        base = np.array(scores) + jitter
        stays = ~mobile & ~battles.gone[slots]
        goals = place(np.where(reach, base, NEVER), mobile, stays, start, targets, guards)
        self._go(battles, side, goals, base)

    def _go(self, battles: Battles, side: int, goals: Indices, scores: NDArray[np.float64]) -> None:
        """Move creatures to their goals, (slots, n), in an order in which they can go there."""
        first = battles.sides[side].start
        start = battles.hex[battles.sides[side]]
        waits = goals != start
        outside = start == OUTSIDE
        lands = battles.lands_of(slice(None))
        from_outside = self._entrances[lands, side, goals]
        steps = np.where(outside, from_outside, self._ranges[start, goals]) * waits
        # Who goes far goes first, so that nobody is in the way; then who has waited; who cannot
        # go to its goal at last takes the best hex, or stays.
        for far in (*range(int(steps.max()), 0, -1), 0, -1):
            for row in range(len(goals)):
                which = np.flatnonzero(waits[row] & ((steps[row] == far) | (far <= 0)))
                if not len(which):
                    continue
                goal = goals[row, which]
                ends = battles.moves(first + row, which).T
                able = ends[np.arange(len(which)), goal]
                if far < 0:
                    score = np.where(ends, scores[row, which], NEVER)
                    goal = score.argmax(axis=1)
                    able = score.max(axis=1) > scores[row, which, start[row, which]]
                battles.move(first + row, which[able], goal[able])
                waits[row, which[able]] = False

    # --- strikes --------------------------------------------------------------------------------

    def strike(self, battles: Battles, side: int, phase: int, *, ranged: bool) -> None:
        """Let the creatures of a side strike: those with one target first, then the best target."""
        strikes = StrikePhase(battles, side, phase, ranged=ranged)
        values = self._values[battles.lands_of(slice(None))][:, battles.kinds[strikes.targets]].T
        values = np.broadcast_to(values, (len(values), battles.count))
        powers = battles.powers[strikes.targets]
        for row, possible in enumerate(strikes.possible):
            which = np.flatnonzero(possible.sum(axis=0) == 1)
            target = possible[:, which].argmax(axis=0)
            strikes.strike(which, np.full(len(which), row), target, values)
        while (which := np.flatnonzero(strikes.possible.any(axis=(0, 1)))).size:
            possible = strikes.possible[:, :, which]
            sixths = strikes.sixths[:, :, which].sum(axis=0)
            dies = sixths + 6 * battles.hits[strikes.targets][:, which] >= 6 * powers
            worth = np.where(dies, 10_000 + values[:, which], values[:, which] * sixths / powers)
            target = np.where(possible.any(axis=0), worth, -1).argmax(axis=0)
            striker = possible[:, target, np.arange(len(which))].argmax(axis=0)
            strikes.strike(which, striker, target, values)


class _Scores:
    """What the hexes are worth for the creatures of a side, with all others where they are."""

    def __init__(self, opponent: Opponent, battles: Battles, side: int) -> None:
        self._opponent = opponent
        self._battles = battles
        self._side = side
        enemies = battles.sides[1 - side]
        slots = range(enemies.start, enemies.stop)
        kinds = battles.tables.kinds
        self._titans = [kinds[kind].is_titan for kind in battles.kinds[battles.sides[side]]]
        self._enemies = [slot for slot in slots if (battles.hex[slot] != OUTSIDE).any()]
        hexes = battles.hex[self._enemies]
        self._lands = battles.lands_of(slice(None))
        self._contact: Flags = battles.tables.contact[self._lands, hexes]
        """(enemies, n, SIZE): from where each enemy can be struck."""
        self._any_contact = self._contact.any(axis=0)
        self._nearest = opponent._ranges[hexes].min(axis=0, initial=FAR)

    def of(self, slot: int) -> tuple[Numbers, Flags, Numbers]:
        """Return a creature's score of each hex and outside, (n, SIZE), and what it can strike.

        The targets from each hex have the shape (enemies, n, SIZE). The third result (n,) is what
        it gets for being beside a Titan of its own side, more than beside another friend.
        """
        battles = self._battles
        opponent = self._opponent
        attacks = self._side == ATTACKER
        index = int(battles.kinds[slot])
        lands = self._lands
        kind = battles.tables.kinds[index]
        hits = battles.hits[slot]
        value, wounds, score = np.zeros((3, *self._any_contact.shape), np.float32)
        for row, enemy in enumerate(self._enemies):
            enemy_kind = int(battles.kinds[enemy])
            hexes = battles.hex[enemy]
            foe = battles.tables.kinds[enemy_kind]
            contact = self._contact[row]
            dealt = opponent._deals[lands, index, enemy_kind, hexes]
            most = np.maximum(value, opponent._values[lands, enemy_kind][:, None])
            kills = dealt + battles.hits[enemy][:, None] >= foe.power
            harm = np.floor(dealt * (0.5 / foe.power) * most)
            value = np.where(contact, np.where(kills, most, harm), value)
            wounds += opponent._takes[lands, enemy_kind, index, hexes]
            bonus = 1300 * foe.is_titan + 600 * foe.magic
            bonus += 500 * (foe.rangestrikes and not kind.rangestrikes)
            score += contact * np.float32(bonus)
        score += (25 if attacks else 1) * value
        score += self._any_contact * np.float32(400 if attacks else -20)
        if not attacks or battles.turn <= EARLY:
            dies = wounds + hits[:, None] >= kind.power
            loss = opponent._values[lands, index][:, None] * (1 if attacks else 2)
            score -= np.where(dies, 20 * loss, loss) * self._any_contact
        score[:, :HEX_COUNT] += opponent._ground[lands, index] + self._position(kind)
        targets = self._contact
        if kind.rangestrikes:
            ranged, ranged_score = self._ranged(index)
            targets = targets | ranged
            score = score + ranged_score
        score[:, OUTSIDE] = opponent._outside[lands, index]
        guard = 600 - FRIEND + 2 * kind.skill * (2 * kind.power - hits.astype(np.float32))
        return score, targets, guard * any(self._titans) * (not kind.is_titan)

    def _position(self, kind: Creature) -> NDArray[np.float64]:
        """Return what hexes are worth by where they are, (n or 1, hexes)."""
        battles = self._battles
        opponent = self._opponent
        lands = self._lands
        reach = opponent._entrances[lands, self._side, :HEX_COUNT]
        if self._side == DEFENDER and battles.tables.lands[0].tower:
            return np.asarray((2000 if kind.is_titan else 80) * opponent._heights[lands])
        if kind.is_titan:
            early = battles.turn <= EARLY
            return np.asarray((400 * opponent._closed[lands] - 5000 * reach) * early)
        if self._side == ATTACKER:
            return np.asarray(-300 * self._nearest[:, :HEX_COUNT])
        few = (~battles.gone[battles.sides[DEFENDER]]).sum(axis=0) <= 3
        best = np.where(few & (battles.turn < EARLY), 2, 3)[:, None]
        return np.asarray(opponent._closed[lands] - 60 * np.abs(reach - best))

    def _ranged(self, index: int) -> tuple[Flags, Numbers]:
        """Return the targets of rangestrikes from each hex, (enemies, n, SIZE), and their score."""
        battles = self._battles
        tables = self._battles.tables
        targets = np.zeros_like(self._contact)
        clear, titans = np.zeros((2, *self._any_contact.shape), np.bool_)
        occupied = occupied_bits(battles)[:, None]
        hexes = np.arange(SIZE)
        lands = self._lands[:, None]
        for row, enemy in enumerate(self._enemies):
            enemy_kind = int(battles.kinds[enemy])
            ends = battles.hex[enemy][:, None]
            foe = tables.kinds[enemy_kind]
            dice, number = tables.rangestrike(lands, index, enemy_kind, hexes, ends, occupied)
            targets[row] = (dice > 0) & ~self._any_contact
            clear |= targets[row] & (number <= 4 - tables.kinds[index].skill + foe.skill)
            titans |= targets[row] & foe.is_titan
        count = targets.sum(axis=0)
        score = 300 * (count > 0) + 100 * (count > 1) + 100 * clear + 500 * titans
        return targets, score.astype(np.float32)


def kill_value(land: Battleland, kind: Creature) -> int:
    """Return what the game's AI gives for killing a creature."""
    value = 10 * kind.points + (1 if kind.skill <= 2 else 2 if kind.skill >= 4 else 0)
    value += 4 * kind.flies + 5 * kind.rangestrikes + 4 * kind.magic + 1000 * kind.is_titan
    return value + 3 * is_favoured(land, kind)


def is_favoured(land: Battleland, kind: Creature) -> bool:
    """Return whether a battleland has a hazard or hexside that its natives strike better by."""
    helping = {"Brambles", "Tree", "Volcano", "Stone"} & {*land.hazards}
    helping |= {"Slope", "Dune"} & {hexside for sides in land.hexsides for hexside in sides}
    return any(map(kind.lives_in, helping))


def outside_score(land: Battleland, kind: Creature) -> int:
    """Return what staying outside is worth."""
    return -1500 * (kind.points + kind.flies + kind.rangestrikes + is_favoured(land, kind))


def ground_score(land: Battleland, kind: Creature, number: int) -> int:
    """Return what a hex is worth by its hazard, hexsides and elevation alone."""
    hazard = land.hazards[number]
    power = kind.power
    bonuses = {"Tower": 2 * power, "Brambles": power, "Volcano": kind.skill + power}
    bonus = {**bonuses, "Sand": 3 * kind.skill}.get(hazard, 0)
    score = -200 * hazard_damage(kind, hazard) * (5 if kind.is_titan else 1)
    edges = [land.edge(number, side) for side in range(6)]
    above, below = ({"Slope", "Wall", "Dune"} & {*sides} for sides in zip(*edges, strict=True))
    favourable = hazard in ("Tree", "Brambles", "Volcano", "Stone") or above
    if kind.lives_in(hazard):
        if favourable:
            score += 40 + 3 * (bonus + power * (land.elevations[number] > 0))
    elif hazard == "Brambles" or below:
        score += 3 * bonus - 100
    return score


def closed_sides(land: Battleland, number: int) -> int:
    """Return how many neighbours of a hex are beyond the rim, or Tree or Stone.

    The fact sheet says "barred"; by the recorded moves Bog does not count.
    """
    return sum(
        beyond < 0 or HAZARDS[land.hazards[beyond]].skill_through is None
        for beyond in NEIGHBOURS[number]
    )
