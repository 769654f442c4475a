"""Thumbnails of rolls that are drawn in several turns of the event loop are never out of date."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from app.render.renderer import Renderer
from app.render.scene.things.looks import colour_of
from app.render.theme import theme

# The atlas is let go, too: only its cache tells that.
from app.render.thumbnails.roll_thumbnails import RollThumbnails
from app.render.thumbnails.thumbnail_atlas import _wide_atlas
from randomizer.batches.single_rolls import roll_single
from randomizer.catalog.generators import generator_named
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.cordery.generator import CorderyGenerator
from tests.app.cordery_tables import bare_table
from tests.randomizer.batches.rolled import roll_batch
from tests.test_system.generator import generator_of
from tests.test_system.system import SYSTEM as LAND

SIZE = QSize(90, 90)


@pytest.fixture
def batch():
    table = bare_table("square", 8, 8)
    numbers = np.arange(3, dtype=np.uint64)
    return roll_batch(CorderyGenerator(), {"relief": "hilly"}, 5, numbers, Base.under(table, 1))


def ask(pictures: RollThumbnails, batch) -> None:
    for row in range(3):
        pictures.request(str(row), (batch, row))


def images(pictures: RollThumbnails) -> list[QImage]:
    """All three, completely drawn."""
    while pictures.waiting:  # a turn draws little, or nothing, on a busy machine
        pictures.draw_some()
    found = [pictures.cached(str(row)) for row in range(3)]
    assert all(found)
    return [picture.toImage() for picture in found]


def drawn_at_once(batch, colours: str, size: QSize) -> list[QImage]:
    pictures = RollThumbnails(Renderer(theme(colours)), size)
    ask(pictures, batch)
    return images(pictures)


@pytest.fixture
def begun(qapp, batch):
    """Thumbnails of which some sprites are drawn, but no thumbnail yet."""
    like = Renderer(theme("light"))
    pictures = RollThumbnails(like, SIZE, turn_ms=2)
    ask(pictures, batch)
    while not pictures.has_begun:
        pictures.draw_some()
    pictures.draw_some()
    return pictures, like


@pytest.mark.deep
def test_a_picture_that_was_begun_has_the_size_wanted_last(begun, batch):
    pictures, _like = begun
    size = QSize(140, 140)
    pictures.set_size(size, 1.0)
    assert images(pictures) == drawn_at_once(batch, "light", size)


@pytest.mark.deep
def test_a_picture_that_was_begun_has_the_colours_of_the_map(begun, batch):
    pictures, like = begun
    like.set_theme(theme("dark"), like.pictures)
    pictures.cached("0")
    ask(pictures, batch)
    assert images(pictures) == drawn_at_once(batch, "dark", SIZE)


def test_tables_of_many_small_squares_are_drawn(qapp):
    """Such cells have no pictures that could be missing."""
    table = bare_table("square", 60, 60)
    numbers = np.arange(3, dtype=np.uint64)
    batch = roll_batch(CorderyGenerator(), {}, 5, numbers, Base.under(table, 1))
    pictures = RollThumbnails(Renderer(theme("light")), QSize(60, 60))
    ask(pictures, batch)
    for _turn in range(200):
        pictures.draw_some()
    assert not pictures.waiting
    assert all(not image.isNull() for image in images(pictures))


def test_thumbnails_of_lands_show_their_own_relief(qapp) -> None:
    land = BattleMap.new(LAND, layers=[Layer(1, "Ground")])
    numbers = np.arange(3, dtype=np.uint64)
    hills = generator_of("Hills", "ground Meadow\nhills 20\n", "hills.tll", {})
    batch = roll_batch(hills, {}, 5, numbers, Base.under(land, 1))
    drawn = drawn_at_once(batch, "light", SIZE)
    for row, image in enumerate(drawn):
        other = roll_batch(hills, {}, 5, numbers[row:][:1], Base.under(land, 1))
        pictures = RollThumbnails(Renderer(theme("light")), SIZE)
        pictures.request("alone", (other, 0))
        while pictures.waiting:
            pictures.draw_some()
        alone = pictures.cached("alone")
        assert alone is not None
        assert alone.toImage() == image
    assert drawn[0] != drawn[1]


def test_what_thumbnails_were_drawn_with_is_let_go_when_all_are_drawn(qtbot, batch):
    pictures = RollThumbnails(Renderer(theme("light")), SIZE, idle_ms=1)
    pictures.request("a", (batch, 0))
    qtbot.waitUntil(lambda: len(pictures.renderer.sprite_sets) > 0)
    qtbot.waitUntil(lambda: len(pictures.renderer.sprite_sets) == 0)
    assert pictures.cached("a") is not None
    assert _wide_atlas.cache_info().currsize == 0


def test_requests_that_are_forgotten_are_not_drawn_and_hold_no_batch(begun, batch) -> None:
    pictures, _like = begun
    assert pictures.has_begun
    pictures.forget_requests()
    assert (pictures.waiting, pictures.has_begun) == (False, False)
    pictures.draw_some()
    assert pictures.cached("0") is None
    ask(pictures, batch)
    assert images(pictures) == drawn_at_once(batch, "light", SIZE)


def test_thumbnails_of_rolls_of_0ad_have_their_civil_centres_and_mines(qapp) -> None:
    generator = generator_named("Open country")
    assert generator is not None
    land = BattleMap.new(generator.system)
    base = Base.under(land, 1)
    roll = roll_single(generator, {}, DrawKey(3, 0), base)
    assert roll.problems == ()
    kinds = {thing.kind.rpartition("/")[2] for thing in roll.landmarks}
    assert "civil_centre" in kinds
    assert not any(kind.startswith("oak") for kind in kinds)
    batch = roll.batch(base, 3)
    pictures = RollThumbnails(Renderer(theme("light")), QSize(160, 160))
    pictures.request("with", (batch, 0))
    pictures.request("without", (replace(batch, landmarks=()), 0))
    while pictures.waiting:
        pictures.draw_some()
    image = pictures.cached("with")
    bare_image = pictures.cached("without")
    assert image is not None
    assert bare_image is not None
    assert image.toImage() != bare_image.toImage()


@pytest.mark.parametrize("count", [2, 4])
def test_thumbnails_show_where_each_player_starts_by_a_dot(qapp, count) -> None:
    generator = generator_named("Islands")
    assert generator is not None
    base = Base.under(BattleMap.new(generator.system), 1)
    roll = roll_single(generator, {"Players": count}, DrawKey(3, 0), base)
    assert roll.problems == ()
    batch = roll.batch(base, 3)
    pictures = RollThumbnails(Renderer(theme("light")), QSize(120, 120))
    pictures.request("map", (batch, 0))
    while pictures.waiting:
        pictures.draw_some()
    pixmap = pictures.cached("map")
    assert pixmap is not None
    image = pixmap.toImage()
    pixels = Counter(image.pixelColor(x, y).name() for x in range(120) for y in range(120))
    starts = [thing for thing in batch.landmarks if thing.owner > 0]
    assert {thing.owner for thing in starts} == set(range(1, count + 1))
    land = BattleMap.new(generator.system)
    land.records.update(batch.records or {})
    for start in starts:
        kind = land.system.thing_kind(land, start.kind)
        assert pixels[colour_of(kind, start.owner)] >= 40, "a disc 9 pixels wide"


def test_a_roll_that_cannot_be_drawn_is_asked_for_once_and_others_are_drawn(qapp, batch) -> None:
    pictures = RollThumbnails(Renderer(theme("light")), SIZE)
    pictures.request("broken", ("no batch", 0))
    ask(pictures, batch)
    with pytest.raises(AttributeError):
        pictures.draw_some()
    assert len(images(pictures)) == 3
