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
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import Place, Plane, PlaneSpec, blank
from randomizer.model.problems import Problem
from randomizer.model.records.map_records import MapRecord
from randomizer.model.system.system import System

NO_VALUES: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class Batch:
    """Maps ``numbers`` (n,) of ``seed``, composed with what lies below, one a row.

    ``cells`` (m,) are the flat cells of the base's grid that the columns stand for. ``terrain`` and
    ``elevation`` have shape (n, m), 0 everywhere if the system has no such plane; ``hexside`` has
    (n, m, degree), or is None where the system has none or it was not requested. ``others`` are all
    further shown planes by name, shape (n, *shape of the plane). ``start`` (n,
    m) is how often each cell occurs in the start list, None where no map has one. ``failed`` (n,)
    marks maps that the generator could not make; their rows are undefined. ``measured`` holds the
    values (n,) of ``BatchGenerator.measure_map`` by name; nan where it gave none.
    ``records`` are those that the one map of a batch brought; those of several maps are not kept.
    ``problems`` say why the one map of a batch was not made.
    """

    base: Base
    seed: int
    numbers: NDArray[np.uint64]
    cells: NDArray[np.intp]
    terrain: Plane
    elevation: Plane
    hexside: Plane | None
    failed: NDArray[np.bool_]
    start: NDArray[np.uint16] | None = None
    others: Mapping[str, Plane] = field(default_factory=dict)
    measured: Mapping[str, NDArray[np.float64]] = field(default_factory=lambda: NO_VALUES)
    records: Mapping[str, MapRecord] = field(default_factory=lambda: NO_RECORDS)
    problems: tuple[Problem, ...] = ()

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
        """These maps with what lies above the roll in ``base``: as the map will be.

        The base is the one onto which they were rolled, or one that differs only in that
        (``Base.same_as``). Maps that brought a grid of their own stay as they are: they do not come
        below anything. ``keeps_locks`` asks what was rolled, and therefore comes first.
        """
        above = base.above
        if above is None or not base.grid.same_as(self.base.grid):
            return self
        columns: dict[str, Plane] = {}
        for spec, values in self._columns():
            plane_above = above.planes.get(spec.name, spec.blank(base.grid))
            plane_above = plane_above.reshape(base.grid.size, *values.shape[2:])[self.cells]
            if spec.name in above.planes:
                columns[spec.name] = np.where(
                    plane_above == spec.unset, values, plane_above
                ).astype(values.dtype)
        other_planes = dict(self.others)
        for name in other_planes.keys() & above.planes.keys():
            plane_above = above.planes[name]
            unset = base.system.plane(name).unset
            other_planes[name] = np.where(
                plane_above == unset, other_planes[name], plane_above
            ).astype(other_planes[name].dtype)
        start = self.start
        listed = base.system.cell_list
        if listed is not None and listed.name in above.properties:
            names = base.system.listed_cells(above.properties)
            counts = start_counts(base, names)[self.cells]
            if names:
                start = np.repeat(counts[None], len(self), axis=0)
            else:
                start = None

        def shown(spec: PlaneSpec | None, values: Plane) -> Plane:
            if spec is None:
                return values
            return columns.get(spec.name, values)

        system = base.system
        return replace(
            self,
            terrain=shown(system.terrain, self.terrain),
            elevation=shown(system.elevation, self.elevation),
            hexside=None if self.hexside is None else shown(system.hexside, self.hexside),
            others=other_planes,
            start=start,
        )

    def keeps_locks(self) -> NDArray[np.bool_]:
        """Return shape (n,): which maps did not fail and have every locked value of the base."""
        base = self.base
        composite = self.base.shown
        keeps = ~self.failed
        hexside = base.system.hexside
        for spec, values in self._columns():
            if spec is not hexside:
                columns = np.flatnonzero(base.locked_mask(spec).ravel()[self.cells])
                locked_values = composite.planes[spec.name].reshape(-1)[self.cells[columns]]
                keeps &= (values[:, columns] == locked_values).all(axis=1)
        if hexside is not None and base.locked_mask(hexside).any():
            assert self.hexside is not None, "locked hexsides need a batch with hexsides"
            degree = base.grid.degree
            wanted_sides = composite.planes[hexside.name]
            sides = base.locked_mask(hexside).reshape(-1, degree)[self.cells]
            for column, side in zip(*np.nonzero(sides), strict=True):
                value = wanted_sides.flat[self.cells[column] * degree + side]
                keeps &= self.hexside[:, column, side] == value
        for name, planes in self.others.items():
            spec = base.system.plane(name)
            if spec.place is Place.CORNER:
                locked = base.locked_mask(spec)
                keeps &= (planes[:, locked] == composite.planes[name][locked]).all(axis=1)
        return keeps


@dataclass(frozen=True, eq=False)
class Measure:
    """A number computed from a map: ``of`` gives it for every row of a batch, float64 (n,).

    ``name`` is its word in filters ("fairness"), ``title`` the heading of a column. With ``sides``
    the batch must have hexsides. Measures with ``yes_no`` are 1 or 0. ``favours`` names whom values
    above 0 and whom values below 0 help; None: it is no such measure. ``cost`` says what a measure
    costs that takes about a second a map, "" for others; few such maps are searched at once, after
    all other conditions. ``decide`` gives the same as ``comparison(of(batch), number)``, nearly
    always, in less time; None: nothing does.
    """

    name: str
    title: str
    help: str
    of: Callable[[Batch], NDArray[np.float64]]
    sides: bool = False
    unit: str = ""
    yes_no: bool = False
    favours: tuple[str, str] | None = None
    cost: str = ""
    decide: Callable[[Batch, np.ufunc, float], NDArray[np.bool_]] | None = None


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
