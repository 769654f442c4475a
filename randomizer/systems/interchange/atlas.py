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
SCENARIO = ".xml"


class PmpCodec(Codec):
    """Reads and writes scenarios."""

    program = "Atlas"
    flat_only = False

    def parse(self, source: Source, problems: list[Problem]) -> BattleMap:
        terrain, scenario = _parts_of(source, problems)
        names = tuple(dict.fromkeys(terrain.names))  # one of 145 real maps has one twice
        data = MapData(
            len(terrain.tiles),
            terrain.heights,
            names,
            _indices(terrain, names),
            _priorities(terrain),
            tuple(entity for entity, _element in scenario.entities.values()),
            scenario.camera,
            scenario.environment,
            settings=scenario.settings,
        )
        problems += scenario.problems
        return map_of(data)

    def compose(self, battlemap: BattleMap, original: Source, stem: str) -> Written:
        terrain = None
        scenario = read_scenario(NEW, None)
        if original.data:
            terrain, scenario = _parts_of(original, [])
        data = map_data_of(battlemap, scenario.entities)
        tiles = new_tiles(data.textures, data.priorities)
        if terrain is not None and terrain.tiles.shape == tiles.shape:
            same = _indices(terrain, data.texture_names) == data.textures
            same &= _priorities(terrain) == data.priorities
            tiles["priority"][same] = terrain.tiles["priority"][same]
            tiles["second"][same] = _indices(terrain, data.texture_names, "second")[same]
        scenario.update(data, shown_name(stem))
        terrain = TerrainFile(data.heights, data.texture_names, tiles)
        return Written(write_terrain(terrain), {}, files={f"{stem}{SCENARIO}": scenario.data()})

    def write(
        self,
        map_format: Format,
        battlemap: BattleMap,
        name: str = STEM,
        painter: TilePainter | None = None,
    ) -> dict[str, bytes]:
        """Return the file ``name``, then the other one. Raises ProblemError."""
        stem = PurePath(name).stem
        files = {
            _suffix_of(data): data
            for data in super().write(map_format, battlemap, stem, painter).values()
        }
        own = SCENARIO if name.lower().endswith(SCENARIO) else TERRAIN
        if own not in files:  # one that was opened without it, and not changed
            anew = self._composed(map_format, battlemap, stem)[0]
            files = {TERRAIN: anew.data, SCENARIO: anew.files[f"{stem}{SCENARIO}"]}
        return {name: files.pop(own), **{f"{stem}{end}": data for end, data in files.items()}}

    def check(self, map_format: Format, battlemap: BattleMap) -> tuple[Problem, ...]:
        """Return what the game would mind: nothing is lost."""
        return (*super().check(map_format, battlemap), *JSON.check(battlemap))


def _suffix_of(data: bytes) -> str:
    return TERRAIN if data.startswith(MARK) else SCENARIO


def _parts_of(source: Source, problems: list[Problem]) -> tuple[TerrainFile, Scenario]:
    """Read a file and the one beside it. Raises ProblemError."""
    other = SCENARIO if _suffix_of(source.data) == TERRAIN else TERRAIN
    name = next((file for file in source.files if file.lower().endswith(other)), None)
    name = name or PurePath(source.path or STEM).with_suffix(other).name
    if other == SCENARIO:
        terrain = _terrain(source.data)
        beside = source.beside(name, (other,), problems)
        path = str(PurePath(source.path or name).with_name(name))
        return terrain, read_scenario(NEW if beside is None else beside, path)
    scenario = read_scenario(source.data, None)
    flat = scenario.flat_terrain()
    if flat is not None:
        return _flat(*flat), scenario
    beside = source.beside(name, (other,), problems)
    if beside is None:
        raise fault(f"this is on a terrain: {name} is not beside it", 1)
    return _terrain(beside), scenario


def _terrain(data: bytes) -> TerrainFile:
    try:
        terrain = read_terrain(data)
    except ValueError as failed:
        raise fault(str(failed), 1) from failed
    most = terrain.tiles["texture"].max()
    count = len(terrain.names)
    if most >= count:
        raise fault(f"a tile has texture {most}, but {there_are(count, 'texture')}", 1)
    return terrain


def _flat(patches: int, texture: str, height: int) -> TerrainFile:
    side = min(patches, 128) * PATCH
    tiles = new_tiles(*np.zeros((2, side, side), np.uint16))
    return TerrainFile(np.full((side + 1, side + 1), height, np.uint16), (texture,), tiles)


def _indices(
    terrain: TerrainFile, names: tuple[str, ...], which: str = "texture"
) -> NDArray[np.uint16]:
    """Return the textures of tiles as indices of ``names``; ``NO_TEXTURE`` for none."""
    number = {name: index for index, name in enumerate(names)}
    table = np.full(MOST + 1, NO_TEXTURE, np.uint16)
    table[: len(terrain.names)] = [number.get(name, NO_TEXTURE) for name in terrain.names]
    indices: NDArray[np.uint16] = table[terrain.tiles[which]]
    return indices


def _priorities(terrain: TerrainFile) -> NDArray[np.uint16]:
    """Return the priorities as a map here has them: the game takes the numbers as signed."""
    return np.clip(terrain.tiles["priority"].astype(np.int32), 0, MOST).astype(np.uint16)


CODEC = PmpCodec()
