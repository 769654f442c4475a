"""The switch of panels that tell of many maps: whether what lies above the roll counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox

from app.widgets.layout.builders import described

if TYPE_CHECKING:
    from randomizer.generator import Base


class LayersAbove(QCheckBox):
    """Hidden while nothing lies above the roll. ``tip`` says what it changes."""

    def __init__(self, tip: str, *, checked: bool) -> None:
        super().__init__("Layers above")
        described(self, tip=tip)
        self.setChecked(checked)
        self.hide()

    def base_for(self, base: Base) -> Base:
        """Return ``base`` with what lies above the roll, or that of the rolls alone."""
        self.setVisible(base.above is not None)
        if self.isChecked():
            return base
        return base.alone()
