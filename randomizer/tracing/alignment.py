"""Finds where a grid lies in a picture: where cells are alike inside, and differ from neighbours.

    find_placement(picture, grid)     # (height, width, 3) -> Placement

Looked for is a grid about in the middle of the picture, turned by at most ``MOST_TURN`` degrees;
then what is inside cells, along their sides, and beyond the rim decides, coarse to fine.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from randomizer.tracing.placement import Placement, colours_at, shrunken

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.tracing.appearance import View

MOST_TURN = 6.0
"""The grid is searched for turned by so many degrees to either hand, at most."""

TURN_STEP = 0.5
"""The degrees from one turn that is tried to the next."""

ROOMS = (0.1, 0.75, 0.0)
"""The room around a map, in map units: that of our pictures, of those with entry sides, none."""

SCALES = np.exp(np.linspace(-0.3, 0.06, 37))
"""The scales that are tried, against that of a map as large as its picture."""

COARSE = 9.0
"""Pixels across a cell in the small picture that all guesses are compared with."""

FINE = 26.0
"""Pixels across a cell in the picture that the best guess is refined with."""

MOST_PROBES = 120
"""So many cells are looked at, at most."""

INSIDE = 0.55
"""Where points inside a cell lie: a share of the way from its centre to its corners and sides."""

BEYOND = 1.35
"""Where points outside the map lie: a share of the way from a cell's centre to its outer side."""

RIM_WEIGHT = 0.5
"""How much a contrast across the rim of the map counts in a score."""

SIDE_WEIGHT = 0.5
"""How much a contrast across the sides of cells counts in a score."""

LINE_WEIGHT = 1.0
"""How much lines along the sides of cells count in a score, darker or lighter than both hands."""

FRAME = 8
"""The colours of a frame differ by so much at most."""

WITHIN = 0.08
"""Just within a side: how far from its middle, in map units."""

OUTLIER = 400.0
"""Larger differences of colours (sums of three) count no more: names, or wrong terrains."""

REGISTERING = (4.0, 3.0, 2.0, 2.0, 1.5, 1.5, 1.0, 1.0)
"""So many pixels to either hand colours are compared in each step."""

MOST_POINTS = 60_000

RIDGE = 20.0
"""Pictures whose colours change less (squared, a pixel) say nothing about where a grid lies."""

CONTRAST = 60.0
"""A difference of colours that is plain to see."""


@dataclass(frozen=True, eq=False)
class Probes:
    """Points of a map (map units) by which placements are compared.

    ``inside`` (cells, n, 2); ``rim`` and ``outside`` (m, 2) are pairs across the rim; ``lines``
    (k, 3, 2) a point on a side and one on either hand of it.
    """

    inside: NDArray[np.float64]
    rim: NDArray[np.float64]
    outside: NDArray[np.float64]
    lines: NDArray[np.float64]

    @classmethod
    def of(cls, grid: Grid) -> Probes:
        """Return the points for a grid; of a large one those of some cells."""
        cells = np.random.default_rng(1).permutation(grid.cells)[:MOST_PROBES]
        corners = np.array(grid.layout.corners)
        middles = (corners + np.roll(corners, -1, axis=0)) / 2
        near = np.concatenate([np.zeros((1, 2)), corners * INSIDE, middles * INSIDE])
        inside = grid.centres_of(cells)[:, None] + near
        rims = []
        outsides = []
        lines = []
        for side, middle in enumerate(middles):
            beyond = grid.neighbours_of(grid.cells, side) < 0
            centres = grid.centres_of(grid.cells[beyond])
            rims.append(centres + middle * (2 - BEYOND))
            outsides.append(centres + middle * BEYOND)
            at = grid.centres_of(cells[grid.neighbours_of(cells, side) >= 0])
            for share in (0.25, 0.5, 0.75):
                on = corners[side] * share + corners[(side + 1) % len(corners)] * (1 - share)
                away = middle * 0.14
                lines.append(np.stack([at + on, at + on - away, at + on + away], axis=1))
        return cls(inside, *(np.concatenate(points) for points in (rims, outsides, lines)))


def score(picture: NDArray[np.float32], placement: Placement, probes: Probes) -> float:
    """Return how well a grid fits there; more is better, ``-inf`` if it lies beside the picture."""
    inside, in_picture = colours_at(picture, placement, probes.inside)
    if in_picture.mean() < 0.7:
        return -math.inf
    result = -_unevenness(inside, in_picture)

    rim, is_rim_seen = colours_at(picture, placement, probes.rim)
    outside, is_outside_seen = colours_at(picture, placement, probes.outside)
    if not is_rim_seen.any():
        return -math.inf
    contrast = np.minimum(np.abs(rim - outside).sum(axis=1) / CONTRAST, 1.0)
    # Where the picture ends at the rim, nothing speaks for or against the placement.
    contrast = np.where(is_outside_seen, contrast, 0.5)
    result += RIM_WEIGHT * contrast[is_rim_seen].mean()

    lines, is_seen = colours_at(picture, placement, probes.lines)
    lines = lines[is_seen.all(axis=1)]
    if len(lines):
        contrast = np.minimum(np.abs(lines[:, 1] - lines[:, 2]).sum(axis=1) / CONTRAST, 1.0)
        result += SIDE_WEIGHT * contrast.mean()
        result += LINE_WEIGHT * _line_strength(lines)
    return float(result)


def _unevenness(inside: NDArray[np.float32], in_picture: NDArray[np.bool_]) -> float:
    """Return how much colours differ inside cells, as a share of how much they differ overall.

    ``inside`` (cells, n, 3) are the colours of the points in cells, ``in_picture`` (cells, n) says
    which points the picture has.
    """
    means_of_cells = inside.mean(axis=1, keepdims=True)
    differences = np.minimum(np.abs(inside - means_of_cells).sum(axis=2), 3 * CONTRAST)
    within_cells = differences[in_picture].mean()
    overall = np.abs(inside - inside[in_picture].mean(axis=0)).sum(axis=2)[in_picture].mean()
    return float(within_cells / max(overall, 1.0))


def _line_strength(lines: NDArray[np.float32]) -> float:
    """Return from 0 to 1 how much the sides of cells are all darker, or all lighter, than beside.

    ``lines`` (n, 3, 3) are the colours on a side, and on either hand of it.
    """
    light = lines.mean(axis=2)
    steps = np.clip(light[:, 0] - light[:, 1:].mean(axis=1), -CONTRAST / 3, CONTRAST / 3)
    # Lighter and darker sides cancel out in the first mean, not in the second.
    return float(abs(steps.mean()) / (1.0 + np.abs(steps).mean()))


def find_placement(picture: NDArray[np.uint8], grid: Grid) -> Placement:
    """Return where a grid lies in a picture (height, width, 3)."""
    steps = search_placement(picture, grid)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            placement: Placement = end.value
            return placement


def search_placement(picture: NDArray[np.uint8], grid: Grid) -> Generator[int, None, Placement]:
    """Find a placement in short steps: yields 5 to 20, its percents of a tracing."""
    height, width = picture.shape[:2]
    placement = own_placement(width, height, grid)
    if placement is not None and _is_framed(picture, placement, grid):
        return placement

    # All guesses are compared with a small picture.
    first = _centred(width, height, grid, 1.0, 0.0)
    probes = Probes.of(grid)
    times = max(1, math.floor(first.pixels_across(grid.layout) / COARSE))
    coarse = shrunken(picture, times)
    tried = []
    for number, guess in enumerate(_guesses(width, height, grid)):
        tried.append((score(coarse, guess.shrunken(times), probes), guess))
        yield 5 + number // 100

    # The six best guesses are refined in it.
    tried.sort(key=lambda candidate: -candidate[0])
    rounds = []
    for number, (_, candidate) in enumerate(tried[:6]):
        start = candidate.shrunken(times)
        refined = yield from _refined(coarse, start, grid, probes, 0.6, 14 + number)
        rounds.append(refined)
    best = max(rounds, key=lambda candidate: score(coarse, candidate, probes)).shrunken(1 / times)

    # The best of the refined guesses is refined once more, in a larger picture.
    times = max(1, math.floor(best.pixels_across(grid.layout) / FINE))
    fine = shrunken(picture, times)
    refined = yield from _refined(fine, best.shrunken(times), grid, probes, 0.15, 20)
    return refined.shrunken(1 / times)


def _is_framed(picture: NDArray[np.uint8], placement: Placement, grid: Grid) -> bool:
    """Return whether the ends of a picture have one colour, and the cells at the rim of a grid
    others.
    """
    edges = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    frame = np.median(edges, axis=0)
    corners = np.array(grid.layout.corners)
    points = []
    for side, middle in enumerate((corners + np.roll(corners, -1, axis=0)) / 2):
        rim = grid.cells[grid.neighbours_of(grid.cells, side) < 0]
        points.append(grid.centres_of(rim) + middle * (1 - WITHIN / math.hypot(*middle)))
    colours, _seen = colours_at(picture, placement, np.concatenate(points))
    shares = [(np.abs(samples - frame).max(axis=1) <= FRAME).mean() for samples in (colours, edges)]
    return bool(shares[0] < 0.25 and shares[1] > 0.8)


def own_placement(width: int, height: int, grid: Grid) -> Placement | None:
    """Return where the grid lies in a picture of this program that has this size; None in
    others.
    """
    left, top, right, bottom = grid.bounds
    for room in ROOMS[:2]:
        box = right - left + 2 * room, bottom - top + 2 * room
        least = max((width - 1) / box[0], (height - 1) / box[1])
        most = min(width / box[0], height / box[1])
        if least < most * (1 + 1e-9):
            unit = _whole_pixels(grid, least, most)
            corner = math.floor((left - room) * unit), math.floor((top - room) * unit)
            return Placement(unit, 0.0, 0.0, unit, float(-corner[0]), float(-corner[1]))
    return None


def _whole_pixels(grid: Grid, least: float, most: float) -> float:
    """Return the scale between two at which a cell has whole pixels, else the one in the middle."""
    across = Placement(1.0, 0.0, 0.0, 1.0, 0.0, 0.0).pixels_across(grid.layout)
    pixels = math.floor(most * across + 1e-6)
    if pixels > least * across:
        return pixels / across
    return (least + most) / 2


def _guesses(width: int, height: int, grid: Grid) -> Iterator[Placement]:
    """Placements about the middle of the picture."""
    turns = np.arange(-MOST_TURN, MOST_TURN + TURN_STEP / 2, TURN_STEP)
    for turn in turns.tolist():
        for scale in SCALES.tolist():
            yield _centred(width, height, grid, scale, turn)


def _centred(width: int, height: int, grid: Grid, scale: float, turn: float) -> Placement:
    left, top, right, bottom = grid.bounds
    unit = scale * min(width / (right - left), height / (bottom - top))
    a = unit * math.cos(math.radians(turn))
    b = unit * math.sin(math.radians(turn))
    x = (left + right) / 2
    y = (top + bottom) / 2
    return Placement(a, b, -b, a, width / 2 - a * x + b * y, height / 2 - b * x - a * y)


def _refined(
    picture: NDArray[np.float32],
    start: Placement,
    grid: Grid,
    probes: Probes,
    step: float,
    percent: int,
) -> Generator[int, None, Placement]:
    """The best placement near another one: steps of so many cells at the rim, ever smaller."""
    left, top, right, bottom = grid.bounds
    half = np.array([right - left, bottom - top]) / 2
    middle = np.array([left + right, top + bottom]) / 2
    wide, high = half / half.max()
    # Rows: what the middle, and the ends of both axes, are moved by, in x and y.
    moves = np.array([
        [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0],
        [0, 0, wide, 0, 0, high], [0, 0, 0, wide, -high, 0],
        [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1],
    ])  # fmt: skip

    def moved(by: NDArray[np.float64]) -> Placement:
        a, b, c, d = start.values[:4]
        unit = math.hypot(a, b)
        x, y, a_x, a_y, b_x, b_y = by * unit
        a = a + a_x / half[0]
        b = b + a_y / half[0]
        c = c + b_x / half[1]
        d = d + b_y / half[1]
        centre = start.pixels(middle[None])[0] + (x, y)
        shift = centre - middle @ np.array([[a, b], [c, d]])
        return Placement(a, b, c, d, float(shift[0]), float(shift[1]))

    at = np.zeros(6)
    best = score(picture, moved(at), probes)
    while step > 0.03:
        yield percent
        better = False
        for move in moves if step < 0.3 else moves[:4]:
            for sign in (step, -step):
                value = score(picture, moved(at + sign * move), probes)
                if value > best:
                    at = at + sign * move
                    best = value
                    better = True
                    break
        if not better:
            step /= 2
    return moved(at)


def register(view: View, cells: NDArray[np.intp], drawn: NDArray[np.float32]) -> Placement:
    """Move the grid a little, to where the picture looks most like ``drawn``.

    These are the colours of ``cells``, (n, points, 3). The placement of ``view`` if that is best.
    """
    # Gauss-Newton: the slopes of the picture tell how the colours at the points change with the
    # six numbers of the placement; each step solves for the change that mends most of the error.
    points = view.points(cells).reshape(-1, 2)
    placement = view.placement
    sample = np.random.default_rng(1).permutation(len(points))[:MOST_POINTS]
    points = points[sample]
    target = drawn.reshape(-1, 3)[sample]
    # With points from -1 to 1, all six unknowns of the equations are pixels.
    middle = points.mean(axis=0)
    half = np.abs(points - middle).max(axis=0)
    terms = np.column_stack([(points - middle) / half, np.ones(len(points))])
    least_error = math.inf
    best = placement
    # After the last step the error is only measured.
    for step in (*REGISTERING, 0.0):
        colours, inside = colours_at(view.picture, placement, points)
        error = target - colours
        distance = np.where(inside, np.abs(error).sum(axis=1).clip(0, OUTLIER), OUTLIER)
        if distance.mean() < least_error:
            least_error = float(distance.mean())
            best = placement
        if not step:
            break
        slopes = _slopes(view.picture, placement, points, step)
        # Points with large errors count less: they are names, or wrong terrains.
        weight = inside / (1 + (distance / OUTLIER) ** 2)
        change = _change_against(error, slopes, terms, weight)
        placement = _changed(placement, change, middle, half)
    return best


def _slopes(
    picture: NDArray[np.float32] | NDArray[np.uint8],
    placement: Placement,
    points: NDArray[np.float64],
    step: float,
) -> list[NDArray[np.float32]]:
    """Return how much the colours (points, 3) change a pixel to the right, and a pixel down.

    They are compared ``step`` pixels to either hand of each point.
    """
    slopes = []
    for x, y in ((step, 0.0), (0.0, step)):
        ahead, _is_ahead_seen = colours_at(picture, placement.shift(x, y), points)
        back, _is_back_seen = colours_at(picture, placement.shift(-x, -y), points)
        slopes.append((ahead - back) / (2 * step))
    return slopes


def _change_against(
    error: NDArray[np.float32],
    slopes: list[NDArray[np.float32]],
    terms: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the change of a placement that mends most of ``error`` (points, 3).

    This is the least squares solution, a (2, 3) array: pixels to the right and down, by each of the
    three ``terms`` (points, 3) of a point.
    """
    rows = np.concatenate([slope[:, :, None] * terms[:, None] for slope in slopes], axis=2)
    weighted = rows * weight[:, None, None]
    # The ridge keeps the grid where it is in a picture of one colour, which has no slopes.
    normal = np.einsum("npi,npj->ij", weighted, rows) + np.eye(6) * RIDGE * len(terms)
    change = np.linalg.solve(normal, np.einsum("npi,np->i", weighted, error))
    return np.asarray(change.reshape(2, 3))


def _changed(
    placement: Placement,
    change: NDArray[np.float64],
    middle: NDArray[np.float64],
    half: NDArray[np.float64],
) -> Placement:
    """Return a placement moved by ``change`` (2, 3), which is for points from -1 to 1.

    Those are the points of the map less ``middle``, divided by ``half``.
    """
    (a, c), (b, d) = change[:, :2] / half
    e, f = change[:, 2] - change[:, :2] / half @ middle
    moves = zip(placement.values, (a, b, c, d, e, f), strict=True)
    return Placement(*(float(value + move) for value, move in moves))
