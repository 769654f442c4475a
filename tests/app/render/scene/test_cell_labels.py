"""The names of cells keep to a readable size, however near one looks."""

from __future__ import annotations

import pytest

from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.scene.batch import TextBatch
from app.render.scene.cell_overlays import MOST_LABEL_PIXELS, labels
from app.render.scene.part import ScenePart
from app.render.theme import theme
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map


@pytest.mark.parametrize("scale", [40.0, 68.0, 151.0, 500.0])
def test_names_of_cells_do_not_outgrow_those_of_towns(qapp, scale):
    battlemap = free_map(FLAT, 6, 5)
    sprites = Renderer(theme("light")).sprites(battlemap, scale, 1.0)
    shown = battlemap.composite()
    part = ScenePart(battlemap, shown, Overlays(), battlemap.grid.cells, screen=True)
    batches = [batch for batch in labels(sprites.pieces, part) if isinstance(batch, TextBatch)]
    assert batches
    assert all(batch.size * scale <= MOST_LABEL_PIXELS + 0.01 for batch in batches)
