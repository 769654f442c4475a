"""Puts the layers of a roll into a map: above a layer, or in place of an earlier roll.

A roll is one layer, or several *parts*: layers directly above one another, of which each has a name
(``Roll.part``), such as "hills" and "rivers" of a table. What a person changes in a rolled layer is
*touched*. It must outlive the next roll, so it moves to an ordinary layer above, *Touch-ups*::

    before                          after the roll of "hills" and "rivers"
    4  Touch-ups of "rivers"        4  Touch-ups: also what was touched in "hills" and "rivers"
    3  "rivers", touched            3  "rivers", rolled anew
    2  "hills", touched             2  "hills", rolled anew
    1  painted by hand              1  painted by hand

``touch_ups.py`` moves the values, ``rolled_things.py`` decides which things stay. Here the layers
are exchanged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.layer_edits import LayerStep
from randomizer.model.edits.stack_edits import LayerInsert, LayerRemove, LayerReplace
from randomizer.model.edits.value_edits import compound
from randomizer.model.map.layer import roll_name
from randomizer.model.rolls.rolled_layers import parts_from
from randomizer.model.rolls.rolled_things import merge_things, note_of_returned_things
from randomizer.model.rolls.touch_ups import plan_copy_of_painted, plan_moves_of_touched

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.edits.edit import Edit
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer


def put_layers(
    battlemap: BattleMap,
    layer_id: int,
    rolled: Sequence[Layer],
    *,
    replaces: bool,
    paint_above: Layer | None = None,
    copies_paint: bool = True,
) -> LayerStep:
    """Return the step that puts the layers of a roll above a layer, or in place of it.

    ``rolled`` has one layer at least, from the lowest to the topmost; the step has the id of the
    topmost. ``paint_above`` has values that go to Touch-ups as if a person had painted them. Above
    a layer ``copies_paint`` copies there what a person has painted below the roll, too. Raises
    KeyError if the map has no layer ``layer_id``.
    """
    if not replaces and not copies_paint:
        return _insert_over_paint(battlemap, layer_id, rolled)
    if not replaces:
        return _insert_above(battlemap, layer_id, rolled, paint_above)
    if len(rolled) == 1:
        # One layer takes the place of one layer, even if that is a part: it was rolled on its own.
        return _replace_layer(battlemap, layer_id, rolled[0], paint_above)
    return _replace_parts(battlemap, layer_id, rolled, paint_above)


def _insert_over_paint(battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer]) -> LayerStep:
    """Return the step that puts a new roll above a layer; it covers what was painted below it."""
    position = battlemap.index_of(layer_id) + 1
    layers = _new_layers(battlemap, rolled)
    edit = compound(_inserts(position, layers))
    assert edit is not None, "a roll has a layer"
    return LayerStep(edit, layers[-1].id)


def _insert_above(
    battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer], paint_above: Layer | None
) -> LayerStep:
    """Return the step that puts a new roll above a layer."""
    position = battlemap.index_of(layer_id) + 1
    layers = _new_layers(battlemap, rolled)

    # The roll would cover what a person painted below it, so a copy of that goes above the roll.
    touch_ups_id = layers[-1].id + 1
    copied = plan_copy_of_painted(battlemap, position, layers, touch_ups_id, paint_above)

    inserted_layers = list(copied.layers)
    if copied.touch_ups is not None:
        inserted_layers.append(copied.touch_ups)
    edit = compound(_inserts(position, inserted_layers))
    assert edit is not None, "a roll has a layer"
    return LayerStep(edit, layers[-1].id, touch_ups=copied.element_count)


def _new_layers(battlemap: BattleMap, rolled: Sequence[Layer]) -> list[Layer]:
    """Return the layers of a new roll with ids that are free in the map; so have their things."""
    free_id = battlemap.free_layer_id()
    layers = [layer.copy(id=free_id + index) for index, layer in enumerate(rolled)]
    merge_things(battlemap, [], layers)
    return layers


def _replace_layer(
    battlemap: BattleMap, layer_id: int, rolled: Layer, paint_above: Layer | None
) -> LayerStep:
    """Return the step that puts one layer in place of another, whatever part either of them is."""
    position = battlemap.index_of(layer_id)
    old_layer = battlemap.layers[position]
    new_layer = _as_successor(rolled, old_layer)
    note = note_of_returned_things([old_layer], [rolled])
    merge_things(battlemap, [position], [new_layer])
    free_id = battlemap.free_layer_id()
    moved = plan_moves_of_touched(battlemap, [position], [new_layer], free_id, paint_above)
    (moved_layer,) = moved.layers
    edit = compound([*moved.edits, LayerReplace(position, old_layer, moved_layer)])
    assert edit is not None, "a roll has a layer"
    return LayerStep(edit, new_layer.id, touch_ups=moved.value_count, note=note)


def _replace_parts(
    battlemap: BattleMap, layer_id: int, rolled: Sequence[Layer], paint_above: Layer | None
) -> LayerStep:
    """Return the step that puts several parts in place of a layer and the parts above it.

    Each replaces the part of the same name, and keeps what the user set for that layer. A part that
    the old roll lacks is a new layer, which is secret if any of the old ones is; so are all parts
    if the old layer is no part at all.
    """
    positions = parts_from(battlemap, layer_id)
    old_layers = [battlemap.layers[position] for position in positions]
    old_parts = {_part_name(layer): layer for layer in old_layers}
    is_any_secret = any(layer.secret for layer in old_layers)

    # The new layers, with what stays of the old ones.
    free_id = battlemap.free_layer_id()
    layers = []
    for rolled_part in rolled:
        old_layer = old_parts.get(_part_name(rolled_part))
        if old_layer is None:
            layer = rolled_part.copy(id=free_id, secret=is_any_secret)
            free_id += 1
        else:
            layer = _as_successor(rolled_part, old_layer)
            if old_layer.locked:
                _copy_values_of_locked_part(battlemap, old_layer, layer)
        layers.append(layer)
    note = note_of_returned_things(old_layers, rolled)
    merge_things(battlemap, positions, layers)
    moved = plan_moves_of_touched(battlemap, positions, layers, free_id, paint_above)

    # The exchange. Old parts go from the top down, so that the positions below stay valid.
    exchange: list[Edit] = []
    for position in reversed(positions):
        exchange.append(LayerRemove(position, battlemap.layers[position]))
    exchange += _inserts(positions[0], moved.layers)

    edit = compound([*moved.edits, *exchange])
    assert edit is not None, "a roll has a layer"
    return LayerStep(edit, layers[-1].id, touch_ups=moved.value_count, note=note)


def _part_name(layer: Layer) -> str:
    """Return the name of the part that a layer is; "" for a layer that is no part or not rolled."""
    if layer.roll is None:
        return ""
    return layer.roll.part


def _as_successor(rolled: Layer, old_layer: Layer) -> Layer:
    """Return a copy of a rolled layer with what the user set for the layer that it replaces.

    Its name is that of the roll, unless the user had named the old layer.
    """
    name = rolled.name
    was_named_by_hand = old_layer.roll is None or old_layer.name != roll_name(old_layer)
    if was_named_by_hand:
        name = old_layer.name
    return rolled.copy(
        id=old_layer.id,
        visible=old_layer.visible,
        opacity=old_layer.opacity,
        locked=old_layer.locked,
        secret=old_layer.secret,
        name=name,
        extras={**old_layer.extras, **rolled.extras},
    )


def _copy_values_of_locked_part(battlemap: BattleMap, old_layer: Layer, new_layer: Layer) -> None:
    """Copy the values that a locked part set into the part that replaces it.

    The generator keeps them too, but may have put them into another part, which can be hidden. (A
    locked layer that is replaced as a whole has no other part.)
    """
    for spec in battlemap.system.shown_planes:
        old_values = old_layer.planes.get(spec.name)
        if old_values is not None:
            new_values = new_layer.planes.get(spec.name)
            if new_values is None:
                new_layer.planes[spec.name] = old_values.copy()
            else:
                is_unset = old_values == spec.unset
                new_layer.planes[spec.name] = np.where(is_unset, new_values, old_values)


def _inserts(lowest_position: int, layers: Sequence[Layer]) -> list[Edit]:
    """Return the edits that insert layers one above the other, the first at a stack position."""
    return [LayerInsert(position, layer) for position, layer in enumerate(layers, lowest_position)]
