"""Small maps and edits of our own, from which the fuzzing starts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from randomizer.catalog.catalog import generators_of
from randomizer.generator import DrawKey, run
from randomizer.model.edits import layer_edits
from randomizer.model.edits.edit import (
    Compound,
    Edit,
    LayerField,
    LayerInsert,
    LayerReplace,
    Reshape,
)
from randomizer.model.edits.edit import Shape as MapShape
from randomizer.model.edits.record_edits import SourceEdit, change_record, name_cells, set_record
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.value_edits import set_locks, set_property, set_values
from randomizer.model.grid.cell_naming import CellNaming
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.routes import PRESENT
from randomizer.model.records.map_records import MapRecord
from randomizer.model.system.system import System
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.cordery.system import SYSTEM as CORDERY
from randomizer.systems.cordery.system import new_grid
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.mapfile.mapfile_format import XCONQ
from randomizer.systems.zeroad.map_format.map_json import map_of
from tests.randomizer.systems.xconq.mapfile.test_mutated_mapfiles import WHOLE
from tests.randomizer.systems.zeroad.export.finished_maps import finished_map


def rolled(system: System, grid: Grid | None = None) -> BattleMap:
    """A map as the first generator of a system makes it."""
    generator = generators_of(system)[0]
    battlemap = BattleMap.new(system, grid)
    made = run(generator, {}, DrawKey(7, 0), Base.under(battlemap, 0))
    assert made is not None
    battlemap.layers += [layer.copy(id=number) for number, layer in enumerate(made.layers, 1)]
    return battlemap


def world() -> BattleMap:
    """A map of the free system with two layers, things, records, locks and its own terrains."""
    battlemap = free_map(OBLIQUE, 8, 6, wrap=True)
    battlemap.layers.append(Layer(2, "Veil", opacity=0.5))
    grid = battlemap.grid
    things = [
        Thing(
            number,
            "unit/archer",
            *grid.centre(int(grid.cells[number])),
            label="Ur",
            state=State({"hits": 3, "orders": ["go", [1, 2.5, None]]}),
        )
        for number in range(1, 5)
    ]
    battlemap.layers[0].things = Things(things)
    battlemap.note_ids(thing.id for thing in things)
    routes = {route.plane for route in battlemap.system.routes_of(battlemap.terrain_set)}
    for layer_id in (1, 2):
        for spec in battlemap.system.shown_planes:
            if spec.links and not spec.one_way and spec.name not in routes:
                continue
            places = np.arange(0, 40, 2 + layer_id)
            value = layer_id | PRESENT if spec.links else layer_id
            edit = set_values(battlemap, layer_id, spec.name, places, value)
            if edit is not None:
                edit.apply(battlemap)
    battlemap.records = {"notes": MapRecord("x"), "sides": MapRecord('{"a": [1]}', True, True)}
    battlemap.locked_cells.flat[:3] = True
    battlemap.source = 1
    battlemap.terrain_set = replace(battlemap.terrain_set, name="Own", elevations=(0, 1, 2))
    return battlemap


@cache
def _maps() -> Mapping[str, BattleMap]:
    xconq = XCONQ.read(WHOLE.encode("latin-1")).battlemap
    assert xconq is not None
    fixed = finished_map(16, entities=6)
    return {
        "colossus": rolled(COLOSSUS),
        "cordery": rolled(CORDERY, new_grid("square", 6, 5)),
        "cordery-hex": rolled(CORDERY, new_grid("hex", 5, 5)),
        "free": world(),
        "xconq": xconq,
        "zeroad": map_of(fixed),
    }


def sample_map(name: str) -> BattleMap:
    """One of ``sample_maps``, a new one."""
    return _maps()[name].snapshot()


def sample_maps() -> dict[str, BattleMap]:
    """A map of each system, new ones; each passes the gate."""
    return {name: battlemap.snapshot() for name, battlemap in _maps().items()}


def sample_edits(battlemap: BattleMap) -> list[Edit]:
    """An edit of each kind that the map can take; all are for the map as it is."""
    first = battlemap.layers[0].id
    system = battlemap.system
    grid = battlemap.grid
    own = replace(battlemap.terrain_set, terrains=battlemap.terrain_set.terrains[:2], hexsides=())
    planes = list(system.shown_planes)
    new = layer_edits.duplicate(battlemap, first).edit
    other = battlemap.layers[0].copy()
    other.name = "Another"
    things = list(battlemap.layers[0].things.values())
    shape = MapShape.of(battlemap)
    edits: list[Edit | None] = [
        *(set_values(battlemap, first, spec.name, [3, 5, 9], spec.unset) for spec in planes),
        set_locks(battlemap, [4, 5], True),
        set_locks(battlemap, [4, 5], True, sides=True),
        *(set_property(battlemap, first, each.name, each.none) for each in system.properties),
        new,
        LayerInsert(0, Layer(battlemap.free_layer_id(), "New")),
        layer_edits.remove(battlemap, first),
        layer_edits.move(battlemap, first, len(battlemap.layers) - 1),
        layer_edits.rename(battlemap, first, "Sketch"),
        LayerField(first, "opacity", battlemap.layers[0].opacity, 0.25),
        LayerReplace(0, battlemap.layers[0], other),
        change_things(battlemap, [replace(thing, label="Moved") for thing in things]),
        set_record(battlemap, "news", MapRecord("text")),
        *(
            change_record(battlemap, name, record.text + " ")
            for name, record in battlemap.records.items()
        ),
        SourceEdit(battlemap.source, first),
        name_cells(battlemap, CellNaming("letters", 0, 5)),
        None if system.fixed_terrain_set else change_terrain_set(battlemap, own),
        Reshape(shape, replace(shape, locked_cells=~shape.locked_cells)) if grid.size else None,
    ]
    found = [edit for edit in edits if edit is not None]
    return [*found, Compound(tuple(found[:2]))]
