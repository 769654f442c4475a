"""Edits of rolled layers: roll in, roll again, and what was touched by hand moves to Touch-ups."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.battlemap import BattleMap
from randomizer.model.edit import Compound, LayerInsert, LayerRemove, LayerReplace
from randomizer.model.layer import Layer, Roll, roll_name
from randomizer.model.layering import LayerStep, insert_layer
from randomizer.model.rolled_things import place_things
from randomizer.model.touch_ups import move_touched

if TYPE_CHECKING:
    from collections.abc import Sequence


def roll_in(battlemap: BattleMap, rolled: Layer, active: int | None) -> LayerStep:
    """Insert a new rolled layer above the active one. ``rolled`` gets an id of this map."""
    layer = rolled.copy(id=battlemap.free_layer_id())
    place_things(battlemap, [], [layer])
    return LayerStep(insert_layer(battlemap, layer, active), layer.id)


def roll_again(battlemap: BattleMap, layer_id: int, rolled: Layer) -> LayerStep:
    """Replace the layer's contents by ``rolled``; touched values move to Touch-ups above it.

    Locked places that look the same in the new roll do not move: unlocked, they are the script's
    again. Things are replaced; those on locked cells stay, and touched ones move
    (``rolled_things``). A touched place that was *erased* moves with the value that showed there,
    so that it looks the same after the re-roll. Visibility, opacity and lock of the layer stay, as
    do a name that the user gave it and ``extras``.
    """
    index = battlemap.index_of(layer_id)
    old = battlemap.layers[index]
    renamed = old.roll is None or old.name != roll_name(old)
    replacement = rolled.copy(
        id=old.id,
        visible=old.visible,
        opacity=old.opacity,
        locked=old.locked,
        name=old.name if renamed else rolled.name,
        extras={**old.extras, **rolled.extras},
    )
    free = battlemap.free_layer_id()
    note = place_things(battlemap, [index], [replacement])
    moves, count = move_touched(battlemap, [index], [replacement], free)
    edits = (*moves, LayerReplace(index, old, replacement))
    return LayerStep(Compound(edits), layer_id, count, note)


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
    place_things(battlemap, [], layers)
    inserts = [LayerInsert(index + i, layer) for i, layer in enumerate(layers)]
    return LayerStep(Compound(tuple(inserts)), layers[-1].id)


def roll_parts_again(battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer]) -> LayerStep:
    """``roll_again`` for a roll of several layers, from the layer with that id upwards.

    Each part keeps the id, name, visibility, opacity, lock and extras of its layer; a locked one
    also keeps what it set. Touched values of all of them go above the topmost.
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
            if before.locked:
                _keep_values(battlemap, before, layers[-1])
    note = place_things(battlemap, places, layers)
    moves, count = move_touched(battlemap, places, layers, free)
    removals = [LayerRemove(place, battlemap.layers[place]) for place in reversed(places)]
    inserts = [LayerInsert(places[0] + i, layer) for i, layer in enumerate(layers)]
    return LayerStep(Compound((*moves, *removals, *inserts)), layers[-1].id, count, note)


def _keep_values(battlemap: BattleMap, before: Layer, after: Layer) -> None:
    """Put what a locked part set into the same part of the new roll.

    The generator keeps it too, but may have put it into another part, which can be hidden.
    """
    for spec in battlemap.system.shown_planes:
        values = before.planes.get(spec.name)
        if values is not None:
            new = after.planes.get(spec.name, values)
            after.planes[spec.name] = np.where(values == spec.unset, new, values)
