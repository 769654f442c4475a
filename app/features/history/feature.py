"""Undo and Redo of the current map, and the panel that lists its steps.

``make`` puts both on the desk; ``UndoActions`` are the two commands. A *step* is one change of the
map, or one edit in the text of a script, that can be undone.
"""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QPlainTextEdit, QWidget

from app.commands.commands import WHY, Command
from app.desk.desk import Desk
from app.features.history.panel import HistoryPanel
from app.qt_guard import connect, disconnect, later
from app.widgets.forms.field_input import commit_typed_value
from app.widgets.lists.empty_state import EmptyState


def make(desk: Desk) -> HistoryPanel:
    """Return the panel of steps, and add the commands Undo and Redo."""
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

    While the text of a script has the keyboard, they are about its edits, as long as it has some;
    otherwise about the steps of the map. Both say in the status bar what they did: the keyboard may
    be in a text far from the change.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.frame)
        self._desk = desk
        self._document = desk.document
        self._editor: QPlainTextEdit | None = None
        """The editor of the script if it has the keyboard, or had it before a menu was opened."""
        self._undo = QAction(self)
        self._redo = QAction(self)
        self._undo.setShortcuts(QKeySequence.keyBindings(QKeySequence.StandardKey.Undo))
        self._redo.setShortcuts(_keys_of_redo())
        connect(self._undo.triggered, self._undo_last)
        connect(self._redo.triggered, self._redo_next)
        connect(self._document.steps_changed, self._show_steps)
        connect(self._document.map_replaced, self._show_steps)
        application = QApplication.instance()
        assert isinstance(application, QApplication)
        connect(application.focusChanged, self._note_keyboard)
        self._show_steps()

    def commands(self) -> list[Command]:
        """Return both commands, for the menu Edit and the toolbar."""
        return [
            _command("undo", "&Undo", self._undo, "Take the last step back", "revert mistake"),
            _command("redo", "&Redo", self._redo, "Do it again after all", "repeat restore"),
        ]

    def _note_keyboard(self, _old: QWidget | None, widget: QWidget | None) -> None:
        """Note whether the text of the script has the keyboard now, and follow its edits then."""
        if widget is None or isinstance(widget, QMenu | QMenuBar):
            # The keyboard comes back when the menu is closed, or the window is active again.
            return
        old_editor = self._editor
        self._editor = None
        scripts = self._desk.scripts
        if isinstance(widget, QPlainTextEdit) and widget.document() is scripts.text:
            self._editor = widget
        if self._editor is old_editor:
            return
        if old_editor is not None:
            disconnect(scripts.text_edited, self._show_steps_later)
        if self._editor is not None:
            connect(scripts.text_edited, self._show_steps_later)
        self._show_steps()

    @property
    def _editor_to_undo(self) -> QPlainTextEdit | None:
        """The editor with the keyboard if its text has an edit to be undone, else None."""
        if self._editor is None or not self._editor.document().isUndoAvailable():
            return None
        return self._editor

    @property
    def _editor_to_redo(self) -> QPlainTextEdit | None:
        """The editor with the keyboard if its text has an edit to be done again, else None."""
        if self._editor is None or not self._editor.document().isRedoAvailable():
            return None
        return self._editor

    def _undo_last(self) -> None:
        """Undo the last edit of the text that has the keyboard, else the last step of the map."""
        editor = self._editor_to_undo
        if editor is not None:
            editor.undo()
            self._desk.scripts.outdated_map.report_undone_edit()
            return
        # A value that is being typed, or a text that has still to go into the map, becomes a step
        # first, which is then undone. (Such a step drops those that could be done again: Redo need
        # not look for a text.)
        commit_typed_value()
        self._desk.scripts.map_script.commit()
        step = self._document.history.next_undo
        self._document.undo()
        was_undone = step is self._document.history.next_redo
        if step is not None and was_undone:
            self._desk.say_until_next_step(f"Undid: {step.text}")

    def _redo_next(self) -> None:
        """Redo the next edit of the text that has the keyboard, else the next step of the map."""
        editor = self._editor_to_redo
        if editor is not None:
            editor.redo()
            return
        commit_typed_value()
        step = self._document.history.next_redo
        self._document.redo()
        was_redone = step is self._document.history.next_undo
        if step is not None and was_redone:
            self._desk.say_until_next_step(f"Redid: {step.text}")

    def _show_steps_later(self) -> None:
        """Show the steps soon: a text tells of an edit before Undo is available for it."""
        later(self, self._show_steps)

    def _show_steps(self) -> None:
        """Show in the texts of both commands what they would undo and redo now."""
        history = self._document.history
        undo_text = None
        if history.next_undo is not None:
            undo_text = history.next_undo.text
        redo_text = None
        if history.next_redo is not None:
            redo_text = history.next_redo.text
        if self._editor is not None:
            # Edits of the text that has the keyboard go before steps of the map.
            edit_text = f"Edit of {self._desk.scripts.script.name}"
            if self._editor_to_undo is not None:
                undo_text = edit_text
            if self._editor_to_redo is not None:
                redo_text = edit_text
        _show_step(self._undo, "&Undo", undo_text)
        _show_step(self._redo, "&Redo", redo_text)


def _keys_of_redo() -> list[QKeySequence]:
    """Return the shortcuts of the platform, then those that people know from other platforms."""
    keys = list(QKeySequence.keyBindings(QKeySequence.StandardKey.Redo))
    for name in ("Ctrl+Shift+Z", "Ctrl+Y"):
        if QKeySequence(name) not in keys:
            keys.append(QKeySequence(name))
    return keys


def _show_step(action: QAction, verb: str, step_text: str | None) -> None:
    """Show in the text of an action which step it undoes or redoes, as in "Undo Paint terrain".

    Without a step (None) the action is disabled.
    """
    action.setEnabled(step_text is not None)
    if step_text is None:
        action.setText(verb)
    else:
        action.setText(f"{verb} {step_text}")


def _command(name: str, text: str, action: QAction, tip: str, words: str) -> Command:
    """Return the command that ``action`` runs, after preparing the action for menu and toolbar.

    ``words`` are further ones by which a user may find it.
    """
    action.setProperty(WHY, f"There is nothing to {name}.")  # shown while the action is disabled
    action.setIconText(name.capitalize())  # without the step: a button beside it must not move
    return Command(f"edit.{name}", text, tip=tip, icon=name, words=words, action=action)
