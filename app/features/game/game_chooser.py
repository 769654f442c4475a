"""The line with the game's directory: chosen once, remembered, changed in any dialog."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.background.latest_job import LatestJob
from app.features.game.game_reading import OpenedGame, opening
from app.settings import Settings
from app.widgets.dialog_status import DialogStatus
from randomizer.games import GameHost
from randomizer.model.plurals import counted
from randomizer.model.problems import Problem, Severity


class GameChooser(QWidget):
    """A path, a button to look for it, and in words what was found there.

    ``opened(OpenedGame)``: a game is there; it is remembered. ``lost()``: there is none, or it is
    being looked for.
    """

    opened = Signal(object)
    lost = Signal()

    def __init__(self, host: GameHost, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self._settings = settings
        self._job = LatestJob(self)
        self.current: OpenedGame | None = None
        self.line = _PathLine()
        self.line.setAccessibleName("Directory of the game")
        self.line.setToolTip(f"{host.PLACE[:1].upper()}{host.PLACE[1:]}; Enter looks into it")
        self.line.setPlaceholderText(host.PLACE)
        self.line.entered.connect(self._look)
        self.line.editingFinished.connect(self._look_if_changed)
        self.browse_button = QPushButton("&Browse...")
        self.browse_button.setAutoDefault(False)
        self.browse_button.setToolTip("Choose the directory of the game")
        self.browse_button.clicked.connect(self.browse)
        self.status = DialogStatus("What was found there")
        label = QLabel("&Game:")
        label.setBuddy(self.line)
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(label)
        row.addWidget(self.line, 1)
        row.addWidget(self.browse_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self.status)

    def start(self) -> None:
        """Look into the remembered directory, or ask for one in words."""
        path = self._settings.game_dir
        if path is None:
            self.status.say(f"Choose where {self._host.TITLE} is: {self._host.PLACE}.")
            self.line.setFocus()
            self.lost.emit()
        else:
            self.open_path(path)

    def browse(self) -> None:
        """Open the dialog that looks for a directory."""
        start = self.current.game.root if self.current is not None else Path.home()
        dialog = QFileDialog(self, f"Where is {self._host.TITLE}?", str(start))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(lambda name: self.open_path(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def open_path(self, path: Path) -> None:
        """Look into a directory or jar, off the UI thread; ``opened`` follows if it is a game."""
        self.line.setText(str(path))
        self.line.setModified(False)
        self.current = None
        self.status.work(f"Looking into {path.name or path}...")
        self.lost.emit()
        self._job.run(opening(self._host, path), self._opened, self._failed)

    def reload(self) -> None:
        """Look again into the same directory: something was written there."""
        if self.current is not None:
            self._job.run(opening(self._host, self.current.path), self._opened, self._failed)

    def cancel(self) -> None:
        """The dialog closes."""
        self._job.cancel()

    def _look(self) -> None:
        text = self.line.text().strip()
        if text.startswith("file:"):
            text = QUrl(text).toLocalFile()
        if text:
            self.open_path(Path(text).expanduser())

    def _look_if_changed(self) -> None:
        if self.line.isModified():
            self._look()

    def _opened(self, opened: OpenedGame) -> None:
        self.current = opened
        self._settings.game_dir = opened.path
        variants = len(opened.variants)
        self.status.say(f"{self._host.TITLE} is there, with {counted(variants, 'variant')}.")
        self.opened.emit(opened)

    def _failed(self, problems: tuple[Problem, ...]) -> None:
        self.current = None
        self.status.say(
            " ".join(_sentence(problem.message) for problem in problems), Severity.ERROR
        )
        self.lost.emit()


def _sentence(words: str) -> str:
    return words if words.endswith((".", "!", "?")) else f"{words}."


class _PathLine(QLineEdit):
    """A line whose Enter is its own (``entered()``) and does not press the dialog's button."""

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter looks into the directory."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.setModified(False)
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class ChooseGameDialog(QDialog):
    """Asks for the game's directory and nothing else; what is found is remembered."""

    def __init__(
        self, host: GameHost, settings: Settings, why: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Where is {host.TITLE}?")
        words = QLabel(why)
        words.setWordWrap(True)
        self.chooser = GameChooser(host, settings)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.ok_button = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self.chooser.opened.connect(lambda _opened: self.ok_button.setEnabled(True))
        self.chooser.lost.connect(lambda: self.ok_button.setEnabled(False))
        column = QVBoxLayout(self)
        column.addWidget(words)
        column.addWidget(self.chooser)
        column.addStretch(1)
        column.addWidget(self.buttons)
        self.resize(560, 170)
        self.chooser.start()

    def done(self, result: int) -> None:
        """Stop looking."""
        self.chooser.cancel()
        super().done(result)
