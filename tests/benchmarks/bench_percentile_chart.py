"""A dragged edge of Xconq's chart of percentiles: from other limits to the changed picture."""

from __future__ import annotations

from collections.abc import Iterator

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.renderer import Renderer
from app.render.theme import theme
from app.systems.xconq.period.world_preview import WorldPreview
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer, Roll
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.systems.xconq.map_period import modern_period
from randomizer.systems.xconq.system import SYSTEM
from randomizer.systems.xconq.terrain.world_terrain import classify_terrain, limits_of
from randomizer.systems.xconq.world.classification import classify
from randomizer.systems.xconq.world.coverage import boxes_of_limits, limits_of_boxes
from randomizer.systems.xconq.world.relief import WorldSettings, relief_of
from randomizer.systems.xconq.world.shared_edges import Edge, move_edges, shared_edges
from tests.benchmarks.benchmark import Row, benchmark, median_ms
from tests.benchmarks.canvases import application


@benchmark("percentile-chart", full=(60, 1000), tiny=(9, 20))
def measure_drags(sides: tuple[int, int]) -> Iterator[Row]:
    application()
    small_side, large_side = sides
    yield Row("a step on a small world", step_ms(small_side), "ms")
    yield Row("a step on a large world", step_ms(large_side), "ms")


def step_ms(side: int) -> float:
    """Return the median time of a step of a drag."""
    period = modern_period()
    boxes = boxes_of_limits(limits_of(period))
    edges = shared_edges(boxes, Edge(0, 1))
    relief = relief_of(WorldSettings(side, side, 80, 70), DrawKey(7, 0))
    world = Layer(1, "World", roll=Roll("", "modern.per", "", {}, 7, 0))
    world.planes["terrain"] = classify_terrain(relief, period).codes
    battlemap = BattleMap.new(SYSTEM, Grid(OBLIQUE, side, side, wrap=True), layers=[world])
    battlemap.source = world.id
    document = MapDocument(battlemap)
    canvas = MapCanvas(document, Renderer(theme("light")))
    canvas.resize(900, 700)
    canvas.grab()
    preview = WorldPreview(document, document)

    def drag(number: int) -> None:
        limits = limits_of_boxes(move_edges(boxes, edges, -number - 1))
        preview.paint(classify(relief, limits).codes)
        canvas.grab()

    drag_ms = median_ms(drag, 8)
    preview.take_back()
    return drag_ms
