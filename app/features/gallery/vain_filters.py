"""Filters that no map can pass, told before anything is rolled for them.

    problem = problem_of_vain_filter(condition, generator, settings, base)

A lock keeps what the filter asks to be otherwise, or the script never makes what it asks for. Only
what can be seen without rolling is told; other filters are searched for, however rare their maps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.batches.batch import batch_of
from randomizer.batches.filters.conditions import CellShows, Combination, Comparison
from randomizer.batches.filters.terms import (
    COMPARISONS,
    NO_SIDE,
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


def problem_of_vain_filter(
    condition: Condition, generator: MapGenerator, settings: Mapping[str, object], base: Base
) -> Problem | None:
    """Return the problem of a filter that no map of a script can pass.

    None if there is none that can be seen without rolling: what stands beside an "or" is not
    looked at.
    """
    parts: Sequence[Condition] = (condition,)
    if isinstance(condition, Combination) and condition.every:
        parts = condition.parts
    for part in parts:
        problem = _lock_against(part, base)
        if problem is not None:
            return problem
    script = _Script(generator, settings, base)
    for part in parts:
        if script.never_fulfils(part):
            message = f"This script makes no map with “{part}”: change the filter, or the script"
            return Problem(Severity.ERROR, "filter-against-script", message)
    return None


def _lock_against(part: Condition, base: Base) -> Problem | None:
    """Return the problem of a condition that asks a locked cell for another value than its own."""
    terrain_spec = base.system.terrain
    if terrain_spec is None or not base.locked:
        return None
    if not isinstance(part, CellShows) or part.needs_hexsides:
        return None
    is_locked = base.locked_mask(terrain_spec).flat[part.cell.index]
    if base.system.elevation is not None:
        is_locked &= base.locked_mask(base.system.elevation).flat[part.cell.index]
    if not is_locked or part.matches(batch_of(base.system, base.grid, base.shown))[0]:
        return None
    code = int(base.shown.planes[terrain_spec.name].flat[part.cell.index])
    terrain = base.terrain_set.terrains[code].name
    message = (
        f"{part.cell.name} is locked as {terrain}, so no map passes “{part}”: unlock it, "
        "or change the filter"
    )
    return Problem(Severity.ERROR, "filter-against-lock", message, cell=part.cell.index)


class _Script:
    """A script and what it is rolled onto, asked what none of its maps can show.

    Generators are not asked such questions, but which locks no map can keep (``impossible_locks``).
    So for "D4 = Lake" a *trial base* is made, on which D4 is a locked Lake and nothing else is
    locked: if that lock is impossible no map has a Lake there. For "count(Lake) > 0" all cells are
    locked Lakes on the trial base, and all these locks have to be impossible.
    """

    def __init__(self, generator: MapGenerator, settings: Mapping[str, object], base: Base) -> None:
        self._generator = generator
        self._settings = settings
        self._base = base

    def never_fulfils(self, part: Condition) -> bool:
        """Return whether no map fulfils a condition; False if that is not known."""
        if isinstance(part, CellShows) and part.is_expected:
            return all(self._never_shows(kind, [part.cell.index], part.side) for kind in part.kinds)
        if isinstance(part, Comparison):
            return self._never_compares_so(part)
        return False

    def _never_compares_so(self, comparison: Comparison) -> bool:
        """Return whether one side is a count that is 0 on every map, which the other forbids.

        Such as "count(Lake) > 0" and "2 < count(Lake)"; the other side has to be a number.
        """
        compare = COMPARISONS[comparison.comparison]
        if isinstance(comparison.right, Number):
            is_fulfilled_by_none = compare(0, comparison.right.value)
            return not is_fulfilled_by_none and self._is_always_zero(comparison.left)
        if isinstance(comparison.left, Number):
            is_fulfilled_by_none = compare(comparison.left.value, 0)
            return not is_fulfilled_by_none and self._is_always_zero(comparison.right)
        return False

    def _is_always_zero(self, counted: Quantity) -> bool:
        """Return whether a count, a share or a number of regions is 0 on every map."""
        if not isinstance(counted, Count | Share | Regions):
            return False
        cells: Sequence[int] = self._base.grid.cells.tolist()
        if not isinstance(counted, Regions) and counted.cells:
            cells = [cell.index for cell in counted.cells]
        if isinstance(counted.kind, TerrainKind | WaterKind | HexsideKind):
            return self._never_shows(counted.kind, cells)
        return False

    def _never_shows(self, kind: Kind, cells: Sequence[int], side: int = NO_SIDE) -> bool:
        """Return whether none of the cells shows a kind on any map; ``NO_SIDE``: on no side."""
        if isinstance(kind, HexsideKind):
            return self._never_has_hexside(kind, cells, side)
        if isinstance(kind, TerrainKind):
            return self._never_has_terrain(kind.terrain, kind.elevation, cells)
        if not kind.is_water:
            return False
        return all(self._never_has_terrain(code, None, cells) for code in kind.waters)

    def _never_has_terrain(self, terrain: int, elevation: int | None, cells: Sequence[int]) -> bool:
        """Return whether no map has a terrain, with this elevation or any (None), at a cell."""
        base = self._base
        terrain_spec = base.system.terrain
        if terrain_spec is None or self._is_covered(terrain_spec, cells):
            return False
        planes = dict(base.composite.planes)
        planes[terrain_spec.name] = planes[terrain_spec.name].copy()
        planes[terrain_spec.name].flat[cells] = terrain
        covered = {}
        elevation_spec = base.system.elevation
        if elevation_spec is not None and elevation is None:
            # A lock binds only what no layer covers: any elevation will do.
            covered[elevation_spec.name] = np.ones(elevation_spec.shape(base.grid), np.bool_)
        elif elevation_spec is not None:
            planes[elevation_spec.name] = planes[elevation_spec.name].copy()
            planes[elevation_spec.name].flat[cells] = elevation
        locked_cells = np.zeros_like(base.locked_cells)
        locked_cells.flat[cells] = True
        trial = replace(
            base,
            shown=replace(base.composite, planes=planes),
            locked_cells=locked_cells,
            locked_sides=np.zeros_like(base.locked_sides),
            covered=covered,
        )
        return self._keeps_none(trial, len(cells))

    def _never_has_hexside(self, kind: HexsideKind, cells: Sequence[int], side: int) -> bool:
        """Return whether no map has a hexside on a side of the cells; ``NO_SIDE``: on any."""
        base = self._base
        spec = base.system.hexside
        if spec is None or self._is_covered(spec, cells):
            return False
        locked_sides = np.zeros(base.locked_sides.shape, np.bool_)
        if side == NO_SIDE:
            locked_sides.reshape(-1, base.grid.degree)[cells] = True
        else:
            locked_sides.reshape(-1, base.grid.degree)[cells, side] = True
        planes = dict(base.composite.planes)
        planes[spec.name] = np.where(locked_sides, kind.code, planes[spec.name])
        trial = replace(
            base,
            shown=replace(base.composite, planes=planes),
            locked_cells=np.zeros_like(base.locked_cells),
            locked_sides=locked_sides,
            covered={},
        )
        return self._keeps_none(trial, int(locked_sides.sum()))

    def _keeps_none(self, trial: Base, lock_count: int) -> bool:
        """Return whether no map can keep any of the locks of a base, each looked at by itself."""
        impossible = self._generator.impossible_locks(self._settings, trial)
        return len(impossible) == lock_count

    def _is_covered(self, spec: PlaneSpec, cells: Sequence[int]) -> bool:
        """Return whether a layer above the roll sets a plane in one of the cells."""
        above = self._base.above
        if above is None or spec.name not in above.planes:
            return False
        is_set = above.planes[spec.name] != spec.unset
        return bool(is_set.reshape(self._base.grid.size, -1)[cells].any())
