"""Wang sets of Tiled's files, in each of its notations, as the record of a map."""

from __future__ import annotations

import json

import pytest

from randomizer.catalog.format_choice import format_for
from randomizer.formats.checked import read_checked
from randomizer.model.map.wang_sets import wang_sets_of

SETS = {
    "1.5": """<wangsets><wangset name="Shore" type="corner" tile="-1">
<wangcolor name="Land" color="#0f0" tile="0" probability="1"/>
<wangcolor name="Sea" color="#00f" tile="1" probability="1"/>
<wangtile tileid="1" wangid="0,2,0,2,0,1,0,2"/></wangset></wangsets>""",
    "1.4": """<wangsets><wangset name="Shore" tile="-1">
<wangcornercolor name="Land" color="#0f0" tile="0" probability="1"/>
<wangcornercolor name="Sea" color="#00f" tile="1" probability="1"/>
<wangtile tileid="1" wangid="0x20102020"/></wangset></wangsets>""",
    "1.0": """<terraintypes><terrain name="Land" tile="0"/><terrain name="Sea" tile="1"/>
</terraintypes><tile id="1" terrain="1,1,0,1"/>""",
}
"""One tile with land in its south-west corner alone, as versions of Tiled wrote it."""


def read(tileset: str, attributes: str = 'orientation="orthogonal"', transformations: str = ""):
    data = f"""<map version="1.4" {attributes} width="2" height="1" tilewidth="16" tileheight="16">
<tileset firstgid="1" name="g" tilewidth="16" tileheight="16" tilecount="4" columns="4">
{transformations}{tileset}</tileset>
<layer id="1" name="L" width="2" height="1"><data encoding="csv">1,2</data></layer></map>
""".encode()
    result = read_checked(format_for(data, "a.tmx"), data, "a.tmx")
    assert result.battlemap is not None, result.problems
    return result.battlemap


@pytest.mark.parametrize("version", list(SETS))
def test_the_same_corners_are_read_of_all_versions(version):
    battlemap = read(SETS[version])
    (wang_set,) = wang_sets_of(battlemap.records, 4)
    assert [colour.name for colour in wang_set.colours] == ["Land", "Sea"]
    assert [colour.tile for colour in wang_set.colours] == ["g:0", "g:1"]
    assert wang_set.kind == "corner"
    assert wang_set.codes == ("g:1",)
    # Our corners begin in the north-west.
    assert wang_set.values.tolist() == [[0, 0, 0, 0, 2, 2, 2, 1]]


def test_sides_and_corners_of_before_1_5_have_colours_of_their_own():
    battlemap = read(
        """<wangsets><wangset name="W" tile="-1">
<wangcornercolor name="Land" color="#0f0" tile="0"/>
<wangedgecolor name="Road" color="#00f" tile="1"/>
<wangtile tileid="1" wangid="0x10101011"/></wangset></wangsets>"""
    )
    (wang_set,) = wang_sets_of(battlemap.records, 4)
    assert wang_set.kind == "mixed"
    assert [colour.name for colour in wang_set.colours] == ["Land", "Road"]
    assert wang_set.values.tolist() == [[2, 0, 0, 0, 1, 1, 1, 1]]


def test_json_says_the_same():
    tileset = {
        "firstgid": 1,
        "name": "g",
        "tilewidth": 16,
        "tileheight": 16,
        "tilecount": 2,
        "columns": 2,
        "wangsets": [
            {
                "name": "Shore",
                "type": "edge",
                "tile": -1,
                "colors": [{"name": "Road", "color": "#0f0", "tile": 0, "probability": 1}],
                "wangtiles": [{"tileid": 0, "wangid": [1, 0, 0, 0, 1, 0, 0, 0]}],
            }
        ],
    }
    layer = {"type": "tilelayer", "id": 1, "name": "L", "width": 2, "height": 1, "data": [1, 2]}
    root = {"type": "map", "orientation": "orthogonal", "width": 2, "height": 1, "tilewidth": 16}
    root |= {"tileheight": 16, "layers": [layer], "tilesets": [tileset]}
    data = json.dumps(root).encode()
    battlemap = read_checked(format_for(data, "a.tmj"), data, "a.tmj").battlemap
    (wang_set,) = wang_sets_of(battlemap.records, 4)
    assert wang_set.kind == "edge"
    assert wang_set.values.tolist() == [[1, 0, 1, 0, 0, 0, 0, 0]]


def test_flipped_tiles_take_part_where_the_tileset_allows_it():
    allowed = '<transformations hflip="1" vflip="0" rotate="0" preferuntransformed="0"/>'
    battlemap = read(SETS["1.5"], transformations=allowed)
    (wang_set,) = wang_sets_of(battlemap.records, 4)
    assert wang_set.codes == ("g:1", "g:1 h")
    assert wang_set.values.tolist()[1] == [0, 0, 0, 0, 2, 2, 1, 2]
    assert "g:1 h" in [terrain.code for terrain in battlemap.terrain_set.terrains]


def test_turned_tiles_turn_clockwise():
    allowed = '<transformations hflip="0" vflip="0" rotate="1" preferuntransformed="0"/>'
    (wang_set,) = wang_sets_of(read(SETS["1.5"], transformations=allowed).records, 4)
    by_code = dict(zip(wang_set.codes, wang_set.values.tolist(), strict=True))
    # Land is in the south-west; Tiled turns right by the diagonal, then from left to right.
    assert by_code["g:1 hd"][4:] == [1, 2, 2, 2]
    assert by_code["g:1 hv"][4:] == [2, 1, 2, 2]
    assert by_code["g:1 vd"][4:] == [2, 2, 1, 2]


FLAT = 'orientation="hexagonal" hexsidelength="8" staggeraxis="x" staggerindex="odd"'
POINTY = 'orientation="hexagonal" hexsidelength="8" staggeraxis="y" staggerindex="odd"'
EIGHT = """<wangsets><wangset name="Hex" type="{}" tile="-1">
<wangcolor name="a"/><wangcolor name="b"/><wangcolor name="c"/><wangcolor name="d"/>
<wangcolor name="e"/><wangcolor name="f"/><wangcolor name="g"/><wangcolor name="h"/>
<wangtile tileid="1" wangid="1,2,3,4,5,6,7,8"/></wangset></wangsets>"""
"""The colour of a direction is its number, clockwise from the top."""


@pytest.mark.parametrize(
    ("attributes", "kind", "values"),
    [
        (FLAT, "mixed", [1, 2, 4, 5, 6, 8, 0, 0, 3, 0, 0, 7]),
        (FLAT, "corner", [0, 0, 0, 0, 0, 0, 8, 2, 3, 4, 6, 7]),
        (POINTY, "mixed", [2, 3, 4, 6, 7, 8, 1, 0, 0, 5, 0, 0]),
        (POINTY, "corner", [0, 0, 0, 0, 0, 0, 1, 2, 4, 5, 6, 8]),
    ],
)
def test_a_direction_is_what_a_hex_has_there(attributes, kind, values):
    battlemap = read(EIGHT.format(kind), attributes)
    (wang_set,) = wang_sets_of(battlemap.records, 6)
    assert wang_set.values.tolist() == [values]


@pytest.mark.parametrize("wang_id", ["", "1,2", "a,b,c,d,e,f,g,h", "9,9,9,9,9,9,9,9"])
def test_what_is_no_wang_id_is_left_out(wang_id):
    tileset = SETS["1.5"].replace("0,2,0,2,0,1,0,2", wang_id)
    assert wang_sets_of(read(tileset).records, 4) == ()
