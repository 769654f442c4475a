"""Forcing locks: a roll without locks into which the locked values are put back.

    generated = force(generator, settings, key, base)
    generated.forced_elements      # what the roll had set otherwise: ("D4",)

Locks of a user can contradict what a generator makes, or be met too rarely. The result of forcing
them is usually no map that the generator makes. The values put back are marked as touched, as if a
hand had changed them: so the next roll of the layer keeps them. An *element* is a cell, a side or a
corner.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.base_terrains import in_one_terrain_set
from randomizer.generator import MapGenerator
from randomizer.generator_run import Progress, run
from randomizer.model.map.compositing import compose
from randomizer.model.map.layer import Layer
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import TOUCHED, Element
from randomizer.model.problems import Problem
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.rolls.touched_values import store_rolled_values
from randomizer.roll_base import Base
from randomizer.symmetric_rolls import check_symmetry

if TYPE_CHECKING:
    from randomizer.model.grid.grid import Grid
    from randomizer.model.system.system import System

_LOCK_CODES = frozenset({"lock-impossible", "locks-not-found"})
"""The codes of problems that a roll without locks does not have."""


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
    """Roll map ``key`` without locks, then put the locked values back into its topmost layer.

    ``Generated.forced_elements`` names the cells, sides and corners whose values were changed, none
    if the roll kept the locks by itself; ``Generated.notes`` hold the warnings. A roll that brings
    another grid comes back as it is: a locked cell has no counterpart there. None if cancelled.
    Raises ProblemError as the generator does.
    """
    check_symmetry(base, settings)
    generated = run(generator, settings, key, base.unlocked(), progress, cancelled)
    if generated is None:
        return None
    if generated.grid is not None and not generated.grid.same_as(base.grid):
        return generated
    # Both with codes of the terrain set that the map will have.
    base, generated = in_one_terrain_set(base, generated)
    layer = generated.layers[-1].copy()
    names = _put_back(layer, generated, base)
    if not names:
        return generated
    layers = (*generated.layers[:-1], layer)
    composite = _composite(base, layers)
    notes = generated.notes + generator.forced_faults(settings, base, composite.planes)
    return replace(generated, layers=layers, notes=notes, forced_elements=names)


def _composite(base: Base, layers: Sequence[Layer]) -> Composite:
    """Return what the layers of a roll show on top of the base."""
    return compose(base.system, base.terrain_set, base.grid, [base.as_layer(), *layers])


def _put_back(layer: Layer, generated: Generated, base: Base) -> tuple[str, ...]:
    """Write the locked values into ``layer``, a copy of the topmost layer of a roll.

    Returns the names of the elements that the roll had set otherwise, each once.
    """
    system = base.system
    grid = base.grid
    rolled = _composite(base, generated.layers)
    names: dict[str, None] = {}  # a set in the order of its entries
    for spec in system.shown_planes:
        # Which locked elements differ?
        locked_values = base.shown.planes[spec.name]
        is_changed = rolled.planes[spec.name] != locked_values
        elements = np.flatnonzero(base.locked_mask(spec) & is_changed)
        if not len(elements):
            continue

        # Set them, and mark them as touched. What the roll has set there is stored before.
        plane = layer.planes.setdefault(spec.name, spec.allocate(grid))
        store_rolled_values(system, grid, layer, spec.name, elements)
        plane.flat[elements] = locked_values.flat[elements]
        touched = system.plane(TOUCHED + spec.name)
        marks = layer.planes.setdefault(touched.name, touched.allocate(grid))
        marks.flat[elements] = 1
        for element in elements.tolist():
            names[_element_name(system, grid, spec.element, element)] = None
    return tuple(names)


def _element_name(system: System, grid: Grid, kind: Element, index: int) -> str:
    """Return the name of a cell, a side or a corner; ``index`` is its flat index in a plane."""
    if kind is Element.CORNER:
        return system.corner_name(grid, index)
    if kind is Element.CELL:
        return system.cell_name(grid, index)
    cell, side = divmod(index, grid.degree)
    return f"the {grid.layout.side_names[side]} side of {system.cell_name(grid, cell)}"
