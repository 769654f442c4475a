"""The panel of a scenario: sides, conditions and the game in forms, each change an undo step."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtWidgets import QMessageBox

from app.canvas.canvas import MapCanvas
from app.canvas.heat_owner import HeatOwner
from app.document.document import MapDocument
from app.render.renderer import Renderer
from app.render.theme import theme
from app.systems.xconq.scenario.scenario_panel import ScenarioPanel
from app.tools.options import ToolOptions
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.layer import Layer
from randomizer.model.records.map_records import MapRecord
from randomizer.systems.colossus.system import SYSTEM as COLOSSUS
from randomizer.systems.xconq.records import (
    Condition,
    ConditionKind,
    Globals,
    Side,
    Sides,
    globals_of,
    header_of,
    map_facts_of,
    sides_of,
)
from randomizer.systems.xconq.scenario.conditions import IDLE_TO_LOSE
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.randomizer.systems.xconq.tiny_period import TEXT, unit, world


class Driver:
    """The panel on a small world with two sides and some units."""

    def __init__(self, qtbot) -> None:
        battlemap = world(12, 8, unit(1, "men", 3, 3, 1), unit(2, "town", 5, 5, 2))
        battlemap.records["period"] = MapRecord(TEXT)
        for name, value in (
            ("sides", Sides((Side("Ann"), Side("Bob")))),
            ("globals", Globals(conditions=(condition(), condition(side=1)))),
        ):
            change_value(battlemap, name, value).apply(battlemap)
        self.qtbot = qtbot
        self.document = MapDocument(battlemap)
        self.refused: list[str] = []
        self.document.work_refused.connect(self.refused.append)
        self.canvas = MapCanvas(self.document, Renderer(theme("light")))
        qtbot.addWidget(self.canvas)
        self.canvas.resize(600, 400)
        self.options = ToolOptions()
        self.messages: list[str] = []
        desk = SimpleNamespace(
            document=self.document,
            canvas=self.canvas,
            heat=HeatOwner(self.canvas),
            tools=SimpleNamespace(options=self.options),
            say=self.messages.append,
            say_until_next_step=self.messages.append,
        )
        self.panel = ScenarioPanel(desk)
        qtbot.addWidget(self.panel)
        self.panel.resize(260, 700)
        self.panel.show()
        self.sides = self.panel.sides
        self.conditions = self.panel.conditions
        self.game = self.panel.game

    @property
    def battlemap(self) -> BattleMap:
        return self.document.battlemap

    @property
    def steps(self) -> list[str]:
        history = self.document.history
        return [step.text for step in history.steps[: history.index]]

    def settle(self) -> None:
        """Wait until the panel shows the records as they are."""
        pages = (self.sides, self.conditions, self.game)
        self.qtbot.waitUntil(lambda: all(page.is_up_to_date for page in pages))

    @property
    def asks(self) -> bool:
        """Whether a question is open."""
        return any(box.isVisible() for box in self.sides.findChildren(QMessageBox))

    def choose(self, page, name: str, value: object) -> None:
        """Set a field of a page's form as a user does, and leave it."""
        field = page.form.field(name)
        if hasattr(field, "setCurrentIndex"):
            field.setCurrentIndex(field.findData(value))
        elif hasattr(field, "setChecked"):
            field.setChecked(value)
        elif hasattr(field, "setValue"):
            field.setValue(value)
        else:
            write = getattr(field, "setPlainText", None) or field.setText
            write(value)
            field.editingFinished.emit()
        self.settle()

    def rows(self, page) -> list[str]:
        return [entry.name for entry in page.model.entries]


def condition(**more) -> Condition:
    values = {
        "wins": True,
        "kind": ConditionKind.TERRITORY,
        "start": 0,
        "end": 1000,
        "side": 0,
        "numbers": (30,),
    }
    return Condition(**(values | more))


@pytest.fixture
def driver(qtbot) -> Driver:
    return Driver(qtbot)


# --- sides ---------------------------------------------------------------------------------------


def test_a_side_is_added_with_a_name_of_its_own_and_renamed(driver):
    driver.sides.buttons["Add"].click()
    driver.settle()
    names = [side.name for side in sides_of(driver.battlemap).sides]
    assert names[:2] == ["Ann", "Bob"]
    assert names[2] not in names[:2]
    assert driver.rows(driver.sides) == names
    assert driver.sides.code == 2
    driver.choose(driver.sides, "name", "New Cork")
    assert driver.rows(driver.sides)[2] == "New Cork"
    assert driver.steps == ["Add a side", "Rename a side"]
    driver.choose(driver.sides, "name", "a*b")
    assert driver.rows(driver.sides)[2] == "New Cork"
    assert driver.refused == ["“*” stands for a blank in files, so no name can have one."]
    driver.document.undo()
    driver.document.undo()
    driver.settle()
    assert driver.rows(driver.sides) == ["Ann", "Bob"]


def test_removing_a_side_with_units_is_asked_and_one_step(driver, hand):
    driver.sides.choose(0)
    refusal = hand.expect("Remove the side?").press("Cancel")
    driver.sides.buttons["Remove"].click()
    driver.qtbot.waitUntil(lambda: refusal.has_come and not driver.asks)
    assert driver.steps == []
    question = hand.expect("Remove the side?").press("Remove")
    driver.sides.buttons["Remove"].click()
    driver.qtbot.waitUntil(lambda: driver.steps == ["Remove the side Ann"])
    driver.settle()
    assert "1 unit of Ann will be neutral. 1 condition of Ann will be removed." in question.text
    assert driver.rows(driver.sides) == ["Bob"]
    assert [thing.owner for thing in driver.battlemap.visible_things()] == [0, 1]
    assert [each.side for each in globals_of(driver.battlemap).conditions] == [0]
    assert driver.rows(driver.conditions) == [
        "Bob wins from turn 0 to 1,000 when it holds 30 or more territory."
    ]
    driver.document.undo()
    driver.settle()
    assert driver.rows(driver.sides) == ["Ann", "Bob"]
    assert len(driver.rows(driver.conditions)) == 2


def test_attitudes_are_chosen_towards_each_other_side(driver):
    driver.choose(driver.sides, "towards1", 100)
    found = sides_of(driver.battlemap)
    assert [side.attitudes for side in found.sides] == [(0, 100), (0, 0)]
    assert found.detail == 2
    driver.sides.choose(1)
    driver.choose(driver.sides, "towards0", -100)
    assert sides_of(driver.battlemap).sides[1].attitudes == (-100, 0)
    assert driver.steps == ["Change attitude"] * 2


def test_what_a_side_has_seen_is_shown_while_it_is_ticked(driver):
    assert driver.sides.view_box.isHidden(), "a file without views has none"
    rows = ("?12", "?2.3m01@1?5", *("?12",) * 6)
    sides = Sides((Side("Ann", view=rows), Side("Bob")), 3)
    driver.document.push(change_value(driver.battlemap, "sides", sides), "Put")
    driver.settle()
    assert not driver.sides.view_box.isHidden()
    driver.sides.view_box.setChecked(True)
    heat = driver.canvas.renderer.heat
    assert np.isnan(heat).sum() == 5, "what was seen keeps its look"
    assert driver.panel.view.side == 0
    driver.sides.choose(1)
    assert driver.canvas.renderer.heat is None
    driver.sides.choose(0)
    driver.sides.view_box.setChecked(True)
    driver.document.show_map(BattleMap.new(COLOSSUS, layers=[Layer(1, "Ground")]))
    assert driver.canvas.renderer.heat is None


# --- conditions ----------------------------------------------------------------------------------


def test_a_condition_is_added_changed_and_says_what_it_means(driver):
    page = driver.conditions
    page.buttons["Add"].click()
    driver.settle()
    assert page.code == 2
    assert (
        driver.rows(page)[2]
        == "Any side wins from turn 0 to 1,000 when it holds 30 or more territory."
    )
    driver.choose(page, "side", 1)
    driver.choose(page, "wins", 0)
    driver.choose(page, "end", 50)
    driver.choose(page, "number 0", 12)
    assert (
        driver.rows(page)[2] == "Bob loses from turn 0 to 50 when it holds less than 12 territory."
    )
    for _step in driver.steps:
        driver.document.undo()
    driver.settle()
    assert len(driver.rows(page)) == 2


def test_only_one_unit_type_fills_the_others(driver):
    page = driver.conditions
    driver.choose(page, "kind", 1)
    assert globals_of(driver.battlemap).conditions[0].numbers == (1, 0, 0)
    driver.choose(page, "only", 2)
    driver.choose(page, "number 2", 4)
    assert globals_of(driver.battlemap).conditions[0].numbers == (0, 0, 4)
    driver.choose(page, "wins", 0)
    assert globals_of(driver.battlemap).conditions[0].numbers == (IDLE_TO_LOSE, IDLE_TO_LOSE, 4)
    assert driver.rows(page)[0] == "Ann loses from turn 0 to 1,000 when it has at most 4 town."
    driver.choose(page, "only", -1)
    driver.choose(page, "number 1", 2)
    assert globals_of(driver.battlemap).conditions[0].numbers[1:] == (2, 4)


def test_a_number_that_is_turned_quickly_is_one_step(driver):
    field = driver.conditions.form.field("number 0")
    for _click in range(5):
        field.stepUp()
    driver.settle()
    assert globals_of(driver.battlemap).conditions[0].numbers == (35,)
    assert driver.steps == ["Change a condition"]


def test_the_hex_of_a_condition_is_picked_on_the_map(driver):
    page = driver.conditions
    assert page.buttons["Pick on the map"].isHidden()
    driver.choose(page, "kind", 3)
    assert not page.buttons["Pick on the map"].isHidden()
    page.buttons["Pick on the map"].click()
    page.area_pick.end(driver.battlemap.grid.cell(7, 4))
    driver.settle()
    assert globals_of(driver.battlemap).conditions[0].numbers == (7, 4, -1)
    driver.choose(page, "unit", 2)
    assert driver.rows(page)[0] == "Ann wins from turn 0 to 1,000 when it has town on the hex 7,4."
    page.buttons["Pick on the map"].click()
    page.area_pick.end(-1)
    assert globals_of(driver.battlemap).conditions[0].numbers == (7, 4, 2)


def test_at_most_ten_conditions(driver):
    many = Globals(conditions=(condition(),) * 10)
    driver.document.push(change_value(driver.battlemap, "globals", many), "Put")
    driver.settle()
    assert not driver.conditions.buttons["Add"].isEnabled()
    driver.conditions.buttons["Remove"].click()
    driver.settle()
    assert driver.conditions.buttons["Add"].isEnabled()
    assert len(driver.rows(driver.conditions)) == 9


# --- the game ------------------------------------------------------------------------------------


def test_turns_rules_and_the_world_are_set(driver):
    page = driver.game
    driver.choose(page, "end_time", 77)
    driver.choose(page, "leave_map", True)
    driver.choose(page, "scale", 30)
    driver.choose(page, "description", "Two of them")
    found = globals_of(driver.battlemap)
    assert (found.end_time, found.leave_map, found.set_product) == (77, 1, 1)
    assert len(found.conditions) == 2
    assert map_facts_of(driver.battlemap).scale == 30
    assert header_of(driver.battlemap).description == "Two of them"
    assert len(driver.steps) == 4


def test_notes_count_when_they_are_left(driver):
    page = driver.game
    driver.choose(page, "notes", "One\nTwo")
    assert header_of(driver.battlemap).notes == ("One", "Two")
    driver.document.history.end_merging()  # some seconds later
    driver.choose(page, "notes", "One\n.\nTwo")
    why = "A line that is only “.” ends the notes in a file: it was taken out."
    assert driver.refused == [why]
    assert page.form.field("notes").toPlainText() == "One\nTwo"
    driver.document.undo()
    driver.settle()
    assert page.form.field("notes").toPlainText() == ""
    assert driver.refused == [why]


def test_notes_with_a_line_that_ends_them_keep_the_rest(driver):
    notes = driver.game.form.field("notes")
    notes.setFocus()
    driver.choose(driver.game, "notes", "One\n.\n . \n\nTwo\n.")
    assert header_of(driver.battlemap).notes == ("One", " . ", "", "Two")
    assert len(driver.refused) == 1
    driver.settle()
    assert notes.toPlainText() == "One\n . \n\nTwo"
    assert len(driver.steps) == 1
