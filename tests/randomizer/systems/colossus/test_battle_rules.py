"""The rules of battles, held against battles that the game fought."""

from __future__ import annotations

import pytest

from randomizer.systems.colossus.battle_terrain import ENTRY_HEXES, OUTSIDE
from randomizer.systems.colossus.creatures import Creature
from tests.randomizer.systems.colossus.battle_replay import (
    REFERENCE,
    Replay,
    default_land,
    recorded_battles,
)

pytestmark = pytest.mark.skipif(
    not (REFERENCE / "titan-battles-traces.txt").is_file(), reason="the recordings are not here"
)


def test_every_event_of_the_recorded_battles_is_as_the_rules_have_it() -> None:
    battles = recorded_battles()
    for board, lines in battles:
        Replay(default_land(board), lines)
    assert len(battles) == 28


@pytest.mark.parametrize(
    ("event", "changed"),
    [
        ("M Angel X4 B1", "M Angel X4 F1"),
        ("S Angel C5 Minotaur B4 4 456515", "S Angel C5 Minotaur B4 5 456515"),
        ("S Angel C5 Minotaur B4 4 456515", "S Angel C5 Minotaur B4 4 11111"),
        ("C 3 Centaur B3", "C 2 Centaur B3"),
        ("K Lion B1", None),
        ("E A 3", "E D 3"),
    ],
)
def test_a_wrong_event_is_noticed(event: str, changed: str | None) -> None:
    board, lines = recorded_battles()[0]
    assert event in lines
    wrong = [changed if line == event else line for line in lines]
    with pytest.raises(AssertionError, match=r"by the rules|nobody"):
        Replay(default_land(board), [line for line in wrong if line is not None])


@pytest.mark.parametrize(
    ("board", "counts"),
    [
        ("Desert", [3, 6, 5, 6, 5, 6]),
        ("Jungle", [5, 5, 5, 8, 6, 6]),
        ("Mountains", [7, 9, 5, 9, 5, 9]),
        ("Plains", [7, 9, 7, 9, 7, 9]),
        ("Swamp", [5, 7, 4, 5, 6, 7]),
        ("Tundra", [5, 7, 6, 5, 5, 8]),
    ],
)
def test_as_many_slow_creatures_come_in_as_the_designers_count(
    board: str, counts: list[int]
) -> None:
    slow = Creature("Nobody", 6, 2)
    land = default_land(board)
    moves = [land.reachable_hexes(slow, OUTSIDE, side, 2, ()) for side in range(len(ENTRY_HEXES))]
    assert [len(ends) for ends in moves] == counts


def test_into_the_tower_nine_slow_creatures_come_from_below() -> None:
    assert (
        len(default_land("Tower").reachable_hexes(Creature("Nobody", 6, 2), OUTSIDE, 3, 2, ())) == 9
    )
