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
    """A form with a text above it ("" for none), and the buttons OK and Cancel.

    When OK is pressed the dialog closes and calls ``done_with`` with the values. It deletes itself.
    """

    def __init__(
        self,
        title: str,
        text: str,
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
        label = plain_label(text, wordWrap=True)
        label.setVisible(bool(text))
        lay_out_dialog(self, label, (self.form, 1), foot=(buttons,))

    def _accept(self) -> None:
        self.accept()
        self._done_with(self.form.values())
