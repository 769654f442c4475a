"""Writes the XML notation of Tiled (TMX, TSX, TX): nodes to elements.

    writer = XmlWriter()
    data = writer.write(node, "map")
    writer.lost                              # {"value": 2}: what XML has no place for

A node has the keys of Tiled's JSON, so most values become attributes, and lists become elements::

    {"name": "Coast", "opacity": 0.5,        <layer name="Coast" opacity="0.5">
     "encoding": "csv", "data": "1,0",          <data encoding="csv">1,0</data>
     "properties": [                            <properties>
        {"name": "depth", "type": "int",           <property name="depth" type="int" value="3"/>
         "value": 3}]}                          </properties>
                                             </layer>

The *source* of an element is the one that it was read from, None for a new element. Only where a
node differs from its source the file changes, and all else keeps its bytes
(``reading.xml_changes``). So a value is written in the *spelling* of the source wherever that still
means the same: "0.50" stays while the node says 0.5.

All methods ``_build_...`` return new elements. They change neither nodes nor sources. Values that
XML cannot hold are left out, and counted in ``XmlWriter.lost``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from randomizer.reading.xml_changes import ChangedFile, NewElement
from randomizer.reading.xml_tree import Element
from randomizer.systems.interchange.tiled.tiled_cell_text import respelled_cells, rows_of_cells
from randomizer.systems.interchange.tiled.tiled_nodes import (
    CONTENT,
    EMBEDDED,
    FLAG_SHAPES,
    IMAGE,
    LAYER_TYPES,
    LISTS,
    POINT_SHAPES,
    SOURCE,
    USUAL,
    WRAPPED,
    Node,
    text,
)
from randomizer.systems.interchange.tiled.tiled_xml import (
    FILE,
    NAME,
    RESERVED,
    UNREAD,
    attribute_value,
    elements_of,
    first_element,
    read_corner_terrains,
    read_points,
    read_property_value,
    read_wang_id,
)

_TAGS = {key: tag for tag, key in LISTS.items()}
"""The tags of the entries of lists, by the keys of the lists in nodes."""

_LAYER_TAGS = {layer_type: tag for tag, layer_type in LAYER_TYPES.items()}
"""The tags of layers, by their types in nodes."""

_TYPED_TAGS = (*LAYER_TYPES, "map", "tileset")
"""Elements whose tag says what JSON says as ``type``."""

_CELL_KEYS = ("encoding", "compression", "data", "chunks")
"""The keys of a tile layer whose values stand in an element ``data``."""

_BOX_KEYS = ("x", "y", "width", "height")
"""The keys of a chunk that say which cells it has."""

_IMPOSSIBLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold."""

_OTHER_CHILDREN = "others"
"""Stands in ``_ORDER_OF_CHILDREN`` for the children that are not in it."""

_ORDER_OF_CHILDREN = (
    "editorsettings",
    "properties",
    "tileoffset",
    "grid",
    "image",
    _OTHER_CHILDREN,
    "layers",
    "data",
)
"""The keys of the children of a new element, in the order in which they are written."""

_RANKS = {key: rank for rank, key in enumerate(_ORDER_OF_CHILDREN)}
"""The position of each of these keys in that order."""


class XmlWriter:
    """Writes one file."""

    def __init__(self) -> None:
        self.lost = Counter[str]()
        """The numbers of "value" and "character" so far that XML cannot hold."""

    def write(self, node: Node, tag: str) -> bytes:
        """Return the file of a node: a "map", a "tileset" or a "template"."""
        file = ChangedFile(node.get(FILE), node.get(UNREAD, ()), _RANKS, _RANKS[_OTHER_CHILDREN])
        return file.data(self._build_element(tag, node))

    def _build_element(self, tag: str, node: Node) -> NewElement:
        """Return the element of a node."""
        source: Element | None = node.get(SOURCE)
        element = NewElement(tag, {}, source)
        element.text = self._text_between_tags(node, tag, source)
        if tag == "layer" and ("data" in node or "chunks" in node):
            element.groups["data"] = [self._build_data(node, first_element(source, "data"))]
        image_values = {name: node[key] for name, key in IMAGE.items() if key in node}
        if image_values or EMBEDDED in node:
            element.groups["image"] = [
                self._build_image(image_values, first_element(source, "image"))
            ]
        self._write_values(element, _plain_values(tag, node))
        return element

    def _text_between_tags(self, node: Node, tag: str, source: Element | None) -> str | None:
        """Return the text between the tags of an element; None leaves that of its source.

        An object of text has its text there. In other elements Tiled expects none: a text that was
        read from JSON is written, one that was read from XML is in the source already.
        """
        if tag == "text":
            return self._text_of(node.get("text", ""))
        content = node.get(CONTENT, "")
        if content and source is None:
            return self._text_of(content)
        return None

    def _write_values(self, element: NewElement, values: Mapping[str, Any]) -> None:
        """Write values as attributes and elements; what XML cannot hold is counted as lost.

        A value under a name that XML does not allow, read from a file, is in that file already.
        """
        source = element.source
        attributes = dict[str, object]()
        for key, value in values.items():
            spelling = _attributes_of(source).get(key)
            list_attribute = self._list_attribute(element.tag, key, value, spelling)
            if list_attribute is not None:
                attributes[key] = list_attribute
            elif key in FLAG_SHAPES or isinstance(value, dict | list):
                element.groups[key] = self._build_children(key, value, source)
            elif value is None:
                continue
            elif NAME.fullmatch(key):
                attributes[key] = value
            elif source is None:
                self.lost["value"] += 1
        self._set_attributes(element, attributes)

    def _list_attribute(
        self, tag: str, key: str, value: object, spelling: str | None
    ) -> str | None:
        """Return the attribute of a value that is a list of numbers in JSON; None for any other.

        There are two: the ``wangid`` of a tile, and the ``terrain`` of a tile before Tiled 1.5.
        ``spelling`` is that of the source, which stays where it means the same.
        """
        if not isinstance(value, list):
            return None
        if key == "wangid":
            is_same = spelling is not None and read_wang_id(spelling) == value
            written = ",".join(map(self._text_of, value))
        elif key == "terrain" and tag == "tile":
            is_same = spelling is not None and read_corner_terrains(spelling) == value
            written = ",".join(map(self._corner_text, value))
        else:
            return None
        if is_same:
            return spelling
        return written

    def _corner_text(self, corner: object) -> str:
        """Return the terrain of a corner of a tile, "" for -1, which is none."""
        if corner == -1:
            return ""
        return self._text_of(corner)

    def _set_attributes(self, element: NewElement, values: Mapping[str, object]) -> None:
        """Set attributes, in the spelling of the source where nothing changed."""
        new_values = dict(values)
        for name, spelling in _attributes_of(element.source).items():
            if name in new_values:
                value = new_values.pop(name)
                if spelling == value or attribute_value(name, spelling) == value:
                    element.attributes[name] = spelling
                else:
                    element.attributes[name] = self._text_of(value)
            elif _is_never_in_node(name, element.tag):
                element.attributes[name] = spelling
        for name, value in new_values.items():
            element.attributes[name] = self._text_of(value)

    def _build_children(self, key: str, value: Any, source: Element | None) -> list[NewElement]:
        """Return the elements of the value that a key of a node has, by the kind of the key."""
        if key in FLAG_SHAPES:
            if value:
                return [self._build_plain_element(key, {}, first_element(source, key))]
            return []
        if key in WRAPPED and isinstance(value, list):
            wrapper_tag, tag = WRAPPED[key]
            return [
                self._build_wrapper(wrapper_tag, tag, value, first_element(source, wrapper_tag))
            ]
        if key in POINT_SHAPES and isinstance(value, list):
            return [self._build_point_shape(key, value, first_element(source, key))]
        tag = _TAGS.get(key, key)
        if not NAME.fullmatch(tag):
            self.lost["value"] += 1
            return []

        # Any other value is a node, or a list of nodes, with an element for each.
        entries = [value]
        if isinstance(value, list):
            entries = value
        children = list[NewElement]()
        for entry in entries:
            if not isinstance(entry, dict):
                self.lost["value"] += 1
                continue
            if key == "layers":
                tag = _LAYER_TAGS[text(entry, "type")]
            children.append(self._build_element(tag, entry))
        return children

    def _build_plain_element(
        self, tag: str, attributes: Mapping[str, object], source: Element | None
    ) -> NewElement:
        """Return an element without a node: these attributes, and all others of its source."""
        element = NewElement(tag, {}, source)
        self._set_attributes(element, {**_attributes_of(source), **attributes})
        return element

    def _build_point_shape(
        self, tag: str, corners_of_line: list[Node], source: Element | None
    ) -> NewElement:
        """Return the element of a polygon or polyline, such as ``<polygon points="0,0 5,0"/>``."""
        if source is not None and not corners_of_line and "points" not in source.attributes:
            return self._build_plain_element(tag, {}, source)
        spelling = _attributes_of(source).get("points")
        if spelling is not None and read_points(spelling) == corners_of_line:
            return self._build_plain_element(tag, {"points": spelling}, source)
        pairs = list[str]()
        for point in corners_of_line:
            pairs.append(f"{self._text_of(point.get('x'))},{self._text_of(point.get('y'))}")
        return self._build_plain_element(tag, {"points": " ".join(pairs)}, source)

    def _build_image(self, values: Mapping[str, object], source: Element | None) -> NewElement:
        """Return the element of an image, with the picture that may be embedded in its source.

        A colour that is transparent keeps the "#" that it has in the source, or has not.
        """
        attributes = dict(values)
        if "trans" in values:
            colour = self._text_of(values["trans"]).lstrip("#")
            spelling = _attributes_of(source).get("trans", "")
            is_same = spelling.lstrip("#") == colour
            attributes["trans"] = colour
            if is_same:
                attributes["trans"] = spelling
        element = NewElement("image", {}, source)
        if source is not None:
            # What Tiled does not know of images, and the bytes of an embedded picture, stay.
            for name, spelling in source.attributes.items():
                if name not in IMAGE:
                    attributes[name] = spelling
            embedded = elements_of(source, "data")
            element.groups["data"] = [
                self._build_plain_element("data", {}, piece) for piece in embedded
            ]
        self._set_attributes(element, attributes)
        return element

    def _build_wrapper(
        self, wrapper_tag: str, tag: str, entries: list[Any], source: Element | None
    ) -> NewElement:
        """Return the element of a list, in which are those of its entries."""
        element = self._build_plain_element(wrapper_tag, {}, source)
        children = list[NewElement]()
        for entry in entries:
            node = _node_of(entry)
            if tag in ("property", "item"):
                children.append(self._build_property(tag, node))
            else:
                children.append(self._build_element(tag, node))
        element.groups[tag] = children
        return element

    # --- properties -------------------------------------------------------------------------

    def _build_property(self, tag: str, node: Node) -> NewElement:
        """Return the element of a property, or of an item in the list that a property holds.

        A list becomes items, the members of a class become properties, and any other value is an
        attribute or text.
        """
        source: Element | None = node.get(SOURCE)
        element = NewElement(tag, {}, source)
        value = node.get("value")
        value_type = node.get("type", "string")
        attributes = self._property_attributes(tag, node, source)
        if value_type == "class" and isinstance(value, list):
            wrapper_source = first_element(source, "properties")
            if value or wrapper_source is not None:
                wrapper = self._build_wrapper("properties", "property", value, wrapper_source)
                element.groups["properties"] = [wrapper]
        elif isinstance(value, list):
            element.groups["item"] = [
                self._build_property("item", _node_of(entry)) for entry in value
            ]
        elif isinstance(value, dict):
            self.lost["value"] += 1
        else:
            written = self._property_value(str(value_type), value, source)
            element.text = written.text
            if written.attribute is not None:
                attributes["value"] = written.attribute
        self._set_attributes(element, attributes)
        return element

    def _property_attributes(
        self, tag: str, node: Node, source: Element | None
    ) -> dict[str, object]:
        """Return the attributes of a property or an item, without its value."""
        attributes = dict[str, object]()
        for key, attribute in node.items():
            if key == "value":
                continue
            if isinstance(attribute, dict | list):
                self.lost["value"] += 1
                continue
            if key == "name" and tag == "item":
                continue  # items have none
            if key == "type" and attribute == "string" and key not in _attributes_of(source):
                continue  # a property is a string if it does not say otherwise
            if NAME.fullmatch(key):
                attributes[key] = attribute
        return attributes

    def _property_value(
        self, value_type: str, value: object, source: Element | None
    ) -> _PropertyValue:
        """Return the value of a property as an attribute, or as the text between its tags."""
        source_attributes = _attributes_of(source)
        if source is not None:
            spelling = source_attributes.get("value", source.text)
            former_value = read_property_value(value_type, spelling)
            # Of 1, 1.0 and True, which are equal, each is written otherwise.
            if type(former_value) is type(value) and former_value == value:
                return _PropertyValue(source_attributes.get("value"), None)
        is_text = source is not None and "value" not in source_attributes
        if isinstance(value, str) and (is_text or "\n" in value):
            return _PropertyValue(None, self._text_of(value))

        written = self._text_of(value)
        if value is True:
            written = "true"
        elif value is False:
            written = "false"
        if is_text:
            return _PropertyValue(written, "")  # the former text would be a second value
        return _PropertyValue(written, None)

    # --- cells ------------------------------------------------------------------------------

    def _build_data(self, layer: Node, source: Element | None) -> NewElement:
        """Return the element of the cells of a layer, or of its chunks."""
        encoding = layer.get("encoding") or "csv"
        compression = layer.get("compression")
        source_attributes = _attributes_of(source)
        attributes = dict[str, object](source_attributes)
        attributes.pop("encoding", None)
        attributes.pop("compression", None)
        if encoding != "xml":
            attributes["encoding"] = encoding
        if compression or (compression is not None and "compression" in source_attributes):
            attributes["compression"] = compression
        element = NewElement("data", {}, source)
        self._set_attributes(element, attributes)
        if "chunks" in layer:
            element.groups["chunk"] = [
                self._build_chunk(chunk, encoding) for chunk in layer["chunks"]
            ]
        else:
            self._write_cells(element, layer, encoding)
        return element

    def _build_chunk(self, chunk: Node, encoding: str) -> NewElement:
        """Return the element of a chunk of an infinite map."""
        source: Element | None = chunk.get(SOURCE)
        element = NewElement("chunk", {}, source)
        attributes = dict[str, object]()
        for key in _BOX_KEYS:
            if source is None or key in chunk:
                attributes[key] = chunk.get(key, 0)
        for key, value in chunk.items():
            if key == "data" or not NAME.fullmatch(key):
                continue
            if isinstance(value, dict | list):
                self.lost["value"] += 1
            else:
                attributes[key] = value
        self._set_attributes(element, attributes)
        self._write_cells(element, chunk, encoding)
        return element

    def _write_cells(self, element: NewElement, part: Node, encoding: str) -> None:
        """Write the cells of a layer or chunk into its element, as elements or as text."""
        cells = part.get("data", [])
        if encoding == "xml":
            element.groups["tile"] = self._build_tiles(cells, element.source)
        elif isinstance(cells, str):
            element.text = respelled_cells(element.source, cells.strip())
        else:
            element.text = respelled_cells(element.source, rows_of_cells(cells, part.get("width")))

    def _build_tiles(self, cells: list[Any], source: Element | None) -> list[NewElement]:
        """Return an element for each cell; one without a tile has no ``gid``, or keeps its 0."""
        tile_sources = list[Element]()
        if source is not None:
            tile_sources = list(elements_of(source, "tile"))
        tiles = list[NewElement]()
        for gid, tile_source in zip_longest(cells, tile_sources[: len(cells)]):
            attributes = dict[str, object]()
            if gid or "gid" in _attributes_of(tile_source):
                attributes["gid"] = gid
            tiles.append(self._build_plain_element("tile", attributes, tile_source))
        return tiles

    # --- texts ------------------------------------------------------------------------------

    def _text_of(self, value: object) -> str:
        """Return the text of a value: "1" for True, "3" for 3.0, "" for None.

        Characters that XML cannot hold are left out, and counted as lost.
        """
        if value is True:
            return "1"
        if value is False:
            return "0"
        if isinstance(value, float) and value.is_integer():
            return str(int(value))
        if value is None:
            return ""
        written = str(value)
        if _IMPOSSIBLE.search(written):
            written, count = _IMPOSSIBLE.subn("", written)
            self.lost["character"] += count
        return written


class _PropertyValue(NamedTuple):
    """The value of a property as it is written."""

    attribute: str | None
    """The attribute ``value``, None for none."""

    text: str | None
    """The text between the tags; None leaves that of the source."""


def _plain_values(tag: str, node: Node) -> dict[str, Any]:
    """Return the values of a node that are written under their own names.

    Left out are those that stand elsewhere in XML: the type of what its tag says, texts, images,
    and the cells of layers.
    """
    other_keys = {"text" if tag == "text" else CONTENT, *IMAGE.values()}
    if tag in _TYPED_TAGS:
        other_keys.add("type")
    if tag == "layer":
        other_keys.update(_CELL_KEYS)
    values = dict[str, Any]()
    for key, value in node.items():
        is_ours = key.startswith("#")
        if not is_ours and key not in other_keys:
            values[key] = value
    if node.get(SOURCE) is None:
        _remove_usual_values(tag, values)
    return values


def _attributes_of(source: Element | None) -> Mapping[str, str]:
    """Return the attributes of an element that was read, none for a new one."""
    if source is None:
        return {}
    return source.attributes


def _node_of(entry: Any) -> Node:
    """Return an entry of a list as a node: a plain value is one with nothing but a value."""
    if isinstance(entry, dict):
        return entry
    return {"value": entry}


def _is_never_in_node(attribute: str, tag: str) -> bool:
    """Return whether an attribute of an element is never in its node."""
    if not NAME.fullmatch(attribute) or attribute in RESERVED:
        return True
    return attribute == "type" and tag in _TYPED_TAGS


def _remove_usual_values(tag: str, values: dict[str, Any]) -> None:
    """Remove the values of a new element that Tiled writes into JSON, but not into XML."""
    usual_tag = tag
    if tag in LAYER_TYPES:
        usual_tag = "layer"
    usual_values = USUAL.get(usual_tag, {})
    for key, value in usual_values.items():
        if key in values and values[key] == value:
            del values[key]
    if tag == "layer":
        values.pop("startx", None)
        values.pop("starty", None)
    if tag == "objectgroup" and values.get("draworder") == "topdown":
        del values["draworder"]
