"""Tells which named things stand on another terrain after a roll than before it.

A roll changes the terrain under things that the user has placed in other layers: a town "Linz" may
stand in the sea now. ``RollPlacement`` compares the terrains before and after the roll::

    terrains = terrains_under_named_things(document)
    ...                                             # the roll goes into the map
    text = describe_new_ground(document, terrains)  # "Linz now stands on sea"
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from app.document.document import MapDocument
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing

MAX_NAMED = 2
"""The largest number of things that the message names one by one, to keep it to one line."""


def terrains_under_named_things(document: MapDocument) -> dict[int, str]:
    """Return the terrain under each thing with a name, as the map shows it, by the thing's id."""
    terrains = {}
    named_kinds = _named_kinds(document.battlemap)
    for layer in document.battlemap.layers:
        for thing in _named_things(layer, named_kinds):
            terrain = _terrain_under(document, thing)
            if terrain:
                terrains[thing.id] = terrain
    return terrains


def describe_new_ground(document: MapDocument, previous_terrains: Mapping[int, str]) -> str:
    """Return a sentence about the named things that stand on another terrain now; "" for none.

    ``previous_terrains`` are ``terrains_under_named_things`` before the roll. Things in rolled
    layers do not count: the roll has placed them.
    """
    texts = []
    named_kinds = _named_kinds(document.battlemap)
    for layer in document.battlemap.layers:
        if layer.roll is not None:
            continue
        for thing in _named_things(layer, named_kinds):
            terrain = _terrain_under(document, thing)
            if terrain and previous_terrains.get(thing.id, terrain) != terrain:
                texts.append(f"{thing.label} now stands on {terrain}")
    if len(texts) > MAX_NAMED:
        return f"{texts[0]}, and {len(texts) - 1} other named things on other ground"
    return "; ".join(texts)


def _named_kinds(battlemap: BattleMap) -> set[str]:
    """Return the names of the kinds that stand on the ground and whose things can have names."""
    kinds = kinds_by_name(battlemap)
    return {kind.name for kind in kinds.values() if kind.naming and not kind.inscription}


def _named_things(layer: Layer, named_kinds: AbstractSet[str]) -> Iterator[Thing]:
    """Yield the things of a layer that are of these kinds and have a name, if it is visible."""
    # Layers without things of these kinds are left out at once: a wood can have a million trees.
    if not layer.visible or named_kinds.isdisjoint(layer.things.kinds):
        return
    for thing in layer.things.values():
        if thing.label and thing.kind in named_kinds:
            yield thing


def _terrain_under(document: MapDocument, thing: Thing) -> str:
    """Return the name of the terrain at a thing; "" off the map and without terrains."""
    battlemap = document.battlemap
    spec = battlemap.system.terrain
    cell = battlemap.grid.cell_at(thing.x, thing.y)
    if spec is None or cell < 0:  # below 0: off the map
        return ""
    code = int(document.composite.planes[spec.name].flat[cell])
    return battlemap.terrain_set.terrains[code].name
