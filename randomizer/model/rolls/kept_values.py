"""Values that were touched by hand and stay in a rolled layer when it is rolled again.

Most touched values move above the new roll (touch_ups.py). Two kinds stay in it, and are marked as
touched there again, so that the next roll decides anew:

- A value that another part of the roll covers. Above the roll it would cover that part itself.
- A value that is locked and that the new roll shows anyway, as its generator has built around it.

The layers of the new roll are not on the map yet. These functions return changed copies of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.model.planes.planes import ROLLED, TOUCHED
from randomizer.model.rolls.touched_values import store_rolled_values, touched_values

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.planes.planes import Plane


def with_covered_values(
    battlemap: BattleMap, positions: Sequence[int], new_layers: Sequence[Layer]
) -> list[Layer]:
    """Return the layers of a new roll, each with the covered touched values of its old part.

    ``positions`` are the stack positions of the old parts. A new layer has the id of the part that
    it replaces; values of a part that the new roll lacks are gone.
    """
    position_by_id = {battlemap.layers[position].id: position for position in positions}
    layers = []
    for new_layer in new_layers:
        position = position_by_id.get(new_layer.id)
        if position is None:
            layers.append(new_layer)
        else:
            layers.append(_with_covered_values_of(battlemap, positions, position, new_layer))
    return layers


def _with_covered_values_of(
    battlemap: BattleMap, positions: Sequence[int], position: int, new_layer: Layer
) -> Layer:
    """Return a layer of a new roll with the covered touched values of the part at ``position``."""
    old_layer = battlemap.layers[position]
    layer = new_layer
    for touched in touched_values(battlemap, position, positions):
        if len(touched.covered):
            spec = battlemap.system.plane(touched.name)
            old_values = old_layer.planes.get(spec.name, spec.allocate(battlemap.grid))
            layer = _with_touched(battlemap, layer, spec.name, touched.covered, old_values)
    return layer


class KeptAndMoving(NamedTuple):
    """Touched values, parted into those that stay in the roll and those that move above it."""

    layers: list[Layer]
    """The layers of the roll, of which the topmost has the values that stay."""

    moving: Layer
    """A layer of the values that do not stay."""


def keep_locked_values(
    battlemap: BattleMap, touched: Layer, roll_position: int, new_layers: Sequence[Layer]
) -> KeptAndMoving:
    """Part the values of ``touched``: locked ones that a new roll shows anyway stay in it.

    ``roll_position`` is the stack position of the lowest of ``new_layers``. The values that stay go
    into the topmost of these, where the generator is told of them the next time, too.
    """
    map_with_roll = [*battlemap.layers[:roll_position], *new_layers]
    topmost = new_layers[-1]
    moving_planes: dict[str, Plane] = {}
    for name, values in touched.planes.items():
        spec = battlemap.system.plane(name)
        moving_values = values
        locks = battlemap.locks(spec.element)
        if locks.any():
            is_shown_by_roll = battlemap.values(name, map_with_roll) == values
            stays = locks & (values != spec.unset) & is_shown_by_roll
            if stays.any():
                topmost = _with_touched(battlemap, topmost, name, np.flatnonzero(stays), values)
                moving_values = np.where(stays, spec.unset, values).astype(values.dtype)
        if (moving_values != spec.unset).any():
            moving_planes[name] = moving_values
    layers = [*new_layers[:-1], topmost]
    return KeptAndMoving(layers, moving=replace(touched, planes=moving_planes))


def _with_touched(
    battlemap: BattleMap, layer: Layer, plane_name: str, elements: NDArray[np.intp], values: Plane
) -> Layer:
    """Return a copy of a layer that has some values of a plane, marked as touched.

    ``values`` are those of the whole plane, of which those at the flat indices ``elements`` (n,)
    are set.
    """
    changed = _copy_for_touching(layer, plane_name)
    spec = battlemap.system.plane(plane_name)
    new_values = changed.planes.setdefault(plane_name, spec.allocate(battlemap.grid))
    # What the roll made there is stored before it is written over.
    store_rolled_values(battlemap.system, battlemap.grid, changed, plane_name, elements)
    new_values.flat[elements] = values.flat[elements]

    marks_spec = battlemap.system.plane(TOUCHED + plane_name)
    marks = changed.planes.setdefault(marks_spec.name, marks_spec.allocate(battlemap.grid))
    marks.flat[elements] = 1
    return changed


def _copy_for_touching(layer: Layer, plane_name: str) -> Layer:
    """Return a copy of a layer in which values of a plane can be changed and marked as touched.

    Only the arrays that this changes are copies: the values, their marks, and what was rolled.
    """
    planes = dict(layer.planes)
    for name in (plane_name, TOUCHED + plane_name, ROLLED + plane_name):
        if name in planes:
            planes[name] = planes[name].copy()
    return replace(layer, planes=planes)
