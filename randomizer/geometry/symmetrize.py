"""Making a map symmetric: the values and things of one sector are copied to all the others.

The command calls ``make_symmetric`` for a map, generators call ``symmetric_layers`` for a roll. A
*twin* of a cell or thing is another one onto which the symmetry maps it. Which of several twins is
the *source*, whose value the others get, is worked out by ``Sources`` (symmetric_sources.py).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import chain, count
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from randomizer.geometry.symmetric_sources import Sources
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.thing_copies import copies
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.value_edits import compound, set_values
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from collections.abc import Iterable

    from randomizer.geometry.symmetry import Symmetry
    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.system.system import System
    from randomizer.model.things.things import Thing


class SymmetricMap(NamedTuple):
    """The result of ``make_symmetric``."""

    edit: Edit | None
    """The edit that makes the map symmetric; None if it is already."""

    locked: tuple[str, ...]
    """The names of visible layers that are locked and stay as they are."""


def make_symmetric(battlemap: BattleMap, symmetry: Symmetry, direction: float) -> SymmetricMap:
    """Return the edit that makes all visible layers symmetric that are not locked.

    ``direction`` leads from the middle to the sector that is copied, in degrees clockwise from
    north. Values of rolled layers become touched. The map itself is not changed.
    """
    edits: list[Edit | None] = []
    locked = []
    twins_by_layer: dict[int, list[Thing]] = {}
    sources = Sources(battlemap.system, battlemap.grid, symmetry, direction)
    for layer in battlemap.layers:
        if not layer.visible:
            continue
        if layer.locked:
            locked.append(layer.name)
            continue
        shown_specs = battlemap.system.shown_planes
        for name, plane in sources.symmetric_planes(layer.planes, shown_specs).items():
            old_values = layer.planes[name].reshape(-1)
            elements = np.flatnonzero(plane.reshape(-1) != old_values)
            values = plane.reshape(-1)[elements]
            edits.append(set_values(battlemap, layer.id, name, elements, values))
        sources_and_twins = sources.split_things(layer.things.values())
        staying_ids = set(sources_and_twins.staying_ids)
        removed_ids = [thing_id for thing_id in layer.things if thing_id not in staying_ids]
        edits.append(change_things(battlemap, (), removed_ids))
        twins_by_layer[layer.id] = sources_and_twins.twins
    # Twins of all layers are copied in one call, because ``copies`` gives the next free ids of the
    # map: a second call would give the same ones again. The copies are in the order of the twins.
    copied_things = copies(battlemap, list(chain.from_iterable(twins_by_layer.values())))
    first = 0
    for layer_id, twins in twins_by_layer.items():
        end = first + len(twins)
        touched = battlemap.layer(layer_id).roll is not None
        added_things = [replace(thing, touched=touched) for thing in copied_things[first:end]]
        if added_things:
            edits.append(ThingsEdit(layer_id, (), tuple(added_things)))
        first = end
    return SymmetricMap(compound(edits), tuple(locked))


def symmetric_layers(
    system: System, grid: Grid, layers: Iterable[Layer], symmetry: Symmetry
) -> tuple[Layer, ...]:
    """Return copies of the layers of a roll, made symmetric, the north copied; nothing is touched.

    The twins of a thing with a key have keys of their own, the same ones in every roll.
    """
    sources = Sources(system, grid, symmetry, 0.0)
    all_layers = tuple(layers)
    greatest_id = 0
    for layer in all_layers:
        greatest_id = max(greatest_id, max(layer.things, default=0))
    new_ids = count(greatest_id + 1)
    result = []
    for layer in all_layers:
        specs = [system.plane(name) for name in layer.planes if not name.startswith(TOUCHED)]
        planes = sources.symmetric_planes(layer.planes, specs)
        sources_and_twins = sources.split_things(layer.things.values())
        things = [layer.things[thing_id] for thing_id in sources_and_twins.staying_ids]
        twins_so_far = Counter[int]()  # by the id of the thing of which they are twins
        for twin in sources_and_twins.twins:
            twins_so_far[twin.id] += 1
            # A thing without a key has none that a re-roll could know it by, and its twins neither.
            key = ""
            if twin.key:
                key = twin.key + "'" * twins_so_far[twin.id]
            things.append(replace(twin, id=next(new_ids), key=key))
        planes = layer.planes | planes
        result.append(replace(layer, planes=planes, things=Things(things)))
    return tuple(result)
