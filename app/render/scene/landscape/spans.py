"""Spans: cells of a landscape that share one picture. A mountain may stand on two or three.

A *span* is a pair or trio of neighbouring cells on which one picture stands if they are alike. Its
*owner* is the one of these cells that draws the picture; it hides what the others would show.
``division_of`` divides all cells of a layout into single cells, pairs and trios, once for all maps;
``spans_at`` says which of its spans have alike cells on a map, for ``features``. A part of a
division of squares into pairs (A owns a, and so on) and single cells (.)::

    A a . B
    . C D b
    E c d .
    e . F f
"""

from __future__ import annotations

import itertools
import random
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from app.render.scene.part import ScenePart, bit_masks
from randomizer.model.basics.caches import KB, registered
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.planes import is_blank

PERIOD = 24
"""The division repeats after so many columns and rows.

It has to be even, since every second column or row of hexes is shifted.
"""

TRIO_CHANCE = 0.34
"""The chance that three free cells become a trio. With more of them few cells are left for pairs.
"""

PAIR_CHANCE = 0.5
"""The chance that two free cells become a pair. With more of them few cells stay single."""

DIVISION_SEED = 7
"""The division is the same in every run: else a map would look different each time it is opened.
"""


class SpanKind(NamedTuple):
    """A pair or trio of cells on which one picture may stand, seen from its owner.

    The owner is the cell that draws the picture; ``SpanKind("pair2", (2,))`` is an owner and the
    cell beyond its side 2.
    """

    name: str
    """The word for it in names of groups of pictures: that of ``flat-pair2-1`` is "pair2"."""

    sides: tuple[int, ...]
    """The sides of the owner beyond which the other cells lie: one of a pair, two of a trio."""


NO_KIND = -1
"""Stands for the kind of span of a cell that is in none, or draws none."""


class Role(NamedTuple):
    """The role of a cell in the division of a layout: single, or a cell of a kind of span."""

    kind: int
    """The number of its kind of span, ``NO_KIND`` for a single cell."""

    is_owner: bool
    """True if it draws the picture of its span; False for the others and for a single cell."""

    sides: int
    """The sides beyond which the other cells of its span lie, as bits; 0 for a single cell."""


SINGLE = Role(kind=NO_KIND, is_owner=False, sides=0)
"""The role of a single cell."""

SINGLE_NUMBER = 0
"""The number of ``SINGLE`` in every division."""

PAIR_SIDES = {
    "flat": (2, 3, 4),
    "pointy": (1, 2, 3),
    "oblique": (1, 2, 3),
    "square": (1, 2),
}
"""By the name of a layout the sides of an owner beyond which the other cell of a pair lies."""

TRIO_CORNERS: dict[str, tuple[int, ...]] = {
    "flat": (2, 5),
    "pointy": (0, 3),
    "oblique": (0, 3),
    "square": (),
}
"""The same of trios: the corners of an owner at which the other two cells lie."""


class RiverCells(NamedTuple):
    """The courses of rivers among the cells of a part."""

    has_river: NDArray[np.bool_]
    """True for the cells through which one runs, (n,)."""

    sides: NDArray[np.intp]
    """The sides beyond which such a cell lies, as bits, (n,)."""


class SpansOnMap(NamedTuple):
    """The spans that are drawn on a part of a map."""

    kind: NDArray[np.intp]
    """The number of the kind of span that each cell draws, or ``NO_KIND``, (n,)."""

    is_hidden: NDArray[np.bool_]
    """True for cells on which the picture of a span stands that another cell draws, (n,)."""


class Division(NamedTuple):
    """The division of a layout into single cells, pairs and trios, in a square that repeats.

    It is the same on all maps. A pair or trio shows one picture where its cells are alike, so what
    a cell shows depends on its nearest neighbours alone, and an edit far away changes nothing.
    """

    kinds: tuple[SpanKind, ...]
    """The kinds of pairs, and after them those of trios (``kinds_of``)."""

    role_numbers: NDArray[np.intp]
    """The number of the role of each cell of the square, shape (PERIOD, PERIOD): row, column."""

    kind_of_role: NDArray[np.intp]
    """``Role.kind`` by the number of the role."""

    is_owner: NDArray[np.bool_]
    """``Role.is_owner`` by the number of the role."""

    sides_of_role: NDArray[np.intp]
    """``Role.sides`` by the number of the role."""


def kinds_of(layout: Layout) -> tuple[SpanKind, ...]:
    """Return the kinds of pairs of a layout, and after them those of trios.

    Each pair and trio that is possible has one kind, for only one of its cells is the owner: so
    pairs are needed for half of the sides, and trios for two corners of hexes. Squares have none.
    """
    pairs = [SpanKind(f"pair{side}", (side,)) for side in PAIR_SIDES[layout.name]]
    # A corner lies between the side of its number and the one before.
    trios = [
        SpanKind(f"trio{corner}", ((corner - 1) % 6, corner))
        for corner in TRIO_CORNERS[layout.name]
    ]
    return (*pairs, *trios)


@registered(count=6, bytes_each=100 * KB)
@cache
def division_of(layout: Layout) -> Division:
    """Return the division of a layout, made at random, but the same in every run.

    All possible trios and then all possible pairs are tried in a random order; one whose cells are
    still single is taken with a certain chance.
    """
    kinds = kinds_of(layout)
    random_source = random.Random(DIVISION_SEED)
    # In the middle of a grid of three squares a side every cell has all its neighbours.
    grid = Grid(layout, 3 * PERIOD, 3 * PERIOD)
    role_numbers = np.zeros((PERIOD, PERIOD), np.intp)
    roles = [SINGLE]
    for cells_in_span, chance in ((3, TRIO_CHANCE), (2, PAIR_CHANCE)):
        possible_spans = _possible_spans(kinds, cells_in_span)
        random_source.shuffle(possible_spans)
        for span in possible_spans:
            cells = _cells_of_span(grid, kinds[span.kind_number], span)
            positions = [_position_in_square(grid, cell) for cell in cells]
            is_free = all(role_numbers[position] == SINGLE_NUMBER for position in positions)
            # The dice are thrown for free spans only: the division would be another otherwise.
            if not is_free or random_source.random() > chance:
                continue
            owner = cells[0]
            for cell, position in zip(cells, positions, strict=True):
                role = Role(span.kind_number, cell == owner, _sides_to(grid, cell, cells))
                if role not in roles:
                    roles.append(role)
                role_numbers[position] = roles.index(role)
    return Division(
        kinds,
        role_numbers,
        kind_of_role=np.array([role.kind for role in roles], np.intp),
        is_owner=np.array([role.is_owner for role in roles], np.bool_),
        sides_of_role=np.array([role.sides for role in roles], np.intp),
    )


class _PossibleSpan(NamedTuple):
    """A span that may become one of the division."""

    kind_number: int
    """The number of its kind."""

    x: int
    """The column of its owner in the square."""

    y: int
    """The row of its owner in the square."""


def _possible_spans(kinds: tuple[SpanKind, ...], cells_in_span: int) -> list[_PossibleSpan]:
    """Return all spans of so many cells in the square."""
    spans = []
    for kind_number, kind in enumerate(kinds):
        if len(kind.sides) + 1 != cells_in_span:
            continue
        for x, y in itertools.product(range(PERIOD), repeat=2):
            spans.append(_PossibleSpan(kind_number, x, y))
    return spans


def _cells_of_span(grid: Grid, kind: SpanKind, span: _PossibleSpan) -> list[int]:
    """Return the cells of a span of this kind in the middle square of a grid, the owner first."""
    owner = grid.cell(span.x + PERIOD, span.y + PERIOD)
    return [owner, *(grid.neighbour(owner, side) for side in kind.sides)]


def _position_in_square(grid: Grid, cell: int) -> tuple[int, int]:
    """Return the row and the column of a cell in the square that repeats."""
    x, y = grid.xy(cell)
    return y % PERIOD, x % PERIOD


def _sides_to(grid: Grid, cell: int, span: list[int]) -> int:
    """Return the sides of a cell beyond which other cells of its span lie, as bits.

    0b000110 of a trio: the others lie beyond the sides 1 and 2.
    """
    mask = 0
    for side in range(grid.degree):
        if grid.neighbour(cell, side) in span:
            mask |= 1 << side
    return mask


def river_cells(part: ScenePart) -> RiverCells:
    """Return where the rivers of a part run: no picture of a span stands on them."""
    rivers = []
    for route in part.routes:
        if route.is_river and not is_blank(part.composite.planes[route.plane]):
            rivers.append(route)
    has_river = np.zeros(len(part.cells), np.bool_)
    if not rivers:
        return RiverCells(has_river, np.zeros(len(part.cells), np.intp))

    runs_beyond = np.zeros((part.grid.degree, len(part.cells)), np.bool_)
    neighbours = part.neighbour_cells  # -1 where there is none
    for route in rivers:
        spec = part.system.plane(route.plane)
        has_river |= route.runs(part.values(spec))
        for side, cells in enumerate(neighbours):
            runs_there = route.runs(part.values_at(spec, np.maximum(cells, 0)))
            runs_beyond[side] |= runs_there & (cells >= 0)
    return RiverCells(has_river, bit_masks(runs_beyond))


def spans_at(part: ScenePart, can_span: NDArray[np.bool_], rivers: RiverCells) -> SpansOnMap:
    """Return the spans of the division whose cells are alike in a part.

    Cells of a span are alike if they have the same elevation and the same terrain, one of those
    that ``can_span`` (terrains,) marks, and if no river runs through any of them.
    """
    grid = part.grid
    division = division_of(grid.layout)
    ys, xs = np.divmod(part.cells, grid.width)
    role_number = division.role_numbers[ys % PERIOD, xs % PERIOD]
    role_number[~can_span[part.terrain] | rivers.has_river] = SINGLE_NUMBER
    alike_sides = part.same_sides & ~rivers.sides
    if grid.wrap:
        # Nothing is drawn over the seam, where the picture of the map is cut open: it would show
        # half of a span at each end. So one with a cell in the first or last column is none.
        columns = part.neighbour_cells % grid.width
        is_inside = (columns != 0) & (columns != grid.width - 1)
        is_inside &= (xs != 0) & (xs != grid.width - 1)
        alike_sides = alike_sides & bit_masks(is_inside)
    sides = division.sides_of_role[role_number]
    unlike_sides = sides & ~alike_sides
    # Each cell of a span has all the others beyond its sides. Whether two cells are alike is the
    # same seen from either, so that all cells of a span find the same value.
    is_whole = (sides > 0) & (unlike_sides == 0)
    is_owner = division.is_owner[role_number]
    kind = np.where(is_whole & is_owner, division.kind_of_role[role_number], NO_KIND)
    return SpansOnMap(kind, is_hidden=is_whole & ~is_owner)
