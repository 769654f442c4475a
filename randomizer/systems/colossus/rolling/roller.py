"""Rolls a compiled script onto one map, in the game's own order of evaluation.

    rolled = roll(program, KeyedDraws(program, seed, number))

A script consists of AREAs, which place hazards (terrains) on hexes of a list, LABELs, which give a
list a name, and PAIRs, which say what hexsides come between two hazards. This is the readable
reference: ``batch_roller`` makes the same maps by the thousand, and recordings of the game are
replayed here. Only the hexes that AREAs place and the hexsides that PAIRs hit change; everything
else stays as the base has it. Source: the game's behaviour as the project's fact sheet on Colossus
records it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.problems import Problem, ProblemError
from randomizer.systems.colossus.board import (
    HEX_COUNT,
    LABELS,
    NEIGHBOURS,
    OFF_BOARD,
    PARTS,
    SIDES,
)
from randomizer.systems.colossus.rolling.draws import Draws, keyed_draws
from randomizer.systems.colossus.rolling.program import (
    LEFTOVER,
    LIST_LIMIT,
    TOO_LONG,
    USEDUP,
    AreaStep,
    Around,
    Chain,
    Fixed,
    Function,
    HexList,
    LabelStep,
    Pick,
    Placing,
    Program,
    StartStep,
    Use,
    Without,
    around,
    problem_at,
    state_of,
)


@dataclass(frozen=True, slots=True)
class HexBase:
    """The map that is rolled onto, by hex id; without arguments it is bare Plains."""

    terrain: Sequence[int] = (0,) * HEX_COUNT
    """27 indices into the terrain set; 0 is Plains."""
    elevation: Sequence[int] = (0,) * HEX_COUNT
    """The elevation of each hex."""
    hexside: Sequence[Sequence[int]] = ((0,) * SIDES,) * HEX_COUNT
    """27 rows of the 6 sides' plane values, 0 for no hexside."""


PLAIN_HEXES = HexBase()
"""A map of bare Plains."""

FROM_BASE = -1
"""Stands for the index of a statement where a value is that of the base."""

_Arguments = tuple[Sequence[int], ...]
"""The hexes of the single list of a function; of SUBSTRACT those of both lists."""

_Labels = dict[str, Sequence[int]]
"""The hex ids of every label's list, in the game's order."""


@dataclass(slots=True)
class RolledMap:
    """The result of a roll, by hex id (board.py)."""

    terrain: list[int]
    """The terrains of the whole map, as in ``HexBase``."""
    elevation: list[int]
    """The elevations of the whole map."""
    hexside: list[list[int]]
    """The hexsides of the whole map."""
    title: str | None = None
    """None if the script sets none."""
    subtitle: str | None = None
    """None if the script sets none."""
    tower: bool | None = None
    """None if the script does not make it a tower."""
    startlist: tuple[str, ...] | None = None
    """Labels in the order of the list, duplicates kept; None if the script sets none."""
    origin: list[int] = field(default_factory=lambda: [FROM_BASE] * HEX_COUNT)
    """By hex the index of the statement that set terrain and elevation, or ``FROM_BASE``."""
    side_origin: list[list[int]] = field(
        default_factory=lambda: [[FROM_BASE] * SIDES for _ in range(HEX_COUNT)]
    )
    """By hex and side the index of the PAIR that set the hexside, or ``FROM_BASE``."""

    @property
    def placed_hexes(self) -> list[int]:
        """The hex ids on which an AREA has placed a hazard."""
        return [index for index, origin in enumerate(self.origin) if origin != FROM_BASE]

    @property
    def hit_sides(self) -> list[tuple[int, int]]:
        """(hex id, side) of the hexsides that a PAIR has set."""
        sides: list[tuple[int, int]] = []
        for index, row in enumerate(self.side_origin):
            sides += [(index, side) for side, origin in enumerate(row) if origin != FROM_BASE]
        return sides


def roll(program: Program, draws: Draws, base: HexBase = PLAIN_HEXES) -> RolledMap:
    """Roll ``program`` onto ``base``, with ``draws`` of that program.

    Raises ProblemError where an unknown hazard would be placed, and for a list longer than
    LIST_LIMIT.
    """
    rolled = place_hexes(program, draws, base)
    mark_hexsides(program, draws, rolled)
    return rolled


def place_hexes(program: Program, draws: Draws, base: HexBase) -> RolledMap:
    """Return the base with all statements applied but the PAIRs: the first half of ``roll``.

    Raises ProblemError as ``roll``.
    """
    rolled = RolledMap(
        terrain=list(base.terrain),
        elevation=list(base.elevation),
        hexside=[list(row) for row in base.hexside],
        title=program.title,
        subtitle=program.subtitle,
        tower=program.tower,
    )
    labels: _Labels = dict(_NO_LABELS)
    for step in program.steps:
        try:
            hexes = _evaluate(step.hexes, labels, draws)
        except _ListTooLongError:
            span = program.script.statements[step.statement].span
            problem = problem_at(span, program.path, "list-too-long", TOO_LONG)
            raise ProblemError(problem) from None
        if isinstance(step, AreaStep):
            _place_area(program, step, sorted(hexes), labels, draws, rolled)
        elif isinstance(step, LabelStep):
            labels[step.name] = hexes
        else:
            rolled.startlist = tuple(LABELS[number] for number in hexes)
    return rolled


def start_lists(
    program: Program, base: HexBase, seed: int, numbers: NDArray[np.uint64]
) -> list[tuple[str, ...] | None]:
    """Return the start lists of the maps ``numbers`` of a seed, as in ``RolledMap``.

    The result has one entry a map, or a single one if the list is the same in every map: then
    nothing is rolled, and nothing can fail. Else raises ProblemError as ``roll`` does.
    """
    start_hexes = [step.hexes for step in program.steps if isinstance(step, StartStep)]
    if not start_hexes:
        return [None]
    last = start_hexes[-1]  # a later STARTLIST replaces an earlier one
    if isinstance(last, Fixed):
        return [tuple(LABELS[number] for number in last.hexes)]
    lists = []
    for draws in keyed_draws(program, seed, numbers.tolist()):
        lists.append(place_hexes(program, draws, base).startlist)
    return lists


_NO_LABELS: _Labels = {**PARTS, LEFTOVER: (), USEDUP: ()}
"""The labels that a script has before its first statement."""


def _place_area(
    program: Program,
    step: AreaStep,
    hexes_left: list[int],
    labels: _Labels,
    draws: Draws,
    rolled: RolledMap,
) -> None:
    """Place the hazards of an AREA, and set the labels of its used up and left over hexes.

    ``hexes_left`` holds its hexes, ascending, and is reduced to those that get no hazard.
    """
    used_up: list[int] = []
    for placing in step.placings:
        if not hexes_left:
            break
        drawn = draws.place(placing, len(hexes_left))
        if drawn is None:
            continue
        position, elevation = drawn
        number = hexes_left.pop(position)
        used_up.append(number)
        if not placing.is_known:
            raise ProblemError(_unknown_hazard(program, placing))
        rolled.terrain[number] = placing.terrain
        rolled.elevation[number] = elevation
        rolled.origin[number] = step.statement
    labels[LEFTOVER] = hexes_left
    labels[USEDUP] = used_up


def _unknown_hazard(program: Program, placing: Placing) -> Problem:
    """Return the problem of a hazard that the game does not know, as the lint words it."""
    # The lint is slow to import, and most rolls do not need it.
    from randomizer.systems.colossus.script.lint_hazards import unknown_hazard
    from randomizer.systems.colossus.script.source import Source

    return unknown_hazard(placing.hazard, Source(program.script.text, program.path))


def mark_hexsides(program: Program, draws: Draws, rolled: RolledMap) -> None:
    """Add the hexsides of the PAIRs to ``rolled``, in place: the second half of ``roll``."""
    states = list(map(state_of, rolled.terrain, rolled.elevation))
    for index, state in enumerate(states):
        row = program.pairs[state]
        if row is None:
            continue
        for edge, side, neighbour in _EDGES[index]:
            choices = row.get(states[neighbour])
            if choices is None:
                continue
            code = draws.hexside(edge, choices)
            if code:
                rolled.hexside[index][side] = code
                rolled.side_origin[index][side] = choices.statement


class _Edge(NamedTuple):
    """A side of a hex with a hex beyond it."""

    edge: int
    """The directed hexside: hex id * 6 + side."""
    side: int
    """The side of the hex, 0 to 5."""
    neighbour: int
    """The id of the hex beyond."""


def _edges_of(number: int) -> tuple[_Edge, ...]:
    """Return the sides of a hex that are inside the board."""
    edges = []
    for side, neighbour in enumerate(NEIGHBOURS[number]):
        if neighbour != OFF_BOARD:
            edges.append(_Edge(number * SIDES + side, side, neighbour))
    return tuple(edges)


_EDGES = tuple(map(_edges_of, range(HEX_COUNT)))
"""By hex id its sides that are inside the board."""

# --- lists -----------------------------------------------------------------------------------
# Recorded draws of the game show the order in which it evaluates a list: first the arguments of a
# function, then the rest of the list behind it, then the function itself. So the draws of this list
# have the order of the numbers:
#
#     SOMEOF(1, SOMEOF(2,(a)))  SOMEOF(3,(b))
#     draw 3    draw 1          draw 2


class _ListTooLongError(Exception):
    """A list has more than LIST_LIMIT hexes."""


def _evaluate(hexes: HexList, labels: _Labels, draws: Draws) -> Sequence[int]:
    """Return the hex ids of a list, in the game's order. The result must not be changed."""
    if isinstance(hexes, Fixed):
        return hexes.hexes
    if isinstance(hexes, Use):
        return labels.get(hexes.name, ())
    if isinstance(hexes, Chain):
        return _evaluate_chain(hexes, labels, draws)
    return _apply(hexes, _arguments(hexes, labels, draws), draws)


def _arguments(function: Function, labels: _Labels, draws: Draws) -> _Arguments:
    """Return the hexes of the one or two lists that a function is applied to."""
    source = _evaluate(function.source, labels, draws)
    if isinstance(function, Without):
        return source, _evaluate(function.without, labels, draws)
    return (source,)


def _apply(function: Function, arguments: _Arguments, draws: Draws) -> Sequence[int]:
    """Return the hexes that a function makes of its arguments."""
    source = arguments[0]
    if isinstance(function, Around):
        return around(source)
    if isinstance(function, Pick):
        return draws.some_of(function, source)
    is_excluded = set(arguments[1])
    return [number for number in source if number not in is_excluded]


def _evaluate_chain(chain: Chain, labels: _Labels, draws: Draws) -> list[int]:
    """Return the hexes of a chain of lists. The order of the draws is the game's.

    The game evaluates the arguments of a part, then all that stands behind the part, then the part
    itself. So all arguments come first, in the order of the text, and then the parts from the last
    to the first.
    """
    arguments_by_part: list[_Arguments] = []
    for part in chain.parts:
        if isinstance(part, Fixed | Use):
            arguments_by_part.append(())
        else:
            arguments_by_part.append(_arguments(part, labels, draws))

    joined: list[int] = []
    for part, arguments in zip(reversed(chain.parts), reversed(arguments_by_part), strict=True):
        if isinstance(part, Fixed | Use):
            joined += _evaluate(part, labels, draws)
        else:
            joined += _apply(part, arguments, draws)
        if len(joined) > LIST_LIMIT:
            raise _ListTooLongError
    return joined
