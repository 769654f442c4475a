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
from randomizer.model.grid.layouts import FLAT, HALF3, POINTY, ROOT3, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import notes_of
from randomizer.model.problems import Problem
from randomizer.model.settings.setting import COLOUR
from randomizer.model.system.cell_width import CellWidth
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import SYSTEM
from randomizer.systems.free.things import NOTE
from randomizer.systems.interchange.foreign import check_size
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
    sight_lines,
)

Choice = TypeVar("Choice")

NOTE_ID = "foundry"
"""The entry of a note's state that is its id in the scene."""

NEAR = 0.01
"""Of a cell: so far beyond the edge of a scene the centre of a cell may be."""

MOST_SIDE = 1e6
"""In pixels, of a scene."""

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
        is_old = not isinstance(document.at("grid"), dict)
        names = (("gridType",), ("grid",)) if is_old else (("grid", "type"), ("grid", "size"))
        kind = int(document.number(*names[0], least=0, most=len(GRIDS) - 1))
        size = document.number(*names[1], least=1, most=MOST_SIDE)
        lengths = [document.number(name, least=1, most=MOST_SIDE) for name in ("width", "height")]
        padding = document.number("padding", least=0, most=0.5, usual=0)
        cross, along = (0, 1) if kind >= 4 else (1, 0)  # from column to column, and along one
        is_hexes = kind >= 2
        is_legacy = is_hexes and (is_old or bool(document.at("flags", "core", "legacyHex")))
        spaces = [size, size]
        size = size * HALF3 if is_legacy else size
        steps = [size, size]
        steps[cross] = size * HALF3 if is_hexes else size
        spaces = spaces if is_legacy else steps
        low = [math.ceil(padding * lengths[at] / spaces[at]) * spaces[at] for at in (0, 1)]
        if is_hexes and not is_legacy and round(low[cross] / spaces[cross]) % 2:
            low[along] += size / 2
        low = [start - _shift(document, name) for start, name in zip(low, "XY", strict=True)]
        high = [start + length for start, length in zip(low, lengths, strict=True)]

        def first(axis: int, centre: float) -> int:
            return math.ceil((low[axis] - centre) / steps[axis] - NEAR)

        def top(column: int) -> float:
            middle = size / 2 * ((column + kind) % 2 if is_hexes else 1)
            return middle + first(along, middle) * size

        unit = size / ROOT3 if is_hexes else size
        corner = unit if is_hexes else size / 2
        column = first(cross, corner)
        column -= top(column) > top(column + 1)
        starts = [corner + column * steps[cross]] * 2
        starts[along] = top(column)
        width, height = (
            math.floor((high[axis] - starts[axis]) / steps[axis] + NEAR) + 1 for axis in (0, 1)
        )
        check_size(width, height)
        if is_hexes:
            if kind >= 4:
                layout = FLAT
            else:
                layout = POINTY
        else:
            layout = SQUARE
        centres = Grid(layout, width, height).centres() * unit + starts
        off = np.maximum(np.array(low) - centres, centres - high)
        inside = (off <= NEAR * size).all(axis=1)
        check_size(int(inside.sum()), 1)
        if inside.all():
            mask = None
        else:
            mask = inside.reshape(height, width)
        return Grid(layout, width, height, mask), Frame(unit, *starts), (*low, *lengths)

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
        """Place the notes of the scene that a free map has not."""
        layers = battlemap.layers
        layer = next((each for each in reversed(layers) if each.visible), layers[0])
        present = {note.thing.state.get(NOTE_ID) for note in notes_of(battlemap)}
        for name, pin in _pins(document, battlemap).items():
            if name not in present:
                label = clean_line(str(pin.get("text") or ""))
                state = State({NOTE_ID: name})
                position = frame.position(pin["x"], pin["y"])
                thing = Thing(battlemap.next_thing_id, NOTE, *position, label=label, state=state)
                layer.things.exchange((), (thing,))
                battlemap.note_ids([thing.id])

    def written(self, battlemap: BattleMap, output: Output) -> dict[str, Any]:
        before = output.before
        frame = output.frame
        own = output.own
        export = output.export
        shown = battlemap.composite()
        grid = battlemap.grid
        scene = dict(_NEW if before is None else before.value)
        if before is None:
            name = battlemap.system.map_title(shown.properties)
            scene["name"] = name or PurePosixPath(export.path).stem
            scene["background"] = {"src": export.path, "offsetX": 0, "offsetY": 0}
            width = battlemap.system.cell_width(battlemap, shown.properties)
            scene["grid"] = _NEW_GRID | _distance(width)
        if own["drew"]:
            _frame, scene["width"], scene["height"] = frame_of(grid, export.pixels)
            scene["grid"] = {**scene["grid"], "type": grid_type(grid), "size": export.pixels}
        if before is not None:
            levels = before.items("levels")
        else:
            levels = []
        if levels:
            of_level = {"levels": [levels[0].get("_id")]}
        else:
            of_level = {}
        ours = {"flags": {OWN: {}}, **of_level}
        scene["notes"] = _written_pins(battlemap, before, frame, ours)
        scale = _Scale(frame, _cell_distance(scene))
        if output.fixtures is None:
            assert before is not None, "fixtures that stay are in a file"
            walls = [wall for wall in before.items("walls") if not _is_own(wall)]
        else:
            walls = []
            for wall in output.fixtures.walls:
                walls += ({**each, **of_level} for each in scale.walls(wall, len(walls)))
            scene["lights"] = [
                {**scale.light(light, number), **of_level}
                for number, light in enumerate(output.fixtures.lights)
            ]
        for line in sight_lines(battlemap, shown, frame):
            for start, end in pairwise(line):
                corners = [round(number) for number in (*start, *end)]
                name = f"blwall{len(walls):010}"
                walls.append({"_id": name, "c": corners, **_SIGHT_WALL, **ours})
        scene["walls"] = walls
        flags = scene.get("flags")
        scene["flags"] = {**(flags if isinstance(flags, dict) else {}), OWN: own}
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


class _Scale(NamedTuple):
    """The scale of a scene: turns what it says of fixtures into ours, and back.

    ``distance`` is that of a cell in the scene's units. What cannot be read is None.
    """

    frame: Frame
    distance: float

    def wall_of(self, value: dict[str, Any]) -> Wall | None:
        """Return the wall."""
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
        """Return the light, of which scenes before version 9 say all in one object."""
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
    """Return how wide a cell is in the units of a scene."""
    grid = scene.get("grid")
    if isinstance(grid, dict):
        distance = grid.get("distance")
    else:
        distance = scene.get("gridDistance")
    return abs(_number(distance, 1)) or 1.0


def _distance(width: CellWidth | None) -> dict[str, Any]:
    """Return the width of a cell as Foundry has it, as without a unit if it is not known."""
    if width is None:
        return {"distance": 1, "units": ""}
    return {"distance": width.length, "units": width.unit}


def _is_own(each: dict[str, Any]) -> bool:
    """Return whether a wall or note of a scene was written here."""
    flags = each.get("flags")
    return isinstance(flags, dict) and OWN in flags


def _pins(document: Document, battlemap: BattleMap) -> dict[str, dict[str, Any]]:
    """Return the notes of a scene that are things of a free map and not ours, by their names.

    A name is the id as a line of text; a note without an id, and one whose id another note has, is
    called by its number.
    """
    if battlemap.system is SYSTEM:
        notes = document.items("notes")
    else:
        notes = []
    pins: dict[str, dict[str, Any]] = {}
    for number, pin in enumerate(pin for pin in notes if _is_placed(pin)):
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
    battlemap: BattleMap, before: Document | None, frame: Frame, more: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the notes of a map as those of a scene; those that did not move are as they were."""
    old = _pins(before, battlemap) if before else {}
    notes = (each for each in (before.items("notes") if before else ()) if not _is_own(each))
    written = [each for each in notes if not (old and _is_placed(each))]
    for note in notes_of(battlemap):
        x, y = frame.pixel(note.thing.x, note.thing.y)
        text = note.thing.label
        pin = old.get(str(note.thing.state.get(NOTE_ID)))
        if pin is None:
            pin = {"_id": f"blnote{note.number:010}", "text": text, **_PIN, **more}
        if not _is_placed(pin) or max(abs(x - pin["x"]), abs(y - pin["y"])) > 0.5:
            pin = {**pin, "x": round(x), "y": round(y)}
        same = clean_line(str(pin.get("text") or "")) == text
        written.append(pin if same else {**pin, "text": text})
    return written


def _shift(document: Document, axis: str) -> float:
    """Return the shift of the picture against the grid in pixels.

    It stands at the top in versions 9 and 14.
    """
    at_top = document.at(f"shift{axis}") is not None
    path = (f"shift{axis}",) if at_top else ("background", f"offset{axis}")
    return document.number(*path, least=-MOST_SIDE, most=MOST_SIDE, usual=0)


CODEC = FoundryCodec()
