"""A dialog that asks for the values of a few settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from app.qt_guard import connect
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.settings.setting import Setting


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
        lay_out_dialog(self, label, (self.form, 1), foot=(buttons,))

    def _accept(self) -> None:
        self.accept()
        self._done_with(self.form.values())
