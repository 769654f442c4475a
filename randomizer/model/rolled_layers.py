"""Edits of rolled layers: roll in, roll again, and what was touched by hand moves to Touch-ups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import Compound, Edit, LayerInsert, LayerRemove, LayerReplace
from randomizer.model.layer import EMPTY_PROPERTIES, Layer, Roll, roll_name
from randomizer.model.layering import LayerStep, insert_layer
from randomizer.model.planes import TOUCHED, Place, Plane

if TYPE_CHECKING:
    from collections.abc import Sequence

TOUCH_UPS = "Touch-ups"
"""The name of the layers that take the touched values of rolled layers below."""


def roll_in(battlemap: BattleMap, rolled: Layer, active: int | None) -> LayerStep:
    """Insert a new rolled layer above the active one. ``rolled`` gets an id of this map."""
    layer = rolled.copy(id=battlemap.free_layer_id())
    return LayerStep(insert_layer(battlemap, layer, active), layer.id)


def roll_again(battlemap: BattleMap, layer_id: int, rolled: Layer) -> LayerStep:
    """Replace the layer's contents by ``rolled``; touched values move to Touch-ups above it.

    Locked places that look the same in the new roll do not move: unlocked, they are the script's
    again. A touched place that was *erased* moves with the value that showed there, so that it
    looks the same after the re-roll. A name that the user gave the layer stays, as do ``extras``.
    """
    index = battlemap.index_of(layer_id)
    old = battlemap.layers[index]
    renamed = old.roll is None or old.name != roll_name(old)
    replacement = rolled.copy(
        id=old.id,
        visible=old.visible,
        name=old.name if renamed else rolled.name,
        extras={**old.extras, **rolled.extras},
    )
    edits: list[Edit] = [LayerReplace(index, old, replacement)]
    planes, count = _touched_planes(battlemap, index, replacement)
    properties = _touched_properties(battlemap, index)
    if planes or properties:
        edits.append(_merge_above(battlemap, index, planes, properties))
    return LayerStep(Compound(tuple(edits)), layer_id, count + len(properties))


def roll_on(
    battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer], *, replaces: bool
) -> LayerStep:
    """Put a roll in place of the layer (and the other parts of its roll), or above it."""
    if len(rolled) > 1:
        roll_parts = roll_parts_again if replaces else roll_parts_in
        return roll_parts(battlemap, layer_id, rolled)
    return (
        roll_again(battlemap, layer_id, rolled[0])
        if replaces
        else roll_in(battlemap, rolled[0], layer_id)
    )


def rolled_layer(battlemap: BattleMap, active: Layer | None = None) -> Layer | None:
    """The layer that a re-roll replaces: the active one, else the topmost, if it was rolled.

    Hidden layers are considered only if they are active. Of a roll of several layers it is the
    lowest. None if no layer was rolled.
    """
    rolled = [layer for layer in battlemap.layers if layer.roll and layer.visible]
    if active is not None and active.roll is not None:
        rolled.append(active)
    return battlemap.layer(first_part(battlemap, rolled[-1].id)) if rolled else None


def parts_from(battlemap: BattleMap, layer_id: int) -> list[int]:
    """The stack positions of a rolled layer and of the parts of its roll directly above it.

    Parts that were thrown again on their own still belong to it: same seed and number, each part
    once.
    """
    index = battlemap.index_of(layer_id)
    first = battlemap.layers[index].roll
    found = [index]
    if first is None or not first.part:
        return found
    same, seen = _of_one_roll(first), {first.part}
    for above, layer in enumerate(battlemap.layers[index + 1 :], index + 1):
        roll = layer.roll
        if roll is None or not roll.part or roll.part in seen or _of_one_roll(roll) != same:
            break
        seen.add(roll.part)
        found.append(above)
    return found


def _of_one_roll(roll: Roll) -> tuple[object, ...]:
    texts = tuple(roll.texts.items())
    return roll.generator, roll.script_name, roll.script, texts, roll.seed, roll.number


def first_part(battlemap: BattleMap, layer_id: int) -> int:
    """The id of the lowest layer of the roll that a layer is a part of."""
    index = battlemap.index_of(layer_id)
    while index and battlemap.index_of(layer_id) in parts_from(
        battlemap, battlemap.layers[index - 1].id
    ):
        index -= 1
    return battlemap.layers[index].id


def roll_parts_in(battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer]) -> LayerStep:
    """Insert new rolled layers above a layer, the first the lowest; the step's is the topmost."""
    index, first = battlemap.index_of(layer_id) + 1, battlemap.free_layer_id()
    layers = [layer.copy(id=first + i) for i, layer in enumerate(rolled)]
    inserts = [LayerInsert(index + i, layer) for i, layer in enumerate(layers)]
    return LayerStep(Compound(tuple(inserts)), layers[-1].id)


def roll_parts_again(battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer]) -> LayerStep:
    """``roll_again`` for a roll of several layers, from the layer with that id upwards.

    Each part keeps the id, name and visibility of its layer. Touched values of all of them go above
    the topmost.
    """
    places = parts_from(battlemap, layer_id)
    old = {layer.roll.part: layer for i in places if (layer := battlemap.layers[i]).roll}
    free = battlemap.free_layer_id()
    layers = []
    for fresh in rolled:
        before = old.get(fresh.roll.part if fresh.roll else "")
        if before is None:
            layers.append(fresh.copy(id=free))
            free += 1
        else:
            kept = ("id", "name", "visible", "opacity", "locked", "extras")
            layers.append(fresh.copy(**{name: getattr(before, name) for name in kept}))
    planes: dict[str, Plane] = {}
    count = 0
    for i, place in enumerate(places):
        again = layers[min(i, len(layers) - 1)]
        moved, places_moved = _touched_planes(battlemap, place, again)
        count += places_moved
        for name, plane in moved.items():
            unset = battlemap.system.plane(name).unset
            planes[name] = np.where(plane == unset, planes.get(name, plane), plane)
    edits: list[Edit] = []
    if planes:
        edits.append(_merge_above(battlemap, places[-1], planes, {}, free))
    edits += [LayerRemove(place, battlemap.layers[place]) for place in reversed(places)]
    edits += [LayerInsert(places[0] + i, layer) for i, layer in enumerate(layers)]
    return LayerStep(Compound(tuple(edits)), layers[-1].id, count)


def _touched_planes(
    battlemap: BattleMap, index: int, replacement: Layer
) -> tuple[dict[str, Plane], int]:
    """The touched values of a rolled layer, as planes for a layer above, and their number.

    A cell with touched terrain and elevation counts once.
    """
    layer = battlemap.layers[index]
    planes: dict[str, Plane] = {}
    touched: dict[Place, list[NDArray[np.intp]]] = {}
    for name, marks in layer.planes.items():
        where = np.flatnonzero(marks) if name.startswith(TOUCHED) else np.empty(0, np.intp)
        if not len(where):
            continue
        plane = name.removeprefix(TOUCHED)
        spec = battlemap.system.plane(plane)
        values = layer.planes.get(plane, spec.allocate(battlemap.grid)).flat[where]
        below = battlemap.layers[:index]
        shown = battlemap.values(plane, below).flat[where]
        values = np.where(values == spec.unset, shown, values)
        kept = _locked_and_kept(battlemap, plane, where, values, [*below, replacement])
        where, values = where[~kept], values[~kept]
        if not len(where):
            continue
        moved = spec.allocate(battlemap.grid)
        moved.flat[where] = values
        planes[plane] = moved
        touched.setdefault(spec.place, []).append(where)
    return planes, sum(len(np.unique(np.concatenate(where))) for where in touched.values())


def _locked_and_kept(
    battlemap: BattleMap,
    plane: str,
    where: NDArray[np.intp],
    values: NDArray[Any],
    layers: list[Layer],
) -> NDArray[np.bool_]:
    """Which of the places are locked, and have the same value in ``layers``; shape (n,)."""
    kept = battlemap.locks(battlemap.system.plane(plane).place).flat[where]
    if kept.any():
        kept &= battlemap.values(plane, layers).flat[where] == values
    return kept


def _touched_properties(battlemap: BattleMap, index: int) -> dict[str, Any]:
    """The touched properties of a rolled layer, for a layer above it.

    One that was unset by hand becomes the value that shows instead, or the empty one.
    """
    layer = battlemap.layers[index]
    shown = battlemap.composite(index)
    properties: dict[str, Any] = {}
    for name in sorted(layer.touched_properties):
        for value in (getattr(layer, name), getattr(shown, name), EMPTY_PROPERTIES[name]):
            if value is not None:
                properties[name] = value
                break
    return properties


def _merge_above(
    battlemap: BattleMap,
    index: int,
    planes: dict[str, Plane],
    properties: dict[str, Any],
    free: int | None = None,
) -> Edit:
    """Put values into the Touch-ups layer directly above, which is made if it is not there.

    A new one gets the id ``free``, or the first that is free. Its existing values win, since they
    were above before. A hidden layer's values never go into a visible one, nor the reverse.
    """
    visible = battlemap.layers[index].visible
    above = battlemap.layers[index + 1] if index + 1 < len(battlemap.layers) else None
    if above is None or (above.name, above.roll, above.visible) != (TOUCH_UPS, None, visible):
        layer_id = battlemap.free_layer_id() if free is None else free
        layer = Layer(layer_id, TOUCH_UPS, visible, planes, **properties)
        return LayerInsert(index + 1, layer)
    merged = above.copy()
    for name, values in planes.items():
        spec = battlemap.system.plane(name)
        present = merged.planes.get(name, spec.allocate(battlemap.grid))
        merged.planes[name] = np.where(present == spec.unset, values, present)
    for name, value in properties.items():
        if getattr(merged, name) is None:
            setattr(merged, name, value)
    return LayerReplace(index + 1, above, merged)
