"""The line above a script: its name, and the buttons for its file."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from app.document.document import MapDocument
from app.features.script.file_actions import FileActions
from app.qt_guard import connect
from app.scripts.scripts import Scripts
from app.widgets.layout.builders import described, lay_out, plain_text
from app.widgets.layout.elided_label import ElidedLabel


class ScriptHead(QWidget):
    """Shows the name of the current script, with a mark while its edits are saved nowhere.

    A line below says that a saved project keeps the text, where no file of its own does.
    """

    def __init__(self, document: MapDocument, scripts: Scripts, actions: FileActions) -> None:
        super().__init__()
        self._document = document
        self._scripts = scripts
        self._actions = actions
        self.title = described(ElidedLabel(mode=Qt.TextElideMode.ElideMiddle), "Script shown")
        self.project = described(ElidedLabel(), "Where the text is kept")
        line = lay_out(QHBoxLayout(), (self.title, 1), margins=0, spacing=0)
        lay_out(QVBoxLayout(self), line, self.project, margins=0, spacing=0)
        for action in (actions.follow, actions.open, actions.save, actions.save_as):
            button = described(QToolButton(), action.text().replace("&", "").rstrip("."))
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            line.addWidget(button)
        connect(scripts.script_changed, self._show_title)
        connect(scripts.unsaved_changed, self._show_title)
        connect(scripts.text_edited, self._show_title)
        connect(document.path_changed, self._show_title)
        connect(document.modified_changed, self._show_title)
        self._show_title()

    def _show_title(self) -> None:
        script = self._scripts.script
        is_edited = self._scripts.current.unsaved
        if self._scripts.current.in_map:
            # Its text is saved with the map.
            is_edited = is_edited and self._document.modified
        elif self._scripts.unsaved.is_in_project():
            is_edited = False
        self.title.setText(f"{script.name} *" if is_edited else script.name)
        if script.path is None:
            where = "not saved in a file"
        else:
            where = str(script.path)
        edits = ", with unsaved edits" if is_edited else ""
        if self._scripts.current.in_map:
            edits = "; what you change is kept in the map, and saved with it"
        self._show_project()
        self.title.setToolTip(plain_text(f"{where}{edits}"))
        can_save = self._scripts.current.unsaved or script.path is None
        self._actions.save.setEnabled(can_save)

    def _show_project(self) -> None:
        text = self._scripts.unsaved.text_in_project()
        self.project.setText(text)
        self.project.setVisible(bool(text))
