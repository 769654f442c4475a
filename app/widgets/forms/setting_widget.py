"""A widget of a form that shows the value of one setting, and lets the user change it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QWidget


class SettingField(NamedTuple):
    """A widget that shows the value of a setting."""

    widget: QWidget

    value: Callable[[], object]
    """Returns the value that is shown; None if the setting is not set."""

    set_value: Callable[[object], object]
    """Shows a value; the widget may report that as a change, see ``show``."""

    def show(self, value: object) -> None:
        """Show a value; the field does not report it as a change."""
        with QSignalBlocker(self.widget):
            self.set_value(value)
