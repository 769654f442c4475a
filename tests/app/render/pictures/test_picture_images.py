"""What a renderer keeps of terrain sets that are no longer shown."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace

from app.render import renderer as module
from app.render.renderer import Renderer
from app.render.theme import theme
from tests.app.cordery_tables import bare_table


def test_images_of_terrain_sets_that_are_not_shown_any_more_are_let_go(qapp, monkeypatch):
    monkeypatch.setattr(module, "KEPT_BYTES", 0)
    renderer, table = Renderer(theme("light")), bare_table()
    kept = []
    for number in range(5):
        terrains = replace(table.terrain_set, name=f"set {number}")
        shown = type(table).new(table.system, table.grid, table.layers, terrain_set=terrains)
        sprites = renderer.sprites(shown, 40.0, 1.0)
        before = sprites.bytes
        sprites.cell(3, 0)
        sprites.grid_line()
        assert sprites.bytes > before, "single pictures count too"
        monkeypatch.setattr(module, "KEPT_IMAGE_BYTES", 2 * sprites.pictures.bytes - 1)
        assert sprites.pictures.bytes
        kept.append(weakref.ref(sprites.pictures))
        del sprites
    gc.collect()
    assert [each() is not None for each in kept] == [False, False, False, True, True]
