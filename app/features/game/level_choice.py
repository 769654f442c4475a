"""The choice of the group or the slot of a game that gets maps: an existing or a new one.

``LevelChoice`` is a list of names and a field for a new name; the dialogs of exports lay out both.
``GroupChoice`` is the one of groups, which fills itself from the folder of the game.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit

from app.features.game.game_folder import GameFolder
from app.qt_guard import connect
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described, labelled
from randomizer.games import MapGroup, PlaceLevel


class LevelChoice(QObject):
    """A list of the groups or slots of a game, and a field for the name of a new one.

    If the game can get new ones, the list ends with an entry for that; the field is visible while
    this entry is chosen.
    """

    changed = Signal()
    """One was chosen; also the same one again, if the names were read again."""

    def __init__(
        self,
        level: PlaceLevel,
        tip: str,
        parent: QObject,
        name_label: str = "&Name:",
        *,
        prefers_new: bool = False,
    ) -> None:
        """Make the widgets; ``prefers_new`` chooses a new one where no preferred name is listed."""
        super().__init__(parent)
        self._prefers_new = prefers_new
        self._new_entry = f"New {level.name}..." if level.new else ""
        """The last entry of the list; "" if the game cannot get new ones."""
        self.box = described(pass_wheel_on(QComboBox()), level.title, tip)
        connect(self.box.currentIndexChanged, lambda _row: self._change())
        self.name = described(QLineEdit(level.new), f"Name of the new {level.name}", level.new_help)
        self._name_label = labelled(name_label, self.name)
        self.fields = (
            (labelled(f"&{level.title}:", self.box), self.box),
            (self._name_label, self.name),
        )
        """The label and the field of the list, and those of the new name, to be laid out."""
        self.show_nothing()

    @property
    def is_new(self) -> bool:
        """True if a new one is chosen."""
        return bool(self._new_entry) and self.box.currentText() == self._new_entry

    @property
    def title(self) -> str:
        """The name of the chosen group or slot, "" while there is nothing to choose from."""
        if self.is_new:
            return self.name.text()
        return self.box.currentText()

    def show_nothing(self) -> None:
        """Offer nothing to choose from."""
        with QSignalBlocker(self.box):
            self.box.clear()
        self.box.setEnabled(False)
        self._show_name()

    def _show_name(self) -> None:
        for widget in (self._name_label, self.name):
            widget.setVisible(self.is_new)

    def _change(self) -> None:
        self._show_name()
        self.changed.emit()

    def show_names(self, names: Sequence[str], preferred: Sequence[str] = ()) -> None:
        """Offer these names; ``changed`` follows.

        The one that is chosen stays chosen, if it is among them. Else it is the first of
        ``preferred`` that is offered, in capitals or not.
        """
        if self.box.count():
            preferred = [self.title, *preferred]
        row_to_choose = self._row_to_choose(names, preferred)
        with QSignalBlocker(self.box):
            self.box.clear()
            self.box.addItems(list(names))
            if self._new_entry:
                self.box.insertSeparator(self.box.count())
                self.box.addItem(self._new_entry)
            if row_to_choose is None:
                row_to_choose = self.box.count() - 1
            self.box.setCurrentIndex(row_to_choose)
        self.box.setEnabled(True)
        self._change()

    def _row_to_choose(self, names: Sequence[str], preferred: Sequence[str]) -> int | None:
        """Return the row of the name to choose, None for the last row (a new one, if there is one).

        The list still has its earlier entries when this is called.
        """
        if preferred and preferred[0] in names:
            return list(names).index(preferred[0])

        # A new one stays chosen. So does one that was exported and taken back: it was chosen by its
        # name, which the game does not list any more but which still stands in the field.
        was_taken_back = bool(preferred) and preferred[0] != "" and preferred[0] == self.name.text()
        if self.is_new or (self._new_entry and was_taken_back):
            return None

        folded_names = [name.casefold() for name in names]
        for name in preferred:
            if name and name.casefold() in folded_names:
                return folded_names.index(name.casefold())

        can_prefer_new = bool(self._new_entry) and self._prefers_new
        if not names or can_prefer_new:
            return None
        return 0


class GroupChoice(LevelChoice):
    """The choice of a game's group.

    The only group of a game with one level is chosen by itself, and its fields are not laid out.
    """

    def __init__(self, game_folder: GameFolder, tip: str, parent: QObject) -> None:
        self._game_folder = game_folder
        super().__init__(game_folder.group_level, tip, parent)
        connect(game_folder.lost, self.show_nothing)

    @property
    def shown(self) -> MapGroup | None:
        """The group whose slots and maps are shown: for a new one the game's first, whose slots it
        gets; None if the game has none.
        """
        chosen = self._game_folder.group(self.title)
        if chosen is not None:
            return chosen
        return next(iter(self._game_folder.groups), None)

    def show_groups(self, *preferred: str) -> None:
        """Offer the groups of the game that maps can be written into; ``changed`` follows.

        The one that is chosen stays, else it is the first of ``preferred``.
        """
        names = [group.name for group in self._game_folder.groups if not group.format]
        self.show_names(names, preferred)
