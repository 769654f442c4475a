"""The format ``foundry``: scenes of Foundry Virtual Tabletop, versions 9 to 14.

Scenes are written as version 12 has them, which later ones read. What lies on a scene counts from
the corner of its padding. There a grid of hexes begins with a whole one if its type is *even* (3
and 5), with half of one if it is *odd* (2 and 4). The size of hexes is that from flat to flat; in
version 9, and with ``legacyHex``, that from corner to corner. Notes are things here; tiles, tokens
and the rest stay in the file. A column (of rows: a row) that begins lower than the next one has a
masked one before it. Walls, doors and lights that are not ours are the fixtures of the map.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, NamedTuple, TypeVar

import numpy as np

from randomizer.model.basics.texts import clean_line
from randomizer.model.fixtures import DIGITS, DOORS, STATES, Fixtures, Light, Wall
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, HALF3, POINTY, ROOT3, SQUARE, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import notes_of
from randomizer.model.problems import Problem
from randomizer.model.settings.setting import COLOUR
from randomizer.model.system.cell_width import CellWidth
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.free.things import NOTE
from randomizer.systems.interchange.foreign.new_map import check_size
from randomizer.systems.interchange.virtual_table import (
    GRIDS,
    OWN,
    PICTURES,
    Box,
    Document,
    Frame,
    Output,
    TableCodec,
    frame_of,
    grid_type,
    is_number,
)

Choice = TypeVar("Choice")

NOTE_ID = "foundry"
"""The entry of a note's state that is its id in the scene."""

NEAR = 0.01
"""The distance, in cells, up to which the centre of a cell may lie beyond the edge of a scene.

Tables round sizes to pixels. With a larger distance a scene gets cells that it does not show.
"""

MOST_SIDE = 1e6
"""The largest width or height of a scene in pixels."""

_NEW = {
    "navigation": True,
    "padding": 0,
    "backgroundColor": "#999999",
    "tokenVision": True,
    **{name: list[Any]() for name in ("drawings", "tokens", "lights", "sounds", "tiles")},
    "_stats": {"coreVersion": "12.331"},
}
_NEW_GRID = {"style": "solidLines", "thickness": 1, "color": "#000000", "alpha": 0.2}
_PIN = {"entryId": None, "texture": {"src": "icons/svg/book.svg"}, "iconSize": 40}
_SIGHT_WALL = {"move": 0, "sight": 20, "light": 20, "sound": 0, "dir": 0, "door": 0, "ds": 0}
"""A wall around a terrain or along a hexside: it blocks sight and light, and stops nobody."""

_SENSE_CODES = {"none": 0, "limited": 10, "normal": 20, "proximity": 30, "distance": 40}
_SENSES = {code: sense for sense, code in _SENSE_CODES.items()}
_MOVES = 20
"""The value of ``move`` of a wall that nobody walks through."""

_USUAL_ALPHA = 0.5
"""The alpha of a light of the usual intensity."""

_OTHERS = {
    "drawings": "drawing",
    "tokens": "token",
    "sounds": "sound",
    "tiles": "tile",
    "regions": "region of the scene",
    "templates": "template",
}
"""The lists of a scene that have no place on a map, and what one item of each is called."""


class FoundryCodec(TableCodec):
    """Reads and writes scenes."""

    program = "Foundry"
    suffix = ".json"
    pixels = ("grid", "size")
    steps = (
        "Put {stem}.png into the data folder of Foundry as: {path}\n"
        "Then make a scene there, and import the data of {stem}.json into it.\n"
    )

    def grid_of(self, document: Document) -> tuple[Grid, Frame, Box]:
        """Return the grid of a scene, its frame in pixels, and the box of the scene in it.

        The grid has the cells whose centres lie in the box, in the rectangle around them.
        """
        scene_grid = _scene_grid(document)
        width = document.number("width", least=1, most=MOST_SIDE)
        height = document.number("height", least=1, most=MOST_SIDE)
        left, top = _corner_of_scene(document, scene_grid, width, height)
        start_x, start_y = _centre_of_first_cell(scene_grid, left, top)
        columns = _cells_up_to(left + width, start_x, scene_grid.step_x)
        rows = _cells_up_to(top + height, start_y, scene_grid.step_y)
        check_size(columns, rows)
        layout = scene_grid.layout
        centres = Grid(layout, columns, rows).centres() * scene_grid.unit + (start_x, start_y)
        beyond_start = np.array((left, top)) - centres
        beyond_end = centres - (left + width, top + height)
        distances_beyond = np.maximum(beyond_start, beyond_end)
        is_inside = (distances_beyond <= NEAR * scene_grid.size).all(axis=1)
        check_size(int(is_inside.sum()), 1)
        mask = None if is_inside.all() else is_inside.reshape(rows, columns)
        grid = Grid(layout, columns, rows, mask)
        return grid, Frame(scene_grid.unit, start_x, start_y), (left, top, width, height)

    def picture_in(self, document: Document, problems: list[Problem]) -> tuple[str, bytes] | None:
        """Return the name and bytes of the picture of a scene, beside it or given."""
        level = (document.items("levels") or [document.value])[0].get("background")
        if isinstance(level, dict):
            name = level.get("src")
        else:
            name = document.at("img")
        if not isinstance(name, str) or not name:
            return None
        data = document.source.beside(name, PICTURES, problems)
        if data is None:
            return None
        return (clean_line(name)[-100:], data)

    def add_things(self, document: Document, battlemap: BattleMap, frame: Frame) -> None:
        """Place the notes of the scene that a free map lacks, in its topmost visible layer."""
        visible_layers = [layer for layer in battlemap.layers if layer.visible]
        layer = visible_layers[-1] if visible_layers else battlemap.layers[0]
        present_names = {note.thing.state.get(NOTE_ID) for note in notes_of(battlemap)}
        for name, pin in _pins(document, battlemap).items():
            if name not in present_names:
                label = clean_line(str(pin.get("text") or ""))
                state = State({NOTE_ID: name})
                position = frame.position(pin["x"], pin["y"])
                thing = Thing(battlemap.next_thing_id, NOTE, *position, label=label, state=state)
                layer.things.exchange((), (thing,))
                battlemap.note_ids([thing.id])

    def written(self, battlemap: BattleMap, output: Output) -> dict[str, Any]:
        """Return the scene: that of the file that is written again, else a new one."""
        scene = _started_scene(battlemap, output)
        marks = _marks_of_level(output.before)
        own_marks = {"flags": {OWN: {}}, **marks}
        scene["notes"] = _written_pins(battlemap, output.before, output.frame, own_marks)
        scale = _Scale(output.frame, _cell_distance(scene))
        if output.fixtures is None:
            assert output.before is not None, "fixtures that stay are in a file"
            walls = [wall for wall in output.before.items("walls") if not _is_own(wall)]
        else:
            walls = list[dict[str, Any]]()
            for wall in output.fixtures.walls:
                walls += ({**part, **marks} for part in scale.walls(wall, len(walls)))
            scene["lights"] = [
                {**scale.light(light, number), **marks}
                for number, light in enumerate(output.fixtures.lights)
            ]
        # Walls that follow from terrains and hexsides are ours: they are made anew each time.
        for line in output.walls_of_ground(battlemap):
            for start, end in pairwise(line):
                corners = [round(number) for number in (*start, *end)]
                name = f"blwall{len(walls):010}"
                walls.append({"_id": name, "c": corners, **_SIGHT_WALL, **own_marks})
        scene["walls"] = walls
        flags = scene.get("flags")
        foreign_flags = flags if isinstance(flags, dict) else {}
        scene["flags"] = {**foreign_flags, OWN: output.own}
        return scene

    def fixtures_in(self, document: Document, frame: Frame) -> tuple[Fixtures, int]:
        scale = _Scale(frame, _cell_distance(document.value))
        foreign = [wall for wall in document.items("walls") if not _is_own(wall)]
        walls = [scale.wall_of(wall) for wall in foreign]
        lights = [scale.light_of(light) for light in document.items("lights")]
        others = {noun: len(document.items(name)) for name, noun in _OTHERS.items()}
        fixtures = Fixtures(
            tuple(wall for wall in walls if wall is not None),
            tuple(light for light in lights if light is not None),
            tuple((noun, count) for noun, count in others.items() if count),
        )
        return fixtures, walls.count(None) + lights.count(None)

    def fixtures_written(self, value: dict[str, Any]) -> Counter[str]:
        count = Counter[str]()
        for wall in value["walls"]:
            count["door" if wall.get("door") in (1, 2) else "wall"] += 1
        lights = value.get("lights")
        count["light"] += len(lights) if isinstance(lights, list) else 0
        return count


class _SceneGrid(NamedTuple):
    """The grid of a scene, which fills the plane from the corner of the padding on."""

    kind: int
    """Its type by number (``GRIDS``)."""
    size: float
    """The size of a cell in pixels, of a hex from flat to flat."""
    padding_step_x: float
    """The pixels of which the padding to the left is a multiple."""
    padding_step_y: float
    """The pixels of which the padding above is a multiple."""

    @property
    def is_hexes(self) -> bool:
        """True for hexes; a scene without a grid has squares."""
        return self.kind >= 2

    @property
    def has_columns(self) -> bool:
        """True for hexes in columns; hexes in rows, and squares, are taken row by row."""
        return self.kind >= 4

    @property
    def layout(self) -> Layout:
        if not self.is_hexes:
            return SQUARE
        return FLAT if self.has_columns else POINTY

    @property
    def step_x(self) -> float:
        """The pixels from a column to the next one."""
        return self.size * HALF3 if self.has_columns else self.size

    @property
    def step_y(self) -> float:
        """The pixels from a row to the next one."""
        return self.size * HALF3 if self.is_hexes and not self.has_columns else self.size

    @property
    def unit(self) -> float:
        """The pixels of a map unit, which is the side of a hex or square."""
        return self.size / ROOT3 if self.is_hexes else self.size


def _scene_grid(document: Document) -> _SceneGrid:
    """Return the grid of a scene. Raises ProblemError.

    Before version 10 type and size stood in ``gridType`` and ``grid``. The size of a hex was then
    that from corner to corner, and padding was a multiple of it in both directions; a flag
    ``legacyHex`` keeps that in later versions. Today padding is a multiple of the steps.
    """
    is_old = not isinstance(document.at("grid"), dict)
    if is_old:
        kind = int(document.number("gridType", least=0, most=len(GRIDS) - 1))
        size = document.number("grid", least=1, most=MOST_SIDE)
    else:
        kind = int(document.number("grid", "type", least=0, most=len(GRIDS) - 1))
        size = document.number("grid", "size", least=1, most=MOST_SIDE)
    grid = _SceneGrid(kind, size, size, size)
    if grid.is_hexes and (is_old or document.at("flags", "core", "legacyHex")):
        return grid._replace(size=size * HALF3)
    return grid._replace(padding_step_x=grid.step_x, padding_step_y=grid.step_y)


def _corner_of_scene(
    document: Document, grid: _SceneGrid, width: float, height: float
) -> tuple[float, float]:
    """Return left and top of the scene in its padding, in pixels. Raises ProblemError.

    Padding is a share of the scene's size, rounded up to whole cells. Where it is an odd number of
    columns (or rows) of hexes, half a cell is added so that the first hex is a whole one.
    """
    padding = document.number("padding", least=0, most=0.5, usual=0)
    columns = math.ceil(padding * width / grid.padding_step_x)
    rows = math.ceil(padding * height / grid.padding_step_y)
    left = columns * grid.padding_step_x
    top = rows * grid.padding_step_y
    is_legacy = grid.padding_step_x == grid.padding_step_y
    if grid.is_hexes and not is_legacy:
        if grid.has_columns and columns % 2:
            top += grid.size / 2
        elif not grid.has_columns and rows % 2:
            left += grid.size / 2
    return left - _shift(document, "X"), top - _shift(document, "Y")


def _centre_of_first_cell(grid: _SceneGrid, left: float, top: float) -> tuple[float, float]:
    """Return the centre, in pixels, of our first cell in a scene with this corner.

    Our first column is not pushed down. If the first one in the scene is, the column before it is
    the first; for hexes in rows the same holds for rows.
    """
    half = grid.size / 2
    if not grid.is_hexes:
        x = half + _first_index(left, half, grid.step_x) * grid.step_x
        y = half + _first_index(top, half, grid.step_y) * grid.step_y
        return x, y
    across = left if grid.has_columns else top
    across_step = grid.step_x if grid.has_columns else grid.step_y
    along = top if grid.has_columns else left

    def first_centre(line: int) -> float:
        """Return the first centre along a column or row; every second one begins half a hex in."""
        centre = half * ((line + grid.kind) % 2)
        return centre + _first_index(along, centre, grid.size) * grid.size

    line = _first_index(across, grid.unit, across_step)
    is_pushed = first_centre(line) > first_centre(line + 1)
    if is_pushed:
        line -= 1
    centre_across = grid.unit + line * across_step
    centre_along = first_centre(line)
    if grid.has_columns:
        return centre_across, centre_along
    return centre_along, centre_across


def _first_index(start: float, centre: float, step: float) -> int:
    """Return the number of steps from the centre of cell 0 to the first one behind ``start``."""
    return math.ceil((start - centre) / step - NEAR)


def _cells_up_to(end: float, first_centre: float, step: float) -> int:
    """Return the number of cells from a first centre up to the end of a scene."""
    return math.floor((end - first_centre) / step + NEAR) + 1


def _started_scene(battlemap: BattleMap, output: Output) -> dict[str, Any]:
    """Return the scene of the file, or a new one, with the picture and the grid of the map.

    The size of a scene changes only with a picture of ours: another one has its own size.
    """
    if output.before is not None:
        scene = dict(output.before.value)
    else:
        map_properties = battlemap.composite().properties
        scene = dict(_NEW)
        name = battlemap.system.map_title(map_properties)
        scene["name"] = name or PurePosixPath(output.export.path).stem
        scene["background"] = {"src": output.export.path, "offsetX": 0, "offsetY": 0}
        width = battlemap.system.cell_width(battlemap, map_properties)
        scene["grid"] = _NEW_GRID | _distance(width)
    if output.own["drew"]:
        pixels = output.export.pixels
        _frame, scene["width"], scene["height"] = frame_of(battlemap.grid, pixels)
        scene["grid"] = {**scene["grid"], "type": grid_type(battlemap.grid), "size": pixels}
    return scene


def _marks_of_level(document: Document | None) -> dict[str, Any]:
    """Return the entry by which all that we add is on the first level of a scene with levels.

    Scenes have levels since version 14; {} for others.
    """
    levels = document.items("levels") if document is not None else []
    if not levels:
        return {}
    return {"levels": [levels[0].get("_id")]}


class _Scale(NamedTuple):
    """The scale of a scene, by which its walls and lights are converted to ours and back."""

    frame: Frame
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
            move=value.get("move", _MOVES) != 0,
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
        names = {"dim": 0, "bright": 0, "angle": 360, "alpha": _USUAL_ALPHA}
        numbers = {name: _number(config.get(name), usual) for name, usual in names.items()}
        colour = str(config.get("color"))
        return Light(
            *self.frame.position(x, y),
            dim=abs(numbers["dim"]) / self.distance,
            bright=abs(numbers["bright"]) / self.distance,
            colour=colour if re.fullmatch(COLOUR, colour) else "",
            intensity=numbers["alpha"] / _USUAL_ALPHA,
            angle=numbers["angle"] or 360.0,
            turn=_number(value.get("rotation"), 0),
            shadows=value.get("walls") is not False,
            hidden=value.get("hidden") is True,
        )

    def walls(self, wall: Wall, start: int) -> Iterator[dict[str, Any]]:
        """Yield the walls of a polyline; ``start`` is the number of the first one."""
        for number, (begin, end) in enumerate(pairwise(wall.points), start):
            corners = (*self.frame.pixel(*begin), *self.frame.pixel(*end))
            yield {
                "_id": f"blfixt{number:010}",
                "c": [round(corner) for corner in corners],
                "move": _MOVES if wall.move else 0,
                "sight": _SENSE_CODES[wall.sight],
                "light": _SENSE_CODES[wall.light],
                "sound": _SENSE_CODES[wall.sound],
                "dir": wall.way,
                "door": DOORS.index(wall.door),
                "ds": STATES.index(wall.state),
            }

    def light(self, light: Light, number: int) -> dict[str, Any]:
        """Return the light as a scene has it."""
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
    if is_number(value):
        return float(value)
    return usual


def _cell_distance(scene: Mapping[str, Any]) -> float:
    """Return the width of a cell in the units of a scene."""
    grid = scene.get("grid")
    if isinstance(grid, dict):
        distance = grid.get("distance")
    else:
        distance = scene.get("gridDistance")
    return abs(_number(distance, 1)) or 1.0  # it divides


def _distance(width: CellWidth | None) -> dict[str, Any]:
    """Return the entries of a scene's grid for the width of a cell; 1 without a unit for None."""
    if width is None:
        return {"distance": 1, "units": ""}
    return {"distance": width.length, "units": width.unit}


def _is_own(value: dict[str, Any]) -> bool:
    """Return whether a wall or note of a scene was written by us."""
    flags = value.get("flags")
    return isinstance(flags, dict) and OWN in flags


def _pins(document: Document, battlemap: BattleMap) -> dict[str, dict[str, Any]]:
    """Return the notes of a scene that are things of a free map and not ours, by their names.

    A name is the id as a line of text; a note without an id, and one whose id another note has, is
    called by its number.
    """
    pins: dict[str, dict[str, Any]] = {}
    if battlemap.system is not SYSTEM:
        return pins
    placed_pins = [pin for pin in document.items("notes") if _is_placed(pin)]
    for number, pin in enumerate(placed_pins):
        if _is_own(pin):
            continue
        name = clean_line(str(pin.get("_id") or ""))[:100]
        if not name or name in pins:
            name = f"#{number}"
        pins[name] = pin
    return pins


def _is_placed(pin: dict[str, Any]) -> bool:
    return is_number(pin.get("x")) and is_number(pin.get("y"))


def _written_pins(
    battlemap: BattleMap, document: Document | None, frame: Frame, own_marks: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the notes of a map as those of a scene; one that did not change keeps its values.

    ``document`` is the scene that is written again; its notes that are no things of the map stay.
    ``own_marks`` are the further entries of new notes.
    """
    former_pins: dict[str, dict[str, Any]] = {}
    pins = list[dict[str, Any]]()
    if document is not None:
        former_pins = _pins(document, battlemap)
        for pin in document.items("notes"):
            is_thing_of_map = bool(former_pins) and _is_placed(pin)
            if not is_thing_of_map and not _is_own(pin):
                pins.append(pin)
    for note in notes_of(battlemap):
        x, y = frame.pixel(note.thing.x, note.thing.y)
        text = note.thing.label
        pin = former_pins.get(str(note.thing.state.get(NOTE_ID))) or {
            "_id": f"blnote{note.number:010}",
            "text": text,
            **_PIN,
            **own_marks,
        }
        # Pixels are whole numbers: a smaller distance is one of rounding.
        if not _is_placed(pin) or max(abs(x - pin["x"]), abs(y - pin["y"])) > 0.5:
            pin = {**pin, "x": round(x), "y": round(y)}
        if clean_line(str(pin.get("text") or "")) != text:
            pin = {**pin, "text": text}
        pins.append(pin)
    return pins


def _shift(document: Document, axis: str) -> float:
    """Return the shift of the picture against the grid in pixels.

    It stands at the top in versions 9 and 14.
    """
    path: tuple[str, ...] = ("background", f"offset{axis}")
    if document.at(f"shift{axis}") is not None:
        path = (f"shift{axis}",)
    return document.number(*path, least=-MOST_SIDE, most=MOST_SIDE, usual=0)


CODEC = FoundryCodec()
