"""Writes the attributes and texts of XML elements, and counts what XML cannot hold.

    attributes = AttributeWriter()
    attributes.set_attributes(element, {"opacity": 0.5, "visible": True})
    # <layer opacity="0.50" visible="1"/>, if the element was read with opacity="0.50"

The writers of Tiled's XML share one ``AttributeWriter``: ``tiled_xml_writer`` for layers, objects
and so on, ``tiled_xml_properties`` and ``tiled_xml_cells``. The *source* of an element is the one
that it was read from, None for a new element. A value is written in the *spelling* of the source
wherever that still means the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from randomizer.reading.xml_new import NewElement
from randomizer.reading.xml_tree import Element
from randomizer.systems.interchange.tiled.tiled_nodes import LAYER_TYPES
from randomizer.systems.interchange.tiled.tiled_xml import NAME, RESERVED
from randomizer.systems.interchange.tiled.tiled_xml_values import attribute_value

TYPED_TAGS = (*LAYER_TYPES, "map", "tileset")
"""Elements whose tag says what JSON says as ``type``."""

_IMPOSSIBLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML cannot hold: all but those that its grammar calls Char.

From the blank on these are the ranges to U+D7FF, U+E000 to U+FFFD, and the planes above.
"""


class AttributeWriter:
    """Writes the attributes and texts of the elements of one file."""

    def __init__(self) -> None:
        self.lost = Counter[str]()
        """The numbers of "value" and "character" so far that XML cannot hold.

        Characters are counted by ``text_of``, values by ``count_lost_value``.
        """

    def count_lost_value(self) -> None:
        """Count a value that a writer leaves out, since XML has no place for it."""
        self.lost["value"] += 1

    def set_attributes(self, element: NewElement, values: Mapping[str, object]) -> None:
        """Set the attributes of a new element, those of its source first and in their order.

        An attribute of the source that is not among ``values`` is left out, unless nodes cannot
        hold its value.
        """
        new_values = dict(values)
        for name, spelling in attributes_of(element.source).items():
            if name in new_values:
                value = new_values.pop(name)
                if spelling == value or attribute_value(name, spelling) == value:
                    element.attributes[name] = spelling
                else:
                    element.attributes[name] = self.text_of(value)
            elif _is_never_in_node(name, element.tag):
                element.attributes[name] = spelling
        for name, value in new_values.items():
            element.attributes[name] = self.text_of(value)

    def plain_element(
        self, tag: str, attributes: Mapping[str, object], source: Element | None
    ) -> NewElement:
        """Return an element without a node: these attributes, and all others of its source."""
        element = NewElement(tag, {}, source)
        self.set_attributes(element, {**attributes_of(source), **attributes})
        return element

    def text_of(self, value: object) -> str:
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


def attributes_of(source: Element | None) -> Mapping[str, str]:
    """Return the attributes of an element that was read, none for a new one."""
    if source is None:
        return {}
    return source.attributes


def _is_never_in_node(attribute: str, tag: str) -> bool:
    """Return whether an attribute of an element is never in its node: then it stays as it is."""
    if not NAME.fullmatch(attribute) or attribute in RESERVED:
        return True
    return attribute == "type" and tag in TYPED_TAGS
