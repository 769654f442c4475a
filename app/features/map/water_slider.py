"""The row of the panel Map for the height of the water: a slider, and the height as a number.

A drag of the slider is one undo step: it is a stroke of the document, which each move of the slider
starts again. Heights are counted in three ways: as the map stores them (*levels*), as people see
them (``HeightScale.shown``), and in the steps of the slider.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QDoubleSpinBox, QHBoxLayout, QSlider, QWidget

from app.qt_guard import connect
from app.widgets.forms.field_input import pass_wheel_on
from app.widgets.layout.builders import described, lay_out
from randomizer.model.system.system import System

if TYPE_CHECKING:
    from app.document.document import MapDocument

STEPS = 1000
"""The steps of the slider, from the lowest to the highest height of the map."""

PAGE_STEPS = STEPS // 20
"""The steps by which a click beside the handle moves the slider."""

FIELD_STEP = 0.5
"""The change of an arrow of the number field, in the heights that people see."""

FRACTION_DECIMALS = 2
"""The decimals of the number where the map stores fractions of the heights that people see."""

STEP_TEXT = "Change height of the water"
"""The text of the undo step."""


class WaterSlider(QWidget):
    """Shows and changes the height of the water of the current map.

    It is for systems whose water can be changed (``System.set_water``).
    """

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._document = document
        tip = "How high the water stands. The slider goes from the lowest to the highest ground."
        self.slider = described(QSlider(Qt.Orientation.Horizontal), "Height of the water", tip)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(PAGE_STEPS)
        self.field = described(
            pass_wheel_on(QDoubleSpinBox()), "Height of the water as a number", tip
        )
        self.field.setSingleStep(FIELD_STEP)
        self.field.setKeyboardTracking(False)  # a number that is being typed changes nothing
        self._lowest = 0
        """The level at the left end of the slider: the lowest height of the map."""
        self._highest = 0
        """The level at its right end: the highest height, and at least one more."""
        lay_out(QHBoxLayout(self), (self.slider, 1), self.field, margins=0)
        connect(self.slider.sliderPressed, self._begin_drag)
        connect(self.slider.valueChanged, self._set_level_of_step)
        connect(self.slider.sliderReleased, self._end_drag)
        connect(self.field.valueChanged, self._set_shown_height)

    @property
    def _system(self) -> System:
        """The system of the current map."""
        return self._document.battlemap.system

    def show_level(self) -> None:
        """Show the height of the water of the current map.

        During a drag the slider stays as it is: it shows where the mouse is.
        """
        system = self._system
        heights_plane = system.corner_heights
        level = system.water_level(self._document.battlemap)
        if heights_plane is None or level is None:
            return
        scale = system.height_scale
        heights = self._document.composite.planes[heights_plane.name]
        if not self.slider.isSliderDown():
            self._lowest = int(heights.min())
            self._highest = max(int(heights.max()), self._lowest + 1)
            step = round((level - self._lowest) / (self._highest - self._lowest) * STEPS)
            # Water can be far below or above all land, and Qt takes integers of 32 bits only.
            step = max(0, min(STEPS, step))
            with QSignalBlocker(self.slider):
                self.slider.setValue(step)
        with QSignalBlocker(self.field):
            decimals = FRACTION_DECIMALS
            if scale.units == 1:  # the map stores the heights that people see, as whole numbers
                decimals = 0
            self.field.setDecimals(decimals)
            least, most = heights_plane.limits
            self.field.setRange(scale.shown(least), scale.shown(most))
            self.field.setValue(scale.shown(level))

    def _begin_drag(self) -> None:
        """Begin the stroke of a drag."""
        self._document.begin_stroke(STEP_TEXT)

    def _set_level_of_step(self, step: int) -> None:
        """Set the water to the level of a step of the slider."""
        self._set_level(self._lowest + (self._highest - self._lowest) * step / STEPS)

    def _set_shown_height(self, shown_height: float) -> None:
        """Set the water to a height as people see it."""
        scale = self._system.height_scale
        # The inverse of ``scale.shown``.
        self._set_level((shown_height + scale.zero) * scale.units)

    def _set_level(self, level: float) -> None:
        """Set the water to a level, as part of a drag or as a step of its own."""
        document = self._document
        system = self._system
        # A drag whose stroke was ended meanwhile, by an undo step for instance, goes on in steps.
        is_dragged = self.slider.isSliderDown() and document.in_stroke
        if is_dragged:
            document.restart_stroke()  # the drag is one change, from where it began to here
        edit = system.set_water(document.battlemap, level)
        if edit is None:
            return
        if is_dragged:
            document.stroke(edit)
        else:
            document.push(edit, STEP_TEXT)

    def _end_drag(self) -> None:
        """Make one undo step of the drag, and show the level that the map has now."""
        if self._document.in_stroke:
            self._document.end_stroke()
        self.show_level()
