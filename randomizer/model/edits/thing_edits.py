"""Functions that make edits of placed things: add, change, remove; and copies of things.

Begin with ``change_things``: what is remembered of a thing that a generator made is explained
there.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.edit import LayerField, ThingsEdit
from randomizer.model.edits.value_edits import compound
from randomizer.model.map.carriers import relinked, stands_with, with_link
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.things.things import Thing


def things_on(grid: Grid, things: Things, cells: NDArray[np.intp]) -> list[Thing]:
    """Return the things that are on one of ``cells``, by id."""
    if not things or not len(cells):
        return []
    arrays = things.arrays()
    on = np.isin(grid.cells_at(arrays.points), cells)
    return [things[thing_id] for thing_id in sorted(arrays.ids[on].tolist())]


def with_next_ids(battlemap: BattleMap, things: Iterable[Thing]) -> list[Thing]:
    """Return copies of things with the next ids of a map.

    They have no entry of a file any more (``ThingRules.file_entry``). What is carried by another of
    the things is carried by that one's copy; by a thing of the map, only if that is on its cell.
    """
    rules = battlemap.system.thing_rules
    without_file = [with_link(thing, rules.file_entry, None) for thing in things]
    new_ids = {thing.id: id_ for id_, thing in enumerate(without_file, battlemap.next_thing_id)}
    linked = relinked(without_file, rules.carrier, new_ids, partial(stands_with, battlemap))
    return [replace(thing, id=id_) for id_, thing in enumerate(linked, battlemap.next_thing_id)]


def copies(battlemap: BattleMap, things: Iterable[Thing]) -> list[Thing]:
    """Return copies with the next ids (``with_next_ids``), without the key of a generator."""
    return [replace(thing, key="", touched=False) for thing in with_next_ids(battlemap, things)]


def layers_with_ids(layers: Iterable[Layer], battlemap: BattleMap) -> list[Layer]:
    """Return copies of layers of another map with the next ids of this one, for layers and things.

    A layer that takes the touch-ups of another one takes those of its copy, if that is among them.
    """
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


def add_things(battlemap: BattleMap, layer_id: int, things: Iterable[Thing]) -> Edit | None:
    """Return the edit that adds copies of ``things``, with new ids in their order; None for none.

    In a rolled layer they are marked as touched, so that a re-roll keeps them. If they have owners,
    a re-roll keeps these, too (``System.keep_owners``). Raises KeyError if the layer is not there.
    """
    layer = battlemap.layer(layer_id)
    added = _marked(layer, copies(battlemap, things))
    if not added:
        return None
    edits: list[Edit | None] = [ThingsEdit(layer_id, (), added)]
    if any(thing.owner for thing in added):
        edits.append(battlemap.system.keep_owners(battlemap))
    return compound(edits)


def change_things(
    battlemap: BattleMap, things: Iterable[Thing], removed: Iterable[int] = ()
) -> Edit | None:
    """Return the edit that replaces each thing with the same id by this one, in its own layer.

    It also removes the things with the ids ``removed``. Unchanged ones are left out; None if
    nothing would change. In a rolled layer the changed ones are marked as touched. A rolled layer
    remembers the keys of removed things (``Layer.removed_keys``), so that a re-roll does not bring
    them back. A thing without a key cannot be remembered: then the key "" says that a re-roll may
    make it again. Raises KeyError for an id that the map has not.
    """
    changed_by_layer: dict[int, list[Thing]] = {}
    for thing in things:
        layer = _layer_of(battlemap, thing.id)
        old_thing = layer.things[thing.id]
        # Key and mark are not the caller's to change.
        if replace(thing, key=old_thing.key, touched=old_thing.touched) != old_thing:
            changed = changed_by_layer.setdefault(layer.id, [])
            changed.append(replace(thing, key=old_thing.key))
    removed_by_layer: dict[int, list[Thing]] = {}
    for thing_id in dict.fromkeys(removed):
        layer = _layer_of(battlemap, thing_id)
        removed_by_layer.setdefault(layer.id, []).append(layer.things[thing_id])

    # Keys are noted by one edit a layer in the end: of two edits the second would undo the first.
    edits: list[Edit | None] = []
    keys_by_roll: dict[int, set[str]] = {}
    for layer_id, new_things in changed_by_layer.items():
        layer = battlemap.layer(layer_id)
        old_things = tuple(layer.things[thing.id] for thing in new_things)
        edits.append(ThingsEdit(layer_id, old_things, _marked(layer, new_things)))
        if any(not thing.key and not thing.touched for thing in old_things):
            keys_by_roll.setdefault(layer_id, set()).add("")
    for layer_id, old_things_of_layer in removed_by_layer.items():
        edits.append(ThingsEdit(layer_id, tuple(old_things_of_layer), ()))
        roll = _roll_of(battlemap, battlemap.layer(layer_id))
        if roll is not None:
            keys = keys_by_roll.setdefault(roll.id, set())
            # One without a key that was touched before has left its "" then.
            keys.update(
                thing.key for thing in old_things_of_layer if thing.key or not thing.touched
            )
    for roll_id, keys in keys_by_roll.items():
        edits.append(_note_keys(battlemap.layer(roll_id), keys))
    return compound(edits)


def remove_things(battlemap: BattleMap, thing_ids: Iterable[int]) -> Edit | None:
    """Return the edit that removes the things with these ids (``change_things``); None for none."""
    return change_things(battlemap, (), thing_ids)


def things_of_owner(battlemap: BattleMap, owner: int) -> list[Thing]:
    """Return the things of an owner on all layers, hidden ones too."""
    things: list[Thing] = []
    for layer in battlemap.layers:
        things += (thing for thing in layer.things.values() if thing.owner == owner)
    return things


def remove_owner(battlemap: BattleMap, owner: int) -> Edit | None:
    """Return the edit after which there is no such owner: its things belong to nobody (0).

    Owners with higher numbers get the number before theirs. None if no thing belongs to it or to
    one of these.
    """
    changed = []
    for layer in battlemap.layers:
        for thing in layer.things.values():
            if thing.owner == owner:
                changed.append(replace(thing, owner=0))
            elif thing.owner > owner:
                changed.append(replace(thing, owner=thing.owner - 1))
    return change_things(battlemap, changed)


def _layer_of(battlemap: BattleMap, thing_id: int) -> Layer:
    """Return the layer that holds a thing. Raises KeyError if there is no such thing."""
    layer = battlemap.thing_layer(thing_id)
    if layer is None:
        raise KeyError(thing_id)
    return layer


def _roll_of(battlemap: BattleMap, layer: Layer) -> Layer | None:
    """Return the layer whose roll can make the things of a layer again.

    That is the layer itself, or the one whose touch-ups it holds; None if that is gone.
    """
    if layer.roll is not None or layer.touch_ups_of is None:
        return layer
    for candidate in battlemap.layers:
        if candidate.id == layer.touch_ups_of:
            return candidate
    return None


def _note_keys(layer: Layer, keys: Iterable[str]) -> Edit | None:
    """Return the edit that adds to the removed keys of a layer; None if it was not rolled."""
    if layer.roll is None or layer.removed_keys.issuperset(keys):
        return None
    new_keys = layer.removed_keys.union(keys)
    return LayerField(layer.id, "removed_keys", layer.removed_keys, new_keys)


def _marked(layer: Layer, things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Return the things with the mark that those changed by hand in this layer have."""
    touched = layer.roll is not None
    marked = []
    for thing in things:
        if thing.touched != touched:
            thing = replace(thing, touched=touched)
        marked.append(thing)
    return tuple(marked)
