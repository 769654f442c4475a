"""Entry sides from which creatures on foot do not come onto the board."""

from __future__ import annotations

import pytest

from randomizer.model.edits.value_edits import set_property
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL
from randomizer.systems.colossus.entry_checks import check_entries
from randomizer.systems.colossus.fairness.fairness_model import FAIRNESS_MODEL
from randomizer.systems.colossus.system import SYSTEM
from tests.randomizer.systems.colossus.battleland_strategies import plain_map, set_hex


def messages_of(battleland) -> list[str]:
    return [problem.message for problem in check_entries(battleland.composite())]


@pytest.mark.parametrize("terrain", ["Tree", "Bog", "Lake", "Volcano", "Stone"])
def test_a_side_whose_hexes_are_all_closed_is_warned_of(terrain: str) -> None:
    battleland = plain_map()
    for label in ("A1", "A2"):
        set_hex(battleland, label, terrain, 0, "")
    assert messages_of(battleland) == []
    set_hex(battleland, "A3", terrain, 0, "")
    (problem,) = check_entries(battleland.composite())
    assert problem.message == (
        "Left defence is shut: creatures on foot without a native terrain cannot enter A1, A2 and "
        "A3"
    )
    assert problem.cell == CELL_OF_HEX[HEX_OF_LABEL["A1"]]
    assert problem in SYSTEM.check(battleland, battleland.composite())


@pytest.mark.parametrize("terrain", ["Plains", "Brambles", "Drift", "Sand", "Spring", "TarPit"])
def test_what_only_slows_closes_no_side(terrain: str) -> None:
    battleland = plain_map()
    for label in LABELS_OF_BOARD:
        set_hex(battleland, label, terrain, 0, "")
    assert messages_of(battleland) == []


def test_a_side_that_is_cut_off_from_the_board_is_warned_of() -> None:
    battleland = plain_map()
    for label in ("B1", "B2", "B3", "B4"):
        set_hex(battleland, label, "Lake", 0, "")
    (message,) = messages_of(battleland)
    assert message == (
        "Left defence is cut off: creatures on foot without a native terrain enter at A1, A2 and "
        "A3, but cannot leave 3 hexes there"
    )


def test_cliffs_cut_off_and_slopes_do_not() -> None:
    for letter, count in (("c", 3), ("s", 0), ("w", 0), ("r", 0), ("d", 0)):
        battleland = plain_map()
        for label in LABELS_OF_BOARD:
            set_hex(battleland, label, "Plains", 0, letter * 6)
        found = messages_of(battleland)
        assert bool(found) is bool(count), letter


def test_with_a_start_list_only_the_bottom_is_an_entry() -> None:
    battleland = plain_map()
    for label in ("A1", "A2", "A3"):
        set_hex(battleland, label, "Tree", 0, "")
    edit = set_property(battleland, battleland.layers[0].id, "startlist", ("D4",))
    assert edit is not None
    edit.apply(battleland)
    assert messages_of(battleland) == []
    for label in ("B1", "C1", "D1"):
        set_hex(battleland, label, "Tree", 0, "")
    assert [message.partition(" is ")[0] for message in messages_of(battleland)] == ["Bottom"]


def test_the_warning_agrees_with_fairness() -> None:
    """No hex is reached from all sides exactly where a side is shut or cut off."""
    place = [measure.name for measure in FAIRNESS_MODEL.measures].index("connected")
    for closed in ((), ("A1", "A2", "A3"), ("B1", "B2", "B3", "B4"), ("C3", "D4")):
        battleland = plain_map()
        for label in closed:
            set_hex(battleland, label, "Tree", 0, "")
        report = FAIRNESS_MODEL.assess(battleland.composite(), "on foot", "nothing")
        assert bool(report.measured[place]) is not bool(messages_of(battleland)), closed


LABELS_OF_BOARD = tuple(HEX_OF_LABEL)
