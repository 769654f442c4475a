"""Strokes of tools on a large map: the edit of a step, the preview, and heights with repainting."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtWidgets import QApplication

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.renderer import Renderer
from app.render.theme import theme
from app.tools import TOOLS, Pointer, Tool, ToolOptions
from randomizer.geometry.height_brush import HeightMode
from randomizer.model.grid.cell_words import cell_text
from randomizer.model.grid.grid import Grid, Hit
from randomizer.model.grid.layouts import FLAT, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import free_map
from tests.benchmarks.benchmark import Row, benchmark, median_ms
from tests.benchmarks.canvases import application
from tests.systems import TILES, system_like

RADIUS = 3
PAINTING_TOOLS = ("terrain", "random", "elevation", "eraser", "lock")
PATH_CELLS = 40
STROKE_STEPS = 25
HEIGHT_RADII = (3, 20, 60)
SMALL_SIDE = 128
WET_TILES = system_like(TILES, water_level=lambda _battlemap: 9000.0)


@benchmark("tools", full=1000, tiny=60)
def measure_tools(side: int) -> Iterator[Row]:
    application()
    battlemap = free_map(FLAT, side, side)
    terrain = np.random.default_rng(1).integers(0, 12, (side, side), "u2")
    battlemap.layers[0].planes["terrain"] = terrain
    document = MapDocument(battlemap)
    assert document.composite is not None  # from here on it follows each edit
    for symmetry, title in (("none", "alone"), ("turn6", "with five twins")):
        steps_ms = []
        previews_ms = []
        for name in PAINTING_TOOLS:
            step_ms, preview_ms = stroke_ms(document, name, symmetry)
            steps_ms.append(step_ms)
            previews_ms.append(preview_ms)
        yield Row(f"step, {title}", max(steps_ms), "ms")
        yield Row(f"preview, {title}", max(previews_ms), "ms")


@benchmark("heights", full=512, tiny=130)
def measure_height_brush(side: int) -> Iterator[Row]:
    """Both maps are seen alike: only the box that changed may count."""
    application()
    small = canvas_of_hills(SMALL_SIDE)
    large = canvas_of_hills(side)
    for mode in (HeightMode.RAISE, HeightMode.SMOOTH):
        for radius in HEIGHT_RADII:
            small_ms = height_step_ms(small, mode, radius)
            large_ms = height_step_ms(large, mode, radius)
            title = f"{mode.name.lower()}, radius {radius} (x a small map)"
            yield Row(title, large_ms, "ms", large_ms / small_ms)


def stroke_ms(document: MapDocument, name: str, symmetry: str) -> tuple[float, float]:
    """Return the median times of a step and of a preview of a tool."""
    grid = document.battlemap.grid
    pointers = []
    for x in range(PATH_CELLS):
        cell = grid.cell(grid.width // 2 - PATH_CELLS // 2 + x, grid.height // 2)
        pointers.append(Pointer(Hit(cell, 0, 0.0), *grid.centre(cell)))
    options = ToolOptions()
    options.choose(radius=RADIUS, symmetry_kind=symmetry, height_mode="raise")
    tool = tool_named(name, options)
    tool.start(document, pointers[0])
    document.begin_stroke(cell_text(tool.text, grid.layout))

    def step(number: int) -> None:
        options.terrain = number % 12
        document.stroke(tool.edit(document, pointers[number % PATH_CELLS]))

    def preview(number: int) -> None:
        tool.preview(document, pointers[number % PATH_CELLS])

    step_ms = median_ms(step, PATH_CELLS)
    preview_ms = median_ms(preview, PATH_CELLS)
    document.cancel_stroke()
    tool.forget()
    return step_ms, preview_ms


def tool_named(name: str, options: ToolOptions) -> Tool:
    """Return a new tool."""
    return next(kind for kind in TOOLS if kind.name == name)(options)


def canvas_of_hills(side: int) -> MapCanvas:
    """Return a canvas on hilly tiles, scaled so that 100 columns are in view."""
    heights = np.random.default_rng(1).integers(8000, 10_000, (side + 1, side + 1)).astype("u2")
    layer = Layer(1, "Ground", planes={"height": heights})
    battlemap = BattleMap.new(WET_TILES, Grid(SQUARE, side, side), [layer])
    canvas = MapCanvas(MapDocument(battlemap), Renderer(theme("light")))
    canvas.resize(1200, 900)
    canvas.show()
    QApplication.processEvents()
    canvas.zoom(12.0 / canvas.viewport.scale)
    canvas.centre_on(64, 64)
    QApplication.processEvents()
    return canvas


def height_step_ms(canvas: MapCanvas, mode: HeightMode, radius: int) -> float:
    """Return the median time of a step of a long stroke, with its preview and repainting."""
    options = ToolOptions()
    options.choose(radius=radius, corner_mode=mode, corner_amount=5)
    canvas.set_tool(tool_named("height", options))
    grid = canvas.document.battlemap.grid
    active_tool = canvas.active_tool

    def step(number: int) -> None:
        x = 52.2 + number
        y = 64.2 + number % 3
        hit = grid.hit(x, y)
        assert hit is not None
        pointer = Pointer(hit, x, y)
        if number:
            active_tool.follow([pointer])
        else:
            active_tool.begin_stroke(pointer)
        active_tool.point_at(pointer)
        QApplication.processEvents()

    step_ms = median_ms(step, STROKE_STEPS)
    active_tool.cancel_stroke()
    return step_ms
