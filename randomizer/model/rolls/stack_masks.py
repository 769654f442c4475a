"""Masks of a stack of layers: what a roll in it must keep, and where it cannot be seen.

Each mask is an array of bool in the shape of a plane: (height, width) for cells. *Replaced layers*
are the rolled layers in whose place a roll goes, one or several parts of an earlier roll. *Touched*
values of a rolled layer are those that a hand has changed since.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.planes.planes import TOUCHED, Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer


def covered_masks(battlemap: BattleMap, stack_position: int) -> dict[str, NDArray[np.bool_]]:
    """Return by plane what visible layers from a stack position on set; {} if they set nothing."""
    masks: dict[str, NDArray[np.bool_]] = {}
    for layer in battlemap.layers[stack_position:]:
        if not layer.visible:
            continue
        for spec in battlemap.system.shown_planes:
            values = layer.planes.get(spec.name)
            if values is None:
                continue
            is_set = values != spec.unset
            if is_set.any():
                mask = masks.setdefault(spec.name, np.zeros(values.shape, np.bool_))
                mask |= is_set
    return masks


def not_rolled_masks(battlemap: BattleMap, layers: Sequence[Layer]) -> dict[str, NDArray[np.bool_]]:
    """Return by plane where no roll has made the value that layers show, the lowest first.

    That is where a value was painted, touched, came with a file, or was not set at all. {} without
    locks: only locked values are asked for.
    """
    if not battlemap.locked_cells.any() and not battlemap.locked_sides.any():
        return {}
    masks: dict[str, NDArray[np.bool_]] = {}
    for spec in battlemap.system.shown_planes:
        is_rolled = np.zeros(spec.shape(battlemap.grid), np.bool_)
        for layer in layers:
            values = layer.planes.get(spec.name)
            if not layer.visible or values is None:
                continue
            is_set = values != spec.unset
            is_rolled &= ~is_set  # this layer hides what a lower one has rolled
            if layer.roll is None:
                continue
            marks = layer.planes.get(TOUCHED + spec.name)
            if marks is not None:
                is_set &= marks == 0
            is_rolled |= is_set
        masks[spec.name] = ~is_rolled
    return masks


def cells_of_locked_parts(
    battlemap: BattleMap, replaced_layers: Sequence[Layer]
) -> NDArray[np.bool_]:
    """Return a mask (height, width) of the cells that locked layers of a roll in parts set.

    A roll of one layer has no parts, so its lock counts for nothing here.
    """
    mask = np.zeros_like(battlemap.locked_cells)
    if len(replaced_layers) < 2:
        return mask
    for layer in replaced_layers:
        if not layer.locked:
            continue
        for spec in battlemap.system.shown_planes:
            if spec.element is Element.CELL and spec.name in layer.planes:
                mask |= layer.planes[spec.name] != spec.unset
    return mask


def names_on_locked_cells(battlemap: BattleMap) -> tuple[str, ...]:
    """Return the labels of visible things on locked cells, in alphabetical order."""
    is_locked = battlemap.locked_cells.reshape(-1)
    if not is_locked.any():
        return ()
    names = set()
    for thing in battlemap.visible_things():
        cell = battlemap.grid.cell_at(thing.x, thing.y)
        if thing.label and cell >= 0 and is_locked[cell]:
            names.add(thing.label)
    return tuple(sorted(names))
