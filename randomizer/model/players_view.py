"""What players may see of a map: the map without what is secret."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.carriers import link_of
from randomizer.model.layer import Layer
from randomizer.model.map_picture import RECORD as PICTURE
from randomizer.model.map_records import ORIGINAL
from randomizer.model.regions import RECORD, record_of, regions_of
from randomizer.model.setting import Setting
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from randomizer.model.battlemap import BattleMap
    from randomizer.model.map_records import MapRecord

SECRET = "secret"
"""The entry of ``Thing.state`` that says that players do not see the thing."""

SECRET_THING = Setting(SECRET, bool, "Left out of the players' map", False, title="Secret")
"""That entry, for the kinds of things that can be secret."""

BLANK_NAME = "Map"
"""The name of the layer of a map of which all layers are secret."""


def players_view(battlemap: BattleMap) -> BattleMap:
    """Return a copy of the map without secret layers and things.

    Of the regions only those stay that a remaining layer holds; the picture below the grid, and the
    file of another program from which it was opened, do not, since they can hold what is secret
    now. A map without secrets, picture, and regions that nobody sees, is returned itself.
    """
    gone = secret_things(battlemap)
    layers = [
        layer.copy(things=Things(t for t in layer.things.values() if t.id not in gone))
        if not gone.isdisjoint(layer.things)
        else layer
        for layer in battlemap.layers
        if not layer.secret
    ]
    records = _records(battlemap, layers)
    if layers == battlemap.layers and records == battlemap.records:
        return battlemap
    if not layers:
        layers = [Layer(battlemap.free_layer_id(), BLANK_NAME)]
    without_original = {name: each for name, each in records.items() if name != ORIGINAL}
    return replace(battlemap, layers=layers, records=without_original)


def secret_things(battlemap: BattleMap) -> set[int]:
    """Return the ids of the things that are secret, and of those that they carry."""
    carrier = battlemap.system.thing_rules.carrier
    things = [thing for layer in battlemap.layers for thing in layer.things.values()]
    gone = {thing.id for thing in things if thing.state.get(SECRET) is True}
    more = gone
    while more and carrier:
        more = {each.id for each in things if link_of(each, carrier) in more} - gone
        gone |= more
    return gone


def _records(battlemap: BattleMap, layers: list[Layer]) -> dict[str, MapRecord]:
    """The map's records without its picture, with the regions that one of ``layers`` holds."""
    spec, regions = battlemap.system.regions, regions_of(battlemap.records)
    records = {name: each for name, each in battlemap.records.items() if name != PICTURE}
    if spec is None or RECORD not in records:
        return records
    planes = [layer.planes[spec.name] for layer in layers if spec.name in layer.planes]
    used = {code for plane in planes for code in np.unique(plane).tolist()}
    shown_regions = [each if code in used else None for code, each in enumerate(regions)]
    if shown_regions == list(regions):
        return records
    record = record_of(shown_regions)
    assert record is not None, "there are regions"
    return {**records, RECORD: record}
