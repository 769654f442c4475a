"""The kept ground of a view shows the map as it is, after any edits, pans and zooms."""

from __future__ import annotations

import time

import numpy as np
import pytest

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.cell_values.heat import Heat
from app.render.raster import sprite_sets
from app.render.raster.backdrop import AHEAD
from app.render.raster.ground_painter import GroundPainter
from app.render.raster.sprite_painter import SpritePainter
from app.render.raster.sprites import Sprites
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.edits.value_edits import set_values
from tests.app.render.drawing import GRIDS, SIZE, full_world
from tests.counting import watched_calls
from tests.daily import deep_but


def canvas_on(document, qtbot, viewport=None) -> MapCanvas:
    canvas = MapCanvas(document, Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.show()
    qtbot.waitExposed(canvas)
    if viewport is not None:
        canvas.show_viewport(viewport)
    settle(canvas, qtbot)
    return canvas


def settle(canvas, qtbot) -> None:
    qtbot.waitUntil(lambda: canvas.is_sharp)


@pytest.mark.parametrize(
    "name", deep_but(["flat", "pointy with holes", "oblique upright", "square"], "flat")
)
def test_the_ground_that_is_kept_is_that_of_the_map(qtbot, name):
    rng = np.random.default_rng(len(name))
    document = MapDocument(full_world(GRIDS[name]))
    grid = document.battlemap.grid
    canvas = canvas_on(document, qtbot)
    canvas.zoom(1.6)
    settle(canvas, qtbot)
    for step in range(14):
        cells = rng.choice(grid.cells, int(rng.choice([1, 3])), replace=False)
        plane = str(rng.choice(["terrain", "elevation"]))
        value = int(rng.integers(0, 4))
        edit = set_values(document.battlemap, 1, plane, np.sort(cells), value)
        document.push(edit, "Edit")
        if step % 3 == 0:
            canvas.pan(*rng.integers(-60, 60, 2).tolist())
        if step % 3 == 1:
            canvas.pan(*rng.integers(-9, 9, 2).tolist())
        if step == 7:
            canvas.zoom(0.8)
        if step in (5, 9):
            document.undo()
        canvas.repaint()
    settle(canvas, qtbot)
    fresh = canvas_on(document, qtbot, canvas.viewport)
    assert canvas.grab().toImage() == fresh.grab().toImage()


def test_overlays_and_themes_show_at_once(qtbot):
    document = MapDocument(full_world(GRIDS["flat"]))
    canvas = canvas_on(document, qtbot)
    canvas.zoom(2.0)
    settle(canvas, qtbot)
    before = canvas.grab().toImage()
    renderer = canvas.renderer
    renderer.set_theme(theme("light", "colour-blind"), renderer.pictures)
    plain = canvas.grab().toImage()
    assert plain != before
    renderer.set_theme(theme("light"), renderer.pictures)
    assert canvas.grab().toImage() == before


def test_a_frame_draws_only_what_is_missing(qtbot):
    document = MapDocument(full_world(GRIDS["flat"]))
    canvas = canvas_on(document, qtbot)
    canvas.zoom(2.0)
    settle(canvas, qtbot)
    canvas.grab()
    with watched_calls(GroundPainter.draw_area) as draws:  # nothing public tells what is drawn anew
        canvas.grab()
        assert not draws
        canvas.pan(13, 0)
        canvas.grab()
        (strip,) = draws
        assert strip["area"].width() == AHEAD
        draws.clear()
        canvas.pan(AHEAD - 13, 0)
        canvas.grab()
        assert not draws, "it was drawn ahead"
        edit = set_values(document.battlemap, 1, "terrain", np.array([5 * 14 + 7]), 3)
        document.push(edit, "Edit")
        canvas.grab()
    (draw,) = draws
    area = draw["area"]
    assert area.width() * area.height() < canvas.width() * canvas.height() * 0.9


def test_the_ground_is_kept_with_the_heat_map_over_it(qtbot):
    document = MapDocument(full_world(GRIDS["flat"]))
    canvas = canvas_on(document, qtbot)
    canvas.zoom(2.0)
    settle(canvas, qtbot)
    without_heat = canvas.grab().toImage()
    shape = (document.battlemap.grid.height, document.battlemap.grid.width)
    rising = np.linspace(0, 1, document.battlemap.grid.size).reshape(shape)
    canvas.renderer.show_heat(Heat(rising))
    settle(canvas, qtbot)
    with_heat = canvas.grab().toImage()
    assert with_heat != without_heat
    with watched_calls(SpritePainter.paint_cells) as draws:  # nothing public tells what is drawn
        assert canvas.grab().toImage() == with_heat
        assert not draws

    canvas.renderer.show_heat(Heat(1 - rising))
    settle(canvas, qtbot)
    assert canvas.grab().toImage() != with_heat
    canvas.renderer.show_heat(None)
    settle(canvas, qtbot)
    assert canvas.grab().toImage() == without_heat


def test_a_slanting_pan_does_not_draw_in_every_frame(qtbot):
    """Neither the strips that come in nor the corners where they meet."""
    canvas = canvas_on(MapDocument(full_world(GRIDS["flat"])), qtbot)
    canvas.zoom(3.0)
    settle(canvas, qtbot)
    canvas.grab()
    steps = 15
    with watched_calls(GroundPainter.draw_area) as draws:  # nothing public tells what is drawn anew
        for _step in range(steps):
            canvas.pan(-4, -3)
            canvas.repaint()
    assert steps * 4 < AHEAD
    assert len(draws) <= 3


def test_while_a_view_is_zoomed_the_kept_ground_is_shown(qtbot):
    """Larger or smaller: a frame in between has the pictures, not only plain colours."""
    document = MapDocument(full_world(GRIDS["flat"]))
    canvas = canvas_on(document, qtbot)
    canvas.zoom(2.0)
    settle(canvas, qtbot)
    canvas.repaint()  # what is prepared is kept when it has been shown
    canvas.zoom(1.02)
    assert not canvas.is_sharp
    draft = pixels(canvas.grab().toImage())
    # A frame as it was before anything was kept.
    canvas._backdrop.forget()
    canvas.sharpening.may_draft = True
    plain = pixels(canvas.grab().toImage())
    assert shades(draft) > 2 * shades(plain)


def shades(found: np.ndarray) -> int:
    return len(np.unique(found.reshape(-1, 3), axis=0))


def pixels(image) -> np.ndarray:
    raw = np.frombuffer(image.constBits(), np.uint8)
    return raw.reshape(image.height(), -1, 4)[:, :, :3].astype(int)


def test_a_view_whose_sprites_take_more_than_their_bound_becomes_sharp(qtbot, monkeypatch):
    # Sprites beyond the real bound take minutes to draw.
    monkeypatch.setattr(sprite_sets, "MAX_BYTES", 1)
    canvas = canvas_on(MapDocument(full_world(GRIDS["flat"])), qtbot)
    canvas.turn_ms = 0  # one sprite a turn
    with watched_calls(Sprites.__init__) as drawn_again:
        canvas.zoom(1.6)
        qtbot.waitUntil(lambda: canvas.is_sharp)
        assert len(drawn_again) == 1
        canvas.pan(5, 3)
        canvas.grab()
    assert len(drawn_again) == 2, "once for each view"


def test_a_turn_draws_for_its_whole_budget_however_long_it_searched_what_is_missing(
    qtbot, monkeypatch
):
    canvas = canvas_on(MapDocument(full_world(GRIDS["flat"])), qtbot)
    canvas.turn_ms = 200
    turns = []
    # As on a map of a million cells, see below.
    batches_of = canvas.renderer.cells.batches

    def search_slowly(*arguments):
        turns.append(arguments)
        time.sleep(0.25)
        yield from batches_of(*arguments)

    monkeypatch.setattr(canvas.renderer.cells, "batches", search_slowly)  # as on a map of a million
    canvas.zoom(1.6)
    qtbot.waitUntil(lambda: canvas.is_sharp)
    assert len(turns) < 20  # a sprite a turn would be hundreds
