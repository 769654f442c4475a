"""Rolls under locks: maps that the script really makes and that have the locked values.

The roll is *conditioned* by rejection: the maps number, number + 1, ... of the seed are made,
thousands at a time, until one has every locked value. Each is an ordinary roll, so the number found
identifies the map.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass

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
GROWTH = 8
QUICK_SECONDS = 0.01
"""A block that took no longer can be followed by a larger one."""
GO_ON_SECONDS = 0.02
"""How long more maps are counted after the one found, to estimate how rare such maps are ..."""
ENOUGH = 100
"""... or until so many were found: the estimate is then right within a tenth."""
SAMPLE = 8192
"""The number of maps sampled to find the lock that is hardest to keep."""


@dataclass(frozen=True, slots=True)
class LockedRoll:
    """Map ``number`` of the seed has the locked values, as ``eligible`` of ``tried`` maps have."""

    map: RolledMap
    number: int
    tried: int
    eligible: int


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
    most = min(budget_maps, NUMBER_LIMIT - number)
    tried = 0
    eligible = 0
    failed = 0
    size = FIRST_BLOCK
    number_found: int | None = None
    ends = time.monotonic() + budget_seconds
    while tried < most and eligible < ENOUGH:
        begins = time.monotonic()
        if tried and begins > ends:
            break
        block = _numbers(number + tried, min(size, most - tried))
        keeps, failures = maps_keeping_locks(program, base, seed, block, hexes, sides)
        tried = tried + len(block)
        failed = failed + failures
        took = time.monotonic() - begins
        if keeps.any():
            eligible += int(keeps.sum())
            if number_found is None:
                number_found = int(block[keeps.argmax()])
                ends = begins + took + GO_ON_SECONDS
        if took < QUICK_SECONDS:
            size = min(size * GROWTH, CHUNK)
        yield tried
    if number_found is not None:
        return LockedRoll(
            roll(program, KeyedDraws(seed, number_found), base), number_found, tried, eligible
        )
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
    keeps = ~rolls.failed
    for hex_, state in hexes.items():
        keeps &= _shows(rolls, hex_, state)
    left = np.flatnonzero(keeps)
    if sides and left.size:
        if hexes:
            candidates = roll_many(program, base, seed, numbers[left])
            keeps[left] = _show_sides(candidates, sides)
        else:
            keeps &= _show_sides(rolls, sides)
    return keeps, int(rolls.failed.sum())


def _shows(rolls: Rolls, hex_: int, state: LockedState) -> NDArray[np.bool_]:
    terrain, elevation = state
    shows = np.ones(len(rolls.numbers), np.bool_)
    if terrain is not None:
        shows &= rolls.terrain[:, hex_] == terrain
    if elevation is not None:
        shows &= rolls.elevation[:, hex_] == elevation
    return shows


def _show_sides(rolls: Rolls, sides: SideLocks) -> NDArray[np.bool_]:
    assert rolls.hexside is not None, "rolled with hexsides"
    shows = np.ones(len(rolls.numbers), np.bool_)
    for (hex_, side), code in sides.items():
        shows &= rolls.hexside[:, hex_, side] == code
    return shows


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
    hex_, side, words = _hardest_lock(program, seed, base, hexes, sides)
    message += words
    cell = CELL_OF_HEX[hex_]
    return Problem(
        Severity.ERROR, "locks-not-found", message, path=program.path, cell=cell, side=side
    )


def _hardest_lock(
    program: Program, seed: int, base: HexBase, hexes: HexLocks, sides: SideLocks
) -> tuple[int, int | None, str]:
    """Hex and side of the lock without which most maps of a sample keep the rest, and words.

    If no map keeps the rest whichever lock is dropped, it is the lock that is rarest by itself.
    """
    rolls = roll_many(program, base, seed, _numbers(0, SAMPLE), hexsides=bool(sides))
    shows = [_shows(rolls, hex_, state) for hex_, state in hexes.items()]
    shows += [_show_sides(rolls, {hex_and_side: code}) for hex_and_side, code in sides.items()]
    names = [state_words(*item) for item in hexes.items()]
    names += [side_words(*item) for item in sides.items()]
    candidates = [*((hex_, None) for hex_ in hexes), *sides]
    missing = ~(np.array(shows) & ~rolls.failed)
    freed = ((missing.sum(0) - missing) == 0).sum(1)
    alone = SAMPLE - missing.sum(1)
    which = int(freed.argmax() if freed.any() else alone.argmin())
    if len(candidates) == 1:
        words = ""
    elif freed.any():
        keep = many(freed[which], "keeps", "keep")
        words = f" Without {names[which]}, {freed[which]:,} of {SAMPLE:,} maps {keep} the rest."
    else:
        words = f" The rarest by itself: {names[which]} ({alone[which]:,} of {SAMPLE:,} maps)."
    return *candidates[which], words
