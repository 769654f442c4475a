"""Landscapes of a million cells at 1600 x 1000 pixels, in milliseconds of CPU time.

Run by hand: ``python -m tests.benchmarks.bench_scene``. Each line has a frame whose ground is kept
(what the canvas paints), one that is drawn anew, the same cells as a board (one sprite a cell), and
how many times longer the first takes than the last. Below, what a hand does on the canvas.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.render.raster.backdrop import Backdrop
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.battlemap import BattleMap
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE, Layout
from randomizer.model.layer import Layer
from randomizer.systems.free.system import SYSTEM
from tests.benchmarks.bench_canvas import HEIGHT, WIDTH, Desk, at_scale

SCALES = (0.7, 3.0, 8.0, 10.0, 12.0, 17.0, 24.0, 40.0, 100.0)


def smooth(rng: np.random.Generator, side: int, size: int) -> np.ndarray:
    """Values from 0 to 1 that change over ``size`` cells: (side, side)."""
    few = rng.random((side // size + 3, side // size + 3))
    at = np.arange(side) / size
    low = at.astype(int)
    part = at % 1
    part = part * part * (3 - 2 * part)
    rows = few[low] * (1 - part)[:, None] + few[low + 1] * part[:, None]
    return np.ascontiguousarray(rows[:, low] * (1 - part) + rows[:, low + 1] * part)


def landscape(layout: Layout, side: int) -> BattleMap:
    """Regions of twelve terrains, seas in the low land, elevations up to 4."""
    rng = np.random.default_rng(1)
    high = smooth(rng, side, 19)
    wet = smooth(rng, side, 13)
    layer = Layer(1, "Ground")
    terrain = (wet * 12).astype("u2") + SYSTEM.terrain_set.terrain_code("Beach")
    terrain[high < 0.25] = SYSTEM.terrain_set.terrain_code("Sea")
    layer.planes["terrain"] = terrain
    layer.planes["elevation"] = ((high - 0.45) * 8).clip(0, 4).astype("i2")
    return BattleMap.new(SYSTEM, Grid(layout, side, side), [layer])


def cpu_ms(work: Callable[[int], object], rounds: int = 11) -> float:
    """The median CPU time of this thread in ``work(round)``, after two rounds that do not count."""
    times = []
    for number in range(rounds + 2):
        start = time.thread_time()
        work(number)
        times.append((time.thread_time() - start) * 1000)
    return float(np.median(times[2:]))


def frames(name: str, battlemap: BattleMap) -> None:
    """Full frames at every scale."""
    landscapes = Renderer(theme("light"))
    boards = Renderer(theme("light", "print"))
    composite = battlemap.composite()
    backdrop = Backdrop()
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    for renderer in (landscapes, boards):
        renderer.follow(battlemap)
    for scale in SCALES:

        def frame(
            _number: int, renderer: Renderer, kept: Backdrop | None, scale: float = scale
        ) -> None:
            painter = QPainter(image)
            view = at_scale(battlemap.grid, scale)
            area = QRectF(image.rect())
            renderer.paint(painter, battlemap, composite, view, area, 1.0, backdrop=kept)
            painter.end()

        kept = cpu_ms(lambda number: frame(number, landscapes, backdrop))
        anew = cpu_ms(lambda number: frame(number, landscapes, None))
        board = cpu_ms(lambda number: frame(number, boards, None))
        verdict = "" if kept <= 6 else "  MISSED (6)"
        print(
            f"{name} R {scale:5.1f}: kept {kept:6.2f}  anew {anew:6.2f}  board {board:6.2f}  "
            f"ratio {kept / board:5.2f}{verdict}",
            flush=True,
        )


def main() -> None:
    """Print the figures."""
    application = QApplication(sys.argv[:1])
    for name, layout in (("1M flat", FLAT), ("1M pointy", POINTY), ("1M square", SQUARE)):
        frames(name, landscape(layout, 1000))
    desk = Desk(application, landscape(POINTY, 1000))
    for scale in (3.0, 12.0, 20.0, 40.0):
        for what, goal, make in (
            ("zoom step", 12, lambda: desk.zoom),
            ("pan", 4, lambda: desk.pan),
            ("one-cell edit", 0.6, lambda: desk.edit(0)),
        ):
            desk.go_to(scale)
            figure = cpu_ms(make())
            verdict = "" if figure <= goal else f"  MISSED ({goal})"
            print(f"{what} at R {scale:g}: {figure:.2f} ms{verdict}", flush=True)


if __name__ == "__main__":
    main()
