"""Little readers of files of other programs that share nothing with ours."""

from __future__ import annotations

import base64
import gzip
import json
import math
import re
import struct
import zlib
from collections import Counter
from itertools import product
from typing import Any
from xml.etree import ElementTree

import zstandard

Cells = list[object]


def board(text: str) -> tuple[tuple[int, int], Cells, list[str]]:
    """Size, (level, terrains, theme) of each hex in order, and all further lines."""
    size = re.search(r"(?mi)^size (\d+) (\d+)", text)
    hexes = re.findall(r'(?mi)^hex \d+ (-?\d+) "(.*?)" "(.*?)"', text)
    cells = [(int(level), frozenset(all_.split(";")), theme) for level, all_, theme in hexes]
    lines = [line for line in text.splitlines() if not re.match(r"(?i)hex|size|end", line)]
    return (int(size[1]), int(size[2])), cells, lines


def wesnoth(text: str) -> tuple[tuple[int, int], Cells, list[str]]:
    """Size and what stands in each cell, row by row."""
    rows = [line.split(",") for line in text.splitlines() if line and "=" not in line]
    return (len(rows[0]), len(rows)), [" ".join(each.split()) for row in rows for each in row], []


def textmapper(text: str) -> tuple[tuple[int, int], Cells, list[str]]:
    """The lines about hexes by their numbers, and all further lines, both in order."""
    lines = text.splitlines()
    hexes = [line.split() for line in lines if re.match(r"-?\d\d-?\d\d\s", line)]
    size = len({each[0][:2] for each in hexes}), len({each[0][2:] for each in hexes})
    return size, sorted(hexes), [line for line in lines if not re.match(r"-?\d\d-?\d\d\s", line)]


def wxx(data: bytes) -> tuple[tuple[int, int], Cells, dict[str, list[tuple[str, int, int]]]]:
    """Columns and rows, (terrain, feet) row by row, and (type or text, column, row) of things."""
    text = gzip.decompress(data).decode("utf-16").partition("?>")[2]
    root = ElementTree.fromstring(text.strip())  # our own corpus
    by_rows = root.get("hexOrientation") == "ROWS"
    words = root.findtext("terrainmap").split("\t")
    names = {int(number): name for name, number in zip(words[::2], words[1::2], strict=True)}
    lines = [row.text.split("\n")[1:-1] for row in root.iter("tilerow")]
    if not by_rows:
        lines = list(zip(*lines, strict=True))
    cells = [line.split("\t") for row in lines for line in row]

    def place(each: ElementTree.Element) -> tuple[int, int]:
        at = each.find("location")
        across = float(at.get("x"))
        down = float(at.get("y"))
        across, down = (down, across) if by_rows else (across, down)
        first = round((across - 150) / 225)
        second = round((down - 150 - 150 * (first % 2)) / 300)
        return (second, first) if by_rows else (first, second)

    things = {
        "feature": [(each.get("type"), *place(each)) for each in root.iter("feature")],
        "label": [("".join(e.itertext()).strip(), *place(e)) for e in root.findall("labels/label")],
        "note": [(each.get("title"), *place(each)) for each in root.iter("note")],
    }
    return (len(lines[0]), len(lines)), [(names[int(c[0])], float(c[1])) for c in cells], things


READERS = {"board": board, "wesnoth": wesnoth, "textmapper": textmapper}


def tiled(data: bytes) -> tuple[Counter[str], list[int]]:
    """All elements of a map, or values of its JSON, by their path; and the cells of all layers."""
    values = Counter[str]()
    all_cells = list[int]()
    if data.lstrip()[:1] == b"{":
        _tiled_json(json.loads(data), "", values, all_cells)
        return values, all_cells
    waiting = [("", ElementTree.fromstring(data))]
    for path, element in waiting:
        name = f"{path}/{element.tag}"
        if element.tag == "data":
            parts = element.findall("chunk") or [element]
            for part in parts:
                cells = [int(tile.get("gid", 0)) for tile in part.findall("tile")]
                all_cells += cells or _cells(part.text, **element.attrib)
            values[f"{name} {element.attrib}"] += 1
            continue
        attributes = {key: _number(value) for key, value in element.items()}
        for key, usual in (*USUAL.items(), ("type", "string")):
            if attributes.get(key) == usual:
                del attributes[key]
        values[f"{name} {sorted(attributes.items())} {(element.text or '').strip()}"] += 1
        waiting += [(name, child) for child in element]
    return values, all_cells


def _tiled_json(value, path, values, all_cells, about=None) -> None:
    if isinstance(value, dict):
        about = about or {
            name: value[name] for name in ("encoding", "compression") if name in value
        }
        for key, each in value.items():
            if key == "data":
                all_cells += each if isinstance(each, list) else _cells(each, **about)
            elif each != USUAL.get(key, each is None):
                _tiled_json(each, f"{path}/{key}", values, all_cells, about)
    elif isinstance(value, list):
        for each in value:
            _tiled_json(each, f"{path}[]", values, all_cells, about)
    else:
        values[f"{path} {value!r}"] += 1


USUAL = {"x": 0, "y": 0, "opacity": 1, "visible": True, "name": "", "draworder": "topdown"}
USUAL |= {"type": "", "rotation": 0, "width": 0, "height": 0}
"""What a JSON file of Tiled says although it is so without it."""


def _number(value: str) -> object:
    try:
        return float(value)
    except ValueError:
        return value


def _cells(text: str, encoding: str = "csv", compression: str = "") -> list[int]:
    if encoding == "csv":
        return [int(each) for each in text.split(",")]
    data = base64.b64decode(text)
    unpack = {"zlib": zlib.decompress, "gzip": gzip.decompress}
    unpack["zstd"] = lambda packed: zstandard.ZstdDecompressor().decompressobj().decompress(packed)
    data = unpack[compression](data) if compression else data
    return list(struct.unpack(f"<{len(data) // 4}I", data))


# --- virtual tables, from what is published of them ---


def scene(text: str) -> dict[str, object]:
    """All of a scene but what is Battlelands Builder's own."""
    document = json.loads(text)
    lists = {name: value for name, value in document.items() if isinstance(value, list)}
    for name, entries in lists.items():
        document[name] = [entry for entry in entries if "battlelands" not in entry.get("flags", {})]
    document["flags"] = {n: each for n, each in document["flags"].items() if n != "battlelands"}
    return document


def universal(text: str) -> dict[str, object]:
    """All of a Universal VTT but what is Battlelands Builder's own."""
    document = json.loads(text)
    own = document.pop("battlelands", {"lines": 0})["lines"]
    document["line_of_sight"] = document["line_of_sight"][: len(document["line_of_sight"]) - own]
    return document


def foundry_centres(document: dict[str, Any]) -> list[tuple[float, float]]:
    """The centres of all cells on a scene of version 12, from the corner of its padding."""
    kind = document["grid"]["type"]
    size = document["grid"]["size"]
    wide = 2 * size / math.sqrt(3)
    steps = {4: (0.75 * wide, size), 5: (0.75 * wide, size)}.get(kind, (size, 0.75 * wide))
    steps = (size, size) if kind < 2 else steps
    lengths = document["width"], document["height"]
    corner = [
        math.ceil(document["padding"] * n / s) * s for n, s in zip(lengths, steps, strict=True)
    ]
    if kind in (4, 5):
        corner[1] += size / 2 * (round(corner[0] / steps[0]) % 2)
    if kind in (2, 3):
        corner[0] += size / 2 * (round(corner[1] / steps[1]) % 2)
    left = corner[0] - document["background"]["offsetX"]
    top = corner[1] - document["background"]["offsetY"]
    centres = []
    for column, row in product(range(-60, 120), repeat=2):
        x = size * column
        y = size * row
        if kind in (4, 5):  # the odd type begins with half a hex, the even type with a whole one
            x = 0.75 * wide * column + wide / 2
            y += size / 2 if column % 2 == (kind == 4) else 0
        elif kind in (2, 3):
            y = 0.75 * wide * row + wide / 2
            x += size / 2 if row % 2 == (kind == 2) else 0
        else:
            x = x + size / 2
            y = y + size / 2
        near = size / 100
        if -near <= x - left <= lengths[0] + near and -near <= y - top <= lengths[1] + near:
            centres.append((x, y))
    return centres
