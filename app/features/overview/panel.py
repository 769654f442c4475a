"""The overview: a small picture of the whole map, with a frame around what the canvas shows.

``feature.py`` makes the ``Minimap`` of a desk. ``MapImage`` draws the colours of the cells, which
are looked up again after an edit only where it changed something. Things of players are dots in the
players' colours. What nobody owns, such as the trees of a wood, is left out: it would hide the
terrain.

Start reading at ``paintEvent``; positions are in logical pixels of the overview.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.appearance.painting import painting
from app.canvas.canvas import MapCanvas
from app.canvas.wheel import NOTCH_ANGLE, ZOOM_PER_NOTCH
from app.features.overview.map_image import MapImage
from app.qt_guard import connect, guarded
from app.render.scene.things.looks import colour_of
from app.render.scene.things.owner_dots import Dots, paint_dots
from app.render.viewport import Viewport
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.things_at import drawn_in_box

MANY_CELLS = 2000
"""After an edit of more cells than these, all pixels are looked up: that is faster."""

READABLE_SCALE = 10.0
"""A map that fits into the canvas at this scale needs no overview: cells are large enough there.

The scale is the radius of a hex in logical pixels.
"""

DOT_PX = 5.0
"""The width of the dot of a thing, in logical pixels."""

HALO_PX = 4.0
"""The width of the line below the frame, which sets it off from a map of any colour."""

FRAME_PX = 2.0
"""The width of the frame itself."""

FOCUS_PX = 2
"""The width of the line around the overview while it has the keyboard."""

PAN_DIRECTIONS = {
    Qt.Key.Key_Left: (1, 0),
    Qt.Key.Key_Right: (-1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}
"""The direction in which an arrow key moves the map in the canvas: (right, down).

The view goes where the arrow points, so the map moves the other way.
"""

MIN_SIZE = QSize(100, 80)
"""The least size of the overview, in logical pixels."""

USUAL_SIZE = QSize(220, 160)
"""The size of the overview before its user changes it, in logical pixels."""

PAN_DIVISOR = 4
"""An arrow key pans by the width or height of the view divided by this number."""


class Minimap(QWidget):
    """A picture of the map, updated with its edits, by which the view of the canvas is moved.

    A click or drag centres the view there, the wheel zooms, arrow keys pan by a quarter of the
    view.
    """

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._map_image: MapImage | None = None
        """The picture of the map; None while it has to be drawn anew, at the next paint."""
        self._dots: tuple[Dots, ...] | None = None
        """The things of players; None while they have to be looked up again."""
        self.setAccessibleName("Overview of the map")
        self.setAccessibleDescription("The arrow keys move the view of the map")
        self.setToolTip("Click or drag to look elsewhere; the wheel zooms")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(MIN_SIZE)
        connect(canvas.viewport_changed, self.update)
        connect(canvas.document.changed, self._on_changed)
        connect(canvas.document.map_replaced, self.refresh)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return a size that is enough for most maps."""
        return USUAL_SIZE

    @property
    def is_worth_showing(self) -> bool:
        """True if the map is larger than what the canvas can show well at once."""
        left, top, right, bottom = self._canvas.document.battlemap.grid.bounds
        canvas_size = self._canvas.size()
        map_width = (right - left) * READABLE_SCALE
        map_height = (bottom - top) * READABLE_SCALE
        return map_width > canvas_size.width() or map_height > canvas_size.height()

    # --- the picture ------------------------------------------------------------------------

    @property
    def map_image(self) -> MapImage:
        """The picture of the map, which is drawn first if it has to be."""
        if self._map_image is None:
            self._map_image = MapImage(self._canvas, self.size())
            self._dots = None  # their positions depend on where the image lies
        return self._map_image

    @property
    def viewport(self) -> Viewport:
        """The transform from the map to the overview."""
        return self.map_image.viewport

    def refresh(self) -> None:
        """Draw everything again at the next paint: another map, size or colours."""
        self._map_image = None
        self.update()

    def _on_changed(self, region: Region) -> None:
        """Draw again what an edit changed, or everything if that is simpler."""
        if not self.isVisible():
            self._map_image = None  # it is drawn anew when the overview is shown
            return
        # A record may hold the colours of the players.
        if region.things or region.records:
            self._dots = None
            self.update()
        # ``everything`` is True also after a change of the terrain set, which has other colours.
        has_new_look = region.reshaped or region.structure or region.everything
        if self._map_image is None or has_new_look:
            self.refresh()
            return
        # A record may hold the level of the water, on which the colours of many cells depend.
        may_concern_all_cells = region.locks or region.records
        if may_concern_all_cells or len(region.cells) > MANY_CELLS:
            self._map_image.recolour_all()
            self.update()
        elif len(region.cells):
            self.update(self._map_image.recolour(region.cells))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw the picture again in the new size."""
        self._map_image = None
        super().resizeEvent(event)

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Draw the picture again: it was not updated while hidden."""
        self._map_image = None
        super().showEvent(event)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the map, the dots of things, the frame, and the focus if the overview has it."""
        map_image = self.map_image
        with painting(self) as painter:
            painter.fillRect(event.rect(), self._canvas.renderer.theme.background)
            painter.drawImage(map_image.box, map_image.image)
            self._paint_dots(painter)
            self._paint_frame(painter)
            if self.hasFocus():
                painter.setPen(QPen(self.palette().highlight().color(), FOCUS_PX))
                # Half of a line is drawn outside its rectangle: this one lies further in by that.
                inset = FOCUS_PX // 2
                painter.drawRect(self.rect().adjusted(inset, inset, -inset - 1, -inset - 1))

    def _paint_dots(self, painter: QPainter) -> None:
        """Draw the dots of things, which are looked up first if they have changed."""
        if self._dots is None:
            self._dots = self._dots_of_things()
        edge_colour = self._canvas.renderer.theme.label_halo
        paint_dots(painter, self._dots, edge_colour, DOT_PX)

    def _dots_of_things(self) -> tuple[Dots, ...]:
        """Return the dots of the visible things that belong to somebody, colour by colour."""
        battlemap = self._canvas.document.battlemap
        viewport = self.viewport
        kinds = kinds_by_name(battlemap)
        points_by_colour: dict[str, list[QPointF]] = {}
        for layer in battlemap.layers:
            if not layer.visible or not layer.things:
                continue
            things = drawn_in_box(battlemap.grid, layer.things, battlemap.grid.bounds)
            owned_things = things.some(things.owners > 0)  # 0 is nobody
            for point, owner, kind_code in zip(
                owned_things.points.tolist(),
                owned_things.owners.tolist(),
                owned_things.kinds.tolist(),
                strict=True,
            ):
                kind = kinds.get(owned_things.kind_names[kind_code])
                points = points_by_colour.setdefault(colour_of(kind, owner), [])
                points.append(viewport.to_screen(*point))
        return tuple(Dots(colour, QPolygonF(points)) for colour, points in points_by_colour.items())

    def _paint_frame(self, painter: QPainter) -> None:
        """Draw the frame around what the canvas shows, on a halo."""
        theme = self._canvas.renderer.theme
        frame = self.visible_rect()
        painter.setPen(QPen(theme.label_halo, HALO_PX))
        painter.drawRect(frame)
        painter.setPen(QPen(theme.cursor, FRAME_PX))
        painter.drawRect(frame)

    def visible_rect(self) -> QRectF:
        """Return the rectangle that the canvas shows, cut off where the map ends.

        It is a pixel smaller at each side, so that the line of the frame lies on the map.
        """
        canvas = self._canvas
        canvas_rect = QRectF(canvas.rect())
        upper_left = self.viewport.to_screen(*canvas.viewport.to_map(canvas_rect.topLeft()))
        lower_right = self.viewport.to_screen(*canvas.viewport.to_map(canvas_rect.bottomRight()))
        seen = QRectF(upper_left, lower_right).intersected(self.map_image.box)
        return seen.adjusted(1, 1, -1, -1)

    # --- the mouse and the keys -------------------------------------------------------------

    def _centre_canvas_on(self, point: QPointF) -> None:
        """Centre the view of the canvas on the point of the map at a point of the overview."""
        self._canvas.centre_on(*self.viewport.to_map(point))

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Centre the view where the overview is clicked."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._centre_canvas_on(event.position())

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the view follow the mouse."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._centre_canvas_on(event.position())

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom the canvas around its middle."""
        notches = event.angleDelta().y() / NOTCH_ANGLE
        self._canvas.zoom(ZOOM_PER_NOTCH**notches)
        event.accept()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pan by a quarter of the view with the arrow keys."""
        direction = PAN_DIRECTIONS.get(Qt.Key(event.key()))
        if direction is None:
            super().keyPressEvent(event)
            return
        right, down = direction
        canvas = self._canvas
        canvas.pan(right * canvas.width() // PAN_DIVISOR, down * canvas.height() // PAN_DIVISOR)
