"""A dialog that asks for the values of a few settings.

    FormDialog("Shift map", "", (COLUMNS, ROWS), {}, shift_by, window).open()

``done_with``, here the function shift_by, gets the values by name, unless the dialog is cancelled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from app.qt_guard import connect
from app.widgets.dialogs.dialog_status import DialogStatus
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import plain_label
from app.widgets.layout.dialog_layout import lay_out_dialog
from randomizer.model.problems import Severity
from randomizer.model.settings.setting import Setting


def _nothing_wrong(_values: Mapping[str, object]) -> str:
    """Return "": nothing stands against any values."""
    return ""


class FormDialog(QDialog):
    """A form with a text above it ("" for none), and the buttons OK and Cancel.

    ``why_not`` returns the reason why the values cannot be used, "" if they can. The reason is
    shown below the form, and OK cannot be pressed. When OK is pressed the dialog closes and calls
    ``done_with`` with the values. It deletes itself.
    """

    def __init__(
        self,
        title: str,
        text: str,
        settings: Iterable[Setting],
        values: Mapping[str, object],
        done_with: Callable[[dict[str, object]], object],
        parent: QWidget,
        *,
        why_not: Callable[[dict[str, object]], str] = _nothing_wrong,
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(title)
        self._done_with = done_with
        self._why_not = why_not
        self.form = SettingsForm(title_end=":")
        self.form.set_settings(settings, values)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self.ok_button = buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.status = DialogStatus("Why this is not possible")
        # It keeps its room, so that the fields stay where they are while one types.
        policy = self.status.sizePolicy()
        policy.setRetainSizeWhenHidden(why_not is not _nothing_wrong)
        self.status.setSizePolicy(policy)
        self.status.setMinimumHeight(self.fontMetrics().lineSpacing())
        connect(self.form.changed, lambda _name: self._check())
        connect(buttons.accepted, self._accept)
        connect(buttons.rejected, self.reject)
        label = plain_label(text, wordWrap=True)
        label.setVisible(bool(text))
        lay_out_dialog(self, label, (self.form, 1), foot=(self.status, buttons))
        self._check()
        self._select_first_text()

    def _select_first_text(self) -> None:
        """Give the first field the keyboard; of a text all is selected, to be typed over."""
        if not self.form.settings:
            return
        field = self.form.field(self.form.settings[0].name)
        if isinstance(field, QLineEdit):
            field.setFocus()
            field.selectAll()

    def _check(self) -> None:
        """Tell why the values cannot be used, if so, and enable OK if they can."""
        reason = self._why_not(self.form.values())
        self.status.say(reason, Severity.ERROR)
        self.status.setVisible(bool(reason))
        self.ok_button.setEnabled(not reason)

    def _accept(self) -> None:
        """Close the dialog, and hand over the values."""
        self.accept()
        self._done_with(self.form.values())
