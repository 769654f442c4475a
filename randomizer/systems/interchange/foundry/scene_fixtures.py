"""Walls, doors and lights of a scene of Foundry, as fixtures of a map and back.

``Scale`` converts single ones for ``FoundryCodec``: ``wall_of`` and ``light_of`` read, ``walls``
and ``light`` write. Our fixtures are in map units, Foundry's in pixels, and the reach of its lights
in the unit of the scene, such as feet.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeVar

from randomizer.model.fixtures import DIGITS, DOORS, STATES, Light, Wall
from randomizer.model.settings.setting import COLOUR
from randomizer.model.system.cell_width import CellWidth
from randomizer.systems.interchange.virtual_table.document import is_number
from randomizer.systems.interchange.virtual_table.frame import Frame

Choice = TypeVar("Choice")

_SENSE_CODES = {"none": 0, "limited": 10, "normal": 20, "proximity": 30, "distance": 40}
"""The codes of Foundry for how a wall blocks a sense, by our words for it."""

_SENSES = {code: sense for sense, code in _SENSE_CODES.items()}
"""Our words for how a wall blocks a sense, by Foundry's codes."""

_NO_MOVES = 20
"""The value of ``move`` of a wall that nobody walks through."""

_USUAL_ALPHA = 0.5
"""The alpha of a light of the usual intensity."""


class Scale(NamedTuple):
    """The scale of a scene, by which its walls and lights are converted to ours and back."""

    frame: Frame
    """The position of the map in the scene."""
    distance: float
    """The width of a cell in the scene's units, such as feet."""

    def wall_of(self, value: dict[str, Any]) -> Wall | None:
        """Return the wall of a scene as ours, None for one that cannot be read."""
        corners = value.get("c")
        if not isinstance(corners, list) or len(corners) != 4 or not all(map(is_number, corners)):
            return None
        line = (*self.frame.position(*corners[:2]), *self.frame.position(*corners[2:]))
        return Wall(
            line,
            move=value.get("move", _NO_MOVES) != 0,
            sight=_sense(value, "sight"),
            light=_sense(value, "light"),
            sound=_sense(value, "sound"),
            way=_choice(value, "dir", (0, 1, 2)),
            door=_choice(value, "door", DOORS),
            state=_choice(value, "ds", STATES),
        )

    def light_of(self, value: dict[str, Any]) -> Light | None:
        """Return the light of a scene as ours, None for one that cannot be read.

        Before version 9 its values stood in the light itself, not in its ``config``.
        """
        x = value.get("x")
        y = value.get("y")
        if not is_number(x) or not is_number(y):
            return None
        config = value.get("config")
        if not isinstance(config, dict):
            tint = {"color": value.get("tintColor"), "alpha": value.get("tintAlpha")}
            config = {**value, **tint}
        usual_numbers = {"dim": 0, "bright": 0, "angle": 360, "alpha": _USUAL_ALPHA}
        numbers = dict[str, float]()
        for name, usual_number in usual_numbers.items():
            numbers[name] = _number(config.get(name), usual_number)
        colour = str(config.get("color"))
        if not re.fullmatch(COLOUR, colour):
            colour = ""
        return Light(
            *self.frame.position(x, y),
            dim=abs(numbers["dim"]) / self.distance,
            bright=abs(numbers["bright"]) / self.distance,
            colour=colour,
            intensity=numbers["alpha"] / _USUAL_ALPHA,
            angle=numbers["angle"] or 360.0,  # a full circle is 0 or 360
            turn=_number(value.get("rotation"), 0),
            shadows=value.get("walls") is not False,
            hidden=value.get("hidden") is True,
        )

    def walls(self, wall: Wall, start: int) -> Iterator[dict[str, Any]]:
        """Yield a wall of ours, which is a polyline, as the straight walls of a scene.

        ``start`` is the number of the first one, for its id.
        """
        for number, (begin, end) in enumerate(pairwise(wall.points), start):
            corners = (*self.frame.pixel(*begin), *self.frame.pixel(*end))
            if wall.move:
                move = _NO_MOVES
            else:
                move = 0
            yield {
                "_id": f"blfixt{number:010}",
                "c": [round(corner) for corner in corners],
                "move": move,
                "sight": _SENSE_CODES[wall.sight],
                "light": _SENSE_CODES[wall.light],
                "sound": _SENSE_CODES[wall.sound],
                "dir": wall.way,
                "door": DOORS.index(wall.door),
                "ds": STATES.index(wall.state),
            }

    def light(self, light: Light, number: int) -> dict[str, Any]:
        """Return a light of ours as a scene has it; its ``number`` among them makes its id."""
        x, y = self.frame.pixel(light.x, light.y)
        return {
            "_id": f"bllamp{number:010}",
            "x": round(x),
            "y": round(y),
            "rotation": light.turn,
            "walls": light.shadows,
            "vision": False,
            "hidden": light.hidden,
            "config": {
                "dim": round(light.dim * self.distance, DIGITS),
                "bright": round(light.bright * self.distance, DIGITS),
                "color": light.colour or None,
                "alpha": min(1.0, max(0.0, light.intensity * _USUAL_ALPHA)),
                "angle": light.angle,
            },
        }


def _sense(value: dict[str, Any], name: str) -> str:
    """Return how a wall blocks a sense, such as "sight"; "normal" for a code that is not known."""
    code = value.get(name)
    if isinstance(code, int):
        return _SENSES.get(code, "normal")
    return "normal"


def _choice(value: dict[str, Any], name: str, choices: Sequence[Choice]) -> Choice:
    """Return the choice of this number, the first one for anything else."""
    number = value.get(name)
    if isinstance(number, int) and 0 <= number < len(choices):
        return choices[number]
    return choices[0]


def _number(value: object, usual: float) -> float:
    """Return a value of JSON as a number, ``usual`` if it is none."""
    if is_number(value):
        return float(value)
    return usual


def cell_distance(scene: Mapping[str, Any]) -> float:
    """Return the width of a cell in the units of a scene."""
    grid = scene.get("grid")
    if isinstance(grid, dict):
        distance = grid.get("distance")
    else:
        distance = scene.get("gridDistance")
    return abs(_number(distance, 1)) or 1.0  # it divides


def distance_entries(width: CellWidth | None) -> dict[str, Any]:
    """Return the entries of a scene's grid for the width of a cell; 1 without a unit for None."""
    if width is None:
        return {"distance": 1, "units": ""}
    return {"distance": width.length, "units": width.unit}
