"""What holds on every table, whatever the dice say."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from randomizer.generator_run import run
from randomizer.model.grid.grid import Grid
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.model.rolls.generated import Generated
from randomizer.roll_base import Base
from randomizer.systems.cordery.choices import SETTINGS, Choices
from randomizer.systems.cordery.generator import CorderyGenerator, page, start_table
from randomizer.systems.cordery.page_parts import PARTS
from randomizer.systems.cordery.system import SYSTEM, table_grid
from randomizer.systems.cordery.table.features import (
    FIELD,
    HABITATION,
    MOUNTAIN,
    PLANTED,
    RAIL,
    RIVER,
    ROAD,
    SETTLEMENT,
    TREES,
    Route,
)
from randomizer.systems.cordery.table.table_builder import TableBuilder

VALUES = {setting.name: setting.values for setting in SETTINGS}
CHOICES: dict[str, st.SearchStrategy[Any]] = {
    "relief": st.sampled_from(VALUES["relief"]),
    "cover": st.sampled_from(VALUES["cover"]),
    "area": st.sampled_from(VALUES["area"]),
    "climate": st.sampled_from(VALUES["climate"]),
    "rivers": st.integers(0, 2),
    "lakes": st.booleans(),
    "marshes": st.booleans(),
    "roads": st.integers(0, 2),
    "road": st.sampled_from(VALUES["road"]),
    "railways": st.integers(0, 2),
    "detour": st.booleans(),
    "planted": st.sampled_from(VALUES["planted"]),
}
KIND_OF_GRID = st.sampled_from(("square", "hex"))


def base_of(kind: str, width: int, height: int) -> Base:
    return Base.under(
        BattleMap.new(SYSTEM, table_grid(kind, width, height), [Layer(1, "Table")]), 1
    )


def built(chosen: dict[str, Any], base: Base, seed: int) -> TableBuilder:
    builder = start_table(Choices.of(chosen), DrawKey(seed, 0), base)
    for _part, steps in page(builder):
        for _step in steps:
            pass
    return builder


def ends_of_each(grid: Grid, route: Route) -> list[int]:
    """How often each connected piece of a route leaves the table."""
    found = []
    left = set(route.links)
    while left:
        edge = [left.pop()]
        ends = 0
        while edge:
            cell = edge.pop()
            for side in range(grid.degree):
                if route.links[cell] >> side & 1:
                    other = grid.neighbour(cell, side)
                    ends += other < 0
                    if other in left:
                        left.remove(other)
                        edge.append(other)
        found.append(ends)
    return found


@given(
    st.fixed_dictionaries(CHOICES),
    KIND_OF_GRID,
    st.integers(1, 13),
    st.integers(1, 11),
    st.integers(0, 2**32 - 1),
)
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_table_keeps_the_rules_of_the_page(
    chosen: dict[str, Any], kind: str, width: int, height: int, seed: int
) -> None:
    base = base_of(kind, width, height)
    builder = built(chosen, base, seed)
    table = builder.table
    grid = base.grid
    for cells in (table.contours, table.ground, *(r.links for r in table.routes.values())):
        assert all(grid.exists(cell) for cell in cells)
    for cell, what in table.ground.items():
        if cell in table.contours:
            assert what in (*TREES, SETTLEMENT), "only trees and settlements stand on hills"
        if table.has_route(cell):
            assert what != MOUNTAIN, "no route through mountains"
            assert what not in (FIELD, *PLANTED), "fields lie beside routes"
            assert cell not in table.routes[RIVER].links, "nothing stands in a river"
    for route in table.routes.values():
        for cell, links in route.links.items():
            for side in range(grid.degree):
                other = grid.neighbour(cell, side)
                if links >> side & 1 and other in route.links:
                    back = route.links[other] >> grid.opposite(side) & 1
                    door = table.ground.get(other) in HABITATION
                    assert back or door, "a route that leaves an area enters the next"
    for kind_of_route in (ROAD, RAIL):
        assert all(ends >= 2 for ends in ends_of_each(grid, table.routes[kind_of_route]))
    if any(cell in table.contours for r in table.routes.values() for cell in r.links):
        assert any(problem.code == "through-hills" for problem in table.problems)
    both = table.routes[ROAD].links.keys() & table.routes[RIVER].links.keys()
    assert table.crossings.keys() <= both, "a road crosses a river by a ford or a bridge"
    for place in table.places:
        kinds = {table.ground[cell] for cell in place}
        assert len(kinds) == 1
        assert kinds == {SETTLEMENT} or not any(cell in table.contours for cell in place)
    if not chosen["railways"]:
        assert not table.routes[RAIL].links


@given(st.fixed_dictionaries(CHOICES), KIND_OF_GRID, st.integers(0, 2**32 - 1))
@settings(max_examples=40, deadline=None)
def test_the_same_seed_throws_the_same_dice(chosen: dict[str, Any], kind: str, seed: int) -> None:
    base = base_of(kind, 9, 8)
    once = built(chosen, base, seed)
    again = built(chosen, base, seed)
    assert once.throws.log == again.throws.log


@pytest.mark.parametrize("kind", PARTS)
def test_a_part_thrown_again_leaves_the_parts_before_it_alone(kind: str) -> None:
    base = base_of("hex", 9, 8)
    chosen: dict[str, Any] = {"relief": "hilly", "railways": 1, "lakes": True}
    chosen["planted"] = "orchard"
    before = built(chosen, base, 3).throws.log
    after = built({**chosen, f"{kind}_again": 1}, base, 3).throws.log
    number = str(PARTS.index(kind) + 1)
    first = next(i for i, line in enumerate(before) if line.step.startswith(number))
    assert before[:first] == after[:first]
    assert before != after


def rolled(chosen: dict[str, Any], base: Base) -> Generated:
    made = run(CorderyGenerator(), chosen, DrawKey(5, 0), base)
    assert made is not None
    return made


def test_each_part_of_the_page_is_a_layer_that_remembers_its_roll() -> None:
    made = rolled({"railways": 1, "rivers": 1, "relief": "hilly"}, base_of("square", 12, 12))
    names = [layer.name for layer in made.layers]
    assert names[:3] == ["Hills and mountains", "Rivers and water", "Roads"]
    assert all(layer.roll is not None and layer.roll.seed == 5 for layer in made.layers)


def test_a_place_knows_the_line_of_the_log_that_laid_it() -> None:
    made = rolled({"relief": "hilly"}, base_of("hex", 9, 8))
    hills = made.layers[0]
    assert hills.roll is not None
    for cell, line in enumerate(hills.planes["origin"].ravel().tolist()):
        if line >= 0:
            assert f"{cell % 9 + 1:02}{cell // 9 + 1:02}" in hills.roll.origins[line]
