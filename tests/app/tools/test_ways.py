"""The ways of a free map's terrain set, drawn by hand: links, flow, what crosses, no half left."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt

from app.document.document import MapDocument
from app.tools import ToolOptions
from app.tools.pointer import Pointer
from app.tools.routes import RouteTool
from randomizer.geometry.shapes import path
from randomizer.geometry.stamp_cutting import cut
from randomizer.geometry.stamp_placing import place
from randomizer.geometry.stamp_text import decode, encode
from randomizer.geometry.transform import resize_map, shift_map, turn_map
from randomizer.geometry.turn import reflection, rotation
from randomizer.model.gate.gate import check_map
from randomizer.model.grid.grid import Hit
from randomizer.model.grid.layouts import FLAT, LAYOUTS, SQUARE
from randomizer.model.hand.erasing import erase_cells
from randomizer.model.hand.links import half_links, link_planes
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.routes import MARKS, PRESENT
from randomizer.model.problems import ProblemError
from randomizer.model.terrain.terrain import Terrain, TerrainSet, Way
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.free.system import free_map
from tests.app.conftest import finished_picture
from tests.app.tools.conftest import GridDriver

CTRL = Qt.KeyboardModifier.ControlModifier
ROAD, RIVER = range(2)
LAND, SEA, HILLS = range(3)
SET = TerrainSet(
    "Ways",
    (
        Terrain("Land", "#a0c070"),
        Terrain("Sea", "#4060a0", cost=None, water=True),
        Terrain("Hills", "#907040", cost=4.0),
    ),
    ways=(Way("Road", "road", "#f0e0c0", cost=0.5), Way("River", "water", "#70a8d8")),
)
STONE = np.array([0x4A, 0x42, 0x38])
"""The colour of bridges."""


def way_map(layout=FLAT, width: int = 9, height: int = 7, *, wrap: bool = False) -> BattleMap:
    battlemap = free_map(layout, width, height, wrap=wrap)
    battlemap.terrain_set = SET
    return battlemap


@pytest.fixture
def make_driver(qtbot):
    def make(battlemap: BattleMap, route: int = ROAD) -> GridDriver:
        driver = GridDriver(qtbot, battlemap)
        driver.use("route")
        driver.options.choose(route=route)
        return driver

    return make


def go(driver, *cells: tuple[int, int], **more) -> None:
    driver.drag(*(driver.at(*cell) for cell in cells), **more)


def halves(battlemap: BattleMap) -> list[str]:
    """The ways of which some cell shows half a link."""
    grid = battlemap.grid
    return [
        plane
        for plane in link_planes(battlemap)
        if half_links(grid, battlemap.values(plane).ravel(), grid.cells).any()
    ]


def way_cells(driver, plane: str) -> set[tuple[int, int]]:
    ys, xs = np.nonzero(driver.plane(plane) & MARKS)
    return set(zip(xs.tolist(), ys.tolist(), strict=True))


def test_a_river_flows_along_the_drag_and_grows_from_its_source_to_the_rim(make_driver):
    driver = make_driver(way_map(SQUARE), RIVER)
    driver.drag(*(driver.at(*at) for at in ((3, 3), (8, 3))), driver.at(8, 3, 1))
    east = 1 << 1
    west = 1 << 3
    assert driver.plane("way2")[3].tolist() == [
        *(0, 0, 0),
        PRESENT | east,
        *[PRESENT | east | west] * 5,
    ]
    assert driver.plane("flow")[3, 3:].tolist() == [PRESENT | east] * 6
    widths = driver.plane("flow_width")[3, 3:].tolist()
    assert widths == sorted(widths)
    assert widths[0] == 2 < widths[-1]
    driver.document.undo()
    assert not any(driver.plane(name).any() for name in ("way2", "flow", "flow_width"))


def test_a_river_goes_on_narrow_if_only_its_twin_has_joined_a_wide_one(make_driver):
    driver = make_driver(way_map(SQUARE), RIVER)
    width = driver.grid.width
    go(driver, (width - 3, 0), (width - 3, 6))
    driver.options.choose(symmetry_kind="mirror0")
    go(driver, (1, 3), (4, 3))
    widths = driver.plane("flow_width")[3, 1:5].tolist()
    assert widths == [2, 2, 3, 3]


def test_what_joins_a_river_leaves_its_direction_and_goes_on_as_wide(make_driver):
    driver = make_driver(way_map(SQUARE), RIVER)
    go(driver, (1, 3), (7, 3))
    before = driver.plane("flow_width")[3, 4]
    go(driver, (4, 0), (4, 3))
    assert driver.plane("flow")[3, 4] == PRESENT | 1 << 1
    assert driver.plane("flow")[:3, 4].tolist() == [PRESENT | 1 << 2] * 3
    assert driver.plane("flow_width")[3, 4] == before
    go(driver, (4, 3), (4, 1), modifiers=CTRL)
    assert driver.plane("flow")[:2, 4].tolist() == [PRESENT | 1 << 2, 0]
    assert driver.plane("flow_width")[:3, 4].tolist()[2] == 0


def test_a_road_over_a_river_has_a_bridge(make_driver, qtbot):
    driver = make_driver(way_map(SQUARE), RIVER)
    go(driver, (1, 3), (7, 3))
    driver.options.choose(route=ROAD)

    def stones() -> int:
        image = finished_picture(driver.canvas, qtbot)
        at = driver.at(4, 3)
        return sum(
            np.abs(np.array(image.pixelColor(x, y).getRgb()[:3]) - STONE).max() < 12
            for x in range(at.x() - 30, at.x() + 30)
            for y in range(at.y() - 30, at.y() + 30)
        )

    before = stones()
    go(driver, (4, 1), (4, 5))
    assert stones() > before + 20
    driver.document.undo()
    assert stones() == before


def test_two_clicks_lay_the_cheapest_way_round_what_cannot_be_entered(make_driver):
    battlemap = way_map(SQUARE)
    terrain = battlemap.system.plane("terrain").allocate(battlemap.grid)
    terrain[:] = LAND
    terrain[1:6, 4] = SEA
    battlemap.layers[0].planes["terrain"] = terrain
    driver = make_driver(battlemap)
    driver.click(2, 3)
    assert "A click where the road is to end" in driver.refused[-1]
    driver.hover(6, 3)
    assert len(driver.canvas.overlays.preview.points) == 11
    driver.click(6, 3)
    laid = way_cells(driver, "way1")
    assert len(laid) == 11
    assert not any(terrain[y, x] == SEA for x, y in laid)
    assert not halves(battlemap)
    driver.click(2, 3, modifiers=CTRL)
    driver.click(6, 3, modifiers=CTRL)
    assert not way_cells(driver, "way1")
    terrain[:, 4] = SEA
    driver.click(2, 3)
    driver.click(6, 3)
    assert "No way leads there" in driver.refused[-1]
    driver.click(2, 3)
    driver.click(4, 3)  # a way may end in water
    assert way_cells(driver, "way1") == {(2, 3), (3, 3), (4, 3)}


def lake_map() -> BattleMap:
    """A map of squares with a lake of shallow water in its middle, which may be waded in."""
    battlemap = way_map(SQUARE)
    shallows = Terrain("Shallows", "#72b4cf", cost=1.0, water=True)
    battlemap.terrain_set = replace(SET, terrains=(*SET.terrains, shallows))
    terrain = battlemap.system.plane("terrain").allocate(battlemap.grid)
    terrain[1:6, 3:6] = len(SET.terrains)
    battlemap.layers[0].planes["terrain"] = terrain
    return battlemap


def test_a_road_between_two_clicks_leads_around_a_lake_that_can_be_waded(make_driver):
    driver = make_driver(lake_map())
    reports = []
    driver.canvas.active_tool.reported.connect(reports.append)
    driver.click(1, 3)
    driver.click(7, 3)
    laid = way_cells(driver, "way1")
    assert laid
    assert not any(1 <= y < 6 and 3 <= x < 6 for x, y in laid)
    assert reports == []


def test_a_road_crosses_water_and_says_so_where_no_way_leads_around(make_driver):
    battlemap = lake_map()
    terrain = battlemap.layers[0].planes["terrain"]
    terrain[:, 3:6] = terrain[3, 4]
    driver = make_driver(battlemap)
    reports = []
    driver.canvas.active_tool.reported.connect(reports.append)
    driver.click(1, 3)
    driver.hover(7, 3)
    text = "The road crosses 3 squares of water, as no way leads around"
    assert driver.canvas.overlays.preview.note == text
    driver.click(7, 3)
    assert way_cells(driver, "way1") == {(x, 3) for x in range(1, 8)}
    assert reports == [f"{text}."]
    driver.click(0, 3)
    driver.click(8, 3)
    assert len(reports) == 1, "it follows the bridge that is there"


def test_a_river_between_two_clicks_does_not_rise_above_its_source(make_driver):
    battlemap = way_map(SQUARE)
    elevation = battlemap.system.elevation.allocate(battlemap.grid)
    elevation[1:7, 4] = 3
    elevation[3, :3] = 2
    battlemap.layers[0].planes[battlemap.system.elevation.name] = elevation
    driver = make_driver(battlemap, RIVER)
    driver.click(2, 3)
    driver.click(7, 3)
    laid = way_cells(driver, "way2")
    assert laid
    assert not any(elevation[y, x] == 3 for x, y in laid)


def test_a_new_road_follows_the_one_that_is_there_where_that_is_cheaper(make_driver):
    driver = make_driver(way_map(SQUARE))
    go(driver, (1, 1), (1, 3), (7, 3), (7, 1))
    before = way_cells(driver, "way1")
    refused = len(driver.refused)
    driver.click(1, 1)
    driver.click(7, 1)  # six steps over land, ten along the road at half the cost
    assert way_cells(driver, "way1") == before
    assert len(driver.refused) == refused + 1, "only the first click says what to do"


def test_on_a_large_map_the_cheapest_way_is_found_on_another_thread(qapp):
    hand = Hand(way_map(SQUARE, 200, 110))
    document = hand.document
    tool = hand.tool
    tool.options.choose(route=RIVER)
    start, end = (Pointer(Hit(cell, 0, 0.0), 0, 0) for cell in (205, 231))
    assert tool.large_work(document, start) is None
    tool.edit(document, start)
    assert not any(tool.finish(document, start))
    assert len(tool.preview(document, end).points) == 2
    work = tool.large_work(document, end)
    document.push(work(), "Lay")
    river = document.composite.planes["way2"].ravel()
    assert np.flatnonzero(river).tolist() == list(range(205, 232))
    assert document.composite.planes["flow_width"].flat[205] == 2
    assert tool.large_work(document, end) is None, "the next click is a first one"


def test_on_a_large_map_a_way_to_the_rim_leads_off_it(qapp):
    hand = Hand(way_map(SQUARE, 200, 110))
    document = hand.document
    hand.tool.options.choose(route=ROAD)
    start = Pointer(Hit(395, 0, 0.0), 0, 0)
    end = Pointer(Hit(399, 1, 0.9), 0, 0)
    hand.tool.edit(document, start)
    assert not any(hand.tool.finish(document, start))
    document.push(hand.tool.large_work(document, end)(), "Lay")
    assert document.composite.planes["way1"].flat[399] == PRESENT | 1 << 1 | 1 << 3


def test_the_second_click_at_the_rim_is_the_mouth_of_the_river(make_driver):
    driver = make_driver(way_map(SQUARE), RIVER)
    driver.click(3, 3)
    driver.drag(driver.at(8, 3, 1))
    east = 1 << 1
    assert driver.plane("flow")[3, 3:].tolist() == [PRESENT | east] * 6
    assert driver.plane("way2")[3, 8] == PRESENT | east | 1 << 3


def test_a_drag_in_from_the_rim_comes_in_though_a_click_waited_for_a_second(make_driver):
    driver = make_driver(way_map(SQUARE), RIVER)
    driver.click(3, 5)
    driver.drag(driver.at(8, 3, 1), driver.at(7, 3), driver.at(6, 3))
    assert driver.plane("way2")[3, 8] == PRESENT | 1 << 1 | 1 << 3
    assert driver.plane("flow")[3, 6:].tolist() == [0, PRESENT | 1 << 3, PRESENT | 1 << 3]
    assert driver.plane("flow_width")[3, 8] == 4, "no source: it comes from beyond the map"
    assert not driver.plane("way2")[5].any()


def test_both_cells_of_a_link_go_into_one_layer(make_driver):
    battlemap = way_map(SQUARE)
    battlemap.layers.append(Layer(2, "Above"))
    plane = battlemap.system.plane("way1").allocate(battlemap.grid)
    plane[3, 4] = 0  # says that no road is here
    battlemap.layers[1].planes["way1"] = plane
    driver = make_driver(battlemap)
    driver.document.set_active_layer(1)
    go(driver, (2, 3), (4, 3))
    assert way_cells(driver, "way1") == {(2, 3), (3, 3), (4, 3)}
    for shown in (True, False):
        battlemap.layers[1].visible = shown
        assert not halves(battlemap)


def test_a_link_into_a_locked_layer_is_left_out_and_said_before(make_driver):
    battlemap = way_map(SQUARE)
    plane = battlemap.system.plane("way1").allocate(battlemap.grid)
    plane[3, 4] = PRESENT
    battlemap.layers.append(Layer(2, "Above", planes={"way1": plane}, locked=True))
    driver = make_driver(battlemap)
    driver.document.set_active_layer(1)
    driver.hover(4, 3)
    preview = driver.canvas.overlays.preview
    assert preview.left_out.tolist() == [battlemap.grid.cell(4, 3)]
    assert "Above is locked" in preview.note
    go(driver, (2, 3), (5, 3))
    assert driver.plane("way1")[3].tolist()[2:6] == [PRESENT | 2, PRESENT | 8, PRESENT, 0]


def test_what_is_copied_is_the_way_of_that_name_on_another_map():
    battlemap = way_map(SQUARE)
    east = PRESENT | 2
    west = PRESENT | 8
    plane = battlemap.system.plane("way2").allocate(battlemap.grid)
    plane[0, :2] = east, west
    battlemap.layers[0].planes["way2"] = plane
    stamp = decode(encode(cut(battlemap, np.array([0, 1]), battlemap.composite().planes)))
    other = way_map(SQUARE)
    other.terrain_set = replace(SET, ways=SET.ways[::-1])
    edit = place(other, stamp, 20, 1)
    edit.apply(other)
    assert "way2" not in other.layers[0].planes
    assert other.values("way1").ravel()[20:22].tolist() in ([east, west], [0, east])
    other.terrain_set = replace(SET, ways=())
    with pytest.raises(ProblemError, match="values of “River”"):
        place(other, stamp, 20, 1)


# --- whatever is done to ways -------------------------------------------------------------------


class Hand:
    """The route tool on a map without a window."""

    def __init__(self, battlemap: BattleMap) -> None:
        self.document = MapDocument(battlemap)
        self.tool = RouteTool(ToolOptions())

    def draw(self, route: int, start: int, end: int, side: int, *, take: bool) -> None:
        """Drag from one cell to another, and off the map if that has a rim on this side."""
        grid = self.document.battlemap.grid
        document = self.document
        self.tool.options.choose(route=route)
        document.begin_stroke("Lay")
        cells = path(grid, start, end).tolist()
        for cell in cells:
            pointer = Pointer(Hit(cell, side % grid.degree, 0.9), 0, 0, ctrl_or_alt=take)
            document.stroke(self.tool.edit(document, pointer))
        for edit in self.tool.finish(document, pointer):
            document.stroke(edit)
        document.end_stroke()
        self.tool.forget()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_every_link_has_its_counterpart_or_leads_off_the_map(qapp, data):
    layout = data.draw(st.sampled_from(LAYOUTS))
    battlemap = way_map(layout, 6, 5, wrap=data.draw(st.booleans()))
    battlemap.layers.append(Layer(2, "Above"))
    hand = Hand(battlemap)
    document = hand.document
    steps = st.sampled_from(["draw", "draw", "draw", "erase", "paste", "transform", "undo", "file"])
    for step in data.draw(st.lists(steps, min_size=2, max_size=9)):
        battlemap = document.battlemap
        grid = battlemap.grid
        cell = st.sampled_from(grid.cells.tolist())
        document.set_active_layer(data.draw(st.sampled_from([1, 2])))
        if step == "draw":
            route = data.draw(st.integers(0, 1))
            side = data.draw(st.integers(0, 5))
            ends = data.draw(cell), data.draw(cell)
            hand.draw(route, *ends, side, take=data.draw(st.integers(0, 3)) == 0)
        elif step == "erase":
            cells = np.array(sorted(data.draw(st.sets(cell, min_size=1, max_size=4))))
            document.push(erase_cells(battlemap, document.active_layer_id, cells), "Erase")
        elif step == "paste":
            cells = np.array(sorted(data.draw(st.sets(cell, min_size=1, max_size=6))))
            shown = data.draw(st.sampled_from([document.composite, battlemap.layers[0]])).planes
            turns = data.draw(st.integers(0, 5)), data.draw(st.integers(0, 5))
            stamp = cut(battlemap, cells, shown).turned(rotation(layout, turns[0]))
            stamp = stamp.turned(reflection(layout, turns[1]))
            edit = place(battlemap, stamp, data.draw(cell), document.active_layer_id)
            document.push(edit, "Stamp")
        elif step == "transform":
            sizes = st.integers(2, 4).map(lambda half: 2 * half)
            make = data.draw(st.sampled_from([resize_map, shift_map, turn_map]))
            more = data.draw(sizes), data.draw(sizes)
            if make is turn_map:
                turns = rotation(layout, layout.degree // 2), reflection(layout, more[0])
                more = (data.draw(st.sampled_from(turns)),)
            try:
                document.push(make(battlemap, *more).edit, "Transform")
            except ProblemError:
                continue
        elif step == "undo":
            document.undo()
        else:
            assert read_project(write_project(battlemap)).battlemap is not None
        check_map(document.battlemap)
        assert not halves(document.battlemap), step


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_a_way_off_the_rim_ends_there_no_more_where_the_map_grows_beyond(qapp, layout):
    battlemap = way_map(layout, 4, 4)
    hand = Hand(battlemap)
    grid = battlemap.grid
    rim = grid.cell(3, 1)
    side = next(side for side in range(layout.degree) if grid.neighbour(rim, side) < 0)
    inside = grid.cell(2, 1)
    hand.draw(ROAD, inside, rim, side, take=False)
    laid = battlemap.values("way1").ravel()
    assert laid[rim] >> side & 1
    document = hand.document
    document.push(resize_map(battlemap, 8, 4).edit, "Resize")
    larger = document.battlemap.values("way1").ravel()
    assert larger[document.battlemap.grid.cell(3, 1)] == int(laid[rim]) & ~(1 << side)
    assert not halves(document.battlemap)
    document.undo()
    assert (document.battlemap.values("way1").ravel() == laid).all()
