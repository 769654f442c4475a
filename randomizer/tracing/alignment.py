"""Finds where a grid lies in a picture: where cells are alike inside, and differ from neighbours.

    find_placement(picture, grid)     # (height, width, 3) -> Placement

The search is for a grid about in the middle of the picture, turned by at most ``MAX_TURN``
degrees. Placements are compared by a ``score`` of the colours at ``Probes``: inside cells, on
either *hand* (side) of their borders, and on either hand of the *rim* (the outer sides of the map).
Many guesses are compared in a small picture, then the best ones are improved by ever smaller moves.
Begin with ``search_placement``: ``find_placement`` is the same search without its progress.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from randomizer.tracing.placement import Placement, colours_at, shrunken

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid

# --- pictures of this program -------------------------------------------------------------------

ROOMS = (0.1, 0.75)
"""The room around a map in pictures of this program, in map units: without and with the names of
entry sides (``app.paper.picture_request``)."""

ROUNDING_TOLERANCE = 1e-6
"""The difference of sizes of cells, in pixels, that errors of rounding may make."""

FRAME = 8
"""The most that the colours of a frame differ in a channel, in levels of 255."""

MIN_FRAMED_EDGES = 0.8
"""A picture with a frame has its colour along more than this share of its edges."""

MAX_FRAMED_RIM = 0.25
"""Less than this share of the points at the rim of its grid have the colour of the frame."""

WITHIN_RIM = 0.08
"""How far within the rim these points lie, in map units."""

# --- guesses ------------------------------------------------------------------------------------

MAX_TURN = 6.0
"""The largest turn of a guess to the left or right, in degrees."""

TURN_STEP = 0.5
"""The difference of two successive turns, in degrees."""

SCALES = np.exp(np.linspace(-0.3, 0.06, 37))
"""The scales of guesses, from 0.74 to 1.06; 1 is a map just as large as the picture."""

COARSE_PIXELS = 9.0
"""The pixels across a cell in the small picture with which all guesses are compared."""

# --- refinement ---------------------------------------------------------------------------------

MAX_REFINED = 6
"""The number of the best guesses that are refined."""

FINE_PIXELS = 26.0
"""The pixels across a cell in the larger picture with which the last guess is refined."""

COARSE_STEP = 0.6
"""The length of the first moves of a refinement in the small picture, in cells."""

FINE_STEP = 0.15
"""The length of the first moves of the refinement in the larger picture, in cells."""

MIN_STEP = 0.03
"""A refinement ends when its moves are no longer than this, in cells."""

STRETCHED_FROM = 0.3
"""Moves that change the shape of a grid are tried only when they are shorter than this, in cells.
"""

# --- scores -------------------------------------------------------------------------------------

MAX_PROBES = 120
"""The most cells that have probes, chosen at random, always the same ones."""

INSIDE = 0.55
"""The position of probes inside a cell: the share of the way from its centre to corners and sides.
"""

BEYOND = 1.35
"""The position of probes outside the map: the share of the way from a cell's centre to its outer
side. Their partners in the map lie as far on the other hand of the side."""

SHARES_OF_SIDE = (0.25, 0.5, 0.75)
"""The positions of probes along a side, from one corner to the next."""

HAND = 0.14
"""The distance of the probes on either hand of a side from it: a share of the way to the centre."""

MIN_IN_PICTURE = 0.7
"""The least share of the probes inside cells that must be in the picture."""

RIM_WEIGHT = 0.5
"""The weight in a score of the contrast across the rim of the map."""

SIDE_WEIGHT = 0.5
"""The weight in a score of the contrast across the sides of cells."""

LINE_WEIGHT = 1.0
"""The weight in a score of lines along the sides of cells, darker or lighter than both hands."""

CONTRAST = 60.0
"""The difference of colours, as the sum of the three channels, that counts as a full contrast."""

MIN_LINE_STEP = 1.0
"""The difference of lightness, in levels of 255, at which a line counts half.

If it is larger, faint lines count less.
"""

# --- the progress of a tracing, in percent ------------------------------------------------------

GUESSES_FROM = 5
"""When the first guess is compared."""
GUESSES_IN_PERCENT = 100
"""The number of guesses that are one percent."""
REFINED_FROM = 14
"""When the best guess is refined; each further one is one percent."""
FINE_FROM = 20
"""When the last guess is refined, in the larger picture."""


@dataclass(frozen=True, eq=False)
class Probes:
    """Points of a map (map units) by which placements are compared.

    A placement is good if the colours are alike within cells, and differ in each pair across the
    rim and between the two hands of a side.
    """

    inside: NDArray[np.float64]
    """Points in cells, (cells, n, 2)."""

    rim: NDArray[np.float64]
    """Points in the cells at the rim, (m, 2)."""

    outside: NDArray[np.float64]
    """The points across the rim from those of ``rim``, (m, 2)."""

    lines: NDArray[np.float64]
    """Three points for each place on a side: on the side, and on either hand of it, (k, 3, 2)."""

    @classmethod
    def of(cls, grid: Grid) -> Probes:
        """Return the points for a grid; of a large one those of some cells."""
        cells = np.random.default_rng(1).permutation(grid.cells)[:MAX_PROBES]
        corners = np.array(grid.layout.corners)
        middles = (corners + np.roll(corners, -1, axis=0)) / 2
        centre = np.zeros((1, 2))
        offsets = np.concatenate([centre, corners * INSIDE, middles * INSIDE])
        inside = grid.centres_of(cells)[:, None] + offsets
        rims = []
        outsides = []
        lines = []
        for side, middle in enumerate(middles):
            at_rim = grid.neighbours_of(grid.cells, side) < 0
            rim_centres = grid.centres_of(grid.cells[at_rim])
            # The side is at 1: 2 - BEYOND is as far within it as BEYOND is outside.
            rims.append(rim_centres + middle * (2 - BEYOND))
            outsides.append(rim_centres + middle * BEYOND)

            has_neighbour = grid.neighbours_of(cells, side) >= 0
            centres = grid.centres_of(cells[has_neighbour])
            step_to_hand = middle * HAND
            for share in SHARES_OF_SIDE:
                on_side = corners[side] * share + corners[(side + 1) % len(corners)] * (1 - share)
                points = centres + on_side
                hands = (points - step_to_hand, points + step_to_hand)
                lines.append(np.stack([points, *hands], axis=1))
        return cls(inside, np.concatenate(rims), np.concatenate(outsides), np.concatenate(lines))


class _ScoredGuess(NamedTuple):
    """A placement that was compared with the small picture."""

    score: float
    guess: Placement


def score(picture: NDArray[np.float32], placement: Placement, probes: Probes) -> float:
    """Return how well a grid fits there; more is better, ``-inf`` if it lies beside the picture."""
    # Cells should be of one colour inside, the map should end at its rim, and colours should
    # change, or lines be drawn, along the sides of cells.
    inside, in_picture = colours_at(picture, placement, probes.inside)
    if in_picture.mean() < MIN_IN_PICTURE:
        return -math.inf
    rim_contrast = _rim_contrast(picture, placement, probes)
    if rim_contrast is None:
        return -math.inf
    result = RIM_WEIGHT * rim_contrast - _unevenness(inside, in_picture)

    colours_at_sides, is_seen = colours_at(picture, placement, probes.lines)
    lines = colours_at_sides[is_seen.all(axis=1)]
    if len(lines):
        contrast_of_hands = float(_contrast(lines[:, 1], lines[:, 2]).mean())
        result += SIDE_WEIGHT * contrast_of_hands + LINE_WEIGHT * _line_strength(lines)
    return result


def _contrast(
    colours: NDArray[np.float32], other_colours: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Return how much colours (n, 3) differ from others (n, 3), from 0 to 1: (n,)."""
    differences = np.abs(colours - other_colours).sum(axis=1)
    return np.asarray(np.minimum(differences / CONTRAST, 1.0))


def _rim_contrast(
    picture: NDArray[np.float32], placement: Placement, probes: Probes
) -> float | None:
    """Return how much the colours across the rim of the map differ, from 0 to 1.

    None if the picture has no part of the rim.
    """
    rim, is_rim_seen = colours_at(picture, placement, probes.rim)
    outside, is_outside_seen = colours_at(picture, placement, probes.outside)
    if not is_rim_seen.any():
        return None
    # Where the picture ends at the rim, nothing speaks for or against the placement: half a
    # contrast.
    contrast = np.where(is_outside_seen, _contrast(rim, outside), 0.5)
    return float(contrast[is_rim_seen].mean())


def _unevenness(inside: NDArray[np.float32], in_picture: NDArray[np.bool_]) -> float:
    """Return how much colours differ inside cells, as a share of how much they differ overall.

    ``inside`` (cells, n, 3) are the colours of the points in cells, ``in_picture`` (cells, n) says
    which points the picture has.
    """
    means_of_cells = inside.mean(axis=1, keepdims=True)
    differences = np.abs(inside - means_of_cells).sum(axis=2)
    # Bounded, so that a few points of other colours do not outweigh all others.
    within_cells = np.minimum(differences, 3 * CONTRAST)[in_picture].mean()

    mean = inside[in_picture].mean(axis=0)
    differences_from_mean = np.abs(inside - mean).sum(axis=2)
    overall = differences_from_mean[in_picture].mean()
    # At least 1, since a picture of one colour has no differences at all.
    return float(within_cells / max(overall, 1.0))


def _line_strength(lines: NDArray[np.float32]) -> float:
    """Return how clearly the sides of cells are drawn as lines, from 0 to 1.

    It is 1 if all are darker than what is beside them, or all lighter, and 0 if as many are lighter
    as are darker. ``lines`` (n, 3, 3) are the colours on a side, and on either hand of it.
    """
    lightness = lines.mean(axis=2)
    steps = lightness[:, 0] - lightness[:, 1:].mean(axis=1)
    # ``CONTRAST`` is a sum of three channels, lightness their mean.
    steps = np.clip(steps, -CONTRAST / 3, CONTRAST / 3)
    # Lighter and darker sides cancel out in the first mean, not in the second. Steps of one level
    # are hardly lines: ``MIN_LINE_STEP`` keeps them from counting in full.
    return float(abs(steps.mean()) / (MIN_LINE_STEP + np.abs(steps).mean()))


def find_placement(picture: NDArray[np.uint8], grid: Grid) -> Placement:
    """Return where a grid lies in a picture (height, width, 3) by ``search_placement``."""
    steps = search_placement(picture, grid)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            placement: Placement = end.value
            return placement


def search_placement(picture: NDArray[np.uint8], grid: Grid) -> Generator[int, None, Placement]:
    """Find a placement in short steps; the generator returns it.

    Yields 5 to 20, the percents of a tracing that the search takes.
    """
    # A picture that this program wrote has its grid at a position that follows from the size.
    height, width = picture.shape[:2]
    placement = own_placement(width, height, grid)
    if placement is not None and _is_framed(picture, placement, grid):
        return placement

    # All guesses are compared with a small picture.
    first = _centred(width, height, grid, scale=1.0, turn=0.0)
    probes = Probes.of(grid)
    times = max(1, math.floor(first.pixels_across(grid.layout) / COARSE_PIXELS))
    coarse = shrunken(picture, times)
    scored_guesses = []
    for index, guess in enumerate(_guesses(width, height, grid)):
        guess_score = score(coarse, guess.shrunken(times), probes)
        scored_guesses.append(_ScoredGuess(guess_score, guess))
        yield GUESSES_FROM + index // GUESSES_IN_PERCENT

    # The best guesses are refined in it.
    scored_guesses.sort(key=lambda scored: scored.score, reverse=True)
    refined_guesses = []
    for index, scored_guess in enumerate(scored_guesses[:MAX_REFINED]):
        start = scored_guess.guess.shrunken(times)
        percent = REFINED_FROM + index
        refined = yield from _refined(
            coarse, start, grid, probes, step=COARSE_STEP, percent=percent
        )
        refined_guesses.append(refined)
    best_in_coarse = max(refined_guesses, key=lambda guess: score(coarse, guess, probes))
    best = best_in_coarse.enlarged(times)

    # The best of the refined guesses is refined once more, in a larger picture.
    times = max(1, math.floor(best.pixels_across(grid.layout) / FINE_PIXELS))
    fine = shrunken(picture, times)
    refined = yield from _refined(
        fine, best.shrunken(times), grid, probes, step=FINE_STEP, percent=FINE_FROM
    )
    return refined.enlarged(times)


def _is_framed(picture: NDArray[np.uint8], placement: Placement, grid: Grid) -> bool:
    """Return whether the picture has a frame of one colour, which ends at the rim of the grid.

    Then the placement is right: the cells at the rim have other colours than the frame.
    """
    edges = np.concatenate([picture[0], picture[-1], picture[:, 0], picture[:, -1]])
    frame = np.median(edges, axis=0)
    corners = np.array(grid.layout.corners)
    points = []
    for side, middle in enumerate((corners + np.roll(corners, -1, axis=0)) / 2):
        rim = grid.cells[grid.neighbours_of(grid.cells, side) < 0]
        share_of_way = 1 - WITHIN_RIM / math.hypot(*middle)
        points.append(grid.centres_of(rim) + middle * share_of_way)
    rim_colours, _is_seen = colours_at(picture, placement, np.concatenate(points))
    framed_edges = _share_like(edges, frame)
    framed_rim = _share_like(rim_colours, frame)
    return framed_edges > MIN_FRAMED_EDGES and framed_rim < MAX_FRAMED_RIM


def _share_like(colours: NDArray[Any], colour: NDArray[np.float64]) -> float:
    """Return the share of ``colours`` (n, 3) that differ from ``colour`` by ``FRAME`` at most."""
    return float((np.abs(colours - colour).max(axis=1) <= FRAME).mean())


def own_placement(width: int, height: int, grid: Grid) -> Placement | None:
    """Return where the grid lies in a picture of this size that the program itself wrote.

    None if the program writes no picture of the grid in this size. Such a picture is the map with
    some room around it; its width and height are rounded up to whole pixels, and the map begins at
    a whole pixel (``app.paper.export``).
    """
    left, top, right, bottom = grid.bounds
    for room in ROOMS:
        box_width = right - left + 2 * room
        box_height = bottom - top + 2 * room
        # The scales, in pixels a map unit, at which the rounded sides are those of the picture. The
        # factor allows for rounding where only one scale is possible.
        min_unit = max((width - 1) / box_width, (height - 1) / box_height)
        greatest_unit = min(width / box_width, height / box_height)
        if min_unit < greatest_unit * (1 + 1e-9):
            unit = _likely_unit(grid, min_unit, greatest_unit)
            x = -math.floor((left - room) * unit)
            y = -math.floor((top - room) * unit)
            return Placement(a=unit, b=0.0, c=0.0, d=unit, e=float(x), f=float(y))
    return None


def _likely_unit(grid: Grid, min_unit: float, greatest_unit: float) -> float:
    """Return the scale between two at which a cell has whole pixels, else the one in the middle.

    All are in pixels a map unit. Users choose the size of a cell in whole pixels.
    """
    map_units_across = grid.layout.neighbour_distance
    # Errors of rounding can make a picture one pixel larger than its box, which has whole pixels:
    # then the scale with whole pixels is the least one.
    pixels = math.floor(greatest_unit * map_units_across + ROUNDING_TOLERANCE)
    if pixels > min_unit * map_units_across - ROUNDING_TOLERANCE:
        return pixels / map_units_across
    return (min_unit + greatest_unit) / 2


def _guesses(width: int, height: int, grid: Grid) -> Iterator[Placement]:
    """Yield placements about the middle of the picture, at all turns and scales to be tried."""
    turns = np.arange(-MAX_TURN, MAX_TURN + TURN_STEP / 2, TURN_STEP)
    for turn in turns.tolist():
        for scale in SCALES.tolist():
            yield _centred(width, height, grid, scale, turn)


def _centred(width: int, height: int, grid: Grid, scale: float, turn: float) -> Placement:
    """Return a placement with the middle of the grid in that of the picture.

    At a ``scale`` of 1 the grid fits the picture; ``turn`` is in degrees, clockwise.
    """
    left, top, right, bottom = grid.bounds
    unit = scale * min(width / (right - left), height / (bottom - top))
    a = unit * math.cos(math.radians(turn))
    b = unit * math.sin(math.radians(turn))
    # The middle of the grid, (x, y), goes to that of the picture.
    x = (left + right) / 2
    y = (top + bottom) / 2
    return Placement(a=a, b=b, c=-b, d=a, e=width / 2 - a * x + b * y, f=height / 2 - b * x - a * y)


def _refined(
    picture: NDArray[np.float32],
    start: Placement,
    grid: Grid,
    probes: Probes,
    *,
    step: float,
    percent: int,
) -> Generator[int, None, Placement]:
    """Improve the placement ``start`` until no small move of it has a better score.

    ``step`` is the length of the first moves, in cells. Yields ``percent``, once for each round of
    moves; the generator returns the placement.
    """
    # Hill climbing: each move is tried forwards and backwards and taken if the score rises; when
    # none is taken in a round, moves become half as long.
    moves = _Moves.of(grid)
    amounts = np.zeros(6)  # the sum of the moves that were taken
    best_score = score(picture, moves.applied(start, amounts), probes)
    while step > MIN_STEP:
        yield percent
        has_improved = False
        # Long moves keep the shape of the grid.
        rows = moves.rows
        if step >= STRETCHED_FROM:
            rows = moves.rows[:RIGID_MOVES]
        for row in rows:
            for signed_step in (step, -step):
                moved_amounts = amounts + signed_step * row
                moved_score = score(picture, moves.applied(start, moved_amounts), probes)
                if moved_score > best_score:
                    amounts = moved_amounts
                    best_score = moved_score
                    has_improved = True
                    break
        if not has_improved:
            step /= 2
    return moves.applied(start, amounts)


RIGID_MOVES = 4
"""The first rows of ``_Moves`` move and turn a grid and change its size, but not its shape."""


class _Moves(NamedTuple):
    """The moves of a placement in a refinement: sums of moves of three points of the grid.

    The points are the middle of the grid, and the ends of its axes to the right and downwards. A
    move is an array of six numbers in cells: x and y of the middle, and of both ends against it.
    """

    rows: NDArray[np.float64]
    """The moves that are tried, (8, 6): to the right, down, larger, turned; then four that change
    the shape of the grid, as one end of an axis is moved alone."""

    middle: NDArray[np.float64]
    """The middle of the grid, in map units, (2,)."""

    half: NDArray[np.float64]
    """Half the width and height of the grid, in map units, (2,)."""

    @classmethod
    def of(cls, grid: Grid) -> _Moves:
        """Return the moves for a grid."""
        left, top, right, bottom = grid.bounds
        half = np.array([right - left, bottom - top]) / 2
        middle = np.array([left + right, top + bottom]) / 2
        # Larger or turned by one cell at the ends of the longer axis.
        wide, high = half / half.max()
        rows = np.array([
            [1, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0],
            [0, 0, wide, 0, 0, high], [0, 0, 0, wide, -high, 0],
            [0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1],
        ])  # fmt: skip
        return cls(rows, middle, half)

    def applied(self, start: Placement, amounts: NDArray[np.float64]) -> Placement:
        """Return a placement changed by a sum of moves, ``amounts`` (6,)."""
        pixels_per_unit = math.hypot(start.a, start.b)
        x, y, right_x, right_y, down_x, down_y = amounts * pixels_per_unit

        # An end of an axis is half the grid away from the middle: its move is shared out over that.
        a = start.a + right_x / self.half[0]
        b = start.b + right_y / self.half[0]
        c = start.c + down_x / self.half[1]
        d = start.d + down_y / self.half[1]

        # The grid keeps its middle, but for the move of the middle itself.
        middle_in_picture = start.pixels(self.middle[None])[0] + (x, y)
        shift = middle_in_picture - self.middle @ np.array([[a, b], [c, d]])
        return Placement(a=a, b=b, c=c, d=d, e=float(shift[0]), f=float(shift[1]))
