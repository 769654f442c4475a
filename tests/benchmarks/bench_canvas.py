"""The canvas on a battleland: an edit until it is painted, a full frame, a pan, a zoom step.

Run by hand: ``python -m tests.benchmarks.bench_canvas``. Each figure is a median; the goal is at
most 2 ms from a one-hex edit to its pixels. For comparison the same frame is drawn the plain way,
every cell's SVG rendered anew, and the ratio is printed.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.document import MapDocument
from app.drawing.pictures import OwnPictures
from app.drawing.renderer import Renderer
from app.drawing.theme import theme
from app.sample import sample_map
from app.widgets.canvas import MapCanvas
from randomizer.edit import set_values

ROUNDS = 60


def median_ms(work: Callable[[int], object], rounds: int = ROUNDS) -> float:
    """The median time of ``work(round)``, after two rounds that do not count."""
    times = []
    for number in range(rounds + 2):
        start = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times[2:])


def main() -> None:
    """Print the figures."""
    application = QApplication([])
    document = MapDocument(sample_map())
    canvas = MapCanvas(document, Renderer(theme("light")))
    canvas.resize(1600, 1000)
    canvas.show()
    application.processEvents()
    layer = document.active_layer_id

    def edit(number: int) -> None:
        document.push(
            set_values(document.battlemap, layer, "terrain", [15], 1 + number % 2), "Paint"
        )
        application.processEvents()  # paints the dirty rectangle

    def zoom(number: int) -> None:
        canvas.zoom(1.04 if number % 40 < 20 else 1 / 1.04, QPointF(800, 500))  # new scales
        canvas.repaint()

    def pan(number: int) -> None:
        canvas.pan(7 if number % 2 else -7, 0)
        application.processEvents()

    image = QImage(1600, 1000, QImage.Format.Format_RGB32)

    def plain(_number: int) -> None:
        pictures, grid, view = OwnPictures(), document.battlemap.grid, canvas.view
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for cell in grid.cells.tolist():
            terrain = document.battlemap.system.terrain_set.terrains[
                int(document.composite.planes["terrain"].flat[cell])
            ]
            painter.save()
            painter.translate(view.to_screen(*grid.centre(cell)))
            painter.scale(view.scale, view.scale)
            pictures.ground(painter, terrain)
            pictures.feature(painter, terrain)
            painter.restore()
        painter.end()

    def frame(_number: int) -> None:
        painter = QPainter(image)
        canvas.renderer.paint(
            painter,
            document.battlemap,
            document.composite,
            canvas.view,
            QRectF(image.rect()),
            1.0,
        )
        painter.end()

    print(f"one-hex edit until painted   {median_ms(edit):6.2f} ms (goal 2)")
    print(f"pan by 7 pixels              {median_ms(pan):6.2f} ms")
    print(f"zoom step and full frame     {median_ms(zoom):6.2f} ms")
    full, slow = median_ms(frame), median_ms(plain, 8)
    print(f"full frame                   {full:6.2f} ms, {slow / full:.1f} times faster than plain")


if __name__ == "__main__":
    main()
