"""A map on two to four times as many columns and rows: each cell is cut into smaller ones."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from randomizer.geometry.shapes import path
from randomizer.geometry.transform import Transformed, check_size, check_system, without_roll
from randomizer.model.edits.edit import Shape
from randomizer.model.planes.planes import Place, Plane, PlaneSpec, blank, is_blank
from randomizer.model.planes.routes import MARKS, SIDES
from randomizer.model.problems import error
from randomizer.model.system.cell_width import SCALE, read_cell_width
from randomizer.model.system.property import PropertyKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap

    Cells = NDArray[np.intp]

FACTORS = (2, 3, 4)

_NUDGE = 1e-6
"""Points between cells are moved by so much, so that all fall to the same side."""


def finer_map(battlemap: BattleMap, factor: int) -> Transformed:
    """Return the map with each cell cut into smaller ones, ``factor`` times as many either way.

    New cells have the values of the old cell in which their centres lie, new sides those of the old
    ones between the same cells; ways run along the lines between the old centres, heights of
    corners rise evenly. Rolls become ordinary layers, as in ``transform``. Raises ProblemError for
    a size that the map cannot have, and for a game with one board.
    """
    system = battlemap.system
    old = battlemap.grid
    if system.fixed_grid:
        raise error("resize-board", f"the board of a {system.title} has one size")
    check_size(old.width * factor, old.height * factor)
    finer = _FinerGrid(old, factor)
    check_system(system, finer.new)
    layers = []
    for layer in battlemap.layers:
        planes = {
            name: finer.plane(plane, system.plane(name))
            for name, plane in layer.planes.items()
            if system.plane(name).shown
        }
        properties = dict(layer.properties)
        for prop in system.properties:
            if prop.kind is PropertyKind.NAMES and prop.name in properties:
                cells = [(name, system.cell_of_name(old, name)) for name in properties[prop.name]]
                properties[prop.name] = tuple(
                    name if cell is None else system.cell_name(finer.new, int(finer.middles[cell]))
                    for name, cell in cells
                )
        cell_width = read_cell_width(str(properties.get(SCALE, "")))
        if cell_width is not None:
            properties[SCALE] = cell_width.in_parts(factor).text()
        things = []
        for thing in layer.things.values():
            x, y = finer.to_new(np.array([[thing.x, thing.y]]))[0].tolist()
            things.append(replace(thing, x=x, y=y, key="", touched=False))
        layers.append(without_roll(layer, planes, properties, things))
    cell_locks = PlaneSpec("locked_cells", "?", Place.CELL, 0, 0)
    side_locks = PlaneSpec("locked_sides", "?", Place.SIDE, 0, 0)
    locked_sides: Plane = blank(side_locks.shape(finer.new), False, np.bool_)
    if not is_blank(battlemap.locked_sides):
        locked_sides = finer.plane(battlemap.locked_sides, side_locks)
    locked_cells = finer.plane(battlemap.locked_cells, cell_locks)
    shape = Shape(finer.new, tuple(layers), locked_cells, locked_sides)
    points = old.centres()
    return Transformed.of(battlemap, shape, points, finer.to_new(points), 0)


class _FinerGrid:
    """The positions of the cells and sides of a grid on the finer one."""

    def __init__(self, old: Grid, factor: int) -> None:
        self.old = old
        self._factor = factor
        new = replace(old, width=old.width * factor, height=old.height * factor, mask=None)
        self._old_middle, self._new_middle = (
            np.array(((left + right) / 2, (top + bottom) / 2))
            for left, top, right, bottom in (old.bounds, new.bounds)
        )
        centres = self._to_old(new.centres())
        cells = old.cells_at(centres + _NUDGE)
        for share in np.linspace(0.1, 0.9, 9) if old.mask is None else ():
            # At a jagged rim: the old cell nearest on the way to the middle.
            out = np.flatnonzero(cells < 0)
            cells[out] = old.cells_at(centres[out] + (self._old_middle - centres[out]) * share)
        inside = cells >= 0
        if inside.all():
            self.new = new
        else:
            self.new = replace(new, mask=inside.reshape(new.height, -1))
        self._cells = np.where(inside, cells, 0)
        """The old cell of each new one (size,)."""
        self.middles = self.new.cells_at(self.to_new(old.centres()) + _NUDGE)
        """The new cell at the centre of each old one (size,)."""

    def to_new(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where points of the old map lie on the new one, shape (n, 2)."""
        return np.asarray((points - self._old_middle) * self._factor + self._new_middle)

    def _to_old(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((points - self._new_middle) / self._factor + self._old_middle)

    def plane(self, plane: Plane, spec: PlaneSpec) -> Plane:
        """Return a plane of the new grid."""
        if is_blank(plane):
            return blank(spec.shape(self.new), plane.flat[0], plane.dtype)
        if spec.place is Place.SIDE:
            return self._sides(plane, spec)
        if spec.place is Place.CORNER:
            return self._corners(plane, spec)
        values: Plane = plane.reshape(-1)[self._cells]
        if spec.links:
            values = self._links(plane, values, spec)
        else:
            values = values
        return values.reshape(spec.shape(self.new))

    def _sides(self, plane: Plane, spec: PlaneSpec) -> Plane:
        """Between two old cells as there; within one none, if that sets any side."""
        old = self.old
        degree = self.old.degree
        values = plane.reshape(-1, degree)
        bare = np.where((values == spec.unset).all(axis=1), spec.unset, spec.default)
        beyond = np.append(self._cells, -1)[self.new.neighbour_table]
        new = np.repeat(bare[self._cells][:, None], degree, axis=1).astype(plane.dtype)
        for side in range(degree):
            across = old.neighbour_table[self._cells, side]
            at_rim = (across < 0) & (beyond[:, side] < 0)
            new[at_rim, side] = values[self._cells[at_rim], side]
            for number in range(degree):
                meet = (beyond[:, number] == across) & (across >= 0)
                meet &= beyond[:, number] != self._cells
                new[meet, number] = values[self._cells[meet], side]
        return new.reshape(spec.shape(self.new))

    def _corners(self, plane: Plane, spec: PlaneSpec) -> Plane:
        """Heights rise evenly between old corners; beside an unset one the nearest counts."""
        shape = self.old.height, self.old.width
        ys, xs = (np.arange(n * self._factor + 1) / self._factor for n in shape)
        y0 = np.minimum(ys.astype(int), shape[0] - 1)
        x0 = np.minimum(xs.astype(int), shape[1] - 1)
        fy = (ys - y0)[:, None]
        fx = xs - x0
        parts = [
            plane[np.ix_(y0 + dy, x0 + dx)].astype(np.float64) for dy in (0, 1) for dx in (0, 1)
        ]
        upper, lower = (parts[i] * (1 - fx) + parts[i + 1] * fx for i in (0, 2))
        even = np.rint(upper * (1 - fy) + lower * fy)
        nearest = plane[np.ix_(np.rint(ys).astype(int), np.rint(xs).astype(int))]
        unset = np.any([part == spec.unset for part in parts], axis=0)
        heights: Plane = np.where(unset, nearest, even).astype(plane.dtype)
        return heights

    def _links(self, plane: Plane, values: Plane, spec: PlaneSpec) -> Plane:
        """Links along the lines from centre to centre; no link elsewhere where a cell is set."""
        old_values = plane.reshape(-1)
        runs = (old_values & SIDES > 0) & (old_values != spec.unset)
        new = np.where(values == spec.unset, spec.unset, 0).astype(np.int64)
        for cell in np.flatnonzero(runs).tolist():
            mark = int(old_values[cell]) & MARKS
            for side in range(self.old.degree):
                neighbour = int(self.old.neighbour_table[cell, side])
                back = self.old.opposite(side)
                drawn = 0 <= neighbour < cell and old_values[neighbour] != spec.unset
                if old_values[cell] >> side & 1 and not (
                    drawn and old_values[neighbour] >> back & 1
                ):
                    ends = self._line(cell, side)[:: 2 if spec.one_way else 1]
                    for finer_cell, link in ends:
                        held = int(new[finer_cell])
                        new[finer_cell] = (0 if held == spec.unset else held) | mark | 1 << link
        return new.astype(plane.dtype)

    def _line(self, cell: int, side: int) -> list[tuple[int, int]]:
        """Return the ends (cell, side) of links on the way from a centre to that across a side."""
        new = self.new
        start = int(self.middles[cell])
        neighbour = int(self.old.neighbour_table[cell, side])
        if neighbour >= 0:
            cells = path(new, start, int(self.middles[neighbour])).tolist()
            return [
                end
                for finer_cell, target in pairwise(cells)
                for end in self._steps(finer_cell, target)
            ]
        links: list[tuple[int, int]] = []
        finer_cell = start
        while new.neighbour(finer_cell, side) >= 0:
            target = new.neighbour(finer_cell, side)
            links += self._steps(finer_cell, target)
            finer_cell = target
        return [*links, (finer_cell, side)]

    def _steps(self, first: int, end: int) -> list[tuple[int, int]]:
        """Return both ends of a link between neighbours, or of two by way of another cell."""
        new = self.new
        for side in range(new.degree):
            if new.neighbour(first, side) == end:
                return [(first, side), (end, new.opposite(side))]
        for between in new.neighbours(first):  # squares that meet at a corner
            if end in new.neighbours(between):
                return self._steps(first, between) + self._steps(between, end)
        return []
