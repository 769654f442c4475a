"""Rolling a script onto a map, in the game's own order of evaluation.

Only the hexes that AREAs place and the hexsides that PAIRs hit change; everything else stays as the
base has it. Source: the game's behaviour as the project's fact sheet on Colossus records it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from randomizer.model.problems import Problem, ProblemError
from randomizer.systems.colossus.board import HEX_COUNT, LABELS, NEIGHBOURS, PARTS
from randomizer.systems.colossus.rolling.compiler import TOO_LONG, problem_at
from randomizer.systems.colossus.rolling.draws import Draws, KeyedDraws
from randomizer.systems.colossus.rolling.program import (
    LEFTOVER,
    LIST_LIMIT,
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
    state_of,
)


@dataclass(frozen=True, slots=True)
class HexBase:
    """The map that is rolled onto, by hex id.

    ``terrain`` (27 indices into the terrain set), ``elevation`` (27) and ``hexside`` (27 rows of 6
    plane values, 0 none). Without arguments: Plains, elevation 0, no hexsides.
    """

    terrain: Sequence[int] = (0,) * HEX_COUNT
    elevation: Sequence[int] = (0,) * HEX_COUNT
    hexside: Sequence[Sequence[int]] = ((0,) * 6,) * HEX_COUNT


PLAIN_HEXES = HexBase()

_Labels = dict[str, Sequence[int]]
"""The hex ids of every label's list, in the game's order."""


@dataclass(slots=True)
class RolledMap:
    """The result of a roll, by hex id (board.py).

    ``terrain``, ``elevation`` and ``hexside`` are the whole map as in ``HexBase``. ``origin`` (27)
    and ``side_origin`` (27 rows of 6) hold the index of the statement that set the value, -1 for
    the base's. ``title``, ``subtitle``, ``tower`` and ``startlist`` (labels in list order,
    duplicates kept) are None where the script sets none.
    """

    terrain: list[int]
    elevation: list[int]
    hexside: list[list[int]]
    title: str | None = None
    subtitle: str | None = None
    tower: bool | None = None
    startlist: tuple[str, ...] | None = None
    origin: list[int] = field(default_factory=lambda: [-1] * HEX_COUNT)
    side_origin: list[list[int]] = field(
        default_factory=lambda: [[-1] * 6 for _ in range(HEX_COUNT)]
    )

    @property
    def placed(self) -> list[int]:
        """The hex ids that an AREA placed."""
        return [number for number, statement in enumerate(self.origin) if statement >= 0]

    @property
    def hit(self) -> list[tuple[int, int]]:
        """(hex id, side) of the hexsides that a PAIR hit."""
        return [
            (number, side)
            for number, row in enumerate(self.side_origin)
            for side, statement in enumerate(row)
            if statement >= 0
        ]


def roll(program: Program, draws: Draws, base: HexBase = PLAIN_HEXES) -> RolledMap:
    """Roll ``program`` onto ``base``.

    Raises ProblemError where an unknown hazard would be placed, and for a list longer than
    LIST_LIMIT.
    """
    draws.start(program)
    rolled = place_hexes(program, draws, base)
    mark_hexsides(program, draws, rolled)
    return rolled


def place_hexes(program: Program, draws: Draws, base: HexBase) -> RolledMap:
    """Return the first half of ``roll``: all statements but the PAIRs.

    ``draws`` has been started.
    """
    rolled = RolledMap(
        list(base.terrain),
        list(base.elevation),
        [list(row) for row in base.hexside],
        program.title,
        program.subtitle,
        program.tower,
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
    """Return the start lists of maps as in ``RolledMap``; only one if it is the same in every map.

    Raises ProblemError as ``roll`` does.
    """
    steps = [step.hexes for step in program.steps if isinstance(step, StartStep)]
    if not steps:
        return [None]
    if isinstance(steps[-1], Fixed):
        return [tuple(LABELS[number] for number in steps[-1].hexes)]
    draws = KeyedDraws(seed, 0)
    lists = []
    for number in numbers.tolist():
        draws.number = number
        draws.start(program)
        lists.append(place_hexes(program, draws, base).startlist)
    return lists


_NO_LABELS: _Labels = {**PARTS, LEFTOVER: (), USEDUP: ()}


def _place_area(
    program: Program,
    step: AreaStep,
    left: list[int],
    labels: _Labels,
    draws: Draws,
    rolled: RolledMap,
) -> None:
    """Place the hazards of an AREA.

    ``left`` holds its hexes, ascending, and is reduced to those that remain.
    """
    used: list[int] = []
    for placing in step.placings:
        if not left:
            break
        drawn = draws.place(placing, len(left))
        if drawn is None:
            continue
        position, elevation = drawn
        number = left.pop(position)
        used.append(number)
        if placing.terrain < 0:
            raise ProblemError(_unknown_hazard(program, placing))
        rolled.terrain[number] = placing.terrain
        rolled.elevation[number] = elevation
        rolled.origin[number] = step.statement
    labels[LEFTOVER] = left
    labels[USEDUP] = used


def _unknown_hazard(program: Program, placing: Placing) -> Problem:
    # The lint is slow to import, and most rolls do not need it.
    from randomizer.systems.colossus.script.lint_hazards import unknown_hazard
    from randomizer.systems.colossus.script.source import Source

    return unknown_hazard(placing.hazard, Source(program.script.text, program.path))


def mark_hexsides(program: Program, draws: Draws, rolled: RolledMap) -> None:
    """The second half of ``roll``: the PAIRs, hex by hex and side by side."""
    states = list(map(state_of, rolled.terrain, rolled.elevation))
    for number, state in enumerate(states):
        row = program.pairs[state]
        if row is None:
            continue
        for edge, side, neighbour in _EDGES[number]:
            choices = row.get(states[neighbour])
            if choices is not None and (code := draws.hexside(edge, choices)):
                rolled.hexside[number][side] = code
                rolled.side_origin[number][side] = choices.statement


_EDGES = tuple(
    tuple((number * 6 + side, side, other) for side, other in enumerate(row) if other >= 0)
    for number, row in enumerate(NEIGHBOURS)
)
"""For every hex id the (directed hexside, its side, the hex beyond) inside the board."""

# --- lists -----------------------------------------------------------------------------------
# A list is evaluated from its end: first the arguments of a function, then the rest of the list
# behind it, then the function itself. Recorded draws of the game show this order.


class _ListTooLongError(Exception):
    """A list has more than LIST_LIMIT hexes."""


def _evaluate(hexes: HexList, labels: _Labels, draws: Draws) -> Sequence[int]:
    """Return the hex ids of a list, in the game's order. The result must not be changed."""
    if isinstance(hexes, Fixed):
        return hexes.hexes
    if isinstance(hexes, Use):
        return labels.get(hexes.name, ())
    if isinstance(hexes, Chain):
        return _join(hexes, labels, draws)
    return _apply(hexes, _arguments(hexes, labels, draws), draws)


def _arguments(function: Function, labels: _Labels, draws: Draws) -> tuple[Sequence[int], ...]:
    source = _evaluate(function.source, labels, draws)
    if isinstance(function, Without):
        return source, _evaluate(function.without, labels, draws)
    return (source,)


def _apply(function: Function, arguments: tuple[Sequence[int], ...], draws: Draws) -> Sequence[int]:
    if isinstance(function, Around):
        return around(arguments[0])
    if isinstance(function, Pick):
        return draws.some_of(function, arguments[0])
    left_out = set(arguments[1])
    return [number for number in arguments[0] if number not in left_out]


def _join(chain: Chain, labels: _Labels, draws: Draws) -> list[int]:
    # Nested: the arguments of a part, the rest behind it, the part. So all arguments come first,
    # in the order of the text, then the parts themselves from the last to the first.
    arguments = [
        () if isinstance(part, Fixed | Use) else _arguments(part, labels, draws)
        for part in chain.parts
    ]
    joined: list[int] = []
    for part, argument in zip(reversed(chain.parts), reversed(arguments), strict=True):
        if isinstance(part, Fixed | Use):
            joined += _evaluate(part, labels, draws)
        else:
            joined += _apply(part, argument, draws)
        if len(joined) > LIST_LIMIT:
            raise _ListTooLongError
    return joined
