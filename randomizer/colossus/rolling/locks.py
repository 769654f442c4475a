"""Rolling with locks: only maps that the script really makes and that show the locked values.

The roll is *conditioned* by rejection: the maps number, number + 1, ... of the seed are made until
one shows everything that is locked. Each is an ordinary roll, so the number found names the map.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Mapping, Sequence, Set
from dataclasses import dataclass

from randomizer.colossus.board import HEX_COUNT, LABELS, NEIGHBOURS, PARTS
from randomizer.colossus.rolling.draws import KeyedDraws
from randomizer.colossus.rolling.program import (
    LEFTOVER,
    USEDUP,
    AreaStep,
    Around,
    Fixed,
    HexList,
    LabelStep,
    Pick,
    Program,
    Use,
    Without,
    state_of,
)
from randomizer.colossus.rolling.roller import (
    PLAIN_BASE,
    Base,
    RolledMap,
    mark_hexsides,
    place_hexes,
)
from randomizer.colossus.terrain_set import COLOSSUS
from randomizer.dice import NUMBER_LIMIT
from randomizer.problems import Problem, ProblemError, Severity, error

HexLocks = Mapping[int, tuple[int, int]]
"""Hex id -> (terrain, elevation)."""
SideLocks = Mapping[tuple[int, int], int]
"""(hex id, side) -> plane value of the hexside, 0 for none."""

_TRIES_PER_LOOK = 16
"""How many maps are tried between two looks at the clock, and two yields."""


@dataclass(frozen=True, slots=True)
class Locked:
    """A map that shows the locked values: map ``number`` of the seed, the ``tried``-th tried.

    "1 map in ``tried``" is an estimate from a single find.
    """

    map: RolledMap
    number: int
    tried: int


def searching(
    program: Program,
    seed: int,
    number: int,
    base: Base = PLAIN_BASE,
    locked_hexes: HexLocks | None = None,
    locked_sides: SideLocks | None = None,
    *,
    budget_maps: int = 1_000_000,
    budget_seconds: float = 20.0,
) -> Generator[int, None, Locked]:
    """Search for the first of the maps number, number + 1, ... that shows the locked values.

    Yields every so often how many maps were tried; closing it cancels. A number whose roll fails
    counts as tried. Raises ProblemError if the script can be seen to make no such map, if none was
    found within the budget, and (the roll's own) if every map tried failed.
    """
    hexes, sides = dict(locked_hexes or {}), dict(locked_sides or {})
    impossible = impossible_locks(program, base, hexes, sides)
    if impossible:
        raise ProblemError(impossible)
    hex_checks = [(hex_, terrain, elevation) for hex_, (terrain, elevation) in hexes.items()]
    side_checks = [(hex_, side, code) for (hex_, side), code in sides.items()]
    draws = KeyedDraws(seed, number)
    ends = time.monotonic() + budget_seconds
    failure: ProblemError | None = None
    failures = tried = 0
    while tried < min(budget_maps, NUMBER_LIMIT - number):
        if tried and tried % _TRIES_PER_LOOK == 0:
            yield tried
            if time.monotonic() > ends:
                break
        draws.number = number + tried
        tried += 1
        try:
            found = _roll_if_kept(program, draws, base, hex_checks, side_checks)
        except ProblemError as problem:
            failure, failures = problem, failures + 1
            if not hex_checks and not side_checks:
                raise
            continue
        if found is not None:
            return Locked(found, draws.number, tried)
    if failure is not None and failures == tried:
        raise failure
    raise _not_found(program, number, tried)


def _roll_if_kept(
    program: Program,
    draws: KeyedDraws,
    base: Base,
    hex_checks: Sequence[tuple[int, int, int]],
    side_checks: Sequence[tuple[int, int, int]],
) -> RolledMap | None:
    draws.start(program)
    rolled = place_hexes(program, draws, base)
    for hex_, terrain, elevation in hex_checks:
        if rolled.terrain[hex_] != terrain or rolled.elevation[hex_] != elevation:
            return None
    mark_hexsides(program, draws, rolled)
    for hex_, side, code in side_checks:
        if rolled.hexside[hex_][side] != code:
            return None
    return rolled


def _not_found(program: Program, number: int, tried: int) -> ProblemError:
    if not tried:
        message = "No map was tried: the budget is empty."
    else:
        # Three in N: with a rarer chance than that, N misses in a row happen to 1 in 20.
        rarer, last = max(1, tried // 3), number + tried - 1
        message = (
            f"None of the {tried:,} maps tried (numbers {number} to {last}) shows what is "
            f"locked; very likely less than 1 map in {rarer:,} does: unlock something, or go "
            f"on from number {last + 1}."
        )
    return error("locks-not-found", message, path=program.path)


# --- what a script can be seen not to make ----------------------------------------------------


def impossible_locks(
    program: Program, base: Base, locked_hexes: HexLocks, locked_sides: SideLocks
) -> list[Problem]:
    """A problem for every lock that no roll of ``program`` onto ``base`` can show.

    What is not named may still be impossible: this looks at one lock at a time.
    """
    if not locked_hexes and not locked_sides:
        return []
    states = reachable_states(program, base)
    problems = []
    for hex_, (terrain, elevation) in locked_hexes.items():
        if (terrain, elevation) not in states[hex_]:
            what = f"{COLOSSUS.terrains[terrain].name}, elevation {elevation}"
            problems.append(_impossible(program, f"This script never makes {LABELS[hex_]} {what}."))
    shown = [{locked_hexes[h]} if h in locked_hexes else states[h] for h in range(HEX_COUNT)]
    for (hex_, side), code in locked_sides.items():
        if not _side_possible(program, base, shown, hex_, side, code):
            name = COLOSSUS.hexsides[code - 1].name.lower() if code else "nothing"
            place = f"side {side} of {LABELS[hex_]}"
            problems.append(_impossible(program, f"This script never leaves {name} on {place}."))
    return problems


def _impossible(program: Program, message: str) -> Problem:
    return Problem(Severity.ERROR, "lock-impossible", message, path=program.path)


def reachable_states(program: Program, base: Base) -> list[set[tuple[int, int]]]:
    """For every hex id the (terrain, elevation) it can end with, at most (and perhaps fewer)."""
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
    """The hexes that a list can hold, at most."""
    if isinstance(hexes, Fixed):
        return frozenset(hexes.hexes)
    if isinstance(hexes, Use):
        return labels.get(hexes.name, frozenset())
    if isinstance(hexes, Pick):
        return _reach(hexes.source, labels) if hexes.count > 0 else frozenset()
    if isinstance(hexes, Around):
        return {n for hex_ in _reach(hexes.source, labels) for n in NEIGHBOURS[hex_] if n >= 0}
    if isinstance(hexes, Without):
        left_out = hexes.without.hexes if isinstance(hexes.without, Fixed) else ()
        return _reach(hexes.source, labels) - frozenset(left_out)
    return frozenset().union(*(_reach(part, labels) for part in hexes.parts))


def _side_possible(
    program: Program,
    base: Base,
    states: Sequence[Set[tuple[int, int]]],
    hex_: int,
    side: int,
    code: int,
) -> bool:
    if base.hexside[hex_][side] == code:
        return True
    neighbour = NEIGHBOURS[hex_][side]
    if not code or neighbour < 0:
        return False  # no PAIR takes a hexside away, none reaches beyond the rim
    for state in states[hex_]:
        row = program.pairs[state_of(*state)] or {}
        for other in states[neighbour]:
            choices = row.get(state_of(*other))
            if choices is not None and code in choices.codes:
                return True
    return False
