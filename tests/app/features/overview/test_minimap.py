"""The overview: in step with every edit, and a way to move the view."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.features.overview.panel import Minimap
from app.render.renderer import Renderer
from app.render.scene.things.looks import OWNERS
from app.render.theme import theme
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT, LAYOUTS, OBLIQUE, SQUARE
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map

STONE = 9


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("overview",)


def overview(document: MapDocument) -> Minimap:
    canvas = MapCanvas(document, Renderer(theme("light")))
    canvas.resize(400, 300)
    minimap = Minimap(canvas)
    minimap.canvas_of_test = canvas
    minimap.resize(230, 170)
    minimap.show()
    minimap.grab()
    return minimap


@pytest.fixture
def large(qtbot) -> Minimap:
    minimap = overview(MapDocument(free_map(SQUARE, 300, 200)))
    qtbot.addWidget(minimap)
    qtbot.addWidget(minimap.canvas_of_test)
    return minimap


def paint(document: MapDocument, cells, terrain: int) -> None:
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", cells, terrain)
    document.push(edit, "Paint")


def test_a_battleland_fits_and_needs_none_a_large_map_does(qtbot, large, document):
    small = overview(document)
    qtbot.addWidget(small)
    qtbot.addWidget(small.canvas_of_test)
    assert large.is_worth_showing
    assert not small.is_worth_showing


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@settings(max_examples=15)
@given(data=st.data())
def test_the_picture_after_edits_is_the_picture_drawn_again(qapp, layout, data):
    minimap = overview(MapDocument(free_map(layout, 40, 30, wrap=True)))
    document = minimap.canvas_of_test.document
    for _ in range(data.draw(st.integers(1, 4))):
        cells = data.draw(st.lists(st.integers(0, 1199), min_size=1, max_size=9, unique=True))
        paint(document, sorted(cells), data.draw(st.integers(0, 10)))
    if data.draw(st.booleans()):
        document.undo()
    after_edits = minimap.grab().toImage()
    minimap.refresh()
    assert minimap.grab().toImage() == after_edits


def test_a_click_moves_the_view_there_and_a_drag_goes_on(large):
    canvas = large.canvas_of_test
    canvas.zoom(20)
    for point in (QPoint(60, 50), QPoint(150, 100)):
        QTest.mouseClick(large, Qt.MouseButton.LeftButton, pos=point)
        x, y = large.viewport.to_map(point.toPointF())
        middle = canvas.viewport.to_map(canvas.rect().center().toPointF())
        assert abs(middle[0] - x) < 1
        assert abs(middle[1] - y) < 1
    assert large.visible_rect().contains(QPoint(150, 100).toPointF())


def test_arrow_keys_move_the_view(large):
    canvas = large.canvas_of_test
    canvas.zoom(20)
    before = canvas.viewport
    QTest.keyClick(large, Qt.Key.Key_Right)
    QTest.keyClick(large, Qt.Key.Key_Down)
    assert (canvas.viewport.dx, canvas.viewport.dy) == (before.dx - 100, before.dy - 75)


def test_the_frame_follows_the_size_of_the_canvas(large, qtbot):
    canvas = large.canvas_of_test
    canvas.show()
    canvas.zoom(20)
    frame = large.visible_rect()
    with qtbot.waitSignal(canvas.viewport_changed):
        canvas.resize(canvas.width(), canvas.height() // 2)
    assert large.visible_rect().height() < frame.height()


def test_what_was_not_seen_is_drawn_when_it_is(large):
    document = large.canvas_of_test.document
    large.hide()
    paint(document, [0], STONE)
    large.show()
    large.grab()
    assert large.map_image.pixels[0, 0] != large.map_image.pixels[-1, -1]


def test_a_reshaped_map_is_drawn_again(large):
    document = large.canvas_of_test.document
    document.replace_map(free_map(SQUARE, 100, 300))
    large.grab()
    assert large.map_image.pixels.shape[0] > large.map_image.pixels.shape[1]


def test_after_other_terrains_the_cells_have_their_colours(large):
    document = large.canvas_of_test.document
    paint(document, [0], STONE)
    large.grab()
    known = document.battlemap.terrain_set
    in_other_order = replace(known, terrains=known.terrains[::-1])
    assert document.push(change_terrain_set(document.battlemap, in_other_order), "Sort")
    large.grab()
    changed = large.map_image.pixels.copy()
    large.refresh()
    large.grab()
    assert np.array_equal(changed, large.map_image.pixels)


def test_a_world_that_leans_is_shown_as_on_the_canvas(qtbot):
    """Beside its slanting rows is nothing, although the world goes round."""
    document = MapDocument(free_map(OBLIQUE, 40, 30, wrap=True))
    minimap = overview(document)
    qtbot.addWidget(minimap)
    qtbot.addWidget(minimap.canvas_of_test)
    document.set_lean(True)
    minimap.grab()
    cells = minimap.map_image.sampler.cells
    assert cells[1, 1] == cells[-2, -2] == -1
    assert cells[1, -2] >= 0
    assert cells[-2, 1] >= 0
    assert len(np.unique(cells[cells >= 0])) > 1000


def test_things_of_players_are_dots_and_trees_are_not_shown(large):
    document = large.canvas_of_test.document
    ground = large.grab().toImage()
    tree = Thing(1, "Tree", 150.0, 100.0)
    document.push(add_things(document.battlemap, document.active_layer_id, [tree]), "Plant")
    assert large.grab().toImage() == ground

    town = Thing(2, "Town", 150.0, 100.0, owner=2)
    document.push(add_things(document.battlemap, document.active_layer_id, [town]), "Found")
    point = large.viewport.to_screen(town.x, town.y).toPoint()
    assert large.grab().toImage().pixelColor(point).name() == OWNERS[1]
    document.undo()
    assert large.grab().toImage() == ground


def test_a_large_map_brings_the_overview_until_it_is_closed(window, qtbot, settings):
    dock = window.desk.docks["overview"]
    assert not dock.isVisible()
    window.desk.document.open_map(free_map(FLAT, 1000, 1000))
    assert dock.isVisible()
    window.desk.document.make_current(window.desk.document.maps[0])
    assert not dock.isVisible()
    window.desk.document.make_current(window.desk.document.maps[1])
    dock.close()
    window.desk.document.make_current(window.desk.document.maps[0])
    window.desk.document.make_current(window.desk.document.maps[1])
    assert not dock.isVisible()
    assert not settings.overview
    window.desk.commands.run("panel.overview")
    assert dock.isVisible()
    assert settings.overview
