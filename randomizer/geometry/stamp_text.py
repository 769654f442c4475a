"""A stamp as bytes for the clipboard: JSON, so that it can be pasted in another window.

Copying calls ``encode``, pasting ``decode``. What lies on the clipboard can come from anywhere, so
everything in it is checked, and faults are one message: it is damaged. Two hexes of grass with an
archer on the first are this, where texts in "..." are arrays as base64::

    {"battlemap-stamp": 5, "layout": "flat", "terrains": ["Grass"], "hexsides": [], "regions": [],
     "text_kinds": [], "offsets": "...",
     "planes": {"terrain": {"type": "u2", "place": "cell", "unset": 65535, "role": "terrain",
                            "values": "..."}},
     "things": [["archer", 0, 0, 0, 2, "", {"hp": 7}, 1]]}

The entries of a thing are its kind, q, r, angle, owner, label, state and id (``StampThing``).
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.stamp import FINE, Stamp, StampPlane, StampThing
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import DEEPEST_DATA, MAX_CELLS
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.gate.gate import check_counts
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.planes.planes import Element, PlaneRole
from randomizer.model.problems import error
from randomizer.model.things.thing_state import State

MIME = "application/x-battlemap-stamp"
"""The MIME type of a stamp on the clipboard."""

VERSION = 5
"""The version of the format, to be raised with each change: a stamp of another one is refused."""

LIMIT = 64_000_000
"""The most bytes that are read; a million cells of a battleland take about 24 million.

If it is larger, a clipboard of another program can hold the window up for longer.
"""

FAR = 2**20
"""The largest distance of a cell of a stamp from its anchor, in steps: farther than any map."""

_DEEPEST = DEEPEST_DATA + 5
"""The depth to which lists and objects can be nested; the state of a thing lies in the stamp."""

_TYPES = ("u1", "i1", "u2", "i2", "u4", "i4")
"""The numpy types that values of a plane can have."""

_LARGEST_WHOLE = 2**62
"""Whole numbers are below this, and above its negative: their sum still has 64 bits."""


def encode(stamp: Stamp) -> bytes:
    """Return a stamp as bytes for ``decode``.

    They are decoded again before they are returned: ProblemError, in the words of pasting, is
    raised for a stamp that could not be pasted.
    """
    planes = {}
    for name, plane in stamp.planes.items():
        value_type = plane.values.dtype.str[1:]  # without the order of bytes
        planes[name] = {
            "type": value_type,
            "place": _element_word(plane),
            "unset": plane.unset,
            "role": plane.role,
            "values": _base64_of(plane.values, value_type),
        }
    record = {
        "battlemap-stamp": VERSION,
        "layout": stamp.layout.name,
        "terrains": stamp.terrains,
        "hexsides": stamp.hexsides,
        "regions": stamp.regions,
        "text_kinds": sorted(stamp.text_kinds),
        "offsets": _base64_of(stamp.offsets, "i4"),
        "planes": planes,
        "things": [_fields_of(thing) for thing in stamp.things],
    }
    data = json.dumps(record, ensure_ascii=False).encode()
    decode(data)  # raises for what could not be pasted
    return data


def decode(data: bytes) -> Stamp:
    """Return the stamp from bytes of ``encode``. Raises ProblemError for any other bytes."""
    if len(data) > LIMIT:
        raise error("stamp-size", "what lies on the clipboard is too large to paste")
    try:
        record = parse_json(data, largest=LIMIT, deepest=_DEEPEST)
        version = record["battlemap-stamp"]
        if version != VERSION:
            message = f"what lies on the clipboard was copied by another version ({version!s:.20})"
            raise error("stamp-version", message)
        return _stamp_of(record)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as fault:
        message = "what lies on the clipboard is damaged: nothing was pasted"
        raise error("stamp-damaged", message) from fault


def _fields_of(thing: StampThing) -> list[object]:
    """Return the entries of a thing, as JSON can hold them."""
    return [
        thing.kind,
        thing.q,
        thing.r,
        thing.angle,
        thing.owner,
        thing.label,
        thing.state.plain(),
        thing.id,
    ]


def _element_word(plane: StampPlane) -> str:
    """Return what the values are of: "cell", "side", "corner", or "links" (masks of ways)."""
    if plane.links:
        return "links"
    return plane.element.value


def _base64_of(values: NDArray[Any], dtype: str) -> str:
    """Return an array as base64 of its bytes, little-endian; its shape is not in it."""
    return b64encode(np.ascontiguousarray(values, "<" + dtype).tobytes()).decode()


# --- reading: each function raises ValueError for what it cannot read; ``decode`` reports it -----


def _array_of(text: str, dtype: str) -> NDArray[Any]:
    """Return the flat array of a text of ``_base64_of``. Raises ValueError."""
    if dtype not in _TYPES:
        raise ValueError(dtype)
    return np.frombuffer(b64decode(text, validate=True), "<" + dtype).astype(dtype)


def _checked_number(value: object) -> int:
    """Return a value that is a whole number, within ``_LARGEST_WHOLE``. Raises ValueError."""
    # Not ``isinstance``: True and False are ints for Python.
    if type(value) is not int or abs(value) >= _LARGEST_WHOLE:
        raise ValueError(value)
    return value


def _checked_line(value: object) -> str:
    """Return a value that is a text of one line. Raises ValueError."""
    if not isinstance(value, str) or fault_in_line(value):
        raise ValueError(value)
    return value


def _checked_lines(values: Iterable[object]) -> tuple[str, ...]:
    """Return values that are all texts of one line. Raises ValueError."""
    return tuple(_checked_line(value) for value in values)


def _stamp_of(record: dict[str, Any]) -> Stamp:
    """Return the stamp of a record. Raises ValueError, KeyError or TypeError for other data."""
    layouts = {layout.name: layout for layout in LAYOUTS}
    layout = layouts[record["layout"]]
    offsets = _array_of(record["offsets"], "i4").astype(np.int64).reshape(-1, 2)
    if not 0 < len(offsets) <= MAX_CELLS or abs(offsets).max() >= FAR:
        raise ValueError("offsets")
    terrains = _checked_lines(record["terrains"])
    hexsides = _checked_lines(record["hexsides"])
    planes = {}
    for name, plane_record in record["planes"].items():
        planes[_checked_line(name)] = _plane_of(plane_record, len(offsets), layout.degree)
    _check_roles(planes, len(terrains), len(hexsides))
    check_counts(things=len(record["things"]))
    return Stamp(
        layout=layout,
        offsets=offsets,
        planes=planes,
        terrains=terrains,
        hexsides=hexsides,
        things=tuple(_thing_of(fields) for fields in record["things"]),
        regions=_checked_lines(record["regions"]),
        text_kinds=frozenset(_checked_lines(record["text_kinds"])),
    )


def _plane_of(record: dict[str, Any], cell_count: int, degree: int) -> StampPlane:
    """Return a plane of a stamp of ``cell_count`` cells, from its record."""
    is_links = record["place"] == "links"
    element = Element.CELL
    if not is_links:
        element = Element(record["place"])
    shape: tuple[int, ...] = (cell_count,)
    if element is not Element.CELL:
        shape = (cell_count, degree)  # a cell has as many sides as corners
    values = _array_of(record["values"], record["type"]).reshape(shape)
    if is_links and values.dtype != np.uint8:  # a bit for each of up to six sides, and two marks
        raise ValueError("links")
    role = None
    if record["role"] is not None:
        role = PlaneRole(record["role"])
    return StampPlane(
        unset=_checked_number(record["unset"]),
        values=values,
        links=is_links,
        role=role,
        element=element,
    )


def _check_roles(planes: Mapping[str, StampPlane], terrain_count: int, hexside_count: int) -> None:
    """Raise ValueError for a role that two planes have, and for codes that no name belongs to."""
    greatest_codes = {
        PlaneRole.TERRAIN: terrain_count - 1,
        PlaneRole.HEXSIDE: hexside_count,  # 0 is no hexside
    }
    roles = set()
    for name, plane in planes.items():
        if plane.role is None:
            continue
        if plane.role in roles:
            raise ValueError("roles")
        roles.add(plane.role)
        codes = plane.values[plane.values != plane.unset]
        if plane.role not in greatest_codes or not codes.size:
            continue
        if codes.min() < 0 or codes.max() > greatest_codes[plane.role]:
            raise ValueError(name)


def _thing_of(fields: Any) -> StampThing:
    """Return a thing from its entries, which are those of ``_fields_of``."""
    kind, q, r, angle, owner, label, state, number = fields
    return StampThing(
        kind=_checked_line(kind),
        q=_checked_number(q),
        r=_checked_number(r),
        angle=_checked_number(angle) % (360 * FINE),
        owner=_checked_number(owner),
        label=_checked_line(label),
        state=State(state),
        id=_checked_number(number),
    )
