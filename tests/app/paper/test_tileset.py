"""The pictures of tiles as the desk draws them."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from app.paper.tileset import paint_tiles
from randomizer.formats.tile_looks import Look
from randomizer.model.edits.record_edits import set_record
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.regions import NO_REGION, RECORD, MapRegion, record_of
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.free.system import SYSTEM, free_map

WAY = SYSTEM.ways[0].name


@pytest.mark.parametrize(
    ("look", "is_seen"),
    [
        (Look(WAY, 0, 0), False),
        (Look("hexside", 2, 0), False),
        (Look("elevation", 0, 0), False),
        (Look("flow", 0, 0), False),
        (Look("region", 0, NO_REGION), False),
        (Look("terrain", 0, 1), True),
        (Look(WAY, 0, PRESENT | 5), True),
        (Look("hexside", 2, 1), True),
        (Look("elevation", 0, 3), True),
        (Look("flow", 0, 4), True),
        (Look("flow_width", 0, 7), True),
        (Look("region", 0, 0), True),
    ],
)
@pytest.mark.usefixtures("qapp")
def test_a_tile_is_seen_unless_it_says_that_there_is_nothing(look: Look, is_seen: bool) -> None:
    battlemap = free_map(FLAT, 3, 2)
    edit = set_record(battlemap, RECORD, record_of((MapRegion("Moor", "#7a9e3f"),)))
    assert edit is not None
    edit.apply(battlemap)
    sheet = np.asarray(Image.open(io.BytesIO(paint_tiles(battlemap, [look], 60, 52))))
    assert sheet.shape[:2] == (52, 480)
    assert bool(sheet[:, :60, 3].any()) == is_seen
    assert not sheet[:, 60:].any()
