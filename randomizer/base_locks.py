"""Bases of rolls with other locks: which values a roll must keep is changed here.

    base = with_paint_above(base)                    # painted and locked values lie above the roll
    base = with_locked_values(base, planes, masks)   # the locks of a recipe

A lock binds a roll only where nothing covers it (``Base.locked_mask``). So the functions change
locks, ``Base.covered`` and the layers above together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from randomizer.model.planes.planes import Element
from randomizer.roll_base import Base, layer_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.planes import Plane, PlaneSpec


def with_paint_above(base: Base) -> Base:
    """Return a base with all locked values above the roll that no roll has made.

    The roll may then have any value below them, as below a layer that covers it. A person who
    paints a lake and locks it does not ask for the one map in a million that has a lake there by
    itself, which a search would look for without end (docs/adr/0005-targets.md).
    """
    covered = dict(base.covered)
    paint: dict[str, Plane] = {}
    for name, is_not_rolled in base.not_rolled.items():
        spec = base.system.plane(name)
        is_freed = base.locked_mask(spec) & is_not_rolled
        if not is_freed.any():
            continue
        if name in covered:
            covered[name] = covered[name] | is_freed
        else:
            covered[name] = is_freed
        # What a layer above sets already stays on top of the paint.
        is_painted = is_freed & (_values_above(base, spec) == spec.unset)
        if is_painted.any():
            paint[name] = np.where(is_painted, base.shown.planes[name], spec.unset)
    freed_base = replace(base, covered=covered)
    if not paint:
        return freed_base
    above = _layer_above_on_paint(base, paint)
    return replace(freed_base, paint_above=layer_of(paint), above=above)


def _layer_above_on_paint(base: Base, paint: Mapping[str, Plane]) -> Layer:
    """Return a layer that shows ``base.above``, and below that the planes of ``paint``."""
    planes: dict[str, Plane] = {}
    if base.above is not None:
        planes.update(base.above.planes)
    for name, painted_values in paint.items():
        spec = base.system.plane(name)
        values_above = _values_above(base, spec)
        planes[name] = np.where(values_above == spec.unset, painted_values, values_above)
    if base.above is None:
        return layer_of(planes)
    return base.above.copy(planes=planes)


def _values_above(base: Base, spec: PlaneSpec) -> Plane:
    """Return the values that ``base.above`` sets in a plane, in its shape."""
    values: Plane | None = None
    if base.above is not None:
        values = base.above.planes.get(spec.name)
    if values is None:
        return spec.allocate(base.grid)
    return values


def with_locked_values(
    base: Base,
    shown_planes: Mapping[str, NDArray[Any]],
    masks: Mapping[str, NDArray[np.bool_]],
) -> Base:
    """Return a base with other locks: a roll must keep certain values of some planes.

    Where the mask of a plane is True, the value of ``shown_planes`` must be kept; elsewhere nothing
    binds the roll. Both have all shown planes by name, in their shapes.
    """
    # A base has locks of cells, which hold for all their planes. So a cell is locked if any of its
    # planes is to be kept ...
    locked_cells = np.zeros_like(base.locked_cells)
    locked_sides = np.zeros_like(base.locked_sides)
    for spec in base.system.shown_planes:
        # Locks of corners follow from those of cells.
        if spec.element is Element.CELL:
            locked_cells |= masks[spec.name]
        elif spec.element is Element.SIDE:
            locked_sides |= masks[spec.name]
    # ... and its other planes are marked as covered, where a lock does not bind.
    covered = {name: ~mask for name, mask in masks.items()}
    return replace(
        base,
        shown=replace(base.shown, planes=dict(shown_planes)),
        locked_cells=locked_cells,
        locked_sides=locked_sides,
        covered=covered,
    )
