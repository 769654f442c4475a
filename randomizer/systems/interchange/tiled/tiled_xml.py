"""The XML notation of Tiled (TMX, TSX, TX): elements to nodes, and nodes to elements.

    node = read_xml(data)                    # ProblemError with its place
    file = XmlWriter().write(node, "map")
    file.lost                                # {"value": 2}: what XML has no place for

**Nothing of a file gets lost.** A node keeps the element that it was read from (``SOURCE``). It is
written as that element, with its attributes, comments, texts and unknown elements in their order;
only what a node says otherwise changes. What is no part of a node (comments, the second of two
elements of which there can be one) is listed in the node of the whole file (``UNREAD``).
"""

from __future__ import annotations

import math
import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from xml.etree import ElementTree

from randomizer.model.problems import ProblemError
from randomizer.reading.xml_tree import Comment, Element, Instruction, parse_xml
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
    USUAL,
    WRAPPED,
    Node,
    text,
)

UNREAD = "#unread"
"""The key with all pieces of a file (``Piece``) that are in no node, in the node of the file."""

_PROLOG = "#prolog"
"""The key with the text before the first element, in the node of the file."""

_EPILOG = "#epilog"
"""The key with the pieces behind the element of the file, in the node of the file."""

_WRAPPERS = {wrapper: (key, tag) for key, (wrapper, tag) in WRAPPED.items()}
_TAGS = {key: tag for tag, key in LISTS.items()}
_LAYER_TAGS = {layer_type: tag for tag, layer_type in LAYER_TYPES.items()}
_SINGLE = frozenset(
    {"editorsettings", "tileoffset", "grid", "transformations", "text", "objectgroup"}
    | {"object", "tileset", "export", "chunksize"}
)
"""Elements that Tiled knows and of which there is one: it reads the first or the last of them."""

_RESERVED = frozenset(
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
_REAL = re.compile(r"-?\d{1,300}(?:\.\d{0,300})?(?:[eE][-+]?\d{1,3})?")
_NAME = re.compile(r"(?!xmlns$)[A-Za-z_][\w.-]*", re.ASCII)
_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]{1,8}")
_IMPOSSIBLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""

_ORDER = ("editorsettings", "properties", "tileoffset", "grid", "image", "", "layers", "data")
"""The children of a new element in their order; "" are the others."""

_RANKS = {key: rank for rank, key in enumerate(_ORDER)}


# --- from XML ------------------------------------------------------------------------------------


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
    node[_PROLOG] = document.source[: document.root.start].decode().strip()
    node[_EPILOG] = document.after
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
            if key not in _RESERVED:
                node[key] = _typed(key, value)
        if "wangid" in node:
            node["wangid"] = _wang_id(element.attributes["wangid"])
        if tag == "tile" and "terrain" in node:
            node["terrain"] = _corners(element.attributes["terrain"])
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
            if node.keys() & {*IMAGE.values(), EMBEDDED}:
                return False
            self._take_image(node, element)
        elif tag in LINES:
            if tag in node:
                return False
            pairs = [pair.split(",") for pair in element.attributes.get("points", "").split()]
            node[tag] = [{"x": _typed("", pair[0]), "y": _typed("", pair[-1])} for pair in pairs]
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
        if tag in _RESERVED or not _NAME.fullmatch(tag):
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
        """The nodes of the elements with a tag in a list's element."""
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
        """The node of a property, whose value has its type."""
        node: Node = {SOURCE: element, "type": "string", **element.attributes}
        value_type = node["type"]
        value: Any = node.get("value", element.text)
        if value_type in ("class", "list"):
            value = self._members(element, value_type)
        elif value_type == "bool":
            value = value == "true"
        elif value_type in ("int", "float", "object"):
            value = _typed("", value)
        if value_type not in ("class", "list"):
            self.unread += (piece for piece in element.children if not isinstance(piece, str))
        return {**node, "value": value}

    def _members(self, element: Element, value_type: str) -> list[Node]:
        """The values of a property that is a class or a list."""
        if value_type == "list":
            return self._entries(element, "item")
        wrapper = _first(element, "properties")
        self.unread += (
            piece
            for piece in element.children
            if piece is not wrapper and (not isinstance(piece, str) or piece.strip())
        )
        return [] if wrapper is None else self._entries(wrapper, "property")

    def _take_cells(self, layer: Node, element: Element) -> None:
        """Take the cells of a layer, or its chunks with theirs."""
        layer["encoding"] = element.attributes.get("encoding", "xml")
        if "compression" in element.attributes:
            layer["compression"] = element.attributes["compression"]
        chunks = list(elements_of(element, "chunk"))
        for chunk in chunks:
            node: Node = {SOURCE: chunk}
            for key, value in chunk.attributes.items():
                if key not in _RESERVED:
                    node[key] = _typed(key, value)
            node["data"] = self._cells(layer["encoding"], chunk)
            layer.setdefault("chunks", []).append(node)
        if chunks:
            self._leave_others(element, ("chunk",))
        else:
            layer["data"] = self._cells(layer["encoding"], element)

    def _cells(self, encoding: str, element: Element) -> object:
        """The cells of a layer or chunk: a text, or a list of what stands in elements."""
        if encoding != "xml":
            self._leave_others(element, ())
            return element.text
        self._leave_others(element, ("tile",))
        return [
            _typed("", tile.attributes.get("gid", "0")) for tile in elements_of(element, "tile")
        ]

    def _take_image(self, node: Node, element: Element) -> None:
        for name, key in IMAGE.items():
            if name in element.attributes:
                node[key] = _typed(name, element.attributes[name])
        if "transparentcolor" in node:
            node["transparentcolor"] = f"#{node['transparentcolor'].lstrip('#')}"
        if _first(element, "data") is not None:
            node[EMBEDDED] = element
            self._leave_others(element, ("data",))
        else:
            self._leave_all(element)

    def _leave_all(self, element: Element) -> None:
        self.unread += (
            piece for piece in element.children if not isinstance(piece, str) or piece.strip()
        )

    def _leave_others(self, element: Element, tags: tuple[str, ...]) -> None:
        """Leave comments and elements with other tags where they are."""
        for piece in element.children:
            if isinstance(piece, Element):
                if piece.name not in tags:
                    self.unread.append(piece)
            elif not isinstance(piece, str):
                self.unread.append(piece)


def _typed(key: str, value: str) -> bool | int | float | str:
    """The value of an attribute as JSON has it."""
    if key in _FLAGS and value in ("0", "1", "true", "false"):
        return value in ("1", "true")
    if key in _TEXTS:
        return value
    if _INTEGER.fullmatch(value):
        return int(value)
    number = float(value) if _REAL.fullmatch(value) else math.inf
    return number if math.isfinite(number) else value


def _wang_id(value: str) -> list[bool | int | float | str]:
    """The eight colours of a tile: apart by commas, before Tiled 1.5 as hexadecimal digits."""
    if _HEXADECIMAL.fullmatch(value):
        return [int(value, 16) >> 4 * at & 15 for at in range(8)]
    return [_typed("", part) for part in value.split(",")]


def _corners(value: str) -> list[bool | int | float | str]:
    """The terrains of the corners of a tile before Tiled 1.5; -1 where there is none."""
    return [_typed("", part) if part else -1 for part in value.split(",")]


# --- to XML --------------------------------------------------------------------------------------


class _Child(NamedTuple):
    """A new element, and the one that it was read from; None for one that is new."""

    element: ElementTree.Element
    source: Element | None


class XmlWriter:
    """Writes one file. ``lost`` counts, by words, what XML has no place for."""

    def __init__(self) -> None:
        self.lost = Counter[str]()
        self._unread = set[int]()

    def write(self, node: Node, tag: str) -> bytes:
        """Return the file of a node: a "map", a "tileset" or a "template"."""
        self._unread = {id(piece) for piece in node.get(UNREAD, ())}
        element = self._element(tag, node)
        ElementTree.indent(element, " ")
        parts = ['<?xml version="1.0" encoding="UTF-8"?>']
        if node.get(_PROLOG):
            parts.append(node[_PROLOG])
        parts.append(ElementTree.tostring(element, "unicode", short_empty_elements=True))
        for piece in node.get(_EPILOG, ()):
            if not isinstance(piece, str):
                parts.append(ElementTree.tostring(_copy(piece), "unicode"))
        return ("\n".join(parts) + "\n").encode()

    def _element(self, tag: str, node: Node) -> ElementTree.Element:
        """The element of a node."""
        source: Element | None = node.get(SOURCE)
        element = ElementTree.Element(tag)
        values = {key: value for key, value in node.items() if not key.startswith("#")}
        if tag in (*LAYER_TYPES, "map", "tileset"):
            values.pop("type", None)
        if source is None:
            _leave_out_usual(tag, values)
        content = values.pop("text" if tag == "text" else CONTENT, "")
        has_source_text = source is not None and tag != "text"
        if content and not has_source_text:
            element.text = self._written(content)
        groups = dict[str, list[_Child]]()
        if tag == "layer":
            cells = {key: values.pop(key, None) for key in ("encoding", "compression")}
            if values.keys() & {"data", "chunks"}:
                source_cells = _first(source, "data")
                data = self._data(node, cells, source_cells)
                groups["data"] = [_Child(data, source_cells)]
            values.pop("data", None)
            values.pop("chunks", None)
        image = {name: values.pop(key) for name, key in IMAGE.items() if key in values}
        if image or EMBEDDED in node:
            groups["image"] = [self._image(image, _first(source, "image"))]
        attributes = dict[str, object]()
        for key, value in values.items():
            if key in MARKS or isinstance(value, dict | list):
                if not self._is_list_attribute(tag, key, element, value, source):
                    groups[key] = self._children(key, value, source)
            elif value is None:
                continue
            elif _NAME.fullmatch(key):
                attributes[key] = value
            elif source is None:
                self.lost["value"] += 1
        self._set_attributes(element, attributes, source)
        self._arrange(element, groups, source, keeps_texts=has_source_text)
        return element

    def _is_list_attribute(
        self,
        tag: str,
        key: str,
        element: ElementTree.Element,
        value: object,
        source: Element | None,
    ) -> bool:
        """Set an attribute that is a list of numbers in JSON; False for what is none."""
        if not isinstance(value, list):
            return False
        spelling = source.attributes.get(key, "") if source is not None else ""
        if key == "wangid":
            new = ",".join(map(self._written, value))
            element.set(key, spelling if spelling and _wang_id(spelling) == value else new)
        elif key == "terrain" and tag == "tile":
            new = ",".join("" if corner == -1 else self._written(corner) for corner in value)
            element.set(key, spelling if spelling and _corners(spelling) == value else new)
        else:
            return False
        return True

    def _set_attributes(
        self, element: ElementTree.Element, values: Mapping[str, object], source: Element | None
    ) -> None:
        """Set attributes in the order, and where nothing changed in the spelling, of the source."""
        lists = dict(element.attrib)
        element.attrib.clear()
        new = dict(values)
        for name, spelling in source.attributes.items() if source is not None else ():
            if name in lists:
                element.set(name, lists.pop(name))
            elif name in new:
                value = new.pop(name)
                is_same = _typed(name, spelling) == value
                element.set(name, spelling if is_same else self._written(value))
            elif self._is_in_source_only(name, element.tag):
                element.set(name, spelling)
        for name, written in lists.items():
            element.set(name, written)
        for name, value in new.items():
            element.set(name, self._written(value))

    @staticmethod
    def _is_in_source_only(attribute: str, tag: str) -> bool:
        """Return whether an attribute of an element is never in its node."""
        if not _NAME.fullmatch(attribute) or attribute in _RESERVED:
            return True
        return attribute == "type" and tag in LAYER_TYPES

    def _children(self, key: str, value: Any, source: Element | None) -> list[_Child]:
        """The elements of what stands in a key of a node."""
        if key in MARKS:
            return [self._plain(key, {}, _first(source, key))] if value else []
        if key in WRAPPED and isinstance(value, list):
            wrapper_tag, tag = WRAPPED[key]
            return [self._wrapper(wrapper_tag, tag, value, _first(source, wrapper_tag))]
        if key in LINES and isinstance(value, list):
            xs = [self._written(point.get("x")) for point in value]
            ys = [self._written(point.get("y")) for point in value]
            points = " ".join(f"{x},{y}" for x, y in zip(xs, ys, strict=True))
            return [self._plain(key, {"points": points}, _first(source, key))]
        tag = _TAGS.get(key, key)
        if not _NAME.fullmatch(tag):
            self.lost["value"] += 1
            return []
        children = list[_Child]()
        for entry in value if isinstance(value, list) else [value]:
            if not isinstance(entry, dict):
                self.lost["value"] += 1
                continue
            if key == "layers":
                tag = _LAYER_TAGS[text(entry, "type")]
            children.append(_Child(self._element(tag, entry), entry.get(SOURCE)))
        return children

    def _plain(self, tag: str, attributes: dict[str, object], source: Element | None) -> _Child:
        """An element without a node, with what its source has beside these attributes."""
        element = ElementTree.Element(tag)
        others = source.attributes if source is not None else {}
        for name, spelling in {**others, **attributes}.items():
            element.set(name, self._written(spelling))
        self._arrange(element, {}, source, keeps_texts=True)
        return _Child(element, source)

    def _image(self, values: dict[str, object], source: Element | None) -> _Child:
        element = ElementTree.Element("image")
        if "trans" in values:
            colour = self._written(values["trans"]).lstrip("#")
            if source is not None and source.attributes.get("trans", "").lstrip("#") == colour:
                colour = source.attributes["trans"]
            values["trans"] = colour
        others = source.attributes if source is not None else {}
        unknown = {name: value for name, value in others.items() if name not in IMAGE}
        self._set_attributes(element, {**values, **unknown}, source)
        groups = dict[str, list[_Child]]()
        if source is not None:
            groups["data"] = [_Child(_copy(piece), piece) for piece in elements_of(source, "data")]
        self._arrange(element, groups, source, keeps_texts=True)
        return _Child(element, source)

    def _wrapper(
        self, wrapper_tag: str, tag: str, entries: list[Any], source: Element | None
    ) -> _Child:
        """The element of a list with those of its entries."""
        element = ElementTree.Element(wrapper_tag)
        if source is not None:
            element.attrib.update(source.attributes)
        children = list[_Child]()
        for entry in entries:
            if not isinstance(entry, dict):
                entry = {"value": entry}
            write = self._property if tag in ("property", "item") else self._element
            children.append(_Child(write(tag, entry), entry.get(SOURCE)))
        self._arrange(element, {tag: children}, source, keeps_texts=True)
        return _Child(element, source)

    def _property(self, tag: str, node: Node) -> ElementTree.Element:
        source: Element | None = node.get(SOURCE)
        value = node.get("value")
        value_type = node.get("type", "string")
        attributes = dict[str, object]()
        for key, attribute in node.items():
            is_left_out = key == "value" or (key == "name" and tag == "item")
            is_usual = key == "type" and value_type == "string"
            is_usual = is_usual and (source is None or "type" not in source.attributes)
            if isinstance(attribute, dict | list) and key != "value":
                self.lost["value"] += 1
            elif not is_left_out and not is_usual and _NAME.fullmatch(key):
                attributes[key] = attribute
        element = ElementTree.Element(tag)
        groups = dict[str, list[_Child]]()
        if value_type == "class" and isinstance(value, list):
            if value or _first(source, "properties") is not None:
                wrapper = self._wrapper(
                    "properties", "property", value, _first(source, "properties")
                )
                groups["properties"] = [wrapper]
        elif isinstance(value, list):
            items = [entry if isinstance(entry, dict) else {"value": entry} for entry in value]
            groups["item"] = [
                _Child(self._property("item", entry), entry.get(SOURCE)) for entry in items
            ]
        elif isinstance(value, dict):
            self.lost["value"] += 1
        elif isinstance(value, str) and self._is_content(value, source):
            element.text = self._written(value)
        elif isinstance(value, bool):
            attributes["value"] = "true" if value else "false"
        else:
            spelling = source.attributes.get("value", "") if source is not None else ""
            is_same = spelling != "" and _typed("", spelling) == value
            attributes["value"] = spelling if is_same else value
        self._set_attributes(element, attributes, source)
        self._arrange(element, groups, source, keeps_texts=value_type in ("class", "list"))
        return element

    @staticmethod
    def _is_content(value: str, source: Element | None) -> bool:
        """Return whether a text stands between the tags of its property, not in an attribute."""
        if source is None:
            return "\n" in value
        if "value" not in source.attributes:
            return True
        return "\n" in value and source.attributes["value"] != value

    def _data(
        self, layer: Node, cells: Mapping[str, Any], source: Element | None
    ) -> ElementTree.Element:
        """The element of the cells of a layer, or of its chunks."""
        encoding = cells["encoding"] or "csv"
        element = ElementTree.Element("data")
        attributes = dict[str, object]() if encoding == "xml" else {"encoding": encoding}
        if cells["compression"]:
            attributes["compression"] = cells["compression"]
        for name, spelling in source.attributes.items() if source is not None else ():
            if name not in ("encoding", "compression"):
                attributes[name] = spelling
        self._set_attributes(element, attributes, source)
        if "chunks" not in layer:
            self._fill_cells(element, layer, encoding, source)
            return element
        chunks = list[_Child]()
        for chunk in layer["chunks"]:
            chunk_source: Element | None = chunk.get(SOURCE)
            chunk_element = ElementTree.Element("chunk")
            box = {key: chunk.get(key, 0) for key in ("x", "y", "width", "height")}
            for key, value in chunk.items():
                if key == "data" or not _NAME.fullmatch(key):
                    continue
                if isinstance(value, dict | list):
                    self.lost["value"] += 1
                else:
                    box[key] = value
            self._set_attributes(chunk_element, box, chunk_source)
            self._fill_cells(chunk_element, chunk, encoding, chunk_source)
            chunks.append(_Child(chunk_element, chunk_source))
        self._arrange(element, {"chunk": chunks}, source, keeps_texts=True)
        return element

    def _fill_cells(
        self, element: ElementTree.Element, part: Node, encoding: str, source: Element | None
    ) -> None:
        """Write the cells of a layer or chunk into its element."""
        cells = part.get("data", [])
        groups = dict[str, list[_Child]]()
        if encoding == "xml":
            sources = deque(elements_of(source, "tile") if source is not None else ())
            tiles = groups["tile"] = list[_Child]()
            for gid in cells:
                tile_source = sources.popleft() if sources else None
                attributes: dict[str, object] = {"gid": gid} if gid else {}
                tile = ElementTree.Element("tile")
                self._set_attributes(tile, attributes, tile_source)
                tiles.append(_Child(tile, tile_source))
        elif isinstance(cells, str):
            element.text = f"\n{cells.strip()}\n"
        else:
            width = part.get("width")
            if type(width) is not int or width < 1:
                width = 1
            rows = [cells[at : at + width] for at in range(0, len(cells), width)]
            element.text = "\n" + ",\n".join(",".join(map(str, row)) for row in rows) + "\n"
        has_only_text = source is None or all(isinstance(each, str) for each in source.children)
        if groups or not has_only_text:
            self._arrange(element, groups, source, keeps_texts=False)

    def _arrange(
        self,
        element: ElementTree.Element,
        groups: Mapping[str, list[_Child]],
        source: Element | None,
        *,
        keeps_texts: bool,
    ) -> None:
        """Put the children of an element into it, in the order of the element it was read from.

        A comment, text or element that is in no node stays before the child that it stood before.
        The children of a group have their own order: where one of them stood, the next one stands.
        New ones follow the last of their group.
        """
        ranked = sorted(groups, key=lambda key: _RANKS.get(key, _RANKS[""]))
        if source is None or not source.children:
            for key in ranked:
                element.extend(child.element for child in groups[key])
            return
        key_of_source = dict[int, str]()
        for key, children in groups.items():
            for child in children:
                if child.source is not None:
                    key_of_source[id(child.source)] = key
        pieces_before = dict[int, list[Piece]]()
        pending = list[Piece]()
        slots = list[str]()
        for piece in source.children:
            if id(piece) in key_of_source:
                pieces_before[id(piece)] = pending
                pending = []
                slots.append(key_of_source[id(piece)])
            elif isinstance(piece, str):
                if keeps_texts and piece.strip():
                    pending.append(piece)
            elif not isinstance(piece, Element) or id(piece) in self._unread:
                pending.append(piece)
        slots_left = Counter(slots)
        queues = {key: deque(groups[key]) for key in ranked}
        new_keys = deque(key for key in ranked if key not in slots_left)

        def put(children: Iterable[_Child]) -> None:
            for child in children:
                for piece in pieces_before.get(id(child.source), ()):
                    _append(element, piece)
                element.append(child.element)

        for key in slots:
            rank = _RANKS.get(key, _RANKS[""])
            while new_keys and _RANKS.get(new_keys[0], _RANKS[""]) < rank:
                put(queues.pop(new_keys.popleft()))
            slots_left[key] -= 1
            put([queues[key].popleft()] if slots_left[key] else queues[key])
        for key in new_keys:
            put(queues[key])
        for piece in pending:
            _append(element, piece)

    def _written(self, value: object) -> str:
        """The text of a value, without the characters that XML cannot hold."""
        if isinstance(value, bool):
            return "1" if value else "0"
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        if value is None:
            return ""
        written = str(value)
        if _IMPOSSIBLE.search(written):
            written, count = _IMPOSSIBLE.subn("", written)
            self.lost["character"] += count
        return written


def _leave_out_usual(tag: str, values: dict[str, Any]) -> None:
    """Take away what Tiled writes into JSON only."""
    usual_values = USUAL.get("layer" if tag in LAYER_TYPES else tag, {})
    for key, value in usual_values.items():
        if key in values and values[key] == value:
            del values[key]
    if tag == "layer":
        values.pop("startx", None)
        values.pop("starty", None)
    if tag == "objectgroup" and values.get("draworder") == "topdown":
        del values["draworder"]


def _first(source: Element | None, tag: str) -> Element | None:
    """The first element with a tag in another one."""
    return None if source is None else next(elements_of(source, tag), None)


def elements_of(source: Element, tag: str) -> Iterator[Element]:
    """Yield the elements with a tag in another one, whatever their namespace."""
    for piece in source.children:
        if isinstance(piece, Element) and piece.name == tag:
            yield piece


def _append(element: ElementTree.Element, piece: Piece) -> None:
    """Append a text, comment or element behind what an element has."""
    if not isinstance(piece, str):
        element.append(_copy(piece))
    elif len(element):
        element[-1].tail = (element[-1].tail or "") + piece
    else:
        element.text = (element.text or "") + piece


def _copy(piece: Element | Comment | Instruction) -> Any:
    """A comment, instruction or element with all that is in it, as an element of ElementTree."""
    if isinstance(piece, Comment):
        return ElementTree.Comment(piece.text)
    if isinstance(piece, Instruction):
        return ElementTree.ProcessingInstruction(piece.target, piece.data)
    element = ElementTree.Element(piece.name, piece.attributes)
    for inner in piece.children:
        _append(element, inner)
    return element


def unread_counts(node: Node) -> Iterator[tuple[str, int]]:
    """Yield how many comments and other pieces of an XML file are in no node, by words."""
    pieces = node.get(UNREAD, ())
    comments = sum(isinstance(piece, Comment) for piece in pieces)
    yield "comment", comments
    yield "element", len(pieces) - comments
