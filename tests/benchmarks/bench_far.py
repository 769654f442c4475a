"""A map seen from near and afar: milliseconds of CPU time at 1600 x 1000 pixels.

Run by hand: ``python -m tests.benchmarks.bench_far``. First the first frame with many terrains, the
frames after it and the one after a change of one terrain. Then a million cells: until the picture
is sharp, a frame, a pan, a zoom step and an edit of one cell with the frame that shows it, each
also as a ratio of its goal. Scale 40 is 100 %. ``--million``: these alone.
"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from app.render.pictures.terrain_pictures import picture, picture_names
from app.render.raster.backdrop import Backdrop
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.battlemap import BattleMap
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import POINTY
from randomizer.model.layer import Layer
from randomizer.model.terrain import Terrain, TerrainSet
from randomizer.systems.free.system import SYSTEM
from tests.benchmarks.bench_canvas import HEIGHT, WIDTH, Desk
from tests.benchmarks.bench_scene import cpu_ms, landscape

SCALES = (40.0, 12.0, 6.0, 2.0, 0.7)


def many_terrains(count: int) -> BattleMap:
    """A map of random terrains, with all pictures in random colours."""
    rng = np.random.default_rng(3)
    names = [name for name in picture_names() if (own := picture(name)) and own.has("ground")]
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = rng.integers(0, count, (100, 100)).astype("u2")
    terrains = tuple(
        Terrain(f"T{i}", f"#{rng.integers(1 << 24):06x}", picture=names[i % len(names)])
        for i in range(count)
    )
    grid = Grid(POINTY, 100, 100)
    return BattleMap.new(SYSTEM, grid, [layer], terrain_set=TerrainSet("set", terrains))


def terrains(count: int) -> None:
    """Frames of a map of many terrains."""
    battlemap = many_terrains(count)
    renderer = Renderer(theme("light"))
    backdrop = Backdrop()
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)

    def frame(shown: BattleMap) -> float:
        renderer.follow(shown)
        composite = shown.composite()
        start = time.thread_time()
        painter = QPainter(image)
        view = Viewport(24.0, 10, 10)
        area = QRectF(image.rect())
        renderer.paint(painter, shown, composite, view, area, 1.0, backdrop=backdrop)
        painter.end()
        return (time.thread_time() - start) * 1000

    first = frame(battlemap)
    then = float(np.median([frame(battlemap) for _ in range(5)]))
    own = battlemap.terrain_set
    changed = (replace(own.terrains[0], colour="#123456"), *own.terrains[1:])
    again = frame(replace(battlemap, terrain_set=replace(own, terrains=changed)))
    print(
        f"{count} terrains: first frame {first:.0f} (ratio {first / 2000:.2f}), then {then:.1f} "
        f"(ratio {then / 10:.2f}), one recoloured {again:.0f} (ratio {again / first:.2f})",
        flush=True,
    )


def million(application: QApplication) -> None:
    """What a hand does on a million cells."""
    desk = Desk(application, landscape(POINTY, 1000))
    document = desk.document
    canvas = desk.canvas
    battlemap = document.battlemap
    grid = battlemap.grid
    cells = np.array([(grid.height // 2) * grid.width + grid.width // 2])
    edits = []
    for terrain in (1, 2):
        edits.append(set_values(battlemap, 1, "terrain", cells, terrain))
        document.push(edits[-1], "Paint")

    spread = canvas.renderer.spread(battlemap, edits[0].region(battlemap))

    def edit(number: int) -> None:
        document.push(edits[number % 2], "Paint")
        (box,) = canvas._boxes_of(spread)
        canvas.repaint(box.intersected(QRectF(canvas.rect())).toAlignedRect())

    for scale in SCALES:
        start = time.thread_time()
        desk.go_to(scale)
        sharp = time.thread_time() - start
        figures = []
        for name, goal, work in (
            ("frame", 6, lambda _number: canvas.repaint()),
            ("pan", 4, desk.pan),
            ("edit", 0.6, edit),
            ("zoom step", 12, desk.zoom),
        ):
            desk.rest()
            figure = cpu_ms(work)
            figures.append(f"{name} {figure:5.2f} ({figure / goal:4.2f})")
        print(f"{scale * 2.5:5.1f} %: sharp after {sharp:4.1f} s, {', '.join(figures)}", flush=True)


def main() -> None:
    """Print the figures."""
    application = QApplication(sys.argv[:1])
    for count in () if "--million" in sys.argv else (20, 300):
        terrains(count)
    million(application)


if __name__ == "__main__":
    main()
