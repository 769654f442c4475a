"""Finds filters of the gallery that no map can pass, before anything is rolled for them.

The gallery rolls maps of a script and shows those that pass a filter, such as "D4 = Lake". One that
no map can pass would be searched for in millions of maps. There are three kinds of them:

- A lock is against it: D4 is locked as Hills.
- What covers the roll is against it: D4 was painted as Hills (``covered_cells.py``).
- The script is against it: its maps never have a Lake at D4.

    problem = problem_of_impossible_filter(condition, generator, settings, base)

Only what is certain without rolling is found: other filters are searched for, however rare the maps
that pass them. ``search.py`` calls this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from app.features.gallery.covered_cells import kind_marks, problem_of_covered_cells, values_above
from randomizer.batches.batch import batch_of
from randomizer.batches.filters.conditions import CellShows, Combination, Comparison
from randomizer.batches.filters.terms import (
    COMPARISONS,
    Count,
    HexsideKind,
    Number,
    Regions,
    Share,
    TerrainKind,
    WaterKind,
)
from randomizer.model.problems import Problem, Severity

if TYPE_CHECKING:
    from randomizer.batches.filters.conditions import Condition
    from randomizer.batches.filters.terms import Quantity
    from randomizer.generator import MapGenerator
    from randomizer.model.planes.planes import PlaneSpec
    from randomizer.roll_base import Base

    Kind = TerrainKind | WaterKind | HexsideKind


def problem_of_impossible_filter(
    condition: Condition, generator: MapGenerator, settings: Mapping[str, object], base: Base
) -> Problem | None:
    """Return the problem of a filter that no map of a script can pass.

    None if some map may pass it. In a filter joined by "and" one vain part is enough. What locks
    and script say to a filter joined by "or" is never looked into.
    """
    parts: Sequence[Condition] = (condition,)
    if isinstance(condition, Combination) and condition.is_conjunction:
        parts = condition.parts
    for part in parts:
        problem = _problem_of_lock(part, base)
        if problem is not None:
            return problem
    problem = problem_of_covered_cells(condition, base)
    if problem is not None:
        return problem
    prover = _FilterProver(generator, settings, base)
    for part in parts:
        if not prover.can_fulfil(part):
            message = f"This script makes no map with “{part}”: change the filter, or the script"
            return Problem(Severity.ERROR, "filter-against-script", message)
    return None


def _problem_of_lock(part: Condition, base: Base) -> Problem | None:
    """Return the problem of a condition on a locked cell that its locked value does not fulfil.

    None if there is no such lock. Conditions on the sides of cells are not looked at.
    """
    terrain_spec = base.system.terrain
    if terrain_spec is None:
        return None
    if not isinstance(part, CellShows) or part.needs_hexsides:
        return None
    cell = part.cell
    if not base.locked_cells.flat[cell.index]:
        return None

    # The condition may ask for a terrain at an elevation, so both have to be certain.
    planes = dict(base.shown.planes)
    specs = [terrain_spec]
    if base.system.elevation is not None:
        specs.append(base.system.elevation)
    for spec in specs:
        value = _certain_value(base, spec, cell.index)
        if value is None:
            return None
        planes[spec.name] = planes[spec.name].copy()
        planes[spec.name].flat[cell.index] = value

    # Conditions are asked of batches of maps: this one holds a single map.
    batch_of_seen_map = batch_of(base.system, base.grid, replace(base.shown, planes=planes))
    if part.matches(batch_of_seen_map)[0]:
        return None
    code = int(planes[terrain_spec.name].flat[cell.index])
    terrain = base.terrain_set.terrains[code].name
    message = (
        f"{cell.name} is locked as {terrain}, so no map passes “{part}”: unlock it, "
        "or change the filter"
    )
    return Problem(Severity.ERROR, "filter-against-lock", message, cell=cell.index)


def _certain_value(base: Base, spec: PlaneSpec, cell: int) -> int | None:
    """Return the value that every map has on a locked cell; None if maps can differ there.

    It is set by a layer above the roll, where paint on a locked cell lies, or else kept by the
    roll.
    """
    if base.above is not None and spec.name in base.above.planes:
        value_above = int(base.above.planes[spec.name].flat[cell])
        if value_above != spec.unset:
            return value_above
    if base.locked_mask(spec).flat[cell]:
        return int(base.shown.planes[spec.name].flat[cell])
    return None


class _FilterProver:
    """Tells whether maps of a script, with its settings and base, can fulfil a condition.

    A generator can only be asked which locks none of its maps can keep (``impossible_locks``). So
    the question "can D4 be a Lake?" is put as a lock: on a *trial base* D4 is a locked Lake, and
    nothing else is locked. If that lock is impossible no map has a Lake at D4. For
    "count(Lake) > 0" every cell is a locked Lake on the trial base: if each of these locks, taken
    by itself, is impossible, no map has a Lake anywhere.

    All answers are True where the truth is not known.
    """

    def __init__(self, generator: MapGenerator, settings: Mapping[str, object], base: Base) -> None:
        self._generator = generator
        self._settings = settings
        self._base = base

    def can_fulfil(self, part: Condition) -> bool:
        """Return whether a map can fulfil a condition, which is not joined from several."""
        if isinstance(part, CellShows) and part.is_expected:
            return any(self._can_show(kind, [part.cell.index], part.side) for kind in part.kinds)
        if isinstance(part, Comparison):
            return self._can_be_true(part)
        return True

    def _can_be_true(self, comparison: Comparison) -> bool:
        """Return whether a comparison of a count with a number can be true.

        It is false on every map if it is false for 0 and the count is always 0: "count(Lake) > 0"
        and "2 < count(Lake)" where no map has a Lake.
        """
        sign = comparison.comparison  # such as ">="
        compare = COMPARISONS[sign]
        if isinstance(comparison.right, Number):
            quantity = comparison.left
            is_true_for_zero = compare(0, comparison.right.value)
        elif isinstance(comparison.left, Number):
            quantity = comparison.right
            is_true_for_zero = compare(comparison.left.value, 0)
        else:
            return True
        return bool(is_true_for_zero) or self._can_exceed_zero(quantity)

    def _can_exceed_zero(self, quantity: Quantity) -> bool:
        """Return whether a count, a share or a number of regions can be more than 0 on a map.

        True for every other quantity.
        """
        if not isinstance(quantity, Count | Share | Regions):
            return True
        if not isinstance(quantity.kind, TerrainKind | WaterKind | HexsideKind):
            return True
        cells: Sequence[int] = self._base.grid.cells.tolist()
        if not isinstance(quantity, Regions) and quantity.cells:
            cells = [cell.index for cell in quantity.cells]
        return self._can_show(quantity.kind, cells)

    def _can_show(self, kind: Kind, cells: Sequence[int], side: int | None = None) -> bool:
        """Return whether a map can show a kind in one of the cells.

        ``cells`` are their indices in the grid. A kind of hexside is looked for on this side of
        them; None: on all their sides.
        """
        if isinstance(kind, HexsideKind):
            return self._can_have_hexside(kind, cells, side)
        if isinstance(kind, TerrainKind):
            return self._can_have_terrain(kind.terrain, kind.elevation, cells)
        if not kind.is_water:
            return True
        return any(self._can_have_terrain(code, None, cells) for code in kind.waters)

    def _can_have_terrain(self, terrain: int, elevation: int | None, cells: Sequence[int]) -> bool:
        """Return whether a map can have a terrain in one of the cells.

        The terrain has to be at this elevation; None: at any.
        """
        base = self._base
        terrain_spec = base.system.terrain
        if terrain_spec is None:
            return True
        # Of the covered cells it is known whether they show the terrain; the script decides others.
        values = values_above(terrain_spec, np.asarray(cells), base)
        if values is not None:
            marks = kind_marks(TerrainKind(terrain, "", elevation), np.asarray(cells), base)
            if (values.is_set & marks.possibly).any():
                return True
            cells = np.asarray(cells)[~values.is_set].tolist()
            if not cells:
                return False
        planes = dict(base.composite.planes)
        planes[terrain_spec.name] = planes[terrain_spec.name].copy()
        planes[terrain_spec.name].flat[cells] = terrain
        covered = {}
        elevation_spec = base.system.elevation
        if elevation_spec is not None and elevation is None:
            # A lock of the terrain alone: a locked cell keeps terrain and elevation, except those
            # that a layer covers, and on the trial base all elevations are covered.
            covered[elevation_spec.name] = np.ones(elevation_spec.shape(base.grid), np.bool_)
        elif elevation_spec is not None:
            # A lock of both.
            if self._is_covered(elevation_spec, cells):
                return True
            planes[elevation_spec.name] = planes[elevation_spec.name].copy()
            planes[elevation_spec.name].flat[cells] = elevation
        locked_cells = np.zeros_like(base.locked_cells)
        locked_cells.flat[cells] = True
        trial_base = replace(
            base,
            shown=replace(base.composite, planes=planes),
            locked_cells=locked_cells,
            locked_sides=np.zeros_like(base.locked_sides),
            covered=covered,
        )
        return self._can_keep_a_lock(trial_base, lock_count=len(cells))

    def _can_have_hexside(self, kind: HexsideKind, cells: Sequence[int], side: int | None) -> bool:
        """Return whether a map can have a hexside on this side of one of the cells.

        None: on any side of them.
        """
        base = self._base
        spec = base.system.hexside
        if spec is None or self._is_covered(spec, cells):
            return True
        # (height, width, degree); a row of the reshaped view is a cell, a column one of its sides.
        locked_sides = np.zeros(base.locked_sides.shape, np.bool_)
        sides_by_cell = locked_sides.reshape(-1, base.grid.degree)
        if side is None:
            sides_by_cell[cells] = True
        else:
            sides_by_cell[cells, side] = True
        planes = dict(base.composite.planes)
        planes[spec.name] = np.where(locked_sides, kind.code, planes[spec.name])
        trial_base = replace(
            base,
            shown=replace(base.composite, planes=planes),
            locked_cells=np.zeros_like(base.locked_cells),
            locked_sides=locked_sides,
            covered={},
        )
        return self._can_keep_a_lock(trial_base, lock_count=int(locked_sides.sum()))

    def _can_keep_a_lock(self, trial_base: Base, lock_count: int) -> bool:
        """Return whether a map can keep at least one of the ``lock_count`` locks of a base.

        Locks are looked at one by one: that two of them exclude each other does not count.
        """
        # It returns each lock that no map can keep once, and no other.
        impossible_locks = self._generator.impossible_locks(self._settings, trial_base)
        possible_count = lock_count - len(impossible_locks)
        return possible_count > 0

    def _is_covered(self, spec: PlaneSpec, cells: Sequence[int]) -> bool:
        """Return whether a layer above the roll sets a plane in one of the cells.

        What the map shows there is then not up to the script.
        """
        above = self._base.above
        if above is None or spec.name not in above.planes:
            return False
        is_set = above.planes[spec.name] != spec.unset
        is_set_by_cell = is_set.reshape(self._base.grid.size, -1)
        return bool(is_set_by_cell[cells].any())
