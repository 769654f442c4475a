"""Rolls under locks: maps that the script really makes and that have the locked values.

The generator calls ``search_with_locks`` where a person has locked values (hex_locks.py). The
search is by rejection: the maps number, number + 1, ... of the seed are made, thousands at a time,
until one has every locked value; it is *eligible*. Each is an ordinary roll, so that the number
found identifies the map. If none is found, the problem names the lock that is hardest to keep.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.basics.plurals import counted, many
from randomizer.model.basics.rarity import Rarity
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.rolls.generated import ALL_KEEP_LOCKS
from randomizer.search_progress import SEARCH_LIMIT
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.hex_locks import (
    NO_LOCKS,
    LockedState,
    Locks,
    SideLocks,
    side_words,
    state_words,
)
from randomizer.systems.colossus.rolling.lock_problems import impossible_locks
from randomizer.systems.colossus.rolling.map_chunk import CHUNK
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase, RolledMap, roll
from randomizer.systems.colossus.rolling.rolls import Rolls

FIRST_BLOCK = 256
"""The number of maps in the first block.

Locks that are easily kept need no more; a larger block would make them wait.
"""

BLOCK_GROWTH = 8
"""The factor by which the next block is larger.

With a larger one there are fewer blocks, and the search answers a cancelling less promptly.
"""

QUICK_SECONDS = 0.01
"""The longest time of a block that is followed by a larger one.

With longer blocks the search is cancelled, and reports its progress, less promptly.
"""

ESTIMATE_SECONDS = 0.02
"""The time for which more maps are made after the one found, to estimate how rare such maps are.

With a longer time the estimate is better, and each roll takes so much longer.
"""

ENOUGH_ELIGIBLE = 100
"""The number of eligible maps that ends the search: the estimate is then right within a tenth."""

LOCK_SAMPLE = 8192
"""The number of maps sampled to find the lock that is hardest to keep.

With more maps rarer locks can be told apart; a search without result ends later.
"""


@dataclass(frozen=True, slots=True)
class LockedRoll:
    """A map that has the locked values."""

    map: RolledMap

    number: int
    """Its number in the seed."""

    kept_locks: Rarity
    """How many of the maps that were made have the locked values."""


def search_with_locks(
    program: Program,
    seed: int,
    number: int,
    base: HexBase = PLAIN_HEXES,
    locks: Locks = NO_LOCKS,
    *,
    budget_maps: int = SEARCH_LIMIT,
    budget_seconds: float = 20.0,
) -> Generator[int, None, LockedRoll]:
    """Search for the first of the maps number, number + 1, ... that has the locked values.

    Yields the number of maps tried from time to time; closing it cancels. A number whose roll fails
    counts as tried. Raises ProblemError if the locks are impossible, if no map was found within the
    budget, and (the roll's own) if every map tried failed.
    """
    locked_rolls = LockedRolls(program, base, seed, locks)
    if not locks:
        return LockedRoll(locked_rolls.roll(number), number, ALL_KEEP_LOCKS)
    impossible = impossible_locks(program, base, locks)
    if impossible:
        raise ProblemError(impossible)

    # Blocks of maps are made until one has the locked values, and some more for the estimate.
    tried = 0
    eligible = 0
    failed = 0
    number_found: int | None = None
    maps_allowed = min(budget_maps, NUMBER_LIMIT - number)
    ends_s = time.monotonic() + budget_seconds
    block_size = FIRST_BLOCK
    while tried < maps_allowed and eligible < ENOUGH_ELIGIBLE:
        start_s = time.monotonic()
        if tried and start_s > ends_s:
            break
        numbers = _numbers(number + tried, min(block_size, maps_allowed - tried))
        block = locked_rolls.roll_and_check(numbers)
        tried += len(numbers)
        eligible += int(block.keeps_locks.sum())
        failed += block.failed
        end_s = time.monotonic()
        if number_found is None and block.keeps_locks.any():
            number_found = int(numbers[block.keeps_locks.argmax()])  # the first that is True
            ends_s = end_s + ESTIMATE_SECONDS  # now the search only goes on for the estimate
        if end_s - start_s < QUICK_SECONDS:
            block_size = min(block_size * BLOCK_GROWTH, CHUNK)
        yield tried

    if number_found is not None:
        return LockedRoll(locked_rolls.roll(number_found), number_found, Rarity(eligible, tried))
    has_every_roll_failed = failed == tried > 0
    if has_every_roll_failed:
        locked_rolls.roll(number)  # raises, with the reason
    raise ProblemError(_not_found(locked_rolls, number, tried))


def _numbers(first: int, count: int) -> NDArray[np.uint64]:
    """Return the numbers of so many maps, from the first on."""
    return np.arange(first, first + count, dtype=np.uint64)


class EligibleMaps(NamedTuple):
    """Which of n maps have the locked values."""

    keeps_locks: NDArray[np.bool_]
    """(n,): True for a map that could be rolled and has every locked value."""

    failed: int
    """The number of maps that could not be rolled."""


@dataclass(frozen=True)
class LockedRolls:
    """All maps of a seed, some of which have the locked values."""

    program: Program
    base: HexBase
    """What the program is rolled onto."""
    seed: int
    locks: Locks

    def roll(self, number: int) -> RolledMap:
        """Return one map. Raises ProblemError if it cannot be rolled."""
        return roll(self.program, KeyedDraws(self.program, self.seed, number), self.base)

    def roll_and_check(self, numbers: NDArray[np.uint64]) -> EligibleMaps:
        """Roll the maps ``numbers`` (n,) and return which of them have every locked value."""
        locks = self.locks
        # Hexsides cost more than hexes: they are made for all maps only if no hex is locked.
        with_hexsides = bool(locks.sides) and not locks.hexes
        rolls = self._roll_many(numbers, with_hexsides=with_hexsides)
        keeps_locks = ~rolls.failed
        for hex_id, state in locks.hexes.items():
            keeps_locks &= _have_hex(rolls, hex_id, state)
        if with_hexsides:
            keeps_locks &= _have_sides(rolls, locks.sides)
        elif locks.sides and keeps_locks.any():
            # Roll the maps whose hexes fit once more, with their hexsides.
            candidates = np.flatnonzero(keeps_locks)
            rolls_with_sides = self._roll_many(numbers[candidates], with_hexsides=True)
            keeps_locks[candidates] = _have_sides(rolls_with_sides, locks.sides)
        return EligibleMaps(keeps_locks, int(rolls.failed.sum()))

    def sample(self) -> Rolls:
        """Return the first maps of the seed, whether they keep the locks or not."""
        return self._roll_many(_numbers(0, LOCK_SAMPLE), with_hexsides=bool(self.locks.sides))

    def _roll_many(self, numbers: NDArray[np.uint64], *, with_hexsides: bool) -> Rolls:
        return roll_many(self.program, self.base, self.seed, numbers, hexsides=with_hexsides)


def _have_hex(rolls: Rolls, hex_id: int, state: LockedState) -> NDArray[np.bool_]:
    """Return which maps (n,) have the locked state on a hex."""
    terrain, elevation = state
    has_state = np.ones(len(rolls.numbers), np.bool_)
    if terrain is not None:
        has_state &= rolls.terrain[:, hex_id] == terrain
    if elevation is not None:
        has_state &= rolls.elevation[:, hex_id] == elevation
    return has_state


def _have_sides(rolls: Rolls, sides: SideLocks) -> NDArray[np.bool_]:
    """Return which maps (n,) have all locked hexsides."""
    assert rolls.hexside is not None, "rolled with hexsides"
    has_sides = np.ones(len(rolls.numbers), np.bool_)
    for (hex_id, side), code in sides.items():
        has_sides &= rolls.hexside[:, hex_id, side] == code
    return has_sides


# --- the problem of a search that found nothing ---------------------------------------------------


def _not_found(rolls: LockedRolls, number: int, tried: int) -> Problem:
    """Return the problem of ``tried`` maps from ``number`` on, of which none keeps the locks.

    It is placed at the lock that is hardest to keep, for which a sample of maps is rolled.
    """
    path = rolls.program.path
    if not tried:
        message = "No map was tried: the budget is empty."
        return Problem(Severity.ERROR, "locks-not-found", message, path=path)
    last = number + tried - 1
    if tried == 1:
        numbers = f"number {number}"
    else:
        numbers = f"numbers {number} to {last}"
    message = (
        f"None of the {counted(tried, 'map')} tried ({numbers}) shows what is "
        f"locked: {Rarity(0, tried).about} does. Unlock something, or go on from number {last + 1}."
    )
    hardest = _hardest_lock(_sampled_locks(rolls))
    return Problem(
        Severity.ERROR,
        "locks-not-found",
        message + hardest.advice,
        path=path,
        cell=CELL_OF_HEX[hardest.lock.hex_id],
        side=hardest.lock.side,
    )


class _SampledLock(NamedTuple):
    """A lock, and how the maps of a sample keep it."""

    hex_id: int

    side: int | None
    """The side of the hex that is locked; None: the hex itself."""

    name: str
    """What is locked, as messages name it."""

    is_kept: NDArray[np.bool_]
    """(LOCK_SAMPLE,): which maps could be rolled and have its value."""


def _sampled_locks(rolls: LockedRolls) -> list[_SampledLock]:
    """Return all locks, those of hexes first, with the maps of a sample that keep them."""
    sample = rolls.sample()
    locks = []
    for hex_id, state in rolls.locks.hexes.items():
        is_kept = _have_hex(sample, hex_id, state) & ~sample.failed
        locks.append(_SampledLock(hex_id, None, state_words(hex_id, state), is_kept))
    for hex_and_side, code in rolls.locks.sides.items():
        hex_id, side = hex_and_side
        is_kept = _have_sides(sample, {hex_and_side: code}) & ~sample.failed
        locks.append(_SampledLock(hex_id, side, side_words(hex_and_side, code), is_kept))
    return locks


class _HardestLock(NamedTuple):
    """The lock that is hardest to keep."""

    lock: _SampledLock

    advice: str
    """A sentence about it with a blank before it; "" if it is the only lock."""


def _hardest_lock(locks: Sequence[_SampledLock]) -> _HardestLock:
    """Return the lock without which most maps of a sample keep the rest.

    If no map keeps the rest whichever lock is dropped, it is the lock that is rarest by itself.
    """
    if len(locks) == 1:
        return _HardestLock(locks[0], advice="")
    breaks_lock = ~np.array([lock.is_kept for lock in locks])  # (locks, maps)

    # A map keeps the rest without a lock if it breaks none of the other locks.
    locks_broken = breaks_lock.sum(0)
    other_locks_broken = locks_broken - breaks_lock
    maps_without_lock = (other_locks_broken == 0).sum(1)
    index = int(maps_without_lock.argmax())
    maps = int(maps_without_lock[index])
    if maps:
        keep = many(maps, "keeps", "keep")
        advice = f" Without {locks[index].name}, {maps:,} of {LOCK_SAMPLE:,} maps {keep} the rest."
        return _HardestLock(locks[index], advice)

    maps_by_lock_alone = LOCK_SAMPLE - breaks_lock.sum(1)
    index = int(maps_by_lock_alone.argmin())
    maps = int(maps_by_lock_alone[index])
    advice = f" The rarest by itself: {locks[index].name} ({maps:,} of {LOCK_SAMPLE:,} maps)."
    return _HardestLock(locks[index], advice)
