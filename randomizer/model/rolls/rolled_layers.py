"""The layers of a map that were rolled, and which of them are one roll.

A roll makes one layer or several, its *parts* (``Roll.part``), such as "hills" and "rivers": layers
directly above one another, which are rolled again together.

This module makes no edits, so that a roll on the command line need not load them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer, Roll


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

    Parts that were rolled again on their own still belong to it: their seed and number are the
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
