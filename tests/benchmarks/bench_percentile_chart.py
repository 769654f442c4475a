"""A dragged edge of the chart: ``python -m tests.benchmarks.bench_percentile_chart``.

The CPU time of a step, from other limits to the changed map and its picture.
"""

from __future__ import annotations

import os
from time import process_time

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.renderer import Renderer
from app.render.theme import theme
from app.systems.xconq.world_preview import WorldPreview
from randomizer.generator import DrawKey
from randomizer.model.battlemap import BattleMap
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.layer import Layer, Roll
from randomizer.systems.xconq.map_period import modern_period
from randomizer.systems.xconq.system import SYSTEM
from randomizer.systems.xconq.terrain.world_terrain import classify_terrain, limits_of
from randomizer.systems.xconq.world.classification import classify
from randomizer.systems.xconq.world.coverage import boxes_of_limits, limits_of_boxes
from randomizer.systems.xconq.world.relief import WorldSettings, relief_of
from randomizer.systems.xconq.world.shared_edges import Edge, move_edges, shared_edges

TARGETS_MS = {60: 16, 1000: 150}
STEPS = 8


def main() -> None:
    """Print the steps of a drag on a small and on a large world."""
    app = QApplication([])
    period = modern_period()
    boxes = boxes_of_limits(limits_of(period))
    edges = shared_edges(boxes, Edge(0, 1))
    for size, target in TARGETS_MS.items():
        relief = relief_of(WorldSettings(size, size, 80, 70), DrawKey(7, 0))
        world = Layer(1, "World", roll=Roll("", "modern.per", "", {}, 7, 0))
        world.planes["terrain"] = classify_terrain(relief, period).codes
        battlemap = BattleMap.new(SYSTEM, Grid(OBLIQUE, size, size, wrap=True), layers=[world])
        battlemap.source = world.id
        document = MapDocument(battlemap)
        canvas = MapCanvas(document, Renderer(theme("light")))
        canvas.resize(900, 700)
        canvas.grab()
        preview = WorldPreview(document, document)
        for step in range(STEPS):
            before = process_time()
            limits = limits_of_boxes(move_edges(boxes, edges, -step - 1))
            preview.show(classify(relief, limits).codes)
            canvas.grab()
            spent = 1000 * (process_time() - before)
            print(f"{size}x{size}, step {step + 1}: {spent:.0f} ms, {spent / target:.0%} of target")
        preview.end()
    app.quit()


if __name__ == "__main__":
    main()
