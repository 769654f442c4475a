"""Which group or slot of a game gets maps: one that the game has, or a new one."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit

from app.features.game.places import GamePlaces
from app.qt_guard import connect
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described, labelled
from randomizer.games import MapGroup, PlaceLevel


class LevelChoice(QObject):
    """A list of the places of one level, and a field for the name of a new one.

    The list ends with a new one where the level has such; ``name`` is visible while that is chosen.
    The dialog lays out the ``fields``, (label, field) of both. ``else_new``: a new one is chosen at
    first if none is preferred, else the first. ``changed()``: one is chosen, the same one too where
    the names were read again.
    """

    changed = Signal()

    def __init__(
        self,
        level: PlaceLevel,
        tip: str,
        parent: QObject,
        name_label: str = "&Name:",
        *,
        else_new: bool = False,
    ) -> None:
        super().__init__(parent)
        self._else_new = else_new
        self._new = f"New {level.name}..." if level.new else ""
        self.box = described(pass_wheel_on(QComboBox()), level.title, tip)
        connect(self.box.currentIndexChanged, lambda _row: self._change())
        self.name = described(QLineEdit(level.new), f"Name of the new {level.name}", level.new_help)
        self._name_label = labelled(name_label, self.name)
        self.fields = (
            (labelled(f"&{level.title}:", self.box), self.box),
            (self._name_label, self.name),
        )
        self.show_nothing()

    @property
    def is_new(self) -> bool:
        """True if one is chosen that the game does not have."""
        return bool(self._new) and self.box.currentText() == self._new

    @property
    def title(self) -> str:
        """The name of the place that gets the map, "" while there is none."""
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

        The one chosen before stays, else the first of ``preferred`` that is offered, in any case of
        letters, is chosen.
        """
        first_names = [self.title] if self.box.count() else []
        row = self._row_of(names, [*first_names, *preferred], was_new=self.is_new)
        with QSignalBlocker(self.box):
            self.box.clear()
            self.box.addItems(list(names))
            if self._new:
                self.box.insertSeparator(self.box.count())
                self.box.addItem(self._new)
            self.box.setCurrentIndex(row if row < len(names) else self.box.count() - 1)
        self.box.setEnabled(True)
        self._change()

    def _row_of(self, names: Sequence[str], preferred: Sequence[str], *, was_new: bool) -> int:
        """Return the row to choose; that of a new one lies behind the names."""
        first = preferred[0] if preferred else ""
        if first in names:
            return list(names).index(first)
        if self._new and (was_new or (first and first == self.name.text())):  # or was taken back
            return len(names)
        folded = [name.casefold() for name in names]
        for name in preferred:
            if name and name.casefold() in folded:
                return folded.index(name.casefold())
        if self._new and self._else_new:
            return len(names)
        return 0


class GroupChoice(LevelChoice):
    """The choice of a game's group. In a game with one level nobody is asked: it has one."""

    def __init__(self, places: GamePlaces, tip: str, parent: QObject) -> None:
        self._places = places
        super().__init__(places.group_level, tip, parent)
        connect(places.lost, self.show_nothing)

    @property
    def shown(self) -> MapGroup | None:
        """The group whose slots and maps are shown; for a new one the first."""
        return self._places.group(self.title) or next(iter(self._places.groups), None)

    def show_groups(self, *preferred: str) -> None:
        """Offer the groups of the game as they are now; ``changed`` follows."""
        self.show_names(
            [group.name for group in self._places.groups if not group.format], preferred
        )
