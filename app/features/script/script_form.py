"""The form of the script panel: the settings of the current script, and a note about locks.

``RandomizePanel`` has one ``ScriptForm``. The settings that a script *declares* are rows of the
form; another script declares others, so that the rows have to be made again. That is done in two
slices of work (``_make_rows``), between which the map can be painted.
"""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QLineEdit

from app.background.slices import Slices
from app.document.document import MapDocument
from app.qt_guard import connect
from app.scripts.scripts import Scripts
from app.widgets.forms.folded_form import FoldedForm
from app.widgets.layout.builders import plain_label
from randomizer.model.edits.edit import Region
from randomizer.model.settings.setting import Setting


class ScriptForm(FoldedForm):
    """Shows and changes the settings of the current script.

    Rows for other settings are made in a later turn of the event loop: a generator can have a
    hundred fields, and the map is to be seen before them.
    """

    def __init__(self, document: MapDocument, scripts: Scripts) -> None:
        super().__init__()
        self._scripts = scripts
        self._script_settings: tuple[Setting, ...] = ()
        """The settings that the form shows, or will show when its rows are made."""
        self._late_rows = Slices(self._make_rows, self)
        """Makes the rows of the settings of another script."""
        self._is_outdated = False
        """True while rows are those of other settings, or some are missing: they change nothing."""
        self._has_rows = True
        """True if the rows of these settings are made, though tables may still have no rows."""
        self.locks_note: QLabel = plain_label(wordWrap=True)
        """Tells that what is locked stays as it is; the panel puts it below the form."""
        connect(scripts.settings.changed, self._on_settings_changed)
        connect(document.map_replaced, self.show_settings)
        connect(document.changed, self._on_map_changed)
        connect(self.changed, self._choose)

    @property
    def is_outdated(self) -> bool:
        """True until the rows for the settings of another script are made."""
        return self._is_outdated

    def show_settings(self) -> None:
        """Show the settings of the current script with their values.

        If they are other ones, the rows of those before stay until the next turn.
        """
        settings = self._scripts.settings.declared()
        if settings != self._script_settings:
            self._script_settings = settings
            self._is_outdated = True
            self._has_rows = False
            self._late_rows.start()
        elif not self._is_outdated:
            self.set_settings(settings, self._scripts.settings.values)
        self._show_locks_note()

    def _make_rows(self) -> bool:
        """Make the rows of other settings, and in a second slice those of their tables.

        Returns whether there is a second slice.
        """
        if not self._has_rows:
            self._has_rows = True
            self.set_settings(self._script_settings, self._scripts.settings.values)
            return True
        self._is_outdated = False
        self.show_values(self._scripts.settings.values)
        return False

    def _show_rows(self) -> None:
        """Give tables their rows, unless that is the second slice of ``_make_rows``."""
        if not self._is_outdated:
            super()._show_rows()

    def _choose(self, name: str) -> None:
        """Give the script the values of the form, of which the user has changed ``name``."""
        if not self._is_outdated:
            self._scripts.settings.choose(self.values(), name)

    def _build(self) -> None:
        """Make the rows; a text that is refused disappears when its field is left."""
        super()._build()
        for field in self._fields.values():
            if isinstance(field.widget, QLineEdit):
                connect(field.widget.editingFinished, self._drop_refused_text)

    def _drop_refused_text(self) -> None:
        """Show the settings that count again: a text that none of them can have was refused."""
        if not self._is_outdated and self.values() != self._scripts.settings.values:
            self.show_values(self._scripts.settings.values)

    def _on_settings_changed(self) -> None:
        """Show the settings again, unless it was the form itself that changed a value."""
        settings = self._scripts.settings
        shows_others = settings.declared() != self._script_settings
        if shows_others or settings.values != self.values():
            self.show_settings()

    def _on_map_changed(self, region: Region) -> None:
        """Follow an edit that may have locked or unlocked something."""
        if region.locks or region.everything:
            self._show_locks_note()

    def _show_locks_note(self) -> None:
        """Show the note if there are settings, which could change what is locked."""
        text = ""
        if self._script_settings:
            text = self._scripts.settings.about_locked_cells()
        self.locks_note.setText(text)
        self.locks_note.setVisible(bool(text))
