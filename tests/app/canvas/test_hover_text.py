"""The words for a cell under the pointer."""

from __future__ import annotations

import numpy as np

from app.canvas.hover_text import explain_cell
from app.document.document import MapDocument
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.free.system import SYSTEM as FREE
from tests.systems import system_like


def test_a_system_says_more_of_a_cell_by_the_maps_records_or_leaves_it_to_the_terrain(qapp):
    def describe(battlemap, _planes, cell):
        return f"a bog of the {battlemap.records['people'].text}" if cell == 0 else ""

    swamp = FREE.terrain_set.terrain_code("Swamp")
    planes = {"terrain": np.full((1, 2), swamp, "u1")}
    battlemap = BattleMap.new(
        system_like(FREE, describe=describe),
        Grid(OBLIQUE, 2, 1),
        [Layer(1, "Ground", planes=planes)],
    )
    battlemap.records["people"] = MapRecord("Iceni")
    document = MapDocument(battlemap)
    assert explain_cell(document, 0).startswith("0101 a bog of the Iceni")
    assert explain_cell(document, 1).startswith("0201 Swamp, elevation 0")
