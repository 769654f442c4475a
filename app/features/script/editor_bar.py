"""The base of the bars below the editor of scripts: find and replace, go to a line."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import QFrame

from app.appearance.text_colours import inks
from app.features.script.editor import ScriptEditor
from app.qt_guard import guarded
from app.widgets.layout.builders import described, plain_label


class EditorBar(QFrame):
    """A bar that is hidden until it is opened, and that Escape closes."""

    def __init__(self, editor: ScriptEditor) -> None:
        super().__init__()
        self._editor = editor
        """The editor whose text the bar is about."""
        self.message = described(plain_label(wordWrap=True), "What is wrong")
        self.message.hide()
        self.hide()

    def leave(self) -> None:
        """Hide the bar and give the keyboard back to the editor."""
        self.hide()
        self._editor.setFocus()

    def _show_message(self, text: str) -> None:
        """Show what is wrong with what was typed; "" hides the message."""
        palette = self._editor.palette()
        palette.setColor(QPalette.ColorRole.WindowText, inks(palette).error)
        self.message.setPalette(palette)
        self.message.setText(text)
        self.message.setVisible(bool(text))

    def _enter(self, *, back: bool) -> None:
        """Do what Enter does; ``back``: Shift was held."""
        raise NotImplementedError

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Take the keys that the fields leave: Enter, Shift+Enter and Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter(back=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
        else:
            super().keyPressEvent(event)
