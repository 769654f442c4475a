"""What every terrain picture begins with: a hexagon of ground, and the plants that grow on it."""

from __future__ import annotations

from pictures.pen import Pen, Point, around, outline

VIEW_BOX = "-1 -0.8660254 2 1.7320508"
_HEXAGON: list[Point] = [around(0, 0, 102, 102, 60 * i) for i in range(6)]


def ground(light: str, dark: str) -> Pen:
    """A picture whose ground goes from ``light`` (top left, where light comes from) to ``dark``."""
    pen = Pen(VIEW_BOX, "ground")
    pen.path(outline(_HEXAGON), pen.linear((-60, -80), (60, 80), (0, light), (1, dark)))
    return pen


def blades(x: float, y: float, height: float, spread: float, count: int) -> str:
    """A tuft of grass or reeds with its foot at (x, y): narrow blades that lean outward."""
    d = ""
    for i in range(count):
        lean = (i / (count - 1) - 0.5) * 2
        tip_x, tip_y = x + lean * spread, y - height * (1 - 0.35 * lean * lean)
        foot = x + lean * spread * 0.25
        half = height * 0.075
        middle = y - height * 0.55
        d += (
            f"M{foot - half:.1f} {y:.1f}Q{foot - half:.1f} {middle:.1f} {tip_x:.1f} {tip_y:.1f}"
            f"Q{foot + half * 1.6:.1f} {middle:.1f} {foot + half:.1f} {y:.1f}Z"
        )
    return d
