"""The page of conditions: what they mean in words, and a form for each."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QListWidget,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.canvas.area_pick import AreaPick
from app.canvas.canvas import MapCanvas
from app.qt_guard import connect
from app.systems.xconq.scenario.condition_form import change_condition, settings_of_condition
from app.widgets.forms.committed_form import CommittedForm
from app.widgets.layout.builders import STRETCH, described, lay_out, plain_label
from randomizer.systems.xconq.records import GLOBALS, MOST_CONDITIONS, Condition, ConditionKind
from randomizer.systems.xconq.scenario.conditions import EVERY_SIDE, describe_condition, fit_numbers

if TYPE_CHECKING:
    from app.systems.xconq.scenario.scenario_records import ScenarioRecords

NONE = "No conditions: who has no units left is out of the game, and the last one wins."

NEW = Condition(True, ConditionKind.TERRITORY, 0, 1000, EVERY_SIDE, (30,))
"""What Add makes."""


class ConditionsPage(QWidget):
    """The conditions in a list, in words; below it the chosen one as a form."""

    def __init__(self, records: ScenarioRecords, canvas: MapCanvas) -> None:
        super().__init__()
        self._records = records
        self._canvas = canvas
        self.message = plain_label(wordWrap=True)
        self.list = described(QListWidget(), "Conditions", "Who wins or loses when")
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setResizeMode(QListWidget.ResizeMode.Adjust)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.list.setAlternatingRowColors(True)
        self.list.setMinimumHeight(110)
        self.add_button = described(QPushButton("&Add"), tip="Add a condition")
        self.remove_button = described(QPushButton("&Remove"), tip="Remove the chosen condition")
        self.pick_button = described(
            QPushButton("&Pick on the map"), tip="Click the hex that has to be held (Esc: leave it)"
        )
        self.form = CommittedForm()
        self.area_pick = AreaPick(canvas, self)
        buttons = lay_out(QHBoxLayout(), self.add_button, self.remove_button, STRETCH)
        lay_out(
            QVBoxLayout(self),
            self.message,
            self.list,
            buttons,
            self.form,
            self.pick_button,
            STRETCH,
            margins=6,
        )
        connect(self.list.currentRowChanged, lambda _row: self._show_condition())
        connect(self.add_button.clicked, self.add)
        connect(self.remove_button.clicked, self.remove)
        connect(self.pick_button.clicked, self.area_pick.begin)
        connect(self.area_pick.picked, self._picked)
        connect(self.form.committed, self._commit)
        connect(records.changed, self.refresh)
        self.refresh()

    @property
    def index(self) -> int:
        """The number of the chosen condition, -1 for none."""
        return self.list.currentRow()

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """The conditions of the current map."""
        return self._records.globals.conditions

    # --- showing ----------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the conditions of the current map."""
        if not self._records.offered:
            return
        names = self._records.names
        chosen = max(0, self.index)
        with QSignalBlocker(self.list):
            self.list.clear()
            for condition in self.conditions:
                self.list.addItem(f"{describe_condition(condition, names)}.")
            self.list.setCurrentRow(min(chosen, len(self.conditions) - 1))
        full = len(self.conditions) >= MOST_CONDITIONS
        self.message.setText(
            NONE if not self.conditions else "At most 10 conditions count." if full else ""
        )
        self.message.setVisible(bool(self.message.text()))
        self.add_button.setEnabled(not full)
        self._show_condition()

    def _show_condition(self) -> None:
        index = self.index
        for each in (self.remove_button, self.form):
            each.setVisible(index >= 0)
        self.pick_button.setVisible(
            index >= 0 and self.conditions[index].kind is ConditionKind.PLACE
        )
        if index < 0:
            return
        names = self._records.names
        settings, values = settings_of_condition(
            fit_numbers(self.conditions[index], names), names, self._records.battlemap.grid
        )
        self.form.set_settings(settings, values)
        item = self.list.item(index)
        self.list.scrollToItem(item)

    # --- changing ---------------------------------------------------------------------------

    def add(self) -> None:
        """Add a condition, and choose it."""
        end = self._records.globals.end_time
        if self._write((*self.conditions, replace(NEW, end=max(end, 0))), "Add a condition", ""):
            self.refresh()
            self.list.setCurrentRow(self.list.count() - 1)

    def remove(self) -> None:
        """Remove the chosen condition."""
        index = self.index
        left = self.conditions[:index] + self.conditions[index + 1 :]
        self._write(left, "Remove a condition", "")

    def _commit(self, name: str) -> None:
        index = self.index
        names = self._records.names
        result = change_condition(
            fit_numbers(self.conditions[index], names), name, self.form.values().get(name), names
        )
        self._set(index, result, name)

    def _picked(self, cell: int) -> None:
        index = self.index
        if cell < 0 or not 0 <= index < len(self.conditions):
            return
        x, y = self._records.battlemap.grid.xy(cell)
        condition = fit_numbers(self.conditions[index], self._records.names)
        if condition.kind is ConditionKind.PLACE:
            self._set(index, replace(condition, numbers=(x, y, condition.numbers[2])), "place")
        self.pick_button.setFocus()

    def _set(self, index: int, condition: Condition, name: str) -> None:
        after = (*self.conditions[:index], condition, *self.conditions[index + 1 :])
        self._write(after, "Change a condition", f"condition {index} {name}")

    def _write(self, conditions: tuple[Condition, ...], text: str, field: str) -> bool:
        value = replace(self._records.globals, conditions=conditions)
        if field:
            return self._records.write(GLOBALS, value, text, field)
        return self._records.put(GLOBALS, value, text)
