"""Writes the JSON notation of Tiled (TMJ, TSJ, TJ): nodes to JSON text.

    data = write_json(node, "map")

A new file is written as Tiled writes it today: with all values that Tiled writes even where they
are the usual ones, since other programs expect them. A file that was read changes only where its
node changed: the objects that would be written of the file as it was read, and those of the node as
it is now, are compared (``reading.json_changes``).
"""

from __future__ import annotations

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping
from typing import Any

from randomizer.reading.json_changes import ORIGIN, changed_json, json_text, objects_of
from randomizer.systems.interchange.foreign.source import decoded
from randomizer.systems.interchange.tiled.tiled_json import JSON_FILE, JsonFile, normalise_json
from randomizer.systems.interchange.tiled.tiled_nodes import (
    MAX_TILE_SIDE,
    USUAL,
    Node,
    listed_cells,
    text,
    whole,
)

_MAX_PICTURE_SIDE = 2**20
"""The largest width or height of the picture of a tileset in pixels."""

_WRITTEN_DEFAULTS: Mapping[str, Node] = {
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


def write_json(node: Node, tag: str) -> bytes:
    """Return the file of a node: a "map", a "tileset" or a "template"."""
    file: JsonFile | None = node.get(JSON_FILE)
    if file is None:
        new_object = _object_to_write(node, tag, {})
        return (json_text(new_object, "") + "\n").encode()

    # A file that was read is read again. Its objects are written twice: once as they were read, and
    # once as they are now. Where both are equal the text of the file stays.
    former_node: Node = json.loads(decoded(file.data))
    # Objects are known by their ``id``. ``normalise_json`` takes some out of the tree: this tuple
    # keeps them, so that no new object can get the same ``id``.
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
        for key, value in _WRITTEN_DEFAULTS.get(tag, {}).items():
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
    margin = whole(tileset, "margin", 0, 0, MAX_TILE_SIDE)
    spacing = whole(tileset, "spacing", 0, 0, MAX_TILE_SIDE)
    picture_length = whole(tileset, f"image{side}", 0, 0, _MAX_PICTURE_SIDE)
    step = whole(tileset, f"tile{side}", 1, 1, MAX_TILE_SIDE) + spacing
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
