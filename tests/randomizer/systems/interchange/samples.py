"""Hard little files of other programs, all of them ours."""

from __future__ import annotations

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

SAMPLES = {
    "board": [BOARD, BOARD.replace(b"\n", b"\r\n")],
    "wesnoth": [WESNOTH, b"Gg, Gg\nGg, 1 Kh\n"],
    "textmapper": [TEXTMAPPER, DOTTED],
}
"""The files of each format."""
