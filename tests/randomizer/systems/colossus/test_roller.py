"""What a roll does to a map, statement by statement."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from randomizer.model.problems import ProblemError
from randomizer.systems.colossus.board import HEX_OF_LABEL, NEIGHBOURS
from randomizer.systems.colossus.rolling.compiler import Limits, compile_script
from randomizer.systems.colossus.rolling.draws import KeyedDraws
from randomizer.systems.colossus.rolling.program import LIST_LIMIT, AreaStep, Fixed
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase, RolledMap, roll
from randomizer.systems.colossus.script.parser import parse
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.randomizer.systems.colossus.recorded import map_text, program_of, start_text
from tests.randomizer.systems.colossus.recorded_draws import RecordedDraws
from tests.randomizer.systems.colossus.script_strategies import bases, scripts

D4, C3, A1, A2 = (HEX_OF_LABEL[label] for label in ("D4", "C3", "A1", "A2"))


def rolled(text: str, base: HexBase = PLAIN_HEXES, seed: int = 1, number: int = 0) -> RolledMap:
    program = program_of(text)
    return roll(program, KeyedDraws(program, seed, number), base)


def map_of(text: str, base: HexBase = PLAIN_HEXES) -> str:
    return map_text(rolled(text, base))


def with_hex(hex_: int, terrain: str, elevation: int, letters: str = "      ") -> HexBase:
    base = rolled("")
    base.terrain[hex_] = COLOSSUS.terrain_code(terrain)
    base.elevation[hex_] = elevation
    base.hexside[hex_] = [COLOSSUS.hexside_code(letter) for letter in letters]
    return HexBase(base.terrain, base.elevation, base.hexside)


def test_an_empty_script_leaves_the_map_as_it_is() -> None:
    base = with_hex(D4, "Volcano", 3, "c r  w")
    same = rolled("", base)
    assert map_text(same) == "D4=Volcano/3/0c2r5w"
    assert (same.title, same.subtitle, same.tower, same.startlist) == (None, None, None, None)
    assert same.placed_hexes == []
    assert same.hit_sides == []


def test_the_last_hazard_on_a_hex_wins_and_names_its_statement() -> None:
    made = rolled("TOWER\nAREA D4 C3 HAZARDS Bog Bog\nAREA D4 HAZARDS Tree,1\n")
    assert map_text(made) == "C3=Bog/0 D4=Tree/1"
    assert (made.origin[D4], made.origin[C3], made.origin[A1]) == (2, 1, -1)
    assert made.placed_hexes == [C3, D4]
    assert made.tower is True


def test_the_last_title_wins() -> None:
    made = rolled('TITLE "One" SUBTITLE "a b"\nTITLE "Two"\n')
    assert (made.title, made.subtitle) == ("Two", "a b")


@pytest.mark.parametrize(
    ("written", "elevation"), [("", 0), (",0", 0), (",1", 1), (",2", 2), (",3", 0), (",50", 0)]
)
def test_only_elevations_1_and_2_can_be_written(written: str, elevation: int) -> None:
    assert map_of(f"AREA D4 HAZARDS Bog{written}\n") == f"D4=Bog/{elevation}"


@pytest.mark.parametrize(
    ("odds", "possible"),
    [
        ("0.,0.,0.", {0}),
        ("*,0.,0.", {1}),
        ("*,*,0.", {2}),
        ("0.,*,0.", {0}),
        ("*,50.,50.", {1, 2}),
        ("50.,0.,50.", {0, 2}),
        ("200.,100.,100.", {0, 1}),
        ("1.,1.,1.", {0, 1, 2}),
        ("33.3,66.7,0.", {0, 1}),
    ],
)
def test_odds_of_elevations(odds: str, possible: set[int]) -> None:
    program = program_of(f"AREA D4 HAZARDS Bog,100.,{odds}\n")
    (step,) = program.steps
    assert isinstance(step, AreaStep)
    assert set(step.placings[0].elevations) == possible
    keyed = {roll(program, KeyedDraws(program, 0, number)).elevation[D4] for number in range(400)}
    traced = {
        roll(program, RecordedDraws([0.5, [1, 0], fraction / 100 + 0.003])).elevation[D4]
        for fraction in range(99)
    }
    assert keyed == traced == possible


def test_no_hazard_is_placed_twice_on_one_occurrence_of_a_hex() -> None:
    assert map_of("AREA D4 HAZARDS Bog Lake Tree\n") == "D4=Bog/0"
    assert map_of("AREA D4 D4 HAZARDS Bog Lake Tree\n") == "D4=Lake/0"


def test_an_area_leaves_over_and_uses_up_with_duplicates_kept() -> None:
    text = "AREA D4 D4 D4 C3 HAZARDS Bog,0. Bog\nSTARTLIST (leftover) (usedup)\n"
    assert start_text(rolled(text)) in ("D4 C3 D4 D4", "C3 D4 D4 D4")
    text = "AREA D4 HAZARDS Bog\nAREA HAZARDS Lake\nSTARTLIST (usedup) (leftover)\n"
    assert start_text(rolled(text)) == ""


def test_labels_are_copies_and_can_be_set_again() -> None:
    text = "LABEL here=D4\nLABEL there=(here)\nLABEL here=C3\nAREA (there) HAZARDS Bog\n"
    assert map_of(text) == "D4=Bog/0"
    assert map_of("LABEL inside=D4\nAREA (inside) (nowhere) HAZARDS Bog Bog\n") == "D4=Bog/0"


def test_a_start_list_keeps_the_order_of_the_game() -> None:
    assert rolled("STARTLIST D4 A1 D4\n").startlist == ("D4", "A1", "D4")[::-1]
    assert rolled("STARTLIST A1\nSTARTLIST\n").startlist == ()


def test_hexsides_are_found_by_the_most_exact_pair() -> None:
    script = (
        "AREA D4 HAZARDS Bog,1\n"
        "PAIR (Bog,*)(Plains,*) HEXSIDES d\n"
        "PAIR (Bog,*)(Plains,0) HEXSIDES c\n"
        "PAIR (Bog,1)(Plains,*) HEXSIDES s\n"
    )
    assert map_of(script) == "D4=Bog/1/0s1s2s3s4s5s"
    assert map_of(script + "PAIR (Bog,1)(Plains,0) HEXSIDES w,0.\n") == "D4=Bog/1"
    assert map_of(script + "PAIR (Bog,1)(Plains,0) HEXSIDES\n") == "D4=Bog/1"
    again = "PAIR (Bog,1)(Plains,0) HEXSIDES w\nPAIR (Bog,1)(Plains,0) HEXSIDES r\n"
    made = rolled(script + again)
    assert map_text(made) == "D4=Bog/1/0r1r2r3r4r5r"
    assert made.side_origin[D4] == [5] * 6
    assert made.hit_sides == [(D4, side) for side in range(6)]


def test_pairs_see_the_map_below_and_only_hits_change_it() -> None:
    below = with_hex(D4, "Volcano", 2, "dddddd")
    script = "AREA C3 HAZARDS Bog\nPAIR (Volcano,2)(Bog,0) HEXSIDES c\n"
    side = NEIGHBOURS[D4].index(C3)
    marks = "".join(f"{s}{'c' if s == side else 'd'}" for s in range(6))
    assert map_of(script, below) == f"C3=Bog/0 D4=Volcano/2/{marks}"


@pytest.mark.parametrize(
    ("written", "hit"), [("*", True), ("0", False), ("2", False), ("3", False)]
)
def test_an_elevation_above_2_matches_only_a_star(written: str, hit: bool) -> None:
    made = rolled(f"PAIR (Volcano,{written})(Plains,0) HEXSIDES c\n", with_hex(D4, "Volcano", 3))
    assert made.elevation[D4] == 3
    assert bool(made.hit_sides) is hit


def test_no_hexside_is_marked_at_the_rim() -> None:
    made = rolled("PAIR (Plains,0)(Plains,0) HEXSIDES r\n")
    assert len(made.hit_sides) == sum(other >= 0 for row in NEIGHBOURS for other in row)
    assert all(NEIGHBOURS[hex_][side] >= 0 for hex_, side in made.hit_sides)


def test_an_unknown_hazard_fails_only_where_it_is_placed() -> None:
    text = "AREA A1 HAZARDS Bog\nAREA A2 HAZARDS Lava,50.\n"
    program = compile_script(parse(text).script, "lava.rnd")
    failures = 0
    for number in range(40):
        try:
            assert map_text(roll(program, KeyedDraws(program, 4, number))) == "A1=Bog/0"
        except ProblemError as failure:
            failures += 1
            (problem,) = failure.problems
            assert (problem.path, problem.line, problem.column) == ("lava.rnd", 2, 17)
            assert "`Lava`" in problem.message
    assert 0 < failures < 40


def test_pairs_of_unknown_hazards_match_nothing() -> None:
    program = compile_script(parse("PAIR (Lava,*)(Plains,0) HEXSIDES c\n").script)
    assert roll(program, KeyedDraws(program, 0, 0)).hit_sides == []


def test_all_unknown_hexsides_are_said_at_once_and_nothing_is_rolled() -> None:
    text = "PAIR (Bog,0)(Plains,0) HEXSIDES c x,5.\nPAIR (Bog,1)(Plains,0) HEXSIDES y\n"
    with pytest.raises(ProblemError) as caught:
        compile_script(parse(text).script, "sides.rnd")
    places = [(problem.path, problem.line, problem.column) for problem in caught.value.problems]
    assert places == [("sides.rnd", 1, 35), ("sides.rnd", 2, 33)]


def test_a_list_that_doubles_again_and_again_ends_in_a_problem() -> None:
    known = "LABEL aa=(anywhere)\n" + "LABEL aa=(aa)(aa)\n" * 40
    with pytest.raises(ProblemError, match=str(LIST_LIMIT)) as caught:
        program_of(known)
    assert caught.value.problems[0].line == 9
    drawn = "LABEL aa=SOMEOF(20,(anywhere))\n" + "LABEL aa=(aa)(aa)\n" * 40
    program = program_of(drawn, "doubling.rnd")
    with pytest.raises(ProblemError, match=str(LIST_LIMIT)) as caught:
        roll(program, KeyedDraws(program, 0, 0))
    (problem,) = caught.value.problems
    assert (problem.path, problem.line) == ("doubling.rnd", 9)


def test_what_no_draw_can_change_is_known_before_the_first() -> None:
    text = (
        "LABEL shore=SUBSTRACT((anywhere),(inside))\n"
        "LABEL near=SURROUNDINGSOF((shore))\n"
        "AREA (shore) HAZARDS\n"
        "LABEL all=(near)(shore)(leftover)(usedup)SOMEOF(0,(inside))\n"
        "AREA HAZARDS Bog\n"
        "LABEL none=(leftover)(usedup)(undefined)\n"
    )
    assert all(isinstance(step.hexes, Fixed) for step in program_of(text).steps)


@given(scripts, bases, st.integers(0, 2**32 - 1))
def test_only_placed_hexes_and_hit_hexsides_differ_from_the_map_below(
    text: str, base: HexBase, seed: int
) -> None:
    made = rolled(text, base, seed)
    for hex_ in set(range(27)) - set(made.placed_hexes):
        assert made.terrain[hex_] == base.terrain[hex_]
        assert made.elevation[hex_] == base.elevation[hex_]
    hit = set(made.hit_sides)
    for hex_ in range(27):
        for side in range(6):
            if (hex_, side) not in hit:
                assert made.hexside[hex_][side] == base.hexside[hex_][side]
            else:
                assert made.hexside[hex_][side] > 0
    assert all(made.elevation[hex_] in (0, 1, 2) for hex_ in made.placed_hexes)


def test_scripts_beyond_every_sensible_size_are_refused() -> None:
    limits = Limits(statements=3, places=2, nesting=4)
    program_of("AREA SOMEOF(1,SOMEOF(1,(inside))) HAZARDS Bog Bog\n" * 3, limits=limits)
    for text, column in (
        ("TOWER\n" * 4, 1),
        ("AREA A1 HAZARDS Bog Bog Bog\n", 1),
        ("STARTLIST SOMEOF(1,A1) SOMEOF(1,A1) SOMEOF(1,A1)\n", 37),
        ("STARTLIST " + "SURROUNDINGSOF(" * 4 + "A1" + ")" * 4 + "\n", 71),
    ):
        with pytest.raises(ProblemError) as caught:
            program_of(text, "big.rnd", limits)
        (problem,) = caught.value.problems
        assert (problem.path, problem.column) == ("big.rnd", column)
