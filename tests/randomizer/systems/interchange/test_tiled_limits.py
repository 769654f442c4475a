"""What is bounded in Tiled's files holds for the sum of all pieces, and grows with their number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked
from randomizer.formats.results import ReadResult
from randomizer.model.records.assets import picture_size
from randomizer.model.things.thing_state import State
from randomizer.systems.interchange.tile_pictures import read_pixels
from randomizer.systems.interchange.tiled import tiled_pictures, tiled_terrains
from randomizer.systems.interchange.tiled.tiled_notation import MAX_ELEMENTS
from randomizer.systems.interchange.tiled.tiled_pictures import write_png
from tests.counting import watched_calls

HEAD = (
    '<map orientation="orthogonal" width="{0}" height="1" tilewidth="4" tileheight="4"'
    ' infinite="{1}">'
)


def read(text: str, folder: Path) -> ReadResult:
    return read_checked(format_named("tmx"), text.encode(), str(folder / "a.tmx"))


def test_so_many_pixels_hold_for_all_pictures_and_are_counted_before_one_is_decoded(
    monkeypatch, tmp_path: Path
) -> None:
    # Pictures beyond the real limit take 300 MB.
    monkeypatch.setattr(tiled_pictures, "MAX_PIXELS_IN_ALL", 1000)
    tilesets = ""
    for number in range(1, 9):
        size = (20, 20) if number < 8 else (4, 4)
        picture = np.full((*size, 4), 255, np.uint8)
        (tmp_path / f"{number}.png").write_bytes(write_png(picture))
        tilesets += (
            f'<tileset firstgid="{number}" name="t{number}" tilewidth="4" tileheight="4"'
            f' tilecount="1" columns="1"><image source="{number}.png"/></tileset>'
        )
    data = (
        '<layer name="A" width="8" height="1"><data encoding="csv">1,2,3,4,5,6,7,8</data></layer>'
    )
    with watched_calls(read_pixels) as calls:
        result = read(HEAD.format(8, 0) + tilesets + data + "</map>", tmp_path)
    assert [picture_size(call["data"]) for call in calls] == [(20, 20), (20, 20), (4, 4)]
    assert [problem.message for problem in result.problems] == [
        "'3.png' and further pictures are not used: all pictures together have more than 1,000"
        " pixels"
    ]
    assert result.battlemap is not None
    shown = [bool(terrain.asset) for terrain in result.battlemap.terrain_set.terrains[1:]]
    assert shown == [True, True, False, False, False, False, False, True]


def test_the_bytes_of_pictures_of_tiles_hold_for_their_sum(monkeypatch, tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (4, 16, 4)).astype(np.uint8)
    (tmp_path / "a.png").write_bytes(write_png(noise))
    one_picture = len(write_png(noise[:, :4]))
    # Pictures beyond the real limit take 32 MB, and minutes to be packed.
    monkeypatch.setattr(tiled_terrains, "LARGEST_ASSETS", 2 * (2 * one_picture + 20))
    data = (
        HEAD.format(4, 0) + '<tileset firstgid="1" name="t" tilewidth="4" tileheight="4"'
        ' tilecount="4" columns="4"><image source="a.png"/></tileset>'
        '<layer name="A" width="4" height="1"><data encoding="csv">1,2,3,4</data></layer></map>'
    )
    result = read(data, tmp_path)
    battlemap = result.battlemap
    assert battlemap is not None
    limit = 2 * one_picture + 20
    assert [problem.message for problem in result.problems] == [
        f"2 pictures of tiles are not used: all together have more than {limit} bytes"
    ]
    pictures = {terrain.asset for terrain in battlemap.terrain_set.terrains} - {""}
    total = sum(len(battlemap.assets[digest]) for digest in pictures)
    assert 0 < total <= limit


def test_the_files_beside_a_map_have_together_as_many_elements_as_one(tmp_path: Path) -> None:
    # What begins like an element counts as one, which is known before anything is parsed.
    beginnings = "<" * (MAX_ELEMENTS * 2 // 5)
    references = ""
    for number in range(1, 5):
        (tmp_path / f"{number}.tsx").write_text(f'<tileset name="t"><!--{beginnings}--></tileset>')
        references += f'<tileset firstgid="{100 * number}" source="{number}.tsx"/>'
    result = read(HEAD.format(1, 0) + references + "</map>", tmp_path)
    assert result.battlemap is not None
    assert [problem.message for problem in result.problems] == [
        f"'{number}.tsx' is not used: the files beside the map are too many or too large together"
        for number in (3, 4)
    ]


def test_the_properties_of_a_template_are_looked_at_once_for_all_its_objects(
    tmp_path: Path,
) -> None:
    many = "".join(f'<property name="p{at}" value="v"/>' for at in range(5000))
    few = '<property name="beer" value="dark"/><property name="owner" type="int" value="3"/>'
    for name, properties in (("many", many), ("few", few)):
        inn = f'<object name="Inn"><properties>{properties}</properties></object>'
        (tmp_path / f"{name}.tx").write_text(f"<template>{inn}</template>")
    own = '<properties><property name="wine" value="red"/></properties>'
    objects = "".join(
        f'<object id="{number}" template="{"many" if number % 4 < 2 else "few"}.tx">'
        f"{own if number % 2 else ''}</object>"
        for number in range(1, 401)
    )
    with watched_calls(State.__init__) as states_made:
        battlemap = read(f"{HEAD.format(1, 0)}<objectgroup>{objects}</objectgroup></map>", tmp_path)
    things = list(battlemap.battlemap.visible_things())
    states = [(thing.owner, dict(thing.state)) for thing in things[:4]]
    assert states == [
        (0, {}),  # 5,001 values are more than a state holds
        (3, {"beer": "dark"}),
        (3, {"beer": "dark", "wine": "red"}),
        (0, {}),
    ]
    assert len(things) == 400
    looked_at = sum(len(call["values"] or ()) for call in states_made)
    assert looked_at <= 5000 + 1 + 100 * 2  # templates once, joined with what is an object's own
    assert looked_at >= 5000


CHUNK = '<chunk x="{}" y="{}" width="{}" height="{}">{}</chunk>'


@pytest.mark.parametrize("scale", [1, 9])
def test_chunks_of_all_sizes_are_where_they_say(scale, tmp_path: Path) -> None:
    """Chunks of up to 64 cells are put in together, larger ones one by one."""
    chunks = [(-2, -1, [[0, 1], [2, 0]]), (0, 0, [[3]]), (1, 0, [[4]]), (3, 1, [[0, 5]])]
    cells = ""
    for left, top, rows in chunks:
        block = np.array(rows).repeat(scale, axis=0).repeat(scale, axis=1)
        height, width = block.shape
        values = ",".join(map(str, block.ravel().tolist()))
        cells += CHUNK.format(left * scale, top * scale, width, height, values)
    data = (
        HEAD.format(1, 1)
        + '<tileset firstgid="1" name="t" tilewidth="4" tileheight="4" tilecount="9" columns="3"/>'
        f'<layer name="A" width="1" height="1"><data encoding="csv">{cells}</data></layer></map>'
    )
    battlemap = read(data, tmp_path).battlemap
    assert battlemap is not None
    known = battlemap.terrain_set.terrains
    rows = [
        [known[at].code[-1] if at < len(known) and known[at].code[0] == "t" else "." for at in row]
        for row in battlemap.layers[0].planes["terrain"].tolist()
    ]
    expected = [".0.....", "1.23...", "......4"]
    wide = ["".join(mark * scale for mark in row) for row in expected]
    assert ["".join(row) for row in rows] == [row for row in wide for _ in range(scale)]


@pytest.mark.parametrize("wrong", ["x", "5000000000", "", "1,2"])
def test_a_wrong_cell_of_one_of_many_chunks_is_named_by_its_line(wrong, tmp_path: Path) -> None:
    lines = [CHUNK.format(at, 0, 1, 1, wrong if at == 5 else 1) for at in range(9)]
    layer = '<layer name="A" width="1" height="1"><data encoding="csv">\n'
    data = f"{HEAD.format(1, 1)}\n{layer}{chr(10).join(lines)}</data></layer></map>"
    (problem,) = read(data, tmp_path).problems
    assert problem.line == 3 + 5
    assert "its cells cannot be read" in problem.message


def test_cells_of_a_layer_of_objects_mean_nothing(tmp_path: Path) -> None:
    tiles = '{"type": "tilelayer", "name": "A", "width": 2, "height": 1, "data": [0, 0]}'
    objects = '{"type": "objectgroup", "name": "B", "objects": [], "data": [0, 1]}'
    text = (
        '{"type": "map", "orientation": "orthogonal", "width": 2, "height": 1, "tilewidth": 4,'
        f' "tileheight": 4, "tilesets": [], "layers": [{tiles}, {objects}]}}'
    )
    result = read_checked(format_named("tmj"), text.encode(), str(tmp_path / "a.tmj"))
    assert result.battlemap is not None
    assert [layer.name for layer in result.battlemap.layers] == ["A", "B"]
