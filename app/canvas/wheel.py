"""The wheel and the touchpad on the canvas: they zoom, or move the view, as the user chose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QNativeGestureEvent, QWheelEvent

    from app.canvas.canvas import MapCanvas

WHEEL_STEP = 1.2
"""How much one notch of the wheel zooms."""

SCROLL_STEP = 96
"""How far one notch moves the view, in logical pixels."""

CLOSE_SCALE = 40.0
"""A hex's radius in logical pixels that is good to paint at."""


class CanvasWheel:
    """``mouse`` and ``touchpad`` say what they do: ``zoom`` or ``scroll``; Ctrl always zooms."""

    def __init__(self, canvas: MapCanvas) -> None:
        self._canvas = canvas
        self.mouse = "zoom"
        self.touchpad = "scroll"

    def turn(self, event: QWheelEvent) -> None:
        """A wheel turns, or two fingers move."""
        pixels, angle = event.pixelDelta(), event.angleDelta()
        does = self.mouse if pixels.isNull() else self.touchpad
        notches = angle.y() / 120
        if does == "zoom" or event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            if notches:
                self._canvas.zoom(WHEEL_STEP**notches, event.position())
        elif not pixels.isNull():
            self._canvas.pan(pixels.x(), pixels.y())
        else:
            sideways, down = round(angle.x() / 120 * SCROLL_STEP), round(notches * SCROLL_STEP)
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                sideways, down = sideways + down, 0
            self._canvas.pan(sideways, down)
        event.accept()

    def gesture(self, event: QNativeGestureEvent) -> bool:
        """Pinching zooms, a double tap of two fingers shows the whole map or goes near.

        Whether the event was one of these.
        """
        canvas = self._canvas
        if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            canvas.zoom(1 + event.value(), event.position())
        elif event.gestureType() == Qt.NativeGestureType.SmartZoomNativeGesture:
            if canvas.fitted:
                canvas.zoom(max(2.0, CLOSE_SCALE / canvas.view.scale), event.position())
            else:
                canvas.fit()
        else:
            return False
        return True
