"""Writes a finished map as a random map script, and reads the map from such a script.

The game has no files of maps for random maps, only scripts that make them. So a map that is to be
offered among these is written as a script that always makes the same map:

    // A finished map of Battlelands Builder (form 1), for 0 A.D. 0.27.
    const FIXED_MAP = {"size": 128, ...};       // the map, one JSON object with packed arrays
    ...                                         // ``unpack.js``, then the end that a release wants

``script_format`` calls ``write_script`` and ``read_script``. A script is read by parsing that JSON
object; nothing of it is run.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from randomizer.model.basics.bounded_json import fault_in_data, parse_json
from randomizer.model.basics.caches import KB, registered
from randomizer.model.problems import Problem, ProblemError, error
from randomizer.systems.zeroad.export.packing import (
    pack_runs,
    pack_steps,
    unpack_runs,
    unpack_steps,
)
from randomizer.systems.zeroad.export.styles import LARGEST_SCRIPT, MARK, Style
from randomizer.systems.zeroad.map.map_data import Entity, MapData
from randomizer.systems.zeroad.map.planes import MAX_ALONG
from randomizer.systems.zeroad.map_format.entity_schema import entity_object
from randomizer.systems.zeroad.map_format.map_json import DEEPEST
from randomizer.systems.zeroad.map_format.map_schema import read_map_data

_DECLARATION = "const FIXED_MAP = "
"""What stands directly before the map in a script."""

_HEAD = f"""\
{MARK.decode()} (form 1), for 0 A.D. {{version}}.
// Whatever size, seed and civilisations are chosen in the game, the result is this map, without
// the entities of players who do not take part.
{_DECLARATION}"""
"""The beginning of a script, up to the map."""

_START = f"\n{_DECLARATION}".encode()
"""The bytes before the map in a script."""

_AFTER_MAP = ";\n\n"
"""The text between the map and ``unpack.js``."""

_END = f"{_AFTER_MAP}//".encode()
"""The bytes behind the map in a script; the // is the beginning of ``unpack.js``, a comment.

They cannot be in the map: its texts have no line ends.
"""


class _PackedEntity(NamedTuple):
    """An entity as a list of numbers, in the order in which ``unpack.js`` reads them."""

    template: int
    """The index of its template in the list of templates."""

    player: int
    x: float
    z: float
    angle: float
    id: int


def is_fixed_script(data: bytes) -> bool:
    """Return whether these are the first bytes of the script of a finished map."""
    return data.startswith(MARK)


def write_script(data: MapData, style: Style) -> bytes:
    """Return the script of a map, in the form that ``style`` describes."""
    templates = sorted({entity.template for entity in data.entities})
    # The members of the object ``FIXED_MAP``, each as JSON: only long lists are to have many lines.
    member_texts: dict[str, str] = {
        "size": str(data.size),
        "seaLevel": json.dumps(data.sea_level),
        "Camera": json.dumps(data.camera),
        "Environment": json.dumps(data.environment),
        "settings": json.dumps(dict(data.settings)),
        "textureNames": _list_text(data.texture_names),
        "height": _list_text(pack_steps(data.heights)),
        "textures": _list_text(pack_runs(data.textures)),
        "priorities": _list_text(pack_runs(data.priorities)),
        "templates": _list_text(templates),
        "entities": _list_text(_packed_entities(data.entities, templates)),
    }
    text = ",\n".join(f"{json.dumps(name)}: {value}" for name, value in member_texts.items())
    head = _HEAD.format(version=style.version)
    return f"{head}{{\n{text}\n}}{_AFTER_MAP}{_unpacking_code()}\n{style.entry}".encode()


def _packed_entities(
    entities: Iterable[Entity], templates: Sequence[str]
) -> Iterator[_PackedEntity]:
    """Yield each entity as a list of numbers, its template by the index in ``templates``."""
    index_of_template = {name: index for index, name in enumerate(templates)}
    for entity in entities:
        yield _PackedEntity(
            template=index_of_template[entity.template],
            player=entity.player,
            x=entity.x,
            z=entity.z,
            angle=entity.angle,
            id=entity.id,
        )


def _list_text(values: Any) -> str:
    """Return values as a JSON list with a line for each."""
    lines = ",\n".join(json.dumps(value) for value in values)
    if lines:
        return f"[\n{lines}\n]"
    return "[]"


@registered(count=1, bytes_each=10 * KB)
@cache
def _unpacking_code() -> str:
    """Return the text of ``unpack.js``, which every script has; its first line is a comment."""
    return (files(__package__) / "unpack.js").read_text("utf-8")


def read_script(data: bytes, path: str | None = None) -> tuple[MapData | None, tuple[Problem, ...]]:
    """Return the map of a script that ``write_script`` wrote, and problems.

    The map is None if it is damaged. The problems name ``path``, the file of the script.
    """
    try:
        members = _unpacked_members(data, path)
    except ProblemError as failed:
        return None, failed.problems

    # The map is checked like one that a script has returned.
    mapdata, problems = read_map_data(_returned_object(members), path)
    if mapdata is None:
        return None, problems
    # Scripts get settings and do not return them, so the check of the map does not cover them.
    settings = members.get("settings")
    if not isinstance(settings, dict) or fault_in_data(settings):
        return None, (*_damaged(path).problems, *problems)
    return replace(mapdata, settings=settings), problems


def _unpacked_members(data: bytes, path: str | None) -> dict[str, Any]:
    """Return the members of ``FIXED_MAP``, the packed ones as arrays. Raises ProblemError."""
    try:
        start = data.index(_START) + len(_START)
        packed = data[start : data.index(_END, start)]
        members = parse_json(packed, largest=LARGEST_SCRIPT, deepest=DEEPEST)
        size = members["size"]
        if not isinstance(size, int) or not 0 <= size <= MAX_ALONG:
            raise ValueError("size")
        members["height"] = unpack_steps(members["height"], (size + 1) ** 2)
        for name in ("textures", "priorities"):
            members[name] = unpack_runs(members[name], size**2)
        templates = members["templates"]
        members["entities"] = [
            _unpacked_entity(_PackedEntity(*numbers), templates) for numbers in members["entities"]
        ]
    except (ValueError, LookupError, TypeError, RecursionError, MemoryError) as failed:
        # The text can hold any JSON: members can be missing, or be of any type.
        raise _damaged(path) from failed
    return dict(members)


def _unpacked_entity(packed: _PackedEntity, templates: Sequence[str]) -> dict[str, Any]:
    """Return an entity of ``_packed_entities`` as the game's object.

    Raises IndexError for a template that is not in the list.
    """
    if packed.template < 0:
        raise IndexError(packed.template)  # it would count from the end of the list
    entity = Entity(
        id=packed.id,
        template=templates[packed.template],
        player=packed.player,
        x=packed.x,
        z=packed.z,
        angle=packed.angle,
    )
    return entity_object(entity)


def _damaged(path: str | None) -> ProblemError:
    """Return the error of a script whose map cannot be read."""
    message = "The map in this script is damaged; the game may still load it"
    return error("script-damaged", message, path=path)


def _returned_object(members: Mapping[str, Any]) -> dict[str, Any]:
    """Return the unpacked members of ``FIXED_MAP`` as the object that the script would return."""
    returned = {name: members.get(name) for name in ("size", "seaLevel", "textureNames", "height")}
    returned["tileData"] = {"index": members["textures"], "priority": members["priorities"]}
    returned["entities"] = members["entities"]
    for name in ("Camera", "Environment"):
        if members.get(name):
            returned[name] = members[name]
    return returned
