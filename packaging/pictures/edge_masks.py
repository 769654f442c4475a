"""Edge masks: how far a terrain reaches over an edge into a cell beside it, as wavy lines.

The lines are those of a *run* of neighbouring sides beyond which the same terrain lies; a mask of
sides is made of its runs, turned. Of every run there are some variants, and of each variant one
line a level: the lines of one variant lie beside each other, from the middle of the cell outwards.

A line begins and ends on the sides next to the run, at the same distance from the corner in all
variants, and crosses these sides at a right angle: so the lines of neighbouring cells meet.
"""

from __future__ import annotations

import json
import math
import random

Point = tuple[float, float]

VARIANTS = 4

LEVELS = (0.25, 0.17, 0.1, 0.065, 0.03, 0.0)
"""How far the lines of one variant lie beyond the last one, for hexes."""


class Shape:
    """A regular polygon of a cell: its corners clockwise (y runs down), and lengths on it.

    ``depth`` is how far the last line is from the sides, ``rough`` by how much that varies at
    ``stations`` a side; ``spacing`` multiplies ``LEVELS``.
    """

    def __init__(
        self, corners: list[Point], depth: float, rough: float, stations: int, spacing: float
    ) -> None:
        self.corners = corners
        self.depth = depth
        self.rough = rough
        self.stations = stations
        self.spacing = spacing
        self.degree = len(corners)
        # How far from its ends a line along a side begins that turns round an inner corner.
        self.turn = 1 / math.tan(math.pi * (self.degree - 2) / self.degree / 2)

    def wobbles(self, rng: random.Random, sides: int) -> list[float]:
        """How much deeper a line is at each station; neighbouring ones lean to different sides."""
        found: list[float] = []
        way = rng.choice((-1, 1))
        for _ in range(sides * self.stations):
            found.append(way * rng.uniform(0.25, 1.0) * self.rough)
            way = -way if rng.random() < 0.72 else way
        return found

    def line(
        self, sides: int, depth: float, wobbles: list[float], jitter: list[float]
    ) -> list[Point]:
        """The points of a line along the first ``sides`` sides; a closed one along all."""
        closed = sides == self.degree
        found: list[Point] = []
        if not closed:
            found += self._end(0, depth, wobbles[0])
        for side in range(sides):
            (ax, ay) = self.corners[side]
            (bx, by) = self.corners[(side + 1) % self.degree]
            dx = bx - ax
            dy = by - ay
            length = math.hypot(dx, dy)
            dx = dx / length
            dy = dy / length
            inner = depth * self.turn * 0.92
            start = inner if closed or side else 0.0
            stop = length - (inner if closed or side < sides - 1 else 0.0)
            for station in range(self.stations):
                index = side * self.stations + station
                share = (station + 0.5 + jitter[index]) / self.stations
                along = start + share * (stop - start)
                deep = depth + wobbles[index]
                found.append((ax + dx * along - dy * deep, ay + dy * along + dx * deep))
        if not closed:
            found += [self._mirrored(sides, point) for point in self._end(0, depth, wobbles[-1])][
                ::-1
            ]
        return found

    def corner_line(self, depth: float, wobbles: list[float]) -> list[Point]:
        """The points of a line around the first corner."""
        x, y = self.corners[0]
        before = self.corners[-1]
        after = self.corners[1]
        first = math.atan2(before[1] - y, before[0] - x)
        last = math.atan2(after[1] - y, after[0] - x)
        found = []
        for share, wobble in ((0, 0), (0.2, 0.15), (0.5, 0.6), (0.8, 0.15), (1, 0)):
            angle = first + share * (last - first)
            far = depth + wobble * wobbles[0]
            found.append((x + math.cos(angle) * far, y + math.sin(angle) * far))
        return found

    def _end(self, corner: int, depth: float, wobble: float) -> list[Point]:
        """Where a line begins: on the side before a corner, and a little farther around it."""
        x, y = self.corners[corner]
        bx, by = self.corners[corner - 1]
        cx, cy = self.corners[(corner + 1) % self.degree]
        edge = math.atan2(by - y, bx - x)
        side = math.atan2(cy - y, cx - x)
        begin = (x + math.cos(edge) * depth, y + math.sin(edge) * depth)
        if self.degree == 4:
            along = 0.09
            deep = depth + 0.1 * wobble
            nudge = (
                x + math.cos(edge) * deep + math.cos(side) * along,
                y + math.sin(edge) * deep + math.sin(side) * along,
            )
        else:
            angle = edge - math.radians(18)
            far = depth + 0.12 * wobble
            nudge = (x + math.cos(angle) * far, y + math.sin(angle) * far)
        return [begin, nudge]

    def _mirrored(self, sides: int, point: Point) -> Point:
        """A point at the first corner, mirrored to the last corner of a run."""
        first = self.corners[0]
        last = self.corners[sides % self.degree]
        axis = math.atan2(first[1] + last[1], first[0] + last[0])
        if math.hypot(first[0] + last[0], first[1] + last[1]) < 1e-9:  # opposite corners
            axis = math.atan2(first[1], first[0]) + math.pi / 2
        x, y = point
        turned = 2 * axis - math.atan2(y, x)
        far = math.hypot(x, y)
        return far * math.cos(turned), far * math.sin(turned)


HEX = Shape(
    [
        (math.cos(math.radians(60 * i - 120)), math.sin(math.radians(60 * i - 120)))
        for i in range(6)
    ],
    depth=0.2,
    rough=0.09,
    stations=3,
    spacing=1.0,
)
"""A hex of radius 1 with flat sides at the top and bottom."""

SQUARE = Shape(
    [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)],
    depth=0.16,
    rough=0.075,
    stations=3,
    spacing=0.62,
)
"""A square of side 1."""


def masks(shape: Shape, seed: int) -> dict[str, list[list[list[float]]]]:
    """The lines of every run (its number of sides; "corner"), variant and level.

    A line is x and y of its points, one after the other.
    """
    found: dict[str, list[list[list[float]]]] = {}
    runs = [str(sides) for sides in range(1, shape.degree + 1)]
    for run in (*runs, *(["corner"] if shape.degree == 4 else [])):
        found[run] = []
        for variant in range(VARIANTS):
            rng = random.Random(f"{seed} {run} {variant}")
            sides = int(run) if run != "corner" else 1
            wobbles = shape.wobbles(rng, sides)
            jitter = [rng.uniform(-0.22, 0.22) for _ in wobbles]
            lines = []
            for level in LEVELS:
                depth = shape.depth + level * shape.spacing
                if run == "corner":
                    line = shape.corner_line(depth, wobbles)
                else:
                    line = shape.line(sides, depth, wobbles, jitter)
                lines.append([round(value, 3) + 0.0 for point in line for value in point])
            found[run].append(lines)
    return found


def edge_masks() -> str:
    """The text of ``app/resources/edge_masks.json``."""
    tables = {"hex": masks(HEX, 1), "square": masks(SQUARE, 2)}
    return json.dumps(tables, separators=(",", ":")).replace("]],[[", "]],\n[[") + "\n"
