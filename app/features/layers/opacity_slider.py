"""The slider of the layers panel for the opacity of the active layer.

A drag is one undo step: it is a stroke of the document, which each move of the slider starts again.
A change by key or wheel is a step of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from app.qt_guard import connect
from app.widgets.layout.builders import lay_out, plain_label
from randomizer.model.edits.stack_edits import LayerField

if TYPE_CHECKING:
    from app.document.document import MapDocument


class OpacitySlider(QWidget):
    """Shows and changes the opacity of the document's active layer."""

    def __init__(self, document: MapDocument) -> None:
        super().__init__()
        self._document = document
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 100)
        self.slider.setPageStep(10)
        self.slider.setAccessibleName("Opacity of the layer in percent")
        self.slider.setToolTip(
            "How strongly the layer shows here; files and rolls stay as they are"
        )
        self._label = plain_label()
        self._label.setMinimumWidth(self._label.fontMetrics().horizontalAdvance("100 %"))
        self._label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        lay_out(QHBoxLayout(self), plain_label("Opacity"), (self.slider, 1), self._label, margins=0)
        connect(self.slider.sliderPressed, self._begin_drag)
        connect(self.slider.valueChanged, self._set_percent)
        connect(self.slider.sliderReleased, self._end_drag)

    def show_layer(self) -> None:
        """Show the opacity of the active layer.

        During a drag the slider stays as it is: it shows where the mouse is.
        """
        percent = round(self._document.active_layer.opacity * 100)
        if not self.slider.isSliderDown():
            with QSignalBlocker(self.slider):
                self.slider.setValue(percent)
        self._label.setText(f"{percent} %")

    def _step_text(self) -> str:
        """Return the text of the undo step."""
        return f"Opacity of {self._document.active_layer.name}"

    def _begin_drag(self) -> None:
        """Begin the stroke of a drag."""
        self._document.begin_stroke(self._step_text())

    def _set_percent(self, percent: int) -> None:
        """Give the active layer this opacity."""
        document = self._document
        is_dragged = self.slider.isSliderDown() and document.in_stroke
        if is_dragged:
            document.restart_stroke()  # the drag is one change, from where it began to here
        layer = document.active_layer
        new_opacity = percent / 100
        if layer.opacity == new_opacity:
            return
        edit = LayerField(layer.id, "opacity", layer.opacity, new_opacity)
        if is_dragged:
            document.stroke(edit)
        else:
            document.push(edit, self._step_text())

    def _end_drag(self) -> None:
        """Make one undo step of the drag, and show the opacity that the layer has now."""
        if self._document.in_stroke:
            self._document.end_stroke()
        self.show_layer()
