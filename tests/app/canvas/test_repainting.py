"""The canvas repaints what changed, and nothing is missed: every scale, layout and kind of edit."""

from __future__ import annotations

import os
from itertools import chain

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage

from app.canvas.canvas import MapCanvas
from app.canvas.map_widget import TURN_MS
from app.document.document import MapDocument
from app.render.overlay_options import Overlays
from app.render.renderer import Renderer
from app.render.scene.things import thing_sizes
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.grid.box import Box
from randomizer.model.grid.cells_in_box import cells_in_box
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import POINTY
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import SYSTEM
from tests.app.canvas.updates import note_updates
from tests.app.render.drawing import (
    GRIDS,
    ROUNDING,
    SCALES,
    SIZE,
    blank_image,
    draw,
    full_world,
    largest_difference,
    middle_viewport,
    world,
)
from tests.counting import watched_calls

SEED = int(os.environ.get("REPAINTING_SEED", "0"))


def random_edit(rng: np.random.Generator, battlemap: BattleMap, viewport: Viewport):
    """A change of some cells that are in view or just beside it."""
    grid = battlemap.grid
    layer = int(rng.integers(1, 3))
    box = Box(*viewport.to_map(QPointF(-40, -40)), *viewport.to_map(QPointF(300, 240)))
    near = cells_in_box(grid, box).cells
    count = min(int(rng.choice([1, 1, 2, 19])), len(near))
    cells = rng.choice(near, count, replace=False)
    kind = rng.choice(["terrain", "elevation", "hexside", "locks", "side locks"])
    if kind == "locks":
        return set_locks(battlemap, cells, bool(rng.integers(2)))
    sides = cells * grid.degree + rng.integers(grid.degree, size=count)
    if kind == "side locks":
        return set_locks(battlemap, sides, True, sides=True)
    spec = battlemap.system.plane(kind)
    value = int(rng.choice([spec.unset, 0, 1, 2, 3]))
    return set_values(battlemap, layer, kind, sides if kind == "hexside" else cells, value)


@pytest.mark.parametrize(
    ("name", "scale", "ratio"),
    # Every grid at every scale, and both at either ratio of device pixels; daily a third of them,
    # in which each grid and each scale occurs.
    [
        pytest.param(
            name,
            scale,
            1.0 + (row + column) % 2,
            marks=[pytest.mark.deep] if (row + column) % 3 else [],
        )
        for row, name in enumerate(GRIDS)
        for column, scale in enumerate(SCALES)
    ],
)
def test_dirty_rectangles_miss_nothing(qtbot, monkeypatch, name, scale, ratio):
    """After random edits the picture equals one that is drawn from scratch, but for rounding."""
    rng = np.random.default_rng([SEED, int(scale * 10), int(ratio), len(name)])
    document = MapDocument(world(GRIDS[name]))
    canvas = MapCanvas(document, Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.viewport = viewport = middle_viewport(GRIDS[name], scale)
    canvas.renderer.overlays = Overlays(shading=True)
    everything = QRectF(0, 0, *SIZE)
    saved_state = blank_image(ratio)
    draw(canvas.renderer, document, viewport, saved_state, everything)
    updates = note_updates(monkeypatch, canvas)
    for _ in range(12):
        document.push(random_edit(rng, document.battlemap, viewport), "Edit")
    document.undo()
    assert updates
    for rect in chain.from_iterable(updates):
        draw(canvas.renderer, document, viewport, saved_state, QRectF(rect))
    fresh = blank_image(ratio)
    again = Renderer(theme("light"))
    again.overlays = Overlays(shading=True)
    again.cells.translucent = True
    again.ground.draw_in_turns(TURN_MS)
    again.follow(document.battlemap)
    draw(again, document, viewport, fresh, everything)
    assert largest_difference(saved_state, fresh) <= ROUNDING


def test_many_edits_at_once_repaint_in_parts(qtbot, monkeypatch):
    document = MapDocument(BattleMap.new(SYSTEM, Grid(POINTY, 400, 400), [Layer(1, "Ground")]))
    canvas = MapCanvas(document, Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(800, 600)
    canvas.show()
    qtbot.waitExposed(canvas)
    updates = note_updates(monkeypatch, canvas)
    cells = np.r_[0:2000, 150_000:152_000]
    document.push(set_values(document.battlemap, 1, "terrain", cells, 3), "Fill")
    rects = list(chain.from_iterable(updates))
    assert 2 <= len(rects) <= 24
    covered = sum(rect.width() * rect.height() for rect in rects)
    assert covered < 800 * 600 / 4


def test_a_progressive_frame_is_drawn_again_with_the_pictures(qtbot):
    document = MapDocument(full_world(GRIDS["flat"]))
    canvas = MapCanvas(document, Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.show()
    qtbot.waitExposed(canvas)
    canvas.grab()
    canvas.zoom(9)
    progressive = canvas.grab().toImage()
    qtbot.waitUntil(lambda: canvas.is_sharp)
    finished = canvas.grab().toImage()
    sharp = QImage(finished.size(), finished.format())
    renderer = Renderer(theme("light"))
    renderer.cells.translucent = True
    draw(renderer, document, canvas.viewport, sharp, QRectF(sharp.rect()))
    assert finished == sharp
    assert progressive != finished


def test_an_edit_of_terrain_asks_nothing_about_things(qtbot):
    battlemap = world(GRIDS["flat"])
    document = MapDocument(battlemap)
    canvas = MapCanvas(document, Renderer(theme("light")))
    qtbot.addWidget(canvas)
    edit = set_values(battlemap, battlemap.layers[0].id, "terrain", [0], 3)
    assert edit is not None
    with watched_calls(thing_sizes.thing_reach_px) as asked:
        document.push(edit, "Paint")
    assert asked == []
