"""What a person has painted below a roll: ``painted_layer`` returns it as one layer.

A roll would cover it. So the program copies it above a new roll, and generators are told of it.
*Painted* are the values that a person has set in layers of their own, and those that a person has
changed in rolled layers, which are *touched*. What a roll or a file has made is not painted, and
covers what was painted below it. Terrains of four cells, of three layers::

                                 A    B    C    D
    rolled, * touched            -    5    5*   -
    painted                      7    7    7    -
    a map from a file            1    1    1    1
    painted_layer                7    -    5    -

    A  the paint shows
    B  the roll covers the paint
    C  the touched value covers it, and counts as paint itself
    D  the map of the file is no paint

This module makes no edits, so that a roll on the command line need not load them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from randomizer.model.map.layer import Layer
from randomizer.model.rolls.touched_values import touched_layer

if TYPE_CHECKING:
    from randomizer.model.map.battlemap import BattleMap


def painted_layer(battlemap: BattleMap, stack_position: int) -> Layer:
    """Return a new layer that sets what was painted below a stack position, as far as it shows.

    It has no things: those that a hand placed show above a roll in any case.
    """
    painted = Layer(0, "")  # it is on no map, so that it has no id and no name
    # From the lowest layer upwards, so that an upper one replaces what a lower one has added.
    for position, layer in enumerate(battlemap.layers[:stack_position]):
        if not layer.visible:
            continue
        if _is_painted(battlemap, layer):
            _add_paint(battlemap, painted, layer)
        else:
            _remove_covered(battlemap, painted, layer)
            _add_paint(battlemap, painted, touched_layer(battlemap, [position], visible=True))
            # To fill a layer with grass makes a whole map of it, which is no paint. But the title
            # of the map that was typed there is still one that a person has set.
            if _is_made_by_hand(layer):
                painted.properties.update(layer.properties)
    for layer in battlemap.layers[stack_position:]:
        if layer.visible:
            _remove_covered(battlemap, painted, layer)
    return painted


def _is_made_by_hand(layer: Layer) -> bool:
    """Return whether a layer was made in this program, by a person."""
    return layer.roll is None and not layer.from_file


def _is_painted(battlemap: BattleMap, layer: Layer) -> bool:
    """Return whether all of a layer counts as paint, which is to lie above a roll.

    A layer that sets the terrain of every cell does not, even if a person has filled it: it is the
    map onto which that person rolls, as a layer from a file is.
    """
    return _is_made_by_hand(layer) and not is_whole(battlemap, layer)


def is_whole(battlemap: BattleMap, layer: Layer) -> bool:
    """Return whether a layer sets the terrain of every cell, as the layer of a file does."""
    plane = battlemap.system.terrain
    if plane is None or plane.name not in layer.planes:
        return False
    is_set = layer.planes[plane.name] != plane.unset
    if battlemap.grid.mask is not None:
        is_set = is_set[battlemap.grid.mask]
    return bool(is_set.all())


def _add_paint(battlemap: BattleMap, painted: Layer, paint: Layer) -> None:
    """Set in ``painted`` what the layer ``paint`` sets in its planes and properties.

    It is secret from then on if ``paint`` is, even if a layer above covers these values later:
    rather too much is hidden from the players than too little.
    """
    painted.properties.update(paint.properties)
    if paint.properties:
        painted.secret |= paint.secret
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
