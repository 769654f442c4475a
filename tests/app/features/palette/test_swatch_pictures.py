"""Maps of one kind share the pictures of the palette."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.features.palette.swatch_pictures import SwatchPictures
from app.render.pictures.pictures_of_game import GamePictures
from app.render.pictures.terrain_pictures import Pictures
from app.render.raster.sprites import Sprites
from app.render.style import BOARD
from app.render.theme import theme
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.packaged_sets import TITAN_HAZARDS, packaged_set

TITAN = packaged_set(TITAN_HAZARDS)


def pictures_of(terrain_set, theme_name="light", pictures=None) -> SwatchPictures:
    drawn_with = pictures or Pictures()
    sprites = Sprites(FLAT, terrain_set, drawn_with, theme(theme_name), scale=20, ratio=2)
    return SwatchPictures(sprites, BOARD, drawn_with)


def keys(pictures: SwatchPictures) -> list[int]:
    """What tells pixmaps apart that were drawn one by one."""
    return [pictures.terrain(1).cacheKey(), pictures.hexside(1).cacheKey()]


def with_other_name():
    first, *others = TITAN.terrains
    return replace(TITAN, terrains=(replace(first, name="Meadow"), *others))


def test_maps_alike_share_their_pictures(qapp):
    assert keys(pictures_of(TITAN)) == keys(pictures_of(packaged_set(TITAN_HAZARDS)))


@pytest.mark.parametrize(
    "other",
    [
        lambda: pictures_of(with_other_name()),
        lambda: pictures_of(TITAN, "dark"),
        lambda: pictures_of(TITAN, pictures=GamePictures({})),
    ],
    ids=["terrains", "theme", "pictures"],
)
def test_what_looks_otherwise_has_pictures_of_its_own(qapp, other):
    assert not set(keys(pictures_of(TITAN))) & set(keys(other()))


def test_pictures_of_the_users_own_are_drawn_for_each_map(qapp):
    *others, last = TITAN.terrains
    own = replace(TITAN, terrains=(*others, replace(last, asset="0" * 64)))
    assert not set(keys(pictures_of(own))) & set(keys(pictures_of(own)))
