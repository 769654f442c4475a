"""What is drawn in place of the map while the players' overlay hides what is secret."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from app.canvas.canvas import MapCanvas
from app.document.document import MapDocument
from app.render.renderer import Renderer
from app.render.theme import theme
from randomizer.model.edits.stack_edits import LayerInsert
from randomizer.model.edits.value_edits import set_values
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.layer import Layer
from randomizer.systems.free.system import free_map

SWAMP = 3


@pytest.fixture
def canvas(qtbot) -> MapCanvas:
    """A canvas that shows what players see of a map with a secret swamp."""
    battlemap = free_map(FLAT, 6, 5)
    renderer = Renderer(theme("light"))
    renderer.overlays = replace(renderer.overlays, players=True)
    canvas = MapCanvas(MapDocument(battlemap), renderer)
    document = canvas.document
    document.push(LayerInsert(1, Layer(2, "Ambush", secret=True)), "Add a layer")
    document.push(set_values(battlemap, 2, "terrain", [14, 15], SWAMP), "Paint")
    qtbot.addWidget(canvas)
    canvas.resize(500, 400)
    canvas.show()
    qtbot.waitExposed(canvas)
    qtbot.waitUntil(lambda: canvas.is_sharp)
    QApplication.processEvents()
    return canvas


def window_of(canvas):
    """What the window shows, without painting anything again."""
    QApplication.processEvents()
    return canvas.screen().grabWindow(canvas.winId()).toImage()


def test_what_is_secret_goes_again_with_the_table_that_was_shown_instead(canvas):
    for_players = window_of(canvas)
    whole = canvas.document.composite.copy()
    canvas.show_instead(whole)
    assert window_of(canvas) != for_players, "the table has the swamp"
    canvas.show_instead(None)
    assert window_of(canvas) == for_players


def test_a_map_that_was_left_right_after_an_edit_comes_back_without_its_secrets(canvas, qtbot):
    document = canvas.document
    first = document.current_map
    document.push(set_values(document.battlemap, 2, "terrain", [20], SWAMP), "Paint")
    document.open_map(free_map(FLAT, 6, 5))
    assert canvas.drawn_maps.pop(first) is None, "that drawing is not all of the map"
