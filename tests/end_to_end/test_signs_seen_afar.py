"""Seen from afar a town is an icon that hides smaller things: what is seen is what one gets."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import SQUARE
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.things.things import Thing, Things
from randomizer.systems.zeroad.system import SYSTEM as ZEROAD
from tests.app.conftest import mouse

LEFT = Qt.MouseButton.LeftButton

TOWN = 1
WOMAN = 2
DEER = 3
TREE = 4


@pytest.fixture
def window(shared_window):
    shared_window.resize(1400, 1000)
    return shared_window


@pytest.fixture
def desk(window):
    """The desk with a town, a woman at its gate and a deer, and a tree on the layer above."""
    settlement = Things(
        [
            Thing(TOWN, "structures/athen/civil_centre", 100, 100, owner=1),
            Thing(WOMAN, "units/athen/support_female_citizen", 102, 100, owner=1),
            Thing(DEER, "gaia/fauna_deer", 150, 100),
        ]
    )
    wood = Things([Thing(TREE, "gaia/tree/oak", 100, 102)])
    layers = [Layer(1, "Land", things=settlement), Layer(2, "Wood", things=wood)]
    desk = window.desk
    desk.document.show_map(BattleMap.new(ZEROAD, Grid(SQUARE, 192, 192), layers))
    desk.tools.choose("things")
    desk.canvas.fit()
    return desk


def point(desk, x: float, y: float) -> QPoint:
    return desk.canvas.viewport.to_screen(x, y).toPoint()


def click(desk, at: QPoint) -> list[int]:
    """Click, and return the ids of what is picked."""
    QTest.mouseClick(desk.canvas, LEFT, pos=at)
    return [thing.id for thing in desk.document.picked]


@pytest.mark.parametrize("place", [(100, 100), (102, 100), (100, 102)])
def test_the_icon_of_a_town_is_picked_wherever_it_is_clicked(desk, place):
    assert click(desk, point(desk, *place)) == [TOWN]


def test_the_icon_of_a_town_is_dragged_and_what_it_hid_stays(desk):
    start = point(desk, 102, 100)
    end = point(desk, 60, 60)
    QTest.mousePress(desk.canvas, LEFT, pos=start)
    mouse(desk.canvas, "MouseMove", end, LEFT, LEFT)
    QTest.mouseRelease(desk.canvas, LEFT, pos=end)
    battlemap = desk.document.battlemap
    town = battlemap.thing(TOWN)
    woman = battlemap.thing(WOMAN)
    assert (town.x, town.y) == (60, 60)
    assert (woman.x, woman.y) == (102, 100)
    assert click(desk, start) == [WOMAN], "now she is seen"


def test_beside_the_icon_a_small_thing_is_picked(desk):
    assert click(desk, point(desk, 150, 100)) == [DEER]


def test_from_near_each_thing_is_picked_where_it_stands(desk):
    desk.canvas.zoom(27.0, QPointF(point(desk, 100, 100)))
    assert click(desk, point(desk, 102, 100)) == [WOMAN]
    assert click(desk, point(desk, 100, 100)) == [TOWN]
