"""Landscapes for tests."""

from __future__ import annotations

import numpy as np

from randomizer.generator_run import run
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.roll_base import Base
from randomizer.systems.free.landscape.generator import packaged
from randomizer.systems.free.packaged_sets import LANDSCAPE, packaged_set
from randomizer.systems.free.system import SYSTEM

GENERATOR = packaged()[0]


def roll(settings=(), seed=5, base=None, number=0):
    """What the generator makes, and the map that it is in."""
    settings = dict(settings)
    if base is None:
        empty = BattleMap.new(
            SYSTEM, GENERATOR.grid(settings), [Layer(1, "")], packaged_set(LANDSCAPE)
        )
        base = Base.under(empty, 1)
    made = run(GENERATOR, settings, DrawKey(seed, number), base)
    return made, new_map(SYSTEM, base.grid, base.terrain_set, made)


def size_settings(size):
    """Return the settings of a size such as ``60x40``: width and height."""
    width, height = size.split("x")
    return {"width": int(width), "height": int(height)}


class Shown:
    """What a rolled map shows, (cells,) each; ``ways`` by name with unset cells as 0."""

    def __init__(self, battlemap):
        self.grid = battlemap.grid
        self.known = battlemap.terrain_set
        planes = battlemap.composite().planes
        self.names = np.array([terrain.name for terrain in self.known.terrains])
        self.terrain = self.names[planes["terrain"].reshape(-1)]
        self.elevation = planes["elevation"].reshape(-1)
        self.ways = {}
        for number, way in enumerate(self.known.ways, 1):
            links = planes[f"way{number}"].reshape(-1)
            self.ways[way.name] = np.where(links == 0x80, 0, links & 0x3F)
        self.flow = planes["flow"].reshape(-1) & 0x3F  # 0x80, unset, is no side
        self.width = planes["flow_width"].reshape(-1)
        self.water = np.isin(self.terrain, ["Deep sea", "Sea", "Shallows", "Ice"])

    def links(self, way):
        """(cell, side, neighbour or -1) of each link."""
        for cell in np.flatnonzero(self.ways[way]).tolist():
            for side in range(self.grid.degree):
                if self.ways[way][cell] >> side & 1:
                    yield cell, side, self.grid.neighbour(cell, side)


def empty_base(grid: Grid) -> Base:
    """The base of a roll onto an empty map."""
    return Base.under(BattleMap.new(SYSTEM, grid, [Layer(1, "")], packaged_set(LANDSCAPE)), 1)
