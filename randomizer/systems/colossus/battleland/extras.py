"""Unknown parts of a battleland file, kept in ``Layer.extras`` and written back.

A file can have comments, elements and attributes that the game does not know. They are of no use to
the program, but would be lost to the user if a file that was read and edited were written without
them.

The reader of XML calls ``store_attributes`` and ``store_node``, the writer ``unknown_by_place``.
Every part is one entry of the mapping, so that those of several layers add up:

- ``xml PLACE @NAME`` -> the value (str) of an attribute that the game does not know;
- ``xml PLACE NODE`` -> how often (int) a comment, element, text or instruction occurs; NODE is its
  own XML.

For example ``{"xml root @author": "Ann", "xml D4 <!-- swamp -->": 1}``.

PLACE is ``before`` (the root element), ``root``, ``after``, ``startlist``, ``startlist/LABEL`` (the
label percent-encoded), a hex (``D4``) or a hexside of it (``D4/0``). Entries are in the order of
the file. Keys that do not start with ``xml `` belong to other formats.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote

from randomizer.model.basics.limits import LARGEST_DATA
from randomizer.reading.xml_text import node_xml
from randomizer.reading.xml_tree import Element, Node

BEFORE = "before"
"""The PLACE of nodes before the root element."""

ROOT = "root"
"""The PLACE of attributes and nodes of the root element."""

AFTER = "after"
"""The PLACE of nodes behind the root element."""

STARTLIST = "startlist"
"""The PLACE of attributes and nodes of the start list."""

_PREFIX = "xml "
"""The beginning of the keys of this module."""


def startlist_place(label: str) -> str:
    """Return the PLACE of a node in the start list's entry ``label``."""
    return f"{STARTLIST}/{quote(label, safe='')}"


def border_place(hex_label: str, side: int) -> str:
    """Return the PLACE of a node in the ``border`` of a hex."""
    return f"{hex_label}/{side}"


def store_attributes(
    extras: dict[str, object], place: str, element: Element, names: Iterable[str]
) -> None:
    """Add the attributes of an element to ``extras``, but for ``names``, which the game knows."""
    for name, value in element.attributes.items():
        if name not in names and name != "xmlns":
            extras[f"{_PREFIX}{place} @{name}"] = value


def store_node(extras: dict[str, object], place: str, node: Node) -> None:
    """Add a comment, an element, an instruction or a text that is not blank to ``extras``.

    Equal nodes at one place are counted; the blanks in a text become single ones.
    """
    if isinstance(node, str):
        node = " ".join(node.split())
    xml = node_xml(node)
    if not xml:
        return
    if xml.startswith("@"):
        xml = f"&#64;{xml[1:]}"  # a text, which must not be taken for an attribute
    key = f"{_PREFIX}{place} {xml}"
    count = extras.get(key, 0)
    if not isinstance(count, int):  # a damaged project may hold anything
        count = 0
    extras[key] = count + 1


class UnknownParts(NamedTuple):
    """The unknown parts of one PLACE, in the order of the file."""

    attributes: Sequence[tuple[str, str]]
    """The name and the value of each attribute."""
    nodes: Sequence[str]
    """The XML of each node; a node that occurs several times is there as often."""


NO_PARTS = UnknownParts((), ())
"""The unknown parts of a place that has none."""

PartsByPlace = Mapping[str, UnknownParts]
"""The unknown parts of a file by PLACE; places without any are left out."""


def unknown_by_place(extras: Mapping[str, object]) -> PartsByPlace:
    """Return all unknown parts of a battleland file."""
    attributes: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    nodes: defaultdict[str, list[str]] = defaultdict(list)
    for key, value in extras.items():
        if not key.startswith(_PREFIX):
            continue
        place, _space, attribute_or_xml = key.removeprefix(_PREFIX).partition(" ")
        if isinstance(value, int):
            xml = attribute_or_xml
            max_copies = LARGEST_DATA // (len(xml) + 1)  # a damaged project may say any number
            nodes[place].extend([xml] * min(value, max_copies))
        else:
            name = attribute_or_xml.removeprefix("@")
            attributes[place].append((name, str(value)))
    by_place = {}
    for place in attributes.keys() | nodes.keys():
        by_place[place] = UnknownParts(attributes[place], nodes[place])
    return by_place


def parts_at(by_place: PartsByPlace, place: str) -> UnknownParts:
    """Return the unknown parts of one PLACE, ``NO_PARTS`` if it has none."""
    return by_place.get(place, NO_PARTS)
