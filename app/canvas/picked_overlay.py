"""The rings around picked things, and the names of picked things that the map leaves out.

A thing is *picked* when it is chosen to be moved, edited or deleted. It gets a ring, or the outline
of the area that it covers (its *footprint*), such as that of a building of 0 A.D.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QRegion, QTransform

from app.appearance.painting import saved_state
from app.canvas.map_widget import MapWidget
from app.canvas.picked_names import (
    BORDER_WIDTH,
    NameBox,
    boxes_of_names,
    paint_names,
    region_of_names,
)
from app.qt_guard import connect
from app.render.scene.icons import MIN_COVERED, box_of
from app.render.scene.things.thing_sizes import RING_WIDTH, ring_radius, thing_reach_px
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import kinds_by_name

NO_POINTS = np.empty((0, 2), np.float64)
"""The positions of no things."""


class PickedOverlay(QObject):
    """Paints the marks of the picked things of the document over the map of a widget."""

    def __init__(self, widget: MapWidget) -> None:
        super().__init__(widget)
        self._widget = widget
        self.points: NDArray[np.float64] = NO_POINTS
        """Where the picked things are drawn, in map units, (n, 2), in the order of
        ``document.picked``."""
        self._has_footprint = np.zeros(0, np.bool_)
        """Which of the picked things cover an area of the map and are outlined by it, (n,).

        It has the same order."""
        self._painted_names: list[NameBox] = []
        """The names of picked things that the last frame showed over the map."""
        connect(widget.document.changed, self._on_changed)
        connect(widget.document.map_replaced, self._show_picked)
        connect(widget.document.picked_changed, self._show_picked)

    # --- following the document -------------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """Follow an edit by which things may have moved; the map's widget repaints these.

        Their names, which reach farther than the things, are repainted here.
        """
        if region.things or region.structure:
            self._follow_picked()
            self._update_names()

    def _show_picked(self) -> None:
        """Mark the things that are picked now, and no others any more."""
        previous_points = self.points
        self._follow_picked()
        for points in (previous_points, self.points):
            self._widget.update_points(points)
        self._update_names()

    def _update_names(self) -> None:
        """Repaint the names that were painted, and those that are to be painted now."""
        border = BORDER_WIDTH
        for _text, box in [*self._painted_names, *boxes_of_names(self._widget, self.points)]:
            with_border = box.adjusted(-border, -border, border, border)
            self._widget.update(with_border.toAlignedRect())

    def _follow_picked(self) -> None:
        """Set the points of what is picked now, and which things have footprints."""
        document = self._widget.document
        if not document.picked:
            self.points = NO_POINTS
            self._has_footprint = np.zeros(0, np.bool_)
            return
        kinds = kinds_by_name(document.battlemap)
        covering_kinds = {name for name, kind in kinds.items() if kind.footprint is not None}
        has_footprint = [thing.kind in covering_kinds for thing in document.picked]
        self._has_footprint = np.array(has_footprint, np.bool_)
        points = np.array([(thing.x, thing.y) for thing in document.picked], np.float64)
        self.points = document.battlemap.grid.shown_points(points.reshape(-1, 2))

    # --- painting ---------------------------------------------------------------------------

    def paint(self, painter: QPainter, dirty: QRectF) -> None:
        """Draw the marks that reach into ``dirty`` (logical pixels).

        They are white on black lines, of which one shows on any terrain.
        """
        self._painted_names = []
        if not len(self.points):
            return
        widget = self._widget
        viewport = widget.viewport
        battlemap = widget.document.battlemap

        # Only things in view are drawn: thousands may be picked.
        reach = thing_reach_px(battlemap, viewport.scale)
        screen_points = self.points * viewport.scale + (viewport.dx, viewport.dy)
        is_in_view = (screen_points > (dirty.left() - reach, dirty.top() - reach)).all(axis=1)
        is_in_view &= (screen_points < (dirty.right() + reach, dirty.bottom() + reach)).all(axis=1)
        ringed_points = screen_points[is_in_view & ~self._has_footprint].tolist()

        radius = ring_radius(battlemap, viewport.scale)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        with saved_state(painter):
            # The map's names are drawn below this overlay: the rings are clipped at their boxes,
            # so that they do not cross them.
            without_names = QRegion(dirty.toAlignedRect()) - region_of_names(widget, dirty)
            painter.setClipRegion(without_names, Qt.ClipOperation.IntersectClip)
            for pen in (
                QPen(Qt.GlobalColor.black, RING_WIDTH),
                QPen(Qt.GlobalColor.white, RING_WIDTH / 2),
            ):
                painter.setPen(pen)
                for x, y in ringed_points:
                    painter.drawEllipse(QPointF(x, y), radius, radius)
                self._outline_footprints(painter, screen_points, is_in_view & self._has_footprint)
        self._painted_names = boxes_of_names(widget, self.points)
        paint_names(painter, widget, self._painted_names)

    def _outline_footprints(
        self, painter: QPainter, screen_points: NDArray[np.float64], is_outlined: NDArray[np.bool_]
    ) -> None:
        """Draw the outlines of the areas that picked things cover, where ``is_outlined`` (n,).

        ``screen_points`` are the positions of all picked things, (n, 2), in logical pixels.
        """
        if not is_outlined.any():
            return
        widget = self._widget
        kinds = kinds_by_name(widget.document.battlemap)
        scale = widget.viewport.scale
        picked_things = widget.document.picked
        for index in np.flatnonzero(is_outlined).tolist():
            thing = picked_things[index]
            footprint = kinds[thing.kind].footprint
            assert footprint is not None
            with saved_state(painter):
                painter.translate(*screen_points[index].tolist())
                painter.rotate(thing.angle)
                box = box_of(footprint, MIN_COVERED / scale)
                outline = QTransform.fromScale(scale, scale).mapRect(box)
                if footprint.round:
                    painter.drawEllipse(outline)
                else:
                    painter.drawRect(outline)
