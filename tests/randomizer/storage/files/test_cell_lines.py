"""The format ``cells``: what each cell of a map of any system shows, a line each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.catalog.map_formats import format_named
from randomizer.catalog.systems import systems
from randomizer.formats.held_systems import can_write
from randomizer.formats.provenance import Provenance
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import Way
from randomizer.storage.files.cell_lines import CELLS
from randomizer.systems.cordery.system import SYSTEM as CORDERY
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set
from randomizer.systems.free.system import free_map
from tests.randomizer.map_strategies import battlemaps


def rows_of(battlemap: BattleMap) -> list[list[str]]:
    """The columns of each line that is no comment."""
    lines = CELLS.write(battlemap).decode().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("system", systems(), ids=lambda system: system.name)
def test_an_empty_map_of_every_system_has_a_line_for_each_cell(system):
    battlemap = BattleMap.new(system, layers=[Layer(1, "Ground")])
    assert can_write(CELLS, battlemap)
    assert format_named("cells", system) is CELLS
    rows = rows_of(battlemap)
    cells = battlemap.grid.cells.tolist()
    names = [system.cell_name(battlemap.grid, cell) for cell in cells]
    assert [row[0] for row in rows] == names
    assert [(int(row[1]), int(row[2])) for row in rows] == [battlemap.grid.xy(c) for c in cells]
    assert {tuple(row[3:]) for row in rows} == {("", "", "", "")}


@given(battlemaps())
def test_terrains_and_elevations_are_those_of_the_topmost_visible_layer(battlemap):
    system = battlemap.system
    terrain = system.terrain.name
    elevation = system.elevation and system.elevation.name
    for cell, row in zip(battlemap.grid.cells.tolist(), rows_of(battlemap), strict=True):
        owner = battlemap.owner(terrain, cell)
        names = battlemap.terrain_set.terrains
        assert row[3] == ("" if owner is None else names[owner.planes[terrain].flat[cell]].name)
        owner = elevation and battlemap.owner(elevation, cell)
        assert row[4] == ("" if not owner else str(owner.planes[elevation].flat[cell]))


def test_hexsides_and_ways_are_those_of_each_cell():
    battlemap = free_map(FLAT, 2, 1, terrain_set=packaged_set(TITAN_HAZARDS))
    ways = (Way("Road", "road", "#887766"), Way("Pine track", "track", "#665544"))
    battlemap.terrain_set = replace(battlemap.terrain_set, ways=ways)
    planes = battlemap.layers[0].planes
    for name in ("terrain", "elevation", "hexside", "way1", "way2"):
        planes[name] = battlemap.system.plane(name).allocate(battlemap.grid)
    planes["terrain"].flat[1] = battlemap.terrain_set.terrain_code("Tree")
    planes["elevation"].flat[1] = 0
    cliff, dune = (battlemap.terrain_set.hexside_code(letter) for letter in "cd")
    planes["hexside"].flat[:6] = [cliff, 0, dune, 0, 0, 0]
    planes["way1"].flat[0] = 0x40 | 1 << 0 | 1 << 3
    planes["way2"].flat[:] = 0x40 | 1 << 5, 0  # 0: no way, explicitly
    assert rows_of(battlemap) == [
        ["0101", "0", "0", "", "", "0=c 2=d", "road=0,3 pine-track=5"],
        ["0201", "1", "0", "Tree", "0", "", ""],
    ]
    battlemap.layers[0].visible = False
    assert {tuple(row[3:]) for row in rows_of(battlemap)} == {("", "", "", "")}


def test_routes_that_share_a_plane_have_their_own_names():
    table = BattleMap.new(CORDERY, Grid(SQUARE, 2, 1), [Layer(1, "Table")])
    plane = table.system.plane("road").allocate(table.grid)
    plane.flat[:] = 0x40 | 0b0010, 0xC0 | 0b1000
    table.layers[0].planes["road"] = plane
    assert [row[6] for row in rows_of(table)] == ["road=1", "track=3"]


@given(st.text())
def test_no_text_of_a_map_makes_another_line_or_column(name):
    battlemap = free_map(SQUARE, 1, 1)
    terrains = (replace(battlemap.terrain_set.terrains[0], name=f"A{name}"),)
    battlemap.terrain_set = replace(battlemap.terrain_set, terrains=terrains)
    battlemap.layers[0].planes["terrain"] = np.zeros((1, 1), "u2")
    text = CELLS.write(battlemap, Provenance(1, 2, name)).decode()
    rows = [line for line in text.split("\n") if not line.startswith("#")]
    assert rows[-1] == ""
    assert [line.count("\t") for line in rows[:-1]] == [6]
