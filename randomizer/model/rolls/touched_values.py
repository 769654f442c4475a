"""What a hand has touched in rolled layers: values of planes, properties and things.

A value of a rolled layer that a person has changed is *touched*: it has a mark in the plane
``TOUCHED + name``. When the layer is rolled again, it moves above the new roll (touch_ups.py). Of
the *parts* of one roll (rolled_layers.py) an upper one can cover touched values of a lower one::

    elevation of cells
    rivers (upper part)     -  2  -
    hills (lower part)      1* 3* 0        of the touched values, 1 shows and 3 is covered

This module makes no edits, so that a roll on the command line need not load them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import ROLLED, TOUCHED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.system.system import System
    from randomizer.model.things.things import Thing


class TouchedValues(NamedTuple):
    """The touched values of one plane of a rolled layer."""

    name: str
    """The name of the plane."""

    where: NDArray[np.intp]
    """The flat indices of touched values that no other part of the roll covers, (n,)."""

    values: NDArray[Any]
    """The values that show at ``where``, (n,)."""

    covered: NDArray[np.intp]
    """The flat indices of the other touched values: a part of the same roll above covers them."""


def touched_values(
    battlemap: BattleMap, position: int, positions: Sequence[int]
) -> Iterator[TouchedValues]:
    """Yield the touched values of the layer at ``position``, plane by plane.

    ``positions`` are those of all parts of its roll. A touched value that a hand has erased counts
    as the value of the layers below that shows there.
    """
    layer = battlemap.layers[position]
    parts_above = [battlemap.layers[number] for number in positions if number > position]
    for name, marks in layer.planes.items():
        if not name.startswith(TOUCHED):
            continue
        touched = np.flatnonzero(marks)
        if not len(touched):
            continue
        plane = name.removeprefix(TOUCHED)
        spec = battlemap.system.plane(plane)
        is_covered = np.zeros(len(touched), np.bool_)
        for part in parts_above:
            if part.visible is layer.visible and plane in part.planes:
                is_covered |= part.planes[plane].flat[touched] != spec.unset
        where = touched[~is_covered]
        own_values = layer.planes.get(plane, spec.allocate(battlemap.grid)).flat[where]
        values_below = battlemap.values(plane, battlemap.layers[:position]).flat[where]
        values = np.where(own_values == spec.unset, values_below, own_values)
        yield TouchedValues(plane, where, values, touched[is_covered])


def touched_properties(battlemap: BattleMap, position: int) -> dict[str, Any]:
    """Return the touched properties of a rolled layer by name.

    A property that a hand has unset has the value of the layers below, which shows.
    """
    layer = battlemap.layers[position]
    properties_below = battlemap.composite(position).properties
    shown_properties = {**properties_below, **layer.properties}
    touched = {}
    for name in sorted(layer.touched_properties):
        touched[name] = battlemap.system.property_named(name).of(shown_properties)
    return touched


def touched_layer(battlemap: BattleMap, positions: Sequence[int], *, visible: bool) -> Layer:
    """Return a new layer that sets all that was touched in the rolled layers at ``positions``.

    Of these only the visible layers count, or only the hidden ones, as ``visible`` says. The result
    is secret if one of them is; it has no id yet.
    """
    touched = Layer(0, "", visible)
    for position in positions:
        layer = battlemap.layers[position]
        if layer.visible is not visible:
            continue
        touched.secret |= layer.secret
        for plane in touched_values(battlemap, position, positions):
            spec = battlemap.system.plane(plane.name)
            target = touched.planes.setdefault(plane.name, spec.allocate(battlemap.grid))
            target.flat[plane.where] = plane.values
        touched.properties.update(touched_properties(battlemap, position))
        things = (replace(thing, touched=False) for thing in touched_things(layer))
        touched.things.add(things)
    return touched


def is_changed_by_hand(battlemap: BattleMap, positions: Sequence[int]) -> bool:
    """Return whether a hand has changed any of the rolled layers at ``positions``.

    A roll in their place keeps these changes if it has the same grid; else it does not.
    """
    for visible in (True, False):
        touched = touched_layer(battlemap, positions, visible=visible)
        if holds_anything(battlemap.system, touched):
            return True
    return False


def holds_anything(system: System, layer: Layer) -> bool:
    """Return whether a layer has things, properties, or values that are set."""
    if layer.things or layer.properties:
        return True
    return any((values != system.plane(name).unset).any() for name, values in layer.planes.items())


def touched_things(layer: Layer) -> tuple[Thing, ...]:
    """Return the things of a rolled layer that a hand moved or changed."""
    return tuple(thing for thing in layer.things.values() if thing.touched)


def store_rolled_values(
    system: System, grid: Grid, layer: Layer, plane: str, elements: NDArray[np.intp]
) -> None:
    """Store what a roll made at flat indices of a plane that is about to be marked as touched.

    The layer is a new roll, which is not on the map yet.
    """
    if not system.stores_rolled_values:
        return
    spec = system.plane(ROLLED + plane)
    stored_values = layer.planes.setdefault(spec.name, spec.allocate(grid))
    stored_values.flat[elements] = layer.planes[plane].flat[elements]
