"""What will lie above a roll, as one layer: a generator is told of it beforehand.

- A *re-roll* replaces rolled layers. Above it lie the layers above these, and what a person has
  *touched* in them, that is changed by hand: the program moves it above the roll.
- A *first roll* is a new layer at a stack position. Above it lie the layers from there on, and a
  copy of what a person has *painted* below, which the roll would cover (painted_layer.py).

The program puts both there only when the roll is done (touch_ups.py); here nothing is moved. A
*stack position* is an index into ``BattleMap.layers``, 0 for the lowest.

This module makes no edits, so that a roll on the command line need not load them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.map.compositing import overlay
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.painted_layer import painted_layer
from randomizer.model.rolls.touched_values import touched_layer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.map.battlemap import BattleMap


def layer_above_reroll(battlemap: BattleMap, stack_positions: Sequence[int]) -> Layer | None:
    """Return one layer of all that will lie above a roll in place of the layers at some positions.

    What was touched in visible ones of these is part of it; what is touched in a hidden one stays
    hidden. None if nothing will lie above the roll.
    """
    touched = touched_layer(battlemap, stack_positions, visible=True)
    return _as_one_layer(battlemap, touched, max(stack_positions) + 1)


def layer_above_first_roll(battlemap: BattleMap, stack_position: int) -> Layer | None:
    """Return one layer of all that will lie above a new roll at a stack position.

    What was painted below that is part of it. None if nothing will lie above the roll.
    """
    painted = painted_layer(battlemap, stack_position)
    return _as_one_layer(battlemap, painted, stack_position)


def layer_above(battlemap: BattleMap, stack_position: int) -> Layer | None:
    """Return one layer of the visible layers from a stack position on; None if they hold nothing.

    Nothing else will lie above a new roll at that position which covers what was painted below it.
    """
    empty = Layer(0, "")
    return _as_one_layer(battlemap, empty, stack_position)


def _as_one_layer(battlemap: BattleMap, lowest: Layer, stack_position: int) -> Layer | None:
    """Return one layer that shows ``lowest``, and above it the visible layers of the map.

    Of these the layers from ``stack_position`` on count. None if none of them holds anything.
    """
    layers = [lowest]
    layers += [layer for layer in battlemap.layers[stack_position:] if layer.visible]
    above = Layer(0, "")  # it is on no map, so that it has no id and no name
    for spec in battlemap.system.shown_planes:
        if any(spec.name in layer.planes for layer in layers):
            values = spec.allocate(battlemap.grid)
            overlay(values, spec, layers)
            if (values != spec.unset).any():
                above.planes[spec.name] = values
    for layer in layers:
        above.properties.update(layer.properties)
        above.things.add(layer.things.values())
    if above.planes or above.properties or above.things:
        return above
    return None
