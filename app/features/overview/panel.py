"""The overview: a small picture of the whole map, with a frame around what the canvas shows.

Things of players are dots in the players' colours. What nobody owns, such as the trees of a wood,
is left out: it would hide the ground.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import (
    QImage,
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
from app.canvas.wheel import ZOOM_PER_NOTCH
from app.qt_guard import connect, guarded
from app.render.cell_values.cell_colours import CellColours
from app.render.cell_values.opacity_passes import opacity_passes
from app.render.scene.things.looks import colour_of
from app.render.scene.things.owner_dots import Dots, paint_dots
from app.render.thumbnails.sampler import Sampler
from app.render.viewport import Viewport
from randomizer.model.edits.edit import Region
from randomizer.model.map.kinds_on_map import kinds_by_name
from randomizer.model.map.things_at import drawn_in_box

MOST_PIXELS = 60_000
"""A larger overview is drawn as a smaller picture and stretched."""

MANY_CELLS = 2000
"""After an edit of more cells than these, all pixels are looked up: that is faster."""

WORTH_SCALE = 10.0
"""A map that fits into the canvas at this scale (logical pixels) needs no overview."""

DOT_PX = 5.0
"""The width of the dot of a thing, in logical pixels."""

_NO_CELLS = np.empty(0, np.intp)

STEPS = {
    Qt.Key.Key_Left: (1, 0),
    Qt.Key.Key_Right: (-1, 0),
    Qt.Key.Key_Up: (0, 1),
    Qt.Key.Key_Down: (0, -1),
}


class Minimap(QWidget):
    """A picture of the map, updated with its edits, by which the view of the canvas is moved.

    A click or drag centres the view there, the wheel zooms, arrow keys pan by a quarter of the
    view.
    """

    def __init__(self, canvas: MapCanvas) -> None:
        super().__init__()
        self._canvas = canvas
        self._stale = True
        self.pixels: NDArray[np.uint32] = np.zeros((1, 1), np.uint32)
        """The colours of the whole map, 0xffRRGGBB, of shape (height, width)."""
        self._image = QImage()
        self._dots: tuple[Dots, ...] | None = None
        """The things of players; None while they are to be looked up again."""
        self.viewport = Viewport(1.0, 0.0, 0.0)
        """Where the map lies in the overview."""
        self.setAccessibleName("Overview of the map")
        self.setAccessibleDescription("The arrow keys move the view of the map")
        self.setToolTip("Click or drag to look elsewhere; the wheel zooms")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(100, 80)
        connect(canvas.viewport_changed, self.update)
        connect(canvas.document.changed, self._on_changed)
        connect(canvas.document.map_replaced, self.refresh)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return a size that is enough for most maps."""
        return QSize(220, 160)

    @property
    def worth_showing(self) -> bool:
        """True if the map is larger than what the canvas can show well at once."""
        left, top, right, bottom = self._canvas.document.battlemap.grid.bounds
        size = self._canvas.size()
        wide = (right - left) * WORTH_SCALE
        high = (bottom - top) * WORTH_SCALE
        return wide > size.width() or high > size.height()

    # --- the picture ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Draw everything again at the next paint: another map, size or colours."""
        self._stale = True
        self.update()

    def _build(self) -> None:
        """Find the cell and the colour of every pixel."""
        self._stale = False
        self._dots = None
        battlemap = self._canvas.document.battlemap
        grid = battlemap.grid
        shrink = max(1.0, (self.width() * self.height() / MOST_PIXELS) ** 0.5)
        room = QSizeF(self.size()) / shrink
        self._sampler = sampler = Sampler.around(grid, room.width(), room.height())
        width = sampler.width
        height = sampler.height
        self.pixels = np.empty((height, width), np.uint32)
        self._image = QImage(self.pixels.data, width, height, 4 * width, QImage.Format.Format_RGB32)
        renderer = self._canvas.renderer
        self._colours = CellColours(
            battlemap, opacity_passes(battlemap), renderer.theme, renderer.overlays, None
        )
        self._look_up(slice(None), slice(None))
        stretched = sampler.scale * shrink
        left = sampler.left
        top = sampler.top
        self.viewport = Viewport(
            stretched,
            (self.width() - width * shrink) / 2 - left * stretched,
            (self.height() - height * shrink) / 2 - top * stretched,
        )
        self._box = QRectF(self.viewport.to_screen(left, top), QSizeF(width, height) * shrink)

    def _look_up(self, rows: slice, columns: slice) -> None:
        """Colour a box of pixels by what the map shows there now."""
        cells = self._sampler.cells[rows, columns]
        composite = self._canvas.document.composite
        colours = self._colours.of(composite, cells.ravel(), _NO_CELLS).reshape(cells.shape)
        background = self._canvas.renderer.theme.background.rgb()
        self.pixels[rows, columns] = np.where(cells < 0, background, colours)

    def _dots_of_things(self) -> tuple[Dots, ...]:
        """Return the dots of the visible things that belong to somebody, colour by colour."""
        battlemap = self._canvas.document.battlemap
        kinds = kinds_by_name(battlemap)
        points_by_colour: dict[str, list[QPointF]] = {}
        for layer in battlemap.layers:
            if not layer.visible or not layer.things:
                continue
            arrays = drawn_in_box(battlemap.grid, layer.things, *battlemap.grid.bounds)
            arrays = arrays.some(arrays.owners > 0)
            for point, owner, kind_code in zip(
                arrays.points.tolist(), arrays.owners.tolist(), arrays.kinds.tolist(), strict=True
            ):
                colour = colour_of(kinds.get(arrays.kind_names[kind_code]), owner)
                points = points_by_colour.setdefault(colour, [])
                points.append(self.viewport.to_screen(*point))
        return tuple(Dots(colour, QPolygonF(points)) for colour, points in points_by_colour.items())

    def _on_changed(self, region: Region) -> None:
        if region.things and self.isVisible():
            self._dots = None
            self.update()
        is_drawn_anew = region.reshaped or region.structure or region.everything
        if self._stale or not self.isVisible() or is_drawn_anew:
            self.refresh()  # after another terrain set the colours are others, too
        elif (
            region.locks
            or region.records  # the level of the water may come from a record
            or len(region.cells) > MANY_CELLS
        ):
            self._look_up(slice(None), slice(None))
            self.update()
        elif len(region.cells):
            self._recolour(region.cells)

    def _recolour(self, cells: NDArray[np.intp]) -> None:
        """Look up and repaint the box of pixels around some cells, shape (n,)."""
        grid = self._sampler.grid
        shrink = self._box.width() / self._sampler.width
        pixels = self._sampler.pixels_at(grid.centres_of(cells))
        reach = self._sampler.scale + 1  # a cell is at most a radius away from its centre
        height, width = self.pixels.shape
        left, top = np.floor(pixels.min(axis=0) - reach).clip(0).astype(int).tolist()
        right, bottom = np.ceil(pixels.max(axis=0) + reach).astype(int).tolist()
        if grid.wrap:  # a cell at the seam is shown at both ends
            left = 0
            right = width
        self._look_up(slice(top, min(bottom, height)), slice(left, min(right, width)))
        seen = QRectF(left * shrink, top * shrink, (right - left) * shrink, (bottom - top) * shrink)
        self.update(seen.translated(self._box.topLeft()).toAlignedRect().adjusted(-1, -1, 1, 1))

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw the picture again in the new size."""
        self._stale = True
        super().resizeEvent(event)

    @guarded
    def showEvent(self, event: QShowEvent) -> None:
        """Draw the picture again: it was not updated while hidden."""
        self._stale = True
        super().showEvent(event)

    def frame(self) -> QRectF:
        """Return the rectangle that the canvas shows, in the pixels of the overview."""
        canvas = self._canvas
        rect = QRectF(canvas.rect())
        first = self.viewport.to_screen(*canvas.viewport.to_map(rect.topLeft()))
        last = self.viewport.to_screen(*canvas.viewport.to_map(rect.bottomRight()))
        return QRectF(first, last).intersected(self._box).adjusted(1, 1, -1, -1)

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture and the frame."""
        if self._stale:
            self._build()
        with painting(self) as painter:
            theme = self._canvas.renderer.theme
            painter.fillRect(event.rect(), theme.background)
            painter.drawImage(self._box, self._image)
            self._paint_dots(painter)
            frame = self.frame()
            for colour, width in ((theme.label_halo, 4.0), (theme.cursor, 2.0)):
                painter.setPen(QPen(colour, width))
                painter.drawRect(frame)
            if self.hasFocus():
                painter.setPen(QPen(self.palette().highlight().color(), 2))
                painter.drawRect(QRect(1, 1, self.width() - 2, self.height() - 2))

    def _paint_dots(self, painter: QPainter) -> None:
        """Draw the dots of things, which are looked up first if they have changed."""
        if self._dots is None:
            self._dots = self._dots_of_things()
        edge_colour = self._canvas.renderer.theme.label_halo
        paint_dots(painter, self._dots, edge_colour, DOT_PX)

    # --- the mouse and the keys -------------------------------------------------------------

    def _look_at(self, point: QPointF) -> None:
        self._canvas.centre_on(*self.viewport.to_map(point))

    @guarded
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Centre the view on this place."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._look_at(event.position())

    @guarded
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Let the view follow the mouse."""
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._look_at(event.position())

    @guarded
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom the canvas around its middle."""
        self._canvas.zoom(ZOOM_PER_NOTCH ** (event.angleDelta().y() / 120))
        event.accept()

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Pan by a quarter of the view with the arrow keys."""
        way = STEPS.get(Qt.Key(event.key()))
        if way is None:
            super().keyPressEvent(event)
        else:
            self._canvas.pan(
                way[0] * self._canvas.width() // 4, way[1] * self._canvas.height() // 4
            )
