"""A symmetric map is the same when it is turned; one sector of it is as it was."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.geometry.symmetrize import make_symmetric
from randomizer.geometry.symmetry import NONE, Symmetry, best_centre, kinds
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.planes.planes import Element
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.terrain.terrain import TerrainSet, Way
from randomizer.model.things.things import Thing, Things
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.free.system import SYSTEM
from tests.randomizer.map_strategies import battlemaps, contents

KNOWN = TerrainSet(
    "Test", COLOSSUS.terrains, COLOSSUS.hexsides, ways=(Way("Road", "road", "#f0e0c0"),)
)
GRIDS = [Grid(layout, 7, 6) for layout in LAYOUTS]


def carry_out(battlemap: BattleMap, symmetry: Symmetry, direction: float = 0.0) -> None:
    result = make_symmetric(battlemap, symmetry, direction)
    if result.edit is not None:
        result.edit.apply(battlemap)


def symmetries(grid: Grid) -> list[Symmetry]:
    return [best_centre(grid, kind) for kind, _words in kinds(grid) if kind != NONE]


def painted(grid: Grid, seed: int) -> BattleMap:
    """A free map of random terrains, hexsides and roads."""
    battlemap = BattleMap.new(SYSTEM, grid, [Layer(1, "Ground")], KNOWN)
    dice = np.random.default_rng(seed)
    bits = np.zeros(grid.size, np.int64)
    for cell, side in zip(
        dice.integers(0, grid.size, 30).tolist(),
        dice.integers(0, grid.degree, 30).tolist(),
        strict=True,
    ):
        bits[cell] |= 1 << side
        other = grid.neighbour(cell, side)
        if other >= 0:
            bits[other] |= 1 << grid.opposite(side)
    for plane, values in (
        ("terrain", dice.integers(0, 12, grid.size)),
        ("hexside", dice.integers(0, 6, grid.size * grid.degree)),
        ("way1", np.where(bits > 0, bits | PRESENT, 0)),
    ):
        edit = set_values(battlemap, 1, plane, range(len(values)), values)
        assert edit is not None
        edit.apply(battlemap)
    return battlemap


@pytest.mark.parametrize("grid", GRIDS, ids=lambda grid: grid.layout.name)
@settings(max_examples=5)
@given(seed=st.integers(0, 99), direction=st.sampled_from([0.0, 90.0, 200.0]))
def test_every_place_is_as_its_twins(grid: Grid, seed: int, direction: float) -> None:
    for symmetry in symmetries(grid):
        battlemap = painted(grid, seed)
        carry_out(battlemap, symmetry, direction)
        planes = battlemap.layer(1).planes
        cells = np.arange(grid.size)
        terrain = planes["terrain"].reshape(-1)
        for image in symmetry.images(grid, cells):
            there = image >= 0
            assert (terrain[image[there]] == terrain[there]).all()
        sides = np.arange(grid.size * grid.degree)
        links = planes["way1"].reshape(-1, 1) >> np.arange(grid.degree) & 1
        for image in symmetry.side_images(grid, sides // grid.degree, sides % grid.degree):
            there = image >= 0
            assert (links.reshape(-1)[image[there]] == links.reshape(-1)[there]).all()
        for side in range(grid.degree):  # every link has its other half
            other = grid.neighbour_table[:, side]
            here = links[other >= 0, side]
            assert (here == links[other[other >= 0], grid.opposite(side)]).all()
        bits = planes["way1"].reshape(-1)
        assert ((bits & SIDES > 0) == (bits & PRESENT > 0)).all()
        again = make_symmetric(battlemap, symmetry, direction)
        assert again.edit is None


def test_the_sector_in_the_direction_is_copied() -> None:
    grid = Grid(SQUARE, 6, 5)
    symmetry = best_centre(grid, "turn2")
    for direction, rows in ((0.0, slice(0, 2)), (180.0, slice(3, 5))):
        battlemap = painted(grid, 5)
        before = battlemap.layer(1).planes["terrain"].copy()
        carry_out(battlemap, symmetry, direction)
        after = battlemap.layer(1).planes["terrain"]
        assert (after[rows] == before[rows]).all()
        assert (after == after[::-1, ::-1]).all()


@given(battlemaps())
def test_undo_brings_everything_back(battlemap: BattleMap) -> None:
    before = contents(battlemap)
    for symmetry in symmetries(battlemap.grid)[:2]:
        result = make_symmetric(battlemap, symmetry, 0.0)
        locked = {layer.name for layer in battlemap.layers if layer.locked and layer.visible}
        assert set(result.locked) == locked
        if result.edit is not None:
            result.edit.apply(battlemap)
            result.edit.inverse().apply(battlemap)
        assert contents(battlemap) == before


def test_things_come_with_the_cells() -> None:
    grid = Grid(FLAT, 7, 6)
    battlemap = BattleMap.new(SYSTEM, grid, [Layer(1, "Ground")], KNOWN)
    north = grid.centre(3)
    south = grid.centre(31)
    ThingsEdit(
        1, (), (Thing(1, "town", *north, label="North"), Thing(2, "town", *south, label="South"))
    ).apply(battlemap)
    symmetry = best_centre(grid, "turn2")
    carry_out(battlemap, symmetry)
    labels = [thing.label for thing in battlemap.layer(1).things.values()]
    assert labels == ["North", "North"]


def test_what_is_removed_of_a_roll_and_of_its_touch_ups_stays_away() -> None:
    grid = Grid(FLAT, 7, 6)
    south = grid.centre(31)
    rolled = Layer(1, "Rolled", roll=Roll("", "a", "", {}, 1, 0))
    rolled.things = Things([Thing(1, "town", *south, key="first")])
    touch_ups = Layer(2, "Touch-ups", touch_ups_of=1)
    touch_ups.things = Things([Thing(2, "town", *south, key="second")])
    battlemap = BattleMap.new(SYSTEM, grid, [rolled, touch_ups], KNOWN)
    carry_out(battlemap, best_centre(grid, "turn2"))
    assert battlemap.layer(1).removed_keys == {"first", "second"}


def test_corners_are_copied_too() -> None:
    from randomizer.systems.zeroad.system import SYSTEM as ZEROAD

    grid = Grid(SQUARE, 4, 4)
    battlemap = BattleMap.new(ZEROAD, grid, [Layer(1, "Ground")])
    plane = next(spec for spec in ZEROAD.planes if spec.element is Element.CORNER)
    edit = set_values(battlemap, 1, plane.name, range(25), np.arange(25))
    assert edit is not None
    edit.apply(battlemap)
    carry_out(battlemap, best_centre(grid, "turn4"))
    heights = battlemap.layer(1).planes[plane.name]
    assert (heights == np.rot90(heights)).all()
    assert heights[2, 2] == 12


def test_a_pointy_hex_grid_that_wraps() -> None:
    grid = Grid(POINTY, 8, 5, wrap=True)
    for symmetry in symmetries(grid):
        battlemap = painted(grid, 3)
        carry_out(battlemap, symmetry)
        assert make_symmetric(battlemap, symmetry, 0.0).edit is None


@pytest.mark.parametrize(("angle", "expected"), [(0.0, 0.0), (30.0, 30.0), (100.0, 280.0)])
def test_the_twin_of_a_name_is_not_upside_down(angle: float, expected: float) -> None:
    grid = Grid(FLAT, 7, 6)
    battlemap = BattleMap.new(SYSTEM, grid, [Layer(1, "Ground")], KNOWN)
    name = Thing(1, "label", *grid.centre(3), angle, label="North")
    ThingsEdit(1, (), (name,)).apply(battlemap)
    carry_out(battlemap, best_centre(grid, "turn2"))
    _name, twin = battlemap.layer(1).things.values()
    assert twin.angle == expected
