"""The height brush on maps of two sizes: ``python -m tests.benchmarks.bench_heights``.

CPU time of one step of a stroke with its preview and its repainting, and how much more it is on the
larger map, in the same view: only the box that changed may count.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from time import process_time

import numpy as np
from PySide6.QtWidgets import QApplication

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.renderer import Renderer
from app.render.theme import theme
from app.tools import TOOLS, Pointer, ToolOptions
from randomizer.geometry.height_brush import HeightMode
from randomizer.model.battlemap import BattleMap
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.layer import Layer
from tests.systems import TILES, system_like

SIZES = (128, 512)
FRAME_MS = 1000 / 60
STEPS = 25
WET = system_like(TILES, water_level=lambda _battlemap: 9000.0)


def canvas_of(size: int) -> MapCanvas:
    """A canvas on ``size`` x ``size`` hilly squares, scaled so that 100 columns are in view."""
    heights = np.random.default_rng(1).integers(8000, 10_000, (size + 1, size + 1)).astype("u2")
    layer = Layer(1, "Ground", planes={"height": heights})
    battlemap = BattleMap.new(WET, Grid(SQUARE, size, size), [layer])
    canvas = MapCanvas(MapDocument(battlemap), Renderer(theme("light")))
    canvas.resize(1200, 900)
    canvas.show()
    QApplication.processEvents()
    canvas.zoom(12.0 / canvas.viewport.scale)
    canvas.centre_on(64, 64)
    for _ in range(50):
        QApplication.processEvents()
    return canvas


def step_ms(canvas: MapCanvas, mode: HeightMode, radius: int) -> float:
    """The median CPU time of a step of a long stroke, painted."""
    options = ToolOptions()
    options.choose(radius=radius, corner_mode=mode, corner_amount=5)
    tool = next(kind for kind in TOOLS if kind.name == "height")(options)
    canvas.set_tool(tool)
    grid = canvas.document.battlemap.grid
    active_tool = canvas.active_tool
    spent = []
    for number in range(STEPS):
        at = 52.2 + number, 64.2 + number % 3
        hit = grid.hit(*at)
        assert hit is not None
        pointer = Pointer(hit, *at)
        start = process_time()
        if number:
            active_tool.follow([pointer])
        else:
            active_tool.begin_stroke(pointer)
        active_tool.point_at(pointer)
        QApplication.processEvents()
        spent.append(1000 * (process_time() - start))
    active_tool.cancel_stroke()
    return float(np.median(spent))


def main() -> None:
    """Print the figures."""
    _application = QApplication([])
    canvases = [canvas_of(size) for size in SIZES]
    for mode in (HeightMode.RAISE, HeightMode.SMOOTH):
        for radius in (3, 20, 60):
            small, large = (step_ms(canvas, mode, radius) for canvas in canvases)
            print(
                f"{mode} radius {radius}: {large:.1f} ms on {SIZES[1]} x {SIZES[1]} "
                f"(a frame has {FRAME_MS:.1f}), {large / small:.2f} times that on {SIZES[0]} x "
                f"{SIZES[0]}"
            )


if __name__ == "__main__":
    main()
