"""Many battles at once: the rules of ``battle`` on arrays, one battle a column.

A battle is (seed, number): the same alone or among thousands, because every draw has a key of its
own (``randomizer.model.dice``). ``opponent`` decides for both sides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from randomizer.model.dice import steps, streams, words_at
from randomizer.systems.colossus.battle.battleland import ENTRY_HEXES, OUTSIDE
from randomizer.systems.colossus.battle.rule_tables import (
    SIZE,
    Flags,
    Indices,
    RuleTables,
    Whole,
)
from randomizer.systems.colossus.board import HEX_COUNT, LABELS, NEIGHBOURS

Log = Callable[[int, str], None]
"""Takes the number of a battle and an event, as the lines of the recorded battles have it."""

_AROUND = np.array(NEIGHBOURS)


class Battles:
    """n battles that are fought at once.

    Slots are the attackers, then the defenders, each the most important first. ``hex``, ``hits``
    and ``slowed`` have the shape (slots, n); who is dead and gone, or has not entered, is OUTSIDE.
    """

    def __init__(
        self, tables: RuleTables, numbers: NDArray[np.uint64], seed: int, log: Log | None = None
    ) -> None:
        self.tables = tables
        self.numbers = numbers
        self.kinds = np.array([*tables.attackers, *tables.defenders])
        self.powers = np.array([tables.kinds[kind].power for kind in self.kinds], np.int8)[:, None]
        self.skills = np.array([tables.kinds[kind].skill for kind in self.kinds], np.int8)[:, None]
        self._titans = np.array([[tables.kinds[kind].is_titan] for kind in self.kinds])
        count = len(tables.attackers)
        self.sides = (slice(0, count), slice(count, len(self.kinds)))
        """The slots of the attacker and of the defender."""
        shape = (len(self.kinds), len(numbers))
        self.hex = np.full(shape, OUTSIDE, np.intp)
        self.hits = np.zeros(shape, np.int8)
        self.slowed = np.zeros(shape, np.int8)
        self.gone = np.zeros(shape, np.bool_)
        self.losses = np.zeros((2, len(numbers)), np.int64)
        """How many of the attacker's and the defender's creatures have died."""
        self.deaths = np.zeros((2, SIZE), np.int64)
        """How many have died on each hex, in all battles together; OUTSIDE: did not enter."""
        self.turn = 1
        self._seed = seed
        self._log = log

    def keep(self, which: Flags) -> None:
        """Go on with some of the battles."""
        self.numbers = self.numbers[which]
        for name in ("hex", "hits", "slowed", "gone", "losses"):
            setattr(self, name, np.ascontiguousarray(getattr(self, name)[:, which]))

    @property
    def count(self) -> int:
        """The number of battles."""
        return len(self.numbers)

    def draw(self, sites: NDArray[np.uint64], battles: Indices | slice) -> NDArray[np.float64]:
        """Return chances of 0 .. 1 that the battles draw at sites: (n,), or (sites, n)."""
        words = words_at(streams(self._seed, sites), steps(self.numbers[battles]))
        return (words >> np.uint64(11)) * 2.0**-53

    def log(self, text: Callable[[int], str], battles: Iterable[int] | None = None) -> None:
        """Log an event of some battles (indices), else of all, if events are logged."""
        if self._log is not None:
            for battle in range(self.count) if battles is None else battles:
                self._log(int(self.numbers[battle]), text(battle))

    def named(self, slot: int, battle: int) -> str:
        """Return the name and hex of a creature, as events have them."""
        number, side = self.hex[slot, battle], int(slot >= self.sides[1].start)
        label = f"X{self.tables.entry_sides[side]}" if number == OUTSIDE else LABELS[number]
        return f"{self.tables.kinds[self.kinds[slot]].name} {label}"

    def log_strikes(
        self, which: Indices, own: Indices, enemies: Indices, dice: Whole, number: Whole, hits: Whole
    ) -> None:
        """Log strikes and the deaths of their targets, with dice that make the hits."""
        row = dict(zip(which.tolist(), range(len(which)), strict=True))

        def text(battle: int) -> str:
            at = row[battle]
            rolled = "6" * hits[at] + "1" * (dice[at] - hits[at])
            pair = f"{self.named(own[at], battle)} {self.named(enemies[at], battle)}"
            return f"S {pair} {number[at]} {rolled}"

        self.log(text, which.tolist())
        self._log_deaths(which, enemies)

    def log_carries(self, which: Indices, enemies: Indices, share: Whole) -> None:
        """Log the hits that carry over, and the deaths that they bring."""
        row = dict(zip(which.tolist(), range(len(which)), strict=True))
        self._log_deaths(which[share > 0], enemies[share > 0])
        self.log(
            lambda battle: f"C {share[row[battle]]} {self.named(enemies[row[battle]], battle)}",
            which[share > 0].tolist(),
        )

    def _log_deaths(self, which: Indices, slots: Indices) -> None:
        dead = dict(zip(which.tolist(), slots.tolist(), strict=True)) if self._log else {}
        dead = {b: slot for b, slot in dead.items() if self.hits[slot, b] >= self.powers[slot, 0]}
        self.log(lambda battle: f"K {self.named(dead[battle], battle)}", dead)

    def log_ends(self, ended: Flags, lost: Flags, late: Flags) -> None:
        """Log which side has won, ``M`` if both have lost."""
        for battle in np.flatnonzero(ended).tolist():
            winner = "M" if lost[:, battle].all() else "A" if lost[1, battle] else "D"
            time = " time" if late[battle] else ""
            if time:
                self.log(lambda _battle: f"T {self.turn + 1}", [battle])
            self.log(lambda _battle, t=f"E {winner} {self.turn}{time}": t, [battle])

    # --- moving ---------------------------------------------------------------------------------

    def held(self, side: int) -> Flags:
        """Return which creatures of a side (slots of it, n) are in contact with an enemy."""
        own, enemies = self.hex[self.sides[side]], self.hex[self.sides[1 - side]]
        return self.tables.contact[own[:, None], enemies[None]].any(axis=1)

    def moves(self, slot: int, side: int, which: Indices, held: Flags) -> Flags:
        """Return where a creature can move to in the battles ``which`` (m): (SIZE, m).

        Nowhere if it is gone, or ``held`` (n).
        """
        tables, kind = self.tables, self.kinds[slot]
        start, rows = self.hex[slot, which], np.arange(len(which))
        occupied = np.zeros((SIZE, len(which)), np.bool_)
        occupied[self.hex[:, which], rows] = True
        occupied[OUTSIDE] = False
        points = np.maximum(self.skills[slot] - self.slowed[slot, which], 0)
        if self.turn == 1 and side == 1 and tables.land.start:
            ends = np.zeros((SIZE, len(which)), np.bool_)
            ends[list(tables.land.start)] = True
        elif (flights := tables.flights[kind]) is not None:
            ends = np.ascontiguousarray(flights[points, side, start].T)
        else:
            ends = self._walks(tables.cost[kind], side, start, points, occupied)
        ends &= ~occupied
        ends &= ~(held | self.gone[slot])[which]
        return ends

    def _walks(
        self, cost: Whole, side: int, start: Indices, points: Whole, occupied: Flags
    ) -> Flags:
        rows = np.arange(len(start))
        left = np.full(occupied.shape, -1, np.int8)
        free = ~occupied[:HEX_COUNT]
        left[start, rows] = points
        outside = start == OUTSIDE
        if outside.any():
            entries = list(ENTRY_HEXES[self.tables.entry_sides[side]])
            rim = cost[entries, np.argmin(_AROUND[entries], axis=1)]
            left[entries] = np.where(outside & free[entries], points - rim[:, None], left[entries])
            left[OUTSIDE] = -1
        best = left[:HEX_COUNT]
        for _step in range(int(points.max(initial=0))):
            before = best.copy()
            for step in range(6):
                beyond = left[_AROUND[:, step]]  # -1 is OUTSIDE: its row is -1
                np.maximum(best, np.where(free, beyond - cost[:, step, None], -1), out=best)
            if np.array_equal(best, before):
                break
        left[start, rows] = -1
        return left >= 0

    def move(self, slot: int, which: Indices, ends: Indices) -> None:
        """Let a creature move to the hexes ``ends`` (m) in the battles ``which`` (m)."""
        goals = dict(zip(which.tolist(), ends.tolist(), strict=True))
        self.log(lambda battle: f"M {self.named(slot, battle)} {LABELS[goals[battle]]}", goals)
        self.hex[slot, which] = ends

    def end_moves(self, side: int) -> None:
        """Let the creatures of a side die that have not entered."""
        slots = self.sides[side]
        late = (self.hex[slots] == OUTSIDE) & ~self.gone[slots]
        self.gone[slots] |= late
        self.losses[side] += late.sum(axis=0)
        self.deaths[side, OUTSIDE] += late.sum()

    # --- strikes --------------------------------------------------------------------------------

    def apply_hazards(self) -> None:
        """Apply the effects of hazards before the active side's strikes."""
        tables, kinds = self.tables, self.kinds[:, None]
        self.slowed += tables.slows[kinds, self.hex]
        heals = tables.heals[self.hex]
        self.slowed -= np.minimum(self.slowed, heals > 0)
        self.hits -= np.minimum(self.hits, heals)
        self.hits += tables.damage[kinds, self.hex]
        dead = (self.hits >= self.powers) & (self.hex != OUTSIDE)
        for slot in np.flatnonzero(dead.any(axis=1)).tolist():
            which = np.flatnonzero(dead[slot])
            self._log_deaths(which, np.full(len(which), slot))

    def end_strikeback(self) -> Flags:
        """Take the dead away; return which sides have lost, (2, n)."""
        died = (self.hits >= self.powers) & ~self.gone
        for side, slots in enumerate(self.sides):
            self.losses[side] += died[slots].sum(axis=0)
            np.add.at(self.deaths[side], self.hex[slots][died[slots]], 1)
        self.gone |= died
        self.hex[died] = OUTSIDE
        lost = np.array([self.gone[slots].all(axis=0) for slots in self.sides])
        for side, slots in enumerate(self.sides):
            lost[side] |= (self.gone[slots] & self._titans[slots]).any(axis=0)
        return lost
