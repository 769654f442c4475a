"""What is drawn of a map stays while another one is shown, and where a change leaves it alone."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor, QImage

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.raster.tile_drawer import TileDrawer
from app.render.raster.tile_levels import TILE
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.terrain.terrain import Terrain
from randomizer.systems.free.system import free_map
from tests.counting import watched_calls


def sharp_picture(canvas, qtbot) -> QImage:
    """The canvas when nothing of it is drafted any more."""
    canvas.grab()
    qtbot.waitUntil(lambda: canvas.is_sharp)
    return canvas.grab().toImage()


def land(seed: int) -> BattleMap:
    """A free map of random terrains, none of which is the last one."""
    battlemap = free_map(FLAT, 60, 40)
    terrains = np.random.default_rng(seed).integers(1, 9, (40, 60))
    battlemap.layers[0].planes["terrain"] = terrains.astype("u2")
    return battlemap


@pytest.fixture
def blocks():
    """The calls by which blocks are drawn of any map."""
    with watched_calls(TileDrawer.draw) as calls:  # nothing public tells what is drawn anew
        yield calls


@pytest.fixture
def canvas(qtbot, blocks) -> MapCanvas:
    canvas = MapCanvas(MapDocument(land(1)), Renderer(theme("light")))
    qtbot.addWidget(canvas)
    canvas.resize(700, 600)
    canvas.show()
    qtbot.waitExposed(canvas)
    canvas.fit()
    return canvas


@pytest.mark.deep
def test_a_map_that_is_shown_again_is_not_drawn_again(canvas, qtbot, blocks):
    document = canvas.document
    first = document.current_map
    before = sharp_picture(canvas, qtbot)
    second = document.add_map(type(first)(land(2)), in_place=False)
    other = sharp_picture(canvas, qtbot)
    assert other != before
    assert blocks
    blocks.clear()
    for open_map, picture in ((first, before), (second, other), (first, before)):
        document.make_current(open_map)
        assert canvas.grab().toImage() == picture, "at once"
    assert not blocks


@pytest.mark.deep
def test_a_map_that_changed_meanwhile_is_shown_as_it_is(canvas, qtbot):
    document = canvas.document
    first = document.current_map
    sharp_picture(canvas, qtbot)
    document.add_map(type(first)(land(2)), in_place=False)
    sharp_picture(canvas, qtbot)
    document.make_current(first)
    document.push(set_values(first.battlemap, 1, "terrain", np.arange(900, 1000), 2), "Paint")
    changed = sharp_picture(canvas, qtbot)
    document.make_current(document.maps[1])
    sharp_picture(canvas, qtbot)
    document.make_current(first)
    document.undo()
    document.make_current(document.maps[1])
    document.make_current(first)
    document.redo()
    assert sharp_picture(canvas, qtbot) == changed


@pytest.mark.deep
def test_what_is_kept_is_bounded_and_goes_with_its_map(canvas, qtbot):
    document = canvas.document
    first = document.current_map
    sharp_picture(canvas, qtbot)
    second = document.add_map(type(first)(land(2)), in_place=False)
    sharp_picture(canvas, qtbot)
    assert list(canvas.drawn_maps.drawings) == [first.key]
    document.close_map(first)
    assert not canvas.drawn_maps.drawings
    canvas.drawn_maps.max_bytes = 40 * TILE * TILE * 4
    for seed in range(3, 6):
        document.add_map(type(second)(land(seed)), in_place=False)
        sharp_picture(canvas, qtbot)
        kept = [drawn.bytes for drawn in canvas.drawn_maps.drawings.values()]
        assert kept
        assert sum(kept) + canvas.renderer.ground.tile_bytes <= canvas.drawn_maps.max_bytes
    assert len(kept) < 4, "of the last maps"


@pytest.mark.deep
def test_a_terrain_that_is_added_leaves_the_picture_as_it_is(canvas, qtbot, blocks):
    document = canvas.document
    before = sharp_picture(canvas, qtbot)
    blocks.clear()
    own = document.battlemap.terrain_set
    more = type(own)(own.name, (*own.terrains, Terrain("Peat", "#4a3020")), *tail(own))
    document.push(change_terrain_set(document.battlemap, more), "Add a terrain")
    assert canvas.grab().toImage() == before
    assert not blocks
    cells = np.arange(0, document.battlemap.grid.size, 7)
    document.push(set_values(document.battlemap, 1, "terrain", cells, len(own.terrains)), "Paint")
    painted = sharp_picture(canvas, qtbot)
    fresh = MapCanvas(MapDocument(document.battlemap), Renderer(theme("light")))
    qtbot.addWidget(fresh)
    fresh.resize(700, 600)
    fresh.show()
    qtbot.waitExposed(fresh)
    fresh.fit()
    assert sharp_picture(fresh, qtbot) == painted
    blocks.clear()
    document.undo()
    document.undo()
    assert sharp_picture(canvas, qtbot) == before


def tail(terrain_set) -> tuple[object, ...]:
    return terrain_set.hexsides, terrain_set.elevations, terrain_set.ways


@pytest.mark.deep
def test_a_recoloured_terrain_changes_its_own_cells_and_a_removed_one_all(canvas, qtbot):
    document = canvas.document
    before = sharp_picture(canvas, qtbot)
    own = document.battlemap.terrain_set
    terrains = list(own.terrains)
    terrains[3] = Terrain(terrains[3].name, "#ff00ff", terrains[3].letters)
    other = type(own)(own.name, tuple(terrains), *tail(own))
    document.push(change_terrain_set(document.battlemap, other), "Recolour")
    recoloured = sharp_picture(canvas, qtbot)
    assert recoloured != before
    document.push(
        change_terrain_set(document.battlemap, type(own)(own.name, own.terrains[:5], *tail(own))),
        "Remove",
    )
    sharp_picture(canvas, qtbot)
    document.undo()
    assert sharp_picture(canvas, qtbot) == recoloured
    document.undo()
    assert sharp_picture(canvas, qtbot) == before


def test_the_picture_begins_at_the_mouse(canvas, qtbot, blocks):
    document = canvas.document
    at = QPoint(canvas.width() - 30, canvas.height() - 80)
    QCursor.setPos(canvas.mapToGlobal(at))
    blocks.clear()
    document.add_map(type(document.current_map)(land(9)), in_place=False)
    sharp_picture(canvas, qtbot)
    corners = [(block["box"].left(), block["box"].top()) for block in blocks]
    lefts, tops = zip(*corners, strict=True)
    assert corners[0] == (max(lefts), max(tops)), "the tile at the right bottom"
    assert corners[-1] == (min(lefts), min(tops))
