"""Rolls under locks: maps that the script really makes and that have the locked values.

The generator calls ``search_with_locks`` where a person has locked cells: a *lock* is a value of a
hex or a hexside that the roll must have. The search is by rejection: the maps number, number + 1,
... of the seed are made, thousands at a time, until one has every locked value (it is *eligible*).
Each is an ordinary roll, so that the number found identifies the map. If none is found, the problem
names the lock that is hardest to keep.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import SEARCH_LIMIT
from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.basics.plurals import counted, many
from randomizer.model.basics.rarity import Rarity
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.rolling.batch_roller import CHUNK, Rolls, roll_many
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.lock_problems import (
    HexLocks,
    LockedState,
    SideLocks,
    impossible_locks,
    side_words,
    state_words,
)
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase, RolledMap, roll

FIRST_BLOCK = 256
"""The number of maps in the first block: locks that are easily kept need no more."""

GROWTH = 8
"""The factor by which the next block is larger."""

QUICK_SECONDS = 0.01
"""The longest time of a block that is followed by a larger one.

With longer blocks the search is cancelled, and reports its progress, less promptly.
"""

GO_ON_SECONDS = 0.02
"""The time for which more maps are made after the one found, to estimate how rare such maps are."""

ENOUGH = 100
"""The number of eligible maps that ends the search: the estimate is then right within a tenth."""

SAMPLE = 8192
"""The number of maps sampled to find the lock that is hardest to keep."""


@dataclass(frozen=True, slots=True)
class LockedRoll:
    """A map that has the locked values."""

    map: RolledMap

    number: int
    """Its number in the seed."""

    tried: int
    """The number of maps that were made."""

    eligible: int
    """The number of these that have the locked values; both tell how rare such maps are."""


def search_with_locks(
    program: Program,
    seed: int,
    number: int,
    base: HexBase = PLAIN_HEXES,
    locked_hexes: HexLocks | None = None,
    locked_sides: SideLocks | None = None,
    *,
    budget_maps: int = SEARCH_LIMIT,
    budget_seconds: float = 20.0,
) -> Generator[int, None, LockedRoll]:
    """Search for the first of the maps number, number + 1, ... that has the locked values.

    Yields the number of maps tried from time to time; closing it cancels. A number whose roll fails
    counts as tried. Raises ProblemError if the locks are impossible, if no map was found within the
    budget, and (the roll's own) if every map tried failed.
    """
    hexes = locked_hexes or {}
    sides = locked_sides or {}
    if not hexes and not sides:
        rolled = roll(program, KeyedDraws(seed, number), base)
        return LockedRoll(rolled, number, tried=1, eligible=1)
    impossible = impossible_locks(program, base, hexes, sides)
    if impossible:
        raise ProblemError(impossible)

    # Blocks of maps are made until one has the locked values, and some more for the estimate.
    maps_allowed = min(budget_maps, NUMBER_LIMIT - number)
    counts = _SearchCounts(end_s=time.monotonic() + budget_seconds)
    while counts.tried < maps_allowed and counts.eligible < ENOUGH:
        start_s = time.monotonic()
        if counts.tried and start_s > counts.end_s:
            break
        block_size = min(counts.block_size, maps_allowed - counts.tried)
        block = _numbers(number + counts.tried, block_size)
        keeps_locks, failures = maps_keeping_locks(program, base, seed, block, hexes, sides)
        counts.add(block, keeps_locks, failures, start_s)
        yield counts.tried

    if counts.number_found is not None:
        rolled = roll(program, KeyedDraws(seed, counts.number_found), base)
        return LockedRoll(rolled, counts.number_found, tried=counts.tried, eligible=counts.eligible)
    has_every_roll_failed = counts.failed == counts.tried > 0
    if has_every_roll_failed:
        roll(program, KeyedDraws(seed, number), base)  # raises, with the reason
    raise ProblemError(_not_found(program, seed, base, hexes, sides, number, counts.tried))


@dataclass(slots=True)
class _SearchCounts:
    """The counts of a search after the blocks of maps so far."""

    end_s: float
    """The time, by ``time.monotonic``, after which no more blocks are made."""
    tried: int = 0
    """The number of maps that were made."""
    eligible: int = 0
    """The number of these that have the locked values."""
    failed: int = 0
    """The number of these that could not be rolled."""
    number_found: int | None = None
    """The first map with the locked values."""
    block_size: int = FIRST_BLOCK
    """The number of maps of the next block."""

    def add(
        self,
        numbers: NDArray[np.uint64],
        keeps_locks: NDArray[np.bool_],
        failures: int,
        start_s: float,
    ) -> None:
        """Count a block of the maps ``numbers``, which was begun at ``start_s``."""
        self.tried += len(numbers)
        self.failed += failures
        self.eligible += int(keeps_locks.sum())
        end_s = time.monotonic()
        if self.number_found is None and keeps_locks.any():
            self.number_found = int(numbers[keeps_locks.argmax()])  # the first that is True
            self.end_s = end_s + GO_ON_SECONDS
        if end_s - start_s < QUICK_SECONDS:
            self.block_size = min(self.block_size * GROWTH, CHUNK)


def _numbers(first: int, count: int) -> NDArray[np.uint64]:
    """Return the numbers of so many maps, from the first on."""
    return np.arange(first, first + count, dtype=np.uint64)


def maps_keeping_locks(
    program: Program,
    base: HexBase,
    seed: int,
    numbers: NDArray[np.uint64],
    hexes: HexLocks,
    sides: SideLocks,
) -> tuple[NDArray[np.bool_], int]:
    """Return which of the maps (n,) have every locked value, and how many failed."""
    rolls = roll_many(program, base, seed, numbers, hexsides=bool(sides) and not hexes)
    failures = int(rolls.failed.sum())
    keeps_locks = ~rolls.failed
    if not hexes:
        if sides:
            keeps_locks &= _have_sides(rolls, sides)
        return keeps_locks, failures

    for number, state in hexes.items():
        keeps_locks &= _have_hex(rolls, number, state)
    # Hexsides cost more: they are made only for maps that have the locked hexes.
    candidates = np.flatnonzero(keeps_locks)
    if sides and candidates.size:
        rolls_with_sides = roll_many(program, base, seed, numbers[candidates])
        keeps_locks[candidates] = _have_sides(rolls_with_sides, sides)
    return keeps_locks, failures


def _have_hex(rolls: Rolls, number: int, state: LockedState) -> NDArray[np.bool_]:
    """Return which maps (n,) have the locked state on a hex."""
    terrain, elevation = state
    has_state = np.ones(len(rolls.numbers), np.bool_)
    if terrain is not None:
        has_state &= rolls.terrain[:, number] == terrain
    if elevation is not None:
        has_state &= rolls.elevation[:, number] == elevation
    return has_state


def _have_sides(rolls: Rolls, sides: SideLocks) -> NDArray[np.bool_]:
    """Return which maps (n,) have all locked hexsides."""
    assert rolls.hexside is not None, "rolled with hexsides"
    has_sides = np.ones(len(rolls.numbers), np.bool_)
    for (number, side), code in sides.items():
        has_sides &= rolls.hexside[:, number, side] == code
    return has_sides


def _not_found(
    program: Program,
    seed: int,
    base: HexBase,
    hexes: HexLocks,
    sides: SideLocks,
    number: int,
    tried: int,
) -> Problem:
    """Return the problem, placed at the lock that is hardest to keep."""
    if not tried:
        message = "No map was tried: the budget is empty."
        return Problem(Severity.ERROR, "locks-not-found", message, path=program.path)
    last = number + tried - 1
    if tried == 1:
        numbers = f"number {number}"
    else:
        numbers = f"numbers {number} to {last}"
    message = (
        f"None of the {counted(tried, 'map')} tried ({numbers}) shows what is "
        f"locked: {Rarity(0, tried).about} does. Unlock something, or go on from number {last + 1}."
    )
    rolls = roll_many(program, base, seed, _numbers(0, SAMPLE), hexsides=bool(sides))
    lock, advice = _hardest_lock(rolls, _sampled_locks(rolls, hexes, sides))
    return Problem(
        Severity.ERROR,
        "locks-not-found",
        message + advice,
        path=program.path,
        cell=CELL_OF_HEX[lock.hex_number],
        side=lock.side,
    )


class _SampledLock(NamedTuple):
    """A lock, and how the maps of a sample keep it."""

    hex_number: int
    side: int | None
    """The side of the hex that is locked; None: the hex itself."""
    name: str
    """What is locked, as messages name it."""
    maps: NDArray[np.bool_]
    """(SAMPLE,): which maps have its value."""


def _sampled_locks(rolls: Rolls, hexes: HexLocks, sides: SideLocks) -> list[_SampledLock]:
    """Return all locks, those of hexes first, with the maps of a sample that keep them."""
    locks = []
    for number, state in hexes.items():
        maps = _have_hex(rolls, number, state)
        locks.append(_SampledLock(number, None, state_words(number, state), maps))
    for hex_and_side, code in sides.items():
        number, side = hex_and_side
        maps = _have_sides(rolls, {hex_and_side: code})
        locks.append(_SampledLock(number, side, side_words(hex_and_side, code), maps))
    return locks


def _hardest_lock(rolls: Rolls, locks: Sequence[_SampledLock]) -> tuple[_SampledLock, str]:
    """Return the lock without which most maps of a sample keep the rest, and advice about it.

    If no map keeps the rest whichever lock is dropped, it is the lock that is rarest by itself. The
    advice is a sentence with a blank before it, or "" if it is the only lock.
    """
    # Which lock each map breaks, (locks, maps); a map that failed breaks all of them.
    keeps_lock = np.array([lock.maps for lock in locks]) & ~rolls.failed
    breaks_lock = ~keeps_lock
    # The number of maps that keep all locks but one, and of those that keep the one, (locks,).
    other_locks_broken = breaks_lock.sum(0) - breaks_lock
    maps_without_lock = (other_locks_broken == 0).sum(1)
    maps_by_lock_alone = SAMPLE - breaks_lock.sum(1)

    is_freed_by_one_lock = bool(maps_without_lock.any())
    if is_freed_by_one_lock:
        index = int(maps_without_lock.argmax())
        maps = maps_without_lock[index]
        keep = many(maps, "keeps", "keep")
        advice = f" Without {locks[index].name}, {maps:,} of {SAMPLE:,} maps {keep} the rest."
    else:
        index = int(maps_by_lock_alone.argmin())
        maps = maps_by_lock_alone[index]
        advice = f" The rarest by itself: {locks[index].name} ({maps:,} of {SAMPLE:,} maps)."
    if len(locks) == 1:
        advice = ""
    return locks[index], advice
