"""The maps of the gallery as rows: pinned ones first, the others by number or by a measure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QPixmap

from app.features.gallery.candidates import Candidate, same_roll
from app.qt_guard import connect, guarded
from app.widgets.layout.builders import plain_text
from randomizer.batches.favour import describe_favour
from randomizer.model.map.layer import Roll

if TYPE_CHECKING:
    from app.render.thumbnails.thumbnail_queue import RollThumbnails
    from randomizer.batches.batch import Measure

NOWHERE = QModelIndex()

MOST_WORDS = 3
"""Of the problems of a failed map so many are told."""


class GalleryModel(QAbstractListModel):
    """``candidates`` in the order shown. Pictures are drawn when a view first asks for them."""

    def __init__(self, pictures: RollThumbnails, parent: QObject) -> None:
        super().__init__(parent)
        self._pictures = pictures
        self._pinned: list[Candidate] = []
        self._unpinned: list[Candidate] = []
        self._former: dict[tuple[int, int], str] = {}
        self.measure: Measure | None = None
        self.descending = False
        self.candidates: list[Candidate] = []
        self.shown: Roll | None = None
        connect(pictures.drawn, self._repaint)

    # --- what there is ----------------------------------------------------------------------

    @property
    def unpinned(self) -> tuple[Candidate, ...]:
        """The candidates that are not pinned, in the order found."""
        return tuple(self._unpinned)

    @property
    def pinned(self) -> tuple[Candidate, ...]:
        """The candidates that are pinned."""
        return tuple(self._pinned)

    def set_pinned(self, pinned: Iterable[Candidate]) -> None:
        """Show these pinned maps instead of those before."""
        self._pinned = list(pinned)
        self._arrange()

    def set_unpinned(self, candidates: Iterable[Candidate]) -> None:
        """Show these maps, besides the pinned ones, instead of those before."""
        self._pictures.forget_requests()  # a view asks again for those that it shows
        self._former = {candidate.key: candidate.digest for candidate in self._unpinned}
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

    def sort_down(self, descending: bool) -> None:
        """Sort the largest first, or the smallest."""
        self.descending = descending
        self._arrange()

    def show_roll(self, roll: Roll | None) -> None:
        """Mark the roll that the map shows now; None: none."""
        self.shown = roll
        self._repaint()

    def is_pinned(self, candidate: Candidate) -> bool:
        """Return whether a map stands among the pinned ones."""
        return any(candidate is pinned_candidate for pinned_candidate in self._pinned)

    def is_shown(self, candidate: Candidate) -> bool:
        """Return whether it is the map's present roll."""
        return self.shown is not None and same_roll(candidate.roll, self.shown)

    def value(self, candidate: Candidate) -> float | None:
        """Return the value of the chosen measure, None where it is not known (yet)."""
        if self.measure is None:
            return None
        value = candidate.values.get(self.measure.name)
        return None if value is None or math.isnan(value) else value

    def value_text(self, candidate: Candidate) -> str:
        """Return the value of the chosen measure as text, "" for none."""
        value = self.value(candidate)
        if value is None or self.measure is None:
            return ""
        return format_value(self.measure, value)

    def _arrange(self) -> None:
        unpinned = [
            candidate
            for candidate in self._unpinned
            if not any(same_roll(candidate.roll, pinned.roll) for pinned in self._pinned)
        ]
        if self.measure is not None:
            unpinned.sort(key=self._place)
        elif self.descending:
            unpinned.reverse()
        candidates = [*self._pinned, *unpinned]
        if [candidate.key for candidate in candidates] == [
            candidate.key for candidate in self.candidates
        ]:
            self.candidates = candidates  # the script was changed: a choice stays where it was
            self._repaint()
            return
        self.beginResetModel()
        self.candidates = candidates
        self.endResetModel()

    def _place(self, candidate: Candidate) -> tuple[bool, float, int]:
        value = self.value(candidate)
        if value is None:
            return True, 0.0, candidate.roll.number
        return False, -value if self.descending else value, candidate.roll.number

    def _repaint(self) -> None:
        if self.candidates:
            self.dataChanged.emit(self.index(0), self.index(len(self.candidates) - 1))

    # --- Qt's questions ---------------------------------------------------------------------

    @guarded(default=0)
    def rowCount(self, parent: Any = NOWHERE) -> int:
        """Return how many maps are shown."""
        if parent.isValid():
            return 0
        return len(self.candidates)

    @guarded(default=None)
    def data(self, index: Any, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Number, name, or picture."""
        candidate = self.candidates[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return f"no. {candidate.roll.number}"
        if role == Qt.ItemDataRole.DecorationRole:
            return self._picture(candidate)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain_text(self._words(candidate))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._words(candidate).replace("\n", ", ")
        return None

    def _picture(self, candidate: Candidate) -> QPixmap | None:
        """Return the picture; what was shown in its place until it is drawn; None for a failed
        map.
        """
        if candidate.problems:
            return None
        picture = self._pictures.cached(candidate.digest)
        if picture is None:
            self._pictures.request(candidate.digest, (candidate.batch, candidate.row))
            picture = self._pictures.cached(self._former.get(candidate.key, ""))
        return picture

    def _words(self, candidate: Candidate) -> str:
        lines = [candidate.name, *(problem.message for problem in candidate.problems[:MOST_WORDS])]
        value = self.value_text(candidate)
        if value and self.measure is not None:
            lines.append(f"{self.measure.title}: {value}")
        if self.is_pinned(candidate):
            lines.append("Pinned")
        if self.is_shown(candidate):
            lines.append("The map shows it now")
        return "\n".join(lines)


def format_value(measure: Measure, value: float) -> str:
    """Return a value of a measure as people write it."""
    if measure.yes_no:
        return "yes" if value else "no"
    if float(value).is_integer():
        number = f"{value:.0f}"
    else:
        number = f"{value:.2f}"
    if measure.favours is not None:
        return describe_favour(value, number.removeprefix("-"), measure.unit, measure.favours)
    return f"{number} {measure.unit}".rstrip()
