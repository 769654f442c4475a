"""Locked values that a script can never show, and rules that a forced map breaks.

Before a roll under locks the generator asks ``impossible_locks``: no search would find such a map.
After a *forced* roll (a free roll with the locked values put in) it asks ``forced_faults``, which
warns of what the script itself would not have made.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain

import numpy as np

from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, Severity
from randomizer.systems.colossus.board import CELL_OF_HEX, NEIGHBOURS, OFF_BOARD, PARTS
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.hex_locks import (
    HexLocks,
    LockedState,
    Locks,
    State,
    side_words,
    state_words,
)
from randomizer.systems.colossus.rolling.program import (
    LEFTOVER,
    USEDUP,
    AreaStep,
    Around,
    Chain,
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

COUNT_SAMPLE = 4096
"""The number of maps sampled to count how often a script makes each terrain."""

CERTAIN_LIMIT = 1 << 16
"""The limit of a draw of 16 bits that always succeeds: ``Choices.limits`` has it for 100 %."""


def impossible_locks(program: Program, base: HexBase, locks: Locks) -> list[Problem]:
    """Return a problem for every lock that no roll of ``program`` onto ``base`` can show.

    Locks not reported can still be impossible: each is checked by itself.
    """
    if not locks:
        return []
    states_by_hex = reachable_states(program, base)
    problems = []
    for hex_id, locked_state in locks.hexes.items():
        if not _states_allowed(states_by_hex[hex_id], locked_state):
            message = f"This script never makes {state_words(hex_id, locked_state)}."
            problems.append(_impossible(program, message, hex_id))

    # A hexside depends on the states of the two hexes, which the other locks restrict.
    states_under_locks: list[Set[State]] = list(states_by_hex)
    for hex_id, locked_state in locks.hexes.items():
        states_under_locks[hex_id] = _states_for_sides(states_by_hex[hex_id], locked_state)
    for (hex_id, side), code in locks.sides.items():
        if not _is_side_possible(program, base, states_under_locks, hex_id, side, code):
            message = f"This script never leaves {side_words((hex_id, side), code)}."
            problems.append(_impossible(program, message, hex_id, side))
    return problems


def _states_allowed(states: Set[State], locked: LockedState) -> set[State]:
    """Return those of the states that a lock allows."""
    locked_terrain, locked_elevation = locked
    allowed = set()
    for terrain, elevation in states:
        fits_terrain = locked_terrain is None or locked_terrain == terrain
        fits_elevation = locked_elevation is None or locked_elevation == elevation
        if fits_terrain and fits_elevation:
            allowed.add((terrain, elevation))
    return allowed


def _states_for_sides(states: Set[State], locked: LockedState) -> Set[State]:
    """Return the states by which the hexsides of a hex with a lock are judged.

    A lock that allows no state is a problem of its own; the hexsides are judged as if it were
    fulfilled, or by all states of the hex if it leaves terrain or elevation open.
    """
    terrain, elevation = locked
    if terrain is not None and elevation is not None:
        return {(terrain, elevation)}
    return _states_allowed(states, locked) or states


def _impossible(program: Program, message: str, hex_id: int, side: int | None = None) -> Problem:
    """Return the error for a lock on a hex, or on one of its sides."""
    cell = CELL_OF_HEX[hex_id]
    return Problem(
        Severity.ERROR, "lock-impossible", message, path=program.path, cell=cell, side=side
    )


def reachable_states(program: Program, base: HexBase) -> list[set[State]]:
    """Return for every hex id a superset of the states that it can end with.

    Each AREA can put its hazards on each hex of its list, and each hex keeps what it had before.
    """
    states = [{state} for state in zip(base.terrain, base.elevation, strict=True)]
    labels: dict[str, Set[int]] = {name: set(part) for name, part in PARTS.items()}
    for step in program.steps:
        hexes = _reachable_hexes(step.hexes, labels)
        if isinstance(step, LabelStep):
            labels[step.name] = hexes
        elif isinstance(step, AreaStep):
            labels[LEFTOVER] = labels[USEDUP] = hexes
            for placing in step.placings:
                if placing.chance and placing.is_known:
                    placed = {(placing.terrain, elevation) for elevation in placing.elevations}
                    for hex_id in hexes:
                        states[hex_id] |= placed
    return states


def _reachable_hexes(hex_list: HexList, labels: Mapping[str, Set[int]]) -> Set[int]:
    """Return a superset of the hexes that a list can hold.

    ``labels`` has such a superset for each label that is set so far.
    """
    match hex_list:
        case Fixed(hexes):
            return frozenset(hexes)
        case Use(name):
            return labels.get(name, frozenset())
        case Pick(count, source):
            if count > 0:
                return _reachable_hexes(source, labels)
            return frozenset()
        case Around(source):
            centres = _reachable_hexes(source, labels)
            neighbours = frozenset(chain.from_iterable(NEIGHBOURS[hex_id] for hex_id in centres))
            return neighbours - {OFF_BOARD}
        case Without(source, excluded):
            reachable = _reachable_hexes(source, labels)
            if isinstance(excluded, Fixed):
                return reachable - frozenset(excluded.hexes)
            return reachable  # a list that depends on a draw excludes no hex for certain
        case Chain(parts):
            return frozenset().union(*(_reachable_hexes(part, labels) for part in parts))


def _is_side_possible(
    program: Program,
    base: HexBase,
    states: Sequence[Set[State]],
    hex_id: int,
    side: int,
    code: int,
) -> bool:
    """Return whether a side of a hex can get a plane value, if hexes have only these states."""
    if base.hexside[hex_id][side] == code:
        return True
    neighbour = NEIGHBOURS[hex_id][side]
    if not code or neighbour == OFF_BOARD:
        return False  # no PAIR removes a hexside, none applies beyond the board
    for state in states[hex_id]:
        row = program.pairs[state_of(*state)] or {}
        for neighbour_state in states[neighbour]:
            choices = row.get(state_of(*neighbour_state))
            if choices is not None and code in choices.codes:
                return True
    return False


def forced_faults(
    program: Program, base: HexBase, forced: HexBase, locks: Locks
) -> tuple[Problem, ...]:
    """Return warnings of the values of a forced map that the script does not make by itself.

    ``forced`` is the map, rolled onto ``base`` and changed to have the values of ``locks``.
    """
    problems = [
        replace(problem, severity=Severity.WARNING, code="forced-hex")
        for problem in impossible_locks(program, base, Locks(locks.hexes))
    ]
    problems += _unusual_counts(program, base, forced, locks.hexes)
    problems += _unknown_hexsides(program, base, forced, locks)
    return tuple(problems)


def _unusual_counts(
    program: Program, base: HexBase, forced: HexBase, hex_locks: HexLocks
) -> Iterator[Problem]:
    """Yield warnings of terrains that occur more often or less often than on any sampled map."""
    rolls = roll_many(program, base, 0, np.arange(COUNT_SAMPLE, dtype=np.uint64), hexsides=False)
    maps = rolls.terrain[~rolls.failed]
    if not len(maps):
        return
    for code, terrain in enumerate(COLOSSUS.terrains):
        count = list(forced.terrain).count(code)
        usual_counts = np.count_nonzero(maps == code, axis=1)
        lowest = int(usual_counts.min())
        highest = int(usual_counts.max())
        if lowest <= count <= highest:
            continue
        if count < lowest:
            limit = f"fewer than {lowest}"
        elif highest:
            limit = f"more than {highest}"
        else:
            limit = "any"
        # The warning stands at the last hex that is locked to the terrain, if there is one.
        cell = None
        for hex_id, (locked_terrain, _elevation) in hex_locks.items():
            if locked_terrain == code:
                cell = CELL_OF_HEX[hex_id]
        yield _warning(
            "forced-count",
            f"{terrain.name} is on {counted(count, 'hex', 'hexes')}: none of "
            f"{counted(len(maps), 'map')} of the script has {limit}.",
            program,
            cell,
        )


def _unknown_hexsides(
    program: Program, base: HexBase, forced: HexBase, locks: Locks
) -> Iterator[Problem]:
    """Yield warnings of hexsides at locked hexes and sides that no PAIR puts between these hexes.

    A hexside of the base that stayed is no fault, unless a PAIR would have replaced it for certain.
    """
    for hex_id, row in enumerate(NEIGHBOURS):
        for side, neighbour in enumerate(row):
            is_hex_locked = hex_id in locks.hexes or neighbour in locks.hexes
            if not is_hex_locked and (hex_id, side) not in locks.sides:
                continue
            code = forced.hexside[hex_id][side]
            choices = _pair_choices(program, forced, hex_id, neighbour)
            if code and choices is not None and code in choices.codes:
                continue
            is_replaced = choices is not None and CERTAIN_LIMIT in choices.limits
            if code == base.hexside[hex_id][side] and not is_replaced:
                continue
            if neighbour == OFF_BOARD:
                between = ""
            else:
                between = (
                    f" between {_hex_words(forced, hex_id)} and {_hex_words(forced, neighbour)}"
                )
            words = side_words((hex_id, side), code)
            yield _warning(
                "forced-hexside",
                f"{words[0].upper()}{words[1:]}: the script never does that{between}.",
                program,
                CELL_OF_HEX[hex_id],
                side,
            )


def _pair_choices(program: Program, forced: HexBase, hex_id: int, neighbour: int) -> Choices | None:
    """Return the PAIR for a hex of a map and its neighbour, None if there is none."""
    if neighbour == OFF_BOARD:
        return None
    row = program.pairs[state_of(forced.terrain[hex_id], forced.elevation[hex_id])] or {}
    return row.get(state_of(forced.terrain[neighbour], forced.elevation[neighbour]))


def _hex_words(forced: HexBase, hex_id: int) -> str:
    """Return what is on a hex, as messages name it: ``Volcano, elevation 2``."""
    name = COLOSSUS.terrains[forced.terrain[hex_id]].name
    return f"{name}, elevation {forced.elevation[hex_id]}"


def _warning(
    code: str, message: str, program: Program, cell: int | None, side: int | None = None
) -> Problem:
    """Return the warning for a cell of a forced map, or for one of its sides."""
    return Problem(Severity.WARNING, code, message, path=program.path, cell=cell, side=side)
