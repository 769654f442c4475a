"""Writes XML elements, each in a line of its own.

    root = NewElement("map", {"width": "4"})
    root.groups["layer"] = [NewElement("layer", {"name": "a"})]
    data = new_file_data(root, GroupOrder({}))

A file that was read and changed is written by xml_changes.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from randomizer.reading.xml_file import DECLARATION
from randomizer.reading.xml_text import attributes_xml, escaped_text
from randomizer.reading.xml_tree import Element

_INDENT = b" "
"""The further indentation of new elements, one blank a level as Tiled writes it."""


@dataclass(slots=True)
class NewElement:
    """An element as it is to be written."""

    tag: str
    """Its name. An element of the file keeps the name that it has there, which is the same."""
    attributes: dict[str, str]
    """The values by name, without escapes; new ones are written in this order."""
    source: Element | None = None
    """The element that it was read from, None for a new one. A new file is written without it."""
    text: str | None = None
    """The text between its tags; None leaves that of the source."""
    groups: dict[str, list[NewElement]] = field(default_factory=dict)
    """Its elements by a key, usually their tag.

    Elements of a group are written in its order; elements of different groups alternate as in the
    source.
    """


@dataclass(frozen=True, slots=True)
class GroupOrder:
    """The order of the groups of a new element, and of new groups in an element of the file."""

    ranks: Mapping[str, int]
    """The ranks of groups by their keys: lower ones are written first."""
    usual_rank: int = 0
    """The rank of all other groups."""

    def rank(self, key: str) -> int:
        """Return the rank of a group."""
        return self.ranks.get(key, self.usual_rank)


class WrittenXml(NamedTuple):
    """The bytes of an element, or of what is between its tags."""

    data: bytes
    is_changed: bool
    """False if these are bytes of the file that is written again."""


def new_file_data(root: NewElement, order: GroupOrder) -> bytes:
    """Return the bytes of a new file."""
    return DECLARATION + ElementWriter(order).write(root, indent=b"").data + b"\n"


class ElementWriter:
    """Writes new elements; ``xml_changes`` has a subclass that writes those of a file, too."""

    def __init__(self, order: GroupOrder, line_end: bytes = b"\n") -> None:
        self.order = order
        self.line_end = line_end

    def write(self, element: NewElement, indent: bytes) -> WrittenXml:
        """Return an element that stands behind ``indent`` in its line."""
        head = f"<{element.tag}{attributes_xml(element.attributes.items())}".encode()
        children = list[NewElement]()
        for key in sorted(element.groups, key=self.order.rank):
            children += element.groups[key]
        if not children and not element.text:
            return WrittenXml(head + b"/>", is_changed=True)

        parts = [head, b">"]
        if element.text:
            parts.append(self.text_bytes(element.text))
        child_indent = indent + _INDENT
        for child in children:
            parts += [self.line_end, child_indent, self.write(child, child_indent).data]
        if children:
            parts += [self.line_end, indent]
        parts.append(f"</{element.tag}>".encode())
        return WrittenXml(b"".join(parts), is_changed=True)

    def text_bytes(self, text: str) -> bytes:
        """Return a text as it stands in the file, with the line ends of the file."""
        return escaped_text(text).encode().replace(b"\n", self.line_end)

    def line_of_child(self, indent: bytes) -> bytes:
        """Return what begins the line of a child, whose parent stands behind ``indent``."""
        return self.line_end + indent + _INDENT
