"""Wargame tables are landscapes; as plans they are what they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.render.drawn_cells import DrawnCells
from app.render.overlay_options import OVERLAYS, Overlays
from app.render.pictures.picture_library import picture_names
from app.render.pictures.terrain_pictures import Pictures
from app.render.renderer import Renderer
from app.render.style import drawn_style, style_of
from app.render.theme import theme
from app.systems.cordery.table.broad_rivers import broad_joins
from app.systems.cordery.table.landscape import HILLS, PICTURES
from app.systems.cordery.table.style import LANDSCAPE, PLAN
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.systems.cordery.system import SYSTEM
from randomizer.systems.cordery.table.areas import ROUTES, TERRAINS
from randomizer.systems.cordery.table.broad_rivers import broad_areas
from tests.app.cordery_tables import rolled_table, table_with
from tests.app.render.vector.test_vector_map import pixels

SIZE = 400
CODE = TERRAINS.terrain_code
NOTHING = Overlays(**dict.fromkeys(OVERLAYS, False) | {"elevation": True})
AS_PLAN = replace(NOTHING, plan=True)
KINDS = ("square", "hex")


def drawn(battlemap, overlays: Overlays = NOTHING, colours: str = "pictures") -> np.ndarray:
    renderer = Renderer(theme("light", colours), Pictures())
    renderer.overlays = overlays
    image = renderer.picture(battlemap, battlemap.composite(), SIZE, SIZE, 0.2)
    return pixels(image).astype(int)


def share_that_differs(one: np.ndarray, other: np.ndarray) -> float:
    return float((np.abs(one - other).max(axis=2) > 12).mean())


def test_tables_are_landscapes_until_a_plan_is_chosen_or_the_colours_are_plain():
    light = theme("light")
    assert style_of(SYSTEM) is LANDSCAPE
    assert drawn_style(SYSTEM, Overlays(), light) is LANDSCAPE
    assert drawn_style(SYSTEM, Overlays(plan=True), light) is PLAN
    assert drawn_style(SYSTEM, Overlays(), theme("light", "colour-blind")) is PLAN


def test_every_terrain_of_a_table_has_a_picture_of_landscapes(qapp):
    assert {terrain.name for terrain in TERRAINS.terrains} == set(PICTURES)
    assert set(PICTURES.values()) <= set(picture_names())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "planes",
    [
        *({"terrain": {(2, 2): CODE(name)}} for name in PICTURES if name != "Open"),
        {"elevation": {(2, 2): 1}},
        *({route.plane: {(2, 2): route.mark | 1 << 1 | 1 << 3}} for route in ROUTES),
    ],
    ids=str,
)
def test_all_that_lies_on_a_table_is_seen_in_both_looks(qapp, kind, planes):
    bare = table_with(kind, {})
    battlemap = table_with(kind, planes)
    for overlays in (NOTHING, AS_PLAN):
        assert share_that_differs(drawn(battlemap, overlays), drawn(bare, overlays)) > 0.001


@pytest.mark.parametrize("kind", KINDS)
def test_two_contours_are_told_apart(qapp, kind):
    one = drawn(table_with(kind, {"elevation": {(2, 2): 1}}))
    two = drawn(table_with(kind, {"elevation": {(2, 2): 2}}))
    assert share_that_differs(one, two) > 0.004
    assert len(HILLS) == max(TERRAINS.elevations)


def test_a_wood_hides_neither_the_hill_below_it_nor_the_road_through_it(qapp):
    wood = {"terrain": {(2, 2): CODE("Deciduous trees")}}
    bare = drawn(table_with("hex", wood))
    for planes in ({"elevation": {(2, 2): 1}}, {"road": {(2, 2): PRESENT | 1 << 1 | 1 << 4}}):
        assert share_that_differs(drawn(table_with("hex", wood | planes)), bare) > 0.002


@pytest.mark.deep
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("name", ["Deciduous trees", "Coniferous trees", "Palm trees", "City"])
def test_the_edge_of_a_hill_is_seen_through_what_covers_it(qapp, kind, level, name):
    covered = {(x, y): CODE(name) for x in range(5) for y in range(5)}
    level_ground = drawn(table_with(kind, {"terrain": covered}))
    hills = [{"elevation": {(2, 2): height}} for height in (level - 1, level)]
    lower, higher = (drawn(table_with(kind, {"terrain": covered} | hill)) for hill in hills)
    assert share_of_edges(higher, level_ground) > share_of_edges(lower, level_ground) + 0.002


def share_of_edges(one: np.ndarray, other: np.ndarray) -> float:
    """The share of pixels with a great difference, as that of an edge on dark or light ground."""
    return float((np.abs(one - other).max(axis=2) > 60).mean())


@pytest.mark.parametrize("kind", KINDS)
def test_a_broad_river_leaves_the_table_in_its_whole_width(qapp, kind):
    east, west = (1, 3) if kind == "square" else (1, 4)
    through = PRESENT | 1 << east | 1 << west
    battlemap = table_with(kind, {"river": {(x, y): through for x in range(5) for y in (2, 3)}})
    battlemap.layers[0].planes["river"][3, 4] = PRESENT | 1 << west  # one row is not linked outside
    grid = battlemap.grid
    cells = DrawnCells(SYSTEM, grid, battlemap.composite().planes, grid.cells)
    joins = broad_joins(cells, ROUTES[0])
    for x, y, side in ((0, 2, west), (0, 3, west), (4, 2, east), (4, 3, east)):
        assert joins[grid.cell(x, y)] >> side & 1


def widths_of_rivers(seed: int) -> tuple[bool, bool]:
    """Whether two rivers of a table of hexes, one area wide, are drawn and counted as broad."""
    fixed = "river 1 width = 1; river 2 width = 1"
    battlemap = rolled_table("hex", seed, rivers=2, roads=0, relief="undulating", fixed=fixed)
    grid = battlemap.grid
    planes = battlemap.composite().planes
    joins = broad_joins(DrawnCells(SYSTEM, grid, planes, grid.cells), ROUTES[0])
    river = planes["river"].reshape(-1)
    links = {cell: int(river[cell]) & SIDES for cell in grid.cells.tolist() if river[cell]}
    return bool(joins.any()), bool(broad_areas(grid, links))


def test_rivers_that_meet_or_touch_stay_narrow(qapp):
    """The second river of seed 2 joins the first one and parts; that of seed 3 begins beside it."""
    assert widths_of_rivers(2) == (False, False)
    assert widths_of_rivers(3) == (False, False)


def test_few_tables_with_two_narrow_rivers_have_a_broad_one(qapp):
    """Where the dice put the ends of both side by side there can be no land between them."""
    widths = [widths_of_rivers(seed) for seed in range(24)]
    for drawn_broad, counted_broad in widths:
        assert drawn_broad == counted_broad
    assert sum(drawn_broad for drawn_broad, _counted_broad in widths) <= 5
