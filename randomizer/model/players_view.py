"""The map that players get: without secret layers, things and notes.

``players_view`` is for showing a map on the screen. It has the layers of the map that players see,
and looks to them as the map does. ``players_map`` is for files. It has one flat layer with what
players see and nothing else, so that nobody can find in the file what lies hidden below.

=============================================  ==================  ====================
what players must not get                      is left out of the  and of the map by
                                               view by
=============================================  ==================  ====================
secret layers, things, and what these carry    players_view        players_view
regions on secret layers only                  _seen_records       _seen_records
the picture below the grid                     _seen_records       _seen_records
the file of another program                    players_view        players_view
hidden layers, and values that are covered     (they do not show)  players_map
recipes of rolls, locks                        (they do not show)  players_map
secret doors, lights that are switched off     (they do not show)  _records_of_file
what the system keeps from players             (it does not show)  _records_of_file
terrains, hexsides and ways nobody sees        (they do not show)  _shown_terrain_set
=============================================  ==================  ====================
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from randomizer.model.edits.terrain_codes import translated_layer
from randomizer.model.fixtures import for_players
from randomizer.model.fixtures_record import RECORD as FIXTURES
from randomizer.model.fixtures_record import fixtures_of
from randomizer.model.fixtures_record import record_of as record_of_fixtures
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.carriers import carried_by
from randomizer.model.map.layer import Layer
from randomizer.model.map.regions import RECORD as REGIONS
from randomizer.model.map.regions import record_of, regions_of
from randomizer.model.map_picture import RECORD as PICTURE
from randomizer.model.records.assets import assets_of, assets_of_records, only
from randomizer.model.records.map_records import ORIGINAL
from randomizer.model.settings.setting import Setting
from randomizer.model.things.things import Things

if TYPE_CHECKING:
    from randomizer.model.planes.planes import PlaneSpec
    from randomizer.model.records.map_records import MapRecord
    from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet

SECRET = "secret"
"""The entry of ``Thing.state`` that says that players do not see the thing."""

SECRET_THING = Setting(SECRET, bool, "Left out of the players' map", False, title="Secret")
"""The setting of that entry, for kinds of things that can be secret."""

BLANK_NAME = "Map"
"""The name of the single layer of a map for players."""


def players_view(battlemap: BattleMap) -> BattleMap:
    """Return the map without secret layers and things; it shares all else with the map.

    It is for showing only: an edit of it would change the map, too. Regions that no remaining layer
    has are left out. So are the picture below the grid and the file of another program from which
    the map was opened, since both can show what is secret. If there is nothing to leave out, the
    map itself is returned.
    """
    secret_ids = secret_things(battlemap)
    layers = []
    for layer in battlemap.layers:
        if layer.secret:
            continue
        if not secret_ids.isdisjoint(layer.things):
            things = [thing for thing in layer.things.values() if thing.id not in secret_ids]
            layer = layer.copy(things=Things(things))
        layers.append(layer)
    records = _seen_records(battlemap, layers)
    is_nothing_secret = layers == battlemap.layers and records == battlemap.records
    if is_nothing_secret:
        return battlemap  # with the file of another program, which shows no more
    if not layers:
        layers = [Layer(battlemap.free_layer_id(), BLANK_NAME)]
    without_original = {name: record for name, record in records.items() if name != ORIGINAL}
    return replace(battlemap, layers=layers, records=without_original)


def players_map(whole_map: BattleMap) -> BattleMap:
    """Return a new map of one layer with all that players see, and nothing else.

    What is secret, hidden or covered is not in it, nor are recipes, locks, files of other programs,
    pictures below the grid, and terrains, hexsides and ways of one's own that nobody sees.
    """
    view = players_view(whole_map)
    layer = Layer(1, BLANK_NAME, properties=dict(view.composite().properties))
    layer.things = Things(replace(thing, key="", touched=False) for thing in view.visible_things())
    for spec in view.system.shown_planes:
        values = view.values_or_unset(spec)
        if (values != spec.unset).any():
            layer.planes[spec.name] = values
    terrain_set = _shown_terrain_set(view, layer)
    layer = translated_layer(view.system, layer, view.terrain_set, terrain_set)
    records = _records_of_file(view, layer)
    used_assets = only(view.assets, assets_of(terrain_set) | assets_of_records(records))
    battlemap = BattleMap.new(view.system, view.grid, [layer], terrain_set, assets=used_assets)
    battlemap.records = records
    return battlemap


def _shown_terrain_set(view: BattleMap, layer: Layer) -> TerrainSet:
    """Return the terrain set of a map without what its flat ``layer`` does not show.

    A set that the game defines stays whole: it holds nothing of the user's own.
    """
    system = view.system
    terrain_set = view.terrain_set
    if not (system.users_edit_terrain_sets or system.game_has_more_terrains):
        return terrain_set
    terrains = _shown_terrains(view, layer)
    hexsides = []
    hexside_codes = _values_in(system.hexside, layer)
    terrain_names = {terrain.name for terrain in terrains}
    for code, hexside in enumerate(terrain_set.hexsides, 1):
        if code in hexside_codes:
            hexsides.append(_without_hidden_names(hexside, terrain_names))
    ways = []
    for way, spec in zip(terrain_set.ways, system.ways, strict=False):  # planes for more ways
        if _values_in(spec, layer) - {spec.unset, spec.default}:
            ways.append(way)
    shown_elevations = _values_in(system.height, layer) | {0}
    elevations = [
        elevation for elevation in terrain_set.elevations if elevation in shown_elevations
    ]
    return replace(
        terrain_set,
        terrains=tuple(terrains),
        hexsides=tuple(hexsides),
        elevations=tuple(elevations) or (0,),
        ways=tuple(ways),
    )


def _shown_terrains(view: BattleMap, layer: Layer) -> list[Terrain]:
    """Return the terrains that a map with the flat ``layer`` shows, in the order of their codes."""
    spec = view.system.terrain
    codes = _values_in(spec, layer)
    if spec is None or spec.unset in codes or not codes:
        codes.add(0)  # a cell in which no layer sets a terrain shows the first one
    terrains = view.terrain_set.terrains
    # The code for "unset" is no index of the list.
    return [terrains[code] for code in sorted(codes) if 0 <= code < len(terrains)]


def _without_hidden_names(hexside: Hexside, terrain_names: set[str]) -> Hexside:
    """Return a hexside that names no terrain but those of ``terrain_names``."""
    if hexside.ground not in terrain_names:
        hexside = replace(hexside, ground="")
    if hexside.beside not in terrain_names:
        hexside = replace(hexside, beside="")
    return hexside


def _values_in(spec: PlaneSpec | None, layer: Layer) -> set[int]:
    """Return the values that occur in a plane of a layer; none for one that it does not have."""
    if spec is None or spec.name not in layer.planes:
        return set()
    return set(np.unique(layer.planes[spec.name]).tolist())


def _records_of_file(view: BattleMap, layer: Layer) -> dict[str, MapRecord]:
    """Return the records that players get with the flat ``layer`` of a map."""
    records: dict[str, MapRecord] = {}
    shown_records = _seen_records(view, [layer])
    for name, record in shown_records.items():
        players_record = view.system.players_record(name, record)
        if players_record is not None:
            records[name] = players_record
    # Read and written anew, so that nothing else that the record may hold goes along.
    regions = record_of(regions_of(shown_records))
    if regions is not None:
        records[REGIONS] = regions
    fixtures = record_of_fixtures(for_players(fixtures_of(view.records))).record
    if fixtures is not None:
        records[FIXTURES] = fixtures
    return records


def secret_things(battlemap: BattleMap) -> set[int]:
    """Return the ids of the things that are secret or on a secret layer, and of what they carry.

    What they carry can be on another layer, which is not secret.
    """
    secret_ids: set[int] = set()
    for layer in battlemap.layers:
        for thing in layer.things.values():
            if layer.secret or thing.state.get(SECRET) is True:
                secret_ids.add(thing.id)
    return secret_ids | set(carried_by(battlemap, secret_ids))


def _seen_records(battlemap: BattleMap, layers: list[Layer]) -> dict[str, MapRecord]:
    """Return the records without the picture, and without regions that none of ``layers`` has."""
    spec = battlemap.system.regions
    regions = regions_of(battlemap.records)
    records = dict(battlemap.records)
    records.pop(PICTURE, None)
    if spec is None or REGIONS not in records:
        return records
    used_codes: set[int] = set()
    for layer in layers:
        used_codes |= _values_in(spec, layer)
    # A region that players do not see leaves a gap, so that the codes of the others stay.
    seen_regions = list(regions)
    for code in range(len(regions)):
        if code not in used_codes:
            seen_regions[code] = None
    if seen_regions == list(regions):
        return records
    while seen_regions and seen_regions[-1] is None:
        del seen_regions[-1]
    record = record_of(seen_regions)
    if record is None:
        del records[REGIONS]
    else:
        records[REGIONS] = record
    return records
