"""The dialog *Find and replace*.

``ReplaceDialog`` asks for a subject (terrain, text ...), for an old and a new value of it, and for
the scope: the cells and maps on which the old value is replaced by the new one. It calls a function
of its owner, ``Replacing``, which does that.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QPushButton,
)

from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.geometry.replacement import cells_with
from randomizer.geometry.replacement_names import Replacement, Subject, names_of
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.map.battlemap import BattleMap

WIDTH = 360
"""The least width of the dialog, in logical pixels: names of terrains are long."""

REMOVAL = "removal"
"""The data of the entry that removes the old value; other entries have none."""

NOTHING = "(nothing)"
"""The new value in the list that removes a hexside or a route."""


class Scope(StrEnum):
    """The maps, or the cells, on which values are replaced."""

    MAP = "map"
    """The whole current map."""

    SELECTION = "selection"
    """The selected cells of the current map."""

    ALL = "all"
    """All open maps."""


class ReplaceDialog(QDialog):
    """Asks for a replacement and its scope, and calls ``replace`` with both.

    The dialog stays open, as a person often replaces several values.
    """

    def __init__(self, desk: Desk, replace: Callable[[Replacement, Scope], None]) -> None:
        super().__init__(desk.frame)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Find and replace")
        self._document = desk.document
        self._replace = replace
        self._desk = desk
        self.subject_box = pass_wheel_on(QComboBox())
        self.old_box = pass_wheel_on(QComboBox())
        self.new_box = pass_wheel_on(QComboBox())
        self.scope_box = pass_wheel_on(QComboBox())
        self.setMinimumWidth(WIDTH)
        self._lay_out()
        for subject, title in _subjects(desk.document.battlemap):
            self.subject_box.addItem(title, str(subject))
        self._offer_scopes()
        if len(desk.document.selection):
            self.scope_box.setCurrentIndex(self.scope_box.findData(str(Scope.SELECTION)))
        self._offer_names()
        connect(self.select_button.clicked, self._select)
        connect(self.replace_button.clicked, self._call_replace)
        connect(self.subject_box.currentIndexChanged, self._offer_names)
        for box in (self.old_box, self.new_box):
            connect(box.currentTextChanged, self._enable_buttons)
        connect(desk.document.selection_changed, self._offer_scopes)

    def _lay_out(self) -> None:
        """Make the buttons, and lay out all fields."""
        form = QFormLayout()
        for name, box in (
            ("What", self.subject_box),
            ("Find", self.old_box),
            ("Replace by", self.new_box),
            ("Where", self.scope_box),
        ):
            described(box, name)
            form.addRow(f"{name}:", box)
        self.select_button = QPushButton("&Select them")
        described(self.select_button, "", "Select what is found on the current map")
        self.replace_button = QPushButton("&Replace")
        self.replace_button.setDefault(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        buttons.addButton(self.select_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.replace_button, QDialogButtonBox.ButtonRole.ActionRole)
        connect(buttons.rejected, self.reject)
        lay_out_dialog(self, form, foot=(buttons,))

    # --- what can be chosen -----------------------------------------------------------------

    def _offer_scopes(self) -> None:
        """List the scopes that are possible now; the chosen one stays if it is among them."""
        document = self._document
        chosen = self.scope_box.currentData()
        self.scope_box.clear()
        self.scope_box.addItem("The whole map", str(Scope.MAP))
        selected_count = len(document.selection)
        if selected_count:
            words = cell_words(document.battlemap.grid.layout)
            title = f"{counted(selected_count, words.cell, words.cells)} selected"
            self.scope_box.addItem(title, str(Scope.SELECTION))
        if len(document.maps) > 1:
            self.scope_box.addItem(f"All {len(document.maps)} open maps", str(Scope.ALL))
        self.scope_box.setCurrentIndex(max(self.scope_box.findData(chosen), 0))

    def _offer_names(self) -> None:
        """List the values that the chosen subject can have on the map, and choose two of them.

        Texts and elevations can be typed instead.
        """
        battlemap = self._document.battlemap
        subject = Subject(self.subject_box.currentData())
        if subject is Subject.ELEVATION:
            old_names = [str(elevation) for elevation in battlemap.terrain_set.elevations]
        else:
            old_names = list(names_of(battlemap, subject))
        new_names = list(old_names)
        for box, names in ((self.old_box, old_names), (self.new_box, new_names)):
            box.setEditable(subject in (Subject.TEXT, Subject.ELEVATION))
            box.clear()
            box.addItems(names)
        if subject in (Subject.HEXSIDE, Subject.WAY):
            self.new_box.addItem(NOTHING, REMOVAL)
        if len(old_names) > 1:
            self.new_box.setCurrentIndex(1)
        self._enable_buttons()

    def _enable_buttons(self) -> None:
        """Enable the buttons that can do something: a value is not replaced by itself."""
        old = self.old_box.currentText()
        self.replace_button.setEnabled(bool(old) and old != self.new_box.currentText())
        self.select_button.setEnabled(bool(old))

    # --- the buttons ------------------------------------------------------------------------

    def _call_replace(self) -> None:
        """Let the owner of the dialog replace what is chosen."""
        new = self.new_box.currentText()
        if self.new_box.currentData() == REMOVAL:
            new = ""
        subject = Subject(self.subject_box.currentData())
        replacement = Replacement(subject, self.old_box.currentText(), new)
        self._replace(replacement, Scope(self.scope_box.currentData()))

    def _select(self) -> None:
        """Select the cells with the old value; for a text, pick the things with it instead."""
        document = self._document
        subject = Subject(self.subject_box.currentData())
        old = self.old_box.currentText()
        if subject is Subject.TEXT:
            things = document.battlemap.visible_things()
            picked = [thing.id for thing in things if old in thing.label]
            document.pick(picked)
            self._desk.say(f"{counted(len(picked), 'thing')} picked")
            return
        cells = cells_with(document.battlemap, document.composite, subject, old)
        document.select(cells)
        words = cell_words(document.battlemap.grid.layout)
        self._desk.say(f"{counted(len(cells), words.cell, words.cells)} selected")


def _subjects(battlemap: BattleMap) -> list[tuple[Subject, str]]:
    """Return the subjects that the map has values of, with their titles."""
    system = battlemap.system
    terrain_set = battlemap.terrain_set
    side_word = cell_words(battlemap.grid.layout).side
    subjects = []
    if system.terrain is not None:
        subjects.append((Subject.TERRAIN, system.terrain_noun.capitalize()))
    if system.hexside and terrain_set.hexsides:
        subjects.append((Subject.HEXSIDE, side_word.capitalize()))
    if system.elevation is not None:
        subjects.append((Subject.ELEVATION, "Elevation"))
    if system.routes_of(terrain_set):
        subjects.append((Subject.WAY, "Route"))
    subjects.append((Subject.TEXT, "Text"))
    return subjects
