"""CPU time until a landscape that is shown for the first time is sharp, in turns and in one go.

Run by hand: ``python -m tests.benchmarks.bench_sharpen [SIDE]``, at 1280 x 860 pixels. In turns is
what the window does: each is as short as ``map_widget.TURN_MS``, and the longest is told. The ratio
of both is what the turns cost; the goal is at most 1.5.
"""

from __future__ import annotations

import os
import sys
import time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

import app.canvas.map_widget as map_widget
from app.canvas.map_widget import MapWidget
from app.document.document import MapDocument
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.style import style_of
from app.render.theme import theme
from randomizer.generator import Base, DrawKey, run
from randomizer.model.battlemap import BattleMap
from randomizer.model.grid.layouts import FLAT
from randomizer.model.rolls.put_roll import new_map
from randomizer.systems.free.landscape.generator import LandscapeGenerator
from randomizer.systems.free.system import SYSTEM, free_map

WIDTH = 1280
HEIGHT = 860
IN_ONE_GO_MS = 600_000
SEED = 5


def landscape(side: int) -> BattleMap:
    """A landscape by dice, ``side`` x ``side`` hexes."""
    empty = free_map(FLAT, side, side)
    generator = LandscapeGenerator()
    generated = run(generator, {}, DrawKey(SEED, 0), Base.under(empty, len(empty.layers)))
    assert generated is not None
    return new_map(SYSTEM, empty.grid, empty.terrain_set, generated)


def until_sharp(battlemap: BattleMap, overlays: Overlays, turn_ms: int) -> tuple[float, int, float]:
    """Show a map; the CPU seconds, the number of turns and the longest turn in milliseconds."""
    renderer = Renderer(theme("light"))
    renderer.overlays = overlays
    map_widget.TURN_MS = turn_ms
    widget = MapWidget(MapDocument(battlemap), renderer)
    widget.resize(WIDTH, HEIGHT)
    turns = [0.0]
    prepare = widget._prepare

    def timed() -> bool:
        start = time.thread_time()
        result = prepare()
        turns.append((time.thread_time() - start) * 1000)
        return result

    widget._prepare = timed  # type: ignore[method-assign]
    start = time.thread_time()
    widget.show()
    widget.fit()
    application = QApplication.instance()
    assert application is not None
    widget.grab()
    while widget._progressive or widget.drafted:
        application.processEvents()
    seconds = time.thread_time() - start
    widget.close()
    return seconds, len(turns) - 1, max(turns)


def main() -> None:
    """Print the figures."""
    _application = QApplication(sys.argv[:1])
    side = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    battlemap = landscape(side)
    usual = style_of(SYSTEM).overlays(SYSTEM, battlemap.terrain_set)
    until_sharp(landscape(10), usual, map_widget.TURN_MS)  # what is imported late does not count
    turn_ms = map_widget.TURN_MS
    for name, overlays in (("as a country", usual), ("as a board", Overlays())):
        in_turns, count, longest = until_sharp(battlemap, overlays, turn_ms)
        in_one_go, _count, _longest = until_sharp(battlemap, overlays, IN_ONE_GO_MS)
        print(
            f"{side} x {side} {name}: {in_turns:.2f} s in {count:,} turns, the longest "
            f"{longest:.0f} ms; in one go {in_one_go:.2f} s; ratio {in_turns / in_one_go:.2f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
