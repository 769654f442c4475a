"""The percentile chart: mouse and keys move the limits of terrain types.

``PercentileChart`` is the widget; ``ChartPicture`` draws it, and ``chart_page`` makes the changes
that it asks for. A terrain type is a box: it takes the cells whose altitude (x) and moisture (y),
in percent, lie between its limits. An *edge* is one limit of a type (chart_edges.py).

The chart itself changes no map and no text; it asks for changes. The life of a press of the mouse::

    on an edge or a corner    a drag (``EdgeDrag``): each move shows the limits as they would be
                              (``preview_wanted``), the release asks for them (``change_wanted``)
    elsewhere                 a click (``_Click``): the release chooses the type there (``clicked``)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyqtgraph
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPalette

from app.qt_guard import guarded
from app.systems.xconq.period.chart_edges import EdgeDrag, cursor_for, edges_at
from app.systems.xconq.period.chart_picture import ChartPicture, ChartType
from randomizer.systems.xconq.world.coverage import NO_TYPE, Box
from randomizer.systems.xconq.world.relief import PERCENTS
from randomizer.systems.xconq.world.shared_edges import Edge, move_edges, shared_edges

FAR_STEP = 5
"""The number of percent by which Ctrl and an arrow key move an edge."""

ALONE = Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.AltModifier
"""The keys that make an edge move without its neighbours while they are held."""


class _Arrow(NamedTuple):
    """An arrow key."""

    limit: int
    """The limit of a type on that side of its box, as ``Edge.limit``."""

    percent: int
    """The change of a limit, in percent, by one press of the key."""


ARROWS = {
    Qt.Key.Key_Left: _Arrow(limit=0, percent=-1),
    Qt.Key.Key_Right: _Arrow(limit=1, percent=1),
    Qt.Key.Key_Down: _Arrow(limit=2, percent=-1),
    Qt.Key.Key_Up: _Arrow(limit=3, percent=1),
}
"""The arrow keys."""


@dataclass(frozen=True)
class _Click:
    """A press of the mouse beside all edges, which becomes a click with the release."""


FOCUS_REASONS_OF_KEYS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
"""The reasons of a focus that came by the keyboard."""

NAME = "Altitude and moisture: the limits of the terrain types"
"""The name of the chart for screen readers."""


class PercentileChart(pyqtgraph.PlotWidget):  # type: ignore[misc] # pyqtgraph has no types
    """Terrain types as boxes over altitude and moisture; it changes no map and no text."""

    preview_wanted = Signal(object)
    """(tuple[Box, ...]): the limits while an edge is dragged."""

    preview_ended = Signal()
    """A drag has ended, and nothing is to change."""

    change_wanted = Signal(object, object, bool)
    """(edges, boxes, is_by_key): the user has moved edges, ``tuple[Edge, ...]``.

    ``boxes``, ``tuple[Box, ...]``, are the limits of all types as they are to be. The chart shows
    them until ``show_types`` is called. ``is_by_key`` (bool) is True if a key moved the edges.
    """

    pointed = Signal(object)
    """((altitude, moisture) or None): the mouse points there; None beside the chart."""

    clicked = Signal(object)
    """((altitude, moisture)): the mouse was clicked there."""

    chosen_changed = Signal()
    """Another type or edge was chosen."""

    def __init__(self) -> None:
        super().__init__(background=None)
        self.can_move_along: Callable[[Edge], bool] = lambda _edge: True
        """Returns whether an edge may move along with its neighbours; the owner sets this function.

        An edge whose line in the text sets other limits as well may not: those would move, too.
        """
        self.edge: Edge | None = None
        """The chosen edge, which the keys move; None if none is chosen."""
        self._press: EdgeDrag | _Click | None = None
        """What the press of the left button has begun; None after release or ``cancel_press``."""
        self._has_focus_by_keys = False
        """True if a person has come to the chart with Tab or a shortcut, and not left it yet."""
        self.picture = ChartPicture()
        self._set_up_plot()
        self.setMinimumSize(180, 160)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(NAME)
        self._draw_axes()

    def _set_up_plot(self) -> None:
        """Show the picture on axes from 0 to 100 %, without pyqtgraph's own menus and dragging."""
        item = self.getPlotItem()
        item.setMenuEnabled(False)
        item.setMouseEnabled(False, False)
        item.hideButtons()
        item.addItem(self.picture)
        item.setXRange(0, PERCENTS, padding=0)
        item.setYRange(0, PERCENTS, padding=0)
        item.setContentsMargins(0, 8, 8, 0)  # for half of the last numbers of the axes
        item.setLabel("bottom", "Altitude, %")
        item.setLabel("left", "Moisture, %")
        for side in ("left", "bottom"):
            # pyqtgraph takes a list of ticks for each level of detail: one level.
            item.getAxis(side).setTicks([[(tick, f"{tick}") for tick in range(0, PERCENTS, 20)]])

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
        """Show the types of a period; a drag ends without a change."""
        self.cancel_press()
        if types != self.picture.types:
            self.edge = None
            self._mark(())
        self.picture.show_types(types, boxes)
        self._choose_first()

    def show_density(self, density: NDArray[np.int64] | None) -> None:
        """Show the number of cells with each pair of percentages, altitude first.

        Its shape is (PERCENTS, PERCENTS).
        """
        self.picture.show_density(density)

    def show_point(self, point: tuple[int, int] | None) -> None:
        """Show a disc at the percentages of a cell; None: no disc."""
        if point != self.picture.point:
            self.picture.show_point(point)

    def choose(self, terrain: int | None, edge: Edge | None = None) -> None:
        """Choose a type, and one of its edges for the keys."""
        if (terrain, edge) != (self.picture.chosen, self.edge):
            self.picture.chosen = terrain  # ``_mark_chosen_edge`` draws it
            self.edge = edge
            self._mark_chosen_edge()
            self.chosen_changed.emit()

    def winner(self, point: tuple[int, int]) -> int | None:
        """Return the type that takes these percentages, None if none does."""
        terrain = int(self.picture.coverage.winners[point])
        if terrain == NO_TYPE:
            return None
        return terrain

    def _mark(self, edges: tuple[Edge, ...]) -> None:
        """Mark the edges that a drag or a key would move."""
        self.picture.mark(edges)

    def _mark_chosen_edge(self) -> None:
        """Mark the chosen edge alone, or none if none is chosen."""
        if self.edge is None:
            self._mark(())
        else:
            self._mark((self.edge,))

    # --- the mouse --------------------------------------------------------------------------

    def _position(self, event: QMouseEvent) -> QPointF:
        """Return the position of the mouse in percentages."""
        scene = self.mapToScene(event.position().toPoint())
        position: QPointF = self.getViewBox().mapSceneToView(scene)
        return position

    def _point(self, position: QPointF) -> tuple[int, int] | None:
        """Return the whole percentages at a position, None beside the chart."""
        alt = int(position.x() // 1)
        wet = int(position.y() // 1)
        if 0 <= alt < PERCENTS and 0 <= wet < PERCENTS:
            return (alt, wet)
        return None

    def edges_under_mouse(self, position: QPointF) -> tuple[Edge, ...]:
        """Return the edge at a position in percentages, or the two of a corner; () for none."""
        pixel_size = self.getViewBox().viewPixelSize()
        return edges_at(position, self.boxes, self.chosen, pixel_size)

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin to drag an edge or a corner, or a click beside all edges."""
        event.accept()
        if event.button() != Qt.MouseButton.LeftButton:
            self.cancel_press()
            return
        position = self._position(event)
        edges = self.edges_under_mouse(position)
        if not edges:
            self._press = _Click()
            return
        self.choose(edges[0].terrain, edges[0])
        shared = tuple(self._movable_edges(edge) for edge in edges)
        self._press = EdgeDrag(position, edges, shared, self.boxes)

    def _movable_edges(self, edge: Edge) -> tuple[Edge, ...]:
        """Return an edge and those of its neighbours that can be moved along."""
        itself, *neighbours = shared_edges(self.boxes, edge)
        movable_neighbours = [edge for edge in neighbours if self.can_move_along(edge)]
        return (itself, *movable_neighbours)

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show the limits that a drag gives, or mark the edges under the mouse."""
        event.accept()
        position = self._position(event)
        if isinstance(self._press, EdgeDrag):
            self._show_drag(self._press, position, alone=_moves_alone(event))
            return
        edges: tuple[Edge, ...] = ()
        if not event.buttons():
            edges = self.edges_under_mouse(position)
        self.viewport().setCursor(cursor_for(edges))
        if edges:
            self._mark(edges)
        else:
            self._mark_chosen_edge()
        self.pointed.emit(self._point(position))

    def _show_drag(self, drag: EdgeDrag, position: QPointF, *, alone: bool) -> None:
        """Show the limits that a drag to a position gives; ``alone`` as ``EdgeDrag.moved_to``."""
        edges, boxes = drag.moved_to(position, alone=alone)
        if boxes != self.boxes:
            self.picture.show_boxes(boxes)
            self._mark(edges)
            self.preview_wanted.emit(boxes)

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a drag, whose limits are then wanted; or choose the type that was clicked."""
        event.accept()
        if event.button() != Qt.MouseButton.LeftButton:
            return
        position = self._position(event)
        if isinstance(self._press, EdgeDrag):
            self._end_drag(self._press, position, alone=_moves_alone(event))
        elif isinstance(self._press, _Click):
            self._press = None
            self._end_click(position)

    def _end_drag(self, drag: EdgeDrag, position: QPointF, *, alone: bool) -> None:
        """Ask for the limits that a drag to a position gives, if it has changed any."""
        edges, boxes = drag.moved_to(position, alone=alone)
        if boxes == drag.boxes:
            self.cancel_press()
            return
        self._press = None
        self._ask_for_change(edges, drag.boxes, boxes, by_key=False)

    def _end_click(self, position: QPointF) -> None:
        """Choose the type at a position; nothing beside the chart."""
        point = self._point(position)
        if point is not None:
            self.choose(self.winner(point))
            self.clicked.emit(point)

    def _ask_for_change(
        self,
        edges: tuple[Edge, ...],
        old_boxes: tuple[Box, ...],
        new_boxes: tuple[Box, ...],
        *,
        by_key: bool,
    ) -> None:
        """Show new limits and ask for them, for those of ``edges`` whose limits differ."""
        changed_edges = []
        for edge in edges:
            if old_boxes[edge.terrain][edge.limit] != new_boxes[edge.terrain][edge.limit]:
                changed_edges.append(edge)
        if changed_edges:
            self.picture.show_boxes(new_boxes)
            self._mark_chosen_edge()
            self.change_wanted.emit(tuple(changed_edges), new_boxes, by_key)

    @guarded
    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Treat the second press of a double click like any other press."""
        self.mousePressEvent(event)

    @guarded
    def wheelEvent(self, event: QEvent) -> None:
        """Let the panel scroll: the chart always shows everything."""
        event.ignore()

    @guarded
    def leaveEvent(self, event: QEvent) -> None:
        """Tell that the mouse has left the chart."""
        super().leaveEvent(event)
        if not isinstance(self._press, EdgeDrag):
            self._mark_chosen_edge()
            self.pointed.emit(None)

    def cancel_press(self) -> bool:
        """End what a press has begun: a drag leaves everything as it was, a click chooses nothing.

        Return whether it was a drag.
        """
        press = self._press
        self._press = None
        if not isinstance(press, EdgeDrag):
            return False
        self.picture.show_boxes(press.boxes)
        self.preview_ended.emit()
        return True

    # --- the keyboard -----------------------------------------------------------------------

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space chooses a type, arrows an edge, arrows along it move it."""
        key = Qt.Key(event.key())  # keys that Qt has no name for become members, too
        if key == Qt.Key.Key_Escape and self.cancel_press():
            event.accept()
        elif key == Qt.Key.Key_Space and self.boxes:
            self._choose_next(backwards=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            event.accept()
        elif key in ARROWS and self.chosen is not None and not isinstance(self._press, EdgeDrag):
            self._press_arrow(self.chosen, ARROWS[key], event.modifiers())
            event.accept()
        else:
            event.ignore()  # the window gets the key

    def _choose_next(self, *, backwards: bool) -> None:
        """Choose the next type or the one before, at first the first or the last."""
        count = len(self.boxes)
        if self.chosen is None and backwards:
            terrain = count - 1
        elif self.chosen is None:
            terrain = 0
        elif backwards:
            terrain = (self.chosen - 1) % count
        else:
            terrain = (self.chosen + 1) % count
        self.choose(terrain)

    def _press_arrow(self, terrain: int, arrow: _Arrow, modifiers: Qt.KeyboardModifier) -> None:
        """Move the chosen edge of a type, or choose the one on that side of its box.

        An arrow along the direction in which the chosen edge can move moves it.
        """
        edge = self.edge
        edge_on_side = Edge(terrain, arrow.limit)
        if edge is None or edge.is_of_altitude != edge_on_side.is_of_altitude:
            self.choose(terrain, edge_on_side)
            return
        moved_edges: tuple[Edge, ...] = (edge,)
        if not modifiers & ALONE:
            moved_edges = self._movable_edges(edge)
        percent = arrow.percent
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            percent *= FAR_STEP
        new_boxes = move_edges(self.boxes, moved_edges, percent)
        self._ask_for_change(moved_edges, self.boxes, new_boxes, by_key=True)

    @guarded
    def focusInEvent(self, event: QFocusEvent) -> None:
        """Choose a type, so that a person who comes with Tab finds one."""
        super().focusInEvent(event)
        self._has_focus_by_keys = event.reason() in FOCUS_REASONS_OF_KEYS
        self._choose_first()

    @guarded
    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Choose no type by itself any more, as the keyboard goes elsewhere."""
        super().focusOutEvent(event)
        self._has_focus_by_keys = False

    def _choose_first(self) -> None:
        """Choose the first type if none is chosen and the keyboard is used here."""
        if self._has_focus_by_keys and self.chosen is None and self.boxes:
            self.choose(0)

    # --- colours ----------------------------------------------------------------------------

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Draw in the colours of another palette."""
        super().changeEvent(event)
        # pyqtgraph sets a palette before ``__init__`` has made the picture.
        if event.type() == QEvent.Type.PaletteChange and "picture" in vars(self):
            self._draw_axes()

    def _draw_axes(self) -> None:
        """Give axes and picture the colours of the palette."""
        palette = self.palette()
        # The cached background has the colours of the previous palette.
        self.resetCachedContent()
        self.picture.set_palette(palette)
        text = palette.color(QPalette.ColorRole.Text)
        for side in ("left", "bottom"):
            axis = self.getPlotItem().getAxis(side)
            axis.setPen(text)
            axis.setTextPen(text)


def _moves_alone(event: QMouseEvent) -> bool:
    """Return whether the keys that are held let an edge move without its neighbours."""
    return bool(event.modifiers() & ALONE)
