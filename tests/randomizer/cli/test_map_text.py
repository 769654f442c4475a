"""``randomizer show``: maps of every system as text, by the map's own terrain set, and records."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from randomizer.model.layouts import SQUARE
from randomizer.model.map_records import MapRecord
from randomizer.model.terrain import Hexside, Terrain, TerrainSet
from randomizer.storage.project import write_project
from randomizer.systems.free.system import free_map
from tests.randomizer.cli.conftest import Run

SEAS = TerrainSet(
    "Seas",
    (Terrain("Deep", "#000088"), Terrain("Reef", "#8080ff", missing=True)),
    (Hexside("Surf", "s", "#ffffff"),),
)


def test_show_names_terrain_by_the_maps_set_and_lists_records(
    randomizer: Run, tmp_path: Path
) -> None:
    battlemap = free_map(SQUARE, 2, 2)
    battlemap.terrain_set = SEAS
    planes = battlemap.layers[0].planes
    planes["terrain"] = np.array([[0, 1], [0, 0]], "u2")
    planes["elevation"] = np.array([[0, 0], [3, 0]], "i2")
    planes["hexside"] = np.zeros((2, 2, 4), "u1")
    planes["hexside"][0, 0, 1] = 1
    battlemap.records = {
        "notes": MapRecord("hé", touched=True),
        "players": MapRecord("[1]", is_json=True),
    }
    path = tmp_path / "seas.battlemap"
    path.write_bytes(write_project(battlemap))
    said = randomizer("show", path)
    assert (said.code, said.err) == (0, "")
    assert said.text.splitlines() == [
        "Free map, 2 x 2, terrain set Seas",
        "3 Deep",
        "1 Reef (missing)",
        "0101 Deep",
        "0101: surf east",
        "0201 Reef",
        "0102 Deep 3",
        "0202 Deep",
        "record notes: text, 3 bytes, changed by hand",
        "record players: JSON, 3 bytes",
    ]
