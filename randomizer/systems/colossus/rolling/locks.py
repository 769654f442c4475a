"""Rolling with locks: only maps that the script really makes and that show the locked values.

The roll is *conditioned* by rejection: the maps number, number + 1, ... of the seed are made, by
the thousand, until one shows everything that is locked. Each is an ordinary roll, so the number
found names the map.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import SEARCH_LIMIT
from randomizer.model.dice import NUMBER_LIMIT
from randomizer.model.plurals import counted, many
from randomizer.model.problems import Problem, ProblemError, Severity
from randomizer.model.rarity import Rarity
from randomizer.systems.colossus.board import CELL_OF_HEX
from randomizer.systems.colossus.rolling.batch_roller import CHUNK, Rolls, roll_many
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.impossible import (
    HexLocks,
    SideLocks,
    impossible_locks,
    side_words,
    state_words,
)
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import PLAIN_BASE, Base, RolledMap, roll

FIRST_BLOCK = 256
GROWTH = 8
QUICK_SECONDS = 0.01
"""A block that took no longer may be followed by a larger one."""
GO_ON_SECONDS = 0.02
"""How long more maps are counted behind the one found, to tell how rare such maps are ..."""
ENOUGH = 100
"""... or until so many are known: the share is then right within a tenth."""
SAMPLE = 8192
"""How many maps tell which lock is most in the way."""


@dataclass(frozen=True, slots=True)
class Locked:
    """Map ``number`` of the seed, which shows the locked values, as did ``kept`` of ``tried``."""

    map: RolledMap
    number: int
    tried: int
    kept: int


def searching(
    program: Program,
    seed: int,
    number: int,
    base: Base = PLAIN_BASE,
    locked_hexes: HexLocks | None = None,
    locked_sides: SideLocks | None = None,
    *,
    budget_maps: int = SEARCH_LIMIT,
    budget_seconds: float = 20.0,
) -> Generator[int, None, Locked]:
    """Search for the first of the maps number, number + 1, ... that shows the locked values.

    Yields every so often how many maps were tried; closing it cancels. A number whose roll fails
    counts as tried. Raises ProblemError if the script can be seen to make no such map, if none was
    found within the budget, and (the roll's own) if every map tried failed.
    """
    hexes, sides = locked_hexes or {}, locked_sides or {}
    if not hexes and not sides:
        return Locked(roll(program, KeyedDraws(seed, number), base), number, 1, 1)
    impossible = impossible_locks(program, base, hexes, sides)
    if impossible:
        raise ProblemError(impossible)
    most = min(budget_maps, NUMBER_LIMIT - number)
    tried, kept, failed, size = 0, 0, 0, FIRST_BLOCK
    found: int | None = None
    ends = time.monotonic() + budget_seconds
    while tried < most and kept < ENOUGH:
        begins = time.monotonic()
        if tried and begins > ends:
            break
        block = _numbers(number + tried, min(size, most - tried))
        keeps, failures = keeping(program, base, seed, block, hexes, sides)
        tried, failed = tried + len(block), failed + failures
        took = time.monotonic() - begins
        if keeps.any():
            kept += int(keeps.sum())
            if found is None:
                found = int(block[keeps.argmax()])
                ends = begins + took + GO_ON_SECONDS
        if took < QUICK_SECONDS:
            size = min(size * GROWTH, CHUNK)
        yield tried
    if found is not None:
        return Locked(roll(program, KeyedDraws(seed, found), base), found, tried, kept)
    if failed == tried > 0:
        roll(program, KeyedDraws(seed, number), base)  # says why
    raise ProblemError(_not_found(program, seed, base, hexes, sides, number, tried))


def _numbers(first: int, count: int) -> NDArray[np.uint64]:
    return np.arange(first, first + count, dtype=np.uint64)


def keeping(
    program: Program,
    base: Base,
    seed: int,
    numbers: NDArray[np.uint64],
    hexes: HexLocks,
    sides: SideLocks,
) -> tuple[NDArray[np.bool_], int]:
    """Which of the maps (n,) show everything that is locked, and how many failed.

    Hexsides are the costlier half: they are made only for maps that show the locked hexes.
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


def _shows(rolls: Rolls, hex_: int, state: tuple[int, int]) -> NDArray[np.bool_]:
    terrain, elevation = state
    shows: NDArray[np.bool_] = rolls.terrain[:, hex_] == terrain
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
    base: Base,
    hexes: HexLocks,
    sides: SideLocks,
    number: int,
    tried: int,
) -> Problem:
    """In words; the problem's place is that of the lock that is most in the way."""
    if not tried:
        message = "No map was tried: the budget is empty."
        return Problem(Severity.ERROR, "locks-not-found", message, path=program.path)
    last = number + tried - 1
    numbers = f"number {number}" if tried == 1 else f"numbers {number} to {last}"
    message = (
        f"None of the {counted(tried, 'map')} tried ({numbers}) shows what is "
        f"locked: {Rarity(0, tried).about} does. Unlock something, or go on from number {last + 1}."
    )
    hex_, side, words = _culprit(program, seed, base, hexes, sides)
    message += words
    cell = CELL_OF_HEX[hex_]
    return Problem(
        Severity.ERROR, "locks-not-found", message, path=program.path, cell=cell, side=side
    )


def _culprit(
    program: Program, seed: int, base: Base, hexes: HexLocks, sides: SideLocks
) -> tuple[int, int | None, str]:
    """Hex and side of the lock without which most maps of a sample keep the rest, and words.

    If there is no such map whichever is left out, it is the rarest lock by itself.
    """
    rolls = roll_many(program, base, seed, _numbers(0, SAMPLE), hexsides=bool(sides))
    shows = [_shows(rolls, hex_, state) for hex_, state in hexes.items()]
    shows += [_show_sides(rolls, {place: code}) for place, code in sides.items()]
    names = [state_words(*item) for item in hexes.items()]
    names += [side_words(*item) for item in sides.items()]
    places = [*((hex_, None) for hex_ in hexes), *sides]
    missing = ~(np.array(shows) & ~rolls.failed)
    freed = ((missing.sum(0) - missing) == 0).sum(1)
    alone = SAMPLE - missing.sum(1)
    which = int(freed.argmax() if freed.any() else alone.argmin())
    if len(places) == 1:
        words = ""
    elif freed.any():
        keep = many(freed[which], "keeps", "keep")
        words = f" Without {names[which]}, {freed[which]:,} of {SAMPLE:,} maps {keep} the rest."
    else:
        words = f" The rarest by itself: {names[which]} ({alone[which]:,} of {SAMPLE:,} maps)."
    return *places[which], words
