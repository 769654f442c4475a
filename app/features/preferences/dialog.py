"""The dialog of the preferences: every choice takes effect at once, and Cancel undoes all of them.

A *preference* is a value of ``Settings`` that the user chooses in a form; ``app/preferences.py``
describes them. ``SettingsDialog._setters`` has for each of them the function that lets it take
effect.
"""

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

DIALOG_SIZE = QSize(620, 520)
"""The size of the dialog when it opens, in logical pixels."""


class SettingsDialog(QDialog):
    """Four pages: the looks, the keys of commands, the folders, and the canvas.

    Cancel and *Restore defaults* concern all of them but the folders, where nothing can be changed.
    """

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk.frame)
        self.setWindowTitle("Preferences")
        self._settings = desk.settings
        self._wheel = desk.canvas.wheel
        self._setters: dict[str, Callable[[Any], object]] = {
            "theme": desk.theme.set_theme,
            "colour_set": desk.theme.set_colour_set,
            "scale": self._set_scale,
            "wheel": self._set_wheel,
            "touchpad": self._set_touchpad,
        }
        """Functions that store the value of a preference and let it take effect, by its name."""
        self._values_at_opening = {name: getattr(desk.settings, name) for name in self._setters}
        """The values of the preferences when the dialog was opened, by name."""
        self.appearance = self._make_form(THEME, COLOUR_SET, SCALE)
        self.canvas = self._make_form(WHEEL, TOUCHPAD)
        self.shortcuts = ShortcutsPage(desk.shortcuts)
        self.pages = described(QTabWidget(), "Pages of the preferences")
        self._add_pages(desk)
        self.buttons = self._make_buttons()
        lay_out_dialog(self, self.pages, foot=(self.buttons,), size=DIALOG_SIZE)

    def _add_pages(self, desk: Desk) -> None:
        """Add the four pages, each with its tab."""
        scale_note = "Another size of everything is used from the next start on."
        appearance_page = _page(self.appearance, scale_note)
        canvas_page = _page(self.canvas)
        self._form_of_page = {appearance_page: self.appearance, canvas_page: self.canvas}
        """The forms by the pages that they are on; the other pages have none."""
        self.pages.addTab(appearance_page, "&Appearance")
        self.pages.addTab(self.shortcuts, "&Shortcuts")
        self.pages.addTab(FoldersPage(desk), "&Files")
        self.pages.addTab(canvas_page, "Can&vas")

    def _make_buttons(self) -> QDialogButtonBox:
        """Return the buttons OK, Cancel, and the one that resets the current page."""
        standard = QDialogButtonBox.StandardButton
        buttons = QDialogButtonBox(standard.Ok | standard.Cancel | standard.RestoreDefaults)
        connect(buttons.accepted, self.accept)
        connect(buttons.rejected, self.reject)
        defaults = buttons.button(standard.RestoreDefaults)
        defaults.setToolTip("Everything on this page as it came")
        defaults.setAutoDefault(False)  # else Enter in a field could press it
        connect(defaults.clicked, self.reset_page)
        connect(self.pages.currentChanged, self._on_page_changed)
        return buttons

    def _on_page_changed(self) -> None:
        """Disable Restore Defaults on the page of folders, which only shows where files are."""
        defaults = self.buttons.button(QDialogButtonBox.StandardButton.RestoreDefaults)
        defaults.setEnabled(not isinstance(self.pages.currentWidget(), FoldersPage))

    def _set_wheel(self, action: str) -> None:
        """Let the wheel zoom or scroll, see ``CanvasWheel.mouse``."""
        self._settings.wheel = action
        self._wheel.mouse = action

    def _set_touchpad(self, action: str) -> None:
        """Let two fingers on a touchpad zoom or scroll, see ``CanvasWheel.touchpad``."""
        self._settings.touchpad = action
        self._wheel.touchpad = action

    def _set_scale(self, percent: int) -> None:
        """Store the size of everything, which the next start of the program uses."""
        self._settings.scale = percent

    def _make_form(self, *preferences: Setting) -> SettingsForm:
        """Return a form of preferences; a changed value takes effect at once."""
        form = SettingsForm(title_end=":")
        form.set_settings(preferences, self._values_at_opening)

        def set_changed_value(name: str) -> None:
            self._setters[name](form.values()[name])

        connect(form.changed, set_changed_value)
        return form

    def _show_and_apply(self, form: SettingsForm, values: Mapping[str, object]) -> None:
        """Show the values of preferences in a form, by name, and let them take effect.

        A preference without a value gets its default.
        """
        # ``show_values`` does not emit ``changed``: what has changed is set here.
        old_values = form.values()
        form.show_values(values)
        for name, value in form.values().items():
            if value != old_values[name]:
                self._setters[name](value)

    def reset_page(self) -> None:
        """Give the preferences, or the keys, of the current page their defaults."""
        page = self.pages.currentWidget()
        if page is self.shortcuts:
            self.shortcuts.reset_all()
        elif page in self._form_of_page:
            self._show_and_apply(self._form_of_page[page], {})

    @guarded
    def reject(self) -> None:
        """Restore the preferences and keys that there were at the opening, and close the dialog."""
        for form in (self.appearance, self.canvas):
            self._show_and_apply(form, self._values_at_opening)
        self.shortcuts.restore()
        super().reject()

    @guarded
    def done(self, result: int) -> None:
        """Close the dialog for good: the next time another one is made."""
        super().done(result)
        self.deleteLater()


def _page(form: SettingsForm, text: str = "") -> QWidget:
    """Return a page with a form at its top, and a text below it."""
    page = QWidget()
    column = QVBoxLayout(page)
    column.addWidget(form)
    if text:
        label = plain_label(text, wordWrap=True)
        column.addWidget(label)
    column.addStretch(1)
    return page
