"""Reads and writes both notations of Tiled's files: XML (TMX, TSX, TX) and JSON (TMJ, TSJ, TJ).

    node = read(b'<map width="3"><layer name="Ground"><data>...</map>')
    node["layers"][0]["name"]                   # "Ground": the same as if it were JSON
    write(node, "map", as_xml=False).data       # the bytes of the file as JSON

A node is a dict, see ``tiled_nodes``. This module chooses between ``tiled_xml`` and ``tiled_json``,
which read, and between ``tiled_xml_writer`` and ``tiled_json_writer``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from randomizer.model.basics.json_places import place_in_json
from randomizer.model.problems import ProblemError, place_of
from randomizer.systems.interchange.foreign.faults import fault
from randomizer.systems.interchange.foreign.source import decoded
from randomizer.systems.interchange.tiled.tiled_json import normalise_json, read_json
from randomizer.systems.interchange.tiled.tiled_json_writer import write_json
from randomizer.systems.interchange.tiled.tiled_nodes import SOURCE, Node, NodeError
from randomizer.systems.interchange.tiled.tiled_xml import read_xml, unread_counts
from randomizer.systems.interchange.tiled.tiled_xml_writer import XmlWriter

LARGEST = 16 * 2**20
"""The largest size of a file in bytes."""

MAX_ELEMENTS = 300_000
"""The largest number of elements in an XML file, each of which takes some memory."""

MAX_VALUES = 4_000_000
"""The largest number of values in a JSON file; a list of cells has one for each cell."""


class Document(NamedTuple):
    """A file as it is to be written."""

    data: bytes
    """The bytes of the file."""
    lost: Mapping[str, int]
    """The numbers of what its notation cannot hold, by nouns ("comment", "value")."""


def read(data: bytes) -> Node:
    """Return the node of a whole file in either notation. Raises ProblemError."""
    if _is_xml(data):
        return read_xml(data, LARGEST, MAX_ELEMENTS)
    node = read_json(data, LARGEST, MAX_VALUES)
    try:
        normalise_json(node)
    except NodeError as wrong:
        raise located(data, node, wrong) from wrong
    return node


def share_of_limit(data: bytes) -> float:
    """Return how large a file is as a share of what ``read`` accepts; 1.0 is the limit.

    The file is not parsed. Its elements or values are estimated, rather too many: each begins with
    a bracket or follows a comma, but brackets and commas within texts are counted as well.
    """
    if _is_xml(data):
        estimated_elements = data.count(b"<") - data.count(b"</")
        return estimated_elements / MAX_ELEMENTS
    estimated_values = data.count(b",") + data.count(b"[") + data.count(b"{")
    return estimated_values / MAX_VALUES


def located(data: bytes, root: Node, wrong: NodeError) -> ProblemError:
    """Return the error of a fault in a node of a file, with the line and column of the node.

    ``data`` are the bytes of the file, ``root`` is its node. It is line 1 if the node is not found.
    """
    # A node of XML knows its element.
    source = wrong.node.get(SOURCE)
    if source is not None:
        return fault(str(wrong), source.line, source.column)

    # A node of JSON is looked for in the document, and then in the text.
    if not _is_xml(data):
        path = _path_to(wrong.node, root)
        if path is not None:
            content = decoded(data)
            start, _end = place_in_json(content, path)
            return fault(str(wrong), *place_of(content, start))
    return fault(str(wrong), 1)


def _path_to(node: Node, root: Node) -> tuple[str | int, ...] | None:
    """Return the keys and indices that lead from the root to a node, None for a node elsewhere.

    For the first layer that is ("layers", 0).
    """
    stack: list[tuple[Any, tuple[str | int, ...]]] = [(root, ())]
    while stack:
        value, path = stack.pop()
        if value is node:
            return path
        entries: Iterable[tuple[str | int, Any]]
        if isinstance(value, dict):
            entries = value.items()
        else:
            entries = enumerate(value)
        for key, entry in entries:
            if isinstance(entry, dict | list):
                stack.append((entry, (*path, key)))
    return None


def write(node: Node, tag: str, *, as_xml: bool) -> Document:
    """Return a node as a file; its ``tag`` is "map", "tileset" or "template"."""
    if as_xml:
        writer = XmlWriter()
        return Document(writer.write(node, tag), writer.lost)
    return Document(write_json(node, tag), Counter(dict(unread_counts(node))))


def _is_xml(data: bytes) -> bool:
    """Return whether a file is XML: its first character is "<".

    Byte order marks and blanks come before it, and in UTF-16 a byte 0.
    """
    return data.lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n\0")[:1] == b"<"
