"""Routes that leave areas by the same sides lie beside each other, on the desk and as shapes."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter, QPainterPath

from app.document.document import MapDocument
from app.render.pictures.terrain_pictures import Pictures
from app.render.renderer import Renderer
from app.render.scene.routes.crossings import crossing_points
from app.render.theme import theme
from app.render.vector.piece_painter import ShapePiecePainter
from app.render.vector.vector_map import VectorMap
from app.render.viewport import fitting
from app.systems.cordery.table.parallel_routes import (
    has_shared_sides,
    offsets_at_sides,
    parallel_codes,
)
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.systems.cordery.table.areas import ROUTES
from randomizer.systems.cordery.table.features import Route
from randomizer.systems.cordery.table.pieces import count_pieces
from randomizer.systems.cordery.table.table_words import area_words
from tests.app.cordery_tables import bare_table, is_colour, table_with
from tests.app.render.vector.test_vector_map import pixels
from tests.app.systems.cordery.table.test_features import (
    COLOURS,
    NOTHING,
    SIZE,
    around,
    picture,
    side_middle,
)

KINDS = ("square", "hex")
STYLES = ("water", "road", "rail")
GATE = (179, 57, 47)
"""The red of level crossings."""
ROAD = [(0, 2), (1, 2), (2, 2), (3, 2), (4, 2)]
RAIL = {
    "square": [(1, 0), (1, 1), (1, 2), (2, 2), (3, 2), (3, 3), (3, 4)],
    "hex": [(1, 0), (1, 1), (1, 2), (2, 2), (3, 2), (3, 3), (4, 4)],
}


def along(battlemap: BattleMap, places: list[tuple[int, int]]) -> dict[tuple[int, int], int]:
    """The values of a route through these areas."""
    grid = battlemap.grid
    route = Route()
    route.join(grid, [grid.cell(*place) for place in places])
    return {grid.xy(cell): PRESENT | sides for cell, sides in route.links.items()}


def table(kind: str, rail: list[tuple[int, int]] | None = None) -> BattleMap:
    """A road, and a railway that comes to it, runs along it and leaves it again."""
    bare = bare_table(kind)
    rails = along(bare, RAIL[kind] if rail is None else rail)
    return table_with(kind, {"road": along(bare, ROAD), "rail": rails})


def codes(battlemap: BattleMap) -> np.ndarray:
    grid = battlemap.grid
    planes = battlemap.composite().planes
    linked = [
        (planes[name].ravel()[:, None] & SIDES) >> np.arange(grid.degree) & 1 > 0
        for name in ("river", "road", "rail")
    ]
    return parallel_codes(grid, linked)


@pytest.mark.parametrize("kind", KINDS)
def test_both_show_on_a_shared_side_and_neither_covers_the_other(qapp, kind):
    battlemap = table(kind)
    found = picture(battlemap)
    east = 1
    _west = 3 if kind == "square" else 4
    for x in (1, 2):
        middle = side_middle(battlemap, battlemap.grid.cell(x, 2), east)
        there = around(battlemap, found, *middle, 12)
        road = np.argwhere(is_colour(there, COLOURS["Road"], 12))
        rail = np.argwhere(is_colour(there, COLOURS["Railway"], 40))
        assert len(road) > 20
        assert len(rail) > 20
        above = road[:, 0].max() <= rail[:, 0].min() + 3  # one above the other
        assert above or rail[:, 0].max() <= road[:, 0].min() + 3


@pytest.mark.parametrize("kind", KINDS)
def test_both_sides_of_a_border_agree_and_what_shares_nothing_keeps_to_the_middle(kind):
    battlemap = table(kind)
    grid = battlemap.grid
    found = codes(battlemap)
    for cell in grid.cells.tolist():
        for plane in range(3):
            mine = offsets_at_sides(int(found[cell]), plane, grid.degree, STYLES)
            for side in range(grid.degree):
                other = grid.neighbour(cell, side)
                if other >= 0:
                    theirs = offsets_at_sides(int(found[other]), plane, grid.degree, STYLES)
                    assert theirs[grid.opposite(side)] == pytest.approx(-mine[side])
    assert found[grid.cell(2, 2)]
    assert not found[grid.cell(0, 2)]
    assert not found[grid.cell(1, 0)]


@pytest.mark.parametrize("kind", KINDS)
def test_6_3_there_are_gates_at_one_end_of_what_they_have_in_common(qapp, kind):
    battlemap = table(kind)
    found = is_colour(picture(battlemap), GATE, 20)[..., None]
    grid = battlemap.grid
    gates = [around(battlemap, found, *grid.centre(grid.cell(x, 2)), 14).any() for x in range(5)]
    planes = battlemap.composite().planes
    words = [area_words(grid, planes, grid.cell(x, 2)) for x in range(5)]
    assert ["level crossing" in text for text in words] == gates
    assert gates == [False, True, False, False, False], "once, at one end"
    assert count_pieces(grid, planes)["level crossing"] == 1


@pytest.mark.parametrize("kind", KINDS)
def test_the_order_holds_round_bends(qapp, kind):
    bare = bare_table(kind, 6, 6)
    way = {
        "square": [(0, 1), (1, 1), (1, 2), (2, 2), (3, 2), (3, 1), (4, 1), (5, 1)],
        "hex": [(0, 1), (1, 1), (2, 2), (3, 2), (4, 2), (4, 1), (5, 1)],
    }[kind]
    both = {"road": along(bare, way), "rail": along(bare, way)}
    battlemap = table_with(kind, both, 6, 6)
    assert not is_colour(picture(battlemap), GATE, 20).any()
    found = codes(battlemap)
    grid = battlemap.grid
    for cell in (grid.cell(*place) for place in way[1:-1]):
        roads = offsets_at_sides(int(found[cell]), 1, grid.degree, STYLES)
        assert sorted(np.sign([offset for offset in roads if offset])) == [
            -1,
            1,
        ]  # not swapped


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "colours"), [("dark", "pictures"), ("light", "print")])
def test_as_shapes_they_lie_as_on_the_desk(qapp, kind, name, colours):
    battlemap = table(kind)
    size = QRectF(0, 0, SIZE, SIZE)
    drawn_in = theme(name, colours)
    viewport = fitting(battlemap.grid, size.size(), 0.2)
    renderer = Renderer(drawn_in, Pictures())
    renderer.overlays = NOTHING
    desk = renderer.picture(battlemap, battlemap.composite(), SIZE, SIZE, 0.2)
    shapes = desk.copy()
    shapes.fill(drawn_in.background)
    painter = QPainter(shapes)
    painter.translate(viewport.dx, viewport.dy)
    painter.scale(viewport.scale, viewport.scale)
    drawing = VectorMap(
        battlemap,
        battlemap.composite(),
        drawn_in,
        Pictures(),
        NOTHING,
        ShapePiecePainter(),
        drawn_in.background,
    )
    area = painter.transform().inverted()[0].mapRect(size)
    for _ in drawing.draw_in_steps(painter, area, viewport.scale):
        pass
    painter.end()
    assert np.abs(pixels(shapes) - pixels(desk)).mean() < 4


def test_three_routes_share_a_side(qapp):
    bare = bare_table()
    values = {plane: along(bare, ROAD) for plane in ("river", "road", "rail")}
    battlemap = table_with("square", values)
    found = picture(battlemap)
    there = around(battlemap, found, *side_middle(battlemap, 12, 1), 30)
    rows = [
        np.argwhere(is_colour(there, COLOURS[name], 30))[:, 0].mean()
        for name in ("River", "Road", "Railway")
    ]
    assert min(abs(np.diff(sorted(rows)))) > 8


def test_a_broad_river_is_no_parallel_route(qapp):
    across = PRESENT | 0b1010
    down = PRESENT | 0b0101
    river = {(2, y): down | 0b0010 for y in range(5)} | {(3, y): down | 0b1000 for y in range(5)}
    battlemap = table_with("square", {"river": river, "road": {(x, 2): across for x in range(5)}})
    found = is_colour(picture(battlemap), COLOURS["Road"], 12)[..., None]
    assert around(battlemap, found, *side_middle(battlemap, 12, 1), 2).all(), "in the middle"


def test_an_edit_of_a_run_repaints_all_of_it(qapp):
    battlemap = table("square")
    document = MapDocument(battlemap)
    regions = []
    document.changed.connect(regions.append)
    document.push(set_values(battlemap, 1, "rail", [0], PRESENT | 2), "Rail")
    renderer = Renderer(theme("light"), Pictures())
    assert has_shared_sides(battlemap)
    assert len(renderer.ground.spread(battlemap, regions[-1])) == 25
    bare = table("square", [(0, 0), (1, 0)])
    assert not has_shared_sides(bare)
    assert len(renderer.ground.spread(bare, regions[-1])) < 25


def test_lines_meet_where_they_cross():
    one = QPainterPath()
    other = QPainterPath()
    beside = QPainterPath()
    one.moveTo(-1, 0)
    one.lineTo(1, 0)
    other.moveTo(0.5, -1)
    other.lineTo(0.5, 1)
    beside.moveTo(-1, 0.2)
    beside.lineTo(1, 0.2)
    ((point, angle),) = crossing_points([one], [other])
    assert (point.x(), point.y(), angle % 180) == pytest.approx((0.5, 0, 0))
    assert crossing_points([one], [beside]) == []
    assert isinstance(point, QPointF)
    assert {route.plane for route in ROUTES} == {"river", "road", "rail"}


BACK = {
    "square": [(1, 0), (1, 1), (1, 2), (2, 2), (3, 2), (3, 1), (3, 0)],
    "hex": [(1, 0), (1, 1), (1, 2), (2, 2), (3, 2), (3, 1), (4, 0)],
}
"""A railway that comes to the road and leaves it by the same hand."""


@pytest.mark.parametrize("kind", KINDS)
def test_a_railway_that_leaves_by_the_hand_by_which_it_came_crosses_no_road(qapp, kind):
    battlemap = table(kind, BACK[kind])
    assert not is_colour(picture(battlemap), GATE, 20).any()
    assert "level crossing" not in count_pieces(battlemap.grid, battlemap.composite().planes)


@pytest.mark.parametrize("kind", KINDS)
def test_of_three_any_one_may_lie_in_the_middle(qapp, kind):
    """The river keeps to the south of both, the railway to the south of the road."""
    bare = bare_table(kind)
    river = [(x, 4 - y) for x, y in BACK[kind]]
    values = {"road": along(bare, ROAD), "river": along(bare, river)}
    values["rail"] = along(bare, [(0, 2), *ROAD[1:3], *river[4:]])
    battlemap = table_with(kind, values)
    found = codes(battlemap)
    grid = battlemap.grid
    at = [
        offsets_at_sides(int(found[grid.cell(2, 2)]), plane, grid.degree, STYLES)[1]
        for plane in range(3)
    ]
    assert at[1] < at[2] < at[0], "clockwise of the east side: road, railway, river"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ford", [1, 3])
def test_a_ford_lies_in_the_area_that_has_it(qapp, kind, ford):
    bare = bare_table(kind)
    values = {"river": along(bare, ROAD), "road": along(bare, RAIL[kind])}
    battlemap = table_with(kind, {**values, "crossing": {(ford, 2): 1}})
    plain = table_with(kind, values)
    grid = battlemap.grid
    drawn = np.abs(picture(battlemap).astype(int) - picture(plain)) > 0
    changed = [around(battlemap, drawn, *grid.centre(grid.cell(x, 2)), 14).any() for x in range(5)]
    assert changed[ford]


def test_a_road_that_forks_is_crossed_once_and_not_at_both_ends(qapp):
    """The road's branch joins it from the south; the railway comes and leaves north of that."""
    bare = bare_table()
    road = along(bare, [(1, 4), (1, 3), (1, 2), (2, 2), (3, 2)])
    for place, sides in along(bare, [(3, 0), (3, 1), (3, 2), (3, 3), (3, 4)]).items():
        road[place] = road.get(place, 0) | sides
    rail = along(bare, [(0, 2), (1, 2), (2, 2), (3, 2), (4, 2)])
    battlemap = table_with("square", {"road": road, "rail": rail})
    assert count_pieces(battlemap.grid, battlemap.composite().planes)["level crossing"] == 1
