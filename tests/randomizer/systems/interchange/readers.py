"""Small readers of files of other programs that share no code with the product.

Tests write a map, read the file with one of these, and compare the content. ``board``, ``wesnoth``,
``textmapper`` and ``wxx`` return a size, the cells, and all that is beside them; ``tiled`` returns
the values of a map; ``scene``, ``universal`` and ``foundry_centres`` are for virtual tables.
"""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
import struct
import zlib
from collections import Counter
from collections.abc import Mapping
from itertools import product
from typing import Any, NamedTuple
from xml.etree import ElementTree

import zstandard

Size = tuple[int, int]
"""Columns and rows."""

Cells = list[object]
"""What is in each cell, in the order of the file."""


def board(text: str) -> tuple[Size, Cells, list[str]]:
    """Return size, (level, terrains, theme) of each hex in order, and all further lines."""
    size = re.search(r"(?mi)^size (\d+) (\d+)", text)
    hexes = re.findall(r'(?mi)^hex \d+ (-?\d+) "(.*?)" "(.*?)"', text)
    cells: Cells = []
    for level, terrains, theme in hexes:
        cells.append((int(level), frozenset(terrains.split(";")), theme))
    lines = [line for line in text.splitlines() if not re.match(r"(?i)hex|size|end", line)]
    return (int(size[1]), int(size[2])), cells, lines


def wesnoth(text: str) -> tuple[Size, Cells, list[str]]:
    """Return size and the text of each cell, row by row; there are no further lines."""
    rows = [line.split(",") for line in text.splitlines() if line and "=" not in line]
    cells: Cells = []
    for row in rows:
        cells += [" ".join(cell.split()) for cell in row]
    return (len(rows[0]), len(rows)), cells, []


_HEX_LINE = re.compile(r"-?\d\d-?\d\d\s")
"""The beginning of a line of Text Mapper about a hex, such as 0304."""


def textmapper(text: str) -> tuple[Size, Cells, list[str]]:
    """Return the size, the words of the lines about hexes, sorted, and all further lines."""
    lines = text.splitlines()
    hexes = [line.split() for line in lines if _HEX_LINE.match(line)]
    columns = {words[0][:2] for words in hexes}
    rows = {words[0][2:] for words in hexes}
    further_lines = [line for line in lines if not _HEX_LINE.match(line)]
    return (len(columns), len(rows)), sorted(hexes), further_lines


READERS = {"board": board, "wesnoth": wesnoth, "textmapper": textmapper}
"""The readers of texts by the names of their formats."""


# --- Worldographer -------------------------------------------------------------------------------

_FIRST_CENTRE = 150
"""Where the centre of the first hex of Worldographer is, across and down."""

_ACROSS = 225
"""The distance of the centres of neighbouring columns (or rows), across the hexes' points."""

_DOWN = 300
"""The distance of neighbouring hexes in a column (or row); every second one begins half lower."""


def wxx(data: bytes) -> tuple[Size, Cells, dict[str, list[tuple[str, int, int]]]]:
    """Return size, (terrain, feet) row by row, and (type or text, column, row) of things by kind.

    A map of rows is read as one of columns that is turned.
    """
    text = gzip.decompress(data).decode("utf-16").partition("?>")[2]
    root = ElementTree.fromstring(text.strip())  # our own corpus
    is_by_rows = root.get("hexOrientation") == "ROWS"
    words = root.findtext("terrainmap").split("\t")
    names = {int(number): name for name, number in zip(words[::2], words[1::2], strict=True)}

    lines = [row.text.split("\n")[1:-1] for row in root.iter("tilerow")]
    if not is_by_rows:
        lines = list(zip(*lines, strict=True))
    cells: Cells = []
    for line in lines:
        for cell in line:
            number, feet, *_further = cell.split("\t")
            cells.append((names[int(number)], float(feet)))

    def position(element: ElementTree.Element) -> Size:
        """Return the column and row of an element with a location."""
        location = element.find("location")
        across = float(location.get("x"))
        down = float(location.get("y"))
        if is_by_rows:
            across, down = down, across
        line = round((across - _FIRST_CENTRE) / _ACROSS)
        start = _FIRST_CENTRE + _DOWN / 2 * (line % 2)
        place_in_line = round((down - start) / _DOWN)
        if is_by_rows:
            return place_in_line, line
        return line, place_in_line

    things: dict[str, list[tuple[str, int, int]]] = {"feature": [], "label": [], "note": []}
    for feature in root.iter("feature"):
        things["feature"].append((feature.get("type"), *position(feature)))
    for label in root.findall("labels/label"):
        things["label"].append(("".join(label.itertext()).strip(), *position(label)))
    for note in root.iter("note"):
        things["note"].append((note.get("title"), *position(note)))
    return (len(lines[0]), len(lines)), cells, things


# --- Tiled ---------------------------------------------------------------------------------------

DEFAULTS = {"x": 0, "y": 0, "opacity": 1, "visible": True, "name": "", "draworder": "topdown"}
DEFAULTS |= {"type": "", "rotation": 0, "width": 0, "height": 0}
"""The values that mean the same as if they were left out."""


class _TiledValues(NamedTuple):
    """What a map of Tiled holds, while it is read."""

    values: Counter[str]
    """All values, each with its path; one that occurs twice is counted."""
    cells: list[int]
    """The global ids in all layers, in their order."""


def tiled(data: bytes) -> tuple[Counter[str], list[int]]:
    """Return all elements (XML) or values (JSON) of a map by path, and the cells of all layers."""
    result = _TiledValues(Counter(), [])
    if data.lstrip()[:1] == b"{":
        _read_tiled_json(json.loads(data), "", result, {})
    else:
        _read_tiled_xml(ElementTree.fromstring(data), result)
    return result.values, result.cells


def _read_tiled_xml(root: ElementTree.Element, result: _TiledValues) -> None:
    """Add an element of XML and all below it to a result."""
    waiting = [("", root)]
    for path, element in waiting:
        name = f"{path}/{element.tag}"
        if element.tag == "data":
            for part in element.findall("chunk") or [element]:
                gids = [int(tile.get("gid", 0)) for tile in part.findall("tile")]
                if not gids:
                    gids = _cells(part.text, **element.attrib)
                result.cells.extend(gids)
            result.values[f"{name} {element.attrib}"] += 1
            continue
        attributes = {}
        for key, text in element.items():
            value = _number(text)
            is_default = value == DEFAULTS.get(key) or (key, value) == ("type", "string")
            if not is_default:
                attributes[key] = value
        text = (element.text or "").strip()
        result.values[f"{name} {sorted(attributes.items())} {text}"] += 1
        waiting += [(name, child) for child in element]


def _read_tiled_json(
    value: Any, path: str, result: _TiledValues, packing: Mapping[str, str]
) -> None:
    """Add a value of JSON and all below it to a result.

    ``packing`` is how the cells of its layer are packed: "encoding" and "compression".
    """
    if isinstance(value, dict):
        if not packing:
            packing = {name: value[name] for name in ("encoding", "compression") if name in value}
        for key, entry in value.items():
            if key == "data":
                gids = entry
                if not isinstance(entry, list):
                    gids = _cells(entry, **packing)
                result.cells.extend(gids)
                continue
            # What has no default of its own is false, or 0, if it is left out.
            if entry != DEFAULTS.get(key, False):
                _read_tiled_json(entry, f"{path}/{key}", result, packing)
    elif isinstance(value, list):
        for entry in value:
            _read_tiled_json(entry, f"{path}[]", result, packing)
    else:
        result.values[f"{path} {value!r}"] += 1


def _number(value: str) -> object:
    """Return the number that a text is, or else the text."""
    try:
        return float(value)
    except ValueError:
        return value


def _cells(text: str, encoding: str = "csv", compression: str = "") -> list[int]:
    """Return the global ids that a text of cells holds."""
    if encoding == "csv":
        return [int(cell) for cell in text.split(",")]
    data = base64.b64decode(text)
    if compression == "zlib":
        data = zlib.decompress(data)
    elif compression == "gzip":
        data = gzip.decompress(data)
    elif compression == "zstd":
        data = zstandard.ZstdDecompressor().decompressobj().decompress(data)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


# --- virtual tables, from what is published of them ----------------------------------------------


def scene(text: str) -> dict[str, object]:
    """Return all of a scene of Foundry but what is Battlelands Builder's own."""
    document = json.loads(text)
    lists = {name: value for name, value in document.items() if isinstance(value, list)}
    for name, entries in lists.items():
        document[name] = [entry for entry in entries if "battlelands" not in entry.get("flags", {})]
    document["flags"].pop("battlelands", None)
    return document


def universal(text: str) -> dict[str, object]:
    """Return all of a Universal VTT but what is Battlelands Builder's own.

    Its own lines of sight are the last ones; the file says their number.
    """
    document = json.loads(text)
    own_lines = document.pop("battlelands", {"lines": 0})["lines"]
    lines = document["line_of_sight"]
    document["line_of_sight"] = lines[: len(lines) - own_lines]
    return document


# The types of grids in Foundry; a grid of squares is 1.
_ODD_ROWS = 2
_EVEN_ROWS = 3
"""The types of grids of pointy hexes, by the rows that are pushed to the right."""
_ODD_COLUMNS = 4
_EVEN_COLUMNS = 5
"""The types of grids of flat hexes, by the columns that are pushed down."""


def foundry_centres(document: dict[str, Any]) -> list[tuple[float, float]]:
    """Return the centres of all cells on a scene of version 12, from the corner of its padding."""
    kind = document["grid"]["type"]
    size = document["grid"]["size"]
    point_to_point = 2 * size / math.sqrt(3)
    has_columns = kind in (_ODD_COLUMNS, _EVEN_COLUMNS)
    has_rows = kind in (_ODD_ROWS, _EVEN_ROWS)
    # The distances of the centres of neighbouring columns and rows.
    step_x = size
    step_y = size
    if has_columns:
        step_x = 0.75 * point_to_point
    elif has_rows:
        step_y = 0.75 * point_to_point

    # The padding is rounded up to whole steps; hexes are pushed on if these are odd.
    width = document["width"]
    height = document["height"]
    padding_x = math.ceil(document["padding"] * width / step_x) * step_x
    padding_y = math.ceil(document["padding"] * height / step_y) * step_y
    if has_columns:
        padding_y += size / 2 * (round(padding_x / step_x) % 2)
    if has_rows:
        padding_x += size / 2 * (round(padding_y / step_y) % 2)
    left = padding_x - document["background"]["offsetX"]
    top = padding_y - document["background"]["offsetY"]

    tolerance = size / 100
    centres = []
    for column, row in product(range(-60, 120), repeat=2):
        if has_columns:
            x = step_x * column + point_to_point / 2
            y = size * row
            # The odd type begins with half a hex, the even type with a whole one.
            if column % 2 == (kind == _ODD_COLUMNS):
                y += size / 2
        elif has_rows:
            x = size * column
            y = step_y * row + point_to_point / 2
            if row % 2 == (kind == _ODD_ROWS):
                x += size / 2
        else:
            x = size * column + size / 2
            y = size * row + size / 2
        is_across = -tolerance <= x - left <= width + tolerance
        is_down = -tolerance <= y - top <= height + tolerance
        if is_across and is_down:
            centres.append((x, y))
    return centres
