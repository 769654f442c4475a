"""Odds of scripts: counted map by map, near the exact chances, under locks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings

from randomizer.batches.batch_generator import BatchGenerator
from randomizer.batches.odds_table import OddsTable
from randomizer.cli.locks import with_locks
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError
from randomizer.roll_base import Base
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL, LABELS
from randomizer.systems.colossus.generator import from_text, packaged
from randomizer.systems.colossus.odds.sampled import Sample
from randomizer.systems.colossus.odds.tables import (
    FIRST_TABLE_MAPS,
    LIMITS,
    SampleLimits,
    odds_tables,
    table_of_maps,
)
from randomizer.systems.colossus.rolling.draws import keyed_draws
from randomizer.systems.colossus.rolling.hex_locks import NO_LOCKS, HexLocks, Locks, SideLocks
from randomizer.systems.colossus.rolling.map_chunk import CHUNK
from randomizer.systems.colossus.rolling.program import AreaStep, Program
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase, RolledMap, roll
from randomizer.systems.colossus.system import SYSTEM
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.recorded import (
    NAMES,
    exact_chances,
    needs_recordings,
    program_of,
    recording,
    state_name,
    text_of,
)
from tests.randomizer.systems.colossus.script_strategies import bases, scripts

POND = """\
AREA D4 HAZARDS Lake,40.
AREA C3 D3 D4 D4 HAZARDS Volcano,50.,2 Bog,50.
LABEL wet=(usedup)
AREA SURROUNDINGSOF((wet)) HAZARDS Tree,80. Tree Sand,70.,50.,25.,25.
AREA (leftover) SOMEOF(2,(leftover)) HAZARDS Bog Lake,30.
PAIR (Volcano,2)(Plains,*) HEXSIDES c,50. s,50.
PAIR (Tree,*)(Tree,*) HEXSIDES d,30.
PAIR (Bog,*)(Sand,0) HEXSIDES s
"""
LARGE = (
    "LABEL x=SOMEOF(13,(anywhere))\nAREA SURROUNDINGSOF((x)) HAZARDS Bog\nAREA (x) HAZARDS Tree\n"
)
ODD = HexBase(
    [number % 3 for number in range(27)],
    [number % 5 - 1 for number in range(27)],
    [[(number + side) % 6 for side in range(6)] for number in range(27)],
)
"""A map with elevations that no script gives, and hexsides everywhere."""


def onto(*layers: Layer) -> Base:
    return Base.under(BattleMap.new(SYSTEM, layers=list(layers)), len(layers))


def odds_of(text: str, base: Base | None = None, **options: object) -> Iterator[OddsTable]:
    generator = from_text(text, "Pond.rnd")
    assert isinstance(generator, BatchGenerator)
    settings = options.pop("settings", {})
    return generator.odds(settings, base or onto(), **options)  # type: ignore[arg-type]


def odds_of_maps(text: str, map_count: int, **options: object) -> OddsTable:
    generator = from_text(text, "Pond.rnd")
    assert isinstance(generator, BatchGenerator)
    return generator.odds_of_maps({}, onto(), map_count, **options)  # type: ignore[arg-type]


def sampled(
    program: Program,
    base: HexBase = PLAIN_HEXES,
    hexes: HexLocks | None = None,
    sides: SideLocks | None = None,
    maps: int = 500,
    seed: int = 5,
) -> OddsTable:
    locks = Locks(hexes or {}, sides or {})
    return table_of_maps(program, base, locks, maps, sides=True, sources=True, seed=seed)


def tables_of(
    program: Program,
    base: HexBase = PLAIN_HEXES,
    hexes: HexLocks | None = None,
    sides: SideLocks | None = None,
    seed: int = 5,
    limits: SampleLimits = LIMITS,
) -> Iterator[OddsTable]:
    locks = Locks(hexes or {}, sides or {})
    return odds_tables(program, base, locks, sides=True, sources=True, seed=seed, limits=limits)


def rolled_maps(program: Program, base: HexBase, maps: int, seed: int = 5) -> Iterator[RolledMap]:
    for draws in keyed_draws(program, seed, range(maps)):
        try:
            yield roll(program, draws, base)
        except ProblemError:
            continue


def shows(rolled: RolledMap, hexes: HexLocks, sides: SideLocks) -> bool:
    return all(
        (rolled.terrain[h], rolled.elevation[h]) == state for h, state in hexes.items()
    ) and all(rolled.hexside[h][side] == code for (h, side), code in sides.items())


def counted(maps: list[RolledMap]) -> Counter[tuple[object, ...]]:
    """States, what put them there, and hexsides, of all hexes of all maps."""
    seen: Counter[tuple[object, ...]] = Counter()
    for rolled in maps:
        for number in range(27):
            state = rolled.terrain[number], rolled.elevation[number]
            seen[number, state] += 1
            seen[number, state, rolled.origin[number]] += 1
            for side, code in enumerate(rolled.hexside[number]):
                if code:
                    seen[number, side, code] += 1
    return seen


def told(table: OddsTable, program: Program) -> dict[tuple[object, ...], float]:
    """What a table tells of the same."""
    areas = [step.statement for step in program.steps if isinstance(step, AreaStep)] + [-1]
    assert table.sides is not None
    assert table.sources is not None
    found: dict[tuple[object, ...], float] = {}
    for number, cell in enumerate(CELL_OF_HEX):
        found |= {(number, state): p for state, p in table.of(cell).items()}
        for column, origin in zip(*np.nonzero(table.sources[cell]), strict=True):
            key = number, table.states[column], areas[origin]
            found[key] = table.sources[cell, column, origin]
    numbers = {cell: number for number, cell in enumerate(CELL_OF_HEX)}
    for (cell, side), row in table.sides.items():
        found |= {(numbers[cell], side, code): p for code, p in row.items()}
    return found


def assert_counted(table: OddsTable, program: Program, maps: list[RolledMap]) -> None:
    assert table.samples == len(maps)
    expected = {key: count / len(maps) for key, count in counted(maps).items()}
    assert told(table, program) == pytest.approx(expected, abs=1e-12)


class TestSampled:
    @pytest.mark.parametrize("base", [PLAIN_HEXES, ODD], ids=["plain", "odd"])
    def test_every_figure_is_the_share_of_the_maps_that_are_rolled(self, base):
        program = program_of(POND)
        assert_counted(sampled(program, base), program, list(rolled_maps(program, base, 500)))

    @settings(max_examples=15, deadline=None)
    @given(scripts, bases)
    def test_of_any_script(self, text, base):
        program = program_of(text)
        maps = list(rolled_maps(program, base, 40))
        if maps:
            assert_counted(sampled(program, base, maps=40), program, maps)

    def test_the_stages_are_the_maps_as_they_stand_after_each_area(self):
        program = program_of(POND)
        table = sampled(program)
        areas = [n for n, step in enumerate(program.steps) if isinstance(step, AreaStep)]
        assert [stage.origin.line for stage in table.stages] == [1, 2, 4, 5]
        assert table.stages[2].origin.text == "AREA SURROUNDINGSOF((wet))"
        for stage, area in zip(table.stages, areas, strict=True):
            halfway = replace(program, steps=program.steps[: area + 1])
            seen = counted(list(rolled_maps(halfway, PLAIN_HEXES, 500)))
            for number, cell in enumerate(CELL_OF_HEX):
                expected = [seen[number, state] / 500 for state in table.states]
                assert stage.chances[cell].tolist() == pytest.approx(expected)
        assert np.array_equal(table.stages[-1].chances, table.chances)

    def test_lists_too_long_for_rows_are_counted_map_by_map(self):
        text = "LABEL x=" + "(anywhere)" * 12 + "\nAREA (x) HAZARDS Bog,50. Tree\n"
        program = program_of(text)
        table = sampled(program, maps=60)
        assert_counted(table, program, list(rolled_maps(program, PLAIN_HEXES, 60)))
        assert table.stages == ()

    def test_maps_that_fail_do_not_count(self):
        program = program_of("AREA D4 HAZARDS Nonsense,30.\nAREA D3 HAZARDS Bog,50.\n")
        table = sampled(program)
        assert_counted(table, program, list(rolled_maps(program, PLAIN_HEXES, 500)))
        assert 300 < table.samples < 400
        assert table.tried == 500

    def test_a_script_that_always_fails_says_why(self):
        with pytest.raises(ProblemError, match="Nonsense"):
            next(odds_of("AREA D4 HAZARDS Nonsense\n"))

    def test_tables_get_better_and_end_and_are_the_same_again(self):
        program = program_of(LARGE)
        limits = SampleLimits(step=4 * FIRST_TABLE_MAPS, enough=10 * FIRST_TABLE_MAPS)
        found = list(tables_of(program, seed=9, limits=limits))
        assert [table.samples // FIRST_TABLE_MAPS for table in found] == [1, 2, 4, 8, 12]
        for table in found:
            alone = odds_of_maps(LARGE, table.samples, seed=9)
            assert np.array_equal(alone.chances, table.chances)
        other = next(odds_of(LARGE, seed=10))
        assert not np.array_equal(other.chances, found[0].chances)

    def test_chunks_do_not_matter(self):
        whole, parts = (
            Sample(
                program_of(POND),
                PLAIN_HEXES,
                5,
                NO_LOCKS,
                count_sides=True,
                count_by_area=True,
                chunk=chunk,
            )
            for chunk in (CHUNK, 700)
        )
        whole.roll_up_to(3000)
        parts.roll_up_to(3000)
        assert np.array_equal(whole.counts.hexes, parts.counts.hexes)
        assert np.array_equal(whole.counts.by_area, parts.counts.by_area)
        assert np.array_equal(whole.counts.stages, parts.counts.stages)
        assert whole.counts.sides == parts.counts.sides
        assert whole.counts.sides

    def test_about_a_million_maps_are_enough(self):
        assert FIRST_TABLE_MAPS < 4000
        assert 500_000 < LIMITS.enough <= LIMITS.tries


def chances_by_name(table: OddsTable) -> dict[str, dict[str, dict[str, float]]]:
    """The chances of a table by the names of ``exact_chances``."""
    labels = dict(zip(CELL_OF_HEX, LABELS, strict=True))
    hexes: dict[str, dict[str, float]] = {}
    for cell, label in labels.items():
        hexes[label] = {state_name(*state): chance for state, chance in table.of(cell).items()}
    sides: dict[str, dict[str, float]] = {}
    assert table.sides is not None
    for (cell, side), row in table.sides.items():
        letters = {COLOSSUS.hexside_letter(code): chance for code, chance in row.items()}
        sides[f"{labels[cell]}:{side}"] = letters
    return {"hex": hexes, "hexside": sides}


def assert_within_the_bound(
    table: OddsTable, exact: Mapping[str, Mapping[str, Mapping[str, float]]]
) -> None:
    """Every chance of the table and of ``exact`` lies within the table's bound of the other."""
    sampled_chances = chances_by_name(table)
    for kind, places in exact.items():
        assert sampled_chances[kind].keys() <= places.keys()
        for place, row in places.items():
            sampled_row = sampled_chances[kind].get(place, {})
            assert sampled_row.keys() <= row.keys(), place
            for value, chance in row.items():
                assert abs(sampled_row.get(value, 0.0) - chance) <= table.bound, (place, value)


class TestAgainstExactChances:
    @pytest.mark.parametrize(
        "generator",
        [generator for generator in packaged() if generator.name != "Desert"],
        ids=lambda generator: generator.name,
    )
    def test_of_packaged_scripts(self, generator):
        table = generator.odds_of_maps({}, onto(), 1 << 17, sides=True)
        assert table.bound < 0.01
        assert_within_the_bound(table, exact_chances(generator.name))

    @needs_recordings
    @pytest.mark.parametrize("name", NAMES)
    def test_of_the_games_own_scripts(self, name):
        table = odds_of_maps(text_of(name), 1 << 17, sides=True)
        exact = recording("exact_odds", name)
        # To the recording the Brush of Custom_Beach is no known terrain; to us it is Brambles.
        hexes = {
            label: {state.replace("Brush", "Brambles"): chance for state, chance in row.items()}
            for label, row in exact["hex"].items()
        }
        assert_within_the_bound(table, {"hex": hexes, "hexside": exact["hexside"]})

    def test_every_chance_is_the_sum_of_its_sources(self):
        text = "AREA D4 D3 HAZARDS Bog\nAREA D4 HAZARDS Bog,50.\n"
        table = odds_of_maps(text, 20_000, sources=True)
        assert table.sources is not None
        assert [origin.text for origin in table.origins] == ["AREA D4 D3", "AREA D4"]
        assert np.allclose(table.sources.sum(2), table.chances)
        bog = table.states.index((COLOSSUS.terrain_code("Bog"), 0))
        d4, d3 = (CELL_OF_HEX[HEX_OF_LABEL[label]] for label in ("D4", "D3"))
        assert table.sources[d4, bog].tolist() == pytest.approx([0.25, 0.5, 0], abs=0.02)
        plains = table.states.index((0, 0))
        assert table.sources[d3, plains].tolist() == pytest.approx([0, 0, 0.5], abs=0.02)

    def test_places_that_are_no_hexes_have_no_odds(self):
        table = next(odds_of("AREA D4 HAZARDS Bog\n"))
        assert table.chances.shape == (36, 2)
        assert sorted(np.flatnonzero(table.chances.sum(1)).tolist()) == sorted(CELL_OF_HEX)


class TestNever:
    """A state that no list of the script brings to a hex is impossible, not only rare."""

    def test_what_no_list_reaches_is_impossible(self):
        table = next(odds_of("AREA D4 D3 HAZARDS Bog,0.000001\nAREA D4 HAZARDS Tree,0.\n"))
        bog = table.states.index((COLOSSUS.terrain_code("Bog"), 0))
        assert table.possible is not None
        d4, d3, a1 = (CELL_OF_HEX[HEX_OF_LABEL[label]] for label in ("D4", "D3", "A1"))
        assert table.possible[[d4, d3, a1], bog].tolist() == [True, True, False]
        assert not table.chances[:, bog].any()  # as rare as that
        assert table.can_be(bog)
        assert COLOSSUS.terrain_code("Tree") not in {terrain for terrain, _height in table.states}

    def test_what_cannot_change_is_certain_without_an_error(self):
        table = next(odds_of("AREA D4 D3 HAZARDS Bog\n"))
        d4, a1 = (CELL_OF_HEX[HEX_OF_LABEL[label]] for label in ("D4", "A1"))
        assert table.error(1.0, a1) == 0
        assert table.error(0.5, d4) > 0

    @settings(max_examples=15, deadline=None)
    @given(scripts, bases)
    def test_nothing_impossible_ever_comes_up(self, text, base):
        program = program_of(text)
        if any(rolled_maps(program, base, 40)):
            table = sampled(program, base, maps=40)
            assert table.possible is not None
            assert not table.chances[~table.possible].any()


class TestMapBelow:
    def test_it_shows_where_nothing_is_placed_and_pairs_see_it(self):
        grid = SYSTEM.new_grid()
        sand = Layer(1, "Sand", planes={"terrain": SYSTEM.plane("terrain").allocate(grid)})
        sand.planes["terrain"][:] = COLOSSUS.terrain_code("Sand")
        text = "AREA D4 HAZARDS Bog\nPAIR (Bog,*)(Sand,*) HEXSIDES s\n"
        d4 = CELL_OF_HEX[HEX_OF_LABEL["D4"]]
        bare, table = (next(odds_of(text, base, sides=True)) for base in (onto(), onto(sand)))
        assert bare.sides == {}
        assert table.sides is not None
        assert {cell for cell, _side in table.sides} == {d4}
        assert table.of(CELL_OF_HEX[0]) == {(COLOSSUS.terrain_code("Sand"), 0): 1.0}

    def test_settings_go_before_it(self):
        chosen = {"BaseTerrain": "Sand", "BaseHeight": 1}
        table = next(odds_of("AREA D4 HAZARDS Bog\n", settings=chosen))
        assert table.of(CELL_OF_HEX[0]) == {(COLOSSUS.terrain_code("Sand"), 1): 1.0}
        with pytest.raises(ProblemError, match="BaseTerrain"):
            next(odds_of("AREA D4 HAZARDS Bog\n", settings={"BaseTerrain": "Cheese"}))


class TestLocks:
    BOG, VOLCANO = (COLOSSUS.terrain_code(name) for name in ("Bog", "Volcano"))
    C3, D3, D4 = (HEX_OF_LABEL[label] for label in ("C3", "D3", "D4"))

    @pytest.mark.parametrize(
        ("hexes", "sides"),
        [
            ({C3: (VOLCANO, 2)}, {}),
            ({C3: (BOG, 0), D3: (VOLCANO, 2)}, {}),
            ({}, {(D4, 0): 0, (D4, 3): COLOSSUS.hexside_code("c")}),
            ({D4: (VOLCANO, 2)}, {(D4, 1): COLOSSUS.hexside_code("s")}),
        ],
    )
    def test_the_odds_are_those_of_the_maps_that_keep_them(self, hexes, sides):
        program = program_of(POND)
        table = sampled(program, PLAIN_HEXES, hexes, sides, maps=3000)
        every = rolled_maps(program, PLAIN_HEXES, 3000)
        maps = [rolled for rolled in every if shows(rolled, hexes, sides)]
        assert len(maps) > 20
        assert_counted(table, program, maps)
        assert (table.tried, table.stages) == (3000, ())

    def test_on_an_odd_map(self):
        program = program_of(POND)
        hexes = {self.C3: (self.BOG, 0), 0: (0, -1)}
        table = sampled(program, ODD, hexes, maps=1000)
        every = rolled_maps(program, ODD, 1000)
        assert_counted(table, program, [rolled for rolled in every if shows(rolled, hexes, {})])

    def test_a_locked_hex_is_certain(self):
        text = "AREA D4 D3 HAZARDS Bog\nAREA (leftover) HAZARDS Tree\n"
        table = next(odds_of(text, with_locks(onto(), ["D4=Bog"])))
        assert 0 < table.samples < table.tried
        assert table.of(CELL_OF_HEX[self.D4]) == {(self.BOG, 0): 1.0}
        assert table.of(CELL_OF_HEX[self.D3]) == {(COLOSSUS.terrain_code("Tree"), 0): 1.0}

    def test_none_found_yet_is_said_and_the_search_goes_on_but_not_for_ever(self):
        program = program_of("AREA D4 HAZARDS Bog,0.00001\n")
        locks = {self.D4: (self.BOG, 0)}
        found = list(
            tables_of(program, hexes=locks, limits=SampleLimits(tries=4 * FIRST_TABLE_MAPS))
        )
        assert [table.samples for table in found] == [0, 0, 0]
        assert [table.tried // FIRST_TABLE_MAPS for table in found] == [1, 2, 4]
        assert not found[-1].chances.any()

    def test_what_no_map_shows_is_refused(self):
        with pytest.raises(ProblemError, match="never makes D4 Lake"):
            next(odds_of("AREA D4 HAZARDS Bog\n", with_locks(onto(), ["D4=Lake"])))


def test_a_script_with_errors_is_refused():
    with pytest.raises(ProblemError, match="HAZARD"):
        next(odds_of("AREA D4 HAZARD Bog\n"))
