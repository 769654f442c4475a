"""A battleland as the JSON object of ``record``: the entry of a hex, the whole, a line of text."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from randomizer.model.planes.composite import Composite
from randomizer.systems.colossus.board import HEXES, LABELS
from randomizer.systems.colossus.properties import PROPERTIES, START_LIST, TOWER
from randomizer.systems.colossus.terrain_set import COLOSSUS

LETTERS = " " + "".join(side.letter for side in COLOSSUS.hexsides)
"""The letter of every plane value of a hexside."""


def record_of(
    composite: Composite, seed: int | None = None, number: int | None = None
) -> dict[str, Any]:
    """Return the JSON object of a map; ``seed`` and ``number`` are those of the roll, if it was
    rolled.
    """
    terrain, elevation, hexside = (
        composite.planes[name].tolist() for name in ("terrain", "elevation", "hexside")
    )
    return {
        **head_of(composite.properties, seed, number),
        "hexes": {
            label: hex_entry(terrain[y][x], elevation[y][x], hexside[y][x])
            for label, (x, y) in zip(LABELS, HEXES, strict=True)
        },
    }


def hex_entry(terrain: int, elevation: int, hexside: Sequence[int]) -> list[Any]:
    """Return what the JSON object of a map says of a hex, from its plane values."""
    return [
        COLOSSUS.terrains[terrain].name,
        elevation,
        "".join([LETTERS[code] for code in hexside]),
    ]


def read_hex_entry(label: str, entry: object) -> tuple[int, int, list[int]]:
    """Return the plane values that ``hex_entry`` gives for the hex ``label``. Raises ValueError."""
    if not isinstance(entry, list) or [type(part) for part in entry] != [str, int, str]:
        raise ValueError(f"{label} must be [terrain, elevation, six hexside letters]")
    terrain, elevation, letters = entry
    if not COLOSSUS.has_terrain(terrain):
        raise ValueError(f"{label}: the game knows no terrain “{terrain[:40]}”")
    if abs(elevation) > 0x7FFF:
        raise ValueError(f"{label}: the elevation is beyond every elevation")
    if len(letters) != 6 or not set(LETTERS).issuperset(letters):
        raise ValueError(
            f"{label}: the hexsides must be six of the letters d, c, s, w, r or blanks"
        )
    return COLOSSUS.terrain_code(terrain), elevation, [LETTERS.index(letter) for letter in letters]


def head_of(properties: Mapping[str, Any], seed: int | None, number: int | None) -> dict[str, Any]:
    """Return what the JSON object of a map holds before its hexes."""
    labels = properties.get(START_LIST.name)
    start_list = None
    if labels is not None:
        start_list = list(labels)
    return {
        "seed": seed,
        "number": number,
        **{listed.name: properties.get(listed.name) for listed in PROPERTIES},
        TOWER.name: TOWER.of(properties),
        START_LIST.name: start_list,
    }


def record_line(record: object) -> str:
    """Return a record, or a part of one, as one line of ASCII, without the line's end."""
    return json.dumps(record, separators=(", ", ": "))
