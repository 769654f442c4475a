"""What Tiled's files say is kept in both notations, or its loss is said."""

from __future__ import annotations

import base64
import io
import json
import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import pytiled_parser

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked, write_files_checked
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.systems.interchange.tile_pictures import read_pixels
from randomizer.systems.interchange.tiled.tiled_pictures import write_png
from randomizer.systems.interchange.tiled.tiled_xml_values import read_property_value

PNG = write_png(np.full((16, 32, 4), (200, 10, 20, 255), np.uint8))
EMBEDDED = f"""<image format="png" width="32" height="16"><!-- hidden --><data encoding="base64">
  {base64.b64encode(PNG).decode()}
 </data></image>"""

FULL = f"""<?xml version="1.0" encoding="UTF-8"?>
<!-- before -->
<!DOCTYPE map SYSTEM "http://mapeditor.org/dtd/1.0/map.dtd">
<map version="1.4" tiledversion="1.4.3" orientation="orthogonal" renderorder="right-down" width="2"
 height="1" tilewidth="16" tileheight="16" infinite="0" nextlayerid="4" nextobjectid="2">
 <future n="1">first</future>
 <properties>
  <!-- of the wind -->
  <property name="wind" type="float" value="1.50"/>
  <odd/>
 </properties>
 <future n="2">second <b>bold</b> end</future>
 <tileset firstgid="1" name="t" tilewidth="16" tileheight="16" tilecount="2" columns="2">
  {EMBEDDED}
  <tile id="0" terrain="0,,1,0"/>
  <wangsets>
   <wangset name="Shore" tile="-1">
    <wangcornercolor name="Land" color="#11aa11" tile="0" probability="1"/>
    <wangcornercolor name="Sea" color="#1111aa" tile="1" probability="1"/>
    <wangedgecolor name="Path" color="#aa1111" tile="0" probability="1"/>
    <wangedgecolor name="Wall" color="#888888" tile="1" probability="0.50"/>
    <wangtile tileid="0" wangid="0x10101010"/>
   </wangset>
  </wangsets>
 </tileset>
 <!-- the ground -->
 <layer id="1" name="Ground" width="2" height="1" type="odd">
  <data encoding="csv" checksum="x">
1,2
</data>
 </layer>
 <future n="3"/>
 <objectgroup id="2" name="things">
  <object id="1" x="4.50" y="5">stray
   <ellipse soft="1"/>
   <ellipse hard="1"/>
   <polygon points="0,0 4,0 4,4"/>
   <polygon points="1,1"/>
  </object>
 </objectgroup>
 <?keep this?>
</map>
<!-- after -->
"""


def opened(data: bytes, path: Path | None = None) -> BattleMap:
    result = read_checked(format_for(data, "a"), data, str(path) if path else None)
    assert result.battlemap is not None, result.problems
    return result.battlemap


def repainted(battlemap: BattleMap) -> BattleMap:
    """A map with one other cell."""
    plane = battlemap.layers[0].planes["terrain"]
    edit = set_values(battlemap, battlemap.layers[0].id, "terrain", [0], int(plane.flat[1]))
    assert edit is not None
    edit.apply(battlemap)
    return battlemap


def files_of(battlemap: BattleMap, name: str) -> dict[str, bytes]:
    return write_files_checked(format_named(name), battlemap, f"new.{name}")


def pieces(data: bytes) -> list[str]:
    """All that stands in an XML file in its order, however it is laid out."""
    parser = ElementTree.XMLParser(
        target=ElementTree.TreeBuilder(insert_comments=True, insert_pis=True)
    )
    result = []
    for event, element in ElementTree.iterparse(
        io.BytesIO(data), ["start", "end", "comment", "pi"], parser
    ):
        if event == "start":
            result.append(f"<{element.tag} {element.attrib}>")
        elif event == "end":
            texts = [element.text, *(child.tail for child in element)]
            words = [text.strip() for text in texts if text and text.strip()]
            result.append(f"{words}</{element.tag}>")
        else:
            result.append(str(element.text))
    return result


def test_one_changed_cell_leaves_all_else_of_a_file_as_it_is() -> None:
    data = FULL.encode()
    after = files_of(repainted(opened(data)), "tmx")["new.tmx"]
    expected = [piece.replace("1,2", "2,2") for piece in pieces(data)]
    assert pieces(after) == expected
    assert re.findall(rb"<!--.*?-->|<!DOCTYPE.*?>|<\?keep.*?>", after) == re.findall(
        rb"<!--.*?-->|<!DOCTYPE.*?>|<\?keep.*?>", data
    )


def test_a_comment_goes_with_the_layer_below_it_when_layers_come_and_go() -> None:
    layer = '<layer id="{0}" name="{0}" width="1" height="1"><data encoding="csv">1</data></layer>'
    layers = [f"<!-- {number} -->{layer.format(number)}" for number in (1, 2, 3)]
    data = (
        '<map orientation="orthogonal" width="1" height="1" tilewidth="8" tileheight="8">'
        f'<tileset firstgid="1" name="t" tilewidth="8" tileheight="8"/>{"".join(layers)}</map>'
    )
    battlemap = opened(data.encode())
    battlemap.layers[:] = [battlemap.layers[2], battlemap.layers[0]]
    after = files_of(battlemap, "tmx")["new.tmx"].decode()
    names = re.findall(r'<!-- (\d) -->|<layer id="(\d)"', after)
    order = [comment or f"layer {number}" for comment, number in names]
    assert order.index("layer 3") < order.index("layer 1")
    assert order[order.index("layer 3") - 1] == "3"
    assert order[order.index("layer 1") - 1] == "1"


def test_a_picture_in_the_file_is_shown() -> None:
    battlemap = opened(FULL.encode())
    terrain = next(each for each in battlemap.terrain_set.terrains if each.code == "t:0")
    assert read_pixels(battlemap.assets[terrain.asset])[0, 0].tolist() == [200, 10, 20, 255]
    assert terrain.colour == "#c80a14"


@pytest.mark.parametrize("data", [b"AAAA", b"?", base64.b64encode(PNG[:-30])])
def test_a_damaged_picture_in_the_file_is_said(data: bytes) -> None:
    damaged = FULL.encode().replace(base64.b64encode(PNG), data)
    result = read_checked(format_named("tmx"), damaged, "a.tmx")
    assert result.battlemap is not None
    assert any("the picture in t" in problem.message for problem in result.problems)


def test_in_json_the_picture_is_a_file_and_the_rest_is_there_or_counted(tmp_path: Path) -> None:
    battlemap = opened(FULL.encode())
    messages = [each.message for each in format_named("tmj").check(battlemap)]
    assert messages == [
        "5 comments: Tiled's JSON has none",
        "4 elements that Tiled does not expect: its JSON has no place for them",
    ]
    files = files_of(battlemap, "tmj")
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    document = json.loads(files["new.tmj"])
    (tileset,) = document["tilesets"]
    assert files[tileset["image"]] == PNG
    wangset = tileset["wangsets"][0]
    assert [colour["name"] for colour in wangset["cornercolors"]] == ["Land", "Sea"]
    assert [colour["name"] for colour in wangset["edgecolors"]] == ["Path", "Wall"]
    assert wangset["wangtiles"] == [{"tileid": 0, "wangid": [0, 1, 0, 1, 0, 1, 0, 1]}]
    assert tileset["tiles"][0]["terrain"] == [0, -1, 1, 0]
    assert document["future"][1]["b"] == {"_text": "bold"}
    assert [each["n"] for each in document["future"]] == [1, 2, 3]
    again = opened(files["new.tmj"], tmp_path / "new.tmj")
    assert again.assets.keys() >= {terrain.asset for terrain in battlemap.terrain_set.terrains} - {
        ""
    }
    back = files_of(again, "tmx")["new.tmx"].decode()
    assert '<future n="1">first</future>' in back
    assert 'terrain="0,,1,0"' in back


def test_a_truth_that_is_spelled_otherwise_stays_as_it_is() -> None:
    assert read_property_value("bool", "true") is True
    assert read_property_value("bool", "false") is False
    assert read_property_value("bool", "yes") == "yes"


def test_what_xml_has_no_place_for_is_counted() -> None:
    data = json.dumps(
        {
            "orientation": "orthogonal",
            "width": 1,
            "height": 1,
            "tilewidth": 8,
            "tileheight": 8,
            "infinite": False,
            "layers": [],
            "tilesets": [],
            "own": [1, {}, "a"],
            "not a name": 5,
            "title": "a\0b",
        }
    ).encode()
    messages = [each.message for each in format_named("tmx").check(opened(data))]
    assert messages == [
        "3 values that Tiled does not know: its XML has no place for them",
        "1 character: XML cannot hold them",
    ]


# --- Tiled before 1.2 ---

OLD = {
    "height": 1,
    "width": 3,
    "orientation": "orthogonal",
    "tileheight": 16,
    "tilewidth": 16,
    "version": 1,
    "nextobjectid": 2,
    "renderorder": "right-down",
    "properties": {"weather": "fog", "turns": 7},
    "propertytypes": {"weather": "string", "turns": "int"},
    "tilesets": [
        {
            "columns": 2,
            "firstgid": 1,
            "image": "g.png",
            "imageheight": 32,
            "imagewidth": 32,
            "margin": 0,
            "spacing": 0,
            "name": "g",
            "tilecount": 4,
            "tileheight": 16,
            "tilewidth": 16,
            "tileproperties": {"2": {"moor": True}, "0": {"cost": 3}},
            "tilepropertytypes": {"2": {"moor": "bool"}, "0": {"cost": "float"}},
            "terrains": [{"name": "Forest", "tile": 0}],
            "tiles": {"1": {"terrain": [0, 0, 0, 0]}, "2": {"type": "swamp"}},
        }
    ],
    "layers": [
        {
            "data": [1, 3, 2],
            "height": 1,
            "width": 3,
            "name": "Ground",
            "opacity": 1,
            "type": "tilelayer",
            "visible": True,
            "x": 0,
            "y": 0,
            "properties": {"deep": 0.5},
        },
        {
            "draworder": "topdown",
            "name": "O",
            "opacity": 1,
            "type": "objectgroup",
            "visible": True,
            "x": 0,
            "y": 0,
            "objects": [
                {
                    "id": 1,
                    "x": 8,
                    "y": 8,
                    "width": 0,
                    "height": 0,
                    "rotation": 0,
                    "name": "Inn",
                    "type": "town",
                    "visible": True,
                    "properties": {"owner": 2, "beer": "dark"},
                }
            ],
        },
    ],
}


def test_json_of_tiled_before_1_2_opens_and_goes_back(tmp_path: Path) -> None:
    battlemap = opened(json.dumps(OLD).encode())
    terrains = {terrain.code: terrain for terrain in battlemap.terrain_set.terrains}
    assert terrains["g:2"].picture == "Swamp"
    (inn,) = battlemap.visible_things()
    assert (inn.owner, dict(inn.state)) == (2, {"beer": "dark"})
    assert files_of(battlemap, "tmj")["new.tmj"] == json.dumps(OLD).encode()
    repainted_map = repainted(battlemap)
    document = json.loads(files_of(repainted_map, "tmj")["new.tmj"])
    assert document == {
        **OLD,
        "layers": [{**OLD["layers"][0], "data": [3, 3, 2]}, *OLD["layers"][1:]],
    }
    # From the other notation it comes as Tiled writes it today.
    files = files_of(opened(files_of(repainted_map, "tmx")["new.tmx"]), "tmj")
    document = json.loads(files["new.tmj"])
    assert document["properties"] == [
        {"name": "weather", "type": "string", "value": "fog"},
        {"name": "turns", "type": "int", "value": 7},
    ]
    tiles = document["tilesets"][0]["tiles"]
    assert [(tile["id"], sorted(tile)) for tile in tiles] == [
        (0, ["id", "properties"]),
        (1, ["id", "terrain"]),
        (2, ["id", "properties", "type"]),
    ]
    assert tiles[0]["properties"] == [{"name": "cost", "type": "float", "value": 3}]
    (tmp_path / "new.tmj").write_bytes(files["new.tmj"])
    parsed = pytiled_parser.parse_map(tmp_path / "new.tmj")
    assert parsed.properties == {"weather": "fog", "turns": 7}
    back = files_of(battlemap, "tmx")["new.tmx"]
    assert b'<property name="moor" type="bool" value="true"/>' in back


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"tiles": {"x": {}}}, "the id of a tile is 'x'"),
        ({"tiles": {"1": 3}}, "what is said of a tile is 3"),
        ({"tileproperties": {"1": [3]}}, "what is said of a tile is [3]"),
        ({"tileproperties": {"-1": {}}}, "the id of a tile is '-1'"),
        ({"properties": 3}, "properties is no list"),
    ],
)
def test_old_objects_that_are_none_are_a_problem_with_its_line(wrong, message) -> None:
    tileset = {"firstgid": 1, "name": "g", "tilewidth": 16, "tileheight": 16, **wrong}
    data = json.dumps({**OLD, "tilesets": [tileset]}, indent=1).encode()
    (problem,) = read_checked(format_named("tmj"), data, "a.tmj").problems
    assert message in problem.message
    assert problem.line == data[: data.index(b'"tilesets"')].count(b"\n") + 2


def test_the_id_of_a_tile_may_be_a_number_with_a_point() -> None:
    tiles = [{"id": 70.0, "type": "swamp"}, {"id": 2}]
    tileset = {"firstgid": 1, "name": "g", "tilewidth": 16, "tileheight": 16, "tiles": tiles}
    battlemap = opened(json.dumps({**OLD, "tilesets": [tileset]}).encode())
    assert {"g:70", "g:2"} <= {terrain.code for terrain in battlemap.terrain_set.terrains}


# --- what others read ---


@pytest.mark.parametrize(
    "tileset",
    [
        '<tileset firstgid="1" name="g" tilewidth="16" tileheight="16" tilecount="4" columns="2">'
        '<image source="g.png" width="32" height="32"/></tileset>',
        '<tileset firstgid="1" name="g" tilewidth="16" tileheight="16" spacing="1" margin="1">'
        '<image source="g.png" width="35" height="18"/></tileset>',
        '<tileset firstgid="1" name="g" tilewidth="16" tileheight="16"><tile id="0">'
        '<image source="g.png" width="16" height="16"/><objectgroup><object id="1" x="0" y="0"/>'
        "</objectgroup></tile></tileset>",
        '<tileset firstgid="1" name="g" tilewidth="16" tileheight="16"><wangsets><wangset>'
        '<wangcolor name="a"/><wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/></wangset></wangsets>'
        "</tileset>",
    ],
)
@pytest.mark.parametrize("infinite", [False, True])
def test_another_reader_takes_the_json_of_an_embedded_tileset(tileset, infinite, tmp_path) -> None:
    cells = '<data encoding="base64">AQAAAAAAAAA=</data>'
    if infinite:
        cells = '<data encoding="csv"><chunk x="-2" y="0" width="2" height="1">1,0</chunk></data>'
    data = (
        '<map version="1.0" orientation="orthogonal" width="2" height="1" tilewidth="16"'
        f' tileheight="16" infinite="{int(infinite)}">{tileset}'
        f'<layer name="A" width="2" height="1">{cells}</layer>'
        '<imagelayer name="I"/><group name="G"><objectgroup name="O"><object id="3" x="1" y="1"/>'
        "</objectgroup></group></map>"
    ).encode()
    files = files_of(opened(data), "tmj")
    (tmp_path / "new.tmj").write_bytes(files["new.tmj"])
    parsed = pytiled_parser.parse_map(tmp_path / "new.tmj")
    (read,) = parsed.tilesets.values()
    assert (read.name, read.tile_width) == ("g", 16)
    assert json.loads(files["new.tmj"])["compressionlevel"] == -1
    assert len(parsed.layers) == 3
