"""The head of the script panel: the name of the script, and the buttons for its file.

    Hills.rnd * (in the project)                [follow] [open] [save] [save as]
    No script made this map.

The text of a script can be kept in three places, and the head says in which: in a file of its own,
in the map that the script makes (``in_map``), or only in the saved project.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.document.document import MapDocument
from app.features.script.file_actions import FileActions
from app.qt_guard import connect
from app.rolling.rolling import Rolling
from app.scripts.scripts import Scripts
from app.widgets.layout.builders import described, lay_out, plain_text
from app.widgets.layout.elided_label import ElidedLabel


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
        """Show the name and the place where the text is saved; enable Save if it is of use."""
        script = self._scripts.script
        has_edits = self._has_edits()
        title = script.name
        if has_edits:
            title = f"{title} *"
        self.title.setText(title)
        self.title.setToolTip(plain_text(self._saving_text(has_edits=has_edits)))
        self._show_notes()
        # Save writes a file also where the edits are safe without one: with the map, say.
        can_save = self._scripts.current.unsaved or script.path is None
        self._actions.save.setEnabled(can_save)

    def _saving_text(self, *, has_edits: bool) -> str:
        """Return the tool tip of the name: the script's file, and where its edits are saved."""
        script = self._scripts.script
        file_text = "not saved in a file"
        if script.path is not None:
            file_text = str(script.path)
        edits_text = ""
        if self._scripts.current.in_map:
            edits_text = "; what you change is kept in the map, and saved with it"
        elif has_edits:
            edits_text = ", with unsaved edits"
        return f"{file_text}{edits_text}"

    def _has_edits(self) -> bool:
        """Return whether the text has edits that neither its file nor the map's file has."""
        if self._scripts.current.in_map:
            # The text is saved with the map.
            return self._scripts.current.unsaved and self._document.modified
        if self._scripts.project_texts.holds_current():
            return False
        return self._scripts.current.unsaved

    def _show_notes(self) -> None:
        """Show the note beside the name and the line below it; both can be empty."""
        about_map = self._scripts.layer_sentences.about_map()
        self.about_map.setText(about_map)
        self.about_map.setVisible(bool(about_map))
        text = self._scripts.project_texts.storage_note()
        if text:
            text = f" ({text})"
        self.project_note.setText(text)
