"""Dice entered by hand belong to their map: no tab, file, stop or kill loses one."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from app.commands.commands import WHY
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.features.recovery.dialog import RecoveryDialog
from app.features.recovery.feature import Recovery
from app.features.start.feature import EmptyMap
from app.settings import Settings
from app.window import MainWindow
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.systems.cordery.dice.dice_names import is_die
from randomizer.systems.cordery.entered_dice import RECORD
from randomizer.systems.cordery.page_parts import PARTS
from randomizer.systems.cordery.system import SYSTEM, table_grid
from tests.app.systems.cordery.conftest import Wargamer
from tests.end_to_end.conftest import close_without_asking

DICE = (3, 4, 1, 2, 5, 6, 2, 2)

DRIVEN_DIALOGS = (RecoveryDialog,)
"""Dialogs that these tests drive themselves."""

ENTERING = """
import os, signal, sys
from pathlib import Path
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication
from app.document.document import MapDocument
from app.document.sample import sample_map
from app.settings import Settings
from app.systems.cordery.feature import DiceController
from app.window import MainWindow
from tests.app.cordery_tables import bare_table

signal.alarm(100)  # it ends even if a wait does not
application = QApplication([])
folder = Path(sys.argv[1])
settings = Settings(QSettings(str(folder / "set.ini"), QSettings.Format.IniFormat))
window = MainWindow(MapDocument(sample_map()), settings, folder / "journals")
is_ready = []
window.desk.ready.connect(lambda: is_ready.append(True))
window.resize(1400, 900)
window.show()

def wait(over):
    while not over():
        application.processEvents()

wait(lambda: is_ready)
window.desk.document.show_map(bare_table("square", 8, 8))
wait(lambda: window.desk.docks.find_panel("dice") is not None)
panel = window.desk.docks.find_panel("dice")
entry = panel.findChild(DiceController).entry
dice = panel.dice_form.field("dice")
dice.setCurrentIndex(dice.findData("typed"))
dice.activated.emit(dice.currentIndex())
window.desk.commands.run("script.roll")
wait(panel.strip.isVisible)
for score in map(int, sys.argv[2]):
    wait(lambda: not entry.busy)
    panel.strip.buttons[score - 1].click()
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def player(qtbot, window) -> Wargamer:
    return Wargamer(qtbot, window)


def choose_dice(player, way: str) -> None:
    """Choose how the dice are thrown, as a person does."""
    dice = player.panel.dice_form.field("dice")
    assert isinstance(dice, QComboBox)
    dice.setCurrentIndex(dice.findData(way))
    dice.activated.emit(dice.currentIndex())


def begin(player) -> None:
    """Enter the first dice of a table, with the keys."""
    choose_dice(player, "typed")
    player.desk.actions.throw.trigger()
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    for score in DICE:
        QTest.keyClick(player.panel.strip, Qt.Key.Key_0 + score)
    player.qtbot.waitUntil(lambda: player.desk.entry.dice.count == len(DICE))
    player.qtbot.waitUntil(lambda: not player.desk.entry.busy)


def finish(player) -> None:
    """Go on with the button that is offered, and enter all dice that are asked for."""
    player.panel.waiting.button.click()
    player.qtbot.waitUntil(player.panel.strip.isVisible)
    enter_remaining_dice(player)


def enter_remaining_dice(player) -> None:
    """Enter all dice that are still asked for."""
    score = 0
    while player.panel.strip.isVisible():
        QTest.keyClick(player.panel.strip, Qt.Key.Key_1 + score % 6)
        score += 1
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.wait()


def throw_remaining_dice(player) -> None:
    """Press the button by which the program throws the dice that are still asked for."""
    QTest.mouseClick(player.panel.strip.rest_button, Qt.MouseButton.LeftButton)
    player.qtbot.waitUntil(player.panel.strip.isHidden)
    player.wait()


def thrown_dice(player) -> list[int]:
    """The scores in the order of the log, of the table that lies."""
    return [
        score
        for entry in player.desk.throwing.table.log
        for _n, dice in entry.scores
        for score in dice
    ]


def test_dice_wait_for_their_tab_and_the_table_is_one_undo_step(player, qtbot):
    document = player.document
    panel = player.panel
    player.desk.throwing.map_choices.choose(trees=False, habitation=False, fields=False)
    begin(player)
    assert panel.strip.progress.text().startswith(f"{len(DICE)} of about ")
    table = document.current_map
    document.open_map(sample_map())
    assert panel.waiting.isHidden()
    document.open_map(BattleMap.new(SYSTEM, table_grid("square", 8, 8), [Layer(1, "Other")]))
    assert panel.waiting.isHidden(), "another table has none"

    document.make_current(table)
    assert panel.dice_form.values()["dice"] == "typed"
    qtbot.waitUntil(panel.strip.isVisible)
    assert panel.strip.progress.text().startswith(f"{len(DICE)} of about ")
    panel.strip.end_button.click()
    assert panel.waiting.isVisible()
    assert panel.waiting.button.text().startswith(f"Go on entering ({len(DICE)} of about ")
    assert f"{len(DICE)} of about " in panel.waiting.label.text()
    finish(player)
    assert thrown_dice(player)[: len(DICE)] == list(DICE)
    assert [layer.roll.part for layer in document.battlemap.layers if layer.roll] == list(PARTS)
    assert RECORD not in document.battlemap.records
    assert panel.waiting.isHidden()

    document.undo()
    assert not any(layer.roll for layer in document.battlemap.layers)
    assert panel.waiting.isVisible(), "all dice are there still"
    document.redo()
    assert panel.waiting.isHidden()
    player.wait()
    assert thrown_dice(player)[: len(DICE)] == list(DICE)


@pytest.mark.deep
def test_the_card_on_the_map_says_how_to_go_on_with_a_stopped_table(player, qtbot):
    begin(player)
    card = player.window.findChild(EmptyMap)
    player.window.desk.docks.room.put_aside()
    assert card.message.text() == "Enter your dice in the panel Dice: they lay the table here."
    player.window.desk.docks.room.bring_back()
    player.panel.strip.end_button.click()
    assert not card.isVisible(), "the panel says it, and the table so far is in sight"
    player.window.desk.docks.room.put_aside()
    qtbot.waitUntil(card.isVisible)
    assert card.message.text() == (
        "This table waits for its dice: Go on entering, in the panel Dice (Randomize > Dice...), "
        "asks for the rest."
    )
    player.window.desk.docks.room.bring_back()
    qtbot.waitUntil(lambda: not card.isVisible())
    player.panel.drop_button.click()
    assert card.message.text().startswith("This table is empty.")
    assert card.isVisible()
    player.document.undo()
    assert not card.isVisible()
    finish(player)
    assert not card.isVisible()


def heights_of_strip(player, scores) -> set[int]:
    """Enter these scores; the heights that the strip has while it asks."""
    heights = set()
    for score in scores:
        QTest.keyClick(player.panel.strip, Qt.Key.Key_0 + score)
        player.qtbot.waitUntil(lambda: not player.desk.entry.busy)
        QTest.qWait(20)  # the layout follows the text
        heights.add(player.panel.strip.height())
    return heights


@pytest.mark.deep
def test_the_buttons_of_the_dice_stay_where_they_are(player, qtbot):
    begin(player)
    scores = (2, 3, 1, 1, 2, 4, 6, 1, 2, 3, 5, 2, 1, 2, 4, 1, 3, 6)
    assert len(heights_of_strip(player, scores)) == 1


def rest_on_log(player, where: QPoint) -> None:
    """Let the log come under a mouse at rest: Qt tells it that the mouse has entered, no more."""
    viewport = player.panel.log.viewport()
    position = QPointF(where)
    global_position = QPointF(viewport.mapToGlobal(where))
    QCoreApplication.sendEvent(viewport, QEnterEvent(position, position, global_position))


@pytest.mark.deep
def test_no_area_is_outlined_because_the_log_came_under_the_mouse(player, qtbot):
    player.throw(relief="hilly")
    log = player.panel.log
    player.panel.tabs.setCurrentIndex(1)
    overlays = player.window.desk.canvas.overlays
    item = log.item(player.row("1.2 Hill 1"))
    log.scrollToItem(item)
    middle = log.visualItemRect(item).center()
    rest_on_log(player, middle)
    assert not overlays.marked
    QTest.mouseMove(log.viewport(), middle + QPoint(3, 0))
    qtbot.waitUntil(lambda: len(overlays.marked) == 1)
    QCoreApplication.sendEvent(log.viewport(), QEvent(QEvent.Type.Leave))
    assert not overlays.marked


@pytest.mark.deep
def test_a_stopped_table_says_so_and_can_be_thrown(player, qtbot):
    player.throw(relief="open")
    begin(player)
    assert not player.window.desk.docks.panel("randomize").roll_action.isEnabled()
    QTest.keyClick(player.panel.strip, Qt.Key.Key_Escape)
    assert player.panel.strip.isHidden()
    message = player.window.statusBar().currentMessage()
    assert f"the map keeps the {len(DICE)} dice" in message
    assert player.panel.waiting.isVisible()
    actions = player.window.desk.docks.panel("randomize")
    throw = player.desk.actions.throw
    for action in (actions.roll_action, throw):
        assert action.isEnabled(), action.property(WHY)
    choose_dice(player, "thrown")
    player.rolling.key_choice.choose_seed = lambda: 18
    throw.trigger()
    player.wait()
    assert player.panel.waiting.isVisible(), "a throw by the program takes no dice away"
    player.panel.drop_button.click()
    assert player.panel.waiting.isHidden()
    player.document.undo()
    finish(player)
    assert thrown_dice(player)[: len(DICE)] == list(DICE)


def test_the_keys_that_roll_ask_for_dice_in_a_panel_that_can_be_seen(player, qtbot):
    choose_dice(player, "typed")
    docks = player.window.desk.docks
    docks["dice"].close()
    player.window.activateWindow()
    qtbot.waitUntil(player.window.isActiveWindow)
    player.window.desk.canvas.setFocus()
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(player.window.desk.canvas, Qt.Key.Key_R, both)
    qtbot.waitUntil(player.panel.strip.isVisible)
    qtbot.waitUntil(player.panel.strip.hasFocus)
    QTest.keyClick(player.panel.strip, Qt.Key.Key_5)
    qtbot.waitUntil(lambda: player.desk.entry.dice.count == 1)


def test_a_project_keeps_the_dice(player, qtbot, tmp_path, hand):
    begin(player)
    path = tmp_path / "table.battlemap"
    hand.expect("Save map as").type_path(path)
    player.window.desk.commands.run("file.save-as")
    qtbot.waitUntil(lambda: player.document.path == path and not player.document.modified)
    player.document.open_map(sample_map())
    player.document.close_map(player.document.maps[0])
    player.window.desk.files.open_path(path)
    qtbot.waitUntil(lambda: player.document.path == path)
    assert player.panel.dice_form.values()["dice"] == "typed"
    qtbot.waitUntil(player.panel.strip.isVisible)
    throw_remaining_dice(player)
    assert thrown_dice(player)[: len(DICE)] == list(DICE)


@pytest.mark.deep
def test_a_killed_desk_keeps_the_dice(qtbot, tmp_path):
    scores = "".join(map(str, DICE))
    killed = subprocess.run([sys.executable, "-c", ENTERING, str(tmp_path), scores], check=False)
    assert killed.returncode == -signal.SIGKILL
    settings = Settings(QSettings(str(tmp_path / "set.ini"), QSettings.Format.IniFormat))
    window = MainWindow(MapDocument(sample_map()), settings, tmp_path / "journals")
    qtbot.addWidget(window, before_close_func=close_without_asking)
    with qtbot.waitSignal(window.desk.ready):
        window.show()
    qtbot.waitUntil(lambda: not window.findChild(Recovery).busy)
    dialog = window.findChild(RecoveryDialog)
    qtbot.waitUntil(lambda: not dialog.busy)
    dialog.restore_button.click()
    qtbot.waitUntil(lambda: window.desk.docks.find_panel("dice") is not None)
    panel = window.desk.docks.find_panel("dice")
    qtbot.waitUntil(panel.strip.isVisible)
    assert panel.strip.progress.text().startswith(f"{len(DICE)} of about ")
    assert panel.dice_form.values()["dice"] == "typed"
    steps = [step.text for step in window.desk.document.history.steps]
    assert steps[0] == "Enter the dice"
    assert len(steps) == 1 + len(DICE), "each die can be undone"


def fix_first_die(player, score: int) -> str:
    """Fix the die of a hill's row in the form of its line; the line as it is then."""
    player.read("1.2 Hill 1")
    form = player.panel.fix_form
    spins = [
        child for child in form.fields["hill 1 row"].widget.children() if hasattr(child, "setValue")
    ]
    spins[0].setValue(score)
    form.lay_button.click()
    player.wait()
    return player.log()[player.row("1.2 Hill 1")]


@pytest.mark.deep
def test_a_fixed_die_is_marked_and_thrown_again_for_any_other_table(player, qtbot):
    player.throw(relief="hilly")
    seed = player.rolling.key_choice.key.seed
    assert not any("fixed by hand" in line for line in player.log())
    for release in ("again", "new seed", "typed seed"):
        assert "(fixed by hand: row)" in fix_first_die(player, 6)
        assert player.desk.throwing.map_choices.fixed == {"hill 1 row": "6"}
        player.panel.form.throw_buttons["trees"].click()
        player.wait()
        assert player.desk.throwing.map_choices.fixed == {"hill 1 row": "6"}, (
            "it is the same table still"
        )
        if release == "again":
            player.throw_again()
        elif release == "new seed":
            player.rolling.key_choice.choose_seed = lambda: 4
            player.desk.actions.throw.trigger()
        else:
            player.rolling.key_choice.type_seed(seed)
            player.desk.actions.throw.trigger()
        player.wait()
        assert player.desk.throwing.map_choices.fixed == {}, release
        assert not any("fixed by hand" in line for line in player.log())
        assert all(
            "fixed" not in layer.roll.settings or not layer.roll.settings["fixed"]
            for layer in player.document.battlemap.layers
            if layer.roll
        )
    assert player.rolling.key_choice.key == (seed, 0)


@pytest.mark.deep
def test_a_decision_holds_for_the_next_table_too(player):
    player.throw(relief="hilly")
    player.read("1.1 Hilly country")
    player.panel.fix_form.fields["hills"].widget.setValue(3)
    player.panel.fix_form.lay_button.click()
    player.wait()
    player.throw_again()
    assert player.log()[0] == "1.1 Hilly country: as decided, 3 hills"


@pytest.mark.deep
def test_no_form_of_a_line_has_two_fields_of_one_name(player):
    chosen = {"relief": "mountainous", "rivers": 3, "roads": 3, "railways": 2, "planted": "orchard"}
    player.throw(lakes=True, marshes=True, **chosen)
    form = player.panel.fix_form
    fields = 0
    for entry in player.desk.throwing.table.log:
        form.show_line(entry, {})
        # The labels of fields stand beside them.
        texts = [form._rows.labelForField(field.widget).text() for field in form.fields.values()]
        assert len(set(texts)) == len(texts) == len(form.fields), (str(entry.line), texts)
        fields += len(texts)
        dice = {name for name, _scores in entry.scores}
        assert all(is_die(name) == (name in dice) for name in form.fields)
    assert fields > 50


def press_on_map(player, key: Qt.Key) -> None:
    """Press a key with the map focused."""
    canvas = player.window.desk.canvas
    player.window.activateWindow()
    player.qtbot.waitUntil(player.window.isActiveWindow)
    canvas.setFocus()
    player.qtbot.waitUntil(canvas.hasFocus)
    QTest.keyClick(canvas, key)


def test_the_keys_1_to_6_reach_the_dice_with_the_map_focused_and_not_in_a_text_field(player, qtbot):
    begin(player)
    player.panel.tabs.setCurrentIndex(0)
    rivers = player.panel.form.field("rivers")
    rivers.setFocus()
    rivers.selectAll()
    QTest.keyClick(rivers, Qt.Key.Key_3)
    assert rivers.value() == 3
    assert player.desk.entry.dice.count == len(DICE)
    qtbot.waitUntil(lambda: not player.desk.entry.busy)

    desk = player.window.desk
    tool = desk.tools.name
    press_on_map(player, Qt.Key.Key_4)
    qtbot.waitUntil(lambda: player.desk.entry.dice.count == len(DICE) + 1)
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    press_on_map(player, Qt.Key.Key_8)
    assert player.desk.entry.dice.count == len(DICE) + 1, "it is no score"
    assert desk.tools.name == tool
    press_on_map(player, Qt.Key.Key_Escape)
    assert player.panel.strip.isVisible(), "there Escape belongs to the map"

    player.panel.strip.end_button.click()
    press_on_map(player, Qt.Key.Key_2)
    assert player.desk.entry.waiting_dice.count == len(DICE) + 1
    assert desk.tools.name != tool, "no die is asked for: it is the key of a tool again"


def paint_trees(player, cell: int) -> int:
    """Paint trees with the brush and the mouse; the code of that terrain."""
    desk = player.window.desk
    trees = player.document.battlemap.system.terrain_set.terrain_code("Deciduous trees")
    desk.tools.choose("terrain")
    desk.tools.options.choose(terrain=trees)
    QTest.mouseClick(desk.canvas, Qt.MouseButton.LeftButton, pos=player.point(cell))
    return trees


@pytest.mark.deep
def test_a_table_that_is_thrown_on_paint_says_that_the_dice_went_round_it(player, qtbot):
    message = "What you painted before is on the table: the dice went round it."
    player.throw(relief="hilly")
    assert message not in status(player)
    player.document.undo()
    trees = paint_trees(player, 20)
    player.throw(relief="hilly")
    assert status(player).startswith(message)
    assert player.document.composite.planes["terrain"].flat[20] == trees
    player.panel.form.throw_buttons["trees"].click()
    player.wait()
    assert message not in status(player), "it is told of a whole table"


@pytest.mark.deep
@pytest.mark.parametrize(
    "lies", [False, pytest.param(True, marks=pytest.mark.deep)], ids=["bare", "a table lies"]
)
def test_paint_lies_over_the_table_so_far(player, qtbot, lies):
    if lies:
        player.throw(relief="hilly")
    begin(player)
    desk = player.window.desk
    canvas = desk.canvas
    heights = canvas.instead.planes["elevation"]
    assert heights.any(), "hills are laid so far"
    area = int(np.flatnonzero(heights == 0)[-1])
    player.panel.strip.end_button.click()
    trees = paint_trees(player, area)
    player.panel.waiting.button.click()
    qtbot.waitUntil(player.panel.strip.isVisible)
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert canvas.instead.planes["terrain"].flat[area] == trees
    assert (canvas.instead.planes["elevation"] == heights).all()
    assert player.desk.entry.dice.count == len(DICE)

    desk.commands.run("edit.undo")
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    assert canvas.instead.planes["terrain"].flat[area] != trees
    desk.commands.run("edit.redo")
    qtbot.waitUntil(lambda: not player.desk.entry.busy)
    throw_remaining_dice(player)
    assert thrown_dice(player)[: len(DICE)] == list(DICE)
    assert canvas.instead is None
    assert player.document.composite.planes["terrain"].flat[area] == trees


def status(player) -> str:
    return player.window.statusBar().currentMessage()


@pytest.mark.deep
def test_a_die_that_is_asked_for_unseen_is_asked_for_in_the_status_line(player, qtbot):
    choose_dice(player, "typed")
    player.desk.actions.throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    docks = player.window.desk.docks
    docks.room.put_aside()
    question = "1.1 Hills: throw a D6, and press what it shows, 1 to 6."
    qtbot.waitUntil(lambda: status(player) == f"{question} Randomize > Dice... shows the panel.")
    press_on_map(player, Qt.Key.Key_3)
    qtbot.waitUntil(lambda: status(player).startswith("1.2 Hill 1 row: throw a D6, and press what"))
    player.window.desk.commands.run("edit.undo")
    qtbot.waitUntil(lambda: status(player).startswith("1.1 Hills: throw a D6, and press what"))
    docks.room.bring_back()
    qtbot.waitUntil(lambda: "throw a D6" not in status(player))
    docks.room.put_aside()
    qtbot.waitUntil(lambda: "throw a D6" in status(player))
    player.document.open_map(sample_map())
    qtbot.waitUntil(lambda: "throw a D6" not in status(player))


@pytest.mark.deep  # all dice of a table
def test_the_area_that_a_die_is_about_is_outlined_on_the_map(player, qtbot):
    choose_dice(player, "typed")
    player.desk.actions.throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    overlays = player.window.desk.canvas.overlays
    asked_areas = 0
    score = 0
    while player.panel.strip.isVisible():
        asked = player.panel.strip.label.text()
        areas = re.findall(r"\b\d{4}\b", asked)
        battlemap = player.window.desk.document.battlemap
        names = [battlemap.system.cell_name(battlemap.grid, cell) for cell in overlays.marked]
        # Without an area in its words a question may have a row outlined, which a die has chosen.
        assert sorted(names) == areas or not areas, asked
        if areas and not asked_areas:
            player.panel.log.pointed.emit(0)  # the mouse goes over a line, and away
            player.panel.log.pointed.emit(-1)
            names = [battlemap.system.cell_name(battlemap.grid, cell) for cell in overlays.marked]
            assert sorted(names) == areas
        asked_areas += len(areas)
        QTest.keyClick(player.panel.strip, Qt.Key.Key_1 + score % 6)
        score += 1
        qtbot.waitUntil(lambda: not player.desk.entry.busy)
    player.wait()
    assert asked_areas > 3
    assert not overlays.marked


@pytest.mark.deep
def test_the_number_of_dice_is_told_as_about_so_many(player, qtbot):
    choose_dice(player, "typed")
    player.desk.actions.throw.trigger()
    qtbot.waitUntil(player.panel.strip.isVisible)
    assert re.fullmatch(r"0 of about \d+ dice", player.panel.strip.progress.text())
