"""Wargame tables for the desk's tests: drawn with letters, or rolled."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.cordery.generator import CorderyGenerator
from randomizer.systems.cordery.system import SYSTEM, table_grid


def bare_table(kind: str = "square", width: int = 5, height: int = 5) -> BattleMap:
    """Open ground and one layer to work on."""
    return BattleMap.new(SYSTEM, table_grid(kind, width, height), [Layer(1, "Table")])


def table_with(
    kind: str, values: Mapping[str, Mapping[tuple[int, int], int]], width: int = 5, height: int = 5
) -> BattleMap:
    """A table with these values of its planes at (column, row)."""
    battlemap = bare_table(kind, width, height)
    for name, places in values.items():
        plane = battlemap.layers[0].planes[name] = SYSTEM.plane(name).allocate(battlemap.grid)
        for (x, y), value in places.items():
            plane[y, x] = value
    return BattleMap.new(SYSTEM, battlemap.grid, battlemap.layers)


def rolled_table(kind: str = "hex", seed: int = 7, **settings: Any) -> BattleMap:
    """A table as the dice lay it out."""
    battlemap = bare_table(kind, 9 if kind == "hex" else 8, 8)
    rolling = CorderyGenerator().generate(settings, DrawKey(seed, 0), Base.under(battlemap, 1))
    while True:
        try:
            next(rolling)
        except StopIteration as stop:
            layers = [Layer(1, "Table"), *stop.value.layers]
            break
    for number, layer in enumerate(layers, 1):
        layer.id = number
    return BattleMap.new(SYSTEM, battlemap.grid, layers)


def is_colour(pixels: np.ndarray, colour: tuple[int, int, int], within: int = 24) -> np.ndarray:
    """Which pixels (h, w, 3: blue, green, red) have about a colour (red, green, blue)."""
    return np.asarray((np.abs(pixels[..., ::-1] - np.array(colour)) <= within).all(axis=-1))
