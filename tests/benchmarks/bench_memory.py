"""The memory of the window at its start and after many maps of each of five kinds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from app.background.jobs import Job
from app.document.sample import sample_map
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.system import SYSTEM as TABLE
from randomizer.systems.cordery.system import table_grid
from randomizer.systems.free.system import free_map
from tests.benchmarks.bench_first_minute import islands, world
from tests.benchmarks.benchmark import Row, benchmark
from tests.benchmarks.windows import OpenWindow
from tests.end_to_end.random_walk import memory_mb

KINDS: dict[str, Callable[[], BattleMap]] = {
    "battlelands": sample_map,
    "tables": lambda: BattleMap.new(TABLE, table_grid("square", 9, 8), [Layer(1, "Table")]),
    "free maps": lambda: free_map(FLAT, 60, 40),
    "worlds": lambda: world(60),
    "islands": lambda: islands(128),
}


@benchmark("memory", full=60, tiny=1)
def measure_memory(maps_of_a_kind: int) -> Iterator[Row]:
    window = OpenWindow()
    yield Row("at the start", memory_mb(), "MB")
    for kind, make_map in KINDS.items():
        for _map in range(maps_of_a_kind):
            window.desk.document.open_map(make_map())
            window.wait_until_sharp()
            close_others(window)
        yield Row(f"then after maps of a kind: {kind}", memory_mb(), "MB")
    window.desk.document.open_map(sample_map())
    close_others(window)
    window.rest(3.0)
    Job.finish_all()
    window.rest(1.0)
    yield Row("at the end", memory_mb(), "MB")


def close_others(window: OpenWindow) -> None:
    """Close all maps but the current one, as if nothing in them were to be saved."""
    document = window.desk.document
    for open_map in list(document.maps):
        if open_map is not document.current_map:
            open_map.history.mark_clean()
            open_map.rolled = False
            document.close_map(open_map)
    window.rest(0.05)
