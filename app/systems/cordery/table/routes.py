"""The pieces of routes and of their crossings on a wargame table.

A *piece* is a picture that is drawn in all cells which look the same; its key is made of all that
the picture depends on. ``TableRoutes.pieces`` yields those of all routes, then those of all
crossings; begin to read there. Two things are special on tables: a river that is *broad* (two areas
wide) fills its cells (``broad_joins``), and routes that share a side run parallel there
(``parallel_routes``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtGui import QPainter

from app.render.cell_geometry import cell_box
from app.render.piece import Piece, PiecePlaces
from app.render.scene.routes.rounded_areas import join_masks, joined_sides, variants
from app.render.scene.routes.route_lines import (
    WIDTHS,
    Course,
    crossing_box,
    draw_crossings,
    draw_long_bridge,
    draw_route,
)
from app.render.style import DrawnCells
from app.render.theme import Theme
from app.systems.cordery.table.forks import FORK_SIDES, meeting_on_bank
from app.systems.cordery.table.inner_lines import InnerLines
from app.systems.cordery.table.parallel_routes import offsets, parallel_codes
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.indices import places_by_value
from randomizer.model.grid.layouts import Layout
from randomizer.model.planes.routes import MARKS, SIDES, CrossingSpec, RouteSpec
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import TerrainSet

BROAD_FORD = 1.7
"""The length of a ford through a river that fills its cells (as ``route_lines.WIDTHS``)."""

OVERHANG = 0.1
"""How much longer a crossing is than the lower route is wide (as ``route_lines.WIDTHS``)."""

BENDS = (-1, 0, 1, 0)
"""``Course.bend`` of rivers, by the variant of the cell."""

STRAIGHT = BENDS.index(0)
"""The variant of a cell in which a river does not bend, as where a road forks beside it."""

CROSSED_SHIFT = 8
"""The bit of a route's piece key that is set in cells where routes cross."""

VARIANT_SHIFT = 10
"""The lower of two bits of a route's piece key: the variant of a river's cell, see ``BENDS``."""

BROAD_SHIFT = 12
"""The lowest of the bits of a route's piece key that are the ``broad_joins`` of a river."""

FORK_SHIFT = BROAD_SHIFT
"""The key of a road's piece has the ``_rivers_at_forks`` of its cell from this bit on."""

PARALLEL_SHIFT = 24
"""The key of a route's piece has the cell's parallel code from this bit on."""

BROAD_MASK = (1 << PARALLEL_SHIFT - BROAD_SHIFT) - 1
"""The bits of ``broad_joins``, at most six sides and six corners."""

MARGIN = 0.09
"""How far pieces may reach beyond a cell's box, in map units."""


class TableRoutes:
    """The pieces of routes and crossings in one layout and theme, as on a plan."""

    shows_inner_lines = True
    """True if broad rivers have faint grid lines, so that their areas can be counted."""
    bridge = "bridge"
    """The kind of crossing that is drawn for a bridge."""

    def __init__(
        self, layout: Layout, _terrain_set: TerrainSet, theme: Theme, least: float
    ) -> None:
        self._layout = layout
        self._theme = theme
        self._least = least
        self._box = cell_box(layout, MARGIN)
        self._inner_lines = InnerLines(layout, theme, self._box)

    def pieces(self, table: DrawnCells) -> Iterator[PiecePlaces]:
        """Yield all pieces of a table, from the bottom up, with their places in ``table.cells``."""
        crossings = [
            (crossing, crossing.at(table.planes, table.cells))
            for crossing in table.system.crossings
        ]
        crossed = np.zeros(len(table.cells), np.bool_)
        for _, kinds in crossings:
            crossed |= kinds > 0
        parallel = _parallel_codes(table)
        rivers_at_forks = _rivers_at_forks(table)
        crossed |= rivers_at_forks > 0
        for route in table.system.routes:
            yield from self._route(table, route, crossed, rivers_at_forks, parallel)
        for crossing, kinds in crossings:
            yield from self._crossing(table, crossing, kinds, rivers_at_forks, parallel)

    def sample(self, route: RouteSpec) -> Piece:
        """Return a route from side to opposite side."""
        half = self._layout.degree // 2
        course = Course(1 << half - 1 | 1 << 2 * half - 1)
        return self._piece(route, course, ("sample", route.name))

    def _route(
        self,
        table: DrawnCells,
        route: RouteSpec,
        crossed: NDArray[np.bool_],
        rivers_at_forks: NDArray[np.int64],
        parallel: NDArray[np.int64],
    ) -> Iterator[PiecePlaces]:
        """Yield the pieces of one kind of route.

        ``crossed`` (n,) says in which of ``table.cells`` routes cross, ``rivers_at_forks`` (n,) are
        theirs, and ``parallel`` (n,) their parallel codes.
        """
        values = table.here(route.plane)
        rows = np.flatnonzero(route.runs(values))
        if not len(rows):
            return
        is_river = route.style == "water"

        # Cells that look alike have the same key; the lowest bits are the sides (``SIDES``).
        keys = (values[rows] & SIDES).astype(np.int64)
        keys |= crossed[rows].astype(np.int64) << CROSSED_SHIFT
        if is_river:
            cells = table.cells[rows]
            variants_of_cells = variants(table.grid)[cells]
            variants_of_cells[rivers_at_forks[rows] > 0] = STRAIGHT
            keys |= variants_of_cells << VARIANT_SHIFT
            keys |= broad_joins(table, route)[cells] << BROAD_SHIFT
        else:
            keys |= rivers_at_forks[rows] << FORK_SHIFT
        keys |= parallel[rows] << PARALLEL_SHIFT

        for key, positions in places_by_value(keys):
            bend = 0
            broad = 0
            river_at_fork = 0
            if is_river:
                bend = BENDS[key >> VARIANT_SHIFT & 3]
                broad = key >> BROAD_SHIFT & BROAD_MASK
            else:
                river_at_fork = key >> FORK_SHIFT & SIDES
            is_crossed = bool(key >> CROSSED_SHIFT & 1)
            course = Course(key & SIDES, is_crossed, bend)
            parallel_code = key >> PARALLEL_SHIFT
            course = self._parallel(table, route, course, parallel_code)
            course = self._forked(table, route, course, river_at_fork, parallel_code)
            yield self._piece(route, course, (route.name, key), broad), rows[positions]
        if is_river and self.shows_inner_lines:
            yield from self._inner_lines.pieces(table, broad_joins(table, route))

    def _parallel(
        self, table: DrawnCells, route: RouteSpec, course: Course, parallel_code: int
    ) -> Course:
        """Return the course with the offsets of a parallel code; unchanged if it shares no side."""
        styles = _styles(table.system)
        plane_number = list(styles).index(route.plane)
        offsets_of_sides = list(
            offsets(parallel_code, plane_number, self._layout.degree, list(styles.values()))
        )
        for side in range(len(offsets_of_sides)):
            if not course.sides >> side & 1:
                offsets_of_sides[side] = 0.0
        if any(offsets_of_sides):
            return Course(course.sides, offsets=tuple(offsets_of_sides))
        return course

    def _forked(
        self,
        table: DrawnCells,
        route: RouteSpec,
        course: Course,
        river_at_fork: int,
        parallel_code: int,
    ) -> Course:
        """Return the course of a road that forks beside a river: its arms meet on the bank.

        ``river_at_fork`` is that of the cell (``_rivers_at_forks``). Any other course is unchanged.
        """
        if not river_at_fork or course.sides.bit_count() < FORK_SIDES:
            return course
        river = _river(table.system)
        assert river is not None
        river_course = Course(river_at_fork, middle=True)
        river_course = self._parallel(table, river, river_course, parallel_code)
        meeting = meeting_on_bank(self._layout, course, river_course, route.style)
        return course._replace(meeting=meeting)

    def _piece(self, route: RouteSpec, course: Course, key: object, broad: int = 0) -> Piece:
        """Return the piece of a route with this course; ``broad`` as in ``draw_route``."""
        draw = partial(self.draw_route, route=route, course=course, broad=broad)
        return Piece(key, self._box, draw)

    def draw_route(
        self, painter: QPainter, route: RouteSpec, course: Course, broad: int = 0
    ) -> None:
        """Draw a route through a cell; ``broad`` as in ``route_lines.draw_route``."""
        colour = self._theme.route_colour(route)
        layout = self._layout
        least = self._least
        draw_route(painter, layout, route.style, colour, course, broad, least_width=least)

    def _crossing(
        self,
        table: DrawnCells,
        crossing: CrossingSpec,
        kinds: NDArray[np.int64],
        rivers_at_forks: NDArray[np.int64],
        parallel: NDArray[np.int64],
    ) -> Iterator[PiecePlaces]:
        """Yield the bridges, fords or level crossings of two planes of routes.

        ``kinds`` (n,) is ``crossing.at`` of ``table.cells``, ``rivers_at_forks`` (n,) are theirs,
        and ``parallel`` (n,) their parallel codes.
        """
        rows = np.flatnonzero(kinds)
        if not len(rows):
            return
        lower_route = next(route for route in table.system.routes if route.plane == crossing.under)
        is_broad = np.zeros(len(rows), np.bool_)
        if lower_route.style == "water":
            is_broad = broad_joins(table, lower_route)[table.cells[rows]] > 0
        keys = _crossing_keys(
            kinds[rows],
            table.here(crossing.over)[rows],
            table.here(crossing.under)[rows],
            is_broad,
            rivers_at_forks[rows],
            parallel[rows],
        )
        box = crossing_box(self._layout)
        for key, positions in places_by_value(keys):
            look = _CrossingLook.of_key(key)
            draw = self._crossing_drawing(table, crossing, lower_route, look)
            yield Piece((crossing.over, crossing.under, key), box, draw), rows[positions]

    def _crossing_drawing(
        self, table: DrawnCells, crossing: CrossingSpec, lower_route: RouteSpec, look: _CrossingLook
    ) -> Callable[[QPainter], None]:
        """Return the function that draws a crossing with this look."""
        upper_route = next(
            route
            for route in table.system.routes
            if route.plane == crossing.over and route.mark == look.upper_value & MARKS
        )
        upper_course = Course(look.upper_value & SIDES, middle=True)
        upper_course = self._parallel(table, upper_route, upper_course, look.parallel_code)
        upper_course = self._forked(
            table, upper_route, upper_course, look.river_at_fork, look.parallel_code
        )
        kind = crossing.kinds[look.kind - 1]
        if look.is_broad and "bridge" in kind:
            return partial(
                draw_long_bridge,
                layout=self._layout,
                style=upper_route.style,
                colour=self._theme.route_colour(upper_route),
                course=upper_course,
            )

        # Routes that share a side are beside the middle, so they meet where their courses do.
        lower_course = None
        if look.lower_sides or look.parallel_code:
            lower_course = Course(look.lower_sides, middle=True)
            lower_course = self._parallel(table, lower_route, lower_course, look.parallel_code)
            if lower_route.style != "water":
                lower_course = self._forked(
                    table, lower_route, lower_course, look.river_at_fork, look.parallel_code
                )
        if kind == "bridge":
            kind = self.bridge
        length = WIDTHS[lower_route.style] + OVERHANG
        if look.is_broad:
            length = BROAD_FORD
        return partial(
            draw_crossings,
            layout=self._layout,
            kind=kind,
            upper=upper_course,
            lower=lower_course,
            width=WIDTHS[upper_route.style],
            length=length,
        )


class _CrossingLook(NamedTuple):
    """What the picture of a crossing in a cell depends on: cells with the same look share a piece.

    As a key it is one number, so that cells can be grouped by it: see ``_crossing_keys``.
    """

    kind: int
    """The number of the kind in ``CrossingSpec.kinds``, from 1."""
    upper_value: int
    """The value of the upper route's plane: its mark and sides."""
    is_broad: bool
    """True where the lower route is a river that fills its cell."""
    lower_sides: int
    """The lower route's sides (bits), 0 where no side is shared and no road forks at a river."""
    river_at_fork: int
    """That of the cell, as ``_rivers_at_forks``."""
    parallel_code: int
    """The cell's code as in ``parallel_routes``, 0 where no side is shared."""

    @classmethod
    def of_key(cls, key: int) -> _CrossingLook:
        """Return the look whose key this is."""
        return cls(
            kind=key & 3,
            upper_value=key >> 2 & 0xFF,
            is_broad=bool(key >> 10 & 1),
            lower_sides=key >> 11 & SIDES,
            river_at_fork=key >> 17 & SIDES,
            parallel_code=key >> 23,
        )


def _crossing_keys(
    kinds: NDArray[np.int64],
    upper_values: NDArray[Any],
    lower_values: NDArray[Any],
    is_broad: NDArray[np.bool_],
    rivers_at_forks: NDArray[np.int64],
    parallel: NDArray[np.int64],
) -> NDArray[np.int64]:
    """Return the keys of the looks of crossings; all arrays have the shape (crossings,).

    Bits of a key: kind 0-1, the upper route's value 2-9, the lower route is broad 10, the lower
    route's sides 11-16, the river at a fork 17-22, and from 23 on the parallel code. The lower
    sides are left 0 where no side is shared and no road forks at a river: there the picture does
    not depend on them, and fewer pieces are made.
    """
    keys = kinds | upper_values.astype(np.int64) << 2
    keys |= is_broad.astype(np.int64) << 10
    lower_sides = lower_values.astype(np.int64) & SIDES
    depends_on_sides = (parallel > 0) | (rivers_at_forks > 0)
    keys |= np.where(depends_on_sides, lower_sides, 0) << 11
    keys |= rivers_at_forks << 17
    keys |= parallel << 23
    return keys


def _river(system: System) -> RouteSpec | None:
    """Return the river among the routes, None without one."""
    return next((route for route in system.routes if route.style == "water"), None)


def _rivers_at_forks(table: DrawnCells) -> NDArray[np.int64]:
    """Return the two sides (bits) of the river in ``table.cells`` where a road or railway forks.

    The shape is (n,); 0 where none forks, and where the river is broad, ends or forks itself.
    """
    river = _river(table.system)
    if river is None:
        return np.zeros(len(table.cells), np.int64)
    river_sides = _narrow_sides(table, river.plane)[table.cells]
    has_fork = np.zeros(len(table.cells), np.bool_)
    for plane in _styles(table.system):
        if plane != river.plane:
            sides = table.here(plane).astype(np.int64) & SIDES
            has_fork |= np.bitwise_count(sides) >= FORK_SIDES
    is_line = np.bitwise_count(river_sides) == 2
    return np.where(has_fork & is_line, river_sides, 0)


def _styles(system: System) -> dict[str, str]:
    """Return the planes of the routes, each with the style of its first route."""
    styles: dict[str, str] = {}
    for route in system.routes:
        styles.setdefault(route.plane, route.style)
    return styles


def _parallel_codes(table: DrawnCells) -> NDArray[np.int64]:
    """Return the parallel codes of ``table.cells`` (n,); broad rivers share no sides."""
    planes = list(_styles(table.system))
    if not planes:
        return np.zeros(len(table.cells), np.int64)
    linked = []
    for plane in planes:
        sides = _narrow_sides(table, plane)
        linked.append(sides[:, None] >> np.arange(table.grid.degree) & 1 > 0)
    crossed = {}
    for crossing in table.system.crossings:
        if crossing.plane:
            lower_first = (planes.index(crossing.under), planes.index(crossing.over))
            crossed[lower_first] = table.everywhere(crossing.plane) > 0
    return parallel_codes(table.grid, linked, crossed)[table.cells]


def _narrow_sides(table: DrawnCells, plane: str) -> NDArray[np.int64]:
    """Return the sides (bits) by which routes of a plane leave each cell of the map: (size,).

    The sides that a broad river fills are left out.
    """
    values = table.everywhere(plane)
    sides = np.zeros(table.grid.size, np.int64)
    for route in table.system.routes:
        if route.plane == plane:
            sides |= np.where(route.runs(values), values & SIDES, 0)
            if route.style == "water":
                sides &= ~broad_joins(table, route)
    return sides


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
    (``broad_rivers.broad_areas``).
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
