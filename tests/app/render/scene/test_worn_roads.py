"""Roads of landscapes differ from the land beside them, also where the whole map is seen."""

from __future__ import annotations

import numpy as np
import pytest

from app.paper.bitmaps import image
from app.paper.picture_request import PictureRequest
from app.paper.steps import run
from app.render.overlay_options import Overlays
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.free.system import free_map
from tests.app.render.vector.test_vector_map import pixels

NORTH_AND_SOUTH = 0b001001


@pytest.mark.parametrize("hex_pixels", [16.0, 24.0, 36.0])
def test_a_road_is_seen_from_afar(qapp, hex_pixels):
    battlemap = free_map(FLAT, 12, 12)
    way = next(way for way in battlemap.terrain_set.ways if way.style == "road")
    plane = f"way{battlemap.terrain_set.ways.index(way) + 1}"
    request = PictureRequest(pixels=hex_pixels, overlays=Overlays(labels=False, grid_lines=False))
    land = pixels(run(image(request, battlemap, battlemap.composite(), 2000))).astype(int)
    column = [battlemap.grid.cell(6, y) for y in range(12)]
    set_values(battlemap, 1, plane, column, PRESENT | NORTH_AND_SOUTH).apply(battlemap)
    road = pixels(run(image(request, battlemap, battlemap.composite(), 2000))).astype(int)
    difference = np.abs(road - land)[..., :3].max(axis=2)
    rows = difference[land.shape[0] // 4 : 3 * land.shape[0] // 4]
    assert np.median((rows > 60).sum(axis=1)) >= 2, "pixels of a row that differ much"
