"""The discs of a map, and the motions of their content.

A *disc* is a cell with all cells up to a radius around it. A *motion* says from which position of
the disc the content of each of its positions comes. In a disc of radius 1 on squares, positions are
numbered as below; the motion ``[0, 4, 2, 3, 1, 5, 6, 7, 8]`` exchanges the contents of 1 and 4::

    0 3 6
    1 4 7
    2 5 8

Cells are numbered 0 .. m-1; m stands for everything off the map.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from randomizer.geometry.areas import axial_of, cells_of_axial
from randomizer.geometry.turn import Turn
from randomizer.model.grid.layouts import Layout
from randomizer.variations.original import Ints, Original

LARGE = 300
"""The number of cells from which a map is large.

The discs of large maps are twirled first, which changes much of a map, and little of its look. On a
smaller map a disc of the radius ``LARGEST`` would be most of the map.
"""

TWIRLED = 3
"""The radius from which discs are twirled: each ring of cells is moved round by a few cells.

Smaller discs are turned, mirrored and exchanged.
"""

LARGEST = 7
"""The largest radius of a disc on a large map; larger ones move more at once and fit less often."""

LARGEST_ON_SMALL = 2
"""The largest radius of a disc on a map that is not large."""


class Discs(NamedTuple):
    """The discs of one radius around each of m cells, and the motions of their content.

    A disc has k cells; with all neighbours of these it has l.
    """

    cells: Ints
    """The numbers of the cells of each disc, (m, k)."""

    region: Ints
    """The numbers of its cells and of all their neighbours, (m, l)."""

    motions: Ints
    """The p motions, (p, k): the position in the disc from which the content of each comes."""

    neighbour_exchanges: Ints
    """Those motions that exchange the middle and a neighbour, one for each side of a cell.

    Shape (degree, k); (0, k) unless the radius is 1.
    """


def discs_of(original: Original) -> tuple[Discs, ...]:
    """Return the discs of a map, by radius from 0 on."""
    grid = original.base.grid
    largest = LARGEST_ON_SMALL
    if len(original.cells) >= LARGE:
        largest = LARGEST
    if grid.wrap:
        # On a map without a left and right edge a large disc would meet itself on the other
        # side, and move a cell to two places.
        largest = max(1, min(largest, (grid.width - 3) // 2))
    return tuple(_discs_of_radius(original, radius) for radius in range(largest + 1))


def _discs_of_radius(original: Original, radius: int) -> Discs:
    """Return the discs of a radius around all cells, with their motions."""
    layout = original.base.grid.layout
    degree = layout.degree
    offsets = _offsets(degree, radius)
    exchanges: list[Ints] = []
    if radius == 1:
        exchanges = _exchanges_with_neighbours(layout, offsets)
    if radius >= TWIRLED:
        motions = _twirls(degree, radius, offsets)
    elif radius > 0:
        motions = [*_turns(layout, offsets), *exchanges]
    else:
        motions = []
    shape = (-1, len(offsets))
    return Discs(
        cells=_cells_at(original, offsets),
        region=_cells_at(original, _offsets(degree, radius + 1)),
        motions=np.array(motions, np.intp).reshape(shape),
        # The last side first: the dice pick by this order, so another one makes other variations.
        neighbour_exchanges=np.array(exchanges, np.intp).reshape(shape)[::-1],
    )


def _turns(layout: Layout, offsets: list[tuple[int, int]]) -> list[Ints]:
    """Return the motions that turn and mirror a disc, but for the one that changes nothing."""
    position = {offset: index for index, offset in enumerate(offsets)}
    motions = []
    for rotation in range(layout.degree):
        for mirrors in (False, True):
            if rotation == 0 and not mirrors:
                continue
            turn = Turn(layout, rotation, mirrors)
            targets = [position[turn.apply(*offset)] for offset in offsets]
            # ``targets`` says where content goes; a motion says from where it comes.
            motions.append(np.argsort(targets))
    return motions


def _exchanges_with_neighbours(layout: Layout, offsets: list[tuple[int, int]]) -> list[Ints]:
    """Return the motions that exchange the middle of a disc and one of its neighbours."""
    position = {offset: index for index, offset in enumerate(offsets)}
    middle = position[0, 0]
    motions = []
    for step in layout.steps:
        motion = np.arange(len(offsets))
        neighbour = position[step]
        motion[middle] = neighbour
        motion[neighbour] = middle
        motions.append(motion)
    return motions


def _twirls(degree: int, radius: int, offsets: list[tuple[int, int]]) -> list[Ints]:
    """Return the motions that move each ring of a disc round by 0, 1 or 2 cells.

    The rings halfway between the middle and the rim are moved farthest. So the middle and the
    rim still fit to what is beside them, and what lies between is bent.
    """
    position = {offset: index for index, offset in enumerate(offsets)}
    motions = []
    for greatest_shift in (-2, -1, 1, 2):
        motion = np.arange(len(offsets))
        for ring in range(1, radius + 1):
            shift = round(greatest_shift * np.sin(np.pi * ring / (radius + 1)))
            positions = [position[offset] for offset in _ring(degree, ring)]
            motion[positions] = np.roll(positions, shift)
        motions.append(motion)
    return motions


def _cells_at(original: Original, offsets: list[tuple[int, int]]) -> Ints:
    """Return the numbers of the cells at these steps from each cell: (m, k)."""
    q, r = axial_of(original.base.grid, original.cells)
    step_q, step_r = np.array(offsets).T
    cells = cells_of_axial(original.base.grid, q[:, None] + step_q, r[:, None] + step_r)
    numbers: Ints = original.number_of_grid_cell[cells]
    return numbers


def _offsets(degree: int, radius: int) -> list[tuple[int, int]]:
    """Return the axial steps (q, r) from the middle of a disc to each of its cells.

    A disc of squares is a square, one of hexes a hexagon.
    """
    span = range(-radius, radius + 1)
    offsets = []
    for q in span:
        for r in span:
            if degree == 4 or abs(q + r) <= radius:
                offsets.append((q, r))
    return offsets


def _ring(degree: int, ring: int) -> list[tuple[int, int]]:
    """Return the axial steps to the outermost cells of a disc, in their order around it."""
    cells = {*_offsets(degree, ring)} - {*_offsets(degree, ring - 1)}

    def angle(offset: tuple[int, int]) -> float:
        q, r = offset
        if degree == 4:
            return math.atan2(r, q)
        # The second axis of hexes leans: a step along it goes half a cell to the right, and down
        # by about the root of three quarters.
        return math.atan2(r * 0.875, q + 0.5 * r)

    return sorted(cells, key=angle)
