"""The strikes of one side in one phase of a turn, in many battles at once.

``Opponent.strike`` makes a ``StrikePhase``, and lets one creature after the other strike until none
can::

    strikes = StrikePhase(battles, side=ATTACKER, phase=0, ranged=True)
    strikes.possible[0, 2, 17]       # can attacker 0 strike defender 2 in battle 17?
    strikes.strike(which, strikers, targets, values)

A strike may kill its target with hits to spare: these *carry over* to other enemies beside the
striker. The dead stay where they are until the phase ends (``Battles.finish_half_turn``).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.hit_chances import SIXTHS, hits_at
from randomizer.systems.colossus.battle.many_battles import Battles, Event, occupied_bits
from randomizer.systems.colossus.battle.rules_by_land import Flags, Indices, Numbers, Whole

PHASES = 4
"""The phases of a turn in which draws are made."""

WORTH_OF_KILL = 10_000
"""The worth that is added for an enemy that would die, so that it comes before all others.

It is above the values of all creatures.
"""

_NO_RECEIVER = -1
"""Less than the worth of any enemy."""


class StrikePhase:
    """The strikes of a side in one phase of the turn, in n battles.

    Its arrays have the shape (strikers, targets, n): rows are the slots of the side, columns those
    of the enemy.
    """

    def __init__(self, battles: Battles, side: int, phase: int, *, ranged: bool) -> None:
        """Begin a phase, 0 .. 3 of the turn.

        With ``ranged`` rangestrikes are possible, too; they are not when a side strikes back.
        """
        self.battles = battles
        self._phase = phase
        self.strikers = battles.sides[side]
        """The slots of the side that strikes."""
        self.targets = battles.sides[1 - side]
        """The slots of its enemies."""
        striker_hexes = battles.hex[self.strikers][:, None]
        target_hexes = battles.hex[self.targets]
        lands = battles.lands_of(slice(None))
        # The indices of each strike in the tables, one for each of their axes.
        strikes = (
            lands,
            battles.kinds[self.strikers, None, None],
            battles.kinds[self.targets, None],
            striker_hexes,
            target_hexes,
        )
        rules = battles.tables.by_land
        self.contact: Flags = rules.contact[lands, striker_hexes, target_hexes]
        """Whether striker and target are in contact."""
        self.dice: Whole = rules.dice[strikes]
        """The dice of each strike, 0 where there is none."""
        self.number: Whole = rules.strike_number[strikes]
        """The strike number, which each die must show at least."""
        if ranged:
            self._add_rangestrikes(striker_hexes[:, 0], target_hexes)
        self.possible = (self.dice > 0) & self._is_alive()
        """Whether a strike can still be made: its striker has not struck, its target is alive."""

    def _is_alive(self) -> Flags:
        """Return whether each target is alive, (targets, n): the dead are taken away later."""
        hits = self.battles.hits[self.targets]
        return np.asarray(hits < self.battles.powers[self.targets])

    def _add_rangestrikes(self, striker_hexes: Indices, target_hexes: Indices) -> None:
        """Fill in the dice and numbers of strikers that are in contact with no enemy.

        The hexes are those of the slots, (strikers, n) and (targets, n).
        """
        battles = self.battles
        tables = self.battles.tables
        is_free: Flags = np.asarray(~self.contact.any(axis=1))
        lands = battles.lands_of(slice(None))
        occupied = occupied_bits(battles)
        for row, kind in enumerate(battles.kinds[self.strikers]):
            if not tables.kinds[kind].rangestrikes:
                continue
            for column, target_kind in enumerate(battles.kinds[self.targets]):
                rangestrikes = tables.rangestrike(
                    lands, kind, target_kind, striker_hexes[row], target_hexes[column], occupied
                )
                numbers = rangestrikes.strike_numbers
                np.copyto(self.dice[row, column], rangestrikes.dice, where=is_free[row])
                np.copyto(self.number[row, column], numbers, where=is_free[row])

    @property
    def sixths(self) -> NDArray[np.int16]:
        """(strikers, targets, n): the expected hits of the strikes that are possible, in sixths."""
        return np.asarray(SIXTHS[self.dice, self.number] * self.possible)

    def strike(self, which: Indices, strikers: Indices, targets: Indices, values: Numbers) -> None:
        """Let one creature strike in each of the battles ``which`` (m).

        ``strikers`` and ``targets`` (m) are indices of the axes of this phase. Excess hits go on to
        enemies that they kill, the one of the highest value first; if they kill none, to the one of
        the highest value. ``values`` (targets, n) are those of all n battles.
        """
        battles = self.battles
        striker_slots = strikers + self.strikers.start
        target_slots = targets + self.targets.start
        dice = self.dice[strikers, targets, which]
        number = self.number[strikers, targets, which]
        hits = hits_at(battles.draw(self._sites(striker_slots), which), dice, number)

        # Hits carry over from a dead target if the striker had more dice than it needed, and has
        # another enemy beside it. This is asked before the target takes its hits, while it counts
        # as one of the two.
        hits_to_kill = battles.powers[target_slots, 0] - battles.hits[target_slots, which]
        enemies_in_contact = self.contact[strikers, :, which] & self._is_alive()[:, which].T
        has_further_enemy = enemies_in_contact.sum(axis=1) >= 2
        carries = has_further_enemy & (dice > hits_to_kill) & (hits > hits_to_kill)

        battles.hits[target_slots, which] += np.minimum(hits, hits_to_kill)
        self.possible[strikers, :, which] = False
        battles.tell(Event.STRIKE, which, striker_slots, target_slots, dice, number, hits)
        excess = (hits - hits_to_kill)[carries]
        self._carry(which[carries], strikers[carries], targets[carries], excess, values)
        self.possible &= self._is_alive()

    def _sites(self, striker_slots: Indices) -> NDArray[np.uint64]:
        """Return the sites at which strikers (m,) draw: one for each turn, phase and slot."""
        phases_so_far = self.battles.turn * PHASES + self._phase
        sites = phases_so_far * len(self.battles.kinds) + striker_slots
        return np.asarray(sites.astype(np.uint64))

    def _carry(
        self, which: Indices, strikers: Indices, targets: Indices, excess: Whole, values: Numbers
    ) -> None:
        """Let the excess hits (m,) of strikes go on to other enemies until none is left.

        Each round gives some of them to one enemy in each battle; a battle that has none left, or
        no enemy to take them, gives 0.
        """
        battles = self.battles
        allowed = self._carry_targets(which, strikers, targets)
        rows = np.arange(len(which))
        while True:
            hits_to_kill = (battles.powers[self.targets] - battles.hits[self.targets][:, which]).T
            is_open = allowed & (hits_to_kill > 0) & (excess > 0)[:, None]
            if not is_open.any():
                return
            # Those that die are worth more than all others.
            worth = np.where(hits_to_kill <= excess[:, None], WORTH_OF_KILL, 0)
            worth = worth + values[:, which].T
            chosen = np.where(is_open, worth, _NO_RECEIVER).argmax(axis=1)
            share = np.minimum(excess, hits_to_kill[rows, chosen])
            share = np.where(is_open.any(axis=1), share, 0)
            battles.hits[chosen + self.targets.start, which] += share
            excess = excess - share
            # Battles without excess hits or open targets have gone through the round for nothing.
            receives = share > 0
            receivers = chosen[receives] + self.targets.start
            battles.tell(Event.CARRY, which[receives], receivers, share[receives])

    def _carry_targets(self, which: Indices, strikers: Indices, targets: Indices) -> Flags:
        """Return a mask (m, targets) of those to whom a strike may carry over.

        These are the enemies that are as easy to hit as the target itself.
        They are in contact with the striker; a strike at them would have no fewer dice and no
        higher strike number, and would not go up a dune unless the strike at the target does.
        """
        battles = self.battles
        rows = np.arange(len(which))
        striker_hexes = battles.hex[strikers + self.strikers.start, which][:, None]
        lands = battles.lands_of(which)[:, None]
        target_hexes = battles.hex[self.targets][:, which].T
        into_dune = battles.tables.by_land.into_dune[lands, striker_hexes, target_hexes]
        dice = self.dice[strikers, :, which]
        number = self.number[strikers, :, which]
        allowed: Flags = self.contact[strikers, :, which].copy()
        allowed &= into_dune[rows, targets][:, None] | ~into_dune
        allowed &= dice >= dice[rows, targets][:, None]
        allowed &= number <= number[rows, targets][:, None]
        allowed[rows, targets] = False
        return allowed
