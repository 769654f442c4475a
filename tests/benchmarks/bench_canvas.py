"""The canvas against its goals, at 1600 x 1000 pixels: a million hexes, tiles, a battleland.

Run by hand: ``python -m tests.benchmarks.bench_canvas``. Each figure is the median, then the best
of its rounds (on a busy machine the best tells more), then the goal. The figure of one graphics
item a cell is measured on 40,000 cells and multiplied by 25; with ``--full`` on the million (it
takes minutes and 3 GB).
"""

from __future__ import annotations

import os
import resource
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QTimer
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPolygonF
from PySide6.QtWidgets import QApplication, QGraphicsScene

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import Viewport, fitting
from randomizer.model.battlemap import BattleMap
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, POINTY, SQUARE, Layout
from randomizer.model.layer import Layer
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import SYSTEM

WIDTH = 1600
HEIGHT = 1000
ROUNDS = 15
SCALES = (1.2, 2.5, 3.0, 6.0, 8.0, 10.0, 16.0, 24.0, 40.0, 100.0)


def times_ms(work: Callable[[int], object], rounds: int = ROUNDS) -> tuple[float, float]:
    """The median and the best time of ``work(round)``, after two rounds that do not count."""
    times = []
    for number in range(rounds + 2):
        start = time.perf_counter()
        work(number)
        times.append((time.perf_counter() - start) * 1000)
    return statistics.median(times[2:]), min(times[2:])


def show(what: str, figures: tuple[float, float], goal: float) -> None:
    """Print one line."""
    median, best = figures
    verdict = "" if median <= goal else "  best only" if best <= goal else "  MISSED"
    print(f"{what:46s}{median:9.2f} ms{best:9.2f} ms   goal {goal:g} ms{verdict}")


def resident_mb() -> float:
    """The memory the process has now."""
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * resource.getpagesize() / 1e6


def world(layout: Layout, width: int, height: int) -> BattleMap:
    """Patches of terrain with elevation everywhere and hexsides here and there."""
    rng = np.random.default_rng(1)
    shape = (height, width)
    patches = rng.integers(0, 12, (height // 4 + 1, width // 4 + 1))
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = np.kron(patches, np.ones((4, 4), np.int64))[:height, :width].astype(
        "u2"
    )
    layer.planes["elevation"] = rng.integers(0, 4, shape).astype("i2")
    return BattleMap.new(SYSTEM, Grid(layout, width, height), [layer])


def at_scale(grid: Grid, scale: float) -> Viewport:
    """A view of the middle of the map."""
    x, y = grid.centre((grid.height // 2) * grid.width + grid.width // 2)
    return Viewport(scale, WIDTH / 2 - x * scale, HEIGHT / 2 - y * scale)


def frames(name: str, battlemap: BattleMap, goal: float, scales: tuple[float, ...]) -> None:
    """Full frames at every scale, and from afar."""
    renderer = Renderer(theme("light"))
    renderer.follow(battlemap)
    composite = battlemap.composite()
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    whole = fitting(battlemap.grid, QRectF(image.rect()).size(), 0.75)
    for scale in (whole.scale, *scales):
        view = whole if scale == whole.scale else at_scale(battlemap.grid, scale)

        def frame(_number: int, view: Viewport = view) -> None:
            painter = QPainter(image)
            renderer.paint(painter, battlemap, composite, view, QRectF(image.rect()), 1.0)
            painter.end()

        show(f"{name}, full frame at R {scale:.2f}", times_ms(frame), goal)


def graphics_items(full: bool) -> float:
    """Milliseconds to draw a million hexes, one graphics item each, all in view."""
    side, factor = (1000, 1) if full else (200, 25)
    grid = Grid(POINTY, side, side)
    corners = grid.layout.corners
    scene = QGraphicsScene()
    brushes = [QBrush(QColor(terrain.colour)) for terrain in SYSTEM.terrain_set.terrains]
    for cell, (x, y) in enumerate(grid.centres().tolist()):
        polygon = QPolygonF([QPointF(x + dx, y + dy) for dx, dy in corners])
        scene.addPolygon(polygon, brush=brushes[cell % len(brushes)])
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)

    def frame(_number: int) -> None:
        painter = QPainter(image)
        scene.render(painter)
        painter.end()

    return times_ms(frame, 3)[1] * factor


def model_bytes(document: MapDocument) -> float:
    """What the map itself takes, bytes a cell."""
    battlemap = document.battlemap
    planes = [*battlemap.layers[0].planes.values(), battlemap.locked_cells]
    for plane in (*document.composite.planes.values(), battlemap.locked_sides):
        if any(plane.strides) and not any(np.shares_memory(plane, other) for other in planes):
            planes.append(plane)
    return sum(plane.nbytes for plane in planes) / battlemap.grid.size


class Desk:
    """A canvas on a map, shown."""

    def __init__(self, application: QApplication, battlemap: BattleMap) -> None:
        self.application = application
        self.document = MapDocument(battlemap)
        self.canvas = MapCanvas(self.document, Renderer(theme("light")))
        self.canvas.resize(WIDTH, HEIGHT)
        self.canvas.show()
        application.processEvents()

    def go_to(self, scale: float) -> None:
        """Show the middle of the map, all pictures drawn."""
        self.canvas.show_viewport(at_scale(self.document.battlemap.grid, scale))
        self.rest()

    def rest(self) -> None:
        """Wait until the last frame is sharp."""
        self.application.processEvents()
        while self.canvas._progressive:
            self.application.processEvents()
        self.application.processEvents()

    def edit(self, radius: int) -> Callable[[int], None]:
        """Paint a filled hexagon at the middle: an edit's whole way to its pixels."""
        grid = self.document.battlemap.grid
        middle = (grid.height // 2) * grid.width + grid.width // 2
        x, y = grid.centre(middle)
        reach = radius * 1.8 + 0.1
        cells = grid.cells_in(x - reach, y - reach, x + reach, y + reach)

        edits = []
        for terrain in (1, 2):
            edits.append(set_values(self.document.battlemap, 1, "terrain", cells, terrain))
            self.document.push(edits[-1], "Paint")

        def work(number: int) -> None:
            self.document.push(edits[number % 2], "Paint")
            self.application.processEvents()

        return work

    def pan(self, number: int) -> None:
        """Move the picture a little."""
        self.canvas.pan(7 if number % 2 else -7, 3 if number % 2 else -3)
        self.application.processEvents()

    def zoom(self, number: int) -> None:
        """To a scale that was not shown before, and draw."""
        factor = 1.013 if number % 2 else 1 / 1.012
        self.canvas.zoom(factor, QPointF(WIDTH / 2, HEIGHT / 2))
        self.canvas.repaint()


def mover(document: MapDocument) -> Callable[[int], None]:
    """Moves a thing in the middle there and back: an edit of a stroke, without its undo step."""
    layer = document.battlemap.layers[0]
    grid = document.battlemap.grid
    x = grid.width / 2
    y = grid.height / 2
    here = layer.things[int(layer.things.within(x - 8, y - 8, x + 8, y + 8).ids[0])]
    there = replace(here, x=here.x + 1)
    edits = [ThingsEdit(layer.id, (here,), (there,)), ThingsEdit(layer.id, (there,), (here,))]
    document.begin_stroke("Move")

    def work(number: int) -> None:
        document.stroke(edits[number % 2])

    return work


def longest_block(desk: Desk) -> float:
    """Milliseconds without a heartbeat while a person zooms all the way in, pictures cold."""
    beats = [time.perf_counter()]
    timer = QTimer()
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start(1)
    desk.canvas.fit()
    for _ in range(32):
        desk.canvas.zoom(1.18)
        desk.application.processEvents()
        time.sleep(0.004)
        desk.application.processEvents()
    desk.rest()
    timer.stop()
    return float(np.diff(beats).max() * 1000)


def main() -> None:
    """Print the figures."""
    application = QApplication(sys.argv[:1])
    for name, layout in (("1M pointy", POINTY), ("1M flat", FLAT), ("1M square", SQUARE)):
        frames(name, world(layout, 1000, 1000), 10, SCALES)

    battlemap = world(POINTY, 1000, 1000)
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)

    def first_paint(_number: int) -> None:
        renderer = Renderer(theme("light"))
        painter = QPainter(image)
        view = fitting(battlemap.grid, QRectF(image.rect()).size(), 0.75)
        composite = battlemap.composite(live=True)
        renderer.paint(painter, battlemap, composite, view, QRectF(image.rect()), 1.0)
        painter.end()

    show("1M first paint", times_ms(first_paint, 5), 30)

    before = resident_mb()
    desk = Desk(application, battlemap)
    print(f"{'longest block while zooming in':46s}{longest_block(desk):9.2f} ms   goal 50 ms")
    for scale in (3.0, 12.0, 40.0):
        desk.go_to(scale)
        show(f"1M zoom step at R {scale:g}", times_ms(desk.zoom), 12)
    for scale in (3.0, 12.0, 40.0):
        desk.go_to(scale)
        show(f"1M pan at R {scale:g}", times_ms(desk.pan), 4)
    used = resident_mb() - before
    print(f"{'1M view memory (resident)':46s}{used:9.1f} MB   goal 26 MB")
    print(f"{'1M model':46s}{model_bytes(desk.document):9.2f} bytes a cell   goal 8")
    desk.canvas.fit()
    desk.rest()
    show("1M one-cell edit, all in view", times_ms(desk.edit(0)), 0.6)
    show("1M radius-3 brush, all in view", times_ms(desk.edit(3)), 1)
    desk.go_to(20.0)
    large = times_ms(desk.edit(0), 60)
    show("1M one-cell edit at R 20", large, 0.6)
    show("1M radius-3 brush at R 20", times_ms(desk.edit(3)), 1)
    desk.canvas.close()

    small_desk = Desk(application, world(POINTY, 40, 25))
    small_desk.go_to(20.0)
    small = times_ms(small_desk.edit(0), 60)
    print(f"{'edit at 1M / at 1,000 cells':46s}{large[1] / small[1]:9.2f}      goal 2")
    small_desk.canvas.close()

    items = graphics_items("--full" in sys.argv)
    renderer = Renderer(theme("light"))
    renderer.follow(battlemap)
    composite = battlemap.composite()
    view = fitting(battlemap.grid, QRectF(image.rect()).size(), 0.75)

    def whole(_number: int) -> None:
        painter = QPainter(image)
        renderer.paint(painter, battlemap, composite, view, QRectF(image.rect()), 1.0)
        painter.end()

    ours = times_ms(whole)[1]
    print(f"{'times faster than graphics items, all in view':46s}{items / ours:9.0f}      goal 200")

    tiles = world(SQUARE, 512, 512)
    rng = np.random.default_rng(2)
    things = tuple(
        Thing(i, ("unit/archer", "gaia/tree", "building")[i % 3], x, y, float(i), i % 8)
        for i, (x, y) in enumerate(rng.uniform(0, 511, (10_000, 2)).tolist(), 1)
    )
    ThingsEdit(tiles.layers[0].id, (), things).apply(tiles)
    frames("512 x 512 tiles, 10,000 things", tiles, 10, (4.0, 8.0, 16.0, 32.0))

    things_desk = Desk(application, tiles)
    for scale in (8.0, 32.0):
        things_desk.go_to(scale)
        work = mover(things_desk.document)
        show(f"move 1 of 10,000 things at R {scale:g}, unpainted", times_ms(work, 200), 0.2)

        def shown(number: int, work: Callable[[int], None] = work) -> None:
            work(number)
            application.processEvents()

        show(f"move 1 of 10,000 things at R {scale:g}, painted", times_ms(shown, 200), 1)
    things_desk.canvas.close()

    frames("battleland", sample_map(), 8, ())


if __name__ == "__main__":
    main()
