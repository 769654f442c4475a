from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting
from app.document.sample import sample_map
from app.render.overlay_options import OVERLAYS, Overlays
from app.render.pictures.terrain_pictures import Pictures
from app.render.renderer import Renderer
from app.render.theme import theme
from app.render.vector.piece_painter import ImagePiecePainter, ShapePiecePainter
from app.render.vector.snapshots import snapshot
from app.render.vector.vector_map import VectorMap
from app.render.viewport import fitting
from randomizer.model.edits.edit import LockEdit
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing, Things
from randomizer.systems.free.system import SYSTEM as FREE
from tests.app.paper.conftest import table
from tests.daily import deep_but
from tests.systems import LISTED

SIZE = QRectF(0, 0, 420, 420)

NOTHING = Overlays(**dict.fromkeys(OVERLAYS, False))


def pixels(image: QImage) -> np.ndarray:
    raw = np.frombuffer(image.constBits(), np.uint8)
    return raw.reshape(image.height(), -1, 4)[:, :, :3].astype(int)


def drawn(battlemap, overlays=NOTHING, *, as_images: bool = True, colours="pictures"):
    """The whole map in ``SIZE``."""
    drawn_in = theme("light", colours)
    viewport = fitting(battlemap.grid, SIZE.size(), 0.2)
    image = QImage(SIZE.size().toSize(), QImage.Format.Format_RGB32)
    image.fill(drawn_in.background)
    painter = QPainter(image)
    painter.translate(viewport.dx, viewport.dy)
    painter.scale(viewport.scale, viewport.scale)
    pieces = ImagePiecePainter(viewport.scale) if as_images else ShapePiecePainter()
    vector_map = VectorMap(
        battlemap,
        battlemap.composite(),
        drawn_in,
        Pictures(),
        overlays,
        pieces,
        drawn_in.background,
    )
    area = painter.transform().inverted()[0].mapRect(SIZE)
    for _ in vector_map.draw_in_steps(painter, area, viewport.scale):
        pass
    painter.end()
    return pixels(image)


def on_the_desk(battlemap, overlays=NOTHING, colours="pictures"):
    renderer = Renderer(theme("light", colours), Pictures())
    renderer.overlays = overlays
    return pixels(renderer.picture(battlemap, battlemap.composite(), 420, 420, 0.2))


@pytest.mark.parametrize("colours", deep_but(["pictures", "colour-blind", "print"], "pictures"))
@pytest.mark.parametrize("layout", deep_but(LAYOUTS, FLAT, OBLIQUE), ids=lambda layout: layout.name)
def test_cells_look_as_on_the_desk(qapp, layout, colours):
    battlemap = table(5, 4, layout)
    shown = replace(NOTHING, elevation=True, grid_lines=True)
    desk = on_the_desk(battlemap, shown, colours)
    for as_images in (True, False):
        apart = np.abs(drawn(battlemap, shown, as_images=as_images, colours=colours) - desk)
        assert apart.mean() < 6
        assert (apart.max(axis=2) > 90).mean() < 0.05


@pytest.mark.parametrize("layout", deep_but(LAYOUTS, FLAT), ids=lambda layout: layout.name)
def test_heights_hexsides_and_relief_look_as_on_the_desk(qapp, layout):
    grid = Grid(layout, 9, 7)
    rng = np.random.default_rng(4)
    battlemap = BattleMap.new(FREE, grid, [Layer(1, "Ground")])
    heights = rng.integers(-1, 4, grid.size)
    places = np.flatnonzero(rng.random(grid.size * grid.degree) < 0.2)
    kinds = rng.integers(1, 6, len(places))
    set_values(battlemap, 1, "elevation", grid.cells, heights).apply(battlemap)
    set_values(battlemap, 1, "hexside", places, kinds).apply(battlemap)
    shown = replace(NOTHING, elevation=True, shading=True, hexsides=True)
    desk = on_the_desk(battlemap, shown)
    bare = on_the_desk(battlemap)
    assert np.abs(desk - bare).mean() > 7
    for as_images in (True, False):
        apart = np.abs(drawn(battlemap, shown, as_images=as_images) - desk)
        assert apart.mean() < 6
        assert (apart.max(axis=2) > 90).mean() < 0.03


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_small_cells_look_as_on_the_desk(qapp, layout):
    battlemap = table(70, 60, layout)
    apart = np.abs(drawn(battlemap) - on_the_desk(battlemap)).max(axis=2)
    assert (apart > 60).mean() < 0.12  # the rims of the board differ


@pytest.mark.parametrize(
    "name",
    ["labels", "names", "grid_lines", "elevation", "hexsides", "passability", "entry_sides"],
)
@pytest.mark.parametrize("as_images", [True, False])
def test_what_is_asked_for_is_drawn(qapp, name, as_images):
    battlemap = sample_map()
    without = drawn(battlemap, as_images=as_images)
    apart = drawn(battlemap, replace(NOTHING, **{name: True}), as_images=as_images) - without
    assert (np.abs(apart).max(axis=2) > 10).mean() > 0.002


def test_the_start_list_locks_and_relief_are_drawn(qapp):
    battlemap = table(5, 4)
    battlemap.system = LISTED
    battlemap.layers[0].properties["first"] = ("0102",)
    LockEdit(False, np.array([7]), np.array([False]), np.array([True])).apply(battlemap)
    LockEdit(True, np.array([50]), np.array([False]), np.array([True])).apply(battlemap)
    without = drawn(battlemap)
    for name, least in (("cell_list", 40), ("locks", 40), ("shading", 12)):
        apart = np.abs(drawn(battlemap, replace(NOTHING, **{name: True})) - without)
        assert apart.max() > least, name


def test_a_leaning_map_of_small_cells_has_its_edge_all_around(qapp):
    """Its left and right edges are far from the box around the map."""
    size = QRectF(0, 0, 400, 200)
    grid = Grid(OBLIQUE, 60, 40)
    battlemap = BattleMap.new(FREE, grid, [Layer(1, "Ground")])
    pictures = []
    for edge in ("#ff0000", "#0000ff"):
        look = replace(theme("light"), board_outline=QColor(edge))
        image = QImage(size.size().toSize(), QImage.Format.Format_RGB32)
        viewport = fitting(grid, size.size(), 0.2)
        piece_painter = ImagePiecePainter(viewport.scale)
        with painting(image) as painter:
            painter.translate(viewport.dx, viewport.dy)
            painter.scale(viewport.scale, viewport.scale)
            area = painter.transform().inverted()[0].mapRect(size)
            vector_map = VectorMap(
                battlemap,
                battlemap.composite(),
                look,
                Pictures(),
                NOTHING,
                piece_painter,
                look.background,
            )
            for _ in vector_map.draw_in_steps(painter, area, viewport.scale):
                pass
        pictures.append(pixels(image))
    is_edge = (pictures[0] != pictures[1]).any(axis=2)
    for row in (10, 20, 30):
        for column in (0, 59):
            point = viewport.to_screen(*grid.centre(grid.cell(column, row)))
            x = round(point.x())
            y = round(point.y())
            assert is_edge[y - 5 : y + 6, x - 5 : x + 6].any(), (row, column)


def test_things_lie_where_they_are(qapp):
    battlemap = table(5, 4)
    x, y = battlemap.grid.centre(11)
    battlemap.layers[0].things.exchange((), (Thing(1, "unit/pikeman", x, y, owner=1),))
    apart = np.abs(drawn(battlemap, replace(NOTHING, things=True)) - drawn(battlemap)).max(axis=2)
    ys, xs = np.nonzero(apart > 30)
    viewport = fitting(battlemap.grid, SIZE.size(), 0.2)
    at = viewport.to_screen(x, y)
    assert (xs.mean(), ys.mean()) == pytest.approx((at.x(), at.y()), abs=8)


@pytest.mark.parametrize("lean", [False, True])
def test_things_of_a_world_that_goes_round_lie_on_their_cells_however_it_leans(qapp, lean):
    """They are kept as the upright map shows them, or as another copy."""
    upright = Grid(OBLIQUE, 8, 6, wrap=True)
    cell = upright.cell(7, 4)
    world = BattleMap.new(FREE, replace(upright, lean=lean), [Layer(1, "Ground")])
    x, y = world.grid.centre(cell)
    pictures = []
    for at in (upright.centre(cell)[0], x, x - 3 * upright.period):
        layer = Layer(1, "Ground", things=Things([Thing(1, "tree", at, y, owner=1)]))
        world.layers[:] = [layer]
        overlays = replace(NOTHING, things=True)
        pictures += [drawn(world, overlays), on_the_desk(world, overlays)]
    for paper, desk in zip(pictures[::2], pictures[1::2], strict=True):
        assert (paper == pictures[0]).all()
        assert (desk == pictures[1]).all()
    world.layers[0].things = Things()
    for picture, without in ((pictures[0], drawn(world)), (pictures[1], on_the_desk(world))):
        ys, xs = np.nonzero(np.abs(picture - without).max(axis=2) > 30)
        to = fitting(world.grid, SIZE.size(), 0.2).to_screen(x, y)
        assert (xs.mean(), ys.mean()) == pytest.approx((to.x(), to.y()), abs=8)


def test_a_snapshot_stays_as_it_was(qapp):
    battlemap = table(5, 4)
    still, shown = snapshot(battlemap, battlemap.composite())
    battlemap.layers[0].planes["terrain"][:] = 0
    battlemap.locked_cells[:] = True
    battlemap.layers[0].things.exchange((), (Thing(1, "tree", 0, 0),))
    assert shown.planes["terrain"].any()
    assert not still.locked_cells.any()
    assert not list(still.visible_things())


def test_a_world_that_goes_round_is_drawn_upright_with_its_seam(qapp):
    from randomizer.systems.free.system import free_map

    battlemap = free_map(OBLIQUE, 8, 6, wrap=True)
    seam = QColor(theme("light").seam)
    apart = np.abs(drawn(battlemap, replace(NOTHING, seam=True)) - drawn(battlemap))
    ys, xs = np.nonzero(apart.max(axis=2) > 40)
    assert seam.isValid()
    assert set((xs // 210).tolist()) == {0, 1}
    assert len(set((ys // 60).tolist())) >= 4
