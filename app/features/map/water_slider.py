"""A slider for the height of the water of a map; a drag is one undo step."""

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

TEXT = "Change height of the water"


class WaterSlider(QWidget):
    """Shows and changes the height of the water of the current map, in the scale of its heights.

    Only for systems whose water can be changed (``System.set_water``).
    """

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._document = document
        tip = "How high the water stands. The slider goes from the lowest to the highest ground."
        self.slider = described(QSlider(Qt.Orientation.Horizontal), "Height of the water", tip)
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(STEPS // 20)
        self.field = described(
            pass_wheel_on(QDoubleSpinBox()), "Height of the water as a number", tip
        )
        self.field.setSingleStep(0.5)
        self.field.setKeyboardTracking(False)
        self._ends = (0, 0)
        lay_out(QHBoxLayout(self), (self.slider, 1), self.field, margins=0)
        connect(self.slider.sliderPressed, self._begin)
        connect(self.slider.valueChanged, self._slide)
        connect(self.slider.sliderReleased, self._end)
        connect(self.field.valueChanged, self._type)

    @property
    def _system(self) -> System:
        return self._document.battlemap.system

    def show_level(self) -> None:
        """Show the height of the water of the current map."""
        system = self._system
        spec = self._system.corner_heights
        level = system.water_level(self._document.battlemap)
        if spec is None or level is None:
            return
        scale = system.height_scale
        heights = self._document.composite.planes[spec.name]
        if not self.slider.isSliderDown():
            self._ends = (int(heights.min()), max(int(heights.max()), int(heights.min()) + 1))
            least, most = self._ends
            step = round((level - least) / (most - least) * STEPS)
            with QSignalBlocker(self.slider):
                self.slider.setValue(max(0, min(STEPS, step)))  # Qt takes integers of 32 bits
        with QSignalBlocker(self.field):
            self.field.setDecimals(0 if scale.units == 1 else 2)
            self.field.setRange(*map(scale.shown, spec.limits))
            self.field.setValue(scale.shown(level))

    def _begin(self) -> None:
        self._document.begin_stroke(TEXT)

    def _slide(self, step: int) -> None:
        least, most = self._ends
        self._change(least + (most - least) * step / STEPS)

    def _type(self, shown_height: float) -> None:
        scale = self._system.height_scale
        self._change((shown_height + scale.zero) * scale.units)

    def _change(self, level: float) -> None:
        document = self._document
        system = self._system
        dragged = self.slider.isSliderDown() and document.in_stroke
        if dragged:
            document.restart_stroke()
        edit = system.set_water(document.battlemap, level)
        if edit is None:
            return
        if dragged:
            document.stroke(edit)
        else:
            document.push(edit, TEXT)

    def _end(self) -> None:
        if self._document.in_stroke:
            self._document.end_stroke()
        self.show_level()
