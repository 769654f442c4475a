"""A key in the script of a map: ``python -m tests.benchmarks.bench_map_script``; medians in ms.

``world``: from the end of the pause in typing until the new world is drawn in the whole window,
the journal written. ``roll`` is the generator alone, on its thread, of a text that it has not seen.
"""

from __future__ import annotations

import os
import tempfile
from itertools import count
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from app.document.document import MapDocument
from app.settings import Settings
from app.window import MainWindow
from randomizer.catalog import generator_for_script, generators_of, system_named
from randomizer.generator import Base, DrawKey, run
from randomizer.model.battlemap import BattleMap
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.layer import Layer
from randomizer.model.rolls.put_roll import new_map
from tests.benchmarks.bench_canvas import times_ms

SIZE = 60
GOAL_MS = 100


def main() -> None:
    """Print what a key costs in a world of 60x60 hexes."""
    application = QApplication([])
    system = system_named("xconq")
    assert system is not None
    packaged = generators_of(system)[0]
    numbers = count()
    empty = BattleMap.new(system, Grid(OBLIQUE, SIZE, SIZE, wrap=True), [Layer(1, "Ground")])
    base = Base.under(empty, 1)
    made = run(packaged, {}, DrawKey(17, 0), base)
    assert made is not None
    world = new_map(system, base.grid, base.terrain_set, made)

    def text() -> str:
        return packaged.text.replace("Modern Times", f"Modern Times {next(numbers)}")

    def roll(_number: int) -> None:
        generator = generator_for_script(text(), packaged.metadata.script)
        run(generator, {}, DrawKey(17, 0), base)

    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(QSettings(str(Path(folder) / "s.ini"), QSettings.Format.IniFormat))
        window = MainWindow(MapDocument(world), settings, Path(folder) / "journals")
        window.show()
        ready: list[bool] = []
        window.desk.ready.connect(lambda: ready.append(True))
        while not ready:
            application.processEvents()
        window.desk.docks.show("randomize")
        script = window.desk.scripts.map_script
        rolling = window.desk.rolling
        clock = count(0, 10)
        script.clock = lambda: next(clock)

        def key(_number: int) -> None:
            script.change_text(text(), "bench")
            while script.pending or rolling.busy:
                application.processEvents()
            window.desk.canvas.repaint()

        print(
            f"world {times_ms(key, 20)[0]:.1f} (goal {GOAL_MS}), roll {times_ms(roll, 20)[0]:.1f}"
        )
        window.desk.document.history.mark_clean()
        window.desk.document.current_map.rolled = False
        window.close()


if __name__ == "__main__":
    main()
