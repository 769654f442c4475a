"""Functions that make edits of placed things: add, change, remove.

A thing stands somewhere on a map, such as a unit or a tree. Commands of the desk call these
functions, which return an edit and change nothing yet::

    edit = add_things(battlemap, layer_id, [Thing(0, "tree", x=3.5, y=2.0)])

Begin with ``change_things``. What makes it hard are *rolled* layers: a generator has made their
things, and makes them again when the layer is rolled again. What a person did has to outlive that::

    a person           the program notes                       the next roll (rolled_things.py)
    changes a thing    the mark ``Thing.touched``              keeps it, beside the new things
    removes a thing    its key in ``Layer.removed_keys``       leaves out the thing of this key
    either, where      ``UNKNOWN_KEY`` in                      may bring the thing again, which the
    it has no key      ``Layer.removed_keys``                  program tells the user

The *key* of a thing is the name by which its generator makes the same thing in every roll; some
generators give none ("").
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.stack_edits import LayerField
from randomizer.model.edits.thing_copies import copies
from randomizer.model.edits.value_edits import compound

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.things.things import Thing, Things


UNKNOWN_KEY = ""
"""Stands in ``Layer.removed_keys`` for things without a key that were changed or removed."""


def things_on(grid: Grid, things: Things, cells: NDArray[np.intp]) -> list[Thing]:
    """Return the things that are on one of ``cells``, by id."""
    if not things or not len(cells):
        return []
    arrays = things.arrays()
    is_on_cells = np.isin(grid.cells_at(arrays.points), cells)
    return [things[thing_id] for thing_id in sorted(arrays.ids[is_on_cells].tolist())]


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

    It also removes the things with the ids ``removed``. No id may be in both, nor twice in
    ``things``. Unchanged ones are left out; None if nothing would change. In a rolled layer the
    changed ones are marked as touched. Raises KeyError for an id that the map has not.
    """
    edits: list[Edit | None] = []
    # The keys that layers of rolls are to remember, by the id of the layer.
    # They are noted in the end, by one edit a layer: two edits of one field would each be made from
    # its value now.
    new_keys: dict[int, set[str]] = {}
    for layer_id, changed in _changed_things(battlemap, things).items():
        layer = battlemap.layer(layer_id)
        old_things = tuple(layer.things[thing.id] for thing in changed)
        edits.append(ThingsEdit(layer_id, old_things, _with_touched_mark(layer, changed)))
        if any(not thing.key and not thing.touched for thing in old_things):
            new_keys.setdefault(layer_id, set()).add(UNKNOWN_KEY)
    for layer_id, removed_things in _things_by_layer(battlemap, removed).items():
        edits.append(ThingsEdit(layer_id, tuple(removed_things), ()))
        remembering_layer = _layer_that_remembers(battlemap, battlemap.layer(layer_id))
        if remembering_layer is not None:
            # When a thing without a key was touched, that was noted already.
            keys = {thing.key for thing in removed_things if thing.key or not thing.touched}
            new_keys.setdefault(remembering_layer.id, set()).update(keys)
    for layer_id, keys in new_keys.items():
        edits.append(_remember_keys(battlemap.layer(layer_id), keys))
    return compound(edits)


def _things_by_layer(battlemap: BattleMap, thing_ids: Iterable[int]) -> dict[int, list[Thing]]:
    """Return the things with these ids, each once, by the id of their layer."""
    things_by_layer: dict[int, list[Thing]] = {}
    for thing_id in dict.fromkeys(thing_ids):  # each id once, in their order
        layer = _layer_of(battlemap, thing_id)
        things_by_layer.setdefault(layer.id, []).append(layer.things[thing_id])
    return things_by_layer


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


def _layer_of(battlemap: BattleMap, thing_id: int) -> Layer:
    """Return the layer that holds a thing. Raises KeyError if there is no such thing."""
    layer = battlemap.thing_layer(thing_id)
    if layer is None:
        raise KeyError(thing_id)
    return layer


def _layer_that_remembers(battlemap: BattleMap, layer: Layer) -> Layer | None:
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
