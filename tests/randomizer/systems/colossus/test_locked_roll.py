"""Locks: only maps that the script really makes, and that show what is locked."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.basics.dice import NUMBER_LIMIT
from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_CELL, HEX_OF_LABEL, LABELS
from randomizer.systems.colossus.rolling.compiler import compile_script
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.hex_locks import HexLocks, Locks, SideLocks
from randomizer.systems.colossus.rolling.lock_problems import impossible_locks, reachable_states
from randomizer.systems.colossus.rolling.locks import LockedRoll, search_with_locks
from randomizer.systems.colossus.rolling.program import Program
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase, RolledMap, roll
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.recorded import (
    map_text,
    program_of,
)
from tests.randomizer.systems.colossus.script_strategies import bases, scripts

D4, C3, A1 = (HEX_OF_LABEL[label] for label in ("D4", "C3", "A1"))
BOG = COLOSSUS.terrain_code("Bog")
VOLCANO = COLOSSUS.terrain_code("Volcano")
SLOPE = COLOSSUS.hexside_code("s")
CLIFF = COLOSSUS.hexside_code("c")

PEAK = program_of(
    "AREA C3 D3 D4 HAZARDS Volcano,2\n"
    "AREA (anywhere) HAZARDS Bog,50. Bog,50.\n"
    "PAIR (Volcano,*)(Plains,*) HEXSIDES c,50. s,50.\n",
    "peak.rnd",
)


def roll_locked(
    program: Program,
    seed: int,
    number: int,
    base: HexBase = PLAIN_HEXES,
    hexes: HexLocks | None = None,
    sides: SideLocks | None = None,
    **budget: Any,
) -> LockedRoll:
    """The search to its end."""
    locks = Locks(hexes or {}, sides or {})
    search = search_with_locks(program, seed, number, base, locks, **budget)
    while True:
        try:
            next(search)
        except StopIteration as end:
            found: LockedRoll = end.value
            return found


def keeps(made: RolledMap, hexes: HexLocks, sides: SideLocks) -> bool:
    """Whether a map shows everything that is locked."""
    return all(
        (made.terrain[hex_], made.elevation[hex_]) == state for hex_, state in hexes.items()
    ) and all(made.hexside[hex_][side] == code for (hex_, side), code in sides.items())


def first_that_keeps(
    program: Program, seed: int, number: int, base: HexBase, hexes: HexLocks, sides: SideLocks
) -> int:
    """As plainly as can be."""
    while True:
        try:
            if keeps(roll(program, KeyedDraws(program, seed, number), base), hexes, sides):
                return number
        except ProblemError:
            pass
        number += 1


def test_how_rare_such_maps_are_is_told_by_all_that_were_tried() -> None:
    hexes = {D4: (VOLCANO, 2), C3: (BOG, 0)}
    sides = {(D4, 0): CLIFF}
    found = roll_locked(PEAK, 5, 10, hexes=hexes, sides=sides)
    maps = (roll(PEAK, KeyedDraws(PEAK, 5, 10 + n)) for n in range(found.kept_locks.tried))
    assert found.kept_locks.matching == sum(keeps(made, hexes, sides) for made in maps)
    assert found.kept_locks.matching >= 10


def test_without_locks_it_is_the_ordinary_roll() -> None:
    found = roll_locked(PEAK, 5, 17)
    assert (found.number, found.kept_locks.tried) == (17, 1)
    assert found.map == roll(PEAK, KeyedDraws(PEAK, 5, 17))


def test_locks_condition_the_rest_of_the_map() -> None:
    """There is one Volcano on every map, locked or not: it is not put back after a free roll."""
    number = 0
    for _ in range(50):
        found = roll_locked(PEAK, 9, number, hexes={D4: (VOLCANO, 2)})
        assert map_text(found.map).count("Volcano") == 1
        number = found.number + 1


@pytest.mark.parametrize(
    ("hexes", "sides", "said"),
    [
        ({A1: (VOLCANO, 2)}, {}, "never makes A1 Volcano, elevation 2."),
        ({D4: (VOLCANO, 1)}, {}, "never makes D4 Volcano, elevation 1."),
        ({}, {(A1, 0): CLIFF}, "never leaves cliff on the north side of A1."),
        ({D4: (BOG, 0)}, {(D4, 0): SLOPE}, "never leaves slope on the north side of D4."),
        ({}, {(A1, 3): SLOPE}, "never leaves slope on the south side of A1."),
    ],
)
def test_what_a_script_cannot_make_is_said_at_once(
    hexes: dict[int, tuple[int, int]], sides: dict[tuple[int, int], int], said: str
) -> None:
    with pytest.raises(ProblemError) as caught:
        roll_locked(PEAK, 0, 0, hexes=hexes, sides=sides)
    (problem,) = caught.value.problems
    assert problem.code == "lock-impossible"
    assert problem.message.endswith(said)
    assert problem.path == "peak.rnd"
    locks = [(hex_, None) for hex_ in hexes] + list(sides)
    assert (HEX_OF_CELL[problem.cell], problem.side) == locks[-1]


def test_a_hexside_below_cannot_be_locked_away() -> None:
    hexside = [list(row) for row in PLAIN_HEXES.hexside]
    hexside[A1][0] = SLOPE
    base = HexBase(hexside=hexside)
    assert roll_locked(PEAK, 0, 0, base, sides={(A1, 0): SLOPE}) is not None
    with pytest.raises(ProblemError, match="never leaves nothing on the north side of A1"):
        roll_locked(PEAK, 0, 0, base, sides={(A1, 0): 0})


def test_an_empty_hand_after_the_budget_is_said_honestly() -> None:
    program = program_of("AREA D4 HAZARDS Bog,0.0001\n")
    with pytest.raises(ProblemError) as caught:
        roll_locked(program, 1, 100, hexes={D4: (BOG, 0)}, budget_maps=3000)
    message = caught.value.problems[0].message
    assert "None of the 3,000 maps tried (numbers 100 to 3099)" in message
    assert "less than 1 map in 1,000" in message
    assert "from number 3100" in message
    problem = caught.value.problems[0]
    assert (problem.code, problem.cell) == ("locks-not-found", CELL_OF_HEX[D4])
    with pytest.raises(ProblemError, match="None of the 256 maps"):
        roll_locked(program, 1, 0, hexes={D4: (BOG, 0)}, budget_seconds=-1)
    with pytest.raises(ProblemError, match="budget is empty"):
        roll_locked(program, 1, 0, hexes={D4: (BOG, 0)}, budget_maps=0)
    with pytest.raises(ProblemError, match="None of the 5 maps"):
        roll_locked(program, 1, NUMBER_LIMIT - 5, hexes={D4: (BOG, 0)})


def test_the_lock_that_is_most_in_the_way_is_named() -> None:
    program = program_of("AREA D4 HAZARDS Bog,0.5\nAREA C3 HAZARDS Bog,30.\nAREA A1 HAZARDS Bog\n")
    locks = {C3: (BOG, 0), D4: (BOG, 0), A1: (BOG, 0)}
    with pytest.raises(
        ProblemError, match=r"Without D4 Bog, elevation 0, 2,[0-9]* of 8,192 maps keep"
    ) as error:
        roll_locked(program, 1, 0, hexes=locks, budget_maps=20)
    assert error.value.problems[0].cell == CELL_OF_HEX[D4]


def test_locks_that_exclude_each_other_one_by_one_are_told_by_the_rarest() -> None:
    volcanoes = {D4: (VOLCANO, 2), C3: (VOLCANO, 2), HEX_OF_LABEL["D3"]: (VOLCANO, 2)}
    with pytest.raises(ProblemError, match=r"The rarest by itself: .* Volcano, elevation 2 \("):
        roll_locked(PEAK, 1, 0, hexes=volcanoes, budget_maps=300)
    two = {D4: (VOLCANO, 2), C3: (VOLCANO, 2)}
    with pytest.raises(ProblemError, match=r"Without .* Volcano, elevation 2, 2,\d+ of 8,192 maps"):
        roll_locked(PEAK, 1, 0, hexes=two, budget_maps=300)


def test_the_search_tells_how_far_it_is_and_can_be_stopped() -> None:
    program = program_of("AREA D4 HAZARDS Bog,0.0001\n")
    search = search_with_locks(program, 1, 0, locks=Locks({D4: (BOG, 0)}))
    told = [next(search) for _ in range(5)]
    assert told == sorted(set(told))
    search.close()
    with pytest.raises(StopIteration):
        next(search)


def test_maps_that_fail_are_passed_over() -> None:
    text = "AREA D4 HAZARDS Bog\nAREA A1 HAZARDS Lava,50.\n"
    program = compile_script(parse(text).script, "lava.rnd")
    found = [roll_locked(program, 2, n, hexes={D4: (BOG, 0)}) for n in range(20)]
    assert {one.number > n for n, one in enumerate(found)} == {True, False}
    certain = compile_script(parse(text.replace(",50.", "")).script)
    with pytest.raises(ProblemError, match="Lava"):
        roll_locked(certain, 2, 0, hexes={D4: (BOG, 0)}, budget_maps=20)
    with pytest.raises(ProblemError, match="Lava"):
        roll_locked(certain, 2, 0)


@pytest.mark.parametrize(
    ("hexes", "reached"),
    [
        ("(some)", "A1 A2 A3"),
        ("SUBSTRACT((some),A2)", "A1 A3"),
        ("SUBSTRACT((some),(some))", "A1 A2 A3"),
        ("SURROUNDINGSOF(SUBSTRACT((some),A2 A3))", "A2 B1 B2"),
        ("SOMEOF(1,(some)) B1 (undefined)", "A1 A2 A3 B1"),
        ("SOMEOF(0,SOMEOF(1,(some)))", ""),
    ],
)
def test_where_a_list_can_reach_is_known_before_any_draw(hexes: str, reached: str) -> None:
    text = f"LABEL some=SOMEOF(1,(leftdefenseentry))\nAREA {hexes} HAZARDS Bog\n"
    states = reachable_states(program_of(text), PLAIN_HEXES)
    assert {LABELS[hex_] for hex_ in range(27) if (BOG, 0) in states[hex_]} == set(reached.split())
    assert {LABELS[hex_] for hex_ in range(27) if (VOLCANO, 0) in states[hex_]} == set()


@given(scripts, bases, st.integers(0, 2**32 - 1), st.data())
def test_every_map_can_be_locked_again_and_is_found_again(
    text: str, base: HexBase, seed: int, data: st.DataObject
) -> None:
    """What a roll shows is never called impossible, and the locks hold on the map found."""
    program = program_of(text)
    shown = roll(program, KeyedDraws(program, seed, 3), base)
    hexes = {
        hex_: (shown.terrain[hex_], shown.elevation[hex_])
        for hex_ in data.draw(st.sets(st.integers(0, 26)))
    }
    sides = {
        (edge // 6, edge % 6): shown.hexside[edge // 6][edge % 6]
        for edge in data.draw(st.sets(st.integers(0, 161)))
    }
    assert impossible_locks(program, base, Locks(hexes, sides)) == []
    found = roll_locked(program, seed, 0, base, hexes, sides, budget_maps=300)
    assert found.number == first_that_keeps(program, seed, 0, base, hexes, sides)
    assert found.map == roll(program, KeyedDraws(program, seed, found.number), base)


@given(scripts, bases, st.integers(0, 2**32 - 1))
def test_no_roll_goes_beyond_the_states_that_can_be_reached(
    text: str, base: HexBase, seed: int
) -> None:
    program = program_of(text)
    states = reachable_states(program, base)
    for number in range(5):
        made = roll(program, KeyedDraws(program, seed, number), base)
        for hex_, state in enumerate(zip(made.terrain, made.elevation, strict=True)):
            assert state in states[hex_]


def test_a_terrain_that_is_never_made_is_the_only_problem_of_a_hex() -> None:
    """Its hexsides are judged by what the hex can be, not as if it could be nothing at all."""
    hexes = {D4: (COLOSSUS.terrain_code("Tower"), None)}
    problems = impossible_locks(PEAK, PLAIN_HEXES, Locks(hexes, {(D4, 0): CLIFF}))
    assert [(problem.cell, problem.side) for problem in problems] == [(CELL_OF_HEX[D4], None)]
