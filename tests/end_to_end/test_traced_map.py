"""A printed map is taken back: its picture laid under an empty map, traced, the doubtful walked."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.map_picture.feature import MapPictures
from app.features.map_picture.tracing import TracingState
from app.paper.bitmaps import png
from app.paper.picture_request import ON_PAPER, PictureRequest
from app.paper.steps import run
from randomizer.model.map_picture import picture_of
from randomizer.systems.free.system import free_map
from tests.app.conftest import mouse
from tests.randomizer.systems.free.landscape.rolled import roll

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton
MOVED = 0.7
"""By how much the picture lies wrong at first, in map units."""


@pytest.mark.deep
def test_a_landscape_is_taken_from_its_picture(window, qtbot, hand, tmp_path) -> None:
    _rolled, land = roll({"layout": "flat", "width": 12, "height": 9}, seed=4)
    bare = replace(ON_PAPER, labels=False, thing_names=False)
    data = run(png(PictureRequest(pixels=56.0, overlays=bare), land, land.composite()))
    (tmp_path / "land.png").write_bytes(data)
    truth = land.values("terrain").ravel()

    desk = window.desk
    document = window.desk.document
    document.open_map(free_map(land.grid.layout, 12, 9))
    desk.canvas.fit()
    desk.commands.run("map.picture")
    panel = desk.docks.panel("picture")
    pictures = desk.findChild(MapPictures)
    hand.expect("A picture under the map").type_path(tmp_path / "land.png")
    panel.open_button.click()
    qtbot.waitUntil(lambda: pictures.picture is not None)
    lies = pictures.picture
    pictures.push(lies.similar(1, 0, MOVED, 0), "Move it away")

    panel.place_button.click()  # and back by the mouse
    x, y = document.battlemap.grid.centre(50)
    points = [desk.canvas.viewport.to_screen(x + away, y).toPoint() for away in (MOVED, 0)]
    mouse(desk.canvas, "MouseButtonPress", points[0], LEFT, LEFT)
    mouse(desk.canvas, "MouseMove", points[1], NONE, LEFT)
    mouse(desk.canvas, "MouseButtonRelease", points[1], LEFT, NONE)
    np.testing.assert_allclose(pictures.picture.middle, lies.middle, atol=0.05)

    steps = document.history.index
    panel.take_button.click()
    qtbot.waitUntil(lambda: pictures.tracing.state is not TracingState.UNDER_WAY)
    assert document.history.index == steps + 1
    shown = document.battlemap.values("terrain").ravel()
    doubtful = document.selection.cells
    certain = np.setdiff1d(document.battlemap.grid.cells, doubtful)
    assert len(certain) > 0.7 * len(truth)
    assert (shown[certain] == truth[certain]).mean() > 0.95

    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    walked = []
    for _ in doubtful:
        QTest.keyClick(window, Qt.Key.Key_F4)
        walked.append(desk.canvas.keyboard_cursor.cell)
    assert walked == doubtful.tolist()

    document.undo()
    assert not any(layer.planes for layer in document.battlemap.layers)
    placed = picture_of(document.battlemap.records)
    assert placed is not None
    document.redo()
    np.testing.assert_array_equal(document.battlemap.values("terrain").ravel(), shown)
