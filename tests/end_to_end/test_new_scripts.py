"""A script from nothing: found by its words, shown with its comments, rolled, changed and saved."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.background.actions import any_running
from app.canvas.hover_text import explain_cell
from app.document.map_files import new_map
from app.features.command_palette.dialog import CommandPalette
from app.features.help.manual_dialog import ManualDialog
from app.features.new_map.dialog import NewMapDialog
from app.features.problems.problems_bar import ProblemsBar
from app.features.start.feature import EmptyMap
from app.scripts.text_follower import FOLLOW_DELAY_MS
from randomizer.catalog.systems import system_named
from tests.app.conftest import new_map_dialog, opened
from tests.daily import deep_but
from tests.end_to_end.test_map_script_desk import CTRL, settle, type_at
from tests.randomizer.systems.zeroad.given_places import find_games_only_in

DRIVEN_DIALOGS = (CommandPalette, ManualDialog, NewMapDialog)

NEW_PERIOD = "Randomize > New Xconq period"
"""Where *Find a command* finds the command that begins a period."""

CONTROL_SHIFT = CTRL | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def desk(qtbot, window, monkeypatch, tmp_path):
    """The desk; no game is installed, and all keys are quick ones."""
    find_games_only_in(tmp_path / "none", monkeypatch)
    window.desk.scripts.map_script.clock = lambda: 0.0
    return window.desk


def activate(qtbot, window) -> None:
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)


def find(qtbot, window, words: str, path: str) -> None:
    """Find a command by words, see where it stands, and press Enter."""
    activate(qtbot, window)
    window.desk.canvas.setFocus()
    QTest.keyClick(window.desk.canvas, Qt.Key.Key_P, CONTROL_SHIFT)
    palette = opened(window, qtbot, CommandPalette)
    QTest.keyClicks(palette.line, words)
    assert palette.list.topLevelItem(0).text(0) == path
    QTest.keyClick(palette.line, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not window.findChildren(CommandPalette))


def roll(qtbot, window) -> None:
    """Press Ctrl+R on the map, and wait until another roll is there without a problem."""
    desk = window.desk
    activate(qtbot, window)
    desk.canvas.setFocus()
    with qtbot.waitSignal(desk.rolling.rolled):
        QTest.keyClick(desk.canvas, Qt.Key.Key_R, CTRL)
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    panel = desk.docks.panel("randomize")
    assert panel.isVisible()
    assert panel.problem_list.problems == ()
    bar = window.findChild(ProblemsBar)
    qtbot.waitUntil(lambda: bar.message.text().startswith("No problems"))


def comments(panel, mark: str) -> int:
    return sum(line.startswith(mark) for line in panel.editor.text().splitlines())


@pytest.mark.parametrize(
    "words", deep_but(["new script", "skeleton battleland", "blank rnd"], "new script")
)
def test_a_new_script_is_shown_and_rolls_the_battleland_that_is_there(qtbot, window, desk, words):
    battlemap = desk.document.battlemap
    find(qtbot, window, words, "Randomize > New Colossus script")
    panel = desk.docks.panel("randomize")
    assert panel.isVisible()
    assert panel.head.title.text() == "Untitled.rnd"
    assert comments(panel, "# ") >= 5
    assert desk.document.battlemap is battlemap
    roll(qtbot, window)
    layer = desk.rolling.target()
    assert layer.roll.script == panel.editor.text()
    type_at(panel.editor, " Bog", "HAZARDS Tree Tree Tree,50.")
    roll(qtbot, window)
    assert "Bog" in desk.rolling.target().roll.script


@pytest.mark.deep
def test_a_new_script_on_a_map_of_another_kind_opens_an_empty_battleland(qtbot, window, desk):
    landscape = new_map(system_named("free"))
    desk.document.open_map(landscape)
    find(qtbot, window, "new script", "Randomize > New Colossus script")
    assert desk.document.battlemap.system.name == "colossus"
    assert landscape not in [open_map.battlemap for open_map in desk.document.maps]
    roll(qtbot, window)
    assert desk.rolling.target().roll.script_name == "Untitled.rnd"


def test_unsaved_edits_are_asked_about_and_cancel_keeps_them(qtbot, window, desk, hand):
    find(qtbot, window, "new script", "Randomize > New Colossus script")
    panel = desk.docks.panel("randomize")
    type_at(panel.editor, " Bog", "HAZARDS Tree Tree Tree,50.")
    text = panel.editor.text()
    question = hand.expect("Unsaved script").press("Cancel")
    find(qtbot, window, "new script", "Randomize > New Colossus script")
    qtbot.waitUntil(lambda: question.has_come and not any_running())
    assert panel.editor.text() == text
    hand.expect("Unsaved script").press("Discard")
    find(qtbot, window, "new script", "Randomize > New Colossus script")
    qtbot.waitUntil(lambda: panel.editor.text() != text)


NEW_SCRIPTS = {
    "colossus": ("new script", "Randomize > New Colossus script"),
    "xconq": ("new period", NEW_PERIOD),
    "zeroad": ("new map script", "Randomize > New 0 A.D. map script"),
}


@pytest.mark.parametrize("system_name", deep_but(NEW_SCRIPTS, "colossus"))
def test_a_new_script_leaves_a_rolled_map_alone(qtbot, window, desk, system_name):
    if system_name == "zeroad":
        pytest.importorskip("py_mini_racer")
    find(qtbot, window, *NEW_SCRIPTS[system_name])
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == system_name)
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    roll(qtbot, window)
    rolled_map = desk.document.current_map
    name = desk.document.name_of(rolled_map)
    seed = desk.rolling.target().roll.seed
    find(qtbot, window, *NEW_SCRIPTS[system_name])
    qtbot.waitUntil(lambda: desk.document.current_map is not rolled_map)
    qtbot.waitUntil(lambda: not desk.rolling.busy and not any_running())
    said = window.statusBar().currentMessage()
    assert said.endswith(f"is new and has a map of its own; {name} stays in its tab")
    roll(qtbot, window)
    desk.document.make_current(rolled_map)
    assert desk.rolling.target().roll.seed == seed
    assert len(rolled_map.battlemap.layers) <= 2


@pytest.mark.parametrize(
    ("system_name", "heading"),
    deep_but(
        [
            ("colossus", "The language of randomizer scripts"),
            ("xconq", "Worlds of Xconq"),
            ("zeroad", "Writing map generators"),
        ],
        ("colossus", "The language of randomizer scripts"),
    ),
)
def test_help_in_the_editor_is_about_the_language_of_the_script(
    qtbot, window, desk, system_name, heading
):
    if system_name == "zeroad":
        pytest.importorskip("py_mini_racer")
    find(qtbot, window, *NEW_SCRIPTS[system_name])
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == system_name)
    activate(qtbot, window)
    editor = desk.docks.panel("randomize").editor
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_F1)
    manual = opened(window, qtbot, ManualDialog)
    assert manual.pages.toPlainText().startswith(heading)
    manual.close()


@pytest.mark.parametrize("words", deep_but(["new period", "skeleton xconq"], "new period"))
def test_a_new_period_is_a_world_that_follows_its_text(qtbot, window, desk, words):
    find(qtbot, window, words, NEW_PERIOD)
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == "xconq")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    panel = desk.docks.panel("randomize")
    assert panel.head.title.text() == "Untitled.per"
    assert comments(panel, "; ") >= 4
    roll(qtbot, window)
    type_at(panel.editor, "9", "[ 0 ")  # the plains begin at 960 instead of 60 percent
    settle(qtbot, window)
    qtbot.waitUntil(lambda: bool(panel.problem_list.problems))
    QTest.keyClick(panel.editor, Qt.Key.Key_Backspace)
    settle(qtbot, window)
    qtbot.waitUntil(lambda: not panel.problem_list.problems)


def test_new_map_offers_a_new_period_beside_the_packaged_ones(qtbot, window, desk):
    dialog = new_map_dialog(window, "Xconq world", "New period")
    assert dialog.about.text().startswith("A period of your own")
    dialog.make_button.click()
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == "xconq")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    panel = desk.docks.panel("randomize")
    qtbot.waitUntil(panel.isVisible)
    assert panel.head.title.text() == "Untitled.per"
    assert panel.problem_list.problems == ()
    roll(qtbot, window)
    type_at(panel.editor, " bravely", "walks")
    settle(qtbot, window)
    desk.document.undo()
    assert "bravely" not in panel.editor.text()


@pytest.mark.deep
def test_a_limit_that_an_earlier_terrain_takes_is_told(qtbot, window, desk):
    find(qtbot, window, "new period", NEW_PERIOD)
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == "xconq")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    desk.docks.show("period")
    settle(qtbot, window)
    pages = desk.docks.panel("period")
    pages.tabs.setCurrentWidget(pages.terrains)
    qtbot.waitUntil(lambda: pages.terrains.code is not None)
    pages.terrains.choose(1)  # the plains, from 60
    field = pages.terrains.form.field("min-alt")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "50")
    QTest.keyClick(field, Qt.Key.Key_Return)
    message = window.statusBar().currentMessage
    text = "plains gets no altitude 50 to 60, moisture 0 to 100: sea is defined before it"
    qtbot.waitUntil(lambda: message() == text)
    settle(qtbot, window)
    assert message() == text, "no later message hides it"


@pytest.mark.deep
def test_a_gap_between_the_altitudes_of_a_new_period_is_filled_by_its_fix(qtbot, window, desk):
    find(qtbot, window, "new period", NEW_PERIOD)
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == "xconq")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    panel = desk.docks.panel("randomize")
    replace_in_script(qtbot, window, "[ 60 90 100 0 ] t* max-alt", "[ 50 90 100 0 ] t* max-alt")
    listed = panel.problems.list
    qtbot.waitUntil(lambda: [each.code for each in listed.problems] == ["advice-gap"])
    listed.choose(listed.problems[0])
    assert listed.fix_button.toolTip() == "Apply: Write 51 for min-alt of plains"
    listed.fix_button.click()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: not listed.problems)
    assert "[ 0 51 90 0 ] t* min-alt" in panel.editor.text()


def replace_in_script(qtbot, window, old: str, new: str) -> None:
    """Change the text of the map's script, as a person who types does."""
    script = window.desk.scripts.map_script
    assert old in script.text
    script.change_text(script.text.replace(old, new), "Type")
    settle(qtbot, window)


@pytest.mark.deep
def test_a_new_period_leaves_the_world_that_is_there(qtbot, window, desk):
    find(qtbot, window, "new period", NEW_PERIOD)
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == "xconq")
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    world = desk.document.battlemap
    panel = desk.docks.panel("randomize")
    type_at(panel.editor, " bravely", "walks")
    settle(qtbot, window)
    find(qtbot, window, "new period", NEW_PERIOD)
    qtbot.waitUntil(lambda: desk.document.battlemap is not world)
    qtbot.waitUntil(lambda: not desk.rolling.busy)
    assert world in [each.battlemap for each in desk.document.maps]
    assert "bravely" not in panel.editor.text()
    assert "bravely" in world.records["period"].text


@pytest.mark.parametrize(
    "words", deep_but(["new map script", "skeleton javascript"], "new map script")
)
def test_a_new_map_script_is_rolled_and_saved_with_its_metadata(
    qtbot, window, desk, hand, tmp_path, words
):
    pytest.importorskip("py_mini_racer")
    find(qtbot, window, words, "Randomize > New 0 A.D. map script")
    panel = desk.docks.panel("randomize")
    assert desk.document.battlemap.system.name == "zeroad"
    assert panel.head.title.text() == "Untitled.js"
    assert comments(panel, "// ") + comments(panel, "\t// ") >= 4
    card = window.findChild(EmptyMap)
    assert card.isVisible()
    text = "Untitled.js has not made this map yet: Ctrl+Enter rolls it, with 2 players."
    qtbot.waitUntil(lambda: card.message.text() == text)
    roll(qtbot, window)
    assert ", height 3," in explain_cell(desk.document, 40_000), "as its comment says"
    path = tmp_path / "hills.js"
    hand.expect("Save script").type_path(path)
    assert window.desk.commands.run("script.save") is None
    qtbot.waitUntil((tmp_path / "hills.json").exists)
    assert path.read_text("utf-8") == panel.editor.text()
    metadata = json.loads((tmp_path / "hills.json").read_text("utf-8"))
    assert metadata["settings"]["Script"] == "hills.js", "the game finds the script by it"
    assert metadata["settings"]["Name"] == "Hills", "the game's list shows it"
    roll(qtbot, window)

    # It is opened again by File > Open recent, as a script that was opened is.
    texts = []
    for name in desk.commands.offered(fill=True):
        if name.startswith("file.open-recent."):
            texts.append(desk.commands.action(name).text())
    assert "hills.js" in texts


@pytest.mark.deep
def test_the_radius_of_the_towns_stands_once_and_a_double_click_takes_all_of_it(
    qtbot, window, desk
):
    pytest.importorskip("py_mini_racer")
    find(qtbot, window, "new map script", "Randomize > New 0 A.D. map script")
    editor = desk.docks.panel("randomize").editor
    assert editor.text().count("0.3") == 1
    line = next(line for line in editor.text().splitlines() if "0.3" in line)
    assert line.strip() == "const radius = 0.3;"
    cursor = editor.textCursor()
    for position in (editor.text().index("0.3"), editor.text().index("0.3") + 2):
        cursor.setPosition(position)
        editor.setTextCursor(cursor)
        point = editor.cursorRect().center() + QPoint(2, 0)
        QTest.mouseDClick(editor.viewport(), Qt.MouseButton.LeftButton, pos=point)
        assert editor.textCursor().selectedText() == "0.3"


@pytest.mark.parametrize("system_name", deep_but(NEW_SCRIPTS, "colossus"))
def test_saving_a_new_script_under_a_name_rolls_nothing(
    qtbot, window, desk, hand, tmp_path, system_name
):
    if system_name == "zeroad":
        pytest.importorskip("py_mini_racer")
    find(qtbot, window, *NEW_SCRIPTS[system_name])
    qtbot.waitUntil(lambda: desk.document.battlemap.system.name == system_name)
    qtbot.waitUntil(lambda: not desk.rolling.busy and not any_running())
    roll(qtbot, window)
    panel = desk.docks.panel("randomize")
    layer = desk.rolling.target()
    steps = list(desk.document.history.steps)
    suffix = panel.head.title.text().partition(".")[2]
    path = tmp_path / f"myscript.{suffix}"
    hand.expect("Save script").type_path(path)
    assert desk.commands.run("script.save") is None
    qtbot.waitUntil(lambda: path.exists() and not any_running())
    qtbot.wait(2 * FOLLOW_DELAY_MS)  # no roll follows, however long one waits
    assert not desk.rolling.busy
    assert desk.rolling.target().roll is layer.roll
    if system_name != "xconq":  # a world names the file of its period
        assert desk.document.history.steps == steps
    assert window.statusBar().currentMessage().startswith(f"Saved the script {path.name}")
    assert panel.notices.layer_banner.isHidden()
