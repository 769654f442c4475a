"""Names of picked things that the map leaves out for want of room, in boxes over the map.

``paint_names`` draws them for the overlays: who has picked a thing always reads its name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.scene.icons import font, text_width
from app.render.scene.things.things import ring_radius
from randomizer.model.map.kinds_on_map import kinds_by_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.canvas.map_widget import MapWidget
    from randomizer.model.things.things import Thing

MOST_NAMES = 20
"""If more things are picked than these, the names that the map leaves out stay so."""

TYPE_SIZE = 12.0
"""In logical pixels."""

PADDING = 3.0
"""The room between a name and the edge of its box, in logical pixels."""


def names_to_paint(widget: MapWidget) -> list[tuple[int, Thing]]:
    """Return the picked things whose names the map leaves out, with their index among the picked.

    Inscriptions are names already. Nothing is returned where names are switched off.
    """
    picked = widget.document.picked
    overlays = widget.renderer.overlays
    if not (overlays.things and overlays.thing_names) or len(picked) > MOST_NAMES:
        return []
    battlemap = widget.document.battlemap
    kinds = kinds_by_name(battlemap)
    shown_ids = widget.renderer.names(battlemap, widget.viewport.scale).thing_ids
    things = []
    for index, thing in enumerate(picked):
        kind = kinds.get(thing.kind)
        can_have_name = kind is not None and kind.naming > 0 and not kind.inscription
        if thing.label and can_have_name and thing.id not in shown_ids:
            things.append((index, thing))
    return things


def paint_names(painter: QPainter, widget: MapWidget, screen_points: NDArray[Any]) -> bool:
    """Draw the names below their things; return whether there are any.

    ``screen_points`` are the positions of all picked things, (n, 2), in logical pixels.
    """
    theme = widget.renderer.theme
    radius = ring_radius(widget.document.battlemap, widget.viewport.scale)
    height = TYPE_SIZE * 1.3 + 2 * PADDING
    painter.setFont(font(TYPE_SIZE, bold=True))
    names = names_to_paint(widget)
    for index, thing in names:
        x, y = screen_points[index].tolist()
        width = text_width(thing.label, TYPE_SIZE, bold=True) + 2 * PADDING
        box = QRectF(x - width / 2, y + radius, width, height)
        painter.setPen(QPen(theme.cursor, 1.5))
        painter.setBrush(QColor(theme.label_halo.rgb()))
        painter.drawRoundedRect(box, 4, 4)
        painter.setPen(theme.label_text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, thing.label)
    return bool(names)
