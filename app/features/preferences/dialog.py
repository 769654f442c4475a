"""The settings: what is chosen takes effect at once, Cancel takes it back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.desk.desk import Desk
from app.desk.folders import FoldersPage
from app.features.preferences.shortcuts_page import ShortcutsPage
from app.preferences import COLOUR_SET, SCALE, THEME, TOUCHPAD, WHEEL
from app.qt_guard import connect, guarded
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import described, plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.settings.setting import Setting


def _page(form: SettingsForm, text: str = "") -> QWidget:
    page = QWidget()
    column = QVBoxLayout(page)
    column.addWidget(form)
    if text:
        label = plain_label(text, wordWrap=True)
        column.addWidget(label)
    column.addStretch(1)
    return page


class SettingsDialog(QDialog):
    """Pages of preferences of a window: two forms, ``shortcuts`` the keys, the folders."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.frame)
        self.setWindowTitle("Preferences")
        settings = desk.settings
        canvas = desk.canvas

        def use_wheel(use: str) -> None:
            settings.wheel = canvas.wheel.mouse = use

        def use_touchpad(use: str) -> None:
            settings.touchpad = canvas.wheel.touchpad = use

        def use_scale(percent: int) -> None:
            settings.scale = percent

        self._use: dict[str, Callable[[Any], object]] = {
            "theme": desk.theme.set_theme,
            "colour_set": desk.theme.set_colour_set,
            "scale": use_scale,
            "wheel": use_wheel,
            "touchpad": use_touchpad,
        }
        self._before = {name: getattr(settings, name) for name in self._use}
        self.appearance = self._form(THEME, COLOUR_SET, SCALE)
        self.canvas = self._form(WHEEL, TOUCHPAD)
        self.shortcuts = ShortcutsPage(desk.shortcuts)
        self.pages = described(QTabWidget(), "Pages of the preferences")
        self.pages.addTab(
            _page(self.appearance, "Another size of everything is used from the next start on."),
            "&Appearance",
        )
        self.pages.addTab(self.shortcuts, "&Shortcuts")
        self.pages.addTab(FoldersPage(desk), "&Files")
        self.pages.addTab(_page(self.canvas), "Can&vas")
        buttons = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(buttons.Ok | buttons.Cancel | buttons.RestoreDefaults)
        connect(self.buttons.accepted, self.accept)
        connect(self.buttons.rejected, self.reject)
        defaults = self.buttons.button(buttons.RestoreDefaults)
        defaults.setToolTip("Everything on this page as it came")
        defaults.setAutoDefault(False)
        connect(defaults.clicked, self.reset_page)
        lay_out_dialog(self, self.pages, foot=(self.buttons,), size=QSize(620, 520))

    def _form(self, *preferences: Setting) -> SettingsForm:
        form = SettingsForm(":")
        form.set_settings(preferences, self._before)
        connect(form.changed, lambda name: self._use[name](form.values()[name]))
        return form

    def _choose(self, form: SettingsForm, values: Mapping[str, object]) -> None:
        """Show these preferences, or the defaults, and use those that change."""
        old_values = form.values()
        form.show_values(values)
        for name, value in form.values().items():
            if value != old_values[name]:
                self._use[name](value)

    def reset_page(self) -> None:
        """Give the settings of the page that is seen their defaults."""
        page = self.pages.currentWidget()
        if page is self.shortcuts:
            self.shortcuts.reset()
        for form in (self.appearance, self.canvas):
            if page.isAncestorOf(form):
                self._choose(form, {})

    @guarded
    def reject(self) -> None:
        """Everything as it was when the dialog was opened."""
        for form in (self.appearance, self.canvas):
            self._choose(form, self._before)
        self.shortcuts.restore()
        super().reject()

    @guarded
    def done(self, result: int) -> None:
        """Delete the dialog: the next one is made again."""
        super().done(result)
        self.deleteLater()
