"""Bridges and rails bend where the way does; nothing but a cell and its neighbours decides that."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.render.overlay_options import Overlays
from app.render.pictures.picture_library import picture
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene.landscape import features
from app.render.scene.landscape.feature_codes import TURNS, groups_of_code, split_code
from app.render.scene.landscape.picture_groups import groups_of
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.style import LANDSCAPE
from app.render.theme import theme
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import SYSTEM

DIRECTIONS = ("north", "north-east", "south-east")
SET = TerrainSet(
    "Ways",
    (
        Terrain("Lake", "#5e9fc0", water=True),
        *(
            Terrain(
                f"Bridge {direction}",
                "#5e9fc0",
                picture=f"Wooden bridge {direction}",
                ground="Lake",
                water=True,
            )
            for direction in DIRECTIONS
        ),
    ),
)
WATER, NORTH, NORTH_EAST, SOUTH_EAST = range(4)


def part_of(grid: Grid, terrain: NDArray[np.int64]) -> ScenePart:
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = terrain.reshape(grid.height, grid.width).astype("u2")
    battlemap = BattleMap.new(SYSTEM, grid, [layer], SET)
    return ScenePart(battlemap, battlemap.composite(), Overlays(), grid.cells)


def ends_of(grid: Grid, terrain: NDArray[np.int64]) -> dict[int, set[int]]:
    """Return the sides to which the way of each cell leads, by the pieces that are drawn."""
    pieces = Pieces(FLAT, SET, LANDSCAPE, Pictures(), theme("light"), 0.02, 0.0)
    groups = groups_of(FLAT, SET, pieces.pictures)
    result = {}
    for batch in features.batches(pieces, part_of(grid, terrain)):
        for number, place in zip(batch.piece_of.tolist(), batch.rows.tolist(), strict=True):
            code = pieces[number].key[-1]
            terrain_code, _standing = split_code(code)
            if terrain_code == WATER:
                continue
            (name,) = groups_of_code(FLAT, groups, code)
            side, group_number = name.removeprefix("flat-way").split("-")
            first_turn, last_turn = divmod(int(group_number) - 1, len(TURNS))
            first = int(side) + TURNS[first_turn]
            last = int(side) + 3 + TURNS[last_turn]
            result[int(grid.cells[place])] = {first % 6, last % 6}
    return result


def test_a_bridge_bends_to_the_bridge_that_ends_beside_its_own_end(qapp):
    grid = Grid(FLAT, 7, 7)
    terrain = np.full(grid.size, WATER)
    corner = grid.cell(3, 3)
    terrain[corner] = NORTH
    terrain[grid.neighbour(corner, 3)] = NORTH
    terrain[grid.neighbour(corner, 1)] = NORTH_EAST
    ends = ends_of(grid, terrain)
    assert ends[corner] == {1, 3}, "from the south to the north-east"
    assert ends[grid.neighbour(corner, 3)] == {0, 3}
    assert ends[grid.neighbour(corner, 1)] == {1, 4}


def test_a_straight_bridge_passes_another_one(qapp):
    grid = Grid(FLAT, 7, 7)
    terrain = np.full(grid.size, WATER)
    middle = grid.cell(3, 3)
    for cell in (middle, grid.neighbour(middle, 0), grid.neighbour(middle, 3)):
        terrain[cell] = NORTH
    terrain[grid.neighbour(middle, 1)] = NORTH_EAST
    assert ends_of(grid, terrain)[middle] == {0, 3}


@given(
    seed=st.integers(0, 2**32 - 1),
    cell=st.integers(0, 98),
    code=st.sampled_from([WATER, NORTH, NORTH_EAST, SOUTH_EAST]),
)
@settings(max_examples=20, deadline=None)
def test_an_edit_changes_the_ways_of_its_neighbours_only(qapp, seed, cell, code):
    grid = Grid(FLAT, 11, 9)
    terrain = np.random.default_rng(seed).choice(4, grid.size)
    old_ends = ends_of(grid, terrain)
    terrain[cell] = code
    new_ends = ends_of(grid, terrain)
    changed = {other for other in grid.cells.tolist() if old_ends.get(other) != new_ends.get(other)}
    assert changed <= {cell, *grid.neighbours(cell)}


@pytest.mark.parametrize("kind", ["Wooden bridge", "Stone bridge", "Rails"])
@pytest.mark.parametrize(("side", "direction"), list(enumerate(DIRECTIONS)))
def test_a_way_has_all_its_bends(kind, side, direction):
    drawn = picture(f"{kind} {direction}")
    assert drawn is not None
    assert drawn.count(f"flat-way{side}") == len(TURNS) ** 2
