"""A map of 0 A.D. of 512 x 512 tiles with 10,000 entities on the desk, against its goals.

Run by hand: ``python -m tests.benchmarks.bench_entities``. CPU time in ms: the median
of some rounds, and its ratio to that of the same work on 128 x 128 tiles.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import statistics
import time
from collections.abc import Callable

import numpy as np
from PySide6.QtWidgets import QApplication

from app.paper.export import picture
from app.paper.picture_request import PictureRequest
from app.paper.steps import run as finish
from app.tools import TOOLS, Pointer, ToolOptions
from randomizer.catalog import generators_of
from randomizer.generator import Base, DrawKey, run
from randomizer.geometry.height_brush import HeightMode
from randomizer.model.battlemap import BattleMap
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.layer import Layer
from randomizer.model.rolls.put_roll import new_map
from randomizer.model.things.things import Thing
from randomizer.systems.zeroad.system import SYSTEM
from tests.benchmarks.bench_canvas import Desk, mover

SIZES = (512, 128)
ENTITIES = 10_000
SCALES = (3.0, 8.0, 16.0, 32.0)
ROUNDS = 24  # even: a thing is moved there and back
FRAME_MS = 6.0
EDIT_MS = 1.0

Work = Callable[[int], object]


def median_ms(work: Work) -> float:
    """The median CPU time of ``work(round)``, after two rounds that do not count."""
    times = []
    for number in range(ROUNDS + 2):
        start = time.process_time()
        work(number)
        times.append((time.process_time() - start) * 1000)
    return statistics.median(times[2:])


def islands(size: int) -> BattleMap:
    """The packaged islands of ``size`` x ``size`` tiles, filled up with entities of their kinds."""
    generator = next(each for each in generators_of(SYSTEM) if each.metadata.name == "Islands")
    empty = BattleMap.new(SYSTEM, Grid(SQUARE, size, size), [Layer(1, "Ground")])
    base = Base.under(empty, 1)
    made = run(generator, {"Size": size}, DrawKey(1, 0), base)
    assert made is not None
    battlemap = new_map(SYSTEM, base.grid, base.terrain_set, made)
    layer = battlemap.layers[0]
    kinds = sorted({layer.things[thing].kind for thing in layer.things})
    first = battlemap.next_thing_id
    number = max(0, ENTITIES * size**2 // SIZES[0] ** 2 - len(layer.things))
    places = np.random.default_rng(1).uniform(0, size - 1, (number, 2)).tolist()
    more = tuple(
        Thing(first + i, kinds[i % len(kinds)], x, y, float(i % 360), i % 3)
        for i, (x, y) in enumerate(places)
    )
    ThingsEdit(layer.id, (), more).apply(battlemap)
    return battlemap


def stroke(desk: Desk, name: str, radius: int) -> Work:
    """One step of a long stroke of a brush at the middle, with its repainting."""
    options = ToolOptions()
    options.choose(radius=radius, corner_mode=HeightMode.RAISE, corner_amount=5, terrain=1)
    desk.canvas.set_tool(next(kind for kind in TOOLS if kind.name == name)(options))
    grid = desk.document.battlemap.grid
    active_tool = desk.canvas.active_tool

    def pointer(number: int) -> Pointer:
        at = grid.width / 2 + number - ROUNDS / 2 + 0.2, grid.height / 2 + 0.2
        hit = grid.hit(*at)
        assert hit is not None
        return Pointer(hit, *at)

    active_tool.begin_stroke(pointer(0))

    def work(number: int) -> None:
        active_tool.follow([pointer(number)])
        active_tool.point_at(pointer(number))
        desk.application.processEvents()

    return work


def figures(application: QApplication, size: int) -> dict[str, tuple[float, float]]:
    """What is measured on a map of a size, with its goal."""
    desk = Desk(application, islands(size))
    found: dict[str, tuple[float, float]] = {}
    for scale in SCALES:
        desk.go_to(scale)
        found[f"pan at R {scale:g}"] = median_ms(desk.pan), FRAME_MS
        move = mover(desk.document)
        found[f"move one at R {scale:g}, unpainted"] = median_ms(move), EDIT_MS

        def shown(number: int, move: Work = move) -> None:
            move(number)
            application.processEvents()

        found[f"move one at R {scale:g}, painted"] = median_ms(shown), FRAME_MS
        desk.document.end_stroke()
        for tool in ("height", "terrain"):
            found[f"{tool} brush, radius 3, at R {scale:g}"] = (
                median_ms(stroke(desk, tool, 3)),
                FRAME_MS,
            )
            desk.canvas.active_tool.cancel_stroke()
            desk.rest()
    desk.canvas.close()
    return found


def main() -> None:
    """Print the figures."""
    application = QApplication([])
    large, small = (figures(application, size) for size in SIZES)
    for what, (spent, goal) in large.items():
        verdict = "" if spent <= goal else "  MISSED"
        ratio = spent / small[what][0]
        print(f"{what:36s}{spent:8.2f} ms  ratio {ratio:5.2f}  goal {goal:g}{verdict}")
    for kind, size in ((".svg", 256), (".png", 512), (".pdf", 512)):  # see export.SVG_CELLS
        battlemap = islands(size)
        request = PictureRequest(hex_mm=8.0, pixels=8.0 if kind == ".png" else None)
        start = time.process_time()
        data = finish(picture(kind, request, battlemap, battlemap.composite()))
        assert data is not None
        spent = time.process_time() - start
        size_mb = len(data) / 1e6
        print(f"{kind} of {size} x {size} tiles: {spent:.1f} s, {size_mb:.1f} MB")


if __name__ == "__main__":
    main()
