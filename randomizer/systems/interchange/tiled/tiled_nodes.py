"""Nodes: the content of a Tiled file as dicts, whether the file is XML or JSON.

    node["layers"][0]["name"]                                    # as in Tiled's JSON
    whole(node, "width", default=0, lowest=1, highest=1000)      # a checked value, or NodeError

A node is a dict with the keys of Tiled's JSON. It differs from that in two things, of which XML
tells more: the value of a property that is a class is a list of properties, and the ``encoding`` of
cells that are elements of their own is "xml". Keys that begin with ``#`` are ours, and are in no
file.

The constants tell how XML and JSON say the same::

    LISTS         <tile id="0"/> <tile id="1"/>            "tiles": [{"id": 0}, {"id": 1}]
    WRAPPED       <properties>                             "properties": [{"name": "depth", ...}]
                   <property name="depth" .../>
                  </properties>
    IMAGE         <image source="a.png" width="32"/>       "image": "a.png", "imagewidth": 32
    FLAG_SHAPES   <ellipse/>                               "ellipse": true
    POINT_SHAPES  <polygon points="0,0 5,0"/>              "polygon": [{"x": 0, "y": 0}, ...]

The functions read and change values of nodes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

Node = dict[str, Any]
"""An object of Tiled's JSON, such as a map, a layer or a tile."""

PropertyValue = bool | int | float | str
"""A value of a property, such as those that we write; others are lists and classes."""

SOURCE = "#source"
"""The key of the element (``reading.xml_tree``) that a node was read from; JSON has none."""

EMBEDDED = "#embedded"
"""The key of the element ``image`` with the bytes of a picture that is in the XML file itself."""

CONTENT = "_text"
"""The key of the text of an element in which Tiled expects none.

Unlike the keys with a #, which only this package uses, it is written into files.
"""

LAYER_TYPES = {
    "layer": "tilelayer",
    "objectgroup": "objectgroup",
    "imagelayer": "imagelayer",
    "group": "group",
}
"""The types of layers in JSON by their tags in XML."""

LISTS = {
    "tileset": "tilesets",
    "tile": "tiles",
    "object": "objects",
    "wangcolor": "colors",
    "wangcornercolor": "cornercolors",
    "wangedgecolor": "edgecolors",
    "wangtile": "wangtiles",
    "chunk": "chunks",
}
"""The key of the list of the elements of a tag, for elements of which there can be several."""

WRAPPED = {
    "properties": ("properties", "property"),
    "wangsets": ("wangsets", "wangset"),
    "animation": ("animation", "frame"),
    "terrains": ("terraintypes", "terrain"),
}
"""Lists in an element of their own, by key: the tag of that element, and that of their entries."""

IMAGE = {
    "source": "image",
    "width": "imagewidth",
    "height": "imageheight",
    "trans": "transparentcolor",
}
"""The keys in JSON of the node with an image, by the attributes of the element ``image`` in XML."""

FLAG_SHAPES = ("ellipse", "point", "capsule")
"""Shapes of objects that need no values, only the flag that the object has the shape."""

POINT_SHAPES = ("polygon", "polyline")
"""Shapes of objects that are a list of points."""

MAX_TILE_SIDE = 4096
"""The largest width or height of a tile in pixels."""

USUAL: Mapping[str, Node] = {
    "map": {"compressionlevel": -1},
    "tileset": {"margin": 0, "spacing": 0},
    "layer": {"name": "", "opacity": 1, "visible": True, "x": 0, "y": 0},
    "object": {"height": 0, "name": "", "rotation": 0, "type": "", "visible": True, "width": 0},
}
"""The usual values of a node, by its tag: Tiled writes them into JSON, but not into XML."""

LIMIT_OF_REALS = 1e9
"""All numbers that need not be whole, such as coordinates in pixels, are smaller than this."""


class NodeError(ValueError):
    """A fault in a node of a document; ``tiled_notation.located`` finds its line in the file."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(message)
        self.node = node


def whole(node: Node, key: str, default: int, lowest: int, highest: int) -> int:
    """Return the whole number in a key of a node, ``default`` for a node without the key.

    Raises NodeError for a number that is not from ``lowest`` to ``highest``, and for any other
    value. True is no number, although it is an ``int``.
    """
    value = node.get(key, default)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if type(value) is not int or not lowest <= value <= highest:
        message = f"{key} is {value!r:.40}, expected a whole number of {lowest:,} to {highest:,}"
        raise NodeError(node, message)
    return value


def real(node: Node, key: str, default: float = 0.0) -> float:
    """Return the number in a key of a node, ``default`` for a node without the key.

    Raises NodeError for any other value, for "not a number", and for one of ``LIMIT_OF_REALS`` or
    more.
    """
    value = node.get(key, default)
    if type(value) not in (int, float) or not abs(value) < LIMIT_OF_REALS:
        raise NodeError(node, f"{key} is {value!r:.40}, expected a number")
    return float(value)


def text(node: Node, key: str) -> str:
    """Return the text in a key of a node, "" for a node without the key or with null there.

    A value of another kind becomes a text: 5 becomes "5".
    """
    value = node.get(key)
    if value is None:
        return ""
    return str(value)


def nodes(node: Node, key: str) -> list[Node]:
    """Return the list of nodes in a key of a node, [] for a node without the key.

    Raises NodeError for any other value.
    """
    value = node.get(key, [])
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise NodeError(node, f"{key} is no list of objects")
    return value


def child(node: Node, key: str) -> Node:
    """Return the node in a key of a node, {} for a node without the key and for other values."""
    value = node.get(key)
    if isinstance(value, dict):
        return value
    return {}


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and all nodes in it, in no particular order."""
    queue: list[Any] = [node]
    while queue:
        value = queue.pop()
        if isinstance(value, dict):
            yield value
            queue += value.values()
        elif isinstance(value, list) and value and not isinstance(value[0], int):
            # Not a list of cells: these have no nodes, and are by far the longest lists.
            queue += value


def properties(node: Node) -> dict[str, Any]:
    """Return the values of a node's properties by name; of two with the same name the last."""
    return {text(entry, "name"): entry.get("value") for entry in nodes(node, "properties")}


def set_properties(node: Node, values: Mapping[str, PropertyValue | None]) -> None:
    """Set properties of a node by name; the value None removes one. All others stay.

    The list of properties is replaced, not changed: other nodes may share it.
    """
    current_values = properties(node)
    changes = dict[str, PropertyValue | None]()
    for name, value in values.items():
        if value is None:
            is_as_before = name not in current_values
        else:
            is_as_before = is_same_value(current_values.get(name), value)
        if not is_as_before:
            changes[name] = value
    if not changes:
        return
    entries = list(nodes(node, "properties"))
    positions = {text(entry, "name"): position for position, entry in enumerate(entries)}
    removed_names = set[str]()
    for name, value in changes.items():
        if value is None:
            removed_names.add(name)
        elif name in positions:
            position = positions[name]
            entries[position] = _with_value(entries[position], value)
        else:
            entries.append({"name": name, "type": type_of(value), "value": value})
    node["properties"] = [entry for entry in entries if text(entry, "name") not in removed_names]
    if not node["properties"]:
        del node["properties"]


def is_same_value(value: object, other_value: object) -> bool:
    """Return whether two values of a property are the same: 1 and 1.0, but not 1 and True."""
    return value == other_value and isinstance(value, bool) == isinstance(other_value, bool)


_TYPES_FOR_VALUES = {
    "int": ("int", "float", "object"),
    "float": ("float",),
    "string": ("string", "color", "file"),
}
"""The types of properties that can hold a value, by the type that it would get in a new property.

A 5, whose type would be "int", can stay in a property of the type "float".

A type without an entry holds only values of its own.
"""


def _with_value(entry: Node, value: PropertyValue) -> Node:
    """Return a property with another value; it keeps its type if that can hold the value."""
    value_type = type_of(value)
    if text(entry, "type") in _TYPES_FOR_VALUES.get(value_type, (value_type,)):
        return {**entry, "value": value}
    return {**entry, "type": value_type, "value": value}


def type_of(value: object) -> str:
    """Return Tiled's name of the type of a property with a value."""
    names = {bool: "bool", int: "int", float: "float", dict: "class", list: "list"}
    return names.get(type(value), "string")


def listed_cells(cells: object) -> list[int]:
    """Return cells as a list: those of a text with commas, or of a list.

    Raises ValueError, or TypeError, for any other value and for a cell that is no whole number.
    """
    if isinstance(cells, str):
        if not cells.strip():
            return []
        try:
            numbers = json.loads(f"[{cells}]")  # ten times as fast as a number at a time
        except (ValueError, RecursionError):
            # It is no JSON, as with zeros before a number: ``int`` takes more, or tells the fault.
            numbers = [int(number) for number in cells.split(",")]
        cells = numbers
    if not isinstance(cells, list) or not all(type(number) is int for number in cells):
        raise ValueError("a cell is no whole number")
    return cells
