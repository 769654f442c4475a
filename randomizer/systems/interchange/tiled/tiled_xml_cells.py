"""Writes the cells of Tiled's layers as XML elements.

    {"encoding": "csv", "data": [1, 2, 3, 4],     <data encoding="csv">
     "width": 2}                                  1,2,
                                                  3,4
                                                  </data>

    {"encoding": "xml", "data": [1, 0]}           <data><tile gid="1"/><tile/></data>

Cells of infinite maps are in elements ``chunk`` within ``data``. Cells that are packed
(``encoding`` "base64") are a text in the node already. Where cells were read from a file, their
text keeps its blanks and line breaks.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

from randomizer.reading.xml_new import NewElement
from randomizer.reading.xml_tree import Element
from randomizer.systems.interchange.tiled.tiled_nodes import SOURCE, Node
from randomizer.systems.interchange.tiled.tiled_xml import NAME, elements_of
from randomizer.systems.interchange.tiled.tiled_xml_attributes import (
    AttributeWriter,
    attributes_of,
)

_BOX_KEYS = ("x", "y", "width", "height")
"""The keys of a chunk that say which cells it has."""


class CellWriter:
    """Writes the cells of layers and chunks.

    Values that XML cannot hold are counted in ``lost`` of the attribute writer.
    """

    def __init__(self, attributes: AttributeWriter) -> None:
        self._attributes = attributes

    def build_data(self, layer: Node, source: Element | None) -> NewElement:
        """Return the element ``data`` of a layer, with its cells or with its chunks."""
        encoding = layer.get("encoding") or "csv"
        compression = layer.get("compression")
        source_attributes = attributes_of(source)
        attributes = dict[str, object](source_attributes)
        attributes.pop("encoding", None)
        attributes.pop("compression", None)
        if encoding != "xml":  # cells that are elements have no attribute for that
            attributes["encoding"] = encoding
        # A compression of "" means none: it is written only if the file has the attribute.
        is_stated_none = compression == "" and "compression" in source_attributes
        if compression or is_stated_none:
            attributes["compression"] = compression
        element = NewElement("data", {}, source)
        self._attributes.set_attributes(element, attributes)

        # On an infinite map the cells are in chunks.
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
                self._attributes.count_lost_value()
            else:
                attributes[key] = value
        self._attributes.set_attributes(element, attributes)
        self._write_cells(element, chunk, encoding)
        return element

    def _write_cells(self, element: NewElement, part: Node, encoding: str) -> None:
        """Write the cells of a layer or chunk into its element, as elements or as text."""
        cells = part.get("data", [])
        if encoding == "xml":
            element.groups["tile"] = self._build_tiles(cells, element.source)
        elif isinstance(cells, str):
            element.text = _respelled_cells(element.source, cells.strip())
        else:
            rows = _rows_of_cells(cells, part.get("width"))
            element.text = _respelled_cells(element.source, rows)

    def _build_tiles(self, cells: list[Any], source: Element | None) -> list[NewElement]:
        """Return an element for each cell; one without a tile has no ``gid``, or keeps its 0."""
        tile_sources = list[Element]()
        if source is not None:
            tile_sources = list(elements_of(source, "tile"))
        tiles = list[NewElement]()
        for gid, tile_source in zip_longest(cells, tile_sources[: len(cells)]):
            attributes = dict[str, object]()
            if gid or "gid" in attributes_of(tile_source):
                attributes["gid"] = gid
            tiles.append(self._attributes.plain_element("tile", attributes, tile_source))
        return tiles


def _rows_of_cells(cells: list[Any], width: object) -> str:
    """Return the text of cells with a line for each row.

    ``width`` is the length of a row; each cell is a line if that is no whole number from 1.
    """
    row_length = 1
    if type(width) is int and width >= 1:
        row_length = width
    rows = list[str]()
    for start in range(0, len(cells), row_length):
        rows.append(",".join(map(str, cells[start : start + row_length])))
    return ",\n".join(rows)


def _respelled_cells(source: Element | None, cells: str) -> str:
    """Return the text of cells with the blanks and line breaks that its source has.

    ``source`` is the element that the cells were read from, None for new ones: these get lines of
    their own. Of a list of numbers only those that differ change; packed cells change as a whole.
    For the source "\\n1, 2,\\n3\\n" the cells "1,7,3" become "\\n1, 7,\\n3\\n".
    """
    if source is None:
        return f"\n{cells}\n"
    former = source.text
    former_cells = former.strip()
    if not former_cells:
        return f"\n{cells}\n"
    if former_cells == cells:
        return former

    former_numbers = former.split(",")
    numbers = cells.split(",")
    is_list_of_same_length = len(numbers) == len(former_numbers) and len(numbers) > 1
    if not is_list_of_same_length:
        return _in_blanks_of(former, cells)
    respelled_numbers = list[str]()
    for former_number, number in zip(former_numbers, numbers, strict=True):
        if former_number.strip() == number.strip():
            respelled_numbers.append(former_number)
        else:
            respelled_numbers.append(_in_blanks_of(former_number, number.strip()))
    return ",".join(respelled_numbers)


def _in_blanks_of(former: str, cells: str) -> str:
    """Return a text with the blanks that another one has around it: " 7 " for " 2 " and "7"."""
    stripped = former.strip()
    start = former.index(stripped)
    return f"{former[:start]}{cells}{former[start + len(stripped) :]}"
