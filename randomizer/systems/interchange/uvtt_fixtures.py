"""Walls, doors and lights of Universal VTT: entries of a file to fixtures of a map, and back.

    converter = FixtureConverter(frame, pixels=70) converter.read_wall([{"x": 2, "y": 3}, {"x": 4,
    "y": 3}])      # a Wall along two points converter.write_portal(door)
    # the entry of ``portals`` for a door

A file has positions in squares, our map has them in map units; between them are the pixels of the
picture. Walls of ours are written in one of three ways, or not at all::

    a door                              an entry of ``portals``
    all else that blocks something      a line of ``line_of_sight``; or one of
                                        ``objects_line_of_sight``, if its sight is "limited"
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from randomizer.model.fixtures import Blocking, Door, DoorState, Light, Wall
from randomizer.model.settings.setting import COLOUR
from randomizer.systems.interchange.virtual_table.document import is_number
from randomizer.systems.interchange.virtual_table.frame import Frame

_DECIMALS = 6
"""The decimals of positions and angles in a file: a millionth of a square, or of a radian."""


def is_portal(wall: Wall) -> bool:
    """Return whether a wall is written as a portal. Secret doors are written as lines."""
    return wall.door is Door.DOOR


def is_line(wall: Wall) -> bool:
    """Return whether a wall is written as a line; those that block nothing are not written."""
    blocks_nothing = wall.sight is Blocking.NONE and wall.light is Blocking.NONE
    return not is_portal(wall) and not blocks_nothing


class FixtureConverter(NamedTuple):
    """Converts fixtures from the squares of a file to positions on the map, and back.

    A fixture of a file that cannot be read is None.
    """

    frame: Frame
    """The position and size of the map in the file's picture."""
    pixels: float
    """The size of a square in pixels."""

    def read_wall(self, line: object) -> Wall | None:
        """Return the wall along a list of points."""
        points = list_of(line)
        if len(points) < 2:  # a point has no length
            return None
        coordinates: list[float] = []
        for point in points:
            position = self._position(point)
            if position is None:
                return None
            coordinates += position
        return Wall(tuple(coordinates))

    def read_door(self, portal: object) -> Wall | None:
        """Return the door of a portal; one without bounds is a square wide."""
        if not isinstance(portal, dict):
            return None
        wall = self.read_wall(portal.get("bounds"))
        if wall is None:
            wall = self._wall_through_middle(portal)
        if wall is None or len(wall.points) != 2:  # a door goes straight from end to end
            return None
        state = DoorState.CLOSED
        if portal.get("closed") is False:
            state = DoorState.OPEN
        is_freestanding = portal.get("freestanding") is True
        return wall._replace(door=Door.DOOR, state=state, freestanding=is_freestanding)

    def _wall_through_middle(self, portal: Mapping[str, Any]) -> Wall | None:
        """Return a wall of the width of a square through a portal's position, at its angle."""
        middle = self._position(portal.get("position"))
        rotation = portal.get("rotation", 0)
        if middle is None or not is_number(rotation):
            return None
        half_square = self.pixels / self.frame.unit / 2  # in map units
        offset_x = half_square * math.cos(rotation)
        offset_y = half_square * math.sin(rotation)
        x, y = middle
        return Wall((x - offset_x, y - offset_y, x + offset_x, y + offset_y))

    def read_light(self, value: object) -> Light | None:
        """Return the light; half of its range is bright, as where Foundry imports such a file."""
        if not isinstance(value, dict):
            return None
        position = self._position(value.get("position"))
        reach = value.get("range", 0)
        intensity = value.get("intensity", 1)
        if position is None or not is_number(reach) or not is_number(intensity) or reach < 0:
            return None
        # The file has "aarrggbb"; a colour that is none becomes "".
        colour = "#" + str(value.get("color"))[-6:]
        if not re.fullmatch(COLOUR, colour):
            colour = ""
        return Light(
            *position,
            dim=float(reach),  # in squares, as ``Light.dim`` is in cells
            bright=reach / 2,
            colour=colour,
            intensity=float(intensity),
            shadows=value.get("shadows") is not False,
        )

    def _position(self, point: object) -> tuple[float, float] | None:
        """Return the position on the map of a point of the file."""
        if not isinstance(point, dict):
            return None
        x = point.get("x")
        y = point.get("y")
        if not is_number(x) or not is_number(y):
            return None
        return self.frame.position(x * self.pixels, y * self.pixels)

    def write_line(self, wall: Wall) -> list[dict[str, float]]:
        """Return the points of a wall."""
        return [self._point(x, y) for x, y in wall.points]

    def write_portal(self, wall: Wall) -> dict[str, Any]:
        """Return the portal of a door, from the first point of its line to the last."""
        bounds = self.write_line(wall)
        start = bounds[0]
        end = bounds[-1]
        right = end["x"] - start["x"]
        down = end["y"] - start["y"]
        return {
            "position": {"x": start["x"] + right / 2, "y": start["y"] + down / 2},
            "bounds": [start, end],
            "rotation": round(math.atan2(down, right), _DECIMALS),
            "closed": wall.state is not DoorState.OPEN,
            "freestanding": wall.freestanding,
        }

    def write_light(self, light: Light) -> dict[str, Any]:
        """Return the entry of a light; one without a colour is white."""
        rgb = light.colour.removeprefix("#") or "ffffff"
        return {
            "position": self._point(light.x, light.y),
            "range": max(light.dim, light.bright),
            "intensity": light.intensity,
            "color": f"ff{rgb}".lower(),
            "shadows": light.shadows,
        }

    def _point(self, x: float, y: float) -> dict[str, float]:
        """Return the point of the file at a position on the map."""
        right, down = self.frame.pixel(x, y)
        return {
            "x": round(right / self.pixels, _DECIMALS),
            "y": round(down / self.pixels, _DECIMALS),
        }


def list_of(value: object) -> list[Any]:
    """Return a value of JSON that should be a list; [] if it is none."""
    if isinstance(value, list):
        return value
    return []
