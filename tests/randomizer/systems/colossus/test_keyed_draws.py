"""Keyed draws: (seed, number) names one map for ever. The layout is that of docs/adr/0003."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT, word
from randomizer.systems.colossus.board import HEX_OF_LABEL
from randomizer.systems.colossus.rolling.draws import KeyedDraws, keyed_draws
from randomizer.systems.colossus.rolling.program import site
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase, RolledMap, roll
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.recorded import map_text, program_of, start_text
from tests.randomizer.systems.colossus.script_strategies import (
    bases,
    script_lines,
    scripts,
    statements,
)
from tests.randomizer.systems.colossus.simple_roller import SimpleRoller

GOLDEN = Path(__file__).resolve().parents[3] / "data" / "colossus" / "golden"

seeds = st.integers(0, SEED_LIMIT - 1)
numbers = st.integers(0, NUMBER_LIMIT - 1)


def base_of(hexes: dict[str, list]) -> HexBase:
    """A map from ``{"D4": ["Sand", 1, "d     "]}``; the others are bare Plains."""
    terrain = list(PLAIN_HEXES.terrain)
    elevation = list(PLAIN_HEXES.elevation)
    hexside = [list(row) for row in PLAIN_HEXES.hexside]
    for label, (name, height, letters) in hexes.items():
        number = HEX_OF_LABEL[label]
        terrain[number] = COLOSSUS.terrain_code(name)
        elevation[number] = height
        hexside[number] = [COLOSSUS.hexside_code(letter) for letter in letters]
    return HexBase(terrain, elevation, hexside)


def rolled_of(text: str, seed: int, number: int) -> RolledMap:
    program = program_of(text)
    return roll(program, KeyedDraws(program, seed, number))


@pytest.mark.parametrize("case", sorted(GOLDEN.glob("*.json")), ids=lambda path: path.stem)
def test_maps_never_change(case: Path) -> None:
    """If this fails, the layout has changed, and every map that people noted down is lost."""
    golden = json.loads(case.read_text("utf-8"))
    program = program_of("".join(line + "\n" for line in golden["script"]))
    base = base_of(golden["onto"])
    assert len(golden["maps"]) >= 8
    for expected in golden["maps"]:
        rolled = roll(program, KeyedDraws(program, expected["seed"], expected["number"]), base)
        assert map_text(rolled) == expected["map"]
        assert start_text(rolled) == expected["startlist"]


def test_there_are_golden_maps() -> None:
    assert len(list(GOLDEN.glob("*.json"))) >= 4


@given(scripts, bases, seeds, numbers)
def test_a_roller_written_straight_from_the_record_makes_the_same_maps(
    text: str, base: HexBase, seed: int, number: int
) -> None:
    program = program_of(text)
    simple = SimpleRoller(seed, number, base.terrain, base.elevation, base.hexside)
    simple.roll(program.script)
    rolled = roll(program, KeyedDraws(program, seed, number), base)
    assert rolled.terrain == simple.terrain
    assert rolled.elevation == simple.elevation
    assert rolled.hexside == simple.hexside
    assert rolled.startlist == simple.startlist


def test_a_site_is_four_bit_fields() -> None:
    assert site(1) == 1 << 60
    assert site(2, 3, 4, 5) == 2 << 60 | 3 << 36 | 4 << 16 | 5


def test_a_hazard_is_one_word_chance_pick_elevation() -> None:
    program = program_of("AREA A1 A2 A3 B1 HAZARDS Bog Lake,25.,50.,25.,25.\n")
    for number in range(200):
        bits = word(8, number, 1 << 60 | 1 << 16)
        first = word(8, number, 1 << 60)
        left = [HEX_OF_LABEL[label] for label in ("A3", "A2", "A1", "B1")]
        left.pop((first >> 16 & 0xFFFF) * 4 >> 16)
        rolled = roll(program, KeyedDraws(program, 8, number))
        lakes = [number for number, code in enumerate(rolled.terrain) if code == 8]
        if bits >> 32 < 1 << 30:
            assert lakes == [left[(bits >> 16 & 0xFFFF) * 3 >> 16]]
            lane = bits & 0xFFFF
            assert rolled.elevation[lakes[0]] == (lane >= 0x8000) + (lane >= 0xC000)
        else:
            assert lakes == []


@given(script_lines, statements, seeds, numbers)
def test_a_statement_at_the_end_does_not_disturb_what_was_placed_before(
    lines: list[str], more: str, seed: int, number: int
) -> None:
    text = "".join(line + "\n" for line in lines)
    before = rolled_of(text, seed, number)
    after = rolled_of(text + more + "\n", seed, number)
    for hex_, origin in enumerate(after.origin):
        if origin < len(lines):
            assert origin == before.origin[hex_]
            assert after.terrain[hex_] == before.terrain[hex_]
            assert after.elevation[hex_] == before.elevation[hex_]


@given(script_lines, st.data(), seeds, numbers)
def test_comments_blank_lines_and_spacing_change_no_map(
    lines: list[str], data: st.DataObject, seed: int, number: int
) -> None:
    plain = "".join(line + "\n" for line in lines)
    fillers = st.sampled_from(["", "\n", "# a comment\n", "  # indented\n\n", "\t"])
    spaced = "".join(
        data.draw(fillers) + line.replace(" ", "  ").replace(",", " , ") + " # why\n"
        for line in lines
    )
    same = [rolled_of(text, seed, number) for text in (plain, spaced)]
    assert same[0] == same[1]


@given(scripts, seeds, numbers)
def test_a_map_does_not_depend_on_the_maps_rolled_before(text: str, seed: int, number: int) -> None:
    program = program_of(text)
    other = program_of("AREA (anywhere) HAZARDS Bog\n")
    alone = roll(program, KeyedDraws(program, seed, number))
    roll(other, KeyedDraws(other, seed, 5))
    for draws in keyed_draws(program, seed, (0, number)):
        rolled = roll(program, draws)
    assert rolled == alone


def test_seeds_and_numbers_out_of_range_are_refused() -> None:
    for seed, number in ((-1, 0), (SEED_LIMIT, 0), (0, -1), (0, NUMBER_LIMIT)):
        with pytest.raises(ValueError, match="number"):
            KeyedDraws(program_of(""), seed, number)
    KeyedDraws(program_of(""), SEED_LIMIT - 1, NUMBER_LIMIT - 1)


def test_certain_means_certain_and_never_means_never() -> None:
    program = program_of(
        "AREA D4 HAZARDS Bog,100. Tree\n"
        "AREA C3 HAZARDS Lake,0. Volcano,100.,33.3,66.7,0.\n"
        "AREA B2 HAZARDS Sand,100.,*,50.,0.\n"
        "PAIR (Bog,0)(Plains,*) HEXSIDES c,0. s,99.999 r\n"
    )
    for draws in keyed_draws(program, 3, range(3000)):
        rolled = roll(program, draws)
        d4, c3, b2 = (HEX_OF_LABEL[label] for label in ("D4", "C3", "B2"))
        assert COLOSSUS.terrains[rolled.terrain[d4]].name == "Bog"
        assert (COLOSSUS.terrains[rolled.terrain[c3]].name, rolled.elevation[c3] < 2) == (
            "Volcano",
            True,
        )
        assert rolled.elevation[b2] in (1, 2)
        assert all(code in (3, 5) for code in rolled.hexside[d4][:3])
