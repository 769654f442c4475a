"""The format ``uvtt``: Universal VTT, a picture with the lines that block sight.

Positions are in squares and count from a corner that the file names (``map_origin``). Here the map
is one of squares, or that of ours which is in the file under ``OWN``, where ``lines`` says how many
lines, the last ones, come from it. The other lines, portals and lights are its fixtures; they stay
in the file as they are. Lines of objects, which tables show and do not look behind, are walls that
block sight only behind another such wall (``limited``).
"""

from __future__ import annotations

import math
import re
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.fixtures import Fixtures, Light, Wall
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.model.settings.setting import COLOUR
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
    is_number,
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
        if data:
            return ("picture", data)
        return None

    def written(self, battlemap: BattleMap, output: Output) -> dict[str, Any]:
        before = output.before
        frame = output.frame
        own = output.own
        document = dict(_NEW if before is None else before.value)
        pixels: float = output.export.pixels
        if own["drew"]:
            size = (side / pixels for side in frame_of(battlemap.grid, pixels)[1:])
            document["resolution"] = {
                "map_origin": {"x": 0, "y": 0},
                "map_size": dict(zip("xy", size, strict=True)),
                "pixels_per_grid": pixels,
            }
        elif before is not None:
            pixels = before.at(*self.pixels)
        ours = [
            [{"x": x / pixels, "y": y / pixels} for x, y in line]
            for line in output.walls_of_ground(battlemap)
        ]
        if output.fixtures is None:
            assert before is not None, "fixtures that stay are in a file"
            foreign = _foreign_lines(before)
        else:
            square = _Square(frame, pixels)
            walls = [wall for wall in output.fixtures.walls if _is_line(wall)]
            foreign = [square.line(wall) for wall in walls if wall.sight != "limited"]
            document["objects_line_of_sight"] = [
                square.line(wall) for wall in walls if wall.sight == "limited"
            ]
            document["portals"] = [
                square.portal(wall) for wall in output.fixtures.walls if _is_portal(wall)
            ]
            document["lights"] = [
                square.light(light) for light in output.fixtures.lights if not light.hidden
            ]
        document["line_of_sight"] = [*foreign, *ours]
        document[OWN] = {**own, "lines": len(ours)}
        if before is None:
            document["image"] = b64encode(output.export.picture).decode()
        return document

    def fixtures_in(self, document: Document, frame: Frame) -> tuple[Fixtures, int]:
        square = _Square(frame, document.number(*self.pixels, least=1, most=MOST_CELLS))
        walls: list[Wall | None] = [square.wall(line) for line in _foreign_lines(document)]
        for line in _list(document, "objects_line_of_sight"):
            wall = square.wall(line)
            walls.append(wall and wall._replace(sight="limited", light="limited"))
        walls += [square.door(portal) for portal in _list(document, "portals")]
        lights = [square.light_of(light) for light in _list(document, "lights")]
        fixtures = Fixtures(
            tuple(wall for wall in walls if wall is not None),
            tuple(light for light in lights if light is not None),
        )
        return fixtures, walls.count(None) + lights.count(None)

    def fixture_losses(self, fixtures: Fixtures) -> list[str]:
        walls = fixtures.walls
        lights = fixtures.lights
        doors = [wall for wall in walls if _is_portal(wall)]
        lines = [wall for wall in walls if _is_line(wall)]
        count_open = len(walls) - len(doors) - len(lines)
        by_distance = {"proximity", "distance"}
        numbers = [
            (
                len([wall for wall in lines if wall.door]),
                "secret door becomes a wall",
                "secret doors become walls",
            ),
            (
                count_open,
                "wall that blocks neither sight nor light: not written",
                "walls that block neither sight nor light: not written",
            ),
            (
                len([wall for wall in lines if by_distance & {wall.sight, wall.light}]),
                "wall that blocks by distance blocks all",
                "walls that block by distance block all",
            ),
            (
                len([wall for wall in (*doors, *lines) if wall.way]),
                "one-way wall blocks both ways",
                "one-way walls block both ways",
            ),
            (
                len([wall for wall in doors if wall.state == "locked"]),
                "locked door is only closed",
                "locked doors are only closed",
            ),
            (
                len([light for light in lights if light.hidden]),
                "light that is switched off: not written",
                "lights that are switched off: not written",
            ),
            (
                len([light for light in lights if light.angle < 360 and not light.hidden]),
                "light with an angle shines all around",
                "lights with an angle shine all around",
            ),
        ]
        return [counted(count, one, more) for count, one, more in numbers if count]

    def fixtures_written(self, value: dict[str, Any]) -> Counter[str]:
        count = Counter[str]()
        for name in ("line_of_sight", "objects_line_of_sight"):
            lines = value.get(name)
            for line in lines if isinstance(lines, list) else []:
                count["wall"] += max(0, len(line) - 1) if isinstance(line, list) else 0
        for name, noun in (("portals", "door"), ("lights", "light")):
            items = value.get(name)
            count[noun] += len(items) if isinstance(items, list) else 0
        return count


def _foreign_lines(document: Document) -> list[Any]:
    """Return the lines of a file but the last ones, which were made from our map."""
    lines = _list(document, "line_of_sight")
    count = document.own.get("lines")
    if not isinstance(count, int):
        return lines
    return lines[: max(0, len(lines) - count)]


def _list(document: Document, name: str) -> list[Any]:
    value = document.at(name)
    return value if isinstance(value, list) else []


def _is_portal(wall: Wall) -> bool:
    return wall.door == "door"


def _is_line(wall: Wall) -> bool:
    return not _is_portal(wall) and not wall.sight == wall.light == "none"


class _Square(NamedTuple):
    """The squares of a file: turns what it says of fixtures into ours, and back.

    ``pixels`` are those of a square. What cannot be read is None.
    """

    frame: Frame
    pixels: float

    def wall(self, line: object) -> Wall | None:
        """Return the wall of a list of points."""
        if isinstance(line, list):
            points = [self._position(point) for point in line]
        else:
            points = []
        if len(points) < 2:
            return None
        numbers: list[float] = []
        for point in points:
            if point is None:
                return None
            numbers += point
        return Wall(tuple(numbers))

    def door(self, portal: object) -> Wall | None:
        """Return the door of a portal; one without bounds is a square wide."""
        if not isinstance(portal, dict):
            return None
        wall = self.wall(portal.get("bounds")) or self._door_about(portal)
        if wall is None or len(wall.line) != 4:
            return None
        state = "open" if portal.get("closed") is False else "closed"
        is_freestanding = portal.get("freestanding") is True
        return wall._replace(door="door", state=state, freestanding=is_freestanding)

    def _door_about(self, portal: Mapping[str, Any]) -> Wall | None:
        middle = self._position(portal.get("position"))
        rotation = portal.get("rotation", 0)
        if middle is None or not is_number(rotation):
            return None
        half = self.pixels / self.frame.unit / 2
        right = half * math.cos(rotation)
        down = half * math.sin(rotation)
        x, y = middle
        return Wall((x - right, y - down, x + right, y + down))

    def light_of(self, value: object) -> Light | None:
        """Return the light; half of its range is bright, as where Foundry imports such a file."""
        if not isinstance(value, dict):
            return None
        position = self._position(value.get("position"))
        reach = value.get("range", 0)
        intensity = value.get("intensity", 1)
        if position is None or not is_number(reach) or not is_number(intensity) or reach < 0:
            return None
        colour = str(value.get("color"))[-6:]
        return Light(
            *position,
            dim=float(reach),
            bright=reach / 2,
            colour=f"#{colour}" if re.fullmatch(COLOUR, f"#{colour}") else "",
            intensity=float(intensity),
            shadows=value.get("shadows") is not False,
        )

    def _position(self, point: object) -> tuple[float, float] | None:
        if not isinstance(point, dict):
            return None
        x = point.get("x")
        y = point.get("y")
        if not is_number(x) or not is_number(y):
            return None
        return self.frame.position(x * self.pixels, y * self.pixels)

    def line(self, wall: Wall) -> list[dict[str, float]]:
        """Return the points of a wall."""
        return [self._point(x, y) for x, y in wall.points]

    def portal(self, wall: Wall) -> dict[str, Any]:
        """Return the portal of a door, from the first point of its line to the last."""
        bounds = self.line(wall)
        start = bounds[0]
        end = bounds[-1]
        right = end["x"] - start["x"]
        down = end["y"] - start["y"]
        return {
            "position": {"x": start["x"] + right / 2, "y": start["y"] + down / 2},
            "bounds": [start, end],
            "rotation": round(math.atan2(down, right), 6),
            "closed": wall.state != "open",
            "freestanding": wall.freestanding,
        }

    def light(self, light: Light) -> dict[str, Any]:
        """Return the light as the file has it."""
        return {
            "position": self._point(light.x, light.y),
            "range": max(light.dim, light.bright),
            "intensity": light.intensity,
            "color": f"ff{light.colour[1:] or 'ffffff'}".lower(),
            "shadows": light.shadows,
        }

    def _point(self, x: float, y: float) -> dict[str, float]:
        right, down = self.frame.pixel(x, y)
        return {"x": round(right / self.pixels, 6), "y": round(down / self.pixels, 6)}


CODEC = UvttCodec()
