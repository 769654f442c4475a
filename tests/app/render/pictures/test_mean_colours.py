"""Landscapes keep their colours when they are zoomed from plain cells to pictures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QColor

from app.render.pictures.mean_colours import mean_colour
from app.render.theme import theme
from randomizer.model.edits.value_edits import set_values
from randomizer.model.terrain.terrain import Terrain
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.app.render.drawing import GRIDS, NOTHING, SIZE, picture, world


def mean(image) -> np.ndarray:
    raw = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), -1, 4)[:, :, :3]
    middle_x = SIZE[0] // 2
    middle_y = SIZE[1] // 2
    return raw[middle_y - 30 : middle_y + 30, middle_x - 30 : middle_x + 30].mean(axis=(0, 1))


@pytest.mark.parametrize("name", ["Plains", "Tree", "Lake", "Sand", "Stone", "Drift", "Bog"])
def test_small_cells_have_the_mean_colour_of_their_pictures(qapp, name):
    battlemap = world(GRIDS["flat"])
    code = battlemap.terrain_set.terrain_code(name)
    set_values(battlemap, 1, "terrain", battlemap.grid.cells, code).apply(battlemap)
    small, large = (mean(picture(battlemap, NOTHING, scale)) for scale in (9.0, 13.0))
    assert np.abs(small - large).max() < 14


def test_a_terrain_that_names_a_picture_gives_it_its_own_colour():
    look = theme("light")
    red, green = (
        mean_colour(look, Terrain("wood", colour, picture="Woods"))
        for colour in ("#803030", "#308030")
    )
    assert red.red() > red.green() + 15
    assert green.green() > green.red() + 15
    assert mean_colour(look, Terrain("Chalk", "#123456")) == QColor("#123456")
    print_look = theme("light", "print")
    lake = COLOSSUS.terrains[COLOSSUS.terrain_code("Lake")]
    assert mean_colour(print_look, lake) == print_look.terrain_colour(lake)


def test_a_picture_on_a_ground_counts_as_it_is_seen():
    look = theme("light")
    tree = Terrain("Thicket", "#803030", picture="Tree", ground="Plains")
    with_pattern = replace(tree, pattern="dots")  # a picture goes before a pattern
    assert mean_colour(look, with_pattern) == mean_colour(look, tree)
    unnamed = Terrain("Tree", "#803030", ground="Plains")  # the picture of its own name
    assert mean_colour(look, unnamed) == mean_colour(look, replace(unnamed, picture="Tree"))
