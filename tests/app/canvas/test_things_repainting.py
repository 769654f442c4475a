"""What is drawn when things change: their old and their new place, and nothing is missed."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication

from app.canvas.canvas import MapCanvas
from app.canvas.map_widget import TURN_MS
from app.document.document import MapDocument
from app.render.raster.label_painter import LabelPainter
from app.render.renderer import Renderer
from app.render.scene.batch import IconBatch
from app.render.scene.things.thing_sizes import thing_reach_px
from app.render.theme import theme
from app.tools import TOOLS, ToolOptions
from randomizer.model.edits.edit import ThingsEdit
from randomizer.model.grid.box import Box
from randomizer.model.grid.layouts import FLAT
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from tests.app.canvas.updates import note_updates
from tests.app.render.drawing import (
    ROUNDING,
    SIZE,
    blank_image,
    draw,
    largest_difference,
    middle_viewport,
)
from tests.systems import tile_map

SCALES = [1.0, 6.0, 14.0, 30.0]


@pytest.fixture
def canvas(qtbot):
    """A canvas in the middle of a map with 10,000 things, everything painted."""
    battlemap = tile_map(256, things=10_000)
    canvas = MapCanvas(MapDocument(battlemap), Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.show()
    qtbot.waitExposed(canvas)
    return canvas


def look_at(qtbot, canvas, scale):
    canvas.show_viewport(middle_viewport(canvas.document.battlemap.grid, scale))
    qtbot.waitUntil(lambda: canvas.is_sharp)
    QApplication.processEvents()  # what is still to be painted as a whole


def thing_in_view(canvas) -> Thing:
    grid = canvas.document.battlemap.grid
    x = grid.width / 2
    y = grid.height / 2
    things = canvas.document.battlemap.layers[0].things
    reach = 1.0
    while not len(near := things.within(Box(x - reach, y - reach, x + reach, y + reach)).ids):
        reach += 1
    return things[int(near[0])]


@pytest.mark.parametrize("scale", SCALES)
def test_moving_one_of_many_paints_its_old_and_its_new_box(qtbot, monkeypatch, canvas, scale):
    look_at(qtbot, canvas, scale)
    document = canvas.document
    before = thing_in_view(canvas)
    after = replace(before, x=before.x + 2, y=before.y + 1)
    drawn = []
    paint = LabelPainter.paint

    def count(self, painter, batches, *view):
        whole = list(batches)
        drawn.extend(len(batch.points) for batch in whole if isinstance(batch, IconBatch))
        paint(self, painter, whole, *view)

    # Batches are an iterator, which can be counted only where they are painted.
    monkeypatch.setattr(LabelPainter, "paint", count)
    updates = note_updates(monkeypatch, canvas)
    document.push(ThingsEdit(1, (before,), (after,)), "Move")
    side = 2 * thing_reach_px(document.battlemap, scale) + 2
    boxes = [rect for rect in chain.from_iterable(updates) if not rect.isEmpty()]
    assert 1 <= len(boxes) <= 2
    assert all(max(rect.width(), rect.height()) <= side for rect in boxes)
    for thing in (before, after):
        at = canvas.viewport.to_screen(thing.x, thing.y).toPoint()
        assert any(rect.contains(at) for rect in boxes)
    qtbot.waitUntil(lambda: bool(drawn))
    canvas.repaint(boxes[0])
    near = document.battlemap.layers[0].things
    reach = 2 * side / scale
    box = Box(before.x - reach, before.y - reach, after.x + reach, after.y + reach)
    around = near.within(box)
    assert 0 < max(drawn) <= len(around.ids) < 10_000 / 4


@pytest.mark.parametrize("ratio", [1.0, 2.0])
@pytest.mark.parametrize("scale", SCALES)
def test_dirty_rectangles_miss_nothing_of_things(qtbot, monkeypatch, scale, ratio):
    """After changes of all kinds the picture is the one that is drawn from scratch."""
    rng = np.random.default_rng(int(scale))
    document = MapDocument(tile_map(24, things=150))
    canvas = MapCanvas(document, Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.viewport = viewport = middle_viewport(document.battlemap.grid, scale)
    everything = QRectF(0, 0, *SIZE)
    kept = blank_image(ratio)
    draw(canvas.renderer, document, viewport, kept, everything)
    updates = note_updates(monkeypatch, canvas)
    for number in range(14):
        things = document.battlemap.layers[0].things
        ids = rng.choice(list(things), int(rng.choice([1, 1, 2, 30])), replace=False)
        before = tuple(things[int(i)] for i in ids)
        if number % 3 == 0:
            after = ()
        else:
            after = tuple(
                replace(
                    thing,
                    x=float(thing.x + rng.normal()),
                    y=float(thing.y + rng.normal()),
                    angle=float(rng.uniform(0, 360)),
                    kind=str(rng.choice(["gaia/oak", "unit/archer"])),
                    owner=int(rng.integers(0, 9)),
                )
                for thing in before
            )
        document.push(ThingsEdit(1, before, after), "Edit")
        if number % 4 == 3:
            document.undo()
    assert updates
    for rect in chain.from_iterable(updates):
        draw(canvas.renderer, document, viewport, kept, QRectF(rect))
    fresh = blank_image(ratio)
    again = Renderer(theme("light"))
    again.cells.translucent = True
    again.ground.draw_in_turns(TURN_MS)
    again.follow(document.battlemap)
    draw(again, document, viewport, fresh, everything)
    assert largest_difference(kept, fresh) <= ROUNDING


def test_undo_restores_the_order_in_which_things_are_drawn(qtbot):
    document = MapDocument(tile_map(8))
    things = tuple(Thing(n, f"kind {n}", 3.0 + n * 0.1, 3.0, owner=n) for n in range(1, 6))
    document.push(ThingsEdit(1, (), things), "Put")
    renderer = Renderer(theme("light"))
    viewport = middle_viewport(document.battlemap.grid, 30.0)
    before = blank_image(1.0)
    after = blank_image(1.0)
    draw(renderer, document, viewport, before, QRectF(0, 0, *SIZE))
    document.push(ThingsEdit(1, things[1:3], ()), "Delete")
    document.undo()
    draw(renderer, document, viewport, after, QRectF(0, 0, *SIZE))
    assert before == after


def test_picked_things_have_a_ring_that_goes_with_them(qtbot, canvas):
    look_at(qtbot, canvas, 30.0)
    tool = next(kind for kind in TOOLS if kind.name == "things")
    canvas.set_tool(tool(ToolOptions()))
    thing = thing_in_view(canvas)
    plain = canvas.grab().toImage()
    canvas.document.pick({thing.id})
    ringed = canvas.grab().toImage()
    assert plain != ringed
    moved = replace(thing, x=thing.x + 1)
    canvas.document.push(ThingsEdit(1, (thing,), (moved,)), "Move")
    canvas.document.push(ThingsEdit(1, (moved,), (thing,)), "Move back")
    assert canvas.grab().toImage() == ringed
    canvas.document.pick(())
    assert canvas.grab().toImage() == plain


def test_the_name_of_a_picked_thing_goes_with_it(qtbot):
    battlemap = free_map(FLAT, 9, 7)
    x, y = battlemap.grid.centre(battlemap.grid.cell(4, 3))
    towns = [
        Thing(number, "town", x + 0.02 * number, y, label=f"Foxford-upon-Stour {number}")
        for number in range(1, 13)
    ]
    battlemap.layers[0].things.exchange((), towns)
    battlemap.note_ids(range(1, 13))
    canvas = MapCanvas(MapDocument(battlemap), Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.show()
    qtbot.waitExposed(canvas)
    qtbot.waitUntil(lambda: canvas.is_sharp)
    shown_ids = canvas.renderer.names(battlemap, canvas.viewport.scale).thing_ids
    town = next(town for town in towns if town.id not in shown_ids)
    canvas.document.pick([town.id])
    canvas.repaint()
    for label in ("Foxford-upon-the-broad-river-Stour", "Fox"):
        renamed = replace(town, label=label)
        canvas.document.push(ThingsEdit(1, (town,), (renamed,)), "Rename")
        town = renamed
        QApplication.processEvents()
        shown = canvas.grab().toImage()
        kept = canvas.screen().grabWindow(canvas.winId()).toImage()
        assert kept == shown


def test_a_layer_fades_with_its_things(qtbot):
    document = MapDocument(tile_map(8))
    renderer = Renderer(theme("light"))
    viewport = middle_viewport(document.battlemap.grid, 30.0)
    renderer.cells.translucent = True
    at = viewport.to_screen(3.5, 3.2).toPoint()

    def tone(opacity: float) -> int:
        document.battlemap.layers[0].opacity = opacity
        image = blank_image(1.0)
        draw(renderer, document, viewport, image, QRectF(0, 0, *SIZE))
        return image.pixelColor(at).lightness()

    bare = [tone(opacity) for opacity in (1.0, 0.3)]
    document.push(ThingsEdit(1, (), (Thing(1, "", 3.5, 3.5, owner=1),)), "Put")
    covered = [tone(opacity) for opacity in (1.0, 0.3)]
    assert abs(covered[1] - bare[1]) < abs(covered[0] - bare[0])
