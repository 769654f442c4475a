"""The names of cells keep to a readable size, however near one looks, and make way for others."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from app.render.map_view import MapView
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.scene.batch import TextBatch
from app.render.scene.cell_overlays import MAX_LABEL_PIXELS, labels
from app.render.scene.part import ScenePart
from app.render.scene.region_names import region_names
from app.render.scene.text_boxes import NO_BOXES, TextBoxes
from app.render.scene.things.loads import NO_LOADS
from app.render.scene.things.thing_labels import names_of
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.region_edits import add_region
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import MapRegion
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map


@pytest.mark.parametrize("scale", [40.0, 68.0, 151.0, 500.0])
def test_names_of_cells_do_not_outgrow_those_of_towns(qapp, scale):
    battlemap = free_map(FLAT, 6, 5)
    sprites = Renderer(theme("light")).sprites(battlemap, scale, 1.0)
    shown = battlemap.composite()
    part = ScenePart(battlemap, shown, Overlays(), battlemap.grid.cells, is_on_screen=True)
    batches = [batch for batch in labels(sprites.pieces, part) if isinstance(batch, TextBatch)]
    assert batches
    assert all(batch.size * scale <= MAX_LABEL_PIXELS + 0.01 for batch in batches)


SCALE = 30.0


def pixels(battlemap: BattleMap, overlays: Overlays) -> np.ndarray:
    """The picture of a map whose origin lies at the left top."""
    renderer = Renderer(theme("light"))
    renderer.overlays = overlays
    _left, _top, right, bottom = battlemap.grid.bounds
    area = QRectF(0, 0, right * SCALE, bottom * SCALE)
    image = renderer.image(MapView(battlemap, battlemap.composite(), Viewport(SCALE, 0, 0)), area)
    raw = np.frombuffer(image.constBits(), np.uint8)
    return raw.reshape(image.height(), image.width(), 4)[:, :, :3].copy()


def inside(picture: np.ndarray, point: np.ndarray, half: np.ndarray) -> np.ndarray:
    """The part of a picture in a box around a point, in map units."""
    left, top = np.floor((point - half) * SCALE).astype(int).tolist()
    right, bottom = np.ceil((point + half) * SCALE).astype(int).tolist()
    return picture[top:bottom, left:right]


@pytest.mark.parametrize("overlay", ["labels", "names", "elevation_numbers"])
def test_what_stands_in_cells_makes_way_for_names(qapp, overlay):
    """Of the region "Kingdom of Beln" one letter lay under a disc."""
    battlemap = free_map(FLAT, 24, 16)
    cells = battlemap.grid.cells
    set_values(battlemap, 1, "elevation", cells, 1).apply(battlemap)
    set_values(battlemap, 1, "region", cells, 0).apply(battlemap)
    add_region(battlemap, MapRegion("Kingdom of Beln", "#336699")).apply(battlemap)
    things = (
        Thing(1, "city", 9.0, 5.2, label="Winerness"),
        Thing(2, "label", 20.0, 20.2, label="The long shore"),
    )
    ThingsEdit(1, (), things).apply(battlemap)
    bare = Overlays(labels=False, elevation_numbers=False)
    without = pixels(battlemap, bare)
    with_texts = pixels(battlemap, bare.having(overlay, is_shown=True))
    assert (without != with_texts).any()
    names = names_of(battlemap, SCALE, NO_LOADS)
    assert len(names.texts) == 2
    regions = region_names(battlemap, battlemap.composite())
    boxes = names.boxes(SCALE).joined(regions.boxes(SCALE, names))
    for point, half in zip(boxes.points, boxes.halves, strict=True):
        before = inside(without, point, half * 0.9)
        assert before.size
        assert (before == inside(with_texts, point, half * 0.9)).all()


def test_a_text_makes_way_only_where_it_would_lie_on_another():
    boxes = TextBoxes(np.array([(0.0, 0.0)]), np.array([(2.0, 0.5)]))
    points = np.array([(0.0, 0.0), (2.9, 0.0), (3.1, 0.0), (0.0, 0.7), (0.0, 0.9)])
    overlapping = boxes.overlap(points, np.array((1.0, 0.3)))
    assert overlapping.tolist() == [True, True, False, True, False]
    assert not NO_BOXES.overlap(points, np.array((1.0, 0.3))).any()
    assert len(boxes.near(QRectF(3, 0, 1, 1), 0.5).points) == 0
    assert len(boxes.near(QRectF(3, 0, 1, 1), 1.5).points) == 1
