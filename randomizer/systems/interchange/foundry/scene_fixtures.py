"""Converts walls, doors and lights of a Foundry scene to fixtures of a map, and back.

    converter = FixtureConverter(frame, cell_distance(scene))
    wall = converter.read_wall({"c": [0, 0, 100, 0], "door": 1})   # a ``Wall``, or None
    entries = list(converter.wall_entries(wall, first_number=0))   # the walls of a scene, as JSON

A *scene* is a map in Foundry's files, a JSON object. A *fixture* is a wall or a light of our maps:
it has its position in map units, and the reach of a light in cells. A scene has positions in
pixels, and the reach of a light in the unit of the scene, such as feet. A door is a wall with a
value of ``door`` (``fixtures.Door``).

Scenes come from other people: an entry that is missing or damaged gets the value that Foundry
gives to a new wall or light.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from randomizer.model.fixtures import BlockedWay, Blocking, Door, DoorState, Light, Wall
from randomizer.model.fixtures_record import DIGITS
from randomizer.model.settings.setting import COLOUR
from randomizer.model.system.cell_width import CellWidth
from randomizer.systems.interchange.virtual_table.document import is_number
from randomizer.systems.interchange.virtual_table.frame import Frame

Choice = TypeVar("Choice")

_BLOCKING_CODES = {
    Blocking.NONE: 0,
    Blocking.LIMITED: 10,
    Blocking.NORMAL: 20,
    Blocking.PROXIMITY: 30,
    Blocking.DISTANCE: 40,
}
"""The codes of Foundry for how a wall blocks a sense."""

_BLOCKING_OF_CODE = {code: blocking for blocking, code in _BLOCKING_CODES.items()}
"""How a wall blocks a sense, by Foundry's codes."""

_DOORS = (Door.NO_DOOR, Door.DOOR, Door.SECRET)
"""The doors by Foundry's codes, from 0 on."""

_DOOR_STATES = (DoorState.CLOSED, DoorState.OPEN, DoorState.LOCKED)
"""The states of doors by Foundry's codes, from 0 on."""

_WAYS = (BlockedWay.BOTH, BlockedWay.FROM_LEFT, BlockedWay.FROM_RIGHT)
"""The sides from which walls block, by Foundry's codes, from 0 on."""

_BLOCKS_MOVES = 20
"""The value of ``move`` of a wall that nobody walks through."""

_USUAL_ALPHA = 0.5
"""The value of ``alpha`` of a light whose intensity here is 1."""

_FULL_CIRCLE = 360
"""The degrees that a light shines around, unless its entry says otherwise."""

# Foundry wants ids of 16 letters and digits. Ours are six letters, "bl" for the program and four
# for what it is, and the number of the entry in ten digits.

_WALL_ID = "blfixt{:010}"
"""The ids of walls that we write, by their numbers."""

_LIGHT_ID = "bllamp{:010}"
"""The ids of lights that we write, by their numbers."""


class FixtureConverter(NamedTuple):
    """Converts the walls and lights of one scene, by its position and its units."""

    frame: Frame
    """The position of the map in the scene."""
    distance: float
    """The width of a cell in the scene's units, such as feet."""

    def read_wall(self, value: dict[str, Any]) -> Wall | None:
        """Return the fixture of a scene's wall, None if its corners are missing or damaged."""
        corners = value.get("c")
        if not isinstance(corners, list) or len(corners) != 4 or not all(map(is_number, corners)):
            return None
        start_x, start_y, end_x, end_y = corners
        start = self.frame.position(start_x, start_y)
        end = self.frame.position(end_x, end_y)
        return Wall(
            (*start, *end),
            move=value.get("move", _BLOCKS_MOVES) != 0,
            sight=_blocking(value, "sight"),
            light=_blocking(value, "light"),
            sound=_blocking(value, "sound"),
            way=_choice(value, "dir", _WAYS),
            door=_choice(value, "door", _DOORS),
            state=_choice(value, "ds", _DOOR_STATES),
        )

    def read_light(self, value: dict[str, Any]) -> Light | None:
        """Return the fixture of a scene's light, None if its position is missing or damaged.

        The look of a light is an object ``config`` since version 9; before that its values stood
        in the light itself, those of the colour under other names.
        """
        x = value.get("x")
        y = value.get("y")
        if not is_number(x) or not is_number(y):
            return None
        config = value.get("config")
        if not isinstance(config, dict):
            tint = {"color": value.get("tintColor"), "alpha": value.get("tintAlpha")}
            config = {**value, **tint}
        dim = _number(config.get("dim"), 0)
        bright = _number(config.get("bright"), 0)
        angle = _number(config.get("angle"), _FULL_CIRCLE)
        alpha = _number(config.get("alpha"), _USUAL_ALPHA)
        colour = str(config.get("color"))
        if not re.fullmatch(COLOUR, colour):
            colour = ""
        return Light(
            *self.frame.position(x, y),
            dim=abs(dim) / self.distance,
            bright=abs(bright) / self.distance,
            colour=colour,
            intensity=alpha / _USUAL_ALPHA,
            angle=angle or float(_FULL_CIRCLE),  # in a scene 0 means a full circle, too
            turn=_number(value.get("rotation"), 0),
            shadows=value.get("walls") is not False,
            hidden=value.get("hidden") is True,
        )

    def wall_entries(self, wall: Wall, first_number: int) -> Iterator[dict[str, Any]]:
        """Yield the entries of a scene for a wall: one for each straight piece of its line.

        ``first_number`` is that of the first one among the walls of the scene; the others count on
        from it. Ids are made from these numbers.
        """
        for number, (start, end) in enumerate(pairwise(wall.points), first_number):
            corners = (*self.frame.pixel(*start), *self.frame.pixel(*end))
            move = 0
            if wall.move:
                move = _BLOCKS_MOVES
            yield {
                "_id": _WALL_ID.format(number),
                "c": [round(corner) for corner in corners],
                "move": move,
                "sight": _BLOCKING_CODES[wall.sight],
                "light": _BLOCKING_CODES[wall.light],
                "sound": _BLOCKING_CODES[wall.sound],
                "dir": _WAYS.index(wall.way),
                "door": _DOORS.index(wall.door),
                "ds": _DOOR_STATES.index(wall.state),
            }

    def light_entry(self, light: Light, number: int) -> dict[str, Any]:
        """Return the entry of a scene for a light; its id is made from ``number``."""
        x, y = self.frame.pixel(light.x, light.y)
        return {
            "_id": _LIGHT_ID.format(number),
            "x": round(x),
            "y": round(y),
            "rotation": light.turn,
            "walls": light.shadows,
            "vision": False,  # it lights the map, but nobody sees through it
            "hidden": light.hidden,
            "config": {
                "dim": round(light.dim * self.distance, DIGITS),
                "bright": round(light.bright * self.distance, DIGITS),
                "color": light.colour or None,
                "alpha": min(1.0, max(0.0, light.intensity * _USUAL_ALPHA)),
                "angle": light.angle,
            },
        }


def _blocking(value: dict[str, Any], name: str) -> Blocking:
    """Return how a wall blocks the sense ``name``, such as "sight".

    A wall without a code for it, or with an unknown one, blocks it as walls usually do.
    """
    code = value.get(name)
    if isinstance(code, int):
        return _BLOCKING_OF_CODE.get(code, Blocking.NORMAL)
    return Blocking.NORMAL


def _choice(value: dict[str, Any], name: str, choices: Sequence[Choice]) -> Choice:
    """Return the choice whose index is the entry ``name``; the first one for a damaged entry."""
    number = value.get(name)
    if isinstance(number, int) and 0 <= number < len(choices):
        return choices[number]
    return choices[0]


def _number(value: object, usual: float) -> float:
    """Return a value of JSON that is a number, ``usual`` for all other values."""
    if is_number(value):
        return float(value)
    return usual


def cell_distance(scene: Mapping[str, Any]) -> float:
    """Return the width of a cell in the units of a scene, more than 0.

    A scene without a usable width has 1. Before version 10 the width stood in ``gridDistance``.
    """
    grid = scene.get("grid")
    if isinstance(grid, dict):
        distance = grid.get("distance")
    else:
        distance = scene.get("gridDistance")
    return abs(_number(distance, 1)) or 1.0  # not 0: the reach of lights is divided by it


def distance_entries(width: CellWidth | None) -> dict[str, Any]:
    """Return the entries of a scene's grid for the width of a cell.

    A map without a width (None) gets cells that are 1 wide, without a unit.
    """
    if width is None:
        return {"distance": 1, "units": ""}
    return {"distance": width.length, "units": width.unit}
