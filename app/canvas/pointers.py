"""Pointers for points of a map widget: what is on the map there, and which keys are held.

Mouse events come only every few milliseconds, so that the points of a fast drag can lie many cells
apart. ``pointers_of_drag`` therefore fills in the points between two events, and the points at
which the drag crosses the edge of the map (o; x are the points of the events)::

            |   map
    x - - - o - - - - - - x
            |
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.canvas.map_widget import MapWidget

if TYPE_CHECKING:
    from app.tools import Pointer

ALT_OR_CTRL = Qt.KeyboardModifier.AltModifier | Qt.KeyboardModifier.ControlModifier
"""With one of these held most tools act as the eyedropper (``Pointer.ctrl_or_alt``).

Alt alone would not do: many window systems keep it with the mouse for themselves.
"""

SHIFT = Qt.KeyboardModifier.ShiftModifier
"""With it held most tools do something else (``Pointer.shift``)."""

DRAG_STEP = 0.3
"""The distance between the points of a drag, in map units.

If it is larger, a drag misses cells of which it only cuts off a corner; if it is smaller, tools are
asked more often than there is something new.
"""

HALVINGS = 20
"""So often the distance to the edge of the map is halved: one pixel becomes a millionth of it."""


def pointer_at(widget: MapWidget, point: QPointF, modifiers: Qt.KeyboardModifier) -> Pointer | None:
    """Return the pointer for a point of the widget (logical pixels); None off the map."""
    hit = widget.hit_at(point)
    if hit is None:
        return None
    # The tools are loaded only when the mouse first comes to the map: the first paint needs none.
    from app.tools import Pointer

    viewport = widget.viewport
    x, y = viewport.to_map(point)
    shift = bool(modifiers & SHIFT)
    ctrl = bool(modifiers & ALT_OR_CTRL)
    return Pointer(hit, x, y, shift=shift, ctrl_or_alt=ctrl, scale=viewport.scale)


def pointers_of_drag(
    widget: MapWidget, start: QPointF, end: QPointF, modifiers: Qt.KeyboardModifier
) -> list[Pointer | None]:
    """Return pointers on the line from ``start`` (without it) to ``end`` (with it).

    Points off the map are None. Where the line crosses the edge of the map there is a pointer just
    inside the edge, so that what is drawn reaches the edge however fast the drag was.
    """
    pointers: list[Pointer | None] = []
    last_point = start
    was_on_map = widget.hit_at(start) is not None
    for point in _points_between(start, end, widget.viewport.scale * DRAG_STEP):
        pointer = pointer_at(widget, point, modifiers)
        is_on_map = pointer is not None
        if is_on_map and not was_on_map:
            edge_point = _edge_point(widget, inside=point, outside=last_point)
            pointers.append(pointer_at(widget, edge_point, modifiers))
        elif was_on_map and not is_on_map:
            edge_point = _edge_point(widget, inside=last_point, outside=point)
            pointers.append(pointer_at(widget, edge_point, modifiers))
        pointers.append(pointer)
        last_point = point
        was_on_map = is_on_map
    return pointers


def _points_between(start: QPointF, end: QPointF, distance: float) -> list[QPointF]:
    """Return points on the line from ``start`` (without it) to ``end`` (with it).

    They are at most ``distance`` pixels apart, or one pixel if that is more.
    """
    line = end - start
    steps = max(1, math.ceil(line.manhattanLength() / max(1.0, distance)))
    return [start + line * (step / steps) for step in range(1, steps + 1)]


def _edge_point(widget: MapWidget, *, inside: QPointF, outside: QPointF) -> QPointF:
    """Return the outermost point on the map between a point on the map and one off it.

    The piece of the line that crosses the edge is halved until it is far below a pixel.
    """
    for _halving in range(HALVINGS):
        middle = (inside + outside) / 2
        if widget.hit_at(middle) is None:
            outside = middle
        else:
            inside = middle
    return inside
