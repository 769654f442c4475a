"""A stamp as bytes for the clipboard: JSON."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from typing import Any

import numpy as np
from numpy.typing import NDArray

from randomizer.geometry.stamp import FINE, Stamp, StampPlane, StampThing
from randomizer.model.basics.bounded_json import parse_json
from randomizer.model.basics.limits import DEEPEST_DATA, MOST_CELLS
from randomizer.model.basics.texts import fault_in_line
from randomizer.model.gate.gate import check_counts
from randomizer.model.grid.layouts import LAYOUTS
from randomizer.model.planes.planes import Place, PlaneRole
from randomizer.model.problems import error
from randomizer.model.things.thing_state import State

MIME = "application/x-battlemap-stamp"
"""The MIME type of a stamp on the clipboard."""

VERSION = 5

LIMIT = 64_000_000
"""The most bytes that are read; a million cells of a battleland take about 24 million."""

FAR = 2**20
"""The largest distance of a cell of a stamp from its anchor, in steps."""

_DEEPEST = DEEPEST_DATA + 5
"""The state of a thing is nested within the stamp."""

_TYPES = ("u1", "i1", "u2", "i2", "u4", "i4")


def encode(stamp: Stamp) -> bytes:
    """Return stamp as bytes for ``decode``, which is proven to read them. Raises ProblemError."""
    record = {
        "battlemap-stamp": VERSION,
        "layout": stamp.layout.name,
        "terrains": stamp.terrains,
        "hexsides": stamp.hexsides,
        "regions": stamp.regions,
        "text_kinds": sorted(stamp.text_kinds),
        "offsets": _text_of(stamp.offsets, "i4"),
        "planes": {
            name: {
                "type": plane.values.dtype.str[1:],
                "place": _place_of(plane),
                "unset": plane.unset,
                "role": plane.role,
                "values": _text_of(plane.values, plane.values.dtype.str[1:]),
            }
            for name, plane in stamp.planes.items()
        },
        "things": [(*thing[:-2], thing.state.plain(), thing.id) for thing in stamp.things],
    }
    data = json.dumps(record, ensure_ascii=False).encode()
    decode(data)
    return data


def decode(data: bytes) -> Stamp:
    """Return the stamp from bytes of ``encode``. Raises ProblemError for any other bytes."""
    if len(data) > LIMIT:
        raise error("stamp-size", "what lies on the clipboard is too large to paste")
    try:
        record = parse_json(data, largest=LIMIT, deepest=_DEEPEST)
        version = record["battlemap-stamp"]
        if version != VERSION:
            raise error(
                "stamp-version",
                f"what lies on the clipboard was copied by another version ({version!s:.20})",
            )
        return _stamp(record)
    except (ValueError, KeyError, TypeError, IndexError, AttributeError) as fault:
        raise error(
            "stamp-damaged", "what lies on the clipboard is damaged: nothing was pasted"
        ) from fault


def _place_of(plane: StampPlane) -> str:
    """Return what the values belong to: cells, their sides or corners, or routes through the
    cells.
    """
    return "links" if plane.links else plane.place.value


def _text_of(values: NDArray[Any], dtype: str) -> str:
    return b64encode(np.ascontiguousarray(values, "<" + dtype).tobytes()).decode()


def _values_of(text: str, dtype: str) -> NDArray[Any]:
    if dtype not in _TYPES:
        raise ValueError(dtype)
    return np.frombuffer(b64decode(text, validate=True), "<" + dtype).astype(dtype)


def _whole(value: object) -> int:
    if type(value) is not int or abs(value) >= 2**62:
        raise ValueError(value)
    return value


def _word(value: object) -> str:
    if not isinstance(value, str) or fault_in_line(value):
        raise ValueError(value)
    return value


def _stamp(record: dict[str, Any]) -> Stamp:
    layout = next(
        (known_layout for known_layout in LAYOUTS if known_layout.name == record["layout"]), None
    )
    if layout is None:
        raise ValueError(record["layout"])
    offsets = _values_of(record["offsets"], "i4").astype(np.int64).reshape(-1, 2)
    if not 0 < len(offsets) <= MOST_CELLS or abs(offsets).max() >= FAR:
        raise ValueError("offsets")
    terrains = tuple(_word(name) for name in record["terrains"])
    hexsides = tuple(_word(name) for name in record["hexsides"])
    regions = tuple(_word(name) for name in record["regions"])
    text_kinds = frozenset(_word(name) for name in record["text_kinds"])
    shapes = {"cell": (len(offsets),), "side": (len(offsets), layout.degree)}
    shapes["links"] = shapes["cell"]
    shapes["corner"] = shapes["side"]
    planes = {}
    for name, plane in record["planes"].items():
        values = _values_of(plane["values"], plane["type"]).reshape(shapes[plane["place"]])
        links = plane["place"] == "links"
        if links and values.dtype != np.uint8:
            raise ValueError(name)
        place = Place.CELL if links else Place(plane["place"])
        if plane["role"] is None:
            role = None
        else:
            role = PlaneRole(plane["role"])
        planes[_word(name)] = StampPlane(_whole(plane["unset"]), values, links, role, place)
    roles = [plane.role for plane in planes.values() if plane.role is not None]
    if len(set(roles)) < len(roles):
        raise ValueError("roles")
    lasts = {PlaneRole.TERRAIN: len(terrains) - 1, PlaneRole.HEXSIDE: len(hexsides)}
    for name, held in planes.items():
        if held.role is not None:
            last = lasts.get(held.role)
        else:
            last = None
        codes = held.values[held.values != held.unset]
        if last is not None and codes.size and not 0 <= codes.min() <= codes.max() <= last:
            raise ValueError(name)
    things = []
    check_counts(things=len(record["things"]))
    for kind, q, r, angle, owner, label, state, number in record["things"]:
        q, r, angle, owner, number = map(_whole, (q, r, angle, owner, number))
        texts = _word(kind), _word(label)
        things.append(
            StampThing(texts[0], q, r, angle % (360 * FINE), owner, texts[1], State(state), number)
        )
    return Stamp(layout, offsets, planes, terrains, hexsides, tuple(things), regions, text_kinds)
