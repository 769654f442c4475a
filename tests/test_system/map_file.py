"""Test land's map file: JSON with title, planes and things; its first key is ``testsys``."""

from __future__ import annotations

import json

import numpy as np

from randomizer.formats.format import Format
from randomizer.formats.held_systems import refuse_other_systems
from randomizer.formats.provenance import Provenance
from randomizer.formats.results import ReadResult
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import Problem, Severity
from randomizer.model.things.thing_state import State
from randomizer.model.things.things import Thing, Things
from tests.test_system.system import HEIGHT, LAND, NAME, SYSTEM, TERRAIN


class Tiles(Format):
    """The format ``tiles``."""

    name = "tiles"
    title = "Test land map"
    suffixes = (".tiles",)
    systems = (SYSTEM.name,)
    joint = b""
    largest = 1_000_000

    def recognises(self, data: bytes) -> bool:
        """Whether the data start like an object whose first key is ``testsys``."""
        return data[:200].lstrip().startswith(b'{"testsys"')

    def read(self, data: bytes, path: str | None = None) -> ReadResult:
        """The map of a file, as one layer. Never raises."""
        try:
            record = json.loads(data)
            terrain = np.array(record["terrain"], TERRAIN.dtype)
            height = np.array(record["height"], HEIGHT.dtype)
            grid = Grid(SQUARE, terrain.shape[1], terrain.shape[0])
            if terrain.max() >= len(LAND.terrains) or height.shape != HEIGHT.shape(grid):
                raise ValueError("the planes do not fit")
            things = Things(
                Thing(number, *each[:5], state=State(each[5]))
                for number, each in enumerate(record["things"], 1)
            )
            title = None if record["title"] is None else str(record["title"])
        except (ValueError, LookupError, TypeError, OverflowError, RecursionError) as reason:
            message = f"This is no Test land: {reason}"
            return ReadResult(None, (Problem(Severity.ERROR, "tiles", message, path),))
        planes = {TERRAIN.name: terrain, HEIGHT.name: height}
        layer = Layer(1, "Land", planes=planes, things=things)
        if title is not None:
            layer.properties[NAME.name] = title
        return ReadResult(BattleMap.new(SYSTEM, grid, [layer]))

    def write(self, battlemap: BattleMap, _provenance: Provenance | None = None) -> bytes:
        """The visible layers, flattened."""
        refuse_other_systems(self, battlemap)
        shown = battlemap.composite()
        record = {
            "testsys": 1,
            "title": shown.properties.get(NAME.name),
            "terrain": shown.planes[TERRAIN.name].tolist(),
            "height": shown.planes[HEIGHT.name].tolist(),
            "things": [
                (thing.kind, thing.x, thing.y, thing.angle, thing.owner, dict(thing.state))
                for layer in battlemap.layers
                if layer.visible
                for thing in layer.things.values()
            ],
        }
        return (json.dumps(record) + "\n").encode()


TILES = Tiles()
