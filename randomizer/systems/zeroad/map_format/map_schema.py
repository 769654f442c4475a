"""Reads, checks and writes the JSON object of a map, as a random map script returns it.

    {"size": 2, "seaLevel": 20, "textureNames": ["grass", "sand"],
     "height": [1840, 1840, 1900, ...],                 (size + 1)² corners, row by row
     "tileData": {"index": [0, 0, 1, 1],                size² tiles: indices of textureNames
                  "priority": [0, 0, 1, 1]},
     "entities": [...], "Camera": {...}, "Environment": {...}}

Reading is stricter than the game, which checks little. Each rule that is broken becomes one Problem
that names the key and the first index at fault. A part with a fault does not end the check: the
other parts are read all the same, so that all faults are told at once.

``read_map_data`` reads a map and ``plain_data`` writes it. Each part has a function that returns
the part, or None for a wrong one, and adds its problems to the same ``Findings``. The lists of
numbers are read by ``map_arrays``, the entities by ``entity_schema``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.bounded_json import fault_in_data
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, has_errors
from randomizer.model.terrain.terrain_check import LONGEST_WORD, MAX_TERRAINS
from randomizer.systems.zeroad.map.coordinates import SEA_LEVEL
from randomizer.systems.zeroad.map.json_values import finite_number, value_at, whole_number
from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map.planes import MAX_ALONG, STEP, is_edge
from randomizer.systems.zeroad.map.water_height import WATER_HEIGHT
from randomizer.systems.zeroad.map_format.entity_schema import entity_object, read_entities
from randomizer.systems.zeroad.map_format.map_arrays import ListRules, read_list
from randomizer.systems.zeroad.map_format.value_problems import Findings, describe_value

_MISSING = object()
"""Stands for a value that is missing, since None is a value too."""

KEYS = (
    "size",
    "height",
    "seaLevel",
    "textureNames",
    "tileData",
    "entities",
    "Camera",
    "Environment",
)
"""The keys of a map that the game reads."""

TILE_KEYS = ("index", "indexes", "priority")
"""The keys of its ``tileData``; "indexes" is what the game's document calls "index"."""


class _Tiles(NamedTuple):
    """The arrays of ``tileData``, flat; None where they are missing or wrong."""

    textures: NDArray[np.uint16] | None
    """The texture of each tile, an index of the names."""
    priorities: NDArray[np.uint16] | None
    """The priority of each tile; also None if the script gives none."""


def plain_data(data: MapData) -> dict[str, Any]:
    """Return map data as the JSON object of the game, which ``read_map_data`` reads."""
    plain: dict[str, Any] = {
        "size": data.size,
        "seaLevel": data.sea_level,
        "textureNames": list(data.texture_names),
        "height": data.heights.ravel().tolist(),
        "tileData": {
            "index": data.textures.ravel().tolist(),
            "priority": data.priorities.ravel().tolist(),
        },
        "entities": [entity_object(entity) for entity in data.entities],
    }
    optional = {"Camera": data.camera, "Environment": data.environment}
    return plain | {name: value for name, value in optional.items() if value is not None}


def read_map_data(
    raw: object, path: str | None = None, settings: object = None
) -> tuple[MapData | None, tuple[Problem, ...]]:
    """Return the map data and all problems. The data are None if one of these is an error.

    ``raw`` is the object that a script returned, as plain JSON values; "height", "tileData.index"
    (or "indexes") and "tileData.priority" can be lists or arrays of any dtype. The problems are of
    the file ``path``, None for a map without a file.

    ``settings`` are the map settings that the script was given: entities are compared with the
    number of their players. None if they are not known.
    """
    findings = Findings(path)
    if not isinstance(raw, Mapping):
        findings.error("the map", f"is {describe_value(raw)}, expected an object")
        return None, findings.problems

    # All parts are read before any error ends it, so that all faults are told at once.
    size = _read_size(raw, findings)
    corners_along = None
    if size is not None:
        corners_along = size + 1
    heights = read_list(raw, "height", "height", ListRules(corners_along), findings)
    names = _read_texture_names(raw, findings)
    tiles = _read_tiles(raw, size, names, findings)
    entities = read_entities(raw, size, findings, _count_players(settings))
    camera = _read_object(raw, "Camera", findings)
    environment = _read_object(raw, "Environment", findings)
    _check_water(environment, findings)
    sea_level = _read_sea_level(raw, findings)
    findings.add_unknown_keys("", raw, KEYS)
    if isinstance(raw.get("tileData"), Mapping):
        findings.add_unknown_keys("tileData.", raw["tileData"], TILE_KEYS)
    if has_errors(findings.problems):
        return None, findings.problems

    # These parts are there: a missing one is an error.
    assert size is not None
    assert heights is not None
    assert tiles.textures is not None
    assert names is not None
    priorities = tiles.priorities
    if priorities is None:
        priorities = np.zeros(size * size, np.uint16)
    data = MapData(
        size=size,
        heights=heights.reshape(size + 1, size + 1),
        texture_names=names,
        textures=tiles.textures.reshape(size, size),
        priorities=priorities.reshape(size, size),
        entities=entities,
        camera=camera,
        environment=environment,
        sea_level=sea_level,
    )
    return data, findings.problems


def _read_tiles(
    raw: Mapping[str, Any], size: int | None, names: Sequence[str] | None, findings: Findings
) -> _Tiles:
    """Return the textures and priorities of the tiles; ``names`` are those of the textures."""
    tiles = raw.get("tileData")
    if not isinstance(tiles, Mapping):
        findings.add_wrong_value("tileData", raw, "tileData", "an object")
        return _Tiles(None, None)
    index_key = "index"
    if "indexes" in tiles and "index" not in tiles:
        index_key = "indexes"
    texture_count = None
    if names is not None:
        texture_count = len(names)
    rules = ListRules(size, texture_count)
    textures = read_list(tiles, index_key, f"tileData.{index_key}", rules, findings)
    priorities = None
    if tiles.get("priority") is not None:  # a script can leave priorities out: then all are 0
        path = "tileData.priority"
        priorities = read_list(tiles, "priority", path, ListRules(size), findings)
    return _Tiles(textures, priorities)


def _count_players(settings: object) -> int | None:
    """Return the number of players of map settings, Gaia not counted; None if they do not say."""
    players = None
    if isinstance(settings, Mapping):
        players = settings.get("PlayerData")
    if not isinstance(players, list) or not players:
        return None
    return len(players) - 1


def _read_size(raw: Mapping[str, Any], findings: Findings) -> int | None:
    """Return the number of tiles along the map, None if it is missing or wrong."""
    size = whole_number(raw.get("size"))
    if not is_edge(size):
        words = f"a multiple of {STEP} from {STEP} to {MAX_ALONG:,}"
        findings.add_wrong_value("size", raw, "size", words)
        return None
    return size


def _read_texture_names(raw: Mapping[str, Any], findings: Findings) -> tuple[str, ...] | None:
    """Return the names of the textures, None if they are no list.

    Wrong names are among the result: so the indices of tiles can be checked against their number.
    """
    key = "textureNames"
    names = raw.get(key)
    if not isinstance(names, list | tuple):
        findings.add_wrong_value(key, raw, key, "a list of texts")
        return None
    if not 1 <= len(names) <= MAX_TERRAINS:
        findings.error(key, f"has {counted(len(names), 'name')}, expected 1 to {MAX_TERRAINS:,}")
    index_of_name: dict[str, int] = {}
    for index, name in enumerate(names):
        if not _is_texture_name(name):
            message = f"is {describe_value(name)}, expected the name of a texture"
        elif len(name) > LONGEST_WORD:
            message = f"has {len(name):,} letters, {LONGEST_WORD} are the most"
        elif name in index_of_name:
            message = f"is {describe_value(name)}, which is {key}[{index_of_name[name]}] already"
        else:
            index_of_name[name] = index
            continue
        findings.error(f"{key}[{index}]", message)
    return tuple(map(str, names))


def _is_texture_name(name: object) -> TypeGuard[str]:
    """Return whether a value can name a texture: a text in a line, without blanks around it."""
    if not isinstance(name, str) or not name:
        return False
    return name.isprintable() and name == name.strip()


def _read_object(raw: Mapping[str, Any], key: str, findings: Findings) -> Mapping[str, Any] | None:
    """Return an object whose values are not checked one by one; None if there is none."""
    data = raw.get(key)
    fault = fault_in_data(data)
    if fault:
        findings.error(key, fault)
    elif isinstance(data, Mapping):
        return data
    elif data is not None:
        findings.warning(key, f"is {describe_value(data)}, expected an object: it is left out")
    return None


def _check_water(environment: Mapping[str, Any] | None, findings: Findings) -> None:
    """Warn of a height of the water that is no number: the game could not read it."""
    level = value_at(environment, WATER_HEIGHT, _MISSING)
    if level is not _MISSING and finite_number(level) is None:
        key = ".".join(("Environment", *WATER_HEIGHT))
        findings.warning(
            key, f"is {describe_value(level)}, expected a finite number: seaLevel is used"
        )


def _read_sea_level(raw: Mapping[str, Any], findings: Findings) -> float:
    """Return the height of the sea; the game's usual one where it is missing or wrong."""
    if "seaLevel" not in raw:
        findings.hint("seaLevel", f"is missing: {SEA_LEVEL:g} is used")
        return SEA_LEVEL
    level = finite_number(raw["seaLevel"])
    if level is None:
        findings.add_wrong_value("seaLevel", raw, "seaLevel", "a finite number")
        return SEA_LEVEL
    return level
