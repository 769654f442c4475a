"""Rolled by the thousand, every map is the one that a single roll of its number makes."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT
from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.board import HEX_COUNT, LABELS
from randomizer.systems.colossus.rolling.batch_roller import roll_many
from randomizer.systems.colossus.rolling.draws import keyed_draws
from randomizer.systems.colossus.rolling.program import Program, StartStep
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase, place_hexes, roll
from randomizer.systems.colossus.rolling.rolls import Rolls
from randomizer.systems.colossus.terrain_set import COLOSSUS, HEXSIDE_NAMES
from tests.counting import watched_calls
from tests.randomizer.systems.colossus.recorded import (
    ADVERSARIAL,
    NAMES,
    needs_recordings,
    program_of,
    text_of,
)
from tests.randomizer.systems.colossus.script_strategies import bases, scripts

OWN = {
    path.name.removesuffix(".rnd"): path.read_text("utf-8")
    for path in files("randomizer.systems.colossus").joinpath("scripts").iterdir()
    if path.name.endswith(".rnd")
}
ROLLABLE = [name for name in NAMES + ADVERSARIAL if "_err_" not in name and "unknown" not in name]
WORN = HexBase(
    [number % len(COLOSSUS.terrains) for number in range(HEX_COUNT)],
    [number % 5 - 1 for number in range(HEX_COUNT)],
    [[(number + side) % 6 for side in range(6)] for number in range(HEX_COUNT)],
)
"""A map with something everywhere, elevations that no script gives, hexsides at the rim too."""


def numbers_of(maps: int) -> np.ndarray:
    return np.arange(maps, dtype=np.uint64)


def one_by_one(program: Program, base: HexBase, seed: int, numbers: np.ndarray) -> Rolls:
    rows = []
    for draws in keyed_draws(program, seed, numbers.tolist()):
        try:
            rolled = roll(program, draws, base)
            start = rolled.startlist
            row = (rolled.terrain, rolled.elevation, rolled.hexside, start or (), False)
        except ProblemError:
            row = (base.terrain, base.elevation, base.hexside, (), True)
        rows.append(row)
    terrain, elevation, hexside, starts, failed = zip(*rows, strict=True)
    start = np.array([[list_.count(label) for label in LABELS] for list_ in starts])
    has_start = any(isinstance(step, StartStep) for step in program.steps)
    return Rolls(
        seed,
        numbers,
        np.array(terrain, np.uint8),
        np.array(elevation, np.int16),
        np.array(hexside, np.uint8),
        start if has_start else None,
        np.array(failed),
    )


def assert_same(found: Rolls, expected: Rolls) -> None:
    for name in ("failed", "terrain", "elevation", "hexside", "start"):
        assert np.array_equal(getattr(found, name), getattr(expected, name)), name


def check(text: str, maps: int, base: HexBase = PLAIN_HEXES, seed: int = 5) -> Rolls:
    program = program_of(text)
    numbers = numbers_of(maps)
    found = roll_many(program, base, seed, numbers)
    assert_same(found, one_by_one(program, base, seed, numbers))
    return found


class TestSameMaps:
    @pytest.mark.parametrize("name", sorted(OWN))
    def test_our_scripts(self, name):
        check(OWN[name], 300)
        check(OWN[name], 50, WORN)

    @needs_recordings
    @pytest.mark.parametrize("name", ROLLABLE)
    def test_the_games_scripts_and_the_hard_ones(self, name):
        check(text_of(name), 300)
        check(text_of(name), 50, WORN)

    def test_ten_thousand_maps(self):
        check(OWN["Mountains"], 10_000)

    @needs_recordings
    def test_thousands_of_maps_with_everything(self):
        check(text_of("adv15_everything"), 3000)

    @settings(max_examples=20, deadline=None)
    @given(scripts, bases, st.integers(0, SEED_LIMIT - 1))
    def test_any_script(self, text, base, seed):
        check(text, 200, base, seed)

    def test_few_pairs_with_many_chances(self):
        choices = " ".join(f"{letter},{percent}." for percent in range(3, 8) for letter in "cdsw")
        pairs = f"PAIR (Bog,*)(Plains,*) HEXSIDES {choices}\n"
        check("AREA (anywhere) HAZARDS" + " Bog" * 9 + "\n" + pairs, 300, WORN)

    def test_more_pairs_than_bytes_can_tell_apart(self):
        letters = list(HEXSIDE_NAMES)
        names = [terrain.name for terrain in COLOSSUS.terrains]
        text = "".join(
            f"PAIR ({high},*)({low},{j % 3}) HEXSIDES {letters[i % 5]},{5 + 7 * j + i / 9:.3f}\n"
            for i, high in enumerate(names)
            for j, low in enumerate(names)
        )
        hazards = " ".join(names)
        check(f"AREA (anywhere) HAZARDS {hazards}\n" + text, 200, WORN)

    def test_hexes_that_stand_in_a_list_more_than_once(self):
        check(
            "LABEL a = D4 D4 D4 (inside) (inside)\nLABEL b = SOMEOF(5,(a) C3 SOMEOF(2,(a)))\n"
            "LABEL c = SOMEOF(9999999,(b))\n"
            "AREA (c) SUBSTRACT((a),(b)) HAZARDS Bog,70. Tree,50.,1 Bog,20.,30.,30.,40.\n"
            "STARTLIST (usedup) (leftover) (b)\n",
            1000,
        )


class TestWhichMaps:
    text = OWN["Mountains"] + "STARTLIST (leftover)\n"

    @pytest.mark.parametrize("chunk", [1, 7, 20])
    def test_the_size_of_a_chunk_makes_no_difference(self, chunk):
        program = program_of(self.text)
        numbers = numbers_of(30)
        whole = roll_many(program, WORN, 9, numbers)
        assert_same(roll_many(program, WORN, 9, numbers, chunk=chunk), whole)

    def test_numbers_come_in_any_order_and_from_the_whole_range(self):
        program = program_of(self.text)
        numbers = np.array([NUMBER_LIMIT - 1, 3, 3, 0, 1 << 40], np.uint64)
        found = roll_many(program, PLAIN_HEXES, SEED_LIMIT - 1, numbers)
        assert_same(found, one_by_one(program, PLAIN_HEXES, SEED_LIMIT - 1, numbers))

    def test_without_hexsides_the_rest_is_the_same(self):
        program = program_of(self.text)
        found = roll_many(program, WORN, 1, numbers_of(50), hexsides=False)
        assert found.hexside is None
        assert np.array_equal(found.terrain, roll_many(program, WORN, 1, numbers_of(50)).terrain)

    def test_no_numbers_no_maps(self):
        assert roll_many(program_of(self.text), WORN, 1, numbers_of(0)).terrain.shape == (0, 27)

    def test_seeds_and_numbers_out_of_range_are_refused(self):
        for seed, number in ((SEED_LIMIT, 0), (-1, 0), (0, NUMBER_LIMIT)):
            with pytest.raises(ValueError, match="number"):
                roll_many(program_of(self.text), WORN, seed, np.array([number], np.uint64))


class TestMapsThatCannotBe:
    def test_where_an_unknown_hazard_would_be_placed_there_is_no_map(self):
        found = check(
            "AREA SOMEOF(3,(anywhere)) HAZARDS Bog,40. Marshes,30. Tree,50.\n"
            "PAIR (Bog,*)(Plains,*) HEXSIDES c\nSTARTLIST (usedup)\n",
            400,
            WORN,
        )
        assert 50 < found.failed.sum() < 350

    def test_lists_too_long_for_bytes_are_rolled_map_by_map(self):
        text = (
            "LABEL a = (anywhere)\n" + "LABEL a = (a) (a)\n" * 4 + "AREA (a) HAZARDS Bog Tree,1\n"
        )
        check(text, 60)
        with watched_calls(place_hexes) as rolls:
            roll_many(program_of(text), PLAIN_HEXES, 1, numbers_of(3))
            short = program_of("LABEL a = (anywhere) (anywhere)\n")
            roll_many(short, PLAIN_HEXES, 1, numbers_of(3))
        assert len(rolls) == 3

    def test_where_a_list_grows_beyond_all_sense_there_is_no_map(self):
        text = (
            "AREA (anywhere) HAZARDS Bog,50.\nLABEL a = (usedup)\n"
            + "LABEL a = (a) (a)\n" * 13
            + "AREA (a) HAZARDS Tree\nSTARTLIST (inside)\n"
        )
        found = check(text, 60, WORN)
        assert 10 < found.failed.sum() < 50
