"""The canvas at 1600 x 1000 pixels on a million cells: frames, pans, zoom steps, edits.

Each row tells of the worst scale (scale 40 is 100 %). The plain implementation is Qt's own: one
graphics item a cell, all in view. It is drawn with fewer cells, and its time is multiplied.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from PySide6.QtCore import QPointF, QTimer
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPolygonF
from PySide6.QtWidgets import QApplication, QGraphicsScene

from app.document.document import MapDocument
from app.document.sample import sample_map
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE
from randomizer.systems.free.system import SYSTEM
from tests.benchmarks.benchmark import Row, benchmark, median_ms
from tests.benchmarks.canvases import (
    DRAG_STEPS,
    HEIGHT,
    WIDTH,
    CanvasOnMap,
    application,
    landscape,
)

FRAME_SCALES = (0.7, 3.0, 12.0, 24.0, 40.0)
HAND_SCALES = (3.0, 12.0, 40.0)
SMALL_SIDE = 40
"""The side of the map with which edits of the large one are compared."""

MAX_ITEMS = 200
"""The side of the map of graphics items: with a million of them Qt takes minutes and 3 GB."""


@benchmark("canvas", full=1000, tiny=40)
def measure_canvas(side: int) -> Iterator[Row]:
    application()
    for name, layout in (("flat", FLAT), ("square", SQUARE)):
        shown = CanvasOnMap(landscape(layout, side))
        yield Row(f"frame, {name}", worst_ms(shown, FRAME_SCALES, shown.show_frame), "ms")
        shown.close()

    memory_mb = resident_mb()
    shown = CanvasOnMap(landscape(POINTY, side))
    yield Row("longest pause while zooming in", longest_pause_ms(shown), "ms")
    yield Row("frame, pointy", worst_ms(shown, FRAME_SCALES, shown.show_frame), "ms")
    start_s = time.thread_time()
    shown.go_to(38.0)
    yield Row("until sharp at 95 %", time.thread_time() - start_s, "s")
    yield Row("zoom step", worst_ms(shown, HAND_SCALES, shown.zoom), "ms")
    yield Row("pan", worst_ms(shown, HAND_SCALES, shown.pan), "ms")
    drag_ms = worst_ms(shown, HAND_SCALES, shown.drag)
    yield Row("pan, a step of a drag", drag_ms / DRAG_STEPS, "ms")
    yield Row("memory of the view and the map", resident_mb() - memory_mb, "MB")
    yield Row("the model, a cell", model_bytes(shown.document), "bytes")
    shown.canvas.fit()
    shown.wait_until_sharp()
    all_in_view_ms = median_ms(shown.show_frame)
    items_ms = graphics_items_ms(side)
    yield Row(
        "frame, all in view (x graphics items)", all_in_view_ms, "ms", items_ms / all_in_view_ms
    )
    yield Row("one-cell edit, all in view", median_ms(shown.painting_of_cells(0)), "ms")
    yield Row("radius-3 brush, all in view", median_ms(shown.painting_of_cells(3)), "ms")
    shown.go_to(20.0)
    edit_ms = median_ms(shown.painting_of_cells(0), 60)
    brush_ms = median_ms(shown.painting_of_cells(3), 60)
    shown.close()

    small = CanvasOnMap(landscape(POINTY, SMALL_SIDE))
    small.go_to(20.0)
    small_edit_ms = median_ms(small.painting_of_cells(0), 60)
    small.close()
    yield Row("one-cell edit at 50 % (x a small map)", edit_ms, "ms", edit_ms / small_edit_ms)
    yield Row("radius-3 brush at 50 %", brush_ms, "ms")

    board = CanvasOnMap(sample_map())
    yield Row("frame of a battleland", median_ms(board.show_frame), "ms")
    board.close()


def worst_ms(shown: CanvasOnMap, scales: tuple[float, ...], work: Callable[[int], object]) -> float:
    """Return the longest median of ``work`` at the scales."""
    scales_ms = []
    for scale in scales:
        shown.go_to(scale)
        scales_ms.append(median_ms(work))
        shown.wait_until_sharp()
    return max(scales_ms)


def longest_pause_ms(shown: CanvasOnMap) -> float:
    """Return the longest turn of the event loop while a person zooms all the way in.

    It is CPU time of the window's thread between two beats of a timer; nothing is drawn yet.
    """
    beats_s = [time.thread_time()]
    timer = QTimer()
    timer.timeout.connect(lambda: beats_s.append(time.thread_time()))
    timer.start(1)
    shown.canvas.fit()
    for _step in range(32):
        shown.canvas.zoom(1.18)
        QApplication.processEvents()
        time.sleep(0.004)
        QApplication.processEvents()
    shown.wait_until_sharp()
    timer.stop()
    return float(np.diff(beats_s).max() * 1000)


def graphics_items_ms(side: int) -> float:
    """Return how long Qt draws ``side`` x ``side`` hexes, one graphics item each, all in view."""
    drawn_side = min(side, MAX_ITEMS)
    grid = Grid(POINTY, drawn_side, drawn_side)
    scene = QGraphicsScene()
    brushes = [QBrush(QColor(terrain.colour)) for terrain in SYSTEM.terrain_set.terrains]
    for cell, (x, y) in enumerate(grid.centres().tolist()):
        polygon = QPolygonF([QPointF(x + dx, y + dy) for dx, dy in grid.layout.corners])
        scene.addPolygon(polygon, brush=brushes[cell % len(brushes)])
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)

    def draw(_round: int) -> None:
        painter = QPainter(image)
        scene.render(painter)
        painter.end()

    return median_ms(draw, 3) * (side / drawn_side) ** 2


def resident_mb() -> float:
    """Return the memory that the process has now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def model_bytes(document: MapDocument) -> float:
    """Return what the map itself takes, in bytes a cell."""
    battlemap = document.battlemap
    planes = [*battlemap.layers[0].planes.values(), battlemap.locked_cells]
    for plane in (*document.composite.planes.values(), battlemap.locked_sides):
        is_broadcast = not any(plane.strides)
        if not is_broadcast and not any(
            np.shares_memory(plane, other_plane) for other_plane in planes
        ):
            planes.append(plane)
    return sum(plane.nbytes for plane in planes) / battlemap.grid.size
