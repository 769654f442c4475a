"""The combo box of the panel "Odds": whose chances the map shows.

It has rows such as *Likeliest hazard*, *Bog*, *Elevation 2* and *Slope (hexside)*.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QComboBox, QSizePolicy

from app.features.odds.odds_heat import LIKELIEST, Choice, ChoiceKind

MIN_LETTERS = 12
"""The least width of the combo box, in letters."""

PictureOf = Callable[[Choice], QIcon]
"""Makes the small picture of a choice."""


class ChoiceCombo(QComboBox):
    """Offers choices, each with its name and its picture; it always has ``LIKELIEST``."""

    def __init__(self, picture_of: PictureOf) -> None:
        super().__init__()
        self._picture_of = picture_of
        self.offered: list[Choice] = []
        """The choices in the order of the rows."""
        self.setAccessibleName("What the map shows")
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(MIN_LETTERS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    @property
    def choice(self) -> Choice:
        """The choice of the user; ``LIKELIEST`` before anything is offered."""
        row = self.currentIndex()
        if row >= 0:
            return self.offered[row]
        return LIKELIEST

    def offer(self, names: Mapping[Choice, str]) -> None:
        """Offer these choices with their names. The user's choice stays, without a signal.

        Raises ValueError if that is not among them.
        """
        choices = sorted(names, key=_position_in_list)
        offered_names = [self.itemText(row) for row in range(self.count())]
        if (choices, [names[choice] for choice in choices]) == (self.offered, offered_names):
            return  # so that a list that the user has opened stays open
        chosen = self.choice
        with QSignalBlocker(self):
            self.clear()
            for choice in choices:
                self.addItem(self._picture_of(choice), names[choice])
            self.offered = choices
            self.setCurrentIndex(choices.index(chosen))

    def withdraw_all(self) -> None:
        """Offer nothing, so that ``LIKELIEST`` is chosen; no signal tells of it."""
        with QSignalBlocker(self):
            self.clear()
        self.offered = []

    def draw_pictures(self) -> None:
        """Draw the pictures of the choices again, since maps have other colours."""
        for row, choice in enumerate(self.offered):
            self.setItemIcon(row, self._picture_of(choice))


def _position_in_list(choice: Choice) -> tuple[int, int]:
    """Return the key by which choices are sorted: by kind, then by code."""
    return list(ChoiceKind).index(choice.kind), choice.code
