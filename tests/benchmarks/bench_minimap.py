"""The overview on a million hexes: ``python -m tests.benchmarks.bench_minimap``; medians."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtWidgets import QApplication

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.features.overview.panel import Minimap
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.edits.edit import Region
from randomizer.model.grid.layouts import FLAT
from randomizer.systems.free.system import free_map
from tests.benchmarks.bench_canvas import times_ms

SIZES = ((240, 160), (600, 400), (1600, 1000))


def main() -> None:
    """Print what an edit and a whole picture cost at some sizes of the panel."""
    application = QApplication([])
    battlemap = free_map(FLAT, 1000, 1000)
    noise = np.random.default_rng(1)
    battlemap.layers[0].planes["terrain"] = noise.integers(0, 11, (1000, 1000), "u2")
    battlemap.layers[0].planes["elevation"] = noise.integers(0, 4, (1000, 1000), "i2")
    canvas = MapCanvas(MapDocument(battlemap), Renderer(theme("light")))
    minimap = Minimap(canvas)
    minimap.show()
    cells = noise.integers(0, battlemap.grid.size, 1000)
    scattered = noise.integers(0, battlemap.grid.size, (1000, 300))
    for width, height in SIZES:
        minimap.resize(width, height)
        application.processEvents()
        one, _ = times_ms(lambda i: minimap._on_changed(Region(cells[i : i + 1])), 200)
        many, _ = times_ms(lambda i: minimap._on_changed(Region(np.unique(scattered[i]))), 50)
        whole, _ = times_ms(lambda _i: minimap._build(), 15)
        print(
            f"{width} x {height}: one cell {one:.2f} ms (goal 1), 300 scattered {many:.2f} ms, "
            f"again {whole:.1f} ms (goal 50)"
        )


if __name__ == "__main__":
    main()
