"""Functions that make edits of placed things: add, change, remove."""

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
    """Copies of the things with the next ids of a map; none knows of a file (``file_entry``).

    What is carried by another of them is carried by that one's copy; by a thing of the map, only if
    that stands there.
    """
    rules = battlemap.system.thing_rules
    unlinked = [with_link(thing, rules.file_entry, None) for thing in things]
    carrier = rules.carrier
    ids = {thing.id: new for new, thing in enumerate(unlinked, battlemap.next_thing_id)}
    linked = relinked(unlinked, carrier, ids, partial(stands_with, battlemap))
    return [replace(thing, id=new) for new, thing in enumerate(linked, battlemap.next_thing_id)]


def copies(battlemap: BattleMap, things: Iterable[Thing]) -> list[Thing]:
    """Return copies as ``with_next_ids``, placed by hand: no generator knows them."""
    result = with_next_ids(battlemap, things)
    return [replace(thing, key="", touched=False) for thing in result]


def layers_with_ids(layers: Iterable[Layer], battlemap: BattleMap) -> list[Layer]:
    """Copies of layers of another map with the next ids of this one, for layers and things.

    A layer that takes the touch-ups of another one takes those of its copy, if that is among them.
    """
    copied = list(layers)
    first = battlemap.free_layer_id()
    rules = battlemap.system.thing_rules
    ids = {layer.id: first + number for number, layer in enumerate(copied)}
    old = [thing_id for layer in copied for thing_id in layer.things]
    thing_ids = dict(zip(old, count(battlemap.next_thing_id), strict=False))

    def things_of(layer: Layer) -> Things:
        plain = (with_link(thing, rules.file_entry, None) for thing in layer.things.values())
        linked = relinked(plain, rules.carrier, thing_ids)
        return Things(replace(thing, id=thing_ids[thing.id]) for thing in linked)

    return [
        layer.copy(
            id=ids[layer.id],
            things=things_of(layer),
            touch_ups_of=ids.get(layer.touch_ups_of) if layer.touch_ups_of is not None else None,
        )
        for layer in copied
    ]


def add_things(battlemap: BattleMap, layer_id: int, things: Iterable[Thing]) -> Edit | None:
    """Return the edit that adds copies of ``things``, with new ids in their order; None for no
    things.

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
    remembers the keys of removed things, so that a re-roll does not bring them back, and whether a
    re-roll will make some of the others again (``Layer.removed_keys``). Raises KeyError for an id
    that the map has not.
    """
    changed: dict[int, list[Thing]] = {}
    gone: dict[int, list[Thing]] = {}
    for thing in things:
        layer = _layer_of(battlemap, thing.id)
        old_thing = layer.things[thing.id]
        if replace(thing, key=old_thing.key, touched=old_thing.touched) != old_thing:
            changed.setdefault(layer.id, []).append(replace(thing, key=old_thing.key))
    for thing_id in dict.fromkeys(removed):
        layer = _layer_of(battlemap, thing_id)
        gone.setdefault(layer.id, []).append(layer.things[thing_id])
    edits: list[Edit | None] = []
    keys: dict[int, set[str]] = {}  # of all edits together: each would forget those of the other
    for layer_id, new_things in changed.items():
        layer = battlemap.layer(layer_id)
        old = tuple(layer.things[thing.id] for thing in new_things)
        edits.append(ThingsEdit(layer_id, old, _marked(layer, new_things)))
        if any(not thing.key and not thing.touched for thing in old):
            keys.setdefault(layer_id, set()).add("")
    for layer_id, old_ones in gone.items():
        edits.append(ThingsEdit(layer_id, tuple(old_ones), ()))
        roll = _roll_of(battlemap, battlemap.layer(layer_id))
        if roll is not None:
            noted = (thing.key for thing in old_ones if thing.key or not thing.touched)
            keys.setdefault(roll.id, set()).update(noted)
    edits += (_note_keys(battlemap.layer(roll_id), noted) for roll_id, noted in keys.items())
    return compound(edits)


def remove_things(battlemap: BattleMap, thing_ids: Iterable[int]) -> Edit | None:
    """Return the edit that removes the things with these ids, each from its own layer; None for
    none.

    See ``change_things``.
    """
    return change_things(battlemap, (), thing_ids)


def things_of_owner(battlemap: BattleMap, owner: int) -> list[Thing]:
    """Return the things of an owner on all layers, hidden ones too."""
    return [
        thing
        for layer in battlemap.layers
        for thing in layer.things.values()
        if thing.owner == owner
    ]


def remove_owner(battlemap: BattleMap, owner: int) -> Edit | None:
    """Return the edit after which there is no such owner: its things belong to nobody (0).

    The owners behind it move up. None if no thing belongs to it or to one of these.
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
    layer = battlemap.thing_layer(thing_id)
    if layer is None:
        raise KeyError(thing_id)
    return layer


def _roll_of(battlemap: BattleMap, layer: Layer) -> Layer | None:
    """Return the rolled layer that makes the things of a layer: itself, or the one it touches
    up.
    """
    if layer.roll is not None or layer.touch_ups_of is None:
        return layer
    linked = (candidate for candidate in battlemap.layers if candidate.id == layer.touch_ups_of)
    return next(linked, None)


def _note_keys(layer: Layer, keys: Iterable[str]) -> Edit | None:
    """Return the edit that adds to the removed keys of a rolled layer."""
    if layer.roll is None or layer.removed_keys.issuperset(keys):
        return None
    new_keys = layer.removed_keys.union(keys)
    return LayerField(layer.id, "removed_keys", layer.removed_keys, new_keys)


def _marked(layer: Layer, things: Iterable[Thing]) -> tuple[Thing, ...]:
    """Return the things with the mark that those changed by hand in this layer have."""
    touched = layer.roll is not None
    return tuple(
        thing if thing.touched is touched else replace(thing, touched=touched) for thing in things
    )
