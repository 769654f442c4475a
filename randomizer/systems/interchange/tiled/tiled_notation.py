"""The two notations of Tiled's files, XML (TMX, TSX, TX) and JSON (TMJ, TSJ, TJ), as one document.

    node = read(b'<map width="3"><layer name="Ground"><data>...</map>')
    node["layers"][0]["name"]          # "Ground": the names and lists of the JSON notation
    write(node, "map", as_xml=False).data

What a node is stands in ``tiled_nodes``; ``tiled_xml`` and ``tiled_json`` read it, the latter and
``tiled_xml_writer`` write it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from randomizer.model.basics.json_places import place_in_json
from randomizer.model.problems import ProblemError, place_of
from randomizer.systems.interchange.foreign import decoded, fault
from randomizer.systems.interchange.tiled.tiled_json import check_json, read_json, write_json
from randomizer.systems.interchange.tiled.tiled_nodes import SOURCE, Node, NodeError
from randomizer.systems.interchange.tiled.tiled_xml import read_xml, unread_counts
from randomizer.systems.interchange.tiled.tiled_xml_writer import XmlWriter

LARGEST = 16 * 2**20
"""In bytes: of one file."""

MOST_ELEMENTS = 300_000
MOST_VALUES = 4_000_000
"""Of one file in XML, and of one in JSON."""


class Document(NamedTuple):
    """The bytes of a file, and how many of what its notation has no place for, by words."""

    data: bytes
    lost: Mapping[str, int]


def read(data: bytes) -> Node:
    """Return the document of a file in either notation. Raises ProblemError."""
    if _is_xml(data):
        return read_xml(data, LARGEST, MOST_ELEMENTS)
    node = read_json(data, LARGEST, MOST_VALUES)
    try:
        check_json(node)
    except NodeError as wrong:
        raise located(data, node, wrong) from wrong
    return node


def share_of_limit(data: bytes) -> float:
    """Return how much of what one file may hold a file holds: 1.0 is as much as is read.

    It is estimated without parsing, and rather too high.
    """
    if _is_xml(data):
        return (data.count(b"<") - data.count(b"</")) / MOST_ELEMENTS
    return (data.count(b",") + data.count(b"[") + data.count(b"{")) / MOST_VALUES


def located(data: bytes, root: Node, wrong: NodeError) -> ProblemError:
    """Return the error of what is wrong at a node of a file, with its place."""
    source = wrong.node.get(SOURCE)
    if source is not None:
        return fault(str(wrong), source.line, source.column)
    waiting: list[tuple[Any, tuple[str | int, ...]]] = [(root, ())]
    while waiting and not _is_xml(data):
        value, path = waiting.pop()
        if value is wrong.node:
            content = decoded(data)
            return fault(str(wrong), *place_of(content, place_in_json(content, path)[0]))
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        waiting += [
            (entry, (*path, key)) for key, entry in entries if isinstance(entry, dict | list)
        ]
    return fault(str(wrong), 1)


def write(node: Node, tag: str, *, as_xml: bool) -> Document:
    """Return the file of a document: a "map", a "tileset" or a "template"."""
    if as_xml:
        writer = XmlWriter()
        return Document(writer.write(node, tag), writer.lost)
    return Document(write_json(node, tag), Counter(dict(unread_counts(node))))


def _is_xml(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")[:1] == b"<"
