"""Locked values that a script can never show, and rules that a forced map breaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.board import CELL_OF_HEX, GRID, LABELS, NEIGHBOURS, PARTS
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.program import (
    LEFTOVER,
    USEDUP,
    AreaStep,
    Around,
    Choices,
    Fixed,
    HexList,
    LabelStep,
    Pick,
    Program,
    Use,
    Without,
    state_of,
)
from randomizer.systems.colossus.rolling.roller import HexBase
from randomizer.systems.colossus.terrain_set import COLOSSUS

LockedState = tuple[int | None, int | None]
"""(terrain, elevation), None for any."""
HexLocks = Mapping[int, LockedState]
"""By hex id."""
SideLocks = Mapping[tuple[int, int], int]
"""(hex id, side) -> plane value of the hexside, 0 for none."""


def impossible_locks(
    program: Program, base: HexBase, locked_hexes: HexLocks, locked_sides: SideLocks
) -> list[Problem]:
    """Return a problem for every lock that no roll of ``program`` onto ``base`` can show.

    Locks not reported can still be impossible: each is checked by itself.
    """
    if not locked_hexes and not locked_sides:
        return []
    states = reachable_states(program, base)
    problems = []
    for hex_, state in locked_hexes.items():
        if not _of_state(states[hex_], state):
            words = f"This script never makes {state_words(hex_, state)}."
            problems.append(_impossible(program, words, hex_))
    listed_states = list(states)
    for hex_, (terrain, elevation) in locked_hexes.items():
        if terrain is not None and elevation is not None:
            listed_states[hex_] = {(terrain, elevation)}
        else:
            listed_states[hex_] = _of_state(states[hex_], (terrain, elevation))
    for (hex_, side), code in locked_sides.items():
        if not _side_possible(program, base, listed_states, hex_, side, code):
            words = f"This script never leaves {side_words((hex_, side), code)}."
            problems.append(_impossible(program, words, hex_, side))
    return problems


def _of_state(states: Set[tuple[int, int]], locked: LockedState) -> set[tuple[int, int]]:
    """Return those of the states that a lock allows."""
    return {
        state
        for state in states
        if all(want in (None, value) for want, value in zip(locked, state, strict=True))
    }


def state_words(hex_: int, state: LockedState) -> str:
    """``D4 Volcano, elevation 2``."""
    terrain, elevation = state
    if terrain is None:
        words = []
    else:
        words = [COLOSSUS.terrains[terrain].name]
    words += [] if elevation is None else [f"elevation {elevation}"]
    return f"{LABELS[hex_]} {', '.join(words)}"


def side_words(hex_and_side: tuple[int, int], code: int) -> str:
    """``cliff on the north side of D4``; ``nothing`` for no hexside."""
    if code:
        name = COLOSSUS.hexsides[code - 1].name.lower()
    else:
        name = "nothing"
    return (
        f"{name} on the {GRID.layout.side_names[hex_and_side[1]]} side of {LABELS[hex_and_side[0]]}"
    )


def _impossible(program: Program, message: str, hex_: int, side: int | None = None) -> Problem:
    cell = CELL_OF_HEX[hex_]
    return Problem(
        Severity.ERROR, "lock-impossible", message, path=program.path, cell=cell, side=side
    )


def reachable_states(program: Program, base: HexBase) -> list[set[tuple[int, int]]]:
    """For every hex id a superset of the (terrain, elevation) it can end with."""
    states = [{state} for state in zip(base.terrain, base.elevation, strict=True)]
    labels: dict[str, Set[int]] = {name: set(part) for name, part in PARTS.items()}
    for step in program.steps:
        hexes = _reach(step.hexes, labels)
        if isinstance(step, LabelStep):
            labels[step.name] = hexes
        elif isinstance(step, AreaStep):
            labels[LEFTOVER] = labels[USEDUP] = hexes
            for placing in step.placings:
                if placing.chance and placing.terrain >= 0:
                    placed = {(placing.terrain, elevation) for elevation in placing.elevations}
                    for hex_ in hexes:
                        states[hex_] |= placed
    return states


def _reach(hexes: HexList, labels: Mapping[str, Set[int]]) -> Set[int]:
    """Return a superset of the hexes that a list can hold."""
    if isinstance(hexes, Fixed):
        return frozenset(hexes.hexes)
    if isinstance(hexes, Use):
        return labels.get(hexes.name, frozenset())
    if isinstance(hexes, Pick):
        if hexes.count > 0:
            return _reach(hexes.source, labels)
        return frozenset()
    if isinstance(hexes, Around):
        return {n for hex_ in _reach(hexes.source, labels) for n in NEIGHBOURS[hex_] if n >= 0}
    if isinstance(hexes, Without):
        if isinstance(hexes.without, Fixed):
            left_out = hexes.without.hexes
        else:
            left_out = ()
        return _reach(hexes.source, labels) - frozenset(left_out)
    return frozenset().union(*(_reach(part, labels) for part in hexes.parts))


def _side_possible(
    program: Program,
    base: HexBase,
    states: Sequence[Set[tuple[int, int]]],
    hex_: int,
    side: int,
    code: int,
) -> bool:
    if base.hexside[hex_][side] == code:
        return True
    neighbour = NEIGHBOURS[hex_][side]
    if not code or neighbour < 0:
        return False  # no PAIR removes a hexside, none applies beyond the board
    for state in states[hex_]:
        row = program.pairs[state_of(*state)] or {}
        for neighbour_state in states[neighbour]:
            choices = row.get(state_of(*neighbour_state))
            if choices is not None and code in choices.codes:
                return True
    return False


SAMPLE = 4096
"""The number of maps sampled to count how often a script makes each terrain."""
ALWAYS = 1 << 16
"""The limit of a draw that always succeeds."""


def forced_faults(
    program: Program, base: HexBase, forced: HexBase, hexes: HexLocks, sides: SideLocks
) -> tuple[Problem, ...]:
    """Warnings of the values of ``forced``, rolled onto ``base``, that only its locks explain."""
    problems = [
        replace(problem, severity=Severity.WARNING, code="forced-hex")
        for problem in impossible_locks(program, base, hexes, {})
    ]
    problems += _counts(program, base, forced, hexes)
    problems += _hexsides(program, base, forced, hexes, sides)
    return tuple(problems)


def _counts(program: Program, base: HexBase, forced: HexBase, hexes: HexLocks) -> Iterator[Problem]:
    """Terrains that occur more often, or less often, than on any map of a sample."""
    rolls = roll_many(program, base, 0, np.arange(SAMPLE, dtype=np.uint64), hexsides=False)
    maps = rolls.terrain[~rolls.failed]
    if not len(maps):
        return
    for code, terrain in enumerate(COLOSSUS.terrains):
        count = list(forced.terrain).count(code)
        usual = np.count_nonzero(maps == code, axis=1)
        least = int(usual.min())
        most = int(usual.max())
        if least <= count <= most:
            continue
        if count < least:
            limit = f"fewer than {least}"
        elif most:
            limit = f"more than {most}"
        else:
            limit = "any"
        cells = [CELL_OF_HEX[hex_] for hex_, (placed, _) in hexes.items() if placed == code]
        yield _warning(
            "forced-count",
            f"{terrain.name} is on {counted(count, 'hex', 'hexes')}: none of "
            f"{counted(len(maps), 'map')} of the script has {limit}.",
            program,
            cells[-1] if cells else None,
        )


def _hexsides(
    program: Program, base: HexBase, forced: HexBase, hexes: HexLocks, sides: SideLocks
) -> Iterator[Problem]:
    """Hexsides at locked places that no PAIR puts between these hexes."""
    for hex_, row in enumerate(NEIGHBOURS):
        for side, neighbour in enumerate(row):
            if hex_ not in hexes and neighbour not in hexes and (hex_, side) not in sides:
                continue
            code = forced.hexside[hex_][side]
            below = base.hexside[hex_][side]
            choices = _choices(program, forced, hex_, neighbour)
            certain = choices is not None and ALWAYS in choices.limits
            if code and choices is not None and code in choices.codes:
                continue
            if code == below and not certain:
                continue
            if neighbour < 0:
                between = ""
            else:
                between = f" between {_hex(forced, hex_)} and {_hex(forced, neighbour)}"
            words = side_words((hex_, side), code)
            yield _warning(
                "forced-hexside",
                f"{words[0].upper()}{words[1:]}: the script never does that{between}.",
                program,
                CELL_OF_HEX[hex_],
                side,
            )


def _choices(program: Program, forced: HexBase, hex_: int, neighbour: int) -> Choices | None:
    if neighbour < 0:
        return None
    row = program.pairs[state_of(forced.terrain[hex_], forced.elevation[hex_])] or {}
    return row.get(state_of(forced.terrain[neighbour], forced.elevation[neighbour]))


def _hex(forced: HexBase, hex_: int) -> str:
    name = COLOSSUS.terrains[forced.terrain[hex_]].name
    return f"{name}, elevation {forced.elevation[hex_]}"


def _warning(
    code: str, message: str, program: Program, cell: int | None, side: int | None = None
) -> Problem:
    return Problem(Severity.WARNING, code, message, path=program.path, cell=cell, side=side)
