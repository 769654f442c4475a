"""A project file with values that no map can have is refused with one problem that says where."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.model.records.assets import asset_digest
from randomizer.storage.files.project import read_project, write_project
from randomizer.storage.records.thing_records import read_things
from randomizer.systems.cordery.system import SYSTEM as TABLE
from randomizer.systems.cordery.system import table_grid
from randomizer.systems.free.system import SYSTEM as FREE
from tests.counting import peak_of
from tests.mutation import Parts, packed, unpacked
from tests.randomizer.own_terrains import PNG


def table() -> BattleMap:
    """A small wargame table of squares with a piece of railway."""
    grid = table_grid("square", 4, 3)
    layer = Layer(1, "Rails")
    rail = layer.planes["rail"] = TABLE.plane("rail").allocate(grid)
    rail[1, 2] = 0x40 | 0b1010
    layer.planes["crossing"] = TABLE.plane("crossing").allocate(grid)
    return BattleMap.new(TABLE, grid, [layer])


def parts_of(battlemap: BattleMap) -> Parts:
    return unpacked(write_project(battlemap))


def with_value(plane: str, at: int, value: int) -> bytes:
    """The file of the table with another value in a plane of its layer."""
    parts = parts_of(table())
    name = f"planes/1/{plane}.npy"
    data = bytearray(parts[name])
    data[len(data) - 12 + at] = value
    return packed({**parts, name: bytes(data)})


def with_json(**changes: Any) -> bytes:
    """The file of the table with other values in ``map.json``."""
    parts = parts_of(table())
    record = json.loads(parts["map.json"]) | changes
    return packed({**parts, "map.json": json.dumps(record).encode()})


def with_layer(**changes: Any) -> bytes:
    """The file of the table with other values in its layer."""
    layer = json.loads(parts_of(table())["map.json"])["layers"][0]
    return with_json(layers=[layer | changes])


def refusal(data: bytes) -> str:
    result = read_project(data, "Rails.battlemap")
    assert result.battlemap is None
    (problem,) = result.problems
    assert problem.path == "Rails.battlemap"
    return problem.message


@pytest.mark.parametrize(
    ("plane", "value"),
    [
        ("rail", 0x80 | 0x40 | 1),  # a track: only roads are tracks
        ("rail", 0x40 | 0b10000),  # a fifth side of a square
        ("rail", 0b0001),  # a side without a route
        ("crossing", 127),
    ],
)
def test_a_value_that_no_plane_holds_is_named_with_its_cell(plane: str, value: int) -> None:
    message = refusal(with_value(plane, 6, value))
    assert message.startswith(f"layer “Rails”: the plane {plane} has the value {value} at 0302")
    assert "expected" in message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "a\0b"}, "a control character (U+0000)"),
        ({"name": "\ud800"}, "half a character"),
        ({"name": "x" * 1001}, "1,001 characters long"),
        ({"opacity": 1.5}, "opacity"),
        ({"id": -1}, "id -1"),
        ({"id": 2**63}, "id 9223372036854775808"),
        ({"extras": {"a": "\udfff"}}, "half a character"),
        ({"extras": {"a": ["x" * 2**20]}}, "larger than"),
    ],
)
def test_a_layer_out_of_range_is_refused(changes: dict[str, Any], words: str) -> None:
    assert words in refusal(with_layer(**changes))


def test_data_nested_too_deeply_are_refused_before_they_take_memory() -> None:
    nested = "[" * 15_000 + "]" * 15_000
    parts = parts_of(table())
    text = parts["map.json"].decode().replace('"view": {}', f'"view": {{"a": {nested}}}')
    data = packed({**parts, "map.json": text.encode()})
    refusals = []
    assert peak_of(lambda: refusals.append(refusal(data))) < 5_000_000
    assert "nested more than" in refusals[0]


def test_a_view_can_be_as_deep_as_the_limit_says() -> None:
    view: Any = 1
    for _ in range(19):
        view = [view]
    data = write_project(table(), {"a": view})
    assert read_project(data).battlemap is not None
    with pytest.raises(ProblemError, match="nested more than 20 deep"):
        write_project(table(), {"a": [[view]]})


@pytest.mark.parametrize("word", ["NaN", "Infinity", "1e999", "9" * 5000])
def test_what_is_no_number_is_refused(word: str) -> None:
    parts = parts_of(table())
    text = parts["map.json"].decode().replace('"view": {}', f'"view": {{"a": {word}}}')
    refusal(packed({**parts, "map.json": text.encode()}))


def test_too_many_layers_and_cells_are_refused() -> None:
    record = json.loads(parts_of(table())["map.json"])["layers"][0]
    many = [record | {"id": number, "planes": {}} for number in range(501)]
    parts = {name: data for name, data in parts_of(table()).items() if name == "map.json"}
    text = json.loads(parts["map.json"]) | {"layers": many}
    assert "501 layers, 500 are the most" in refusal(
        packed({"map.json": json.dumps(text).encode()})
    )
    grid = {"layout": "square", "width": 1025, "height": 1024, "mask": None}
    grid |= {"wrap": False, "lean": False, "naming": ["joined", 1, 1]}
    own = {"system": FREE.name, "terrain_set": FREE.terrain_set.name}
    world = json.dumps(text | own | {"grid": grid, "layers": many[:1]})
    assert "1,048,576 are the most" in refusal(packed({"map.json": world.encode()}))


def test_booleans_that_are_neither_are_refused() -> None:
    battlemap = table()
    battlemap.locked_cells[1, 1] = True
    parts = parts_of(battlemap)
    data = bytearray(parts["locks/cells.npy"])
    data[-1] = 7
    assert "neither" in refusal(packed({**parts, "locks/cells.npy": bytes(data)}))


def test_a_map_that_would_be_refused_is_not_written() -> None:
    battlemap = table()
    battlemap.layers[0].planes["crossing"][0, 0] = 127
    with pytest.raises(ProblemError, match="plane crossing has the value 127 at 0101"):
        write_project(battlemap)
    battlemap = table()
    battlemap.layers[0].planes["rail"] = np.zeros((3, 5), np.uint8)
    with pytest.raises(ProblemError, match="plane rail is an array"):
        write_project(battlemap)


def test_a_column_that_no_map_can_have_is_refused_before_it_takes_memory() -> None:
    record = {"id": "1 " * 3_000_000, "kind": [], "x": "", "y": ""}

    def read() -> None:
        with pytest.raises(ValueError, match="too long"):
            read_things(record, "a layer")

    assert peak_of(read) < 1_000_000


def test_pictures_that_are_too_large_together_are_refused_before_the_next_is_unpacked() -> None:
    battlemap = BattleMap.new(FREE, FREE.new_grid(), [Layer(1, "Ground")])
    pictures = [PNG + bytes([number]) for number in range(3)]
    terrain_set = battlemap.terrain_set
    terrains = [
        replace(terrain, asset=asset_digest(data))
        for terrain, data in zip(terrain_set.terrains, pictures, strict=False)
    ]
    battlemap.terrain_set = replace(terrain_set, terrains=tuple(terrains))
    battlemap.assets = {asset_digest(data): data for data in pictures}
    parts = parts_of(battlemap)
    last_asset = max(name for name in parts if name.startswith("assets/"))
    damaged = packed({**parts, last_asset: bytes(len(PNG) + 1)})
    too_large = 2 * len(PNG) + 20
    (problem,) = read_project(damaged, largest_assets=too_large).problems
    assert problem.message.endswith(f"its pictures have more than {too_large} bytes together")
    (problem,) = read_project(damaged).problems
    assert "is not what was written" in problem.message, "this is noticed where it is unpacked"
