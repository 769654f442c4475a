"""The map that the desk opens with: a stored roll of one of the packaged scripts.

It is stored (``packaging/draw_previews.py`` writes it) so that the desk shows a map before the
grammar of scripts is ever loaded; with its seed and number it rolls again like any other.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.systems.colossus.system import SYSTEM


def sample_map() -> BattleMap:
    """Return a new map of two layers: an empty "Ground" (id 1), above it the stored roll (id 2)."""
    record = json.loads(files("app.resources").joinpath("sample.json").read_text("utf-8"))
    return BattleMap.new(SYSTEM, layers=[Layer(1, "Ground"), _rolled_layer(record)])


def _rolled_layer(record: dict[str, Any]) -> Layer:
    """Return the layer as the generator made it, with its ``Roll``."""
    planes = {}
    for name, values in record["planes"].items():
        planes[name] = np.array(values, SYSTEM.plane(name).dtype)
    properties = {}
    for name, value in record["properties"].items():
        properties[name] = SYSTEM.property_named(name).read(value)
    script = files("randomizer.systems.colossus").joinpath("scripts", record["script"])
    roll = Roll(
        generator=record["generator"],
        script_name=record["script"],
        script=script.read_text("utf-8"),
        settings={},
        seed=record["seed"],
        number=record["number"],
        origins=tuple(record["origins"]),
    )
    return Layer(2, record["layer_name"], planes=planes, properties=properties, roll=roll)
