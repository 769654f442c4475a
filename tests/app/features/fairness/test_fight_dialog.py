"""Fairness > Fight...: armies in a form, battles by our simulator or by the player's own game."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.background.jobs import Job
from app.features.fairness.fight_dialog import FightDialog
from app.features.fairness.map_pictures import FIGHT_DEATHS
from app.features.fairness.picture_choice import NO_PICTURE
from randomizer.catalog.systems import system_named
from randomizer.model.edits.value_edits import set_values
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.colossus.battle import fights
from randomizer.systems.colossus.board import CELL_OF_HEX, HEX_OF_LABEL
from randomizer.systems.colossus.system import SYSTEM
from tests.app.made_up_game import make_game
from tests.randomizer.systems.colossus.few_battles import fight_few
from tests.randomizer.systems.colossus.stand_in_java import BATTLE, FLED, put_java
from tests.ui_work import UiWork


@pytest.fixture
def features() -> tuple[str, ...]:
    return ("fairness",)


@pytest.fixture
def panel(qtbot, window, monkeypatch):
    fight_few(monkeypatch)
    window.desk.document.show_map(BattleMap.new(SYSTEM, layers=[Layer(1, "Ground")]))
    window.desk.docks.show("fairness")
    panel = window.desk.docks.panel("fairness")
    qtbot.waitUntil(lambda: panel.isVisible() and panel.measures.rowCount() > 0)
    return panel


@pytest.fixture
def dialog(window, panel) -> FightDialog:
    """The dialog as its button opens it, with two small armies and few battles."""
    panel.fight_button.click()
    (dialog,) = window.findChildren(FightDialog)
    assert dialog.isVisible()
    write(dialog, attacker="2 Lion", defender="2 ogre")
    dialog.form.show_values({**dialog.form.values(), "battles": 6})
    return dialog


def write(dialog: FightDialog, **texts: str) -> None:
    for name, text in texts.items():
        dialog.form.field(name).setText(text)


def choose(dialog: FightDialog, name: str, value: str) -> None:
    box = dialog.form.field(name)
    box.setCurrentIndex(box.findData(value))


def results(dialog: FightDialog) -> dict[str, list[str]]:
    table = dialog.results
    texts = [
        [table.item(row, at).text() for at in range(table.columnCount())]
        for row in range(table.rowCount())
    ]
    return {title: values for title, *values in texts}


def fight(qtbot, dialog: FightDialog) -> dict[str, list[str]]:
    QTest.keyClick(dialog.form.field("defender"), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.fight_button.isEnabled() and not dialog.results.isHidden())
    return results(dialog)


def put_bog(window) -> None:
    document = window.desk.document
    cells = np.array([CELL_OF_HEX[HEX_OF_LABEL["D4"]]], np.intp)
    edit = set_values(document.battlemap, document.active_layer_id, "terrain", cells, 5)
    document.push(edit, "Bog")


def test_our_simulator_fights_from_each_side_off_the_ui_thread(qtbot, window, panel, dialog):
    with UiWork() as work:
        told = fight(qtbot, dialog)
    assert work.where(fights.fight_on) == {"job"}
    titles = [dialog.results.horizontalHeaderItem(at).text() for at in range(1, 4)]
    assert titles == ["Bottom", "Right", "Left"]
    assert list(told)[-2:] == ["Attacker loses of 2 Lion", "Defender loses of 2 Ogre"]
    assert "Fled or conceded" not in told
    assert "simulator, seed 0, not by the game itself" in dialog.caption.text()
    assert panel.picture_choice.combo.currentText() == FIGHT_DEATHS[2]
    deaths = np.nansum(panel.picture_choice.heat(window.desk.document.battlemap.grid).cells) / 100
    lost = [float(value) for title, values in told.items() if "loses" in title for value in values]
    assert deaths == pytest.approx(sum(lost) / 3, abs=0.1)


def test_the_same_seed_has_the_same_results_and_another_has_others(qtbot, dialog):
    dialog.form.show_values({**dialog.form.values(), "battles": 40})
    first = fight(qtbot, dialog)
    assert fight(qtbot, dialog) == first
    dialog.form.field("seed").setValue(7)
    assert fight(qtbot, dialog) != first


def test_a_standard_army_fills_in_both_and_what_is_typed_replaces_it(dialog):
    preset = dialog.form.field("preset")
    preset.setCurrentIndex(2)
    armies = dialog.form.values()
    assert armies["attacker"] == armies["defender"] == preset.currentText()
    write(dialog, attacker="Troll")
    assert "preset" not in dialog.form.values()
    assert dialog.form.values()["defender"] == armies["defender"]


def test_creatures_are_offered_while_one_types(dialog):
    field = dialog.form.field("attacker")
    field.clear()
    QTest.keyClicks(field, "2 li")
    assert [completion.word for completion in field.completion.completions()] == ["Lion"]
    QTest.keyClick(field, Qt.Key.Key_Down)
    QTest.keyClick(field, Qt.Key.Key_Tab)
    QTest.keyClicks(field, "+tro")
    QTest.keyClick(field, Qt.Key.Key_Down)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.text() == "2 Lion+Troll"


def test_a_wrong_army_is_told_and_cannot_fight(dialog):
    write(dialog, attacker="2 Lyon")
    assert dialog.status.text == "There is no creature “Lyon”; did you mean Lion?"
    assert not dialog.fight_button.isEnabled()
    write(dialog, attacker="2 Lion")
    assert dialog.status.isHidden()
    assert dialog.fight_button.isEnabled()


def test_an_edit_takes_the_picture_away_and_a_fight_goes_on(qtbot, window, panel, dialog):
    fight(qtbot, dialog)
    put_bog(window)
    assert panel.picture_choice.combo.findText(FIGHT_DEATHS[2]) < 0
    assert panel.picture_choice.combo.currentText() == NO_PICTURE
    dialog.form.show_values({**dialog.form.values(), "battles": 60})
    dialog.fight_button.click()
    window.desk.document.undo()
    qtbot.waitUntil(dialog.fight_button.isEnabled)
    assert panel.picture_choice.combo.findText(FIGHT_DEATHS[2]) < 0, (
        "it was fought on the map with the bog"
    )


def test_on_a_map_of_another_kind_nobody_fights(window, dialog):
    document = window.desk.document
    before = document.current_map
    opened = document.open_map(BattleMap.new(system_named("free"), layers=[Layer(1, "Ground")]))
    assert "battles are fought on Colossus battlelands" in dialog.status.text
    assert not dialog.fight_button.isEnabled()
    document.make_current(before)
    assert dialog.fight_button.isEnabled()
    document.close_map(opened)


@pytest.mark.parametrize("closes", [False, True], ids=["by its button", "with the dialog"])
def test_battles_can_be_stopped(qtbot, dialog, closes):
    dialog.form.show_values({**dialog.form.values(), "battles": 100_000})
    dialog.fight_button.click()
    assert not dialog.fight_button.isEnabled()
    if closes:
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
    else:
        dialog.stop_button.click()
    assert dialog.fight_button.isEnabled()
    assert not dialog.stop_button.isEnabled()
    qtbot.waitUntil(lambda: not Job.any_running())


# --- by the game ----------------------------------------------------------------------------------


@pytest.fixture
def told(tmp_path: Path, window, monkeypatch) -> Path:
    """A game with a stand-in for Java that fights two battles; what it was given."""
    path = tmp_path / "told"
    put_java(tmp_path / "bin", path, f"sys.stderr.write({BATTLE + FLED!r})")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    window.desk.settings.set_game_dir("colossus", make_game(tmp_path / "game"))
    return path


def test_the_game_itself_fights_and_who_fled_is_told_apart(qtbot, told, dialog):
    choose(dialog, "by", "game")
    choose(dialog, "sides", "1")
    dialog.form.show_values({**dialog.form.values(), "battles": 2})
    assert "no seed" in dialog.status.text
    texts = fight(qtbot, dialog)
    assert texts["Fled or conceded"] == ["1"]
    assert texts["Attacker wins"][0].startswith("100 %")
    assert dialog.caption.text().endswith("fought by the game itself.")
    assert "-jar" in json.loads(told.read_text())[0]


def test_without_a_game_the_form_says_so(dialog):
    choose(dialog, "by", "game")
    assert dialog.status.text.startswith("Choose the directory of Colossus first")
    assert not dialog.fight_button.isEnabled()


def test_a_map_on_which_the_game_would_hang_is_told_before_it_starts(window, told, dialog):
    document = window.desk.document
    side = CELL_OF_HEX[HEX_OF_LABEL["A1"]] * 6 + 3
    slope = SYSTEM.terrain_set.hexside_code("s")
    edit = set_values(
        document.battlemap, document.active_layer_id, "hexside", np.array([side], np.intp), slope
    )
    document.push(edit, "Slope")
    assert dialog.fight_button.isEnabled()
    choose(dialog, "by", "game")
    assert "would hang: A1 has a slope at the rim" in dialog.status.text
    assert not dialog.fight_button.isEnabled()
    assert not told.exists()
