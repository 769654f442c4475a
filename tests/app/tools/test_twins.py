"""Symmetric painting: every twin is painted, shown, and told of where the board ends."""

import numpy as np
import pytest

from randomizer.geometry.symmetry import kinds
from randomizer.model.grid.layouts import FLAT, LAYOUTS

BOG = 5


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("tool", ["terrain", "random", "elevation", "lock", "fill", "line"])
def test_what_is_painted_is_its_own_twin(make_driver, layout, tool):
    driver = make_driver(layout, 9, 9)
    driver.use(tool)
    for kind, _words in kinds(driver.grid)[1:]:
        driver.options.choose(symmetry_kind=kind, centre=None, radius=1, terrain=BOG)
        driver.drag(driver.at(3, 2), driver.at(4, 3))
        symmetry = driver.options.symmetry(driver.grid)
        images = symmetry.images(driver.grid, driver.grid.cells)
        for plane in (
            driver.plane("terrain"),
            driver.plane("elevation"),
            driver.document.battlemap.locked_cells,
        ):
            values = plane.reshape(-1)
            twins = np.where(images >= 0, values[images], values)
            assert (twins == values).all()
        driver.document.undo()
        assert not driver.plane("terrain").any()


def test_hexsides_are_painted_at_every_twin(driver):
    driver.use("hexside")
    driver.options.choose(symmetry_kind="turn6", centre=driver.grid.cell(7, 5), hexside=5)
    driver.click(7, 4, 1)
    hexside = driver.plane("hexside").reshape(-1, 6)
    assert (hexside > 0).sum() == 6
    driver.use("eraser")
    driver.options.choose(radius=0)
    driver.click(7, 4, 1)
    assert not driver.plane("hexside").any()


def test_twins_off_the_board_are_counted_and_marked(driver):
    driver.use("terrain")
    driver.options.choose(symmetry_kind="turn2", centre=driver.grid.cell(3, 3), radius=1)
    driver.hover(12, 9)
    preview = driver.canvas.overlays.preview
    assert preview.note == "7 of 7 twins lie off the board"
    assert len(preview.lost) == 7
    driver.hover(4, 4)
    assert driver.canvas.overlays.preview.note == ""
    driver.canvas.grab()  # draws the centre and the hatching


def test_a_click_chooses_the_centre(driver):
    driver.use("centre")
    driver.options.choose(symmetry_kind="mirror1")
    driver.click(6, 6)
    assert driver.options.centre == driver.grid.cell(6, 6)
    assert len(driver.document.history.steps) == 0
    driver.canvas.grab()


def test_a_symmetry_that_a_map_cannot_have_is_none(make_driver):
    driver = make_driver(FLAT, 8, 8, wrap=True)
    driver.options.choose(symmetry_kind="turn3")
    assert driver.options.symmetry(driver.grid) is None
    driver.use("terrain")
    driver.click(3, 3)
    assert len(driver.painted(driver.options.terrain)) == 1
