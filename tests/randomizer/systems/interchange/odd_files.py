"""Small files of other programs that nobody writes as we would."""

from __future__ import annotations

import base64
import zlib
from random import Random

import numpy as np


def packed(*cells: int) -> str:
    return base64.b64encode(zlib.compress(np.array(cells, "<u4").tobytes(), 9)).decode()


TMX = f"""<?xml version='1.0' encoding="UTF-8"?>
<!-- of an old hand -->
<map   orientation='orthogonal' width="3"  height="2"
       tilewidth="16" tileheight="16" type="odd">
\t<properties>
\t\t<property value="#ff112233" name="mood" type="color"></property>
\t\t<property name="wind" type="float" value="1.50"/>
\t\t<property name="on" type="bool" value="1"/>
\t\t<property name="count" type="int">5</property>
\t\t<property name="lines">one
two</property>
\t</properties>
\t<tileset tilewidth="16" firstgid="1" tileheight="16" name="g" tilecount="4" columns="2"
\t><image height="32" source="g.png" trans="ff00ff" width="32" odd="1"/></tileset>
\t<layer name="packed" width="3" height="2"><data encoding="base64" compression="zlib">
\t\t{packed(1, 2, 3, 4, 1, 2)}
\t</data></layer>
\t<layer height="2" width="3" name="rows"><data encoding="csv">
\t\t1, 1, 2,
\t\t0, 3, 4
\t</data></layer>
\t<layer name="elements" width="3" height="2" opacity="0.50">
\t\t<data compression="">
\t\t\t<tile gid="1"/>
\t\t\t<tile gid="2" />
\t\t\t<tile gid='3'/>
\t\t\t<tile gid="0"/>
\t\t\t<tile/>
\t\t\t<tile gid="4" odd="1"/>
\t\t</data>
\t</layer>
\t<objectgroup name="things" draworder="topdown">
\t\t<object x="8.50" y="1e0" name="no id"/>
\t\t<object id="7" x="1" y="2"><polygon points="0,0  4.0,0 4,4.50"/></object>
\t\t<object id="7" x="1" y="2" width="8" height="8"><ellipse odd="1"/></object>
\t\t<object x="1" y="2"><text wrap="1" pixelsize="9">A &#65; &lt;b&gt;<!-- so --></text></object>
\t</objectgroup>
\t<image/>
</map>
<!-- behind -->
""".encode()

INFINITE = f"""<map orientation="hexagonal" infinite="1" width="4" height="2" tilewidth="8"
 tileheight="8" hexsidelength="4" staggeraxis="y" staggerindex="odd">
 <tileset firstgid="1" name="g" tilewidth="8" tileheight="8" tilecount="3" columns="3"/>
 <layer name="chunks">
  <data encoding="base64" compression="zlib">
   <chunk y="0" x="0" width="2" height="2">
    {packed(1, 2, 3, 1)}
   </chunk>
   <!-- between -->
   <chunk x="2" y="0" width="2" height="2">{packed(2, 2, 3, 0)}</chunk>
  </data>
 </layer>
</map>""".encode()

TMJ = f"""{{ "width":3 , "height":2,"tilewidth":16, "tileheight":16,
  "orientation":"orthogonal", "width":3, "#odd":[1,{{}}], "odd":{{"a":[[], null, 1.50]}},
  "properties":{{"moor":true, "n":7}}, "propertytypes":{{"moor":"bool","n":"int"}},
  "layers":[
    {{"type":"tilelayer", "name":"rows", "width":3, "height":2, "visible":true, "data":[1,2,  2,
       0,3,4], "properties":[{{"name":"c", "value":{{"x":1.0}}, "type":"class"}} ]}} ,
    {{"data":"{packed(1, 2, 3, 4, 1, 2)}",
     "compression":"zlib", "type":"tilelayer", "encoding":"base64"}},
    {{"type":"objectgroup", "objects":[ {{"x":8.50, "y":1e0}}, {{"id":7,"x":1,"y":2,
      "\\u0061":"ä"}} ]}}
  ],
  "tilesets":[{{"firstgid":1, "name":"g", "tilewidth":16, "tileheight":16, "tiles":{{"2":{{}}}},
    "tileproperties":{{"0":{{"cost":3}}}}, "tilecount":4, "columns":2}}]}}

""".encode()

TMJ_INFINITE = b"""{"infinite":true,"orientation":"orthogonal","tilewidth":8,"tileheight":8,
 "layers":[{"type":"tilelayer","chunks":[
  {"data":[1,2,3,1],"x":0,"y":0,"width":2,"height":2},
  {"data":[2,2,3,0],"x":2,"y":0,"width":2,"height":2}]}],
 "tilesets":[{"firstgid":1,"name":"g","tilecount":3,"columns":3}]}"""

BOARD = b"""# a board of an old hand
Size 3 2   # three by two
option exit_roads_to_pavement false

hex 0101  0  "road:1:9;fluff:10:36" ""
HEX 0102 0 "pavement:1;road:1" "grass" # here

hex 0301 -2 "fluff:1;WOODS:1 ; rapids:2;" ""
hex 1 3 "bridge:2:18;bridge_elev:1;water:0;nonsense:1" "grass"
\thex 0202 0 "road:1" ""
note 0101 "a note"
hex 0302 0 ""  "snow"
end
what MegaMek does not read
"""

WESNOTH = b"""border_size=1
usage=map

Wo,Wo ,Wo,  Gg,Gs^Fp
  Wo,1 Ke , Gs^Fp,_off^_usr, Wo

Wo, 1  Ww^Bw/, lake\tGg^Vh, 02 Kh, Gg
Wo,Wo, Xv, Mm^Xm,Wo"""

TEXTMAPPER = """# a comment
forest attributes fill="green"
0001  green   forest "The “wood”"
0102 light-grey mountain cliff0 cliff5 name="Peak" 30 uwp="A1"
0203 water "Lake" 20 "Further" translate(0,20)
0302\tforest

020301 cave
0001-0203-0404 river "Ur" left 30%
0102-0404-0102 trail
# hexside 0203 2 w
other <text>0101</text>
0404 green forest""".encode()

NOTE = b"""# The moor

1066 words about it. 0101 is where it begins.

~~~text-mapper
option swap-even-odd
0001 bog "Ur" 20
0102 forest
0101 bog
0001-0202 trail
0202 hills
~~~

```text-mapper
0909 sea
```
0303 is no hex
"""

SCENARIO = b"""# wmllint: no-icon
[multiplayer]
\tid=moor
\tname= _ "The, Moor"
\tmap_data="border_size=1

Wo, Wo , Gg, Gs
Wo, 1 Ke,Gg^Fp, 2 Kh
 Gg, Gg, Wo, Gs"
\t[side]
\t\tside=1, 2
\t[/side]
[/multiplayer]
"""

ODD_FILES = {
    "tmx": TMX,
    "tmx with DOS lines": TMX.replace(b"\n", b"\r\n"),
    "tmx in UTF-16": TMX.decode().replace("UTF-8", "UTF-16").encode("utf-16"),
    "tmx in Latin-1": TMX.decode()
    .replace("UTF-8", "ISO-8859-1")
    .replace("hand", "händ")
    .encode("latin-1"),
    "tmx without an end": INFINITE,
    "board": BOARD,
    "board with DOS lines and a mark": b"\xef\xbb\xbf" + BOARD.replace(b"\n", b"\r\n"),
    "wesnoth": WESNOTH,
    "wesnoth with DOS lines and a mark": b"\xef\xbb\xbf" + WESNOTH.replace(b"\n", b"\r\n"),
    "textmapper": TEXTMAPPER,
    "textmapper with DOS lines and a mark": b"\xef\xbb\xbf" + TEXTMAPPER.replace(b"\n", b"\r\n"),
    "textmapper in a note": NOTE,
    "wesnoth in a scenario": SCENARIO,
    "tmj": TMJ,
    "tmj with DOS lines and a mark": b"\xef\xbb\xbf" + TMJ.replace(b"\n", b"\r\n"),
    "tmj without an end": TMJ_INFINITE,
}
"""Files by what they are. In one line of each stands no more than a row of cells."""

XML_PIECES = (
    "<!-- a comment with 1,2 < & -->",
    "<?keep this?>",
    '<properties><property name="a" value="b"/><!-- c --><odd/></properties>',
    "<properties/>",
    '<properties odd="1">\n  <property name="c" type="class"><properties>'
    '<property name="d" type="int" value="007"/></properties></property>\n</properties>',
    '<property name="stray" value="1"/>',
    '<objectgroup name="o"><object id="3" x="0" y="0" point="1">stray<point/></object>'
    "</objectgroup>",
    '<objectgroup id="9"><object id="3" x="1e1" y="0"><polyline points=""/><polyline/></object>'
    "</objectgroup>",
    '<group name="g" opacity="0.5" opaque="x"><imagelayer name="i"><image source="i.png"/>'
    "<image/></imagelayer></group>",
    '<group><layer name="l" width="2" height="1"><data encoding="csv">1,<!-- in -->2</data></layer>'
    "</group>",
    '<imagelayer><image format="png" width="1"><data encoding="base64">AAAA<b/></data></image>'
    "</imagelayer>",
    '<layer name="empty"/>',
    '<layer name="twice" width="2" height="1"><data encoding="csv">2,1</data><data/></layer>',
    '<tileset firstgid="9" name="u" tilewidth="8" tileheight="8"><tile id="0" terrain="0,,1,0">'
    "<animation/></tile><wangsets><wangset name='w'><wangcornercolor color='#000'/>"
    '<wangtile tileid="0" wangid="0x00000010"/></wangset></wangsets></tileset>',
    "<editorsettings><chunksize width='4' height=\"8\" /></editorsettings>",
    "<future n='1'>text <b>bold</b> end</future>",
    "<![CDATA[ <!-- ]]>",
    "&lt;stray&gt;",
    "\n\n",
    "\t",
)
"""What can stand in a map, expected by Tiled or not."""


def odd_tmx(pieces: list[str], order: Random) -> bytes:
    """A map with these pieces before and behind a tileset and a layer of two cells."""
    base = [
        '<tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="2" columns="2"/>',
        '<layer name="base" width="2" height="1"><data encoding="csv">\n1,2\n</data></layer>',
    ]
    places = sorted(order.sample(range(len(pieces) + 2), 2))
    for place, piece in zip(places, base, strict=True):
        pieces = [*pieces[:place], piece, *pieces[place:]]
    head = '<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">'
    return "".join([head, *pieces, "</map>\n"]).encode()
