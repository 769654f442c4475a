"""The ways of a terrain set in the palette: chosen, drawn with the mouse, undone, changed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.grid.layouts import FLAT
from randomizer.model.planes.routes import PRESENT
from randomizer.model.terrain.terrain import Way
from randomizer.systems.free.system import free_map
from tests.app.conftest import finished_picture, mouse

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.MouseButton.NoButton
WAYS = (Way("Road", "road", "#f0e0c0", cost=0.5), Way("River", "water", "#70a8d8"))


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("palette", "tools", "history")


@pytest.fixture
def ways(window, qtbot):
    battlemap = free_map(FLAT, 9, 7)
    battlemap.terrain_set = replace(battlemap.terrain_set, ways=WAYS)
    window.desk.document.open_map(battlemap)
    window.desk.canvas.fit()
    return window


def button(window, name: str) -> QToolButton:
    buttons = window.desk.docks.panel("palette").findChildren(QToolButton)
    return next(each for each in buttons if each.accessibleName() == f"Route {name}")


def drag(window, *cells: tuple[int, int]) -> None:
    canvas = window.desk.canvas
    grid = window.desk.document.battlemap.grid
    points = [canvas.viewport.to_screen(*grid.centre(grid.cell(*at))).toPoint() for at in cells]
    mouse(canvas, "MouseButtonPress", points[0], LEFT, LEFT)
    for point in points[1:]:
        mouse(canvas, "MouseMove", point, NONE, LEFT)
    mouse(canvas, "MouseButtonRelease", points[-1], LEFT, NONE)


def pixels(window, qtbot) -> np.ndarray:
    image = finished_picture(window.desk.canvas, qtbot)
    at = QPoint(0, 0)
    return np.array(
        [
            [image.pixelColor(at + QPoint(x, y)).getRgb()[:3] for x in range(0, image.width(), 4)]
            for y in range(0, image.height(), 4)
        ]
    )


def test_a_river_and_a_road_are_drawn_with_the_mouse_and_undone(ways, qtbot):
    document = ways.desk.document
    bare = pixels(ways, qtbot)
    QTest.mouseClick(button(ways, "River"), LEFT)
    assert ways.desk.tools.name == "route"
    drag(ways, (4, 0), (4, 6))
    QTest.mouseClick(button(ways, "Road"), LEFT)
    drag(ways, (1, 3), (1, 3))
    drag(ways, (7, 3), (7, 3))
    planes = document.composite.planes
    assert planes["way2"][:, 4].tolist() == [
        PRESENT | 1 << 3,
        *[PRESENT | 1 << 3 | 1] * 5,
        PRESENT | 1,
    ]
    assert (planes["way1"] > 0).sum() == 7
    drawn = pixels(ways, qtbot)
    assert (np.abs(drawn - bare).max(axis=2) > 40).sum() > 200
    assert [step.text for step in document.history.steps[-2:]] == [
        "Lay route, 7 hexes by 0501",
        "Lay route, 7 hexes by 0403",
    ]
    ways.desk.commands.run("edit.undo")
    ways.desk.commands.run("edit.undo")
    assert not planes_used(document)
    assert (pixels(ways, qtbot) == bare).all()


def planes_used(document) -> list[str]:
    names = ("way1", "way2", "flow", "flow_width")
    return [name for name in names if document.composite.planes[name].any()]


def test_the_palette_offers_the_ways_that_the_set_has_now(ways):
    document = ways.desk.document
    QTest.mouseClick(button(ways, "River"), LEFT)
    drag(ways, (4, 0), (4, 6))
    known = document.battlemap.terrain_set
    track = Way("Track", "track", "#806040", description="Muddy")
    edit = change_terrain_set(document.battlemap, replace(known, ways=(track,)))
    document.push(edit, "Change terrains")
    assert "Muddy" in button(ways, "Track").toolTip()
    assert "No longer in the terrain set" in button(ways, "River").toolTip()
    assert document.composite.planes["way2"].any()
    drag(ways, (1, 1), (1, 2))  # what was chosen is still the second way
    assert document.composite.planes["way2"][1, 1]
