"""Rolled layers of a map: which of them are one roll, what a hand touched, what lies above a roll.

It makes no edits, so that a roll on the command line need not load them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from randomizer.model.map.compositing import overlay
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Roll
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

    Parts that were thrown again on their own still belong to it: same seed and number, each part
    once.
    """
    index = battlemap.index_of(layer_id)
    first = battlemap.layers[index].roll
    positions = [index]
    if first is None or not first.part:
        return positions
    same = _of_one_roll(first)
    seen = {first.part}
    for above, layer in enumerate(battlemap.layers[index + 1 :], index + 1):
        roll = layer.roll
        if roll is None or not roll.part or roll.part in seen or _of_one_roll(roll) != same:
            break
        seen.add(roll.part)
        positions.append(above)
    return positions


def _of_one_roll(roll: Roll) -> tuple[object, ...]:
    texts = tuple(roll.texts.items())
    return roll.generator, roll.script_name, roll.script, texts, roll.seed, roll.number


def first_part(battlemap: BattleMap, layer_id: int) -> int:
    """Return the id of the lowest layer of the roll that a layer is a part of."""
    index = battlemap.index_of(layer_id)
    while index and battlemap.index_of(layer_id) in parts_from(
        battlemap, battlemap.layers[index - 1].id
    ):
        index -= 1
    return battlemap.layers[index].id


# --- what a hand touched, and what lies above -----------------------------------------------------


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
    """Yield the touched values of the layer at ``position``; one that was erased is what shows
    there.
    """
    layer = battlemap.layers[position]
    above = [
        battlemap.layers[layer_position]
        for layer_position in positions
        if layer_position > position
    ]
    for name, marks in layer.planes.items():
        if name.startswith(TOUCHED):
            where = np.flatnonzero(marks)
        else:
            where = np.empty(0, np.intp)
        if not len(where):
            continue
        plane = name.removeprefix(TOUCHED)
        spec = battlemap.system.plane(plane)
        covered = np.zeros(len(where), np.bool_)
        for part in above:
            if part.visible is layer.visible and plane in part.planes:
                covered |= part.planes[plane].flat[where] != spec.unset
        hidden = where[covered]
        where = where[~covered]
        own_values = layer.planes.get(plane, spec.allocate(battlemap.grid)).flat[where]
        shown_values = battlemap.values(plane, battlemap.layers[:position]).flat[where]
        yield TouchedValues(
            plane, where, np.where(own_values == spec.unset, shown_values, own_values), hidden
        )


def touched_properties(battlemap: BattleMap, position: int) -> dict[str, Any]:
    """Return the touched properties of a rolled layer; one that was unset is the value that
    shows.
    """
    layer = battlemap.layers[position]
    shows = {**battlemap.composite(position).properties, **layer.properties}
    return {
        name: battlemap.system.property(name).of(shows) for name in sorted(layer.touched_properties)
    }


def touched_layer(battlemap: BattleMap, positions: Sequence[int], *, visible: bool) -> Layer:
    """Return all that was touched in the rolled layers at ``positions``, as one layer that has it
    set.

    Of these only the visible layers count, or only the hidden ones. It is secret if one of them is.
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
    """Return what a hand painted below a stack position, as one layer that has it set.

    That is what visible layers that were not rolled set and what was touched in visible rolls, as
    far as it shows, with the title and other properties that were set by hand. A layer from a file
    is a map on which one rolls, not paint: a title of a script goes before its title. So are the
    cells of a layer that sets the terrain of every cell. The result is secret if one of the layers
    is.
    """
    painted = Layer(0, "")
    system = battlemap.system
    for position, layer in enumerate(battlemap.layers[:below]):
        if not layer.visible:
            continue
        if layer.roll is not None or layer.from_file or is_whole(battlemap, layer):
            source = touched_layer(battlemap, [position], visible=True)
            _uncover(battlemap, painted, layer)
        else:
            source = layer
        if layer.roll is None and not layer.from_file:
            painted.properties.update(layer.properties)
        else:
            painted.properties.update(source.properties)
        holds_any = False
        for spec in system.shown_planes:
            if spec.name not in source.planes:
                continue
            values = source.planes[spec.name]
            is_set = values != spec.unset
            if is_set.any():
                holds_any = True
                target = painted.planes.setdefault(spec.name, spec.allocate(battlemap.grid))
                target[is_set] = values[is_set]
        painted.secret |= holds_any and layer.secret
    for layer in battlemap.layers[below:]:
        if layer.visible:
            _uncover(battlemap, painted, layer)
    return painted


def _uncover(battlemap: BattleMap, painted: Layer, above: Layer) -> None:
    """Take out of ``painted`` what a layer above it covers."""
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
    mask = battlemap.grid.mask
    return bool((is_set if mask is None else is_set[mask]).all())


def touched_things(layer: Layer) -> tuple[Thing, ...]:
    """Return the things of a rolled layer that a hand moved or changed."""
    return tuple(thing for thing in layer.things.values() if thing.touched)


def layer_above(battlemap: BattleMap, below: int, positions: Sequence[int]) -> Layer | None:
    """Return all that will lie above a roll, as one layer; None if nothing will.

    The roll goes to stack position ``below``: then it is also what was painted below it, which is
    copied above it. Or it replaces the layers at ``positions``: then it is also what was touched in
    these, which moves above the new roll. What is touched in a hidden one stays hidden.
    """
    if positions:
        lifted = touched_layer(battlemap, positions, visible=True)
    else:
        lifted = painted_layer(battlemap, below)
    above = battlemap.layers[max([below, *(position + 1 for position in positions)]) :]
    result = Layer(0, "")
    layers = [
        lifted,
        *(layer for layer in above if layer.visible),
    ]
    for spec in battlemap.system.shown_planes:
        if any(spec.name in layer.planes for layer in layers):
            values = spec.allocate(battlemap.grid)
            overlay(values, spec, layers)
            if (values != spec.unset).any():
                result.planes[spec.name] = values
    for layer in layers:
        result.properties.update(layer.properties)
        result.things.exchange((), layer.things.values())
    if result.planes or result.properties or result.things:
        return result
    return None
