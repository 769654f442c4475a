"""The line "Sort by" of the gallery, which chooses the order of its maps.

The gallery shows maps of a script as thumbnails. A *measure* gives each of them a number, such as
its count of lakes. ``GallerySorting`` offers the measures of the current script; the gallery sorts
by the chosen one (``measure``) when ``chosen`` or ``order_changed`` is emitted.
"""

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
"""The data of the row that sorts maps by the number of their roll, not by a measure.

No measure has this name."""

ELEVATIONS = "Elevations"
"""The group of the counts of elevations. The constant of ``batches.counts`` is repeated here, as
importing that module takes long."""

MAX_ELEVATIONS = 6
"""With more counts of elevations the list is too long to find something in it."""

MIN_LETTERS = 6
"""The list is at least so many letters wide."""

MAX_WIDTH = 260
"""The greatest width of the line, in logical pixels: the names of measures need no more."""


class GallerySorting(QWidget):
    """A list of measures, and a button that turns the order.

    When a measure is chosen, the button is set to the order that is usual for it: most measures
    begin with the largest value, others with the smallest (``Measure.least_first``).
    """

    chosen = Signal()
    """The user chose a measure from the list."""

    order_changed = Signal(bool)
    """The order was turned round; True if it is descending now: the largest value comes first."""

    def __init__(self) -> None:
        super().__init__()
        self._measures: tuple[Measure, ...] = ()
        """The measures in the list, in its order."""
        self._last_chosen_name = BY_NUMBER
        """The name of the measure that was chosen last, or ``BY_NUMBER``."""
        self.box = pass_wheel_on(QComboBox())
        self.box.setAccessibleName("Sort by")
        self.box.setToolTip("In what order the maps stand; the value is below each map")
        self.box.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.box.setMinimumContentsLength(MIN_LETTERS)
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
        self.setMaximumWidth(MAX_WIDTH)
        connect(self.box.activated, self._on_activated)
        connect(self.direction.toggled, self._on_direction_toggled)

    @property
    def measure(self) -> Measure | None:
        """The chosen measure; None if the maps are sorted by number."""
        chosen_name = self.box.currentData()
        for measure in self._measures:
            if measure.name == chosen_name:
                return measure
        return None

    def offer(self, measures: tuple[Measure, ...]) -> bool:
        """Offer these measures, but not the costly ones, under a heading for each group of them.

        The chosen measure stays chosen if it is still offered, else the maps are sorted by number.
        Return False if the same measures were offered before, so that nothing changes.
        """
        # Those with a cost, which is a sentence on it, would hold up the list for long.
        measures = tuple(measure for measure in measures if not measure.cost)
        measures = _with_one_elevation_if_many(measures)
        if measures == self._measures:
            return False
        self._measures = measures
        chosen_name = self.box.currentData()
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
        row = self.box.findData(chosen_name)
        if row < 0:  # it is not offered any more: sort by number, the first one first
            row = self.box.findData(BY_NUMBER)
            self._last_chosen_name = BY_NUMBER
            self.direction.setChecked(False)
        self.box.setCurrentIndex(row)
        return True

    def _add_heading(self, text: str) -> None:
        """Add a bold row that names the group of the rows below it. It cannot be chosen."""
        self.box.addItem(text)
        model = self.box.model()
        assert isinstance(model, QStandardItemModel), "a QComboBox makes such a model"
        heading = model.item(self.box.count() - 1)
        heading.setFlags(Qt.ItemFlag.NoItemFlags)
        font = heading.font()
        font.setBold(True)
        heading.setFont(font)

    def _on_activated(self, _row: int) -> None:
        """Set the usual order of the chosen measure, and tell that it was chosen.

        If the same measure is chosen again, the order stays as the user has turned it.
        """
        name = self.box.currentData()
        if name != self._last_chosen_name:
            self._last_chosen_name = name
            measure = self.measure
            self.direction.setChecked(measure is not None and not measure.least_first)
        self.chosen.emit()

    def _on_direction_toggled(self, descending: bool) -> None:
        """Show the order on the button, and tell that it has changed."""
        if descending:
            self.direction.setArrowType(Qt.ArrowType.DownArrow)
        else:
            self.direction.setArrowType(Qt.ArrowType.UpArrow)
        self.order_changed.emit(descending)


def _with_one_elevation_if_many(measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Return the measures, without the counts of elevations if these would fill the list.

    Of too many only the first stays, which counts the cells above the ground.
    """
    elevations = [measure for measure in measures if measure.group == ELEVATIONS]
    if len(elevations) <= MAX_ELEVATIONS:
        return measures
    measures_to_drop = elevations[1:]
    return tuple(measure for measure in measures if measure not in measures_to_drop)
