"""The dialog that adds a terrain of the game to the terrain set of the current map.

The palette opens it on maps of a game with more terrains than a map usually has, such as 0 A.D.: a
map lists only those that it uses. The user types words of a name until the wanted one is in the
list (``_filter``), and OK adds it (``_add``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
)

from app.desk.desk import Desk
from app.qt_guard import connect
from app.widgets.layout.builders import described, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.edits.terrain_edits import change_terrain_set
from randomizer.model.terrain.terrain import Terrain

SWATCH = 16
"""The width and height of the square with a terrain's colour, in logical pixels."""

SIZE = QSize(360, 480)
"""The size of the dialog when it opens, in logical pixels."""


class TerrainDialog(QDialog):
    """Lists the terrains of the installed game, or the usual ones without a game, by words.

    A terrain that is not listed can be chosen by its exact name, unless that is a part of a listed
    name: then the listed one is chosen. The chosen terrain is added in one
    undo step, and painted from then on: ``use_terrain_tool`` chooses the tool for that.
    """

    def __init__(self, desk: Desk, use_terrain_tool: Callable[[], object]) -> None:
        super().__init__(desk.frame)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._desk = desk
        self._use_terrain_tool = use_terrain_tool
        system = desk.document.battlemap.system
        self._terrains = {terrain.name: terrain for terrain in system.further_terrains()}
        """The listed terrains by name."""
        self.setWindowTitle(f"Add a {system.terrain_noun}")
        self._make_widgets(system.terrain_noun)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        connect(buttons.accepted, self.accept)
        connect(buttons.rejected, self.reject)
        connect(self.accepted, self._add)
        connect(self.name_field.textChanged, self._filter)
        connect(self.terrain_list.currentRowChanged, self._show_note)
        connect(self.terrain_list.itemDoubleClicked, self.accept)
        lay_out_dialog(
            self, self.name_field, (self.terrain_list, 1), foot=(self.note, buttons), size=SIZE
        )
        self._filter()

    def _make_widgets(self, noun: str) -> None:
        """Make the line for words, the list of terrains, and the note below it."""
        self.name_field = described(QLineEdit(), "Name", "Words of a name, or all of it")
        self.name_field.setPlaceholderText("Filter, or an exact name")
        self.name_field.setClearButtonEnabled(True)
        self.terrain_list = described(QListWidget(), f"All of the {noun}s of the game")
        self.terrain_list.setUniformItemSizes(True)
        self.note = plain_label(wordWrap=True)
        for terrain in self._terrains.values():
            swatch = QPixmap(SWATCH, SWATCH)
            swatch.fill(QColor(terrain.colour))
            self.terrain_list.addItem(QListWidgetItem(QIcon(swatch), terrain.name))

    def _filter(self) -> None:
        """List the terrains with all typed words; choose the first if the chosen one is not listed.

        Without words nothing is chosen by itself.
        """
        words = self.name_field.text().casefold().split()
        first_row = -1
        for row in range(self.terrain_list.count()):
            item = self.terrain_list.item(row)
            is_match = all(word in item.text().casefold() for word in words)
            item.setHidden(not is_match)
            if is_match and first_row < 0:
                first_row = row
        current = self.terrain_list.currentItem()
        if words and (current is None or current.isHidden()):
            self.terrain_list.setCurrentRow(first_row)
        self._show_note()

    def chosen(self) -> Terrain | None:
        """Return the terrain of the chosen row, or else the one whose exact name is typed.

        None if there is no such terrain.
        """
        item = self.terrain_list.currentItem()
        if item is not None and not item.isHidden():
            return self._terrains[item.text()]
        name = self.name_field.text().strip()
        return self._desk.document.battlemap.system.terrain_named(name)

    def _show_note(self) -> None:
        """Enable OK if a terrain is chosen, and show the note on it, or on what the list lacks."""
        terrain = self.chosen()
        self._ok.setEnabled(terrain is not None)
        self.note.setText(self._note_on(terrain))

    def _note_on(self, terrain: Terrain | None) -> str:
        """Return the note on the chosen terrain, or on why none is chosen (None).

        "" if the terrain is one of those that are listed.
        """
        system = self._desk.document.battlemap.system
        noun = system.terrain_noun
        typed = self.name_field.text().strip()
        lacks_game = system.lacks_game()
        note = ""
        if lacks_game:
            note = f"No installed game was found. Any other {noun} can be added by its exact name."

        if terrain is None:
            if typed:
                # One word may be the name of any terrain, so several have been typed.
                return f"No {noun} has these words, nor are they an exact name."
            return note or f"Choose a {noun}, or type its exact name."
        if terrain.name not in self._terrains:
            if lacks_game:
                return f"“{typed}” is not known here: no installed game was found."
            return f"“{typed}” is not known in the installed game."
        return note

    def _add(self) -> None:
        """Add the chosen terrain to the map, unless the map has it, and paint it from now on."""
        terrain = self.chosen()
        desk = self._desk
        if terrain is None:
            return
        battlemap = desk.document.battlemap
        terrain_set = battlemap.terrain_set
        if not terrain_set.has_terrain(terrain.name):
            larger_set = replace(terrain_set, terrains=(*terrain_set.terrains, terrain))
            edit = change_terrain_set(battlemap, larger_set)
            text = f"Add the {battlemap.system.terrain_noun} {terrain.name}"
            if edit is None or not desk.document.push(edit, text):
                return
        code = desk.document.battlemap.terrain_set.terrain_code(terrain.name)
        desk.tools.options.choose(terrain=code)
        self._use_terrain_tool()
