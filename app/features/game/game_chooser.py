"""The widgets that ask where a game is installed.

Maps are opened from an installed game and exported into it. A ``GameFolder`` holds the path of the
game, and looks for the game there on another thread. All dialogs about one game share it, so that
the user chooses the directory once.

``GameChooser`` is the line at the top of such a dialog: it shows the path and what was found there.
``ChooseGameDialog`` asks for the directory alone, for what needs no other dialog. ``offer_manual``
connects both with the manual.
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
from randomizer.games.game import Game
from randomizer.games.host import GameHost
from randomizer.model.basics.plurals import counted, listed
from randomizer.model.problems import Severity
from randomizer.reading.files import user_path

if TYPE_CHECKING:
    from app.commands.commands import Commands

TYPING = "Enter looks into this folder."
"""The message below the line while a path is typed."""


class GameChooser(QWidget):
    """The path of the game with a button to browse for it, and a message on what was found there.

    A list of games stands before the path if the dialog offers several (``offer``).
    """

    manual_asked = Signal()
    """The user wants to read the manual's page on the directory of the game."""

    game_chosen = Signal(object)
    """The user chose another game, a ``GameHost``, from the list of ``offer``."""

    def __init__(self, game_folder: GameFolder, *, for_export: bool = False) -> None:
        """Make the widgets and show the present path.

        ``for_export``: the dialog exports into the game, so the message also warns of a folder
        that the export has to make, and names the path that exports go to.
        """
        super().__init__()
        self._game_folder = game_folder
        self._for_export = for_export
        self._path_in_line: Path | None = None
        """The path that was written into the line last. The line is only written when the path
        changes, so that what the user types stays."""
        self.was_path_entered = False
        """True once a path was entered by hand. The keyboard then stays on the line, so that
        another Enter, meant for the line too, presses no button."""
        self._make_widgets(game_folder.host)
        self._connect()
        self._show_state()

    def _make_widgets(self, host: GameHost) -> None:
        """Make the widgets: one row with the list of games and the path, the message below it."""
        place = host.directory  # words for the directory, which begin with a small letter
        tip = f"{place[:1].upper()}{place[1:]}; Enter looks into it"
        self.line = described(_PathLine(), "Directory of the game", tip)
        self.line.setPlaceholderText(place)
        tip = "Choose the directory of the game"
        self.browse_button = described(QPushButton("&Browse...", autoDefault=False), tip=tip)
        self.games = described(pass_wheel_on(QComboBox()), "Game", "Which game the maps are of")
        self.games.hide()
        label = labelled("&Game:", self.line)
        row = lay_out(
            QHBoxLayout(), label, self.games, (self.line, 1), self.browse_button, margins=0
        )

        self.status = DialogStatus("What was found there")
        tip = "The page of the manual on the directory of the game"
        self.manual_button = described(QPushButton("How it must &look", autoDefault=False), tip=tip)
        foot = lay_out(QHBoxLayout(), (self.status, 1), self.manual_button, margins=0)
        lay_out(QVBoxLayout(self), row, foot, margins=0)

    def _connect(self) -> None:
        """Connect the widgets, and follow the folder of the game."""
        # While another path is typed, no game is known.
        connect(self.line.textEdited, lambda _text: self._game_folder.close_game())
        connect(self.line.entered, self._look_for_game)
        connect(self.line.editingFinished, self._look_if_changed)
        connect(self.browse_button.clicked, self.browse)
        connect(self.manual_button.clicked, self.manual_asked)
        connect(
            self.games.activated, lambda index: self.game_chosen.emit(self.games.itemData(index))
        )
        connect(self._game_folder.opened, self._show_state)
        connect(self._game_folder.lost, self._show_state)
        connect(self._game_folder.scripts_found, self._show_state)

    def offer(self, hosts: Sequence[GameHost]) -> None:
        """Let the user choose from these games; with only one the list stays hidden."""
        current_system = self._game_folder.host.system
        for index, host in enumerate(hosts):
            self.games.addItem(host.title, host)
            if host.system == current_system:
                self.games.setCurrentIndex(index)
        self.games.setVisible(len(hosts) > 1)

    # --- choosing a directory ---------------------------------------------------------------

    async def browse(self) -> None:
        """Ask for the directory of the game with a dialog, then look for the game there."""
        first_folder = Path.home()
        if self._game_folder.game is not None:
            first_folder = self._game_folder.game.root
        title = f"Where is {self._game_folder.host.title}?"
        folder = await choose_folder(self, title, str(first_folder))
        if folder is not None:
            self._game_folder.choose(folder)

    def _look_for_game(self) -> None:
        """Look for the game at the path that stands in the line."""
        self.was_path_entered = True
        self.line.setModified(False)  # ``_look_if_changed`` need not look again
        text = self.line.text().strip()
        if text.startswith("file:"):  # as dropping a folder inserts it
            text = QUrl(text).toLocalFile()
        if text:
            self._game_folder.choose(user_path(text))
        else:
            # Back to the path in the settings, or the usual one, which the line shows again.
            self._path_in_line = None
            self._game_folder.refresh()

    def _look_if_changed(self) -> None:
        """Look for the game when the keyboard leaves the line, if anything was typed."""
        if self.line.isModified():
            self._look_for_game()

    # --- the message ------------------------------------------------------------------------

    def _show_state(self) -> None:
        """Show the path, and the message for the present state of the search for the game."""
        game_folder = self._game_folder
        path = game_folder.path
        if path != self._path_in_line:
            self._path_in_line = path
            text = ""
            if path is not None:
                text = str(path)
            self.line.setText(text)
        self.manual_button.setVisible(game_folder.game is None)

        if game_folder.game is not None:
            self._tell_of_game(game_folder.game)
        elif self.line.isModified():
            self.status.say(TYPING)
        elif path is None:
            self._ask_for_path()
        elif game_folder.busy:
            # The root of a disk has no name.
            self.status.show_working(f"Looking into {path.name or path}...")
        else:
            text = " ".join(_sentence(problem.message) for problem in game_folder.problems)
            self.status.say(text, Severity.ERROR)

    def _ask_for_path(self) -> None:
        """Ask the user for a path, with an example of one, and give the line the keyboard."""
        host = self._game_folder.host
        text = f"Choose where {host.title} is: {host.directory}"
        if host.directory_example:
            text += f"; {host.directory_example}"
        self.status.say(f"{text}.")
        self.line.setFocus()

    def _tell_of_game(self, game: Game) -> None:
        """Warn of what is wrong with the game that was found, or tell what it has."""
        host = self._game_folder.host
        warning = self._game_folder.why_not_named_group
        if not warning and self._for_export:
            warning = host.missing_folder(game)
        if not warning:
            warning = host.fault_of_game(game)
        if warning:
            self.status.say(warning, Severity.WARNING)
        else:
            self.status.say(self._text_of_contents())

    def _text_of_contents(self) -> str:
        """Return a message such as "Colossus is there, with 12 variants and 3 scripts.".

        A *slot* of a game takes one map, and a *group* has slots whose maps are used together. A
        game that has no groups (``grouped`` is False) has all slots in a single one.
        """
        game_folder = self._game_folder
        host = game_folder.host
        # Nothing can be written into groups of maps in another format: they do not count.
        groups = [group for group in game_folder.groups if not group.format]  # "": the game's own
        if game_folder.grouped:
            count = len(groups)
        else:
            count = sum(len(group.slots) for group in groups)
        counts = [counted(count, host.levels[0].name)]
        map_count = sum(len(group.slots) for group in groups)
        if host.rolls_scripts and map_count:
            # Finished maps are scripts for such a game: without them its scripts seem too few.
            counts.append(counted(map_count, host.map_noun))
        if game_folder.scripts:
            counts.append(counted(len(game_folder.scripts), "script"))

        subject = host.found_directory or host.title
        text = f"{subject} {self._where_it_was_found()}, with {listed(counts)}."
        if self._for_export and game_folder.path != game_folder.chosen_path:
            text += " Exports go there."
        if game_folder.scripts and not self._for_export:
            # The dialog lists maps only.
            text += f" On maps of {host.title}, Randomize > Roll with lists the scripts."
        return text

    def _where_it_was_found(self) -> str:
        """Return a verb with the place of the game, such as "was found in the subfolder “maps”".

        The game is at the chosen path, below it, or elsewhere.
        """
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
    """Let each ``GameChooser`` of a window open the manual at the page on the game's directory."""
    # The command "help.manual" shows the page that this property of the front window names.
    window.setProperty("manual_page", "game-directory.md")
    for chooser in window.findChildren(GameChooser):
        connect(chooser.manual_asked, partial(commands.run, "help.manual"))


class ChooseGameDialog(QDialog):
    """Asks for the game's directory and nothing else; OK is enabled once a game is found there.

    The ``GameFolder`` remembers the directory at once, even if the dialog is cancelled afterwards.
    ``reason`` tells the user in sentences why the directory is needed.
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
        game_folder.follow(self._enable, self._enable)

    def _enable(self) -> None:
        """Enable OK while a game is found at the directory."""
        self.ok_button.setEnabled(self._game_folder.game is not None)
