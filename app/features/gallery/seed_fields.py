"""The fields for the gallery's seed, and for the number of the map to begin with.

A script makes one map of each *seed* and *number*. The gallery shows the maps of one seed, from a
number on. The field "Go to no." takes a number, or the name of a map, which has both.
"""

from __future__ import annotations

import re
import secrets

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from app.qt_guard import connect
from app.widgets.forms.number_field import NumberField
from app.widgets.layout.builders import plain_label, tool_button
from randomizer.model.basics.dice import NUMBER_LIMIT, SEED_LIMIT

_MAP_NAME = re.compile(
    r"""
    (?: .* \b seed \s+ (?P<seed> \d{1,20} ) \D+ )?  # "Hills, seed 5 no. ", which can be left out
    (?P<number> \d{1,20} )
    """,
    re.VERBOSE,
)
"""The number of a map, or its name, such as "17" or "Hills, seed 5 no. 17".

Twenty digits are more than any number or seed has; thousands of them raise an error in ``int``.
"""

NARROWEST_SEED_TEXT = "0000000"
"""The field of the seed is at least as wide as this text."""

WIDEST_FIELD_TEXT = "0000000000"
"""Both fields are at most as wide as this text."""

NUMBER_HINT = "Go to no."
"""The text in the empty field of the number; the field is at least as wide."""

MIN_MARGINS = 14
"""The least width of a field beyond that of its text, for its frame, in logical pixels."""

MAX_MARGINS = 24
"""The greatest width of a field beyond that of its text, in logical pixels."""


class SeedFields(QWidget):
    """The gallery's seed, and the number of the map from which it shows maps."""

    seed_edited = Signal()
    """Another seed was typed; more digits of it may follow."""

    maps_requested = Signal(object, object)
    """Maps should be shown: those of this seed, from this number on.

    Two ints; declared as objects, since a Qt int has 32 bits only.
    """

    input_rejected = Signal(str)
    """A message for the user: the typed text is neither a number nor the name of a map."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.seed = NumberField(SEED_LIMIT)
        self.seed.show_value(seed)
        self.seed.setAccessibleName("Seed of the gallery")
        self.seed.setToolTip("The gallery's seed: with the number below a map it makes that map")
        self.new_seed = tool_button("New seed", "Let chance choose the gallery's seed")
        self.go_to = QLineEdit()
        self.go_to.setPlaceholderText(NUMBER_HINT)
        self.go_to.setAccessibleName("Go to number")
        self.go_to.setToolTip("Show maps from this number on; the name of a map will do as well")
        for field, least_text in ((self.seed, NARROWEST_SEED_TEXT), (self.go_to, NUMBER_HINT)):
            metrics = field.fontMetrics()
            field.setMinimumWidth(metrics.horizontalAdvance(least_text) + MIN_MARGINS)
            field.setMaximumWidth(metrics.horizontalAdvance(WIDEST_FIELD_TEXT) + MAX_MARGINS)
        self._lay_out()
        connect(self.seed.typed, lambda _seed: self.seed_edited.emit())
        connect(self.new_seed.clicked, self._choose_seed)
        connect(self.go_to.returnPressed, self._go_to_number)

    def _lay_out(self) -> None:
        """Put the fields beside each other; they share the width that there is."""
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(plain_label("Seed"))
        row.addWidget(self.seed, 1)
        row.addWidget(self.new_seed)
        row.addWidget(self.go_to, 1)
        row.addStretch()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def _choose_seed(self) -> None:
        """Ask for the maps of a seed chosen by chance."""
        self.maps_requested.emit(secrets.randbelow(SEED_LIMIT), 0)

    def _go_to_number(self) -> None:
        """Ask for the maps from the typed number on, of the typed seed if there is one."""
        match = _MAP_NAME.fullmatch(self.go_to.text().strip())
        if match is not None:
            seed = self.seed.value
            if match["seed"] is not None:
                seed = int(match["seed"])
            number = int(match["number"])
            if number < NUMBER_LIMIT and seed < SEED_LIMIT:
                self.maps_requested.emit(seed, number)
            else:
                self.input_rejected.emit(
                    f"Go to no. wants a number below {NUMBER_LIMIT:,}, of a seed below "
                    f"{SEED_LIMIT:,}"
                )
            return
        self.input_rejected.emit(
            "Go to no. wants a number, or the name of a map such as Hills, seed 5 no. 17"
        )
