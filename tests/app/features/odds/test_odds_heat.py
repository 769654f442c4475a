"""What the odds look like, and what is said of them, without a window."""

from __future__ import annotations

import numpy as np
import pytest

from app.features.odds.feature import describe_method
from app.features.odds.histogram import describe_rank, histogram
from app.features.odds.odds_heat import LIKELIEST, Choice, ChoiceKind, ShownOdds, odds_heat, percent
from app.features.odds.rows import CellRows
from app.render.cell_values.heat import Heat
from randomizer.batches.odds_table import OddsTable, Origin, Stage
from randomizer.systems.colossus.board import GRID
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS

BOG = COLOSSUS.terrain_code("Bog")
HERE = int(GRID.cells[5])


def table(samples: int = 1_000_000) -> OddsTable:
    """One hex is a bog in a third of the maps, at elevation 1 in a quarter of them."""
    states = ((0, 0), (BOG, 0), (BOG, 1))
    before = np.zeros((GRID.size, 3))
    before[GRID.cells, 0] = 1.0
    chances = before.copy()
    chances[HERE] = (2 / 3, 1 / 4, 1 / 12)
    sources = np.zeros((GRID.size, 3, 2))
    sources[HERE] = ((0, 2 / 3), (1 / 4, 0), (1 / 12, 0))
    origin = Origin(7, 8, "AREA (mire)")
    stages = (Stage(Origin(3, 3, "AREA D1"), before), Stage(origin, chances))
    sides = {(HERE, 2): {1: 0.5}}
    return OddsTable(samples, 2 * samples, states, chances, sides, stages, (origin,), sources)


def heat(choice: Choice, stage: int | None = None) -> Heat:
    return odds_heat(ShownOdds(table(), COLOSSUS, GRID.degree, stage), choice)


def test_chances_are_summed_over_elevations_and_over_hazards():
    assert heat(Choice(ChoiceKind.TERRAIN, BOG)).cells[HERE] == pytest.approx(1 / 3)
    assert heat(Choice(ChoiceKind.ELEVATION, 0)).cells[HERE] == pytest.approx(2 / 3 + 1 / 4)
    assert heat(LIKELIEST).texts[HERE] == "Plains\n67 %"
    assert heat(Choice(ChoiceKind.TERRAIN, BOG), stage=0).cells[HERE] == 0
    assert heat(Choice(ChoiceKind.TERRAIN, BOG)).ends == (0.0, 1.0)


def test_places_that_are_no_hexes_have_no_heat():
    off = np.setdiff1d(np.arange(GRID.size), GRID.cells)
    cells = heat(LIKELIEST).cells
    assert np.isnan(cells[off]).all()
    assert np.isfinite(cells[GRID.cells]).all()


def test_hexsides_have_bars_with_numbers():
    shown = heat(Choice(ChoiceKind.HEXSIDE, 1))
    assert shown.sides is not None
    assert shown.sides[HERE, 2] == 0.5
    assert shown.side_texts == {(HERE, 2): "50"}
    assert np.isnan(shown.cells).all()


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (0.0, "0 %"),
        (0.001, "<1 %"),
        (0.005, "<1 %"),
        (0.334, "33 %"),
        (0.995, ">99 %"),
        (0.999, ">99 %"),
        (1.0, "100 %"),
    ],
)
def test_only_what_is_certain_is_0_or_100_percent(chance, words):
    assert percent(chance) == words


def test_a_fixed_ramp_is_not_stretched():
    fixed = Heat(np.array([0.2, 0.4]), (0.0, 1.0))
    assert fixed.ramp_indices(fixed.cells).tolist() == [51, 102]
    assert fixed.ramp_indices(np.array([np.nan, -1.0, 2.0])).tolist() == [-1, 0, 255]
    stretched = Heat(np.array([0.2, 0.4]))
    assert stretched.ramp_indices(stretched.cells).tolist() == [0, 255]


def rows_of(odds_table):
    return CellRows(odds_table, SYSTEM, COLOSSUS, GRID).of_finished_map(HERE)


def test_rows_name_the_lines_responsible():
    found = rows_of(table())
    assert [row.label for row in found] == [
        "Plains, elevation 0",
        "Bog, elevation 0",
        "Bog, elevation 1",
        f"{COLOSSUS.hexsides[0].name} on the {GRID.layout.side_names[2]}",
    ]
    (below,) = found[0].reasons
    assert (below.label, below.chance.value) == ("the map below", pytest.approx(2 / 3))
    statement = found[1].reasons[0]
    assert (statement.label, statement.chance.value) == ("line 7: AREA (mire)", 0.25)
    assert statement.line == 7
    assert found[1].chance.text == "25.0 %"


def test_rows_have_an_error_while_it_is_large_enough_to_see():
    assert rows_of(table(10_000))[1].chance.text == "25.0 \N{PLUS-MINUS SIGN}0.4 %"
    exact_enough = rows_of(table(1_000_000))[1].chance
    assert exact_enough.text == "25.0 %"
    assert not exact_enough.has_error


def test_it_is_said_how_the_odds_were_counted():
    assert describe_method(table(10_000)) == (
        "Counted on 10,000 maps: each chance is within 2.2 points (99 % sure). "
        "Of those rolled, about 1 map in 2.0 (\N{PLUS-MINUS SIGN} 1 %) counts."
    )


def test_whole_numbers_have_a_bar_each():
    values = np.array([3.0, 4, 4, 6])
    edges, counts, _one_per_number = histogram(values)
    assert edges.tolist() == [2.5, 3.5, 4.5, 5.5, 6.5]
    assert counts.tolist() == [1, 2, 0, 1]


def test_other_numbers_are_counted_as_numpy_counts_them():
    values = np.random.default_rng(1).normal(size=1000)
    edges, counts, _one_per_number = histogram(values)
    assert counts.tolist() == np.histogram(values, edges)[0].tolist()
    assert counts.sum() == 1000


def test_a_place_among_maps_is_told_in_words():
    words = describe_rank(np.array([0.0, 1, 1, 2]), 1.0, whole=True)
    plain = words.replace("\N{NO-BREAK SPACE}", " ")
    assert plain == "25 % of the maps have fewer, 25 % more, 50 % as many."
    assert describe_rank(np.array([2.0, 2.0]), 2.0, whole=True) == "All maps have that."


def test_values_that_differ_by_rounding_errors_have_one_bar():
    values = np.array([0.3, 0.1 + 0.2])
    edges, counts, _one_per_number = histogram(values)
    assert counts.tolist() == [2]
    assert edges[0] < 0.3 < edges[1]
    for value in values.tolist():
        assert describe_rank(values, value, whole=False) == "All maps have that."


def test_the_share_of_equal_maps_is_never_below_nothing():
    values = np.array([0.0] * 9 + [5.0])
    assert "-0" not in describe_rank(values, 3.0, whole=True)


def test_measured_values_that_begin_at_a_half_have_no_bar_for_each_number():
    assert not histogram(np.array([0.5, 1.7, 2.3, 30.1])).one_per_number
    assert histogram(np.array([1.0, 2.0, 4.0])).one_per_number
