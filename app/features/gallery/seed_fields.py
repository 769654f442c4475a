"""Which maps the gallery shows: a seed, and the number to begin with."""

from __future__ import annotations

import re
import secrets

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from app.qt_guard import connect
from app.widgets.forms.number_field import NumberField
from app.widgets.layout.builders import plain_label, tool_button
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT

_NAME = re.compile(r"(?:.*\bseed\s+(\d+)\D+)?(\d+)\s*")


class SeedFields(QWidget):
    """The gallery's seed, and the number of the map from which it shows maps."""

    typed = Signal()
    """The seed is another one, and more keys may come."""
    requested = Signal(object, object)
    """Maps of a seed are to be shown from a number on: the seed and the number."""
    mistaken = Signal(str)
    """What was typed is no number: a message."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = NumberField(SEED_LIMIT)
        self.seed.show_value(seed)
        self.seed.setAccessibleName("Seed of the gallery")
        self.seed.setToolTip("The gallery's seed: with the number below a map it makes that map")
        self.new_seed = tool_button("New seed", "Let chance choose the gallery's seed")
        self.go_to = QLineEdit()
        self.go_to.setPlaceholderText("Go to no.")
        self.go_to.setAccessibleName("Go to number")
        self.go_to.setToolTip("Show maps from this number on; the name of a map will do as well")
        for field, least in ((self.seed, "0000000"), (self.go_to, "Go to no.")):
            field.setMinimumWidth(field.fontMetrics().horizontalAdvance(least) + 14)
            field.setMaximumWidth(field.fontMetrics().horizontalAdvance("0000000000") + 24)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(plain_label("Seed"))
        row.addWidget(self.seed, 1)
        row.addWidget(self.new_seed)
        row.addWidget(self.go_to, 1)
        row.addStretch()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        connect(self.seed.typed, lambda _seed: self.typed.emit())
        connect(
            self.new_seed.clicked, lambda: self.requested.emit(secrets.randbelow(SEED_LIMIT), 0)
        )
        connect(self.go_to.returnPressed, self._go)

    def _go(self) -> None:
        name = _NAME.fullmatch(self.go_to.text())
        if name is None or int(name[2]) >= NUMBER_LIMIT or int(name[1] or 0) >= SEED_LIMIT:
            self.mistaken.emit(
                "Go to no. wants a number, or the name of a map such as Hills, seed 5 no. 17"
            )
            return
        self.requested.emit(int(name[1] or self.seed.value), int(name[2]))
