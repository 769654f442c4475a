"""The routes of tables before a referee who works out by himself what the cheapest ways are."""

from __future__ import annotations

import pytest

from randomizer.systems.cordery import route_costs
from randomizer.systems.cordery.routes import MOST_BEND
from tests.randomizer.systems.cordery.referee import judged, stated_costs


def test_the_costs_are_those_that_the_manual_states() -> None:
    assert list(stated_costs().values()) == [
        route_costs.AREA,
        route_costs.SHARED,
        route_costs.CROSSING,
        route_costs.WET,
        route_costs.ALONG,
        route_costs.BROAD,
        route_costs.MEETING,
        route_costs.TURNING_BACK,
        route_costs.BUILT,
        route_costs.MARSHY,
        route_costs.HILL,
        route_costs.BARRED,
        MOST_BEND,
    ]


@pytest.mark.parametrize("first", range(0, 48, 8))
def test_no_route_is_dearer_than_the_cheapest_or_left_out_where_a_way_exists(first: int) -> None:
    found = judged(range(first, first + 8), sizes=((6, 6), (8, 8), (9, 8)))
    assert not found.faults
    assert found.counts["routes"] > 8
