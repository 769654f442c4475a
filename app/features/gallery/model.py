"""The maps of the gallery as rows: pinned ones first, the others by number or by a measure.

``GalleryList`` has one ``GalleryModel``, which ``GalleryView`` shows. A *candidate* is a map that
was rolled; a candidate that could not be made has problems and no picture. A *measure* gives each
candidate a number, such as its count of lakes.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QPixmap

from app.appearance.quotes import with_quotes
from app.features.gallery.candidates import Candidate, same_roll
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import plain_text
from randomizer.batches.favour import describe_favour
from randomizer.model.map.layer import Roll

if TYPE_CHECKING:
    from app.render.thumbnails.roll_thumbnails import RollThumbnails
    from randomizer.batches.batch import Measure
    from randomizer.model.rolls.draw_key import DrawKey

NO_PARENT = QModelIndex()
"""The parent of all rows: a list has no rows within rows."""

MAX_PROBLEMS = 3
"""At most so many problems of a failed map are in its tool tip."""


class GalleryModel(QAbstractListModel):
    """The candidates of the gallery as a list for Qt's views.

    Pictures are drawn when a view first asks for them.
    """

    def __init__(self, pictures: RollThumbnails, parent: QObject) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._pinned: list[Candidate] = []
        """The pinned maps, in the order in which they were pinned."""
        self._unpinned: list[Candidate] = []
        """The maps that the search has found so far, in its order. A map in it can also be pinned:
        it is then shown among the pinned ones only."""
        self._old_digests: dict[DrawKey, str] = {}
        """The digests of the maps before the last search, by seed and number.

        Their pictures are shown until those of the new maps are drawn.
        """
        self.measure: Measure | None = None
        """The measure by which the maps are sorted; None: by number."""
        self.descending = False
        """True to sort the largest first."""
        self.candidates: list[Candidate] = []
        """The rows: pinned maps, then the others as they are sorted."""
        self.roll_on_map: Roll | None = None
        """The roll that the map shows now, whose candidate is marked; None if it shows no roll."""
        connect(pictures.drawn, self._repaint)

    # --- the candidates and their order ---------------------------------------------------------

    @property
    def unpinned(self) -> tuple[Candidate, ...]:
        """The candidates that the search has found, in its order."""
        return tuple(self._unpinned)

    @property
    def pinned(self) -> tuple[Candidate, ...]:
        """The candidates that are pinned."""
        return tuple(self._pinned)

    def set_pinned(self, pinned: Iterable[Candidate]) -> None:
        """Show these pinned maps instead of the former ones."""
        self._pinned = list(pinned)
        self._arrange()

    def set_unpinned(self, candidates: Iterable[Candidate]) -> None:
        """Show these maps, besides the pinned ones, instead of the former ones."""
        self._pictures.forget_requests()  # a view asks again for those that it shows
        self._old_digests = {candidate.key: candidate.digest for candidate in self._unpinned}
        self._unpinned = list(candidates)
        self._arrange()

    def add(self, candidates: Sequence[Candidate]) -> None:
        """Show these maps too."""
        self._unpinned += candidates
        self._arrange()

    def sort_by(self, measure: Measure | None) -> None:
        """Sort by a measure whose values are known by now, or (None) by number."""
        self.measure = measure
        self._arrange()

    def set_descending(self, descending: bool) -> None:
        """Sort the largest first, or the smallest."""
        self.descending = descending
        self._arrange()

    def show_roll(self, roll: Roll | None) -> None:
        """Mark the candidate of the roll that the map shows now; None if the map shows no roll."""
        self.roll_on_map = roll
        self._repaint()

    def is_pinned(self, candidate: Candidate) -> bool:
        """Return whether a map is one of those that stand among the pinned ones."""
        return any(candidate is pinned_candidate for pinned_candidate in self._pinned)

    def is_on_desk(self, candidate: Candidate) -> bool:
        """Return whether the current map shows the roll of a candidate now."""
        return self.roll_on_map is not None and same_roll(candidate.roll, self.roll_on_map)

    def value(self, candidate: Candidate) -> float | None:
        """Return the value of the chosen measure; None if it is not known yet, or there is none."""
        if self.measure is None:
            return None
        value = candidate.values.get(self.measure.name)
        if value is None or math.isnan(value):
            return None
        return value

    def value_text(self, candidate: Candidate) -> str:
        """Return the value of the chosen measure as text, "" for none."""
        value = self.value(candidate)
        if value is None or self.measure is None:
            return ""
        return format_value(self.measure, value)

    def _arrange(self) -> None:
        """Sort the candidates anew, and tell views of it."""
        unpinned = [
            candidate for candidate in self._unpinned if not self._is_shown_as_pin(candidate)
        ]
        if self.measure is not None:
            unpinned.sort(key=self._sort_key)
        elif self.descending:
            unpinned.reverse()
        candidates = [*self._pinned, *unpinned]
        old_keys = [candidate.key for candidate in self.candidates]
        if [candidate.key for candidate in candidates] == old_keys:
            # The same seeds and numbers in the same order: only their maps look different, since
            # the script was changed. Without a reset of the model the chosen rows stay chosen.
            self.candidates = candidates
            self._repaint()
            return
        self.beginResetModel()
        self.candidates = candidates
        self.endResetModel()

    def _is_shown_as_pin(self, candidate: Candidate) -> bool:
        """Return whether the same roll is pinned: the pinned map is then shown instead."""
        return any(same_roll(candidate.roll, pinned.roll) for pinned in self._pinned)

    def _sort_key(self, candidate: Candidate) -> tuple[bool, float, int]:
        """Return the key for sorting by measure: maps without a value come last, by number."""
        value = self.value(candidate)
        number = candidate.roll.number
        if value is None:
            return True, 0.0, number
        if self.descending:
            value = -value
        return False, value, number

    def _repaint(self) -> None:
        """Let views draw all rows again."""
        if self.candidates:
            self.dataChanged.emit(self.index(0), self.index(len(self.candidates) - 1))

    # --- Qt's questions ---------------------------------------------------------------------

    @guarded(default=0)
    def rowCount(self, parent: Any = NO_PARENT) -> int:
        """Return how many maps are shown."""
        if parent.isValid():
            return 0
        return len(self.candidates)

    @guarded(default=None)
    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text, picture or tool tip of a map, or what a screen reader says of it."""
        candidate = self.candidates[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._caption(candidate)
        if role == Qt.ItemDataRole.DecorationRole:
            return self._picture(candidate)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_text(self._description(candidate))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._description(candidate).replace("\n", ", ")
        return None

    def _caption(self, candidate: Candidate) -> str:
        """Return the number of a map, for a pinned one with its seed: the form can have another."""
        if self.is_pinned(candidate):
            return f"seed {candidate.roll.seed} no. {candidate.roll.number}"
        return f"no. {candidate.roll.number}"

    def _picture(self, candidate: Candidate) -> QPixmap | None:
        """Return the picture of a map; None for a failed one, and for one that is not drawn yet.

        In place of a picture that is not drawn yet comes that of the map that had its seed and
        number before the last search, if there was one.
        """
        if candidate.problems:
            return None
        picture = self._pictures.cached(candidate.digest)
        if picture is None:
            self._pictures.request(candidate.digest, (candidate.batch, candidate.row))
            picture = self._pictures.cached(self._old_digests.get(candidate.key, ""))
        return picture

    def _description(self, candidate: Candidate) -> str:
        """Return the name, problems, value and state of a map as lines of text."""
        lines = [candidate.name]
        for problem in candidate.problems[:MAX_PROBLEMS]:
            lines.append(with_quotes(problem.message))
        value = self.value_text(candidate)
        if value and self.measure is not None:
            lines.append(f"{self.measure.title}: {value}")
        if self.is_pinned(candidate):
            lines.append("Pinned")
        if self.is_on_desk(candidate):
            lines.append("The map shows it now")
        return "\n".join(lines)


def format_value(measure: Measure, value: float) -> str:
    """Return a value of a measure as people write it: "yes", "12 hexes", "attacker +12 %"."""
    if measure.yes_no:
        if value:
            return "yes"
        return "no"
    if float(value).is_integer():
        number = f"{value:.0f}"
    else:
        number = f"{value:.2f}"
    if measure.favours is not None:
        return describe_favour(value, number.removeprefix("-"), measure.unit, measure.favours)
    return f"{number} {measure.unit}".rstrip()
