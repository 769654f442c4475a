"""Overlays and heat maps are seen at every scale at which they are drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.render.overlay_options import OVERLAYS
from app.render.style import BOARD, LANDSCAPE
from randomizer.model.edits.region_edits import add_region
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.regions import MapRegion
from randomizer.systems.free.system import free_map
from tests.app.render.drawing import GRIDS, NOTHING, full_world, middle_viewport, picture, world

ELSEWHERE = (
    *(
        "countries",
        "entry_sides",
        "legend",
        "players",
        "regions",
        "round_edge",
        "rulers",
        "thing_names",
    ),
    *("elevation_numbers", "plan", "water_depth"),
)
"""The overlays that only some kinds of maps have, or that are not in the middle of one, and the one
that takes something away.
"""


@pytest.mark.parametrize("overlay", [n for n in OVERLAYS if n not in ELSEWHERE])
def test_an_overlay_is_seen_when_it_is_on(qapp, overlay):
    battlemap = full_world(GRIDS["oblique upright"])
    on = replace(NOTHING, **{overlay: True})
    scale = 10.1 if overlay == "seam" else 24.0
    assert picture(battlemap, on, scale) != picture(battlemap, NOTHING, scale)


def test_numbers_of_elevations_are_seen_where_they_are_asked_for_and_elevations_are_shown(qapp):
    battlemap = full_world(GRIDS["flat"])
    steps = replace(NOTHING, elevation=True)
    numbers = replace(steps, elevation_numbers=True)
    assert picture(battlemap, numbers, 24.0) != picture(battlemap, steps, 24.0)
    alone = replace(NOTHING, elevation_numbers=True)
    assert picture(battlemap, alone, 24.0) == picture(battlemap, NOTHING, 24.0)
    country = free_map(FLAT, 3, 3)
    assert not LANDSCAPE.overlays(country.system, country.terrain_set).elevation_numbers
    assert BOARD.overlays(country.system, country.terrain_set).elevation_numbers


@pytest.mark.parametrize(
    "overlay",
    ["elevation", "shading", "height_colours", "passability", "cell_list", "locks", "things"],
)
@pytest.mark.parametrize("scale", [1.0, 4.0])
def test_an_overlay_is_seen_from_afar(qapp, overlay, scale):
    battlemap = full_world(GRIDS["flat"])
    on = replace(NOTHING, **{overlay: True})
    assert picture(battlemap, on, scale) != picture(battlemap, NOTHING, scale)


@pytest.mark.parametrize("scale", [3.0, 20.0])
def test_a_heat_map_colours_its_cells_and_leaves_those_without_a_number(qapp, scale):
    battlemap = world(GRIDS["square"])
    heat = np.full((11, 14), np.nan)
    heat[5, 7] = 0.0
    heat[6, 7] = 1.0
    plain = picture(battlemap, NOTHING, scale)
    hot = picture(battlemap, NOTHING, scale, heat=heat)
    viewport = middle_viewport(battlemap.grid, scale)

    def pixel(image, x, y):
        return image.pixelColor(viewport.to_screen(x, y).toPoint())

    low = pixel(hot, 7, 5)
    high = pixel(hot, 7, 6)
    assert low.blue() > low.red()
    assert high.red() > high.blue()
    assert pixel(hot, 2, 2) == pixel(plain, 2, 2)


def test_names_of_cells_are_read_on_dark_and_on_light_heat(qapp):
    battlemap = world(GRIDS["square"])
    scale = 80.0
    named = replace(NOTHING, labels=True)
    viewport = middle_viewport(battlemap.grid, scale)
    for heat, ink in ((0.0, 255), (1.0, 50)):
        values = np.full((11, 14), 0.5)
        values[5, 7] = heat
        values[0, 0] = 0.0
        values[0, 1] = 1.0
        image = picture(battlemap, named, scale, heat=values)
        middle = viewport.to_screen(7, 5).toPoint()
        tones = [
            image.pixelColor(middle.x() + x, middle.y() + y).lightness()
            for x in range(-25, 26)
            for y in range(-36, 0)
        ]
        assert min(abs(tone - ink) for tone in tones) < 15
        ground = image.pixelColor(middle.x(), middle.y() + 20).lightness()
        assert abs(ground - ink) > 100, "the letters stand out from it"


@pytest.mark.parametrize("scale", [1.5, 9.0, 24.0])
def test_a_region_is_tinted_and_its_border_is_strong_at_every_scale(qapp, scale):
    battlemap = free_map(FLAT, 12, 10)
    cells = np.array([cell for cell in battlemap.grid.cells if 3 <= cell % 12 <= 8])
    set_values(battlemap, 1, "region", cells, 0).apply(battlemap)
    bare = picture(battlemap, replace(NOTHING, regions=True), scale)
    assert bare == picture(battlemap, NOTHING, scale)  # no region has the code
    add_region(battlemap, MapRegion("R", "#ff0000")).apply(battlemap)
    shown = picture(battlemap, replace(NOTHING, regions=True), scale)
    reds = np.array(shown.constBits()).reshape(shown.height(), -1, 4)[:, :, 2].astype(int)
    before = np.array(bare.constBits()).reshape(bare.height(), -1, 4)[:, :, 2].astype(int)
    assert (reds - before).max() > 40  # border
    assert ((reds - before) > 0).sum() > 2 * ((reds - before) > 40).sum()  # tint
