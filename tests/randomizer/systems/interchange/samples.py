"""Hard little files of other programs, all of them ours."""

from __future__ import annotations

import gzip

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
"portals": [{"position": {"x": 3, "y": 1}, "closed": true}], "lights": [], "image": "iVBORw0KGgo="}
"""

SAMPLES = {
    "board": [BOARD, BOARD.replace(b"\n", b"\r\n")],
    "wesnoth": [WESNOTH, b"Gg, Gg\nGg, 1 Kh\n"],
    "textmapper": [TEXTMAPPER, DOTTED],
    "wxx": [WXX, packed(WXX_TEXT.replace("COLUMNS", "SQUARE"))],
    "foundry": SCENE,
    "uvtt": [UNIVERSAL],
}
"""The files of each format."""
