"""Parts 2, 3 and 6 of the page: rivers, lakes, roads and railways, with entered dice."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from randomizer.systems.cordery.dice.wanted_die import DieWantedError
from randomizer.systems.cordery.parts.hills import add_hills
from randomizer.systems.cordery.parts.roads import add_railways, add_roads, join_villages
from randomizer.systems.cordery.parts.routes import LARGEST_DETOUR
from randomizer.systems.cordery.parts.water import add_water
from randomizer.systems.cordery.table import route_costs
from randomizer.systems.cordery.table.broad_rivers import broad_areas
from randomizer.systems.cordery.table.counting_order import edge_of_quarter, quarter_cells
from randomizer.systems.cordery.table.features import LAKE, MARSH, MOUNTAIN, RAIL, RIVER, ROAD
from randomizer.systems.cordery.table.route_crossings import Way, crosses
from randomizer.systems.cordery.table.route_moves import RouteMoves
from randomizer.systems.cordery.table.table_builder import TableBuilder
from tests.randomizer.systems.cordery.built_tables import (
    add_part,
    area,
    base_of,
    built,
    names,
    started,
)
from tests.randomizer.systems.cordery.referee import judged, stated_costs


def fixed(**values: Any) -> dict[str, Any]:
    return {name.replace("_", " "): value for name, value in values.items()}


def put(builder: TableBuilder, **what: str) -> None:
    """Ground of the areas a0304 = "Lake", or hills a0304 = "1"."""
    for name, value in what.items():
        cell = area(builder, name[1:])
        if value.isdigit():
            builder.table.contours[cell] = int(value)
        else:
            builder.table.ground[cell] = value


def ways(builder: TableBuilder, kind: str) -> list[str]:
    return sorted(names(builder, builder.table.routes[kind].links))


STRAIGHT = fixed(river_1_entry_at="0401", river_1_exit_at="0408", river_1_width=1)


def test_2_1_quarters_run_clockwise_from_the_top_left() -> None:
    builder = started()
    grid = builder.table.grid
    assert names(builder, quarter_cells(grid, 3)) == ["0501", "0601"]
    assert names(builder, quarter_cells(grid, 8)) == ["0807", "0808"]
    assert names(builder, quarter_cells(grid, 9)) == ["0808", "0708"]
    assert names(builder, quarter_cells(grid, 14)) == ["0106", "0105"]
    assert [edge_of_quarter(n) for n in (1, 4, 5, 9, 16)] == [0, 0, 1, 2, 3]


def test_2_1_the_exit_is_counted_clockwise_from_the_entry() -> None:
    builder = add_part(add_water, started(fixed=fixed(river_1_entry=3, river_1_exit=5)), 2)
    words = [line.words for line in builder.throws.log[:2]]
    assert "quarter 3 of 16, the third of the top edge" in words[0]
    assert "quarter 8 of 16 (3 + 5 clockwise), the last of the right edge" in words[1], (
        "the author's own example"
    )


def test_2_1_the_quarters_begin_again_after_the_last_one() -> None:
    dice = fixed(river_1_entry_quarter=15, river_1_exit=3)
    builder = add_part(add_water, started(fixed=dice), 2)
    assert "quarter 2 of 16 (15 + 3 - 16 clockwise), the second" in builder.throws.log[1].words


def test_2_1_a_corner_area_counts_on_the_edge_of_its_decided_quarter() -> None:
    for quarter, edge in ((4, "top"), (5, "right")):
        dice = fixed(river_1_entry_at="0801", river_1_entry_quarter=quarter, river_1_exit_at="0108")
        builder = add_part(add_water, started(fixed=dice), 2)
        side = ("top", "right").index(edge)
        assert builder.table.routes[RIVER].links[area(builder, "0801")] & 1 << side


def test_2_1_the_highest_die_of_a_quarter_takes_the_river() -> None:
    dice = fixed(river_1_entry=3, river_1_entry_area_0501=2, river_1_entry_area_0601=5)
    builder = add_part(add_water, started(fixed=dice), 2)
    assert ": 0601 (fixed by hand)" in builder.throws.log[0].words


def test_2_1_no_river_enters_at_a_hill() -> None:
    builder = started(fixed=fixed(river_1_entry=3))
    put(builder, a0501="1", a0601="2")
    add_part(add_water, builder, 2)
    assert "quarter 4 of 16, the last of the top edge is the next" in builder.throws.log[0].words


def test_2_1_a_river_takes_the_most_direct_way() -> None:
    builder = add_part(add_water, started(fixed=STRAIGHT), 2)
    assert ways(builder, RIVER) == [f"040{row}" for row in range(1, 9)]


def test_2_1_a_river_goes_around_hills() -> None:
    builder = started(fixed=STRAIGHT)
    put(builder, a0404="1")
    add_part(add_water, builder, 2)
    river = ways(builder, RIVER)
    assert "0404" not in river
    assert len(river) == 10
    assert not builder.table.problems


def test_2_1_barred_by_hills_a_river_goes_through_the_lowest_and_says_so() -> None:
    builder = started(fixed=STRAIGHT)
    put(builder, **{f"a0{column}04": "2" for column in range(1, 9)})
    put(builder, a0604="1")
    add_part(add_water, builder, 2)
    assert "0604" in ways(builder, RIVER)
    assert [problem.code for problem in builder.table.problems] == ["through-hills"]


def test_2_1_barred_by_mountains_there_is_no_river() -> None:
    builder = started(fixed=STRAIGHT)
    put(builder, **{f"a0{column}04": MOUNTAIN for column in range(1, 9)})
    add_part(add_water, builder, 2)
    assert not ways(builder, RIVER)
    assert [problem.code for problem in builder.table.problems] == ["no-way"]


@pytest.mark.parametrize(("bank", "column"), [("left", "05"), ("right", "03")])
def test_2_2_a_wide_river_lies_on_one_bank(bank: str, column: str) -> None:
    dice = {**STRAIGHT, "river 1 width": 2, "river 1 bank": bank}
    builder = add_part(add_water, started(fixed=dice), 2)
    wide = {f"{side}0{row}" for side in ("04", column) for row in range(1, 9)}
    assert set(ways(builder, RIVER)) == wide


def test_2_2_a_wide_river_is_narrow_where_there_is_no_room() -> None:
    builder = started(fixed={**STRAIGHT, "river 1 width": 2, "river 1 bank": "left"})
    put(builder, a0504="1")
    add_part(add_water, builder, 2)
    assert "0504" not in ways(builder, RIVER)
    assert "0503" in ways(builder, RIVER)


def test_2_2_a_river_without_room_on_its_bank_is_told_to_stay_one_area_wide() -> None:
    builder = started(fixed={**STRAIGHT, "river 1 width": 2, "river 1 bank": "left"})
    put(builder, **{f"a05{row:02}": "1" for row in range(1, 9)})
    add_part(add_water, builder, 2)
    assert ways(builder, RIVER) == [f"04{row:02}" for row in range(1, 9)]
    line = builder.table.origins["water"][area(builder, "0404")]
    assert "river 1 stays one area wide" in builder.throws.log[line].words


def test_2_1_a_decided_area_needs_a_die_for_its_quarter_only_in_a_corner() -> None:
    builder = started(fixed=STRAIGHT)
    add_part(add_water, builder, 2)
    assert "river 1 entry" not in builder.throws.scores
    builder = started(fixed={**STRAIGHT, "river 1 entry at": "0101"})
    add_part(add_water, builder, 2)
    assert "river 1 entry" in builder.throws.scores


@pytest.mark.parametrize("bank", ["left", "right"])
def test_2_2_a_wide_river_that_winds_has_no_gap_in_its_second_row(bank: str) -> None:
    for seed in range(40):
        dice = fixed(river_1_width=2, river_1_bank=bank)
        dice |= fixed(river_1_entry_at="0301", river_1_exit_at="1012")
        builder = started(base_of("square", 12, 12), seed, relief="open", fixed=dice)
        add_part(add_water, builder, 2)
        grid = builder.table.grid
        river = builder.table.routes[RIVER].links
        line = next(line for line in builder.throws.log if "runs through" in line.words)
        row = sorted(set(river) - set(line.cells))
        reached = {row[0]}
        for _ in row:
            reached |= {neighbour for cell in reached for neighbour in grid.neighbours(cell)} & set(
                row
            )
        assert reached == set(row), "it is one row, without gaps"
        bare = [c for c in range(grid.size) if c not in river]
        for cell in bare:
            assert sum(neighbour in river for neighbour in grid.neighbours(cell)) < 4, "no islands"


def test_2_2_round_a_bend_that_is_barred_a_wide_river_has_no_blind_arm() -> None:
    dice = fixed(river_1_width=2, river_1_bank="right", river_1_through="0406")
    dice |= fixed(river_1_entry_at="0401", river_1_exit_at="0806")
    builder = started(fixed=dice)
    put(builder, a0306="1")
    add_part(add_water, builder, 2)
    assert "0407" in ways(builder, RIVER)
    assert "0307" not in ways(builder, RIVER), "nothing but the bend's own corner led there"


def test_2_1_a_river_goes_round_what_a_hand_has_built_but_through_its_lakes() -> None:
    builder = started(fixed=STRAIGHT | fixed(river_1_through="0407"))
    put(builder, a0404="Town", a0407="Lake")
    add_part(add_water, builder, 2)
    assert "0404" not in ways(builder, RIVER)
    assert "0407" in ways(builder, RIVER)


def test_2_3_and_2_4_lakes_and_marshes_are_located_as_hills_are() -> None:
    dice = fixed(lakes=2, lake_1_row=1, lake_1_steps="1+1+1", lake_2_chain=4, lake_2_direction=2)
    dice |= fixed(marshes=1, marsh_1_row=1, marsh_1_steps="1+1+1")
    builder = add_part(add_water, started(rivers=0, lakes=True, marshes=True, fixed=dice), 2)
    ground = {builder.name_of(cell): what for cell, what in builder.table.ground.items()}
    assert ground == {"0301": LAKE, "0401": LAKE, "0501": MARSH}


ROAD_DOWN = fixed(road_1_entry_at="0401", road_1_exit_at="0408")


def test_3_1_roads_avoid_lakes_and_marshes() -> None:
    builder = started(fixed=ROAD_DOWN)
    put(builder, a0403=LAKE, a0405=MARSH)
    add_part(add_roads, builder, 3)
    assert not {"0403", "0405"} & set(ways(builder, ROAD))
    assert ways(builder, ROAD)


def test_3_2_a_road_is_one_area_wide() -> None:
    for seed in range(20):
        builder = add_part(add_roads, started(seed=seed), 3)
        links = builder.table.routes[ROAD].links
        assert all(sides.bit_count() == 2 for sides in links.values())


@pytest.mark.parametrize(("score", "kind"), [(1, "ford"), (4, "ford"), (5, "bridge")])
def test_3_3_one_die_a_crossing_says_ford_or_bridge(score: int, kind: str) -> None:
    builder = started(fixed={**ROAD_DOWN, "road 1 crossing 1 die": score})
    grid = builder.table.grid
    for row in (3, 4):  # a river two areas wide
        builder.table.routes[RIVER].join(grid, range(row * 8, row * 8 + 8))
    add_part(add_roads, builder, 3)
    crossed = {builder.name_of(cell): what for cell, what in builder.table.crossings.items()}
    assert crossed == {"0404": kind, "0405": kind}


def test_3_3_a_road_that_a_hand_has_laid_crosses_the_river_as_the_die_says() -> None:
    builder = started(fixed=fixed(road_at_0404_crossing_1_die=6), roads=0)
    for kind, cells in ((RIVER, range(3, 64, 8)), (ROAD, range(24, 32))):
        builder.table.routes[kind].join(builder.table.grid, cells)
    add_part(add_roads, builder, 3)
    assert builder.table.crossings == {area(builder, "0404"): "bridge"}


@pytest.mark.parametrize(("leaves", "crossings"), [(3, 0), (5, 1)])
def test_3_3_a_road_that_a_hand_has_laid_along_a_river_crosses_where_it_changes_the_bank(
    leaves: int, crossings: int
) -> None:
    """The river runs down the fourth column; the road comes from the third, and shares 3 areas."""
    builder = started(roads=0)
    grid = builder.table.grid
    builder.table.routes[RIVER].join(grid, range(3, 64, 8))
    shared = [8 * row + 3 for row in (2, 3, 4)]
    end = 8 * 4 + (2 if leaves == 3 else 4)
    builder.table.routes[ROAD].join(grid, [8 * 2 + 2, *shared, end])
    add_part(add_roads, builder, 3)
    assert len(builder.table.crossings) == crossings


def test_3_1_a_road_does_not_run_along_a_river() -> None:
    builder = started(fixed=fixed(road_1_entry_at="0101", road_1_exit_at="0808"))
    river = builder.table.routes[RIVER]
    river.join(builder.table.grid, range(24, 32))
    river.add_exit(24, 3)
    river.add_exit(31, 1)
    add_part(add_roads, builder, 3)
    assert len(builder.table.crossings) == 1


@pytest.mark.parametrize("kind", [ROAD, RAIL])
def test_3_1_a_way_that_shares_the_ends_of_a_river_leaves_it_between_and_no_crossing_is_marked(
    kind: str,
) -> None:
    name = {ROAD: "road 1", RAIL: "railway 1"}[kind]
    dice = {f"{name} entry at": "0104", f"{name} exit at": "0804"}
    builder = started(railways=1, fixed=dice)
    river = builder.table.routes[RIVER]
    river.join(builder.table.grid, range(24, 32))
    river.add_exit(24, 3)
    river.add_exit(31, 1)
    add_part(add_roads if kind == ROAD else add_railways, builder, 3)
    assert not builder.table.crossings
    assert not [line for line in builder.throws.log if "bridge" in line.words]
    assert len(river.links.keys() & builder.table.routes[kind].links.keys()) <= 4


def test_3_1_a_dry_way_of_the_same_length_goes_before_one_through_a_marsh() -> None:
    dice = fixed(road_1_entry_at="0101", road_1_exit_at="0808")
    builder = started(fixed=dice)
    put(builder, a0401=MARSH)
    put(builder, **{f"a0{x}0{y}": "Field" for x in range(1, 8) for y in range(2, 9)})
    add_part(add_roads, builder, 3)
    assert "0401" not in ways(builder, ROAD)


def test_3_4_a_village_that_no_road_passes_is_joined_by_the_most_direct_way() -> None:
    builder = started()
    grid = builder.table.grid
    table = builder.table
    table.routes[ROAD].join(grid, range(8))
    village = [area(builder, "0305"), area(builder, "0405")]
    table.places.append(village)
    table.ground.update(dict.fromkeys(village, "Village"))
    add_part(join_villages, builder, 3)
    joined = set(ways(builder, ROAD)) - {f"0{column}01" for column in range(1, 9)}
    assert len(joined) == 3
    assert not table.problems


def test_3_4_a_village_beside_a_road_and_a_settlement_are_left_alone() -> None:
    builder = started()
    grid = builder.table.grid
    table = builder.table
    table.routes[ROAD].join(grid, range(8))
    for place in (["0302", "0402"], ["0606"]):
        cells = [area(builder, name) for name in place]
        table.places.append(cells)
        table.ground.update(dict.fromkeys(cells, "Village"))
    add_part(join_villages, builder, 3)
    assert len(table.routes[ROAD].links) == 8


def test_3_4_the_way_to_a_village_goes_round_hills() -> None:
    builder = started()
    grid = builder.table.grid
    table = builder.table
    table.routes[ROAD].join(grid, range(8))
    village = [area(builder, "0304"), area(builder, "0404")]
    table.places.append(village)
    table.ground.update(dict.fromkeys(village, "Village"))
    put(builder, a0303="1", a0203="1", a0204=LAKE, a0305=LAKE, a0403=LAKE)
    add_part(join_villages, builder, 3)
    assert not table.problems, "there is a way round, from the farther area"
    assert not table.contours.keys() & table.routes[ROAD].links.keys()


RAIL_DOWN = fixed(railway_1_entry_at="0401", railway_1_exit_at="0408")


def test_6_1_a_railway_does_not_leave_a_town_along_its_road() -> None:
    builder = started()
    grid = builder.table.grid
    road = builder.table.routes[ROAD]
    town = area(builder, "0404")
    door = area(builder, "0504")
    road.add_exit(door, 3)  # as 3.4 joins a town
    assert road.runs_along(grid, door, town)
    assert road.runs_along(grid, town, door)
    assert not road.runs_along(grid, town, area(builder, "0304"))


def test_6_1_a_railway_may_bend_to_pass_a_village() -> None:
    for detour in (False, True):
        builder = started(railways=1, detour=detour, fixed=RAIL_DOWN)
        cells = [area(builder, "0705"), area(builder, "0805")]
        builder.table.places.append(cells)
        builder.table.ground.update(dict.fromkeys(cells, "Village"))
        add_part(add_railways, builder, 6)
        beside = {c for cell in cells for c in builder.table.grid.neighbours(cell)}
        assert bool(beside & builder.table.routes[RAIL].links.keys()) == detour


@pytest.mark.parametrize("seed", range(20))
def test_6_1_a_railway_that_bends_does_not_come_back_the_way_it_went(seed: int) -> None:
    builder = started(seed=seed, railways=1, detour=True, fixed=RAIL_DOWN)
    village = [area(builder, "0604"), area(builder, "0704")]
    builder.table.places.append(village)
    builder.table.ground.update(dict.fromkeys(village, "Village"))
    add_part(add_railways, builder, 6)
    links = builder.table.routes[RAIL].links
    assert all(sides.bit_count() == 2 for sides in links.values())
    beside = {c for cell in village for c in builder.table.grid.neighbours(cell)}
    assert beside & links.keys()


def test_6_1_no_railway_bends_over_a_hill() -> None:
    builder = started(railways=1, detour=True, fixed=RAIL_DOWN)
    village = [area(builder, "0604"), area(builder, "0704")]
    builder.table.places.append(village)
    builder.table.ground.update(dict.fromkeys(village, "Village"))
    put(builder, a0504="1")
    add_part(add_railways, builder, 6)
    rail = builder.table.routes[RAIL].links.keys()
    assert area(builder, "0504") not in rail
    assert {area(builder, "0603"), area(builder, "0605")} & rail
    assert not builder.table.problems


def test_6_2_and_6_3_railways_cross_rivers_by_bridges_and_roads_by_level_crossings() -> None:
    builder = started(railways=1, fixed=RAIL_DOWN)
    grid = builder.table.grid
    table = builder.table
    table.routes[RIVER].join(grid, range(16, 24))
    table.routes[ROAD].join(grid, range(32, 40))
    add_part(add_railways, builder, 6)
    words = [line.words for line in builder.throws.log]
    assert any("a bridge over the river at 0403" in text for text in words)
    assert any("a level crossing at 0405" in text for text in words)


def entered_dice() -> tuple[TableBuilder, dict[str, str]]:
    """A person at the table throws whatever die is wanted, until the table is laid."""
    entered: dict[str, str] = {}
    scores = itertools.cycle((3, 5, 1, 6, 2, 4, 4))
    while True:
        try:
            return built(base_of("hex", 9, 8), dice="typed", fixed=entered), entered
        except DieWantedError as wanted:
            assert wanted.name not in entered  # noqa: PT017 - it is asked for once
            entered[wanted.name] = "+".join(str(next(scores)) for _ in range(wanted.count))


def test_real_dice_are_asked_for_by_name_until_all_are_entered() -> None:
    table, entered = entered_dice()
    thrown = {name for line in table.throws.log for name in line.throws}
    assert thrown == entered.keys()


def test_6_1_at_the_rim_only_hills_and_mountains_are_not_thrown_for() -> None:
    builder = started(railways=1, fixed=fixed(railway_1_entry=3))
    put(builder, a0501="Palm trees", a0601="Village")
    builder.table.routes[ROAD].join(builder.table.grid, range(8))
    add_part(add_railways, builder, 6)
    dice = {name for name in builder.throws.scores if name.startswith("railway 1 entry area")}
    assert {"railway 1 entry area 0501", "railway 1 entry area 0601"} <= dice


def test_6_1_a_railway_that_begins_on_a_road_leaves_along_it_in_a_narrow_valley() -> None:
    builder = started(railways=1, fixed=RAIL_DOWN)
    put(builder, **{f"a0{column}0{row}": "1" for column in (3, 5) for row in range(1, 9)})
    builder.table.routes[ROAD].join(builder.table.grid, range(3, 64, 8))
    add_part(add_railways, builder, 6)
    assert ways(builder, RAIL) == [f"040{row}" for row in range(1, 9)]
    assert not builder.table.problems
    assert not [line for line in builder.throws.log if "level crossing" in line.words]


def test_3_1_a_road_runs_along_a_river_rather_than_over_a_hill_and_crosses_it_once() -> None:
    builder = started(fixed=fixed(road_1_entry_at="0101", road_1_exit_at="0804"))
    river = builder.table.routes[RIVER]
    river.join(builder.table.grid, [area(builder, f"0{column}04") for column in range(2, 8)])
    river.join(builder.table.grid, [area(builder, f"020{row}") for row in (4, 5, 6, 7, 8)])
    river.join(builder.table.grid, [area(builder, f"070{row}") for row in (4, 3, 2, 1)])
    river.add_exit(area(builder, "0208"), 2)
    river.add_exit(area(builder, "0701"), 0)
    put(builder, **{f"a0{column}0{row}": "1" for column in range(3, 7) for row in (1, 2, 3, 5, 6)})
    put(builder, **{f"a0{column}0{row}": "1" for column in range(3, 7) for row in (7, 8)})
    add_part(add_roads, builder, 3)
    assert not builder.table.problems
    assert {"0304", "0404", "0504", "0604"} <= set(ways(builder, ROAD))
    assert len(builder.table.crossings) == 1


def test_3_4_trees_cost_a_joining_road_nothing() -> None:
    builder = started()
    grid = builder.table.grid
    table = builder.table
    table.routes[ROAD].join(grid, range(8))
    village = [area(builder, "0304"), area(builder, "0404")]
    table.places.append(village)
    table.ground.update(dict.fromkeys(village, "Village"))
    put(builder, **{f"a0{column}0{row}": "Palm trees" for column in (3, 4) for row in (2, 3)})
    add_part(join_villages, builder, 3)
    assert len(table.routes[ROAD].links) == 8 + 2


@pytest.mark.parametrize("kind", ["square", "hex"])
def test_2_2_a_wide_river_that_hills_block_leaves_no_stub_and_no_pond(kind: str) -> None:
    for seed in range(60):
        builder = started(base_of(kind, 9, 8), seed, relief="hilly", fixed={"river 1 width": 2})
        for part in (add_hills, add_water):
            add_part(part, builder)
        grid = builder.table.grid
        river = builder.table.routes[RIVER].links
        runs = [line for line in builder.throws.log if "runs through" in line.words]
        second = set(river) - {cell for line in runs for cell in line.cells}
        for cell, sides in river.items():
            assert sides.bit_count() > 1, "no arm ends blind"
            if cell in second:
                assert second & set(grid.neighbours(cell)), "no pond hangs on the river"


@pytest.mark.parametrize("seed", range(30))
def test_6_1_no_way_turns_back_or_crosses_a_route_to_come_back(seed: int) -> None:
    """Between the same two quarters a road and a railway do not weave."""
    dice = {f"{name} entry": 2 for name in ("road 1", "railway 1")}
    dice |= {f"{name} exit": 6 for name in ("road 1", "railway 1")}
    builder = started(base_of("hex", 12, 10), seed, relief="open", railways=1, fixed=dice)
    add_part(add_roads, builder, 3)
    add_part(add_railways, builder, 6)
    crossings = [line for line in builder.throws.log if "level crossing" in line.words]
    assert len(crossings) <= 1
    (way,) = [line.cells for line in builder.throws.log if "Railway 1 runs" in line.words]
    for before, after in zip(way, way[2:], strict=False):
        assert after not in builder.table.grid.neighbours(before), "no sharp bend"


def test_the_costs_are_those_that_the_manual_states() -> None:
    assert list(stated_costs().values()) == [
        route_costs.AREA,
        route_costs.SHARED_COST,
        route_costs.CROSSING,
        route_costs.WET_COST,
        route_costs.ALONG_RIVER_COST,
        route_costs.BROAD_RIVER_COST,
        route_costs.MEETING_COST,
        route_costs.BESIDE_RIVER_COST,
        route_costs.TURNING_BACK,
        route_costs.BUILT,
        route_costs.MARSHY,
        route_costs.HILL,
        route_costs.ALMOST_BARRED_COST,
        LARGEST_DETOUR,
    ]


@pytest.mark.parametrize(
    "first", [0, 8, *(pytest.param(first, marks=pytest.mark.deep) for first in range(16, 48, 8))]
)
def test_no_route_is_dearer_than_the_cheapest_or_left_out_where_a_way_exists(first: int) -> None:
    found = judged(range(first, first + 8), sizes=((6, 6), (8, 8), (9, 8)))
    assert not found.faults
    assert found.counts["routes"] > 8


def test_a_route_that_begins_in_a_broad_river_crosses_nothing_there() -> None:
    builder = started(fixed=fixed(river_1_width=2, river_1_bank="right", river_1_through="0406"))
    add_part(add_water, builder)
    table = builder.table
    grid = table.grid
    moves = RouteMoves(table, ROAD)
    broad = broad_areas(grid, table.routes[RIVER].links)
    assert broad
    moves_looked_at = 0
    for cell in broad:
        start = moves.begin_at(cell)
        for _cost, position in moves.moves_from(start):
            assert moves.crossed(start, position) == ()
            moves_looked_at += 1
    assert moves_looked_at


def test_a_route_that_comes_along_is_crossed_if_it_turns_off_to_the_other_hand() -> None:
    north_and_east = 0b0011
    assert crosses(4, Way(0, 2), 0b1010), "from east to west, across the way"
    assert not crosses(4, Way(0, 2, is_clockwise_at_entry=True), north_and_east)
    assert crosses(4, Way(0, 2, is_clockwise_at_entry=False), north_and_east)
