"""Which variant of a game gets maps: one that the game has, or a new one."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit

from app.features.game.places import GamePlaces
from app.qt_guard import connect
from app.widgets.builders import described
from randomizer.games import GameVariant


class VariantChoice(QObject):
    """A list of the variants with a new one at its end, and a field for the name of that.

    The dialog lays out ``box`` and ``name`` and asks to ``show_variants``; ``preferred`` gives the
    variant that is chosen then unless another was before. ``changed()``: one is chosen, the same
    one too where the variants were read again.
    """

    changed = Signal()

    def __init__(
        self, places: GamePlaces, tip: str, preferred: Callable[[], str], parent: QObject
    ) -> None:
        super().__init__(parent)
        self._places, self._preferred = places, preferred
        word = places.host.NAMES.variant
        self._new = f"New {word}..."
        self.box = described(QComboBox(), word.capitalize(), tip)
        connect(self.box.currentIndexChanged, lambda _row: self.changed.emit())
        tip = "A folder of this name is made; it must not have blanks"
        self.name = described(QLineEdit("MyLands"), f"Name of the new {word}", tip)
        connect(places.lost, self._show_nothing)
        self._show_nothing()

    @property
    def is_new(self) -> bool:
        """Whether a variant of one's own is to be made."""
        return self.box.currentText() == self._new

    @property
    def title(self) -> str:
        """The name of the variant that gets the maps, "" while there is none."""
        return self.name.text() if self.is_new else self.box.currentText()

    @property
    def shown(self) -> GameVariant | None:
        """The variant whose terrains and maps are shown; for a new one the first."""
        return self._places.variant(self.title) or next(iter(self._places.variants), None)

    def _show_nothing(self) -> None:
        self.box.blockSignals(True)
        self.box.clear()
        self.box.blockSignals(False)
        self.box.setEnabled(False)

    def show_variants(self) -> None:
        """Offer the variants of the game as they are now; ``changed`` follows."""
        was_new = self.is_new
        keep = self.title if self.box.count() else self._preferred()
        self.box.blockSignals(True)
        self.box.clear()
        self.box.addItems([variant.name for variant in self._places.variants])
        self.box.insertSeparator(self.box.count())
        self.box.addItem(self._new)
        index = self.box.findText(keep) if keep else -1
        if index < 0 and (was_new or (keep and keep == self.name.text())):  # or was taken back
            index = self.box.count() - 1
        self.box.setCurrentIndex(max(0, index))
        self.box.blockSignals(False)
        self.box.setEnabled(True)
        self.changed.emit()
