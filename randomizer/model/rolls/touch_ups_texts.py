"""Texts about layers of Touch-ups (touch_ups.py): what they are called, and what they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.basics.plurals import listed
from randomizer.model.planes.planes import Element
from randomizer.model.rolls.touch_ups import TOUCH_UPS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer


def touch_ups_name(battlemap: BattleMap, positions: Sequence[int]) -> str:
    """Return the name of the layer to which touched values move, for a text that says so.

    The values are those of the visible rolled layers at ``positions``. Layers between that cover
    some of the values, because of which a new layer would take all, are not looked at: the text is
    wanted while the pointer moves.
    """
    rolled_layers = [battlemap.layers[position] for position in positions]
    rolled_ids = {layer.id for layer in rolled_layers}
    is_secret = any(layer.secret for layer in rolled_layers)
    for layer in battlemap.layers[positions[-1] + 1 :]:
        can_take_values = layer.roll is None and layer.visible and not layer.locked
        would_reveal_secret = is_secret and not layer.secret
        if can_take_values and not would_reveal_secret and layer.touch_ups_of in rolled_ids:
            return layer.name
    return TOUCH_UPS


def change_names(battlemap: BattleMap, layer: Layer, most: int) -> list[str]:
    """Return what a layer of Touch-ups sets, a cell each: "A3 terrain and elevation".

    Cells come first, in their order; of a hexside its cell is named. Corners, properties and things
    follow. The list has ``most`` names at most.
    """
    system = battlemap.system
    grid = battlemap.grid
    planes_by_cell: dict[int, list[str]] = {}
    further_names: list[str] = []
    for name, values in layer.planes.items():
        spec = system.plane(name)
        if not spec.shown:
            continue
        # A layer can set thousands of values. The first ``most`` cells have no more than these: one
        # each, or one for each of their sides.
        elements = np.flatnonzero(values != spec.unset)[: most * grid.degree].tolist()
        if spec.element is Element.CORNER:
            corner_names = [system.corner_name(grid, corner) for corner in elements]
            further_names += [f"{corner_name} {name}" for corner_name in corner_names]
            continue
        for element in elements:
            cell = element
            if spec.element is Element.SIDE:
                cell = element // grid.degree
            planes = planes_by_cell.setdefault(cell, [])
            if name not in planes:
                planes.append(name)
    names = []
    for cell, planes in sorted(planes_by_cell.items()):
        names.append(f"{system.cell_name(grid, cell)} {listed(planes)}")
    further_names += [system.property_named(name).title for name in layer.properties]
    further_names += [thing.label or thing.kind for thing in layer.things.values()]
    return [*names, *further_names][:most]
