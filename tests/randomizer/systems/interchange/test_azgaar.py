"""Worlds of Azgaar's generator become hexes: by area, with states, rivers, routes and names."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.catalog.format_choice import format_for
from randomizer.catalog.map_formats import format_named
from randomizer.formats.checked import read_checked
from randomizer.formats.results import ReadResult
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import NO_REGION, regions_of
from randomizer.model.planes.routes import PRESENT, SIDES
from randomizer.model.problems import Severity
from randomizer.storage.files.project import read_project, write_project
from randomizer.systems.interchange.nearest_points import nearest_points
from tests.randomizer.systems.interchange.samples import AZGAAR_WORLD, azgaar


def read(world: object = AZGAAR_WORLD) -> ReadResult:
    known = format_named("azgaar")
    assert known is not None
    return read_checked(known, azgaar(world), "a.json")


def opened(change: Callable[[dict[str, Any]], object] = lambda _world: None) -> BattleMap:
    """Return the map of the small world after a change of it."""
    world = copy.deepcopy(AZGAAR_WORLD)
    change(world)
    battlemap = read(world).battlemap
    assert battlemap is not None
    return battlemap


def terrain_at(battlemap: BattleMap, x: float, y: float) -> str:
    """Return the terrain of the hex at a place, in shares of width and height."""
    values = battlemap.values("terrain").reshape(-1)
    return battlemap.terrain_set.terrains[values[cell_at(battlemap, x, y)]].code


def cell_at(battlemap: BattleMap, x: float, y: float) -> int:
    left, top, right, bottom = battlemap.grid.bounds
    cell = battlemap.grid.cell_at(left + x * (right - left), top + y * (bottom - top))
    assert cell >= 0
    return cell


def test_its_export_is_told_by_what_it_says() -> None:
    assert format_for(azgaar(), "world.json").name == "azgaar"
    assert format_for(azgaar(), "any").name == "azgaar"


def test_each_hex_is_what_most_of_its_area_is() -> None:
    battlemap = opened()
    grid = battlemap.grid
    assert (grid.width, grid.height) == (15, 6)
    places = {
        (1 / 6, 1 / 4): "Marine",
        (1 / 2, 1 / 4): "Grassland",
        (5 / 6, 1 / 4): "Grassland, mountains",
        (1 / 6, 3 / 4): "Marine",
        (1 / 2, 3 / 4): "Lake, salt",
        (5 / 6, 3 / 4): "Glimmer, hills",
    }
    assert {place: terrain_at(battlemap, *place) for place in places} == places
    codes = battlemap.terrain_set.terrains
    counts = Counter(codes[value].code for value in battlemap.values("terrain").reshape(-1))
    assert counts["Marine"] == 30, "a third of 90 hexes"
    assert 13 <= counts["Lake, salt"] <= 17, "a sixth"


def test_a_hex_is_land_if_most_of_it_is_whatever_grows_there() -> None:
    """Three cells lie in one hex: two of different land with 30 % each, and 40 % of sea."""

    def cut(world: dict[str, Any]) -> None:
        shares = ((0, 40, 5, 0), (40, 70, 30, 1), (70, 100, 30, 2))
        world["pack"]["cells"] = [
            {"i": number, "p": [50.0, (start + end) / 2], "h": height, "biome": biome, "f": 1}
            for number, (start, end, height, biome) in enumerate(shares)
        ]
        world["pack"]["cells"][0]["p"] = [50.0, 25.0]
        world["info"] |= {"width": 100, "height": 100}
        world["grid"]["cells"] = [{}]

    battlemap = opened(cut)
    assert battlemap.grid.size == 1
    (value,) = battlemap.values("terrain").reshape(-1).tolist()
    assert battlemap.terrain_set.terrains[value].code in ("Grassland", "Glimmer")


def test_elevations_lakes_and_colours() -> None:
    battlemap = opened()
    elevation = battlemap.values("elevation").reshape(-1)
    assert elevation[cell_at(battlemap, 1 / 2, 1 / 4)] == 2
    assert elevation[cell_at(battlemap, 5 / 6, 1 / 4)] == 7
    assert elevation[cell_at(battlemap, 1 / 6, 1 / 4)] == 0
    lake = cell_at(battlemap, 1 / 2, 3 / 4)
    assert elevation[lake] == 0, "it lies beside the sea"
    terrains = {terrain.code: terrain for terrain in battlemap.terrain_set.terrains}
    assert terrains["Glimmer, hills"].picture == "Hills"
    assert (terrains["Marine"].picture, terrains["Marine"].water) == ("Sea", True)
    assert terrains["Lake, salt"].water

    def without_hills(world: dict[str, Any]) -> None:
        world["pack"]["cells"][5]["h"] = 30

    terrains = {terrain.code: terrain for terrain in opened(without_hills).terrain_set.terrains}
    assert (terrains["Glimmer"].picture, terrains["Glimmer"].colour) == ("", "#8e44ad")


def test_a_lake_on_high_ground_is_as_high_as_its_shore() -> None:
    def surround(world: dict[str, Any]) -> None:
        for cell in world["pack"]["cells"]:
            if cell["f"] != 3:
                cell |= {"h": 45, "biome": 1}

    battlemap = opened(surround)
    elevation = battlemap.values("elevation").reshape(-1)
    assert elevation[cell_at(battlemap, 1 / 2, 3 / 4)] == 3


def test_states_are_regions() -> None:
    battlemap = opened()
    regions = regions_of(battlemap.records)
    names = [region.name for region in regions if region]
    assert names == ["Duchy of Ost", "West"]
    assert regions[0] is not None
    assert regions[0].colour == "#66c2a5"
    codes = battlemap.values("region").reshape(-1)
    assert codes[cell_at(battlemap, 1 / 2, 1 / 4)] == 0
    assert codes[cell_at(battlemap, 5 / 6, 1 / 4)] == 1
    assert codes[cell_at(battlemap, 5 / 6, 3 / 4)] == NO_REGION, "its state was removed"
    assert codes[cell_at(battlemap, 1 / 6, 1 / 4)] == NO_REGION


def test_two_states_of_one_long_name_have_names_as_long_as_a_name_may_be() -> None:
    def lengthen(world: dict[str, Any]) -> None:
        for state in world["pack"]["states"]:
            state["fullName"] = "Grand Duchy " * 20

    names = [region.name for region in regions_of(opened(lengthen).records)]
    assert len(set(names)) == len(names) > 1
    assert max(map(len, names)) <= 80


def test_rivers_and_routes_are_ways() -> None:
    battlemap = opened()
    assert [way.name for way in battlemap.terrain_set.ways] == [
        "River",
        "Road",
        "Trail",
        "Sea route",
    ]
    grid = battlemap.grid
    river = battlemap.values("way1").reshape(-1)
    on_way = np.flatnonzero(river & PRESENT)
    start = cell_at(battlemap, 5 / 6, 1 / 4)
    end = cell_at(battlemap, 1 / 6, 1 / 4)
    assert {start, end} <= set(on_way.tolist())
    # Every link is one of both hexes, and the river is one piece.
    for cell in on_way.tolist():
        for side in range(6):
            if river[cell] & SIDES & 1 << side:
                other = grid.neighbour(cell, side)
                assert river[other] & 1 << grid.opposite(side)
    flow = battlemap.values("flow").reshape(-1)
    cell = start
    met = []
    while flow[cell] & PRESENT and cell not in met:
        met.append(cell)
        side = int(flow[cell] & SIDES).bit_length() - 1
        cell = grid.neighbour(cell, side)
    assert cell == end, "the water flows from the source to the sea"
    widths = battlemap.values("flow_width").reshape(-1)
    assert widths[met[0]] == 1 < widths[met[-1]]


def test_burgs_markers_and_names() -> None:
    battlemap = opened()
    assert [layer.name for layer in battlemap.layers] == ["Map", "Names", "Markers", "Burgs"]
    things = {(thing.kind, thing.label): thing for thing in battlemap.visible_things()}
    assert set(things) == {
        ("city", "Ost"),
        ("village", "Hof"),
        ("fort", "Burg"),
        ("volcano", ""),
        ("note", "The Crown"),
        ("water", "Mere"),
        ("river", "Rill"),
    }
    assert things["note", "The Crown"].state["text"] == "Good beer\nand beds"
    ost = things["city", "Ost"]
    assert battlemap.grid.cell_at(ost.x, ost.y) == cell_at(battlemap, 60 / 120, 10 / 60)
    properties = battlemap.composite().properties
    assert properties["title"] == "Ostia"
    assert properties["scale"] == "27.9 mi"


def test_what_is_odd_beside_the_cells_is_left_out() -> None:
    """Names that are no text, points that are none, members that are of another kind."""

    def spoil(world: dict[str, Any]) -> None:
        world["notes"][0]["id"] = {"a": 1}
        world["pack"]["rivers"][0]["cells"] = ["a", 10**9, True]
        world["pack"]["routes"] = [{"group": None, "points": [[1], "x", [1e9, 2]]}, 5]
        world["pack"]["burgs"][1]["x"] = "far"
        world["pack"]["states"] = {"a": 1}
        world["pack"]["markers"][0]["type"] = ["volcanoes"]
        world["settings"]["distanceScale"] = []

    battlemap = opened(spoil)
    assert battlemap.terrain_set.ways == ()
    kinds = Counter(thing.kind for thing in battlemap.visible_things())
    assert kinds == {"village": 1, "fort": 1, "volcano": 1, "inn": 1, "water": 1}


def test_a_scale_beyond_all_numbers_is_left_out() -> None:
    battlemap = opened(lambda world: world["settings"].update(distanceScale=10**400))
    assert "scale" not in battlemap.layers[0].properties


def test_an_export_without_names_of_biomes_has_one_biome() -> None:
    def forget(world: dict[str, Any]) -> None:
        del world["biomesData"]
        for cell in world["pack"]["cells"]:
            cell["biome"] = 0

    codes = {terrain.code for terrain in opened(forget).terrain_set.terrains}
    assert "Biome 0" in codes


def test_what_has_no_place_is_counted() -> None:
    hints = [problem.message for problem in read().problems]
    assert {problem.severity for problem in read().problems} == {Severity.HINT}
    assert hints == [
        "Elevations are steps of 10 of its 100 heights",
        "Not kept: notes on what is no marker (1), provinces (1), cultures (1)",
    ]


def test_an_export_of_an_older_version() -> None:
    """It has no size, and roads only as a number of their cells."""

    def age(world: dict[str, Any]) -> None:
        del world["pack"]["routes"]
        del world["info"]["width"], world["info"]["height"]
        world["grid"] |= {"spacing": 10, "cellsX": 12, "cellsY": 6}
        for cell in world["pack"]["cells"]:
            cell["road"] = 5

    world = copy.deepcopy(AZGAAR_WORLD)
    age(world)
    result = read(world)
    assert result.battlemap is not None
    assert (result.battlemap.grid.width, result.battlemap.grid.height) == (15, 6)
    assert "cells with a road but no route (6)" in result.problems[-1].message


def test_it_is_kept_in_a_project() -> None:
    battlemap = opened()
    again = read_project(write_project(battlemap)).battlemap
    assert again is not None
    assert again.composite().same_as(battlemap.composite())
    assert list(again.visible_things()) == list(battlemap.visible_things())


@pytest.mark.parametrize(
    ("path", "value", "message", "line_text"),
    [
        (("pack", "cells", 1, "p"), [1], "a cell must have a point", '"p": ['),
        (("pack", "cells", 1, "p"), [1, "a"], "a cell must have a point", '"p": ['),
        (("pack", "cells", 2, "h"), None, "“h” of a cell must be a number", '"h": null'),
        (("pack", "cells", 2, "biome"), 3, "from 0 to 2", '"biome": 3'),
        (("pack", "cells", 2, "state"), -1, "“state” of a cell", '"state": -1'),
        (("pack", "cells"), [], "choose “full”", "{"),
        (("pack", "cells"), {}, "choose “full”", "{"),
    ],
)
def test_a_value_that_is_wrong_is_told_with_its_place(
    path: tuple[Any, ...], value: object, message: str, line_text: str
) -> None:
    world = copy.deepcopy(AZGAAR_WORLD)
    parent: Any = world
    for step in path[:-1]:
        parent = parent[step]
    parent[path[-1]] = value
    result = read(world)
    assert result.battlemap is None
    (problem,) = result.problems
    assert message in problem.message
    assert problem.path == "a.json"
    lines = azgaar(world).decode().splitlines()
    assert problem.line is not None
    assert lines[problem.line - 1].strip().startswith(line_text)


def test_no_json_is_told_with_its_place() -> None:
    known = format_named("azgaar")
    assert known is not None
    (problem,) = read_checked(known, azgaar()[:-9], "a.json").problems
    assert "no JSON" in problem.message
    assert problem.line is not None


@given(
    st.lists(st.tuples(st.floats(0, 19), st.floats(0, 11)), min_size=1, max_size=30, unique=True)
)
def test_nearest_points_of_a_raster(points: list[tuple[float, float]]) -> None:
    """Nearly everywhere it is the nearest point, and nowhere one that is much farther."""
    places = np.array(points)
    nearest = nearest_points(places, 12, 20)
    rows, columns = np.mgrid[0:12, 0:20]
    squares = (places[:, 0] - columns[..., None]) ** 2 + (places[:, 1] - rows[..., None]) ** 2
    distances = np.sqrt(squares)
    chosen = np.take_along_axis(distances, nearest[..., None], axis=-1)[..., 0]
    excess = chosen - distances.min(axis=-1)
    assert excess.max() <= 1.0, "points in one place of the raster count as one"
    raster_places = {(round(x), round(y)) for x, y in points}
    if len(raster_places) == len(points):
        # Else a point may be chosen everywhere instead of a nearer one in the same place.
        assert (excess < 1e-9).mean() > 0.7


def test_a_raster_of_well_spaced_points_is_exact() -> None:
    draw = np.random.default_rng(3)
    columns, rows = np.meshgrid(np.arange(12), np.arange(8))
    spread = np.stack([columns, rows], axis=-1).reshape(-1, 2) + draw.uniform(-0.4, 0.4, (96, 2))
    points = (spread + 0.5) * 4.5
    nearest = nearest_points(points, 36, 54)
    rows, columns = np.mgrid[0:36, 0:54]
    squares = (points[:, 0] - columns[..., None]) ** 2 + (points[:, 1] - rows[..., None]) ** 2
    wrong = np.count_nonzero(nearest != squares.argmin(axis=-1))
    assert wrong <= 36 * 54 // 500


def test_json_of_another_kind_is_not_taken() -> None:
    other = json.dumps({"info": {}, "pack": {}}).encode()
    known = format_named("azgaar")
    assert known is not None
    assert not known.recognises(other)
