"""A battleland as the JSON object of ``record``, and that as a line of text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from randomizer.model.composite import Composite
from randomizer.systems.colossus.board import HEXES, LABELS
from randomizer.systems.colossus.properties import PROPERTIES, START_LIST, TOWER
from randomizer.systems.colossus.terrain_set import COLOSSUS

LETTERS = " " + "".join(side.letter for side in COLOSSUS.hexsides)
"""The letter of every plane value of a hexside."""


def record_of(
    composite: Composite, seed: int | None = None, number: int | None = None
) -> dict[str, Any]:
    """The JSON object of a map; ``seed`` and ``number`` are those of the roll, if it was rolled."""
    terrain, elevation, hexside = (
        composite.planes[name].tolist() for name in ("terrain", "elevation", "hexside")
    )
    return {
        **head_of(composite.properties, seed, number),
        "hexes": {
            label: [
                COLOSSUS.terrains[terrain[y][x]].name,
                elevation[y][x],
                "".join([LETTERS[code] for code in hexside[y][x]]),
            ]
            for label, (x, y) in zip(LABELS, HEXES, strict=True)
        },
    }


def head_of(properties: Mapping[str, Any], seed: int | None, number: int | None) -> dict[str, Any]:
    """What the JSON object of a map holds before its hexes."""
    labels = properties.get(START_LIST.name)
    return {
        "seed": seed,
        "number": number,
        **{known.name: properties.get(known.name) for known in PROPERTIES},
        TOWER.name: TOWER.of(properties),
        START_LIST.name: None if labels is None else list(labels),
    }


def record_line(record: dict[str, Any]) -> str:
    """A record as one line of ASCII, without the line's end."""
    return json.dumps(record, separators=(", ", ": "))
