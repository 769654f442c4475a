"""The switch "Layers above" of panels about many maps: it includes the layers above the roll."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox

from app.widgets.layout.builders import described

if TYPE_CHECKING:
    from randomizer.roll_base import Base


class LayersAbove(QCheckBox):
    """A check box, ticked at first, that is hidden while there is no layer above the roll.

    ``tip`` says what it changes in its panel.
    """

    def __init__(self, tip: str) -> None:
        super().__init__("Layers above")
        described(self, tip=tip)
        self.setChecked(True)
        self.hide()

    def base_for(self, base: Base) -> Base:
        """Show the switch if it matters for ``base``, and return the base that it asks for.

        That is ``base`` itself, or one without the layers above the roll.
        """
        self.setVisible(base.above is not None)
        if self.isChecked():
            return base
        return base.without_layers_above()
