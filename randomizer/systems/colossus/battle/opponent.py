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
from randomizer.systems.colossus.battle.many_battles import Battles, StrikePhase
from randomizer.systems.colossus.battle.placement import NEVER, place
from randomizer.systems.colossus.battle.rule_tables import SIZE, Indices, RuleTables
from randomizer.systems.colossus.battle.score_tables import ScoreTables
from randomizer.systems.colossus.battle_terrain import OUTSIDE

_KILL_BEFORE_WOUND = 10_000
"""A target that would die is struck before any other: more than a kill value."""

_JITTER_SITES = np.uint64(1 << 32)
"""The first site of the draws that decide between equal hexes: beyond the sites of strikes."""

_RETRY = 0
"""The round of moves in which all who still wait may try, whatever their distance.

The rounds before it are called by the distance that creatures go.
"""

_GIVE_UP = -1
"""The last round: who cannot come to its goal takes the best hex that it can reach, or stays."""


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
        reach = np.array([battles.moves(slot, every_battle).T for slot in slots])
        mobile = np.asarray(reach.any(axis=2))
        reach[np.arange(len(slots))[:, None], every_battle, start] = True  # everybody can stay
        stays = ~mobile & ~battles.gone[slots_of_side]

        # What each of these hexes is worth for it, and the best placement of all.
        hex_scores = HexScores(self._scores, battles, side)
        worths = [hex_scores.worth_of_hexes(slot) for slot in slots]
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

        # How many steps each creature goes; 0 if it stays.
        from_outside = self._scores.entrances[lands, side, goals]
        steps = np.where(outside, from_outside, self._scores.ranges[start, goals]) * waits

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
        values_of_kinds = self._scores.values[battles.lands_of(slice(None))]
        values = values_of_kinds[:, battles.kinds[strikes.targets]].T
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
