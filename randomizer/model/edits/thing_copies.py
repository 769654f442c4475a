"""Copies of placed things, and of whole layers, with ids of the map that gets them.

The id of a thing or layer is unique in its map. What refers to another by its id, as an army to the
ship that carries it, has to refer to the copy of that.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

from randomizer.model.map.carriers import relinked, stands_with, with_link
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from collections.abc import Iterable

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.things.things import Thing


def with_next_ids(battlemap: BattleMap, things: Iterable[Thing]) -> list[Thing]:
    """Return copies of things with the next ids of a map, in their order.

    The copies have no entry of a file any more (``ThingRules.file_entry``). If a ship carries an
    army, and both are copied, the copy of the ship carries the copy of the army. If only the army
    is copied, its copy is carried by the same ship if it is on the ship's cell, else by none.
    """
    rules = battlemap.system.thing_rules
    without_file = [with_link(thing, rules.file_entry, None) for thing in things]
    first_id = battlemap.next_thing_id
    new_ids = {thing.id: new_id for new_id, thing in enumerate(without_file, first_id)}
    linked = relinked(without_file, rules.carrier, new_ids, partial(stands_with, battlemap))
    # By position, not by ``new_ids``: several of the things can be copies of one, with its id.
    return [replace(thing, id=new_id) for new_id, thing in enumerate(linked, first_id)]


def copies(battlemap: BattleMap, things: Iterable[Thing]) -> list[Thing]:
    """Return copies of things as a person places them: with the next ids, and without a key."""
    return [replace(thing, key="", touched=False) for thing in with_next_ids(battlemap, things)]


def layers_with_ids(layers: Iterable[Layer], battlemap: BattleMap) -> list[Layer]:
    """Return copies of layers of another map, with the next free ids of this one.

    What refers to a layer or a thing by its id refers to the copy, if there is one: a carrier, and
    the layer whose touch-ups a layer holds.
    """
    # The new ids by the old ones, first for all layers and things: any can refer to any other.
    layers = list(layers)
    layer_ids = {layer.id: id_ for id_, layer in enumerate(layers, battlemap.free_layer_id())}
    next_thing_ids = count(battlemap.next_thing_id)
    thing_ids: dict[int, int] = {}
    for layer in layers:
        for thing_id in layer.things:
            thing_ids[thing_id] = next(next_thing_ids)

    rules = battlemap.system.thing_rules
    new_layers = []
    for layer in layers:
        things = [with_link(thing, rules.file_entry, None) for thing in layer.things.values()]
        things = relinked(things, rules.carrier, thing_ids)
        touch_ups_of = None
        if layer.touch_ups_of is not None:
            touch_ups_of = layer_ids.get(layer.touch_ups_of)
        new_layer = layer.copy(
            id=layer_ids[layer.id],
            things=Things(replace(thing, id=thing_ids[thing.id]) for thing in things),
            touch_ups_of=touch_ups_of,
        )
        new_layers.append(new_layer)
    return new_layers
