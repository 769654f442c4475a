"""Translucent layers over a picture: the lowest pass has nothing but the picture below it."""

from __future__ import annotations

import pytest

from app.render.cell_values.opacity_passes import opacity_passes, passes_over_picture
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from tests.test_system.system import SYSTEM


@pytest.mark.parametrize("opacities", [(1.0,), (0.5,), (1.0, 0.5), (0.5, 1.0), (0.5, 0.5)])
def test_only_the_lowest_pass_over_a_picture_is_alone(opacities: tuple[float, ...]) -> None:
    layers = [
        Layer(number, f"Layer {number}", opacity=opacity)
        for number, opacity in enumerate(opacities, 1)
    ]
    battlemap = BattleMap.new(SYSTEM, Grid(SQUARE, 3, 3), layers)
    passes = passes_over_picture(battlemap, opacity_passes(battlemap))
    assert [opacity_pass.is_alone for opacity_pass in passes] == [True] + [False] * (
        len(passes) - 1
    )
