"""Things of a new roll: which of them come, and which of the old roll stay (docs/adr/0006).

Untouched things of the old roll go; those on locked cells stay. Of the new ones those come that are
on no locked cell, and whose key is not that of a thing that stays, was touched, or was deleted by
hand. Touched things move to Touch-ups (``touch_ups``).
"""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.map.carriers import relinked
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.things.things import Thing


def place_things(battlemap: BattleMap, positions: Sequence[int], fresh: Sequence[Layer]) -> str:
    """Give the layers ``fresh`` of a new roll the things that they will have, with ids of the map.

    They replace the rolled layers at ``positions``, if there are some. Things that stay do so in
    the layer with the same id, or in the topmost. Returns a note for the user if things that were
    changed or deleted by hand may be there again, "" if not.
    """
    old = [battlemap.layers[position] for position in positions]
    stay = {layer.id: _stay(battlemap, layer) for layer in old}
    away = _away(battlemap, old) | {thing.key for things in stay.values() for thing in things}
    # Without a key nobody can tell which of the new things is the one that was changed.
    matches_by_id = "" in _noted(old) and any(
        not t.key for layer in fresh for t in layer.things.values()
    )
    numbers = count(battlemap.next_thing_id)
    # What a generator makes again is the same thing: others may be carried by it.
    gone = ((layer.id, t) for layer in old for t in layer.things.values() if not t.touched)
    same = {(layer_id, t.key): t.id for layer_id, t in gone if t.key}
    for layer in fresh:
        new = [thing for thing in layer.things.values() if not thing.key or thing.key not in away]
        if layer.visible:
            held = _on_locked(battlemap, new)
            new = [thing for thing, is_held in zip(new, held, strict=True) if not is_held]
        ids = {thing.id: same.pop((layer.id, thing.key), 0) or next(numbers) for thing in new}
        linked = relinked(new, battlemap.system.thing_rules.carrier, ids)
        layer.things = Things(replace(each, id=ids[each.id], touched=False) for each in linked)
    for before in old:
        after = next((layer for layer in fresh if layer.id == before.id), fresh[-1])
        after.things.exchange((), stay[before.id])
        after.removed_keys |= before.removed_keys - {""}
    if not matches_by_id:
        return ""
    return "Things that were moved or deleted by hand may be there again: the script gives no keys"


def _stay(battlemap: BattleMap, layer: Layer) -> list[Thing]:
    """Return the untouched things of a rolled layer that locked cells hold: none of a hidden
    layer.
    """
    things = [thing for thing in layer.things.values() if not thing.touched]
    if not layer.visible:
        return []
    held = _on_locked(battlemap, things)
    return [thing for thing, is_held in zip(things, held, strict=True) if is_held]


def _on_locked(battlemap: BattleMap, things: Sequence[Thing]) -> list[bool]:
    """Return whether each thing is on a locked cell."""
    if not things or not battlemap.locked_cells.any():
        return [False] * len(things)
    points = np.array([(thing.x, thing.y) for thing in things], np.float64)
    cells = battlemap.grid.cells_at(points)
    result: list[bool] = (battlemap.locked_cells.flat[cells] & (cells >= 0)).tolist()
    return result


def _away(battlemap: BattleMap, old: Sequence[Layer]) -> set[str]:
    """Return the keys of the things that were touched or deleted by hand since they were rolled."""
    ids = {layer.id for layer in old}
    touch_ups = [layer for layer in battlemap.layers if layer.touch_ups_of in ids]
    keys = {thing.key for layer in touch_ups for thing in layer.things.values()}
    keys |= {thing.key for layer in old for thing in layer.things.values() if thing.touched}
    return keys | _noted(old)


def _noted(layers: Iterable[Layer]) -> set[str]:
    return {key for layer in layers for key in layer.removed_keys}
