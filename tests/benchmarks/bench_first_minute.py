"""The first minute with each kind of map: from its opening in the window to the sharp picture.

Each kind is opened twice, as the first map of its kind (which imports what it needs) and again.
CPU time is that of the process, with all its threads.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from app.document.sample import sample_map
from randomizer.catalog.generators import generator_named
from randomizer.generator import MapGenerator
from randomizer.generator_run import run
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, OBLIQUE, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.roll_base import Base
from randomizer.storage.files.project import write_project
from randomizer.systems.cordery.system import SYSTEM as TABLE
from randomizer.systems.cordery.system import table_grid
from randomizer.systems.free.landscape.generator import packaged
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.system import SYSTEM as WORLD
from randomizer.systems.zeroad.system import SYSTEM as SQUARES
from tests.benchmarks.benchmark import Row, benchmark
from tests.benchmarks.windows import OpenWindow


@benchmark("first-minute", full=100, tiny=12)
def measure_first_minute(side: int) -> Iterator[Row]:
    window = OpenWindow()
    new_kinds: dict[str, Callable[[], BattleMap]] = {
        "battleland": sample_map,
        "wargame table": lambda: BattleMap.new(TABLE, table_grid("square", 9, 8), [Layer(1, "T")]),
        "free map": lambda: free_map(FLAT, side, side),
        "landscape": lambda: landscape(side),
        "Xconq": lambda: world(side),
        "0 A.D.": lambda: islands(side),
    }
    for kind, make_map in new_kinds.items():
        for title in ("first", "next"):
            battlemap = make_map()
            yield Row(f"new {kind}, {title}", sharp_s(window, battlemap), "s")
    with tempfile.TemporaryDirectory() as folder:
        for kind, make_map in new_kinds.items():
            path = Path(folder) / f"{kind}.battlemap"
            path.write_bytes(write_project(make_map()))
            start_s = process_time()
            window.desk.files.open_path(path)
            window.wait_until(lambda path=path: window.desk.document.current_map.path == path)
            window.wait_until_sharp()
            yield Row(f"open {kind}", process_time() - start_s, "s")


def sharp_s(window: OpenWindow, battlemap: BattleMap) -> float:
    """Open a map that is made already; return the CPU time until its picture is sharp."""
    start_s = process_time()
    window.desk.document.open_map(battlemap)
    window.wait_until_sharp()
    return process_time() - start_s


def rolled_map(generator: MapGenerator, settings: dict[str, object], empty: BattleMap) -> BattleMap:
    """Return the map that a generator makes on an empty one."""
    base = Base.under(empty, len(empty.layers))
    generated = run(generator, settings, DrawKey(5, 0), base)
    assert generated is not None
    return new_map(empty.system, base.grid, base.terrain_set, generated)


def landscape(side: int) -> BattleMap:
    """Return a landscape by dice."""
    return rolled_map(packaged()[0], {}, free_map(FLAT, side, side))


def world(side: int) -> BattleMap:
    """Return a world of modern times."""
    grid = Grid(OBLIQUE, side, side, wrap=True)
    return rolled_map(named("Modern"), {}, BattleMap.new(WORLD, grid, [Layer(1, "World")]))


def islands(side: int) -> BattleMap:
    """Return islands of 0 A.D. on at least 128 x 128 tiles, the least of its sizes."""
    tiles = max(side, 128)
    empty = BattleMap.new(SQUARES, Grid(SQUARE, tiles, tiles), [Layer(1, "Ground")])
    return rolled_map(named("Islands"), {"Size": tiles}, empty)


def named(name: str) -> MapGenerator:
    """Return a packaged generator."""
    generator = generator_named(name)
    assert generator is not None
    return generator
