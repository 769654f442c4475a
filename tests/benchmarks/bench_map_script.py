"""A key in the script of an Xconq world: the roll alone, and until the new world is drawn.

The pause in typing before the script rolls is no computing and does not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from statistics import median
from time import process_time

from randomizer.catalog.generators import generators_of
from randomizer.catalog.scripts import generator_for_script
from randomizer.catalog.systems import system_named
from randomizer.generator_run import run
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.roll_base import Base
from tests.benchmarks.benchmark import Row, benchmark, times_ms
from tests.benchmarks.windows import OpenWindow

SIDE = 60


@benchmark("map-script", full=20, tiny=1)
def measure_keys(keys: int) -> Iterator[Row]:
    system = system_named("xconq")
    assert system is not None
    packaged = generators_of(system)[0]
    numbers = count()
    empty = BattleMap.new(system, Grid(OBLIQUE, SIDE, SIDE, wrap=True), [Layer(1, "Ground")])
    base = Base.under(empty, 1)
    generated = run(packaged, {}, DrawKey(17, 0), base)
    assert generated is not None

    def changed_text() -> str:
        return packaged.text.replace("Modern Times", f"Modern Times {next(numbers)}")

    def roll(_round: int) -> None:
        generator = generator_for_script(changed_text(), packaged.metadata.script)
        run(generator, {}, DrawKey(17, 0), base)

    yield Row("roll a new text", median(times_ms(roll, keys, process_time)), "ms")
    window = OpenWindow()
    window.desk.document.open_map(new_map(system, base.grid, base.terrain_set, generated))
    window.desk.docks.show("randomize")
    window.wait_until_sharp()
    script = window.desk.scripts.map_script

    def type_key(_round: int) -> None:
        script.change_text(changed_text(), "benchmark")
        window.wait_until(lambda: not script.pending and not window.desk.rolling.busy)
        window.desk.canvas.repaint()

    yield Row("from a key to the new world", median(times_ms(type_key, keys, process_time)), "ms")
