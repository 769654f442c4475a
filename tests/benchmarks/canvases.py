"""Canvases on large maps for benchmarks, and the waits that only an event loop ends.

canvas = CanvasOnMap(landscape(FLAT, 500))
canvas.go_to(scale=24.0)
milliseconds = median_ms(canvas.pan)          # called with 0, 1, 2 ...
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF
from PySide6.QtWidgets import QApplication

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import SYSTEM

WIDTH = 1600
"""The width of a canvas in pixels."""

HEIGHT = 1000
"""The height of a canvas in pixels."""

DRAG_STEPS = 20
"""The steps of a drag, each an event of the mouse."""

PATIENCE_S = 120
"""The longest that is waited, in seconds by the clock."""


def application() -> QApplication:
    """Return the application of this process."""
    return QApplication.instance() or QApplication([])


def wait_until(is_done: Callable[[], bool]) -> None:
    """Let the event loop run until something is true. Raises TimeoutError if it never is."""
    end_s = time.monotonic() + PATIENCE_S
    while not is_done():
        if time.monotonic() > end_s:
            raise TimeoutError
        QApplication.processEvents()
        time.sleep(0.0003)  # else this thread keeps those of jobs from working


def smooth_noise(rng: np.random.Generator, side: int, size: int) -> NDArray[np.float64]:
    """Return (side, side) values from 0 to 1 that change over ``size`` cells."""
    # Value noise: random values at knots, and smooth steps (3t² - 2t³) between them.
    knots = rng.random((side // size + 3, side // size + 3))
    position = np.arange(side) / size
    knot = position.astype(int)
    part = position % 1
    part = part * part * (3 - 2 * part)
    rows = knots[knot] * (1 - part)[:, None] + knots[knot + 1] * part[:, None]
    return np.ascontiguousarray(rows[:, knot] * (1 - part) + rows[:, knot + 1] * part)


def landscape(layout: Layout, side: int) -> BattleMap:
    """Return a free map: regions of twelve terrains, seas in the low land, elevations up to 4."""
    rng = np.random.default_rng(1)
    height = smooth_noise(rng, side, 19)
    wetness = smooth_noise(rng, side, 13)
    terrain = (wetness * 12).astype("u2") + SYSTEM.terrain_set.terrain_code("Beach")
    terrain[height < 0.25] = SYSTEM.terrain_set.terrain_code("Sea")
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = terrain
    layer.planes["elevation"] = ((height - 0.45) * 8).clip(0, 4).astype("i2")
    return BattleMap.new(SYSTEM, Grid(layout, side, side), [layer])


class CanvasOnMap:
    """A canvas on a map, shown, and what a hand does on it."""

    def __init__(self, battlemap: BattleMap) -> None:
        self.application = application()
        self.document = MapDocument(battlemap)
        self.canvas = MapCanvas(self.document, Renderer(theme("light")))
        self.canvas.resize(WIDTH, HEIGHT)
        self.canvas.show()
        self.wait_until_sharp()

    def wait_until_sharp(self) -> None:
        """Wait until nothing of the picture is a draft any more."""
        QApplication.processEvents()
        wait_until(lambda: self.canvas.is_sharp)
        QApplication.processEvents()

    def go_to(self, scale: float) -> None:
        """Show the middle of the map at a scale, sharp."""
        grid = self.document.battlemap.grid
        self.canvas.zoom(scale / self.canvas.viewport.scale)
        self.canvas.centre_on(*grid.centre((grid.height // 2) * grid.width + grid.width // 2))
        self.wait_until_sharp()

    def show_frame(self, _round: int) -> None:
        """Paint the whole canvas."""
        self.canvas.repaint()

    def pan(self, number: int) -> None:
        """Move the picture there and back, and paint the strips that come in."""
        if number % 2:
            self.canvas.pan(7, 3)
        else:
            self.canvas.pan(-7, -3)
        QApplication.processEvents()

    def drag(self, _round: int) -> None:
        """Move the picture on in one direction, in the small steps of a mouse."""
        for _step in range(DRAG_STEPS):
            self.canvas.pan(-7, -3)
            QApplication.processEvents()

    def zoom(self, number: int) -> None:
        """Go to a scale that was not shown before, and paint its first frame."""
        # In and out by different factors, so that no scale comes again.
        factor = 1 / 1.012
        if number % 2:
            factor = 1.013
        self.canvas.zoom(factor, QPointF(WIDTH / 2, HEIGHT / 2))
        self.canvas.repaint()

    def painting_of_cells(self, radius: int) -> Callable[[int], None]:
        """Return a function that paints a filled hexagon at the middle, from edit to pixels.

        It paints two terrains in turn: the argument is the number of the call.
        """
        battlemap = self.document.battlemap
        grid = battlemap.grid
        x, y = grid.centre((grid.height // 2) * grid.width + grid.width // 2)
        reach = radius * 1.8 + 0.1
        cells = cells_in_box(grid, Box(x - reach, y - reach, x + reach, y + reach)).cells
        edits = []
        for terrain in (1, 2):
            edit = set_values(battlemap, 1, "terrain", cells, terrain)
            assert edit is not None
            self.document.push(edit, "Paint")
            edits.append(edit)

        def paint_cells(number: int) -> None:
            self.document.push(edits[number % 2], "Paint")
            QApplication.processEvents()

        return paint_cells

    def moving_of_a_thing(self) -> Callable[[int], None]:
        """Return a function that moves a thing near the middle to the right, or back.

        The argument is the number of the call. A stroke is begun, which the caller ends.
        """
        battlemap = self.document.battlemap
        layer = battlemap.layers[0]
        x = battlemap.grid.width / 2
        y = battlemap.grid.height / 2
        thing = layer.things[int(layer.things.within(Box(x - 8, y - 8, x + 8, y + 8)).ids[0])]
        moved = replace(thing, x=thing.x + 1)
        edits = [ThingsEdit(layer.id, (thing,), (moved,)), ThingsEdit(layer.id, (moved,), (thing,))]
        self.document.begin_stroke("Move")

        def move(number: int) -> None:
            self.document.stroke(edits[number % 2])

        return move

    def close(self) -> None:
        """Close the canvas."""
        self.canvas.close()
