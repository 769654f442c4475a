"""Pictures are painted once, for all terrains that show them, and let go with the last of these."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF

from app.document.document import MapDocument
from app.render.raster import sprite_sets as module
from app.render.raster.atlas import Atlas
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import POINTY
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import SYSTEM
from tests.app.render.drawing import NOTHING, SIZE, blank_image, draw, middle_viewport
from tests.app.render.vector.test_vector_map import pixels
from tests.counting import watched_calls

PICTURES = ("Plains", "Lake", "Sand", "Tree")


def world(terrains) -> BattleMap:
    layer = Layer(1, "Ground")
    grid = Grid(POINTY, 16, 12)
    kinds = np.random.default_rng(1).integers(0, len(terrains), (12, 16))
    layer.planes["terrain"] = kinds.astype("u2")
    return BattleMap.new(SYSTEM, grid, [layer], terrain_set=TerrainSet("set", tuple(terrains)))


def coloured(number):
    rng = np.random.default_rng(number)
    return [
        Terrain(f"T{i}", f"#{rng.integers(1 << 24):06x}", picture=PICTURES[i % len(PICTURES)])
        for i in range(number)
    ]


def shown(renderer, battlemap):
    renderer.overlays = NOTHING
    image = blank_image(1.0)
    viewport = middle_viewport(battlemap.grid, 24.0)
    draw(renderer, MapDocument(battlemap), viewport, image, QRectF(0, 0, *SIZE))
    return pixels(image)


def test_forty_terrains_of_four_pictures_take_the_images_of_four(qapp):
    sizes = []
    for number in (4, 40):
        renderer = Renderer(theme("light"))
        shown(renderer, world(coloured(number)))
        # How much memory the images take nothing else tells.
        (images,) = renderer.sprite_sets._images.values()
        sizes.append(images.byte_count)
    assert sizes[1] < 2 * sizes[0]


def test_images_of_pictures_that_are_not_shown_any_more_are_let_go(qapp, monkeypatch):
    monkeypatch.setattr(module, "STORED_IMAGE_BYTES", 0)  # pictures of so many MB take seconds
    renderer = Renderer(theme("light"))
    shown(renderer, world(coloured(4)))
    # How much memory the images take nothing else tells.
    (images,) = renderer.sprite_sets._images.values()
    before = images.byte_count
    shown(renderer, world([Terrain("Only", "#336699", picture="Lake")]))
    assert 0 < images.byte_count < before / 2


@pytest.mark.parametrize("colours", ["pictures", "colour-blind"])
def test_a_terrain_of_another_colour_draws_its_own_sprites_alone(qapp, colours):
    terrains = coloured(12)
    renderer = Renderer(theme("light", colours))
    shown(renderer, world(terrains))
    terrains[5] = replace(terrains[5], colour="#ff00ff")
    # Which sprites are drawn nothing else tells.
    with watched_calls(Atlas._drawn_sprite) as sprites:
        picture = shown(renderer, world(terrains))
    # The piece of a sprite, by its number.
    drawn = [sprite["self"]._pieces[sprite["number"]].terrain for sprite in sprites]
    assert 5 in drawn
    assert {*drawn} <= {5, None}, "what shows no terrain at all is drawn again, too"
    assert (picture == shown(Renderer(theme("light", colours)), world(terrains))).all()


def test_a_tinted_image_has_the_colours_of_tinted_shapes(qapp):
    """The picture of a terrain in its colour, from an image and from shapes, is nearly alike."""
    battlemap = world([Terrain("Only", "#a04080", picture="Sand")])
    small = shown(Renderer(theme("light")), battlemap).mean(axis=(0, 1))
    renderer = Renderer(theme("light"))
    image = blank_image(1.0)
    renderer.overlays = NOTHING
    viewport = middle_viewport(battlemap.grid, 90.0)  # larger than any image
    draw(renderer, MapDocument(battlemap), viewport, image, QRectF(0, 0, *SIZE))
    assert np.abs(pixels(image).mean(axis=(0, 1)) - small).max() < 16
