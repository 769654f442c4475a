"""The JSON object of a battleland, which ``record`` describes, from the map and back.

    record_line(record_of(composite, seed=1, number=7))    # the whole map as one line of text
    hex_entry(terrain, elevation, hexside)                 # ["Bog", 0, " s    "]
    read_hex_entry("A1", ["Bog", 0, " s    "])             # HexValues(...): the values again

The formats in ``record`` and ``record_batch`` are its callers. Hexsides are letters in the order of
the sides of a hex, which begins at the top and goes clockwise; a blank is no hexside.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from randomizer.model.planes.composite import Composite
from randomizer.systems.colossus.board import HEXES, LABELS
from randomizer.systems.colossus.properties import PROPERTIES, START_LIST, TOWER
from randomizer.systems.colossus.terrain_set import COLOSSUS

LETTERS = " " + "".join(side.letter for side in COLOSSUS.hexsides)
"""The letter of each value of the plane "hexside"; the blank is that of 0, no hexside."""

LARGEST_ELEVATION = 0x7FFF
"""The largest elevation, up or down: planes of elevations are of int16."""


class HexValues(NamedTuple):
    """The values of a hex in the planes of a map."""

    terrain: int
    """The code of the terrain."""

    elevation: int

    hexside: list[int]
    """The codes of the hexsides at the six sides; 0 is none."""


def record_of(
    composite: Composite, seed: int | None = None, number: int | None = None
) -> dict[str, Any]:
    """Return the JSON object of a map.

    ``seed`` and ``number`` are those of the roll; None for a map that was not rolled.
    """
    terrain = composite.planes["terrain"].tolist()
    elevation = composite.planes["elevation"].tolist()
    hexside = composite.planes["hexside"].tolist()
    entries = {}
    for label, (x, y) in zip(LABELS, HEXES, strict=True):
        entries[label] = hex_entry(terrain[y][x], elevation[y][x], hexside[y][x])
    return {**head_of(composite.properties, seed, number), "hexes": entries}


def hex_entry(terrain: int, elevation: int, hexside: Sequence[int]) -> list[Any]:
    """Return the entry of a hex in the JSON object of a map.

    The arguments are plane values: the terrain's code, the elevation, six codes of hexsides.
    """
    letters = "".join([LETTERS[code] for code in hexside])
    return [COLOSSUS.terrains[terrain].name, elevation, letters]


def read_hex_entry(label: str, entry: object) -> HexValues:
    """Return the plane values of an entry.

    ``label`` is the hex. Raises ValueError, with a message for the user, for a wrong entry.
    """
    # Exact types: True is an int, too, but no elevation.
    if not isinstance(entry, list) or [type(part) for part in entry] != [str, int, str]:
        raise ValueError(f"{label} must be [terrain, elevation, six hexside letters]")
    terrain, elevation, letters = entry
    if not COLOSSUS.has_terrain(terrain):
        raise ValueError(f"{label}: the game knows no terrain “{terrain[:40]}”")
    if abs(elevation) > LARGEST_ELEVATION:
        raise ValueError(f"{label}: the elevation is beyond every elevation")
    if len(letters) != 6 or not set(LETTERS).issuperset(letters):
        letters_in_use = ", ".join(LETTERS.strip())
        message = f"{label}: the hexsides must be six of the letters {letters_in_use} or blanks"
        raise ValueError(message)
    hexside = [LETTERS.index(letter) for letter in letters]
    return HexValues(COLOSSUS.terrain_code(terrain), elevation, hexside)


def head_of(properties: Mapping[str, Any], seed: int | None, number: int | None) -> dict[str, Any]:
    """Return the entries of the JSON object of a map that stand before its hexes.

    Values that the map does not have are None, which JSON writes as null.
    """
    labels = properties.get(START_LIST.name)
    start_list = None
    if labels is not None:
        start_list = list(labels)
    head: dict[str, Any] = {"seed": seed, "number": number}
    for map_property in PROPERTIES:
        head[map_property.name] = properties.get(map_property.name)
    # In their places among the others: these two are never written as they are.
    head[TOWER.name] = TOWER.of(properties)
    head[START_LIST.name] = start_list
    return head


def record_line(record: object) -> str:
    """Return a record, or a part of one, as one line of ASCII, without the line's end."""
    return json.dumps(record, separators=(", ", ": "))
