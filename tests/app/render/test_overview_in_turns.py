"""The overview of a large map: coloured in several turns of the event loop, never half old."""

from __future__ import annotations

import numpy as np
import pytest

from app.render.raster.overview import Overview
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE
from randomizer.systems.free.system import free_map

BACKGROUND = 0xFF102030
BOG = 5


class Colours:
    """Counts the runs of cells that are coloured."""

    def __init__(self, colours) -> None:
        self.colours = colours
        self.runs = 0

    def of(self, composite, cells, starts):
        self.runs += isinstance(cells, slice)
        return self.colours.of(composite, cells, starts)


@pytest.fixture(params=[POINTY, FLAT, SQUARE], ids=lambda layout: layout.name)
def battlemap(request):
    made = free_map(request.param, 400, 500)
    terrain = np.random.default_rng(1).integers(0, 11, (500, 400)).astype("u2")
    made.layers[0].planes["terrain"] = terrain
    return made


@pytest.fixture
def overview(qapp, battlemap):
    renderer = Renderer(theme("light"))
    made = []

    def colours_of(of_map):
        made.append(Colours(renderer.ground.overview.cell_colours(of_map)))
        return made[-1]

    overview = Overview(colours_of)
    overview.follow(battlemap)
    overview.made = made
    return overview


def whole(battlemap):
    """The pixels of a raster that is coloured at once."""
    renderer = Renderer(theme("light"))
    return Overview(renderer.ground.overview.cell_colours).raster(
        battlemap, battlemap.composite(), BACKGROUND
    )


def test_a_turn_without_time_colours_one_run_of_cells(overview, battlemap):
    composite = battlemap.composite(live=True)
    turns = 0
    while not overview.is_current:
        raster = overview.raster(battlemap, composite, BACKGROUND, 0)
        turns += 1
        assert sum(each.runs for each in overview.made) == turns
    assert turns > 2
    assert np.array_equal(raster.pixels, whole(battlemap).pixels)


def test_while_all_is_coloured_again_the_picture_stays_whole(overview, battlemap):
    composite = battlemap.composite(live=True)
    before = overview.raster(battlemap, composite, BACKGROUND).pixels.copy()
    edit = set_values(battlemap, 1, "terrain", battlemap.grid.cells, BOG)
    edit.apply(battlemap)
    edit.refresh(battlemap, composite)
    overview.all_changed()
    while True:
        shown = overview.raster(battlemap, composite, BACKGROUND, 0).pixels
        if overview.is_current:
            break
        assert np.array_equal(shown, before)
    assert np.array_equal(shown, whole(battlemap).pixels)


def test_a_cell_that_changes_between_two_turns_is_shown_at_once_and_in_the_end(overview, battlemap):
    composite = battlemap.composite(live=True)
    overview.raster(battlemap, composite, BACKGROUND)
    overview.all_changed()
    overview.raster(battlemap, composite, BACKGROUND, 0)
    cells = np.array([3, battlemap.grid.size - 5])
    edit = set_values(battlemap, 1, "terrain", cells, BOG)
    edit.apply(battlemap)
    edit.refresh(battlemap, composite)
    overview.changed(cells)
    shown = overview.raster(battlemap, composite, BACKGROUND, 0)
    assert not overview.is_current
    assert np.array_equal(shown.pixels, whole(battlemap).pixels)
    while not overview.is_current:
        shown = overview.raster(battlemap, composite, BACKGROUND, 0)
    assert np.array_equal(shown.pixels, whole(battlemap).pixels)


def test_a_change_of_all_cells_between_two_turns_is_followed(overview, battlemap):
    composite = battlemap.composite(live=True)
    overview.raster(battlemap, composite, BACKGROUND, 0)
    edit = set_values(battlemap, 1, "terrain", battlemap.grid.cells, BOG)
    edit.apply(battlemap)
    edit.refresh(battlemap, composite)
    overview.all_changed()
    for _turn in range(99):
        shown = overview.raster(battlemap, composite, BACKGROUND, 0)
        if overview.is_current:
            break
    assert np.array_equal(shown.pixels, whole(battlemap).pixels)
