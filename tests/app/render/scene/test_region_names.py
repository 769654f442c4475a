"""The name of a region stands in its middle, and makes way for names of what is placed there."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from app.render.scene.regions import LETTER, region_names
from app.render.scene.things.loads import NO_LOADS
from app.render.scene.things.names import NO_NAMES
from app.render.scene.things.thing_labels import names_of
from app.render.theme import theme
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.region_edits import add_region
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.regions import MapRegion
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map

SCALE = 30.0


@pytest.mark.parametrize("width", [1, 24])
def test_it_makes_way_where_the_region_has_room(qapp, width: int) -> None:
    battlemap = free_map(FLAT, 30, 24)
    cells = np.array([cell for cell in battlemap.grid.cells if max(cell % 30, cell // 30) < width])
    set_values(battlemap, 1, "region", cells, 0).apply(battlemap)
    add_region(battlemap, MapRegion("Moor", "#336699")).apply(battlemap)
    regions = region_names(battlemap, battlemap.composite())
    everywhere = QRectF(-100, -100, 400, 400)

    def stands(names) -> np.ndarray:
        (batch,) = regions.batches(SCALE, everywhere, theme("light"), names)
        return batch.points[0]

    middle = battlemap.grid.centres_of(cells).mean(axis=0)
    assert np.abs(stands(NO_NAMES) - middle).max() < 1.5
    things = (Thing(1, "label", *middle.tolist(), label="A very large place"),)
    ThingsEdit(1, (), things).apply(battlemap)
    names = names_of(battlemap, SCALE, NO_LOADS)
    assert names.texts
    away = np.abs(stands(names) - middle) * SCALE
    assert (away > names.halves[0]).any() == (width > 1)
    if width == 1:
        assert np.abs(stands(names) - middle).max() < 1.5, "there is no room: it stays"


def test_it_does_not_lie_on_a_symbol_that_has_no_label(qapp) -> None:
    battlemap = free_map(FLAT, 30, 24)
    cells = battlemap.grid.cells
    set_values(battlemap, 1, "region", cells, 0).apply(battlemap)
    add_region(battlemap, MapRegion("Moor", "#336699")).apply(battlemap)
    middle = battlemap.grid.centres_of(cells).mean(axis=0)
    ThingsEdit(1, (), (Thing(1, "castle", *middle.tolist()),)).apply(battlemap)
    regions = region_names(battlemap, battlemap.composite())
    names = names_of(battlemap, SCALE, NO_LOADS)
    assert not names.texts
    everywhere = QRectF(-100, -100, 400, 400)
    (batch,) = regions.batches(SCALE, everywhere, theme("light"), names)
    away = np.abs(batch.points[0] - middle)
    height = batch.size
    width = height * LETTER * len("Moor")
    half = names.symbol_halves[0] / SCALE
    assert away[0] >= width / 2 + half or away[1] >= height / 2 + half
