"""Villages of several peoples: cottages, halls of the woods, huts, tents, stilts, caves; groves.

Each stands on the ground of any other picture (``Terrain.ground``), so that its own ground is the
usual one only. No house stands twice in a cell.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from pictures.compose import Bag, grove, one_of, points_on_board, single
from pictures.ground import begin_ground, blades, grass, mottle
from pictures.pen import Pen, around, commands, outline
from pictures.rock import boulder, mix
from pictures.strongholds import tent
from pictures.vegetation import FIRS, GREENS, bush, conifer, leafy, shadow

_OUTLINE = "#4b3a2b"

Place = tuple[float, float]

_PLACES: tuple[tuple[Place, ...], ...] = (
    ((-30, 0), (32, 18)),
    ((34, -8), (-30, 18)),
    ((-34, -10), (36, -4), (-2, 36)),
    ((4, -18), (-38, 24), (40, 26)),
    ((-32, 16), (34, -6)),
    ((0, 8),),
)
"""Where the houses of a village stand, from the north to the south."""


def _village(pen: Pen, seed: int, homes: Sequence[str], beside: Sequence[str]) -> None:
    """Compose cells of one to three different houses, and of what stands beside them."""

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        places = rng.choice(_PLACES)
        things = []
        for (x, y), name in zip(places, rng.sample(list(homes), len(places)), strict=True):
            scale = size * (1.85 if len(places) == 1 else 1.5 if len(places) == 2 else 1.2)
            things.append(
                ((x + rng.uniform(-4, 4)) * size, (y + rng.uniform(-3, 3) + 12) * size, name, scale)
            )
        for name in rng.sample(list(beside), min(len(beside), rng.choice((1, 2, 2)))):
            for x, y in points_on_board(rng, 14, 76, -36, 64, 16):
                at = x * size, (y + 4) * size
                if all(
                    abs(at[0] - hx) > 42 * size or not -12 * size < at[1] - hy < 44 * size
                    for hx, hy, *_ in things
                ):
                    things.append((*at, name, 1.2 * size))
                    break
        for x, y, name, scale in sorted(things, key=lambda each: each[1]):
            pen.use(name, x, y, scale)

    single(pen, seed, stand, count=8)


def _path_ground(pen: Pen, seed: int) -> random.Random:
    rng = random.Random(seed)
    grass(pen, rng, "#a8b06e", "#83914f", "#bec488")
    mottle(pen, rng, 80, (30, 60), (("#b59a72", 0.4),))
    return rng


def cottage(
    pen: Pen,
    name: str,
    walls: tuple[str, str],
    roof: tuple[str, str],
    *,
    wide: float = 25,
    deep: float = 15,
    high: float = 17,
    beams: bool = False,
    chimney: bool = True,
    stilts: float = 0,
) -> None:
    """A house under a ridged roof: its long side to the south-west, its gable to the south-east.

    ``stilts``: so high it stands on posts. The middle of its front foot is at (0, 0).
    """
    light, dark = walls
    pen.element(name)
    shadow(pen, wide * 0.5, 0, wide * 1.35, deep * 0.75, 0.85)
    corner = (wide * 0.22, 5.0)
    west = (-wide, -3.0)
    east = (wide, -deep * 0.62)
    if stilts:
        posts = "".join(
            f"M{x:.1f} {y:.1f}v{stilts}"
            for x, y in (west, corner, east, (-wide * 0.4, 1), (wide * 0.6, -1))
        )
        pen.path(posts, line="#3f2d1c", width=3)
        deck = [
            (west[0] - 4, west[1] + 1),
            (corner[0], corner[1] + 4),
            (east[0] + 4, east[1] + 2),
            (0, -deep),
        ]
        pen.path(outline(deck), "#8d6b45", _OUTLINE, 0.8)
    ridge_east = ((corner[0] + east[0]) / 2, (corner[1] + east[1]) / 2 - high - deep * 0.95)
    ridge_west = (ridge_east[0] - (corner[0] - west[0]), ridge_east[1] - 5)
    up = [(x, y - high) for x, y in (west, corner, east)]
    pen.path(
        outline([west, corner, up[1], up[0]]),
        pen.linear(
            (0, -high), (0, 4), (0, mix(light, "#ffffff", 0.15)), (1, mix(light, dark, 0.35))
        ),
        _OUTLINE,
        0.8,
    )
    pen.path(
        outline([corner, east, up[2], ridge_east, up[1]]),
        pen.linear((0, -high - deep), (0, 4), (0, mix(light, dark, 0.7)), (1, dark)),
        _OUTLINE,
        0.8,
    )
    if beams:
        timber = commands(
            "M",
            west[0] + 1,
            west[1] - high * 0.5,
            "L",
            corner[0],
            corner[1] - high * 0.5,
            "L",
            east[0],
            east[1] - high * 0.5,
        )
        for share in (0.0, 0.35, 0.7, 1.0):
            x = west[0] + (corner[0] - west[0]) * share
            y = west[1] + (corner[1] - west[1]) * share
            timber += f"M{x:.1f} {y:.1f}v{-high:.1f}"
        timber += f"M{ridge_east[0]:.1f} {ridge_east[1]:.1f}v{high * 0.7:.1f}"
        pen.path(timber, line="#5d4530", width=1.7)
    # door and windows
    x = west[0] + (corner[0] - west[0]) * 0.55
    y = west[1] + (corner[1] - west[1]) * 0.55
    pen.path(
        outline([(x, y), (x + 6, y + 1.2), (x + 6, y - 9.4), (x + 3, y - 11.5), (x, y - 10.6)]),
        "#4e3622",
    )
    panes = ""
    for share in (0.16, 0.36, 0.84):
        px = west[0] + (corner[0] - west[0]) * share
        py = west[1] + (corner[1] - west[1]) * share - high * 0.62
        panes += outline(
            [(px - 2, py - 0.4), (px + 2, py + 0.4), (px + 2, py - 4), (px - 2, py - 4.8)]
        )
    pen.path(panes, "#4d5a63", "#6b5238", 0.6)
    gx = (corner[0] + east[0]) / 2
    gy = (corner[1] + east[1]) / 2 - high * 0.75
    pen.path(
        outline([(gx - 2, gy + 1), (gx + 2.4, gy - 0.8), (gx + 2.4, gy - 6), (gx - 2, gy - 4.4)]),
        "#e3b95a",
        "#5d4630",
        0.6,
    )
    # roof
    over = 3.2
    eaves_west = (up[0][0] - over, up[0][1] + 3)
    eaves = (up[1][0] - 0.6, up[1][1] + 4.4)
    roof_light, roof_dark = roof
    slope = [
        eaves_west,
        eaves,
        (ridge_east[0], ridge_east[1] - 1),
        (ridge_west[0] - over, ridge_west[1] - 1),
    ]
    pen.path(
        outline(slope),
        pen.linear(
            ridge_west,
            eaves,
            (0, mix(roof_light, "#ffffff", 0.22)),
            (0.5, roof_light),
            (1, mix(roof_light, roof_dark, 0.55)),
        ),
        mix(roof_dark, "#000000", 0.35),
        0.9,
    )
    rows = ""
    for share in (0.28, 0.54, 0.8):
        a = (
            slope[3][0] + (slope[0][0] - slope[3][0]) * share,
            slope[3][1] + (slope[0][1] - slope[3][1]) * share,
        )
        b = (
            slope[2][0] + (slope[1][0] - slope[2][0]) * share,
            slope[2][1] + (slope[1][1] - slope[2][1]) * share,
        )
        rows += f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}"
    pen.path(rows, line=roof_dark, width=1, opacity=0.6)
    eaves_east = (up[2][0] + over, up[2][1] + 2)
    pen.path(
        outline(
            [
                (ridge_east[0], ridge_east[1] - 1),
                eaves_east,
                (eaves_east[0] - 2, eaves_east[1] + 3.4),
                (ridge_east[0], ridge_east[1] + 4),
                (eaves[0] + 3, eaves[1] + 1.4),
                eaves,
            ]
        ),
        mix(roof_dark, "#000000", 0.12),
        mix(roof_dark, "#000000", 0.4),
        0.7,
    )
    if chimney:
        cx = ridge_west[0] + (ridge_east[0] - ridge_west[0]) * 0.3
        cy = ridge_west[1] + 1
        pen.path(
            outline([(cx - 3, cy + 3), (cx + 3, cy + 4), (cx + 3, cy - 9), (cx - 3, cy - 9)]),
            pen.slant("#b3a797", "#75695b"),
            _OUTLINE,
            0.7,
        )


_PLASTER = ("#efe4cb", "#a59677")
_STONE = ("#cfc7b6", "#857b6b")
_TIMBER = ("#b98f60", "#6b4b2e")

_TILES = (
    ("#c4674a", "#8a3f2d"),
    ("#b5573f", "#7b3527"),
    ("#a8714c", "#6f472d"),
    ("#8e949b", "#565c66"),
)
_THATCH = (("#d3b46c", "#94763b"), ("#c2a163", "#836637"))


def _garden(pen: Pen, rng: random.Random) -> list[str]:
    """The elements beside houses: trees, a fence, hay, a well, a woodpile."""
    leafy(pen, "tree0", rng, 13, GREENS[0])
    leafy(pen, "tree1", rng, 11, GREENS[2])
    bush(pen, "bush0", rng, 8, ("#48672f", "#688742", "#93ae5e"))
    pen.element("fence")
    shadow(pen, 1, 0, 16, 4, 0.4)
    pen.path("M-15 -1V-9M-5 1V-7M5 3V-5M15 5V-3", line="#5d4630", width=2.2)
    pen.path("M-15 -6L15 0M-15 -3L15 3", line="#8a6a45", width=1.6)
    pen.element("hay")
    shadow(pen, 3, 0, 11, 5, 0.7)
    pen.path(
        "M-9 0Q-10 -12 0 -17Q10 -12 9 0Q0 4 -9 0Z", pen.slant("#e3c66f", "#9d7d36"), "#84682d", 0.7
    )
    pen.path("M-5 -9Q-2 -4 -4 0M3 -11Q5 -5 3 1", line="#8a6d2f", width=0.9)
    pen.element("logs")
    shadow(pen, 2, 0, 11, 4, 0.6)
    for x, y in ((-6, 0), (0, 1), (6, 2), (-3, -5), (3, -4)):
        pen.oval(x, y - 2, 3.2, 3, "#c79b66", "#5d4630", 0.8)
    pen.element("well")
    shadow(pen, 2, 0, 10, 5, 0.6)
    pen.oval(0, -3, 7, 4.6, "#8d8578", "#5b5449", 0.9)
    pen.oval(0, -5, 7, 4.2, "#c9c1b1", "#5b5449", 0.9)
    pen.oval(0, -5, 4.6, 2.6, "#37434d")
    pen.path("M-10 -14L0 -21L10 -14Z", pen.slant("#a9764a", "#6c4a2c"), "#4c3521", 0.7)
    pen.path("M-6.5 -5V-14M6.5 -5V-14", line="#5d4630", width=1.6)
    return ["tree0", "tree1", "bush0", "fence", "hay", "logs", "well"]


def cottages() -> Pen:
    """A village of people: plaster and stone under tiles and thatch."""
    rng = _path_ground(pen := Pen("#a8b06e"), 301)
    cottage(pen, "house0", _PLASTER, _TILES[0], beams=True)
    cottage(pen, "house1", _STONE, _TILES[3], wide=21, high=19)
    cottage(pen, "house2", _PLASTER, _THATCH[0], wide=24, deep=18, high=13)
    cottage(pen, "house3", _TIMBER, _TILES[2], wide=20, deep=14)
    cottage(pen, "house4", _PLASTER, _TILES[1], wide=28, deep=14, beams=True)
    cottage(pen, "house5", _STONE, _THATCH[1], wide=22, deep=17, high=14)
    _village(pen, 302, [f"house{i}" for i in range(6)], _garden(pen, rng))
    return pen


def snowy_cottages() -> Pen:
    """A village under snow."""
    rng = random.Random(305)
    pen = Pen("#e6edf2")
    begin_ground(pen, "#e9eff3")
    mottle(pen, rng, 90, (50, 100), (("#c9d6e1", 0.5), ("#ffffff", 0.6)))
    snow = (("#f6f9fb", "#a9bccd"), ("#eef4f8", "#9fb3c6"))
    cottage(pen, "house0", _TIMBER, snow[0])
    cottage(pen, "house1", _STONE, snow[1], wide=21, high=18)
    cottage(pen, "house2", _PLASTER, snow[0], beams=True, wide=26)
    cottage(pen, "house3", _TIMBER, snow[1], wide=20, deep=17, high=14)
    conifer(pen, "fir0", rng, 36, ("#3a5650", "#7f9c95", "#f4f8f9"))
    conifer(pen, "fir1", rng, 28, ("#3a5650", "#7f9c95", "#f4f8f9"))
    pen.element("logs")
    for x, y in ((-6, 0), (0, 1), (6, 2), (-3, -5), (3, -4)):
        pen.oval(x, y - 2, 3.2, 3, "#c79b66", "#5d4630", 0.8)
    _village(pen, 306, [f"house{i}" for i in range(4)], ["fir0", "fir1", "logs"])
    return pen


def city_houses() -> Pen:
    """A town: high houses close together, a church, a round tower."""
    rng = random.Random(309)
    pen = Pen("#b3a992")
    begin_ground(pen, "#b1a68f")
    mottle(pen, rng, 70, (40, 80), (("#8f856e", 0.4), ("#c9bfa8", 0.4)))
    cottage(pen, "house0", _PLASTER, _TILES[0], beams=True, high=27, wide=21)
    cottage(pen, "house1", _STONE, _TILES[3], wide=20, high=28)
    cottage(pen, "house2", _PLASTER, _TILES[1], wide=25, high=22, beams=True)
    cottage(pen, "house3", _STONE, _TILES[2], wide=22, high=25)
    _church(pen, "church")
    things = ["house0", "house1", "house2", "house3"]

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        places = rng.choice(
            (
                ((-30, -10), (26, -8), (-26, 34), (30, 34)),
                ((-4, -16), (-32, 26), (30, 24)),
                ((26, -12), (-30, 4), (12, 36)),
            )
        )
        names = rng.sample(things, min(len(places), 3))
        names.insert(rng.randrange(2), "church")
        for (x, y), name in zip(places, names, strict=False):
            scale = (1.35 if len(places) < 4 else 1.15) * size
            pen.use(name, (x + rng.uniform(-3, 3)) * size, (y + 10) * size, scale)

    single(pen, 310, stand, count=8)
    return pen


def _church(pen: Pen, name: str) -> None:
    """A church with a pointed tower at its western end."""
    cottage(pen, f"{name}-nave", _STONE, _TILES[3], wide=24, deep=15, high=18, chimney=False)
    pen.element(name)
    pen.use(f"{name}-nave", 4, 0)
    pen.path(outline([(-26, -4), (-13, 0), (-13, -46), (-26, -50)]), "#d8cfbe", _OUTLINE, 0.8)
    pen.path(outline([(-13, 0), (-4, -5), (-4, -51), (-13, -46)]), "#8d8374", _OUTLINE, 0.8)
    pen.path(
        outline([(-28, -49), (-13, -44), (-15, -76)]),
        pen.slant("#8fa2b6", "#5c6c80"),
        "#333e4c",
        0.8,
    )
    pen.path(
        outline([(-13, -44), (-2, -50), (-15, -76)]),
        pen.slant("#56667a", "#38434f"),
        "#333e4c",
        0.8,
    )
    pen.path("M-15 -76V-84M-18 -81H-12", line="#d9c27a", width=1.6)
    pen.path("M-20 -34v-7M-8 -36v-7", line="#3b4650", width=3)


def woodland_halls() -> Pen:
    """A village of the people of the woods: round halls under leaf-green roofs with spires."""
    rng = _path_ground(pen := Pen("#9fb06a"), 313)
    for i, (r, high) in enumerate(((22, 18), (18, 22), (15, 14))):
        _round_hall(
            pen,
            f"hall{i}",
            r,
            high,
            (("#6fa07c", "#2f5f49"), ("#7fae7a", "#3d6a45"), ("#68988f", "#2c5a58"))[i],
        )
    leafy(pen, "tree0", rng, 17, GREENS[0])
    leafy(pen, "tree1", rng, 14, GREENS[3])
    conifer(pen, "fir0", rng, 44, FIRS[1])
    bush(pen, "bush0", rng, 8, ("#48672f", "#688742", "#93ae5e"))
    _village(pen, 314, ["hall0", "hall1", "hall2"], ["tree0", "tree1", "fir0", "bush0"])
    return pen


def _round_hall(pen: Pen, name: str, r: float, high: float, roof: tuple[str, str]) -> None:
    """A round house of pale wood under a bell-shaped roof with a spire."""
    light, dark = roof
    pen.element(name)
    shadow(pen, r * 0.5, 0, r * 1.5, r * 0.6, 0.8)
    flat = r * 0.34
    body = commands(
        "M", -r, -high, "L", -r, 0, "Q", -r, flat, 0, flat, "Q", r, flat, r, 0, "L", r, -high, "Z"
    )
    pen.path(
        body,
        pen.linear((-r, 0), (r, 0), (0, "#efe6cf"), (0.45, "#d8caa8"), (1, "#8d7d5f")),
        _OUTLINE,
        0.8,
    )
    posts = ""
    for share in (-0.8, -0.42, 0.42, 0.8):
        posts += f"M{r * share:.1f} {flat * 0.7 - abs(share) * flat * 0.4:.1f}v{-high:.1f}"
    pen.path(posts, line="#75603f", width=1.6)
    pen.path(
        commands(
            "M", -4, flat, "V", -high * 0.5, "Q", 0, -high * 0.85, 4, -high * 0.5, "V", flat, "Z"
        ),
        "#4e3a26",
        "#75603f",
        0.8,
    )
    wide = r * 1.28
    top = -high
    tip = top - r * 1.55
    bell = commands(
        "M",
        -wide,
        top,
        "Q",
        0,
        top + wide * 0.5,
        wide,
        top,
        "Q",
        wide * 0.34,
        top - r * 0.5,
        0,
        tip,
        "Q",
        -wide * 0.34,
        top - r * 0.5,
        -wide,
        top,
        "Z",
    )
    pen.path(
        bell,
        pen.linear((-wide, 0), (wide, 0), (0, mix(light, "#ffffff", 0.3)), (0.4, light), (1, dark)),
        mix(dark, "#000000", 0.35),
        0.9,
    )
    ribs = ""
    for share in (-0.55, -0.1, 0.4):
        ribs += commands(
            "M", wide * share, top + wide * 0.2, "Q", wide * share * 0.4, top - r * 0.4, 0, tip
        )
    pen.path(ribs, line=dark, width=0.9, opacity=0.55)
    pen.path(commands("M", 0, tip + 2, "V", tip - 9), line="#d9c27a", width=1.5)


def huts() -> Pen:
    """A village of round huts under straw, behind a few stakes."""
    rng = _path_ground(pen := Pen("#a9a56c"), 317)
    _hut(pen, "hut0", 19, 12, ("#c8a463", "#7d5d30"))
    _hut(pen, "hut1", 15, 10, ("#b8935a", "#6f5230"))
    _hut(pen, "hut2", 23, 12, ("#bf9a62", "#745632"))
    _hut(pen, "hut3", 17, 13, ("#d0b070", "#87683a"))
    pen.element("stakes")
    shadow(pen, 1, 0, 14, 4, 0.5)
    for x, lean in ((-11, -3), (-4, 2), (4, -2), (11, 3)):
        pen.path(outline([(x - 2, 1), (x + lean, -17), (x + 2, 1)]), "#8d6a42", "#4a3420", 0.7)
    pen.element("fire")
    shadow(pen, 0, 0, 10, 5, 0.5)
    for i in range(7):
        x, y = around(0, 0, 7, 4, 51 * i)
        pen.oval(x, y, 2.2, 1.7, "#8d8578", "#5b5449", 0.6)
    pen.path("M-4 1Q-5 -5 -1 -11Q2 -7 4 -4Q5 -1 3 1Z", "#e2853a")
    boulder(pen, "rock0", rng, 7, "#5f5d55", "#cfcabb")
    bush(pen, "bush0", rng, 7, ("#55602f", "#748045", "#a0a866"))
    _village(pen, 318, [f"hut{i}" for i in range(4)], ["stakes", "fire", "rock0", "bush0"])
    return pen


def _hut(pen: Pen, name: str, r: float, high: float, straw: tuple[str, str]) -> None:
    light, dark = straw
    pen.element(name)
    shadow(pen, r * 0.5, 0, r * 1.5, r * 0.6, 0.8)
    flat = r * 0.34
    body = commands(
        "M",
        -r * 0.86,
        -high,
        "L",
        -r * 0.86,
        0,
        "Q",
        0,
        flat * 2,
        r * 0.86,
        0,
        "L",
        r * 0.86,
        -high,
        "Z",
    )
    pen.path(
        body,
        pen.linear((-r, 0), (r, 0), (0, "#c7a67a"), (0.45, "#a98659"), (1, "#64492d")),
        _OUTLINE,
        0.8,
    )
    pen.path(commands("M", -4, flat, "V", -high * 0.7, "H", 4, "V", flat, "Z"), "#3f2d1c")
    top = -high + 2
    tip = top - r * 1.2
    wide = r * 1.2
    edge = ""
    count = 9
    for i in range(count + 1):
        x = -wide + 2 * wide * i / count
        y = top + (1 - (x / wide) ** 2) * wide * 0.36 + (2.4 if i % 2 else 0)
        edge += f"L{x:.1f} {y:.1f}"
    pen.path(
        f"M0 {tip:.1f}{edge}Z",
        pen.linear(
            (-wide, 0), (wide, 0), (0, mix(light, "#ffffff", 0.25)), (0.42, light), (1, dark)
        ),
        mix(dark, "#000000", 0.35),
        0.8,
    )
    straws = "".join(
        commands("M", 0, tip + 3, "L", wide * share, top + 4)
        for share in (-0.7, -0.35, 0.0, 0.4, 0.75)
    )
    pen.path(straws, line=dark, width=0.9, opacity=0.6)
    pen.path(
        commands("M", -2, tip + 2, "L", 3, tip - 6, "M", 2, tip + 2, "L", -3, tip - 6),
        line="#5d4630",
        width=1.4,
    )


def tents() -> Pen:
    """A village of tents."""
    rng = random.Random(321)
    pen = Pen("#c9b183")
    begin_ground(pen, "#cbb586")
    mottle(pen, rng, 80, (40, 90), (("#ab9263", 0.4), ("#e2d0a6", 0.4)))
    tones = (
        ("#f0e5ca", "#a8946c"),
        ("#dcc08c", "#8f7347"),
        ("#d99f7a", "#8f5a3f"),
        ("#c9cfc0", "#7e8777"),
    )
    for i, tone in enumerate(tones):
        tent(pen, f"tent{i}", (23, 20, 26, 18)[i], (31, 27, 33, 25)[i], tone)
    pen.element("fire")
    for i in range(7):
        x, y = around(0, 0, 7, 4, 51 * i)
        pen.oval(x, y, 2.2, 1.7, "#8d8578", "#5b5449", 0.6)
    pen.path("M-4 1Q-5 -5 -1 -11Q2 -7 4 -4Q5 -1 3 1Z", "#e2853a")
    pen.element("jars")
    shadow(pen, 1, 0, 9, 4, 0.5)
    for x, y in ((-4, 0), (4, 1)):
        pen.oval(x, y - 4, 3.6, 5, pen.slant("#c98a5f", "#7f4b30"), "#5f3824", 0.7)
    boulder(pen, "rock0", rng, 7, "#6b5f4a", "#dccfb0")
    _village(pen, 322, [f"tent{i}" for i in range(4)], ["fire", "jars", "rock0"])
    return pen


def clay_houses() -> Pen:
    """A village of flat-roofed houses of clay, under palms."""
    rng = random.Random(325)
    pen = Pen("#dcc48d")
    begin_ground(pen, "#dcc690")
    mottle(pen, rng, 80, (40, 90), (("#bca26b", 0.4), ("#eddcb0", 0.4)))
    for i, (wide, deep, high) in enumerate(
        ((24, 14, 20), (19, 13, 26), (27, 15, 16), (17, 12, 18))
    ):
        _clay_house(pen, f"house{i}", wide, deep, high)
    pen.element("jars")
    shadow(pen, 1, 0, 9, 4, 0.5)
    for x, y in ((-4, 0), (4, 1)):
        pen.oval(x, y - 4, 3.6, 5, pen.slant("#c98a5f", "#7f4b30"), "#5f3824", 0.7)
    boulder(pen, "rock0", rng, 7, "#6b5f4a", "#dccfb0")
    pen.element("scrub")
    pen.path(blades(0, 0, 14, 10, 8), "#7d8a4b")
    _village(pen, 326, [f"house{i}" for i in range(4)], ["jars", "rock0", "scrub"])
    return pen


def _clay_house(pen: Pen, name: str, wide: float, deep: float, high: float) -> None:
    pen.element(name)
    shadow(pen, wide * 0.5, 0, wide * 1.3, deep * 0.8, 0.85)
    corner = (wide * 0.2, 5.0)
    west = (-wide, -3.0)
    east = (wide, -deep * 0.6)
    back = (west[0] + east[0] - corner[0], west[1] + east[1] - corner[1])
    roof = [(x, y - high) for x, y in (west, corner, east, back)]
    pen.path(
        outline([west, corner, roof[1], roof[0]]),
        pen.linear((0, -high), (0, 4), (0, "#f3e2ba"), (1, "#cdb27d")),
        "#6f5736",
        0.8,
    )
    pen.path(
        outline([corner, east, roof[2], roof[1]]),
        pen.linear((0, -high), (0, 4), (0, "#b99c69"), (1, "#8d7146")),
        "#6f5736",
        0.8,
    )
    pen.path(outline(roof), "#e6d1a0", "#6f5736", 0.8)
    inner = [(x * 0.8, (y + high) * 0.8 - high - 0.5) for x, y in roof]
    pen.path(outline(inner), "#c3a771", "#8d7146", 0.7)
    x = west[0] + (corner[0] - west[0]) * 0.5
    pen.path(outline([(x, 1), (x + 6, 2.2), (x + 6, -9), (x + 3, -11), (x, -10)]), "#4e3622")
    windows = (
        (west[0] + 5, -high * 0.62),
        (corner[0] - 6, -high * 0.5),
        ((corner[0] + east[0]) / 2, -high * 0.6),
    )
    panes = "".join(f"M{x:.1f} {y:.1f}v-5" for x, y in windows)
    pen.path(panes, line="#4b3a2b", width=3)
    pen.path(
        "".join(
            f"M{west[0] + (corner[0] - west[0]) * s:.1f} {-high + 5 + 6 * s:.1f}l-2.5 2"
            for s in (0.2, 0.5, 0.8)
        ),
        line="#6b4b2e",
        width=1.8,
    )


def stilt_houses() -> Pen:
    """A village on stilts over water and swamp, with a landing and boats."""
    rng = random.Random(329)
    pen = Pen("#7fa6a0")
    begin_ground(pen, "#7fa6a0")
    mottle(pen, rng, 80, (40, 90), (("#5f877f", 0.4), ("#a3c2b8", 0.4)))
    wood = ("#a98257", "#5f432a")
    reed = (("#b9a468", "#6f5c33"), ("#a59665", "#635632"), ("#8f8a5c", "#55512f"))
    for i, (wide, deep, high) in enumerate(((22, 14, 14), (18, 13, 16), (25, 15, 12))):
        cottage(
            pen,
            f"house{i}",
            wood,
            reed[i],
            wide=wide,
            deep=deep,
            high=high,
            chimney=False,
            stilts=12,
        )
    pen.element("boat")
    pen.oval(2, 2, 15, 4.5, pen.soft("#12303a", 0.6))
    pen.path(
        "M-16 -3Q-10 4 2 4Q12 3 16 -4Q6 -1 -2 -1Q-10 -1 -16 -3Z",
        pen.slant("#b98f60", "#5f432a"),
        "#3f2d1c",
        0.9,
    )
    pen.element("landing")
    pen.path("M-14 0V8M0 2V10M14 4V12", line="#3f2d1c", width=2.4)
    pen.path(outline([(-17, -3), (17, 1), (15, 6), (-19, 2)]), "#a98257", _OUTLINE, 0.8)
    pen.path("M-9 -2l-2 4.4M-1 -1l-2 4.4M7 0l-2 4.4", line="#5f432a", width=0.9)
    pen.element("reeds")
    pen.path(blades(0, 2, 17, 9, 8), "#6f7f46")
    _village(pen, 330, ["house0", "house1", "house2"], ["boat", "landing", "reeds"])
    return pen


def cave_houses() -> Pen:
    """A village under ground: stone houses with lit windows."""
    rng = random.Random(333)
    pen = Pen("#6b6055")
    begin_ground(pen, "#6b6055")
    mottle(pen, rng, 80, (40, 90), (("#51473e", 0.5), ("#82766a", 0.42)))
    stone = ("#a89c8b", "#584e43")
    slabs = (("#8b8276", "#4a433b"), ("#7c8288", "#41474d"))
    cottage(pen, "house0", stone, slabs[0], wide=23)
    cottage(pen, "house1", stone, slabs[1], wide=19, high=20)
    cottage(pen, "house2", stone, slabs[0], wide=26, deep=16, high=14)
    pen.element("lamp")
    pen.oval(0, -16, 26, 20, pen.soft("#ffc862", 0.42))
    pen.path("M0 0V-16", line="#2c2520", width=2.2)
    pen.oval(0, -18, 3.4, 4, "#ffe08a", "#8a5a22", 0.8)
    boulder(pen, "rock0", rng, 10, "#332c26", "#a09180")
    boulder(pen, "rock1", rng, 7, "#332c26", "#a09180")
    _village(pen, 334, ["house0", "house1", "house2"], ["lamp", "lamp", "rock0", "rock1"])
    return pen


def windmill() -> Pen:
    """A windmill with a cottage beside it."""
    rng = _path_ground(pen := Pen("#a8b06e"), 361)
    for i, roof in enumerate((("#b5573f", "#7b3527"), ("#8e949b", "#565c66"))):
        _mill(pen, f"mill{i}", roof, -18 + 24 * i)
    cottage(pen, "house0", _STONE, _THATCH[0], wide=20, deep=14, high=13)
    cottage(pen, "house1", _PLASTER, _TILES[0], wide=19, deep=14, high=14)
    beside = Bag([*_garden(pen, rng), "house0", "house1"])
    mills = Bag(["mill0", "mill1"])

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        x = rng.uniform(-10, 10) * size
        side = rng.choice((-1, 1))
        pen.use(mills.draw(rng), x, 40 * size, 1.25 * size)
        pen.use(beside.draw(rng), x + side * 52 * size, rng.uniform(30, 46) * size, size)

    single(pen, 362, stand, count=8)
    return pen


def _mill(pen: Pen, name: str, roof: tuple[str, str], turn_deg: float) -> None:
    """A tower mill of stone with four sails."""
    light, dark = roof
    pen.element(name)
    shadow(pen, 14, 0, 32, 11, 0.85)
    body = commands("M", -17, 0, "L", -12, -48, "L", 12, -48, "L", 17, 0, "Q", 0, 9, -17, 0, "Z")
    stone = ((0, "#efe6d2"), (0.45, "#d3c8b0"), (1, "#8a7f6b"))
    pen.path(body, pen.linear((-17, 0), (17, 0), *stone), _OUTLINE, 0.9)
    pen.path(commands("M", -5, 5, "V", -8, "Q", 0, -14, 5, -8, "V", 5, "Z"), "#4e3622")
    pen.path("M-6 -28v-6M6 -20v-6", line="#4d5a63", width=4)
    cap = commands(
        "M", -15, -47, "Q", 0, -40, 15, -47, "Q", 10, -66, 0, -70, "Q", -10, -66, -15, -47
    )
    pen.path(cap + "Z", pen.linear((-15, 0), (15, 0), (0, light), (1, dark)), _OUTLINE, 0.9)
    hub = (-2.0, -54.0)
    for i in range(4):
        at = turn_deg + 90 * i
        tip = around(*hub, 46, 46, at)
        near = around(*hub, 12, 12, at)
        wide = around(0, 0, 11, 11, at + 90)
        sail = [
            near,
            tip,
            (tip[0] + wide[0], tip[1] + wide[1]),
            (near[0] + wide[0], near[1] + wide[1]),
        ]
        pen.path(outline(sail), "#f3ead4", "#6b5238", 0.9, 0.95)
        bars = ""
        for share in (0.25, 0.5, 0.75):
            bar_x = near[0] + (tip[0] - near[0]) * share
            bar_y = near[1] + (tip[1] - near[1]) * share
            bars += f"M{bar_x:.1f} {bar_y:.1f}l{wide[0]:.1f} {wide[1]:.1f}"
        pen.path(bars, line="#a08762", width=1)
        pen.path(commands("M", *hub, "L", *tip), line="#5d4530", width=2.4)
    pen.oval(*hub, 3.4, 3.4, "#5d4530")


# --- what grows -----------------------------------------------------------------------------------


def mushroom(pen: Pen, name: str, high: float, cap: tuple[str, str], spotted: bool) -> None:
    """A mushroom."""
    light, dark = cap
    pen.element(name)
    shadow(pen, high * 0.15, 0, high * 0.5, high * 0.17, 0.8)
    half = high * 0.11
    stem = commands(
        "M",
        -half * 1.5,
        1,
        "Q",
        -half * 0.6,
        -high * 0.3,
        -half,
        -high * 0.66,
        "H",
        half,
        "Q",
        half * 0.7,
        -high * 0.3,
        half * 1.5,
        1,
        "Q",
        0,
        5,
        -half * 1.5,
        1,
        "Z",
    )
    pen.path(
        stem, pen.linear((-half, 0), (half, 0), (0, "#f6ecd4"), (1, "#a9977a")), "#6d5d45", 0.7
    )
    wide = high * 0.46
    rim = -high * 0.58
    pen.path(
        commands("M", -wide, rim, "Q", 0, rim + wide * 0.5, wide, rim, "Z"),
        "#c9b48c",
        "#6d5d45",
        0.7,
    )
    top = commands(
        "M",
        -wide,
        rim,
        "C",
        -wide,
        rim - high * 0.42,
        wide,
        rim - high * 0.42,
        wide,
        rim,
        "Q",
        0,
        rim + wide * 0.28,
        -wide,
        rim,
        "Z",
    )
    pen.path(
        top,
        pen.linear(
            (-wide * 0.6, rim - high * 0.4),
            (wide * 0.8, rim),
            (0, mix(light, "#ffffff", 0.3)),
            (0.4, light),
            (1, dark),
        ),
        mix(dark, "#000000", 0.35),
        0.9,
    )
    if spotted:
        for x, y, r in (
            (-0.5, -0.1, 0.1),
            (-0.1, -0.22, 0.13),
            (0.35, -0.12, 0.09),
            (0.08, -0.02, 0.08),
        ):
            pen.oval(x * wide, rim + y * high, r * wide, r * wide * 0.8, "#f8efdc")


def mushrooms() -> Pen:
    """A grove of mushrooms, half as high as trees."""
    rng = random.Random(337)
    pen = Pen("#7a6a55")
    begin_ground(pen, "#75674f")
    mottle(pen, rng, 80, (40, 90), (("#5a4d3a", 0.45), ("#8f8163", 0.4), ("#667048", 0.3)))
    caps = (
        ("#d3a271", "#84562f"),
        ("#c08a68", "#74462e"),
        ("#dcbc8a", "#8f6d40"),
        ("#b98a74", "#70493a"),
    )
    names = []
    for i in range(6):
        names.append(f"cap{i}")
        mushroom(pen, names[-1], (26, 21, 31, 16, 23, 18)[i], caps[i % 4], i % 3 == 1)
    grove(pen, 338, one_of(names, 0.8, 1.1), 27, foot=9, board=(58, -6, 56, 9))
    return pen


def snowy_conifers() -> Pen:
    """Firs laden with snow."""
    rng = random.Random(341)
    pen = Pen("#c9d8de")
    begin_ground(pen, "#dfe8ee")
    mottle(pen, rng, 90, (50, 100), (("#bccbd8", 0.5), ("#f6fafc", 0.6)))
    names = []
    for i in range(7):
        names.append(f"fir{i}")
        tones = (("#2f4f4a", "#8fa9a4", "#f4f8f9"), ("#35544c", "#7d9c93", "#eaf1f4"))[i % 2]
        conifer(pen, names[-1], rng, rng.uniform(36, 50), tones)
    grove(pen, 342, one_of(names), 27, foot=15)
    return pen


AUTUMN = (
    ("#7a3b1f", "#a4552a", "#c97b34", "#e8b45a"),
    ("#6b4a1e", "#95702a", "#c0983c", "#e6cb6c"),
    ("#702f22", "#96402b", "#b95c36", "#dd8f52"),
    ("#4d4a22", "#75702c", "#9c963f", "#c9c268"),
)


def autumn_woods() -> Pen:
    """Broad-leaved trees in autumn."""
    rng = random.Random(345)
    pen = Pen("#9c8a4c")
    begin_ground(pen, "#a39758")
    mottle(pen, rng, 70, (40, 90), (("#86703a", 0.36), ("#bda761", 0.34), ("#a9652f", 0.22)))
    names = []
    for i in range(7):
        names.append(f"tree{i}")
        leafy(pen, names[-1], rng, rng.uniform(14, 18), AUTUMN[i % 4])
    grove(pen, 346, one_of(names), 30, foot=14)
    return pen


def bare_woods() -> Pen:
    """Broad-leaved trees without leaves."""
    rng = random.Random(349)
    pen = Pen("#9a8f72")
    begin_ground(pen, "#9b9070")
    mottle(pen, rng, 70, (40, 90), (("#7f7354", 0.36), ("#b5aa88", 0.34)))
    names = []
    for i in range(6):
        names.append(f"tree{i}")
        _bare_tree(pen, names[-1], rng, rng.uniform(34, 44))
    grove(pen, 350, one_of(names), 30, foot=14)
    return pen


def _bare_tree(pen: Pen, name: str, rng: random.Random, high: float) -> None:
    pen.element(name)
    shadow(pen, 4, 0, 15, 6, 0.7)
    thick = ""
    thin = ""
    pen.path(
        commands(
            "M",
            -3,
            1,
            "Q",
            -1.5,
            -high * 0.3,
            -1,
            -high * 0.5,
            "H",
            1,
            "Q",
            2,
            -high * 0.3,
            3.4,
            1,
            "Z",
        ),
        "#5b4735",
    )
    for hand in (-1, 1, -1, 1, -1, 1):
        y = -high * rng.uniform(0.32, 0.55)
        x = hand * high * rng.uniform(0.2, 0.34)
        top = -high * rng.uniform(0.68, 1.0)
        thick += commands("M", 0, y, "Q", x * 0.3, y - high * 0.1, x, top)
        for share in (0.45, 0.75):
            px = x * share
            py = y + (top - y) * share
            thin += commands(
                "M",
                px,
                py,
                "l",
                hand * high * rng.uniform(0.1, 0.2),
                -high * rng.uniform(0.08, 0.16),
            )
            thin += commands(
                "M",
                px,
                py,
                "l",
                -hand * high * rng.uniform(0.02, 0.1),
                -high * rng.uniform(0.12, 0.2),
            )
    pen.path(thick, line="#5b4735", width=1.9)
    pen.path(thin, line="#75604a", width=1.1)


def great_tree() -> Pen:
    """One tree that is larger than all others."""
    rng = random.Random(353)
    pen = Pen("#8fa860")
    grass(pen, rng, "#9cb168", "#7d9450", "#b3c482")
    for i in range(3):
        leafy(pen, f"great{i}", rng, 60, GREENS[(0, 2, 3)[i]])

    def stand(pen: Pen, rng: random.Random, size: float) -> None:
        pen.use(
            f"great{rng.randrange(3)}",
            rng.uniform(-6, 6) * size,
            56 * size,
            size * rng.uniform(0.95, 1.1),
        )

    single(pen, 354, stand)
    return pen
