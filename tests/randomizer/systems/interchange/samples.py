"""Hard little files of other programs, all of them ours."""

from __future__ import annotations

import base64
import gzip
import json
import struct
import zlib
from typing import Any

import zstandard

from tests.randomizer.own_terrains import PNG

BOARD = b"""# A comment, and a licence
size 4 3
option exit_roads_to_pavement false
tag "arid"
hex 0101 0 "" ""
hex 0201 -2 "water:1;rapids:1" "grass"
hex 0301 3 "road:1:9;cliff_top:1:5" "Canyon of Fire"
hex 0401 1 "road:1;woods:2:0" ""
HEX 0102 0 "pavement:1;road:1" "" # here
hex 0202 0 "bridge:2:18;bridge_elev:1;bridge_cf:40;water:0" ""
hex 0302 0 "road:3:63" "grass"
hex 0402 12 "building:2:9;bldg_elev:3;bldg_cf:40" ""
hex 0103 0 "bridge:1;bridge_elev:2;bridge_cf:40" ""
hex 0203 0 "road:1" ""
note 0101 "a note"
hex 0303 0 "fluff:10:36" "snow"
end
"""

WESNOTH = b"""border_size=1
usage=map

Wo, Wo, Wo, Gg
Wo,1 Ke , Gs^Fp,_off^_usr
Wo, Ww^Bw/, lake Gg^Vh, 2 Kh
Wo, Wo, Xv, Mm^Xm
"""

TEXTMAPPER = """# A comment
forest attributes fill="green"
0001 green forest "The “wood"
0102 light-grey mountain cliff0 cliff5 name="Peak" 30 uwp="A1"
0203 water "Lake" 20 "Further" translate(0,20)
0203 island
020301 cave
0001-0203-0404 river "Ur" left 30%
0102-0404-0102 trail
# hexside 0203 2 w
other <text>0101</text>
""".encode()

DOTTED = (
    b'100.100 forest\r\n-02.99 sea "Far"\r\n99.99.00-101.102.00 road\r\ninclude default.txt\r\n'
)

WXX_TEXT = """<?xml version='1.1' encoding='utf-16'?>
<map type="WORLD" release="2025" lastViewLevel="WORLD" hexOrientation="COLUMNS">
<terrainmap>Blank\t3\tClassic/Hills Forest Evergreen\t0\tClassic/Water Sea Deep\t12</terrainmap>
<maplayer name="Labels" isVisible="true" opacity="0.5"/>
<maplayer name="Features" isVisible="false"/>
<maplayer name="Above Terrain"/>
<tiles viewLevel="WORLD" tilesWide="3" tilesHigh="2">
<tilerow>
0\t1000\t0\t0\t0\tZ
12\t-120.5\t0\t0\t5\tZ
</tilerow>
<tilerow>
12\t-300\t1\t0\t0\tZ\t0.0,0.0,0.0,1.0
0\t2000\t0\t1\t0\t0\t0\t0\t0\t0\t6
</tilerow>
<tilerow>
3\t0\t0\t0\t0\tZ\t1.0,0.5,0.0,1.0
3\t0\t0\t0\t0\t1\t2\t3\t4\t5\t6\tnull
</tilerow>
</tiles>
<tiles viewLevel="KINGDOM" tilesWide="9" tilesHigh="9"/>
<features>
<feature type="Classic/Building Wizard Tower" rotate="-30.0" mapLayer="Features" scale="40.0"
 isGMOnly="true"><location viewLevel="WORLD" x="375.0" y="300.0"/>
<label color="1.0,0.0,0.0,1.0" isItalic="true"><location scale="50.0" x="0" y="0"/>Keep  of
 R&amp;D</label></feature>
<feature type="Odd"><location viewLevel="KINGDOM" x="1" y="1"/></feature>
</features>
<extraTerrain><mapLayer name="Above Terrain"><terrainAndLocation name="Classic/Flat Beach"
 elevation="500" gmOnly="false" location="160.0,130.0"/></mapLayer></extraTerrain>
<labels><label mapLayer="Labels" color="0.0,0.0,0.0,1.0" outlineColor="1.0,1.0,1.0,1.0"
 outlineSize="2.0" rotate="90.0"><location viewLevel="WORLD" x="150" y="300" scale="80"/>Bay</label>
</labels>
<shapes>
<shape type="Path" tags="river" strokeColor="0.0,0.0,1.0,1.0" mapLayer="Above Terrain">
<p type="m" x="75" y="300"/><p x="225.0" y="300"/><p x="300" y="150"/><p x="375" y="300"/></shape>
<shape type="Path" strokeColor="0.5,0.3,0.0,1.0" tags="road" mapLayer="Above Terrain"
 isGMOnly="true"><p type="m" x="150" y="150"/><p x="150" y="450"/>
<p type="m" x="600" y="150"/><p type="c" x="375" y="600" cx1="600" cy1="400" cx2="500" cy2="600"/>
</shape>
<shape type="Polygon" fillTexture="Grass" strokeColor="null" mapLayer="Labels"><p x="0" y="0"/>
</shape>
</shapes>
<notes><note key="WORLD,600.0,450.0" color="null" title="The &lt;mill&gt;">
<notetext><![CDATA[<html><p>Old &amp;
 damp.</p><ul><li>Rats</li></ul></html>]]></notetext>
<location viewLevel="WORLD" x="600.0" y="450.0"/></note></notes>
<informations><information uuid="1"><information uuid="2"><![CDATA[<h2>x</h2>]]></information>
</information></informations>
</map>
"""


def packed(text: str, encoding: str = "utf-16-be") -> bytes:
    """A text as Worldographer packs it."""
    return gzip.compress(f"\ufeff{text}".encode(encoding), mtime=0)


WXX = packed(WXX_TEXT)


def packed_cells(cells: list[int], compression: str = "") -> str:
    """Cells as a base64 text of Tiled's."""
    raw = struct.pack(f"<{len(cells)}I", *cells)
    packers = {
        "zlib": zlib.compress,
        "gzip": lambda data: gzip.compress(data, mtime=0),
        "zstd": zstandard.ZstdCompressor().compress,
    }
    return base64.b64encode(packers.get(compression, bytes)(raw)).decode()


TMX = b"""<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" tiledversion="1.10.2" class="battle" orientation="hexagonal"
 renderorder="right-down" width="3" height="2" tilewidth="30" tileheight="26" infinite="0"
 hexsidelength="15" staggeraxis="x" staggerindex="even" parallaxoriginx="1.5" nextlayerid="9"
 nextobjectid="20">
 <editorsettings><export target="a.json" format="json"/></editorsettings>
 <properties>
  <property name="note" type="string">two
lines</property>
  <property name="rules" type="class" propertytype="Rules">
   <properties><property name="turns" type="int" value="7"/></properties>
  </property>
  <property name="list" type="list"><item type="int" value="1"/><item value="b"/></property>
  <property name="title" value="The ford"/>
 </properties>
 <tileset firstgid="1" name="land" tilewidth="30" tileheight="26" tilecount="4" columns="2">
  <tileoffset x="0" y="1"/>
  <image source="none.png" trans="ff00ff" width="60" height="52"/>
  <tile id="1" type="forest" probability="0.5">
   <properties><property name="cover" type="float" value="0.25"/></properties>
   <objectgroup draworder="index"><object id="1" x="1" y="2" width="3" height="4"/></objectgroup>
   <animation><frame tileid="0" duration="100"/><frame tileid="1" duration="90"/></animation>
  </tile>
  <wangsets>
   <wangset name="w" type="corner" tile="-1">
    <wangcolor name="Grass" color="#00ff00" tile="0" probability="1"/>
    <wangtile tileid="0" wangid="0,1,0,1,0,1,0,1"/>
   </wangset>
  </wangsets>
 </tileset>
 <tileset firstgid="10" name="land" tilewidth="30" tileheight="30" columns="0">
  <tile id="2"><image source="hill.png" width="30" height="30"/></tile>
  <tile id="70"><image source="none/pond.png" width="30" height="30"/></tile>
 </tileset>
 <layer id="1" name="Ground" width="3" height="2">
  <data>
   <tile gid="1"/><tile gid="2"/><tile gid="2147483650"/>
   <tile gid="268435458"/><tile/><tile gid="80"/>
  </data>
 </layer>
 <group id="2" name="Above" opacity="0.5" offsetx="3" unknown="x">
  <layer id="3" name="Trees" width="3" height="2" locked="1" tintcolor="#ff8080">
   <data encoding="csv">0,0,12,
0,2,0</data>
  </layer>
  <objectgroup id="4" name="Units" color="#a0a0a4">
   <object id="5" name="Keep" type="castle" x="10" y="20" width="30" height="30" rotation="90"/>
   <object id="6" gid="2" x="0" y="39" width="30" height="26"/>
   <object id="7" x="5" y="5"><polygon points="0,0 10,0 10,10.5"/></object>
   <object id="8" x="9" y="9"><ellipse/></object>
   <object id="9" name="Wood" x="20" y="8" width="40" height="12">
    <text fontfamily="Sans" pixelsize="9" wrap="1" color="#ff0000" halign="center">Old
wood</text>
   </object>
   <object id="11" name="P" type="start" x="12" y="26"><point/>
    <properties><property name="owner" type="int" value="2"/></properties>
   </object>
  </objectgroup>
 </group>
 <imagelayer id="6" name="Sky" visible="0"><image source="sky.jpg"/></imagelayer>
</map>
"""

TMX_INFINITE = f"""<map version="1.10" orientation="staggered" width="4" height="4" tilewidth="64"
 tileheight="32" infinite="1" staggeraxis="y" staggerindex="odd">
 <tileset firstgid="1" name="a" tilewidth="64" tileheight="32" tilecount="9" columns="3"/>
 <layer id="1" name="L" width="4" height="4">
  <data encoding="base64" compression="zstd">
   <chunk x="-4" y="-3" width="4" height="2">
    {packed_cells([0, 0, 0, 1, 0, 0, 2, 3], "zstd")}
   </chunk>
   <chunk x="0" y="1" width="2" height="2">{packed_cells([4, 0, 0, 0], "zstd")}</chunk>
  </data>
 </layer>
</map>""".encode()

TMX_OWN = b"""<map orientation="hexagonal" width="2" height="2" tilewidth="12" tileheight="10"
 hexsidelength="6" staggeraxis="x" staggerindex="odd">
 <properties>
  <property name="battlelands:terrains">
{"format": "battlelands-terrains", "version": 1, "name": "A",
"terrains": [{"name": "Moor", "colour": "#608060"}, {"name": "Fen", "colour": "#206080"}],
"hexsides": [{"name": "Bank", "letter": "b", "colour": "#806040"}], "elevations": [0, 3],
"ways": [{"name": "Path", "style": "track", "colour": "#907040"}]}</property>
  <property name="battlelands:grid">{"wrap": true, "naming": ["letters", 1, 1]}</property>
 </properties>
 <tileset firstgid="1" name="Battlelands 1" tilewidth="12" tileheight="10" tilecount="6"
  columns="8">
  <properties><property name="battlelands" type="bool" value="true"/></properties>
  <image source="map-terrains.png" width="96" height="10"/>
  <tile id="0"><properties><property name="plane" value="terrain"/>
   <property name="name" value="Moor"/></properties></tile>
  <tile id="1"><properties><property name="plane" value="terrain"/>
   <property name="name" value="Fen"/></properties></tile>
  <tile id="2"><properties><property name="plane" value="elevation"/>
   <property name="value" type="int" value="3"/></properties></tile>
  <tile id="3"><properties><property name="plane" value="hexside"/>
   <property name="name" value="b"/><property name="side" type="int" value="4"/></properties></tile>
  <tile id="4"><properties><property name="plane" value="way"/><property name="name" value="Path"/>
   <property name="value" type="int" value="73"/></properties></tile>
  <tile id="5"><properties><property name="plane" value="region"/></properties></tile>
 </tileset>
 <layer id="1" name="Ground" width="2" height="2">
  <properties><property name="battlelands:layer" type="int" value="3"/></properties>
  <data encoding="csv">1,2,2,1</data>
 </layer>
 <layer id="2" name="Marks" width="2" height="2">
  <properties><property name="battlelands:layer" type="int" value="3"/></properties>
  <data encoding="csv">3,4,5,6</data>
 </layer>
</map>"""

TMJ = (
    '{ "type":"map", "version":"1.10", "tiledversion":"1.10.2", "orientation":"orthogonal",'
    ' "width":3, "height":2, "tilewidth":16, "tileheight":16, "infinite":false, "own":[1, {}],'
    ' "properties":[{"name":"rules", "type":"class", "propertytype":"R", "value":{"a":1}}],'
    ' "tilesets":[{"firstgid":1, "name":"t", "tilewidth":16, "tileheight":16, "columns":2,'
    ' "tilecount":4, "image":"none.png", "imagewidth":32, "imageheight":32}],'
    ' "layers":[{"type":"tilelayer", "id":1, "name":"A", "width":3, "height":2, "data":[1, 2,'
    ' 536870914, 0, 4, 3]}, {"type":"group", "id":2, "name":"G", "layers":[{"type":"tilelayer",'
    ' "id":3, "name":"B", "width":3, "height":2, "encoding":"base64", "compression":"gzip",'
    f' "data":"{packed_cells([0, 0, 1, 2, 0, 0], "gzip")}"}}, {{"type":"objectgroup", "id":4,'
    ' "name":"O", "objects":[{"id":1, "x":8, "y":8, "width":0, "height":0, "point":true,'
    ' "name":"Ur", "type":"town"}, {"id":2, "x":16, "y":8, "polyline":[{"x":0, "y":0},'
    ' {"x":8, "y":8}]}]}]}]}'
).encode()

SCENE = [
    b"""{"name": "9", "img": "a.webp", "width": 400, "height": 300, "padding": 0.25, "shiftX": 5,
"shiftY": 0, "gridType": 2, "grid": 40, "walls": [{"_id": "w", "c": [200, 90, 210, 95]}],
"notes": [{"_id": "n", "x": 120.5, "y": 99, "text": "The mill", "iconSize": 40}], "flags": {}}
""",
    b"""{"name": "11", "background": {"src": "a.webp", "offsetX": 3}, "width": 400, "height": 300,
"padding": 0.1, "grid": {"type": 5, "size": 50}, "walls": [{"c": [1, 2, 3, 4], "door": 1}],
"notes": [{"x": "?"}, {"x": 90, "y": 70, "text": null}, {"x": 9, "y": 7, "text": "2"}],
"lights": [{"_id": "l", "x": 8, "y": 9, "config": {"dim": 5}}],
"flags": {"core": {"legacyHex": true}, "other": 1}}
""",
    b"""{"name": "14", "width": 400, "height": 300, "padding": 0, "shiftX": 0, "shiftY": 10,
"levels": [{"_id": "defaultLevel0000", "background": {"src": "a.webp"}}], "backgroundColor": "#999",
"grid": {"type": 1, "size": 50}, "walls": [], "flags": {},
"notes": [{"_id": "n", "x": 75, "y": 75, "text": "Ford", "levels": ["defaultLevel0000"]}]}
""",
]
"""Scenes of Foundry, by version."""

UNIVERSAL = b"""{"format": 0.3, "resolution": {"map_origin": {"x": 2, "y": 1}, "map_size": {"x": 4,
"y": 3}, "pixels_per_grid": 8}, "line_of_sight": [[{"x": 2, "y": 1}, {"x": 3, "y": 2}]],
"portals": [{"position": {"x": 3, "y": 1}, "closed": true}], "lights": [], "image": "%b"}
""" % base64.b64encode(PNG)


def tileset_beside(tmx: bytes) -> tuple[bytes, bytes]:
    """A map whose first tileset is a file beside it, and that file."""
    start = tmx.index(b'<tileset firstgid="1"')
    end = tmx.index(b"</tileset>", start) + len(b"</tileset>")
    map_file = tmx[:start] + b'<tileset firstgid="1" source="set.tsx"/>' + tmx[end:]
    return map_file, tmx[start:end].replace(b' firstgid="1"', b"", 1)


TMX_BESIDE, TSX = tileset_beside(TMX.replace(b'<object id="8"', b'<object template="t.tx" id="8"'))
TMX_OWN_BESIDE, OWN_TSX = tileset_beside(TMX_OWN)
TSJ = b"""{"name": "set", "tilewidth": 30, "tileheight": 26, "columns": 2, "tilecount": 4,
 "image": "none.png", "tiles": [{"id": 1, "type": "wood", "properties": [{"name": "a",
 "type": "int", "value": 3}]}], "wangsets": [{"name": "w", "colors": [{"name": "Grass"}],
 "wangtiles": [{"tileid": 1, "wangid": [0, 1, 0, 1]}]}]}"""
TEMPLATE = b"""<template><tileset firstgid="1" source="set.tsx"/><object name="A" type="b" gid="1"
 width="3"><properties><property name="a" type="int" value="3"/></properties></object></template>"""
BESIDE = [TSX, OWN_TSX, TSJ, TEMPLATE]
"""Files that maps of Tiled refer to."""


def _azgaar_cell(number: int, x: float, y: float, height: int, **more: object) -> dict[str, object]:
    return {"i": number, "v": [], "c": [], "p": [x, y], "h": height, "biome": 0, "f": 1, **more}


AZGAAR_WORLD: dict[str, Any] = {
    "info": {
        "version": "1.109.5",
        "description": "Azgaar's Fantasy Map Generator output: azgaar.github.io",
        "mapName": "Ostia",
        "width": 120,
        "height": 60,
    },
    "settings": {"distanceUnit": "mi", "distanceScale": 3},
    "pack": {
        # Two rows of three cells of 40 x 30 pixels.
        "cells": [
            _azgaar_cell(0, 20, 15, 5),
            _azgaar_cell(1, 60, 15, 35, biome=1, f=2, state=1),
            _azgaar_cell(2, 100, 15, 80, biome=1, f=2, state=2),
            _azgaar_cell(3, 20, 45, 12),
            _azgaar_cell(4, 60, 45, 19, f=3),
            _azgaar_cell(5, 100, 45, 60, biome=2, f=2, state=3),
        ],
        "features": [
            0,
            {"i": 1, "land": False, "type": "ocean", "group": "ocean"},
            {"i": 2, "land": True, "type": "island", "group": "continent"},
            {"i": 3, "land": False, "type": "lake", "group": "salt", "name": "Mere"},
        ],
        "burgs": [
            {},
            {"i": 1, "name": "Ost", "x": 60, "y": 10, "capital": 1, "population": 4.5},
            {"i": 2, "name": "Gone", "x": 61, "y": 11, "removed": True},
            {"i": 3, "name": "Hof", "x": 100, "y": 14, "capital": 0, "population": 0.4},
            {"i": 4, "name": "Burg", "x": 101, "y": 50, "group": "fort", "population": 0.1},
        ],
        "states": [
            {"i": 0, "name": "Neutrals"},
            {"i": 1, "name": "Ost", "fullName": "Duchy of Ost", "color": "#66c2a5"},
            {"i": 2, "name": "West", "color": "url(#hatch1)"},
            {"i": 3, "name": "Lost", "color": "#112233", "removed": True},
        ],
        "provinces": [0, {"i": 1, "name": "A"}],
        "cultures": [{"i": 0, "name": "Wildlands"}, {"i": 1, "name": "B"}],
        "religions": [],
        "rivers": [{"i": 1, "name": "Rill", "cells": [2, 1, 0, -1]}],
        "routes": [
            {"i": 0, "group": "roads", "points": [[60, 10, 1], [100, 14, 2]]},
            {"i": 1, "group": "trails", "points": [[100, 14, 2], [100, 50, 5]]},
            {"i": 2, "group": "searoutes", "points": [[20, 15, 0], [20, 45, 3]]},
        ],
        "markers": [
            {"i": 0, "type": "volcanoes", "x": 102, "y": 12, "cell": 2},
            {"i": 1, "type": "inns", "x": 62, "y": 18, "cell": 1},
        ],
    },
    "grid": {"cells": [{"i": number} for number in range(96)], "cellsX": 12, "cellsY": 6},
    "biomesData": {
        "i": [0, 1, 2],
        "name": ["Marine", "Grassland", "Glimmer"],
        "color": ["#466eab", "#c8d68f", "#8e44ad"],
    },
    "notes": [
        {"id": "marker1", "name": "The Crown", "legend": "<b>Good</b> beer<br>and beds"},
        {"id": "burg1", "name": "Ost", "legend": "Old"},
    ],
}
"""A small world of Azgaar's generator, after the exports of version 1.99 and later."""


def azgaar(world: object = AZGAAR_WORLD) -> bytes:
    """Return a world as the generator exports it."""
    return json.dumps(world, indent=1).encode()


SAMPLES = {
    "board": [BOARD, BOARD.replace(b"\n", b"\r\n")],
    "wesnoth": [WESNOTH, b"Gg, Gg\nGg, 1 Kh\n"],
    "textmapper": [TEXTMAPPER, DOTTED],
    "wxx": [WXX, packed(WXX_TEXT.replace("COLUMNS", "SQUARE"))],
    "azgaar": [azgaar()],
    "tmx": [TMX, TMX_INFINITE, TMX_OWN],
    "tmj": [TMJ],
    "foundry": SCENE,
    "uvtt": [UNIVERSAL],
}
"""The files of each format."""
