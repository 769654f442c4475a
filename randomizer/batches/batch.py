"""Batches: many maps of one generator as arrays with a row for each map, and measures on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import NO_RECORDS, Base, DrawKey, Generated, MapGenerator, run
from randomizer.model.battlemap import BattleMap
from randomizer.model.composite import Composite
from randomizer.model.compositing import compose
from randomizer.model.grid import Grid
from randomizer.model.map_records import MapRecord
from randomizer.model.planes import Place, Plane, PlaneSpec, blank
from randomizer.model.problems import Problem, ProblemError
from randomizer.model.system import System
from randomizer.model.terrain_codes import translated_layer, with_missing
from randomizer.model.things import Things

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
    values (n,) that a generator which ``MeasuresMaps`` gave them, by name; nan where it gave none.
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
        """The number of maps, failed ones included."""
        return len(self.numbers)

    @property
    def nbytes(self) -> int:
        """The size of the maps in bytes, without the base."""
        arrays = [self.terrain, self.elevation, self.hexside, self.start, *self.others.values()]
        return sum(each.nbytes for each in arrays if each is not None)

    def planes(self, row: int) -> dict[str, Plane]:
        """The shown planes of one map, in the shapes of its grid."""
        shown = self.base.composite.planes
        planes = {name: np.array(plane) for name, plane in shown.items()}
        for spec, values in self._columns():
            flat = planes[spec.name].reshape(self.base.grid.size, *values.shape[2:])
            flat[self.cells] = values[row]
        return planes | {name: plane[row] for name, plane in self.others.items()}

    def _columns(self) -> list[tuple[PlaneSpec, Plane]]:
        """The planes of the system that have a column for each cell, and their values."""
        system = self.base.system
        found = [(system.terrain, self.terrain), (system.elevation, self.elevation)]
        if self.hexside is not None:
            found.append((system.hexside, self.hexside))
        return [(spec, values) for spec, values in found if spec is not None]

    def rows(self, rows: NDArray[np.intp] | slice) -> Batch:
        """The batch of the given rows only."""
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
            own = above.planes.get(spec.name, spec.blank(base.grid))
            own = own.reshape(base.grid.size, *values.shape[2:])[self.cells]
            if spec.name in above.planes:
                columns[spec.name] = np.where(own == spec.unset, values, own).astype(values.dtype)
        others = dict(self.others)
        for name in others.keys() & above.planes.keys():
            own, unset = above.planes[name], base.system.plane(name).unset
            others[name] = np.where(own == unset, others[name], own).astype(others[name].dtype)
        start, listed = self.start, base.system.cell_list
        if listed is not None and listed.name in above.properties:
            names = base.system.listed_cells(above.properties)
            counts = start_counts(base, names)[self.cells]
            start = np.repeat(counts[None], len(self), axis=0) if names else None

        def shown(spec: PlaneSpec | None, values: Plane) -> Plane:
            return values if spec is None else columns.get(spec.name, values)

        system = base.system
        return replace(
            self,
            terrain=shown(system.terrain, self.terrain),
            elevation=shown(system.elevation, self.elevation),
            hexside=None if self.hexside is None else shown(system.hexside, self.hexside),
            others=others,
            start=start,
        )

    def keeps_locks(self) -> NDArray[np.bool_]:
        """Shape (n,): which maps did not fail and have every locked value of the base."""
        base, shown = self.base, self.base.shown
        keeps = ~self.failed
        hexside = base.system.hexside
        for spec, values in self._columns():
            if spec is not hexside:
                columns = np.flatnonzero(base.kept(spec).ravel()[self.cells])
                wanted = shown.planes[spec.name].reshape(-1)[self.cells[columns]]
                keeps &= (values[:, columns] == wanted).all(axis=1)
        if hexside is not None and base.kept(hexside).any():
            assert self.hexside is not None, "locked hexsides need a batch with hexsides"
            degree, wanted_sides = base.grid.degree, shown.planes[hexside.name]
            sides = base.kept(hexside).reshape(-1, degree)[self.cells]
            for column, side in zip(*np.nonzero(sides), strict=True):
                value = wanted_sides.flat[self.cells[column] * degree + side]
                keeps &= self.hexside[:, column, side] == value
        for name, planes in self.others.items():
            spec = base.system.plane(name)
            if spec.place is Place.CORNER:
                kept = base.kept(spec)
                keeps &= (planes[:, kept] == shown.planes[name][kept]).all(axis=1)
        return keeps


@dataclass(frozen=True, eq=False)
class Measure:
    """A number computed from a map: ``of`` gives it for every row of a batch, float64 (n,).

    ``name`` is its word in filters ("fairness"), ``title`` the heading of a column. With ``sides``
    the batch must have hexsides. Measures with ``yes_no`` are 1 or 0.
    """

    name: str
    title: str
    help: str
    of: Callable[[Batch], NDArray[np.float64]]
    sides: bool = False
    unit: str = ""
    yes_no: bool = False


@runtime_checkable
class RollsMany(Protocol):
    """A generator that makes many maps at once, each equal to the one made by ``generate``."""

    def roll_batch(
        self,
        settings: Mapping[str, object],
        seed: int,
        numbers: NDArray[np.uint64],
        base: Base,
        *,
        hexsides: bool = True,
    ) -> Batch:
        """Maps ``numbers`` of ``seed``; locks are ignored. Raises ProblemError as ``generate``
        does.
        """


@runtime_checkable
class RollsProperties(Protocol):
    """A generator that tells the properties of the maps of its batches."""

    def batch_properties(
        self, settings: Mapping[str, object], batch: Batch
    ) -> Sequence[Mapping[str, Any]]:
        """The properties that each map of a batch shows; a single mapping if they all agree.

        No map may have failed.
        """


@runtime_checkable
class WritesBatches(Protocol):
    """A format that writes all maps of a batch at once."""

    def write_batch(self, batch: Batch, properties: Sequence[Mapping[str, Any]]) -> bytes:
        """The maps one behind the other, each as ``Format.write`` gives it with its provenance.

        ``properties`` are as ``RollsProperties`` gives them. No map may have failed.
        """


@runtime_checkable
class HasMeasures(Protocol):
    """A generator with measures of its own, besides counts of terrains and hexsides."""

    def measures(self, settings: Mapping[str, object] = NO_VALUES) -> tuple[Measure, ...]:
        """The measures of maps with these settings, in the order in which they are offered."""


@runtime_checkable
class MeasuresMaps(HasMeasures, Protocol):
    """A generator whose maps are measured when they are rolled: by things and records too.

    Its measures are made by ``measure_of_map``.
    """

    def measure_map(self, made: Generated, base: Base) -> Mapping[str, float]:
        """The values of a map by the names of the measures; those without a value are absent."""


def measure_of_map(name: str, title: str, help_: str, unit: str = "") -> Measure:
    """A measure whose values come from ``MeasuresMaps.measure_map``; nan for other maps."""

    def of(batch: Batch) -> NDArray[np.float64]:
        values = batch.measured.get(name)
        return np.full(len(batch), np.nan) if values is None else values

    return Measure(name, title, help_, of, unit=unit)


def measured_values(generator: MapGenerator, made: Generated, base: Base) -> Mapping[str, float]:
    """What a generator measures of a map that it has just made; nothing for most generators.

    The things above the roll count among those of its first layer; one of the roll with the key of
    one above does not come (``place_things``).
    """
    if not isinstance(generator, MeasuresMaps):
        return NO_VALUES
    if base.above is not None and base.above.things:
        above, first = base.above.things.values(), made.layers[0]
        keys = {thing.key for thing in above} - {""}
        things = (*(each for each in first.things.values() if each.key not in keys), *above)
        numbered = Things(replace(thing, id=id_) for id_, thing in enumerate(things, 1))
        made = replace(made, layers=(replace(first, things=numbered), *made.layers[1:]))
    return generator.measure_map(made, base)


def roll_batch(
    generator: MapGenerator,
    settings: Mapping[str, object],
    seed: int,
    numbers: NDArray[np.uint64],
    base: Base,
    *,
    hexsides: bool = True,
) -> Batch:
    """Maps ``numbers`` of ``seed``; locks are ignored if the generator ``RollsMany``.

    Any other generator rolls each map by itself and keeps locks in its own way; a map in which it
    could not is marked failed. Raises ProblemError if no map can be made (a script with errors).
    """
    if isinstance(generator, RollsMany):
        return generator.roll_batch(settings, seed, numbers, base, hexsides=hexsides)
    return _one_by_one(generator, settings, seed, numbers, base)


def _one_by_one(
    generator: MapGenerator,
    settings: Mapping[str, object],
    seed: int,
    numbers: NDArray[np.uint64],
    base: Base,
) -> Batch:
    """Roll each map by itself. Raises ProblemError if all fail."""
    maps: list[Composite] = []
    values: list[Mapping[str, float]] = []
    failed = np.zeros(len(numbers), np.bool_)
    failure: ProblemError | None = None
    for row, number in enumerate(numbers.tolist()):
        values.append(NO_VALUES)
        try:
            made = run(generator, settings, DrawKey(seed, number), base)
        except ProblemError as reason:
            failed[row] = True
            maps.append(base.composite)
            if any(problem.code != "locks-not-found" for problem in reason.problems):
                failure = reason  # of the locks alone: another number may keep them
            continue
        assert made is not None, "nobody cancels"
        failed[row] = made.number != number
        values[-1] = measured_values(generator, made, base)
        if made.grid is not None and not made.grid.same_as(base.grid):
            # Of maps that are not alike only those with the grid of the first can be compared.
            if all(failed[:row]):
                base = _on_grid_of(base, made)
                maps = [base.composite] * row
            else:
                failed[row] = True
                maps.append(base.composite)
                continue
        base, shown = _composed(base, made)
        maps.append(shown)
    if failure is not None and failed.all():
        raise failure
    return replace(_rows(base, seed, numbers, maps, failed), measured=_columns_of(values))


def single_batch(base: Base, key: DrawKey, made: Generated, values: Mapping[str, float]) -> Batch:
    """The batch of one map that was rolled onto ``base``; ``values`` are its measured ones."""
    base = _on_grid_of(base, made)
    base, shown = _composed(base, made)
    failed = np.array([made.number != key.number])
    batch = _rows(base, key.seed, np.array([key.number], np.uint64), [shown], failed)
    return replace(batch, measured=_columns_of([values]), records=made.records or NO_RECORDS)


def _columns_of(values: Sequence[Mapping[str, float]]) -> dict[str, NDArray[np.float64]]:
    """The values of measures, (n,) by name, nan where a map has none."""
    names = dict.fromkeys(name for each in values for name in each)
    return {name: np.array([each.get(name, np.nan) for each in values]) for name in names}


def _on_grid_of(base: Base, made: Generated) -> Base:
    """The base of a roll that brings a grid of its own: an empty map; else the base itself."""
    if made.grid is None or made.grid.same_as(base.grid):
        return base
    empty = BattleMap.new(base.system, made.grid, terrain_set=base.terrain_set)
    return Base.under(empty, 0)


def _composed(base: Base, made: Generated) -> tuple[Base, Composite]:
    """A base of the same grid with the terrains of a roll added, and what the roll shows on it."""
    base, made = _in_one_set(base, made)
    layers = [base.as_layer(), *made.layers]
    return base, compose(base.system, base.terrain_set, base.grid, layers)


def _in_one_set(base: Base, made: Generated) -> tuple[Base, Generated]:
    """Base and roll in codes of the base's terrain set, to which the roll's terrains are added.

    The codes of the base stay, so that maps composed with it before are still right.
    """
    if made.terrain_set is None or made.terrain_set == base.terrain_set:
        return base, made
    system, known = base.system, base.terrain_set
    known = with_missing(system, made.layers, made.terrain_set, known)
    layers = tuple(
        translated_layer(system, layer, made.terrain_set, known) for layer in made.layers
    )
    composite, shown = (replace(each, terrain_set=known) for each in (base.composite, base.shown))
    return (
        replace(base, composite=composite, shown=shown),
        replace(made, layers=layers, terrain_set=None),
    )


def batch_of(system: System, grid: Grid, shown: Composite) -> Batch:
    """A batch of one existing map (``shown``), so that it can be measured like rolled maps."""
    locks = np.zeros((grid.height, grid.width), np.bool_)
    sides = np.zeros((grid.height, grid.width, grid.degree), np.bool_)
    base = Base(system, grid, shown, shown, locks, sides)
    return _rows(base, 0, np.zeros(1, np.uint64), [shown], np.zeros(1, np.bool_))


def _rows(
    base: Base,
    seed: int,
    numbers: NDArray[np.uint64],
    maps: Sequence[Composite],
    failed: NDArray[np.bool_],
) -> Batch:
    grid, system = base.grid, base.system
    cells = np.arange(grid.size)

    def columns(spec: PlaneSpec | None, *shape: int) -> Plane | None:
        if spec is None:
            return None
        return np.array([each.planes[spec.name].reshape(-1, *shape) for each in maps])

    none = blank((len(maps), grid.size), 0, np.int16)
    terrain, elevation = columns(system.terrain), columns(system.elevation)
    hexside = columns(system.hexside, grid.degree)
    start = None
    listed = [base.system.listed_cells(shown.properties) for shown in maps]
    if any(listed):
        start = np.array([start_counts(base, names) for names in listed])
    others = {
        name: np.array([shown.planes[name] for shown in maps])
        for name in base.composite.planes
        if system.plane(name) not in (system.terrain, system.elevation, system.hexside)
    }
    return Batch(
        base,
        seed,
        numbers,
        cells,
        none if terrain is None else terrain,
        none if elevation is None else elevation,
        hexside,
        failed,
        start,
        others,
    )


def start_counts(base: Base, labels: Iterable[str]) -> NDArray[np.uint16]:
    """Shape (cells of the grid,): how often each cell occurs in ``labels``; unknown ones count
    nowhere.
    """
    counts = np.zeros(base.grid.size, np.uint16)
    for label in labels:
        cell = base.system.cell_of_name(base.grid, label)
        if cell is not None:
            counts[cell] += 1
    return counts
