"""The form of the script panel: the settings of the current script, and a note about locks.

``ScriptPanel`` has one ``ScriptForm``. The settings that a script *declares* are rows of the
form, and another script declares others. Rows take long to make (a generator can have a hundred
settings, and each line of a table is a row of fields), and the map is to be seen before them.
Therefore they are made in two slices of work (``Slices``), between which the user
can go on: first a row for each setting, then the lines of the tables. ``RowStage`` tells how far
they are.
"""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtWidgets import QLabel, QLineEdit

from app.background.slices import Slices
from app.document.document import MapDocument
from app.qt_guard import connect
from app.scripts.scripts import Scripts
from app.widgets.forms.folded_form import FoldedForm
from app.widgets.layout.builders import plain_label
from randomizer.model.edits.edit import Region
from randomizer.model.settings.setting import Setting


class RowStage(Enum):
    """How far the rows for the settings of the current script are.

    Only complete rows change the script. Until then, for some milliseconds, what the user changes
    in the form is ignored.
    """

    OF_ANOTHER_SCRIPT = auto()
    """The rows of the script before are still shown: no slice has run since."""

    TABLES_EMPTY = auto()
    """Each setting has its row, but tables have no lines: the second slice is still to run."""

    COMPLETE = auto()
    """All is made and shows the values of the script."""


class ScriptForm(FoldedForm):
    """Shows and changes the settings of the current script."""

    def __init__(self, document: MapDocument, scripts: Scripts) -> None:
        super().__init__()
        self._scripts = scripts
        self._script_settings: tuple[Setting, ...] = ()
        """The settings that the rows are for, or will be for after the first slice."""
        self._stage = RowStage.COMPLETE
        self._row_slices = Slices(self._make_rows, self)
        """Makes the rows of the settings of another script."""
        self.locks_note: QLabel = plain_label(wordWrap=True)
        """Tells that what is locked stays as it is; the panel puts it below the form."""
        connect(scripts.settings.changed, self._on_settings_changed)
        connect(document.map_replaced, self.show_settings)
        connect(document.changed, self._on_map_changed)
        connect(self.changed, self._write_values)

    @property
    def is_outdated(self) -> bool:
        """True until the rows for the settings of another script are complete."""
        return self._stage is not RowStage.COMPLETE

    # --- the rows ---------------------------------------------------------------------------

    def show_settings(self) -> None:
        """Show the settings of the current script with their values.

        If it declares other settings than before, their rows come later (``RowStage``). While such
        rows are being made nothing is shown: they get the present values at the end.
        """
        settings = self._scripts.settings.declared()
        if settings != self._script_settings:
            self._script_settings = settings
            self._stage = RowStage.OF_ANOTHER_SCRIPT
            self._row_slices.start()
        elif self._stage is RowStage.COMPLETE:
            self.set_settings(settings, self._scripts.settings.values)
        self._show_locks_note()

    def _make_rows(self) -> bool:
        """Run the next slice of work on the rows; return whether another one is to follow."""
        values = self._scripts.settings.values
        if self._stage is RowStage.OF_ANOTHER_SCRIPT:
            self._stage = RowStage.TABLES_EMPTY  # before the rows: ``_fill_tables`` looks at it
            self.set_settings(self._script_settings, values)
            return True
        self._stage = RowStage.COMPLETE
        self.show_values(values)  # which gives tables their lines, too
        return False

    def _fill_tables(self) -> None:
        """Give tables their lines; called by the base class whenever values are shown.

        In the first slice they get none: there are as many lines as players or sides, and they
        would make that slice twice as long.
        """
        if self._stage is RowStage.COMPLETE:
            super()._fill_tables()

    def _make_groups(self) -> None:
        """Make the rows; called by the base class for other settings.

        A text that is refused disappears when its field is left.
        """
        super()._make_groups()
        for field in self._fields.values():
            if isinstance(field.widget, QLineEdit):
                connect(field.widget.editingFinished, self._drop_refused_text)

    # --- the values -------------------------------------------------------------------------

    def _write_values(self, name: str) -> None:
        """Give the script the values of the form, of which the user has changed ``name``."""
        if self._stage is RowStage.COMPLETE:
            self._scripts.settings.choose(self.values(), name)

    def _drop_refused_text(self) -> None:
        """Show the values of the script in place of a text that no setting can have."""
        values = self._scripts.settings.values
        if self._stage is RowStage.COMPLETE and self.values() != values:
            self.show_values(values)

    def _on_settings_changed(self) -> None:
        """Show the settings again, unless it was the form itself that changed a value."""
        settings = self._scripts.settings
        shows_others = settings.declared() != self._script_settings
        if shows_others or settings.values != self.values():
            self.show_settings()

    # --- the note ---------------------------------------------------------------------------

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
