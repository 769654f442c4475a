"""Scenarios of 0 A.D.'s editor: a terrain (.pmp) and, called alike, what is on it (.xml).

Unlike other foreign maps they are maps of a system here. Either file can be opened; the other one
is read beside it. A tile has one texture here: its second one, and a priority that no tile of ours
can have, stay as they were where texture and priority are not changed.
"""

from __future__ import annotations

from pathlib import PurePath

import numpy as np
from numpy.typing import NDArray

from randomizer.formats import Format, TilePainter
from randomizer.model.basics.plurals import there_are
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.problems import Problem
from randomizer.systems.interchange.foreign.codec import STEM, Codec, Written
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.source import Source
from randomizer.systems.zeroad.export.pair_metadata import shown_name
from randomizer.systems.zeroad.installation.terrain_file import (
    MARK,
    NO_TEXTURE,
    PATCH,
    TerrainFile,
    new_tiles,
    read_terrain,
    write_terrain,
)
from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map.planes import MOST
from randomizer.systems.zeroad.map_format.map_conversion import map_data_of
from randomizer.systems.zeroad.map_format.map_json import JSON, map_of
from randomizer.systems.zeroad.map_format.scenario import NEW, Scenario, read_scenario

TERRAIN = ".pmp"
"""The suffix of the file with heights and textures."""

SCENARIO = ".xml"
"""The suffix of the file with entities, camera, environment and settings."""


class PmpCodec(Codec):
    """Reads and writes scenarios."""

    program = "Atlas"
    flat_only = False

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Return the map of a terrain and its scenario, whichever of the two is opened."""
        terrain, scenario = _parts_of(source, problems)
        names = tuple(dict.fromkeys(terrain.names))  # one of 145 real maps has one twice
        entities = tuple(in_file.entity for in_file in scenario.entities.values())
        data = MapData(
            len(terrain.tiles),
            terrain.heights,
            names,
            _indices(terrain, names),
            _priorities(terrain),
            entities,
            scenario.camera,
            scenario.environment,
            settings=scenario.settings,
        )
        problems += scenario.problems
        return map_of(data)

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        """Return the terrain of a map, and the scenario beside it."""
        terrain = None
        scenario = read_scenario(NEW, None)
        if original.data:
            terrain, scenario = _parts_of(original, [])
        data = map_data_of(battlemap, scenario.entities)

        # The terrain: where texture and priority are as they were, what we do not know stays, too.
        tiles = new_tiles(data.textures, data.priorities)
        if terrain is not None and terrain.tiles.shape == tiles.shape:
            is_unchanged = _indices(terrain, data.texture_names) == data.textures
            is_unchanged &= _priorities(terrain) == data.priorities
            second_textures = _indices(terrain, data.texture_names, "second")
            tiles["priority"][is_unchanged] = terrain.tiles["priority"][is_unchanged]
            tiles["second"][is_unchanged] = second_textures[is_unchanged]
        terrain = TerrainFile(data.heights, data.texture_names, tiles)

        scenario.update(data, shown_name(stem))
        return Written(write_terrain(terrain), {}, files={f"{stem}{SCENARIO}": scenario.data()})

    def write(
        self,
        map_format: Format,
        battlemap: BattleMap,
        name: str = STEM,
        painter: TilePainter | None = None,
    ) -> dict[str, bytes]:
        """Return the file ``name``, then the other one of the two. Raises ProblemError."""
        stem = PurePath(name).stem
        files_by_suffix: dict[str, bytes] = {}
        for data in super().write(map_format, battlemap, stem, painter).values():
            files_by_suffix[_suffix_of(data)] = data

        suffix = TERRAIN
        if name.lower().endswith(SCENARIO):
            suffix = SCENARIO
        if suffix not in files_by_suffix:
            # The map was opened without this file and has not changed, so that it is not written.
            written, _problems = self._composed(map_format, battlemap, stem)
            scenario = written.files[f"{stem}{SCENARIO}"]
            files_by_suffix = {TERRAIN: written.data, SCENARIO: scenario}

        files = {name: files_by_suffix.pop(suffix)}
        for other_suffix, data in files_by_suffix.items():
            files[f"{stem}{other_suffix}"] = data
        return files

    def check(self, map_format: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the game would mind: nothing is lost."""
        return (*super().check(map_format, battlemap), *JSON.check(battlemap))


def _suffix_of(data: bytes) -> str:
    """Return which of the two files this is, by its first bytes."""
    if data.startswith(MARK):
        return TERRAIN
    return SCENARIO


def _parts_of(source: Source, problems: list[Problem]) -> tuple[TerrainFile, Scenario]:
    """Return the terrain and the scenario of a file and the one beside it.

    A terrain without a scenario gets a new one. A scenario names no terrain if that is flat; else
    it cannot be read without one. Raises ProblemError.
    """
    if _suffix_of(source.data) == TERRAIN:
        terrain = _terrain(source.data)
        name = _name_of_other_file(source, SCENARIO)
        data = source.beside(name, (SCENARIO,), problems)
        if data is None:
            data = NEW
        path = str(PurePath(source.path or name).with_name(name))
        return terrain, read_scenario(data, path)
    scenario = read_scenario(source.data, None)
    flat = scenario.flat_terrain()
    if flat is not None:
        return _flat(*flat), scenario
    name = _name_of_other_file(source, TERRAIN)
    data = source.beside(name, (TERRAIN,), problems)
    if data is None:
        raise fault(f"this is on a terrain: {name} is not beside it", 1)
    return _terrain(data), scenario


def _name_of_other_file(source: Source, suffix: str) -> str:
    """Return the name of the other file: of one that the source has already, else as its own."""
    for name in source.files:
        if name.lower().endswith(suffix):
            return name
    return PurePath(source.path or STEM).with_suffix(suffix).name


def _terrain(data: bytes) -> TerrainFile:
    """Return the terrain of a file. Raises ProblemError for a damaged one."""
    try:
        terrain = read_terrain(data)
    except ValueError as failed:
        raise fault(str(failed), 1) from failed
    highest = terrain.tiles["texture"].max()
    count = len(terrain.names)
    if highest >= count:
        raise fault(f"a tile has texture {highest}, but {there_are(count, 'texture')}", 1)
    return terrain


_MOST_PATCHES = 128
"""The largest width of a flat terrain, in patches of tiles."""


def _flat(patches: int, texture: str, height: int) -> TerrainFile:
    """Return a terrain of one texture and height; ``patches`` is its width and height."""
    side = min(patches, _MOST_PATCHES) * PATCH
    tiles = new_tiles(*np.zeros((2, side, side), np.uint16))
    return TerrainFile(np.full((side + 1, side + 1), height, np.uint16), (texture,), tiles)


def _indices(
    terrain: TerrainFile, names: tuple[str, ...], which: str = "texture"
) -> NDArray[np.uint16]:
    """Return the textures of tiles as indices of ``names``; ``NO_TEXTURE`` for none.

    ``which`` is "texture" or "second".
    """
    index_of_name = {name: index for index, name in enumerate(names)}
    index_of_texture = np.full(MOST + 1, NO_TEXTURE, np.uint16)
    for number, name in enumerate(terrain.names):
        index_of_texture[number] = index_of_name.get(name, NO_TEXTURE)
    indices: NDArray[np.uint16] = index_of_texture[terrain.tiles[which]]
    return indices


def _priorities(terrain: TerrainFile) -> NDArray[np.uint16]:
    """Return the priorities as a map here has them: the game takes the numbers as signed."""
    return np.clip(terrain.tiles["priority"].astype(np.int32), 0, MOST).astype(np.uint16)


CODEC = PmpCodec()
