"""Symmetric painting: every twin is painted, shown, and told of where the board ends."""

import numpy as np
import pytest

from randomizer.geometry.symmetry import kinds
from randomizer.model.layouts import FLAT, LAYOUTS

BOG = 5


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("tool", ["terrain", "random", "elevation", "lock", "fill", "line"])
def test_what_is_painted_is_its_own_twin(make_table, layout, tool):
    table = make_table(layout, 9, 9)
    table.use(tool)
    for kind, _words in kinds(table.grid)[1:]:
        table.options.choose(symmetry_kind=kind, centre=None, radius=1, terrain=BOG)
        table.drag(table.at(3, 2), table.at(4, 3))
        symmetry = table.options.symmetry(table.grid)
        images = symmetry.images(table.grid, table.grid.cells)
        for plane in (
            table.plane("terrain"),
            table.plane("elevation"),
            table.document.battlemap.locked_cells,
        ):
            values = plane.reshape(-1)
            twins = np.where(images >= 0, values[images], values)
            assert (twins == values).all()
        table.document.undo_stack.undo()
        assert not table.plane("terrain").any()


def test_hexsides_are_painted_at_every_twin(table):
    table.use("hexside")
    table.options.choose(symmetry_kind="turn6", centre=table.grid.cell(7, 5), hexside=5)
    table.click(7, 4, 1)
    hexside = table.plane("hexside").reshape(-1, 6)
    assert (hexside > 0).sum() == 6
    table.use("eraser")
    table.options.choose(radius=0)
    table.click(7, 4, 1)
    assert not table.plane("hexside").any()


def test_twins_off_the_board_are_counted_and_marked(table):
    table.use("terrain")
    table.options.choose(symmetry_kind="turn2", centre=table.grid.cell(3, 3), radius=1)
    table.hover(12, 9)
    preview = table.canvas.overlays.preview
    assert preview.words == "7 of 7 twins lie off the board"
    assert len(preview.lost) == 7
    table.hover(4, 4)
    assert table.canvas.overlays.preview.words == ""
    table.canvas.grab()  # draws the centre and the hatching


def test_a_click_chooses_the_centre(table):
    table.use("centre")
    table.options.choose(symmetry_kind="mirror1")
    table.click(6, 6)
    assert table.options.centre == table.grid.cell(6, 6)
    assert table.document.undo_stack.count() == 0
    table.canvas.grab()


def test_a_symmetry_that_a_map_cannot_have_is_none(make_table):
    table = make_table(FLAT, 8, 8, wrap=True)
    table.options.choose(symmetry_kind="turn3")
    assert table.options.symmetry(table.grid) is None
    table.use("terrain")
    table.click(3, 3)
    assert len(table.painted(table.options.terrain)) == 1
