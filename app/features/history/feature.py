"""Undo and Redo of the current map, and the panel that lists its steps.

``make`` puts both on the desk; ``UndoActions`` are the two commands.
"""

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
    """Return the panel of steps, and add the commands Undo and Redo."""
    desk.commands.add(UndoActions(desk).commands())
    panel = HistoryPanel(desk.document)
    desk.theme.keep_up(panel.draw_icons)
    EmptyState(
        panel.list,
        "Every step appears here. A click goes back to it, and forth again.",
        most_rows=1,
    )
    return panel


class UndoActions(QObject):
    """Undo and Redo; their texts name the step.

    A value that is being typed, or a text that has still to go into the map, becomes a step first:
    so Undo takes it back and Redo brings it again. Both say what they did: the keyboard may be in a
    text far from what changes.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.frame)
        self._desk = desk
        self._document = desk.document
        self._undo = QAction(self)
        self._redo = QAction(self)
        self._undo.setShortcuts(QKeySequence.keyBindings(QKeySequence.StandardKey.Undo))
        self._redo.setShortcuts(_keys_of_redo())
        connect(self._undo.triggered, self._undo_last)
        connect(self._redo.triggered, self._redo_next)
        connect(self._document.steps_changed, self._show_steps)
        connect(self._document.map_replaced, self._show_steps)
        self._show_steps()

    def commands(self) -> list[Command]:
        """Return both commands, for the menu Edit and the toolbar."""
        return [
            _command("undo", "&Undo", self._undo, "Take the last step back", "revert mistake"),
            _command("redo", "&Redo", self._redo, "Do it again after all", "repeat restore"),
        ]

    def _undo_last(self) -> None:
        commit_typed_value()
        self._desk.scripts.map_script.commit()
        step = self._document.history.next_undo
        self._document.undo()
        if step is not None and step is self._document.history.next_redo:
            self._desk.say_until_next_step(f"Undid: {step.text}")

    def _redo_next(self) -> None:
        commit_typed_value()
        step = self._document.history.next_redo
        self._document.redo()
        if step is not None and step is self._document.history.next_undo:
            self._desk.say_until_next_step(f"Redid: {step.text}")

    def _show_steps(self) -> None:
        _show_step(self._undo, "&Undo", self._document.history.next_undo)
        _show_step(self._redo, "&Redo", self._document.history.next_redo)


def _keys_of_redo() -> list[QKeySequence]:
    """Return the shortcuts of the platform, then those that people know from other platforms."""
    keys = list(QKeySequence.keyBindings(QKeySequence.StandardKey.Redo))
    for name in ("Ctrl+Shift+Z", "Ctrl+Y"):
        if QKeySequence(name) not in keys:
            keys.append(QKeySequence(name))
    return keys


def _show_step(action: QAction, text: str, step: UndoStep | None) -> None:
    """Show in the text of an action which step it undoes or redoes; disable it if there is none."""
    action.setEnabled(step is not None)
    if step is not None:
        text = f"{text} {step.text}"
    action.setText(text)


def _command(name: str, text: str, action: QAction, tip: str, words: str) -> Command:
    action.setProperty(WHY, f"There is nothing to {name}.")
    action.setIconText(name.capitalize())  # without the step: a button beside it must not move
    return Command(f"edit.{name}", text, tip=tip, icon=name, words=words, action=action)
