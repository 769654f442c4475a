"""Why a hex has its terrain: rolled, at a pole, painted, read from a file."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from randomizer.generator_run import run
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.planes.planes import TOUCHED
from randomizer.model.rolls.draw_key import DrawKey
from randomizer.roll_base import Base
from randomizer.systems.xconq.rolling.generator import PeriodGenerator, from_texts
from randomizer.systems.xconq.system import SYSTEM
from randomizer.systems.xconq.terrain.terrain_explanation import explain_terrain
from randomizer.systems.xconq.world.relief import WorldSettings, relief_of

PERIOD = """Period 0
"i" "infantry" "walks" utype
"." "sea" "blue" ttype
"+" "land" "green" ttype
"^" "hill" "brown" ttype
"_" "ice" "white" ttype
1 i speed  0 land i moves
50 sea max-alt  40 land min-alt  90 land max-alt  80 hill min-alt 95 hill max-alt 0 ice max-alt
ice edge-terrain
sea default-terrain
80 alt-roughness 70 wet-roughness
end
"""
KEY = DrawKey(11, 0)
SEA, LAND, HILL, ICE = range(4)


@pytest.fixture
def rolled() -> BattleMap:
    return map_of(from_texts(PERIOD, "mine.per", {}))


def map_of(generator: PeriodGenerator) -> BattleMap:
    """A rolled map; its terrain set is the period's."""
    base = Base.under(BattleMap.new(SYSTEM), 0)
    made = run(generator, {"countries": 0, "width": 30, "height": 20}, KEY, base)
    assert made is not None
    made.layers[0].id = 1
    return BattleMap.new(SYSTEM, made.grid, made.layers, made.terrain_set)


def relief():
    return relief_of(WorldSettings(30, 20, 80, 70), KEY)


def cell_at(low: int, high: int) -> tuple[int, int, int]:
    """A cell of the inner rows with an altitude percentile in a range; both percentiles."""
    alt = relief().alt_percent
    y, x = np.argwhere((alt[1:-1] >= low) & (alt[1:-1] <= high))[0].tolist()
    cell = (y + 1) * 30 + x
    return cell, int(alt.flat[cell]), int(relief().wet_percent.flat[cell])


def words(battlemap: BattleMap, cell: int) -> str:
    found = explain_terrain(battlemap, cell, at_once=False)
    assert found is not None
    return found.words


def test_a_rolled_hex_tells_both_percentiles_and_the_rectangle(rolled):
    cell, alt, wet = cell_at(60, 70)
    found = explain_terrain(rolled, cell, at_once=False)
    assert found is not None
    assert found.short == f"altitude {alt} %, moisture {wet} %"
    assert f"Altitude {alt} %, moisture {wet} %" in found.words
    assert "That is land: the first type" in found.words
    assert "altitude 40 to 90 % and moisture 0 to 100 %" in found.words
    assert "Later types" not in found.words


def test_other_types_that_would_fit_are_named_in_their_order(rolled):
    cell, _alt, _wet = cell_at(80, 90)
    assert "Later types that would fit too: hill, altitude 80 to 95 %" in words(rolled, cell)
    cell, _alt, _wet = cell_at(40, 50)
    assert "That is sea" in words(rolled, cell)
    assert "not asked: land" in words(rolled, cell)


def test_where_no_type_fits_it_is_the_default(rolled):
    cell, _alt, _wet = cell_at(96, 100)
    assert "That is sea: no type takes both, so it is its default-terrain" in words(rolled, cell)


def test_the_rows_at_the_poles_have_the_edge_terrain(rolled):
    for cell in (3, 19 * 30 + 3):
        assert "That is ice: the rows at the poles have the edge-terrain" in words(rolled, cell)
        assert "Elsewhere it would be" in words(rolled, cell)


def test_a_painted_hex_says_so_and_what_it_was(rolled):
    cell, _alt, _wet = cell_at(60, 70)
    layer = rolled.layers[0]
    layer.planes["terrain"].flat[cell] = HILL
    touched = np.zeros((20, 30), np.uint8)
    touched.flat[cell] = 1
    layer.planes[TOUCHED + "terrain"] = touched
    found = words(rolled, cell)
    assert found.startswith("The hill here was painted by hand.")
    assert "Rolled it was land: the first type" in found


def test_a_hex_that_the_roll_does_not_give_says_so(rolled):
    cell, _alt, _wet = cell_at(60, 70)
    rolled.layers[0].planes["terrain"].flat[cell] = HILL  # kept by a lock
    assert "The roll gives land here, not hill: the hex was locked" in words(rolled, cell)


def test_layers_without_a_roll_have_no_relief(rolled):
    painted = np.full((20, 30), 0xFF, np.uint8)
    painted[5, 5] = HILL
    rolled.layers.append(Layer(2, "Mine", planes={"terrain": painted}))
    found = explain_terrain(rolled, 5 * 30 + 5, at_once=True)
    assert found is not None
    assert found.short == ""
    assert "on the layer Mine" in found.words
    assert "nothing is known of altitude and moisture" in found.words
    empty = BattleMap.new(SYSTEM)
    assert "No layer sets the terrain" in words(empty, 0)


def test_at_once_only_what_is_kept_is_used(rolled):
    roll = rolled.layers[0].roll
    rolled.layers[0].roll = replace(roll, number=roll.number + 1)  # a world that nobody has made
    assert explain_terrain(rolled, 40, at_once=True) is None
    assert explain_terrain(rolled, 40, at_once=False) is not None
    assert explain_terrain(rolled, 40, at_once=True) is not None
