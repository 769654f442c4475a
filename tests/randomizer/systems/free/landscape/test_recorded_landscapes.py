"""Landscapes of a few keys, recorded: the same key makes the same map on every machine."""

import pytest

from tests.randomizer.systems.free.landscape.rolled import Shown, roll

LETTERS = {
    "Deep sea": "~",
    "Sea": "-",
    "Shallows": ".",
    "Beach": "b",
    "Grassland": "g",
    "Farmland": "f",
    "Heath": "h",
    "Wood": "w",
    "Pine wood": "p",
    "Jungle": "j",
    "Swamp": "s",
    "Desert": "d",
    "Badlands": "l",
    "Hills": "H",
    "Mountains": "M",
    "High mountains": "A",
    "Snow": "*",
    "Ice": "i",
    "Volcano": "v",
    "Built-up area": "T",
    "Dense built-up area": "C",
}

HEXES = """
...p..i-------ip*ppppp.--~i--~
p*pppp..------.pp...s..--~~~~~
p***hhhp.-~-~-....--...---~~~~
MM**Hhh----.-..sb-----------~~
ppMMAAg.-..w..pwpw--~~---.---~
TbpHAMh..wwApf..hg.----..w.---
..bwMMl.wppMHfffhhlg-..ffw..--
-.bbgHllgpMffC.fglhhgggffgw.-.
---..wMAMHgff..ffggggHhhhggg.g
---..wwAAlh.....w.wbwggggbgggg
-.-.wwMAMb...-.-.---bbb...b.jg
gg.wwwHllb..-----~---..-......
MAMwwjHlld..--~~-~~--....-.-..
MjjjjjHllb..--~~~~~-.bb..----.
"""

ROUND_SQUARES = """
**p*****.**********.--~--.i*
ppppppp.-....ppH***h..----..
.s.pps.----...bp****h..----.
-.s.w.-~~--..p.bMMM*Hh..----
-.ppp--~--.s.fCppHHHMMb..---
..pMg----..ssffffHppphg..---
wMAH--.-...bgfff.b.bgghg.-..
MAAl-dg...bggld..bbwwHb.-.sw
HHgbfMgddbggggb...bwwwb..jjw
bwf.TMMlddbbgg...jjbbjjb..jb
.jwjfHAMll..gHg..gg..bjjbf..
sjjHfHvHHlbbHHg.-.g..bjjjg..
"""


@pytest.mark.parametrize(
    ("seed", "chosen", "rows", "labels"),
    [
        (
            1,
            {"width": 30, "height": 14},
            HEXES,
            [
                "Baren Range",
                "Bernomouth",
                "Brandenmouth",
                "Caloava Horns",
                "Dareine Deep",
                "Sea of Arnon",
            ],
        ),
        (
            2,
            {"width": 28, "height": 12, "layout": "square", "wrap": True, "land": 60},
            ROUND_SQUARES,
            [
                "Daraine Range",
                "Fenune Mountains",
                "Kenterine Sea",
                "Melewick",
                "Narmouth",
                "Sea of Nordenune",
            ],
        ),
    ],
)
def test_a_recorded_landscape_is_made_again(seed, chosen, rows, labels):
    made, battlemap = roll(chosen, seed)
    terrain = Shown(battlemap).terrain.reshape(battlemap.grid.height, -1)
    assert ["".join(LETTERS[name] for name in row) for row in terrain] == rows.split()
    assert sorted(thing.label for thing in made.layers[0].things.values()) == labels
