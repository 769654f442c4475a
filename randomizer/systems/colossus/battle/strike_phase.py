"""One round of strikes of many battles: who can strike whom, and what a strike does."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.many_battles import Battles
from randomizer.systems.colossus.battle.rule_tables import (
    BLOCKED,
    MEAN_HITS,
    Flags,
    Indices,
    Numbers,
    Whole,
    hits_at,
)
from randomizer.systems.colossus.board import HEX_COUNT

_BITS = np.array([*(1 << number for number in range(HEX_COUNT)), 0], np.uint32)


def occupied_bits(battles: Battles) -> NDArray[np.uint32]:
    """Return the sets of occupied hexes, (n,), as ``RuleTables.blockers`` has them."""
    return np.asarray(np.bitwise_or.reduce(_BITS[battles.hex], axis=0) | BLOCKED)


class StrikePhase:
    """The strikes of a side in one phase of n battles.

    ``dice``, ``number`` and ``possible`` have the shape (strikers, targets, n); a strike is
    possible until its striker has struck or its target is dead.
    """

    def __init__(self, battles: Battles, side: int, phase: int, *, ranged: bool) -> None:
        self.battles = battles
        self.strikers, self.targets = battles.sides[side], battles.sides[1 - side]
        self._phase = phase
        tables = battles.tables
        own, enemies = battles.hex[self.strikers][:, None], battles.hex[self.targets][None]
        kinds = battles.kinds[self.strikers][:, None, None], battles.kinds[self.targets][None, :, None]
        self.contact = tables.contact[own, enemies]
        self.dice: Whole = tables.dice[(*kinds, own, enemies)]
        self.number: Whole = tables.number[(*kinds, own, enemies)]
        if ranged:
            self._add_rangestrikes()
        self.possible = (self.dice > 0) & self._alive()[None]

    def _alive(self) -> Flags:
        battles = self.battles
        return battles.hits[self.targets] < battles.powers[self.targets]

    def _add_rangestrikes(self) -> None:
        battles, tables = self.battles, self.battles.tables
        free = ~self.contact.any(axis=1)
        occupied = occupied_bits(battles)
        for row, slot in enumerate(range(*self.strikers.indices(len(battles.kinds)))):
            kind = battles.kinds[slot]
            if not tables.kinds[kind].rangestrikes or not free[row].any():
                continue
            for column, target in enumerate(range(*self.targets.indices(len(battles.kinds)))):
                dice, number = tables.rangestrike(
                    kind, battles.kinds[target], battles.hex[slot], battles.hex[target], occupied
                )
                self.dice[row, column] = np.where(free[row], dice, self.dice[row, column])
                self.number[row, column] = np.where(free[row], number, self.number[row, column])

    @property
    def mean_hits(self) -> Numbers:
        """(strikers, targets, n): the expected hits of strikes."""
        return MEAN_HITS[self.dice, self.number]

    def strike(self, which: Indices, strikers: Indices, targets: Indices, values: Numbers) -> None:
        """Let a creature strike in each of the battles ``which``; all three are indices, (m,).

        Excess hits go on to those that they kill, the one with the highest of ``values``
        (targets,) first, else to the one with the highest.
        """
        battles = self.battles
        own = strikers + self.strikers.start
        enemies = targets + self.targets.start
        dice = self.dice[strikers, targets, which]
        number = self.number[strikers, targets, which]
        sites = (battles.turn * 4 + self._phase) * len(battles.kinds) + own
        hits = hits_at(battles.draw(sites.astype(np.uint64), which), dice, number)
        needed = battles.powers[enemies, 0] - battles.hits[enemies, which]
        in_contact = self.contact[strikers, :, which] & self._alive()[:, which].T
        carries = (in_contact.sum(axis=1) >= 2) & (dice > needed) & (hits > needed)
        share = np.minimum(hits, needed)
        battles.hits[enemies, which] += share
        self.possible[strikers, :, which] = False
        battles.log_strikes(which, own, enemies, dice, number, hits)
        if carries.any():
            part = np.flatnonzero(carries)
            self._carry(
                which[part], strikers[part], targets[part], (hits - share)[part], values
            )
        self.possible &= self._alive()[None]

    def _carry(
        self, which: Indices, strikers: Indices, targets: Indices, left: Whole, values: Numbers
    ) -> None:
        battles, tables = self.battles, self.battles.tables
        every = np.arange(self.possible.shape[1])
        own = battles.hex[strikers + self.strikers.start, which][:, None]
        beyond = battles.hex[self.targets][:, which].T
        into_dune = tables.into_dune[own, beyond]
        rows = np.arange(len(which))
        dice, number = self.dice[strikers, :, which], self.number[strikers, :, which]
        allowed = (
            self.contact[strikers, :, which]
            & (every != targets[:, None])
            & (into_dune[rows, targets][:, None] | ~into_dune)
            & (dice >= dice[rows, targets][:, None])
            & (number <= number[rows, targets][:, None])
        )
        while True:
            needed = (battles.powers[self.targets] - battles.hits[self.targets, which]).T
            open_ = allowed & (needed > 0) & (left > 0)[:, None]
            if not open_.any():
                return
            worth = np.where(needed <= left[:, None], 10_000, 0) + values
            chosen = np.where(open_, worth, -1).argmax(axis=1)
            share = np.where(open_.any(axis=1), np.minimum(left, needed[rows, chosen]), 0)
            battles.hits[chosen + self.targets.start, which] += share
            left = left - share
            battles.log_carries(which, chosen + self.targets.start, share)
