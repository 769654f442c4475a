"""Maps seen from afar: their pictures made smaller, in tiles that edits draw again in part."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.map_view import MapView
from app.render.raster import far_tiles
from app.render.raster.backdrop import Backdrop
from app.render.raster.far_tile import halved
from app.render.raster.overview_painter import OverviewPainter
from app.render.raster.tile_drawer import TileDrawer
from app.render.raster.tile_levels import TILE
from app.render.renderer import Renderer
from app.render.scene.scene import Scene
from app.render.theme import theme
from app.render.viewport import Viewport
from randomizer.model.edits.value_edits import set_locks, set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, POINTY, SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.terrain.terrain import TerrainSet, Way
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.free.system import SYSTEM as FREE
from tests.app.render.drawing import SIZE, blank_image, draw
from tests.app.render.vector.test_vector_map import pixels
from tests.counting import watched_calls

AREA = QRectF(0, 0, *SIZE)
SCALES = (0.7, 1.5, 3.0, 6.0)
RAILWAY = Way("Railway", "rail", "#ff0000")


def world(layout, seed=1, system=FREE, width=50, height=40):
    """A map with random terrains and elevations, with a kind of way."""
    rng = np.random.default_rng(seed)
    layer = Layer(1, "Ground")
    layer.planes["terrain"] = rng.integers(0, 5, (height, width)).astype("u2")
    layer.planes["elevation"] = rng.integers(0, 2, (height, width)).astype("i2")
    own = system.terrain_set
    terrain_set = TerrainSet("set", own.terrains, own.hexsides, own.elevations, (RAILWAY,))
    return BattleMap.new(system, Grid(layout, width, height), [layer], terrain_set=terrain_set)


class Canvas:
    """A document, the renderer that follows it, and what is kept of its picture."""

    def __init__(self, battlemap, renderer=None):
        self.document = MapDocument(battlemap)
        self.renderer = renderer or Renderer(theme("light"))
        self.renderer.ground.draw_in_turns(60_000)
        self.backdrop = Backdrop()
        self.renderer.follow(battlemap)
        self.document.changed.connect(self.renderer.changed)

        self.is_draft = False

    def frame(self, viewport, *, kept=True):
        image = blank_image(1.0)
        painter = QPainter(image)
        painter.setClipRect(AREA)
        view = MapView(self.document.battlemap, self.document.composite, viewport)
        backdrop = self.backdrop if kept else Backdrop()
        self.is_draft = self.renderer.paint(painter, view, AREA, backdrop=backdrop).is_draft
        painter.end()
        return image

    def prepare(self, viewport, ms=10_000):
        view = MapView(self.document.battlemap, self.document.composite, viewport)
        return self.renderer.prepare(view, AREA, ms, backdrop=self.backdrop)

    def sharp(self, viewport):
        while not self.prepare(viewport):
            pass
        image = self.frame(viewport, kept=False)
        assert not self.is_draft
        return pixels(image)


def flat_picture(canvas, viewport):
    """One colour a cell, as of renderers without tiles."""
    image = blank_image(1.0)
    draw(Renderer(theme("light")), canvas.document, viewport, image, AREA)
    return pixels(image)


def view_of(battlemap, scale):
    left, top, _right, _bottom = battlemap.grid.bounds
    return Viewport(scale, 9.3 - left * scale, 7.6 - top * scale)


@pytest.mark.parametrize(
    ("scale", "width", "height"),
    # Drawing takes most of the time: the daily map is small.
    [(0.7, 24, 18), *(pytest.param(scale, 50, 40, marks=pytest.mark.deep) for scale in SCALES)],
)
@given(data=st.data())
@settings(max_examples=4)
def test_after_any_edits_the_picture_is_the_one_drawn_anew(qapp, scale, width, height, data):
    layout = data.draw(st.sampled_from(LAYOUTS))
    canvas = Canvas(world(layout, width=width, height=height))
    battlemap = canvas.document.battlemap
    document = canvas.document
    viewport = view_of(battlemap, scale)
    canvas.sharp(viewport)
    for _ in range(data.draw(st.integers(1, 4))):
        plane, value = data.draw(
            st.sampled_from([("terrain", 3), ("terrain", 11), ("elevation", 4), ("hexside", 1)])
        )
        first = data.draw(st.integers(0, battlemap.grid.size - 1))
        cells = np.arange(first, min(first + data.draw(st.integers(1, 90)), battlemap.grid.size))
        if plane == "hexside":
            cells = cells * battlemap.grid.degree
        document.push(set_values(battlemap, 1, plane, cells, value), "Paint")
        if data.draw(st.booleans()):
            canvas.frame(viewport)
    assert (canvas.sharp(viewport) == Canvas(battlemap).sharp(viewport)).all()


def test_a_small_edit_shows_in_the_next_frame_and_draws_only_its_part(qapp):
    canvas = Canvas(world(POINTY))
    battlemap = canvas.document.battlemap
    viewport = view_of(battlemap, 3.0)
    before = canvas.sharp(viewport)
    cell = 12 * battlemap.grid.width + 14
    # Nothing public tells what is drawn anew.
    with watched_calls(TileDrawer.draw) as blocks:
        canvas.document.push(set_values(battlemap, 1, "terrain", np.array([cell]), 11), "Paint")
        after = pixels(canvas.frame(viewport, kept=False))
    (block,) = blocks
    assert block["box"].width() < 70 > block["box"].height(), "a few cells of eight pixels"
    assert (after == Canvas(battlemap).sharp(viewport)).all()
    assert (after != before).any()


@pytest.mark.deep
def test_until_it_is_drawn_the_flat_picture_shows_and_turns_are_short(qapp, monkeypatch):
    canvas = Canvas(world(FLAT))
    viewport = view_of(canvas.document.battlemap, 4.0)
    turns = []
    flat = pixels(canvas.frame(viewport))
    assert canvas.is_draft, "it is to be prepared"
    # Time stands still: each part takes longer than the turn has.
    monkeypatch.setattr(far_tiles.FarTiles, "_draw_box", lambda *_: turns.append(1))
    assert not canvas.prepare(viewport, 0), "a turn without time ends"
    monkeypatch.undo()
    assert (flat == flat_picture(canvas, viewport)).all()
    assert (canvas.sharp(viewport) != flat).any()


class LateOverviewPainter(OverviewPainter):
    """Its overview takes longer than a turn of 10 ms."""

    def cell_colours(self, battlemap):
        time.sleep(0.02)
        return super().cell_colours(battlemap)


def test_what_the_overview_takes_of_a_turn_the_tiles_do_not_have(qapp):
    renderer = Renderer(theme("light"))
    renderer.ground.overview = LateOverviewPainter(renderer.cells)
    canvas = Canvas(world(FLAT), renderer)
    viewport = view_of(canvas.document.battlemap, 4.0)
    canvas.sharp(viewport)  # reads the pictures
    canvas.renderer.follow(canvas.document.battlemap)  # forgets the overview and the tiles
    # Nothing public tells what is drawn anew.
    with watched_calls(TileDrawer.draw) as blocks:
        canvas.prepare(viewport, 10)
        assert not blocks
        canvas.prepare(viewport, 10)
        assert blocks, "the next turn draws tiles"


@pytest.mark.deep
def test_a_block_that_takes_several_turns_is_decided_once(qapp):
    canvas = Canvas(world(POINTY))
    viewport = view_of(canvas.document.battlemap, 3.0)
    # Nothing public tells what is drawn anew.
    with watched_calls(TileDrawer.draw) as drawings:
        turns = turns_of(canvas, viewport)
    blocks = {(drawing["level"], drawing["box"].getRect()) for drawing in drawings}
    assert turns > len(drawings), "a turn is shorter than a block"
    assert len(drawings) == len(blocks)
    with watched_calls(Scene.land) as scenes:
        turns_of(canvas, viewport)
    assert len(scenes) == len(blocks)
    assert (canvas.sharp(viewport) == Canvas(world(POINTY)).sharp(viewport)).all()


def turns_of(canvas: Canvas, viewport: Viewport) -> int:
    """Draw all that is seen anew; return how many turns end before all is drawn."""
    canvas.renderer.follow(canvas.document.battlemap)
    turns = 0
    while not canvas.prepare(viewport, 1):
        turns += 1
    return turns


def test_an_edit_while_a_block_is_drawn_is_seen(qapp):
    canvas = Canvas(world(POINTY))
    battlemap = canvas.document.battlemap
    viewport = view_of(battlemap, 3.0)
    cells = np.arange(0, battlemap.grid.size - 3, 3)
    for turn in range(12):
        canvas.prepare(viewport, 1)
        canvas.document.push(set_values(battlemap, 1, "terrain", cells + turn % 3, 11), "Paint")
    assert (canvas.sharp(viewport) == Canvas(battlemap).sharp(viewport)).all()


def test_few_blocks_are_begun_at_a_time(qapp, monkeypatch):
    canvas = Canvas(world(POINTY))
    tiles = canvas.renderer.ground.far_tiles
    for scale in (1.5, 3.0, 3.1, 6.0, 7.0):
        viewport = view_of(canvas.document.battlemap, scale)
        canvas.prepare(viewport, 1)
        assert tiles.unfinished_count <= far_tiles.MAX_UNFINISHED


@pytest.mark.parametrize(
    "scale", [1.5, *(pytest.param(scale, marks=pytest.mark.deep) for scale in (0.7, 3.0))]
)
def test_a_railway_is_seen_from_afar(qapp, scale):
    battlemap = world(POINTY)
    canvas = Canvas(battlemap)
    viewport = view_of(battlemap, scale)
    bare = canvas.sharp(viewport)
    row = 20 * battlemap.grid.width
    canvas.document.push(
        set_values(battlemap, 1, "way1", np.arange(row, row + 50), 0x40 | 1 << 1 | 1 << 4), "Road"
    )
    more = canvas.sharp(viewport) - bare
    redder = more[..., 2] - more[..., 1] > 30
    columns = redder.any(axis=0)
    line = columns[round(12 + 10 * scale) : round(44 * scale)]
    assert line.all(), "without gaps"


@pytest.mark.deep
def test_locks_show_from_afar_and_boards_have_a_picture(qapp):
    for system, layout in ((COLOSSUS, FLAT), (FREE, SQUARE)):
        canvas = Canvas(world(layout, system=system))
        battlemap = canvas.document.battlemap
        viewport = view_of(battlemap, 4.0)
        bare = canvas.sharp(viewport)
        canvas.document.push(set_locks(battlemap, np.arange(400), True), "Lock")
        assert (canvas.sharp(viewport) != bare).any()


@pytest.mark.deep
def test_tiles_take_a_limited_room(qapp, monkeypatch):
    monkeypatch.setattr(far_tiles, "MAX_BYTES", 6 * TILE * TILE * 4)  # 96 MB take a minute
    canvas = Canvas(world(SQUARE, width=300, height=300))
    for x in range(0, 600, 200):
        canvas.sharp(Viewport(5.0, -x, -x / 2))
        assert canvas.renderer.ground.far_tiles.bytes <= far_tiles.MAX_BYTES
    for x in range(0, 1000, 100):  # a pan that leaves no time to draw a view to its end
        canvas.prepare(Viewport(5.0, -x, -600), ms=0)
        assert canvas.renderer.ground.far_tiles.bytes <= far_tiles.MAX_BYTES


def test_halving_takes_the_mean_of_each_channel():
    rng = np.random.default_rng(1)
    image = rng.integers(0, 256, (8, 10, 4)).astype(np.uint8)
    smaller = halved(image.view(np.uint32)[..., 0]).copy().view(np.uint8).reshape(4, 5, 4)
    mean = image.reshape(4, 2, 5, 2, 4).mean(axis=(1, 3))
    assert np.abs(smaller - mean).max() <= 1


def test_the_canvas_sharpens_a_map_seen_from_afar_and_an_edit_shows_in_it(qtbot):
    battlemap = world(POINTY)
    viewport = view_of(world(POINTY), 3.0)

    def shown(canvas):
        canvas.grab()  # a widget is not repainted before its window is exposed
        qtbot.waitUntil(lambda: not canvas.drafted)
        return pixels(canvas.grab().toImage())

    def opened():
        canvas = MapCanvas(MapDocument(battlemap), Renderer(theme("light")))
        qtbot.addWidget(canvas)
        canvas.resize(*SIZE)
        canvas.show()
        canvas.show_viewport(viewport)
        return canvas

    canvas = opened()
    before = shown(canvas)
    assert (before[: SIZE[1]] != flat_picture(canvas, viewport)).any()
    cells = np.arange(1000, 1010)
    canvas.document.push(set_values(battlemap, 1, "terrain", cells, 11), "Paint")
    assert (shown(canvas) == shown(opened())).all()
    assert (shown(canvas) != before).any()


def test_a_map_that_cannot_be_drawn_from_afar_is_shown_flat(qapp, monkeypatch, report_faults_to):
    canvas = Canvas(world(POINTY))
    viewport = view_of(canvas.document.battlemap, 3.0)
    faults = []
    report_faults_to(faults.append)
    # A fault of the program's own, which no map brings.
    monkeypatch.setattr("app.render.raster.tile_drawer.paint_marks", lambda *_: 1 / 0)
    while not canvas.prepare(viewport):
        pass
    assert len(faults) == 1, "and is said once"
    assert (pixels(canvas.frame(viewport)) == flat_picture(canvas, viewport)).all()
