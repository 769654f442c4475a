"""The JSON object of a map, as a random map script returns it: read, checked and written.

Reading is stricter than the game, which checks little. Each rule that fails is one Problem that
names the key and the first index at fault. Values are checked in containers that are valid, so that
one fault does not hide another.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.model.basics.bounded_json import fault_in_data
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Problem, has_errors
from randomizer.model.terrain.terrain_check import LONGEST_WORD, MOST_TERRAINS
from randomizer.systems.zeroad.map.coordinates import SEA_LEVEL
from randomizer.systems.zeroad.map.map_data import MapData
from randomizer.systems.zeroad.map.planes import MOST, MOST_ALONG, STEP, is_edge
from randomizer.systems.zeroad.map.records import (
    WATER_HEIGHT,
    finite_number,
    value_at,
    whole_number,
)
from randomizer.systems.zeroad.map_format.entity_schema import entity_object, read_entities
from randomizer.systems.zeroad.map_format.value_problems import Findings, describe_value

_MISSING = object()

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
    """Return the map data, None where there are errors, and all problems; they name the file
    ``path``.

    ``settings`` are the map settings that the script was given, whose players count; None if they
    are not known.

    ``raw`` is the object that a script returned, as plain JSON values; "height", "tileData.index"
    (or "indexes") and "tileData.priority" can be lists or arrays of any dtype.
    """
    findings = Findings(path)
    if not isinstance(raw, Mapping):
        findings.error("the map", f"is {describe_value(raw)}, expected an object")
        return None, findings.problems
    size = _size(raw, findings)
    side = None if size is None else size + 1
    heights = _numbers(raw, "height", side, findings)
    names = _texture_names(raw, findings)
    tiles = raw.get("tileData")
    if not isinstance(tiles, Mapping):
        findings.wrong("tileData", raw, "tileData", "an object")
        tiles = {}
        textures = priorities = None
    else:
        if "indexes" in tiles and "index" not in tiles:
            index = "indexes"
        else:
            index = "index"
        textures = _numbers(tiles, index, size, findings, "tileData.", names)
        priorities = _numbers(tiles, "priority", size, findings, "tileData.", needed=False)
    entities = read_entities(raw, size, findings, _count_players(settings))
    camera = _data(raw, "Camera", findings)
    environment = _data(raw, "Environment", findings)
    _check_water(environment, findings)
    sea_level = _sea_level(raw, findings)
    findings.unknown("", raw, KEYS)
    findings.unknown("tileData.", tiles, ("index", "indexes", "priority"))
    if has_errors(findings.problems):
        return None, findings.problems
    assert size is not None
    assert heights is not None
    assert textures is not None
    assert names is not None
    if priorities is None:
        priorities = np.zeros(size * size, np.uint16)
    data = MapData(
        size,
        heights.reshape(size + 1, size + 1),
        names,
        textures.reshape(size, size),
        priorities.reshape(size, size),
        entities,
        camera,
        environment,
        sea_level,
    )
    return data, findings.problems


def _count_players(settings: object) -> int | None:
    """Return the number of players of map settings, Gaia not counted; None if they do not say."""
    if isinstance(settings, Mapping):
        players = settings.get("PlayerData")
    else:
        players = None
    if not isinstance(players, list) or not players:
        return None
    return len(players) - 1


def _size(raw: Mapping[str, Any], findings: Findings) -> int | None:
    size = whole_number(raw.get("size"))
    if not is_edge(size):
        words = f"a multiple of {STEP} from {STEP} to {MOST_ALONG:,}"
        findings.wrong("size", raw, "size", words)
        return None
    return size


def _texture_names(raw: Mapping[str, Any], findings: Findings) -> tuple[str, ...] | None:
    names = raw.get("textureNames")
    key = "textureNames"
    if not isinstance(names, list | tuple):
        findings.wrong(key, raw, key, "a list of texts")
        return None
    if not 1 <= len(names) <= MOST_TERRAINS:
        findings.error(key, f"has {counted(len(names), 'name')}, expected 1 to {MOST_TERRAINS:,}")
    first: dict[str, int] = {}
    for number, name in enumerate(names):
        at = f"{key}[{number}]"
        if not isinstance(name, str) or not name or not name.isprintable() or name != name.strip():
            findings.error(at, f"is {describe_value(name)}, expected the name of a texture")
        elif len(name) > LONGEST_WORD:
            findings.error(at, f"has {len(name):,} letters, {LONGEST_WORD} are the most")
        elif first.setdefault(name, number) != number:
            findings.error(at, f"is {describe_value(name)}, which is {key}[{first[name]}] already")
    return tuple(map(str, names))


def _data(raw: Mapping[str, Any], key: str, findings: Findings) -> Mapping[str, Any] | None:
    """Return an object that is kept as it is; None if there is none."""
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
            key, f"is {describe_value(level)}, expected a finite number: seaLevel counts"
        )


def _sea_level(raw: Mapping[str, Any], findings: Findings) -> float:
    if "seaLevel" not in raw:
        findings.hint("seaLevel", f"is missing: {SEA_LEVEL:g} is taken")
        return SEA_LEVEL
    level = finite_number(raw["seaLevel"])
    if level is None:
        findings.wrong("seaLevel", raw, "seaLevel", "a finite number")
        return SEA_LEVEL
    return level


# --- arrays ---------------------------------------------------------------------------------------


def _numbers(
    raw: Mapping[str, Any],
    name: str,
    side: int | None,
    findings: Findings,
    where: str = "",
    textures: Sequence[str] | None = None,
    *,
    needed: bool = True,
) -> NDArray[np.uint16] | None:
    """Return the whole numbers of a key, flat; None if they are not there or cannot be used.

    There have to be ``side`` x ``side`` (None: any number of them). Each is 0 to 65535, and with
    ``textures`` below their number.
    """
    key = where + name
    if not needed and raw.get(name) is None:
        return None
    given = raw.get(name)
    if not isinstance(given, list | tuple | np.ndarray):
        findings.wrong(key, raw, name, "a list of numbers")
        return None
    values = _as_array(given, key, findings)
    if values is None:
        return None
    if side is not None and len(values) != side * side:
        expected = f"{side:,} x {side:,} = {side * side:,}"
        findings.error(key, f"has {counted(len(values), 'value')}, expected {expected}")
    for wrong, expected in _rules(values, textures):
        at = int(wrong.argmax()) if len(wrong) else 0
        if len(wrong) and wrong[at]:
            findings.error(
                f"{key}[{at}]",
                f"is {describe_value(values[at].item())}, expected {expected}",
                int(wrong.sum()) - 1,
            )
    if findings.at(key):
        return None
    return values.astype(np.uint16)


def _rules(
    values: NDArray[Any], textures: Sequence[str] | None
) -> Iterator[tuple[NDArray[np.bool_], str]]:
    """Yield which values break each rule, and what is expected."""
    if values.dtype.kind == "f":
        finite = np.isfinite(values)
        yield ~finite, "a finite number"
        yield finite & (values != np.floor(values)), "a whole number"
        values = np.where(finite, values, 0)
    yield (values < 0) | (values > MOST), f"0 to {MOST}"
    if textures is not None:
        count = counted(len(textures), "texture")
        yield (values >= len(textures)) & (values <= MOST), f"an index of the {count}"


def _as_array(given: Any, key: str, findings: Findings) -> NDArray[Any] | None:
    """Numbers as a flat array of integers or floats; None, and an error, for anything else."""
    if isinstance(given, np.ndarray):
        if given.dtype.kind in "iuf" and given.ndim == 1:
            return given
        findings.error(
            key, f"is an array of {given.dtype} {given.shape}, expected a list of numbers"
        )
        return None
    if set(map(type, given)) <= {int, float}:
        try:
            return np.asarray(given, np.float64)  # exact for all that can be right
        except OverflowError:
            pass
    wrong = [at for at, each in enumerate(given) if not _fits_float(each)]
    words = describe_value(given[wrong[0]])
    findings.error(f"{key}[{wrong[0]}]", f"is {words}, expected a whole number", len(wrong) - 1)
    return None


def _fits_float(value: object) -> bool:
    return type(value) is float or finite_number(value) is not None
