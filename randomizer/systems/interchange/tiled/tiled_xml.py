"""Reads the XML notation of Tiled (TMX, TSX, TX): elements to nodes.

    node = read_xml(data, max_bytes, max_elements)     # ProblemError with its place

A *node* is a dict with the keys of Tiled's JSON (``tiled_nodes``). Attributes become values with
their types, and elements become lists or nodes in it::

    <layer name="Coast" opacity="0.5">           {"name": "Coast", "opacity": 0.5,
     <data encoding="csv">1,0</data>              "encoding": "csv", "data": "1,0",
     <properties>                                 "properties": [
      <property name="depth" type="int"              {"name": "depth", "type": "int",
                value="3"/>                           "value": 3}],
     </properties>                                "type": "tilelayer"}
    </layer>

Nothing of a file gets lost when ``tiled_xml_writer`` writes its nodes again. A node keeps the
element that it was read from (``SOURCE``), and the node of the whole file the file (``FILE``). Some
pieces have no place in a node, such as comments, or the second of two elements of which there can
be one: these *unread* pieces are listed in the node of the file (``UNREAD``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from randomizer.model.problems import ProblemError
from randomizer.reading.xml_file import file_of
from randomizer.reading.xml_tree import Comment, Element, parse_xml
from randomizer.reading.xml_tree import Node as Piece
from randomizer.systems.interchange.tiled.tiled_nodes import (
    CONTENT,
    EMBEDDED,
    FLAG_SHAPES,
    IMAGE,
    LAYER_TYPES,
    LISTS,
    POINT_SHAPES,
    SOURCE,
    WRAPPED,
    Node,
)
from randomizer.systems.interchange.tiled.tiled_xml_values import (
    attribute_value,
    number_or_text,
    read_corner_terrains,
    read_points,
    read_property_value,
    read_wang_id,
)

UNREAD = "#unread"
"""The key with the list of all unread pieces of a file, in the node of the file."""

FILE = "#file"
"""The key with the ``XmlFile`` that was read, in the node of the file."""

_WRAPPERS = {wrapper: (key, tag) for key, (wrapper, tag) in WRAPPED.items()}
"""The key of a list, and the tag of its entries, by the tag of the element around them."""

_SINGLE = frozenset(
    {
        "editorsettings",
        "tileoffset",
        "grid",
        "transformations",
        "text",
        "objectgroup",
        "object",
        "tileset",
        "export",
        "chunksize",
    }
)
"""Elements that Tiled knows and of which there is one."""

RESERVED = frozenset(
    {*LISTS.values(), *WRAPPED, *IMAGE.values(), *FLAG_SHAPES, *POINT_SHAPES, *_SINGLE, CONTENT}
    | {"layers", "data", "chunks"}
)
"""Keys of a node that elements fill: an attribute called so stays in its element."""

NAME = re.compile(r"(?!xmlns$)[A-Za-z_][\w.-]*", re.ASCII)
"""A name that can be the key of a node, and an attribute or an element."""


def read_xml(data: bytes, max_bytes: int, max_elements: int) -> Node:
    """Return the node of an XML file. Raises ProblemError."""
    document = parse_xml(data, max_bytes=max_bytes, max_elements=max_elements)
    if document.root is None:
        raise ProblemError(document.problems)
    reader = _NodeReader()
    node = reader.read_node(document.root, "")
    outside_root = [*document.before, *document.after]
    reader.unread += (piece for piece in outside_root if not isinstance(piece, str))
    node[UNREAD] = reader.unread
    node[FILE] = file_of(document, document.root, data)
    return node


class _NodeReader:
    """Reads the elements of one file as nodes, and collects the pieces that are in no node.

    ``read_node`` goes down the tree. Each method ``_add_...`` adds one child element to the node of
    its parent; a child that has no place there is added to ``unread`` instead.
    """

    def __init__(self) -> None:
        self.unread = list[Piece]()
        """The pieces so far that are in no node. With an element all that is in it is meant."""

    def read_node(self, element: Element, parent_tag: str) -> Node:
        """Return the node of an element; ``parent_tag`` is "" for the root of the file."""
        tag = element.name
        node: Node = {SOURCE: element}

        # The attributes.
        _add_attributes(node, element)
        if "wangid" in node:
            node["wangid"] = read_wang_id(element.attributes["wangid"])
        if tag == "tile" and "terrain" in node:
            node["terrain"] = read_corner_terrains(element.attributes["terrain"])

        # The elements in it, and the text.
        for piece in element.children:
            if isinstance(piece, Element):
                self._add_child(node, piece, tag)
            elif not isinstance(piece, str):
                self.unread.append(piece)
        if tag == "text":
            node["text"] = element.text
        elif element.text.strip():
            node[CONTENT] = element.text

        # JSON has the key "type" for what the tag says in XML.
        if tag in LAYER_TYPES and parent_tag in ("map", "group", "tile"):
            node["type"] = LAYER_TYPES[tag]
        elif tag in ("map", "tileset") and not parent_tag:
            node["type"] = tag
        return node

    def _add_child(self, node: Node, child: Element, parent_tag: str) -> None:
        """Add an element to the node of its parent, whose tag is ``parent_tag``."""
        tag = child.name
        if tag in _WRAPPERS:
            self._add_wrapped_list(node, child)
        elif tag == "data" and parent_tag == "layer":
            self._add_cells(node, child)
        elif tag == "image":
            self._add_image(node, child)
        elif tag in POINT_SHAPES:
            self._add_line(node, child)
        elif tag in FLAG_SHAPES:
            self._add_flag(node, child)
        elif tag in LAYER_TYPES and parent_tag in ("map", "group"):
            node.setdefault("layers", []).append(self.read_node(child, parent_tag))
        elif tag in LISTS and parent_tag != "template":  # a template has one object, no list
            node.setdefault(LISTS[tag], []).append(self.read_node(child, parent_tag))
        elif tag in _SINGLE:
            self._add_single(node, child, parent_tag)
        else:
            self._add_unknown(node, child, parent_tag)

    def _add_single(self, node: Node, child: Element, parent_tag: str) -> None:
        """Add an element of which there is one; of two the first counts."""
        if child.name in node:
            self.unread.append(child)
            return
        node[child.name] = self.read_node(child, parent_tag)

    def _add_unknown(self, node: Node, child: Element, parent_tag: str) -> None:
        """Add an element that Tiled does not know: one as a node, several as a list of nodes."""
        tag = child.name
        if tag in RESERVED or not NAME.fullmatch(tag):
            self.unread.append(child)
            return
        present = node.get(tag)
        if present is None:
            node[tag] = self.read_node(child, parent_tag)
        elif isinstance(present, dict):
            node[tag] = [present, self.read_node(child, parent_tag)]
        elif isinstance(present, list):
            present.append(self.read_node(child, parent_tag))
        else:  # an attribute is called so, too
            self.unread.append(child)

    def _add_flag(self, node: Node, child: Element) -> None:
        """Add an element that says by its tag alone what shape an object has; the first counts."""
        if child.name in node:
            self.unread.append(child)
            return
        node[child.name] = True
        self._note_unread_content(child)

    def _add_line(self, node: Node, child: Element) -> None:
        """Add the points of a polygon or polyline."""
        if child.name in node:
            self.unread.append(child)
            return
        node[child.name] = read_points(child.attributes.get("points", ""))
        self._note_unread_content(child)

    # --- lists in an element of their own ---------------------------------------------------

    def _add_wrapped_list(self, node: Node, wrapper: Element) -> None:
        """Add the list of the entries in an element such as ``<properties>``."""
        key, entry_tag = _WRAPPERS[wrapper.name]
        if key in node:
            self.unread.append(wrapper)
            return
        node[key] = self._read_entries(wrapper, entry_tag)

    def _read_entries(self, wrapper: Element, entry_tag: str) -> list[Node]:
        """Return the nodes of the elements with a tag in the element of a list."""
        are_properties = entry_tag in ("property", "item")
        entries = list[Node]()
        for piece in wrapper.children:
            if not isinstance(piece, Element) or piece.name != entry_tag:
                if not _is_blank(piece):
                    self.unread.append(piece)
            elif are_properties:
                entries.append(self._read_property(piece))
            else:
                entries.append(self.read_node(piece, wrapper.name))
        return entries

    def _read_property(self, element: Element) -> Node:
        """Return the node of a property, whose value has its type.

        The value of a class or a list is a list of properties.
        """
        node: Node = {SOURCE: element, "type": "string", **element.attributes}
        value_type = node["type"]
        value: object
        if value_type == "list":
            value = self._read_entries(element, "item")
        elif value_type == "class":
            value = self._read_members(element)
        else:
            self._note_unread_content(element, is_text_read=True)
            value = read_property_value(value_type, node.get("value", element.text))
        return {**node, "value": value}

    def _read_members(self, element: Element) -> list[Node]:
        """Return the members of a property that is a class, which are properties again."""
        wrapper = first_element(element, "properties")
        for piece in element.children:
            if piece is not wrapper and not _is_blank(piece):
                self.unread.append(piece)
        if wrapper is None:
            return []
        return self._read_entries(wrapper, "property")

    # --- cells ------------------------------------------------------------------------------

    def _add_cells(self, layer: Node, element: Element) -> None:
        """Add the cells of a layer: ``data``, or in an infinite map ``chunks`` with theirs."""
        if "data" in layer or "chunks" in layer:
            self.unread.append(element)
            return
        encoding = element.attributes.get("encoding", "xml")
        layer["encoding"] = encoding
        if "compression" in element.attributes:
            layer["compression"] = element.attributes["compression"]

        chunks = list[Node]()
        for chunk in elements_of(element, "chunk"):
            node: Node = {SOURCE: chunk}
            _add_attributes(node, chunk)
            node["data"] = self._read_cells(encoding, chunk)
            chunks.append(node)
        if chunks:
            layer["chunks"] = chunks
            self._note_unread_content(element, read_tag="chunk", is_text_read=True)
        else:
            layer["data"] = self._read_cells(encoding, element)

    def _read_cells(self, encoding: str, element: Element) -> object:
        """Return the cells of a layer or chunk: the text, or a list of what stands in elements."""
        if encoding != "xml":
            self._note_unread_content(element, is_text_read=True)
            return element.text
        self._note_unread_content(element, read_tag="tile", is_text_read=True)
        tiles = elements_of(element, "tile")
        return [number_or_text(tile.attributes.get("gid", "0")) for tile in tiles]

    # --- pictures ---------------------------------------------------------------------------

    def _add_image(self, node: Node, image: Element) -> None:
        """Add the image of a tileset, tile or layer; its picture is a file, or is in the element.

        The image has no node of its own, as its attributes are keys of the node (``IMAGE``).
        """
        has_image = bool(node.keys() & {*IMAGE.values(), EMBEDDED})
        embedded_data = list(elements_of(image, "data"))
        is_empty = not image.attributes.keys() & IMAGE.keys() and not embedded_data
        if has_image or is_empty:
            self.unread.append(image)
            return
        for name, key in IMAGE.items():
            if name in image.attributes:
                node[key] = attribute_value(name, image.attributes[name])
        if "transparentcolor" in node:
            # XML may leave out the "#", which JSON has.
            node["transparentcolor"] = f"#{node['transparentcolor'].lstrip('#')}"
        if not embedded_data:
            self._note_unread_content(image)
            return
        node[EMBEDDED] = image
        self._note_unread_content(image, read_tag="data", is_text_read=True)
        for data in embedded_data:
            self._note_unread_content(data, is_text_read=True)

    # --- unread pieces ----------------------------------------------------------------------

    def _note_unread_content(
        self, element: Element, *, read_tag: str = "", is_text_read: bool = False
    ) -> None:
        """Note what is in an element as unread, but for blanks and for what was read.

        Elements with the tag ``read_tag`` were, and texts if ``is_text_read``.
        """
        for piece in element.children:
            if isinstance(piece, Element):
                is_read = piece.name == read_tag
            elif isinstance(piece, str):
                is_read = is_text_read or _is_blank(piece)
            else:  # a comment or an instruction
                is_read = False
            if not is_read:
                self.unread.append(piece)


def _add_attributes(node: Node, element: Element) -> None:
    """Add the attributes of an element to its node, but for names that elements fill."""
    for name, value in element.attributes.items():
        if name not in RESERVED:
            node[name] = attribute_value(name, value)


def _is_blank(piece: Piece) -> bool:
    """Return whether a piece is the blanks between two elements."""
    return isinstance(piece, str) and not piece.strip()


def first_element(parent: Element | None, tag: str) -> Element | None:
    """Return the first element with a tag in another one; None if there is none."""
    if parent is None:
        return None
    return next(elements_of(parent, tag), None)


def elements_of(parent: Element, tag: str) -> Iterator[Element]:
    """Yield the elements with a tag in another one, whatever their namespace."""
    for piece in parent.children:
        if isinstance(piece, Element) and piece.name == tag:
            yield piece


def unread_counts(node: Node) -> Iterator[tuple[str, int]]:
    """Yield ("comment", n) and ("element", n): how many unread pieces the node of a file has.

    All pieces that are no comments count as elements.
    """
    pieces = node.get(UNREAD, ())
    comments = sum(isinstance(piece, Comment) for piece in pieces)
    yield "comment", comments
    yield "element", len(pieces) - comments
