"""Making a map symmetric: the values and things of one sector are copied to all the others.

The command calls ``make_symmetric`` for a map, generators call ``symmetric_layers`` for a roll. A
*twin* of a cell or thing is another one onto which the symmetry maps it. Which of several twins is
the *source*, whose value the others get, is worked out by ``Sources`` (symmetric_sources.py).

Things that are no source are removed. For each source its twins are added: they are copies of it,
turned and at other positions, such as the two trees at the right of a map whose left half is
copied::

    before     T . . H        the house H is no source
               . T . .
    after      T . . T
               . T T .
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import count
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
    from collections.abc import Iterable, Mapping

    from randomizer.geometry.symmetric_sources import SourceThings
    from randomizer.geometry.symmetry import Symmetry
    from randomizer.model.edits.edit import Edit
    from randomizer.model.grid.grid import Grid
    from randomizer.model.map.battlemap import BattleMap
    from randomizer.model.map.layer import Layer
    from randomizer.model.system.system import System
    from randomizer.model.things.things import Thing

NORTH = 0.0
"""The direction, in degrees, of the sector of a roll that is copied."""


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
    visible_layers = [layer for layer in battlemap.layers if layer.visible]
    layers = [layer for layer in visible_layers if not layer.locked]
    locked_names = tuple(layer.name for layer in visible_layers if layer.locked)
    sources = Sources(battlemap.system, battlemap.grid, symmetry, direction)

    edits: list[Edit | None] = []
    for layer in layers:
        edits += _value_edits(battlemap, layer, sources)
    things_by_layer = {layer.id: sources.split_things(layer.things.values()) for layer in layers}
    edits.append(_removal(battlemap, things_by_layer))
    edits += _additions(battlemap, things_by_layer)
    return SymmetricMap(compound(edits), locked_names)


def _value_edits(battlemap: BattleMap, layer: Layer, sources: Sources) -> list[Edit | None]:
    """Return an edit for each plane of a layer whose values change; None for the others."""
    edits = []
    symmetric_planes = sources.symmetric_planes(layer.planes, battlemap.system.shown_planes)
    for name, plane in symmetric_planes.items():
        new_values = plane.reshape(-1)
        elements = np.flatnonzero(new_values != layer.planes[name].reshape(-1))
        edits.append(set_values(battlemap, layer.id, name, elements, new_values[elements]))
    return edits


def _removal(battlemap: BattleMap, things_by_layer: Mapping[int, SourceThings]) -> Edit | None:
    """Return the edit that removes the things that are no sources, None if there are none.

    The things of all layers are removed in one call of ``change_things``: it also stores in the
    rolled layer which things were removed from it and from the layer of its touch-ups. Of two edits
    each would store its own, and the later one would overwrite those of the first.
    """
    removed_ids: list[int] = []
    for layer_id, things in things_by_layer.items():
        staying_ids = set(things.staying_ids)
        for thing_id in battlemap.layer(layer_id).things:
            if thing_id not in staying_ids:
                removed_ids.append(thing_id)
    return change_things(battlemap, (), removed_ids)


def _additions(battlemap: BattleMap, things_by_layer: Mapping[int, SourceThings]) -> list[Edit]:
    """Return the edits that add the twins of sources, one for each layer that gets some.

    The twins of all layers are copied in one call of ``copies``, which gives the next free ids of
    the map: a second call would give the same ones again.
    """
    twins: list[Thing] = []
    layer_ids: list[int] = []  # that of each twin
    for layer_id, things in things_by_layer.items():
        twins += things.twins
        layer_ids += [layer_id] * len(things.twins)

    added_things: dict[int, list[Thing]] = {}
    for layer_id, copied_twin in zip(layer_ids, copies(battlemap, twins), strict=True):
        is_rolled = battlemap.layer(layer_id).roll is not None
        added_things.setdefault(layer_id, []).append(replace(copied_twin, touched=is_rolled))
    edits: list[Edit] = []
    for layer_id, new_things in added_things.items():
        edits.append(ThingsEdit(layer_id, old_things=(), new_things=tuple(new_things)))
    return edits


def symmetric_layers(
    system: System, grid: Grid, layers: Iterable[Layer], symmetry: Symmetry
) -> tuple[Layer, ...]:
    """Return copies of the layers of a roll, made symmetric: the northern sector is copied.

    Nothing gets a touched mark, since no person has changed it. The twins of a thing with a key
    have keys of their own, the same ones in every roll.
    """
    sources = Sources(system, grid, symmetry, NORTH)
    layers = tuple(layers)
    greatest_id = 0
    for layer in layers:
        greatest_id = max(greatest_id, max(layer.things, default=0))
    new_ids = count(greatest_id + 1)

    result = []
    for layer in layers:
        specs = [system.plane(name) for name in layer.planes if not name.startswith(TOUCHED)]
        symmetric_planes = sources.symmetric_planes(layer.planes, specs)
        source_things = sources.split_things(layer.things.values())
        things = [layer.things[thing_id] for thing_id in source_things.staying_ids]
        twin_counts = Counter[int]()  # the twins so far, by the id of their source
        for twin in source_things.twins:
            twin_counts[twin.id] += 1  # until it gets its own id, a twin has that of its source
            key = _key_of_twin(twin.key, twin_counts[twin.id])
            things.append(replace(twin, id=next(new_ids), key=key))
        planes = layer.planes | symmetric_planes
        result.append(replace(layer, planes=planes, things=Things(things)))
    return tuple(result)


def _key_of_twin(key: str, number: int) -> str:
    """Return the key of the twin ``number``, from 1, of a source: "oak" has "oak'", then "oak''".

    A source always has its twins in the same order, so they have these keys in every roll. A source
    without a key ("") is not known again by a re-roll, and neither are its twins.
    """
    if not key:
        return ""
    return key + "'" * number
