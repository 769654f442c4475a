"""Edge masks: how far a terrain reaches over an edge into a cell beside it, as wavy lines.

The lines are those of a *run* of neighbouring sides beyond which the same terrain lies; a mask of
sides is made of its runs, turned. Of every run there are some variants, and of each variant one
line a level: the lines of one variant lie beside each other, from the middle of the cell outwards.

A line begins and ends on the sides next to the run, at the same distance from the corner in all
variants, and crosses these sides at a right angle: so the lines of neighbouring cells meet. Near
its ends it lies close to the corner; within a bay of several sides it lies deep in the cell, so
that a coast does not follow the zigzag of hexes. In between it wanders, in each variant otherwise.
"""

from __future__ import annotations

import json
import math
import random

Point = tuple[float, float]

VARIANTS = 4

LEVELS = (0.34, 0.26, 0.19, 0.13, 0.08, 0.035, 0.0)
"""How far the lines of one variant lie beyond the last one, for hexes."""

BAYS = {1: (-0.09, 0.2), 2: (0.04, 0.26), 3: (0.24, 0.34), 4: (0.12, 0.29)}
"""How much deeper than at its ends a line lies in its middle, by the number of sides, for hexes:
the least and the most of all variants. Around a single cell lines of one side would make a circle
if all were 0.08 deep."""

CALM = {1: 0.9}
"""By the number of sides: lines of few sides wander less, by this, else they would have spikes."""

ROUND_BAY = 0.6
"""A line of one side is round: with 1 it would be deepest in a tip in its middle, with 0 it would
be as deep near its ends."""

SQUARE_BAYS = {**BAYS, 1: (0.0, 0.16), 2: (0.6, 0.82)}
"""The same for squares: beyond two sides that meet the line cuts the cell along its diagonal, so
that a slanting coast is no flight of stairs."""

POND = (0.1, 0.2)
"""The same of lines along more sides."""

ROUND = 0.75
"""Around a corner lines lie closer together, by this: else they would have a tip there."""

LEAST_DEPTH = 0.075
"""A line is nowhere nearer to the sides of its run than this (hexes)."""

LEAST_RADIUS = 0.07
"""A line is nowhere nearer to the middle of the cell than this (hexes)."""


class Shape:
    """A regular polygon of a cell: its corners clockwise (y runs down), and lengths on it.

    ``depth`` is how far from a corner the last line crosses the side beside its run, ``rough`` how
    much lines wander at ``stations`` a side; ``spacing`` multiplies the lengths made for hexes,
    those of ``bays`` too.
    """

    def __init__(
        self,
        corners: list[Point],
        depth: float,
        rough: float,
        stations: int,
        spacing: float,
        bays: dict[int, tuple[float, float]],
    ) -> None:
        self.corners = corners
        self.depth = depth
        self.rough = rough
        self.stations = stations
        self.spacing = spacing
        self.bays = bays
        self.degree = len(corners)
        self.apothem = math.hypot(*corners[0]) * math.cos(math.pi / self.degree)

    def wobbles(self, rng: random.Random, sides: int) -> list[float]:
        """How much deeper a line is at each station: a long wave, and a little by chance."""
        count = sides * self.stations
        phase = rng.uniform(0, 2 * math.pi)
        waves = sides * rng.uniform(0.6, 0.9) if sides < self.degree else sides // 2
        wobbles = []
        for index in range(count):
            swing = math.sin(phase + 2 * math.pi * waves * (index + 0.5) / count)
            wobble = (0.75 * swing + rng.uniform(-0.5, 0.5)) * self.rough
            wobbles.append(wobble * CALM.get(sides, 1.0))
        return wobbles

    def line(
        self,
        sides: int,
        level: float,
        bay: float,
        wobbles: list[float],
        jitter: list[float],
        widths: list[float],
    ) -> list[Point]:
        """The points of a line along the first ``sides`` sides; a closed one along all.

        ``bay`` is how much deeper it lies in the middle. At each station ``widths`` multiply how
        far lines lie from the last one.
        """
        closed = sides == self.degree
        end_depth = self.depth + ROUND * level * self.spacing
        points: list[Point] = []
        if not closed:
            points += self._end(0, end_depth, wobbles[0])
        x, y = self.corners[0]
        start = math.atan2(y, x)
        turn = 2 * math.pi / self.degree
        count = sides * self.stations
        for index in range(count):
            along = (index + 0.5 + jitter[index]) / self.stations
            share = along / sides
            # Near the ends all variants are alike.
            freedom = 1.0 if closed else math.sin(math.pi * share) ** 0.8
            fullness = freedom if sides > 1 else freedom**ROUND_BAY
            deep = self.depth + bay * self.spacing * fullness + wobbles[index] * freedom
            deep = max(deep, LEAST_DEPTH * self.spacing)
            deep += level * self.spacing * (ROUND + (widths[index] - ROUND) * freedom)
            # From the middle of a side: the sides next to a corner of a bay lie farther away.
            angle = (along % 1 - 0.5) * turn
            rim = self.apothem / math.cos(angle)
            far = max(rim - deep, LEAST_RADIUS * self.spacing)
            direction = start + along * turn
            points.append((far * math.cos(direction), far * math.sin(direction)))
        if not closed:
            end = [self._mirrored(sides, point) for point in self._end(0, end_depth, wobbles[-1])]
            points += end[::-1]
        return points

    def corner_line(self, depth: float, wobbles: list[float]) -> list[Point]:
        """The points of a line around the first corner."""
        x, y = self.corners[0]
        before = self.corners[-1]
        after = self.corners[1]
        first = math.atan2(before[1] - y, before[0] - x)
        last = math.atan2(after[1] - y, after[0] - x)
        points = []
        for share, wobble in ((0, 0), (0.2, 0.15), (0.5, 0.6), (0.8, 0.15), (1, 0)):
            angle = first + share * (last - first)
            far = depth + wobble * wobbles[0]
            points.append((x + math.cos(angle) * far, y + math.sin(angle) * far))
        return points

    def _end(self, corner: int, depth: float, wobble: float) -> list[Point]:
        """Where a line begins: on the side before a corner, and a little farther around it."""
        x, y = self.corners[corner]
        bx, by = self.corners[corner - 1]
        cx, cy = self.corners[(corner + 1) % self.degree]
        edge = math.atan2(by - y, bx - x)
        side = math.atan2(cy - y, cx - x)
        begin = (x + math.cos(edge) * depth, y + math.sin(edge) * depth)
        if self.degree == 4:
            along = 0.06
            deep = depth + 0.1 * wobble
            nudge = (
                x + math.cos(edge) * deep + math.cos(side) * along,
                y + math.sin(edge) * deep + math.sin(side) * along,
            )
        else:
            angle = edge - math.radians(18)
            far = depth + 0.05 * wobble
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
    depth=0.18,
    rough=0.13,
    stations=5,
    spacing=1.0,
    bays=BAYS,
)
"""A hex of radius 1 with flat sides at the top and bottom."""

SQUARE = Shape(
    [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)],
    depth=0.09,
    rough=0.05,
    stations=3,
    spacing=0.6,
    bays=SQUARE_BAYS,
)
"""A square of side 1."""


def masks(shape: Shape, seed: int) -> dict[str, list[list[list[float]]]]:
    """The lines of every run (its number of sides; "corner"), variant and level.

    A line is x and y of its points, one after the other.
    """
    table: dict[str, list[list[list[float]]]] = {}
    runs = [str(sides) for sides in range(1, shape.degree + 1)]
    for run in (*runs, *(["corner"] if shape.degree == 4 else [])):
        table[run] = []
        for variant in range(VARIANTS):
            rng = random.Random(f"{seed} {run} {variant}")
            sides = int(run) if run != "corner" else 1
            wobbles = shape.wobbles(rng, sides)
            jitter = [rng.uniform(-0.22, 0.22) for _ in wobbles]
            widths = [rng.uniform(0.75, 1.5) for _ in wobbles]
            least, most = shape.bays.get(sides, POND)
            bay = least + (most - least) * (variant + rng.random()) / VARIANTS
            lines = []
            for level in LEVELS:
                if run == "corner":
                    line = shape.corner_line(shape.depth + ROUND * level * shape.spacing, wobbles)
                else:
                    line = shape.line(sides, level, bay, wobbles, jitter, widths)
                lines.append([round(value, 3) + 0.0 for point in line for value in point])
            table[run].append(lines)
    return table


def edge_masks() -> str:
    """The text of ``app/resources/edge_masks.json``."""
    tables = {"hex": masks(HEX, 1), "square": masks(SQUARE, 2)}
    return json.dumps(tables, separators=(",", ":")).replace("]],[[", "]],\n[[") + "\n"
