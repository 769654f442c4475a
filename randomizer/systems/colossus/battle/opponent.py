"""The opponent: where the creatures of a side move and whom they strike, in many battles at once.

It follows the game's simple AI: every creature scores every hex (hex_scores.py), each keeps its
best few, and the legion takes the combination with the highest sum. Where the game shuffles
combinations until its time is up, placement.py searches.

``simulator`` calls ``Opponent.move`` and ``Opponent.strike``. Many battles are computed at once: n
is their number in the shapes of arrays, and SIZE that of the hexes and the outside.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from randomizer.systems.colossus.battle.hex_scores import HexScores
from randomizer.systems.colossus.battle.many_battles import Battles
from randomizer.systems.colossus.battle.placement import NEVER, Legion, place
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.rules_by_land import SIZE, Flags, Indices
from randomizer.systems.colossus.battle.score_tables import ScoreTables
from randomizer.systems.colossus.battle.strike_phase import WORTH_OF_KILL, StrikePhase
from randomizer.systems.colossus.battle_terrain import OUTSIDE

_JITTER_SITES = np.uint64(1 << 32)
"""The first site of the draws that decide between equal hexes: beyond the sites of strikes."""

_NO_TARGET = -1
"""Less than the worth of any target."""


class Opponent:
    """Moves and strikes for both sides, by what their creatures think of each hex.

    Example::

        opponent.move(battles, DEFENDER)
        opponent.strike(battles, DEFENDER, phase=2, ranged=True)
    """

    def __init__(self, tables: RuleTables) -> None:
        self._scores = ScoreTables(tables)

    # --- moving ---------------------------------------------------------------------------------

    def move(self, battles: Battles, side: int) -> None:
        """Move the creatures of a side: score all hexes, place the legion, and go there."""
        slots_of_side = battles.sides[side]
        slots = range(slots_of_side.start, slots_of_side.stop)

        # The hexes where each creature can be after the move, (slots, n, SIZE).
        every_battle = np.arange(battles.count)
        start = battles.hex[slots_of_side]
        can_be_at = np.array([battles.reachable_hexes(slot, every_battle).T for slot in slots])
        mobile = np.asarray(can_be_at.any(axis=2))
        stays = ~mobile & ~battles.gone[slots_of_side]
        every_row = np.arange(len(slots))[:, None]
        can_be_at[every_row, every_battle, start] = True  # everybody can stay

        # What each of these hexes is worth for it, and the best placement of all.
        hex_scores = HexScores(self._scores, battles, side)
        worths = [hex_scores.worth_of_hexes(slot) for slot in slots]
        scores = np.array([worth.scores for worth in worths])
        scores = scores + self._jitter(battles, slots)
        legion = Legion(
            start=start,
            mobile=mobile,
            stays=stays,
            scores=np.where(can_be_at, scores, NEVER),
            targets=[worth.targets for worth in worths],
            guards=[worth.guard for worth in worths],
        )
        self._go_to_goals(battles, side, place(legion), scores)

    def _jitter(self, battles: Battles, slots: range) -> NDArray[np.float64]:
        """Return what is added to the scores of creatures, (slots, n, SIZE).

        It is less than any weight, and decides between equal hexes. It leaves no ties: so a battle
        does not depend on those that are fought together with it.
        """
        # One site for each turn, slot and hex.
        first_site = SIZE * (len(battles.kinds) * battles.turn + slots.start)
        sites = np.arange(SIZE * len(slots), dtype=np.uint64)
        sites = sites + np.uint64(first_site) + _JITTER_SITES
        return battles.draw(sites.reshape(-1, SIZE, 1), slice(None)).swapaxes(1, 2) / 2

    def _go_to_goals(
        self, battles: Battles, side: int, goals: Indices, scores: NDArray[np.float64]
    ) -> None:
        """Move creatures to their goals, (slots, n), in an order in which they can go there."""
        start = battles.hex[battles.sides[side]]
        lands = battles.lands_of(slice(None))

        # How many steps each creature goes; 0 if it stays.
        from_outside = self._scores.entrances[lands, side, goals]
        steps = np.where(start == OUTSIDE, from_outside, self._scores.ranges[start, goals])
        steps = steps * (goals != start)

        _LegionMove(battles, side, goals).run(steps, scores)

    # --- strikes --------------------------------------------------------------------------------

    def strike(self, battles: Battles, side: int, phase: int, *, ranged: bool) -> None:
        """Let the creatures of a side strike: those with one target first, then the best target.

        With ``ranged`` they rangestrike.
        """
        strikes = StrikePhase(battles, side, phase, ranged=ranged)
        # The value of killing each target in each battle, (targets, n).
        values_of_kinds = self._scores.values[battles.lands_of(slice(None))]
        values = values_of_kinds[:, battles.kinds[strikes.targets]].T
        values = np.broadcast_to(values, (len(values), battles.count))

        # Every creature with exactly one target strikes it.
        for row in range(len(strikes.possible)):
            possible = strikes.possible[row]  # as the strikes before have left it
            which = np.flatnonzero(possible.sum(axis=0) == 1)
            target = possible[:, which].argmax(axis=0)
            strikes.strike(which, np.full(len(which), row), target, values)

        # Then the best target of all is struck by the first creature that can, again and again.
        while True:
            which = np.flatnonzero(strikes.possible.any(axis=(0, 1)))
            if not which.size:
                return
            possible = strikes.possible[:, :, which]
            worth = self._worth_of_targets(strikes, which, values[:, which])
            target = np.where(possible.any(axis=0), worth, _NO_TARGET).argmax(axis=0)
            striker = possible[:, target, np.arange(len(which))].argmax(axis=0)
            strikes.strike(which, striker, target, values)

    def _worth_of_targets(
        self, strikes: StrikePhase, which: Indices, values: NDArray[np.floating]
    ) -> NDArray[np.floating]:
        """Return how much each target is worth striking in the battles ``which``, (targets, m).

        ``values`` (targets, m) are those of killing them.
        """
        battles = strikes.battles
        powers = battles.powers[strikes.targets]
        # The expected hits of all who can still strike each target, in sixths: these are whole
        # numbers, which add up without rounding.
        sixths = strikes.sixths[:, :, which].sum(axis=0)
        dies = sixths + 6 * battles.hits[strikes.targets][:, which] >= 6 * powers
        # Of those that would die the one of the highest value; any of them before all others.
        worth_of_kill = WORTH_OF_KILL + values
        worth_of_wound = values * sixths / powers
        return np.asarray(np.where(dies, worth_of_kill, worth_of_wound))


class _LegionMove:
    """The move of the creatures of a side to their goals, one after the other."""

    def __init__(self, battles: Battles, side: int, goals: Indices) -> None:
        """Begin the move; ``goals`` (slots, n) are hexes."""
        self._battles = battles
        self._first_slot = battles.sides[side].start
        self._goals = goals
        self._start = battles.hex[battles.sides[side]].copy()
        """(slots, n): the hex of each creature before the move."""
        self._waits = goals != self._start
        """(slots, n): whether each creature still has to move."""

    def run(self, steps: NDArray[np.floating], scores: NDArray[np.float64]) -> None:
        """Move all: ``steps`` (slots, n) are those to the goals, ``scores`` those of all hexes.

        The game tries orders until one lets all through. Here who goes far goes first, so that
        nobody is in the way. Then everybody who still waits may try once more.
        """
        for distance in range(int(steps.max()), 0, -1):
            self._go_to_goals(steps == distance)
        self._go_to_goals(np.ones(self._goals.shape, np.bool_))
        self._go_elsewhere(scores)

    def _go_to_goals(self, is_due: Flags) -> None:
        """Move those who wait and are marked in ``is_due`` (slots, n), if the way is free."""
        for row, goals_of_row in enumerate(self._goals):
            which = np.flatnonzero(self._waits[row] & is_due[row])
            if not len(which):
                continue
            goal = goals_of_row[which]
            reachable = self._battles.reachable_hexes(self._first_slot + row, which).T
            can_move = reachable[np.arange(len(which)), goal]
            self._move(row, which[can_move], goal[can_move])

    def _go_elsewhere(self, scores: NDArray[np.float64]) -> None:
        """Move those who still wait to the best hex that they can reach, unless staying is better.

        ``scores`` (slots, n, SIZE) are those of the hexes.
        """
        for row, waits in enumerate(self._waits):
            which = np.flatnonzero(waits)
            if not len(which):
                continue
            reachable = self._battles.reachable_hexes(self._first_slot + row, which).T
            reachable_scores = np.where(reachable, scores[row, which], NEVER)
            goal = reachable_scores.argmax(axis=1)
            score_of_staying = scores[row, which, self._start[row, which]]
            can_move = reachable_scores.max(axis=1) > score_of_staying
            self._move(row, which[can_move], goal[can_move])

    def _move(self, row: int, which: Indices, ends: Indices) -> None:
        """Move the creature of a slot to the hexes ``ends`` (m) in the battles ``which`` (m)."""
        self._battles.move(self._first_slot + row, which, ends)
        self._waits[row, which] = False
