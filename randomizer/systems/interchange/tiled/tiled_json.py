"""Reads and writes the JSON notation of Tiled (TMJ, TSJ, TJ): JSON text to nodes, nodes to text.

    node = read_json(data, LARGEST, MOST_VALUES)    # ProblemError for what is no JSON object
    normalise_json(node)                            # NodeError for a wrong shape
    data = write_json(node, "map")

Nodes (``tiled_nodes``) differ from the JSON of some files. These three forms are turned into lists
by ``normalise_json``; the first two are those of Tiled before 1.2, the last one is still written::

    "properties": {"moor": true}             [{"name": "moor", "type": "bool", "value": true}]
    "tiles": {"3": {"image": "a.png"}}       [{"id": 3, "image": "a.png"}]
    "type": "class", "value": {"depth": 3}   [{"name": "depth", "type": "int", "value": 3}]

A new file is written as Tiled writes it today: with all values that Tiled writes even where they
are the usual ones, since other programs expect them. A file that was read changes only where its
node changed.
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
    LISTS,
    MOST_TILE_SIDE,
    POINT_SHAPES,
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
"""The levels of lists and objects within one another that are accepted in a file."""

_MOST_PICTURE_SIDE = 2**20
"""The largest width or height of the picture of a tileset in pixels."""

_TILE_ID = re.compile("[0-9]{1,9}")
"""The id of a tile where it is the key of an object."""

JSON_FILE = "#json"
"""The key of the ``JsonFile`` that was read, in the node of the whole file."""


@dataclass(frozen=True, slots=True)
class JsonFile:
    """A file as it was read. ``write_json`` compares the nodes of today with it."""

    data: bytes
    """The bytes of the file."""
    objects: tuple[Node, ...]
    """The nodes of all its objects, in the order of ``objects_of``, which is the same each time.

    By its position there a node is found again in ``data``, wherever it stands today.
    """


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
"""The values that Tiled writes into JSON even if they are as usual, by the tag of their node."""

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
"""The tag of the node, or nodes, in a key; those in other keys need no tag."""


# --- from JSON -----------------------------------------------------------------------------------


def read_json(data: bytes, largest: int, most_values: int) -> Node:
    """Return the node of a JSON file, whose shape is not checked yet. Raises ProblemError.

    ``largest`` is the size in bytes that is accepted, ``most_values`` the number of its values.
    """
    content = decoded(data)
    try:
        node = parse_json(
            content.encode(), largest=largest, deepest=DEEPEST, most_values=most_values
        )
        if "\\u" in content:
            # An escape such as "\\ud83d" can be half of a character, which no file can hold: that
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
    for node in walk(root):
        _check_type(node)
        _list_properties(node)
        _list_tiles(node)
        _list_class_members(node)
        for key in (*LISTS.values(), *WRAPPED, *POINT_SHAPES):
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


def _list_properties(node: Node) -> None:
    """Turn the properties of Tiled before 1.2 into a list; their types stood beside them."""
    values = node.get("properties")
    if isinstance(values, dict):
        node["properties"] = list(_properties(values, child(node, "propertytypes")))
        node.pop("propertytypes", None)


def _list_tiles(node: Node) -> None:
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


def _list_class_members(node: Node) -> None:
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


# --- to JSON -------------------------------------------------------------------------------------


def write_json(node: Node, tag: str) -> bytes:
    """Return the file of a node: a "map", a "tileset" or a "template"."""
    file: JsonFile | None = node.get(JSON_FILE)
    if file is None:
        new_object = _object_to_write(node, tag, {})
        return (json_text(new_object, "") + "\n").encode()

    # A file that was read: its objects as they would be written of the map as it was read ...
    former_node: Node = json.loads(decoded(file.data))
    # (``normalise_json`` takes some objects out of the tree. As long as this tuple holds them, no
    # new object can get the identity of one of them.)
    former_objects = tuple(objects_of(former_node))
    normalise_json(former_node)
    former = _object_to_write(former_node, tag, _origins_of(former_objects))

    # ... and as they are to be written now. Only where the two differ the text changes.
    changed = _object_to_write(node, tag, _origins_of(file.objects))
    content = changed_json(decoded(file.data), former, changed)
    byte_order_mark = b""
    if file.data.startswith(BOM_UTF8):
        byte_order_mark = BOM_UTF8
    return byte_order_mark + content.encode()


Origins = Mapping[int, int]
"""The ``ORIGIN`` of each node that was read, by the identity (``id``) of the node.

It is the position of the node's object in the file. Equal objects are told apart by it.
"""


def _origins_of(objects: Iterable[Node]) -> Origins:
    """Return the origins of all objects of a file, which come in the order of ``objects_of``."""
    return {id(node): position for position, node in enumerate(objects)}


def _object_to_write(node: Node, tag: str, origins: Origins) -> Node:
    """Return the JSON object of a node, with all members that Tiled writes.

    It is a copy without the keys that begin with "#", but with the ``ORIGIN`` of a node that was
    read, by which ``changed_json`` finds the object in the text.
    """
    result: Node = {}
    if id(node) in origins:
        result[ORIGIN] = origins[id(node)]
    for key, value in node.items():
        if key.startswith("#"):
            continue
        value_tag = _TAGS.get(key, "")
        if tag == "property":
            value_tag = "property"  # the members of a class are properties again
        result[key] = _value_to_write(value, value_tag, origins)
    if tag == "property":
        _name_class_members(result)

    # A reference has its values in a file of its own. Here stand only those that differ from that
    # file, so a usual value that is added would change the tileset or the object.
    is_tileset_elsewhere = tag == "tileset" and "source" in node
    is_object_of_template = tag == "object" and "template" in node
    if not is_tileset_elsewhere and not is_object_of_template:
        for key, value in _USUAL.get(tag, {}).items():
            result.setdefault(key, value)
        if tag == "tileset":
            _add_tile_count(result)
    if tag == "layer":
        _complete_layer(result)
    return result


def _value_to_write(value: Any, tag: str, origins: Origins) -> Any:
    """Return the JSON value of a value of a node.

    ``tag`` is that of the nodes in it, "" for nodes that need none.
    """
    if isinstance(value, dict):
        return _object_to_write(value, tag, origins)
    is_list_of_cells = isinstance(value, list) and value and type(value[0]) is int
    if isinstance(value, list) and not is_list_of_cells:
        return [_value_to_write(entry, tag, origins) for entry in value]
    return value


def _name_class_members(node: Node) -> None:
    """Turn the members of a class, which are properties, into an object with their names."""
    value = node.get("value")
    if node.get("type") == "class" and isinstance(value, list):
        node["value"] = {text(member, "name"): member.get("value") for member in value}


def _add_tile_count(tileset: Node) -> None:
    """Set the number of tiles of a tileset, and of its columns, if its file does not have them.

    Old files leave them to the size of the picture. Raises NodeError for sizes that are none.
    """
    if tileset["columns"] or tileset["tilecount"]:
        return
    if "image" in tileset:
        columns = _tiles_along(tileset, "width")
        rows = _tiles_along(tileset, "height")
        tileset["columns"] = columns
        tileset["tilecount"] = columns * rows
    else:
        # Each tile has a picture of its own.
        tile_ids = [tile.get("id") for tile in tileset.get("tiles", [])]
        tileset["tilecount"] = sum(type(tile_id) is int for tile_id in tile_ids)


def _tiles_along(tileset: Node, side: str) -> int:
    """Return how many tiles fit along a side ("width" or "height") of the picture of a tileset.

    With margin M and spacing s the picture is: M tile s tile s tile M; with one more spacing at
    its end each tile is as long as the other ones. Tiled lets tiles reach into the last margin.
    """
    margin = whole(tileset, "margin", 0, 0, MOST_TILE_SIDE)
    spacing = whole(tileset, "spacing", 0, 0, MOST_TILE_SIDE)
    picture_length = whole(tileset, f"image{side}", 0, 0, _MOST_PICTURE_SIDE)
    step = whole(tileset, f"tile{side}", 1, 1, MOST_TILE_SIDE) + spacing
    return max(0, picture_length - margin + spacing) // step


def _complete_layer(layer: Node) -> None:
    """Add the values that Tiled writes of a layer of its type; cells as text become numbers."""
    layer_type = layer.get("type")
    if layer_type == "objectgroup":
        layer.setdefault("draworder", "topdown")
        layer.setdefault("objects", [])
    elif layer_type == "group":
        layer.setdefault("layers", [])
    elif layer_type == "imagelayer":
        layer.setdefault("image", "")
    elif layer_type == "tilelayer":
        _complete_tile_layer(layer)


def _complete_tile_layer(layer: Node) -> None:
    """Add the values that Tiled writes of a tile layer, and write cells as numbers.

    Cells stay packed in a text only in base64; those that came from XML as "1,0" become [1, 0].
    """
    chunks = layer.get("chunks")
    if layer.get("encoding") == "base64":
        layer.setdefault("compression", "")
    else:
        layer.pop("encoding", None)
        layer.pop("compression", None)
        for holder in layer.get("chunks", [layer]):
            if isinstance(holder.get("data"), str):
                holder["data"] = listed_cells(holder["data"])
    if chunks:
        layer.setdefault("startx", min(chunk.get("x", 0) for chunk in chunks))
        layer.setdefault("starty", min(chunk.get("y", 0) for chunk in chunks))
