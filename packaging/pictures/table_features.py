"""Pictures of a wargamer's table, in the plain style of printed maps: flat colours, clear lines.

They have no ground of their own: they stand on the table, or on a hill.
"""

from __future__ import annotations

from collections.abc import Iterable

from pictures.pen import Pen, Point, around, outline, puffs

_TRUNK = "#6b4a2b"
_PATCH = "#7d6a3f"


def _symbol() -> Pen:
    pen = Pen()
    pen.group("feature-1")
    return pen


def mountain() -> Pen:
    """Two crags that fill the area: bare rock, snow on top, one side in the shade."""
    pen = _symbol()
    crag = [(-78, 58), (-52, 10), (-38, 18), (-6, -64), (14, -26), (28, -38), (58, 14), (78, 58)]
    pen.path(outline(crag), "#a2978a", "#4d453c", 4)
    pen.path(
        outline(
            [(-6, -64), (4, -20), (-10, 14), (8, 58), (78, 58), (58, 14), (28, -38), (14, -26)]
        ),
        "#82776a",
    )
    pen.path(outline([(28, -38), (30, -6), (22, 20), (38, 58), (78, 58), (58, 14)]), "#6b6156")
    pen.path(
        outline([(-6, -64), (-22, -22), (-12, -28), (-4, -16), (4, -28), (14, -26)]),
        "#f7f6f1",
        "#4d453c",
        2.5,
    )
    pen.path(
        outline([(28, -38), (20, -20), (29, -24), (38, -16), (41, -18)]), "#f7f6f1", "#4d453c", 2.5
    )
    pen.path(outline(crag), line="#4d453c", width=4)
    return pen


def marsh() -> Pen:
    """Tufts of reeds over short lines of water."""
    pen = _symbol()
    for x, y in ((-34, -36), (24, -40), (-4, -2), (-48, 18), (46, 8), (-16, 46), (34, 46)):
        for dx, dy, long in ((-26, 8, 52), (-14, 15, 28)):
            pen.path(f"M{x + dx} {y + dy}h{long}", line="#3f7ea6", width=4.5)
        for lean in (-9, 0, 9):
            pen.path(
                f"M{x + lean * 0.4} {y + 4}L{x + lean} {y - 17 + abs(lean) * 0.5}",
                line="#3d5f33",
                width=4.5,
            )
    return pen


def _in_order(places: Iterable[tuple[float, float, float]]) -> list[tuple[float, float, float]]:
    """What stands farther down the picture comes later, and so in front."""
    return sorted(places, key=lambda place: place[1])


_STAND = (
    (-2, -44, 23),
    (44, -29, 23),
    (-48, -20, 24),
    (4, 2, 27),
    (54, 19, 22),
    (-32, 34, 25),
    (22, 46, 23),
)


def deciduous() -> Pen:
    """Round crowns."""
    pen = _symbol()
    for i, (x, y, r) in enumerate(_in_order(_STAND)):
        pen.path(puffs(x, y, r, r, 8, 23 * i), "#6fa04c", "#2f5426", 4)
        pen.path(puffs(x - r * 0.2, y - r * 0.25, r * 0.5, r * 0.45, 6, 23 * i), "#93bf6c")
    return pen


def coniferous() -> Pen:
    """Firs: two tiers on a stem."""
    pen = _symbol()
    for x, y, r in _in_order(_STAND):
        foot = y + r * 0.9
        pen.path(f"M{x} {foot - 4}v9", line=_TRUNK, width=7)
        for wide, top, low in ((0.98, -0.75, 0.9), (0.72, -1.45, 0.15)):
            tier = [(x, y + r * top), (x + r * wide, y + r * low), (x - r * wide, y + r * low)]
            pen.path(outline(tier), "#3f7a55", "#1d4030", 3.5)
    return pen


def palm() -> Pen:
    """A few palms, each with six fronds."""
    pen = _symbol()
    for x, y, r in _in_order(
        ((-42, -28, 32), (40, -32, 30), (2, 8, 34), (-46, 46, 28), (48, 40, 30))
    ):
        crown = y - r * 0.5
        pen.path(f"M{x + 5} {y + r * 0.75}Q{x - 3} {y} {x} {crown}", line=_TRUNK, width=6)
        for turn in (-170, -130, -90, -50, -10, 35, 145):
            tip = around(x, crown + 4, r, r * 0.8, turn)
            bow = around(x, crown - 9, r * 0.62, r * 0.62, turn)
            pen.path(f"M{x} {crown}Q{bow[0]} {bow[1]} {tip[0]} {tip[1]}", line="#4d6b1f", width=8)
        for turn in (-170, -130, -90, -50, -10, 35, 145):
            tip = around(x, crown + 4, r * 0.9, r * 0.72, turn)
            bow = around(x, crown - 9, r * 0.62, r * 0.62, turn)
            pen.path(f"M{x} {crown}Q{bow[0]} {bow[1]} {tip[0]} {tip[1]}", line="#8fb23f", width=3.5)
    return pen


def _house(pen: Pen, x: float, y: float, wide: float, deep: float, roof: str) -> None:
    """A roof seen from above, its ridge from left to right."""
    left = x - wide / 2
    top = y - deep / 2
    pen.path(f"M{left} {top}h{wide}v{deep}h{-wide}Z", roof, "#4a2a1f", 4)
    pen.path(
        f"M{left + 2} {top + 2}h{wide - 4}v{deep / 2 - 2}h{4 - wide}Z", "#ffffff", opacity=0.25
    )
    pen.path(f"M{left} {y}h{wide}", line="#4a2a1f", width=2.5)


_RED = "#c8694a"
_BROWN = "#b1794f"
_GREY = "#9a9088"


def settlement() -> Pen:
    """A farm: house, barn and yard."""
    pen = _symbol()
    _house(pen, -24, -24, 62, 42, _RED)
    _house(pen, 38, 18, 42, 54, _BROWN)
    _house(pen, -30, 38, 38, 28, _RED)
    return pen


def village() -> Pen:
    """Houses around a green."""
    pen = _symbol()
    for x, y, wide, deep, roof in (
        (-50, -35, 45, 30, _RED),
        (13, -40, 42, 28, _BROWN),
        (58, -18, 32, 40, _RED),
        (-60, 20, 32, 40, _BROWN),
        (-10, 50, 48, 30, _RED),
        (50, 45, 38, 30, _BROWN),
    ):
        _house(pen, x, y, wide, deep, roof)
    return pen


def town() -> Pen:
    """Rows of houses, and a church."""
    pen = _symbol()
    for x, y, wide, deep, roof in (
        (-52, -40, 34, 29, _RED),
        (-9, -42, 38, 27, _BROWN),
        (36, -41, 36, 29, _RED),
        (63, 0, 27, 38, _BROWN),
        (-63, 4, 27, 40, _RED),
        (-43, 47, 38, 29, _BROWN),
        (2, 52, 36, 27, _RED),
        (45, 47, 34, 29, _RED),
    ):
        _house(pen, x, y, wide, deep, roof)
    _house(pen, 4, 2, 42, 22, _GREY)
    pen.path("M-26 -10h20v22h-20Z", _GREY, "#4a2a1f", 4)
    pen.path("M-16 -6v14M-22 -2h12", line="#fffdf5", width=4)
    return pen


def city() -> Pen:
    """Blocks of buildings with streets between them."""
    pen = _symbol()
    for row, (y, deep) in enumerate(((-43, 26), (-2, 38), (44, 28))):
        places = ((-48, 36), (0, 42), (48, 36)) if row == 1 else ((-38, 40), (16, 48), (56, 20))
        for i, (x, wide) in enumerate(places):
            x = -x if row == 2 else x
            roof = (_RED, _GREY, _BROWN)[(i + row) % 3]
            pen.path(f"M{x - wide / 2} {y - deep / 2}h{wide}v{deep}h{-wide}Z", roof, "#4a2a1f", 4)
            pen.path(
                f"M{x - wide / 4} {y - deep / 5}h{wide / 2}v{deep * 0.4}h{-wide / 2}Z",
                "#eee0cb",
                "#4a2a1f",
                2.5,
            )
    return pen


def _patch(light: str, corners: list[Point]) -> Pen:
    """A piece of worked land with its hedge."""
    pen = _symbol()
    pen.path(outline(corners), light, _PATCH, 4)
    return pen


_PLOT: list[Point] = [(-70, -48), (66, -56), (74, 50), (-64, 58)]


def field() -> Pen:
    """Furrows."""
    pen = _patch("#ecd98c", _PLOT)
    for i in range(1, 8):
        part = i / 8
        pen.path(
            f"M{-69 + 5 * part} {-47 + 104 * part}L{66 + 8 * part} {-55 + 104 * part}",
            line="#c0a24c",
            width=4,
        )
    return pen


def orchard() -> Pen:
    """Round trees in rows."""
    pen = _patch("#d5dfa0", _PLOT)
    for y in (-30, 2, 34):
        for x in (-42, -3, 36):
            pen.oval(x + y * 0.07, y, 12.5, 12.5, "#7fae4f", "#35592a", 4)
            pen.oval(x - 3 + y * 0.07, y - 3, 4, 4, "#c9513e")
    return pen


def olive_grove() -> Pen:
    """Flat grey-green crowns on short trunks, one row between the next."""
    pen = _patch("#e6dfb4", _PLOT)
    for row, y in enumerate((-28, 4, 36)):
        for x in (-48, -12, 24) if row % 2 else (-32, 4, 40):
            pen.path(f"M{x} {y + 2}v12", line=_TRUNK, width=5)
            pen.oval(x, y - 3, 15, 9.5, "#93a583", "#46553b", 4)
    return pen


def vineyard() -> Pen:
    """Long rows of vines with their grapes."""
    pen = _patch("#e9dcc0", _PLOT)
    for row in range(5):
        y = -36 + row * 20
        pen.path(f"M{-56 + row} {y}L{56 + row * 2} {y - 5}", line="#5f7f3a", width=8)
        for i in range(6):
            pen.oval(-48 + row + i * 20, y + 2 - i * 0.9, 4.5, 4.5, "#6d3f78")
    return pen
