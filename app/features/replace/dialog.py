"""The dialog *Find and replace*."""

from __future__ import annotations

from collections.abc import Callable

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
from randomizer.geometry.replacement import Replacement, Subject, cells_with, names_of
from randomizer.model.basics.plurals import counted
from randomizer.model.grid.cell_words import cell_words
from randomizer.model.map.battlemap import BattleMap

WIDTH = 360
"""The least width of the dialog, in logical pixels: names of terrains are long."""

NOTHING = "(nothing)"
"""What a hexside or a way is replaced by where it is taken away."""


class ReplaceDialog(QDialog):
    """Asks what is replaced by what, and where; ``replace(replacement, where)`` does it.

    It stays open: a person often replaces several.
    """

    def __init__(
        self,
        desk: Desk,
        replace: Callable[[Replacement, str], None],
        places: tuple[str, str, str],
    ) -> None:
        super().__init__(desk.frame)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Find and replace")
        self._document = desk.document
        self._replace = replace
        self._desk = desk
        self._places = places
        self.subject, self.old, self.new, self.where = (
            pass_wheel_on(QComboBox()) for _ in range(4)
        )
        names = ("What", "Find", "Replace by", "Where")
        form = QFormLayout()
        for name, box in zip(names, (self.subject, self.old, self.new, self.where), strict=True):
            described(box, name)
            form.addRow(f"{name}:", box)
        for subject, title in _subjects(desk.document.battlemap):
            self.subject.addItem(title, str(subject))
        self.select_button = QPushButton("&Select them")
        described(self.select_button, "", "Select what is found on the current map")
        self.replace_button = QPushButton("&Replace")
        self.replace_button.setDefault(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        buttons.addButton(self.select_button, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.addButton(self.replace_button, QDialogButtonBox.ButtonRole.ActionRole)
        connect(buttons.rejected, self.reject)
        connect(self.select_button.clicked, self._select)
        connect(self.replace_button.clicked, self._do)
        connect(self.subject.currentIndexChanged, self._show_names)
        for box in (self.old, self.new):
            connect(box.currentTextChanged, self._show_state)
        connect(desk.document.selection_changed, self._fill_places)
        self._fill_places()
        self.where.setCurrentIndex(1 if len(desk.document.selection) else 0)
        self.setMinimumWidth(WIDTH)
        lay_out_dialog(self, form, foot=(buttons,))
        self._show_names()

    def _fill_places(self) -> None:
        """List where can be replaced; the choice stays as long as it is offered."""
        document = self._document
        chosen = self.where.currentData()
        self.where.clear()
        titles = ["The whole map"]
        words = cell_words(document.battlemap.grid.layout)
        titles.append(f"{counted(len(document.selection), words.cell, words.cells)} selected")
        titles.append(f"All {len(document.maps)} open maps")
        offered = (True, bool(len(document.selection)), len(document.maps) > 1)
        for check_box, title, is_offered in zip(self._places, titles, offered, strict=True):
            if is_offered:
                self.where.addItem(title, check_box)
        self.where.setCurrentIndex(max(self.where.findData(chosen), 0))

    def _show_names(self) -> None:
        """List what can be found and put in its place."""
        battlemap = self._document.battlemap
        subject = Subject(self.subject.currentData())
        typed = subject in (Subject.TEXT, Subject.ELEVATION)
        names = list(names_of(battlemap, subject))
        if subject is Subject.ELEVATION:
            names = [str(elevation) for elevation in battlemap.terrain_set.elevations]
        taken_away = subject in (Subject.HEXSIDE, Subject.WAY)
        for box, entries in ((self.old, names), (self.new, [*names, *[NOTHING] * taken_away])):
            box.setEditable(typed)
            box.clear()
            box.addItems(entries)
        if len(names) > 1:
            self.new.setCurrentIndex(1)
        self._show_state()

    def _show_state(self) -> None:
        is_complete = (
            bool(self.old.currentText()) and self.old.currentText() != self.new.currentText()
        )
        self.replace_button.setEnabled(is_complete)
        self.select_button.setEnabled(bool(self.old.currentText()))

    def _do(self) -> None:
        new = self.new.currentText()
        new = "" if new == NOTHING and not self.new.isEditable() else new
        replacement = Replacement(Subject(self.subject.currentData()), self.old.currentText(), new)
        self._replace(replacement, self.where.currentData())

    def _select(self) -> None:
        """Select the cells that show what is to be found; pick the things with that text."""
        document = self._document
        subject = Subject(self.subject.currentData())
        old = self.old.currentText()
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
    """Return what the map has that can be replaced, with its title."""
    system = battlemap.system
    terrain_set = battlemap.terrain_set
    side = cell_words(battlemap.grid.layout).side
    return [
        (subject, title)
        for subject, title, has in (
            (Subject.TERRAIN, system.terrain_noun.capitalize(), system.terrain is not None),
            (Subject.HEXSIDE, side.capitalize(), bool(system.hexside and terrain_set.hexsides)),
            (Subject.ELEVATION, "Elevation", system.elevation is not None),
            (Subject.WAY, "Route", bool(system.routes_of(terrain_set))),
            (Subject.TEXT, "Text", True),
        )
        if has
    ]
