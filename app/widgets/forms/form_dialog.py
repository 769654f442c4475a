"""A dialog that asks for the values of a few settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import lay_out, plain_label, scrolled
from randomizer.model.settings.setting import Setting

SCROLLS_FROM = 420
"""The height of a form, in logical pixels, from which on it may scroll."""


class FormDialog(QDialog):
    """A form with ``words`` above it; ``done_with`` gets the values when OK was pressed."""

    def __init__(
        self,
        title: str,
        words: str,
        settings: Iterable[Setting],
        values: Mapping[str, object],
        done_with: Callable[[dict[str, object]], object],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._done_with = done_with
        self.form = SettingsForm(":")
        self.form.set_settings(settings, values)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        connect(buttons.accepted, self._accept)
        connect(buttons.rejected, self.reject)
        label = plain_label(words, wordWrap=True)
        label.setVisible(bool(words))
        area = scrolled(self.form)
        hint = self.form.sizeHint()
        area.setMinimumSize(self.form.minimumSizeHint().width(), min(hint.height(), SCROLLS_FROM))
        lay_out(QVBoxLayout(self), label, (area, 1), buttons)

    def _accept(self) -> None:
        self.accept()
        self._done_with(self.form.values())
