"""Writes the properties of Tiled's nodes as XML elements.

{"name": "depth", "type": "int", "value": 3}      <property name="depth" type="int" value="3"/>

{"name": "note", "value": "two\\nlines"}           <property name="note">two
                                                  lines</property>

{"name": "den", "type": "class", "value":         <property name="den" type="class">
 [{"name": "depth", "value": 3}]}                  <properties><property .../></properties>
                                                  </property>

{"name": "finds", "type": "list", "value":        <property name="finds" type="list">
 [{"type": "int", "value": 1}]}                    <item type="int" value="1"/></property>
"""

from __future__ import annotations

from typing import Any, NamedTuple

from randomizer.reading.xml_new import NewElement
from randomizer.reading.xml_tree import Element
from randomizer.systems.interchange.tiled.tiled_nodes import SOURCE, Node
from randomizer.systems.interchange.tiled.tiled_xml import NAME, first_element
from randomizer.systems.interchange.tiled.tiled_xml_attributes import (
    AttributeWriter,
    attributes_of,
)
from randomizer.systems.interchange.tiled.tiled_xml_values import read_property_value


class PropertyWriter:
    """Writes properties; values that XML cannot hold are counted by the attribute writer."""

    def __init__(self, attributes: AttributeWriter) -> None:
        self._attributes = attributes

    def build_properties(self, entries: list[Any], source: Element | None) -> NewElement:
        """Return the element ``properties`` of a list of properties."""
        element = self._attributes.plain_element("properties", {}, source)
        element.groups["property"] = [
            self._build_property("property", node_of(entry)) for entry in entries
        ]
        return element

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
                members = self.build_properties(value, wrapper_source)
                element.groups["properties"] = [members]
        elif isinstance(value, list):
            element.groups["item"] = [
                self._build_property("item", node_of(entry)) for entry in value
            ]
        elif isinstance(value, dict):
            self._attributes.count_lost_value()
        else:
            written = self._property_value(str(value_type), value, source)
            element.text = written.text
            if written.attribute is not None:
                attributes["value"] = written.attribute
        self._attributes.set_attributes(element, attributes)
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
                self._attributes.count_lost_value()
                continue
            if key == "name" and tag == "item":
                continue  # items have none
            if key == "type" and attribute == "string" and key not in attributes_of(source):
                continue  # a property is a string if it does not say otherwise
            if NAME.fullmatch(key):
                attributes[key] = attribute
        return attributes

    def _property_value(
        self, value_type: str, value: object, source: Element | None
    ) -> _PropertyValue:
        """Return the value of a property as an attribute, or as the text between its tags."""
        source_attributes = attributes_of(source)
        if source is not None:
            spelling = source_attributes.get("value", source.text)
            former_value = read_property_value(value_type, spelling)
            # Of 1, 1.0 and True, which are equal, each is written otherwise.
            if type(former_value) is type(value) and former_value == value:
                return _PropertyValue(source_attributes.get("value"), None)
        is_text = source is not None and "value" not in source_attributes
        if isinstance(value, str) and (is_text or "\n" in value):
            return _PropertyValue(None, self._attributes.text_of(value))

        written = self._attributes.text_of(value)
        if value is True:
            written = "true"
        elif value is False:
            written = "false"
        if is_text:
            return _PropertyValue(written, "")  # the former text would be a second value
        return _PropertyValue(written, None)


class _PropertyValue(NamedTuple):
    """The value of a property as it is written."""

    attribute: str | None
    """The attribute ``value``, None for none."""

    text: str | None
    """The text between the tags; None leaves that of the source."""


def node_of(entry: Any) -> Node:
    """Return an entry of a list as a node: a plain value is one with nothing but a value."""
    if isinstance(entry, dict):
        return entry
    return {"value": entry}
