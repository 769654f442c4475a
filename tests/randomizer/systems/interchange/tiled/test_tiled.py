"""Maps of Tiled: the corpus, hard ones of our own, our maps in Tiled, damaged files."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytiled_parser

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked, write_files_checked
from randomizer.model.basics.limits import LARGEST_ID
from randomizer.model.edits.layer_edits import insert_layer, remove
from randomizer.model.edits.record_edits import set_record
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_edits import change_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.cell_naming import CellNaming, NamingStyle
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, OBLIQUE, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.map.regions import RECORD, MapRegion, record_of
from randomizer.model.planes.routes import PRESENT
from randomizer.model.problems import ProblemError, Severity
from randomizer.model.records.map_records import ORIGINAL
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.system import SYSTEM, free_map
from randomizer.systems.interchange.tile_pictures import read_pixels
from randomizer.systems.interchange.tiled import tiled_notation
from randomizer.systems.interchange.tiled.tiled_nodes import set_properties
from randomizer.systems.interchange.tiled.tiled_pictures import write_png
from tests.counting import watched_calls
from tests.randomizer.systems.interchange.readers import tiled
from tests.randomizer.systems.interchange.samples import (
    TMJ,
    TMX,
    TMX_INFINITE,
    TMX_OWN,
    packed_cells,
)
from tests.randomizer.systems.interchange.test_corpus import CORPUS

MAPS = [
    pytest.param(file, id=f"{file.parent.name}-{file.name}")
    for name, pattern in (("tmx", "*/*.tmx"), ("tmj", "*/map.json"))
    for file in sorted((CORPUS / name).glob(pattern) if CORPUS else ())
    if file.name != "invalid.tmx"
] or [pytest.param(Path(), marks=pytest.mark.skip("the corpus is not there"))]

NOT_PARSED = {
    "loader.tmx": "its tileset is a text file",
    "hexagonal-mini.tmx": "pytiled-parser wants a tilecount",
    "sewers.tmx": "pytiled-parser wants a tilecount",
    "cross_template": "its template is not in the corpus",
}


def deep(*values: object):
    """Values of a test that is for --deep."""
    return pytest.param(*values, marks=pytest.mark.deep)


def opened(data: bytes, path: Path | None = None, name: str = "") -> BattleMap:
    """The map of a file."""
    known = format_named(name) if name else format_for(data, "a")
    result = read_checked(known, data, str(path) if path else None)
    assert result.battlemap is not None, result.problems
    return result.battlemap


def saved(battlemap: BattleMap, name: str, folder: Path | None = None) -> bytes:
    """The file of a map in a format, which is written to ``folder`` with those beside it."""
    files = write_files_checked(format_named(name), battlemap, f"new.{name}")
    for each, data in files.items():
        if folder:
            (folder / each).write_bytes(data)
    return files[f"new.{name}"]


def codes(battlemap: BattleMap) -> list[list[str]]:
    """The code, else the name, of what each layer sets, cell by cell; "" where it sets nothing."""
    known = [terrain.code or terrain.name for terrain in battlemap.terrain_set.terrains]
    return [
        [known[at] if at < len(known) else "" for at in layer.planes["terrain"].ravel().tolist()]
        for layer in battlemap.layers
        if "terrain" in layer.planes
    ]


def completed(elements: Counter[str]) -> Counter[str]:
    """Elements without what Tiled's JSON always says, and old files in XML do not say."""
    names = (
        *("renderorder", "infinite", "tilecount", "columns", "compressionlevel"),
        *("nextlayerid", "nextobjectid", "tiledversion"),
    )
    always = rf"\('(?:{'|'.join(names)})', [^)]*\)"
    pattern = re.compile(f"{always}, |, {always}")
    return Counter(pattern.sub("", element) for element in elements.elements())


def change(battlemap: BattleMap, *edits) -> None:
    """Do edits that change something."""
    for edit in edits:
        assert edit is not None
        edit.apply(battlemap)


# --- the corpus ---


@pytest.mark.parametrize("file", MAPS)
def test_a_real_file_comes_back(file: Path) -> None:
    data = file.read_bytes()
    battlemap = opened(data, file)
    name = "tmx" if file.suffix == ".tmx" else "tmj"
    assert format_for(data, "a").name == name
    assert saved(battlemap, name) == data
    assert format_named(name).check(battlemap) == ()


@pytest.mark.parametrize("file", MAPS)
def test_a_change_changes_nothing_else(file: Path, tmp_path: Path) -> None:
    name = "tmx" if file.suffix == ".tmx" else "tmj"
    folder = tmp_path / "a" / "maps"
    shutil.copytree(file.parent.parent, folder.parent)
    folder = folder.parent / file.parent.name
    for each in folder.rglob("*"):
        each.chmod(0o755)
    before = file.read_bytes()
    battlemap = opened(before, file)
    layers = [each for each in battlemap.layers if "terrain" in each.planes]
    layer = next((each for each in layers if (each.planes["terrain"] != 0xFFFF).any()), None)
    if layer is not None:
        plane = layer.planes["terrain"]
        cell = int(np.flatnonzero(plane != 0xFFFF)[0])
        number = int(plane.flat[cell])
        other = next(at for at in np.unique(plane).tolist() if at != number)
        change(
            battlemap, set_values(battlemap, layer.id, "terrain", [cell], min(other, number + 1))
        )
    thing = next(iter(battlemap.visible_things()), None)
    if thing is not None:
        change(battlemap, change_things(battlemap, [replace(thing, x=thing.x + 1)]))
    folder.chmod(0o755)
    after = saved(battlemap, name, folder)
    (old, old_cells) = tiled(before)
    (new, new_cells) = tiled(after)
    assert sum((old - new).values()) == sum((new - old).values())
    assert sum((new - old).values()) <= (thing is not None)
    pairs = zip(old_cells, new_cells, strict=True)
    assert sum(one != two for one, two in pairs) == (layer is not None)
    again = opened(after, folder / f"new.{name}")
    assert codes(again) == codes(battlemap)
    if not {file.name, file.parent.name} & NOT_PARSED.keys():
        _compare_parsed(file, folder / f"new.{name}", layer is not None)


def _compare_parsed(file: Path, new: Path, is_painted: bool) -> None:
    """Compare what pytiled-parser reads: but for a cell and a place both are the same."""
    one, two = (pytiled_parser.parse_map(each) for each in (file, new))
    assert (one.map_size, one.tile_size, one.orientation) == (
        two.map_size,
        two.tile_size,
        two.orientation,
    )
    assert one.properties == two.properties
    assert [tileset.name for tileset in one.tilesets.values()] == [
        tileset.name for tileset in two.tilesets.values()
    ]
    assert [(type(layer), layer.name, layer.id) for layer in one.layers] == [
        (type(layer), layer.name, layer.id) for layer in two.layers
    ]
    cells = 0
    for old, again in zip(one.layers, two.layers, strict=True):
        if isinstance(old, pytiled_parser.TileLayer) and old.data:
            cells += (np.array(old.data) != np.array(again.data)).sum()
        elif isinstance(old, pytiled_parser.ObjectLayer):
            assert len(old.tiled_objects) == len(again.tiled_objects)
    assert cells <= is_painted


@pytest.mark.parametrize("file", MAPS)
def test_the_other_notation_is_the_same_map(file: Path, tmp_path: Path) -> None:
    battlemap = opened(file.read_bytes(), file)
    other, name = ("tmj", "tmx") if file.suffix == ".tmx" else ("tmx", "tmj")
    converted = saved(battlemap, other)
    again = opened(converted, file.parent / "x")
    assert codes(again) == codes(battlemap)
    assert list(again.visible_things()) == list(battlemap.visible_things())
    back = saved(again, name)
    (old, old_cells) = tiled(file.read_bytes())
    (new, new_cells) = tiled(back)
    assert new_cells == old_cells
    lost = completed(old) - completed(new)
    assert [each for each in lost if "encoding" not in each and "compression ''" not in each] == []


@pytest.mark.skipif(CORPUS is None, reason="the corpus is not there")
def test_what_is_damaged_is_refused() -> None:
    data = (CORPUS / "tmx" / "go" / "invalid.tmx").read_bytes()
    (problem,) = read_checked(format_named("tmx"), data, "a").problems
    assert "This cannot stand here in XML" in problem.message
    assert (problem.line, problem.column) == (5, 2)


@pytest.mark.parametrize("orientation", ["isometric", "oblique"])
@pytest.mark.parametrize("name", ["tmx", "tmj"])
def test_isometric_and_oblique_maps_are_squares_here_and_go_back(name, orientation) -> None:
    inside = (
        '<tileset firstgid="1" name="t" tilewidth="64" tileheight="32" tilecount="2" columns="2"/>'
        '<layer name="A" width="3" height="2"><data encoding="csv">1,2,1,\n2,2,1</data></layer>'
        '<objectgroup name="O"><object id="1" x="80" y="16" width="16" height="32"/>'
        '<object id="2" gid="1" x="96" y="64" width="64" height="32"/></objectgroup>'
    )
    data = tmx(inside, orientation=orientation, width=3, height=2, tilewidth=64, tileheight=32)
    if name == "tmj":
        data = saved(opened(data), "tmj")
    result = read_checked(format_named(name), data, "a")
    assert [(problem.severity, problem.message) for problem in result.problems] == [
        (
            Severity.HINT,
            f"this map is {orientation}: it is shown as squares, and stays {orientation}",
        )
    ]
    battlemap = result.battlemap
    assert battlemap is not None
    assert (battlemap.grid.layout, battlemap.grid.width, battlemap.grid.height) == (SQUARE, 3, 2)
    terrains = [terrain.code for terrain in battlemap.terrain_set.terrains]
    shown = [terrains[value] for value in battlemap.values("terrain").ravel()]
    assert shown == ["t:0", "t:1", "t:0", "t:1", "t:1", "t:0"]
    box, tile = battlemap.visible_things()
    # Tiled counts the pixels of an isometric map on its plane, in heights of a tile.
    across = 32 if orientation == "isometric" else 64
    assert battlemap.grid.cell_at(box.x, box.y) == 88 // across + 3 * (32 // 32)
    if orientation == "isometric":
        assert (tile.x, tile.y) == (2.5, 1.5)
    assert saved(battlemap, name) == data
    edit = set_values(battlemap, battlemap.layers[0].id, "terrain", [0], terrains.index("t:1"))
    assert edit is not None
    edit.apply(battlemap)
    again = opened(saved(battlemap, name))
    terrains = [terrain.code for terrain in again.terrain_set.terrains]
    shown[0] = "t:1"
    assert [terrains[value] for value in again.values("terrain").ravel()] == shown
    assert f'orientation="{orientation}"'.encode() in saved(again, "tmx")


# --- what is read ---


def test_groups_parity_flips_holes_and_objects_are_read() -> None:
    battlemap = opened(TMX)
    grid = battlemap.grid
    assert (grid.layout, grid.width, grid.height) == (FLAT, 4, 2)
    assert not grid.mask[:, 0].any()  # even columns are pushed down, ours are 1, 3, 5
    assert codes(battlemap)[0] == [
        "",
        "land:0",
        "land:1",
        "land:1 h",
        "",
        "land:1 r",
        "",
        "land':70",
    ]
    assert [(layer.name, layer.opacity, layer.locked) for layer in battlemap.layers] == [
        ("Ground", 1.0, False),
        ("Trees", 0.5, True),
        ("Units", 0.5, False),
    ]
    things = {visible_thing.id: visible_thing for visible_thing in battlemap.visible_things()}
    assert [(thing.kind, thing.label, thing.owner) for thing in things.values()] == [
        ("castle", "Keep", 0),
        ("forest", "", 0),  # the class of its tile
        ("object", "", 0),
        ("object", "", 0),
        ("label", "Old wood", 0),
        ("start", "P", 2),
    ]
    assert grid.cell_at(things[11].x, things[11].y) == grid.cell(1, 0)
    assert grid.cell_at(things[6].x, things[6].y) == grid.cell(1, 0)  # from its lower left corner
    pictures = {terrain.code: terrain.picture for terrain in battlemap.terrain_set.terrains}
    assert (pictures["land:1"], pictures["land:0"], pictures["land':2"]) == (
        "Woods",  # its class
        "Grassland",  # its wang colour
        "Hills",  # the name of its picture
    )
    assert battlemap.layers[0].properties["title"] == "The ford"


def test_tiles_of_ours_say_what_they_are_in_whatever_layer() -> None:
    battlemap = opened(TMX_OWN)
    assert battlemap.values("terrain").tolist() == [[0, 1], [1, 0]]
    assert battlemap.values("elevation").tolist() == [[3, 0], [0, 0]]
    assert battlemap.values("hexside")[0, 1].tolist() == [0, 0, 0, 0, 1, 0]
    assert battlemap.values("way1").tolist() == [[0, 0], [73, 0]]
    assert battlemap.values("region").tolist() == [[0xFFFF, 0xFFFF], [0xFFFF, 0]]
    assert (battlemap.grid.wrap, battlemap.grid.naming.style) == (True, "letters")
    assert [layer.id for layer in battlemap.layers] == [3]
    change(battlemap, set_values(battlemap, 3, "elevation", [3], 3))
    again = opened(saved(battlemap, "tmx"))
    assert again.composite().same_as(battlemap.composite())
    cells = [1, 2, 2, 1, 0, 0, 0, 0, 3, 0, 0, 3]
    assert tiled(saved(battlemap, "tmx"))[1][:12] == cells


@pytest.mark.parametrize(
    "value", ["{", '{"mask": 3}', '{"naming": ["x", 1, 1]}', "[]", '{"mask": "!"}']
)
def test_what_ours_say_is_not_used_if_it_is_damaged(value: str) -> None:
    data = TMX_OWN.replace(b'{"wrap": true, "naming": ["letters", 1, 1]}', value.encode())
    data = data.replace(b'"battlelands-terrains"', b'"x"')
    result = read_checked(format_named("tmx"), data)
    messages = [
        problem.message for problem in result.problems if "map-terrains.png" not in problem.message
    ]
    assert messages == [
        "what the map says of its grid is damaged: it is not used",
        "the terrain set of the map is damaged: it is not used",
        "2 cells of Ground are not shown",  # a hexside and a way that only the set knows
    ]


def test_an_infinite_map_has_the_box_of_its_cells() -> None:
    result = read_checked(format_named("tmx"), TMX_INFINITE)
    battlemap = result.battlemap
    assert result.problems[0].message == (
        "column -2 and row -3 of this infinite map are the first here"
    )
    assert battlemap.grid.layout is POINTY
    assert (battlemap.grid.width, battlemap.grid.height) == (3, 6)  # a row for the parity
    plane = battlemap.layers[0].planes["terrain"]
    number = battlemap.terrain_set.terrain_code("a:8")
    change(battlemap, set_values(battlemap, 1, "terrain", [battlemap.grid.cell(2, 4)], number))
    again = opened(saved(battlemap, "tmx"))
    assert codes(again) == codes(battlemap)
    assert plane is battlemap.layers[0].planes["terrain"]
    assert tiled(saved(battlemap, "tmx"))[1] != tiled(TMX_INFINITE)[1]


@pytest.mark.parametrize("infinite", [False, True])
@pytest.mark.parametrize(
    ("encoding", "compression"),
    [("", ""), ("csv", ""), *(("base64", each) for each in ("", "zlib", "gzip", "zstd"))],
)
@pytest.mark.parametrize("name", ["tmx", "tmj"])
def test_each_encoding_is_read_and_written(name, encoding, compression, infinite) -> None:
    cells = [1, 0x80000002, 0, 3]
    data: object = cells if encoding != "base64" else packed_cells(cells, compression)
    if name == "tmx":
        text = "".join(f'<tile gid="{cell}"/>' for cell in cells)
        text = {"": text, "csv": "1,2147483650,0,3"}.get(encoding, str(data))
        about = "".join(f' {k}="{v}"' for k, v in (("encoding", encoding),) if v)
        about += f' compression="{compression}"' if compression else ""
        if infinite:
            text = f'<chunk x="-1" y="4" width="2" height="2">{text}</chunk>'
        file = (
            f'<map orientation="orthogonal" width="2" height="2" tilewidth="8" tileheight="8"'
            f' infinite="{infinite:d}"><tileset firstgid="1" name="t" tilewidth="8" tileheight="8"'
            f' tilecount="4" columns="2"/><layer name="A" width="2" height="2"><data{about}>{text}'
            "</data></layer></map>"
        ).encode()
    else:
        layer = {"type": "tilelayer", "name": "A", "width": 2, "height": 2, "data": data}
        layer |= {"encoding": encoding, "compression": compression} if encoding == "base64" else {}
        if infinite:
            chunk = {"x": -1, "y": 4, "width": 2, "height": 2, "data": layer.pop("data")}
            layer["chunks"] = [chunk]
        tileset = {"firstgid": 1, "name": "t", "tilewidth": 8, "tileheight": 8}
        root = {"type": "map", "orientation": "orthogonal", "width": 2, "height": 2}
        root |= {"tilewidth": 8, "tileheight": 8, "infinite": infinite, "layers": [layer]}
        tileset |= {"tilecount": 4, "columns": 2}
        file = json.dumps({**root, "tilesets": [tileset]}).encode()
    battlemap = opened(file, name=name)
    assert codes(battlemap) == [["t:0", "t:1 h", "", "t:2"]]
    number = battlemap.terrain_set.terrain_code("t:3")
    change(battlemap, set_values(battlemap, 1, "terrain", [2], number))
    after = saved(battlemap, name)
    assert tiled(after)[1][:2] == cells[:2] or infinite
    assert [each for each in tiled(after)[1] if each] == [1, 0x80000002, 4, 3]
    assert (f'"{compression or encoding}"' in after.decode()) == (encoding == "base64") or (
        encoding == "csv"
    )
    assert codes(opened(after, name=name)) == codes(battlemap)


def test_pictures_of_tiles_are_cut_turned_and_coloured(tmp_path: Path) -> None:
    sheet = np.zeros((5, 9, 4), np.uint8)
    sheet[1:4, 1:4] = (200, 0, 0, 255)
    sheet[1, 1] = (0, 0, 200, 255)
    sheet[1:4, 5:8] = (255, 0, 255, 255)
    (tmp_path / "sheet.png").write_bytes(write_png(sheet))
    (tmp_path / "set.tsx").write_text(
        '<tileset name="s" tilewidth="3" tileheight="3" spacing="1" margin="1" tilecount="2"'
        ' columns="2"><image source="sheet.png" trans="ff00ff"/></tileset>'
    )
    gids = [1, 0x80000001, 0x40000001, 0xA0000001, 2, 0]  # plain, across, down, turned, clear
    (tmp_path / "a.tmx").write_text(
        '<map orientation="orthogonal" width="3" height="2" tilewidth="3" tileheight="3"><tileset'
        ' firstgid="1" source="set.tsx"/><layer name="A" width="3" height="2"><data'
        f' encoding="csv">{",".join(map(str, gids))}</data></layer></map>'
    )
    battlemap = opened((tmp_path / "a.tmx").read_bytes(), tmp_path / "a.tmx")
    terrains = {each.code: each for each in battlemap.terrain_set.terrains}
    corners = {}
    for code, terrain in terrains.items():
        if terrain.asset:
            pixels = read_pixels(battlemap.assets[terrain.asset])
            corners[code] = np.argwhere(pixels[:, :, 2] == 200).tolist()
    assert corners.pop("s:1") == []
    assert corners == {"s:0": [[0, 0]], "s:0 h": [[0, 2]], "s:0 v": [[2, 0]], "s:0 hd": [[0, 2]]}
    assert terrains["s:0"].colour == "#b10016"
    clear = read_pixels(battlemap.assets[terrains["s:1"].asset])
    assert not clear[:, :, 3].any()  # its colour is transparent
    assert terrains["empty"].colour == "#808080"


def test_each_tile_of_a_collection_may_have_its_picture_in_the_file_itself() -> None:
    tiles = ""
    for number, red in enumerate((50, 250)):
        packed = b64encode(write_png(np.full((8, 8, 4), (red, 0, 0, 255), np.uint8))).decode()
        tiles += (
            f'<tile id="{number}"><image format="png"><data encoding="base64">{packed}</data>'
            "</image></tile>"
        )
    data = (
        '<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8"><tileset'
        f' firstgid="1" name="t" tilewidth="8" tileheight="8" columns="0">{tiles}</tileset><layer'
        ' name="A" width="2" height="1"><data encoding="csv">1,2</data></layer></map>'
    )
    battlemap = opened(data.encode())
    reds = {}
    for terrain in battlemap.terrain_set.terrains:
        if terrain.asset:
            reds[terrain.code] = int(read_pixels(battlemap.assets[terrain.asset])[0, 0, 0])
    assert reds == {"t:0": 50, "t:1": 250}


def test_tiles_of_hexes_are_turned_and_what_is_clear_lies_on_the_colour_below(tmp_path) -> None:
    pictures = {"a.png": (26, 30), "ground.png": (40, 30)}
    for name, size in pictures.items():
        picture = np.zeros((*size, 4), np.uint8)
        picture[-24:-18, 13:17] = (250, 0, 0, 255)  # at the north of the cell
        if name == "ground.png":
            picture[:, :] = (0, 100, 0, 255)
        (tmp_path / name).write_bytes(write_png(picture))
    tileset = (
        '<tileset firstgid="1" name="t" tilewidth="30" tileheight="40" columns="0"><tile id="4">'
        '<image source="ground.png"/></tile><tile id="9"><image source="a.png"/></tile></tileset>'
    )
    gids = [10, 10 | 0x20000000, 10 | 0x10000000, 10 | 0x30000000]
    layer = '<layer name="A" width="4" height="1"><data encoding="csv">{}</data></layer>'
    layers = layer.format("5,5,5,5") + layer.format(",".join(map(str, gids)))
    about = 'orientation="hexagonal" staggeraxis="x" hexsidelength="15" width="4" height="1"'
    data = f'<map {about} tilewidth="30" tileheight="26">{tileset}{layers}</map>'.encode()
    result = read_checked(format_named("tmx"), data, str(tmp_path / "a.tmx"))
    assert [problem.message for problem in result.problems] == [
        "what is below 4 tiles that may be transparent is not seen here"
    ]
    battlemap = result.battlemap
    middles = {}
    for terrain in battlemap.terrain_set.terrains[1:]:
        pixels = read_pixels(battlemap.assets[terrain.asset])
        assert pixels.shape == (26, 30, 4)
        assert terrain.colour == "#006400"
        at = np.argwhere(pixels[:, :, 0] == 250)
        middles[terrain.code] = at.mean(axis=0).round().tolist() if len(at) else None
    north = [4.0, 14.0]
    north_east = [8.0, 22.0]
    south_east = [16.0, 22.0]
    south = [20.0, 14.0]
    assert middles == {
        "t:4": None,
        "t:9": pytest.approx(north, abs=1),
        "t:9 d": pytest.approx(north_east, abs=1),
        "t:9 r": pytest.approx(south_east, abs=1),
        "t:9 dr": pytest.approx(south, abs=1),
    }


@pytest.mark.parametrize(
    ("image", "message"),
    [
        ("a.jpg", "only .png are read"),
        ("no.png", "it is no PNG"),
        ("../../../up.png", "it is no file beside this one"),
    ],
)
def test_pictures_that_are_none_are_told_and_have_the_nearest_of_ours(
    image, message, tmp_path
) -> None:
    (tmp_path / "no.png").write_bytes(b"GIF89a")
    data = tmx(
        '<tileset firstgid="1" name="forest" tilewidth="8" tileheight="8" tilecount="1"'
        f' columns="1"><image source="{image}"/></tileset>' + LAYER.format("csv", "", "1,1,1,1")
    )
    result = read_checked(format_named("tmx"), data, str(tmp_path / "a.tmx"))
    assert len(result.problems) == 1
    assert result.battlemap.terrain_set.terrains[1].picture == "Woods"


def test_a_missing_tileset_is_asked_for_and_used_when_it_is_given(tmp_path: Path) -> None:
    data = TMX.replace(
        b'<tileset firstgid="10" name="land"', b'<tileset firstgid="10" source="x.tsx"'
    )
    data = data[: data.index(b'<tile id="2">')] + data[data.index(b'<tile id="70">') :]
    known = format_named("tmx")
    result = read_checked(known, data, str(tmp_path / "a.tmx"))
    assert "x.tsx" in result.missing
    tileset = b'<tileset name="given"><tile id="70" type="lake"/></tileset>'
    result = read_checked(known, data, str(tmp_path / "a.tmx"), {"x.tsx": tileset})
    assert "x.tsx" not in result.missing
    terrains = {terrain.code: terrain.picture for terrain in result.battlemap.terrain_set.terrains}
    assert terrains["given:70"] == "Lake"


def test_templates_give_what_an_object_does_not_say(tmp_path: Path) -> None:
    (tmp_path / "t.tx").write_text(
        '<template><object name="Inn" type="inn" width="8" height="8"><properties><property'
        ' name="text" value="Beer"/></properties></object></template>'
    )
    data = (
        b'<map orientation="orthogonal" width="2" height="2" tilewidth="8" tileheight="8">'
        b'<objectgroup name="O"><object id="4" template="t.tx" x="8" y="8"/>'
        b'<object id="4" name="twice" x="0" y="0"/></objectgroup></map>'
    )
    battlemap = opened(data, tmp_path / "a.tmx")
    inn, twice = battlemap.visible_things()
    assert (inn.kind, inn.label, dict(inn.state)) == ("inn", "Inn", {"text": "Beer"})
    assert (inn.x, inn.y) == (1.0, 1.0)
    assert (twice.id, twice.kind) == (5, "label")
    change(battlemap, change_things(battlemap, [replace(inn, label="Old Inn", owner=3)]))
    after = saved(battlemap, "tmx").decode()
    assert '<object id="4" template="t.tx" x="8" y="8" name="Old Inn">' in after
    assert '<property name="owner" type="int" value="3"/>' in after


def test_an_object_that_is_turned_or_renamed_is_read_again_as_it_was_left(tmp_path: Path) -> None:
    (tmp_path / "t.tx").write_text(
        '<template><object width="8" height="4"><properties><property name="owner" type="int"'
        ' value="2"/></properties><text bold="1">Inn</text></object></template>'
    )
    objects = (
        '<objectgroup name="O"><object id="4" template="t.tx" x="8" y="8"/>'
        '<object id="5" name="B" x="0" y="0" width="16" height="8"/></objectgroup>'
    )
    path = tmp_path / "a.tmx"
    battlemap = opened(tmx(objects), path)
    sign, house = battlemap.visible_things()
    assert (sign.label, sign.owner) == ("Inn", 2)
    sign = replace(sign, label="Old Inn", owner=0)
    house = replace(house, angle=90.0, x=house.x + 1)
    change(battlemap, change_things(battlemap, [sign, house]))
    data = saved(battlemap, "tmx", tmp_path)
    again = {thing.id: thing for thing in opened(data, path).visible_things()}
    assert (again[4].label, again[4].owner) == ("Old Inn", 0)
    assert '<text bold="1">Old Inn</text>' in data.decode()
    assert (again[5].x, again[5].y, again[5].angle) == pytest.approx((house.x, house.y, 90.0))


def test_an_object_with_the_position_of_its_template_is_moved_from_there(tmp_path: Path) -> None:
    (tmp_path / "t.tx").write_text('<template><object x="16" y="8"><point/></object></template>')
    path = tmp_path / "a.tmx"
    battlemap = opened(
        tmx('<objectgroup name="O"><object id="4" template="t.tx"/></objectgroup>'), path
    )
    (thing,) = battlemap.visible_things()
    moved = replace(thing, x=thing.x + 1)
    change(battlemap, change_things(battlemap, [moved]))
    (again,) = opened(saved(battlemap, "tmx", tmp_path), path).visible_things()
    assert (again.x, again.y) == pytest.approx((moved.x, moved.y))


def test_true_is_written_in_place_of_1_and_null_is_removed() -> None:
    node = {
        "properties": [
            {"name": "depth", "type": "int", "value": 1},
            {"name": "height", "type": "int", "value": 1},
            {"name": "nothing", "value": None},
        ]
    }
    set_properties(node, {"depth": True, "height": 1.0, "nothing": None})
    assert node == {
        "properties": [
            {"name": "depth", "type": "bool", "value": True},
            {"name": "height", "type": "int", "value": 1},
        ]
    }


def test_an_object_without_an_id_beside_one_with_the_largest_gets_an_unused_one() -> None:
    objects = "".join(f'<object id="{number}"/>' for number in (LARGEST_ID, 0, 1))
    battlemap = opened(tmx(f'<objectgroup name="O">{objects}</objectgroup>'))
    assert {thing.id for thing in battlemap.visible_things()} == {1, 2, LARGEST_ID}


def test_a_new_layer_without_terrains_keeps_its_name() -> None:
    battlemap = opened(TMX)
    towns = Layer(battlemap.free_layer_id(), "Towns")
    towns.things = Things([Thing(battlemap.next_thing_id, "town", 1.5, 0.8, label="Ford")])
    battlemap.note_ids(list(towns.things))
    change(battlemap, insert_layer(battlemap, towns, 1))
    again = opened(saved(battlemap, "tmx"))
    assert "Towns" in [layer.name for layer in again.layers]


def test_a_new_layer_gets_no_id_of_a_layer_with_a_picture() -> None:
    battlemap = opened(tmx(LAYER.format("csv", "", "1,1,1,1") + '<imagelayer id="7" name="P"/>'))
    change(battlemap, insert_layer(battlemap, Layer(battlemap.free_layer_id(), "New"), 1))
    change(battlemap, set_values(battlemap, battlemap.layers[1].id, "terrain", [1], 0))
    data = saved(battlemap, "tmx").decode()
    assert 'id="8" name="New"' in data or 'name="New" id="8"' in data


def test_null_in_json_is_no_value() -> None:
    node = json.loads(saved(opened(tmx(LAYER.format("csv", "", "1,1,1,1"))), "tmj"))
    node["layers"][0]["name"] = None
    node["tilesets"] = [{"firstgid": 1, "name": "t", "source": None, "tilecount": 1}]
    assert opened(json.dumps(node).encode()).layers[0].name == "Layer 1"


def test_a_template_is_read_once_however_many_objects_have_it(tmp_path) -> None:
    template = b'<template><object name="A"/></template>'
    (tmp_path / "t.tx").write_bytes(template)
    objects = "".join(f'<object id="{at}" template="t.tx"/>' for at in range(1, 500))
    data = tmx(f"<objectgroup>{objects}</objectgroup>")
    with watched_calls(tiled_notation.read) as calls:
        result = read_checked(format_named("tmx"), data, str(tmp_path / "a.tmx"))
    assert len(list(result.battlemap.visible_things())) == 499
    assert [call["data"] for call in calls].count(template) == 1


# --- what is changed and written ---


def test_layers_and_things_that_come_and_go() -> None:
    battlemap = opened(TMX)
    units = battlemap.layers[2]
    keep, *_rest = units.things.values()
    new = Thing(battlemap.next_thing_id, "label", 1.5, 0.8, 90.0, label="New")
    upper = Layer(battlemap.free_layer_id(), "Upper", opacity=0.25)
    change(battlemap, insert_layer(battlemap, upper, 1))
    change(battlemap, remove(battlemap, 2))
    number = battlemap.terrain_set.terrain_code("land:3")
    change(battlemap, set_values(battlemap, upper.id, "terrain", [1], number))
    battlemap.layers[2].things = Things(
        [*(each for each in units.things.values() if each != keep), new]
    )
    battlemap.note_ids([new.id])
    units.opacity = 0.4  # that of its group is 0.5
    again = opened(saved(battlemap, "tmx"))
    assert [layer.name for layer in again.layers] == ["Ground", "Upper", "Units"]
    assert [layer.opacity for layer in again.layers] == pytest.approx([1.0, 0.25, 0.4])
    assert codes(again) == codes(battlemap)
    before, after = (
        {visible_thing.id: visible_thing for visible_thing in m.visible_things()}
        for m in (battlemap, again)
    )
    assert before.keys() == after.keys()
    for number, thing in before.items():
        assert (after[number].x, after[number].y) == pytest.approx((thing.x, thing.y), abs=1e-4)
        assert replace(after[number], x=0, y=0) == replace(thing, x=0, y=0)


def full_map(layout, wrap: bool = False) -> BattleMap:
    """A map of ours with all that Tiled can hold."""
    battlemap = free_map(layout, 4, 3)
    mask = np.ones((3, 4), np.bool_)
    mask[2, 3] = mask[0, 1] = False
    battlemap.grid = Grid(layout, 4, 3, mask, wrap, naming=CellNaming(NamingStyle.DOTTED))
    battlemap.layers.append(Layer(7, "Upper", visible=False, opacity=0.5, secret=True))
    known = battlemap.terrain_set
    for number, (layer, spec) in enumerate(
        (layer, spec) for layer in battlemap.layers for spec in SYSTEM.planes
    ):
        plane = layer.planes[spec.name] = spec.allocate(battlemap.grid)
        most = {"terrain": len(known.terrains), "hexside": len(known.hexsides) + 1, "region": 2}
        draw = np.random.default_rng(number)
        values = draw.integers(0, most.get(spec.name, 9), plane.shape)
        values += PRESENT * (spec in (*SYSTEM.ways[: len(known.ways)], SYSTEM.flow))
        if spec in SYSTEM.ways[1:]:
            del layer.planes[spec.name]
            continue
        values = values.clip(*spec.limits)
        np.copyto(plane, values.astype(plane.dtype), where=draw.random(plane.shape) < 0.6)
        (plane.T if plane.ndim == 2 else plane.transpose(1, 0, 2))[~mask.T] = spec.unset
    battlemap.layers[0].properties |= {"title": "Ours", "scale": "6 miles"}
    things = [
        Thing(1, "label", 1.25, 0.5, 30.0, label="The wood"),
        Thing(2, "note", 0.5, 1.0, label="N", state={"text": "two\nlines", "secret": True}),
        Thing(3, "start", 2.0, 1.0, owner=4),
    ]
    battlemap.layers[1].things = Things(things)
    battlemap.note_ids([3])
    regions = (MapRegion("A", "#112233"), MapRegion("B", "#445566"))
    change(battlemap, set_record(battlemap, RECORD, record_of(regions)))
    return battlemap


@pytest.mark.parametrize(
    ("layout", "name"), [(FLAT, "tmx"), deep(FLAT, "tmj"), deep(POINTY, "tmx"), (SQUARE, "tmj")]
)
def test_our_own_maps_come_back_whole(layout, name, tmp_path: Path) -> None:
    battlemap = full_map(layout, wrap=layout is not POINTY)
    assert format_named(name).check(battlemap) == ()
    data = saved(battlemap, name, tmp_path)
    result = read_checked(format_named(name), data, str(tmp_path / f"new.{name}"))
    again = result.battlemap
    assert result.problems == ()
    assert again.terrain_set == battlemap.terrain_set
    assert again.grid.same_as(battlemap.grid)
    assert again.grid.naming == battlemap.grid.naming
    assert again.records[RECORD].text == battlemap.records[RECORD].text
    for one, two in zip(battlemap.layers, again.layers, strict=True):
        assert (one.name, one.visible, one.opacity, one.secret) == (
            two.name,
            two.visible,
            two.opacity,
            two.secret,
        )
        assert one.properties == two.properties
        assert {k: v.tolist() for k, v in one.planes.items()} == {
            k: v.tolist() for k, v in two.planes.items()
        }
        for here, there in zip(one.things.values(), two.things.values(), strict=True):
            assert (here.x, here.y) == pytest.approx((there.x, there.y), abs=1e-4)
            assert replace(here, x=0, y=0) == replace(there, x=0, y=0)
    assert saved(again, name, tmp_path) == data
    change(again, set_values(again, 1, "elevation", [0], 5))
    del again.records[ORIGINAL]
    assert (
        opened(saved(again, name, tmp_path), tmp_path / f"new.{name}")
        .composite()
        .same_as(again.composite())
    )


def test_painting_with_a_terrain_that_tiled_does_not_know_adds_a_tile_of_ours(tmp_path) -> None:
    battlemap = opened(TMX)
    known = battlemap.terrain_set
    marsh = replace(known.terrains[0], name="Marsh", code="", picture="Swamp")
    change(
        battlemap, change_terrain_set(battlemap, replace(known, terrains=(*known.terrains, marsh)))
    )
    change(battlemap, set_values(battlemap, 1, "terrain", [1], len(known.terrains)))
    change(battlemap, set_values(battlemap, 1, "elevation", [1], 4))
    data = saved(battlemap, "tmx", tmp_path)
    again = opened(data, tmp_path / "new.tmx")
    assert codes(again)[0][:4] == ["", "Marsh", "land:1", "land:1 h"]
    assert again.values("elevation")[0].tolist() == [0, 4, 0, 0]
    assert again.terrain_set.terrains[-1] == marsh
    assert {each.name for each in tmp_path.iterdir()} == {
        "new.tmx",
        "new-terrains.tsx",
        "new-terrains.png",
    }
    assert (
        tiled(TMX)[0] - tiled(data)[0] == {}.__class__() or len(tiled(TMX)[0] - tiled(data)[0]) <= 1
    )


def test_everything_of_a_map_survives_the_other_notation_and_back() -> None:
    as_json = saved(opened(TMX), "tmj")
    back = saved(opened(as_json), "tmx")
    (old, old_cells) = tiled(TMX)
    (new, new_cells) = tiled(back)
    assert new_cells == old_cells
    assert {each for each in completed(old) - completed(new) if "data" not in each} == set()
    about = json.loads(as_json)["properties"]
    assert {each["name"]: each["value"] for each in about} == {
        "note": "two\nlines",
        "rules": {"turns": 7},
        "list": [{"type": "int", "value": 1}, {"type": "string", "value": "b"}],
        "title": "The ford",
    }
    listed = b'"properties":[{"name":"l", "type":"list", "value":[1, "a"]}, '
    plain = TMJ.replace(b'"properties":[', listed)
    assert b'<item value="a"/>' in saved(opened(plain), "tmx")


def test_a_layer_painted_empty_hides_the_tiles_below(tmp_path) -> None:
    battlemap = opened(TMX)
    empty = [terrain.code for terrain in battlemap.terrain_set.terrains].index("empty")
    change(battlemap, set_values(battlemap, 2, "terrain", [1], empty))
    assert codes(battlemap)[0][1] == "land:0"
    again = opened(saved(battlemap, "tmx", tmp_path), tmp_path / "new.tmx")
    assert codes(again) == codes(battlemap)
    assert not any(terrain.missing for terrain in again.terrain_set.terrains)


@pytest.mark.parametrize(
    "tileset", ['source="gone.tsx"', 'name="sheet" tilewidth="8" tileheight="8"']
)
def test_tiles_of_ours_leave_room_for_a_tileset_of_unknown_size(tileset: str, tmp_path) -> None:
    data = f"""<map orientation="orthogonal" width="3" height="1" tilewidth="8" tileheight="8">
<tileset firstgid="1" {tileset}/><layer id="1" name="a" width="3" height="1">
<data encoding="csv">1,40,3</data></layer></map>"""
    battlemap = opened(data.encode())
    before = codes(battlemap)[0]
    known = battlemap.terrain_set
    marsh = replace(known.terrains[0], name="Marsh", code="")
    terrains = replace(known, terrains=(*known.terrains, marsh))
    change(battlemap, change_terrain_set(battlemap, terrains))
    change(battlemap, set_values(battlemap, 1, "terrain", [0], len(known.terrains)))
    again = opened(saved(battlemap, "tmx", tmp_path), tmp_path / "new.tmx")
    assert codes(again) == [["Marsh", *before[1:]]]


@pytest.mark.parametrize("name", ["tmx", "tmj"])
def test_a_map_without_layers_can_be_painted(name: str) -> None:
    data = b"""<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
<tileset firstgid="1" name="a" tilewidth="8" tileheight="8" tilecount="2" columns="2"/></map>"""
    battlemap = opened(data)
    code = [terrain.code for terrain in battlemap.terrain_set.terrains].index("a:1")
    change(battlemap, set_values(battlemap, battlemap.layers[0].id, "terrain", [1], code))
    assert codes(opened(saved(battlemap, name))) == [["", "a:1"]]


def test_oblique_maps_are_not_written() -> None:
    with pytest.raises(ProblemError, match="oblique"):
        saved(free_map(OBLIQUE, 4, 4), "tmx")


# --- the real program ---


@pytest.mark.skipif(shutil.which("tiled") is None, reason="Tiled is not installed")
@pytest.mark.parametrize("layout", [FLAT, *(deep(each) for each in (POINTY, SQUARE))])
def test_tiled_reads_our_maps_to_the_same_numbers(layout, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    results = []
    for name in ("tmx", "tmj"):
        data = saved(full_map(layout), name, tmp_path)
        command = ["tiled", "--export-map", "json", f"new.{name}", f"out-{name}.json"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=300)
        exported = (tmp_path / f"out-{name}.json").read_bytes()
        assert tiled(exported)[1] == tiled(data)[1]
        results.append(opened(exported, tmp_path / f"out-{name}.json", "tmj"))
    for again in results:
        assert again.composite().same_as(full_map(layout).composite())


EXAMPLES = Path("/usr/share/doc/tiled/examples")


@pytest.mark.deep
@pytest.mark.skipif(
    shutil.which("tiled") is None or not EXAMPLES.is_dir(), reason="Tiled is not installed"
)
@pytest.mark.parametrize("name", ["tmx", "tmj"])
@pytest.mark.parametrize("example", ["desert", "hexagonal-mini", "sewers", "rpg/island"])
def test_a_change_of_tileds_examples_is_one_cell_for_tiled(
    example, name, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    folder = (EXAMPLES / example).parent
    shutil.copytree(folder, tmp_path / "maps")
    old = tmp_path / "maps" / f"{Path(example).name}.tmx"
    result = read_checked(format_named("tmx"), old.read_bytes(), str(old))
    assert not any("is not used" in problem.message for problem in result.problems)
    battlemap = result.battlemap
    plane = battlemap.layers[0].planes["terrain"]
    assert all(terrain.asset for terrain in battlemap.terrain_set.terrains[1:])
    other = next(at for at in np.unique(plane).tolist() if at not in (0xFFFF, plane[5, 5]))
    change(battlemap, set_values(battlemap, 1, "terrain", [5 * battlemap.grid.width + 5], other))
    saved(battlemap, name, old.parent)
    exported = []
    for each in (old.name, f"new.{name}"):
        command = ["tiled", "--export-map", "json", each, "out.json"]
        subprocess.run(command, cwd=old.parent, check=True, capture_output=True, timeout=300)
        exported.append(tiled((old.parent / "out.json").read_bytes()))
    (one, cells), (two, new_cells) = exported
    assert one == two
    assert sum(a != b for a, b in zip(cells, new_cells, strict=True)) == 1


# --- damaged files ---


def tmx(inside: str = "", **more: object) -> bytes:
    """A little map with other attributes."""
    known = {"orientation": "orthogonal", "width": 2, "height": 2, "tilewidth": 8, "tileheight": 8}
    head = " ".join(f'{key}="{value}"' for key, value in {**known, **more}.items())
    return f"<map {head}>\n{inside}\n</map>".encode()


LAYER = '<layer name="A" width="2" height="2"><data encoding="{}" {}>{}</data></layer>'


@pytest.mark.parametrize(
    ("data", "place", "message"),
    [
        (tmx(width=99999, height=99999), (1, 1), "cells"),
        (tmx(tilewidth="x"), (1, 1), "tilewidth is 'x'"),
        (tmx(orientation="round"), (1, 1), "this map is round"),
        (tmx(LAYER.format("csv", "", "1,2,3")), (2, 1), "3 of 4 cells"),
        (tmx(LAYER.format("csv", "", "1,2,3,9999999999")), (2, 1), "no number of a tile"),
        (tmx(LAYER.format("csv", "", "[" * 100_000)), (2, 1), "cannot be read"),
        (tmx(LAYER.format("base64", "", "AAA=")), (2, 1), "cannot be read"),
        (tmx(LAYER.format("base64", 'compression="zlib"', "AAAA")), (2, 1), "cannot be read"),
        (tmx(LAYER.format("base64", 'compression="lzma"', "AAAA")), (2, 1), "'lzma' is not known"),
        (tmx(LAYER.format("rot13", "", "AAAA")), (2, 1), "'rot13' is not known"),
        (
            tmx(LAYER.format("base64", 'compression="zstd"', packed_cells([0] * 10**6, "zstd"))),
            (2, 1),
            "of 4 cells",
        ),
        (
            tmx(
                '<layer name="A"><data encoding="csv"><chunk x="0" y="0" width="1" height="1">1'
                '</chunk><chunk x="99999999" y="0" width="1" height="1">1</chunk></data></layer>',
                infinite=1,
            ),
            (1, 1),
            "cells",
        ),
        (tmx('<objectgroup name="O"><object id="1" x="nan"/></objectgroup>'), (2, 1), "x is 'nan'"),
        (tmx('<tileset firstgid="0"/>'), (2, 1), "firstgid is 0"),
        (tmx('<tileset firstgid="1" name="t"/>' * 1001), (1, 1), "1,000 tilesets"),
        (
            tmx('<layer name="A" width="1" height="1"/>' * 20, width=1000, height=1000),
            (1, 1),
            "cells together",
        ),
        (tmx("<layer/>" * 501), (1, 1), "500 are the most"),
        (
            tmx(
                LAYER.format("csv", "", ",".join(map(str, range(1, 17_000)))), width=1, height=16999
            ).replace(b'width="2" height="2"', b""),
            (1, 1),
            "16,000 terrains",
        ),
        (tmx("<group>" * 60 + "</group>" * 60), (2, 1), "nested"),
        (b'<!DOCTYPE m [<!ENTITY a "b">]>' + tmx("&a;"), (1, 1), "entit"),
        (b'{"layers": [{"type": "group", "layers": 3}], "tilewidth": 1}', (1, 12), "layers is no"),
        (b'{"layers": [,', (1, 13), "no JSON"),
        (b'{"tiledversion": "1"}', (1, 1), "no map of Tiled"),
    ],
)
def test_a_damaged_or_lying_file_is_one_problem_with_its_place(data, place, message) -> None:
    known = format_named("tmx" if data.startswith(b"<") else "tmj")
    result = read_checked(known, data, "a")
    assert result.battlemap is None
    (problem,) = result.problems
    assert message in problem.message
    assert problem.path == "a"
    assert problem.line == place[0]


@pytest.mark.parametrize(
    "data",
    [b"", b"no picture", write_png(np.zeros((2, 2, 4), np.uint8))[:-30]],
)
def test_a_damaged_picture_is_a_value_error(data) -> None:
    with pytest.raises(ValueError, match="it is"):
        read_pixels(data)
