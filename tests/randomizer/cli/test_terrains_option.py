"""``--terrains``: a map gets a terrain set from a file, or a packaged one by its name."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from randomizer.formats.checked import write_checked
from randomizer.model.edits.edit import PlaneEdit
from randomizer.model.grid.layouts import FLAT
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.storage.files.project import PROJECT, read_project
from randomizer.storage.files.terrain_files import write_terrains
from randomizer.systems.free.system import free_map
from tests.randomizer.own_terrains import PICTURES

DIGEST = next(iter(PICTURES))
MOOR = TerrainSet("Moor", (Terrain("Bog", "#6d7b4d", asset=DIGEST), Terrain("Wood", "#3e7c46")))


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """A free map with one cell of wood and one of farmland."""
    battlemap = free_map(FLAT, 5, 4)
    codes = [battlemap.terrain_set.terrain_code(name) for name in ("Wood", "Farmland")]
    unset = [battlemap.system.terrain.unset] * 2
    dtype = battlemap.system.terrain.dtype
    PlaneEdit(1, "terrain", np.array([3, 4]), np.array(unset, dtype), np.array(codes, dtype)).apply(
        battlemap
    )
    path = tmp_path / "world.battlemap"
    path.write_bytes(write_checked(PROJECT, battlemap))
    return path


def test_a_map_is_converted_to_a_set_by_the_names_of_terrains(randomizer, world, tmp_path) -> None:
    own = tmp_path / "moor.terrains"
    out = tmp_path / "out.battlemap"
    own.write_bytes(write_terrains(MOOR, PICTURES))
    assert randomizer("convert", str(world), str(out), "--terrains", str(own)).code == 0
    battlemap = read_project(out.read_bytes()).battlemap
    names = [(terrain.name, terrain.missing) for terrain in battlemap.terrain_set.terrains]
    assert names == [("Bog", False), ("Wood", False), ("Farmland", True)]
    assert battlemap.values("terrain").flat[3:5].tolist() == [1, 2]
    assert battlemap.assets == {DIGEST: PICTURES[DIGEST]}


def test_packaged_sets_are_named_in_any_case_and_listed(randomizer, world, tmp_path) -> None:
    out = tmp_path / "out.battlemap"
    assert randomizer("convert", str(world), str(out), "--terrains", "BATTLEfield").code == 0
    assert read_project(out.read_bytes()).battlemap.terrain_set.name == "Battlefield"
    assert "\n  Landscape\n  Battlefield\n  Rooms\n  Titan hazards\n" in randomizer("list").text
    listed = json.loads(randomizer("list", "--json").text)["terrains"]
    assert {"name": "Landscape", "system": "free"} in listed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no file and no terrain set"),
        ('{"format": "battlelands-terrains",\n"version": 7}', ":2:1: error: the version"),
    ],
)
def test_a_set_that_is_none_is_named(randomizer, world, tmp_path, text, message) -> None:
    own = tmp_path / "moor.terrains"
    out = tmp_path / "out.battlemap"
    if text is not None:
        own.write_text(text)
    said = randomizer("convert", str(world), str(out), "--terrains", str(own))
    assert (said.code, out.exists()) == (1, False)
    assert message in said.err


def test_a_file_of_a_set_is_checked(randomizer, tmp_path) -> None:
    own = tmp_path / "moor.terrains"
    own.write_bytes(write_terrains(MOOR, PICTURES))
    assert (randomizer("check", str(own)).code, randomizer("check", str(own)).out) == (0, b"")
    own.write_text(own.read_text().replace("Wood", "Bog"))
    said = randomizer("check", str(own))
    assert said.code == 1
    assert f"{own}:7:4: error: two terrains have the same name, Bog" in said.text


def test_maps_of_a_game_keep_their_terrain_set(randomizer, script) -> None:
    said = randomizer("roll", str(script), "--terrains", "Landscape")
    assert said.code == 2
    assert "cannot have another terrain set" in said.err
