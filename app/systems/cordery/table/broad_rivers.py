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
    is_linked = (values[:, None] >> np.arange(grid.degree) & 1 > 0) & runs[:, None]
    is_beside = _without_lone_contacts(grid, joined_sides(grid, runs) & ~is_linked, is_linked)
    is_broad = _broad_cells(grid, runs, is_linked, is_beside)

    is_off_map = grid.neighbour_table < 0
    reaches_broad = is_off_map | is_broad[grid.neighbour_table]
    is_joined = is_beside | (is_linked & is_broad[:, None] & reaches_broad)

    # Where it leaves the table it does so in its whole width: over all sides at the rim, also
    # those of the cell of the other row beside the one that is linked to the outside.
    leaves = is_broad & (is_linked & is_off_map).any(axis=1)
    is_beside_leaving = is_beside & leaves[grid.neighbour_table] & ~is_off_map
    leaves_by_rim = is_broad & (leaves | is_beside_leaving.any(axis=1))
    is_joined |= is_off_map & leaves_by_rim[:, None]
    return join_masks(grid, is_joined)


def _without_lone_contacts(
    grid: Grid, is_beside: NDArray[np.bool_], is_linked: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return ``is_beside`` without contacts that are alone, shape (size, degree).

    A contact is a side between two cells of rivers that are not linked. It is alone if neither of
    these has another one, nor has a cell to which they are linked. The core has the same rule
    (``broad_rivers.broad_areas`` there).
    """
    neighbours = grid.neighbour_table
    contact_counts = is_beside.sum(axis=1)
    has_contact_next = (is_linked & (neighbours >= 0) & (contact_counts[neighbours] > 0)).any(
        axis=1
    )
    is_lone_cell = (contact_counts == 1) & ~has_contact_next
    is_lone = is_lone_cell[:, None] & is_lone_cell[neighbours]
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

    # A fork whose branch ends in the next cell is broad, and so is that end.
    is_spur = is_linked_on_map & (links >= 3)[:, None] & (links[neighbours] == 1)
    is_fork = is_spur.any(axis=1)
    is_end_of_spur = (links == 1) & (is_linked_on_map & is_fork[neighbours]).any(axis=1)
    is_broad |= is_fork | is_end_of_spur

    # On hexes a river that flows into two cells which lie beside each other fills all three.
    if grid.degree == 6:
        for side in range(6):
            has_both_links = is_linked_on_map[:, side - 1] & is_linked_on_map[:, side]
            # The second cell is beyond this side of the first one.
            side_of_first = (side + 1) % 6
            first = neighbours[:, side - 1]
            lie_beside = is_beside[first, side_of_first] | is_linked[first, side_of_first]
            is_broad |= has_both_links & lie_beside

    # On squares a river that is in all four cells around a corner fills that corner.
    if grid.degree == 4:
        has_river_beyond = joined_sides(grid, runs)
        has_both_sides = has_river_beyond & np.roll(has_river_beyond, 1, axis=1)
        for side in range(4):
            across_corner = has_river_beyond[neighbours[:, side - 1], side]
            is_broad |= has_both_sides[:, side] & across_corner
    return is_broad
