"""Broad rivers on wargame tables: where a river runs two areas wide, it fills its cells.

A river of the rules is a chain of areas, each linked to the next. Where it runs beside itself, two
such chains lie side by side; on the table that is one broad river, drawn as water from bank to
bank. ``broad_joins`` says which sides and corners of each cell are filled::

    narrow        broad                  r  a cell with a river
    . r . .       . r=r .                =  cells of a river that are not linked, but joined
    . r . .       . r=r .
    . r . .       . r . .
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from app.render.drawn_cells import DrawnCells
from app.render.scene.routes.rounded_areas import join_masks, joined_sides
from randomizer.model.grid.grid import Grid
from randomizer.model.planes.routes import RouteSpec


def broad_joins(table: DrawnCells, route: RouteSpec) -> NDArray[np.int64]:
    """Return the sides and corners that a river fills: ``join_masks``, shape (size,).

    A river is broad in a cell where it runs beside itself, that is in a neighbour to which it is
    not linked; also at short branches and in tight bends. Where it only joins another river, or
    they touch at one point, both stay narrow (``_without_lone_contacts``). Where it is broad, it
    joins all those neighbours, and the cells before and after it on its course that are broad as
    well.
    """
    grid = table.grid
    values = table.everywhere(route.plane)
    runs = route.runs(values)
    is_linked = _sides_of(values, grid.degree) & runs[:, None]
    is_beside = _without_lone_contacts(grid, joined_sides(grid, runs) & ~is_linked, is_linked)
    is_broad = _broad_cells(grid, runs, is_linked, is_beside)

    is_off_map = grid.neighbour_table < 0
    reaches_broad = is_off_map | _at_neighbours(grid, is_broad)
    is_joined = is_beside | (is_linked & is_broad[:, None] & reaches_broad)

    # Where it leaves the table it does so in its whole width, over all sides at the rim. Only one
    # of the two chains is linked to the outside, but the other one reaches the rim as well:
    #
    #     . r=R ^      R  leaves: it is linked to the outside (^)
    #     . r=r .      r  the r beside R leaves by the rim, too
    leaves = is_broad & (is_linked & is_off_map).any(axis=1)
    is_beside_leaving = is_beside & _at_neighbours(grid, leaves)
    leaves_by_rim = is_broad & (leaves | is_beside_leaving.any(axis=1))
    is_joined |= is_off_map & leaves_by_rim[:, None]
    return join_masks(grid, is_joined)


def _sides_of(values: NDArray[Any], degree: int) -> NDArray[np.bool_]:
    """Return the sides that are set in bit masks (size,), shape (size, degree)."""
    return ((values[:, None] >> np.arange(degree)) & 1) > 0


def _at_neighbours(grid: Grid, values: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the values (size,) of the neighbours of cells, (size, degree); False off the map."""
    neighbours = grid.neighbour_table
    return np.asarray(values[neighbours] & (neighbours >= 0))  # index -1 reads the last cell


def _without_lone_contacts(
    grid: Grid, is_beside: NDArray[np.bool_], is_linked: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return ``is_beside`` without contacts that are alone, shape (size, degree).

    A contact is a side between two cells of rivers that are not linked. It is alone if neither of
    these has another one, nor has a cell to which they are linked. The module
    ``randomizer.systems.cordery.table.broad_rivers`` has the same rule for the log of the dice.
    """
    contact_counts = is_beside.sum(axis=1)
    has_contact_next = (is_linked & _at_neighbours(grid, contact_counts > 0)).any(axis=1)
    is_lone_cell = (contact_counts == 1) & ~has_contact_next
    is_lone = is_lone_cell[:, None] & _at_neighbours(grid, is_lone_cell)
    return np.asarray(is_beside & ~is_lone)


def _broad_cells(
    grid: Grid,
    runs: NDArray[np.bool_],
    is_linked: NDArray[np.bool_],
    is_beside: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Return where a river is broad, shape (size,).

    ``runs`` (size,) are the cells of the river, ``is_linked`` and ``is_beside`` (size, degree) the
    sides by which it leaves them, and those beyond which it runs without being linked.
    """
    neighbours = grid.neighbour_table
    is_linked_on_map = is_linked & (neighbours >= 0)
    links = is_linked.sum(axis=1)
    is_broad = np.asarray(is_beside.any(axis=1))

    # A fork whose branch ends in the next cell is broad, and so is that end: a narrow branch of one
    # cell would look like a thorn.
    is_spur = is_linked_on_map & (links >= 3)[:, None] & _at_neighbours(grid, links == 1)
    is_fork = is_spur.any(axis=1)
    is_end_of_spur = (links == 1) & (is_linked_on_map & _at_neighbours(grid, is_fork)).any(axis=1)
    is_broad |= is_fork | is_end_of_spur

    if grid.degree == 6:
        is_broad |= _flows_into_two_hexes(neighbours, is_linked, is_linked_on_map, is_beside)
    if grid.degree == 4:
        is_broad |= _fills_corner_of_squares(grid, runs)
    return is_broad


def _flows_into_two_hexes(
    neighbours: NDArray[np.integer],
    is_linked: NDArray[np.bool_],
    is_linked_on_map: NDArray[np.bool_],
    is_beside: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    r"""Return the hexes (size,) linked to two cells of the river that lie beside each other.

    There the river fills all three::

          1 = 2       1 lies beyond side - 1 of c, 2 beyond ``side``; the side of 1 to which 2 lies
           \ /        is the next one clockwise, ``side`` + 1
            c
    """
    flows_into_two = np.zeros(len(neighbours), np.bool_)
    for side in range(6):
        has_both_links = is_linked_on_map[:, side - 1] & is_linked_on_map[:, side]
        first = neighbours[:, side - 1]  # -1 off the map, where there is no link either
        side_of_first = (side + 1) % 6
        lie_beside = is_beside[first, side_of_first] | is_linked[first, side_of_first]
        flows_into_two |= has_both_links & lie_beside
    return flows_into_two


def _fills_corner_of_squares(grid: Grid, runs: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the squares (size,) at a corner around which all four cells have the river."""
    fills_corner = np.zeros(grid.size, np.bool_)
    has_river_beyond = joined_sides(grid, runs)
    has_both_sides = has_river_beyond & np.roll(has_river_beyond, 1, axis=1)
    for side in range(4):
        # The cell across the corner: beyond the side before, then beyond this one. Off the map the
        # river is beyond neither side.
        across_corner = has_river_beyond[grid.neighbour_table[:, side - 1], side]
        fills_corner |= has_both_sides[:, side] & across_corner
    return fills_corner
