"""The steps of the current map: undo, redo, and the panel that lists them."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    desk.commands.add(_steps(desk))
    panel = HistoryPanel(desk.document)
    desk.theme.keep_up(panel.draw_icons)
    EmptyState(
        panel.list,
        "Every step appears here. A click goes back to it, and forth again.",
        rows=1,
    )
    return panel


def _steps(desk: Desk) -> list[Command]:
    """Undo and Redo; their texts name the step.

    What is being typed, or is still on its way into the map, is put there first: Undo takes it back
    and Redo brings it again. Both say what they did: the keyboard may be in a text far from it.
    """
    document = desk.document
    key = QKeySequence.StandardKey
    undo = QAction(desk.frame)
    redo = QAction(desk.frame)

    def undo_last() -> None:
        commit_typed_value()
        desk.scripts.map_script.commit()
        step = document.history.next_undo
        document.undo()
        if step is not None and step is document.history.next_redo:
            desk.say(f"Undid: {step.text}")

    def redo_next() -> None:
        commit_typed_value()
        step = document.history.next_redo
        document.redo()
        if step is not None and step is document.history.next_undo:
            desk.say(f"Redid: {step.text}")

    def follow() -> None:
        _name_step(undo, "&Undo", document.history.next_undo)
        _name_step(redo, "&Redo", document.history.next_redo)

    connect(undo.triggered, undo_last)
    connect(redo.triggered, redo_next)
    connect(document.steps_changed, follow)
    connect(document.map_replaced, follow)
    follow()
    undo.setShortcuts(QKeySequence.keyBindings(key.Undo))
    # Some platforms have only one of the two; people use both.
    usual = QKeySequence.keyBindings(key.Redo)
    other_keys = [QKeySequence(keys) for keys in ("Ctrl+Shift+Z", "Ctrl+Y")]
    redo.setShortcuts([*usual, *(keys for keys in other_keys if keys not in usual)])
    return [
        _step("undo", "&Undo", undo, "Take the last step back", "revert mistake"),
        _step("redo", "&Redo", redo, "Do it again after all", "repeat restore"),
    ]


def _name_step(action: QAction, text: str, step: UndoStep | None) -> None:
    action.setEnabled(step is not None)
    action.setText(text if step is None else f"{text} {step.text}")


def _step(name: str, text: str, action: QAction, tip: str, words: str) -> Command:
    action.setProperty(WHY, f"There is nothing to {name}.")
    action.setIconText(name.capitalize())  # so that the buttons beside it keep their places
    return Command(f"edit.{name}", text, tip=tip, icon=name, words=words, action=action)
