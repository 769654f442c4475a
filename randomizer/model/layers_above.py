"""What will lie above a roll: the layers above it, and touched values of the roll that it replaces.

It makes no edits, so that a roll on the command line need not load them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.battlemap import BattleMap
from randomizer.model.compositing import overlay
from randomizer.model.layer import Layer
from randomizer.model.planes import TOUCHED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


class TouchedValues(NamedTuple):
    """The touched values of one plane of a rolled layer, as they show, at flat indices ``where``.

    ``covered`` are the flat indices of those that are not among them, since a part of the same roll
    covers them.
    """

    plane: str
    where: NDArray[np.intp]
    values: NDArray[Any]
    covered: NDArray[np.intp]


def touched_values(
    battlemap: BattleMap, position: int, positions: Sequence[int]
) -> Iterator[TouchedValues]:
    """The touched values of the layer at ``position``; one that was erased is what shows there."""
    layer = battlemap.layers[position]
    above = [battlemap.layers[each] for each in positions if each > position]
    for name, marks in layer.planes.items():
        where = np.flatnonzero(marks) if name.startswith(TOUCHED) else np.empty(0, np.intp)
        if not len(where):
            continue
        plane = name.removeprefix(TOUCHED)
        spec = battlemap.system.plane(plane)
        covered = np.zeros(len(where), np.bool_)
        for part in above:
            if part.visible is layer.visible and plane in part.planes:
                covered |= part.planes[plane].flat[where] != spec.unset
        hidden, where = where[covered], where[~covered]
        own = layer.planes.get(plane, spec.allocate(battlemap.grid)).flat[where]
        shown = battlemap.values(plane, battlemap.layers[:position]).flat[where]
        yield TouchedValues(plane, where, np.where(own == spec.unset, shown, own), hidden)


def touched_properties(battlemap: BattleMap, position: int) -> dict[str, Any]:
    """The touched properties of a rolled layer; one that was unset is the value that shows."""
    layer = battlemap.layers[position]
    shows = {**battlemap.composite(position).properties, **layer.properties}
    return {
        name: battlemap.system.property(name).of(shows) for name in sorted(layer.touched_properties)
    }


def layer_above(battlemap: BattleMap, below: int, positions: Sequence[int]) -> Layer | None:
    """All that will lie above a roll, as one layer; None if nothing will.

    The roll goes to stack position ``below`` or replaces the layers at ``positions``: then it is
    also what was touched in these, which moves above the new roll.
    """
    above = battlemap.layers[max([below, *(position + 1 for position in positions)]) :]
    moving = Layer(0, "")
    for position in positions:
        layer = battlemap.layers[position]
        if not layer.visible:
            continue  # what is touched in it stays hidden
        for plane, where, values, _covered in touched_values(battlemap, position, positions):
            spec = battlemap.system.plane(plane)
            moving.planes.setdefault(plane, spec.allocate(battlemap.grid)).flat[where] = values
        moving.properties.update(touched_properties(battlemap, position))
        moving.things.exchange((), [thing for thing in layer.things.values() if thing.touched])
    result = Layer(0, "")
    layers = [moving, *(layer for layer in above if layer.visible)]
    for spec in battlemap.system.shown_planes:
        if any(spec.name in layer.planes for layer in layers):
            values = spec.allocate(battlemap.grid)
            overlay(values, spec, layers)
            if (values != spec.unset).any():
                result.planes[spec.name] = values
    for layer in layers:
        result.properties.update(layer.properties)
        result.things.exchange((), layer.things.values())
    return result if result.planes or result.properties or result.things else None
