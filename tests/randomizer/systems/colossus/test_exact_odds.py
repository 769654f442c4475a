"""Exact odds: equal to the recorded tables and to reckoning by hand, and refused when too large."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import pytest

from randomizer.systems.colossus.board import HEX_COUNT, LABELS, NEIGHBOURS
from randomizer.systems.colossus.odds.chances import EdgeChances
from randomizer.systems.colossus.odds.exact import WORK_LIMIT, Odds, TooLarge, exact_odds
from randomizer.systems.colossus.rolling.roller import PLAIN_HEXES, HexBase
from randomizer.systems.colossus.terrain_set import COLOSSUS
from tests.counting import calls_of
from tests.randomizer.systems.colossus.recorded import (
    ADVERSARIAL,
    NAMES,
    needs_recordings,
    program_of,
    recording,
    state_name,
    text_of,
)

REFUSED = ("adv15_everything",)
"""Many picks whose neighbours matter: these are for sampling."""
NOT_SAMPLED = ("Custom_Beach", "adv17_unknown_hexside")
"""The game samples what we know or refuse: its unknown Brush, an unknown hexside."""
WORKED_OUT = [
    name
    for name in NAMES + ADVERSARIAL
    if "_err_" not in name and name not in (*REFUSED, *NOT_SAMPLED)
]


def odds_of(text: str, base: HexBase = PLAIN_HEXES) -> Odds:
    odds = exact_odds(program_of(text), base, sides=True)
    assert isinstance(odds, Odds)
    alone = exact_odds(program_of(text), base)
    assert isinstance(alone, Odds)
    assert np.abs(odds.hexes - alone.hexes).max() < 1e-12
    assert np.abs(odds.hexes.sum(axis=1) - 1).max() < 1e-12
    return odds


def named(odds: Odds, label: str) -> dict[str, float]:
    found = odds.of(LABELS.index(label))
    return {state_name(*state): chance for state, chance in found.items()}


def named_sides(odds: Odds) -> dict[str, dict[str, float]]:
    assert odds.sides is not None
    return {
        f"{LABELS[number]}:{side}": {COLOSSUS.hexside_letter(code): p for code, p in found.items()}
        for (number, side), found in odds.sides.items()
    }


def assert_odds(text: str, label: str, expected: Mapping[str, Fraction | float]) -> None:
    found = named(odds_of(text), label)
    assert found.keys() == expected.keys()
    assert found == pytest.approx({state: float(p) for state, p in expected.items()}, abs=1e-12)


@needs_recordings
@pytest.mark.parametrize("name", WORKED_OUT)
def test_samples_of_the_game_lie_around_the_odds(name: str) -> None:
    odds, recorded = odds_of(text_of(name)), recording("samples", name)["ok"]
    maps = recorded["n"]
    sides = named_sides(odds)
    tables = [(named(odds, label), recorded["hex_state"][label]) for label in LABELS]
    tables += [(sides[key], seen) for key, seen in recorded["hexside"].items()]
    for expected, seen in tables:
        assert seen.keys() <= expected.keys()
        for value, p in expected.items():
            error = (p * (1 - p) / maps) ** 0.5
            assert abs(seen.get(value, 0) / maps - p) <= 5 * error + 5 / maps


def test_a_hazard_is_spread_evenly_over_its_area() -> None:
    assert_odds("AREA A1 B2 C3 HAZARDS Bog\n", "B2", {"Bog/0": 1 / 3, "Plains/0": 2 / 3})


def test_a_hex_named_twice_is_taken_by_the_later_hazard() -> None:
    both, bog_only, tree_only = Fraction(1, 3), Fraction(1, 3), Fraction(1, 3)
    expected = {"Bog/0": bog_only, "Tree/0": both + tree_only}
    assert_odds("AREA A1 A1 B2 HAZARDS Bog Tree\n", "A1", expected)
    # The same while it is remembered which hexes were used.
    text = "AREA A1 A1 B2 HAZARDS Bog Tree\nAREA (usedup) HAZARDS Sand,0.\n"
    assert_odds(text, "A1", expected)


def test_lists_that_overlap_overwrite_each_other() -> None:
    text = "AREA A1 A2 HAZARDS Bog\nAREA A2 A3 HAZARDS Tree,50.\n"
    assert_odds(text, "A2", {"Tree/0": 1 / 4, "Bog/0": 3 / 8, "Plains/0": 3 / 8})


def test_what_was_used_up_and_left_over_decides_what_follows() -> None:
    text = "AREA A1 A2 HAZARDS Bog,50.\nAREA (leftover) HAZARDS Tree\n"
    assert_odds(text, "A1", {"Bog/0": 1 / 4, "Tree/0": 1 / 2, "Plains/0": 1 / 4})
    text = "AREA A1 A2 A3 HAZARDS Lake\nLABEL x=(usedup)\nAREA SURROUNDINGSOF((x)) HAZARDS Sand\n"
    assert named(odds_of(text), "A1")["Lake/0"] == pytest.approx(1 / 3)


def test_nothing_is_placed_once_the_list_is_empty() -> None:
    assert_odds("AREA A1 HAZARDS Bog,50. Tree,50. Lake\n", "A1", {
        "Bog/0": 1 / 2, "Tree/0": 1 / 4, "Lake/0": 1 / 4,
    })  # fmt: skip


def test_someof_and_substract_are_drawn_when_their_statement_runs() -> None:
    text = "LABEL x=SOMEOF(2,A1 A2 A3)\nAREA SUBSTRACT(A1 A2 A3,(x)) HAZARDS Bog\n"
    text += "AREA (x) HAZARDS Tree\n"
    assert_odds(text, "A3", {"Bog/0": 1 / 3, "Tree/0": 1 / 3, "Plains/0": 1 / 3})


def test_elevations_that_cannot_come_have_no_chance_at_all() -> None:
    assert_odds("AREA A1 HAZARDS Bog,100.,33.3,66.7,0.\n", "A1", {"Bog/0": 0.333, "Bog/1": 0.667})
    assert_odds("AREA A1 HAZARDS Bog,100.,*,1.,1.\n", "A1", {"Bog/2": 1})


def test_the_map_below_shows_where_nothing_is_placed() -> None:
    base = HexBase(terrain=(3,) * HEX_COUNT, elevation=(1,) * HEX_COUNT)
    odds = odds_of("AREA A1 A2 HAZARDS Plains\n", base)
    assert odds.of(LABELS.index("A1")) == {(3, 1): 0.5, (0, 0): 0.5}
    assert odds.of(LABELS.index("F4")) == {(3, 1): 1.0}


def test_the_odds_after_every_area_are_kept() -> None:
    odds = odds_of("AREA A1 HAZARDS Bog,50.\nLABEL x=A1\nAREA (x) HAZARDS Tree,50.\n")
    assert [statement for statement, _hexes in odds.after] == [0, 2]
    first = odds.after[0][1][LABELS.index("A1")]
    assert sorted(first.tolist()) == [0, 0.5, 0.5]
    assert np.array_equal(odds.after[1][1], odds.hexes)


def test_an_unknown_hazard_takes_its_hex_and_leaves_it_as_it_is() -> None:
    text = "AREA A1 A2 HAZARDS Bog Bo0g,50.\nAREA (leftover) HAZARDS Tree\n"
    assert_odds(text, "A1", {"Bog/0": 1 / 2, "Plains/0": 1 / 4, "Tree/0": 1 / 4})


MONSTROUS = {
    "many picks": "LABEL x=SOMEOF(13,(anywhere))\nAREA SURROUNDINGSOF((x)) HAZARDS Bog\n",
    "many used": "AREA (anywhere) HAZARDS"
    + " Bog" * 13
    + "\nAREA SURROUNDINGSOF((usedup)) HAZARDS Tree\n",
    "many classes": "".join(
        f"LABEL x{n}=SOMEOF(2,(anywhere))\nAREA SURROUNDINGSOF((x{n})) HAZARDS Bog\n"
        for n in range(9)
    )
    + "AREA " + " ".join(f"(x{n})" for n in range(9)) + " HAZARDS Bog\n",
    "many hazards": "AREA " + "(anywhere)" * 100 + " HAZARDS" + " Bog" * 1000 + "\n",
    "long lists": "LABEL x=SOMEOF(1,A1 A2)\n" + "LABEL x=(x)(x)\n" * 40 + "AREA (x) HAZARDS Bog\n",
}  # fmt: skip


@pytest.mark.parametrize("sides", [False, True])
@pytest.mark.parametrize("text", MONSTROUS.values(), ids=MONSTROUS.keys())
def test_what_would_take_too_long_is_refused_at_once(text: str, sides: bool) -> None:
    program = program_of(text)
    found: list[Odds | TooLarge] = []
    calls = calls_of(lambda: found.append(exact_odds(program, sides=sides)))
    (odds,) = found
    assert isinstance(odds, TooLarge)
    assert odds.work > WORK_LIMIT
    assert calls < 100_000


def test_hexsides_are_refused_before_they_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    picks = "".join(f"LABEL x{n}=SOMEOF(1,(anywhere))\n" for n in range(2))
    text = f"AREA (inside) HAZARDS Bog\n{picks}AREA (x0) (x1) HAZARDS Tree\n"
    program = program_of(text)
    assert isinstance(exact_odds(program, sides=True), Odds)
    followed = []
    monkeypatch.setattr(EdgeChances, "after", lambda *given: followed.append(given))
    assert isinstance(exact_odds(program, PLAIN_HEXES, 100_000, sides=True), TooLarge)
    assert not followed


def test_lists_that_only_tell_maps_apart_are_work_too() -> None:
    picks = "".join(f"LABEL x{n}=SOMEOF(1,(anywhere))\n" for n in range(3))
    program = program_of(picks + "AREA SURROUNDINGSOF((x0) (x1) (x2)) HAZARDS Bog\n")
    odds = exact_odds(program, limit=200_000)
    assert isinstance(odds, TooLarge)
    assert odds.work > 200_000
    assert isinstance(exact_odds(program), Odds)


def test_hexes_that_only_count_need_no_enumeration() -> None:
    """Of 13 hexes each is a tree if a pick of 5 of them has it: no set is followed by itself."""
    text = (
        "LABEL x=SOMEOF(13,(anywhere))\nLABEL y=SOMEOF(5,(x))\nAREA (y) HAZARDS Tree" + 4 * " Bog"
    )
    odds = odds_of(text + "\nAREA SUBSTRACT((anywhere),(x)) HAZARDS Sand\n")
    for number in range(HEX_COUNT):
        assert named(odds, LABELS[number]) == pytest.approx(
            {"Plains/0": 21 / 27, "Bog/0": 4 / 27, "Tree/0": 1 / 27, "Sand/0": 1 / 27}
        )


@needs_recordings
@pytest.mark.parametrize("name", REFUSED)
def test_scripts_beyond_the_limit_are_refused(name: str) -> None:
    assert isinstance(exact_odds(program_of(text_of(name))), TooLarge)


def test_pairs_look_at_both_hexes_together() -> None:
    text = "AREA D3 D4 HAZARDS Bog,50. Tree,50.,1\nPAIR (Bog,0)(Tree,1) HEXSIDES c,50. s,50.\n"
    side = NEIGHBOURS[LABELS.index("D3")].index(LABELS.index("D4"))
    sides = named_sides(odds_of(text))
    # Both are placed once in four times, on either hex alike.
    assert sides == {
        f"D3:{side}": pytest.approx({"c": 1 / 16, "s": 1 / 32}),
        f"D4:{(side + 3) % 6}": pytest.approx({"c": 1 / 16, "s": 1 / 32}),
    }


def test_a_hexside_of_the_map_below_stays_until_a_pair_hits() -> None:
    slope, cliff = COLOSSUS.hexside_code("s"), COLOSSUS.hexside_code("c")
    hexside = [[slope] * 6 for _ in range(HEX_COUNT)]
    text = "AREA D4 HAZARDS Bog,80.\nPAIR (Bog,*)(Plains,*) HEXSIDES c,50.\n"
    sides = odds_of(text, HexBase(hexside=hexside)).sides
    assert sides is not None
    d4 = LABELS.index("D4")
    assert all(sides[d4, side] == pytest.approx({slope: 0.6, cliff: 0.4}) for side in range(6))
    assert all(found == {slope: 1} for (number, _), found in sides.items() if number != d4)
