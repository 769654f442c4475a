"""Rivers, roads and railways laid by hand."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from app.canvas.hover_text import explain_cell
from randomizer.model.grid.layouts import FLAT
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.cordery.table.areas import ROUTES, TRACK
from randomizer.systems.free.system import free_map
from tests.app.conftest import mouse
from tests.app.cordery_tables import bare_table, table_with
from tests.app.tools.conftest import LEFT, NONE, GridDriver

RIVER, ROAD, TRACK_ROUTE, RAIL = range(4)
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def make_driver(qtbot):
    def make(battlemap):
        driver = GridDriver(qtbot, battlemap)
        driver.use("route")
        return driver

    return make


def sides(driver, plane: str, x: int, y: int) -> set[str]:
    names = driver.grid.layout.side_names
    value = int(driver.plane(plane)[y, x])
    assert bool(value) == bool(value & PRESENT)
    return {name for side, name in enumerate(names) if value >> side & 1}


def go(driver, *places: tuple[int, int], **more) -> None:
    driver.drag(*(driver.at(*place) for place in places), **more)


def test_a_drag_joins_areas_on_both_sides_in_one_step(make_driver):
    driver = make_driver(bare_table())
    driver.options.choose(route=ROAD)
    go(driver, (1, 1), (2, 1), (2, 2))
    assert sides(driver, "road", 1, 1) == {"east"}
    assert sides(driver, "road", 2, 1) == {"west", "south"}
    assert sides(driver, "road", 2, 2) == {"north"}
    assert not driver.plane("river").any()
    driver.document.undo()
    assert not driver.plane("road").any()


def test_a_drag_over_corners_goes_through_one_of_the_two_areas_beside_them(make_driver):
    driver = make_driver(bare_table())
    go(driver, (1, 1), (3, 3))
    laid = driver.plane("river")
    ends = [(x, y) for y, x in np.argwhere(laid) if int(laid[y, x] & 0x3F).bit_count() == 1]
    assert sorted(ends) == [(1, 1), (3, 3)]
    assert (laid > 0).sum() == 5


def test_a_route_enters_and_leaves_the_table_where_a_drag_begins_and_ends_at_the_rim(make_driver):
    driver = make_driver(bare_table("hex"))
    driver.options.choose(route=RAIL)
    west = 4
    east = 1
    driver.drag(driver.at(0, 2, west), driver.at(2, 2), driver.at(4, 2, east), QPoint(5000, 5))
    for x in range(5):
        assert sides(driver, "rail", x, 2) == {"west", "east"}


def test_ctrl_takes_links_away_and_what_leads_nowhere_is_gone(make_driver):
    driver = make_driver(bare_table())
    go(driver, (0, 1), (3, 1))
    go(driver, (1, 1), (3, 1), modifiers=CTRL)
    assert sides(driver, "river", 0, 1) == {"east"}
    assert sides(driver, "river", 1, 1) == {"west"}
    assert not driver.plane("river")[1, 2:].any()


def test_a_track_and_a_road_share_their_areas_but_not_one(make_driver):
    driver = make_driver(bare_table())
    driver.options.choose(route=ROAD)
    go(driver, (0, 1), (2, 1))
    driver.options.choose(route=TRACK_ROUTE)
    go(driver, (2, 1), (2, 3))
    assert not driver.plane("road")[1, 1] & TRACK
    assert driver.plane("road")[1, 2] & TRACK
    assert sides(driver, "road", 2, 1) == {"west", "south"}


def test_a_road_laid_over_a_river_fords_it_and_a_click_builds_a_bridge(make_driver):
    driver = make_driver(bare_table())
    go(driver, (2, 0), (2, 4))
    driver.options.choose(route=ROAD)
    go(driver, (1, 2), (3, 2))
    assert np.argwhere(driver.plane("crossing")).tolist() == [[2, 2]]
    middle = driver.grid.cell(2, 2)
    assert "ford" in explain_cell(driver.document, middle)
    driver.click(2, 2)
    assert "bridge" in explain_cell(driver.document, middle)
    driver.click(2, 2)
    assert "ford" in explain_cell(driver.document, middle)
    before = len(driver.document.history.steps)
    driver.click(0, 4)  # nothing crosses there
    assert len(driver.document.history.steps) == before
    assert not driver.plane("road")[4].any()


def test_what_lies_on_a_layer_below_is_joined_to(make_driver):
    battlemap = table_with("square", {"road": {(1, 1): PRESENT | 0b1010}})
    driver = make_driver(battlemap)
    driver.options.choose(route=ROAD)
    go(driver, (1, 1), (1, 2))
    assert sides(driver, "road", 1, 1) == {"east", "west", "south"}


def test_twins_are_laid_too_and_the_preview_shows_the_way(make_driver):
    driver = make_driver(bare_table())
    driver.options.choose(symmetry_kind="turn2")
    driver.hover(1, 1)
    assert driver.canvas.overlays.preview.cells.tolist() == [driver.grid.cell(1, 1)]
    driver.hover(0, 2, 3)
    assert len(driver.canvas.overlays.preview.points) == 2  # it would leave the map there
    go(driver, (0, 1), (1, 1))
    assert sides(driver, "river", 4, 3) == {"west"}
    assert sides(driver, "river", 3, 3) == {"east"}


def test_maps_without_routes_say_so(make_driver, qtbot):
    battlemap = free_map(FLAT, 4, 4)
    battlemap.terrain_set = replace(battlemap.terrain_set, ways=())
    driver = GridDriver(qtbot, battlemap)
    driver.use("route")
    go(driver, (1, 1), (2, 1))
    assert "no routes" in driver.refused[0]


def test_every_route_has_a_name_and_a_way_of_its_own():
    assert len({(route.plane, route.mark) for route in ROUTES}) == len(ROUTES)
    planes = {"road": np.array([[0, PRESENT, PRESENT | TRACK]], np.uint8)}
    assert ROUTES[ROAD].runs(planes["road"]).tolist() == [[False, True, False]]
    assert ROUTES[TRACK_ROUTE].runs(planes["road"]).tolist() == [[False, False, True]]


def outside(driver, x: int, y: int, side: int) -> QPoint:
    """A point beyond the rim, across a side of a cell."""
    return driver.at(x, y, side, 2.5)


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_a_drag_that_begins_off_the_rim_enters_where_it_crosses_it(make_driver, kind):
    driver = make_driver(bare_table(kind))
    west, east = (side_called(driver, name) for name in ("west", "east"))
    driver.options.choose(route=ROAD)
    driver.drag(outside(driver, 0, 2, west), driver.at(2, 2))
    assert sides(driver, "road", 0, 2) == {"west", "east"}
    assert sides(driver, "road", 2, 2) == {"west"}
    assert len(driver.document.history.steps) == 1
    driver.document.undo()
    driver.drag(outside(driver, 0, 2, west), outside(driver, 4, 2, east))
    for x in range(5):
        assert sides(driver, "road", x, 2) == {"west", "east"}
    assert not driver.refused


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_a_drag_from_the_middle_of_a_rim_area_off_it_leaves_the_table(make_driver, kind):
    driver = make_driver(bare_table(kind))
    for name in ("west", "east"):
        x = 0 if name == "west" else 4
        side = side_called(driver, name)
        driver.drag(driver.at(x, 2), outside(driver, x, 2, side))
        assert sides(driver, "river", x, 2) == {name}
        driver.drag(driver.at(x, 2), outside(driver, x, 2, side), modifiers=CTRL)
        assert not driver.plane("river").any(), "with Ctrl it is taken away"


def test_a_way_off_the_table_and_back_leaves_and_enters_it(make_driver):
    driver = make_driver(bare_table())
    west = side_called(driver, "west")
    off = outside(driver, 0, 1, west), outside(driver, 0, 3, west)
    driver.drag(driver.at(2, 1), *off, driver.at(2, 3))
    for y in (1, 3):
        assert sides(driver, "river", 0, y) == {"west", "east"}
        assert sides(driver, "river", 1, y) == {"west", "east"}
        assert sides(driver, "river", 2, y) == {"west"}
    assert not sides(driver, "river", 0, 2)
    assert len(driver.document.history.steps) == 1


def test_a_fast_drag_reaches_the_place_where_the_button_is_released(make_driver):
    driver = make_driver(bare_table())
    driver.options.choose(route=ROAD)
    driver.drag(driver.at(1, 1), driver.at(2, 1), release=False)
    mouse(driver.canvas, "MouseButtonRelease", driver.at(4, 1), LEFT, NONE)
    assert sides(driver, "road", 3, 1) == {"west", "east"}
    assert sides(driver, "road", 4, 1) == {"west"}
    driver.document.undo()
    driver.drag(driver.at(1, 1), driver.at(2, 1), release=False)
    east = side_called(driver, "east")
    mouse(driver.canvas, "MouseButtonRelease", outside(driver, 4, 1, east), LEFT, NONE)
    assert sides(driver, "road", 4, 1) == {"west", "east"}


def test_what_lays_nothing_on_a_table_says_what_would(make_driver):
    driver = make_driver(bare_table())
    driver.options.choose(route=TRACK_ROUTE)
    go(driver, (2, 2))
    assert driver.refused == ["Drag from area to area, or off the rim, to lay the track."]
    assert not driver.document.history.steps
    west = side_called(driver, "west")
    driver.drag(outside(driver, 0, 1, west), outside(driver, 0, 3, west))
    assert not driver.document.history.steps, "it never comes in"
    go(driver, (1, 1))
    assert len(driver.refused) == 2, "the press that never came in is over"


def side_called(driver, name: str) -> int:
    return driver.grid.layout.side_names.index(name)
