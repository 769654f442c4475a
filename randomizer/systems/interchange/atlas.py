"""Reads and writes scenarios of Atlas, the editor of 0 A.D.

A scenario is two files of the same name: a *terrain* (moor.pmp) with heights and textures, and the
*scenario* itself (moor.xml) with what is on it. A user opens either of them; ``PmpCodec.parse``
reads the other one from the same folder and makes a 0 A.D. map of both. ``PmpCodec.compose`` writes
both.

A tile of the editor can have a second texture, and a priority beyond the range of ours. Our maps
hold neither. So when a map is written, tiles whose texture and priority did not change keep the
second texture and the priority of the original file.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from randomizer.formats.format import Format
from randomizer.formats.tile_looks import TilePainter
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
from randomizer.systems.zeroad.map_format.scenario import (
    NEW_FILE,
    FlatTerrain,
    Scenario,
    flat_terrain,
    read_scenario,
)
from randomizer.systems.zeroad.map_format.scenario_writer import write_scenario

TERRAIN = ".pmp"
"""The suffix of the file with heights and textures."""

SCENARIO = ".xml"
"""The suffix of the file with entities, camera, environment and settings."""

_MAX_PATCHES = 128
"""The largest width of a flat terrain, in patches of tiles."""


class PmpCodec(Codec):
    """Reads and writes scenarios as two files of one name."""

    program = "Atlas"
    flat_only = False

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        """Return the map of a terrain and its scenario, whichever of the two is opened."""
        terrain, scenario = _read_both_files(source, problems)
        # A texture can be listed twice: of 145 real maps one has such a list.
        names = tuple(dict.fromkeys(terrain.names))
        entities = tuple(placed.entity for placed in scenario.entities.values())
        data = MapData(
            size=len(terrain.tiles),
            heights=terrain.heights,
            texture_names=names,
            textures=_texture_indices(terrain, "texture", names),
            priorities=_priorities(terrain),
            entities=entities,
            camera=scenario.camera,
            environment=scenario.environment,
            settings=scenario.settings or {},
        )
        problems += scenario.problems
        return map_of(data)

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        """Return the terrain of a map, and the scenario as the file beside it."""
        original_terrain = None
        scenario = read_scenario(NEW_FILE, None)
        if original.data:
            original_terrain, scenario = _read_both_files(original, [])
        data = map_data_of(battlemap, scenario.entities)
        tiles = new_tiles(data.textures, data.priorities)
        if original_terrain is not None and original_terrain.tiles.shape == tiles.shape:
            _restore_unchanged_tiles(tiles, data, original_terrain)
        terrain = TerrainFile(data.heights, data.texture_names, tiles)

        new_scenario = write_scenario(scenario, data, shown_name(stem))
        return Written(write_terrain(terrain), lost={}, files={f"{stem}{SCENARIO}": new_scenario})

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
        # With a suffix that neither file has: by its own name one would replace the other here.
        files_of_codec = super().write(map_format, battlemap, f"{stem}.map", painter)
        for data in files_of_codec.values():
            files_by_suffix[_suffix_of(data)] = data

        suffix = TERRAIN
        if name.lower().endswith(SCENARIO):
            suffix = SCENARIO
        if suffix not in files_by_suffix:
            # The map was opened from the other file alone and has not changed: ``super`` returned
            # that file as it was. The one that is asked for is written from the map.
            written, _problems = self._composed(map_format, battlemap, stem)
            scenario = written.files[f"{stem}{SCENARIO}"]
            files_by_suffix = {TERRAIN: written.data, SCENARIO: scenario}

        files = {name: files_by_suffix.pop(suffix)}
        for other_suffix, data in files_by_suffix.items():
            files[f"{stem}{other_suffix}"] = data
        return files

    def check(self, map_format: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return the problems that the game would have with the map; nothing of it is lost."""
        return (*super().check(map_format, battlemap), *JSON.check(battlemap))


def _restore_unchanged_tiles(
    tiles: NDArray[Any], data: MapData, original_terrain: TerrainFile
) -> None:
    """Give tiles that did not change the second texture and the priority of the original file.

    ``tiles`` (n, n), which were made from ``data``, are changed in place.
    """
    names = data.texture_names
    has_same_texture = _texture_indices(original_terrain, "texture", names) == data.textures
    has_same_priority = _priorities(original_terrain) == data.priorities
    is_unchanged = has_same_texture & has_same_priority
    second_textures = _texture_indices(original_terrain, "second", names)
    tiles["priority"][is_unchanged] = original_terrain.tiles["priority"][is_unchanged]
    tiles["second"][is_unchanged] = second_textures[is_unchanged]


def _suffix_of(data: bytes) -> str:
    """Return the suffix of the file with these bytes, ``TERRAIN`` or ``SCENARIO``."""
    if data.startswith(MARK):
        return TERRAIN
    return SCENARIO


def _read_both_files(source: Source, problems: list[Problem]) -> tuple[TerrainFile, Scenario]:
    """Return the terrain and the scenario of the opened file and the one beside it.

    Raises ProblemError.
    """
    if _suffix_of(source.data) == TERRAIN:
        terrain = _checked_terrain(source.data)
        name = _name_of_other_file(source, SCENARIO)
        data = source.beside(name, (SCENARIO,), problems)
        if data is None:
            data = NEW_FILE  # a terrain can be opened alone: nothing is on it then
        path = str(PurePath(source.path or name).with_name(name))  # for messages about it
        return terrain, read_scenario(data, path)

    scenario = read_scenario(source.data, None)
    flat = flat_terrain(scenario)
    if flat is not None:
        return _terrain_of_flat(flat), scenario  # the scenario itself describes a flat terrain
    name = _name_of_other_file(source, TERRAIN)
    data = source.beside(name, (TERRAIN,), problems)
    if data is None:
        raise fault(f"its terrain is missing: {name} is not beside this scenario", 1)
    return _checked_terrain(data), scenario


def _name_of_other_file(source: Source, suffix: str) -> str:
    """Return the name of the other file of a scenario, which ends in ``suffix``.

    A source that stands in a map has its other file by name. For a file that is opened, the other
    one has the same name but for its suffix.
    """
    for name in source.files:
        if name.lower().endswith(suffix):
            return name
    return PurePath(source.path or STEM).with_suffix(suffix).name


def _checked_terrain(data: bytes) -> TerrainFile:
    """Return the terrain of a file, whose tiles have textures that the file lists.

    Raises ProblemError for any other.
    """
    try:
        terrain = read_terrain(data)
    except ValueError as failed:
        raise fault(str(failed), 1) from failed
    highest = terrain.tiles["texture"].max()
    count = len(terrain.names)
    if highest >= count:
        raise fault(f"a tile has texture {highest}, but {there_are(count, 'texture')}", 1)
    return terrain


def _terrain_of_flat(flat: FlatTerrain) -> TerrainFile:
    """Return the terrain that a file with this flat ground would have, of one texture."""
    side = min(flat.patches, _MAX_PATCHES) * PATCH
    heights = np.full((side + 1, side + 1), flat.height, np.uint16)
    first_texture = np.zeros((side, side), np.uint16)
    lowest_priority = np.zeros((side, side), np.uint16)
    return TerrainFile(heights, (flat.texture,), new_tiles(first_texture, lowest_priority))


def _texture_indices(
    terrain: TerrainFile, field: Literal["texture", "second"], names: tuple[str, ...]
) -> NDArray[np.uint16]:
    """Return the first or the second textures of the tiles (n, n) as indices of ``names``.

    A file has them as indices of its own list of names. A tile without a texture, and one whose
    texture is not among ``names``, has ``NO_TEXTURE``.
    """
    index_of_name = {name: index for index, name in enumerate(names)}
    index_of_texture = np.full(MOST + 1, NO_TEXTURE, np.uint16)  # by the index in the file
    for number, name in enumerate(terrain.names):
        index_of_texture[number] = index_of_name.get(name, NO_TEXTURE)
    indices: NDArray[np.uint16] = index_of_texture[terrain.tiles[field]]
    return indices


def _priorities(terrain: TerrainFile) -> NDArray[np.uint16]:
    """Return the priorities of the tiles (n, n) in the range that our maps have.

    A file has 32 bits, which the game takes as signed: negative ones become 0.
    """
    return np.clip(terrain.tiles["priority"].astype(np.int32), 0, MOST).astype(np.uint16)


CODEC = PmpCodec()
