"""Functions that make edits of placed things: add, change, remove; and copies of things.

A thing stands somewhere on a map, such as a unit or a tree. Commands of the desk call these
functions, which return an edit and change nothing yet::

    edit = add_things(battlemap, layer_id, [Thing(0, "tree", x=3.5, y=2.0)])

Begin with ``change_things``. What makes it hard are *rolled* layers: a generator has made their
things, and can make them again. It recognises a thing by its ``key``. What a person has changed is
``touched``, and what a person has removed is remembered by its key, so that a re-roll spoils
neither.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.stack_edits import LayerField
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
    is_on_cells = np.isin(grid.cells_at(arrays.points), cells)
    return [things[thing_id] for thing_id in sorted(arrays.ids[is_on_cells].tolist())]


def with_next_ids(battlemap: BattleMap, things: Iterable[Thing]) -> list[Thing]:
    """Return copies of things with the next ids of a map.

    The copies have no entry of a file any more (``ThingRules.file_entry``). Where one of the things
    carries another, its copy carries the other's copy. What a thing of the map carries stays
    carried only if both are on one cell.
    """
    rules = battlemap.system.thing_rules
    without_file = [with_link(thing, rules.file_entry, None) for thing in things]
    new_ids = {thing.id: id_ for id_, thing in enumerate(without_file, battlemap.next_thing_id)}
    linked = relinked(without_file, rules.carrier, new_ids, partial(stands_with, battlemap))
    return [replace(thing, id=id_) for id_, thing in enumerate(linked, battlemap.next_thing_id)]


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


def add_things(battlemap: BattleMap, layer_id: int, things: Iterable[Thing]) -> Edit | None:
    """Return the edit that adds copies of ``things``, with new ids in their order; None for none.

    In a rolled layer they are marked as touched, so that a re-roll keeps them. If they have owners,
    a re-roll keeps these, too (``System.edit_to_keep_owners``). Raises KeyError if the layer is not
    there.
    """
    layer = battlemap.layer(layer_id)
    added = _with_touched_mark(layer, copies(battlemap, things))
    if not added:
        return None
    edits: list[Edit | None] = [ThingsEdit(layer_id, (), added)]
    if any(thing.owner for thing in added):
        edits.append(battlemap.system.edit_to_keep_owners(battlemap))
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
    changed_by_layer = _changed_things(battlemap, things)
    removed_by_layer: dict[int, list[Thing]] = {}
    for thing_id in dict.fromkeys(removed):  # each id once, in their order
        layer = _layer_of(battlemap, thing_id)
        removed_by_layer.setdefault(layer.id, []).append(layer.things[thing_id])

    edits: list[Edit | None] = []
    # The keys to be remembered, by the id of the rolled layer. They are noted in the end, by one
    # edit a layer: two edits of one field would each be made from its value now.
    new_keys: dict[int, set[str]] = {}
    for layer_id, changed in changed_by_layer.items():
        layer = battlemap.layer(layer_id)
        old_things = tuple(layer.things[thing.id] for thing in changed)
        edits.append(ThingsEdit(layer_id, old_things, _with_touched_mark(layer, changed)))
        if any(not thing.key and not thing.touched for thing in old_things):
            new_keys.setdefault(layer_id, set()).add("")
    for layer_id, removed_things in removed_by_layer.items():
        edits.append(ThingsEdit(layer_id, tuple(removed_things), ()))
        rolled_layer = _layer_of_roll(battlemap, battlemap.layer(layer_id))
        if rolled_layer is not None:
            # When a thing without a key was touched, its "" was noted already.
            keys = {thing.key for thing in removed_things if thing.key or not thing.touched}
            new_keys.setdefault(rolled_layer.id, set()).update(keys)
    for layer_id, keys in new_keys.items():
        edits.append(_remember_keys(battlemap.layer(layer_id), keys))
    return compound(edits)


def _changed_things(battlemap: BattleMap, things: Iterable[Thing]) -> dict[int, list[Thing]]:
    """Return those of ``things`` that differ from the map's of the same ids, by id of their layer.

    Each gets the key of the thing that it replaces: key and mark are not the caller's to change.
    """
    changed_by_layer: dict[int, list[Thing]] = {}
    for thing in things:
        layer = _layer_of(battlemap, thing.id)
        old_thing = layer.things[thing.id]
        if replace(thing, key=old_thing.key, touched=old_thing.touched) != old_thing:
            changed_things = changed_by_layer.setdefault(layer.id, [])
            changed_things.append(replace(thing, key=old_thing.key))
    return changed_by_layer


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
    """Return the edit that removes an owner, whose things then belong to nobody (owner 0).

    Owners are numbered from 1 without a gap, so those with higher numbers move down by one. None if
    no thing belongs to the owner or to one of these.
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


def _layer_of_roll(battlemap: BattleMap, layer: Layer) -> Layer | None:
    """Return the layer that remembers the keys of things removed from a layer.

    That is the layer itself, or the rolled one whose touch-ups it holds; None if that is gone.
    """
    if layer.roll is not None or layer.touch_ups_of is None:
        return layer
    for candidate in battlemap.layers:
        if candidate.id == layer.touch_ups_of:
            return candidate
    return None


def _remember_keys(layer: Layer, keys: Iterable[str]) -> Edit | None:
    """Return the edit that adds to the removed keys of a layer.

    None if the layer was not rolled, or has noted all of them already.
    """
    if layer.roll is None or layer.removed_keys.issuperset(keys):
        return None
    new_keys = layer.removed_keys.union(keys)
    return LayerField(layer.id, "removed_keys", layer.removed_keys, new_keys)


def _with_touched_mark(layer: Layer, things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Return things changed by hand: marked as touched if the layer is rolled, else not."""
    touched = layer.roll is not None
    marked = []
    for thing in things:
        if thing.touched != touched:
            thing = replace(thing, touched=touched)
        marked.append(thing)
    return tuple(marked)
