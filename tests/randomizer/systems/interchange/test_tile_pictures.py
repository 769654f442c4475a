"""The pictures of the tiles of our own maps: what each shows, and what shows nothing."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from PIL import Image

from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import write_files_checked
from randomizer.formats.tile_looks import Look
from randomizer.model.edits.record_edits import set_record
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import NO_REGION, RECORD, MapRegion, record_of
from randomizer.model.planes.routes import PRESENT
from randomizer.model.records.assets import asset_digest
from randomizer.systems.free.system import SYSTEM, free_map
from randomizer.systems.interchange import tile_pictures
from randomizer.systems.interchange.tile_pictures import paint_plainly
from randomizer.systems.interchange.tiled.tiled_pictures import write_png

SIZE = (60, 52)
WAY = SYSTEM.ways[0].name


def our_map() -> BattleMap:
    battlemap = free_map(FLAT, 3, 2)
    battlemap.layers[0].planes["terrain"] = np.zeros((2, 3), np.uint16)
    edit = set_record(battlemap, RECORD, record_of((MapRegion("Moor", "#7a9e3f"), None)))
    assert edit is not None
    edit.apply(battlemap)
    return battlemap


def painted(battlemap: BattleMap, *looks: Look) -> list[np.ndarray]:
    """The pixels of the picture of each look."""
    sheet = np.asarray(Image.open(io.BytesIO(paint_plainly(battlemap, looks, *SIZE))))
    return [sheet[:, at * SIZE[0] : (at + 1) * SIZE[0]] for at in range(len(looks))]


@pytest.mark.parametrize(
    "look",
    [
        Look(WAY, 0, 0),
        Look("hexside", 2, 0),
        Look("elevation", 0, 0),
        Look("flow", 0, 0),
        Look("region", 0, NO_REGION),
        Look("region", 0, 1),
    ],
)
def test_what_says_that_there_is_nothing_draws_nothing(look: Look) -> None:
    (picture,) = painted(our_map(), look)
    assert not picture.any()


@pytest.mark.parametrize(
    "look",
    [
        Look("terrain", 0, 1),
        Look(WAY, 0, PRESENT),
        Look(WAY, 0, PRESENT | 5),
        Look("hexside", 2, 1),
        Look("elevation", 0, -3),
        Look("flow", 0, 4),
        Look("flow_width", 0, 7),
        Look("region", 0, 0),
    ],
)
def test_everything_else_is_seen(look: Look) -> None:
    (picture,) = painted(our_map(), look)
    assert picture[:, :, 3].any()


def test_a_region_is_a_veil_of_its_colour_over_the_cell() -> None:
    (picture,) = painted(our_map(), Look("region", 0, 0))
    middle = picture[SIZE[1] // 2, SIZE[0] // 2].tolist()
    assert middle == [0x7A, 0x9E, 0x3F, tile_pictures.REGION_ALPHA]
    assert not picture[0, 0].any()


def with_picture(battlemap: BattleMap, data: bytes) -> BattleMap:
    """A map whose first terrain has a picture of the user's own."""
    known = battlemap.terrain_set
    first = replace(known.terrains[0], asset=asset_digest(data), picture="")
    battlemap.terrain_set = replace(known, terrains=(first, *known.terrains[1:]))
    battlemap.assets[asset_digest(data)] = data
    return battlemap


def test_a_picture_of_the_users_own_is_on_the_tile_on_the_command_line_too() -> None:
    red = write_png(np.full((8, 8, 4), (250, 0, 0, 255), np.uint8))
    battlemap = with_picture(our_map(), red)
    (picture,) = painted(battlemap, Look("terrain", 0, 0))
    assert picture[SIZE[1] // 2, SIZE[0] // 2].tolist() == [250, 0, 0, 255]
    assert not picture[0, 0].any()
    files = write_files_checked(format_named("tmx"), battlemap, "new.tmx")
    sheet = np.asarray(Image.open(io.BytesIO(files["new-terrains.png"])))
    assert (sheet[:, :, :3] == (250, 0, 0)).all(axis=2).any()


@pytest.mark.parametrize("most", [0, 2**28])
def test_a_damaged_picture_or_one_too_many_is_the_colour_of_its_terrain(monkeypatch, most) -> None:
    # One picture beyond the real limit has a GB of pixels.
    monkeypatch.setattr(tile_pictures, "MAX_DECODED", most)
    red = write_png(np.full((8, 8, 4), (250, 0, 0, 255), np.uint8))
    battlemap = with_picture(our_map(), red if most == 0 else red[:-30])
    (picture,) = painted(battlemap, Look("terrain", 0, 0))
    colour = bytes.fromhex(battlemap.terrain_set.terrains[0].colour[1:])
    assert picture[SIZE[1] // 2, SIZE[0] // 2].tolist() == [*colour, 255]


def test_a_painter_that_is_handed_in_paints_the_tiles() -> None:
    calls = []

    def paint(battlemap, looks, width, height):
        calls.append((len(looks), width, height))
        return b"painted"

    files = write_files_checked(format_named("tmx"), our_map(), "new.tmx", painter=paint)
    assert files["new-terrains.png"] == b"painted"
    assert calls == [(len(our_map().terrain_set.terrains), 120, 104)]
