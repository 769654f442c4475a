"""A pen that collects SVG shapes, and the curves that all our pictures are made of.

Coordinates are hundredths of a hex radius (x to the right, y down, the hex centre at 0, 0). The
files keep them and scale every group down: Qt strokes curves in small units eight times slower.
"""

from __future__ import annotations

import math
import random
import re
from collections.abc import Iterable, Sequence

Point = tuple[float, float]

VIEW_BOX = "-1 -0.8660254 2 1.7320508"
"""A hexagon of radius 1."""

_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:e-?\d+)?")


def number(value: float) -> str:
    """``value`` with one decimal at most, in the fewest characters."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def commands(*parts: str | float) -> str:
    """A path from its letters and numbers."""
    return " ".join(part if isinstance(part, str) else f"{part:.1f}" for part in parts)


def outline(points: Iterable[Point]) -> str:
    """The closed path through straight lines."""
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z"


def curve(points: Sequence[Point], closed: bool = True, tension: float = 0.5) -> str:
    """A smooth path through all points (Catmull-Rom as cubic curves)."""
    count = len(points)

    def at(i: int) -> Point:
        return points[i % count] if closed else points[min(max(i, 0), count - 1)]

    k = tension / 3
    parts = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for i in range(count if closed else count - 1):
        (ax, ay) = at(i - 1)
        (bx, by) = at(i)
        (cx, cy) = at(i + 1)
        (dx, dy) = at(i + 2)
        parts.append(
            f"C{bx + (cx - ax) * k:.1f} {by + (cy - ay) * k:.1f} "
            f"{cx - (dx - bx) * k:.1f} {cy - (dy - by) * k:.1f} {cx:.1f} {cy:.1f}"
        )
    return "".join(parts) + ("Z" if closed else "")


def placed(d: str, x: float, y: float, scale: float = 1.0) -> str:
    """The path ``d`` (absolute M, L, C, Q only) scaled, then moved to (x, y)."""
    numbers = 0

    def moved(match: re.Match[str]) -> str:
        nonlocal numbers
        numbers += 1
        return f"{float(match[0]) * scale + (x if numbers % 2 else y):.1f} "

    return _NUMBER.sub(moved, d)


def around(x: float, y: float, rx: float, ry: float, angle_deg: float) -> Point:
    """A point of an ellipse; 0 degrees is to the right, 90 down."""
    angle = math.radians(angle_deg)
    return x + rx * math.cos(angle), y + ry * math.sin(angle)


def blob(
    x: float,
    y: float,
    rx: float,
    ry: float,
    rng: random.Random,
    rough: float = 0.12,
    count: int = 9,
) -> str:
    """A soft irregular patch."""
    points = []
    for i in range(count):
        far = 1 + rng.uniform(-rough, rough)
        points.append(around(x, y, rx * far, ry * far, 360 / count * (i + rng.uniform(-0.2, 0.2))))
    return curve(points, tension=0.55)


def puffs(x: float, y: float, rx: float, ry: float, count: int, turn_deg: float = 0) -> str:
    """The outline of a leafy crown: ``count`` bulges around an ellipse."""
    d = ""
    step = 360 / count
    for i in range(count + 1):
        px, py = around(x, y, rx * 0.9, ry * 0.9, turn_deg + i * step)
        if not i:
            d = f"M{px:.1f} {py:.1f}"
            continue
        qx, qy = around(x, y, rx * 1.22, ry * 1.22, turn_deg + (i - 0.5) * step)
        d += f"Q{qx:.1f} {qy:.1f} {px:.1f} {py:.1f}"
    return d + "Z"


class Pen:
    """Collects the shapes of one picture; every shape belongs to the group begun last.

    ``colour`` is the colour of the terrain. Groups are in hundredths of a map unit.
    """

    def __init__(self, colour: str = "", view_box: str = VIEW_BOX) -> None:
        self._colour = f' color="{colour}"' if colour else ""
        self._view_box = view_box
        self._gradients: dict[str, str] = {}
        self._elements: list[str] = []
        self._groups: list[str] = []
        self._lines = self._groups
        self._end = ""

    def group(self, name: str, scale: float = 0.01) -> None:
        """End the group and begin the group ``name``; ``scale`` makes map units of its unit."""
        self._begin(
            self._groups, f'<g id="{name}" transform="scale({scale:g})">'.replace("0.", ".")
        )

    def element(self, name: str) -> None:
        """End the group and begin a drawing that is shown only where it is used."""
        self._begin(self._elements, f'<g id="{name}">')

    def _begin(self, lines: list[str], head: str) -> None:
        if self._end:
            self._lines.append(self._end)
        self._lines = lines
        self._end = "</g>"
        lines.append(head)

    def use(self, name: str, x: float, y: float, scale: float = 1.0, flip: bool = False) -> None:
        """Draw an element with its origin at (x, y), larger or mirrored."""
        size = f"{scale:.2f}".removeprefix("0")
        place = f"translate({number(x)} {number(y)})scale({f'-{size} ' if flip else ''}{size})"
        self._lines.append(f'<use xlink:href="#{name}" transform="{place}"/>')

    def linear(
        self, start: Point, end: Point, *stops: tuple[float, str] | tuple[float, str, float]
    ) -> str:
        """A gradient from ``start`` to ``end`` as a fill; a stop is (place, colour[, opacity])."""
        (x1, y1) = start
        (x2, y2) = end
        return self._gradient(
            "linearGradient",
            'gradientUnits="userSpaceOnUse" '
            f'x1="{number(x1)}" y1="{number(y1)}" x2="{number(x2)}" y2="{number(y2)}"',
            stops,
        )

    def radial(
        self, centre: Point, radius: float, *stops: tuple[float, str] | tuple[float, str, float]
    ) -> str:
        """A round gradient, to be used as a fill."""
        x, y = centre
        return self._gradient(
            "radialGradient",
            f'gradientUnits="userSpaceOnUse" cx="{number(x)}" cy="{number(y)}" '
            f'r="{number(radius)}"',
            stops,
        )

    def soft(self, colour: str, opacity: float) -> str:
        """A fill that fades from the middle of a shape to its edge."""
        stops = ((0, colour, opacity), (0.5, colour, round(opacity * 0.6, 3)), (1, colour, 0))
        return self._gradient("radialGradient", 'cx=".5" cy=".5" r=".5"', stops)

    def slant(self, light: str, dark: str) -> str:
        """A fill from ``light`` at the top left, where light comes from, to ``dark``."""
        stops = ((0, light), (1, dark))
        return self._gradient("linearGradient", 'x1=".2" y1=".05" x2=".8" y2=".95"', stops)

    def fall(self, x: int, y: int, *stops: tuple[float, str] | tuple[float, str, float]) -> str:
        """A fill across the box of a shape, which shapes of any place and size can share.

        It runs in the direction of ``x`` and ``y``, of which one is 0 and the other -1 or 1.
        """
        box = f'x1="{int(x < 0)}" y1="{int(y < 0)}" x2="{int(x > 0)}" y2="{int(y > 0)}"'
        return self._gradient("linearGradient", box, stops)

    def _gradient(self, tag: str, place: str, stops: Sequence[Sequence[float | str]]) -> str:
        inner = "".join(
            f'<stop offset="{stop[0]}" stop-color="{stop[1]}"'
            + (f' stop-opacity="{stop[2]}"' if len(stop) > 2 else "")
            + "/>"
            for stop in stops
        )
        body = f"{place}>{inner}</{tag}>"
        name = self._gradients.get(f"{tag} {body}")
        if name is None:
            name = self._gradients[f"{tag} {body}"] = f"p{len(self._gradients)}"
        return f"url(#{name})"

    def path(
        self,
        d: str,
        fill: str = "none",
        line: str = "",
        width: float = 1.4,
        opacity: float = 1.0,
    ) -> None:
        """One shape: filled, or drawn along its line, or both."""
        scaled = _NUMBER.sub(lambda match: f" {number(float(match[0]))} ", d)
        scaled = re.sub(r" +", " ", scaled).replace(" -", "-")
        scaled = re.sub(r" ?([A-Za-z]) ?", r"\1", scaled).strip()
        self._lines.append(f'<path d="{scaled}"{self._style(fill, line, width, opacity)}/>')

    def oval(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        fill: str = "none",
        line: str = "",
        width: float = 1.4,
        opacity: float = 1.0,
    ) -> None:
        """An ellipse."""
        self._lines.append(
            f'<ellipse cx="{number(x)}" cy="{number(y)}" rx="{number(rx)}" ry="{number(ry)}"'
            f"{self._style(fill, line, width, opacity)}/>"
        )

    @staticmethod
    def _style(fill: str, line: str, width: float, opacity: float) -> str:
        style = f' fill="{fill}"'
        if line:
            style += (
                f' stroke="{line}" stroke-width="{number(width)}"'
                ' stroke-linejoin="round" stroke-linecap="round"'
            )
        if opacity < 1:
            style += f' opacity="{opacity:g}"'
        return style

    def svg(self) -> str:
        """The whole file."""
        self._begin([], "")
        gradients = [
            "<" + key.replace(" ", f' id="{name}" ', 1) for key, name in self._gradients.items()
        ]
        defs = ["<defs>", *gradients, *self._elements, "</defs>"]
        head = (
            '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
            f'version="1.1" viewBox="{self._view_box}"{self._colour}>'
        )
        shown = defs if len(defs) > 2 else []
        return "\n".join([head, *shown, *self._groups, "</svg>", ""])
