"""Many battles at once: the rules of ``battle`` on arrays, one battle a column.

A battle is (seed, number): the same alone or among thousands, because every draw has a key of its
own (``randomizer.model.basics.dice``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, streams, words_at
from randomizer.systems.colossus.battle.rule_tables import (
    BLOCKED,
    SIXTHS,
    SIZE,
    Flags,
    Indices,
    Numbers,
    RuleTables,
    Whole,
    hits_at,
)
from randomizer.systems.colossus.battle_terrain import ENTRY_HEXES, OUTSIDE
from randomizer.systems.colossus.board import HEX_COUNT, NEIGHBOURS

ATTACKER = 0
DEFENDER = 1

Observer = Callable[..., None]
"""Gets the battles, a kind of event (move, strike, carry), the battles it happens in, and more."""

HEX_BITS = np.array([*(1 << number for number in range(HEX_COUNT)), 0], np.uint32)
"""(SIZE,): each hex as a set of hexes; OUTSIDE is in none."""

_AROUND = np.array(NEIGHBOURS)

_FIRST = np.zeros(1, np.intp)

_RIM = [[NEIGHBOURS[number].index(-1) for number in hexes] for hexes in ENTRY_HEXES]
"""By entry side: a side of each of its hexes that is at the rim of the board."""


class Battles:
    """n battles that are fought at once.

    Slots are the attackers, then the defenders, each the most important first. ``hex``, ``hits``
    and ``slowed`` have the shape (slots, n); who is gone, or has not entered, is OUTSIDE.
    ``lands`` (n,) index the battlelands of the tables; None: all are on the first.
    """

    def __init__(
        self,
        tables: RuleTables,
        numbers: NDArray[np.uint64],
        seed: int,
        observer: Observer | None = None,
        lands: Indices | None = None,
    ) -> None:
        self.tables = tables
        self.lands = lands
        self.numbers = numbers
        self.turn = 1
        self._seed = seed
        self._observer = observer
        self.kinds = np.array([*tables.attackers, *tables.defenders])
        creatures = [tables.kinds[kind] for kind in self.kinds]
        self.powers = np.array([[kind.power] for kind in creatures], np.int8)
        self._skills = np.array([kind.skill for kind in creatures], np.int8)
        self._titans = np.array([[kind.is_titan] for kind in creatures])
        count = len(tables.attackers)
        self.sides = (slice(0, count), slice(count, len(self.kinds)))
        """The slots of the attacker and of the defender."""
        shape = (len(self.kinds), len(numbers))
        self.hex = np.full(shape, OUTSIDE, np.intp)
        self.hits = np.zeros(shape, np.int8)
        self.slowed = np.zeros(shape, np.int8)
        self.gone = np.zeros(shape, np.bool_)
        self.deaths = np.zeros((2, SIZE), np.int64)
        """How many of each side have died on each hex, in all battles; OUTSIDE: never entered."""
        self.losses: Counter[tuple[int, str]] = Counter()
        """The same by side and name."""

    def keep(self, which: Flags) -> None:
        """Go on with some of the battles."""
        self.numbers = self.numbers[which]
        if self.lands is not None:
            self.lands = self.lands[which]
        for name in ("hex", "hits", "slowed", "gone"):
            setattr(self, name, np.ascontiguousarray(getattr(self, name)[:, which]))

    @property
    def count(self) -> int:
        """The number of battles, n."""
        return len(self.numbers)

    def lands_of(self, which: Indices | slice) -> Indices:
        """Return the battlelands of the battles ``which`` (m), (m,); (1,) if there is one only."""
        if self.lands is None:
            return _FIRST
        return self.lands[which]

    def draw(self, sites: NDArray[np.uint64], which: Indices | slice) -> NDArray[np.float64]:
        """Return chances of 0 .. 1 that the battles ``which`` (m) draw at sites: (..., m)."""
        words = words_at(streams(self._seed, sites), steps(self.numbers[which]))
        return np.asarray((words >> np.uint64(11)) * 2.0**-53, np.float64)

    def tell(self, event: str, which: Indices, *more: object) -> None:
        """Tell the observer, if there is one, what has happened in the battles ``which``."""
        if self._observer is not None:
            self._observer(self, event, which, *more)

    # --- moving ---------------------------------------------------------------------------------

    def moves(self, slot: int, which: Indices) -> Flags:
        """Return where a creature can move to in the battles ``which`` (m): (SIZE, m)."""
        tables = self.tables
        kind = self.kinds[slot]
        side = int(slot >= self.sides[1].start)
        start = self.hex[slot, which]
        rows = np.arange(len(which))
        occupied = np.zeros((SIZE, len(which)), np.bool_)
        occupied[self.hex[:, which], rows] = True
        occupied[OUTSIDE] = False
        lands = self.lands_of(which)
        held = tables.contact[lands, start, self.hex[self.sides[1 - side]][:, which]].any(axis=0)
        ends = ~occupied & ~(held | self.gone[slot, which])
        if self.turn == 1 and side == DEFENDER and tables.lands[0].start:
            return np.asarray(ends & tables.start[:, None])
        # (hexes, 6, m or 1)
        cost = np.moveaxis(tables.cost[lands, kind], 0, -1)
        crossing = np.moveaxis(tables.crossing[lands, kind], 0, -1)
        points = np.maximum(self._skills[slot] - self.slowed[slot, which], 0)
        open_ = ~occupied[:HEX_COUNT] | tables.kinds[kind].flies
        # Movement points left where it goes on, and where it stops; -1: it does not come there.
        left, landing = np.full((2, *occupied.shape), -1, np.int8)
        left[start, rows] = points
        outside = np.where(start == OUTSIDE, points, -1)
        for entry in {*tables.entry_sides[:, side].tolist()}:
            rim = list(ENTRY_HEXES[entry]), _RIM[entry]
            enters = np.where(tables.entry_sides[lands, side] == entry, outside, -1)
            landing[rim[0]] = np.maximum(landing[rim[0]], enters - cost[rim])
            first = np.where(open_[rim[0]], enters - crossing[rim], -1)
            left[rim[0]] = np.maximum(left[rim[0]], first)
        left[OUTSIDE] = -1
        for _step in range(int(points.max(initial=0))):
            for edge, beyond in enumerate(_AROUND.T):  # -1 is OUTSIDE, where nothing is left
                further = np.where(open_, left[beyond] - crossing[:, edge], -1)
                np.maximum(left[:HEX_COUNT], further, out=left[:HEX_COUNT])
        for edge, beyond in enumerate(_AROUND.T):
            arriving = left[beyond] - cost[:, edge]
            np.maximum(landing[:HEX_COUNT], arriving, out=landing[:HEX_COUNT])
        return np.asarray(ends & (landing >= 0))

    def move(self, slot: int, which: Indices, ends: Indices) -> None:
        """Let a creature move to the hexes ``ends`` (m) in the battles ``which`` (m)."""
        self.tell("move", which, slot, ends)
        self.hex[slot, which] = ends

    def end_moves(self, side: int) -> None:
        """Let the creatures of a side die that have not entered."""
        slots = self.sides[side]
        late = (self.hex[slots] == OUTSIDE) & ~self.gone[slots]
        self.gone[slots] |= late
        self.deaths[side, OUTSIDE] += late.sum()
        self._count_losses(side, late)

    def _count_losses(self, side: int, died: Flags) -> None:
        """Count those of a side who have died, (slots of the side, n)."""
        for kind, count in zip(self.kinds[self.sides[side]], died.sum(axis=1), strict=True):
            self.losses[side, self.tables.kinds[kind].name] += int(count)

    # --- strikes --------------------------------------------------------------------------------

    def apply_hazards(self) -> None:
        """Apply the effects of hazards before the active side's strikes."""
        tables = self.tables
        at = (self.lands_of(slice(None)), self.kinds[:, None], self.hex)
        heals = tables.heals[at]
        self.slowed += tables.slows[at]
        self.slowed -= np.minimum(self.slowed, heals)
        self.hits -= np.minimum(self.hits, heals)
        self.hits += tables.damage[at]

    def end_strikeback(self) -> Flags:
        """Take the dead away; return which sides have lost, (2, n)."""
        died = (self.hits >= self.powers) & ~self.gone
        self.gone |= died
        lost = np.empty((2, self.count), np.bool_)
        for side, slots in enumerate(self.sides):
            np.add.at(self.deaths[side], self.hex[slots][died[slots]], 1)
            self._count_losses(side, died[slots])
            gone = self.gone[slots]
            lost[side] = gone.all(axis=0) | (gone & self._titans[slots]).any(axis=0)
        self.hex[died] = OUTSIDE
        return lost


class StrikePhase:
    """The strikes of a side in one phase, 0 .. 3 of the turn; ranged ones only in Fight.

    ``dice``, ``number`` and ``possible`` have the shape (strikers, targets, n); a strike is
    possible until its striker has struck or its target is dead.
    """

    def __init__(self, battles: Battles, side: int, phase: int, *, ranged: bool) -> None:
        self.battles = battles
        self._phase = phase
        self.strikers = battles.sides[side]
        self.targets = battles.sides[1 - side]
        own_hexes = battles.hex[self.strikers][:, None]
        enemies = battles.hex[self.targets]
        kinds = battles.kinds[self.strikers, None, None], battles.kinds[self.targets, None]
        lands = battles.lands_of(slice(None))
        self.contact: Flags = battles.tables.contact[lands, own_hexes, enemies]
        self.dice: Whole = battles.tables.dice[(lands, *kinds, own_hexes, enemies)]
        self.number: Whole = battles.tables.number[(lands, *kinds, own_hexes, enemies)]
        if ranged:
            self._add_rangestrikes(own_hexes[:, 0], enemies)
        self.possible = (self.dice > 0) & self._alive()

    def _alive(self) -> Flags:
        hits = self.battles.hits[self.targets]
        return np.asarray(hits < self.battles.powers[self.targets])

    def _add_rangestrikes(self, own_hexes: Indices, enemies: Indices) -> None:
        battles = self.battles
        tables = self.battles.tables
        free: Flags = np.asarray(~self.contact.any(axis=1))
        lands = battles.lands_of(slice(None))
        occupied = occupied_bits(battles)
        for row, kind in enumerate(battles.kinds[self.strikers]):
            for column, target_kinds in enumerate(battles.kinds[self.targets]):
                if tables.kinds[kind].rangestrikes:
                    pair = lands, kind, target_kinds, own_hexes[row], enemies[column]
                    dice, number = tables.rangestrike(*pair, occupied)
                    np.copyto(self.dice[row, column], dice, where=free[row])
                    np.copyto(self.number[row, column], number, where=free[row])

    @property
    def sixths(self) -> NDArray[np.int16]:
        """(strikers, targets, n): the expected hits of the strikes that are possible, in sixths."""
        return np.asarray(SIXTHS[self.dice, self.number] * self.possible)

    def strike(self, which: Indices, strikers: Indices, targets: Indices, values: Numbers) -> None:
        """Let one creature strike in each of the battles ``which``; all three are indices, (m,).

        Excess hits go on to those that they kill, the one with the highest of ``values``
        (targets, n) first, else to the one with the highest.
        """
        battles = self.battles
        fighter_numbers = strikers + self.strikers.start
        enemies = targets + self.targets.start
        dice = self.dice[strikers, targets, which]
        number = self.number[strikers, targets, which]
        sites = (battles.turn * 4 + self._phase) * len(battles.kinds) + fighter_numbers
        hits = hits_at(battles.draw(sites.astype(np.uint64), which), dice, number)
        needed = battles.powers[enemies, 0] - battles.hits[enemies, which]
        in_contact = self.contact[strikers, :, which] & self._alive()[:, which].T
        carries = (in_contact.sum(axis=1) >= 2) & (dice > needed) & (hits > needed)
        battles.hits[enemies, which] += np.minimum(hits, needed)
        self.possible[strikers, :, which] = False
        battles.tell("strike", which, fighter_numbers, enemies, dice, number, hits)
        at = which[carries], strikers[carries], targets[carries]
        self._carry(*at, (hits - needed)[carries], values)
        self.possible &= self._alive()

    def _carry(
        self, which: Indices, strikers: Indices, targets: Indices, left: Whole, values: Numbers
    ) -> None:
        battles = self.battles
        rows = np.arange(len(which))
        own_hexes = battles.hex[strikers + self.strikers.start, which][:, None]
        lands = battles.lands_of(which)[:, None]
        enemies = battles.hex[self.targets][:, which].T
        into_dune = battles.tables.into_dune[lands, own_hexes, enemies]
        dice = self.dice[strikers, :, which]
        number = self.number[strikers, :, which]
        allowed = self.contact[strikers, :, which]
        allowed &= into_dune[rows, targets][:, None] | ~into_dune
        allowed &= dice >= dice[rows, targets][:, None]
        allowed &= number <= number[rows, targets][:, None]
        allowed[rows, targets] = False
        while True:
            needed = (battles.powers[self.targets] - battles.hits[self.targets][:, which]).T
            open_ = allowed & (needed > 0) & (left > 0)[:, None]
            if not open_.any():
                return
            worth = np.where(needed <= left[:, None], 10_000, 0) + values[:, which].T
            chosen = np.where(open_, worth, -1).argmax(axis=1)
            share = np.where(open_.any(axis=1), np.minimum(left, needed[rows, chosen]), 0)
            battles.hits[chosen + self.targets.start, which] += share
            left = left - share
            battles.tell("carry", which, chosen + self.targets.start, share)


def occupied_bits(battles: Battles) -> NDArray[np.uint32]:
    """Return the sets of occupied hexes, (n,), as ``RuleTables.blockers`` has them."""
    return np.asarray(np.bitwise_or.reduce(HEX_BITS[battles.hex], axis=0) | BLOCKED)
