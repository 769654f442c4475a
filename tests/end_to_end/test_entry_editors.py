"""The editors of entries in the window: add, change, remove, Undo and Redo, by mouse and keys.

Terrains and regions of a free map, sides and conditions of a scenario of Xconq, types of its
period, players of a map of 0 A.D.: all are handled alike.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QTabWidget,
    QToolButton,
    QTreeView,
    QWidget,
)

from app.document.map_files import new_map
from app.widgets.forms.form_dialog import FormDialog
from randomizer.catalog.systems import system_named
from randomizer.model.edits.thing_edits import add_things
from randomizer.model.grid.layouts import FLAT
from randomizer.model.map.regions import cells_by_region, regions_of
from randomizer.model.things.things import Thing
from randomizer.systems.free.system import free_map
from randomizer.systems.xconq.records import Side, Sides
from randomizer.systems.xconq.scenario.side_edits import change_value
from tests.app.buttons import press_ok

DRIVEN_DIALOGS = (FormDialog,)

LEFT = Qt.MouseButton.LeftButton


class Person:
    """A person before a panel: sees what is visible in its dock, and uses mouse and keys."""

    def __init__(self, window, qtbot) -> None:
        self.window = window
        self.desk = window.desk
        self.document = window.desk.document
        self.qtbot = qtbot
        self.dock = ""

    def open_panel(self, dock: str, tab: str = "") -> None:
        """Open a dock, and click a tab of its panel."""
        self.dock = dock
        self.desk.docks.open(dock)
        self.qtbot.waitUntil(lambda: self.desk.docks.find_panel(dock) is not None)
        self.window.activateWindow()
        self.qtbot.waitUntil(self.window.isActiveWindow)
        if tab:
            (tabs,) = self.visible(QTabWidget)
            titles = [tabs.tabText(number).replace("&", "") for number in range(tabs.count())]
            at = tabs.tabBar().tabRect(titles.index(tab)).center()
            QTest.mouseClick(tabs.tabBar(), LEFT, pos=at)
        self.qtbot.waitUntil(lambda: bool(self.visible(QTreeView)))

    def visible(self, kind: type[QWidget]) -> list[QWidget]:
        widgets = self.desk.docks[self.dock].findChildren(kind)
        return [widget for widget in widgets if widget.isVisible()]

    @property
    def list(self) -> QTreeView:
        (view,) = self.visible(QTreeView)
        return view

    @property
    def rows(self) -> list[str]:
        """The names in the list."""
        model = self.list.model()
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    @property
    def chosen(self) -> str:
        return self.list.currentIndex().data()

    @property
    def steps(self) -> list[str]:
        history = self.document.history
        return [step.text for step in history.steps[: history.index]]

    def settle(self) -> None:
        """Let the panels follow the map."""
        QApplication.processEvents()
        self.qtbot.wait(1)

    def click_button(self, text: str) -> None:
        (button,) = (each for each in self.visible(QToolButton) if each.text() == text)
        assert button.isEnabled(), button.toolTip()
        QTest.mouseClick(button, LEFT)
        self.settle()

    def click_row(self, name: str) -> None:
        view = self.list
        matches = view.model().match(
            view.model().index(0, 0),
            Qt.ItemDataRole.DisplayRole,
            name,
            1,
            Qt.MatchFlag.MatchExactly,
        )
        view.scrollTo(matches[0])
        QTest.mouseClick(view.viewport(), LEFT, pos=view.visualRect(matches[0]).center())
        self.settle()

    def field(self, title: str) -> QWidget:
        labels = self.visible(QLabel)
        (label,) = (each for each in labels if each.text().replace("&", "") == f"{title}:")
        return label.buddy()

    def write(self, field: QWidget, text: str) -> None:
        field.setFocus()
        line = field if isinstance(field, QLineEdit) else field.lineEdit()
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)
        self.settle()

    def choose(self, title: str, label: str) -> None:
        box = self.field(title)
        assert isinstance(box, QComboBox)
        box.setCurrentIndex(box.findText(label))
        self.settle()

    def press(self, key: Qt.Key) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None
        QTest.keyClick(focus, key)
        self.settle()

    def undo(self, steps: int = 1) -> None:
        for _step in range(steps):
            self.desk.commands.run("edit.undo")
        self.settle()

    def redo(self, steps: int = 1) -> None:
        for _step in range(steps):
            self.desk.commands.run("edit.redo")
        self.settle()


@pytest.fixture
def person(window, qtbot) -> Person:
    return Person(window, qtbot)


def open_terrains(person: Person, tab: str = "Terrains") -> None:
    person.document.show_map(free_map(FLAT, 16, 12), None)
    person.open_panel("terrains", tab)


def open_regions(person: Person) -> None:
    person.document.show_map(free_map(FLAT, 9, 7), None)
    person.open_panel("regions")


def open_sides(person: Person, tab: str = "Sides") -> None:
    person.document.show_map(new_map(system_named("xconq")))
    sides = Sides((Side("Ann"), Side("Bob")))
    person.document.push(change_value(person.document.battlemap, "sides", sides), "Sides")
    person.document.history.end_merging()
    person.open_panel("scenario", tab)
    person.settle()


def open_players(person: Person) -> None:
    person.document.show_map(new_map(system_named("zeroad")))
    person.open_panel("setup", "Players")
    person.click_row("8: Player 8")
    person.click_button("Remove")


@pytest.mark.parametrize(
    ("open_editor", "typed", "name", "count"),
    [
        pytest.param(open_terrains, "Zeta", "Zeta", 22, id="terrains"),
        pytest.param(
            lambda person: open_terrains(person, "Hexsides"),
            "Zeta",
            "Zeta",
            None,
            id="hexsides",
            marks=pytest.mark.deep,
        ),
        pytest.param(
            lambda person: open_terrains(person, "Routes"),
            "Zeta",
            "Zeta",
            5,
            id="routes",
            marks=pytest.mark.deep,
        ),
        pytest.param(open_regions, "Zeta", "Zeta", 2, id="regions", marks=pytest.mark.deep),
        pytest.param(open_sides, "Zeta", "Zeta", 3, id="sides", marks=pytest.mark.deep),
        pytest.param(open_players, "Zeta", "8: Zeta", 8, id="players"),
    ],
)
def test_an_entry_is_added_named_and_removed_and_every_step_undone(
    person: Person, open_editor: Callable[[Person], None], typed: str, name: str, count: int | None
):
    open_editor(person)
    rows_before = person.rows
    steps_before = len(person.steps)

    person.click_button("Add")
    assert len(person.rows) == len(rows_before) + 1 == (count or len(person.rows))
    line = QApplication.focusWidget()
    assert isinstance(line, QLineEdit), "the name of the new one can be typed at once"
    QTest.keyClicks(line, typed)
    person.press(Qt.Key.Key_Return)
    assert person.chosen == name
    assert len(person.steps) == steps_before + 2

    person.undo(2)
    assert person.rows == rows_before
    person.redo(2)
    assert person.chosen == name

    person.list.setFocus()
    person.press(Qt.Key.Key_Delete)
    assert person.rows == rows_before
    assert len(person.steps) == steps_before + 3
    person.undo()
    assert person.chosen == name, "what has come back is chosen"
    person.redo()
    assert person.rows == rows_before
    person.undo(3)
    assert person.rows == rows_before
    assert len(person.steps) == steps_before


def test_a_condition_is_added_changed_and_removed_and_every_step_undone(person: Person):
    open_sides(person, "Conditions")
    assert person.rows == []
    person.click_button("Add")
    condition = "Any side wins from turn 0 to 1,000 when it holds 30 or more territory."
    assert person.rows == [condition]
    person.choose("Side", "Bob")
    person.choose("What counts", "who holds a hex")
    changed = "Bob wins from turn 0 to 1,000 when it has a unit on the hex 0,1."
    assert person.rows == [changed]
    person.click_button("Pick on the map")
    grid = person.document.battlemap.grid
    at = person.desk.canvas.viewport.to_screen(*grid.centre(grid.cell(7, 4))).toPoint()
    QTest.mouseClick(person.desk.canvas, LEFT, pos=at)
    person.settle()
    assert person.rows == [changed.replace("0,1", "7,4")]
    assert person.steps[1:] == ["Add a condition", *["Change a condition"] * 3]
    person.undo(3)
    assert person.rows == [condition]
    person.undo()
    assert person.rows == []
    person.redo(4)
    assert person.rows == [changed.replace("0,1", "7,4")]
    person.click_button("Remove")
    assert person.rows == []
    person.undo()
    assert person.rows == [changed.replace("0,1", "7,4")]


@pytest.mark.deep
def test_a_type_of_a_period_is_added_as_a_copy_and_changed_and_every_step_undone(
    person: Person, qtbot
):
    person.document.show_map(new_map(system_named("xconq")))
    person.open_panel("period", "Units")
    qtbot.waitUntil(lambda: bool(person.rows))
    rows_before = person.rows
    person.click_row("t  tanks")
    person.click_button("New like this...")
    (dialog,) = person.visible(FormDialog)
    dialog.form.field("name").setText("heavy")
    dialog.form.field("char").setText("T")
    press_ok(dialog)
    qtbot.waitUntil(lambda: "T  heavy" in person.rows)
    assert person.chosen == "T  heavy"
    person.settle()  # Qt shows the new fields of a form in the turn that follows
    person.write(person.field("Speed"), "3")
    qtbot.waitUntil(lambda: len(person.steps) == 2)
    person.undo(2)
    qtbot.waitUntil(lambda: person.rows == rows_before)
    person.redo(2)
    qtbot.waitUntil(lambda: "T  heavy" in person.rows)
    person.settle()
    person.click_row("T  heavy")
    assert person.field("Speed").value() == 3


@pytest.mark.deep
def test_the_units_of_a_player_that_is_removed_are_gaias_until_that_is_undone(
    person: Person, hand, qtbot
):
    document = person.document
    open_players(person)
    document.push(
        add_things(
            document.battlemap,
            document.battlemap.layers[0].id,
            [
                Thing(1, "units/athen/infantry", 3, 3, owner=2),
                Thing(2, "units/athen/infantry", 5, 5, owner=3),
            ],
        ),
        "Units",
    )
    person.click_row("2: Player 2")
    question = hand.expect("Remove the player?").press("Remove")
    person.list.setFocus()
    person.press(Qt.Key.Key_Delete)
    qtbot.waitUntil(lambda: person.steps[-1] == "Remove the player Player 2")
    assert "1 thing of Player 2 will be Gaia's." in question.text
    assert [thing.owner for thing in document.battlemap.visible_things()] == [0, 2]
    person.undo()
    assert [thing.owner for thing in document.battlemap.visible_things()] == [2, 3]
    assert person.chosen == "2: Player 2"


@pytest.mark.deep
def test_the_last_player_stays(person: Person):
    open_players(person)
    while len(person.rows) > 1:
        person.click_button("Remove")
    (button,) = (each for each in person.visible(QToolButton) if each.text() == "Remove")
    assert not button.isEnabled()
    assert button.toolTip() == "A map has at least one player."


def test_a_region_of_the_selection_is_one_step(person: Person):
    open_regions(person)
    document = person.document
    document.select([10, 11, 12])
    person.click_button("Add")
    assert cells_by_region(document.battlemap, document.composite).tolist() == [3]
    assert len(person.steps) == 1
    person.undo()
    assert not any(regions_of(document.battlemap.records))


@pytest.mark.parametrize(
    ("open_editor", "row", "title", "wrong"),
    [
        pytest.param(open_terrains, "Wood", "Colour", "green", id="terrains"),
        pytest.param(open_sides, "Bob", "Name", "a*b", id="sides", marks=pytest.mark.deep),
        pytest.param(
            open_players, "2: Player 2", "Colour", "green", id="players", marks=pytest.mark.deep
        ),
    ],
)
def test_what_cannot_be_is_said_and_not_shown(
    person: Person, open_editor: Callable[[Person], None], row: str, title: str, wrong: str
):
    """Also at once after a change of the same field, which it would be one step with."""
    open_editor(person)
    person.click_row(row)
    right = "#102030" if title == "Colour" else "Bill"
    person.write(person.field(title), right)
    steps = person.steps
    person.write(person.field(title), wrong)
    assert person.window.statusBar().currentMessage().endswith(".")
    assert wrong in person.window.statusBar().currentMessage() or "*" in wrong
    assert person.field(title).text() == right
    assert person.steps == steps


@pytest.mark.deep
def test_a_number_that_is_stepped_quickly_is_one_step(person: Person):
    open_terrains(person)
    person.click_row("Wood")
    field = person.field("Move cost")
    cost = field.value()
    for _click in range(4):
        field.stepUp()
    person.settle()
    assert field.value() == cost + 4
    assert person.steps == ["Move cost of Wood"]
