from __future__ import annotations

import json
import struct
import zlib

import numpy as np

from randomizer.systems.zeroad.export.pair_metadata import is_pair_metadata, pair_metadata
from randomizer.systems.zeroad.export.preview import SIZE, preview_png
from randomizer.systems.zeroad.installation.preview_picture import SHOWN
from tests.randomizer.systems.zeroad.export.finished_maps import finished_map


def pixels_of(png: bytes) -> np.ndarray:
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    assert struct.unpack(">II", png[16:24]) == (SIZE, SIZE)
    (length,) = struct.unpack(">I", png[33:37])
    rows = np.frombuffer(zlib.decompress(png[41 : 41 + length]), np.uint8)
    return rows.reshape(SIZE, 1 + 3 * SIZE)[:, 1:].reshape(SIZE, SIZE, 3)


def test_the_preview_shows_the_map_where_the_game_shows_it() -> None:
    pixels = pixels_of(preview_png(finished_map(32)))
    shown_width, shown_height = SHOWN
    assert pixels[:shown_height, 50 : shown_width - 50].any(axis=2).mean() > 0.9
    assert not pixels[shown_height:].any()
    assert not pixels[:, shown_width:].any()


def test_the_preview_of_a_circular_map_has_dark_corners() -> None:
    pixels = pixels_of(preview_png(finished_map(32, CircularMap=True)))
    assert not pixels[:30, 50:80].any()
    assert pixels[150, 200].any()


def test_players_have_the_colours_of_the_settings() -> None:
    rose = {"r": 250, "g": 10, "b": 200}
    players = [{}, {"Color": rose}, {"Color": "red"}, None]
    pixels = pixels_of(preview_png(finished_map(32, PlayerData=players)))
    assert (pixels == [250, 10, 200]).all(axis=2).any()


def test_the_metadata_say_what_the_game_lists() -> None:
    data = pair_metadata(
        "green_valley",
        {
            "Name": "River valley",
            "Seed": 17,
            "Keywords": ["naval", "hidden", 5],
            "CircularMap": True,
            "RevealMap": "no",
            "PlayerData": [None, {"Civ": "athen"}, {"Civ": "random"}, 7],
        },
        "green_valley.png",
    )
    assert is_pair_metadata(data)
    said = json.loads(data)["settings"]
    assert said["Name"] == "Green valley"
    assert said["Script"] == "green_valley.js"
    assert said["Preview"] == "green_valley.png"
    assert said["Keywords"] == ["naval"]
    assert said["CircularMap"] is True
    assert said["PlayerData"] == [{"Civ": "athen"}, {}, {}]
    assert "River valley, seed 17" in said["Description"]
    assert "RevealMap" not in said


def test_other_metadata_are_not_those_of_a_finished_map() -> None:
    for data in (b"", b"[]", b'{"settings": {}}', b'{"settings": {"FixedMap": 1}}', b"\xff"):
        assert not is_pair_metadata(data)
