"""The percentile chart: mouse and keys move the limits of terrain types."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pyqtgraph
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPalette

from app.qt_guard import guarded
from app.systems.xconq.period.chart_picture import ChartPicture, ChartType, area
from randomizer.systems.xconq.world.coverage import NONE, Box
from randomizer.systems.xconq.world.relief import PERCENTS
from randomizer.systems.xconq.world.shared_edges import Edge, move_edges, shared_edges

REACH = 6
"""How near an edge, in logical pixels, the mouse takes hold of it."""

FAR_STEP = 5
"""Percent that an edge moves with Ctrl and an arrow key."""

ALONE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
"""With these an edge moves without its neighbours."""

KEYS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Down: (1, -1),
    Qt.Key.Key_Up: (1, 1),
}
"""Direction (0: altitude, 1: moisture) and way of the arrow keys."""

BY_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)

NAME = "Altitude and moisture: the limits of the terrain types"


@dataclass(frozen=True)
class _Drag:
    """An edge, or two that make a corner, being dragged from a place in the chart.

    ``shared`` are for each edge those that move along, itself included.
    """

    start: QPointF
    edges: tuple[Edge, ...]
    shared: tuple[tuple[Edge, ...], ...]
    boxes: tuple[Box, ...]


class PercentileChart(pyqtgraph.PlotWidget):  # type: ignore[misc] # pyqtgraph has no types
    """Terrain types as boxes over altitude and moisture; it changes no map and no text.

    ``preview_wanted(tuple[Box, ...])``: the limits while an edge is dragged. ``preview_ended()``:
    it was let go and nothing is to change. ``change_wanted(tuple[Edge, ...], tuple[Box, ...],
    bool)``: the edges that were moved, the limits as they are to be, which are shown until
    ``show_types`` says otherwise, and whether a key moved them. ``refused(Edge)``: somebody wants
    to move an edge of which ``why_not`` says why it cannot be. ``pointed((altitude, moisture) or
    None)``, ``clicked((altitude, moisture))``, ``chosen_changed()``.
    """

    preview_wanted = Signal(object)
    preview_ended = Signal()
    change_wanted = Signal(object, object, bool)
    refused = Signal(object)
    pointed = Signal(object)
    clicked = Signal(object)
    chosen_changed = Signal()

    def __init__(self) -> None:
        super().__init__(background=None)
        self.why_not: Callable[[Edge], str] = lambda _edge: ""
        self.edge: Edge | None = None
        self._drag: _Drag | None = None
        self._pressed: QPointF | None = None
        self._by_keys = False
        self.picture = ChartPicture()
        item = self.getPlotItem()
        item.setMenuEnabled(False)
        item.setMouseEnabled(False, False)
        item.hideButtons()
        item.addItem(self.picture)
        item.setXRange(0, PERCENTS, padding=0)
        item.setYRange(0, PERCENTS, padding=0)
        item.setContentsMargins(0, 8, 8, 0)  # half of the last numbers
        item.setLabel("bottom", "Altitude, %")
        item.setLabel("left", "Moisture, %")
        for side in ("left", "bottom"):
            item.getAxis(side).setTicks([[(tick, f"{tick}") for tick in range(0, PERCENTS, 20)]])
        self.setMinimumSize(180, 160)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(NAME)
        self._draw_axes()

    # --- what is shown ----------------------------------------------------------------------

    @property
    def boxes(self) -> tuple[Box, ...]:
        """The limits shown."""
        return self.picture.boxes

    @property
    def chosen(self) -> int | None:
        """The index of the chosen type."""
        return self.picture.chosen

    def show_types(self, types: tuple[ChartType, ...], boxes: tuple[Box, ...]) -> None:
        """Show the types of a period; what is being dragged is let go."""
        self.cancel()
        if types != self.picture.types:
            self.edge = None
        self.picture.show_types(types, boxes)
        self._choose_first()

    def show_density(self, density: NDArray[np.int64] | None) -> None:
        """Show how many cells have which percentages: (101, 101), altitude first."""
        self.picture.show_density(density)

    def show_point(self, point: tuple[int, int] | None) -> None:
        """Mark the percentages of a cell."""
        if point != self.picture.point:
            self.picture.point = point
            self.picture.update()

    def choose(self, terrain: int | None, edge: Edge | None = None) -> None:
        """Choose a type, and one of its edges for the keys."""
        if (terrain, edge) != (self.picture.chosen, self.edge):
            self.picture.chosen = terrain
            self.edge = edge
            self._mark(() if edge is None else (edge,))
            self.chosen_changed.emit()

    def winner(self, point: tuple[int, int]) -> int | None:
        """Return the type that takes these percentages, None if none does."""
        terrain = int(self.picture.coverage.winners[point])
        return None if terrain == NONE else terrain

    def _mark(self, edges: tuple[Edge, ...]) -> None:
        self.picture.marked = edges
        self.picture.update()

    # --- the mouse --------------------------------------------------------------------------

    def _place(self, event: QMouseEvent) -> QPointF:
        """Return where the mouse is, in percentages."""
        scene = self.mapToScene(event.position().toPoint())
        point: QPointF = self.getViewBox().mapSceneToView(scene)
        return point

    def _point(self, at: QPointF) -> tuple[int, int] | None:
        """Return the percentages at a place of the chart, None beside it."""
        alt = int(at.x() // 1)
        wet = int(at.y() // 1)
        if 0 <= alt < PERCENTS and 0 <= wet < PERCENTS:
            return (alt, wet)
        return None

    def edges_at(self, at: QPointF) -> tuple[Edge, ...]:
        """Return the edge at a place, or the two of a corner; none.

        Of several the one of the chosen
        type counts, then a corner, then the nearest, then that of the type defined first."""
        wide, high = self.getViewBox().viewPixelSize()
        result: list[tuple[bool, bool, float, int, tuple[Edge, ...]]] = []
        for terrain, box in enumerate(self.boxes):
            rect = area(box)
            near = rect.adjusted(-REACH * wide, -REACH * high, REACH * wide, REACH * high)
            if rect.isEmpty() or not _holds(near, at):
                continue
            offs = (
                abs(at.x() - rect.left()) / wide,
                abs(at.x() - rect.right()) / wide,
                abs(at.y() - rect.top()) / high,
                abs(at.y() - rect.bottom()) / high,
            )
            nearest = [min((0, 1), key=lambda i: offs[i]), min((2, 3), key=lambda i: offs[i])]
            edges = tuple(Edge(terrain, limit) for limit in nearest if offs[limit] <= REACH)
            if edges:
                off = min(offs[edge.limit] for edge in edges)
                chosen = terrain == self.picture.chosen
                result.append((not chosen, len(edges) == 1, off, terrain, edges))
        if result:
            return min(result)[-1]
        return ()

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of an edge or a corner."""
        event.accept()
        if event.button() != Qt.MouseButton.LeftButton:
            self.cancel()
            return
        at = self._place(event)
        self._pressed = event.position()
        edges = self.edges_at(at)
        if not edges:
            return
        self.choose(edges[0].terrain, edges[0])
        held = [edge for edge in edges if self.why_not(edge)]
        if held:
            self._pressed = None
            self.refused.emit(held[0])
            return
        shared = tuple(self._movable(edge) for edge in edges)
        self._drag = _Drag(at, edges, shared, self.boxes)

    def _movable(self, edge: Edge) -> tuple[Edge, ...]:
        """Return an edge and those of its neighbours that can be moved along."""
        first, *shared = shared_edges(self.boxes, edge)
        return (first, *(shared_edge for shared_edge in shared if not self.why_not(shared_edge)))

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag what is held, or point elsewhere."""
        event.accept()
        at = self._place(event)
        if self._drag is None:
            edges = self.edges_at(at) if not event.buttons() else ()
            self._show_cursor(edges)
            self._mark(edges or (() if self.edge is None else (self.edge,)))
            self.pointed.emit(self._point(at))
            return
        edges, boxes = self._dragged(at, event.modifiers())
        if boxes != self.boxes:
            self.picture.show_boxes(boxes)
            self._mark(edges)
            self.preview_wanted.emit(boxes)

    def _dragged(
        self, at: QPointF, modifiers: Qt.KeyboardModifier
    ) -> tuple[tuple[Edge, ...], tuple[Box, ...]]:
        """Return the edges that move, and the limits that there would be with the mouse at a
        place.
        """
        drag = self._drag
        assert drag is not None
        boxes: tuple[Box, ...] = drag.boxes
        edges: tuple[Edge, ...] = ()
        for edge, shared in zip(drag.edges, drag.shared, strict=True):
            along = (edge,) if modifiers & ALONE else shared
            way = at - drag.start
            boxes = move_edges(boxes, along, round(way.x() if edge.limit < 2 else way.y()))
            edges = (*edges, *along)
        return edges, boxes

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go: the change is wanted; or it was a click."""
        event.accept()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        at = self._place(event)
        drag = self._drag
        pressed = self._pressed
        if drag is not None:
            edges, boxes = self._dragged(at, event.modifiers())
            if boxes == drag.boxes:
                self.cancel()
                return
            self._drag = self._pressed = None
            self._want(edges, drag.boxes, boxes, by_key=False)
            return
        self._pressed = None
        point = self._point(at)
        if pressed is not None and point is not None:
            self.choose(self.winner(point))
            self.clicked.emit(point)

    def _want(
        self,
        edges: tuple[Edge, ...],
        old_boxes: tuple[Box, ...],
        new_boxes: tuple[Box, ...],
        *,
        by_key: bool,
    ) -> None:
        changed = tuple(
            edge
            for edge in edges
            if old_boxes[edge.terrain][edge.limit] != new_boxes[edge.terrain][edge.limit]
        )
        if changed:
            self.picture.show_boxes(new_boxes)
            self._mark(() if self.edge is None else (self.edge,))
            self.change_wanted.emit(changed, new_boxes, by_key)

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second press of a double click is a press like any other."""
        self.mousePressEvent(event)

    @guarded
    def wheelEvent(self, event: QEvent) -> None:
        """Nothing: the chart always shows everything."""
        event.ignore()

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        """Point at nothing."""
        super().leaveEvent(event)
        if self._drag is None:
            self._mark(() if self.edge is None else (self.edge,))
            self.pointed.emit(None)

    def cancel(self) -> bool:
        """Let go of what is dragged, everything as it was; whether anything was."""
        drag = self._drag
        self._drag = None
        self._pressed = None
        if drag is None:
            return False
        self.picture.show_boxes(drag.boxes)
        self.preview_ended.emit()
        return True

    def _show_cursor(self, edges: tuple[Edge, ...]) -> None:
        self.viewport().setCursor(self._cursor(edges))

    def _cursor(self, edges: tuple[Edge, ...]) -> Qt.CursorShape:
        if not edges:
            return Qt.CursorShape.CrossCursor
        if any(self.why_not(edge) for edge in edges):
            return Qt.CursorShape.ForbiddenCursor
        if len(edges) == 2:
            falling = edges[0].is_low != edges[1].is_low  # upwards is more
            if falling:
                return Qt.CursorShape.SizeFDiagCursor
            return Qt.CursorShape.SizeBDiagCursor
        if edges[0].limit < 2:
            return Qt.CursorShape.SizeHorCursor
        return Qt.CursorShape.SizeVerCursor

    # --- the keyboard -----------------------------------------------------------------------

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space chooses a type, arrows and Enter an edge, arrows along it move it."""
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape and self.cancel():
            event.accept()
        elif key == Qt.Key.Key_Space and self.boxes:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                step = -1
            else:
                step = 1
            if self.chosen is not None:
                old_choice = self.chosen
            elif step > 0:
                old_choice = -1
            else:
                old_choice = 0
            self.choose((old_choice + step) % len(self.boxes))
            event.accept()
        elif key in KEYS and self.chosen is not None and self._drag is None:
            self._move_by_key(self.chosen, *KEYS[key], event.modifiers())
            event.accept()
        else:
            event.ignore()  # goes to the window

    def _move_by_key(
        self, terrain: int, direction: int, way: int, modifiers: Qt.KeyboardModifier
    ) -> None:
        """Move the chosen edge, or choose the one on that side of the type."""
        edge = self.edge
        if edge is None or edge.limit // 2 != direction:
            self.choose(terrain, Edge(terrain, 2 * direction + (way > 0)))
            return
        if self.why_not(edge):
            self.refused.emit(edge)
            return
        along = (edge,) if modifiers & ALONE else self._movable(edge)
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            step = FAR_STEP
        else:
            step = 1
        boxes = self.boxes
        self._want(along, boxes, move_edges(boxes, along, way * step), by_key=True)

    @guarded
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Choose a type, so that a person who comes with Tab finds one."""
        super().focusInEvent(event)
        self._by_keys = event.reason() in BY_KEYS
        self._choose_first()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """The keyboard goes elsewhere."""
        super().focusOutEvent(event)
        self._by_keys = False

    def _choose_first(self) -> None:
        if self._by_keys and self.chosen is None and self.boxes:
            self.choose(0)

    # --- colours ----------------------------------------------------------------------------

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Other colours."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and "picture" in vars(self):
            self._draw_axes()  # pyqtgraph sets a palette before anything is there

    def _draw_axes(self) -> None:
        palette = self.palette()
        self.resetCachedContent()  # the background of the colours before
        self.picture.set_palette(palette)
        text = palette.color(QPalette.ColorRole.Text)
        for side in ("left", "bottom"):
            axis = self.getPlotItem().getAxis(side)
            axis.setPen(text)
            axis.setTextPen(text)


def _holds(rect: QRectF, point: QPointF) -> bool:
    """Return whether a place is in a rectangle, edges included (``QRectF.contains`` leaves some
    out).
    """
    return rect.left() <= point.x() <= rect.right() and rect.top() <= point.y() <= rect.bottom()
