"""The overview panel of a large map, at its usual size and as large as a screen."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtWidgets import QApplication

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.features.overview.panel import Minimap
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from tests.benchmarks.benchmark import Row, benchmark, median_ms
from tests.benchmarks.canvases import application

SIZES = ((240, 160), (1600, 1000))
SCATTERED_CELLS = 300


@benchmark("minimap", full=1000, tiny=40)
def measure_minimap(side: int) -> Iterator[Row]:
    application()
    noise = np.random.default_rng(1)
    battlemap = free_map(FLAT, side, side)
    battlemap.layers[0].planes["terrain"] = noise.integers(0, 11, (side, side), "u2")
    battlemap.layers[0].planes["elevation"] = noise.integers(0, 4, (side, side), "i2")
    document = MapDocument(battlemap)
    minimap = Minimap(MapCanvas(document, Renderer(theme("light"))))
    minimap.show()
    for width, height in SIZES:
        minimap.resize(width, height)
        QApplication.processEvents()

        def change(cells: int) -> float:
            """Return the median time of another terrain on so many cells, until it is shown."""

            def change_cells(number: int) -> None:
                changed = np.unique(noise.integers(0, battlemap.grid.size, cells))
                edit = set_values(battlemap, 1, "terrain", changed, number % 11)
                if edit is not None:  # else they have the terrain already
                    document.push(edit, "Paint")
                minimap.repaint()

            return median_ms(change_cells, 50)

        yield Row(f"one cell, {width} x {height}", change(1), "ms")
        yield Row(f"scattered cells, {width} x {height}", change(SCATTERED_CELLS), "ms")

        def show_again(number: int) -> None:
            document.show_map(battlemap)
            minimap.repaint()

        yield Row(f"another map, {width} x {height}", median_ms(show_again), "ms")
