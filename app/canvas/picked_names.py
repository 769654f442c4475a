"""The names of picked things, shown also where the map itself has no room for them.

``boxes_of_names`` are the names that the map leaves out for want of room, up to ``MAX_NAMES`` of
them, and ``paint_names`` draws these boxes over the map. ``region_of_names`` is where the map has
names, which the rings of picked things must not cross.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QRegion

from app.render.scene.icons import font, text_width
from app.render.scene.things.thing_sizes import ring_radius
from randomizer.model.map.kinds_on_map import kinds_by_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from app.canvas.map_widget import MapWidget
    from randomizer.model.things.things import Thing

MAX_NAMES = 20
"""If more things are picked than these, the names that the map leaves out stay so: so many boxes
would cover the map, and a rectangle drawn around a town picks hundreds of things."""

TYPE_SIZE = 12.0
"""The size of the letters, in logical pixels."""

PADDING = 3.0
"""The room between a name and the edge of its box, in logical pixels."""

LINE_HEIGHT = 1.3
"""The height of a line of text, in sizes of its letters."""

BORDER_WIDTH = 1.5
"""The width of the line around a name, in logical pixels."""

CORNER_RADIUS = 4.0
"""The radius of the corners of a name's box, in logical pixels."""


class NameBox(NamedTuple):
    """The name of a picked thing, and where it is painted."""

    text: str

    box: QRectF
    """The box around the name, below its thing, in logical pixels."""


def names_to_paint(widget: MapWidget) -> list[tuple[int, Thing]]:
    """Return the picked things whose names the map leaves out, with their index among the picked.

    Inscriptions are names already. Nothing is returned where names are switched off, and if more
    than ``MAX_NAMES`` things are picked.
    """
    picked = widget.document.picked
    if not _are_names_shown(widget) or len(picked) > MAX_NAMES:
        return []
    battlemap = widget.document.battlemap
    kinds = kinds_by_name(battlemap)
    shown_ids = widget.renderer.names(battlemap, widget.viewport.scale).thing_ids
    things = []
    for index, thing in enumerate(picked):
        kind = kinds.get(thing.kind)
        # The map shows no labels of kinds whose labels have the importance 0.
        can_have_name = kind is not None and kind.naming > 0 and not kind.inscription
        if thing.label and can_have_name and thing.id not in shown_ids:
            things.append((index, thing))
    return things


def region_of_names(widget: MapWidget, dirty: QRectF) -> QRegion:
    """Return the boxes of the map's names in ``dirty``, in logical pixels.

    It is empty where names are switched off, and if more than ``MAX_NAMES`` things are picked:
    then rings may cross names, as which things are picked is what the user has to see.
    """
    region = QRegion()
    if not _are_names_shown(widget) or len(widget.document.picked) > MAX_NAMES:
        return region
    viewport = widget.viewport
    names = widget.renderer.names(widget.document.battlemap, viewport.scale)
    middles = names.points * viewport.scale + (viewport.dx, viewport.dy)
    half_sizes = names.halves
    first_corners = middles - half_sizes
    last_corners = middles + half_sizes
    is_near = (last_corners > (dirty.left(), dirty.top())).all(axis=1)
    is_near &= (first_corners < (dirty.right(), dirty.bottom())).all(axis=1)
    for row in np.flatnonzero(is_near).tolist():
        size = 2 * half_sizes[row]
        box = QRectF(*first_corners[row].tolist(), *size.tolist())
        region += box.toAlignedRect()
    return region


def _are_names_shown(widget: MapWidget) -> bool:
    """Return whether things and their names are switched on."""
    overlays = widget.renderer.overlays
    return overlays.things and overlays.thing_names


def boxes_of_names(widget: MapWidget, points: NDArray[np.float64]) -> list[NameBox]:
    """Return the names that the map leaves out, each in a box below its thing.

    ``points`` are the positions of all picked things, (n, 2), in map units.
    """
    viewport = widget.viewport
    radius = ring_radius(widget.document.battlemap, viewport.scale)
    height = TYPE_SIZE * LINE_HEIGHT + 2 * PADDING
    boxes = []
    for index, thing in names_to_paint(widget):
        x, y = (points[index] * viewport.scale + (viewport.dx, viewport.dy)).tolist()
        width = text_width(thing.label, TYPE_SIZE, bold=True) + 2 * PADDING
        boxes.append(NameBox(thing.label, QRectF(x - width / 2, y + radius, width, height)))
    return boxes


def paint_names(painter: QPainter, widget: MapWidget, names: Iterable[NameBox]) -> None:
    """Draw names in their boxes."""
    theme = widget.renderer.theme
    painter.setFont(font(TYPE_SIZE, bold=True))
    for text, box in names:
        painter.setPen(QPen(theme.cursor, BORDER_WIDTH))
        painter.setBrush(QColor(theme.label_halo.rgb()))
        painter.drawRoundedRect(box, CORNER_RADIUS, CORNER_RADIUS)
        painter.setPen(theme.label_text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
