"""Decides which things a map has after its layers are rolled again (docs/adr/0006).

A generator gives a thing a *key*, a name by which it makes the same thing in every roll. A thing is
*touched* if the user changed it. When a layer is rolled again (``merge_things``)::

    old thing                                   becomes of it
    touched                                     moves to a layer of its own (touch_ups.py)
    untouched, on a locked cell                 stays
    untouched, elsewhere                        goes

    new thing                                   becomes of it
    on a locked cell                            is left out
    has the key of an old thing that stays      is left out: it would be there twice
    has the key of a touched or deleted one     is left out: it would come back
    has the key of an old thing that goes       takes its place and keeps its id
    any other                                   is added

A thing without a key is not known again, so that one which the user moved or deleted can come back:
``note_of_returned_things`` is the note that tells the user so.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.map.carriers import relinked
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence, Set

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.things.things import Thing


def merge_things(
    battlemap: BattleMap, positions: Sequence[int], new_layers: Sequence[Layer]
) -> None:
    """Change the things of the layers of a new roll, in place, to those that the map will have.

    ``new_layers`` are not on the map yet. They are to replace the rolled layers at ``positions`` of
    the map; there are none for a first roll. Their things get ids of the map, from
    ``battlemap.next_thing_id`` on, which moves on when the layers are put onto the map. Old things
    that stay do so in the new layer with the same id, or else in the topmost one.
    """
    # What stays of the old roll, and which things of the new one must not come a second time.
    old_layers = [battlemap.layers[position] for position in positions]
    things_that_stay = {
        layer.id: _untouched_on_locked_cells(battlemap, layer) for layer in old_layers
    }
    skipped_keys = _keys_changed_by_hand(battlemap, old_layers)
    for things in things_that_stay.values():
        skipped_keys.update(thing.key for thing in things)
    skipped_keys.discard("")  # things without a key are all different ones

    # The things of the new roll.
    new_ids = count(battlemap.next_thing_id)
    ids_of_old = _ids_by_key(old_layers)
    for layer in new_layers:
        things = _things_to_place(battlemap, layer, skipped_keys)
        ids = {}
        for thing in things:
            # A thing with the key of an old one is the same thing: it keeps its id, by which other
            # things may be carried by it. If two have the same key, only the first one does.
            old_id = ids_of_old.pop((layer.id, thing.key), None)
            if old_id is None:
                ids[thing.id] = next(new_ids)
            else:
                ids[thing.id] = old_id
        # Links to what carries a thing are by its id, too.
        linked = relinked(things, battlemap.system.thing_rules.carrier, ids)
        layer.things = Things(replace(thing, id=ids[thing.id], touched=False) for thing in linked)

    # The things that stay, and the keys of those deleted by hand, for the next roll.
    layers_by_id = {layer.id: layer for layer in new_layers}
    for old_layer in old_layers:
        new_layer = layers_by_id.get(old_layer.id, new_layers[-1])
        new_layer.things.add(things_that_stay[old_layer.id])
        new_layer.removed_keys |= old_layer.removed_keys - {""}


def note_of_returned_things(old_layers: Iterable[Layer], rolled_layers: Iterable[Layer]) -> str:
    """Return a note for the user if things moved or deleted by hand may be there again; else "".

    That is so if such a thing had no key, and the new roll has things without a key, too. A thing
    that was moved to another layer counts as deleted from its own.
    """
    if "" in _deleted_keys(old_layers) and _has_things_without_key(rolled_layers):
        return "Things you moved or deleted may be back"
    return ""


def _things_to_place(battlemap: BattleMap, layer: Layer, skipped_keys: Set[str]) -> list[Thing]:
    """Return the things of a new layer without those of ``skipped_keys`` and on locked cells.

    A hidden layer places its things on locked cells, too, as nobody sees them there.
    """
    things = []
    for thing in layer.things.values():
        if thing.key not in skipped_keys:
            things.append(thing)
    if layer.visible:
        return _off_locked_cells(battlemap, things)
    return things


def _has_things_without_key(layers: Iterable[Layer]) -> bool:
    """Return whether a layer has things without a key, which are not known again after a roll."""
    return any("" in {thing.key for thing in layer.things.values()} for layer in layers)


def _ids_by_key(layers: Iterable[Layer]) -> dict[tuple[int, str], int]:
    """Return the ids of the untouched things that have a key, by the layer's id and the key."""
    ids = {}
    for layer in layers:
        for thing in layer.things.values():
            if thing.key and not thing.touched:
                ids[layer.id, thing.key] = thing.id
    return ids


def _untouched_on_locked_cells(battlemap: BattleMap, layer: Layer) -> list[Thing]:
    """Return the untouched things of a rolled layer on locked cells; none of a hidden layer."""
    if not layer.visible:
        return []
    things = [thing for thing in layer.things.values() if not thing.touched]
    is_locked = _are_on_locked_cells(battlemap, things)
    return [thing for thing, locked in zip(things, is_locked, strict=True) if locked]


def _off_locked_cells(battlemap: BattleMap, things: Sequence[Thing]) -> list[Thing]:
    """Return the things that are on no locked cell."""
    is_locked = _are_on_locked_cells(battlemap, things)
    return [thing for thing, locked in zip(things, is_locked, strict=True) if not locked]


def _are_on_locked_cells(battlemap: BattleMap, things: Sequence[Thing]) -> list[bool]:
    """Return whether each thing is on a locked cell."""
    if not things or not battlemap.locked_cells.any():
        return [False] * len(things)
    points = np.array([(thing.x, thing.y) for thing in things], np.float64)
    cells = battlemap.grid.cells_at(points)
    # A thing off the map has the cell -1, which reads the last cell: "& (... >= 0)" drops that.
    are_locked: list[bool] = (battlemap.locked_cells.flat[cells] & (cells >= 0)).tolist()
    return are_locked


def _keys_changed_by_hand(battlemap: BattleMap, rolled: Sequence[Layer]) -> set[str]:
    """Return the keys of the things that were touched or deleted by hand since they were rolled."""
    keys = _deleted_keys(rolled)
    for layer in rolled:
        keys.update(thing.key for thing in layer.things.values() if thing.touched)
    ids = {layer.id for layer in rolled}
    for layer in battlemap.layers:
        if layer.touch_ups_of in ids:
            keys.update(thing.key for thing in layer.things.values())
    return keys


def _deleted_keys(layers: Iterable[Layer]) -> set[str]:
    """Return the keys of things deleted by hand; "" is among them if such a thing had no key."""
    keys: set[str] = set()
    for layer in layers:
        keys |= layer.removed_keys
    return keys
