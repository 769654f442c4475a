"""The format ``uvtt``: Universal VTT, a picture with the lines that block sight.

Positions are in squares and count from a corner that the file names (``map_origin``). Here the map
is one of squares, or that of ours which is in the file under ``OWN``, where ``lines`` says how many
lines, the last ones, come from it. Lights, doors and foreign lines stay in the file.
"""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from typing import Any

from randomizer.model.battlemap import BattleMap
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.problems import Problem
from randomizer.systems.free.system import MOST_CELLS
from randomizer.systems.interchange.foreign import check_size, warning
from randomizer.systems.interchange.virtual_table import (
    OWN,
    Box,
    Document,
    Frame,
    Output,
    TableCodec,
    frame_of,
    sight_lines,
)

_NEW = {
    "format": 0.3,
    "objects_line_of_sight": list[Any](),
    "portals": list[Any](),
    "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
    "lights": list[Any](),
    "software": "Battlelands Builder",
}


class UvttCodec(TableCodec):
    """Reads and writes Universal VTT."""

    program = "Universal VTT"
    suffix = ".uvtt"
    pixels = ("resolution", "pixels_per_grid")
    steps = "{stem}.uvtt holds the picture, the grid and the lines that block sight.\n"
    knows_hexes = False
    holds_picture = True

    def grid_of(self, document: Document) -> tuple[Grid, Frame, Box]:

        def number(*path: str, least: float, usual: float | None = None) -> float:
            return document.number("resolution", *path, least=least, most=MOST_CELLS, usual=usual)

        size = [number("map_size", axis, least=0.01) for axis in "xy"]
        width, height = (math.ceil(side - 0.01) for side in size)
        check_size(width, height)
        pixels = number("pixels_per_grid", least=1)
        left, top = (number("map_origin", axis, least=-MOST_CELLS, usual=0) for axis in "xy")
        frame = Frame(pixels, (left + 0.5) * pixels, (top + 0.5) * pixels)
        box = (left * pixels, top * pixels, size[0] * pixels, size[1] * pixels)
        return Grid(SQUARE, width, height), frame, box

    def picture_in(self, document: Document, problems: list[Problem]) -> tuple[str, bytes] | None:
        try:
            data = b64decode(document.value.get("image") or "", validate=True)
        except (TypeError, ValueError):
            problems.append(warning("the picture in this file is damaged"))
            return None
        return ("picture", data) if data else None

    def written(self, battlemap: BattleMap, output: Output) -> dict[str, Any]:
        before, frame, own, export = output
        document, pixels = dict(_NEW if before is None else before.value), export.pixels
        if own["drew"]:
            size = (side / pixels for side in frame_of(battlemap.grid, pixels)[1:])
            document["resolution"] = {
                "map_origin": {"x": 0, "y": 0},
                "map_size": dict(zip("xy", size, strict=True)),
                "pixels_per_grid": pixels,
            }
        elif before is not None:
            pixels = before.at(*self.pixels)
        lines = [
            [{"x": x / pixels, "y": y / pixels} for x, y in line]
            for line in sight_lines(battlemap, battlemap.composite(), frame)
        ]
        old, count = document.get("line_of_sight"), before and before.own.get("lines")
        old = old if isinstance(old, list) else []
        old = old[: max(0, len(old) - count)] if isinstance(count, int) else old
        document["line_of_sight"] = [*old, *lines]
        document[OWN] = {**own, "lines": len(lines)}
        if before is None:
            document["image"] = b64encode(export.picture).decode()
        return document


CODEC = UvttCodec()
