"""The values of attributes in the XML of Tiled, as JSON has them.

    attribute_value("visible", "0")        # False
    attribute_value("width", "12.5")       # 12.5
    read_points("0,0 8,4.5")               # [{"x": 0, "y": 0}, {"x": 8, "y": 4.5}]

A text that spells no value of its kind stays a text, so that nothing of a file is lost.
"""

from __future__ import annotations

import math
import re

from randomizer.systems.interchange.tiled.tiled_nodes import Node

_TEXTS = frozenset(
    [
        "name",
        "class",
        "type",
        "value",
        "version",
        "tiledversion",
        "source",
        "template",
        "propertytype",
        "color",
        "trans",
        "encoding",
        "compression",
        "fontfamily",
        "format",
        "target",
    ]
)
"""Attributes that are texts even if they look like numbers."""

_FLAGS = frozenset(
    [
        "visible",
        "infinite",
        "locked",
        "repeatx",
        "repeaty",
        "wrap",
        "bold",
        "italic",
        "underline",
        "strikeout",
        "kerning",
        "hflip",
        "vflip",
        "rotate",
        "preferuntransformed",
    ]
)
"""Attributes that are ``true`` or ``false`` in JSON."""

_INTEGER = re.compile(r"-?\d{1,15}")
"""A whole number that a float holds exactly."""

_REAL = re.compile(r"-?\d{1,300}(?:\.\d{0,300})?(?:[eE][-+]?\d{1,3})?")
"""A number, short enough to be read quickly."""

_HEXADECIMAL = re.compile(r"0[xX][0-9a-fA-F]{1,8}")
"""A Wang id before Tiled 1.5."""

Scalar = bool | int | float | str
"""A value of JSON that is neither a list nor an object."""


def attribute_value(name: str, value: str) -> Scalar:
    """Return the value of the attribute ``name`` as JSON has it: "1" of ``visible`` is True."""
    if name in _FLAGS and value in ("0", "1", "true", "false"):
        return value in ("1", "true")
    if name in _TEXTS:
        return value
    return number_or_text(value)


def number_or_text(value: str) -> int | float | str:
    """Return the number that a text spells; the text itself if it spells none."""
    if _INTEGER.fullmatch(value):
        return int(value)
    if _REAL.fullmatch(value):
        number = float(value)
        if math.isfinite(number):  # "1e999" is not, and stays a text
            return number
    return value


def read_wang_id(value: str) -> list[int | float | str]:
    """Return the eight colours of a tile, from the top clockwise: "1,2,0,0,0,0,0,0".

    Before Tiled 1.5 they are the digits of a hexadecimal number, of which the lowest is the top:
    "0x21" means the same.
    """
    if not _HEXADECIMAL.fullmatch(value):
        return [number_or_text(colour) for colour in value.split(",")]
    digits = int(value, 16)
    colours = list[int | float | str]()
    for _direction in range(8):
        colours.append(digits & 0xF)
        digits >>= 4
    return colours


def read_corner_terrains(value: str) -> list[int | float | str]:
    """Return the terrains of the corners of a tile before Tiled 1.5: [0, -1, 0, 0] for "0,,0,0".

    A corner without one has -1.
    """
    terrains = list[int | float | str]()
    for terrain in value.split(","):
        if terrain:
            terrains.append(number_or_text(terrain))
        else:
            terrains.append(-1)
    return terrains


def read_points(value: str) -> list[Node]:
    """Return the points of a line: [{"x": 0, "y": 0}, {"x": 8, "y": 4.5}] for "0,0 8,4.5"."""
    # A damaged "5" becomes the point (5, 5); its spelling stays unless the points change.
    pairs = [pair.split(",") for pair in value.split()]
    return [{"x": number_or_text(pair[0]), "y": number_or_text(pair[-1])} for pair in pairs]


def read_property_value(value_type: str, value: str) -> Scalar:
    """Return the value of a property of a type, which is neither a class nor a list."""
    if value_type == "bool" and value in ("true", "false"):
        return value == "true"
    if value_type in ("int", "float", "object"):
        return number_or_text(value)
    return value
