"""Batches: many maps of one generator as arrays with a row for each map, and measures on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import NO_RECORDS, Base
from randomizer.model.grid.grid import Grid
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Place, Plane, PlaneSpec, blank
from randomizer.model.problems import Problem
from randomizer.model.records.map_records import MapRecord
from randomizer.model.system.system import System

NO_VALUES: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Batch:
    """n maps of one seed, composed with what lies below, one a row.

    The planes of cells have a column for each of m cells. Example::

        batch = generator.roll_batch(settings, seed, np.arange(1000, dtype=np.uint64), base)
        shares_of_lake = (batch.terrain == lake).mean(axis=1)
    """

    base: Base

    seed: int

    numbers: NDArray[np.uint64]
    """The number of each map in its seed, (n,)."""

    cells: NDArray[np.intp]
    """The flat cells of the base's grid that the columns stand for, (m,)."""

    terrain: Plane
    """(n, m); 0 everywhere if the system has no such plane."""

    elevation: Plane
    """(n, m); 0 everywhere if the system has no such plane."""

    hexside: Plane | None
    """(n, m, degree); None where the system has none or it was not requested."""

    failed: NDArray[np.bool_]
    """Which maps the generator could not make, (n,); their rows are undefined."""

    start: NDArray[np.uint16] | None = None
    """How often each cell occurs in the start list, (n, m); None where no map has one."""

    others: Mapping[str, Plane] = field(default_factory=dict)
    """All further shown planes by name, (n, *shape of the plane)."""

    measured: Mapping[str, NDArray[np.float64]] = field(default_factory=lambda: NO_VALUES)
    """The values of ``BatchGenerator.measure_map`` by name, (n,); nan where it gave none."""

    records: Mapping[str, MapRecord] = field(default_factory=lambda: NO_RECORDS)
    """The records that the one map of a batch brought; those of several maps are not kept."""

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
        composite_planes = self.base.composite.planes
        planes = {name: np.array(plane) for name, plane in composite_planes.items()}
        for spec, values in self._columns():
            flat = planes[spec.name].reshape(self.base.grid.size, *values.shape[2:])
            flat[self.cells] = values[row]
        return planes | {name: plane[row] for name, plane in self.others.items()}

    def _columns(self) -> list[tuple[PlaneSpec, Plane]]:
        """Return the planes of the system that have a column for each cell, and their values."""
        system = self.base.system
        result = [(system.terrain, self.terrain), (system.elevation, self.elevation)]
        if self.hexside is not None:
            result.append((system.hexside, self.hexside))
        return [(spec, values) for spec, values in result if spec is not None]

    def rows(self, rows: NDArray[np.intp] | slice) -> Batch:
        """Return the batch of the given rows only."""
        return replace(
            self,
            numbers=self.numbers[rows],
            terrain=self.terrain[rows],
            elevation=self.elevation[rows],
            hexside=None if self.hexside is None else self.hexside[rows],
            failed=self.failed[rows],
            start=None if self.start is None else self.start[rows],
            others={name: plane[rows] for name, plane in self.others.items()},
            measured={name: values[rows] for name, values in self.measured.items()},
        )

    def as_seen(self, base: Base) -> Batch:
        """Return these maps with what lies above the roll in ``base``: as the map will be.

        The base is the one onto which they were rolled, or one that differs only in that
        (``Base.same_as``). Maps that brought a grid of their own stay as they are: they do not come
        below anything. ``keeps_locks`` asks what was rolled, and therefore comes first.
        """
        above = base.above
        if above is None or not base.grid.same_as(self.base.grid):
            return self
        system = base.system
        hexside = self.hexside
        if hexside is not None:
            hexside = self._covered(system.hexside, hexside, above)
        other_planes = dict(self.others)
        for name in other_planes.keys() & above.planes.keys():
            spec = system.plane(name)
            other_planes[name] = _laid_on(other_planes[name], above.planes[name], spec.unset)
        return replace(
            self,
            terrain=self._covered(system.terrain, self.terrain, above),
            elevation=self._covered(system.elevation, self.elevation, above),
            hexside=hexside,
            others=other_planes,
            start=self._start_as_seen(base, above),
        )

    def _covered(self, spec: PlaneSpec | None, values: Plane, above: Layer) -> Plane:
        """Return the values of a plane of cells or sides with those of a layer above laid on."""
        if spec is None or spec.name not in above.planes:
            return values
        plane_above = above.planes[spec.name].reshape(self.base.grid.size, *values.shape[2:])
        return _laid_on(values, plane_above[self.cells], spec.unset)

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
        base = self.base
        locked_planes = base.shown.planes  # the values that are seen are those that are locked
        keeps = ~self.failed
        hexside = base.system.hexside
        for spec, values in self._columns():
            if spec is not hexside:
                columns = np.flatnonzero(base.locked_mask(spec).ravel()[self.cells])
                locked_values = locked_planes[spec.name].reshape(-1)[self.cells[columns]]
                keeps &= (values[:, columns] == locked_values).all(axis=1)
        if hexside is not None and base.locked_mask(hexside).any():
            assert self.hexside is not None, "locked hexsides need a batch with hexsides"
            degree = base.grid.degree
            is_locked = base.locked_mask(hexside).reshape(-1, degree)[self.cells]
            for column, side in zip(*np.nonzero(is_locked), strict=True):
                locked_value = locked_planes[hexside.name].flat[self.cells[column] * degree + side]
                keeps &= self.hexside[:, column, side] == locked_value
        for name, planes in self.others.items():
            spec = base.system.plane(name)
            if spec.place is Place.CORNER:
                is_locked = base.locked_mask(spec)
                keeps &= (planes[:, is_locked] == locked_planes[name][is_locked]).all(axis=1)
        return keeps


def _laid_on(values: Plane, values_above: Plane, unset: int) -> Plane:
    """Return the values of many maps (n, ...) with those above (...) that are set; same dtype."""
    return np.where(values_above == unset, values, values_above).astype(values.dtype)


@dataclass(frozen=True, eq=False)
class Measure:
    """A number computed from a map."""

    name: str
    """Its word in filters: "fairness"."""

    title: str
    """The heading of a column."""

    help: str

    of: Callable[[Batch], NDArray[np.float64]]
    """Gives it for every map of a batch, (n,)."""

    sides: bool = False
    """Whether the batch must have hexsides."""

    unit: str = ""

    yes_no: bool = False
    """Whether it is 1 or 0, and shown as a word."""

    favours: tuple[str, str] | None = None
    """Whom values above 0, and whom values below 0 help; None: it is no such measure."""

    cost: str = ""
    """What it costs, in words, if it takes about a second a map; "" for others.

    Few such maps are searched at once, after all other conditions.
    """

    decide: Callable[[Batch, np.ufunc, float], NDArray[np.bool_]] | None = None
    """Gives the same as ``comparison(of(batch), number)``, nearly always, in less time.

    None: nothing does.
    """


def measure_of_map(name: str, title: str, help_: str, unit: str = "") -> Measure:
    """Return a measure with the values of ``BatchGenerator.measure_map``; nan for other maps."""

    def of(batch: Batch) -> NDArray[np.float64]:
        values = batch.measured.get(name)
        if values is None:
            return np.full(len(batch), np.nan)
        return values

    return Measure(name, title, help_, of, unit=unit)


def batch_of(system: System, grid: Grid, composite: Composite) -> Batch:
    """Return a batch of one existing map, so that it can be measured like rolled maps."""
    locks = np.zeros((grid.height, grid.width), np.bool_)
    sides = np.zeros((grid.height, grid.width, grid.degree), np.bool_)
    base = Base(system, grid, composite, composite, locks, sides)

    def columns(spec: PlaneSpec | None, *shape: int) -> Plane | None:
        if spec is None:
            return None
        return composite.planes[spec.name].reshape(1, -1, *shape)

    terrain = columns(system.terrain)
    elevation = columns(system.elevation)
    none = blank((1, grid.size), 0, np.int16)
    listed = system.listed_cells(composite.properties)
    columned = (system.terrain, system.elevation, system.hexside)
    return Batch(
        base,
        seed=0,
        numbers=np.zeros(1, np.uint64),
        cells=np.arange(grid.size),
        terrain=none if terrain is None else terrain,
        elevation=none if elevation is None else elevation,
        hexside=columns(system.hexside, grid.degree),
        failed=np.zeros(1, np.bool_),
        start=start_counts(base, listed)[None] if listed else None,
        others={
            name: plane[None]
            for name, plane in composite.planes.items()
            if system.plane(name) not in columned
        },
    )


def start_counts(base: Base, labels: Iterable[str]) -> NDArray[np.uint16]:
    """Return shape (cells of the grid,): how often each cell occurs in ``labels``; unknown ones
    count nowhere.
    """
    counts = np.zeros(base.grid.size, np.uint16)
    for label in labels:
        cell = base.system.cell_of_name(base.grid, label)
        if cell is not None:
            counts[cell] += 1
    return counts
