"""Forcing locks: a roll without locks into which the locked values are put back.

The result is usually no map that the generator makes. The values put back are marked as touched by
hand, so that all other values of the layer are those of its ``Roll``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.generator import Base, DrawKey, MapGenerator, Progress, check_symmetry, run
from randomizer.model.map.compositing import compose
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED, Place
from randomizer.model.problems import Problem
from randomizer.model.rolls.generated import Generated

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.system.system import System

_LOCK_CODES = frozenset({"lock-impossible", "locks-not-found"})


def can_be_forced(problems: Iterable[Problem]) -> bool:
    """Return whether a roll failed because of its locks alone, so that ``force`` can succeed."""
    return {problem.code for problem in problems} <= _LOCK_CODES


def force(
    generator: MapGenerator,
    settings: Mapping[str, object],
    key: DrawKey,
    base: Base,
    progress: Progress = lambda _percent: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Generated | None:
    """Roll map ``key`` ignoring locks, then put the locked values back into its topmost layer.

    ``put_back`` names the places changed, empty if the roll kept the locks by itself; the notes
    hold the warnings. None if cancelled. Raises ProblemError as the generator does.
    """
    check_symmetry(base, settings)
    generated = run(generator, settings, key, base.unlocked(), progress, cancelled)
    if generated is None:
        return None
    if generated.grid is not None and not generated.grid.same_as(base.grid):
        return generated  # what is locked has no place on another grid
    base, generated = base.in_terms_of(generated)
    layer, names = _put_back(generated, base)
    if not names:
        return generated
    layers = (*generated.layers[:-1], layer)
    shown = compose(base.system, base.terrain_set, base.grid, [base.as_layer(), *layers])
    notes = generated.notes
    notes += generator.forced_faults(settings, base, shown.planes)
    return replace(generated, layers=layers, notes=notes, put_back=tuple(names))


def _put_back(generated: Generated, base: Base) -> tuple[Layer, list[str]]:
    """Return the topmost layer with the locked values, and the names of the places that
    differed.
    """
    system = base.system
    grid = base.grid
    layer = generated.layers[-1].copy()
    free = compose(system, base.terrain_set, grid, [base.as_layer(), *generated.layers])
    names: dict[str, None] = {}
    for spec in system.shown_planes:
        locked_values = base.shown.planes[spec.name]
        where = np.flatnonzero(base.locked_mask(spec) & (free.planes[spec.name] != locked_values))
        if not len(where):
            continue
        touched = system.plane(TOUCHED + spec.name)
        plane = layer.planes.setdefault(spec.name, spec.allocate(grid))
        marks = layer.planes.setdefault(touched.name, touched.allocate(grid))
        plane.flat[where] = locked_values.flat[where]
        marks.flat[where] = 1
        for place in where.tolist():
            names[_place_name(system, grid, spec.place, place)] = None
    return layer, list(names)


def _place_name(system: System, grid: Grid, place: Place, index: int) -> str:
    if place is Place.CORNER:
        return system.corner_name(grid, index)
    if place is Place.CELL:
        return system.cell_name(grid, index)
    cell, side = divmod(index, grid.degree)
    return f"the {grid.layout.side_names[side]} side of {system.cell_name(grid, cell)}"
