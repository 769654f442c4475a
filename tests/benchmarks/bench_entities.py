"""A map of 0 A.D. with entities on the desk, beside a map of a quarter of the side.

``measure_entities`` is the benchmark: the times of a hand on both maps, and of pictures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import process_time

import numpy as np
from PySide6.QtWidgets import QApplication

from app.paper.export import picture
from app.paper.picture_request import OwnPage, PictureRequest
from app.paper.steps import run as run_steps
from app.tools import TOOLS, Pointer, ToolOptions
from randomizer.catalog.generators import generators_of
from randomizer.generator_run import run
from randomizer.geometry.height_brush import HeightMode
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.put_roll import new_map
from randomizer.model.things.things import Thing
from randomizer.roll_base import Base
from randomizer.systems.zeroad.system import SYSTEM
from tests.benchmarks.benchmark import Row, benchmark, median_ms
from tests.benchmarks.canvases import CanvasOnMap, application

TILES_OF_AN_ENTITY = 26
"""The tiles for each entity: there are 10,000 on 512 x 512 tiles."""

SCALES = (3.0, 8.0, 16.0, 32.0)
"""The scales at which a hand is measured, in pixels a tile."""

ROUNDS = 24
"""How often each action is measured; the median counts."""

BRUSH_RADIUS = 3
"""The radius of brushes, in cells."""

SMALLER = 4
"""The side of the large map, in sides of the small one."""


@benchmark("entities", full=512, tiny=128)
def measure_entities(side: int) -> Iterator[Row]:
    """Measure what a hand does on a large and a small map, then pictures of the large one."""
    application()
    large_ms = measure_hand(side)
    small_ms = measure_hand(max(side // SMALLER, 64))
    for title, spent_ms in large_ms.items():
        yield Row(f"{title} (x a small map)", spent_ms, "ms", spent_ms / small_ms[title])
    for suffix, picture_side, pixels in (
        (".svg", side // 4, None),
        (".pdf", side // 4, None),
        (".png", side, 8.0),
    ):
        battlemap = islands(picture_side)
        request = PictureRequest(pages=OwnPage(8.0), pixels=pixels)
        start_s = process_time()
        data = run_steps(picture(suffix, request, battlemap, battlemap.composite()))
        spent_s = process_time() - start_s
        assert data is not None
        yield Row(f"picture as {suffix}", spent_s, "s")


def measure_hand(side: int) -> dict[str, float]:
    """Return the median times of what a hand does, at the worst scale, by their titles."""
    shown = CanvasOnMap(islands(side))
    longest_ms: dict[str, float] = {}

    def measure(title: str, work: Callable[[int], object]) -> None:
        longest_ms[title] = max(longest_ms.get(title, 0.0), median_ms(work, ROUNDS))

    for scale in SCALES:
        shown.go_to(scale)
        measure("pan", shown.pan)
        move = shown.moving_of_a_thing()

        def move_and_paint(number: int, move: Callable[[int], None] = move) -> None:
            move(number)
            QApplication.processEvents()

        measure("move one, not painted", move)
        measure("move one, painted", move_and_paint)
        shown.document.end_stroke()
        for tool in ("height", "terrain"):
            measure(f"{tool} brush, radius {BRUSH_RADIUS}", step_of_a_stroke(shown, tool))
            shown.canvas.active_tool.cancel_stroke()
            shown.wait_until_sharp()
    shown.close()
    return longest_ms


def step_of_a_stroke(shown: CanvasOnMap, name: str) -> Callable[[int], None]:
    """Begin a long stroke at the middle; return what makes its next step and repaints."""
    options = ToolOptions()
    options.choose(radius=BRUSH_RADIUS, corner_mode=HeightMode.RAISE, corner_amount=5, terrain=1)
    shown.canvas.set_tool(next(kind for kind in TOOLS if kind.name == name)(options))
    grid = shown.document.battlemap.grid
    active_tool = shown.canvas.active_tool

    def pointer_at(number: int) -> Pointer:
        x = grid.width / 2 + number - ROUNDS / 2 + 0.2
        y = grid.height / 2 + 0.2
        hit = grid.hit(x, y)
        assert hit is not None
        return Pointer(hit, x, y)

    active_tool.begin_stroke(pointer_at(0))

    def step(number: int) -> None:
        active_tool.follow([pointer_at(number)])
        active_tool.point_at(pointer_at(number))
        QApplication.processEvents()

    return step


def islands(side: int) -> BattleMap:
    """Return the packaged islands, filled up with entities of their kinds."""
    names = {generator.metadata.name: generator for generator in generators_of(SYSTEM)}
    generator = names["Islands"]
    empty = BattleMap.new(SYSTEM, Grid(SQUARE, side, side), [Layer(1, "Ground")])
    base = Base.under(empty, 1)
    generated = run(generator, {"Size": side}, DrawKey(1, 0), base)
    assert generated is not None
    battlemap = new_map(SYSTEM, base.grid, base.terrain_set, generated)
    layer = battlemap.layers[0]
    kinds = sorted({layer.things[thing_id].kind for thing_id in layer.things})
    first_id = battlemap.next_thing_id
    count = max(0, side**2 // TILES_OF_AN_ENTITY - len(layer.things))
    positions = np.random.default_rng(1).uniform(0, side - 1, (count, 2)).tolist()
    things = []
    for number, (x, y) in enumerate(positions):
        kind = kinds[number % len(kinds)]
        angle = float(number % 360)
        things.append(Thing(first_id + number, kind, x, y, angle, owner=number % 3))
    ThingsEdit(layer.id, (), tuple(things)).apply(battlemap)
    return battlemap
