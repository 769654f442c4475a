"""Edge masks: how far a terrain reaches over an edge into a cell beside it, as wavy lines.

The lines are those of a *run* of neighbouring sides beyond which the same terrain lies; a mask of
sides is made of its runs, turned. Of every run there are some variants, and of each variant one
line a level: the lines of one variant lie beside each other, from the middle of the cell outwards.

A line begins and ends on the sides next to the run, at the same distance from the corner in all
variants, and crosses these sides at a right angle: so the lines of neighbouring cells meet. (The
program moves both ends, ``edge_shapes``: so they lie as near to the corner as they may.) Within a
bay of several sides it lies deep in the cell, so that a coast does not follow the zigzag of hexes.
In between it wanders, in each variant otherwise.
"""

from __future__ import annotations

import json
import math
import random

Point = tuple[float, float]

VARIANTS = 6

LEVELS = (0.34, 0.26, 0.19, 0.13, 0.08, 0.035, 0.0)
"""How far the lines of one variant lie beyond the last one, for hexes."""

FILLS = {1: (0.0, 1.0), 2: (0.15, 0.95), 3: (0.25, 0.68), 4: (0.15, 0.42), 5: (0.1, 0.32)}
"""How far a line lies from the sides towards a straight coast, by the number of sides, for hexes:
the least and the most of all variants. With 1 a bay is filled, with 0 it follows the sides."""

SQUARE_FILLS = {1: (0.0, 1.0), 2: (0.8, 1.0), 3: (0.2, 0.5)}
"""The same for squares: beyond two sides that meet the line cuts the cell along its diagonal, so
that a slanting coast is no flight of stairs."""

WATER = {1: 3.0, 2: 1.5, 3: 0.95, 4: 0.8, 5: 0.8, 6: 0.0}
"""Lines move towards a point of the cell's water: it lies so far beyond the middle of the cell,
seen from the run, in radii of the cell."""

HANDLE = 0.34
"""A straight coast is a cubic curve whose handles have this share of the way between its ends: with
more it would bulge."""

WAVES = ((0.5, 1.0, 0.6), (1.4, 2.3, 0.4), (2.2, 3.0, 0.22))
"""The waves of a line: the least and the most of them along a side, and their height. The first are
bays and spits, the last ones make the line rough."""

ROUND = 0.75
"""Around a corner lines lie closer together, by this: else they would have a tip there."""

CAP_ANGLES = (13.0, 26.0)
"""At these angles around the corner of a hex a line keeps its distance from it, in degrees."""

FIRST_STATION = 0.14
"""How far along its run a line has left the corner, in sides."""

MIN_DEPTH = 0.1
"""A line is nowhere nearer to the sides of its run than this (hexes)."""

MAX_WAY = 0.85
"""Lines of outer levels lie at most at this share of the way to the point in the water."""


class Shape:
    """A regular polygon of a cell: its corners clockwise (y runs down), and lengths on it.

    ``depth`` is how far from a corner the last line crosses the side beside its run, ``rough`` the
    height of the waves of lines, stored at ``stations`` a side; ``spacing`` multiplies the lengths
    made for hexes.
    """

    def __init__(
        self,
        corners: list[Point],
        depth: float,
        rough: float,
        stations: int,
        spacing: float,
        fills: dict[int, tuple[float, float]],
    ) -> None:
        self.corners = corners
        self.depth = depth
        self.rough = rough
        self.stations = stations
        self.spacing = spacing
        self.fills = fills
        self.degree = len(corners)
        self.radius = math.hypot(*corners[0])
        self.apothem = self.radius * math.cos(math.pi / self.degree)

    def line(
        self, sides: int, level: float, fill: float, waves: list[float], widths: list[float]
    ) -> list[Point]:
        """The points of a line along the first ``sides`` sides; a closed one along all.

        ``fill`` is one of those of ``FILLS``. At each station ``waves`` say how much farther from
        the land it lies, and ``widths`` multiply how far lines lie from the last one.
        """
        closed = sides == self.degree
        points: list[Point] = []
        if not closed:
            points += self._end(self.depth + ROUND * level * self.spacing)
        middle = 2 * math.pi / self.degree * sides / 2 + math.atan2(*self.corners[0][::-1])
        far = -WATER[sides + 6 - self.degree] * self.radius
        water = (far * math.cos(middle), far * math.sin(middle))

        count = len(waves)
        for index in range(count):
            if closed:
                along = (index + 0.5) / self.stations
                freedom = 1.0
            else:
                share = index / (count - 1)
                along = FIRST_STATION + (sides - 2 * FIRST_STATION) * share
                freedom = math.sin(math.pi * along / sides) ** 0.6
            x, y = self._base(sides, along, fill)
            depth = level * self.spacing * (ROUND + (widths[index] - ROUND) * freedom**2)
            step = waves[index] * freedom + depth
            step_x, step_y, way = self._to_water(sides, along, (x, y), water)
            step = min(step, MAX_WAY * way)
            points.append(self._off_land((x + step * step_x, y + step * step_y), along))
        if not closed:
            end_depth = self.depth + ROUND * level * self.spacing
            end = [self._mirrored(sides, point) for point in self._end(end_depth)]
            points += end[::-1]
        return points

    def _base(self, sides: int, along: float, fill: float) -> Point:
        """A point of the last line without waves, so many sides ``along`` the run."""
        x, y = self._rim(along)
        inwards_x, inwards_y = self._inwards(sides, along)
        x += self.depth * inwards_x
        y += self.depth * inwards_y
        x, y = self._rounded(sides, along, (x, y))
        if sides == self.degree:
            return x * (1 - fill), y * (1 - fill)
        # The straight coast: a curve between the ends that crosses their sides at a right angle.
        begin = self._end(self.depth)[0]
        end = self._mirrored(sides, begin)
        handle = HANDLE * math.dist(begin, end)
        if sides == self.degree - 1:
            handle = HANDLE * self.radius
        first = self._normal(-1)
        last = self._normal(sides)
        handles = [
            begin,
            (begin[0] + handle * first[0], begin[1] + handle * first[1]),
            (end[0] + handle * last[0], end[1] + handle * last[1]),
            end,
        ]
        t = along / sides
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        curve_x = sum(weight * point[0] for weight, point in zip(weights, handles, strict=True))
        curve_y = sum(weight * point[1] for weight, point in zip(weights, handles, strict=True))
        return x + fill * (curve_x - x), y + fill * (curve_y - y)

    def _rounded(self, sides: int, along: float, point: Point) -> Point:
        """A point of the last line moved onto a circle, where land lies almost all around."""
        roundness = ROUNDNESS.get(sides + 6 - self.degree, 0.0)
        if sides < self.degree:
            # The ends stay where the lines of the neighbouring cells meet them.
            from_end = min(along, sides - along)
            roundness *= min(1.0, from_end / LEAVES_END)
        x, y = point
        far = math.hypot(x, y)
        scale = 1 + roundness * (POND_RADIUS * self.apothem / far - 1)
        return x * scale, y * scale

    def _rim(self, along: float) -> Point:
        """A point of the rim of the cell, so many sides from the first corner."""
        side, share = divmod(along, 1)
        ax, ay = self.corners[int(side) % self.degree]
        bx, by = self.corners[(int(side) + 1) % self.degree]
        return ax + share * (bx - ax), ay + share * (by - ay)

    def _normal(self, side: int) -> Point:
        """The direction from a side into the cell."""
        ax, ay = self.corners[side % self.degree]
        bx, by = self.corners[(side + 1) % self.degree]
        return -(ax + bx) / 2 / self.apothem, -(ay + by) / 2 / self.apothem

    def _inwards(self, sides: int, along: float) -> Point:
        """The direction into the cell: near the ends of a run at a right angle to its side."""
        if sides < self.degree:
            if along < 0.5:
                return self._normal(0)
            if along > sides - 0.5:
                return self._normal(sides - 1)
        x, y = self._rim(along)
        return -x / math.hypot(x, y), -y / math.hypot(x, y)

    def _to_water(
        self, sides: int, along: float, point: Point, water: Point
    ) -> tuple[float, float, float]:
        """The direction in which a point of a line moves away from the land, and how far it may."""
        x = water[0] - point[0]
        y = water[1] - point[1]
        way = math.hypot(x, y)
        x /= way
        y /= way
        if sides < self.degree:
            from_end = min(along, sides - along)
            share = min(1.0, from_end / 0.6)
            share *= share * (3 - 2 * share)
            inwards_x, inwards_y = self._inwards(sides, along)
            x = inwards_x + share * (x - inwards_x)
            y = inwards_y + share * (y - inwards_y)
        length = math.hypot(x, y)
        return x / length, y / length, way

    def _off_land(self, point: Point, along: float) -> Point:
        """A point moved away from the side of the run beside it, if it is too near."""
        normal_x, normal_y = self._normal(math.floor(along))
        x, y = point
        depth = x * normal_x + y * normal_y + self.apothem
        missing = max(0.0, MIN_DEPTH * self.spacing - depth)
        return x + missing * normal_x, y + missing * normal_y

    def corner_line(self, depth: float, bulge: float) -> list[Point]:
        """The points of a line around the first corner."""
        x, y = self.corners[0]
        before = self.corners[-1]
        after = self.corners[1]
        first = math.atan2(before[1] - y, before[0] - x)
        last = math.atan2(after[1] - y, after[0] - x)
        points = []
        for share, weight in ((0, 0), (0.2, 0.15), (0.5, 0.6), (0.8, 0.15), (1, 0)):
            angle = first + share * (last - first)
            far = depth + weight * bulge
            points.append((x + math.cos(angle) * far, y + math.sin(angle) * far))
        return points

    def _end(self, depth: float) -> list[Point]:
        """Where a line begins: on the side before the first corner, and a little farther."""
        x, y = self.corners[0]
        bx, by = self.corners[-1]
        edge = math.atan2(by - y, bx - x)
        begin = (x + math.cos(edge) * depth, y + math.sin(edge) * depth)
        if self.degree == 4:
            cx, cy = self.corners[1]
            side = math.atan2(cy - y, cx - x)
            along = 0.06
            return [begin, (begin[0] + math.cos(side) * along, begin[1] + math.sin(side) * along)]
        # A round tip: the end of a spit, however far it reaches.
        points = [begin]
        for degrees in CAP_ANGLES:
            angle = edge - math.radians(degrees)
            points.append((x + math.cos(angle) * depth, y + math.sin(angle) * depth))
        return points

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


POND = (0.0, 0.16)
"""The fills of lines along all sides: the share of the way to the middle of the cell."""

POND_WAVES = ((2, 2, 0.5), (3, 3, 0.36), (4, 5, 0.22))
"""The waves of these lines, as ``WAVES`` but around the whole cell: more of them make a star of a
lone pond. The first makes it longer than wide."""

POND_RADIUS = 0.86
"""The radius of the last line around a pond, as a share of the way from its middle to a side."""

ROUNDNESS = {4: 0.7, 5: 1.0, 6: 1.0}
"""How round a line along so many sides is, from 0, where it follows them, to 1, a circle."""

LEAVES_END = 0.75
"""So many sides from its ends a line is as round as that."""

CALMNESS = {4: 0.5, 5: 0.36}
"""The height of the waves along so many sides is less by this factor: the arms of small ponds would
look torn."""

HEX = Shape(
    [
        (math.cos(math.radians(60 * i - 120)), math.sin(math.radians(60 * i - 120)))
        for i in range(6)
    ],
    depth=0.15,
    rough=0.15,
    stations=6,
    spacing=1.0,
    fills=FILLS,
)
"""A hex of radius 1 with flat sides at the top and bottom."""

SQUARE = Shape(
    [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)],
    depth=0.06,
    rough=0.05,
    stations=5,
    spacing=0.6,
    fills=SQUARE_FILLS,
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
            waves = _waves(rng, sides, sides * shape.stations, sides == shape.degree)
            calmness = CALMNESS.get(sides + 6 - shape.degree, 1.0)
            waves = [wave * shape.rough * calmness for wave in waves]
            widths = _widths(rng, sides, len(waves), sides == shape.degree)
            least, most = shape.fills.get(sides, POND)
            fill = least + (most - least) * (variant + rng.random()) / VARIANTS
            lines = []
            for level in LEVELS:
                if run == "corner":
                    depth = shape.depth + ROUND * level * shape.spacing
                    line = shape.corner_line(depth, waves[0])
                else:
                    line = shape.line(sides, level, fill, waves, widths)
                lines.append([round(value, 3) + 0.0 for point in line for value in point])
            table[run].append(lines)
    return table


def _waves(rng: random.Random, sides: int, count: int, closed: bool) -> list[float]:
    """How much farther from the land a line lies at so many stations, in heights of ``WAVES``."""
    result = [0.0] * count
    for least, most, height in POND_WAVES if closed else WAVES:
        phase = rng.uniform(0, 2 * math.pi)
        if closed:
            waves: float = rng.randint(round(least), round(most))
        else:
            waves = sides * rng.uniform(least, most)
        for index in range(count):
            result[index] += height * math.sin(phase + 2 * math.pi * waves * index / count)
    return result


def _widths(rng: random.Random, sides: int, count: int, closed: bool) -> list[float]:
    """How much farther apart lines are at each station: here wide and there narrow, by turns."""
    phase = rng.uniform(0, 2 * math.pi)
    swings = max(1.0, sides * rng.uniform(0.4, 0.7))
    if closed:
        swings = round(swings)
    widths = []
    for index in range(count):
        swing = math.sin(phase + 2 * math.pi * swings * index / count)
        widths.append(1.1 + 0.5 * swing)
    return widths


def edge_masks() -> str:
    """The text of ``app/resources/edge_masks.json``."""
    tables = {"hex": masks(HEX, 1), "square": masks(SQUARE, 2)}
    return json.dumps(tables, separators=(",", ":")).replace("]],[[", "]],\n[[") + "\n"
