"""The JSON notation of Tiled (TMJ, TSJ, TJ): its values to nodes, and nodes to its values.

    node = read_json(data)                   # ProblemError with its place
    check_json(node)                         # NodeError for what no file of Tiled says
    write_json(node, "map")

Files of all versions of Tiled are read: before 1.2 properties and tiles are objects instead of
lists. New ones are written as Tiled writes them today, with all values that it writes even where
they are the usual ones, since other programs expect them; one that was read changes where its node
did.
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.error_reasons import reason_of
from randomizer.model.problems import place_of
from randomizer.reading.json_changes import ORIGIN, changed_json, json_text, objects_of
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.source import decoded
from randomizer.systems.interchange.tiled.tiled_nodes import (
    LAYER_TYPES,
    LINES,
    LISTS,
    MOST_SIDE,
    USUAL,
    WRAPPED,
    Node,
    NodeError,
    child,
    listed_cells,
    nodes,
    text,
    type_of,
    walk,
    whole,
)

DEEPEST = 100
"""So deep the lists and objects of a file may be nested."""

_TILE_ID = re.compile("[0-9]{1,9}")

JSON_FILE = "#json"
"""The key with the ``JsonFile`` that was read, in the node of the file."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """The bytes of a file, and all its objects as nodes, in the order of ``objects_of``."""

    data: bytes
    objects: tuple[Node, ...]


_USUAL: Mapping[str, Node] = {
    **USUAL,
    "map": {
        **USUAL["map"],
        "infinite": False,
        "layers": [],
        "renderorder": "right-down",
        "tilesets": [],
    },
    "tileset": {**USUAL["tileset"], "columns": 0, "name": "", "tilecount": 0},
    "object": {**USUAL["object"], "x": 0, "y": 0},
    "wangset": {"colors": [], "name": "", "tile": -1, "type": "mixed", "wangtiles": []},
    "wangcolor": {"color": "#000000", "name": "", "probability": 1, "tile": -1},
}
"""What Tiled writes of a node by its tag, although it is so without it."""

_TAGS = {
    "tilesets": "tileset",
    "tileset": "tileset",
    "layers": "layer",
    "objectgroup": "layer",
    "objects": "object",
    "object": "object",
    "wangsets": "wangset",
    "colors": "wangcolor",
    "properties": "property",
}
"""What the nodes in a key are."""


# --- from JSON -----------------------------------------------------------------------------------


def read_json(data: bytes, largest: int, most_values: int) -> Node:
    """Return the node of a JSON file. Raises ProblemError."""
    content = decoded(data)
    try:
        node = parse_json(
            content.encode(), largest=largest, deepest=DEEPEST, most_values=most_values
        )
        if "\\u" in content:
            json.dumps(node, ensure_ascii=False).encode()  # halves of characters are a ValueError
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


def check_json(root: Node) -> None:
    """Check the shape of a document, and turn what older versions wrote into what newer ones do.

    Lists are lists then, types are texts, and values of a class are lists. Raises NodeError.
    """
    for node in walk(root):
        _check_type(node)
        _list_properties(node)
        _list_tiles(node)
        _list_members(node)
        for key in (*LISTS.values(), *WRAPPED, *LINES):
            nodes(node, key)
        for layer in nodes(node, "layers"):
            _check_layer(layer)
        if not isinstance(node.get("wangid", []), list):
            raise NodeError(node, "wangid is no list")


def _check_type(node: Node) -> None:
    """Raise NodeError for a type that is no text."""
    node_type = node.get("type", "")
    if not isinstance(node_type, str):
        raise NodeError(node, f"its type is {node_type!r:.40}, expected a text")


def _check_layer(layer: Node) -> None:
    """Raise NodeError for an unknown type or encoding of a layer, and for cells of another kind."""
    if layer.get("type") not in LAYER_TYPES.values():
        layer_types = ", ".join(LAYER_TYPES.values())
        message = f"the type of a layer is {layer.get('type')!r:.40}, expected one of {layer_types}"
        raise NodeError(layer, message)
    if layer.get("encoding", "csv") not in ("csv", "base64"):
        encoding = layer["encoding"]
        raise NodeError(layer, f"the encoding {encoding!r:.40} is not known, expected base64")
    for part in nodes(layer, "chunks") or [layer]:
        cells = part.get("data", [])
        is_list = isinstance(cells, list) and all(type(gid) is int for gid in cells)
        if not is_list and not isinstance(cells, str):
            raise NodeError(part, "its cells are neither a text nor a list of whole numbers")


def _list_members(node: Node) -> None:
    """Turn the members of a property that is a class into properties."""
    value = node.get("value")
    if node.get("type") != "class" or "value" not in node:
        return
    if isinstance(value, dict):
        node["value"] = list(_properties(value, {}))
    nodes(node, "value")


def _list_properties(node: Node) -> None:
    """Turn the properties of Tiled before 1.2 into a list: {"moor": true} and their types."""
    values = node.get("properties")
    if isinstance(values, dict):
        node["properties"] = list(_properties(values, child(node, "propertytypes")))
        node.pop("propertytypes", None)


def _list_tiles(node: Node) -> None:
    """Turn the tiles of Tiled before 1.2 into a list: {"3": {"image": "a.png"}}.

    The properties of tiles are in objects of their own there, by the same ids. Raises NodeError.
    """
    tiles = node.get("tiles", {})
    if not isinstance(tiles, dict) or not node.keys() & {"tiles", "tileproperties"}:
        return
    tiles_by_id = dict[int, Node]()
    for key, tile in tiles.items():
        number = _tile_id(node, key)
        tiles_by_id[number] = {"id": number, **_checked_object(node, tile)}
    for key, values in child(node, "tileproperties").items():
        number = _tile_id(node, key)
        types = child(child(node, "tilepropertytypes"), key)
        tile = tiles_by_id.setdefault(number, {"id": number})
        tile["properties"] = list(_properties(_checked_object(node, values), types))
    node.pop("tileproperties", None)
    node.pop("tilepropertytypes", None)
    node["tiles"] = [tiles_by_id[number] for number in sorted(tiles_by_id)]


def _properties(values: Mapping[str, Any], types: Mapping[str, Any]) -> Iterator[Node]:
    """Yield properties as nodes: ``values`` by name, and ``types`` of some of them."""
    for name, value in values.items():
        yield {"name": name, "type": types.get(name, type_of(value)), "value": value}


def _tile_id(node: Node, key: str) -> int:
    """Return the id of a tile from the key of an object. Raises NodeError."""
    if not _TILE_ID.fullmatch(key):
        raise NodeError(node, f"the id of a tile is {key!r:.40}, expected a whole number")
    return int(key)


def _checked_object(node: Node, value: object) -> Node:
    """Return what a tileset says of a tile, if it is an object. Raises NodeError."""
    if not isinstance(value, dict):
        raise NodeError(node, f"what is said of a tile is {value!r:.40}, expected an object")
    return value


# --- to JSON -------------------------------------------------------------------------------------


def write_json(node: Node, tag: str) -> bytes:
    """Return the file of a node: a "map", a "tileset" or a "template"."""
    file: JsonFile | None = node.get(JSON_FILE)
    if file is None:
        return (json_text(_object(node, tag, {}), "") + "\n").encode()
    former_node: Node = json.loads(decoded(file.data))
    # check_json takes some objects out of the tree: kept here, their identity stays their own.
    former_objects = tuple(objects_of(former_node))
    check_json(former_node)
    former = _object(former_node, tag, _numbers_of(former_objects))
    changed = _object(node, tag, _numbers_of(file.objects))
    content = changed_json(decoded(file.data), former, changed)
    mark = BOM_UTF8 if file.data.startswith(BOM_UTF8) else b""
    return mark + content.encode()


Numbers = Mapping[int, int]
"""The numbers of the objects of a file by the identity of their nodes."""


def _numbers_of(objects: Iterable[Node]) -> Numbers:
    """Return the number of each object, by its identity."""
    return {id(node): number for number, node in enumerate(objects)}


def _value(value: Any, tag: str, numbers: Numbers) -> Any:
    """Return what stands in a file for a value.

    ``tag`` is that of the nodes in it, "" for nodes of an unknown kind.
    """
    if isinstance(value, dict):
        return _object(value, tag, numbers)
    if isinstance(value, list) and not (value and type(value[0]) is int):
        return [_value(entry, tag, numbers) for entry in value]
    return value


def _object(node: Node, tag: str, numbers: Numbers) -> Node:
    """Return the object that stands in a file for a node, with all members that Tiled writes.

    ``numbers`` are the origins of nodes that were read, by which ``changed_json`` finds them.
    """
    result: Node = {}
    if id(node) in numbers:
        result[ORIGIN] = numbers[id(node)]
    for key, value in node.items():
        if key.startswith("#"):
            continue  # ours alone
        value_tag = _TAGS.get(key, "")
        if tag == "property":
            value_tag = "property"  # the members of a class are properties again
        result[key] = _value(value, value_tag, numbers)
    if tag == "property":
        _name_members(result)

    # Of what is in a file of its own there are only the values that differ from it.
    is_tileset_elsewhere = tag == "tileset" and "source" in node
    is_object_of_template = tag == "object" and "template" in node
    is_reference = is_tileset_elsewhere or is_object_of_template
    if not is_reference:
        for key, value in _USUAL.get(tag, {}).items():
            result.setdefault(key, value)
    if tag == "tileset" and not is_reference:
        _count_tiles(result)
    if tag == "layer":
        _complete_layer(result)
    return result


def _name_members(node: Node) -> None:
    """Turn the members of a class, which are properties, into an object with their names."""
    value = node.get("value")
    if node.get("type") == "class" and isinstance(value, list):
        node["value"] = {text(member, "name"): member.get("value") for member in value}


def _count_tiles(tileset: Node) -> None:
    """Say how many tiles a tileset has where an old file leaves that to its picture.

    Raises NodeError for sizes that are none.
    """
    if tileset["columns"] or tileset["tilecount"]:
        return
    if "image" in tileset:
        margin = whole(tileset, "margin", 0, 0, MOST_SIDE)
        spacing = whole(tileset, "spacing", 0, 0, MOST_SIDE)
        counts = list[int]()
        for side in ("width", "height"):
            length = whole(tileset, f"image{side}", 0, 0, 2**20) - margin + spacing
            step = whole(tileset, f"tile{side}", 1, 1, MOST_SIDE) + spacing
            counts.append(max(0, length) // step)
        columns, rows = counts
        tileset["columns"] = columns
        tileset["tilecount"] = columns * rows
    else:
        numbers = [tile.get("id") for tile in tileset.get("tiles", [])]
        tileset["tilecount"] = sum(type(number) is int for number in numbers)


def _complete_layer(layer: Node) -> None:
    """Add what Tiled writes of a layer of a type, and its cells as numbers."""
    layer_type = layer.get("type")
    if layer_type == "objectgroup":
        layer.setdefault("draworder", "topdown")
        layer.setdefault("objects", [])
    elif layer_type == "group":
        layer.setdefault("layers", [])
    elif layer_type == "imagelayer":
        layer.setdefault("image", "")
    elif layer_type == "tilelayer" and layer.get("encoding") == "base64":
        layer.setdefault("compression", "")
    elif layer_type == "tilelayer":
        layer.pop("encoding", None)
        layer.pop("compression", None)
        for part in layer.get("chunks", [layer]):
            if isinstance(part.get("data"), str):
                part["data"] = listed_cells(part["data"])
    chunks = layer.get("chunks")
    if layer_type == "tilelayer" and chunks:
        layer.setdefault("startx", min(chunk.get("x", 0) for chunk in chunks))
        layer.setdefault("starty", min(chunk.get("y", 0) for chunk in chunks))
