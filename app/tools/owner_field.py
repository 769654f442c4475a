"""The field of the tool options that says to whom the next thing will belong."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QSignalBlocker
from PySide6.QtGui import QColor, QIcon
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from app.qt_guard import connect
from app.render.scene.things.looks import colour_of
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described, lay_out, plain_label
from app.widgets.lists.entry_model import swatch
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import kinds_of
from randomizer.model.things.thing_kind import NewOwner, ThingKind

if TYPE_CHECKING:
    from app.document.document import MapDocument
    from app.tools.options import ToolOptions

NOBODY = 0
"""The owner of a thing that belongs to nobody."""

MIN_LETTERS = 10
"""The field is as wide as so many letters, at least: longer names are cut off in a narrow bar."""


class _ListedOwner(NamedTuple):
    """An owner as it is listed."""

    number: int
    label: str

    colour: str
    """Its colour; "" for nobody, whose things have the colour of their kind."""


class OwnerField(QWidget):
    """A list of the sides or players of the map, each with its colour.

    It shows the owner of ``ToolOptions.thing``, the thing that is placed next, or while nothing is
    placed the owner that was chosen last. It is hidden if nobody can own that thing, and on a map
    that has no list of owners.
    """

    def __init__(self, options: ToolOptions, document: MapDocument) -> None:
        super().__init__()
        self._options = options
        self._document = document
        self._listed: list[_ListedOwner] = []
        """The owners that are listed."""
        self._label = plain_label()
        self.box = described(
            pass_wheel_on(QComboBox()),
            "Owner of new things",
            "To whom the next thing that is placed will belong",
        )
        self.box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.box.setMinimumContentsLength(MIN_LETTERS)
        self._label.setBuddy(self.box)
        lay_out(QHBoxLayout(self), self._label, self.box, margins=0)
        connect(self.box.activated, lambda _row: options.choose_owner(self.box.currentData()))
        connect(options.changed, self.show_owner)
        connect(document.changed, self._on_changed)
        self.show_owner()

    def _on_changed(self, region: Region) -> None:
        """Show the owners again: they are in a record of the map."""
        if region.records or region.everything:
            self.show_owner()

    def show_owner(self) -> None:
        """Show the owner of the next thing among those of the map."""
        kind = self._kind()
        owners: tuple[tuple[int, str], ...] = ()
        if kind is not None:
            owners = kind.owners
        self._label.setText(self._document.battlemap.system.thing_rules.owner)
        for widget in (self._label, self.box):
            widget.setVisible(bool(owners))
        if kind is None or not owners:
            return
        self._list_owners(kind)
        next_thing = self._options.thing
        if next_thing is not None:
            owner = next_thing.owner
        elif self._options.owner is not None:
            owner = self._options.owner
        else:
            owner = NOBODY
        with QSignalBlocker(self.box):
            self.box.setCurrentIndex(self.box.findData(owner))

    def _kind(self) -> ThingKind | None:
        """Return a kind with the owners that the next thing can have.

        It is the kind of that thing; if this one lists no owners, as a kind of the game that the
        map has not used yet, the first kind on the map that does. None if there is none, or nobody
        can own the thing.
        """
        battlemap = self._document.battlemap
        if self._options.thing is not None:
            next_kind = battlemap.system.thing_kind(battlemap, self._options.thing.kind)
            if next_kind is not None and next_kind.new_owner is NewOwner.NOBODY:
                return None
            if next_kind is not None and next_kind.owners:
                return next_kind
        for kind in kinds_of(battlemap):
            if kind.owners:
                return kind
        return None

    def _list_owners(self, kind: ThingKind) -> None:
        """List the owners of a kind with their colours, unless they are listed already."""
        owners = []
        for number, label in kind.owners:
            colour = ""
            if number != NOBODY:
                colour = colour_of(kind, number)
            owners.append(_ListedOwner(number, label, colour))
        if owners == self._listed:
            return
        self._listed = owners
        with QSignalBlocker(self.box):
            self.box.clear()
            for owner in owners:
                icon = QIcon()
                if owner.colour:
                    icon = QIcon(swatch(QColor(owner.colour)))
                self.box.addItem(icon, owner.label, owner.number)
