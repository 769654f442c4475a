"""Rivers, roads and railways laid by hand."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt

from app.canvas.place_text import explain_cell
from randomizer.model.layouts import FLAT
from randomizer.systems.cordery.areas import PRESENT, ROUTES, TRACK
from randomizer.systems.free.system import free_map
from tests.app.cordery_tables import bare_table, table_with
from tests.app.tools.conftest import Table

RIVER, ROAD, TRACK_ROUTE, RAIL = range(4)
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def make_table(qtbot):
    def make(battlemap):
        table = Table(qtbot, battlemap)
        table.use("route")
        return table

    return make


def sides(table, plane: str, x: int, y: int) -> set[str]:
    names = table.grid.layout.side_names
    value = int(table.plane(plane)[y, x])
    assert bool(value) == bool(value & PRESENT)
    return {name for side, name in enumerate(names) if value >> side & 1}


def go(table, *places: tuple[int, int], **more) -> None:
    table.drag(*(table.at(*place) for place in places), **more)


def test_a_drag_joins_areas_on_both_sides_in_one_step(make_table):
    table = make_table(bare_table())
    table.options.choose(route=ROAD)
    go(table, (1, 1), (2, 1), (2, 2))
    assert sides(table, "road", 1, 1) == {"east"}
    assert sides(table, "road", 2, 1) == {"west", "south"}
    assert sides(table, "road", 2, 2) == {"north"}
    assert not table.plane("river").any()
    table.document.undo_stack.undo()
    assert not table.plane("road").any()


def test_a_drag_over_corners_goes_through_one_of_the_two_areas_beside_them(make_table):
    table = make_table(bare_table())
    go(table, (1, 1), (3, 3))
    laid = table.plane("river")
    ends = [(x, y) for y, x in np.argwhere(laid) if int(laid[y, x] & 0x3F).bit_count() == 1]
    assert sorted(ends) == [(1, 1), (3, 3)]
    assert (laid > 0).sum() == 5


def test_a_route_enters_and_leaves_the_table_where_a_drag_begins_and_ends_at_the_rim(make_table):
    table = make_table(bare_table("hex"))
    table.options.choose(route=RAIL)
    west, east = 4, 1
    table.drag(table.at(0, 2, west), table.at(2, 2), table.at(4, 2, east), QPoint(5000, 5))
    for x in range(5):
        assert sides(table, "rail", x, 2) == {"west", "east"}


def test_ctrl_takes_links_away_and_what_leads_nowhere_is_gone(make_table):
    table = make_table(bare_table())
    go(table, (0, 1), (3, 1))
    go(table, (1, 1), (3, 1), modifiers=CTRL)
    assert sides(table, "river", 0, 1) == {"east"}
    assert sides(table, "river", 1, 1) == {"west"}
    assert not table.plane("river")[1, 2:].any()


def test_a_track_and_a_road_share_their_areas_but_not_one(make_table):
    table = make_table(bare_table())
    table.options.choose(route=ROAD)
    go(table, (0, 1), (2, 1))
    table.options.choose(route=TRACK_ROUTE)
    go(table, (2, 1), (2, 3))
    assert not table.plane("road")[1, 1] & TRACK
    assert table.plane("road")[1, 2] & TRACK
    assert sides(table, "road", 2, 1) == {"west", "south"}


def test_a_road_laid_over_a_river_fords_it_and_a_click_builds_a_bridge(make_table):
    table = make_table(bare_table())
    go(table, (2, 0), (2, 4))
    table.options.choose(route=ROAD)
    go(table, (1, 2), (3, 2))
    assert np.argwhere(table.plane("crossing")).tolist() == [[2, 2]]
    middle = table.grid.cell(2, 2)
    assert "ford" in explain_cell(table.document, middle)
    table.click(2, 2)
    assert "bridge" in explain_cell(table.document, middle)
    table.click(2, 2)
    assert "ford" in explain_cell(table.document, middle)
    before = table.document.undo_stack.count()
    table.click(0, 4)  # nothing crosses there
    assert table.document.undo_stack.count() == before
    assert not table.plane("road")[4].any()


def test_what_lies_on_a_layer_below_is_joined_to(make_table):
    battlemap = table_with("square", {"road": {(1, 1): PRESENT | 0b1010}})
    table = make_table(battlemap)
    table.options.choose(route=ROAD)
    go(table, (1, 1), (1, 2))
    assert sides(table, "road", 1, 1) == {"east", "west", "south"}


def test_twins_are_laid_too_and_the_preview_shows_the_way(make_table):
    table = make_table(bare_table())
    table.options.choose(symmetry_kind="turn2")
    table.hover(1, 1)
    assert table.canvas.overlays.preview.cells.tolist() == [table.grid.cell(1, 1)]
    table.hover(0, 2, 3)
    assert len(table.canvas.overlays.preview.points) == 2  # it would leave the table there
    go(table, (0, 1), (1, 1))
    assert sides(table, "river", 4, 3) == {"west"}
    assert sides(table, "river", 3, 3) == {"east"}


def test_maps_without_routes_say_so(make_table, qtbot):
    table = Table(qtbot, free_map(FLAT, 4, 4))
    table.use("route")
    go(table, (1, 1), (2, 1))
    assert "no rivers" in table.refused[0]


def test_every_route_has_a_name_and_a_way_of_its_own():
    assert len({(route.plane, route.mark) for route in ROUTES}) == len(ROUTES)
    planes = {"road": np.array([[0, PRESENT, PRESENT | TRACK]], np.uint8)}
    assert ROUTES[ROAD].runs(planes["road"]).tolist() == [[False, True, False]]
    assert ROUTES[TRACK_ROUTE].runs(planes["road"]).tolist() == [[False, False, True]]
