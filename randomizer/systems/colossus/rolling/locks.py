"""Rolls under locks: maps that the script really makes and that have the locked values.

The roll is *conditioned* by rejection: the maps number, number + 1, ... of the seed are made,
thousands at a time, until one has every locked value. Each is an ordinary roll, so the number found
identifies the map.
"""

from __future__ import annotations

import time
from collections.abc import Generator
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
"""The number of maps that are made first: a lock that is easily kept needs no more."""

GROWTH = 8
"""How many times as large the next block is."""

QUICK_SECONDS = 0.01
"""A block that took no longer can be followed by a larger one."""

GO_ON_SECONDS = 0.02
"""How long more maps are counted after the one found, to estimate how rare such maps are."""

ENOUGH = 100
"""After so many eligible maps the search ends: the estimate is then right within a tenth."""

SAMPLE = 8192
"""The number of maps sampled to find the lock that is hardest to keep."""


@dataclass(frozen=True, slots=True)
class LockedRoll:
    """A map that has the locked values."""

    map: RolledMap

    number: int
    """Its number in the seed."""

    tried: int
    """How many maps were made."""

    eligible: int
    """How many of these have the locked values; both tell how rare such maps are."""


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
        return LockedRoll(roll(program, KeyedDraws(seed, number), base), number, 1, 1)
    impossible = impossible_locks(program, base, hexes, sides)
    if impossible:
        raise ProblemError(impossible)

    # Blocks of maps are made until one has the locked values, and some more for the estimate.
    maps_allowed = min(budget_maps, NUMBER_LIMIT - number)
    tried = 0
    eligible = 0
    failed = 0
    block_size = FIRST_BLOCK
    number_found: int | None = None
    end_s = time.monotonic() + budget_seconds
    while tried < maps_allowed and eligible < ENOUGH:
        start_s = time.monotonic()
        if tried and start_s > end_s:
            break
        block = _numbers(number + tried, min(block_size, maps_allowed - tried))
        keeps_locks, failures = maps_keeping_locks(program, base, seed, block, hexes, sides)
        tried += len(block)
        failed += failures
        duration_s = time.monotonic() - start_s
        if keeps_locks.any():
            eligible += int(keeps_locks.sum())
            if number_found is None:
                number_found = int(block[keeps_locks.argmax()])
                end_s = start_s + duration_s + GO_ON_SECONDS
        if duration_s < QUICK_SECONDS:
            block_size = min(block_size * GROWTH, CHUNK)
        yield tried

    if number_found is not None:
        rolled = roll(program, KeyedDraws(seed, number_found), base)
        return LockedRoll(rolled, number_found, tried, eligible)
    if failed == tried > 0:
        roll(program, KeyedDraws(seed, number), base)  # raises, with the reason
    raise ProblemError(_not_found(program, seed, base, hexes, sides, number, tried))


def _numbers(first: int, count: int) -> NDArray[np.uint64]:
    return np.arange(first, first + count, dtype=np.uint64)


def maps_keeping_locks(
    program: Program,
    base: HexBase,
    seed: int,
    numbers: NDArray[np.uint64],
    hexes: HexLocks,
    sides: SideLocks,
) -> tuple[NDArray[np.bool_], int]:
    """Return which of the maps (n,) have every locked value, and how many failed.

    Hexsides cost more: they are made only for maps that have the locked hexes.
    """
    rolls = roll_many(program, base, seed, numbers, hexsides=bool(sides) and not hexes)
    keeps_locks = ~rolls.failed
    for number, state in hexes.items():
        keeps_locks &= _show_hex(rolls, number, state)
    candidates = np.flatnonzero(keeps_locks)
    if sides and candidates.size:
        if hexes:
            rolls_with_sides = roll_many(program, base, seed, numbers[candidates])
            keeps_locks[candidates] = _show_sides(rolls_with_sides, sides)
        else:
            keeps_locks &= _show_sides(rolls, sides)
    return keeps_locks, int(rolls.failed.sum())


def _show_hex(rolls: Rolls, number: int, state: LockedState) -> NDArray[np.bool_]:
    """Return which maps (n,) have the locked state on a hex."""
    terrain, elevation = state
    has_state = np.ones(len(rolls.numbers), np.bool_)
    if terrain is not None:
        has_state &= rolls.terrain[:, number] == terrain
    if elevation is not None:
        has_state &= rolls.elevation[:, number] == elevation
    return has_state


def _show_sides(rolls: Rolls, sides: SideLocks) -> NDArray[np.bool_]:
    """Return which maps (n,) have all locked hexsides."""
    assert rolls.hexside is not None, "rolled with hexsides"
    has_sides = np.ones(len(rolls.numbers), np.bool_)
    for (number, side), code in sides.items():
        has_sides &= rolls.hexside[:, number, side] == code
    return has_sides


class _HardestLock(NamedTuple):
    """The lock that keeps most maps from being eligible."""

    hex_number: int

    side: int | None
    """The side of the hex that is locked; None: the hex itself."""

    advice: str
    """A sentence about it, with a blank before it; "" if it is the only lock."""


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
    lock = _hardest_lock(program, seed, base, hexes, sides)
    return Problem(
        Severity.ERROR,
        "locks-not-found",
        message + lock.advice,
        path=program.path,
        cell=CELL_OF_HEX[lock.hex_number],
        side=lock.side,
    )


def _hardest_lock(
    program: Program, seed: int, base: HexBase, hexes: HexLocks, sides: SideLocks
) -> _HardestLock:
    """Return the lock without which most maps of a sample keep the rest.

    If no map keeps the rest whichever lock is dropped, it is the lock that is rarest by itself.
    """
    # For each lock, hexes first: which maps of the sample keep it, its position and its name.
    rolls = roll_many(program, base, seed, _numbers(0, SAMPLE), hexsides=bool(sides))
    kept_by_lock = []
    positions: list[tuple[int, int | None]] = []
    names = []
    for number, state in hexes.items():
        kept_by_lock.append(_show_hex(rolls, number, state))
        positions.append((number, None))
        names.append(state_words(number, state))
    for hex_and_side, code in sides.items():
        kept_by_lock.append(_show_sides(rolls, {hex_and_side: code}))
        positions.append(hex_and_side)
        names.append(side_words(hex_and_side, code))

    breaks_lock = ~(np.array(kept_by_lock) & ~rolls.failed)  # (locks, maps)
    other_locks_broken = breaks_lock.sum(0) - breaks_lock
    maps_without_lock = (other_locks_broken == 0).sum(1)
    maps_by_lock_alone = SAMPLE - breaks_lock.sum(1)

    is_freed_by_one_lock = bool(maps_without_lock.any())
    if is_freed_by_one_lock:
        hardest = int(maps_without_lock.argmax())
        maps = maps_without_lock[hardest]
        keep = many(maps, "keeps", "keep")
        advice = f" Without {names[hardest]}, {maps:,} of {SAMPLE:,} maps {keep} the rest."
    else:
        hardest = int(maps_by_lock_alone.argmin())
        maps = maps_by_lock_alone[hardest]
        advice = f" The rarest by itself: {names[hardest]} ({maps:,} of {SAMPLE:,} maps)."
    if len(positions) == 1:
        advice = ""
    return _HardestLock(*positions[hardest], advice)
