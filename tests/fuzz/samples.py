"""Small maps and edits of this program, from which the fuzzing starts.

``sample_maps`` has a map of each system, ``sample_edits`` an edit of each kind for a map.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from randomizer.catalog.generators import generators_of
from randomizer.generator_run import run
from randomizer.model.edits import layer_edits
from randomizer.model.edits.edit import Compound, Edit
from randomizer.model.edits.record_edits import SourceEdit, change_record, name_cells, set_record
from randomizer.model.edits.reshape import Reshape
from randomizer.model.edits.reshape import Shape as MapShape
from randomizer.model.edits.stack_edits import LayerField, LayerInsert, LayerReplace
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.value_edits import set_locks, set_property, set_values
from randomizer.model.grid.cell_naming import CellNaming, NamingStyle
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.routes import PRESENT
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.system.system import System
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.cordery.system import SYSTEM as CORDERY
from randomizer.systems.cordery.system import table_grid
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ
from randomizer.systems.zeroad.map_format.map_json import map_of
from tests.randomizer.systems.xconq.mapfile.test_mutated_mapfiles import WHOLE
from tests.randomizer.systems.zeroad.export.finished_maps import finished_map


def rolled(system: System, grid: Grid | None = None) -> BattleMap:
    """Return a map as the first generator of a system makes it."""
    generator = generators_of(system)[0]
    battlemap = BattleMap.new(system, grid)
    generated = run(generator, {}, DrawKey(7, 0), Base.under(battlemap, 0))
    assert generated is not None
    battlemap.layers += [layer.copy(id=number) for number, layer in enumerate(generated.layers, 1)]
    return battlemap


def world() -> BattleMap:
    """Return a free map with two layers, things, records, locks and terrains of its own."""
    battlemap = free_map(OBLIQUE, 8, 6, wrap=True)
    battlemap.layers.append(Layer(2, "Veil", opacity=0.5))

    # Things, each with a state of several types.
    grid = battlemap.grid
    things = []
    for number in range(1, 5):
        x, y = grid.centre(int(grid.cells[number]))
        state = State({"hits": 3, "orders": ["go", [1, 2.5, None]]})
        things.append(Thing(number, "unit/archer", x, y, label="Ur", state=state))
    battlemap.layers[0].things = Things(things)
    battlemap.note_ids(thing.id for thing in things)

    # Values in all planes, but for those of ways that the terrain set does not have.
    route_planes = {route.plane for route in battlemap.system.routes_of(battlemap.terrain_set)}
    for layer_id in (1, 2):
        for spec in battlemap.system.shown_planes:
            if spec.links and not spec.one_way and spec.name not in route_planes:
                continue
            elements = np.arange(0, 40, 2 + layer_id)
            value = layer_id
            if spec.links:
                value |= PRESENT
            edit = set_values(battlemap, layer_id, spec.name, elements, value)
            if edit is not None:
                edit.apply(battlemap)

    battlemap.records = {"notes": MapRecord("x"), "sides": MapRecord('{"a": [1]}', True, True)}
    battlemap.locked_cells.flat[:3] = True
    battlemap.source = 1
    battlemap.terrain_set = replace(battlemap.terrain_set, name="Own", elevations=(0, 1, 2))
    return battlemap


@cache
def _maps() -> Mapping[str, BattleMap]:
    """Return the sample maps by name, which callers must not change."""
    xconq = XCONQ.read(WHOLE.encode("latin-1")).battlemap
    assert xconq is not None
    return {
        "colossus": rolled(COLOSSUS),
        "cordery": rolled(CORDERY, table_grid("square", 6, 5)),
        "cordery-hex": rolled(CORDERY, table_grid("hex", 5, 5)),
        "free": world(),
        "xconq": xconq,
        "zeroad": map_of(finished_map(16, entities=6)),
    }


def sample_map(name: str) -> BattleMap:
    """Return a new copy of one of ``sample_maps``."""
    return _maps()[name].snapshot()


def sample_maps() -> dict[str, BattleMap]:
    """Return new copies of a map of each system, by name; each passes the gate."""
    return {name: battlemap.snapshot() for name, battlemap in _maps().items()}


def sample_edits(battlemap: BattleMap) -> list[Edit]:
    """Return an edit of each kind that the map can take; all are for the map as it is."""
    edits = [
        *_value_edits(battlemap),
        *_layer_edits(battlemap),
        *_map_edits(battlemap),
    ]
    edits_with_changes = [edit for edit in edits if edit is not None]
    return [*edits_with_changes, Compound(tuple(edits_with_changes[:2]))]


def _value_edits(battlemap: BattleMap) -> Iterator[Edit | None]:
    """Yield edits of planes, locks, properties; None where nothing would change."""
    layer_id = battlemap.layers[0].id
    for spec in battlemap.system.shown_planes:
        yield set_values(battlemap, layer_id, spec.name, [3, 5, 9], spec.unset)
    yield set_locks(battlemap, [4, 5], True)
    yield set_locks(battlemap, [4, 5], True, sides=True)
    for prop in battlemap.system.properties:
        yield set_property(battlemap, layer_id, prop.name, prop.none)


def _layer_edits(battlemap: BattleMap) -> Iterator[Edit | None]:
    """Yield edits of the layers and of the things in them."""
    layer = battlemap.layers[0]
    changed_layer = layer.copy()
    changed_layer.name = "Another"
    renamed_things = [replace(thing, label="Moved") for thing in layer.things.values()]
    yield layer_edits.duplicate(battlemap, layer.id).edit
    yield LayerInsert(0, Layer(battlemap.free_layer_id(), "New"))
    yield layer_edits.remove(battlemap, layer.id)
    yield layer_edits.move(battlemap, layer.id, len(battlemap.layers) - 1)
    yield layer_edits.rename(battlemap, layer.id, "Sketch")
    yield LayerField(layer.id, "opacity", layer.opacity, 0.25)
    yield LayerReplace(0, layer, changed_layer)
    yield change_things(battlemap, renamed_things)


def _map_edits(battlemap: BattleMap) -> Iterator[Edit | None]:
    """Yield edits of records, of the names of cells, of the terrain set and of the grid."""
    yield set_record(battlemap, "news", MapRecord("text"))
    for name, record in battlemap.records.items():
        yield change_record(battlemap, name, record.text + " ")
    yield SourceEdit(battlemap.source, battlemap.layers[0].id)
    yield name_cells(battlemap, CellNaming(NamingStyle.LETTERS, 0, 5))
    if not battlemap.system.is_terrain_set_fixed:
        terrain_set = battlemap.terrain_set
        smaller_set = replace(terrain_set, terrains=terrain_set.terrains[:2], hexsides=())
        yield change_terrain_set(battlemap, smaller_set)
    if battlemap.grid.size:
        shape = MapShape.of(battlemap)
        yield Reshape(shape, replace(shape, locked_cells=~shape.locked_cells))
