"""Wheel and touchpad on the canvas: they zoom or pan, as the preferences say, or turn things."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QNativeGestureEvent, QWheelEvent

from app.canvas.map_widget import MapWidget

WHEEL_STEP = 1.2
"""The factor by which one notch of the wheel zooms."""

SCROLL_STEP = 96
"""How far one notch scrolls the view, in logical pixels."""

CLOSE_SCALE = 40.0
"""A scale that is good to paint at: the radius of a hex in logical pixels."""


class CanvasWheel:
    """``mouse`` and ``touchpad`` are "zoom" or "scroll" each; with Ctrl held both zoom.

    With Shift held ``turn_held(steps)`` is called first: it turns what the tool holds clockwise by
    so many steps, and returns False if that holds nothing that turns.
    """

    def __init__(self, widget: MapWidget) -> None:
        self._widget = widget
        self.mouse = "zoom"
        self.touchpad = "scroll"
        self.turn_held: Callable[[int], bool] = lambda _steps: False

    def turn(self, event: QWheelEvent) -> None:
        """Zoom or pan by an event of a wheel or of two fingers on a touchpad."""
        pixels = event.pixelDelta()
        angle = event.angleDelta()
        does = self.mouse if pixels.isNull() else self.touchpad
        notches = angle.y() / 120
        either = angle.y() or angle.x()  # some systems take Shift for the other axis
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if shift and either and self.turn_held(1 if either < 0 else -1):
            event.accept()
            return
        if does == "zoom" or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if notches:
                self._widget.zoom(WHEEL_STEP**notches, event.position())
        elif not pixels.isNull():
            self._widget.pan(pixels.x(), pixels.y())
        else:
            sideways = round(angle.x() / 120 * SCROLL_STEP)
            down = round(notches * SCROLL_STEP)
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                sideways = sideways + down
                down = 0
            self._widget.pan(sideways, down)
        event.accept()

    def gesture(self, event: QNativeGestureEvent) -> bool:
        """Zoom by a pinch; a double tap of two fingers zooms in, or shows the whole map again.

        Return False if the event is another gesture.
        """
        widget = self._widget
        if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            widget.zoom(1 + event.value(), event.position())
        elif event.gestureType() == Qt.NativeGestureType.SmartZoomNativeGesture:
            if widget.fitted:
                widget.zoom(max(2.0, CLOSE_SCALE / widget.viewport.scale), event.position())
            else:
                widget.fit()
        else:
            return False
        return True
