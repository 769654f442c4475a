"""The model of an export: plan, files written, taken back."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.background.actions import run
from app.features.game.exporting import GameExport
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.problems import ProblemError, Severity
from randomizer.systems.colossus.system import SYSTEM
from tests.app.conftest import cell, wait_for_actions
from tests.app.made_up_game import places
from tests.app.saves import finished


@pytest.fixture
def export(qtbot, tmp_path: Path, game: Path) -> GameExport:
    found = places(tmp_path, game)
    with qtbot.waitSignal(found.opened):
        found.refresh()
    return GameExport(found)


def walled() -> BattleMap:
    """A map with a warning."""
    battlemap = BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")])
    wall = SYSTEM.terrain_set.hexside_code("w")
    set_values(battlemap, 1, "hexside", [cell("D4") * 6], wall).apply(battlemap)
    return battlemap


def plan(qtbot, export: GameExport, group: str, *slots: str) -> None:
    run(export.make_plan(group, dict.fromkeys(slots, walled())))
    wait_for_actions(qtbot)


def test_problems_of_a_plan_say_their_terrain(qtbot, export: GameExport) -> None:
    plan(qtbot, export, "Default", "Brush", "Moon")
    assert export.plan.slots == ("Brush", "Moon")
    of_maps = [problem for problem in export.problems if problem.code != "unknown-terrain"]
    assert {of_map.path for of_map in of_maps} == {"Brush", "Moon"}
    assert {of_map.severity for of_map in of_maps} == {Severity.WARNING}
    assert export.ready


def test_maps_are_written_together_and_taken_back(qtbot, export: GameExport, game: Path) -> None:
    plan(qtbot, export, "MyLands", "Brush", "Plains")
    planned = export.plan
    with qtbot.waitSignal(export.game_folder.opened):
        run(export.commit())
        assert not export.ready
    assert planned.slots == export.receipt.slots == ("Brush", "Plains")
    assert export.plan is None
    assert export.game_folder.group("MyLands") is not None
    with qtbot.waitSignal(export.game_folder.opened):
        run(export.take_back(export.receipt))
    assert export.receipt is None
    assert not (game / "MyLands").exists()
    assert export.game_folder.group("MyLands") is None


def test_a_plan_that_changes_nothing_or_has_errors_is_not_done(qtbot, export: GameExport) -> None:
    plan(qtbot, export, "My Lands", "Brush")
    assert [problem.code for problem in export.problems if problem.severity is Severity.ERROR] == [
        "bad-name"
    ]
    assert not export.ready
    run(export.commit())
    assert not export.writing
    plan(qtbot, export, "Default", "Brush")
    with qtbot.waitSignal(export.game_folder.opened):
        run(export.commit())
    plan(qtbot, export, "Default", "Brush")
    assert not export.plan.changes_anything
    assert not export.ready


def test_what_fails_leaves_no_plan(qtbot, export: GameExport, game: Path) -> None:
    plan(qtbot, export, "Default", "Plains")
    (game / "Default/Battlelands/Plains.xml").write_text("changed meanwhile")
    with pytest.raises(ProblemError, match="changed"):
        finished(export.commit())
    assert export.plan is None
    assert export.receipt is None
    assert (game / "Default/Battlelands/Plains.xml").read_text() == "changed meanwhile"


def test_a_fault_while_it_is_planned_is_told(
    qtbot, export: GameExport, monkeypatch, capsys
) -> None:
    def fail(*_: object) -> None:
        raise ValueError("broken")

    # A fault of the program's own: no game is known that brings one.
    monkeypatch.setattr(export.game_folder.host, "plan_exports", fail)
    plan(qtbot, export, "Default", "Plains")
    assert export.plan is None
    assert not export.ready
    assert export.problems[0].code == "program-fault"
    assert "broken" in capsys.readouterr().err
