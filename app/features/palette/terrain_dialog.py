"""A dialog that adds a terrain of the game to the terrain set of a map."""

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
"""The width of a terrain's colour, in logical pixels."""


class TerrainDialog(QDialog):
    """Lists what the terrain set of the current map can get, filtered by words, or a name typed in.

    What is chosen is added in one undo step, and painted from then on: ``take_up`` takes up the
    tool for that.
    """

    def __init__(self, desk: Desk, take_up: Callable[[], object]) -> None:
        super().__init__(desk.frame)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._desk = desk
        self._take_up = take_up
        system = desk.document.battlemap.system
        self._terrains = {terrain.name: terrain for terrain in system.further_terrains()}
        self.setWindowTitle(f"Add a {system.terrain_noun}")
        self.name = described(QLineEdit(), "Name", "Words of a name, or all of it")
        self.name.setPlaceholderText("Filter, or an exact name")
        self.name.setClearButtonEnabled(True)
        self.list = described(QListWidget(), f"All of the {system.terrain_noun}s of the game")
        self.list.setUniformItemSizes(True)
        self.note = plain_label(wordWrap=True)
        for terrain in self._terrains.values():
            swatch = QPixmap(SWATCH, SWATCH)
            swatch.fill(QColor(terrain.colour))
            self.list.addItem(QListWidgetItem(QIcon(swatch), terrain.name))
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        connect(buttons.accepted, self.accept)
        connect(buttons.rejected, self.reject)
        connect(self.accepted, self._add)
        connect(self.name.textChanged, self._filter)
        connect(self.list.currentRowChanged, lambda _row: self._show_note())
        connect(self.list.itemDoubleClicked, lambda _row: self.accept())
        foot = (self.note, buttons)
        lay_out_dialog(self, self.name, (self.list, 1), foot=foot, size=QSize(360, 480))
        self._filter()

    def _filter(self) -> None:
        words = self.name.text().casefold().split()
        first = -1
        for place in range(self.list.count()):
            row = self.list.item(place)
            row.setHidden(not all(word in row.text().casefold() for word in words))
            first = place if first < 0 and not row.isHidden() else first
        current = self.list.currentItem()
        if words and (current is None or current.isHidden()):
            self.list.setCurrentRow(first)
        self._show_note()

    def chosen(self) -> Terrain | None:
        """Return the chosen terrain: the row, or else the exact name that is typed."""
        row = self.list.currentItem()
        name = self.name.text().strip()
        if row is not None and not row.isHidden():
            return self._terrains[row.text()]
        return self._desk.document.battlemap.system.terrain_named(name)

    def _show_note(self) -> None:
        terrain = self.chosen()
        self._ok.setEnabled(terrain is not None)
        if self._terrains:
            where = "in the installed game"
        else:
            where = "here: no installed game was found"
        unknown = terrain is not None and terrain.name not in self._terrains
        self.note.setText(f"“{terrain.name}” is not known {where}." if terrain and unknown else "")

    def _add(self) -> None:
        terrain = self.chosen()
        desk = self._desk
        if terrain is None:
            return
        battlemap = desk.document.battlemap
        if not battlemap.terrain_set.has_terrain(terrain.name):
            terrain_set = battlemap.terrain_set
            edit = change_terrain_set(
                battlemap, replace(terrain_set, terrains=(*terrain_set.terrains, terrain))
            )
            text = f"Add the {battlemap.system.terrain_noun} {terrain.name}"
            if edit is None or not desk.document.push(edit, text):
                return
        code = desk.document.battlemap.terrain_set.terrain_code(terrain.name)
        desk.tools.options.choose(terrain=code)
        self._take_up()
