"""The settings: what is chosen takes effect at once, Cancel takes it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.features.preferences.shortcuts_page import ShortcutsPage
from app.render.theme import COLOUR_SETS
from randomizer.storage.backups import KEPT

if TYPE_CHECKING:
    from app.desk.desk import Desk


SCALES = (100, 125, 150, 200, 250)
"""In per cent."""


class _Choice(QComboBox):
    """One setting: (value, words) to choose from, the first being the default."""

    def __init__(
        self,
        title: str,
        values: Sequence[tuple[Any, str]],
        value: Any,
        use: Callable[[Any], object],
        tip: str,
    ) -> None:
        super().__init__()
        self.title = title
        self.setAccessibleName(title)
        self.setToolTip(tip)
        self._values = [each for each, _ in values]
        self._use = use
        self.addItems([words for _, words in values])
        self._before = self._values.index(value) if value in self._values else 0
        self.setCurrentIndex(self._before)
        self.currentIndexChanged.connect(lambda row: self._use(self._values[row]))

    def choose(self, value: Any) -> None:
        """Choose a value, as a person does."""
        self.setCurrentIndex(self._values.index(value))

    def restore(self) -> None:
        """Back to what was chosen when the dialog was opened."""
        self.setCurrentIndex(self._before)

    def reset(self) -> None:
        """Back to the default."""
        self.setCurrentIndex(0)


def _files_page(desk: Desk) -> QWidget:
    """Where the desk keeps things of its own, with a way to look there."""
    page = QWidget()
    column = QVBoxLayout(page)
    backups = None if desk.backups is None else desk.backups.folder
    for words, folder in (
        ("Every stroke is written here at once, in case the program ends badly:", desk.journals),
        (f"Here are the last {KEPT} contents of each file that was saved over:", backups),
    ):
        place = QLabel("nowhere" if folder is None else str(folder))
        place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        place.setWordWrap(True)
        place.setAccessibleName(words)
        button = QPushButton("Look there")
        button.setAutoDefault(False)
        button.setAccessibleDescription(words)
        there = folder is not None and folder.is_dir()
        button.setToolTip(
            "Open this folder in the program for files" if there else "Nothing was kept yet"
        )
        button.setEnabled(there)
        button.clicked.connect(
            lambda _checked, folder=folder: QDesktopServices.openUrl(
                QUrl.fromLocalFile(str(folder))
            )
        )
        line = QHBoxLayout()
        line.addWidget(place, 1)
        line.addWidget(button)
        column.addWidget(QLabel(words))
        column.addLayout(line)
    column.addStretch(1)
    return page


class SettingsDialog(QDialog):
    """Pages of settings of a window. ``choices`` holds them by name, ``shortcuts`` the keys."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.frame)
        self.setWindowTitle("Preferences")
        settings, canvas = desk.settings, desk.canvas

        def use_wheel(what: str) -> None:
            settings.wheel = canvas.wheel.mouse = what

        def use_touchpad(what: str) -> None:
            settings.touchpad = canvas.wheel.touchpad = what

        def use_scale(percent: int) -> None:
            settings.scale = percent

        self.choices = {
            "theme": _Choice(
                "&Colours",
                (("system", "As the system"), ("light", "Light"), ("dark", "Dark")),
                settings.theme,
                desk.theme.set_theme,
                "Light or dark, for the whole desk",
            ),
            "colour_set": _Choice(
                "&Map colours",
                COLOUR_SETS,
                settings.colour_set,
                desk.theme.set_colour_set,
                "How hazards are told apart on the map",
            ),
            "scale": _Choice(
                "&Size of everything",
                [(0, "As the system"), *((percent, f"{percent} %") for percent in SCALES)],
                settings.scale,
                use_scale,
                "Text, buttons and pictures; at the next start",
            ),
            "wheel": _Choice(
                "The mouse &wheel",
                (("zoom", "zooms to the cursor"), ("scroll", "scrolls; with Ctrl it zooms")),
                settings.wheel,
                use_wheel,
                "Shift scrolls sideways where the wheel scrolls",
            ),
            "touchpad": _Choice(
                "&Two fingers on a touchpad",
                (("scroll", "move the view; with Ctrl they zoom"), ("zoom", "zoom to the cursor")),
                settings.touchpad,
                use_touchpad,
                "Pinching always zooms, a double tap with two fingers shows the whole map",
            ),
        }
        self.shortcuts = ShortcutsPage(desk.shortcuts)
        self.pages = QTabWidget()
        self.pages.setAccessibleName("Pages of the preferences")
        self.pages.addTab(
            self._page(
                ("theme", "colour_set", "scale"),
                "Another size of everything is used from the next start on.",
            ),
            "&Appearance",
        )
        self.pages.addTab(self.shortcuts, "&Shortcuts")
        self.pages.addTab(_files_page(desk), "&Files")
        self.pages.addTab(self._page(("wheel", "touchpad")), "Can&vas")
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel | buttons.RestoreDefaults)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        defaults = self.buttons.button(buttons.RestoreDefaults)
        defaults.setToolTip("Everything on this page as it came")
        defaults.setAutoDefault(False)
        defaults.clicked.connect(self._reset_page)
        column = QVBoxLayout(self)
        column.addWidget(self.pages)
        column.addWidget(self.buttons)
        self.resize(620, 520)

    def _page(self, names: tuple[str, ...], words: str = "") -> QWidget:
        page = QWidget()
        form = QFormLayout(page)
        for name in names:
            form.addRow(f"{self.choices[name].title}:", self.choices[name])
        if words:
            label = QLabel(words)
            label.setWordWrap(True)
            form.addRow(label)
        return page

    def _reset_page(self) -> None:
        page = self.pages.currentWidget()
        if page is self.shortcuts:
            self.shortcuts.reset()
        for choice in self.choices.values():
            if page.isAncestorOf(choice):
                choice.reset()

    def reject(self) -> None:
        """Everything as it was when the dialog was opened."""
        for choice in self.choices.values():
            choice.restore()
        self.shortcuts.restore()
        super().reject()

    def done(self, result: int) -> None:
        """The dialog is not needed again: the next one is made anew."""
        super().done(result)
        self.deleteLater()
