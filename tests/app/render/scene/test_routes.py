"""Ways through cells, as pieces: what neighbouring cells show fits together at their side."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter

from app.appearance.painting import painting
from app.render.drawn_cells import DrawnCells
from app.render.scene.routes.courses import Course
from app.render.scene.routes.river_courses import River, reaches
from app.render.scene.routes.river_keys import RiverKeys
from app.render.scene.routes.rivers import draw_river
from app.render.scene.routes.road_keys import RoadKeys
from app.render.scene.routes.route_pieces import RoutePieces
from app.render.theme import theme
from randomizer.geometry.shapes import path
from randomizer.model.grid.layouts import FLAT, LAYOUTS, SQUARE, Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import PRESENT
from randomizer.model.terrain.terrain import Terrain, TerrainSet, Way
from randomizer.systems.free.system import SYSTEM, free_map

ROAD, TRACK, RAIL, RIVER = (f"way{number}" for number in range(1, 5))
SET = TerrainSet(
    "Ways",
    (Terrain("Land", "#a0c070"), Terrain("Sea", "#4060a0", water=True)),
    ways=(
        Way("Road", "road", "#f0e0c0"),
        Way("Track", "track", "#806040"),
        Way("Railway", "rail", "#303030"),
        Way("River", "water", "#70a8d8"),
    ),
)


def way_map(layout: Layout = FLAT, width: int = 5, height: int = 4) -> BattleMap:
    battlemap = free_map(layout, width, height)
    battlemap.terrain_set = SET
    battlemap.layers[0].planes |= {
        spec.name: spec.blank(battlemap.grid).copy() for spec in SYSTEM.shown_planes
    }
    return battlemap


def lay(battlemap: BattleMap, plane: str, cells: list[int], width: int = 0) -> None:
    """Link cells; water flows along them, one wider from cell to cell."""
    planes = battlemap.layers[0].planes
    grid = battlemap.grid
    for number, (here, there) in enumerate(pairwise(cells)):
        sides = [side for side in range(grid.degree) if grid.neighbour(here, side) == there]
        for side in sides:  # squares may meet at a corner only
            planes[plane].flat[here] |= PRESENT | 1 << side
            planes[plane].flat[there] |= PRESENT | 1 << grid.opposite(side)
            if plane == RIVER and width:
                planes["flow"].flat[here] |= PRESENT | 1 << side
                planes["flow_width"].flat[here] = min(16, width + number)


class Unpacker(NamedTuple):
    """Tells what the keys of pieces stand for on maps of a layout."""

    layout: Layout

    def river(self, key: int) -> River:
        return RiverKeys(self.layout, SET).river(key)

    def course(self, key: int) -> Course:
        return RoadKeys(self.layout, SET).course(key)


def pieces_of(battlemap: BattleMap, least: float = 0.0) -> tuple[Unpacker, dict[tuple, int]]:
    """What unpacks keys, and the key of each (route, cell); crossings by ("crossing", cell)."""
    grid = battlemap.grid
    routes = RoutePieces(grid.layout, SET, theme("light"), least)
    planes = battlemap.composite().planes
    keys = {}
    for piece, places in routes.pieces(DrawnCells(SYSTEM, grid, planes, grid.cells)):
        kind, what, *more = piece.key
        for cell in places.tolist():
            keys["crossing" if kind == "crossing" else what.plane, cell] = more[-1]
    return Unpacker(grid.layout), keys


ends = st.tuples(st.integers(0, 19), st.integers(0, 19))


@settings(max_examples=40, deadline=None)
@example(FLAT, {}, [((0, 1), 1), ((1, 0), 2)])  # rivers against each other
@given(
    st.sampled_from(LAYOUTS),
    st.dictionaries(st.sampled_from([ROAD, TRACK, RAIL]), ends),
    st.lists(st.tuples(ends, st.integers(0, 9)), max_size=2),
)
@example(FLAT, {}, [((0, 1), 1), ((1, 0), 2)])  # each flows into the other
def test_neighbours_draw_a_way_across_their_side_at_one_point_and_width(qapp, layout, dry, wet):
    battlemap = way_map(layout)
    grid = battlemap.grid
    for plane, (start, end) in dry.items():
        lay(battlemap, plane, path(grid, start, end).tolist())
    for (start, end), width in wet:
        lay(battlemap, RIVER, path(grid, start, end).tolist(), width)
    routes, keys = pieces_of(battlemap)
    for (plane, cell), key in keys.items():
        for side in range(grid.degree):
            other = grid.neighbour(cell, side)
            if plane == "crossing" or not key >> side & 1 or other < 0:
                continue
            back = keys[plane, other]
            opposite = grid.opposite(side)
            assert back >> opposite & 1
            if plane == RIVER:
                widths = routes.river(key).widths, routes.river(back).widths
                assert widths[0][side] == widths[1][opposite] > 0
                hands = routes.river(key).shifts, routes.river(back).shifts
                assert hands[0][side] == -hands[1][opposite]
            else:
                here = routes.course(key)
                there = routes.course(back)
                aside = (each.offsets or (0.0,) * grid.degree for each in (here, there))
                one = next(aside)[side]
                two = next(aside)[opposite]
                assert one == pytest.approx(-two)


@pytest.mark.parametrize("ending", [TRACK, RIVER])
def test_a_railway_meets_beside_a_route_that_ends_at_the_side(qapp, ending):
    battlemap = way_map()
    grid = battlemap.grid
    lay(battlemap, RAIL, [6, 7, 8])
    side = next(side for side in range(grid.degree) if grid.neighbour(7, side) == 8)
    battlemap.layers[0].planes[ending].flat[7] |= PRESENT | 1 << side
    unpacker, keys = pieces_of(battlemap)
    offset = unpacker.course(keys[RAIL, 7]).offsets[side]
    assert offset != 0
    assert unpacker.course(keys[RAIL, 8]).offsets[grid.opposite(side)] == -offset


def test_a_road_along_a_river_stays_on_one_bank_and_needs_no_bridge(qapp):
    battlemap = way_map(SQUARE, 5, 4)
    bend = [5, 6, 7, 12, 17, 18]
    lay(battlemap, RIVER, bend, 4)
    lay(battlemap, ROAD, bend)
    _routes, keys = pieces_of(battlemap)
    assert not [cell for kind, cell in keys if kind == "crossing"]
    lay(battlemap, ROAD, [2, 7])  # from the other bank
    _routes, keys = pieces_of(battlemap)
    assert [cell for kind, cell in keys if kind == "crossing"] == [7]


def test_a_river_runs_to_the_shore_and_is_not_seen_in_the_water(qapp):
    battlemap = way_map(SQUARE, 5, 1)
    battlemap.layers[0].planes["terrain"][0, 3:] = 1
    lay(battlemap, RIVER, [0, 1, 2, 3, 4], 2)
    routes, keys = pieces_of(battlemap)
    rivers = [routes.river(keys[RIVER, cell]) for cell in range(5)]
    assert [river.in_water for river in rivers] == [False] * 3 + [True] * 2
    assert [river.sides for river in rivers] == [2, 10, 10, 8, 0]
    assert [river.out for river in rivers] == [2, 2, 2, 0, 0]


def test_a_river_opens_at_the_shore_alike_on_both_sides_of_it(qapp):
    battlemap = way_map(FLAT, 5, 4)
    line = [5, 6, 7, 8]
    grid = battlemap.grid
    lay(battlemap, RIVER, line, 4)
    routes, keys = pieces_of(battlemap)
    inland = [routes.river(keys[RIVER, cell]) for cell in line]
    battlemap.layers[0].planes["terrain"].flat[8] = 1
    routes, keys = pieces_of(battlemap)
    rivers = [routes.river(keys[RIVER, cell]) for cell in line]
    side = next(side for side in range(6) if grid.neighbour(7, side) == 8)
    mouth = rivers[2].widths[side]
    assert mouth > inland[2].widths[side]
    assert rivers[3].widths[grid.opposite(side)] == mouth
    assert rivers[:2] == inland[:2]  # an edit changes only its neighbours


def test_a_river_that_goes_nowhere_beyond_a_side_gets_thin_towards_it(qapp):
    battlemap = way_map(FLAT, 5, 4)
    lay(battlemap, RIVER, [5, 6, 7], 4)
    battlemap.layers[0].planes[RIVER].flat[7] = 0
    routes, keys = pieces_of(battlemap)
    river = routes.river(keys[RIVER, 6])
    side = next(side for side in range(6) if battlemap.grid.neighbour(6, side) == 7)
    assert river.sides >> side & 1
    assert river.widths[side] == 0


def test_a_straight_river_winds(qapp):
    battlemap = way_map(SQUARE, 9, 1)
    lay(battlemap, RIVER, list(range(9)), 4)
    routes, keys = pieces_of(battlemap)
    rivers = [routes.river(keys[RIVER, cell]) for cell in range(9)]
    for river in rivers:
        for reach in reaches(SQUARE, river):
            box = reach.line.boundingRect()
            assert min(box.width(), box.height()) > 0.05


def test_a_long_road_winds_and_a_railway_runs_straight(qapp):
    battlemap = way_map(SQUARE, 12, 3)
    lay(battlemap, ROAD, list(range(12)))
    lay(battlemap, RAIL, list(range(24, 36)))
    routes, keys = pieces_of(battlemap)
    east = SQUARE.degree // 4
    offsets = [routes.course(keys[ROAD, cell]).offsets[east] for cell in range(1, 11)]
    assert min(offsets) < 0 < max(offsets)
    assert not any(routes.course(keys[RAIL, cell]).offsets for cell in range(24, 36))


@pytest.mark.parametrize("corner_width", [0, 16])
def test_a_road_beside_a_river_leaves_the_map_alike_whatever_another_cell_has(qapp, corner_width):
    battlemap = way_map(SQUARE, 5, 4)
    planes = battlemap.layers[0].planes
    north = 1
    planes[RIVER].flat[2] = PRESENT | north
    planes[ROAD].flat[2] = PRESENT | north
    routes, keys = pieces_of(battlemap)
    at_edge = routes.course(keys[ROAD, 2]).offsets
    # Cell 0 does not lie beyond the edge, though it is the first one of the map.
    south = SQUARE.degree // 2
    planes["flow"].flat[0] = PRESENT | 1 << south
    planes["flow_width"].flat[0] = corner_width
    routes, keys = pieces_of(battlemap)
    assert routes.course(keys[ROAD, 2]).offsets == at_edge


def test_no_more_pieces_of_rivers_than_of_four_variants(qapp):
    battlemap = way_map(SQUARE, 12, 30)
    for row in range(0, 30, 2):
        lay(battlemap, RIVER, list(range(12 * row, 12 * row + 12)))
    _routes, keys = pieces_of(battlemap)
    # Towards its ends a river gets thinner, over two cells.
    through = {key for (_plane, cell), key in keys.items() if cell % 12 not in (0, 1, 10, 11)}
    assert len(through) <= 4


def test_a_river_gets_wider_from_its_spring_over_its_first_two_cells(qapp):
    battlemap = way_map(SQUARE, 6, 1)
    lay(battlemap, RIVER, list(range(6)), 4)
    routes, keys = pieces_of(battlemap)
    source, second = (routes.river(keys[RIVER, cell]) for cell in (0, 1))
    (reach,) = reaches(SQUARE, source)
    assert 0 < reach.first_width < reach.last_width
    assert reach.begins  # with a round end, not in a point
    assert max(source.widths) < max(second.widths)


def test_a_spring_has_stones_and_the_foot_of_a_mountain_has_none(qapp):
    source = River(1, 1, (2, 0, 0, 0), (0, 0, 0, 0))
    grey_pixel_counts = []
    for river in (source, source._replace(on_height=True)):
        image = QImage(96, 96, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(Qt.GlobalColor.green)
        with painting(image) as painter:
            painter.translate(48, 48)
            painter.scale(96, 96)
            draw_river(painter, SQUARE, QColor("#5090c0"), river, 1.0, 0.0)
        grey_pixels = 0
        for y in range(96):
            for x in range(96):
                colour = image.pixelColor(x, y)
                channels = (colour.red(), colour.green(), colour.blue())
                if max(channels) - min(channels) < 24:
                    grey_pixels += 1
        grey_pixel_counts.append(grey_pixels)
    assert grey_pixel_counts[0] > 40 > 10 > grey_pixel_counts[1]


def test_a_river_begins_at_the_foot_of_a_mountain(qapp):
    on_plain = River(1, 1, (2, 0, 0, 0), (0, 0, 0, 0))
    starts = []
    for river in (on_plain, on_plain._replace(on_height=True)):
        (reach,) = reaches(SQUARE, river)
        starts.append(reach.line.elementAt(0))
    # Side 0 lies in the north, where y is lowest.
    assert starts[1].y < 0 < starts[0].y


@pytest.mark.parametrize("way", SET.ways, ids=lambda way: way.name)
@pytest.mark.parametrize("scale", [1.5, 4.0])
def test_a_way_is_at_least_a_pixel_wide_from_afar(qapp, way, scale):
    thin = replace(SET, ways=(replace(way, width=0.1),))
    routes = RoutePieces(SQUARE, thin, theme("light"), 1 / scale)
    (route,) = SYSTEM.routes_of(thin)
    image = QImage(20, 20, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    with painting(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(10, 10)
        painter.scale(scale, scale)
        routes.sample(route).draw(painter)
    middle = [image.pixelColor(x, y).alphaF() for x in (9, 10) for y in range(20)]
    assert sum(middle) > 0.8  # of two columns; a track has dashes
