"""The line of sight of rangestrikes: the hexes on the way, and what blocks it.

Source: the paragraph "Line of sight" of the project's fact sheet on battles of Titan.
"""

from __future__ import annotations

from typing import NamedTuple

from randomizer.systems.colossus.battle_terrain import Battleland
from randomizer.systems.colossus.board import HEXES, NEIGHBOURS
from randomizer.systems.colossus.rules import HAZARDS

OBSTACLES = ("Dune", "Cliff", "Slope", "Wall")


class Way(NamedTuple):
    """One way between two hexes that terrain does not block."""

    blockers: frozenset[int]
    """The hexes that block it when somebody stands on one."""

    brambles: int
    """The number of Brambles hexes between."""


NO_SIGHT = Way(frozenset(), 0)
"""What magic missiles need."""


def ways_of_sight(land: Battleland, start: int, end: int) -> tuple[Way, ...]:
    """Return the free ways between two hexes: none, one or two; none between neighbours."""
    if steps_between(start, end) < 2:
        return ()
    ways = []
    for goes_left in _turns(start, end):
        path = _path(start, end, goes_left)
        way = _way(land, start, path)
        if way is not None:
            ways.append(way)
    return tuple(ways)


def steps_between(start: int, end: int) -> int:
    """Return the number of steps from one hex to another."""
    dx, dy = _offset(start, end)
    return int(abs(dx) + max(0, abs(dy) - abs(dx) / 2))


def _offset(start: int, end: int) -> tuple[int, float]:
    """Return the way from one centre to another: columns to the right, and hexes downwards."""
    start_x, start_y = HEXES[start]
    end_x, end_y = HEXES[end]
    # Each second column lies half a hex lower.
    start_height = start_y + start_x % 2 / 2
    end_height = end_y + end_x % 2 / 2
    return end_x - start_x, end_height - start_height


def _turns(start: int, end: int) -> tuple[bool, ...]:
    """Return on which hand the line passes the corners that it meets: True for the left.

    Where it follows edges there are two ways, one on each hand. Else the game decides by the slope
    of the line; the numbers are the game's.
    """
    dx, dy = _offset(start, end)
    if dy == 0 or abs(dy) == 1.5 * abs(dx):
        return True, False
    ratio = dx / dy
    goes_left = ratio >= 1.5 or 0 <= ratio <= 0.75 or -1.5 <= ratio <= -0.75
    return (goes_left,)


def _side_towards(start: int, end: int, goes_left: bool) -> int:
    """Return the side of ``start`` by which the line to ``end`` leaves it, on the given hand."""
    # Towards the right the sides are told apart by the three corners on the right of a hex: the
    # lines from its centre through them have the slopes -1.5, 0 and 1.5 in these units. Towards the
    # left it is the mirror image.
    dx, dy = _offset(start, end)
    steep = 1.5 * abs(dx)
    is_mirrored = dx < 0
    # A line that follows an edge is moved off it. ``dy`` is a multiple of a half, so that a tenth
    # changes nothing else.
    if goes_left == is_mirrored:
        dy += 0.1
    else:
        dy -= 0.1
    side = (dy > -steep) + (dy > 0) + (dy > steep)
    if is_mirrored:
        return (6 - side) % 6
    return side


def _path(start: int, end: int, goes_left: bool) -> list[tuple[int, int]] | None:
    """Return the hexes of a line, each with the side to the next; None if it leaves the board.

    ``end`` itself is not in it.
    """
    path = []
    number = start
    while number != end:
        side = _side_towards(number, end, goes_left)
        path.append((number, side))
        number = NEIGHBOURS[number][side]
        if number < 0:
            return None
    return path


def _way(land: Battleland, start: int, path: list[tuple[int, int]] | None) -> Way | None:
    """Return a path as a way of sight; None if terrain blocks it, or it leaves the board."""
    if path is None:
        return None
    between = [number for number, _side in path[1:]]
    if any(HAZARDS[land.hazards[number]].through is None for number in between):
        return None
    edges = [land.edge(number, side) for number, side in path]
    if _hexsides_block(edges):
        return None
    last_hex, last_side = path[-1]
    end = NEIGHBOURS[last_hex][last_side]
    # Who stands as high as the lower of striker and target, or higher, is in the way.
    lower_elevation = min(land.elevations[start], land.elevations[end])
    blockers = {number for number in between if land.elevations[number] >= lower_elevation}
    # From the top of a cliff one looks over who stands at its foot; the same at the target.
    if edges[0][0] == "Cliff":
        blockers.discard(between[0])
    if edges[-1][1] == "Cliff":
        blockers.discard(between[-1])
    brambles = sum(land.hazards[number] == "Brambles" for number in between)
    return Way(frozenset(blockers), brambles)


def _hexsides_block(edges: list[tuple[str, str]]) -> bool:
    """Return whether the hexsides on a way block the line of sight.

    ``edges`` are the hexsides of the edges that it crosses, from the striker on: of each the one
    that the nearer hex carries, then the one of the farther hex.
    """
    # The rules of the fact sheet, in its order. Striker or target are "atop" of an obstacle that
    # their own hex carries towards the other one.
    striker_hexside, hexside_facing_striker = edges[0]
    hexside_facing_target, target_hexside = edges[-1]
    if hexside_facing_striker == "Wall" or hexside_facing_target == "Wall":
        return True
    middle = [hexside_facing_striker]
    for edge in edges[1:-1]:
        middle += edge
    middle.append(hexside_facing_target)
    hexsides = (striker_hexside, *middle, target_hexside)
    obstacles = [hexside for hexside in hexsides if hexside in OBSTACLES]
    striker_is_atop = striker_hexside in OBSTACLES
    target_is_atop = target_hexside in OBSTACLES
    both_atop_cliffs = striker_hexside == "Cliff" and target_hexside == "Cliff"
    any_atop_cliff = striker_hexside == "Cliff" or target_hexside == "Cliff"
    if ("Cliff" in middle or "Dune" in middle) and not both_atop_cliffs:
        return True
    has_obstacle_between = any(hexside in OBSTACLES for hexside in middle)
    if has_obstacle_between and not striker_is_atop and not target_is_atop:
        return True
    both_atop = striker_is_atop and target_is_atop
    if len(obstacles) >= 3 and not both_atop and not any_atop_cliff:
        return True
    any_atop_wall = striker_hexside == "Wall" or target_hexside == "Wall"
    return obstacles.count("Wall") >= 2 and not any_atop_wall
