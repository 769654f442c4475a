"""The line with the game's directory, which all dialogs about the game have at the top.

The directory is chosen once and remembered; it can be changed in any dialog (``GameChooser``),
or is asked for alone (``ChooseGameDialog``).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

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

from app.features.game.game_folder import GameFolder
from app.qt_guard import connect, guarded
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.dialogs.files import choose_folder
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import STRETCH, described, labelled, lay_out, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.games import Game, GameHost
from randomizer.model.basics.plurals import counted, listed
from randomizer.model.problems import Severity
from randomizer.reading.files import user_path

if TYPE_CHECKING:
    from app.commands.commands import Commands

TYPING = "Enter looks into this folder."
"""What stands below the line while a path is typed."""


class GameChooser(QWidget):
    """A path, a button to browse for it, and a message on what was found at the path."""

    manual_asked = Signal()
    """The page of the manual on the directory of the game is asked for."""

    game_chosen = Signal(object)
    """The dialog should be about this game instead: a ``GameHost``."""

    def __init__(self, game_folder: GameFolder, *, for_export: bool = False) -> None:
        """Make the widgets; ``for_export`` tells of a folder that an export has yet to make."""
        super().__init__()
        self._game_folder = game_folder
        self._for_export = for_export
        host = game_folder.host
        self._path_in_line: Path | None = None
        """The path that was written into the line last: what is typed is not overwritten by it."""
        self.is_typed_into = False
        """True once a path was entered by hand. The keyboard then stays on the line, so that
        another Enter, meant for the line too, presses no button."""
        tip = f"{host.place[:1].upper()}{host.place[1:]}; Enter looks into it"
        self.line = described(_PathLine(), "Directory of the game", tip)
        self.line.setPlaceholderText(host.place)
        connect(self.line.textEdited, lambda _text: self._game_folder.let_go())
        connect(self.line.entered, self._look)
        connect(self.line.editingFinished, self._look_if_changed)
        tip = "Choose the directory of the game"
        self.browse_button = described(QPushButton("&Browse...", autoDefault=False), tip=tip)
        connect(self.browse_button.clicked, self.browse)
        self.status = DialogStatus("What was found there")
        tip = "The page of the manual on the directory of the game"
        self.manual_button = described(QPushButton("How it must &look", autoDefault=False), tip=tip)
        connect(self.manual_button.clicked, self.manual_asked)
        self.games = described(pass_wheel_on(QComboBox()), "Game", "Which game the maps are of")
        self.games.hide()
        connect(
            self.games.activated, lambda index: self.game_chosen.emit(self.games.itemData(index))
        )
        label = labelled("&Game:", self.line)
        line = (label, self.games, (self.line, 1), self.browse_button)
        row = lay_out(QHBoxLayout(), *line, margins=0)
        foot = lay_out(QHBoxLayout(), (self.status, 1), self.manual_button, margins=0)
        lay_out(QVBoxLayout(self), row, foot, margins=0)
        connect(game_folder.opened, self._show)
        connect(game_folder.lost, self._show)
        connect(game_folder.scripts_found, self._show)
        self._show()

    def offer(self, hosts: Sequence[GameHost]) -> None:
        """Offer these games in a list; it is hidden if there is only one."""
        for host in hosts:
            self.games.addItem(host.title, host)
            if host.system == self._game_folder.host.system:
                self.games.setCurrentIndex(self.games.count() - 1)
        self.games.setVisible(len(hosts) > 1)

    # --- choosing a directory ---------------------------------------------------------------

    async def browse(self) -> None:
        """Ask for the directory of the game."""
        start = Path.home()
        if self._game_folder.game is not None:
            start = self._game_folder.game.root
        title = f"Where is {self._game_folder.host.title}?"
        folder = await choose_folder(self, title, str(start))
        if folder is not None:
            self._game_folder.choose(folder)

    def _look(self) -> None:
        """Look for the game at the path that stands in the line."""
        self.is_typed_into = True
        self.line.setModified(False)
        text = self.line.text().strip()
        if text.startswith("file:"):  # as dropping a folder inserts it
            text = QUrl(text).toLocalFile()
        if text:
            self._game_folder.choose(user_path(text))

    def _look_if_changed(self) -> None:
        """Look for the game when the keyboard leaves the line, if anything was typed."""
        if self.line.isModified():
            self._look()

    # --- the message ------------------------------------------------------------------------

    def _show(self) -> None:
        """Show the path, and a message on what was found at it."""
        game_folder = self._game_folder
        host = game_folder.host
        path = game_folder.path
        if path != self._path_in_line:
            self._path_in_line = path
            self.line.setText("" if path is None else str(path))
        self.manual_button.setVisible(game_folder.game is None)
        if game_folder.game is not None:
            self._show_found(game_folder.game)
        elif self.line.isModified():
            self.status.say(TYPING)
        elif path is None:
            text = f"Choose where {host.title} is: {host.place}"
            if host.place_example:
                text += f"; {host.place_example}"
            self.status.say(f"{text}.")
            self.line.setFocus()
        elif game_folder.busy:
            self.status.work(f"Looking into {path.name or path}...")
        else:
            text = " ".join(_sentence(problem.message) for problem in game_folder.problems)
            self.status.say(text, Severity.ERROR)

    def _show_found(self, game: Game) -> None:
        """Say that the game was found, with how many groups (or slots) and scripts.

        For an export a folder that is missing is more important.
        """
        game_folder = self._game_folder
        host = game_folder.host
        if self._for_export:
            missing_folder = host.missing_folder(game)
            if missing_folder:
                self.status.say(missing_folder, Severity.WARNING)
                return
        fault = host.fault_of_game(game)
        if fault:
            self.status.say(fault, Severity.WARNING)
            return
        groups = [group for group in game_folder.groups if not group.format]
        if game_folder.grouped:
            count = len(groups)
        else:
            count = len(groups[0].slots)
        counts = [counted(count, host.levels[0].name)]
        map_count = sum(len(group.slots) for group in groups)
        if host.rolls_scripts and map_count:
            # Finished maps are scripts for such a game: without them its scripts seem too few.
            counts.append(counted(map_count, host.map_noun))
        if game_folder.scripts:
            counts.append(counted(len(game_folder.scripts), "script"))
        place = host.found_place or host.title
        text = f"{place} {self._where()}, with {listed(counts)}."
        if self._for_export and game_folder.path != game_folder.chosen_path:
            text += " Exports go there."
        self.status.say(text)

    def _where(self) -> str:
        """Return a verb with where the game is: at the chosen path, below it, or elsewhere."""
        path = self._game_folder.path
        chosen_path = self._game_folder.chosen_path
        assert path is not None, "a game was found"
        if chosen_path is None or path == chosen_path:
            return "is there"
        if path.is_relative_to(chosen_path):
            return f"was found in the subfolder “{path.relative_to(chosen_path)}”"
        return f"was found in {path}"


def _sentence(text: str) -> str:
    """Return a message with a full stop, unless it ends a sentence already."""
    if text.endswith((".", "!", "?")):
        return text
    return f"{text}."


class _PathLine(QLineEdit):
    """A line of text whose Enter does not press the dialog's default button."""

    entered = Signal()
    """Enter was pressed."""

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Emit ``entered`` for Enter, and keep it from the dialog."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.entered.emit()
        else:
            super().keyPressEvent(event)


def offer_manual(window: QWidget, commands: Commands) -> None:
    """Let the choosers of a window open the manual at the page on the directory of the game."""
    # The command shows the page that the window in front names.
    window.setProperty("manual_page", "game-directory.md")
    for chooser in window.findChildren(GameChooser):
        connect(chooser.manual_asked, partial(commands.run, "help.manual"))


class ChooseGameDialog(QDialog):
    """Asks for the game's directory and nothing else; it is remembered as soon as it is found.

    ``reason``: why it is asked for, in sentences.
    """

    def __init__(self, game_folder: GameFolder, reason: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Where is {game_folder.host.title}?")
        reason_label = plain_label(reason, wordWrap=True)
        self.chooser = GameChooser(game_folder)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.ok_button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        connect(self.buttons.accepted, self.accept)
        connect(self.buttons.rejected, self.reject)
        self._game_folder = game_folder
        middle = (reason_label, self.chooser, STRETCH)
        lay_out_dialog(self, *middle, foot=(self.buttons,), size=QSize(560, 170))
        game_folder.show_in(self._enable, self._enable)

    def _enable(self) -> None:
        self.ok_button.setEnabled(self._game_folder.game is not None)
