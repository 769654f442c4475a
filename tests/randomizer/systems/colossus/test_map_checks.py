"""The builder's five warnings, and ours about hexsides on level ground and about start lists."""

from __future__ import annotations

import pytest

from randomizer.model.hand.targets import paint_fixes
from randomizer.model.problems import Severity
from randomizer.systems.colossus.map_checks import check_battleland
from tests.randomizer.systems.colossus.battleland_strategies import plain_map, set_hex


@pytest.mark.parametrize(
    ("terrain", "elevation", "sides", "codes"),
    [
        ("Plains", 0, "s", ["slope-on-ground"]),
        ("Plains", 1, "s", []),
        ("Sand", 2, "w", ["wall-off-tower"]),
        ("Tower", 1, "w", []),
        ("Tower", 0, "w", ["wall-on-ground"]),
        ("Plains", 0, "w", ["wall-off-tower", "wall-on-ground"]),
        ("Lake", 0, "r", ["hexside-on-lake"]),
        ("Tree", 1, "  c", ["hexside-on-tree"]),
        ("Lake", 0, "s", ["slope-on-ground", "hexside-on-lake"]),
        ("Sand", 0, "dc  r", []),
    ],
)
def test_a_hexside_that_the_builder_warns_of(
    terrain: str, elevation: int, sides: str, codes: list[str]
) -> None:
    battleland = plain_map()
    set_hex(battleland, "D4", terrain, elevation, sides)
    found = check_battleland(battleland.composite())
    assert [problem.code for problem in found] == codes
    for problem in found:
        assert problem.severity is Severity.WARNING
        assert (problem.cell, problem.side) == (2 * 6 + 3, len(sides) - 1)
        assert problem.message.startswith("D4, ")


@pytest.mark.parametrize(
    ("own", "other", "hexside", "words", "fixes"),
    [
        (
            2,
            2,
            "s",
            "a slope stands on level ground: D5 is as high",
            ["Raise D4 to 3", "Erase the slope"],
        ),
        (3, 3, "s", "a slope stands on level ground: D5 is as high", ["Erase the slope"]),
        (
            0,
            1,
            "c",
            "a cliff stands on the low side: D5 is higher",
            ["Give the cliff to D5", "Erase the cliff"],
        ),
    ],
)
def test_a_hexside_at_which_the_ground_does_not_fall(
    own: int, other: int, hexside: str, words: str, fixes: list[str]
) -> None:
    battleland = plain_map()
    set_hex(battleland, "D4", "Plains", own, hexside)
    set_hex(battleland, "D5", "Plains", other, "")
    (problem,) = check_battleland(battleland.composite())
    assert problem.message == f"D4, north side: {words}"
    assert [fix.title for fix in problem.fixes] == fixes
    for fix in problem.fixes:
        mended = battleland.snapshot()
        edit = paint_fixes(mended, mended.layers[-1].id, [fix])
        assert edit is not None
        edit.apply(mended)
        assert check_battleland(mended.composite()) == ()


def test_a_cliff_on_level_ground_bars_the_way_as_any_cliff() -> None:
    battleland = plain_map()
    set_hex(battleland, "D4", "Plains", 1, "c")
    set_hex(battleland, "D5", "Plains", 1, "")
    assert check_battleland(battleland.composite()) == ()


def test_the_side_is_named_in_words() -> None:
    battleland = plain_map()
    set_hex(battleland, "A1", "Lake", 1, "    s")
    (problem,) = check_battleland(battleland.composite())
    assert problem.message == "A1, south-west side: a Lake has a slope at its side"


def test_start_lists_with_unknown_and_repeated_labels() -> None:
    found = check_battleland(plain_map(startlist=("D4", "Z9", "D4", "Z9")).composite())
    assert [problem.code for problem in found] == ["start-unknown", "start-twice", "start-unknown"]
    assert all(problem.severity is Severity.HINT for problem in found)
    assert found[1].cell == 15
