"""Twins: each is a twin of the others, and those outside the map are reported."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.geometry.symmetry import NONE, Symmetry, best_centre, centred_on, kinds
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, SQUARE, Layout
from randomizer.model.things.things import Thing
from randomizer.systems.colossus.board import GRID
from tests.randomizer.grid_strategies import grids, grids_and_cells


@given(grids_and_cells(), st.data())
def test_every_twin_has_the_same_twins(place: tuple[Grid, int], data: st.DataObject) -> None:
    grid, cell = place
    kind, _words = data.draw(st.sampled_from(kinds(grid)))
    whole = Grid(grid.layout, grid.width, grid.height, None, grid.wrap)
    symmetry = data.draw(st.sampled_from([best_centre(grid, kind), centred_on(grid, kind, cell)]))
    twins = symmetry.twins(grid, cell)
    assert cell not in twins
    assert len(set(twins)) == len(twins) < symmetry.order
    assert all(grid.exists(twin) for twin in twins)
    family = {cell, *symmetry.twins(whole, cell)}
    if (symmetry.images(whole, np.array([cell])) >= 0).all():
        for twin in family:
            assert {twin, *symmetry.twins(whole, twin)} == family


@given(grids_and_cells(), st.data())
def test_neighbours_have_neighbours_for_twins(place: tuple[Grid, int], data: st.DataObject) -> None:
    grid, cell = place
    side = data.draw(st.integers(0, grid.degree - 1))
    kind, _words = data.draw(st.sampled_from(kinds(grid)))
    symmetry = best_centre(grid, kind)
    other = grid.neighbour(cell, side)
    if other < 0:
        return
    images = symmetry.images(grid, np.array([cell, other]))
    sides = symmetry.side_images(grid, np.array([cell]), np.array([side]))[:, 0]
    for (image, neighbour), twin_side in zip(images.tolist(), sides.tolist(), strict=True):
        if image < 0:
            assert twin_side == -1
            continue
        twin, its_side = divmod(twin_side, grid.degree)
        assert twin == image
        assert grid.neighbour(twin, its_side) == neighbour


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_every_layout_has_all_its_turns_and_mirrors(layout: Layout) -> None:
    names = [kind for kind, _words in kinds(Grid(layout, 5, 5))]
    folds = ["turn2", "turn4"] if layout is SQUARE else ["turn2", "turn3", "turn6"]
    assert names == [NONE, *folds, *(f"mirror{axis}" for axis in range(layout.degree))]
    assert len({words for _kind, words in kinds(Grid(layout, 5, 5))}) == len(names)
    for kind in names:
        symmetry = centred_on(Grid(layout, 5, 5), kind, 12)
        assert symmetry.twins(Grid(layout, 5, 5), 12) == []


def test_a_world_that_wraps_has_what_keeps_its_seam() -> None:
    names = [kind for kind, _words in kinds(Grid(OBLIQUE, 8, 6, None, True))]
    assert names == [NONE, "turn2", "mirror2", "mirror5"]


def test_the_battleland_turns_in_thirds_about_a_corner_and_loses_nothing() -> None:
    thirds = best_centre(GRID, "turn3")
    assert any(part % 6 for part in thirds.centre)
    assert thirds.off_board(GRID, GRID.cells) == (0, 54)
    assert thirds.warning(GRID, GRID.cells) == ""


def test_twins_off_the_battleland_are_counted_in_words() -> None:
    halves = best_centre(GRID, "turn2")
    assert halves.warning(GRID, GRID.cells) == "3 of 27 twins lie off the board"
    missing = GRID.cells[halves.images(GRID, GRID.cells)[1] < 0]
    assert halves.warning(GRID, missing[:1]) == "1 of 1 twins lies off the board"


@given(grids())
def test_the_cell_in_the_middle_keeps_no_more_twins_than_the_best_centre(grid: Grid) -> None:
    left, top, right, bottom = grid.bounds
    cell = grid.cell_at((left + right) / 2, (top + bottom) / 2)
    for kind, _words in kinds(grid) if cell >= 0 else ():
        kept, best = (
            (symmetry.images(grid, grid.cells) >= 0).all(axis=0).sum()
            for symmetry in (centred_on(grid, kind, cell), best_centre(grid, kind))
        )
        assert kept <= best


def test_a_rectangle_of_squares_turns_about_the_corner_in_its_middle() -> None:
    grid = Grid(SQUARE, 512, 512)
    for kind, _words in kinds(grid):
        assert best_centre(grid, kind).off_board(grid, np.arange(0, grid.size, 97))[0] == 0


def test_hexsides_have_twins_with_their_owners() -> None:
    grid = Grid(FLAT, 7, 7)
    symmetry = centred_on(grid, "turn6", grid.cell(3, 3))
    assert symmetry.twin_sides(grid, grid.cell(3, 3), 0) == [
        (grid.cell(3, 3), side) for side in range(1, 6)
    ]


@pytest.mark.parametrize(
    ("kind", "centre"), [("turn6", (2, 2)), ("turn2", (1, 0)), ("turn3", (3, 0))]
)
def test_centres_that_would_tear_cells_are_refused(kind: str, centre: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="does not map cells to cells"):
        Symmetry(FLAT, kind, centre)


@pytest.mark.parametrize("kind", ["turn4", "turn", "turn1", "mirror6", "mirror", "spiral", ""])
def test_symmetries_that_hexes_do_not_have_are_refused(kind: str) -> None:
    with pytest.raises(ValueError, match="no symmetry"):
        Symmetry(FLAT, kind)


@given(grids_and_cells(), st.data())
def test_twins_of_a_thing_are_on_the_twins_of_its_cell(
    place: tuple[Grid, int], data: st.DataObject
) -> None:
    grid, cell = place
    kind, _words = data.draw(st.sampled_from(kinds(grid)))
    symmetry = centred_on(grid, kind, data.draw(st.sampled_from(grid.cells.tolist())))
    x, y = grid.centre(cell)
    off = st.floats(-0.3, 0.3)
    thing = Thing(1, "tent", x + data.draw(off), y + data.draw(off), data.draw(st.floats(0, 359)))
    found = symmetry.thing_images(grid, thing)
    assert found[0] == thing
    cells = [grid.cell_at(twin.x, twin.y) for twin in found]
    assert {cell, *cells} == {cell, *symmetry.twins(grid, cell)}
    assert len(found) <= symmetry.order
    for twin, its_cell in zip(found, cells, strict=True):
        offs = [
            np.subtract((t.x, t.y), grid.centre(at)) for t, at in ((thing, cell), (twin, its_cell))
        ]
        assert np.linalg.norm(offs[0]) == pytest.approx(np.linalg.norm(offs[1]), abs=1e-6)
        assert 0 <= twin.angle < 360


def test_a_thing_turns_with_its_twin_and_one_in_the_centre_has_none() -> None:
    grid = Grid(SQUARE, 5, 5)
    symmetry = Symmetry(SQUARE, "turn4", (12, 12))
    twins = symmetry.thing_images(grid, Thing(1, "tent", 2.25, 1.0, 10.0))
    assert [(round(t.x, 6), round(t.y, 6), t.angle) for t in twins] == [
        (2.25, 1.0, 10.0),
        (3.0, 2.25, 100.0),
        (1.75, 3.0, 190.0),
        (1.0, 1.75, 280.0),
    ]
    assert len(symmetry.thing_images(grid, Thing(1, "tent", 2.0, 2.0))) == 1
    assert len(symmetry.thing_images(grid, Thing(1, "tent", 99.0, 2.0))) == 1
