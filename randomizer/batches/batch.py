"""Batches: many maps of one generator as arrays with a row for each map, and measures on them.

Generators make them (``BatchGenerator``); filters, searches, odds and measures read them. That is
how a million maps can be looked through: no map of them becomes an object of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.batches.favour import Favoured
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Element, Plane, PlaneSpec, blank
from randomizer.model.problems import Problem
from randomizer.model.records.map_records import MapRecord
from randomizer.model.system.system import System
from randomizer.model.things.things import Thing
from randomizer.roll_base import NO_RECORDS, Base

NO_VALUES: Mapping[str, Any] = MappingProxyType({})
"""No settings, or no measured values."""


@dataclass(frozen=True, eq=False)
class Batch:
    """n maps of one seed, one a row.

    Each is a roll composed with the layers below it; ``as_seen`` adds those above it. Planes of
    cells have a column for each of m cells: not all of the grid, if the generator rolls only some.
    Example::

        batch = generator.roll_batch(settings, seed, np.arange(1000, dtype=np.uint64), base)
        batch.terrain.shape                                    # (1000, m)
        shares_of_lake = (batch.terrain == lake).mean(axis=1)  # (1000,): one share for each map
    """

    base: Base
    """The map onto which they were rolled."""

    seed: int
    """The seed of all of them."""

    numbers: NDArray[np.uint64]
    """The number of each map in its seed, (n,)."""

    cells: NDArray[np.intp]
    """The flat cells of the base's grid that the columns stand for, (m,)."""

    terrain: Plane
    """The terrain of each cell, (n, m); 0 everywhere if the system has no such plane."""

    elevation: Plane
    """The elevation of each cell, (n, m); 0 everywhere if the system has no such plane."""

    hexside: Plane | None
    """The hexside at each side of each cell, (n, m, degree).

    None where the system has none or they were not requested.
    """

    failed: NDArray[np.bool_]
    """The maps that the generator could not make, as a mask (n,); their rows are undefined."""

    start: NDArray[np.uint16] | None = None
    """The number of times that each cell is in the start list, (n, m); None if no map has one."""

    others: Mapping[str, Plane] = field(default_factory=dict)
    """All further shown planes, such as roads, by name: (n, *shape of the plane)."""

    measured: Mapping[str, NDArray[np.float64]] = field(default_factory=lambda: NO_VALUES)
    """The values of ``BatchGenerator.measure_map`` by name, (n,); nan where it gave none."""

    records: Mapping[str, MapRecord] = field(default_factory=lambda: NO_RECORDS)
    """The records that the one map of a batch brought; those of several maps are not kept."""

    landmarks: tuple[Thing, ...] = ()
    """The largest things of the one map of a batch, for its thumbnail: civil centres, mines."""

    problems: tuple[Problem, ...] = ()
    """Why the one map of a batch was not made."""

    def __len__(self) -> int:
        """Return the number of maps, failed ones included."""
        return len(self.numbers)

    @property
    def nbytes(self) -> int:
        """The size of the maps in bytes, without the base."""
        arrays = [self.terrain, self.elevation, self.hexside, self.start, *self.others.values()]
        return sum(array.nbytes for array in arrays if array is not None)

    def planes(self, row: int) -> dict[str, Plane]:
        """Return the shown planes of one map, in the shapes of its grid."""
        # Cells that have no column show what the base shows.
        composite_planes = self.base.composite.planes
        planes = {name: np.array(plane) for name, plane in composite_planes.items()}
        for spec, values in self._columns():
            flat_view = planes[spec.name].reshape(self.base.grid.size, *values.shape[2:])
            flat_view[self.cells] = values[row]
        for name, plane in self.others.items():
            planes[name] = plane[row]
        return planes

    def _columns(self) -> list[tuple[PlaneSpec, Plane]]:
        """Return the planes of the system that have a column for each cell, and their values."""
        system = self.base.system
        columns = []
        if system.terrain is not None:
            columns.append((system.terrain, self.terrain))
        if system.elevation is not None:
            columns.append((system.elevation, self.elevation))
        if system.hexside is not None and self.hexside is not None:
            columns.append((system.hexside, self.hexside))
        return columns

    def rows(self, rows: NDArray[np.intp] | slice) -> Batch:
        """Return the batch of the given rows only."""
        return replace(
            self,
            numbers=self.numbers[rows],
            terrain=self.terrain[rows],
            elevation=self.elevation[rows],
            hexside=_rows_if_any(self.hexside, rows),
            failed=self.failed[rows],
            start=_rows_if_any(self.start, rows),
            others={name: plane[rows] for name, plane in self.others.items()},
            measured={name: values[rows] for name, values in self.measured.items()},
        )

    def as_seen(self, base: Base) -> Batch:
        """Return these maps with what lies above the roll in ``base``: as the map will be.

        The base is the one onto which they were rolled, or one that differs only in that
        (``Base.same_as``). Maps that brought a grid of their own stay as they are: they do not come
        below anything. ``keeps_locks`` looks at what was rolled, and is called before this.
        """
        above = base.above
        if above is None or not base.grid.same_as(self.base.grid):
            return self
        system = base.system
        hexside = self.hexside
        if hexside is not None:
            hexside = self._with_layer_above(system.hexside, hexside, above)
        other_planes = dict(self.others)
        for name in other_planes.keys() & above.planes.keys():
            spec = system.plane(name)
            other_planes[name] = _with_values_above(
                other_planes[name], above.planes[name], spec.unset
            )
        return replace(
            self,
            terrain=self._with_layer_above(system.terrain, self.terrain, above),
            elevation=self._with_layer_above(system.elevation, self.elevation, above),
            hexside=hexside,
            others=other_planes,
            start=self._start_as_seen(base, above),
        )

    def _with_layer_above(self, spec: PlaneSpec | None, values: Plane, above: Layer) -> Plane:
        """Return the values of a plane of cells or sides; where the layer above sets one, that."""
        if spec is None or spec.name not in above.planes:
            return values
        plane_above = above.planes[spec.name].reshape(self.base.grid.size, *values.shape[2:])
        return _with_values_above(values, plane_above[self.cells], spec.unset)

    def _start_as_seen(self, base: Base, above: Layer) -> NDArray[np.uint16] | None:
        """Return how often each cell occurs in the start list that is seen, as ``start``.

        A list above replaces those of all maps; an empty one says that there is none.
        """
        cell_list = base.system.cell_list
        if cell_list is None or cell_list.name not in above.properties:
            return self.start
        names = base.system.listed_cells(above.properties)
        if not names:
            return None
        counts = start_counts(base, names)[self.cells]
        return np.repeat(counts[None], len(self), axis=0)

    def keeps_locks(self) -> NDArray[np.bool_]:
        """Return shape (n,): which maps did not fail and have every locked value of the base."""
        # The values that are seen are those that are locked: ``base.shown``, which the methods
        # below compare with, and not ``base.composite``.
        keeps = ~self.failed
        hexside = self.base.system.hexside
        for spec, values in self._columns():
            if spec is not hexside:
                keeps &= self._keeps_locked_cells(spec, values)
        if hexside is not None and self.base.locked_mask(hexside).any():
            keeps &= self._keeps_locked_hexsides(hexside)
        for name, values in self.others.items():
            spec = self.base.system.plane(name)
            if spec.element is Element.CORNER:
                keeps &= self._keeps_locked_corners(spec, values)
        return keeps

    def _keeps_locked_cells(self, spec: PlaneSpec, values: Plane) -> NDArray[np.bool_]:
        """Return shape (n,): which maps have every locked value of a plane of cells (n, m)."""
        columns = np.flatnonzero(self.base.locked_mask(spec).ravel()[self.cells])
        locked_values = self.base.shown.planes[spec.name].reshape(-1)[self.cells[columns]]
        return np.asarray((values[:, columns] == locked_values).all(axis=1))

    def _keeps_locked_hexsides(self, spec: PlaneSpec) -> NDArray[np.bool_]:
        """Return shape (n,): which maps have every locked hexside."""
        assert self.hexside is not None, "locked hexsides need a batch with hexsides"
        degree = self.base.grid.degree
        is_locked = self.base.locked_mask(spec).reshape(-1, degree)[self.cells]
        shown_hexsides = self.base.shown.planes[spec.name].reshape(-1, degree)[self.cells]
        keeps = np.ones(len(self), np.bool_)
        for column, side in zip(*np.nonzero(is_locked), strict=True):
            keeps &= self.hexside[:, column, side] == shown_hexsides[column, side]
        return keeps

    def _keeps_locked_corners(self, spec: PlaneSpec, values: Plane) -> NDArray[np.bool_]:
        """Return shape (n,): which maps have every locked value of a plane of corners."""
        is_locked = self.base.locked_mask(spec)
        locked_values = self.base.shown.planes[spec.name][is_locked]
        return np.asarray((values[:, is_locked] == locked_values).all(axis=1))


def _rows_if_any(values: Plane | None, rows: NDArray[np.intp] | slice) -> Plane | None:
    """Return some rows of a plane; None if the batch lacks it."""
    if values is None:
        return None
    return values[rows]


def _with_values_above(values: Plane, values_above: Plane, unset: int) -> Plane:
    """Return the values of many maps (n, ...); where ``values_above`` (...) has one set, that."""
    return np.where(values_above == unset, values, values_above).astype(values.dtype)


@dataclass(frozen=True, eq=False)
class Measure:
    """A number computed from a map."""

    name: str
    """Its word in filters: "fairness"."""

    title: str
    """The heading of a column."""

    help: str
    """The meaning of its values for the user, in a sentence or two."""

    of: Callable[[Batch], NDArray[np.float64]]
    """Computes it for every map of a batch, (n,)."""

    needs_hexsides: bool = False
    """True if the batch must have hexsides."""

    unit: str = ""
    """The sign behind its values, such as "%"; "" for a number without one."""

    yes_no: bool = False
    """True if it is 1 or 0, and shown as a word."""

    group: str = ""
    """The heading under which it stands in a list: "Terrains"; "" for those that stand first."""

    least_first: bool = False
    """True if maps with less of it are looked for: where they are sorted, these come first."""

    favours: Favoured | None = None
    """The two sides that its values can help; None for a measure without sides."""

    cost: str = ""
    """The time that it takes, in words, if that is about a second a map; "" for others.

    A search evaluates it after all other conditions, and for a few maps at once.
    """

    decide: Callable[[Batch, np.ufunc, float], NDArray[np.bool_]] | None = None
    """Compares it with a number in less time than ``of`` takes; None if nothing does.

    ``decide(batch, np.greater, 45)`` nearly always returns what ``of(batch) > 45`` is, (n,).
    """


def measure_of_map(
    name: str, title: str, help_: str, unit: str = "", *, least_first: bool = False
) -> Measure:
    """Return a measure with the values of ``BatchGenerator.measure_map``; nan for other maps."""
    values = partial(_measured_values, name=name)
    return Measure(name, title, help_, values, unit=unit, least_first=least_first)


def _measured_values(batch: Batch, name: str) -> NDArray[np.float64]:
    """Return the values that the generator measured under a name, (n,)."""
    values = batch.measured.get(name)
    if values is None:
        return np.full(len(batch), np.nan)
    return values


def batch_of(system: System, grid: Grid, composite: Composite) -> Batch:
    """Return a batch of one existing map, so that it can be measured like rolled maps.

    ``composite`` is the map as it is seen. The batch has all cells of the grid and no locks.
    """
    no_locked_cells = np.zeros((grid.height, grid.width), np.bool_)
    no_locked_sides = np.zeros((grid.height, grid.width, grid.degree), np.bool_)
    base = Base(system, grid, composite, composite, no_locked_cells, no_locked_sides)

    # One map more in front of the shapes, and one column a cell.
    terrain = blank((1, grid.size), 0, np.int16)
    if system.terrain is not None:
        terrain = composite.planes[system.terrain.name].reshape(1, -1)
    elevation = blank((1, grid.size), 0, np.int16)
    if system.elevation is not None:
        elevation = composite.planes[system.elevation.name].reshape(1, -1)
    hexside = None
    if system.hexside is not None:
        hexside = composite.planes[system.hexside.name].reshape(1, -1, grid.degree)
    planes_with_columns = (system.terrain, system.elevation, system.hexside)
    other_planes = {}
    for name, plane in composite.planes.items():
        if system.plane(name) not in planes_with_columns:
            other_planes[name] = plane[None]

    start = None
    start_list = system.listed_cells(composite.properties)
    if start_list:
        start = start_counts(base, start_list)[None]
    return Batch(
        base,
        seed=0,
        numbers=np.zeros(1, np.uint64),
        cells=np.arange(grid.size),
        terrain=terrain,
        elevation=elevation,
        hexside=hexside,
        failed=np.zeros(1, np.bool_),
        start=start,
        others=other_planes,
    )


def start_counts(base: Base, labels: Iterable[str]) -> NDArray[np.uint16]:
    """Return how often each cell of the grid occurs in a list of labels, shape (cells,).

    Labels that no cell has are left out.
    """
    counts = np.zeros(base.grid.size, np.uint16)
    for label in labels:
        cell = base.system.cell_of_name(base.grid, label)
        if cell is not None:
            counts[cell] += 1
    return counts
