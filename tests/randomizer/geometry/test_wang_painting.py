"""Painting with Wang sets: what is painted, what follows, what is left alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from randomizer.geometry.wang_painting import paint_colour, paint_sides
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.map.wang_sets import (
    PaintedColour,
    RecordedSet,
    WangColour,
    WangTile,
    painted_colours,
    record_of,
)
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import free_map

A = 1
B = 2
C = 3


def map_with(layout, values, kind="mixed", colours=3, weights=None) -> BattleMap:
    """Return a map of 7 x 7 cells; the terrain of a code is that of the tile with the number."""
    terrains = [Terrain("Empty", "#808080", code="empty")]
    terrains += [Terrain(f"Tile {at}", "#808080", code=str(at)) for at in range(len(values))]
    terrains.append(Terrain("Tree", "#808080", code="tree"))
    battlemap = free_map(layout, 7, 7, terrain_set=TerrainSet("Tiled", tuple(terrains), ()))
    weights = weights or [1.0] * len(values)
    tiles = [
        WangTile(str(at), tuple(row), weight)
        for at, (row, weight) in enumerate(zip(values, weights, strict=True))
    ]
    names = [WangColour(f"Colour {number}", "") for number in range(colours)]
    battlemap.records["wang sets"] = record_of([RecordedSet("Set", kind, names, tiles)])
    return battlemap


def colour_of(battlemap: BattleMap, number: int) -> PaintedColour:
    return painted_colours(battlemap.records, battlemap.grid.degree)[number - 1]


def fill_all(battlemap: BattleMap, tile: int) -> None:
    set_values(battlemap, 1, "terrain", battlemap.grid.cells, tile + 1).apply(battlemap)


def change(battlemap: BattleMap, result) -> dict[tuple[int, int], int]:
    """Apply a result; return the numbers of the tiles that changed by column and row."""
    cells, terrains = result
    changes = {
        battlemap.grid.xy(cell): terrain - 1
        for cell, terrain in zip(cells.tolist(), terrains.tolist(), strict=True)
    }
    edit = set_values(battlemap, 1, "terrain", cells, terrains)
    if edit is not None:  # a stroke of the colour that is there
        edit.apply(battlemap)
    return changes


def middle(battlemap: BattleMap) -> int:
    return battlemap.grid.cell(3, 3)


def check_fit(battlemap: BattleMap, values) -> None:
    """Every two cells have one colour at each side that they share."""
    grid = battlemap.grid
    plane = battlemap.layers[0].planes["terrain"].reshape(-1)
    for cell in grid.cells.tolist():
        for side in range(grid.degree):
            twin = grid.twin(cell, side)
            if twin is not None:
                here = values[plane[cell] - 1][side]
                assert here == values[plane[twin[0]] - 1][twin[1]], (grid.xy(cell), side)


def corner_rows(pairs) -> list[tuple[int, ...]]:
    """Return all tiles of squares with the corners of two colours, for each pair of colours."""
    rows = dict.fromkeys(corners for pair in pairs for corners in product(pair, repeat=4))
    return [(0, 0, 0, 0, *corners) for corners in rows]


def test_a_square_gets_the_colour_and_those_around_it_its_corners():
    values = corner_rows([(A, B)])
    battlemap = map_with(SQUARE, values, "corner")
    fill_all(battlemap, values.index((0,) * 4 + (A,) * 4))
    changes = change(
        battlemap,
        paint_colour(battlemap, 1, colour_of(battlemap, B), np.array([middle(battlemap)])),
    )
    assert len(changes) == 9
    assert values[changes[3, 3]][4:] == (B, B, B, B)
    assert values[changes[2, 2]][4:] == (A, A, B, A)
    assert values[changes[3, 2]][4:] == (A, A, B, B)


def test_cells_beyond_the_seam_of_a_wrapped_map_follow():
    values = corner_rows([(A, B)])
    battlemap = map_with(SQUARE, values, "corner")
    battlemap.grid = replace(battlemap.grid, wrap=True)
    fill_all(battlemap, values.index((0,) * 4 + (A,) * 4))
    cell = battlemap.grid.cell(0, 3)
    changes = change(
        battlemap, paint_colour(battlemap, 1, colour_of(battlemap, B), np.array([cell]))
    )
    assert len(changes) == 9
    assert values[changes[0, 3]][4:] == (B, B, B, B)
    assert values[changes[6, 2]][4:] == (A, A, B, A)
    assert values[changes[6, 3]][4:] == (A, B, B, A)


def test_between_two_colours_without_common_tiles_comes_the_third_one():
    """As in Tiled: grass, sand, sea. A second ring follows the first one, and no further one."""
    values = corner_rows([(A, B), (B, C)])
    battlemap = map_with(SQUARE, values, "corner")
    fill_all(battlemap, values.index((0,) * 4 + (A,) * 4))
    changes = change(
        battlemap,
        paint_colour(battlemap, 1, colour_of(battlemap, C), np.array([middle(battlemap)])),
    )
    assert values[changes[3, 3]][4:] == (C, C, C, C)
    assert values[changes[2, 2]][4:] == (B, B, C, B)
    assert values[changes[1, 1]][4:] == (A, A, B, A)
    assert len(changes) == 25


@pytest.mark.parametrize("layout", [SQUARE, FLAT, POINTY])
def test_sides_fit_whatever_is_painted_on_squares_and_hexes(layout):
    degree = layout.degree
    values = [(*sides, *[0] * degree) for sides in product((A, B), repeat=degree)]
    battlemap = map_with(layout, values)
    fill_all(battlemap, 0)
    dice = np.random.default_rng(5)
    for _stroke in range(20):
        cells = dice.choice(battlemap.grid.cells, 4, replace=False)
        colour = colour_of(battlemap, int(dice.integers(A, B + 1)))
        change(battlemap, paint_colour(battlemap, 1, colour, cells))
        check_fit(battlemap, values)


@pytest.mark.parametrize("layout", [FLAT, POINTY])
def test_corners_of_hexes_fit_with_both_cells_at_them(layout):
    values = [(*[0] * 6, *corners) for corners in product((A, B), repeat=6)]
    battlemap = map_with(layout, values, "corner")
    fill_all(battlemap, 0)
    change(
        battlemap,
        paint_colour(battlemap, 1, colour_of(battlemap, B), np.array([middle(battlemap)])),
    )
    grid = battlemap.grid
    plane = battlemap.layers[0].planes["terrain"].reshape(-1)
    points = dict[tuple[float, float], set[int]]()
    for cell in grid.cells.tolist():
        for corner in range(6):
            x, y = grid.corner(cell, corner)
            point = (round(x, 3), round(y, 3))
            points.setdefault(point, set()).add(values[plane[cell] - 1][6 + corner])
    assert all(len(colours) == 1 for colours in points.values())
    assert sum(colours == {B} for colours in points.values()) == 6


def test_a_road_is_drawn_side_by_side():
    values = [(*sides, 0, 0, 0, 0) for sides in product((0, A), repeat=4) if any(sides)]
    battlemap = map_with(SQUARE, values, "edge", colours=1)
    cell = middle(battlemap)
    changes = change(battlemap, paint_sides(battlemap, 1, colour_of(battlemap, A), [(cell, 1)]))
    assert {at: values[tile][:4] for at, tile in changes.items()} == {
        (3, 3): (0, A, 0, 0),
        (4, 3): (0, 0, 0, A),
    }
    east = battlemap.grid.neighbour(cell, 1)
    changes = change(battlemap, paint_sides(battlemap, 1, colour_of(battlemap, A), [(east, 2)]))
    assert {at: values[tile][:4] for at, tile in changes.items()} == {
        (4, 3): (0, 0, A, A),
        (4, 4): (A, 0, 0, 0),
    }


def test_other_tiles_and_empty_cells_without_a_fitting_tile_are_left_alone():
    values = corner_rows([(A, B)])
    battlemap = map_with(SQUARE, values, "corner")
    fill_all(battlemap, values.index((0,) * 4 + (A,) * 4))
    grid = battlemap.grid
    tree = len(values) + 1
    set_values(battlemap, 1, "terrain", [grid.cell(2, 3)], tree).apply(battlemap)
    unset = battlemap.system.plane("terrain").unset
    set_values(battlemap, 1, "terrain", [grid.cell(4, 3)], unset).apply(battlemap)
    changes = change(
        battlemap,
        paint_colour(battlemap, 1, colour_of(battlemap, B), np.array([middle(battlemap)])),
    )
    assert (2, 3) not in changes
    assert (4, 3) not in changes
    assert len(changes) == 7


def test_tiles_that_lie_on_nothing_come_to_empty_cells():
    """An overlay has tiles with corners of no colour: they are its rim."""
    values = corner_rows([(0, A)])[1:]
    battlemap = map_with(SQUARE, values, "corner", colours=1)
    battlemap.layers.append(Layer(2, "Overlay"))
    fill_all(battlemap, len(values))
    changes = paint_colour(battlemap, 2, colour_of(battlemap, A), np.array([middle(battlemap)]))
    tiles = dict(zip(map(battlemap.grid.xy, changes[0].tolist()), changes[1].tolist(), strict=True))
    assert len(tiles) == 9
    assert values[tiles[4, 4] - 1][4:] == (A, 0, 0, 0)


def test_of_tiles_alike_those_with_more_weight_come_more_often_and_none_without():
    values = [(0, 0, 0, 0, A, A, A, A)] * 3
    battlemap = map_with(SQUARE, values, "corner", weights=[1.0, 9.0, 0.0])
    cells, terrains = paint_colour(battlemap, 1, colour_of(battlemap, A), battlemap.grid.cells)
    counts = np.bincount(terrains, minlength=4)
    assert len(cells) == 49
    assert 0 < counts[1] < counts[2]
    assert counts[3] == 0


def test_a_tile_that_fits_already_stays():
    values = [(0, 0, 0, 0, A, A, A, A)] * 2
    battlemap = map_with(SQUARE, values, "corner", weights=[1.0, 1e6])
    fill_all(battlemap, 0)
    cells, _terrains = paint_colour(battlemap, 1, colour_of(battlemap, A), battlemap.grid.cells)
    assert not len(cells)


def test_sides_far_from_each_other_are_drawn_at_once():
    values = [(*sides, 0, 0, 0, 0) for sides in product((0, A), repeat=4) if any(sides)]
    battlemap = map_with(SQUARE, values, "edge", colours=1)
    grid = battlemap.grid
    sides = [(grid.cell(1, 1), 1), (grid.cell(4, 4), 1)]
    changes = change(battlemap, paint_sides(battlemap, 1, colour_of(battlemap, A), sides))
    assert set(changes) == {(1, 1), (2, 1), (4, 4), (5, 4)}
