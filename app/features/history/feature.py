"""The steps of the current map: undo, redo, and the panel that lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence

from app.commands.commands import WHY, Command
from app.desk.desk import Desk
from app.features.history.panel import HistoryPanel
from app.qt_guard import connect
from app.widgets.forms.field_input import commit_typed_value
from app.widgets.lists.empty_state import EmptyState

if TYPE_CHECKING:
    from app.document.undo_history import UndoStep


def make(desk: Desk) -> HistoryPanel:
    """Return the panel, with Undo and Redo."""
    desk.commands.add(UndoActions(desk).commands())
    panel = HistoryPanel(desk.document)
    desk.theme.keep_up(panel.draw_icons)
    EmptyState(
        panel.list,
        "Every step appears here. A click goes back to it, and forth again.",
        rows=1,
    )
    return panel


class UndoActions(QObject):
    """Undo and Redo; their texts name the step.

    What is being typed, or is still on its way into the map, is put there first: Undo takes it back
    and Redo brings it again. Both say what they did: the keyboard may be in a text far from it.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.frame)
        self._desk = desk
        self._document = desk.document
        self._undo = QAction(self)
        self._redo = QAction(self)
        key = QKeySequence.StandardKey
        self._undo.setShortcuts(QKeySequence.keyBindings(key.Undo))
        # Some platforms have only one of the two; people use both.
        usual = QKeySequence.keyBindings(key.Redo)
        other_keys = [QKeySequence(keys) for keys in ("Ctrl+Shift+Z", "Ctrl+Y")]
        self._redo.setShortcuts([*usual, *(keys for keys in other_keys if keys not in usual)])
        connect(self._undo.triggered, self._undo_last)
        connect(self._redo.triggered, self._redo_next)
        connect(self._document.steps_changed, self._name_steps)
        connect(self._document.map_replaced, self._name_steps)
        self._name_steps()

    def commands(self) -> list[Command]:
        """Return the rows of both actions."""
        return [
            _step("undo", "&Undo", self._undo, "Take the last step back", "revert mistake"),
            _step("redo", "&Redo", self._redo, "Do it again after all", "repeat restore"),
        ]

    def _undo_last(self) -> None:
        commit_typed_value()
        self._desk.scripts.map_script.commit()
        step = self._document.history.next_undo
        self._document.undo()
        if step is not None and step is self._document.history.next_redo:
            self._desk.say(f"Undid: {step.text}")

    def _redo_next(self) -> None:
        commit_typed_value()
        step = self._document.history.next_redo
        self._document.redo()
        if step is not None and step is self._document.history.next_undo:
            self._desk.say(f"Redid: {step.text}")

    def _name_steps(self) -> None:
        _name_step(self._undo, "&Undo", self._document.history.next_undo)
        _name_step(self._redo, "&Redo", self._document.history.next_redo)


def _name_step(action: QAction, text: str, step: UndoStep | None) -> None:
    action.setEnabled(step is not None)
    action.setText(text if step is None else f"{text} {step.text}")


def _step(name: str, text: str, action: QAction, tip: str, words: str) -> Command:
    action.setProperty(WHY, f"There is nothing to {name}.")
    action.setIconText(name.capitalize())  # so that the buttons beside it keep their places
    return Command(f"edit.{name}", text, tip=tip, icon=name, words=words, action=action)
