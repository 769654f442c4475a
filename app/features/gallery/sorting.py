"""In what order the gallery's maps stand: the line "Sort by"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from app.qt_guard import connect
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described, plain_label, plain_text

if TYPE_CHECKING:
    from randomizer.batches.batch import Measure

BY_NUMBER = "number"

ELEVATIONS = "Elevations"
"""The group of the counts of elevations, as ``batches.counts`` calls it: that imports slowly."""

MOST_ELEVATIONS = 6
"""With more counts of elevations the list is too long to find something in it."""

WIDEST = 260
"""A list of names needs no more, in logical pixels, however wide the panel is."""


class GallerySorting(QWidget):
    """Chooses a measure, and whether the largest of it comes first.

    A measure that is chosen begins with what one looks for: the most of it, or the least.
    """

    chosen = Signal()
    """Another measure is chosen."""

    turned = Signal(bool)
    """The order is turned; True: the largest comes first."""

    def __init__(self) -> None:
        super().__init__()
        self._measures: tuple[Measure, ...] = ()
        self._sorted_by = BY_NUMBER
        """The name of the measure that was chosen last, or ``BY_NUMBER``."""
        self.box = pass_wheel_on(QComboBox())
        self.box.setAccessibleName("Sort by")
        self.box.setToolTip("In what order the maps stand; the value is below each map")
        self.box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.box.setMinimumContentsLength(6)
        self.box.addItem("Number", BY_NUMBER)
        self.direction = described(QToolButton(), "Largest first", "Turn the order round")
        self.direction.setCheckable(True)
        self.direction.setArrowType(Qt.ArrowType.UpArrow)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(plain_label("Sort by"))
        row.addWidget(self.box, 1)
        row.addWidget(self.direction)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumWidth(WIDEST)
        connect(self.box.activated, self._choose)
        connect(self.direction.toggled, self._turn_round)

    @property
    def measure(self) -> Measure | None:
        """By what the maps are sorted; None for their numbers."""
        name = self.box.currentData()
        return next((offered for offered in self._measures if offered.name == name), None)

    def offer(self, measures: tuple[Measure, ...]) -> bool:
        """Offer these; the chosen one stays if it is among them. Whether they are others."""
        measures = tuple(measure for measure in measures if not measure.cost)
        measures = _without_many_elevations(measures)
        if measures == self._measures:
            return False
        self._measures = measures
        chosen = self.box.currentData()
        self.box.clear()
        self.box.addItem("Number", BY_NUMBER)
        group = ""
        for measure in measures:
            if measure.group != group:
                group = measure.group
                self._add_heading(group)
            self.box.addItem(measure.title, measure.name)
            self.box.setItemData(
                self.box.count() - 1, plain_text(measure.help), Qt.ItemDataRole.ToolTipRole
            )
        self.box.setCurrentIndex(max(0, self.box.findData(chosen)))
        return True

    def _add_heading(self, text: str) -> None:
        """Add a row that tells what the rows below it are, and cannot be chosen."""
        self.box.addItem(text)
        model = self.box.model()
        assert isinstance(model, QStandardItemModel), "the one that Qt makes"
        heading = model.item(self.box.count() - 1)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)

    def _choose(self, _row: int) -> None:
        """Begin with what one looks for, unless the order of this measure was turned by hand."""
        name = self.box.currentData()
        if name != self._sorted_by:
            self._sorted_by = name
            measure = self.measure
            self.direction.setChecked(measure is not None and not measure.least_first)
        self.chosen.emit()

    def _turn_round(self, descending: bool) -> None:
        arrow = Qt.ArrowType.DownArrow if descending else Qt.ArrowType.UpArrow
        self.direction.setArrowType(arrow)
        self.turned.emit(descending)


def _without_many_elevations(measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Return the measures without the counts of elevations where these would fill the list.

    What is above ground stays, which comes first of them.
    """
    elevations = [measure for measure in measures if measure.group == ELEVATIONS]
    if len(elevations) <= MOST_ELEVATIONS:
        return measures
    left_out = elevations[1:]
    return tuple(measure for measure in measures if measure not in left_out)
