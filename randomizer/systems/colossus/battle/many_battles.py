"""Many battles at once: the rules of ``battle`` on arrays, one battle a column.

Two armies fight on a battleland. Each creature has a *slot*, the same in all battles: first the
attackers, then the defenders, each the most important first. Arrays have a row for each slot::

    battles.hits                      battle 0   battle 1   battle 2
    slot 0  Titan     attacker            0          2          0
    slot 1  Ogre      attacker            3          0          6      dead: its power is 6
    slot 2  Titan     defender            1          1          0

A battle is (seed, number): the same alone or among thousands, because every draw has a key of its
own (``randomizer.model.basics.dice``). ``Battles`` holds their state, with moves and hazards;
``strike_phase`` lets one side strike. ``simulator`` goes through the turns, and ``opponent``
decides who goes where and strikes whom. Where methods take battles ``which`` (m), these are indices
of columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import steps, streams, words_at
from randomizer.systems.colossus.battle.reach import March, can_stop
from randomizer.systems.colossus.battle.rule_tables import RuleTables
from randomizer.systems.colossus.battle.rules_by_land import BLOCKED, SIZE, Flags, Indices
from randomizer.systems.colossus.battle_terrain import OUTSIDE
from randomizer.systems.colossus.board import HEX_COUNT

ATTACKER = 0
"""The side that enters the land, as an index of arrays."""

DEFENDER = 1
"""The other side, as an index of arrays."""


class Event(Enum):
    """What an observer is told of, each with its further arguments.

    The arguments are arrays (m,), one entry for each of the battles ``which``, if nothing else is
    said.
    """

    TURN = "turn"
    """A side begins its half of a turn. Argument: the side, an int."""

    MOVE = "move"
    """A creature is about to move. Arguments: its slot, an int, and the hexes that it moves to."""

    FIGHT = "fight"
    """The hazards have had their effect, and the side whose turn it is strikes next."""

    STRIKEBACK = "strikeback"
    """The other side strikes next."""

    STRIKE = "strike"
    """A creature has struck.

    Arguments: the slots of strikers and of targets, dice, strike numbers, and all hits of the dice.
    """

    CARRY = "carry"
    """Excess hits have gone on to another enemy. Arguments: the slots of such enemies, hits."""

    END = "end"
    """Half a turn is over. Arguments: which sides have lost, (2, m), and where the time was up."""


Observer = Callable[..., None]
"""Is told of all that happens, for tests: ``observer(battles, event, which, ...)``.

``event`` is an ``Event``; its further arguments follow ``which``.
"""

HEX_BITS = np.array([*(1 << number for number in range(HEX_COUNT)), 0], np.uint32)
"""(SIZE,): each hex as a set of hexes; OUTSIDE is in none."""

_FIRST_LAND = np.zeros(1, np.intp)
"""The index of the only battleland, of which one entry stands for all battles."""


class Battles:
    """n battles that are fought at once: their state, and the rules that change it.

    ``Simulator`` goes through half turns, in each of which a side acts in this order: creatures
    ``move``, ``kill_unentered``, ``apply_hazards``, strikes and strikes back (``StrikePhase``),
    ``finish_half_turn``, and ``keep_only`` for the battles that go on.
    """

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
        """The rules, by battleland and kind of creature."""
        self.lands = lands
        """(n,): the battleland of each battle, as an index; None if there is only one."""
        self.numbers = numbers
        """(n,): the number of each battle among those of its seed."""
        self.turn = 1
        """The turn, from 1, which is the same in all battles; ``simulator`` sets it."""
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
        """(2, SIZE): the dead of each side by hex, in all battles; OUTSIDE: who never entered."""
        self.losses: Counter[tuple[int, str]] = Counter()
        """The number of dead in all battles, by side and name of the creature."""

    def keep_only(self, is_kept: Flags) -> None:
        """Go on with the battles that are marked in ``is_kept`` (n,), and drop the others."""
        self.numbers = self.numbers[is_kept]
        if self.lands is not None:
            self.lands = self.lands[is_kept]
        self.hex = np.ascontiguousarray(self.hex[:, is_kept])
        self.hits = np.ascontiguousarray(self.hits[:, is_kept])
        self.slowed = np.ascontiguousarray(self.slowed[:, is_kept])
        self.gone = np.ascontiguousarray(self.gone[:, is_kept])

    @property
    def count(self) -> int:
        """The number of battles, n."""
        return len(self.numbers)

    def lands_of(self, which: Indices | slice) -> Indices:
        """Return the battlelands of the battles ``which`` (m), (m,).

        If there is only one battleland the shape is (1,), which stands for all of the battles:
        numpy looks up an array of one index faster.
        """
        if self.lands is None:
            return _FIRST_LAND
        return self.lands[which]

    def draw(self, sites: NDArray[np.uint64], which: Indices | slice) -> NDArray[np.float64]:
        """Return chances of 0 .. 1 that the battles ``which`` (m) draw at sites: (..., m).

        A *site* is the number of one decision of a battle. The same seed, number of the battle and
        site always give the same chance.
        """
        words = words_at(streams(self._seed, sites), steps(self.numbers[which]))
        # 53 of 64 bits: as many as a float holds exactly.
        return np.asarray((words >> np.uint64(11)) * 2.0**-53, np.float64)

    def tell(self, event: Event, which: Indices, *more: object) -> None:
        """Tell the observer, if there is one, what has happened in the battles ``which``."""
        if self._observer is not None:
            self._observer(self, event, which, *more)

    # --- moving ---------------------------------------------------------------------------------

    def reachable_hexes(self, slot: int, which: Indices) -> Flags:
        """Return a mask (SIZE, m) of the hexes that a creature can move to in battles ``which``."""
        side = self.side_of(slot)
        start = self.hex[slot, which]
        lands = self.lands_of(which)
        occupied = np.zeros((SIZE, len(which)), np.bool_)
        occupied[self.hex[:, which], np.arange(len(which))] = True
        occupied[OUTSIDE] = False

        # A creature in contact with an enemy stays, a dead one too.
        enemy_hexes = self.hex[self.sides[1 - side]][:, which]
        is_in_contact = self.tables.by_land.contact[lands, start, enemy_hexes].any(axis=0)
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
        self.tell(Event.MOVE, which, slot, ends)
        self.hex[slot, which] = ends

    def kill_unentered(self, side: int) -> None:
        """Kill the creatures of a side that have not entered the board."""
        slots = self.sides[side]
        not_entered = (self.hex[slots] == OUTSIDE) & ~self.gone[slots]
        self.gone[slots] |= not_entered
        self.deaths[side, OUTSIDE] += not_entered.sum()
        self._count_losses(side, not_entered)

    def _count_losses(self, side: int, died: Flags) -> None:
        """Count those of a side who have died, (slots of the side, n)."""
        for kind, count in zip(self.kinds[self.sides[side]], died.sum(axis=1), strict=True):
            self.losses[side, self.tables.kinds[kind].name] += int(count)

    # --- strikes --------------------------------------------------------------------------------

    def apply_hazards(self) -> None:
        """Apply the effects of hazards before the active side's strikes."""
        rules = self.tables.by_land
        positions = (self.lands_of(slice(None)), self.kinds[:, None], self.hex)
        healed = rules.heals[positions]
        self.slowed += rules.slows[positions]
        self.slowed -= np.minimum(self.slowed, healed)
        self.hits -= np.minimum(self.hits, healed)
        self.hits += rules.damage[positions]

    def finish_half_turn(self) -> Flags:
        """Count the dead and take them away; return which sides have lost, (2, n).

        A side loses with its Titan or its last creature.
        """
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


def occupied_bits(battles: Battles) -> NDArray[np.uint32]:
    """Return the sets of occupied hexes, (n,), as ``RulesByLand.blockers`` has them."""
    return np.asarray(np.bitwise_or.reduce(HEX_BITS[battles.hex], axis=0) | BLOCKED)
