"""Grass, trees and bushes: Plains, Tree, Brambles, and their like on worlds."""

from __future__ import annotations

import random

from pictures.compose import Bag, grove, one_of, points_on_board, single
from pictures.ground import begin_ground, blades, grass, marks, mottle, torus_points
from pictures.pen import Pen, Point, around, commands, outline, puffs

SHADE = "#16210f"


def shadow(pen: Pen, x: float, y: float, wide: float, high: float, opacity: float = 0.5) -> None:
    """The soft shadow of what stands at (x, y); light comes from the north-west."""
    pen.oval(x + wide * 0.3, y + high * 0.12, wide, high, pen.soft(SHADE, opacity))


def leafy(
    pen: Pen, name: str, rng: random.Random, r: float, tones: tuple[str, str, str, str]
) -> None:
    """A broad-leaved tree; ``tones`` from dark to light."""
    dark, deep, middle, light = tones
    pen.element(name)
    shadow(pen, r * 0.35, 0, r * 1.35, r * 0.62, 0.75)
    pen.path("M-2.4 1Q-1.6 -6 -2 -12L2.4 -12Q2 -6 3 1Z", "#4c3a28")
    y = -r * 1.12
    pen.path(puffs(0, y, r, r * 0.92, 9, rng.uniform(0, 40)), pen.slant(deep, dark))
    clumps = [
        (*around(0, y, r * 0.5, r * 0.46, 60 * i + rng.uniform(-16, 16)), 0.42) for i in range(6)
    ]
    for x, cy, size in sorted(clumps, key=lambda clump: clump[1] + clump[0] * 0.6, reverse=True):
        lit = -(x + (cy - y)) / r
        tone = middle if lit > -0.2 else deep
        pen.path(
            puffs(x, cy, r * size, r * size * 0.86, 6, rng.uniform(0, 60)), pen.slant(tone, dark)
        )
    for turn, far, size in (
        (205, 0.2, 0.4),
        (250, 0.56, 0.27),
        (170, 0.58, 0.25),
        (300, 0.42, 0.2),
    ):
        x, cy = around(0, y, r * far, r * far, turn + rng.uniform(-12, 12))
        pen.path(
            puffs(x, cy, r * size, r * size * 0.8, 6, rng.uniform(0, 60)), pen.slant(light, middle)
        )


def conifer(
    pen: Pen, name: str, rng: random.Random, high: float, tones: tuple[str, str, str]
) -> None:
    """A fir; ``tones`` from dark to light."""
    dark, middle, light = tones
    pen.element(name)
    half = high * rng.uniform(0.25, 0.3)
    shadow(pen, half * 0.3, 0, half * 1.35, half * 0.6, 0.75)
    pen.path("M-1.8 1L-1.8 -7L1.8 -7L1.8 1Z", "#43331f")
    tiers = 4
    for i in range(tiers):
        foot = -3 - high * 0.74 * i / tiers
        top = foot - high * (0.42 - 0.03 * i)
        wide = half * (1 - 0.21 * i)
        steps = 6
        hem: list[Point] = []
        for j in range(steps + 1):
            x = -wide + 2 * wide * j / steps
            drop = (3.4 if j % 2 == 0 else -1.2) * (1 - 0.12 * i)
            hem.append((x + rng.uniform(-0.8, 0.8), foot + drop - abs(x) / wide * 3))
        pen.path(outline([(0, top), *hem[::-1]]), dark)
        lit = [point for point in hem if point[0] <= 0.5]
        pen.path(outline([(0, top), (0.5, foot), *lit[::-1]]), middle)
        pen.path(outline([(-0.2, top + 2), *((x * 0.8 - 1, y - 4.5) for x, y in lit[:3])]), light)


def palm(pen: Pen, name: str, rng: random.Random) -> None:
    """A palm with drooping fronds."""
    pen.element(name)
    lean = rng.uniform(-7, 7)
    shadow(pen, 5, 0, 20, 8, 0.7)
    pen.path(
        f"M-2.6 1Q{lean * 0.2} -16 {lean - 1.4} -34L{lean + 1.4} -34Q{lean * 0.2 + 3} -16 2.6 1Z",
        "#6b5433",
    )
    for tone, far, count, turn in (
        ("#1c4a24", 1.0, 8, 0),
        ("#2f6b32", 0.86, 7, 22),
        ("#6a9c48", 0.62, 6, 8),
    ):
        d = ""
        for i in range(count):
            at = turn + 360 / count * i + rng.uniform(-9, 9)
            ex, ey = around(lean, -31, 20 * far, 15 * far, at)
            mx, my = around(lean, -40, 12 * far, 8 * far, at)
            d += commands("M", lean, -35, "Q", mx + 1.5, my - 2.5, ex, ey)
            d += commands("Q", mx - 0.5, my + 3.5, lean, -33, "Z")
        pen.path(d, tone)


def bush(pen: Pen, name: str, rng: random.Random, r: float, tones: tuple[str, str, str]) -> None:
    """A low bush."""
    dark, middle, light = tones
    pen.element(name)
    shadow(pen, 0, 0, r * 1.25, r * 0.6, 0.6)
    pen.path(puffs(0, -r * 0.55, r, r * 0.68, 8, rng.uniform(0, 40)), pen.slant(middle, dark))
    for x, y, size in (
        (-r * 0.3, -r * 0.75, 0.5),
        (r * 0.3, -r * 0.6, 0.38),
        (-r * 0.5, -r * 0.35, 0.32),
    ):
        pen.path(
            puffs(x, y, r * size, r * size * 0.7, 6, rng.uniform(0, 60)), pen.slant(light, middle)
        )


GREENS = (
    ("#274a26", "#33602e", "#4d8039", "#86ae55"),
    ("#234424", "#2d5a31", "#43773f", "#78a35a"),
    ("#34502a", "#466a2f", "#67883d", "#a2b45c"),
    ("#1f3f27", "#295436", "#3c7046", "#6d9a62"),
)
FIRS = (
    ("#17362c", "#25523c", "#4d7d59"),
    ("#1b3a2b", "#2c5a3c", "#5c8960"),
    ("#15322f", "#224b42", "#477463"),
)


def leafy_wood(pen: Pen, rng: random.Random) -> list[str]:
    """Draw the elements of a broad-leaved wood, and return their names."""
    names = []
    for i, tones in enumerate((*GREENS, *GREENS[:3])):
        leafy(pen, f"tree{i}", rng, rng.uniform(14.5, 18), tones)
        names.append(f"tree{i}")
    return names


def forest_floor(pen: Pen, rng: random.Random, base: str, dark: str, light: str) -> None:
    """Ground in the shade of trees: moss, leaves, a little grass."""
    begin_ground(pen, base)
    mottle(pen, rng, 62, (46, 90), ((dark, 0.34), (light, 0.26), (dark, 0.24)))
    mottle(pen, rng, 34, (12, 26), ((dark, 0.24), (light, 0.24)))
    marks(
        pen,
        rng,
        26,
        lambda x, y: f"M{x} {y}l{rng.uniform(-3, 3)} {-rng.uniform(4, 8)}",
        (
            {"line": dark, "width": 1.6, "opacity": 0.6},
            {"line": light, "width": 1.5, "opacity": 0.6},
        ),
    )


def plains() -> Pen:
    """Open grass with a few tufts and flowers; the calmest of all, as the commonest."""
    return _meadow("#b6cf7e", ("#a9bd78", "#8ba45b", "#c1d092"), 1)


def grassland() -> Pen:
    """Open country."""
    return _meadow("#a8c46c", ("#a2ba6a", "#82a052", "#bccf86"), 2)


def _meadow(colour: str, tones: tuple[str, str, str], seed: int) -> Pen:
    rng = random.Random(seed)
    pen = Pen(colour)
    base, dark, light = tones
    grass(pen, rng, base, dark, light, 20)
    mottle(pen, rng, 130, (70, 130), ((dark, 0.3), (light, 0.4), (dark, 0.22)))
    _lush_patches(pen, rng, dark, light)
    for i in range(4):
        pen.element(f"tuft{i}")
        high = rng.uniform(12, 18)
        wide = rng.uniform(7, 11)
        shadow(pen, 0, 0, 11, 3.8, 0.5)
        pen.path(blades(0, 0, high, wide, rng.choice((6, 7, 8))), "#5f8038")
        pen.path(blades(-1.5, 0.5, high * 0.7, wide * 0.6, 5), "#94b25a")
    for i, petals in enumerate(("#f4efd2", "#e8cf6a", "#cfa3b4")):
        pen.element(f"flower{i}")
        for x, y in ((0, 0), (6, 3), (-5, 4), (2, 7), (9, -2)):
            x = x + rng.uniform(-2, 2)
            y = y + rng.uniform(-1.5, 1.5)
            pen.oval(x + 0.6, y + 0.8, 1.7, 1.3, "#5f7d38", opacity=0.6)
            pen.oval(x, y, 1.6, 1.4, petals)
    bush(pen, "bush0", rng, 9, ("#48672f", "#688742", "#93ae5e"))
    bush(pen, "bush1", rng, 7.5, ("#55702f", "#748f45", "#a0b566"))
    pen.element("rock0")
    shadow(pen, 0, 0, 8, 3.6, 0.5)
    pen.path("M-6 0L-4 -5L1 -6.5L6 -3L6.5 1L0 2.4Z", pen.slant("#c9c6b8", "#807d72"))

    def plant(pen: Pen, rng: random.Random, x: float, y: float, size: float) -> None:
        kind = rng.random()
        name = f"tuft{rng.randrange(4)}"
        if kind < 0.14:
            name = f"flower{rng.randrange(3)}"
        elif kind < 0.2:
            name = f"bush{rng.randrange(2)}"
        elif kind < 0.23:
            name = "rock0"
        pen.use(name, x * size, y * size, max(size, 0.75) * rng.uniform(0.75, 1.1))

    def draw_board(pen: Pen, rng: random.Random, size: float) -> None:
        for x, y in points_on_board(rng, 32, 70, -42, 60, rng.choice((5, 6, 7))):
            plant(pen, rng, x, y, size)

    lawns = Bag(tuple(LAWNS))
    clumps = Bag(tuple(CLUMPS))

    def draw_lawn(pen: Pen, rng: random.Random, size: float) -> None:
        counts = LAWNS[lawns.draw(rng)]
        if counts:
            draw_clumps(pen, rng, size, counts)
        else:
            # A picture without anything would be left out, and the others be shown the more often.
            x = rng.uniform(-44, 44)
            y = rng.uniform(-40, 44)
            pen.use(f"tuft{rng.randrange(4)}", x * size, y * size, 0.3 * size)

    def draw_lush(pen: Pen, rng: random.Random, size: float) -> None:
        draw_clumps(pen, rng, size, CLUMPS[clumps.draw(rng)])

    def draw_clumps(pen: Pen, rng: random.Random, size: float, counts: tuple[int, ...]) -> None:
        plants = []
        middles = points_on_board(rng, 50, 62, -40, 56, len(counts))
        for (x, y), count in zip(middles, counts, strict=False):
            for _ in range(count):
                far = rng.uniform(6, 21)
                plants.append(around(x, y, far * 1.3, far * 0.8, rng.uniform(0, 360)))
        for x, y in sorted(plants, key=lambda point: point[1]):
            plant(pen, rng, x, y, size)

    # The first compositions and the last ones are shown in different parts of a map.
    single(pen, 10 + seed, draw_lawn, count=8, board=draw_board, other=draw_lush)
    return pen


LAWNS = {"bare": (), "grazed": (), "one": (2,), "few": (4, 1)}
"""How many plants stand in each clump, in the cells of a lawn: half have none, for evenly strewn
plants would show the cells."""

CLUMPS = {"none": (1,), "one": (2, 1), "few": (4, 2), "many": (5, 3, 2)}
"""The same where the meadow is lush, with lawn between the clumps."""


def _lush_patches(pen: Pen, rng: random.Random, dark: str, light: str) -> None:
    """Draw patches of the ground in which grass stands higher."""
    for x, y in torus_points(rng, 98):
        dark_blades = ""
        light_blades = ""
        for number in range(15):
            turn = rng.uniform(0, 360)
            far = rng.uniform(0, 1) ** 0.7
            blade_x, blade_y = around(x, y, 40 * far, 22 * far, turn)
            blade = f"M{blade_x:.1f} {blade_y:.1f}"
            blade += f"l{rng.uniform(-3, 3):.1f} {-rng.uniform(6, 11):.1f}"
            if number % 3:
                dark_blades += blade
            else:
                light_blades += blade
        pen.oval(x, y, 48, 26, pen.soft(dark, 0.26))
        pen.path(dark_blades, line=dark, width=1.9, opacity=0.75)
        pen.path(light_blades, line=light, width=1.8, opacity=0.9)


def tree() -> Pen:
    """A stand of trees with some firs; woods close up over the sides of cells."""
    rng = random.Random(3)
    pen = Pen("#3f7d44")
    forest_floor(pen, rng, "#6f8f4e", "#48693a", "#8fa862")
    names = leafy_wood(pen, rng)
    conifer(pen, "fir0", rng, 46, FIRS[1])
    grove(pen, 13, one_of([*names, "fir0"]), 31)
    return pen


def woods() -> Pen:
    """Broad-leaved woods of worlds and wargame tables, without firs: those are other woods."""
    rng = random.Random(4)
    pen = Pen("#3e7c46")
    forest_floor(pen, rng, "#88a95b", "#587c42", "#a2be6a")
    grove(pen, 14, one_of(leafy_wood(pen, rng)), 31)
    return pen


def conifers() -> Pen:
    """Dark woods of firs."""
    rng = random.Random(5)
    pen = Pen("#35684f")
    forest_floor(pen, rng, "#809b5c", "#52714a", "#9ab072")
    for i in range(6):
        conifer(pen, f"fir{i}", rng, rng.uniform(42, 54), FIRS[i % 3])
    grove(pen, 15, one_of([f"fir{i}" for i in range(6)]), 27)
    return pen


def jungle() -> Pen:
    """Palms over dense growth."""
    rng = random.Random(6)
    pen = Pen("#2f7a3c")
    forest_floor(pen, rng, "#80a655", "#4f7d40", "#9abd66")
    for i in range(3):
        palm(pen, f"palm{i}", rng)
    for i in range(4):
        leafy(
            pen,
            f"tree{i}",
            rng,
            rng.uniform(13, 16),
            (
                ("#173d1e", "#22562a", "#34743a", "#6a9f4c"),
                ("#1b4426", "#27603a", "#3d7f4a", "#76ab5c"),
            )[i % 2],
        )
    grove(pen, 16, one_of(["palm0", "palm1", "palm2", "tree0", "tree1", "tree2", "tree3"]), 29)
    return pen


def brambles() -> Pen:
    """Thorny bushes under arching canes, with berries."""
    rng = random.Random(7)
    pen = Pen("#7d9440")
    grass(pen, rng, "#a2ad66", "#7d8c4a", "#bcc285")
    names = []
    for i in range(6):
        name = f"bramble{i}"
        names.append(name)
        r = rng.uniform(14, 18)
        dark, middle, light = (
            ("#3d4a22", "#59692f", "#87924a"),
            ("#39452a", "#545f36", "#7f8a55"),
        )[i % 2]
        pen.element(name)
        shadow(pen, 0, 0, r * 1.3, r * 0.62, 0.65)
        for far, tone, lift in ((1.0, dark, 0.5), (0.72, middle, 0.62), (0.42, light, 0.74)):
            points = []
            for j in range(16):
                reach = far * r * (rng.uniform(0.98, 1.2) if j % 2 else rng.uniform(0.62, 0.78))
                points.append(
                    around(
                        -(1 - far) * 4,
                        -r * lift,
                        reach,
                        reach * 0.66,
                        j * 22.5 + rng.uniform(-5, 5),
                    )
                )
            pen.path(outline(points), tone)
        for _ in range(2):
            side = rng.choice((-1, 1))
            a = rng.uniform(4, 10) * -side
            b = side * r * rng.uniform(0.9, 1.25)
            pen.path(
                f"M{a} {-r * 0.2}Q{(a + b) / 2} {-r * rng.uniform(1.7, 2.1)} {b} {-r * 0.1}",
                line="#5e3540",
                width=1.5,
            )
        for _ in range(3):
            x, y = around(0, -r * 0.55, r * 0.6, r * 0.4, rng.uniform(0, 360))
            pen.oval(x, y, 1.8, 1.8, "#a32c4a")
            pen.oval(x - 0.5, y - 0.5, 0.6, 0.6, "#e79aa8")
    grove(pen, 17, one_of(names), 34, foot=8, board=(62, -12, 58, 8))
    return pen
