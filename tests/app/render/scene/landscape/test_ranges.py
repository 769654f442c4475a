"""Ranges: summits within, foothills at the rim, told by the neighbours of a cell alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from app.render.overlay_options import Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.scene.landscape import features
from app.render.scene.landscape.feature_codes import (
    MASKS,
    SIDE_AND_SPAN_VARIANTS,
    Single,
    split_code,
)
from app.render.scene.landscape.picture_groups import MAX_VARIANTS
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.style import LANDSCAPE
from app.render.theme import theme
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import free_map

SET = TerrainSet(
    "Heights",
    (
        Terrain("Grassland", "#90b060"),
        Terrain("Hills", "#b0a060"),
        Terrain("Mountains", "#907050"),
        Terrain("High mountains", "#a0a0a0"),
    ),
)
GRASS, HILLS, MOUNTAINS, HIGH = range(4)


def map_of(grid: Grid, terrain: NDArray[np.int64]) -> BattleMap:
    battlemap = free_map(grid.layout, grid.width, grid.height)
    battlemap.terrain_set = SET
    spec = battlemap.system.terrain
    assert spec is not None
    battlemap.layers[0].planes[spec.name] = terrain.reshape(grid.height, grid.width).astype("u2")
    return battlemap


def pieces_of(layout: Layout) -> Pieces:
    return Pieces(layout, SET, LANDSCAPE, Pictures(), theme("light"), 0.02, 0.0)


def codes_of(pieces: Pieces, grid: Grid, terrain: NDArray[np.int64]) -> dict[int, int]:
    """The code of what stands on each cell; -1 where the picture of another one covers it."""
    battlemap = map_of(grid, terrain)
    part = ScenePart(battlemap, battlemap.composite(), Overlays(), grid.cells)
    result = dict.fromkeys(grid.cells.tolist(), -1)
    for batch in features.batches(pieces, part):
        for number, place in zip(batch.piece_of.tolist(), batch.rows.tolist(), strict=True):
            result[int(grid.cells[place])] = pieces[number].key[-1]
    return result


def is_at_rim(code: int) -> bool:
    _terrain, standing = split_code(code)
    return isinstance(standing, Single) and standing.variant >= MAX_VARIANTS // 2


def is_within(code: int) -> bool:
    return code >= 0 and isinstance(split_code(code)[1], Single) and not is_at_rim(code)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: str(layout.name))
def test_summits_stand_within_a_range_and_foothills_at_its_rim(qapp, layout):
    grid = Grid(layout, 16, 16)
    terrain = np.full((16, 16), GRASS)
    terrain[3:13, 3:13] = MOUNTAINS
    codes = codes_of(pieces_of(layout), grid, terrain)
    inner = [codes[grid.cell(x, y)] for y in range(5, 11) for x in range(5, 11)]
    assert not any(is_at_rim(code) for code in inner)
    assert any(is_within(code) for code in inner)
    rim = [codes[grid.cell(x, 3)] for x in range(3, 13)]
    assert any(is_at_rim(code) for code in rim)


def test_high_mountains_among_mountains_are_not_at_a_rim_but_mountains_among_hills_are(qapp):
    grid = Grid(FLAT, 5, 5)
    pieces = pieces_of(FLAT)
    middle = grid.cell(2, 2)
    for around, inside, at_rim in ((MOUNTAINS, HIGH, False), (HILLS, MOUNTAINS, True)):
        terrain = np.full(grid.size, around)
        terrain[middle] = inside
        assert is_at_rim(codes_of(pieces, grid, terrain)[middle]) is at_rim


@given(seed=st.integers(0, 2**32 - 1), cell=st.integers(0, 153), code=st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_an_edit_changes_what_stands_on_its_neighbours_only(qapp, seed, cell, code):
    grid = Grid(FLAT, 14, 11)
    pieces = pieces_of(FLAT)
    terrain = np.random.default_rng(seed).choice([0, 1, 2, 2, 3, 3], grid.size)
    before = codes_of(pieces, grid, terrain)
    terrain[cell] = code
    after = codes_of(pieces, grid, terrain)
    changed = {each for each in before if before[each] != after[each]}
    assert changed <= {cell, *grid.neighbours(cell)}


def test_ranges_have_no_more_pictures_than_four_variants_with_two_of_each_side(qapp):
    grid = Grid(FLAT, 60, 60)
    terrain = np.random.default_rng(5).choice([GRASS, MOUNTAINS, MOUNTAINS, HIGH], grid.size)
    codes = codes_of(pieces_of(FLAT), grid, terrain)
    mountains = [code for code in codes.values() if split_code(code)[0] == MOUNTAINS]
    singles = {code for code in mountains if isinstance(split_code(code)[1], Single)}
    assert 20 < len(singles) <= 4 * (1 + SIDE_AND_SPAN_VARIANTS * (MASKS - 1))
