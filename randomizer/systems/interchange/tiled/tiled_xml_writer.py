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

A node that was read from a file also has keys of our own, which begin with ``#``: its source, the
file and the elements of it that no key holds (tiled_xml.py). They are not written.

All methods ``_build_...`` return new elements. They change neither nodes nor sources. Values that
XML cannot hold are left out, and counted in ``XmlWriter.lost``. Attributes, properties and cells
have writers of their own: ``tiled_xml_attributes``, ``tiled_xml_properties``, ``tiled_xml_cells``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from randomizer.reading.xml_changes import changed_file_data
from randomizer.reading.xml_file import XmlFile
from randomizer.reading.xml_new import GroupOrder, NewElement, new_file_data
from randomizer.reading.xml_tree import Element
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
    UNREAD,
    elements_of,
    first_element,
)
from randomizer.systems.interchange.tiled.tiled_xml_attributes import (
    TYPED_TAGS,
    AttributeWriter,
    attributes_of,
)
from randomizer.systems.interchange.tiled.tiled_xml_cells import CellWriter
from randomizer.systems.interchange.tiled.tiled_xml_properties import PropertyWriter, node_of
from randomizer.systems.interchange.tiled.tiled_xml_values import (
    read_corner_terrains,
    read_points,
    read_wang_id,
)

_TAGS = {key: tag for tag, key in LISTS.items()}
"""The tags of the entries of lists, by the keys of the lists in nodes."""

_LAYER_TAGS = {layer_type: tag for tag, layer_type in LAYER_TYPES.items()}
"""The tags of layers, by their types in nodes."""

_CELL_KEYS = ("encoding", "compression", "data", "chunks")
"""The keys of a tile layer whose values stand in an element ``data``."""

_FIRST_CHILDREN = ("editorsettings", "properties", "tileoffset", "grid", "image")
"""The keys of the children of a new element that are written before all others, in order."""

_LAST_CHILDREN = ("layers", "data")
"""The keys of the children that are written behind all others, in order."""

_RANK_OF_OTHERS = len(_FIRST_CHILDREN)

_ORDER = GroupOrder(
    {key: rank for rank, key in enumerate(_FIRST_CHILDREN)}
    | {key: rank for rank, key in enumerate(_LAST_CHILDREN, _RANK_OF_OTHERS + 1)},
    usual_rank=_RANK_OF_OTHERS,
)
"""The order of the children of a new element."""

_KEEP_TEXT = None
"""In place of the text of an element: it keeps that of its source."""


class XmlWriter:
    """Writes the nodes of one file."""

    def __init__(self) -> None:
        self._attributes = AttributeWriter()
        self._properties = PropertyWriter(self._attributes)
        self._cells = CellWriter(self._attributes)

    @property
    def lost(self) -> Mapping[str, int]:
        """The numbers of "value" and "character" so far that XML cannot hold."""
        return self._attributes.lost

    def write(self, node: Node, tag: str) -> bytes:
        """Return the file of a node: a "map", a "tileset" or a "template"."""
        root = self._build_element(tag, node)
        file: XmlFile | None = node.get(FILE)
        if file is None:
            return new_file_data(root, _ORDER)
        return changed_file_data(file, root, _ORDER, node.get(UNREAD, ()))

    def _build_element(self, tag: str, node: Node) -> NewElement:
        """Return the element of a node: its text, its cells, its image, and all other values."""
        source: Element | None = node.get(SOURCE)
        element = NewElement(tag, {}, source)
        element.text = self._text_between_tags(node, tag, source)
        if tag == "layer" and ("data" in node or "chunks" in node):
            data_source = first_element(source, "data")
            element.groups["data"] = [self._cells.build_data(node, data_source)]
        image_values = {name: node[key] for name, key in IMAGE.items() if key in node}
        if image_values or EMBEDDED in node:
            image_source = first_element(source, "image")
            element.groups["image"] = [self._build_image(image_values, image_source)]
        self._write_values(element, _plain_values(tag, node))
        return element

    def _text_between_tags(self, node: Node, tag: str, source: Element | None) -> str | None:
        """Return the text between the tags of an element, "" or _KEEP_TEXT."""
        # The text of an object stands there.
        if tag == "text":
            return self._attributes.text_of(node.get("text", ""))
        # In other elements Tiled expects none. What was read from JSON is written all the same.
        content = node.get(CONTENT, "")
        if content and source is None:
            return self._attributes.text_of(content)
        return _KEEP_TEXT

    def _write_values(self, element: NewElement, values: Mapping[str, Any]) -> None:
        """Write values as attributes and elements; what XML cannot hold is counted as lost."""
        attributes = dict[str, object]()
        for key, value in values.items():
            if key in FLAG_SHAPES or isinstance(value, dict):
                element.groups[key] = self._build_children(key, value, element.source)
            elif isinstance(value, list):
                numbers = self._number_list(element, key, value)
                if numbers is None:
                    element.groups[key] = self._build_children(key, value, element.source)
                else:
                    attributes[key] = numbers
            elif value is None:
                continue  # null in JSON is the same as no value
            elif NAME.fullmatch(key):
                attributes[key] = value
            elif element.source is None:
                # A key such as "two words" is no name in XML.
                self._attributes.count_lost_value()
            # Else it is an attribute such as ``xml:space``, which stays with its source.
        self._attributes.set_attributes(element, attributes)

    def _number_list(self, element: NewElement, key: str, value: list[Any]) -> str | None:
        """Return a list of numbers that is one attribute in XML; None for any other list.

        There are two: the ``wangid`` of a tile, and the ``terrain`` of a tile before Tiled 1.5.
        """
        spelling = attributes_of(element.source).get(key)
        if key == "wangid":
            if _still_means(spelling, read_wang_id, value):
                return spelling
            return ",".join(map(self._attributes.text_of, value))
        if key == "terrain" and element.tag == "tile":
            if _still_means(spelling, read_corner_terrains, value):
                return spelling
            return ",".join(map(self._corner_text, value))
        return None

    def _corner_text(self, corner: object) -> str:
        """Return the terrain of a corner of a tile, "" for -1, which is none."""
        if corner == -1:
            return ""
        return self._attributes.text_of(corner)

    # --- the elements in an element ---

    def _build_children(
        self, key: str, value: Any, parent_source: Element | None
    ) -> list[NewElement]:
        """Return the elements of the value that a key of a node has, by the kind of the key.

        ``parent_source`` is the source of the element in which they stand: theirs is found in it.
        """
        if key in FLAG_SHAPES:
            return self._build_flag(key, value, first_element(parent_source, key))
        if isinstance(value, dict):
            return self._build_entries(key, [value])
        if key == "properties":
            source = first_element(parent_source, key)
            return [self._properties.build_properties(value, source)]
        if key in POINT_SHAPES:
            return [self._build_point_shape(key, value, first_element(parent_source, key))]
        if key in WRAPPED:
            wrapper_tag, tag = WRAPPED[key]
            source = first_element(parent_source, wrapper_tag)
            return [self._build_wrapper(wrapper_tag, tag, value, source)]
        return self._build_entries(key, value)

    def _build_flag(self, tag: str, value: object, source: Element | None) -> list[NewElement]:
        """Return ``<ellipse/>`` for the value True of "ellipse", nothing for False."""
        if not value:
            return []
        return [self._attributes.plain_element(tag, {}, source)]

    def _build_wrapper(
        self, wrapper_tag: str, tag: str, entries: list[Any], source: Element | None
    ) -> NewElement:
        """Return an element with those of the entries of a list: ``<animation> <frame/> ...``."""
        element = self._attributes.plain_element(wrapper_tag, {}, source)
        element.groups[tag] = [self._build_element(tag, node_of(entry)) for entry in entries]
        return element

    def _build_point_shape(
        self, tag: str, points: list[Node], source: Element | None
    ) -> NewElement:
        """Return the element of a polygon or polyline, such as ``<polygon points="0,0 5,0"/>``."""
        spelling = attributes_of(source).get("points")
        if source is not None and not points and spelling is None:
            return self._attributes.plain_element(tag, {}, source)
        if _still_means(spelling, read_points, points):
            return self._attributes.plain_element(tag, {"points": spelling}, source)
        pairs = list[str]()
        for point in points:
            x = self._attributes.text_of(point.get("x"))
            y = self._attributes.text_of(point.get("y"))
            pairs.append(f"{x},{y}")
        return self._attributes.plain_element(tag, {"points": " ".join(pairs)}, source)

    def _build_entries(self, key: str, entries: list[Any]) -> list[NewElement]:
        """Return an element for each entry of a list: ``<tile/> <tile/>`` for "tiles".

        Entries that are no nodes cannot be elements, nor can those of a key that is no name in XML.
        """
        tag = _TAGS.get(key, key)
        if not NAME.fullmatch(tag):
            self._attributes.count_lost_value()
            return []
        elements = list[NewElement]()
        for entry in entries:
            if not isinstance(entry, dict):
                self._attributes.count_lost_value()
                continue
            tag_of_entry = tag
            if key == "layers":
                # One list has layers of several tags. Reading JSON refuses other types.
                tag_of_entry = _LAYER_TAGS[text(entry, "type")]
            elements.append(self._build_element(tag_of_entry, entry))
        return elements

    def _build_image(self, values: Mapping[str, object], source: Element | None) -> NewElement:
        """Return the element of an image, with the picture that may be embedded in its source.

        A colour that is transparent keeps the "#" that it has in the source, or has not.
        """
        attributes = dict(values)
        if "trans" in values:
            colour = self._attributes.text_of(values["trans"]).lstrip("#")
            old_colour = attributes_of(source).get("trans", "")
            if old_colour.lstrip("#") == colour:
                attributes["trans"] = old_colour
            else:
                attributes["trans"] = colour
        element = NewElement("image", {}, source)
        if source is not None:
            # What Tiled does not know of images, and the bytes of an embedded picture, stay.
            for name, old_value in source.attributes.items():
                if name not in IMAGE:
                    attributes[name] = old_value
            embedded = elements_of(source, "data")
            element.groups["data"] = [
                self._attributes.plain_element("data", {}, piece) for piece in embedded
            ]
        self._attributes.set_attributes(element, attributes)
        return element


def _still_means(spelling: str | None, read: Callable[[str], list[Any]], value: list[Any]) -> bool:
    """Return whether the spelling of a source, if there is one, is read as a value of a node."""
    return spelling is not None and read(spelling) == value


def _plain_values(tag: str, node: Node) -> dict[str, Any]:
    """Return the values of a node that are written under their own names.

    Left out are those that stand elsewhere in XML: the type of what its tag says, texts, images,
    and the cells of layers.
    """
    other_keys = {CONTENT, *IMAGE.values()}
    if tag == "text":
        # Its text is in the key "text". An attribute that is called "_text" is one like others.
        other_keys = {"text", *IMAGE.values()}
    if tag in TYPED_TAGS:
        other_keys.add("type")
    if tag == "layer":
        other_keys.update(_CELL_KEYS)
    values = dict[str, Any]()
    for key, value in node.items():
        if not _is_private(key) and key not in other_keys:
            values[key] = value
    if node.get(SOURCE) is None:
        _remove_usual_values(tag, values)
    return values


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


def _is_private(key: str) -> bool:
    """Return whether a key of a node is one of ours, which no file has."""
    return key.startswith("#")
