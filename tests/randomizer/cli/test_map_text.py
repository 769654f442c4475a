"""``randomizer show``: maps of every system as text, by the map's own terrain set, and records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from randomizer.cli.show import map_lines
from randomizer.generator import Generating, MapGenerator
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.records.map_records import MapRecord
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.model.settings.metadata import Metadata
from randomizer.model.terrain.terrain import Hexside, Terrain, TerrainSet
from randomizer.model.things.thing_kind import ThingKind
from randomizer.model.things.things import Thing, Things
from randomizer.roll_base import Base
from randomizer.storage.files.project import write_project
from randomizer.systems.free.system import SYSTEM as FREE
from randomizer.systems.free.system import free_map
from tests.randomizer.cli.conftest import Run
from tests.systems import system_like
from tests.test_system.installing import package_with

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


def test_show_tells_properties_things_and_what_a_system_says_of_a_cell() -> None:
    def describe(battlemap: BattleMap, _planes: object, cell: int) -> str:
        return battlemap.records["people"].text if cell == 1 else ""

    world = system_like(
        FREE, describe=describe, thing_kinds=lambda _battlemap: (ThingKind("w", "Wall"),)
    )
    things = Things([Thing(1, "w", 0, 0), Thing(2, "w", 1, 0), Thing(3, "other", 0, 0)])
    layer = Layer(1, "Ground", properties={"title": "Moor"}, things=things)
    battlemap = BattleMap.new(world, Grid(SQUARE, 2, 1), [layer], SEAS)
    battlemap.records["people"] = MapRecord("Iceni on the reef")
    assert list(map_lines(battlemap)) == [
        "Free map, 2 x 1, terrain set Seas",
        "Title: Moor",
        "2 Deep",
        "1 other",
        "2 Wall",
        "0101 Deep",
        "0201 Iceni on the reef",
    ]


@pytest.fixture
def voyages(tmp_path: Path) -> Iterator[None]:
    """The generator ``Voyage`` is one of an installed package."""
    with package_with(tmp_path, GENERATORS=("tests.randomizer.cli.test_map_text",)):
        yield


@pytest.mark.usefixtures("voyages")
def test_a_roll_that_brings_a_terrain_set_and_records_is_written_with_them(
    randomizer: Run, tmp_path: Path
) -> None:
    out = tmp_path / "voyage.battlemap"
    assert randomizer("roll", "Voyage", "--seed", 1, "--out", out).code == 0
    lines = randomizer("show", out).text.splitlines()
    assert lines[:2] == ["Free map, 2 x 2, terrain set Seas", "4 Deep"]
    assert lines[-1] == "record log: text, 4 bytes"
    onto = tmp_path / "onto.battlemap"
    battlemap = free_map(SQUARE, 2, 2)
    onto.write_bytes(write_project(battlemap))
    said = randomizer("roll", "Voyage", "--seed", 1, "--onto", onto, "--out", out)
    assert said.code == 0
    assert randomizer("show", out).text.splitlines()[:2] == lines[:2]
    battlemap = free_map(SQUARE, 3, 3)
    battlemap.layers[0].planes["terrain"] = np.zeros((3, 3), "u2")
    onto.write_bytes(write_project(battlemap))
    said = randomizer("roll", "Voyage", "--seed", 1, "--onto", onto, "--out", out)
    assert said.code == 1
    assert "another grid" in said.err


class Voyage(MapGenerator):
    """Makes seas of 2 x 2 cells, with a log."""

    name = "Voyage"
    metadata = Metadata("Voyage", "", "")
    text = ""
    system = FREE
    settings = ()

    def generate(self, _settings: object, key: DrawKey, _base: Base) -> Generating:
        yield 50
        layer = Layer(1, "Sea", planes={"terrain": np.zeros((2, 2), "u2")})
        layer.roll = Roll("Voyage", "", "", {}, key.seed, key.number)
        return Generated(
            (layer,),
            key.number,
            records={"log": MapRecord("calm")},
            terrain_set=SEAS,
            grid=Grid(SQUARE, 2, 2),
        )


def packaged() -> tuple[Voyage, ...]:
    """Return what the package of ``voyages`` brings."""
    return (Voyage(),)
