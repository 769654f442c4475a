"""Roll is pressed while another script is still coming into the map."""

from __future__ import annotations

import threading
from itertools import count

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from app.background.actions import run
from app.document.map_files import new_map
from randomizer.model.map.layer import Roll
from tests.daily import deep_but
from tests.end_to_end.test_map_script_desk import make_map, settle
from tests.test_system import recorded
from tests.test_system.recorded import DOWNS, SCRIPT, WOLDS


@pytest.fixture
def window(recsys, window):
    """The desk, started when the package was installed already."""
    return window


@pytest.fixture
def panel(window):
    window.desk.docks.show("randomize")
    return window.desk.docks.panel("randomize")


@pytest.fixture
def may_end(monkeypatch):
    """Rolls wait until the event is set, or they are cancelled."""
    go_on = threading.Event()
    generate = recorded.RecordedGenerator.generate

    def waits(self, settings, key, base):
        while not go_on.wait(0.01):
            yield 1
        return (yield from generate(self, settings, key, base))

    # A slow roll.
    monkeypatch.setattr(recorded.RecordedGenerator, "generate", waits)
    go_on.set()
    yield go_on
    go_on.set()


@pytest.fixture
def world(qtbot, window, panel, may_end):
    """A rolled map of the script Downs, seed 17; the next seeds are 100, 101 ..."""
    make_map(qtbot, window)
    settle(qtbot, window)
    window.desk.rolling.key_choice.choose_seed = count(100).__next__
    return window.desk.document


def roll_button(panel) -> QToolButton:
    buttons = panel.roll_bar.findChildren(QToolButton)
    (button,) = (each for each in buttons if each.defaultAction() is panel.roll_action)
    return button


def press_roll(panel) -> None:
    """Click where the button Roll stands, whatever is there now."""
    button = roll_button(panel)
    place = button.mapTo(panel, button.rect().center())
    there = panel.childAt(place)
    QTest.mouseClick(there, Qt.MouseButton.LeftButton, pos=there.mapFrom(panel, place))


def roll_with(window, name: str) -> None:
    commands = window.desk.commands
    commands.fill("randomize.roll-with.script.*")
    commands.run(f"randomize.roll-with.script.{name}")


def roll_of(document) -> Roll:
    layer = document.battlemap.source_layer
    assert layer is not None
    assert layer.roll is not None
    return layer.roll


@pytest.mark.parametrize(
    "moment", deep_but(["at once", "rolling", "slow", "in the map"], "at once")
)
def test_roll_waits_for_the_script_that_is_loaded_and_takes_a_new_seed(
    qtbot, window, panel, world, may_end, moment
):
    rolling = window.desk.rolling
    may_end.clear()
    roll_with(window, "wolds")
    if moment == "rolling":
        QTest.qWait(20)
    if moment == "slow":
        qtbot.waitUntil(lambda: rolling.slow)
    if moment == "in the map":
        qtbot.waitUntil(lambda: len(world.history.steps) == 1)
    press_roll(panel)
    assert roll_of(world).script_name == "downs.rec"
    may_end.set()
    qtbot.waitUntil(lambda: len(world.history.steps) == 2)
    settle(qtbot, window)
    roll = roll_of(world)
    assert (roll.script, roll.script_name, roll.seed) == (WOLDS, "wolds.rec", 100)
    assert "wolds, seed 100 no. 0" in window.statusBar().currentMessage()
    window.desk.document.undo()
    loaded = roll_of(world)
    assert (loaded.script, loaded.script_name, loaded.seed) == (WOLDS, "wolds.rec", 17)
    assert world.battlemap.source_layer.name == "wolds, seed 17 no. 0"
    assert window.desk.scripts.script.name == "wolds.rec"
    window.desk.document.undo()
    assert roll_of(world).script_name == "downs.rec"
    assert window.desk.scripts.script.name == "downs.rec"
    assert panel.editor.text() == world.battlemap.records[SCRIPT].text == DOWNS


@pytest.mark.deep
def test_a_press_of_roll_that_the_load_overtakes_is_not_lost(qtbot, window, panel, world, may_end):
    may_end.clear()
    roll_with(window, "wolds")
    button = roll_button(panel)
    QTest.mousePress(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.desk.rolling.slow)
    QTest.mouseRelease(button, Qt.MouseButton.LeftButton)
    may_end.set()
    qtbot.waitUntil(lambda: len(world.history.steps) == 2)
    assert roll_of(world).seed == 100


@pytest.mark.deep
def test_roll_waits_for_a_new_map_that_is_rolled(qtbot, window, panel, may_end):
    seeds = count(100)
    window.desk.rolling.key_choice.choose_seed = seeds.__next__
    may_end.clear()
    generator = recorded.packaged()[0]
    run(window.desk.scripts.opening.roll_new(new_map(generator.system), generator))
    press_roll(panel)
    document = window.desk.document
    assert document.battlemap.system is not generator.system
    assert len(document.history.steps) == 0
    may_end.set()
    qtbot.waitUntil(lambda: document.battlemap.system is generator.system)
    qtbot.waitUntil(lambda: len(document.history.steps) == 1)
    assert roll_of(document).seed == 101


@pytest.mark.deep
def test_cancelling_the_load_drops_the_roll_that_waits(qtbot, window, panel, world, may_end):
    may_end.clear()
    roll_with(window, "wolds")
    qtbot.waitUntil(lambda: window.desk.rolling.slow)
    press_roll(panel)
    panel.roll_bar.cancel_button.click()
    may_end.set()
    settle(qtbot, window)
    QTest.qWait(50)
    assert len(world.history.steps) == 1
    assert roll_of(world).seed == 17


@pytest.mark.deep
def test_the_name_of_a_script_goes_with_the_step_that_opened_it(qtbot, window, panel, world):
    roll_with(window, "wolds")
    qtbot.waitUntil(lambda: window.desk.scripts.script.name == "wolds.rec")
    window.desk.document.undo()
    assert window.desk.scripts.script.name == "downs.rec"
    window.desk.rolling.roll()
    qtbot.waitUntil(lambda: len(world.history.steps) == 1)
    settle(qtbot, window)
    QTest.qWait(20)
    assert world.history.index == 1
    assert window.desk.scripts.script.name == "downs.rec", "the step that opened the other is gone"
    assert roll_of(world).script_name == "downs.rec"


@pytest.mark.deep
def test_the_same_script_again_rolls_another_map(qtbot, window, panel, world):
    roll_with(window, "downs")
    qtbot.waitUntil(lambda: len(world.history.steps) == 1)
    assert (roll_of(world).script, roll_of(world).seed) == (DOWNS, 100)


@pytest.mark.deep
def test_the_status_line_tells_of_the_last_roll(qtbot, window, panel, world):
    assert "seed 17" in window.statusBar().currentMessage()
    window.desk.rolling.roll()
    settle(qtbot, window)
    qtbot.waitUntil(lambda: len(world.history.steps) == 1)
    told = "Rolled downs, seed 100 no. 0 in place of seed 17 no. 0"
    assert window.statusBar().currentMessage() == told
    window.desk.document.undo()
    assert window.statusBar().currentMessage() == "", "seed 100 is not what is seen"


@pytest.mark.deep
@pytest.mark.usefixtures("told_faults")
def test_a_fault_while_another_script_is_loaded_keeps_no_roll_waiting(
    qtbot, window, panel, world, hand, break_once
):
    told = hand.expect("Battlelands Builder").press("Close")
    break_once("app.rolling.roll_placement.RollPlacement.apply")
    roll_with(window, "wolds")
    qtbot.waitUntil(lambda: told.has_come)
    assert told.text.count("ForcedError") == 1
    qtbot.waitUntil(lambda: len(world.history.steps) == 1)
    press_roll(panel)
    qtbot.waitUntil(lambda: len(world.history.steps) == 2)
    assert roll_of(world).seed == 100
