"""What a map with forced locks has that no roll of its script would have."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.board import CELL_OF_HEX, NEIGHBOURS
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.impossible import (
    HexLocks,
    SideLocks,
    impossible_locks,
    side_words,
)
from randomizer.systems.colossus.rolling.program import Choices, Program, state_of
from randomizer.systems.colossus.rolling.roller import HexBase
from randomizer.systems.colossus.terrain_set import COLOSSUS

SAMPLE = 4096
"""The number of maps sampled to count how often a script makes each terrain."""
ALWAYS = 1 << 16
"""The limit of a draw that always succeeds."""


def forced_faults(
    program: Program, base: HexBase, forced: HexBase, hexes: HexLocks, sides: SideLocks
) -> tuple[Problem, ...]:
    """Warnings of the values of ``forced``, rolled onto ``base``, that only its locks explain."""
    found = [
        replace(problem, severity=Severity.WARNING, code="forced-hex")
        for problem in impossible_locks(program, base, hexes, {})
    ]
    found += _counts(program, base, forced, hexes)
    found += _hexsides(program, base, forced, hexes, sides)
    return tuple(found)


def _counts(program: Program, base: HexBase, forced: HexBase, hexes: HexLocks) -> Iterator[Problem]:
    """Terrains that occur more often, or less often, than on any map of a sample."""
    rolls = roll_many(program, base, 0, np.arange(SAMPLE, dtype=np.uint64), hexsides=False)
    maps = rolls.terrain[~rolls.failed]
    if not len(maps):
        return
    for code, terrain in enumerate(COLOSSUS.terrains):
        count = list(forced.terrain).count(code)
        usual = np.count_nonzero(maps == code, axis=1)
        least, most = int(usual.min()), int(usual.max())
        if least <= count <= most:
            continue
        limit = f"fewer than {least}" if count < least else f"more than {most}" if most else "any"
        places = [CELL_OF_HEX[hex_] for hex_, (placed, _) in hexes.items() if placed == code]
        yield _warning(
            "forced-count",
            f"{terrain.name} is on {counted(count, 'hex', 'hexes')}: none of "
            f"{counted(len(maps), 'map')} of the script has {limit}.",
            program,
            places[-1] if places else None,
        )


def _hexsides(
    program: Program, base: HexBase, forced: HexBase, hexes: HexLocks, sides: SideLocks
) -> Iterator[Problem]:
    """Hexsides at locked places that no PAIR puts between these hexes."""
    for hex_, row in enumerate(NEIGHBOURS):
        for side, other in enumerate(row):
            if hex_ not in hexes and other not in hexes and (hex_, side) not in sides:
                continue
            code, below = forced.hexside[hex_][side], base.hexside[hex_][side]
            choices = _choices(program, forced, hex_, other)
            certain = choices is not None and ALWAYS in choices.limits
            if code and choices is not None and code in choices.codes:
                continue
            if code == below and not certain:
                continue
            between = (
                "" if other < 0 else f" between {_hex(forced, hex_)} and {_hex(forced, other)}"
            )
            words = side_words((hex_, side), code)
            yield _warning(
                "forced-hexside",
                f"{words[0].upper()}{words[1:]}: the script never does that{between}.",
                program,
                CELL_OF_HEX[hex_],
                side,
            )


def _choices(program: Program, forced: HexBase, hex_: int, other: int) -> Choices | None:
    if other < 0:
        return None
    row = program.pairs[state_of(forced.terrain[hex_], forced.elevation[hex_])] or {}
    return row.get(state_of(forced.terrain[other], forced.elevation[other]))


def _hex(forced: HexBase, hex_: int) -> str:
    name = COLOSSUS.terrains[forced.terrain[hex_]].name
    return f"{name}, elevation {forced.elevation[hex_]}"


def _warning(
    code: str, message: str, program: Program, cell: int | None, side: int | None = None
) -> Problem:
    return Problem(Severity.WARNING, code, message, path=program.path, cell=cell, side=side)
