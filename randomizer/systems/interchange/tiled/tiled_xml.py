"""Reads the XML notation of Tiled (TMX, TSX, TX): elements to nodes.

    node = read_xml(data, most_bytes, most_elements)     # ProblemError with its place

**Nothing of a file gets lost.** A node keeps the element that it was read from (``SOURCE``), the
node of the whole file keeps the file (``FILE``). What is no part of a node (comments, the second of
two elements of which there can be one) is listed there, too (``UNREAD``). ``tiled_xml_writer``
writes nodes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from randomizer.model.problems import ProblemError
from randomizer.reading.xml_changes import file_of
from randomizer.reading.xml_tree import Comment, Element, parse_xml
from randomizer.reading.xml_tree import Node as Piece
from randomizer.systems.interchange.tiled.tiled_nodes import (
    CONTENT,
    EMBEDDED,
    IMAGE,
    LAYER_TYPES,
    LINES,
    LISTS,
    MARKS,
    SOURCE,
    WRAPPED,
    Node,
)

UNREAD = "#unread"
"""The key with all pieces of a file (``Piece``) that are in no node, in the node of the file."""

FILE = "#file"
"""The key with the ``XmlFile`` that was read, in the node of the file."""

_WRAPPERS = {wrapper: (key, tag) for key, (wrapper, tag) in WRAPPED.items()}
"""The key of a list, and the tag of its entries, by the tag of the element around them."""

_SINGLE = frozenset(
    {"editorsettings", "tileoffset", "grid", "transformations", "text", "objectgroup"}
    | {"object", "tileset", "export", "chunksize"}
)
"""Elements that Tiled knows and of which there is one: it reads the first or the last of them."""

RESERVED = frozenset(
    {*LISTS.values(), *WRAPPED, *IMAGE.values(), *MARKS, *LINES, *_SINGLE, CONTENT}
    | {"layers", "data", "chunks"}
)
"""Keys of a node that elements fill: an attribute called so stays in its element."""

_TEXTS = {
    *("name", "class", "type", "value", "version", "tiledversion", "source", "template"),
    *("propertytype", "color", "trans", "encoding", "compression", "fontfamily", "format"),
    "target",
}
"""Attributes that are texts even if they look like numbers."""

_FLAGS = {
    *("visible", "infinite", "locked", "repeatx", "repeaty", "wrap", "bold", "italic"),
    *("underline", "strikeout", "kerning", "hflip", "vflip", "rotate", "preferuntransformed"),
}
"""Attributes that are ``true`` or ``false`` in JSON."""

_INTEGER = re.compile(r"-?\d{1,15}")
"""A whole number that a float holds exactly."""

_REAL = re.compile(r"-?\d{1,300}(?:\.\d{0,300})?(?:[eE][-+]?\d{1,3})?")
"""A number, short enough to be read quickly."""

NAME = re.compile(r"(?!xmlns$)[A-Za-z_][\w.-]*", re.ASCII)
"""A name that can be the key of a node, and an attribute or an element."""

_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]{1,8}")


def read_xml(data: bytes, most_bytes: int, most_elements: int) -> Node:
    """Return the node of an XML file. Raises ProblemError."""
    document = parse_xml(data, most_bytes=most_bytes, most_elements=most_elements)
    if document.root is None:
        raise ProblemError(document.problems)
    reader = _Reader()
    node = reader.node_of(document.root, "")
    outside = [*document.before, *document.after]
    reader.unread += (piece for piece in outside if not isinstance(piece, str))
    node[UNREAD] = reader.unread
    node[FILE] = file_of(document, document.root, data)
    return node


class _Reader:
    """Makes nodes of elements, and collects what is in none of them."""

    def __init__(self) -> None:
        self.unread = list[Piece]()

    def node_of(self, element: Element, parent: str) -> Node:
        """Return the node of an element in one whose tag is ``parent``, "" for the root."""
        tag = element.name
        node: Node = {SOURCE: element}
        for key, value in element.attributes.items():
            if key not in RESERVED:
                node[key] = typed(key, value)
        if "wangid" in node:
            node["wangid"] = wang_id(element.attributes["wangid"])
        if tag == "tile" and "terrain" in node:
            node["terrain"] = corners(element.attributes["terrain"])
        for piece in element.children:
            if isinstance(piece, Element):
                if not self._take(node, piece, tag):
                    self.unread.append(piece)
            elif not isinstance(piece, str):
                self.unread.append(piece)
        if tag == "text":
            node["text"] = element.text
        elif element.text.strip():
            node[CONTENT] = element.text
        if tag in LAYER_TYPES and parent in ("map", "group", "tile"):
            node["type"] = LAYER_TYPES[tag]
        elif tag in ("map", "tileset") and not parent:
            node["type"] = tag
        return node

    def _take(self, node: Node, element: Element, parent: str) -> bool:
        """Take an element into the node of its parent; False if it has no place there."""
        tag = element.name
        if tag in _WRAPPERS:
            key, entry_tag = _WRAPPERS[tag]
            if key in node:
                return False
            node[key] = self._entries(element, entry_tag)
        elif tag == "data" and parent == "layer":
            if "data" in node or "chunks" in node:
                return False
            self._take_cells(node, element)
        elif tag == "image":
            has_value = element.attributes.keys() & IMAGE.keys() or first(element, "data")
            if node.keys() & {*IMAGE.values(), EMBEDDED} or not has_value:
                return False
            self._take_image(node, element)
        elif tag in LINES:
            if tag in node:
                return False
            node[tag] = points(element.attributes.get("points", ""))
            self._leave_all(element)
        elif tag in MARKS:
            node[tag] = True
            self._leave_all(element)
        elif tag in LAYER_TYPES and parent in ("map", "group"):
            node.setdefault("layers", []).append(self.node_of(element, parent))
        elif tag in LISTS and parent != "template":
            node.setdefault(LISTS[tag], []).append(self.node_of(element, parent))
        else:
            return self._take_other(node, element, parent)
        return True

    def _take_other(self, node: Node, element: Element, parent: str) -> bool:
        """Take an element that JSON calls as XML does, or that Tiled does not know."""
        tag = element.name
        if tag in _SINGLE:
            if tag in node:
                return False
            node[tag] = self.node_of(element, parent)
            return True
        present = node.get(tag)
        if tag in RESERVED or not NAME.fullmatch(tag):
            return False
        if present is None:
            node[tag] = self.node_of(element, parent)
        elif isinstance(present, dict):
            node[tag] = [present, self.node_of(element, parent)]
        elif isinstance(present, list):
            present.append(self.node_of(element, parent))
        else:  # an attribute is called so, too
            return False
        return True

    def _entries(self, wrapper: Element, tag: str) -> list[Node]:
        """Return the nodes of the elements with a tag in a list's element."""
        entries = list[Node]()
        for piece in wrapper.children:
            if isinstance(piece, Element) and piece.name == tag:
                if tag in ("property", "item"):
                    entries.append(self._property(piece))
                else:
                    entries.append(self.node_of(piece, wrapper.name))
            elif not isinstance(piece, str) or piece.strip():
                self.unread.append(piece)
        return entries

    def _property(self, element: Element) -> Node:
        """Return the node of a property, whose value has its type."""
        node: Node = {SOURCE: element, "type": "string", **element.attributes}
        value_type = node["type"]
        if value_type in ("class", "list"):
            return {**node, "value": self._members(element, value_type)}
        self.unread += (piece for piece in element.children if not isinstance(piece, str))
        return {**node, "value": property_value(value_type, node.get("value", element.text))}

    def _members(self, element: Element, value_type: str) -> list[Node]:
        """Return the values of a property that is a class or a list."""
        if value_type == "list":
            return self._entries(element, "item")
        wrapper = first(element, "properties")
        self.unread += (
            piece
            for piece in element.children
            if piece is not wrapper and (not isinstance(piece, str) or piece.strip())
        )
        if wrapper is None:
            return []
        return self._entries(wrapper, "property")

    def _take_cells(self, layer: Node, element: Element) -> None:
        """Take the cells of a layer, or its chunks with theirs."""
        layer["encoding"] = element.attributes.get("encoding", "xml")
        if "compression" in element.attributes:
            layer["compression"] = element.attributes["compression"]
        chunks = list(elements_of(element, "chunk"))
        for chunk in chunks:
            node: Node = {SOURCE: chunk}
            for key, value in chunk.attributes.items():
                if key not in RESERVED:
                    node[key] = typed(key, value)
            node["data"] = self._cells(layer["encoding"], chunk)
            layer.setdefault("chunks", []).append(node)
        if chunks:
            self._leave_others(element, ("chunk",))
        else:
            layer["data"] = self._cells(layer["encoding"], element)

    def _cells(self, encoding: str, element: Element) -> object:
        """Return the cells of a layer or chunk: a text, or a list of what stands in elements."""
        if encoding != "xml":
            self._leave_others(element, ())
            return element.text
        self._leave_others(element, ("tile",))
        return [typed("", tile.attributes.get("gid", "0")) for tile in elements_of(element, "tile")]

    def _take_image(self, node: Node, element: Element) -> None:
        """Take the image of a tileset, tile or layer into its node; the picture may be in it."""
        for name, key in IMAGE.items():
            if name in element.attributes:
                node[key] = typed(name, element.attributes[name])
        if "transparentcolor" in node:
            node["transparentcolor"] = f"#{node['transparentcolor'].lstrip('#')}"
        if first(element, "data") is not None:
            node[EMBEDDED] = element
            self._leave_others(element, ("data",))
            for data in elements_of(element, "data"):
                self._leave_others(data, ())
        else:
            self._leave_all(element)

    def _leave_all(self, element: Element) -> None:
        """Leave all that is in an element where it is, but for blanks."""
        for piece in element.children:
            is_blank = isinstance(piece, str) and not piece.strip()
            if not is_blank:
                self.unread.append(piece)

    def _leave_others(self, element: Element, tags: tuple[str, ...]) -> None:
        """Leave comments and elements with other tags where they are."""
        for piece in element.children:
            if isinstance(piece, Element):
                if piece.name not in tags:
                    self.unread.append(piece)
            elif not isinstance(piece, str):
                self.unread.append(piece)


def typed(key: str, value: str) -> bool | int | float | str:
    """Return the value of an attribute as JSON has it."""
    if key in _FLAGS and value in ("0", "1", "true", "false"):
        return value in ("1", "true")
    if key in _TEXTS:
        return value
    if _INTEGER.fullmatch(value):
        return int(value)
    if _REAL.fullmatch(value):
        number = float(value)
        if math.isfinite(number):  # "1e999" is not, and stays a text
            return number
    return value


def wang_id(value: str) -> list[bool | int | float | str]:
    """Return the eight colours of a tile: before Tiled 1.5 they are hexadecimal digits."""
    if _HEXADECIMAL.fullmatch(value):
        return [int(value, 16) >> 4 * at & 15 for at in range(8)]
    return [typed("", part) for part in value.split(",")]


def corners(value: str) -> list[bool | int | float | str]:
    """Return the terrains of the corners of a tile before Tiled 1.5; -1 where there is none."""
    return [typed("", part) if part else -1 for part in value.split(",")]


def points(value: str) -> list[Node]:
    """Return the points of a line."""
    pairs = [pair.split(",") for pair in value.split()]
    return [{"x": typed("", pair[0]), "y": typed("", pair[-1])} for pair in pairs]


def property_value(value_type: str, value: str) -> bool | int | float | str:
    """Return the value of a property of a type, which is neither a class nor a list."""
    if value_type == "bool":
        return value == "true"
    if value_type in ("int", "float", "object"):
        return typed("", value)
    return value


def first(source: Element | None, tag: str) -> Element | None:
    """Return the first element with a tag in another one."""
    if source is None:
        return None
    return next(elements_of(source, tag), None)


def elements_of(source: Element, tag: str) -> Iterator[Element]:
    """Yield the elements with a tag in another one, whatever their namespace."""
    for piece in source.children:
        if isinstance(piece, Element) and piece.name == tag:
            yield piece


def unread_counts(node: Node) -> Iterator[tuple[str, int]]:
    """Yield how many comments and other pieces of an XML file are in no node, by words."""
    pieces = node.get(UNREAD, ())
    comments = sum(isinstance(piece, Comment) for piece in pieces)
    yield "comment", comments
    yield "element", len(pieces) - comments
