"""What a system paints along with values that a hand paints: in the same step."""

from __future__ import annotations

import numpy as np
import pytest

from app.document.document import MapDocument
from app.tools.painting import paint
from randomizer.model.map.layer import Layer
from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map.planes import HEIGHT, PRIORITY, TEXTURE
from randomizer.systems.zeroad.map_format.map_json import map_of

GRASS = 0
ROAD = 1
SAND = 2


@pytest.fixture
def document(qapp):
    """Grass of priority 0 (once 3), a road of 7 in two rows, no sand."""
    textures, priorities = np.zeros((2, 16, 16), np.uint16)
    textures[:2] = ROAD
    priorities[:2] = 7
    priorities[15, 15] = 3
    names = ("medit_grass_field", "temp_road", "sand")
    data = MapData(16, np.zeros((17, 17), np.uint16), names, textures, priorities, ())
    return MapDocument(map_of(data))


def _shown(document, spec):
    return np.array(document.composite.planes[spec.name]).reshape(-1)


def _paint(document, cells, value):
    edit = paint(document, document.battlemap.system.terrain, cells, value)
    return document.push(edit, "Paint terrain")


@pytest.mark.parametrize(("texture", "priority"), [(GRASS, 0), (ROAD, 7), (SAND, 0)])
def test_a_painted_tile_takes_the_usual_priority_of_its_texture(document, texture, priority):
    before = _shown(document, PRIORITY)
    cells = [0, 15, 100, 255]
    _paint(document, cells, texture)
    after = _shown(document, PRIORITY)
    assert (after[cells] == priority).all()
    assert (_shown(document, TEXTURE)[cells] == texture).all()
    others = np.setdiff1d(np.arange(256), cells)
    assert (after[others] == before[others]).all()
    document.undo()
    assert (_shown(document, PRIORITY) == before).all(), "one step"
    assert document.history.next_undo is None


def test_of_several_painted_textures_each_has_its_own(document):
    _paint(document, [3, 4, 5], np.array([GRASS, ROAD, SAND]))
    assert _shown(document, PRIORITY)[[3, 4, 5]].tolist() == [0, 7, 0]


def test_a_tile_whose_texture_is_left_out_keeps_its_priority(document):
    top = Layer(2, "Top", locked=True)
    top.planes[TEXTURE.name] = np.full((16, 16), TEXTURE.unset, TEXTURE.dtype)
    top.planes[TEXTURE.name][0, 0] = SAND
    document.battlemap.layers.append(top)
    document = MapDocument(document.battlemap)
    document.set_active_layer(1)
    _paint(document, [0, 1], ROAD)
    assert _shown(document, TEXTURE)[:2].tolist() == [SAND, ROAD]
    assert _shown(document, PRIORITY)[:2].tolist() == [0, 7]


def test_heights_have_nothing_painted_along(document):
    before = _shown(document, PRIORITY)
    document.push(paint(document, HEIGHT, [5], 300), "Raise")
    assert (_shown(document, PRIORITY) == before).all()
