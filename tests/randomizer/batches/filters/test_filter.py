"""Filters: parsing, writing, evaluation, mistakes and their fixes, completions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.batches.filters.conditions import Combination, Condition, without_hexsides
from randomizer.batches.filters.language import FilterLanguage
from randomizer.batches.filters.parser import parse_filter, parse_quantity
from randomizer.batches.filters.terms import TerrainKind
from randomizer.geometry.flood import count_areas
from randomizer.languages.language import SourceText
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import FLAT, LAYOUTS
from randomizer.model.problems import Problem, ProblemError, apply_fix
from randomizer.model.system.system import System
from randomizer.model.terrain.terrain import Terrain, TerrainSet
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.cordery.system import SYSTEM as TABLE
from randomizer.systems.free.system import SYSTEM as FREE
from randomizer.systems.xconq.system import SYSTEM as XCONQ
from tests.randomizer.batches.filters.filter_strategies import MEASURES, conditions, made_up_batch
from tests.randomizer.batches.filters.plain_filters import PlainMap


def read(text: str, system: System = SYSTEM) -> Condition:
    return parse_filter(text, system, MEASURES)


def problem_of(text: str, system: System = SYSTEM) -> Problem:
    with pytest.raises(ProblemError) as caught:
        read(text, system)
    (problem,) = caught.value.problems
    return problem


# --- what filters mean ---------------------------------------------------------------------------


@given(conditions, st.integers(0, 50))
def test_all_maps_at_once_are_judged_as_one_by_one(condition: Condition, seed: int) -> None:
    batch = made_up_batch(seed)
    matching = condition.matches(batch).tolist()
    for row in range(len(batch)):
        assert matching[row] == PlainMap(batch, row).passes(condition)


@given(conditions, st.integers(0, 50))
def test_what_can_be_told_without_hexsides_refuses_no_map_that_passes_the_filter(
    condition: Condition, seed: int
) -> None:
    batch = made_up_batch(seed)
    early = without_hexsides(condition)
    assert early is None or not early.needs_hexsides
    if early is not None:
        assert (early.matches(batch) | ~condition.matches(batch)).all()
    if not condition.needs_hexsides:
        assert early == condition


@given(conditions)
def test_a_filter_that_is_written_and_read_again_is_the_same(condition: Condition) -> None:
    assert read(str(condition)) == condition


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("COUNT(tree)>=2 AND NOT c4==bog", "count(Tree) >= 2 and not C4 = Bog"),
        ("C4 ≠ o/1 or C4 in (lake,BRUSH)", "C4 != Bog/1 or C4 in (Lake, Brambles)"),
        ("side(d4, 0) = cliff and D4:3 = none", "D4:0 = Cliff and D4:3 = none"),
        ("D4:1 not in (none, s)", "D4:1 not in (none, Slope)"),
        ("((connected))", "connected"),
        ("(C4 = Bog or connected) and 0.1 < share", "(C4 = Bog or connected) and 0.1 < share"),
        ("Fairness <= 10%", "fairness <= 10 %"),
        ("count(elevation 2 in (C3, D4)) = 1", "count(elevation 2 in (C3, D4)) = 1"),
        ("2 <= count(c)", "2 <= count(Cliff)"),
        ("elevation(C4) > -1", "elevation(C4) > -1"),
        ("share(LAND)<60%", "share(land) < 60 %"),
        ("share(tree in (C3, C4)) >= 50", "share(Tree in (C3, C4)) >= 50"),
        ("regions( elevation>=1 ) = 2", "regions(elevation >= 1) = 2"),
        ('C4 in ("lake", water)', "C4 in (Lake, water)"),
        ('"C4" = "Bog"/1', "C4 = Bog/1"),
        ("  ", ""),
    ],
)
def test_names_and_signs_may_be_written_in_several_ways(text: str, words: str) -> None:
    assert str(read(text)) == words


def test_an_empty_filter_is_passed_by_every_map() -> None:
    batch = made_up_batch(1)
    assert read("").matches(batch).all()
    assert read("") == Combination((), is_conjunction=True)


def test_cells_are_those_of_the_map_in_hand() -> None:
    filter = parse_filter("2030 = Swamp", FREE, grid=Grid(FLAT, 40, 40))
    assert str(filter) == "2030 = Swamp"
    assert problem_of("2030 = Swamp", FREE).message == "the board has no hex “2030”"


def test_names_of_several_words_and_letters_just_as_they_are_written() -> None:
    filter = read("count(deciduous  Trees) > 1 and 0304 = c", TABLE)
    assert str(filter) == "count(Deciduous trees) > 1 and 0304 = City"


def test_a_measure_alone_can_be_read() -> None:
    assert str(parse_quantity("count(tree)", SYSTEM, MEASURES)) == "count(Tree)"
    for text in ("count(tree) > 1", "7", "fairnes"):
        with pytest.raises(ProblemError):
            parse_quantity(text, SYSTEM, MEASURES)


# --- mistakes -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "put_right"),
    [
        ("count(Tre) > 2", "count(Tree) > 2"),
        ("Tree", "count(Tree) >= 1"),
        ("volcano = 2", "count(Volcano) = 2"),
        ("C4 = Bog or Lake", "C4 = Bog or C4 = Lake"),
        ("C4 = Bog or C5 in (Tree) or Lake", "C4 = Bog or C5 in (Tree) or C5 = Lake"),
        ("C4 != Bog and lake", "C4 != Bog and C4 != Lake"),
        ("C4 = Bog and Lake", "C4 = Bog and count(Lake) >= 1"),
        ("C4 != Bog or Lake", "C4 != Bog or count(Lake) >= 1"),
        ("count(Tree)", "count(Tree) >= 1"),
        ("1 <= count(Tree) <= 4", "1 <= count(Tree) and count(Tree) <= 4"),
        ("fairnes < 10", "fairness < 10"),
        ("conected", "connected"),
        ("count(Tree) > 1 && connected", "count(Tree) > 1 and connected"),
        ("C4 = Bog || connected", "C4 = Bog or connected"),
        ("!connected", "not connected"),
        ("connected&C3=Tree", "connected and C3=Tree"),
        ("(C4=Bog)||connected", "(C4=Bog) or connected"),
        ("(!connected)", "(not connected)"),
        ("share => 1", "share >= 1"),
        ("C4 <> Bog", "C4 != Bog"),
        ("C4 Bog", "C4 = Bog"),
        ("C4 is Bog", "C4 = Bog"),
        ("C4 is not Bog", "C4 != Bog"),
        ("C4 not Bog", "C4 != Bog"),
        ("C4 = not Bog", "C4 != Bog"),
        ("C4 is in (Bog, Lake)", "C4 in (Bog, Lake)"),
        ("C4 is not in (Bog, Lake)", "C4 not in (Bog, Lake)"),
        ("C4 = Bog connected", "C4 = Bog and connected"),
        ("D4:0 = Clif", "D4:0 = Cliff"),
    ],
)
def test_what_was_clearly_meant_is_put_right(text: str, put_right: str) -> None:
    fix = problem_of(text).fix
    assert fix is not None
    assert apply_fix(text, fix) == put_right
    read(put_right)


@pytest.mark.parametrize(
    ("text", "column", "words"),
    [
        ("count(Tree) >=", 15, "a number is wanted here"),
        ("count(Tree) > $", 15, "a number is wanted here"),
        ("count(Tree) > Bog", 15, "“Bog” alone is no number"),
        ("count(Tree) > hills", 15, "there is no measure"),
        ("c9 = Bog", 1, "there is no hex C9: hexes run from A1 to F4"),
        ("elevation(C9) = 1", 11, "there is no hex C9: hexes run from A1 to F4"),
        ("elevation() = 1", 11, "a hex is wanted"),
        ("C4 = 1", 6, "elevation(C4) = 1"),
        ("share(Cliff) > 1", 7, "no terrain “Cliff”"),
        ("regions(Tree) > 5 %", 17, "not counted in percent"),
        ("share(Tree)", 12, "is a number"),
        ('count("Tre") > 1', 7, "no terrain or hexside “Tre”"),
        ("C4 > Bog", 4, "`=`, `!=` or `in`"),
        ("C4 in Bog", 7, "“(” is wanted"),
        ("C4 = Cliff", 6, "no terrain “Cliff”"),
        ("C4 = ", 6, "a terrain is wanted"),
        ("count(d) > 1", 7, "“d” can be Drift or Dune"),
        ("count(Tree/x) > 1", 12, "a whole number"),
        ("count(elevation) > 1", 16, "an elevation is wanted"),
        ("fairness", 9, "is a number"),
        ("connected = 1", 11, "“connected” or “not connected”"),
        ("(C4 = Bog", 10, "“)” is wanted"),
        ("C4 = Bog)", 9, "never opened"),
        ("C4 = Bog,", 9, "“and”, “or” or the end"),
        ("count(Tree) > 10 %", 15, "not counted in percent"),
        ("10 % > share", 1, "not counted in percent"),
        ("D4:6 = c", 4, "0 north, 1 north-east"),
        ("1 < 2", 1, "nothing of a map is compared"),
        ("$", 1, "a condition is wanted here"),
        ("count > 1", 7, "“(” is wanted"),
        ("C4 = Bog and\n  Clif = 1", 3, "Clif"),
        ("count(Tree) < " + "1" * 400, 15, "at most 30 digits"),
        ("(" * 60, 51, "nested too deep"),
        ("not " * 60, 201, "nested too deep"),
    ],
)
def test_a_mistake_is_said_at_its_place(text: str, column: int, words: str) -> None:
    problem = problem_of(text)
    assert problem.line == 1 + text.count("\n")
    assert problem.column == column
    assert words in problem.message


def test_a_sign_in_quotation_marks_is_a_name_and_no_sign_of_another_language() -> None:
    message = problem_of('C4 = "&"').message
    assert message.startswith("there is no terrain “&”")


def test_a_name_with_quotation_marks_can_be_typed() -> None:
    terrains = TerrainSet("Own", (Terrain('Old "Bog"', "#000000", "b"),))
    text = 'count("Old ""Bog""") > 0'
    assert str(parse_filter(text, FREE, terrain_set=terrains)) == text


def test_maps_without_hexsides_have_none_to_ask_for() -> None:
    assert problem_of("0304:0 = none", TABLE).message == "a Wargame table has no hexsides"


PIECES = (
    "( ) not and or in count share regions elevation side C4 Bog land water D4 : / , 2 % = >= "
    'fairness connected && $ " "Bog" "D4"'
)


@given(st.lists(st.sampled_from(PIECES.split())).map(" ".join))
def test_whatever_is_typed_is_a_filter_or_has_a_problem_with_a_place(text: str) -> None:
    try:
        filter = read(text)
    except ProblemError as wrong:
        (problem,) = wrong.problems
        assert problem.line == 1
        assert problem.column is not None
        assert 1 <= problem.column <= len(text) + 1
        if problem.fix is not None:
            assert apply_fix(text, problem.fix) != text
    else:
        assert read(str(filter)) == filter


# --- names that are not one word, and areas ------------------------------------------------------

ODD = TerrainSet(
    "Odd",
    tuple(
        Terrain(name, "#808080", letters, water=name.startswith("sea"))
        for name, letters in (
            ("sea", "."),
            ("sea, deep", ","),
            ("salt flats", "="),
            ("not here", "+"),
            ("2 trees", "^"),
            ("far-off  hills", "%"),
        )
    ),
)
ODD_GRID = XCONQ.new_grid()


@pytest.mark.parametrize("terrain", ODD.terrains)
def test_any_terrain_can_be_named(terrain: Terrain) -> None:
    kind = TerrainKind(ODD.terrain_code(terrain.name), terrain.name)
    text = f"share({kind}) < 60 % and 59,29 != {kind}"
    found = parse_filter(text, XCONQ, (), ODD_GRID, ODD)
    assert str(found) == text
    assert parse_filter(text.upper(), XCONQ, (), ODD_GRID, ODD) == found
    by_letter = f'count("{terrain.letters}") = 0'
    words = str(parse_filter(by_letter, XCONQ, (), ODD_GRID, ODD))
    assert words == f"count({kind}) = 0"


def test_names_that_need_quotation_marks_are_offered_with_them() -> None:
    for text in ("count(sea", 'count("sea'):
        found = FilterLanguage(XCONQ, (), ODD_GRID, ODD).completions(
            SourceText(text), 1, len(text) + 1
        )
        assert [offer.text for offer in found] == ["sea", '"sea, deep"']
        assert {offer.replaces for offer in found} == {len(text) - 6}


def test_cells_of_two_numbers_are_named_as_they_are_written() -> None:
    text = "12,5 in (land, salt flats) and count(sea in (0,0, 1,0)) = 2"
    assert str(parse_filter(text, XCONQ, (), ODD_GRID, ODD)) == text
    with pytest.raises(ProblemError, match="the board has no hex “60,0”"):
        parse_filter("count(sea in (60,0)) = 2", XCONQ, (), ODD_GRID, ODD)


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
@pytest.mark.parametrize("wrap", [False, True])
@given(st.integers(1, 4), st.integers(1, 5), st.integers(0, 3), st.integers(0, 99))
@settings(max_examples=20)
def test_areas_of_many_maps_are_counted_as_they_are_seen(layout, wrap, half, height, maps, seed):
    grid = Grid(layout, 2 * half, height, wrap=wrap)
    marks = np.random.default_rng(seed).random((maps, grid.size)) < 0.5
    found = count_areas(grid, marks).tolist()
    assert found == [plain_areas(grid, np.flatnonzero(marked).tolist()) for marked in marks]


def plain_areas(grid: Grid, cells: list[int]) -> int:
    ahead = set(cells)
    found = 0
    while ahead:
        found += 1
        area = [ahead.pop()]
        while area:
            around = {*grid.neighbours(area.pop())} & ahead
            ahead -= around
            area += around
    return found


# --- what can be typed --------------------------------------------------------------------------


def offered(text: str, system: System = SYSTEM) -> list[str]:
    return [
        completion.text
        for completion in FilterLanguage(system, MEASURES).completions(
            SourceText(text), 1, len(text) + 1
        )
    ]


@pytest.mark.parametrize(
    ("text", "offers"),
    [
        ("co", ["count(", "connected"]),
        ("sh", ["share(", "share"]),
        ("count(T", ["Tree", "Tower", "TarPit"]),
        ("regions(la", ["land", "Lake"]),
        ('count("T', ["Tree", "Tower", "TarPit"]),
        ("count(el", ["elevation"]),
        ("count(Tree) ", ["=", "!=", "<", "<=", ">", ">="]),
        ("count(Tree) >= 2 ", ["and", "or"]),
        ("count(Tree", ["Tree"]),
        ("count(Tree ", ["in", ")"]),
        ("C4 ", ["=", "!=", "not", "in"]),
        ("C4 = b", ["Brambles", "Bog"]),
        ("C4 in (Bog ", [",", ")"]),
        ("D4:", ["0", "1", "2", "3", "4", "5"]),
        ("D4:1 = n", ["none"]),
        ("not e", ["elevation(", "E1", "E2", "E3", "E4", "E5"]),
        ("nonsense ", []),
    ],
)
def test_what_can_come_next_is_offered(text: str, offers: list[str]) -> None:
    assert offered(text) == offers


def test_completions_fit_where_the_cursor_stands() -> None:
    (tree,) = FilterLanguage(SYSTEM, MEASURES).completions(SourceText("count(Tr) > 2"), 1, 9)
    assert (tree.text, tree.help, tree.replaces) == ("Tree", "terrain", 2)


def test_the_language_of_filters_tells_the_mistake_and_nothing_of_a_filter_in_order() -> None:
    language = FilterLanguage(SYSTEM, MEASURES)
    assert [problem.column for problem in language.check(SourceText("count(Bgo) >= 2"))] == [7]
    assert language.check(SourceText("")) == language.check(SourceText("count(Bog) >= 2")) == ()


def test_words_without_end_are_refused_at_once() -> None:
    with pytest.raises(ProblemError) as refused:
        parse_filter("t " * 60_000, SYSTEM)  # a minute, when all beginnings were tried as names
    assert "t t t" in refused.value.problems[0].message
