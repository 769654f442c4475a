"""What will lie above a roll, of which a generator is told beforehand.

These are the layers above it, and besides, what the program puts there when the roll is done: on a
re-roll the touched values of the layers that it replaces (``layer_above_reroll``), on a first roll
copies of what was painted below, which the roll would cover (``layer_above_first_roll``). All of it
is handed over as one layer.

This module makes no edits, so that a roll on the command line need not load them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.map.compositing import overlay
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.touched_values import touched_layer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from randomizer.model.map.battlemap import BattleMap


def layer_above_reroll(battlemap: BattleMap, positions: Sequence[int]) -> Layer | None:
    """Return one layer of all that will lie above a roll in place of the layers at ``positions``.

    What was touched in these is part of it; what is touched in a hidden one stays hidden. None if
    nothing will lie above the roll.
    """
    touched = touched_layer(battlemap, positions, visible=True)
    return _as_one_layer(battlemap, touched, max(positions) + 1)


def layer_above_first_roll(battlemap: BattleMap, position: int) -> Layer | None:
    """Return one layer of all that will lie above a new roll at a stack position.

    What was painted below that is part of it. None if nothing will lie above the roll.
    """
    return _as_one_layer(battlemap, painted_layer(battlemap, position), position)


def layer_above(battlemap: BattleMap, position: int) -> Layer | None:
    """Return one layer of the visible layers from a stack position on; None if they hold nothing.

    Nothing else will lie above a new roll at that position which covers what was painted below it.
    """
    return _as_one_layer(battlemap, _empty_layer(), position)


def _as_one_layer(battlemap: BattleMap, lowest: Layer, first_above: int) -> Layer | None:
    """Return one layer of ``lowest`` and the visible layers from ``first_above`` on above it.

    None if they hold nothing.
    """
    layers = [lowest]
    layers += [layer for layer in battlemap.layers[first_above:] if layer.visible]
    above = _empty_layer()
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


def _empty_layer() -> Layer:
    """Return a layer that sets nothing. It is on no map, so that it has no id and no name."""
    return Layer(0, "")


# --- what was painted -------------------------------------------------------------------------


def painted_layer(battlemap: BattleMap, below: int) -> Layer:
    """Return a new layer that sets what a hand painted below a stack position, as far as it shows.

    It is secret if one of the layers is that add values to it. It has no things: those that a hand
    placed show above a roll in any case. Terrains of four cells::

        rolled, * touched      -  -  5* 5        covers what is painted below it
        painted                7  7  7  -
        a map from a file      1  1  1  1        no paint, though it was not rolled
        result                 7  7  5  -
    """
    painted = _empty_layer()
    # From the lowest layer upwards, so that an upper one replaces what a lower one has added.
    for position, layer in enumerate(battlemap.layers[:below]):
        if not layer.visible:
            continue
        if _is_painted(battlemap, layer):
            _add_paint(battlemap, painted, layer)
        else:
            _remove_covered(battlemap, painted, layer)
            _add_paint(battlemap, painted, touched_layer(battlemap, [position], visible=True))
            if _has_painted_properties(layer):
                painted.properties.update(layer.properties)
    for layer in battlemap.layers[below:]:
        if layer.visible:
            _remove_covered(battlemap, painted, layer)
    return painted


def _is_painted(battlemap: BattleMap, layer: Layer) -> bool:
    """Return whether a hand has made all of a layer, so that all of it is to lie above a roll.

    Three kinds of layers are not painted. Of these only the touched values are, and the others
    cover what was painted below:

    - A rolled layer.
    - A layer from a file: it is a map onto which a person rolls.
    - A layer that sets the terrain of every cell: it is such a map, too, wherever it comes from.
    """
    is_made_by_hand = layer.roll is None and not layer.from_file
    return is_made_by_hand and not is_whole(battlemap, layer)


def _has_painted_properties(layer: Layer) -> bool:
    """Return whether a hand has set the properties of a layer, such as the title of the map.

    So it is also in a layer that sets the terrain of every cell: to fill a layer with grass does
    not make a map of somebody else of it. The title of a file gives way to that of the script.
    """
    return layer.roll is None and not layer.from_file


def _add_paint(battlemap: BattleMap, painted: Layer, paint: Layer) -> None:
    """Set in ``painted`` what the layer ``paint`` sets in its planes and properties."""
    painted.properties.update(paint.properties)
    for spec in battlemap.system.shown_planes:
        values = paint.planes.get(spec.name)
        if values is None:
            continue
        is_set = values != spec.unset
        if is_set.any():
            target = painted.planes.setdefault(spec.name, spec.allocate(battlemap.grid))
            target[is_set] = values[is_set]
            painted.secret |= paint.secret


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
