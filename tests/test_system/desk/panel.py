"""The panel of Test land: a form for the height of level ground, and a button that makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app.qt_guard import connect
from app.widgets.forms.settings_form import SettingsForm
from app.widgets.layout.builders import STRETCH, described, lay_out
from randomizer.model.edits.value_edits import set_values
from randomizer.model.settings.setting import Setting
from tests.test_system.system import HEIGHT

if TYPE_CHECKING:
    from app.desk.desk import Desk

LEVEL = Setting(
    "level", int, "The height that every corner gets", 3, minimum=0, maximum=99, title="Level"
)


class LandPanel(QWidget):
    """Says how high the land is; levels the active layer."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._document = desk.document
        self.words = QLabel()
        self.form = SettingsForm(":")
        self.form.set_settings((LEVEL,), {})
        self.level_button = described(QPushButton("&Level"), tip="Give every corner this height")
        connect(self.level_button.clicked, self.level)
        connect(self._document.changed, lambda _region: self._show())
        connect(self._document.map_replaced, self._show)
        lay_out(QVBoxLayout(self), self.words, self.form, self.level_button, STRETCH)
        self._show()

    def _show(self) -> None:
        here = self._document.battlemap.system.name == "testsys"
        self.setEnabled(here)
        if here:
            heights = self._document.composite.planes[HEIGHT.name]
            things = sum(len(layer.things) for layer in self._document.battlemap.layers)
            self.words.setText(f"Highest corner: {heights.max()}, {things} things")

    def level(self) -> None:
        """Give every corner of the active layer the height of the form."""
        battlemap = self._document.battlemap
        corners = np.arange(np.prod(HEIGHT.shape(battlemap.grid)), dtype=np.intp)
        height = int(str(self.form.values()["level"]))
        edit = set_values(battlemap, self._document.active_layer_id, HEIGHT.name, corners, height)
        if edit is not None:
            self._document.push(edit, "Level the land")


def make(desk: Desk) -> LandPanel:
    """The panel."""
    return LandPanel(desk)
