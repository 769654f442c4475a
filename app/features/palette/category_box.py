"""The choice of the category whose kinds of things the palette lists (listed_kinds.py)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QComboBox

from app.features.palette.kind_list import counted_title
from app.features.palette.listed_kinds import OF_GAME, OF_MAP
from app.qt_guard import connect
from app.widgets.forms.committed_form import NARROW
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described
from randomizer.model.things.thing_kind import ThingKind

MAP_TITLE = "Usual and on this map"
"""The title of the first category: the kinds of the map, and those that any such map can have."""

GAME_TITLE = "Of the game"
"""The title of the second category: all kinds of the installed game, the usual ones without it."""

MIN_LETTERS = 6
"""The box is at least so many letters wide: a longer title is cut in a narrow palette."""


class CategoryBox(QComboBox):
    """A list of the categories of an installed game; its user data are the categories."""

    def __init__(self) -> None:
        super().__init__()
        pass_wheel_on(self)
        described(
            self,
            "Category of things",
            "What the list shows. A word to filter by finds things of the whole game in any case",
        )
        self.setSizeAdjustPolicy(NARROW)
        self.setMinimumContentsLength(MIN_LETTERS)
        self._chosen_category = OF_MAP
        """The category that the user chose last.

        It is chosen again when a game is offered that has it.
        """
        connect(self.currentIndexChanged, self._note_choice)

    def _note_choice(self) -> None:
        """Note the category that the user has chosen."""
        self._chosen_category = self.category

    @property
    def category(self) -> str:
        """The category that is shown; that of the map as long as no game was offered."""
        if self.currentIndex() < 0:
            return OF_MAP
        category: str = self.currentData()
        return category

    def offer_game(self, kinds: Sequence[ThingKind]) -> None:
        """Offer the categories of a game with these kinds, without a signal.

        They are that of the map, all kinds, each group, and each family in ABC order. The category
        that was chosen last is shown; if it is not among them, that of the map.
        """
        groups = Counter(kind.group for kind in kinds)
        families = Counter(kind.family for kind in kinds if kind.family)
        with QSignalBlocker(self):
            self.clear()
            self.addItem(MAP_TITLE, OF_MAP)
            self.addItem(counted_title(GAME_TITLE, len(kinds)), OF_GAME)
            for kinds_by_name in (groups, dict(sorted(families.items()))):
                self.insertSeparator(self.count())
                for name, count in kinds_by_name.items():
                    self.addItem(counted_title(name, count), name)
            row = self.findData(self._chosen_category)
            self.setCurrentIndex(max(0, row))
