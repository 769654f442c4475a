"""The line with the game's directory: chosen once, remembered, changed in any dialog."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QUrl, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.features.game.places import GamePlaces
from app.qt_guard import connect, guarded
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.dialogs.files import choose_folder
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import STRETCH, described, labelled, lay_out, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.games import GameHost
from randomizer.model.basics.plurals import counted
from randomizer.model.problems import Severity
from randomizer.reading.files import user_path


class GameChooser(QWidget):
    """A path, a button to look for it, and in words what was found there.

    ``game_chosen(GameHost)``: the dialog should be about this game instead.
    """

    game_chosen = Signal(object)

    def __init__(self, places: GamePlaces, *, for_export: bool = False) -> None:
        super().__init__()
        self._places = places
        self._for_export = for_export
        """Whether a folder that an export has yet to make is worth a word."""
        host = places.host
        self._shown: Path | None = None
        self.is_typed_into = False
        """Whether a hand has looked into a directory by Enter: the keyboard stays on the line, so
        that another Enter, meant for the line too, presses no button."""
        tip = f"{host.place[:1].upper()}{host.place[1:]}; Enter looks into it"
        self.line = described(_PathLine(), "Directory of the game", tip)
        self.line.setPlaceholderText(host.place)
        connect(self.line.entered, self._look)
        connect(self.line.editingFinished, self._look_if_changed)
        tip = "Choose the directory of the game"
        self.browse_button = described(QPushButton("&Browse...", autoDefault=False), tip=tip)
        connect(self.browse_button.clicked, self.browse)
        self.status = DialogStatus("What was found there")
        self.games = described(pass_wheel_on(QComboBox()), "Game", "Which game the maps are of")
        self.games.hide()
        connect(
            self.games.activated, lambda index: self.game_chosen.emit(self.games.itemData(index))
        )
        label = labelled("&Game:", self.line)
        line = (label, self.games, (self.line, 1), self.browse_button)
        row = lay_out(QHBoxLayout(), *line, margins=0)
        lay_out(QVBoxLayout(self), row, self.status, margins=0)
        connect(places.opened, self._show)
        connect(places.lost, self._show)
        connect(places.scripts_found, self._show)
        self._show()

    def offer(self, hosts: Sequence[GameHost]) -> None:
        """Let another of these games be chosen; with one there is nothing to choose."""
        for host in hosts:
            self.games.addItem(host.title, host)
            if host.system == self._places.host.system:
                self.games.setCurrentIndex(self.games.count() - 1)
        self.games.setVisible(len(hosts) > 1)

    async def browse(self) -> None:
        """Ask for the directory of the game."""
        game = self._places.game
        start = Path.home() if game is None else game.root
        title = f"Where is {self._places.host.title}?"
        folder = await choose_folder(self, title, str(start))
        if folder is not None:
            self._places.choose(folder)

    def _look(self) -> None:
        self.is_typed_into = True
        self.line.setModified(False)
        text = self.line.text().strip()
        if text.startswith("file:"):
            text = QUrl(text).toLocalFile()
        if text:
            self._places.choose(user_path(text))

    def _look_if_changed(self) -> None:
        if self.line.isModified():
            self._look()

    def _show(self) -> None:
        """Show the path, and what was found there."""
        places = self._places
        host = self._places.host
        if places.path != self._shown:
            self._shown = places.path
            self.line.setText("" if places.path is None else str(places.path))
        if places.game is not None:
            groups = [group for group in places.groups if not group.format]
            if places.grouped:
                count = len(groups)
            else:
                count = len(groups[0].slots)
            texts = [counted(count, host.levels[0].name)]
            if places.scripts:
                texts.append(counted(len(places.scripts), "script"))
            missing = host.missing_folder(places.game) if self._for_export else ""
            if missing:
                self.status.say(missing, Severity.WARNING)
            else:
                self.status.say(f"{host.title} is there, with {' and '.join(texts)}.")
        elif places.path is None:
            self.status.say(f"Choose where {host.title} is: {host.place}.")
            self.line.setFocus()
        elif places.busy:
            self.status.work(f"Looking into {places.path.name or places.path}...")
        else:
            text = " ".join(_sentence(problem.message) for problem in places.problems)
            self.status.say(text, Severity.ERROR)


def _sentence(text: str) -> str:
    if text.endswith((".", "!", "?")):
        return text
    return f"{text}."


class _PathLine(QLineEdit):
    """A line whose Enter is its own (``entered()``) and does not press the dialog's button."""

    entered = Signal()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter looks into the directory."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class ChooseGameDialog(QDialog):
    """Asks for the game's directory and nothing else; what is found is remembered."""

    def __init__(self, places: GamePlaces, why: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Where is {places.host.title}?")
        reason = plain_label(why, wordWrap=True)
        self.chooser = GameChooser(places)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.ok_button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        connect(self.buttons.accepted, self.accept)
        connect(self.buttons.rejected, self.reject)
        self._places = places
        middle = (reason, self.chooser, STRETCH)
        lay_out_dialog(self, *middle, foot=(self.buttons,), size=QSize(560, 170))
        places.show_in(self._show, self._show)

    def _show(self) -> None:
        self.ok_button.setEnabled(self._places.game is not None)
