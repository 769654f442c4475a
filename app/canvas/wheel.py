"""Wheel and touchpad on the canvas: they zoom or pan, as the preferences say, or turn things.

``MapCanvas`` hands each wheel event to ``CanvasWheel.handle_wheel`` and each gesture of a touchpad
to ``CanvasWheel.handle_gesture``.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from PySide6.QtCore import Qt
from PySide6.QtGui import QNativeGestureEvent, QWheelEvent

from app.canvas.map_widget import MapWidget

NOTCH_ANGLE = 120
"""The angle of one notch of a usual wheel, in the eighths of a degree that Qt counts."""

ZOOM_PER_NOTCH = 1.2
"""The factor by which one notch of the wheel zooms."""

SCROLL_PER_NOTCH = 96
"""How far one notch scrolls the view, in logical pixels."""

CLOSE_SCALE = 40.0
"""A scale that is good to paint at: the radius of a hex in logical pixels."""

MIN_SMART_ZOOM = 2.0
"""A double tap zooms in by this factor at least, also where the scale is close already."""


class WheelAction(StrEnum):
    """The actions of a wheel or touchpad, by the names that the preferences store."""

    ZOOM = "zoom"
    """It zooms around the mouse."""

    SCROLL = "scroll"
    """It moves the view; with Ctrl held it zooms."""


class CanvasWheel:
    """Zooms, pans or turns things by the wheel events and gestures of a canvas."""

    def __init__(self, widget: MapWidget) -> None:
        self._widget = widget
        self.mouse: str = WheelAction.ZOOM
        """What the wheel of a mouse does: the value of a ``WheelAction``, as it is stored."""

        self.touchpad: str = WheelAction.SCROLL
        """What two fingers on a touchpad do, likewise."""

        self.turn_held: Callable[[int], bool] = lambda _steps: False
        """Turns what the tool holds, such as a stamp, clockwise by so many steps.

        It is called first while Shift is held, and returns False if there is nothing to turn: then
        the view scrolls.
        """

    def handle_wheel(self, event: QWheelEvent) -> None:
        """Turn things, zoom or pan by an event of a wheel or of two fingers on a touchpad."""
        # Only a touchpad reports pixels, on most systems: where a mouse does so as well (some on
        # X11), it counts as a touchpad.
        is_touchpad = not event.pixelDelta().isNull()
        action = self.mouse
        if is_touchpad:
            action = self.touchpad
        ctrl = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        event.accept()
        if self._try_turn_held(event):
            return
        if action == WheelAction.ZOOM or ctrl:
            self._zoom(event)
        elif is_touchpad:
            self._widget.pan(event.pixelDelta().x(), event.pixelDelta().y())
        else:
            self._scroll_by_notches(event)

    def _try_turn_held(self, event: QWheelEvent) -> bool:
        """Turn what the tool holds by one step, if Shift is held; return whether it was turned."""
        if not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            return False
        # Some systems report a wheel that is turned with Shift held as one turned sideways.
        angle = event.angleDelta().y() or event.angleDelta().x()
        if angle == 0:
            return False
        if angle < 0:  # towards the user
            return self.turn_held(1)
        return self.turn_held(-1)

    def _zoom(self, event: QWheelEvent) -> None:
        """Zoom around the mouse; a wheel that is tilted sideways does nothing.

        With Shift held some systems report every turn as a sideways one.
        """
        angle = event.angleDelta().y()
        if angle == 0 and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            angle = event.angleDelta().x()
        notches = angle / NOTCH_ANGLE
        if notches:
            self._widget.zoom(ZOOM_PER_NOTCH**notches, event.position())

    def _scroll_by_notches(self, event: QWheelEvent) -> None:
        """Pan by the notches of a wheel; with Shift held sideways."""
        right = round(event.angleDelta().x() / NOTCH_ANGLE * SCROLL_PER_NOTCH)
        down = round(event.angleDelta().y() / NOTCH_ANGLE * SCROLL_PER_NOTCH)
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            right += down
            down = 0
        self._widget.pan(right, down)

    def handle_gesture(self, event: QNativeGestureEvent) -> bool:
        """Zoom by a pinch; a double tap of two fingers zooms in, or shows the whole map again.

        Return False if the event is another gesture.
        """
        widget = self._widget
        if event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            # The value of a pinch is how much larger the picture gets: 0.1 is a tenth.
            widget.zoom(1 + event.value(), event.position())
        elif event.gestureType() == Qt.NativeGestureType.SmartZoomNativeGesture:
            if widget.fitted:
                factor = max(MIN_SMART_ZOOM, CLOSE_SCALE / widget.viewport.scale)
                widget.zoom(factor, event.position())
            else:
                widget.fit()
        else:
            return False
        return True
