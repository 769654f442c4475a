"""The map that is varied, as arrays over its existing cells, and what its variations must keep.

Cells are numbered 0 .. m-1 in the order of ``Grid.cells``; m stands for everything off the map. A
variation is a permutation of the cells, so that all counts stay: ``sources`` (n, m + 1) says from
which cell of the original the content of each cell came, ``turns`` (n, m + 1) how that was turned.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.generator import Base
from randomizer.geometry.turn import Turn
from randomizer.model.planes import Place, Plane, PlaneSpec
from randomizer.model.terrain import Terrain

Ints = NDArray[np.intp]
Marks = NDArray[np.bool_]

MOST_LEVELS = 4
"""Maps of at most so many elevations keep the number of areas from each elevation up."""


class Ways(NamedTuple):
    """How the open cells of n maps hang together.

    ``reach`` (n, entries): open cells that can be reached from each entry side. ``joined`` (n,
    entries, entries): whether one can walk from one side to the other. ``areas`` (n,): the number
    of separate areas of open cells.
    """

    reach: Ints
    joined: Marks
    areas: Ints


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
    def around(self) -> Ints:
        """(m + 1, degree): the neighbours of each cell, m where there is none."""
        inner = self.numbers[self.base.grid.neighbour_table[self.cells]]
        return np.vstack([inner, np.full((1, inner.shape[1]), len(self.cells))])

    def plane(self, spec: PlaneSpec | None) -> Ints:
        """Return the values of a plane of cells, (m,)."""
        if spec is None:
            return np.zeros(len(self.cells), np.intp)
        values, shown = self.base.composite.planes[spec.name], self.base.shown.planes[spec.name]
        return np.where(self.base.kept(spec), shown, values).ravel()[self.cells].astype(np.intp)

    @cached_property
    def terrains(self) -> tuple[Ints, Ints]:
        """The codes of the terrains, and (m + 1,) which each cell has; off the map the next one."""
        codes, ranks = np.unique(self.plane(self.base.system.terrain), return_inverse=True)
        return codes, np.append(ranks, len(codes))

    @cached_property
    def levels(self) -> tuple[Ints, Ints]:
        """The elevations, and (m + 1,) which each cell has; off the map the next one."""
        values, ranks = np.unique(self.plane(self.base.system.elevation), return_inverse=True)
        return values, np.append(ranks, len(values))

    @cached_property
    def states(self) -> Ints:
        """(m + 1,): terrain and elevation as one number."""
        return self.terrains[1] * (len(self.levels[0]) + 1) + self.levels[1]

    @cached_property
    def free(self) -> Marks:
        """(m + 1,): cells whose content may move: without locks, ways, rivers, not of ``keep``."""
        base, grid = self.base, self.base.grid
        fixed = np.zeros(grid.size + 1, np.bool_)
        fixed[list(self.keep)] = True
        for spec in base.system.shown_planes:
            kept = base.kept(spec)
            if spec.place is Place.CELL:
                fixed[:-1] |= kept.ravel()
            elif spec.place is Place.SIDE:
                locked = kept.reshape(grid.size, grid.degree)
                fixed[:-1] |= locked.any(axis=1)
                fixed[grid.neighbour_table[locked]] = True
            if spec.links:
                links = base.composite.planes[spec.name].ravel()
                fixed[:-1] |= (links != spec.unset) & (links != spec.default)
        return np.append(~fixed[self.cells], False)

    @cached_property
    def most_changed(self) -> int:
        """The most cells that can look different in any exchange of the free ones."""
        states = self.states[self.free]
        commonest = int(np.bincount(states).max()) if len(states) else 0
        return min(len(states), 2 * (len(states) - commonest))

    # --- ways -------------------------------------------------------------------------------

    @cached_property
    def open(self) -> Marks:
        """(m + 1,): the cells that strangers enter on foot."""
        known, (codes, ranks) = self.base.terrain_set.terrains, self.terrains
        return np.array([*(_is_open(known[code]) for code in codes.tolist()), False])[ranks]

    @cached_property
    def entries(self) -> tuple[Ints, ...]:
        """The cells of each entry side; on maps without such sides those along each edge."""
        grid, own = self.base.grid, self.base.system.entry_sides
        if own:
            return tuple(self.numbers[list(cells)] for _name, cells in own)
        ys, xs = np.divmod(self.cells, grid.width)
        edges = ((ys, 0), (xs, grid.width - 1), (ys, grid.height - 1), (xs, 0))
        return tuple(np.flatnonzero(values == end) for values, end in edges)

    def ways(self, sources: Ints, hexsides: Ints) -> Ways:
        """Return how these variations hang together; hexsides (n, m, degree) can bar the way."""
        marks = self.open[sources]
        barred = self._barred[hexsides] if hexsides.size else None
        if barred is not None:
            rows = np.arange(len(sources))[:, None]
            for side in range(self.around.shape[1]):
                back = self.base.grid.opposite(side)
                across = self.around[:-1, side]
                barred[:, :, side] |= np.pad(barred, ((0, 0), (0, 1), (0, 0)))[rows, across, back]
        label = areas(marks, self.around, barred)
        inside = np.zeros((len(sources), len(self.entries), marks.shape[1]), np.bool_)
        rows = np.arange(len(sources))[:, None]
        for entry, cells in enumerate(self.entries):
            inside[rows, entry, label[:, cells]] = True
        inside[:, :, -1] = False
        reached = np.take_along_axis(inside, np.repeat(label[:, None], len(self.entries), 1), 2)
        joined = (inside[:, :, None] & inside[:, None]).any(axis=3)
        return Ways(reached.sum(axis=2), joined, _count(label))

    @cached_property
    def _barred(self) -> Marks:
        """(hexsides + 1,): those that only deep drops have: who is on foot does not cross them."""
        known = self.base.terrain_set.hexsides
        deep = [each.drops is not None and each.drops[0] > 1 for each in known]
        return np.array([False, *deep])

    def keeps_ways(self, sources: Ints, hexsides: Ints) -> Marks:
        """Return whether one gets as far from each side as on the original: (n,).

        The open cells are in no more areas; on maps of 100 cells and more, each side may reach one
        in a hundred less.
        """
        now, before = self.ways(sources, hexsides), self._own_ways
        return (
            (now.reach >= before.reach - len(self.cells) // 100).all(axis=1)
            & (now.joined >= before.joined).all(axis=(1, 2))
            & (now.areas <= before.areas)
        )

    @cached_property
    def _own_ways(self) -> Ways:
        return self.ways(self._itself, self.hexsides[None])

    @cached_property
    def _itself(self) -> Ints:
        return np.arange(len(self.cells) + 1)[None]

    def keeps_heights(self, sources: Ints) -> Marks:
        """Return whether there are no more high areas and deep steps than on the original: (n,)."""
        return (self.height_areas(sources) <= self.height_areas(self._itself)).all(axis=1) & (
            self.steps(sources) <= self.steps(self._itself)
        ).all(axis=1)

    def height_areas(self, sources: Ints) -> Ints:
        """Return (n, k): the number of areas from each elevation up; k is 0 for rich relief."""
        values, ranks = self.levels
        if len(values) > MOST_LEVELS:
            return np.zeros((len(sources), 0), np.intp)
        level = ranks[sources]
        inner = level < len(values)
        each = (_count(areas(inner & (level >= k), self.around)) for k in range(1, len(values)))
        return np.array([*each], np.intp).reshape(-1, len(sources)).T

    def steps(self, sources: Ints) -> Ints:
        """Return (n, 2): how many steps of 2 and more there are, seen from both cells, and the
        deepest."""
        heights = np.append(self.levels[0], 0)[self.levels[1]][sources]
        drops = np.abs(heights[:, :-1, None] - heights[:, self.around[:-1]])
        drops[:, self.around[:-1] == len(self.cells)] = 0
        return np.stack([(drops > 1).sum(axis=(1, 2)), drops.max(axis=(1, 2))], axis=1)

    # --- results ----------------------------------------------------------------------------

    def planes(self, source: Ints, hexsides: Ints) -> dict[str, Plane]:
        """Return the planes of one variation, as a layer has them; hexsides (m, degree)."""
        system, grid = self.base.system, self.base.grid
        planes = {}
        for spec in (system.terrain, system.elevation):
            if spec is not None:
                planes[spec.name] = spec.allocate(grid)
                planes[spec.name].flat[self.cells] = self.plane(spec)[source[:-1]]
        if system.hexside is not None:
            sides = planes[system.hexside.name] = system.hexside.allocate(grid)
            sides.reshape(grid.size, grid.degree)[self.cells] = hexsides if hexsides.size else 0
            kept = self.base.kept(system.hexside)
            sides[kept] = self.base.shown.planes[system.hexside.name][kept]
        return planes

    def digest(self, more: bytes) -> bytes:
        """Return a name for all that variations of it depend on, and for ``more``."""
        grid = self.base.grid
        known = (grid.layout.name, grid.width, grid.height, grid.wrap, self.base.terrain_set)
        arrays = (self.cells, self.plane(self.base.system.terrain), self.levels[0], self.states)
        parts = [*arrays, self.free, self.hexsides]
        digest = hashlib.blake2b(more + repr(known).encode(), digest_size=16)
        for part in parts:
            digest.update(part.tobytes())
        return digest.digest()

    # --- hexsides ---------------------------------------------------------------------------

    @cached_property
    def hexsides(self) -> Ints:
        """(m, degree): the hexsides; degree is 0 here and in variations if the map has none."""
        spec, grid = self.base.system.hexside, self.base.grid
        if spec is None:
            return np.zeros((len(self.cells), 0), np.intp)
        values, shown = self.base.composite.planes[spec.name], self.base.shown.planes[spec.name]
        sides = np.where(self.base.kept(spec), shown, values).reshape(grid.size, grid.degree)
        return sides[self.cells, : grid.degree if sides.any() else 0].astype(np.intp)

    def hexsides_of(
        self, sources: Ints, turns: Ints, dice: Callable[[], NDArray[np.float64]]
    ) -> Ints:
        """Return the hexsides (n, m, degree) of variations; ``dice`` gives a number for each.

        An edge between two kinds of cells has what such an edge has in the original, as often as
        there; kinds that do not meet there have what their heights have there. Between equal
        heights a hexside otherwise moves with its cell.
        """
        if not self.hexsides.size:
            return np.repeat(self.hexsides[None], len(sources), axis=0)
        draws = dice()
        degree, m = self.around.shape[1], len(self.cells)
        own = self.states[sources]
        beyond = own[:, self.around[:-1]]
        mine = np.repeat(own[:, :-1, None], degree, axis=2)
        # As it moved with its cell: the side from which each side of the cell came.
        came = self._side_before[turns[:, :-1]]
        cell = np.repeat(sources[:, :-1, None], degree, axis=2)
        moved = np.vstack([self.hexsides, np.zeros((1, degree), np.intp)])[cell, came]
        before = self.states[self.around[cell, came]]
        level = len(self.levels[0]) + 1
        outside = self.around[:-1] == m
        derived, known = self._edge_rules.draw(mine, beyond, draws)
        rough, known_heights = self._height_rules.draw(mine % level, beyond % level, draws)
        flat = mine % level == beyond % level
        stays = np.where(flat & (mine % level == before % level), moved, 0)
        result = np.where(known, derived, np.where(known_heights & ~flat, rough, stays))
        result = np.where(flat & (mine == beyond), stays, result)
        result = np.where(before == beyond, moved, result)
        result[:, outside] = 0
        return result

    @cached_property
    def _side_before(self) -> Ints:
        """(turns, degree): the side that each side was before a turn."""
        turned = [[turn.side(side) for side in range(self.base.grid.degree)] for turn in self.turns]
        return np.argsort(turned, axis=1)

    @cached_property
    def turns(self) -> tuple[Turn, ...]:
        """All turns and mirrors of the layout; the first changes nothing."""
        layout = self.base.grid.layout
        return tuple(
            Turn(layout, first, mirrors)
            for mirrors in (False, True)
            for first in range(layout.degree)
        )

    @cached_property
    def _edge_rules(self) -> _EdgeRules:
        return _EdgeRules.of(self.states[:-1], self.states[self.around[:-1]], self.hexsides)

    @cached_property
    def _height_rules(self) -> _EdgeRules:
        level = len(self.levels[0]) + 1
        here, beyond = self.states[:-1] % level, self.states[self.around[:-1]] % level
        return _EdgeRules.of(here, beyond, self.hexsides)


@dataclass(frozen=True, eq=False)
class _EdgeRules:
    """How often edges between two kinds have each hexside: cumulated shares (kinds, kinds, h)."""

    shares: NDArray[np.float64]
    known: Marks

    @classmethod
    def of(cls, here: Ints, beyond: Ints, hexsides: Ints) -> _EdgeRules:
        """Count them: cells (m,), what lies beyond their sides and the hexsides (m, degree)."""
        kinds, most = int(max(here.max(), beyond.max())) + 1, int(hexsides.max()) + 1
        counts = np.zeros((kinds, kinds, most))
        np.add.at(counts, (np.repeat(here[:, None], beyond.shape[1], 1), beyond, hexsides), 1)
        total = counts.sum(axis=2, keepdims=True)
        return cls(np.cumsum(counts / np.maximum(total, 1), axis=2), total[:, :, 0] > 0)

    def draw(
        self, here: Ints, beyond: Ints, draws: NDArray[np.float64]
    ) -> tuple[Ints, Marks]:
        """Return a hexside for each edge, and where there is a rule."""
        hexside = (draws[..., None] >= self.shares[here, beyond, :-1]).sum(axis=-1)
        known = self.known[here, beyond]
        return np.where(known, hexside, 0), known


def _is_open(terrain: Terrain) -> bool:
    """Whether strangers on foot enter a terrain."""
    return not terrain.water and terrain.hinders not in ("ground", "all") and terrain.cost is not None


def areas(marks: Marks, around: Ints, barred: Marks | None = None) -> Ints:
    """Return the areas of marked cells of n maps: (n, m + 1) marks in, labels out.

    The label of an area is its first cell; unmarked cells have m. ``barred`` (n, m, degree) marks
    sides that nobody crosses.
    """
    count, off = len(marks), marks.shape[1] - 1
    label = np.where(marks, np.arange(off + 1), off)
    rows = np.arange(count)[:, None]
    while True:
        before = label
        for side in range(around.shape[1]):
            other = label[:, around[:, side]]
            if barred is not None:
                other[:, :-1][barred[:, :, side]] = off
            label = np.where(marks, np.minimum(label, other), off)
        label = label[rows, label]
        if np.array_equal(before, label):
            return label


def _count(label: Ints) -> Ints:
    """The number of areas with these labels, (n,)."""
    return (label[:, :-1] == np.arange(label.shape[1] - 1)).sum(axis=1)
