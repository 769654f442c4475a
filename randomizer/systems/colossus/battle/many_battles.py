"""Many battles at once: the rules of ``battle`` on arrays, one battle a column.

Two armies fight on a battleland. Each creature has a *slot*, the same in all battles: first the
attackers, then the defenders, each the most important first. Arrays have a row for each slot::

    battles.hits                      battle 0   battle 1   battle 2
    slot 0  Titan     attacker            0          2          0
    slot 1  Ogre      attacker            3          0          6      dead: its power is 6
    slot 2  Titan     defender            1          1          0

A battle is (seed, number): the same alone or among thousands, because every draw has a key of its
own (``randomizer.model.basics.dice``). ``Battles`` holds their state, with moves and hazards;
``StrikePhase`` lets one side strike. ``simulator`` goes through the turns, and ``opponent`` decides
who goes where and strikes whom. Where methods take battles ``which`` (m), these are indices of
columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, streams, words_at
from randomizer.systems.colossus.battle.reach import March, can_stop
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
from randomizer.systems.colossus.battle_terrain import OUTSIDE
from randomizer.systems.colossus.board import HEX_COUNT

ATTACKER = 0
DEFENDER = 1
"""The sides, as indices of arrays."""

PHASES = 4
"""The phases of a turn in which draws are made."""

Observer = Callable[..., None]
"""Is told of all that happens, for tests: ``observer(battles, event, which, ...)``.

Events and their further arguments: "turn" (side), "move" (slot, ends), "fight", "strikeback",
"strike" (strikers, targets, dice, strike numbers, hits), "carry" (targets, hits), and "end" (lost,
late). All but side and slot are arrays.
"""

HEX_BITS = np.array([*(1 << number for number in range(HEX_COUNT)), 0], np.uint32)
"""(SIZE,): each hex as a set of hexes; OUTSIDE is in none."""

_FIRST_LAND = np.zeros(1, np.intp)
"""The index of the only battleland, of which one entry stands for all battles."""

_WORTH_OF_KILL = 10_000
"""What a creature that dies is worth more than any that does not, to an attacker of whom hits carry
over. It is above all values of creatures."""


class Battles:
    """n battles that are fought at once."""

    def __init__(
        self,
        tables: RuleTables,
        numbers: NDArray[np.uint64],
        seed: int,
        observer: Observer | None = None,
        lands: Indices | None = None,
    ) -> None:
        """Begin the battles of these ``numbers`` (n,).

        ``lands`` (n,) are their battlelands as indices of those of the tables; None: all are on
        the first one.
        """
        self.tables = tables
        self.lands = lands
        self.numbers = numbers
        self.turn = 1
        self._seed = seed
        self._observer = observer

        # What does not change: the creatures by slot.
        self.kinds = np.array([*tables.attackers, *tables.defenders])
        """(slots,): the kind of each creature, as an index of ``tables.kinds``."""
        creatures = [tables.kinds[kind] for kind in self.kinds]
        self.powers = np.array([[kind.power] for kind in creatures], np.int8)
        """(slots, 1): a creature is dead when its hits reach its power."""
        self._skills = np.array([kind.skill for kind in creatures], np.int8)
        self._titans = np.array([[kind.is_titan] for kind in creatures])
        count = len(tables.attackers)
        self.sides = (slice(0, count), slice(count, len(self.kinds)))
        """The slots of the attacker and of the defender."""

        # What changes in each battle.
        shape = (len(self.kinds), len(numbers))
        self.hex = np.full(shape, OUTSIDE, np.intp)
        """(slots, n): the hex of each creature; OUTSIDE: it is gone, or has not entered yet."""
        self.hits = np.zeros(shape, np.int8)
        """(slots, n): the hits that each creature has taken."""
        self.slowed = np.zeros(shape, np.int8)
        """(slots, n): the movement points that hazards have taken from each creature."""
        self.gone = np.zeros(shape, np.bool_)
        """(slots, n): whether each creature is dead, or lost because it never entered."""

        # Counts of all battles, those that have ended too.
        self.deaths = np.zeros((2, SIZE), np.int64)
        """How many of each side have died on each hex, in all battles; OUTSIDE: never entered."""
        self.losses: Counter[tuple[int, str]] = Counter()
        """The same by side and name."""

    def keep(self, which: Flags) -> None:
        """Go on with the battles that are marked in ``which`` (n,), and drop the others."""
        self.numbers = self.numbers[which]
        if self.lands is not None:
            self.lands = self.lands[which]
        self.hex = np.ascontiguousarray(self.hex[:, which])
        self.hits = np.ascontiguousarray(self.hits[:, which])
        self.slowed = np.ascontiguousarray(self.slowed[:, which])
        self.gone = np.ascontiguousarray(self.gone[:, which])

    @property
    def count(self) -> int:
        """The number of battles, n."""
        return len(self.numbers)

    def lands_of(self, which: Indices | slice) -> Indices:
        """Return the battlelands of the battles ``which`` (m), (m,); (1,) if there is one only."""
        if self.lands is None:
            return _FIRST_LAND
        return self.lands[which]

    def draw(self, sites: NDArray[np.uint64], which: Indices | slice) -> NDArray[np.float64]:
        """Return chances of 0 .. 1 that the battles ``which`` (m) draw at sites: (..., m)."""
        words = words_at(streams(self._seed, sites), steps(self.numbers[which]))
        # 53 of 64 bits: as many as a float holds exactly.
        return np.asarray((words >> np.uint64(11)) * 2.0**-53, np.float64)

    def tell(self, event: str, which: Indices, *more: object) -> None:
        """Tell the observer, if there is one, what has happened in the battles ``which``."""
        if self._observer is not None:
            self._observer(self, event, which, *more)

    # --- moving ---------------------------------------------------------------------------------

    def moves(self, slot: int, which: Indices) -> Flags:
        """Return where a creature can move to in the battles ``which`` (m): (SIZE, m)."""
        side = self.side_of(slot)
        start = self.hex[slot, which]
        lands = self.lands_of(which)
        occupied = np.zeros((SIZE, len(which)), np.bool_)
        occupied[self.hex[:, which], np.arange(len(which))] = True
        occupied[OUTSIDE] = False

        # A creature in contact with an enemy stays, a dead one too.
        enemy_hexes = self.hex[self.sides[1 - side]][:, which]
        is_in_contact = self.tables.contact[lands, start, enemy_hexes].any(axis=0)
        can_leave = ~(is_in_contact | self.gone[slot, which])
        ends = ~occupied & can_leave
        if self.turn == 1 and side == DEFENDER and self.tables.lands[0].start:
            # With a start list defenders are set up on any of its hexes, without a march.
            return np.asarray(ends & self.tables.start[:, None])
        march = March(
            kind=self.kinds[slot],
            side=side,
            start=start,
            points=np.maximum(self._skills[slot] - self.slowed[slot, which], 0),
            lands=lands,
            occupied=occupied,
        )
        return np.asarray(ends & can_stop(self.tables, march))

    def side_of(self, slot: int) -> int:
        """Return the side of a slot: ATTACKER or DEFENDER."""
        if slot < self.sides[DEFENDER].start:
            return ATTACKER
        return DEFENDER

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
        positions = (self.lands_of(slice(None)), self.kinds[:, None], self.hex)
        healed = tables.heals[positions]
        self.slowed += tables.slows[positions]
        self.slowed -= np.minimum(self.slowed, healed)
        self.hits -= np.minimum(self.hits, healed)
        self.hits += tables.damage[positions]

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
    """The strikes of a side in one phase of the turn.

    Its arrays have the shape (strikers, targets, n): rows are the slots of the side, columns those
    of the enemy.
    """

    def __init__(self, battles: Battles, side: int, phase: int, *, ranged: bool) -> None:
        """Begin a phase, 0 .. 3 of the turn; ``ranged`` ones are only in Fight."""
        self.battles = battles
        self._phase = phase
        self.strikers = battles.sides[side]
        """The slots of the side that strikes."""
        self.targets = battles.sides[1 - side]
        """The slots of its enemies."""
        striker_hexes = battles.hex[self.strikers][:, None]
        target_hexes = battles.hex[self.targets]
        kinds = battles.kinds[self.strikers, None, None], battles.kinds[self.targets, None]
        lands = battles.lands_of(slice(None))
        self.contact: Flags = battles.tables.contact[lands, striker_hexes, target_hexes]
        """Whether striker and target are in contact."""
        self.dice: Whole = battles.tables.dice[(lands, *kinds, striker_hexes, target_hexes)]
        """The dice of each strike, 0 where there is none."""
        self.number: Whole = battles.tables.number[(lands, *kinds, striker_hexes, target_hexes)]
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
                dice, number = tables.rangestrike(
                    lands, kind, target_kind, striker_hexes[row], target_hexes[column], occupied
                )
                np.copyto(self.dice[row, column], dice, where=is_free[row])
                np.copyto(self.number[row, column], number, where=is_free[row])

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
        striker_slots = strikers + self.strikers.start
        target_slots = targets + self.targets.start
        dice = self.dice[strikers, targets, which]
        number = self.number[strikers, targets, which]
        hits = hits_at(battles.draw(self._sites(striker_slots), which), dice, number)

        # Hits carry over from a dead target if the striker had more dice than it needed, and has
        # another enemy beside it.
        hits_to_kill = battles.powers[target_slots, 0] - battles.hits[target_slots, which]
        enemies_in_contact = self.contact[strikers, :, which] & self._is_alive()[:, which].T
        has_further_enemy = enemies_in_contact.sum(axis=1) >= 2
        carries = has_further_enemy & (dice > hits_to_kill) & (hits > hits_to_kill)

        battles.hits[target_slots, which] += np.minimum(hits, hits_to_kill)
        self.possible[strikers, :, which] = False
        battles.tell("strike", which, striker_slots, target_slots, dice, number, hits)
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
        """Let the excess hits (m,) of strikes go on to other enemies until none is left."""
        battles = self.battles
        allowed = self._carry_targets(which, strikers, targets)
        rows = np.arange(len(which))
        while True:
            hits_to_kill = (battles.powers[self.targets] - battles.hits[self.targets][:, which]).T
            is_open = allowed & (hits_to_kill > 0) & (excess > 0)[:, None]
            if not is_open.any():
                return
            # Those that die are worth more than all others.
            worth = np.where(hits_to_kill <= excess[:, None], _WORTH_OF_KILL, 0)
            worth = worth + values[:, which].T
            chosen = np.where(is_open, worth, -1).argmax(axis=1)
            share = np.minimum(excess, hits_to_kill[rows, chosen])
            share = np.where(is_open.any(axis=1), share, 0)
            battles.hits[chosen + self.targets.start, which] += share
            excess = excess - share
            battles.tell("carry", which, chosen + self.targets.start, share)

    def _carry_targets(self, which: Indices, strikers: Indices, targets: Indices) -> Flags:
        """Return to whom a strike may carry over, (m, targets): enemies that are as easy to hit.

        They are in contact with the striker; a strike at them would have no fewer dice and no
        higher strike number, and would not go up a dune unless the strike at the target does.
        """
        battles = self.battles
        rows = np.arange(len(which))
        striker_hexes = battles.hex[strikers + self.strikers.start, which][:, None]
        lands = battles.lands_of(which)[:, None]
        target_hexes = battles.hex[self.targets][:, which].T
        into_dune = battles.tables.into_dune[lands, striker_hexes, target_hexes]
        dice = self.dice[strikers, :, which]
        number = self.number[strikers, :, which]
        allowed: Flags = self.contact[strikers, :, which]
        allowed &= into_dune[rows, targets][:, None] | ~into_dune
        allowed &= dice >= dice[rows, targets][:, None]
        allowed &= number <= number[rows, targets][:, None]
        allowed[rows, targets] = False
        return allowed


def occupied_bits(battles: Battles) -> NDArray[np.uint32]:
    """Return the sets of occupied hexes, (n,), as ``RuleTables.blockers`` has them."""
    return np.asarray(np.bitwise_or.reduce(HEX_BITS[battles.hex], axis=0) | BLOCKED)
