"""The line of sight of rangestrikes: the hexes between striker and target, and what blocks them.

    lines = sight_lines(land, start=3, end=17)
    is_free = any(not line.blockers & occupied for line in lines)

A rangestrike is a shot at a target that is not a neighbour (magic missiles aside, which need no
line). The line to it is followed hex by hex.
Certain hazards and hexsides (the features of a hex, and of its sides) block it for good; a creature
on one of its hexes blocks it as long as it stands there. Source: the paragraph "Line of sight" of
the project's fact sheet on battles of Titan.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from randomizer.model.basics.caches import KB, registered
from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import HEX_COUNT, HEXES, NEIGHBOURS
from randomizer.systems.colossus.rules import HAZARDS

OBSTACLES = ("Dune", "Cliff", "Slope", "Wall")
"""The hexsides that can block a line of sight; a river never does."""

NUDGE = 0.1
"""The rows by which a line that runs along edges is moved to one side of them.

Rows are multiples of 0.5, so a step below that decides the tie and nothing else.
"""


class SightLine(NamedTuple):
    """A line of sight between two hexes that terrain does not block."""

    blockers: frozenset[int]
    """The hexes that block it while a creature, living or dead, is on one of them."""
    brambles: int
    """The number of Brambles hexes between striker and target."""


UNBLOCKED = SightLine(frozenset(), 0)
"""The line of magic missiles, which nothing blocks or weakens."""


def sight_lines(land: Battleland, start: int, end: int) -> tuple[SightLine, ...]:
    """Return the lines of sight between two hexes that terrain leaves free: none, one or two.

    There are two where the straight line runs along edges: it may pass on either side of them, and
    one free line is enough to strike. Neighbours have none: they strike, they do not rangestrike.
    """
    lines = []
    for path in _paths(start, end):
        line = _sight_line(land, path, end)
        if line is not None:
            lines.append(line)
    return tuple(lines)


def steps_between(start: int, end: int) -> int:
    """Return the number of steps from one hex to another."""
    return _STEPS[start][end]


def _offset(start: int, end: int) -> tuple[int, float]:
    """Return the columns to the right and the rows down from one hex's centre to another's.

    Odd columns lie half a row lower.
    """
    start_x, start_y = HEXES[start]
    end_x, end_y = HEXES[end]
    start_row = start_y + start_x % 2 / 2
    end_row = end_y + end_x % 2 / 2
    return end_x - start_x, end_row - start_row


def _count_steps(start: int, end: int) -> int:
    """Return the steps from one hex to another."""
    columns, rows = _offset(start, end)
    # Each step to the next column moves half a row as well.
    rows_beside_steps = abs(rows) - abs(columns) / 2
    return int(abs(columns) + max(0, rows_beside_steps))


_STEPS = tuple(
    tuple(_count_steps(start, end) for end in range(HEX_COUNT)) for start in range(HEX_COUNT)
)
"""The steps between all hexes, counted once: rangestrikes ask for them very often."""


# --- the hexes of a line ----------------------------------------------------------------------


class _Step(NamedTuple):
    """A hex of a line, and the side by which the line leaves it."""

    hex_id: int
    side: int


def _tie_breaks(start: int, end: int) -> tuple[bool, ...]:
    """Return the sides on which a line passes the corners that it meets: True is left of them.

    From D4 to F4, two columns to the right, the line runs along an edge: both (True, False). From
    D4 to E2 it meets single corners: one answer.

    There are two answers where the whole line runs along edges: the game tries both. Any other line
    meets only single corners; there the game goes left for certain slopes of the line, which are
    its own choice.
    """
    columns, rows = _offset(start, end)
    runs_along_edges = rows == 0 or abs(rows) == 1.5 * abs(columns)
    if runs_along_edges:
        return True, False
    slope = columns / rows
    goes_left = slope >= 1.5 or 0 <= slope <= 0.75 or -1.5 <= slope <= -0.75
    return (goes_left,)


@registered(bytes_each=KB)
@lru_cache(maxsize=HEX_COUNT**2)
def _paths(start: int, end: int) -> tuple[tuple[_Step, ...], ...]:
    """Return the paths on the board that lines of sight between two hexes follow: up to two.

    Neighbours have none. The board is the same for all battlelands, so each pair of hexes is asked
    about once.
    """
    if steps_between(start, end) < 2:
        return ()
    paths = []
    for prefers_left in _tie_breaks(start, end):
        path = _path(start, end, prefers_left)
        if path is not None:
            paths.append(path)
    return tuple(paths)


def _path(start: int, end: int, prefers_left: bool) -> tuple[_Step, ...] | None:
    """Return the steps from ``start`` to ``end``; None if the line leaves the board.

    As in the game, the direction to ``end`` is asked anew in each hex.
    """
    path = []
    hex_id = start
    while hex_id != end:
        side = _side_towards(hex_id, end, prefers_left)
        path.append(_Step(hex_id, side))
        hex_id = NEIGHBOURS[hex_id][side]
        if hex_id < 0:
            return None
    return tuple(path)


def _side_towards(start: int, end: int, prefers_left: bool) -> int:
    """Return the side, 0 to 5 clockwise from the top, by which the line to ``end`` leaves a hex."""
    columns, rows = _offset(start, end)
    heads_left = columns < 0
    # Left of a line that heads right is up, left of one that heads left is down.
    moves_down = prefers_left == heads_left
    if moves_down:
        rows += NUDGE
    else:
        rows -= NUDGE
    # To the right the sides 0, 1, 2 and 3 follow one another downwards. The line to the corner
    # between 0 and 1 rises by 1.5 rows a column, that to the corner between 2 and 3 falls so.
    rows_at_corner = 1.5 * abs(columns)
    if rows <= -rows_at_corner:
        side = 0
    elif rows <= 0:
        side = 1
    elif rows <= rows_at_corner:
        side = 2
    else:
        side = 3
    if heads_left:
        return (6 - side) % 6
    return side


# --- what blocks a line -----------------------------------------------------------------------


class _Hexsides(NamedTuple):
    """The hexsides on a line, "" for none. Each crossed edge has one of either of its hexes."""

    striker_atop: str
    """The hexside of the striker's hex on the first edge: the striker stands atop it."""
    facing_striker: str
    """The hexside of the next hex on the first edge."""
    between: tuple[str, ...]
    """Both hexsides of all other edges."""
    facing_target: str
    """The hexside of the hex before the target's on the last edge."""
    target_atop: str
    """The hexside of the target's hex on the last edge: the target stands atop it."""


def _sight_line(land: Battleland, path: tuple[_Step, ...], end: int) -> SightLine | None:
    """Return the line of a path of two steps or more, or None if terrain blocks it."""
    hexes_between = [step.hex_id for step in path[1:]]
    hazards_between = [land.hazards[hex_id] for hex_id in hexes_between]
    if any(HAZARDS[hazard].skill_through is None for hazard in hazards_between):
        return None
    hexsides = _crossed_hexsides(land, path)
    if _hexsides_block(hexsides):
        return None
    lower_end = min(land.elevations[path[0].hex_id], land.elevations[end])
    blockers = _blockers(land, hexes_between, hexsides, lower_end)
    return SightLine(blockers, hazards_between.count("Brambles"))


def _crossed_hexsides(land: Battleland, path: tuple[_Step, ...]) -> _Hexsides:
    """Return the hexsides on the edges that a path of two steps or more crosses."""
    edges = [land.edge(step.hex_id, step.side) for step in path]
    striker_atop, facing_striker = edges[0]
    facing_target, target_atop = edges[-1]
    between: list[str] = []
    for edge in edges[1:-1]:
        between.extend(edge)
    return _Hexsides(striker_atop, facing_striker, tuple(between), facing_target, target_atop)


def _hexsides_block(hexsides: _Hexsides) -> bool:
    """Return whether hexsides block a line, by the rules of the fact sheet in its order.

    All of them need an obstacle in the middle.
    """
    atop = (hexsides.striker_atop, hexsides.target_atop)
    middle = (hexsides.facing_striker, *hexsides.between, hexsides.facing_target)
    middle_obstacles = sum(hexside in OBSTACLES for hexside in middle)
    if middle_obstacles == 0:
        return False
    atop_obstacles = sum(hexside in OBSTACLES for hexside in atop)
    # A wall faces the striker, or the hex before the target has a wall that faces the target.
    if hexsides.facing_striker == "Wall" or hexsides.facing_target == "Wall":
        return True
    # A cliff or dune in the middle blocks, unless striker and target are both atop cliffs.
    if ("Cliff" in middle or "Dune" in middle) and atop != ("Cliff", "Cliff"):
        return True
    # Any obstacle in the middle blocks if neither striker nor target is atop one.
    if atop_obstacles == 0:
        return True
    # Three obstacles block, unless both are atop one, or one of the two is atop a cliff.
    if atop_obstacles + middle_obstacles >= 3 and atop_obstacles < 2 and "Cliff" not in atop:
        return True
    # Two walls block if neither striker nor target is atop a wall.
    return middle.count("Wall") >= 2 and "Wall" not in atop


def _blockers(
    land: Battleland, hexes_between: list[int], hexsides: _Hexsides, lower_end: int
) -> frozenset[int]:
    """Return the hexes between where a creature blocks the line.

    These are the hexes that are at least as high as ``lower_end``, the elevation of the striker or
    target that stands lower. From atop a cliff one looks over whoever stands at its foot.
    """
    blockers = {hex_id for hex_id in hexes_between if land.elevations[hex_id] >= lower_end}
    if hexsides.striker_atop == "Cliff":
        blockers.discard(hexes_between[0])
    if hexsides.target_atop == "Cliff":
        blockers.discard(hexes_between[-1])
    return frozenset(blockers)
