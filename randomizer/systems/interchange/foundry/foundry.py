"""The format ``foundry``: scenes of Foundry Virtual Tabletop, versions 9 to 14.

A scene is a JSON object (here without all that is not read)::

    {"width": 2000, "height": 1500, "padding": 0.25, "background": {"src": "maps/moor.png"},
     "grid": {"type": 4, "size": 100, "distance": 5, "units": "ft"},
     "walls": [{"c": [0, 0, 100, 0], "door": 1}], "lights": [...], "notes": [...],
     "tokens": [...], "tiles": [...], "flags": {"battlelands": {"map": "...", "drew": true}}}

``drew`` says that the picture was drawn by us from the map. The entries become these of a map, and
stay in the file:

- notes become things;
- walls, doors and lights that we did not write become the fixtures of the map;
- the entry under "battlelands" has our own map, if we wrote the scene;
- tiles, tokens and the rest are only counted.

Scenes are written as version 12 has them, which later ones read. Begin at ``FoundryCodec.grid_of``
for reading, at ``FoundryCodec.compose_value`` for writing.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from randomizer.model.basics.texts import clean_line
from randomizer.model.fixtures import Fixtures, Light, Wall
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.notes import notes_of
from randomizer.model.problems import Problem
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing
from randomizer.systems.free.things import NOTE
from randomizer.systems.interchange.foreign.new_map import check_size
from randomizer.systems.interchange.foundry.scene_fixtures import (
    FixtureConverter,
    cell_distance,
    distance_entries,
)
from randomizer.systems.interchange.foundry.scene_grid import (
    EDGE_TOLERANCE,
    MAX_SIDE,
    cells_up_to,
    centre_of_first_cell,
    corner_of_scene,
    scene_grid_of,
)
from randomizer.systems.interchange.foundry.scene_notes import (
    NOTE_ID,
    foreign_pins,
    is_own,
    written_pins,
)
from randomizer.systems.interchange.virtual_table.codec import TableCodec
from randomizer.systems.interchange.virtual_table.document import OUR_KEY, Document
from randomizer.systems.interchange.virtual_table.frame import (
    Box,
    Frame,
    PlacedGrid,
    drawn_picture_of,
    grid_type,
)
from randomizer.systems.interchange.virtual_table.table_format import (
    PICTURES,
    FileContent,
    PictureFile,
    ReadFixtures,
)

_LONGEST_NAME = 100
"""The most characters of the name of a picture on the screen.

Scenes name it by a path or an address of any length, of which the last characters are shown.
"""

_NEW_SCENE = {
    "navigation": True,
    "padding": 0,
    "backgroundColor": "#999999",
    "tokenVision": True,
    **{name: list[Any]() for name in ("drawings", "tokens", "lights", "sounds", "tiles")},
    "_stats": {"coreVersion": "12.331"},
}
"""The entries of a new scene that are the same for each map."""

_NEW_GRID = {"style": "solidLines", "thickness": 1, "color": "#000000", "alpha": 0.2}
"""The look of the grid of a new scene."""

_SIGHT_WALL = {"move": 0, "sight": 20, "light": 20, "sound": 0, "dir": 0, "door": 0, "ds": 0}
"""A wall around a terrain or along a hexside: it blocks sight and light, and stops nobody."""

_OWN_WALL_ID = "blwall{:010}"
"""The ids of such walls, with the number of a wall among all of the scene."""

_NOUNS_OF_LISTS = {
    "drawings": "drawing",
    "tokens": "token",
    "sounds": "sound",
    "tiles": "tile",
    "regions": "region of the scene",
    "templates": "template",
}
"""The lists of a scene that our maps cannot hold, and the noun for one item of each."""


class FoundryCodec(TableCodec):
    """Reads and writes scenes.

    All entries that we add to a scene, such as walls, have the ``level_members``: they put it on
    the first level, if the scene has levels. Entries that follow from the map, and are made anew
    each time, have the ``own_members``: these, and the flag ``OUR_KEY``, by which they are known.
    """

    program = "Foundry"
    suffix = ".json"
    path_to_pixels = ("grid", "size")
    loading_steps = (
        "Put {stem}.png into the data folder of Foundry as: {path}\n"
        "Then make a scene there, and import the data of {stem}.json into it.\n"
    )

    def grid_of(self, document: Document) -> PlacedGrid:
        """Return the grid of a scene, and its position in pixels.

        The grid has the cells whose centres lie in the box, in the rectangle around them.
        """
        scene_grid = scene_grid_of(document)
        width = document.number("width", least=1, most=MAX_SIDE)
        height = document.number("height", least=1, most=MAX_SIDE)
        left, top = corner_of_scene(document, scene_grid, width, height)

        # The rectangle of columns and rows.
        start_x, start_y = centre_of_first_cell(scene_grid, left, top)
        columns = cells_up_to(left + width, start_x, scene_grid.step_x)
        rows = cells_up_to(top + height, start_y, scene_grid.step_y)
        check_size(columns, rows)

        # The cells in it whose centres lie in the scene: columns of hexes are not equally long.
        # ``centres`` are in pixels, (cells, 2), and so are the distances by which they lie beyond
        # an edge of the scene; a negative one is within.
        layout = scene_grid.layout
        centres = Grid(layout, columns, rows).centres() * scene_grid.unit + (start_x, start_y)
        beyond_left_or_top = np.array((left, top)) - centres
        beyond_right_or_bottom = centres - (left + width, top + height)
        distances_beyond = np.maximum(beyond_left_or_top, beyond_right_or_bottom)
        is_inside = (distances_beyond <= EDGE_TOLERANCE * scene_grid.size).all(axis=1)
        check_size(int(is_inside.sum()), 1)
        mask = None
        if not is_inside.all():
            mask = is_inside.reshape(rows, columns)

        grid = Grid(layout, columns, rows, mask)
        frame = Frame(scene_grid.unit, start_x, start_y)
        return PlacedGrid(grid, frame, Box(left, top, width, height))

    def read_picture(self, document: Document, problems: list[Problem]) -> PictureFile | None:
        """Return the picture of a scene, a file beside it; None without one.

        The picture is that of the scene's lowest level since version 14, that of the scene itself
        since version 10, and ``img`` before.
        """
        levels = document.items("levels")
        if levels:
            background = levels[0].get("background")
        else:
            background = document.at("background")
        if isinstance(background, dict):
            name = background.get("src")
        else:
            name = document.at("img")
        if not isinstance(name, str) or not name:
            return None
        data = document.source.beside(name, PICTURES, problems)
        if data is None:
            return None
        return PictureFile(clean_line(name[-_LONGEST_NAME:]), data)

    def add_things(self, document: Document, battlemap: BattleMap, frame: Frame) -> None:
        """Place the notes of the scene that a free map lacks, in its topmost visible layer."""
        layer = battlemap.layers[0]  # layers are listed from the lowest
        for candidate in battlemap.layers:
            if candidate.visible:
                layer = candidate
        present_names = {note.thing.state.get(NOTE_ID) for note in notes_of(battlemap)}
        for name, pin in foreign_pins(document, battlemap).items():
            if name in present_names:
                continue
            label = clean_line(str(pin.get("text") or ""))
            state = State({NOTE_ID: name})
            position = frame.position(pin["x"], pin["y"])
            thing = Thing(battlemap.next_thing_id, NOTE, *position, label=label, state=state)
            layer.things.add((thing,))
            battlemap.note_ids([thing.id])

    def compose_value(self, battlemap: BattleMap, content: FileContent) -> dict[str, Any]:
        """Return the scene: that of the file that is written again, else a new one.

        A new scene gets our picture, and all walls, lights and pins. The scene of a file keeps its
        picture unless that was ours, and its lights and walls if the map has not changed them. In
        both cases the walls of terrains and our own pins are made anew.
        """
        scene = _scene_with_picture_and_grid(battlemap, content)
        former_document = None
        if content.kept_file is not None:
            former_document = content.kept_file.document
        level_members = _level_members(former_document)
        own_members = {"flags": {OUR_KEY: {}}, **level_members}
        scene["notes"] = written_pins(battlemap, former_document, content.frame, own_members)

        if content.kept_file is not None and content.kept_file.has_same_fixtures:
            walls = _foreign_walls(content.kept_file.document)
        else:
            scene["lights"] = _fixture_lights(scene, content.frame, content.fixtures, level_members)
            walls = _fixture_walls(scene, content.frame, content.fixtures, level_members)
        # Walls that follow from terrains and hexsides are ours: they are made anew each time.
        for line in content.terrain_walls(battlemap):
            for start, end in pairwise(line):
                corners = [round(number) for number in (*start, *end)]
                wall_id = _OWN_WALL_ID.format(len(walls))
                walls.append({"_id": wall_id, "c": corners, **_SIGHT_WALL, **own_members})
        scene["walls"] = walls

        # Flags are where Foundry keeps what is not its own, and other modules have theirs there.
        flags = {OUR_KEY: content.own_entries}
        former_flags = scene.get("flags")
        if isinstance(former_flags, dict):
            flags = {**former_flags, **flags}
        scene["flags"] = flags
        return scene

    def read_fixtures(self, document: Document, frame: Frame) -> ReadFixtures:
        """Return the fixtures of a scene."""
        converter = FixtureConverter(frame, cell_distance(document.value))
        unreadable_count = 0
        walls = list[Wall]()
        for entry in document.items("walls"):
            if is_own(entry):
                continue
            wall = converter.read_wall(entry)
            if wall is None:
                unreadable_count += 1
            else:
                walls.append(wall)
        lights = list[Light]()
        for entry in document.items("lights"):
            light = converter.read_light(entry)
            if light is None:
                unreadable_count += 1
            else:
                lights.append(light)
        other_counts = list[tuple[str, int]]()
        for name, noun in _NOUNS_OF_LISTS.items():
            count = len(document.items(name))
            if count:
                other_counts.append((noun, count))
        fixtures = Fixtures(tuple(walls), tuple(lights), tuple(other_counts))
        return ReadFixtures(fixtures, unreadable_count)

    def count_fixtures(self, value: dict[str, Any]) -> Counter[str]:
        """Return the number of walls, doors and lights in the JSON object of a scene."""
        counts = Counter[str]()
        for wall in value["walls"]:
            if wall.get("door") in (1, 2):  # a door, or a secret one
                counts["door"] += 1
            else:
                counts["wall"] += 1
        lights = value.get("lights")
        if isinstance(lights, list):
            counts["light"] += len(lights)
        return counts


def _scene_with_picture_and_grid(battlemap: BattleMap, content: FileContent) -> dict[str, Any]:
    """Return a copy of the scene of the file, or a new one, with the picture and grid of the map.

    Its notes, lights and walls are still those of the file. The size of a scene changes only with a
    picture of ours: another one has its own size.
    """
    if content.kept_file is not None:
        scene = dict(content.kept_file.document.value)
    else:
        map_properties = battlemap.composite().properties
        scene = dict(_NEW_SCENE)
        name = battlemap.system.map_title(map_properties)
        scene["name"] = name or PurePosixPath(content.export.path).stem
        scene["background"] = {"src": content.export.path, "offsetX": 0, "offsetY": 0}
        width = battlemap.system.cell_width(battlemap, map_properties)
        scene["grid"] = _NEW_GRID | distance_entries(width)
    if content.has_our_picture:
        pixels = content.export.pixels
        picture = drawn_picture_of(battlemap.grid, pixels)
        scene["width"] = picture.width
        scene["height"] = picture.height
        # In a scene with our picture the grid is an object: we have written it.
        scene["grid"] = {**scene["grid"], "type": grid_type(battlemap.grid), "size": pixels}
    return scene


def _foreign_walls(document: Document) -> list[dict[str, Any]]:
    """Return the walls and doors of a scene that are not ours: those of its fixtures."""
    return [wall for wall in document.items("walls") if not is_own(wall)]


def _fixture_walls(
    scene: dict[str, Any], frame: Frame, fixtures: Fixtures, level_members: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the walls and doors that are fixtures of the map, each with ``level_members``."""
    converter = FixtureConverter(frame, cell_distance(scene))
    walls = list[dict[str, Any]]()
    for fixture in fixtures.walls:
        for wall in converter.wall_entries(fixture, len(walls)):
            walls.append({**wall, **level_members})
    return walls


def _fixture_lights(
    scene: dict[str, Any], frame: Frame, fixtures: Fixtures, level_members: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the lights of a scene, which are fixtures of the map, each with ``level_members``."""
    converter = FixtureConverter(frame, cell_distance(scene))
    lights = list[dict[str, Any]]()
    for index, light in enumerate(fixtures.lights):
        lights.append({**converter.light_entry(light, index), **level_members})
    return lights


def _level_members(document: Document | None) -> dict[str, Any]:
    """Return {"levels": [...]}, by which an entry is on the first level of a scene.

    Scenes have levels since version 14; {} for others.
    """
    if document is None:
        return {}
    levels = document.items("levels")
    if not levels:
        return {}
    return {"levels": [levels[0].get("_id")]}


CODEC = FoundryCodec()
