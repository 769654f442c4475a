"""The map that is varied, as arrays over its existing cells, and what its variations must keep.

Cells are numbered 0 .. m-1 in the order of ``Grid.cells``; m stands for everything off the map. A
variation is a permutation of the cells, so that all counts stay: ``sources`` (n, m + 1) says from
which cell of the original the content of each cell came.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.planes.planes import Element, Plane, PlaneSpec
from randomizer.model.terrain.terrain import Terrain
from randomizer.roll_base import Base

Ints = NDArray[np.intp]
"""Numbers of cells, states or features; the shape stands where it is used."""

Marks = NDArray[np.bool_]
"""A boolean for each cell; the shape stands where it is used."""

MOST_LEVELS = 4
"""Maps of at most so many elevations keep the number of areas from each elevation up."""


class Ranks(NamedTuple):
    """The distinct values of a plane, and the index of the value that each cell has."""

    values: Ints
    """The distinct values, ascending, (k,)."""

    of_cells: Ints
    """The index in ``values`` of each cell, (m + 1,); k for everything off the map."""


class Ways(NamedTuple):
    """The connections among the open cells of n maps."""

    reach: Ints
    """The number of open cells that can be reached from each entry side, (n, entries)."""

    joined: Marks
    """Whether one can walk from one entry side to another, (n, entries, entries)."""

    areas: Ints
    """The number of separate areas of open cells, (n,)."""


@dataclass(frozen=True, eq=False)
class Original:
    """The original is what lies below the roll, with the locked values put in."""

    base: Base
    keep: frozenset[int] = frozenset()

    # --- cells ------------------------------------------------------------------------------

    @cached_property
    def cells(self) -> Ints:
        """(m,): the cells of the grid."""
        return self.base.grid.cells

    @cached_property
    def numbers(self) -> Ints:
        """The number of each cell of the grid, m of those that do not exist; its last stands for
        -1."""
        numbers = np.full(self.base.grid.size + 1, len(self.cells))
        numbers[self.cells] = np.arange(len(self.cells))
        return numbers

    @cached_property
    def neighbours(self) -> Ints:
        """(m + 1, degree): the neighbours of each cell, m where there is none."""
        inner = self.numbers[self.base.grid.neighbour_table[self.cells]]
        return np.vstack([inner, np.full((1, inner.shape[1]), len(self.cells))])

    def _values(self, spec: PlaneSpec) -> Ints:
        """Return a plane of the original: what lies below the roll, locked values where locked."""
        values = self.base.composite.planes[spec.name]
        visible_values = self.base.shown.planes[spec.name]
        return np.where(self.base.locked_mask(spec), visible_values, values).astype(np.intp)

    def plane(self, spec: PlaneSpec | None) -> Ints:
        """Return the values of a plane of cells, (m,); zeros where the system has none."""
        if spec is None:
            return np.zeros(len(self.cells), np.intp)
        return self._values(spec).ravel()[self.cells]

    @cached_property
    def terrains(self) -> Ranks:
        """The codes of the terrains on the map, and the terrain of each cell."""
        return _ranks(self.plane(self.base.system.terrain))

    @cached_property
    def levels(self) -> Ranks:
        """The elevations on the map, and the elevation of each cell."""
        return _ranks(self.plane(self.base.system.elevation))

    @cached_property
    def states(self) -> Ints:
        """(m + 1,): terrain and elevation as one number."""
        return self.terrains.of_cells * (len(self.levels.values) + 1) + self.levels.of_cells

    @cached_property
    def free(self) -> Marks:
        """(m + 1,): cells that may move: without locks, ways and rivers, and not of ``keep``.

        A hexside that does not follow from the cells beside it keeps them, too.
        """
        base = self.base
        grid = self.base.grid
        fixed = np.zeros(grid.size + 1, np.bool_)
        fixed[list(self.keep)] = True
        for spec in base.system.shown_planes:
            if spec.element is Element.CELL:
                fixed[:-1] |= base.locked_mask(spec).ravel()
            if spec.links:
                links = base.composite.planes[spec.name].ravel()
                fixed[:-1] |= (links != spec.unset) & (links != spec.default)
        free = np.append(~fixed[self.cells], False)
        # Sides that no variation can make again: locked ones, and hexsides that a hand has set.
        is_fixed_side = base.locked_sides.reshape(grid.size, grid.degree)[self.cells]
        if self.hexsides.size:
            usual = self._usual[self.states[:-1, None], self.states[self.neighbours[:-1]]]
            is_unusual = (self.hexsides != usual) & (self.hexsides > 0)
            is_fixed_side = is_fixed_side | is_unusual
        free[:-1] &= ~is_fixed_side.any(axis=1)
        free[self.neighbours[:-1][is_fixed_side]] = False
        return free

    @cached_property
    def most_changed(self) -> int:
        """The most cells that can look different in any exchange of the free ones."""
        # The contents of the commonest look can only be exchanged with others: if it has more than
        # half of the free cells, the others decide, and each exchange changes two cells.
        states = self.states[self.free]
        if not len(states):
            return 0
        commonest = int(np.bincount(states).max())
        return min(len(states), 2 * (len(states) - commonest))

    # --- ways -------------------------------------------------------------------------------

    @cached_property
    def open(self) -> Marks:
        """(m + 1,): the cells that strangers enter on foot."""
        terrains = self.base.terrain_set.terrains
        is_open = [_is_open(terrains[code]) for code in self.terrains.values.tolist()]
        is_open.append(False)  # off the map
        return np.array(is_open)[self.terrains.of_cells]

    @cached_property
    def entries(self) -> tuple[Ints, ...]:
        """The cells of each entry side; on maps without such sides those along each edge."""
        grid = self.base.grid
        entry_sides = self.base.system.entry_sides
        if entry_sides:
            return tuple(self.numbers[list(cells)] for _name, cells in entry_sides)
        ys, xs = np.divmod(self.cells, grid.width)
        edges = ((ys, 0), (xs, grid.width - 1), (ys, grid.height - 1), (xs, 0))
        return tuple(np.flatnonzero(values == end) for values, end in edges)

    def ways(self, sources: Ints) -> Ways:
        """Return the connections among the open cells of variations.

        A hexside that stands for a deep drop (a cliff) bars the way from both its cells.
        """
        marks = self.open[sources]
        hexsides = self.hexsides_of(sources)
        barred = None
        if hexsides.size:
            is_deep = [False]  # code 0 is no hexside
            for hexside in self.base.terrain_set.hexsides:
                is_deep.append(hexside.drops is not None and hexside.drops[0] > 1)
            barred_by_owner = np.array(is_deep)[hexsides]
            barred = barred_by_owner.copy()
            # A row more for everything off the map, where nothing is barred.
            padded = np.pad(barred_by_owner, ((0, 0), (0, 1), (0, 0)))
            for side in range(barred.shape[2]):
                opposite_side = self.base.grid.opposite(side)
                barred[:, :, side] |= padded[:, self.neighbours[:-1, side], opposite_side]
        labels = areas(marks, self.neighbours, barred)
        # Which areas each entry side leads into, (n, entries, m + 1), by the label of the area.
        # The last label stands for cells that are not open: it is no area.
        leads_into = np.zeros((len(sources), len(self.entries), marks.shape[1]), np.bool_)
        maps = np.arange(len(sources))[:, None]
        for entry, cells in enumerate(self.entries):
            leads_into[maps, entry, labels[:, cells]] = True
        leads_into[:, :, -1] = False
        labels_for_entries = np.repeat(labels[:, None], len(self.entries), 1)
        is_reached = np.take_along_axis(leads_into, labels_for_entries, 2)
        # Two sides are joined if they lead into one area.
        joined = (leads_into[:, :, None] & leads_into[:, None]).any(axis=3)
        return Ways(is_reached.sum(axis=2), np.asarray(joined), _count(labels))

    def keeps_ways(self, sources: Ints) -> Marks:
        """Return whether one gets as far from each side as on the original: (n,).

        The open cells are in no more areas. On large maps each side may reach one cell in a
        hundred less, and there may be an area more for a thousand cells.
        """
        now = self.ways(sources)
        old_ways = self._own_ways
        return (
            (now.reach >= old_ways.reach - len(self.cells) // 100).all(axis=1)
            & (now.joined >= old_ways.joined).all(axis=(1, 2))
            & (now.areas <= old_ways.areas + len(self.cells) // 1000)
        )

    @cached_property
    def _own_ways(self) -> Ways:
        return self.ways(self.itself)

    @cached_property
    def itself(self) -> Ints:
        """(1, m + 1): the original as a variation of itself."""
        return np.arange(len(self.cells) + 1)[None]

    def keeps_heights(self, sources: Ints) -> Marks:
        """Return whether there are no more high areas and deep steps than on the original: (n,)."""
        areas_ = self.height_areas(sources) <= self.height_areas(self.itself)
        steps = self.steps(sources) <= self.steps(self.itself)
        return np.asarray(areas_.all(axis=1) & steps.all(axis=1))

    def height_areas(self, sources: Ints) -> Ints:
        """Return (n, k): the number of areas from each elevation up; k is 0 for rich relief."""
        values, ranks = self.levels
        if len(values) > MOST_LEVELS:
            return np.zeros((len(sources), 0), np.intp)
        level = ranks[sources]
        inner = level < len(values)
        counts = []
        for lowest_level in range(1, len(values)):
            is_as_high = inner & (level >= lowest_level)
            counts.append(_count(areas(is_as_high, self.neighbours)))
        return np.array(counts, np.intp).reshape(-1, len(sources)).T

    def steps(self, sources: Ints) -> Ints:
        """Return (n, 2): how many steps of 2 and more there are, seen from both cells, and the
        deepest."""
        heights = np.append(self.levels.values, 0)[self.levels.of_cells][sources]
        drops = np.abs(heights[:, :-1, None] - heights[:, self.neighbours[:-1]])
        drops[:, self.neighbours[:-1] == len(self.cells)] = 0
        return np.stack([(drops > 1).sum(axis=(1, 2)), drops.max(axis=(1, 2))], axis=1)

    # --- results ----------------------------------------------------------------------------

    def planes(self, source: Ints) -> dict[str, Plane]:
        """Return the planes of one variation (m + 1,), as a layer has them."""
        system = self.base.system
        grid = self.base.grid
        planes = {}
        for spec in (system.terrain, system.elevation):
            if spec is not None:
                planes[spec.name] = spec.allocate(grid)
                planes[spec.name].flat[self.cells] = self.plane(spec)[source[:-1]]
        if system.hexside is not None:
            planes[system.hexside.name] = system.hexside.allocate(grid)
            sides = planes[system.hexside.name].reshape(grid.size, grid.degree)
            if self.hexsides.size:
                sides[self.cells] = self.hexsides_of(source[None])[0]
            else:
                sides[self.cells] = 0
        return planes

    def digest(self, more: bytes) -> bytes:
        """Return a name for all that variations of it depend on, and for ``more``."""
        grid = self.base.grid
        facts = (grid.layout.name, grid.width, grid.height, grid.wrap, self.base.terrain_set)
        terrains = self.plane(self.base.system.terrain)
        arrays = (self.cells, terrains, self.levels.values, self.states)
        parts = [*arrays, self.free, self.hexsides]
        digest = hashlib.blake2b(more + repr(facts).encode(), digest_size=16)
        for part in parts:
            digest.update(part.tobytes())
        return digest.digest()

    # --- hexsides ---------------------------------------------------------------------------

    @cached_property
    def hexsides(self) -> Ints:
        """(m, degree): the hexsides; degree is 0 here and in variations if the map has none."""
        spec = self.base.system.hexside
        size = self.base.grid.size
        degree = self.neighbours.shape[1]
        if spec is None:
            sides = np.zeros((size, degree), np.intp)
        else:
            sides = self._values(spec)
        if not sides.any():
            degree = 0
        return sides.reshape(size, -1)[self.cells, :degree]

    def hexsides_of(self, sources: Ints) -> Ints:
        """Return the hexsides (n, m, degree) of variations.

        Where both cells of an edge look as before it has what it had, else what most edges between
        two such cells have; kinds that do not meet on the original have what most have between two
        such heights, and between equal heights nothing.
        """
        states = self.states[sources]
        if not self.hexsides.size:
            return np.zeros((len(sources), len(self.cells), 0), np.intp)
        levels = self.levels.of_cells[sources]
        neighbours = self.neighbours[:-1]
        cell_is_same = states[:, :-1] == self.states[:-1]
        neighbour_is_same = states[:, neighbours] == self.states[neighbours]
        edge_is_same = cell_is_same[..., None] & neighbour_is_same
        by_kind = self._usual[states[:, :-1, None], states[:, neighbours]]
        by_height = self._usual_by_height[levels[:, :-1, None], levels[:, neighbours]]
        never_met = by_kind < 0
        usual = np.where(never_met, by_height, by_kind)
        return np.where(edge_is_same, self.hexsides, usual)

    @cached_property
    def _usual(self) -> Ints:
        """(states, states): the commonest hexside on the first's side; -1: they do not meet."""
        return _commonest(self.states, self.neighbours, self.hexsides)

    @cached_property
    def _usual_by_height(self) -> Ints:
        """(levels, levels): the same by elevation alone; 0 between equal ones."""
        usual = np.maximum(_commonest(self.levels.of_cells, self.neighbours, self.hexsides), 0)
        np.fill_diagonal(usual, 0)
        return usual


def _commonest(kinds: Ints, neighbours: Ints, hexsides: Ints) -> Ints:
    """Return the commonest hexside from each kind to each: kinds (m + 1,), hexsides (m, degree)."""
    count = int(kinds.max()) + 1
    counts = np.zeros((count, count, int(hexsides.max()) + 1), np.int64)
    own_kinds = np.repeat(kinds[:-1, None], neighbours.shape[1], axis=1)
    np.add.at(counts, (own_kinds, kinds[neighbours[:-1]], hexsides), 1)
    return np.where(counts.any(axis=2), counts.argmax(axis=2), -1)


def _ranks(values: Ints) -> Ranks:
    """Return the distinct values of a plane (m,), and the index of that of each cell."""
    distinct_values, indices = np.unique(values, return_inverse=True)
    return Ranks(distinct_values, np.append(indices, len(distinct_values)))


def _is_open(terrain: Terrain) -> bool:
    """Return whether strangers on foot enter a terrain."""
    return (
        not terrain.water and terrain.hinders not in ("ground", "all") and terrain.cost is not None
    )


def areas(marks: Marks, neighbours: Ints, barred: Marks | None = None) -> Ints:
    """Return the areas of marked cells of n maps: (n, m + 1) marks in, labels out.

    The label of an area is its first cell; unmarked cells have m. ``barred`` (n, m, degree) marks
    sides that nobody crosses.
    """
    # Each cell takes the least label of its neighbours, and then that of the cell that its label
    # names, until nothing changes: labels travel through an area in leaps, not step by step.
    count = len(marks)
    off = marks.shape[1] - 1
    label = np.where(marks, np.arange(off + 1), off)
    rows = np.arange(count)[:, None]
    while True:
        old_labels = label
        for side in range(neighbours.shape[1]):
            neighbour_labels = label[:, neighbours[:, side]]
            if barred is not None:
                neighbour_labels[:, :-1][barred[:, :, side]] = off
            label = np.where(marks, np.minimum(label, neighbour_labels), off)
        label = label[rows, label]
        if np.array_equal(old_labels, label):
            return label


def _count(label: Ints) -> Ints:
    """Return the number of areas with these labels, (n,)."""
    return np.asarray((label[:, :-1] == np.arange(label.shape[1] - 1)).sum(axis=1))
