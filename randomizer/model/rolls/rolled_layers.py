"""Rolled layers of a map: which of them are one roll, what a hand touched, what lies above a roll.

A roll makes one layer or several, its *parts* (``Roll.part``). A value of a rolled layer that a
hand has changed is *touched*: when the layer is rolled again, it moves above the new roll
(touch_ups.py). A generator is told beforehand what will lie above its roll (``layer_above``).

This module makes no edits, so that a roll on the command line need not load them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.compositing import overlay
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import ROLLED, TOUCHED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Roll
    from randomizer.model.system.system import System
    from randomizer.model.things.things import Thing

# --- the layers of one roll -----------------------------------------------------------------------


def rolled_layer(battlemap: BattleMap, active: Layer | None = None) -> Layer | None:
    """Return the layer that a re-roll replaces: the active one, else the topmost, if it was rolled.

    Hidden layers are considered only if they are active. Of a roll of several layers it is the
    lowest. None if no layer was rolled.
    """
    rolled = [layer for layer in battlemap.layers if layer.roll and layer.visible]
    if active is not None and active.roll is not None:
        rolled.append(active)
    if rolled:
        return battlemap.layer(first_part(battlemap, rolled[-1].id))
    return None


def parts_from(battlemap: BattleMap, layer_id: int) -> list[int]:
    """Return the stack positions of a rolled layer and of the parts of its roll directly above it.

    Parts that were thrown again on their own still belong to it: their seed and number are the
    same. A part that occurs a second time begins another roll.
    """
    index = battlemap.index_of(layer_id)
    first_roll = battlemap.layers[index].roll
    positions = [index]
    if first_roll is None or not first_roll.part:
        return positions
    parts = {first_roll.part}
    for position in range(index + 1, len(battlemap.layers)):
        roll = battlemap.layers[position].roll
        if roll is None or not roll.part or roll.part in parts:
            break
        if _identity(roll) != _identity(first_roll):
            break
        parts.add(roll.part)
        positions.append(position)
    return positions


def _identity(roll: Roll) -> tuple[object, ...]:
    """Return what is the same for all parts of one roll, and for no part of another."""
    texts = tuple(roll.texts.items())
    return roll.generator, roll.script_name, roll.script, texts, roll.seed, roll.number


def first_part(battlemap: BattleMap, layer_id: int) -> int:
    """Return the id of the lowest layer of the roll that a layer is a part of."""
    position = battlemap.index_of(layer_id)
    first_position = position
    while first_position > 0:
        layer_below = battlemap.layers[first_position - 1]
        if position not in parts_from(battlemap, layer_below.id):
            break
        first_position -= 1
    return battlemap.layers[first_position].id


# --- what a hand touched, and what lies above -----------------------------------------------------


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


class TouchedValues(NamedTuple):
    """The touched values of one plane of a rolled layer."""

    plane: str
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
    """Return one layer that sets all that was touched in the rolled layers at ``positions``.

    Of these only the visible layers count, or only the hidden ones, as ``visible`` says. The result
    is secret if one of them is.
    """
    touched = Layer(0, "", visible)
    for position in positions:
        layer = battlemap.layers[position]
        if layer.visible is not visible:
            continue
        touched.secret |= layer.secret
        for plane, where, values, _covered in touched_values(battlemap, position, positions):
            spec = battlemap.system.plane(plane)
            touched.planes.setdefault(plane, spec.allocate(battlemap.grid)).flat[where] = values
        touched.properties.update(touched_properties(battlemap, position))
        things = (replace(thing, touched=False) for thing in touched_things(layer))
        touched.things.exchange((), things)
    return touched


def painted_layer(battlemap: BattleMap, below: int) -> Layer:
    """Return one layer that sets what a hand painted below a stack position, as far as it shows.

    The result is secret if one of the layers is that add values to it. Terrains of four cells::

        rolled, * touched      -  -  5* 5        covers what is painted below it
        painted                7  7  7  -
        a map from a file      1  1  1  1        no paint, though it was not rolled
        result                 7  7  5  -
    """
    painted = Layer(0, "")
    for position, layer in enumerate(battlemap.layers[:below]):
        if not layer.visible:
            continue
        paint = layer
        if not _is_painted(battlemap, layer):
            # Only what was touched in it is paint; the rest covers what is painted below.
            paint = touched_layer(battlemap, [position], visible=True)
            _remove_covered(battlemap, painted, layer)
        _add_planes(battlemap, painted, paint)
        if layer.roll is None and not layer.from_file:
            # Also those of a layer that sets every cell: a hand has set them.
            painted.properties.update(layer.properties)
        else:
            painted.properties.update(paint.properties)
        if layer.secret and _sets_values(battlemap, paint):
            painted.secret = True
    for layer in battlemap.layers[below:]:
        if layer.visible:
            _remove_covered(battlemap, painted, layer)
    return painted


def _is_painted(battlemap: BattleMap, layer: Layer) -> bool:
    """Return whether all of a layer is paint: it was neither rolled nor read from a file.

    A layer from a file is a map on which one rolls, and the title of a script goes before its
    title. A layer that sets the terrain of every cell is such a map, too.
    """
    return layer.roll is None and not layer.from_file and not is_whole(battlemap, layer)


def _add_planes(battlemap: BattleMap, painted: Layer, paint: Layer) -> None:
    """Set in ``painted`` what ``paint`` sets in its planes."""
    for spec in battlemap.system.shown_planes:
        values = paint.planes.get(spec.name)
        if values is None:
            continue
        is_set = values != spec.unset
        if is_set.any():
            target = painted.planes.setdefault(spec.name, spec.allocate(battlemap.grid))
            target[is_set] = values[is_set]


def _sets_values(battlemap: BattleMap, layer: Layer) -> bool:
    """Return whether a layer sets a value in any of its shown planes."""
    for spec in battlemap.system.shown_planes:
        if spec.name in layer.planes and (layer.planes[spec.name] != spec.unset).any():
            return True
    return False


def _remove_covered(battlemap: BattleMap, painted: Layer, above: Layer) -> None:
    """Remove from ``painted`` what a layer above it covers."""
    for name in above.properties:
        painted.properties.pop(name, None)
    for name, values in list(painted.planes.items()):
        spec = battlemap.system.plane(name)
        if name in above.planes:
            values[above.planes[name] != spec.unset] = spec.unset
        if (values == spec.unset).all():
            del painted.planes[name]


def is_whole(battlemap: BattleMap, layer: Layer) -> bool:
    """Return whether a layer sets the terrain of every cell, as the layer of a file does."""
    plane = battlemap.system.terrain
    if plane is None or plane.name not in layer.planes:
        return False
    is_set = layer.planes[plane.name] != plane.unset
    if battlemap.grid.mask is not None:
        is_set = is_set[battlemap.grid.mask]
    return bool(is_set.all())


def touched_things(layer: Layer) -> tuple[Thing, ...]:
    """Return the things of a rolled layer that a hand moved or changed."""
    return tuple(thing for thing in layer.things.values() if thing.touched)


def layer_above(battlemap: BattleMap, below: int, positions: Sequence[int]) -> Layer | None:
    """Return one layer of all that will lie above a roll; None if nothing will.

    A re-roll replaces the layers at ``positions``. What was touched in these moves above the new
    roll, so that it is part of the result; what is touched in a hidden one stays hidden. A first
    roll has no ``positions``, and goes to stack position ``below``. What was painted below it is
    copied above it, so that this is part of the result.
    """
    if positions:
        moved = touched_layer(battlemap, positions, visible=True)
    else:
        moved = painted_layer(battlemap, below)
    first_above = max([below, *(position + 1 for position in positions)])
    layers = [moved]
    layers += [layer for layer in battlemap.layers[first_above:] if layer.visible]

    above = Layer(0, "")
    for spec in battlemap.system.shown_planes:
        if any(spec.name in layer.planes for layer in layers):
            values = spec.allocate(battlemap.grid)
            overlay(values, spec, layers)
            if (values != spec.unset).any():
                above.planes[spec.name] = values
    for layer in layers:
        above.properties.update(layer.properties)
        above.things.exchange((), layer.things.values())
    if above.planes or above.properties or above.things:
        return above
    return None
