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
    """One way between two hexes that terrain does not block.

    ``blockers`` are the hexes that block it when somebody stands on one; ``brambles`` is the number
    of Brambles hexes between.
    """

    blockers: frozenset[int]
    brambles: int


NO_SIGHT = Way(frozenset(), 0)
"""What magic missiles need."""


def ways_of_sight(land: Battleland, start: int, end: int) -> tuple[Way, ...]:
    """Return the free ways between two hexes: none, one or two; none between neighbours."""
    if steps_between(start, end) < 2:
        return ()
    ways = (_way(land, start, _path(start, end, left)) for left in _turns(start, end))
    return tuple(way for way in ways if way is not None)


def steps_between(start: int, end: int) -> int:
    """Return the number of steps from one hex to another."""
    dx, dy = _offset(start, end)
    return int(abs(dx) + max(0, abs(dy) - abs(dx) / 2))


def _offset(start: int, end: int) -> tuple[int, float]:
    """Return the distance of two centres: columns, and hexes downwards."""
    (x1, y1) = HEXES[start]
    (x2, y2) = HEXES[end]
    return x2 - x1, y2 + x2 % 2 / 2 - y1 - x1 % 2 / 2


def _turns(start: int, end: int) -> tuple[bool, ...]:
    """Return whether the line goes left where it meets a corner; both where it follows edges."""
    dx, dy = _offset(start, end)
    if dy == 0 or abs(dy) == 1.5 * abs(dx):
        return True, False
    ratio = dx / dy
    return (ratio >= 1.5 or 0 <= ratio <= 0.75 or -1.5 <= ratio <= -0.75,)


def _side_towards(start: int, end: int, left: bool) -> int:
    """Return the side of ``start`` by which the line to ``end`` leaves it."""
    dx, dy = _offset(start, end)
    steep = 1.5 * abs(dx)
    mirrored = dx < 0
    dy += 0.1 if left == mirrored else -0.1  # off the edge that it may follow; it is n / 2
    side = (dy > -steep) + (dy > 0) + (dy > steep)
    if mirrored:
        return (6 - side) % 6
    return side


def _path(start: int, end: int, left: bool) -> list[tuple[int, int]] | None:
    """Return the hexes of a line, each with the side to the next; None if it leaves the board."""
    path = []
    while start != end:
        side = _side_towards(start, end, left)
        path.append((start, side))
        start = NEIGHBOURS[start][side]
        if start < 0:
            return None
    return path


def _way(land: Battleland, start: int, path: list[tuple[int, int]] | None) -> Way | None:
    """Return a path as a way of sight; None if terrain blocks it."""
    if path is None:
        return None
    edges = [land.edge(number, side) for number, side in path]
    between = [number for number, _side in path[1:]]
    if any(HAZARDS[land.hazards[number]].skill_through is None for number in between):
        return None
    striker_atop = edges[0][0]
    before_end = edges[-1][0]
    facing_striker = edges[0][1]
    target_atop = edges[-1][1]
    if facing_striker == "Wall" or before_end == "Wall":
        return None
    middle = [facing_striker, *(hexside for edge in edges[1:-1] for hexside in edge), before_end]
    obstacles = [
        hexside for hexside in (striker_atop, *middle, target_atop) if hexside in OBSTACLES
    ]
    atop = (striker_atop in OBSTACLES, target_atop in OBSTACLES)
    atop_cliff = (striker_atop == "Cliff", target_atop == "Cliff")
    if ("Cliff" in middle or "Dune" in middle) and not all(atop_cliff):
        return None
    if any(hexside in OBSTACLES for hexside in middle) and not any(atop):
        return None
    if len(obstacles) >= 3 and not all(atop) and not any(atop_cliff):
        return None
    if obstacles.count("Wall") >= 2 and "Wall" not in (striker_atop, target_atop):
        return None
    end = NEIGHBOURS[path[-1][0]][path[-1][1]]
    lower = min(land.elevations[start], land.elevations[end])
    blockers = {number for number in between if land.elevations[number] >= lower}
    if atop_cliff[0]:
        blockers.discard(between[0])
    if atop_cliff[1]:
        blockers.discard(between[-1])
    brambles = sum(land.hazards[number] == "Brambles" for number in between)
    return Way(frozenset(blockers), brambles)
