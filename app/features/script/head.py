"""The head of the script panel: the name of the script, and the buttons for its file.

    Hills.rnd * (in the project)                [follow] [open] [save] [save as]
    No script made this map.

The text of a script can be kept in three places (``_TextPlace``), and the head says in which.
"""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.document.document import MapDocument
from app.features.script.file_actions import FileActions
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.widgets.layout.builders import described, lay_out, plain_text
from app.widgets.layout.elided_label import ElidedLabel


class _TextPlace(Enum):
    """Where the text is kept as it is now, with its edits."""

    MAP = auto()
    """In the map that holds the script; it is saved with the map."""

    PROJECT = auto()
    """In the saved project of the map; a file of the script has an older text, or there is none."""

    FILE = auto()
    """In the file of the script, once that is saved: only *Save* keeps edits."""


class ScriptHead(QWidget):
    """Shows the name of the current script, with a ``*`` while its edits are saved nowhere.

    The name is followed by a note if only the project keeps the text. A line below the name tells
    if no script made the map.
    """

    def __init__(
        self, document: MapDocument, rolling: Rolling, scripts: Scripts, actions: FileActions
    ) -> None:
        super().__init__()
        self._document = document
        self._scripts = scripts
        self._actions = actions
        self.title = described(ElidedLabel(mode=Qt.TextElideMode.ElideMiddle), "Script shown")
        # The note stands beside the name: a line of its own would move the editor as it comes.
        self.project_note = described(ElidedLabel(), "Where the text is kept")
        # In a narrow panel it takes no room from the name.
        self.project_note.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.about_map = described(ElidedLabel(lines=2), "About the map")
        title_row = lay_out(QHBoxLayout(), self.title, (self.project_note, 1), margins=0, spacing=0)
        lay_out(QVBoxLayout(self), title_row, self.about_map, margins=0, spacing=0)
        for action in (actions.follow, actions.open, actions.save, actions.save_as):
            button = described(QToolButton(), action.text().replace("&", "").rstrip("."))
            button.setDefaultAction(action)
            button.setAutoRaise(True)
            title_row.addWidget(button)
        for changed in (
            scripts.script_changed,
            scripts.unsaved_changed,
            scripts.text_edited,
            rolling.layers_changed,
            document.path_changed,
            document.modified_changed,
        ):
            connect(changed, self._update)
        self._update()

    def _update(self) -> None:
        """Show the state of the script as it is now."""
        self._show_name()
        self._show_project_note()
        self._show_about_map()
        # Save writes a file even where the map or the project has the edits already.
        script = self._scripts.current
        can_save = script.unsaved or script.script.path is None
        self._actions.save.setEnabled(can_save)

    def _show_name(self) -> None:
        """Show the name, starred if its edits are saved nowhere; its tip says where they go."""
        place = self._text_place()
        has_unsaved_edits = self._has_unsaved_edits(place)
        script = self._scripts.script
        title = script.name
        if has_unsaved_edits:
            title = f"{title} *"
        self.title.setText(title)

        tip = "not saved in a file"
        if script.path is not None:
            tip = str(script.path)
        if place is _TextPlace.MAP:
            tip = f"{tip}; what you change is kept in the map, and saved with it"
        elif has_unsaved_edits:
            tip = f"{tip}, with unsaved edits"
        self.title.setToolTip(plain_text(tip))

    def _text_place(self) -> _TextPlace:
        """Return where the text is kept."""
        if self._scripts.current.in_map:
            return _TextPlace.MAP
        if self._scripts.project_texts.holds_current():
            return _TextPlace.PROJECT
        return _TextPlace.FILE

    def _has_unsaved_edits(self, place: _TextPlace) -> bool:
        """Return whether a text that is kept in ``place`` has edits which no file has."""
        is_edited = self._scripts.current.unsaved
        match place:
            case _TextPlace.MAP:
                return is_edited and self._document.modified
            case _TextPlace.PROJECT:
                return False
            case _TextPlace.FILE:
                return is_edited

    def _show_project_note(self) -> None:
        """Show beside the name if only the project has the text."""
        note = self._scripts.project_texts.storage_note()
        if note:
            note = f" ({note})"
        self.project_note.setText(note)

    def _show_about_map(self) -> None:
        """Show below the name if no script made the map."""
        about_map = self._scripts.layer_sentences.about_map()
        self.about_map.setText(about_map)
        self.about_map.setVisible(bool(about_map))
