"""The name of a region stands in its middle, and keeps clear of names of what is placed there."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from app.render.scene.region_names import LETTER, RegionNames, region_names
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


def region_named_moor(battlemap, width: int) -> RegionNames:
    """Give the cells of the first ``width`` rows and columns to a region; return the names."""
    cells = np.array([cell for cell in battlemap.grid.cells if max(cell % 30, cell // 30) < width])
    set_values(battlemap, 1, "region", cells, 0).apply(battlemap)
    add_region(battlemap, MapRegion("Moor", "#336699")).apply(battlemap)
    return region_names(battlemap, battlemap.composite())


@pytest.mark.parametrize("width", [1, 24])
def test_it_makes_way_or_is_left_out_where_the_region_has_no_room(qapp, width: int) -> None:
    battlemap = free_map(FLAT, 30, 24)
    regions = region_named_moor(battlemap, width)
    (name,) = regions.placed(SCALE, NO_NAMES)
    middle = name.point
    things = []
    for number, shift in enumerate((0.0, -0.6, 0.6), 1):
        x, y = middle.tolist()
        things.append(Thing(number, "label", x, y + shift, label="A very large place"))
    ThingsEdit(1, (), tuple(things)).apply(battlemap)
    names = names_of(battlemap, SCALE, NO_LOADS)
    assert len(names.texts) == 3
    if width == 1:
        assert not regions.placed(SCALE, names)
        assert regions.left_out(SCALE, names) == ("Moor",)
        assert not regions.left_out(SCALE, NO_NAMES)
        return
    (moved_name,) = regions.placed(SCALE, names)
    assert not names.boxes(SCALE).overlap(moved_name.point[None], moved_name.half).any()
    assert not regions.left_out(SCALE, names)


@pytest.mark.parametrize("scale", [6.0, 10.0, 20.0, 40.0])
def test_no_region_is_printed_over_a_town_at_any_scale(qapp, scale: float) -> None:
    battlemap = free_map(FLAT, 30, 24)
    regions = region_named_moor(battlemap, 12)
    towns = []
    for number, cell in enumerate(range(0, 360, 4), 1):
        point = battlemap.grid.centre(cell)
        towns.append(Thing(number, "town", *point, label=f"Dustwell {number}"))
    ThingsEdit(1, (), tuple(towns)).apply(battlemap)
    names = names_of(battlemap, scale, NO_LOADS)
    boxes = names.boxes(scale)
    for name in regions.placed(scale, names):
        assert not boxes.overlap(name.point[None], name.half).any()
    texts = [name.text for name in regions.placed(scale, names)]
    assert "Moor" in (*texts, *regions.left_out(scale, names))


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


def test_of_two_regions_of_one_name_the_one_without_room_is_told(qapp) -> None:
    battlemap = free_map(FLAT, 30, 24)
    regions = region_named_moor(battlemap, 24)
    (moor,) = regions.region_names
    twin_without_room = RegionNames(battlemap.grid, (moor, moor._replace(spots=moor.spots[:1])))
    placed = twin_without_room.placed(SCALE, NO_NAMES)
    missing = twin_without_room.left_out(SCALE, NO_NAMES)
    assert len(placed) + len(missing) == 2
