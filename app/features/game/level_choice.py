"""The list in which the user chooses where in a game an exported map goes.

A game has *slots*, each for one map. Many games have *groups* of slots, such as variants. Groups
and slots are the *levels* of a game. For each level the dialogs of exports have a ``LevelChoice``:
a list of the names in the game, ending with "New ...", and a field for the name of a new one.
``GroupChoice`` is that of the groups.

    groups = GroupChoice(game_folder, "The variant that gets the map", dialog)
    groups.show_groups("My variant")     # the names in the game; this one is chosen if it is there
    groups.title, groups.is_new          # what the user has chosen
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QWidget

from app.features.game.game_folder import GameFolder
from app.qt_guard import connect
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described, labelled
from randomizer.games.slots import MapGroup, SlotLevel


class LabelledField(NamedTuple):
    """A field with its label, to be laid out by a dialog."""

    label: QLabel
    field: QWidget


class LevelChoice(QObject):
    """A list of the groups or slots of a game, and a field for the name of a new one.

    If the game can get new ones, the list ends with an entry for that; the field is visible while
    this entry is chosen.
    """

    changed = Signal()
    """A name was chosen, by the user or by ``show_names``; it can be the same as before."""

    def __init__(
        self,
        level: SlotLevel,
        tip: str,
        parent: QObject,
        name_label: str = "&Name:",
        *,
        prefers_new: bool = False,
    ) -> None:
        """Make the widgets for a level, with nothing to choose yet.

        ``tip`` is that of the list, ``name_label`` that of the field for a new name. With
        ``prefers_new`` the entry "New ..." is chosen at first, unless a preferred name is listed.
        """
        super().__init__(parent)
        self._prefers_new = prefers_new
        self._new_entry = ""
        """The last entry of the list; "" if nothing new can be added to the game at this level."""
        can_add_new = bool(level.new)  # it is the first name in the field for a new one
        if can_add_new:
            self._new_entry = f"New {level.name}..."
        self.box = described(pass_wheel_on(QComboBox()), level.title, tip)
        """The list of names."""
        connect(self.box.currentIndexChanged, lambda _row: self._on_chosen())
        self.name = described(QLineEdit(level.new), f"Name of the new {level.name}", level.new_help)
        """The field for the name of a new group or slot."""
        self._name_label = labelled(name_label, self.name)
        self.labelled_fields = (
            LabelledField(labelled(f"&{level.title}:", self.box), self.box),
            LabelledField(self._name_label, self.name),
        )
        """The list, and the field for a new name."""
        self.show_nothing()

    @property
    def is_new(self) -> bool:
        """True if the entry "New ..." is chosen."""
        last_row = self.box.count() - 1
        return bool(self._new_entry) and self.box.currentIndex() == last_row >= 0

    @property
    def title(self) -> str:
        """The name of the chosen group or slot, or that of the new one; "" while none is listed."""
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
        """Show the field for a new name while "New ..." is chosen."""
        self._name_label.setVisible(self.is_new)
        self.name.setVisible(self.is_new)

    def _on_chosen(self) -> None:
        """Show the field for a new name if it is needed now, and tell of the choice."""
        self._show_name()
        self.changed.emit()

    def show_names(self, names: Sequence[str], preferred: Sequence[str] = ()) -> None:
        """Offer these names, and choose one of them; ``changed`` follows.

        The name that is chosen now stays chosen if it is offered. Else the first of ``preferred``
        that is offered is chosen; capitals do not count.
        """
        row_to_choose = self._row_to_choose(names, preferred)
        with QSignalBlocker(self.box):
            self.box.clear()
            self.box.addItems(list(names))
            if self._new_entry:
                self.box.insertSeparator(self.box.count())
                self.box.addItem(self._new_entry)
            if row_to_choose is None:
                row_to_choose = self.box.count() - 1  # -1 in an empty list: Qt chooses no row
            self.box.setCurrentIndex(row_to_choose)
        self.box.setEnabled(True)
        self._on_chosen()

    def _row_to_choose(self, names: Sequence[str], preferred: Sequence[str]) -> int | None:
        """Return the row of ``names`` to choose; None for the entry "New ...", or for no row.

        The list still has its former entries. The first of these rules that fits counts:

        1. The name that is chosen now, exactly; the first preferred one if nothing is listed yet.
        2. "New ..." if that is chosen, or if the chosen group or slot, which is not there any more,
           has the name in the field for a new one: it was exported from here and taken back.
        3. The chosen name, then those that are preferred, whatever their capitals.
        4. "New ..." if the dialog prefers that, else the first name.
        """
        chosen_name = self.title
        if self.box.count() == 0:
            chosen_name = next(iter(preferred), "")
        if chosen_name and chosen_name in names:
            return list(names).index(chosen_name)

        can_add_new = bool(self._new_entry)
        was_taken_back = chosen_name != "" and chosen_name == self.name.text()
        if self.is_new or (can_add_new and was_taken_back):
            return None

        folded_names = [name.casefold() for name in names]
        for name in (chosen_name, *preferred):
            if name and name.casefold() in folded_names:
                return folded_names.index(name.casefold())

        if not names or (can_add_new and self._prefers_new):
            return None
        return 0


class GroupChoice(LevelChoice):
    """The choice of a game's group.

    A game without groups has all its slots in a single one, which is then chosen by itself; dialogs
    do not lay out the fields for it.
    """

    def __init__(self, game_folder: GameFolder, tip: str, parent: QObject) -> None:
        self._game_folder = game_folder
        super().__init__(game_folder.group_level, tip, parent)
        connect(game_folder.lost, self.show_nothing)

    @property
    def shown(self) -> MapGroup | None:
        """The group whose slots and maps the dialog shows; None if the game has no group.

        It is the chosen group. A new group gets the slots of the game's first group, so this is
        shown for it.
        """
        chosen_group = self._game_folder.group(self.title)
        if chosen_group is not None:
            return chosen_group
        return next(iter(self._game_folder.groups), None)

    def show_groups(self, *preferred: str) -> None:
        """Offer the groups of the game that maps can be written into, as ``show_names`` does."""
        # Maps of a group with a format of its own can only be opened.
        names = [group.name for group in self._game_folder.groups if not group.format]
        self.show_names(names, preferred)
