"""Erasing areas through which routes run: no stump is left, and layers below show again."""

import numpy as np
import pytest

from randomizer.model.hand.erasing import erase_cells
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.routes import PRESENT
from randomizer.systems.cordery.page_parts import PARTS
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table.areas import TERRAINS
from randomizer.systems.cordery.table.table_words import area_words
from tests.app.cordery_tables import bare_table, rolled_table, table_with
from tests.app.tools.conftest import GridDriver

EAST = 0b0010
WEST = 0b1000
ALONG = PRESENT | EAST | WEST
ROUTES = ("river", "road", "rail")
VILLAGE = TERRAINS.terrain_code("Village")


@pytest.fixture
def make_driver(qtbot):
    def make(battlemap):
        driver = GridDriver(qtbot, battlemap)
        driver.use("eraser")
        return driver

    return make


def with_layers(*layers: dict[str, dict[tuple[int, int], int]], name: str = "square") -> BattleMap:
    """A map with a layer for each; the topmost is the last."""
    made = [table_with(name, values).layers[0] for values in layers]
    sheets = [Layer(i, str(i), planes=each.planes) for i, each in enumerate(made, 1)]
    return BattleMap.new(SYSTEM, bare_table(name).grid, sheets)


def half_links(battlemap: BattleMap) -> list[tuple[str, int, int]]:
    """Links into a neighbour that does not answer them."""
    grid = battlemap.grid
    planes = battlemap.composite().planes
    return [
        (plane, cell, side)
        for plane in ROUTES
        for cell in grid.cells.tolist()
        for side in range(grid.degree)
        if planes[plane].flat[cell] >> side & 1
        and (other := grid.neighbour(cell, side)) >= 0
        and not planes[plane].flat[other] >> grid.opposite(side) & 1
    ]


@pytest.mark.parametrize("plane", ROUTES)
def test_an_erased_area_leaves_no_stumps_beside_it_and_comes_back_in_one_step(make_driver, plane):
    driver = make_driver(table_with("square", {plane: {(x, 2): ALONG for x in range(5)}}))
    driver.click(2, 2)
    found = driver.plane(plane)[2].tolist()
    assert found == [ALONG, PRESENT | WEST, 0, PRESENT | EAST, ALONG]
    driver.document.undo()
    assert driver.plane(plane)[2].tolist() == [ALONG] * 5
    assert driver.document.history.next_undo is None


def test_a_whole_stroke_is_one_step_and_a_route_that_leads_nowhere_is_gone(make_driver):
    ends = {(1, 2): PRESENT | EAST, (2, 2): ALONG, (3, 2): PRESENT | WEST}
    driver = make_driver(table_with("square", {"river": ends}))
    driver.click(2, 2)
    assert not driver.plane("river").any()
    driver.document.undo()
    driver.drag(driver.at(2, 2), driver.at(3, 2))
    assert not driver.plane("river").any()
    driver.document.undo()
    assert driver.plane("river").any()


def test_where_a_layer_below_has_the_route_too_nothing_is_cut(make_driver):
    below = {"road": {(x, 2): ALONG for x in range(5)}}
    above = {"road": {(1, 2): ALONG | 0b0100, (2, 2): ALONG}}
    driver = make_driver(with_layers(below, above))
    driver.document.set_active_layer(2)
    driver.click(2, 2)
    assert driver.plane("road")[2].tolist() == [ALONG, ALONG | 0b0100, ALONG, ALONG, ALONG]


def test_a_stump_on_another_layer_goes_and_what_lies_under_it_shows(make_driver):
    below = {"road": {(x, 2): ALONG for x in (1, 2, 3)}}
    above = {"road": {(1, 2): PRESENT | EAST, (2, 1): PRESENT | 0b0100}}
    driver = make_driver(with_layers(below, above))
    driver.document.set_active_layer(1)
    driver.click(2, 2)
    assert driver.plane("road")[2, 1] == PRESENT | WEST
    assert driver.plane("road")[2, 3] == PRESENT | EAST
    assert driver.plane("road")[1, 2], "it never led into the area that is erased"


def test_a_locked_layer_is_left_as_it_is(make_driver):
    battlemap = with_layers({"rail": {(2, 2): ALONG}}, {"rail": {(1, 2): ALONG, (3, 2): ALONG}})
    battlemap.layers[1].locked = True
    driver = make_driver(battlemap)
    driver.document.set_active_layer(1)
    driver.click(2, 2)
    assert driver.plane("rail")[2].tolist() == [0, ALONG, 0, ALONG, 0]


def test_nothing_is_cut_below_a_locked_layer():
    battlemap = with_layers({"road": {(1, 2): ALONG, (2, 2): ALONG}}, {"road": {(1, 2): ALONG}})
    battlemap.layers[1].locked = True
    edit = erase_cells(battlemap, 1, np.array([battlemap.grid.cell(2, 2)]))
    assert edit is not None
    edit.apply(battlemap)
    roads = [layer.planes["road"][2, :3].tolist() for layer in battlemap.layers]
    unset = SYSTEM.plane("road").unset
    assert roads == [[unset, ALONG, unset], [unset, ALONG, unset]]


def test_3_4_a_road_ends_at_a_village_as_long_as_it_stands(make_driver):
    values = {"road": {(0, 2): ALONG, (1, 2): ALONG}, "terrain": {(2, 2): VILLAGE}}
    driver = make_driver(with_layers(values, {"elevation": {(2, 2): 1}}))
    driver.document.set_active_layer(2)
    driver.click(2, 2)
    assert driver.plane("road")[2, 1] == ALONG, "only a hill was erased"
    driver.document.set_active_layer(1)
    driver.click(2, 2)
    assert driver.plane("road")[2, 1] == PRESENT | WEST


def test_3_3_there_is_no_ford_where_the_road_is_gone():
    down = PRESENT | 0b0101
    battlemap = table_with(
        "square",
        {
            "river": {(2, y): down for y in range(5)},
            "road": {(2, 2): PRESENT | EAST, (3, 2): PRESENT | WEST},
            "crossing": {(2, 2): 1},
        },
    )
    edit = erase_cells(battlemap, 1, np.array([13]))
    assert edit is not None
    edit.apply(battlemap)
    planes = battlemap.composite().planes
    assert area_words(battlemap.grid, planes, 12) == "river from north to south"


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_no_area_of_a_rolled_table_leaves_a_stump_where_all_its_parts_are_erased(qapp, kind):
    for seed in range(4):
        battlemap = rolled_table(kind, seed, railways=1, rivers=2, roads=2)
        usual = set(half_links(battlemap))  # roads that end at houses
        for cell in battlemap.grid.cells.tolist()[seed::11]:
            edits = []
            for layer in battlemap.layers:
                edit = erase_cells(battlemap, layer.id, np.array([cell]))
                if edit is not None:
                    edit.apply(battlemap)
                    edits.append(edit)
            assert set(half_links(battlemap)) <= usual
            for edit in reversed(edits):
                edit.inverse().apply(battlemap)
        assert set(half_links(battlemap)) == usual
        assert len([layer for layer in battlemap.layers if layer.roll]) == len(PARTS)
