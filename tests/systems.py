"""Systems made up for tests of what no game of the catalogue has: corner heights, few planes.

``TILES`` has a height at every corner, ``RENAMED`` other names of planes, ``BARE`` no terrain, and
``LISTED`` a list of cells. ``tile_map`` makes a large map with things.
"""

from __future__ import annotations

import numpy as np

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import Element, PlaneSpec
from randomizer.model.system.property import names_property, text_property
from randomizer.model.system.system import System
from randomizer.model.things.things import Thing, Things
from randomizer.systems.colossus.system import TERRAIN
from randomizer.systems.colossus.terrain_set import COLOSSUS
from randomizer.systems.free.system import SYSTEM as FREE

HEIGHT = PlaneSpec("height", "u2", Element.CORNER, unset=0xFFFF, default=0)
"""A height at every corner of the cells."""


def system_like(system: System, **changes: object) -> System:
    """Return a system that differs from another one in its attributes ``changes``.

    Functions among them take the place of methods, and get no ``self``.
    """
    attributes = dict(changes)
    for name, value in changes.items():
        if callable(value):
            attributes[name] = staticmethod(value)
    return type("Changed", (type(system),), attributes)()


class TilesSystem(System):
    """Square tiles, a height at every corner, no elevation and no hexsides."""

    name = "tiles"
    title = "Tiles with heights"
    terrain_set = COLOSSUS
    planes = (TERRAIN, HEIGHT)
    terrain = TERRAIN
    height = HEIGHT
    layouts = (SQUARE.name,)
    steep_rise = 368.0
    properties = (text_property("title", "Title", "The name of the map"),)
    title_property = "title"

    def new_grid(self) -> Grid:
        return Grid(SQUARE, 32, 32)

    def cell_name(self, grid: Grid, cell: int) -> str:
        return "{},{}".format(*grid.xy(cell))

    def cell_of_name(self, grid: Grid, name: str) -> int | None:
        x, _comma, y = name.partition(",")
        if not x.isdecimal() or not y.isdecimal():
            return None
        cell = grid.cell(int(x), int(y))
        if cell < 0:
            return None
        return cell


TILES = TilesSystem()

_OWN_PLANES = (
    PlaneSpec("ground", "u2", Element.CELL, 0xFFFF, 0),
    PlaneSpec("level", "i2", Element.CELL, -0x8000, 0),
    PlaneSpec("fence", "u1", Element.SIDE, 0xFF, 0),
)

RENAMED = system_like(
    TILES,
    name="renamed",
    title="Renamed map",
    planes=_OWN_PLANES,
    layouts=(),
    terrain=_OWN_PLANES[0],
    height=_OWN_PLANES[1],
    hexside=_OWN_PLANES[2],
)
"""A system whose terrain, height and hexside planes have names of its own."""

BARE = system_like(
    TILES,
    name="bare",
    title="Bare map",
    layouts=(),
    planes=(PlaneSpec("owner", "u1", Element.CELL, 0xFF, 0),),
    terrain=None,
    height=None,
    hexside=None,
)
"""A system without terrain, heights and hexsides."""


LISTED = system_like(
    FREE, properties=(*FREE.properties, names_property("first", "First cells", "The first"))
)
"""Free maps of which cells can be listed."""


def tile_map(size: int, things: int = 0, seed: int = 1) -> BattleMap:
    """Return a map of ``size`` x ``size`` tiles with random terrain, hills and things."""
    draw = np.random.default_rng(seed)
    grid = Grid(SQUARE, size, size)
    y, x = np.mgrid[: size + 1, : size + 1]
    # Waves of three lengths that have no common multiple on the map: from -2 to 2.
    hills = np.sin(x / 17) * np.cos(y / 23) + np.sin((x + y) / 41)
    layer = Layer(1, "Ground")
    layer.planes["height"] = ((hills + 2) * 8000).astype("u2")
    layer.planes["terrain"] = draw.integers(0, len(COLOSSUS.terrains), (size, size)).astype("u2")
    points = draw.uniform(-0.5, size - 0.5, (things, 2))
    placed_things = []
    for number, (px, py) in enumerate(points.tolist(), 1):
        thing = Thing(
            id=number,
            kind=f"kind {number % 7}",
            x=px,
            y=py,
            angle=float(number % 360),
            owner=number % 4,
        )
        placed_things.append(thing)
    layer.things = Things(placed_things)
    return BattleMap.new(TILES, grid, [layer])
