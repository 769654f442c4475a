"""The format ``uvtt``: Universal VTT, a picture with the lines that block sight.

A file is JSON::

    {"format": 0.3,
     "resolution": {"map_origin": {"x": 0, "y": 0}, "map_size": {"x": 20, "y": 15},
                    "pixels_per_grid": 70},
     "line_of_sight": [[{"x": 2, "y": 3}, {"x": 4, "y": 3}], ...],       lines along walls
     "objects_line_of_sight": [...], "portals": [...], "lights": [...],
     "image": "iVBORw0KGgo...",                                          the picture, in base64
     "battlelands": {"map": "UEsDBBQ...", "drew": true, "lines": 12}}    ours (``OUR_KEY``)

Positions are in squares and count from a corner that the file names (``map_origin``). The map that
is read is the one in our entry, or else an empty one of squares.

The last lines of ``line_of_sight``, as many as our entry says (``lines``), follow from terrains and
hexsides of our map. All others, the portals (doors) and the lights are the *fixtures* of the map,
and stay in the file as they are. ``objects_line_of_sight`` are the outlines of objects such as
trees: a table shows the object, but nothing behind it. Here these are walls whose sight is
"limited".
"""

from __future__ import annotations

import math
from base64 import b64decode, b64encode
from collections import Counter
from typing import Any, NamedTuple

from randomizer.model.basics.plurals import counted
from randomizer.model.fixtures import Blocking, DoorState, Fixtures, Wall
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.systems.free.system import MAX_CELLS
from randomizer.systems.interchange.foreign.faults import warning
from randomizer.systems.interchange.foreign.new_map import check_size
from randomizer.systems.interchange.uvtt_fixtures import (
    FixtureConverter,
    is_line,
    is_portal,
    list_of,
)
from randomizer.systems.interchange.virtual_table.codec import TableCodec
from randomizer.systems.interchange.virtual_table.document import OUR_KEY, Document
from randomizer.systems.interchange.virtual_table.frame import (
    Box,
    Frame,
    PlacedGrid,
    drawn_picture_of,
)
from randomizer.systems.interchange.virtual_table.table_format import (
    FileContent,
    PictureFile,
    ReadFixtures,
)

_NEW_DOCUMENT = {
    "format": 0.3,
    "objects_line_of_sight": list[Any](),
    "portals": list[Any](),
    "environment": {"baked_lighting": True, "ambient_light": "ffffffff"},
    "lights": list[Any](),
    "software": "Battlelands Builder",
}
"""The values of a new file, without those that depend on the map."""

_SIZE_TOLERANCE = 0.01
"""The part of a square by which a map can be larger without getting a further square.

Programs round sizes. It also is the size of the smallest map, in squares.
"""


class UvttCodec(TableCodec):
    """Reads and writes Universal VTT."""

    program = "Universal VTT"
    suffix = ".uvtt"
    path_to_pixels = ("resolution", "pixels_per_grid")
    loading_steps = "{stem}.uvtt holds the picture, the grid and the lines that block sight.\n"
    hint_on_hexes = "Universal VTT knows no hexes: tables lay squares over the picture"
    holds_picture = True

    def grid_of(self, document: Document) -> PlacedGrid:
        """Return the grid of a file, and its position in pixels."""
        squares_across = _resolution_number(document, "map_size", "x", least=_SIZE_TOLERANCE)
        squares_down = _resolution_number(document, "map_size", "y", least=_SIZE_TOLERANCE)
        width = math.ceil(squares_across - _SIZE_TOLERANCE)
        height = math.ceil(squares_down - _SIZE_TOLERANCE)
        check_size(width, height)

        pixels = _resolution_number(document, "pixels_per_grid", least=1)
        left = _resolution_number(document, "map_origin", "x", least=-MAX_CELLS, usual=0)
        top = _resolution_number(document, "map_origin", "y", least=-MAX_CELLS, usual=0)
        # The origin of map units is the middle of the first cell.
        frame = Frame(pixels, (left + 0.5) * pixels, (top + 0.5) * pixels)
        box = Box(left * pixels, top * pixels, squares_across * pixels, squares_down * pixels)
        return PlacedGrid(Grid(SQUARE, width, height), frame, box)

    def read_picture(self, document: Document, problems: list[Problem]) -> PictureFile | None:
        """Return the picture in a file; None without one."""
        base64 = document.value.get("image") or ""  # null is no picture either
        try:
            data = b64decode(base64, validate=True)
        except (TypeError, ValueError):
            problems.append(warning("the picture in this file is damaged"))
            return None
        if data:
            return PictureFile("picture", data)
        return None

    def compose_value(self, battlemap: BattleMap, content: FileContent) -> dict[str, Any]:
        """Return the file of a map: the former one with what changed, or a new one."""
        kept_file = content.kept_file
        if kept_file is None:
            document = dict(_NEW_DOCUMENT)
            document["image"] = b64encode(content.export.picture).decode()
        else:
            document = dict(kept_file.document.value)
        if kept_file is None or content.has_our_picture:
            pixels: float = content.export.pixels
            document["resolution"] = _new_resolution(battlemap.grid, pixels)
        else:
            # The picture is not ours: its squares stay as large as they are.
            pixels = kept_file.document.at(*self.path_to_pixels)

        # Fixtures that nobody has changed stay in the file as they are.
        if kept_file is not None and kept_file.has_same_fixtures:
            fixture_lines = _foreign_lines(kept_file.document)
        else:
            converter = FixtureConverter(content.frame, pixels)
            fixture_lines = _fixture_lines(content.fixtures, converter)
            document.update(_other_fixtures(content.fixtures, converter))

        # Lines where terrains of the map block sight are made anew.
        lines_of_map = []
        for line in content.terrain_walls(battlemap):
            lines_of_map.append([{"x": x / pixels, "y": y / pixels} for x, y in line])
        # Our lines come last, since ``_foreign_lines`` takes the others from the front.
        document["line_of_sight"] = [*fixture_lines, *lines_of_map]
        document[OUR_KEY] = {**content.own_entries, "lines": len(lines_of_map)}
        return document

    def read_fixtures(self, document: Document, frame: Frame) -> ReadFixtures:
        """Return the fixtures of a file."""
        pixels = document.number(*self.path_to_pixels, least=1, most=MAX_CELLS)
        converter = FixtureConverter(frame, pixels)
        walls = [converter.read_wall(line) for line in _foreign_lines(document)]
        for line in _list(document, "objects_line_of_sight"):
            wall = converter.read_wall(line)
            if wall is not None:
                wall = wall._replace(sight=Blocking.LIMITED, light=Blocking.LIMITED)
            walls.append(wall)
        walls += [converter.read_door(portal) for portal in _list(document, "portals")]
        lights = [converter.read_light(entry) for entry in _list(document, "lights")]
        fixtures = Fixtures(
            tuple(wall for wall in walls if wall is not None),
            tuple(light for light in lights if light is not None),
        )
        unreadable_count = walls.count(None) + lights.count(None)
        return ReadFixtures(fixtures, unreadable_count)

    def describe_fixture_losses(self, fixtures: Fixtures) -> list[str]:
        """Return a sentence for each property of fixtures that the format cannot hold."""
        # All walls are written as portals, which are doors, or as lines, or not at all.
        lights = fixtures.lights
        doors = [wall for wall in fixtures.walls if is_portal(wall)]
        lines = [wall for wall in fixtures.walls if is_line(wall)]
        written_walls = [*doors, *lines]
        secret_doors = [wall for wall in lines if wall.door]
        walls_by_distance = [wall for wall in lines if _blocks_by_distance(wall)]
        one_way_walls = [wall for wall in written_walls if wall.way]
        locked_doors = [wall for wall in doors if wall.state is DoorState.LOCKED]
        lights_off = [light for light in lights if light.hidden]
        lights_with_angle = [light for light in lights if light.angle < 360 and not light.hidden]
        losses = [
            _Loss(
                number=len(secret_doors),
                one="secret door becomes a wall",
                several="secret doors become walls",
            ),
            _Loss(
                number=len(fixtures.walls) - len(written_walls),
                one="wall that blocks neither sight nor light: not written",
                several="walls that block neither sight nor light: not written",
            ),
            _Loss(
                number=len(walls_by_distance),
                one="wall that blocks by distance blocks all",
                several="walls that block by distance block all",
            ),
            _Loss(
                number=len(one_way_walls),
                one="one-way wall blocks both ways",
                several="one-way walls block both ways",
            ),
            _Loss(
                number=len(locked_doors),
                one="locked door is only closed",
                several="locked doors are only closed",
            ),
            _Loss(
                number=len(lights_off),
                one="light that is switched off: not written",
                several="lights that are switched off: not written",
            ),
            _Loss(
                number=len(lights_with_angle),
                one="light with an angle shines all around",
                several="lights with an angle shine all around",
            ),
        ]
        return [counted(loss.number, loss.one, loss.several) for loss in losses if loss.number]

    def count_fixtures(self, value: dict[str, Any]) -> Counter[str]:
        """Return the number of walls, doors and lights in the JSON object of a file."""
        counts = Counter[str]()
        for name in ("line_of_sight", "objects_line_of_sight"):
            for line in list_of(value.get(name)):
                # A line of n points has n - 1 walls.
                counts["wall"] += max(0, len(list_of(line)) - 1)
        counts["door"] = len(list_of(value.get("portals")))
        counts["light"] = len(list_of(value.get("lights")))
        return counts


class _Loss(NamedTuple):
    """A property of fixtures that the format cannot hold."""

    number: int
    """The number of fixtures that lose it."""
    one: str
    """The end of a sentence on a single one, which begins with "1 "."""
    several: str
    """The end of a sentence on several, which begins with their number."""


def _resolution_number(
    document: Document, *path: str, least: float, usual: float | None = None
) -> float:
    """Return a number in the entry ``resolution`` of a file, at most ``MAX_CELLS``.

    ``usual`` stands for a missing number. Raises ProblemError as ``Document.number`` does.
    """
    return document.number("resolution", *path, least=least, most=MAX_CELLS, usual=usual)


def _new_resolution(grid: Grid, pixels: float) -> dict[str, Any]:
    """Return the entry ``resolution`` for a picture of ours, with ``pixels`` for a square."""
    picture = drawn_picture_of(grid, pixels)
    return {
        "map_origin": {"x": 0, "y": 0},
        "map_size": {"x": picture.width / pixels, "y": picture.height / pixels},
        "pixels_per_grid": pixels,
    }


def _fixture_lines(fixtures: Fixtures, converter: FixtureConverter) -> list[Any]:
    """Return the walls that block sight from anywhere, as entries of ``line_of_sight``."""
    return [
        converter.write_line(wall)
        for wall in fixtures.walls
        if is_line(wall) and wall.sight is not Blocking.LIMITED
    ]


def _other_fixtures(fixtures: Fixtures, converter: FixtureConverter) -> dict[str, list[Any]]:
    """Return the lists of a file for all fixtures but those in ``line_of_sight``, by name."""
    walls = fixtures.walls
    objects = [wall for wall in walls if is_line(wall) and wall.sight is Blocking.LIMITED]
    return {
        "objects_line_of_sight": [converter.write_line(wall) for wall in objects],
        "portals": [converter.write_portal(wall) for wall in walls if is_portal(wall)],
        "lights": [converter.write_light(light) for light in fixtures.lights if not light.hidden],
    }


def _foreign_lines(document: Document) -> list[Any]:
    """Return the lines of a file but the last ones, which were made from our map."""
    lines = _list(document, "line_of_sight")
    count = document.own_entries.get("lines")
    if not isinstance(count, int):
        return lines
    return lines[: max(0, len(lines) - count)]


def _list(document: Document, name: str) -> list[Any]:
    """Return the list of this name in a file, [] where there is none."""
    return list_of(document.at(name))


def _blocks_by_distance(wall: Wall) -> bool:
    """Return whether a wall blocks sight or light only from near or only from afar."""
    return not {Blocking.PROXIMITY, Blocking.DISTANCE}.isdisjoint({wall.sight, wall.light})


CODEC = UvttCodec()
