"""Reads the JSON notation of Tiled (TMJ, TSJ, TJ): JSON text to nodes.

    node = read_json(data, LARGEST, MAX_VALUES)    # ProblemError for what is no JSON object
    normalise_json(node)                            # NodeError for a wrong shape

A *node* is a dict (``tiled_nodes``), which differs from the JSON of some files. These three forms
are turned into lists by ``normalise_json``; the first two are those of Tiled before 1.2, the last
one is still written::

    "properties": {"moor": true}             [{"name": "moor", "type": "bool", "value": true}]
    "tiles": {"3": {"image": "a.png"}}       [{"id": 3, "image": "a.png"}]
    "type": "class", "value": {"depth": 3}   [{"name": "depth", "type": "int", "value": 3}]

``tiled_json_writer`` writes nodes. So that it changes a file only where the map changed, the node
of the file keeps the file (``JSON_FILE``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.problems import place_of
from randomizer.reading.json_changes import objects_of
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.source import decoded
from randomizer.systems.interchange.tiled.tiled_nodes import (
    LAYER_TYPES,
    LISTS,
    POINT_SHAPES,
    WRAPPED,
    Node,
    NodeError,
    child,
    nodes,
    type_of,
    walk,
)

DEEPEST = 100
"""The levels of lists and objects within one another that are accepted in a file."""

_TILE_ID = re.compile("[0-9]{1,9}")
"""The id of a tile where it is the key of an object."""

JSON_FILE = "#json"
"""The key of the ``JsonFile`` that was read, in the node of the whole file."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """A file as it was read, with which ``write_json`` compares the nodes of today."""

    data: bytes
    """The bytes of the file."""
    objects: tuple[Node, ...]
    """The nodes of all its objects, in the order of ``objects_of``.

    If ``data`` is read again, the n-th of its objects is the n-th of these, wherever the node
    stands in the map by now: so an object of the file is found for each node.
    """


def read_json(data: bytes, largest: int, max_values: int) -> Node:
    """Return the node of a JSON file, whose shape is not checked yet. Raises ProblemError.

    ``largest`` is the size in bytes that is accepted, ``max_values`` the number of its values.
    """
    content = decoded(data)
    try:
        node = parse_json(content.encode(), largest=largest, deepest=DEEPEST, max_values=max_values)
        if "\\u" in content:
            # An escape such as "\ud83d" can be half of a character, which no file can hold: that
            # is a ValueError here instead of later, where the map is saved.
            json.dumps(node, ensure_ascii=False).encode()
    except json.JSONDecodeError as failed:
        message = f"this is no JSON: {reason_of(failed)}"
        raise fault(message, *place_of(content, failed.pos)) from failed
    except (ValueError, RecursionError) as failed:
        raise fault(f"this is not read: {reason_of(failed)}", 1) from failed
    if not isinstance(node, dict):
        raise fault("this is no JSON object", 1)
    objects = tuple(objects_of(node))
    node[JSON_FILE] = JsonFile(data, objects)
    return node


def normalise_json(root: Node) -> None:
    """Turn all forms of a document that the module's docstring shows into lists of nodes.

    All lists are lists then, and all types are texts; NodeError is raised where that cannot be.
    """
    # ``walk`` goes on to the children that a node has by then, so that new lists are checked, too.
    for node in walk(root):
        _check_type(node)
        _properties_to_list(node)
        _tiles_to_list(node)
        _class_members_to_list(node)
        for key in (*LISTS.values(), *WRAPPED, *POINT_SHAPES):
            nodes(node, key)  # raises NodeError for what is no list of nodes
        for layer in nodes(node, "layers"):
            _check_layer(layer)
        if not isinstance(node.get("wangid", []), list):
            raise NodeError(node, "wangid is no list")


def _check_type(node: Node) -> None:
    """Raise NodeError for a type that is no text."""
    node_type = node.get("type", "")
    if not isinstance(node_type, str):
        raise NodeError(node, f"its type is {node_type!r:.40}, expected a text")


def _properties_to_list(node: Node) -> None:
    """Turn the properties of Tiled before 1.2 into a list; their types stood beside them."""
    values = node.get("properties")
    if isinstance(values, dict):
        node["properties"] = list(_properties(values, child(node, "propertytypes")))
        node.pop("propertytypes", None)


def _tiles_to_list(node: Node) -> None:
    """Turn the tiles of a tileset of Tiled before 1.2 into a list. Raises NodeError.

    Their properties stood beside them, by the same ids, and so did the types of these::

        "tiles": {"3": {"image": "a.png"}},
        "tileproperties": {"3": {"moor": true}},
        "tilepropertytypes": {"3": {"moor": "bool"}}
    """
    if "tiles" not in node and "tileproperties" not in node:
        return
    tiles = node.get("tiles", {})
    if not isinstance(tiles, dict):
        return  # a list already
    tiles_by_id = dict[int, Node]()
    for key, tile in tiles.items():
        tile_id = _tile_id(node, key)
        tiles_by_id[tile_id] = {"id": tile_id, **_checked_object(node, tile)}
    for key, values in child(node, "tileproperties").items():
        tile_id = _tile_id(node, key)
        types = child(child(node, "tilepropertytypes"), key)
        tile = tiles_by_id.setdefault(tile_id, {"id": tile_id})
        tile["properties"] = list(_properties(_checked_object(node, values), types))
    node.pop("tileproperties", None)
    node.pop("tilepropertytypes", None)
    node["tiles"] = [tiles_by_id[tile_id] for tile_id in sorted(tiles_by_id)]


def _class_members_to_list(node: Node) -> None:
    """Turn the value of a property that is a class into a list of properties. Raises NodeError."""
    if node.get("type") != "class" or "value" not in node:
        return
    value = node["value"]
    if isinstance(value, dict):
        node["value"] = list(_properties(value, {}))
    nodes(node, "value")  # raises the error for a value of another kind


def _check_layer(layer: Node) -> None:
    """Raise NodeError for an unknown type or encoding of a layer, and for cells of another kind."""
    if layer.get("type") not in LAYER_TYPES.values():
        layer_types = ", ".join(LAYER_TYPES.values())
        message = f"the type of a layer is {layer.get('type')!r:.40}, expected one of {layer_types}"
        raise NodeError(layer, message)
    if layer.get("encoding", "csv") not in ("csv", "base64"):
        encoding = layer["encoding"]
        raise NodeError(layer, f"the encoding {encoding!r:.40} is not known, expected base64")
    # The cells of an infinite map are in chunks, those of other maps in the layer itself.
    for holder in nodes(layer, "chunks") or [layer]:
        cells = holder.get("data", [])
        is_list_of_ids = isinstance(cells, list) and all(type(gid) is int for gid in cells)
        if not is_list_of_ids and not isinstance(cells, str):
            raise NodeError(holder, "its cells are neither a text nor a list of whole numbers")


def _properties(values: Mapping[str, Any], types: Mapping[str, Any]) -> Iterator[Node]:
    """Yield properties as nodes.

    ``values`` and ``types`` are those of the properties by name; a type that is not in ``types`` is
    that of the value.
    """
    for name, value in values.items():
        yield {"name": name, "type": types.get(name, type_of(value)), "value": value}


def _tile_id(node: Node, key: str) -> int:
    """Return the id of a tile from the key of an object. Raises NodeError."""
    if not _TILE_ID.fullmatch(key):
        raise NodeError(node, f"the id of a tile is {key!r:.40}, expected a whole number")
    return int(key)


def _checked_object(node: Node, value: object) -> Node:
    """Return the value of a tile in a tileset, which must be an object. Raises NodeError."""
    if not isinstance(value, dict):
        raise NodeError(node, f"what is said of a tile is {value!r:.40}, expected an object")
    return value
