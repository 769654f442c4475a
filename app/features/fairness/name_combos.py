"""Lists of names to choose from, whose names change with the map."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox, QSizePolicy

from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described


def name_combo(title: str, tip: str = "") -> QComboBox:
    """Return an empty list as wide as the column it is in; screen readers call it ``title``."""
    combo = described(pass_wheel_on(QComboBox()), title, tip)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    return combo


def offer_names(combo: QComboBox, names: Iterable[str]) -> None:
    """Offer these names in place of the present ones, without a signal.

    The chosen name stays if it is one of them; else the first one is chosen.
    """
    new_names = list(names)
    present_names = [combo.itemText(row) for row in range(combo.count())]
    if new_names == present_names:
        return
    row = 0
    if combo.currentText() in new_names:
        row = new_names.index(combo.currentText())
    with QSignalBlocker(combo):
        combo.clear()
        combo.addItems(new_names)
        combo.setCurrentIndex(row)
