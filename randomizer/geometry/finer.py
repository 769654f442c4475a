"""A map on two to four times as many columns and rows: each cell is cut into smaller ones.

The dialog that resizes a map calls ``finer_map``. Both grids are laid over each other with their
middles on one point; a new cell then belongs to the old one in which its centre lies
(``_FinerGrid``). Two squares, A and B, cut by the factor 2::

    old   A B       new   a a b b
                          a a b b

Ways are the hard part: a link between two old cells becomes a chain of links between new ones.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.geometry.cell_moves import Transformed, without_roll
from randomizer.geometry.shapes import path
from randomizer.geometry.transform import check_size, check_system
from randomizer.model.edits.reshape import Shape
from randomizer.model.planes.planes import Element, Plane, PlaneSpec, blank, is_blank
from randomizer.model.planes.routes import MARKS, SIDES, has_side, sides_of
from randomizer.model.problems import error
from randomizer.model.system.cell_width import SCALE, read_cell_width
from randomizer.model.system.property import PropertyKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.system.system import System

    Cells = NDArray[np.intp]

FACTORS = (2, 3, 4)
"""The factors that the user can choose."""

_NUDGE = 1e-6
"""Points between cells are moved by so much (map units), so that all fall to the same side.

Without it the rounding of coordinates would decide between two cells. If it came near the size of a
cell, it would move centres into other cells.
"""


def finer_map(battlemap: BattleMap, factor: int) -> Transformed:
    """Return the map with each cell cut into smaller ones, ``factor`` times as many either way.

    New cells have the values of the old cell in which their centres lie, new sides those of the old
    ones between the same cells; ways run along the lines between the old centres, heights of
    corners rise evenly. Rolls become ordinary layers, as in ``transform``. Raises ProblemError for
    a size that the map cannot have, and for a game with one board.
    """
    system = battlemap.system
    old_grid = battlemap.grid
    if system.fixed_grid:
        raise error("resize-board", f"the board of a {system.title} has one size")
    check_size(old_grid.width * factor, old_grid.height * factor)
    finer = _FinerGrid(old_grid, factor)
    check_system(system, finer.new)
    layers = tuple(_finer_layer(system, layer, finer) for layer in battlemap.layers)
    locked_cells, locked_sides = _finer_locks(battlemap, finer)
    shape = Shape(finer.new, layers, locked_cells, locked_sides)
    centres = old_grid.centres()
    return Transformed.of(battlemap, shape, centres, finer.to_new(centres), 0)


def _finer_layer(system: System, layer: Layer, finer: _FinerGrid) -> Layer:
    """Return a layer on the finer grid, with its planes, properties and things."""
    planes = {}
    for name, plane in layer.planes.items():
        spec = system.plane(name)
        if spec.shown:
            planes[name] = finer.plane(plane, spec)
    properties = dict(layer.properties)
    for prop in system.properties:
        if prop.kind is PropertyKind.NAMES and prop.name in properties:
            properties[prop.name] = _renamed_cells(system, properties[prop.name], finer)
    cell_width = read_cell_width(str(properties.get(SCALE, "")))
    if cell_width is not None:
        properties[SCALE] = cell_width.in_parts(finer.factor).text()
    things = []
    for thing in layer.things.values():
        x, y = finer.to_new(np.array([[thing.x, thing.y]]))[0].tolist()
        things.append(replace(thing, x=x, y=y, key="", touched=False))
    return without_roll(layer, planes, properties, things)


def _renamed_cells(system: System, names: Iterable[str], finer: _FinerGrid) -> tuple[str, ...]:
    """Return the names of the new cells in the middle of old ones that are named.

    A name that is none of a cell stays (a file can hold any word in a start list).
    """
    new_names = []
    for name in names:
        cell = system.cell_of_name(finer.old, name)
        if cell is None:
            new_names.append(name)
        else:
            new_names.append(system.cell_name(finer.new, int(finer.middles[cell])))
    return tuple(new_names)


def _finer_locks(battlemap: BattleMap, finer: _FinerGrid) -> tuple[Plane, Plane]:
    """Return the locks of the new cells and of their sides."""
    cell_locks = PlaneSpec("locked_cells", "?", Element.CELL, 0, 0)
    side_locks = PlaneSpec("locked_sides", "?", Element.SIDE, 0, 0)
    locked_cells = finer.plane(battlemap.locked_cells, cell_locks)
    return locked_cells, finer.plane(battlemap.locked_sides, side_locks)


class _FinerGrid:
    """The finer grid of one map, and which old cell each of its cells lies in.

    It lives as long as ``finer_map`` runs, and does not change.
    """

    def __init__(self, old: Grid, factor: int) -> None:
        self.old = old
        """The grid of the map as it is."""
        self.factor = factor
        """The number of columns of the finer grid for each of the old one; so with rows."""
        whole_grid = replace(old, width=old.width * factor, height=old.height * factor, mask=None)
        self._old_middle = _middle_of(old)
        """The point (x, y) in the middle of the old grid, which lies on that of the new one."""
        self._new_middle = _middle_of(whole_grid)
        """The point (x, y) in the middle of the finer grid."""

        old_cells = self._cells_below(whole_grid)
        exists = old_cells >= 0
        mask = None
        if not exists.all():
            mask = exists.reshape(whole_grid.height, -1)
        self.new = replace(whole_grid, mask=mask)
        """The finer grid. Its cells without an old one below them do not exist."""
        self._old_cells = np.where(exists, old_cells, 0)
        """The old cell of each new one, shape (size of ``new``,); 0 for those that do not exist."""
        self.middles: Cells = self.new.cells_at(self.to_new(old.centres()) + _NUDGE)
        """The new cell at the centre of each old one, shape (size of ``old``,)."""

    def _cells_below(self, whole_grid: Grid) -> Cells:
        """Return the old cell in which each cell of the finer grid lies, -1 for none."""
        centres = self._to_old(whole_grid.centres())
        cells = self.old.cells_at(centres + _NUDGE)
        if self.old.mask is not None:
            return cells
        # The rim of hexes is jagged, so small cells at it can lie outside all old ones. Without a
        # mask the finer grid has no holes either: such a cell gets the first old cell that is met
        # on the way from it to the middle of the map, in tenths of that way.
        for share in np.linspace(0.1, 0.9, 9):
            outside = np.flatnonzero(cells < 0)
            way_to_middle = self._old_middle - centres[outside]
            cells[outside] = self.old.cells_at(centres[outside] + way_to_middle * share)
        return cells

    def to_new(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points of the old map lie on the new one, shape (n, 2)."""
        return np.asarray((points - self._old_middle) * self.factor + self._new_middle)

    def _to_old(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points of the new map lie on the old one, shape (n, 2)."""
        return np.asarray((points - self._new_middle) / self.factor + self._old_middle)

    def plane(self, plane: Plane, spec: PlaneSpec) -> Plane:
        """Return a plane of the new grid, with the values of one of the old grid."""
        if is_blank(plane):
            return blank(spec.shape(self.new), plane.flat[0], plane.dtype)
        if spec.element is Element.SIDE:
            return self._sides(plane, spec)
        if spec.element is Element.CORNER:
            return self._corners(plane, spec)
        values: Plane = plane.reshape(-1)[self._old_cells]
        if spec.links:
            values = self._way_values(plane, values, spec)
        return values.reshape(spec.shape(self.new))

    def _sides(self, plane: Plane, spec: PlaneSpec) -> Plane:
        """Return the values of the new sides.

        Where two old cells meet, and at the rim, a side has the value of the old side there.
        Inside an old cell there is nothing, said in so many words if the old cell sets any side.
        """
        old = self.old
        degree = old.degree
        old_values = plane.reshape(-1, degree)
        sets_no_side = (old_values == spec.unset).all(axis=1)
        inner_values = np.where(sets_no_side, spec.unset, spec.default)
        values = np.repeat(inner_values[self._old_cells][:, None], degree, axis=1)
        values = values.astype(plane.dtype)
        # The old cell across each side of each new cell, (size, degree); -1 beyond the rim, which
        # is the last row of the table, where the neighbour number -1 leads to.
        old_across = np.append(self._old_cells, -1)[self.new.neighbour_table]
        for old_side in range(degree):
            old_neighbours = old.neighbour_table[self._old_cells, old_side]
            # At the rim of the map the new side of that direction lies on the old side.
            at_rim = (old_neighbours < 0) & (old_across[:, old_side] < 0)
            values[at_rim, old_side] = old_values[self._old_cells[at_rim], old_side]
            # Inside the map any new side lies on it that leads into the same old neighbour: the
            # border between two old hexes is a zigzag of sides of small ones.
            for new_side in range(degree):
                faces_neighbour = old_across[:, new_side] == old_neighbours
                faces_neighbour &= old_neighbours >= 0
                faces_neighbour &= old_across[:, new_side] != self._old_cells
                values[faces_neighbour, new_side] = old_values[
                    self._old_cells[faces_neighbour], old_side
                ]
        return values.reshape(spec.shape(self.new))

    def _corners(self, plane: Plane, spec: PlaneSpec) -> Plane:
        """Return the heights of the new corners, which rise evenly between the old ones.

        Beside an old corner that is unset a new one has the value of the nearest old one.
        """
        # Bilinear interpolation between the four old corners around each new one. Maps with heights
        # of corners have squares (docs/adr/0008), so that rows and columns can be told apart.
        old_rows = np.arange(self.old.height * self.factor + 1) / self.factor
        old_columns = np.arange(self.old.width * self.factor + 1) / self.factor
        top = np.minimum(old_rows.astype(int), self.old.height - 1)
        left = np.minimum(old_columns.astype(int), self.old.width - 1)
        share_down = (old_rows - top)[:, None]
        share_right = old_columns - left
        top_left = plane[np.ix_(top, left)].astype(np.float64)
        top_right = plane[np.ix_(top, left + 1)].astype(np.float64)
        bottom_left = plane[np.ix_(top + 1, left)].astype(np.float64)
        bottom_right = plane[np.ix_(top + 1, left + 1)].astype(np.float64)
        upper = top_left * (1 - share_right) + top_right * share_right
        lower = bottom_left * (1 - share_right) + bottom_right * share_right
        even_heights = np.rint(upper * (1 - share_down) + lower * share_down)

        nearest_rows = np.rint(old_rows).astype(int)
        nearest_columns = np.rint(old_columns).astype(int)
        nearest_heights = plane[np.ix_(nearest_rows, nearest_columns)]
        beside_unset = np.zeros(even_heights.shape, np.bool_)
        for corner_heights in (top_left, top_right, bottom_left, bottom_right):
            beside_unset |= corner_heights == spec.unset
        heights: Plane = np.where(beside_unset, nearest_heights, even_heights).astype(plane.dtype)
        return heights

    def _way_values(self, plane: Plane, values: Plane, spec: PlaneSpec) -> Plane:
        """Return the values of a plane of a way (``planes/routes.py``) for the new cells.

        The way runs along the lines between the centres of old cells. ``values`` are those of the
        old cell in each new one: where it is set, but off the lines, the new cell is set to no way.
        """
        old_values = plane.reshape(-1)
        has_way = (old_values & SIDES > 0) & (old_values != spec.unset)
        new_values = np.where(values == spec.unset, spec.unset, 0).astype(np.int64)
        for cell in np.flatnonzero(has_way).tolist():
            mark = int(old_values[cell]) & MARKS
            for side in sides_of(int(old_values[cell]), self.old.degree):
                if self._is_drawn_already(cell, side, old_values, spec):
                    continue
                for link in self._links_along_line(cell, side):
                    ends = [link.near]
                    # Links of a one-way plane (the flow of water) lead out of a cell, and have no
                    # other end.
                    if link.far is not None and not spec.one_way:
                        ends.append(link.far)
                    for new_cell, new_side in ends:
                        links = int(new_values[new_cell])
                        if links == spec.unset:
                            links = 0
                        new_values[new_cell] = links | mark | 1 << new_side
        return new_values.astype(plane.dtype)

    def _is_drawn_already(self, cell: int, side: int, old_values: Plane, spec: PlaneSpec) -> bool:
        """Return whether the neighbour across a side has drawn the line of this link.

        Cells draw their lines in ascending order, and a link has an end in both cells.
        """
        neighbour = int(self.old.neighbour_table[cell, side])
        if not 0 <= neighbour < cell or old_values[neighbour] == spec.unset:
            return False
        return bool(has_side(old_values[neighbour], self.old.opposite(side)))

    def _links_along_line(self, cell: int, side: int) -> list[_Link]:
        """Return the links from the centre of an old cell to that of its neighbour across a side.

        At the rim, where there is no neighbour, the line goes straight off the map.
        """
        new = self.new
        start = int(self.middles[cell])
        links: list[_Link] = []
        neighbour = int(self.old.neighbour_table[cell, side])
        if neighbour >= 0:
            line_cells = path(new, start, int(self.middles[neighbour])).tolist()
            for line_cell, next_cell in pairwise(line_cells):
                links += self._links_between(line_cell, next_cell)
            return links

        line_cell = start
        while new.neighbour(line_cell, side) >= 0:
            next_cell = new.neighbour(line_cell, side)
            links += self._links_between(line_cell, next_cell)
            line_cell = next_cell
        links.append(_Link((line_cell, side), far=None))
        return links

    def _links_between(self, first: int, second: int) -> list[_Link]:
        """Return the link between neighbours, or two links by way of a third cell.

        Nothing for cells that have no common neighbour, which a hole in the map can part.
        """
        new = self.new
        for side in range(new.degree):
            if new.neighbour(first, side) == second:
                return [_Link((first, side), (second, new.opposite(side)))]
        # Squares of a slanted line meet at a corner, across which no way leads.
        for between in new.neighbours(first):
            if second in new.neighbours(between):
                return self._links_between(first, between) + self._links_between(between, second)
        return []


class _Link(NamedTuple):
    """A link of a way across a side of the finer grid, told by its ends (cell, side)."""

    near: tuple[int, int]
    """The end from which the way comes."""

    far: tuple[int, int] | None
    """The end in the next cell; None where the way leads off the map."""


def _middle_of(grid: Grid) -> NDArray[np.float64]:
    """Return the point (x, y) in the middle of a grid's bounds, in map units."""
    left, top, right, bottom = grid.bounds
    return np.array(((left + right) / 2, (top + bottom) / 2))
