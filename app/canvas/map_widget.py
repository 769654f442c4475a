"""A widget that shows the current map; it can be zoomed and panned.

``MapCanvas`` is made from it and adds what lies over the map and what the mouse does. Read first:

- ``paintEvent`` draws the rectangles that are dirty, by way of the renderer.
- ``_on_changed`` decides which rectangles an edit makes dirty (repaint_boxes.py).
- What is drawn is not always the map itself (drawable_map.py).
- A frame for which pictures of cells are missing is a *draft*: it shows coarser ones. The missing
  ones are drawn a few at a time, in turns of the event loop (sharpening.py).
- The *backdrop* is the stored picture of the ground, which is what cells show without things, names
  and other overlays. It reaches a little beyond the view, so that a pan has something to show.
- What was drawn of the other open maps is kept, so that they show at once again (drawn_maps.py).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QEvent,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    Signal,
)
from PySide6.QtGui import QCursor, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.appearance.painting import painting
from app.canvas.canvas_size import min_canvas_size
from app.canvas.drawable_map import DrawableMap
from app.canvas.drawn_maps import DrawnMaps
from app.canvas.repaint_boxes import boxes_around, boxes_of_cells, boxes_of_things
from app.canvas.sharpening import Sharpening
from app.qt_guard import connect, guarded
from app.render.drawing_faults import picture_part
from app.render.level_of_detail import MARGIN
from app.render.map_view import MapView
from app.render.raster.backdrop import Backdrop
from app.render.renderer import PaintedFrame, Renderer
from app.render.scene.locks import AreaLocks, padlock_reach
from app.render.scene.things.names import NO_NAMES
from app.render.scene.things.signs import NO_SIGNS
from app.render.scene.things.thing_sizes import thing_reach_px
from app.render.style import style_of
from app.render.viewport import Viewport, fitting
from randomizer.model.edits.edit import Region
from randomizer.model.grid.grid import Hit
from randomizer.model.planes.composite import Composite

if TYPE_CHECKING:
    from app.document.document import MapDocument

TURN_MS = 8
"""How long pictures are drawn in one turn of the event loop.

If it is longer, the mouse lags meanwhile; if it is shorter, the final picture comes later.
"""

MANY_RECTS = 24
"""More dirty rectangles than these are drawn as one, their bounding box."""

DENSE_RATIO = 2
"""Dirty rectangles are drawn as one if their bounding box has at most so many times their area.

If it is larger more is drawn that has not changed; if it is smaller there are more paint calls.
"""

SEAM_DISTANCE = 1.5
"""A point of a cell is never so far from its centre to the right or left, in map units."""

FIRST_VIEWPORT = Viewport(40.0, 0.0, 0.0)
"""Used before the first resize, by which the map is fitted into the widget."""

USUAL_SIZE = QSize(720, 640)
"""The size that the widget likes best, in logical pixels: a map of a hundred hexes fits in well."""


class MapWidget(QWidget):
    """An opaque widget that repaints only the cells that changed."""

    viewport_changed = Signal()
    """The map was zoomed or panned, or the view of it has another size."""
    painted = Signal()
    """The first frame was drawn."""
    drafted_changed = Signal(bool)
    """The picture became a draft, whose pieces are being drawn, or is final again."""

    def __init__(
        self, document: MapDocument, renderer: Renderer, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.document = document
        self.renderer = renderer
        self.viewport = FIRST_VIEWPORT
        """The part of the map that is shown; ``OpenMap.viewport`` stores that of each open map."""
        self.fitted = True
        """True if the whole map is shown and stays so when the window is resized.

        Set by the methods that change the view: ``fit``, ``zoom``, ``pan`` and ``show_viewport``.
        """
        self.keeps_scale = False
        """True while a panel below the map takes part of its height for a while.

        Then a map that is shown as a whole is not made smaller: its cells would move under the
        mouse, and the next click would hit another one.
        """
        self._last_frame = PaintedFrame(NO_NAMES, NO_SIGNS, is_draft=False)
        """The names and signs of things that were drawn last, to compare new ones after an edit."""
        self._drawable = DrawableMap(document, renderer)
        """The map that is drawn, or what is drawn in its place."""
        self._backdrop = Backdrop()
        """The picture of the ground of the current map, as it was drawn last."""
        self.drawn_maps = DrawnMaps()
        """What was drawn of the other open maps."""
        self.turn_ms = TURN_MS
        """How long pictures are drawn in one turn of the event loop; tests set it."""
        self.sharpening = Sharpening(renderer, self._draw_missing, self)
        """Draws the missing pictures of drafts."""
        connect(self.sharpening.repaint_wanted, self.update)
        connect(self.sharpening.is_draft_changed, self.drafted_changed)

        renderer.cells.translucent = True
        renderer.ground.draw_in_turns(TURN_MS)
        renderer.follow(document.battlemap)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Map")
        self.setMinimumSize(min_canvas_size())

        connect(document.changed, self._on_changed)
        connect(document.map_leaving, self._store_drawing)
        connect(document.map_replaced, self._on_replaced)
        connect(document.maps_changed, self._forget_closed_maps)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        return USUAL_SIZE

    # --- the view ---------------------------------------------------------------------------

    @property
    def drafted(self) -> bool:
        """True if the picture is a draft: its pieces are still being drawn."""
        return self.sharpening.is_draft

    @property
    def is_sharp(self) -> bool:
        """True if the picture is final: no draft, and no further step of a zoom is waited for."""
        return self.sharpening.is_sharp

    def fit(self) -> None:
        """Show the whole map, and keep doing so when the window is resized.

        Its middle lies on a whole pixel, so that sprites drawn before a resize fit after it, too,
        if the scale is the same.
        """
        self.fitted = True
        even_size = QSizeF(self.width() // 2 * 2, self.height() // 2 * 2)
        self._set_viewport(fitting(self.document.battlemap.grid, even_size, MARGIN))

    def zoom(self, factor: float, anchor: QPointF | None = None) -> None:
        """Zoom by ``factor`` around a point of the widget (the middle if None)."""
        self.fitted = False
        if anchor is None:
            anchor = QPointF(self.rect().center())
        self._set_viewport(self.viewport.zoomed(factor, anchor))

    def pan(self, dx: int, dy: int) -> None:
        """Move the picture by whole logical pixels; only the strips that come in are drawn."""
        if dx == 0 and dy == 0:
            return
        self.fitted = False
        self._store_viewport(self.viewport.panned(dx, dy))
        if self.devicePixelRatioF().is_integer():
            self.scroll(dx, dy)
        else:
            self.update()  # a scroll can only move by whole pixels of the screen
        self.viewport_changed.emit()

    def centre_on(self, x: float, y: float) -> None:
        """Pan the view so that a point of the map (map units) lies in its middle."""
        point = self.viewport.to_screen(x, y)
        middle = QPointF(self.rect().center())
        way = (middle - point).toPoint()
        self.pan(way.x(), way.y())

    def show_viewport(self, viewport: Viewport) -> None:
        """Show this part of the map, which stays so when the window gets another size."""
        self.fitted = False
        self._set_viewport(viewport)

    def _set_viewport(self, viewport: Viewport) -> None:
        """Show this part of the map, drafted at first if its pictures take time."""
        self._store_viewport(viewport)
        style = style_of(self.document.battlemap.system)
        self.sharpening.begin_zoom(first_frame_is_slow=bool(style.landscape or style.features))
        self.update()
        self.viewport_changed.emit()

    def _store_viewport(self, viewport: Viewport) -> None:
        """Show this part of the map from the next frame on, and store it in the open map.

        A fitted map has None there.
        """
        self.viewport = viewport
        if self.fitted:
            self.document.current_map.viewport = None
        else:
            self.document.current_map.viewport = viewport

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        has_other_width = event.size().width() != event.oldSize().width()
        if self.fitted and (has_other_width or not self.keeps_scale):
            self.fit()
        else:
            self.viewport_changed.emit()  # the view has another size at the same zoom
        super().resizeEvent(event)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.update()
        super().changeEvent(event)

    # --- other open maps --------------------------------------------------------------------

    def _on_replaced(self) -> None:
        """Show the new current map in the view in which it was left, or as a whole."""
        self._drawable.reset()
        self.sharpening.cancel_hidden_drawing()
        open_map = self.document.current_map
        drawing = self.drawn_maps.pop(open_map)
        if drawing is None:
            self._backdrop = Backdrop()
            self.renderer.follow(open_map.battlemap)
        else:
            self._backdrop = drawing.backdrop
            self.renderer.follow(open_map.battlemap, drawing.tiles)
        self._limit_drawings()
        stored_viewport = open_map.viewport
        if stored_viewport is None:
            self.fit()
        else:
            self.show_viewport(stored_viewport)

    def _store_drawing(self) -> None:
        """Store what is drawn of the current map, which another map is about to replace."""
        if self._drawable.is_map_itself:
            tiles = self.renderer.ground.tiles_for_later()
            self.drawn_maps.store(self.document.current_map, tiles, self._backdrop)

    def _forget_closed_maps(self) -> None:
        """Free what was drawn of maps that are closed, and of the one that is current now."""
        current_map = self.document.current_map
        open_maps = self.document.maps
        self.drawn_maps.forget_all_but(
            open_map for open_map in open_maps if open_map is not current_map
        )

    def _limit_drawings(self) -> None:
        """Free drawings of other maps if they take too much memory beside that of the current."""
        self.drawn_maps.evict_down_to_limit(self.renderer.ground.tile_bytes + self._backdrop.bytes)

    # --- what is drawn ----------------------------------------------------------------------

    def show_instead(self, composite: Composite | None) -> None:
        """Show a composite in place of that of the map; None shows the map again.

        The map itself is not changed.
        """
        if composite is not self._drawable.instead:
            self._redraw(self._drawable.show_instead(composite))

    @property
    def is_drawing_hidden(self) -> bool:
        """True while a map that changed as a whole is drawn, and not shown yet."""
        return self.sharpening.is_drawing_hidden

    @property
    def instead(self) -> Composite | None:
        """The composite shown in place of the map's, None for the map itself."""
        return self._drawable.instead

    @property
    def composite(self) -> Composite:
        """The shown composite: that of the map, or ``instead``."""
        return self._drawable.composite

    # --- painting ---------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the map in the dirty rectangles, then the overlays."""
        self.sharpening.begin_frame()
        with painting(self) as painter:
            ratio = self.devicePixelRatioF()
            region: Any = event.region()  # PySide does not declare that one can iterate over it
            rects: list[QRect] = list(region)
            box = event.rect()  # around all of them
            # At a fractional ratio a rectangle of logical pixels has no whole number of pixels of
            # the screen, so that an image of it would not fit.
            can_use_images = ratio.is_integer()
            are_few_rects = 1 < len(rects) <= MANY_RECTS
            rects_fill_box = _area(box) <= DENSE_RATIO * sum(_area(rect) for rect in rects)
            if not can_use_images or not are_few_rects:
                self._paint(painter, QRectF(box), ratio)
            elif rects_fill_box:
                self._paint_by_image(painter, box, ratio)
            else:  # they lie far apart
                for rect in rects:
                    self._paint_by_image(painter, rect, ratio)
        is_first_frame = not self.sharpening.has_frame
        self.sharpening.end_frame()
        if is_first_frame:
            self.painted.emit()

    def _prepare_view(self) -> MapView:
        """Return what the next frame shows: the map, or what is drawn in its place.

        What the players see of the map is composed anew here if it is shown and out of date.
        """
        self._drawable.update_players_view()
        drawable = self._drawable.current()
        ratio = self.devicePixelRatioF()
        return MapView(drawable.battlemap, drawable.composite, self.viewport, ratio)

    def _paint(self, painter: QPainter, dirty: QRectF, ratio: float) -> None:
        """Draw the map and its overlays in one rectangle; ``ratio`` is that of device pixels."""
        painter.setClipRect(dirty)
        with picture_part(painter, "The map"):
            self._last_frame = self.renderer.paint(
                painter,
                self._prepare_view(),
                dirty,
                progressive=self.sharpening.may_draft,
                backdrop=self._backdrop,
            )
            if self._last_frame.is_draft:
                self.sharpening.note_draft()
        self.paint_overlays(painter, dirty, ratio)

    def paint_overlays(self, painter: QPainter, dirty: QRectF, ratio: float) -> None:
        """Draw what lies over the map in ``dirty`` (logical pixels); a subclass has something."""

    def _paint_by_image(self, painter: QPainter, rect: QRect, ratio: float) -> None:
        """Draw one of several dirty rectangles into an image, and that into the widget.

        The widget's own painter is clipped to all of them, and such a clip makes Qt slow.
        """
        image = QImage(rect.size() * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        with painting(image) as image_painter:
            image_painter.translate(-rect.topLeft())
            self._paint(image_painter, QRectF(rect), ratio)
        painter.drawImage(rect.topLeft(), image)

    def _draw_missing(self) -> bool:
        """Draw pictures that the view lacks for ``turn_ms``; return whether all are there now.

        Those at the mouse are drawn first, because people look there. If it points elsewhere, those
        in the middle of the view are the first.
        """
        first_point = self.mapFromGlobal(QCursor.pos())
        if not self.rect().contains(first_point):
            first_point = self.rect().center()
        is_complete = self.renderer.prepare(
            self._prepare_view(),
            QRectF(self.rect()),
            self.turn_ms,
            backdrop=self._backdrop,
            nearest=QPointF(first_point),
        )
        self._limit_drawings()
        return is_complete

    # --- what an edit changes ---------------------------------------------------------------

    def _on_changed(self, region: Region) -> None:
        """Repaint what an edit changed."""
        if self._drawable.invalidate_players_view():
            self._backdrop.forget()
            self.update()
        if region.reshaped:
            self._backdrop.forget()
            self.renderer.follow(self.document.battlemap)
            self.fit()
            return
        self._redraw(region)

    def _redraw(self, region: Region) -> None:
        """Repaint what looks different now, ``region``, and as little else as possible."""
        battlemap = self.document.battlemap

        # The renderer drops its pictures of what looks different now, and with them the padlocks
        # drawn last, which have to be repainted below where they are no more.
        former_locks = self.renderer.placed_locks
        cells = self.renderer.changed(region)
        # A record, such as the kinds of things or the level of the water, can change any cell.
        has_drawn_records = bool(region.records - battlemap.system.undrawn_records)
        if cells is None or has_drawn_records:
            self._backdrop.forget()

        if region.everything and style_of(battlemap.system).features:
            # Such pictures take time. The window shows the map as it was until they are drawn.
            self.sharpening.start_hidden_drawing()
            return
        if cells is None or has_drawn_records:
            self.update()
            return

        # Repaint the least that shows it.
        self._update_cells(cells)
        if region.locks and self.renderer.overlays.locks:
            self._update_padlocks(former_locks)
        self.update_points(battlemap.grid.shown_points(region.points))
        if self._reaches_beyond_cells(region):
            self.update()

    def _update_cells(self, cells: NDArray[np.intp]) -> None:
        """Repaint what ``cells`` (n,) show."""
        grid = self.document.battlemap.grid
        boxes = list(boxes_of_cells(cells, grid, self.viewport, self.size()))
        self._backdrop.changed(boxes, self.viewport)
        self._update_boxes(boxes)

    def _reaches_beyond_cells(self, region: Region) -> bool:
        """Return whether an edit changes the picture far from the cells and things it touched."""
        battlemap = self.document.battlemap
        if region.everything:
            return True  # also what lies over the ground, such as the legend
        regions = battlemap.system.regions
        if regions is not None and regions.name in region.planes:
            return True  # the names of regions move
        if not len(region.points):
            return False
        if self.renderer.countries(battlemap):
            return True  # a country reaches far around each of its units
        # A thing that came, went or moved can push away names and signs of other things, or let
        # them show again.
        drawn_map = self._drawable.current().battlemap
        scale = self.viewport.scale
        has_other_names = self.renderer.names(drawn_map, scale) is not self._last_frame.names
        has_other_signs = self.renderer.signs(drawn_map, scale) is not self._last_frame.signs
        return has_other_names or has_other_signs

    def _update_padlocks(self, former: AreaLocks) -> None:
        """Repaint the padlocks of locked areas that have moved, grown or shrunk, come or gone."""
        locks = self.renderer.area_locks(self.document.battlemap)
        changed_locks = former.by_place() ^ locks.by_place()  # those that only one of them has
        points = np.array([(x, y) for x, y, _size in changed_locks]).reshape(-1, 2)
        largest_size = max((size for _x, _y, size in changed_locks), default=0.0)
        reach = padlock_reach(largest_size, self.viewport.scale)
        self._update_boxes(boxes_around(points, (reach, reach), self.viewport, self.size()))

    def update_points(self, points: NDArray[np.float64]) -> None:
        """Repaint the things at points (n, 2), in map units, with the rings around them."""
        if not len(points):
            return
        reach = thing_reach_px(self.document.battlemap, self.viewport.scale)
        self._update_boxes(boxes_of_things(points, reach, self.viewport, self.size()))

    def _update_boxes(self, boxes: Iterable[QRectF]) -> None:
        """Repaint the pixels of the widget that boxes touch."""
        inside = QRectF(self.rect())
        for box in boxes:
            self.update(box.intersected(inside).toAlignedRect())

    # --- the mouse --------------------------------------------------------------------------

    def hit_at(self, point: QPointF) -> Hit | None:
        """Return the cell, side and corner under a point of the widget, None outside the map."""
        grid = self.document.battlemap.grid
        x, y = self.viewport.to_map(point)
        hit = grid.hit(x, y)
        if hit is not None and grid.wrap:
            # Beyond the seam the grid finds the cell of the other side of the map, which is not
            # drawn there.
            centre_x, _centre_y = grid.centre(hit.cell)
            if abs(centre_x - x) > SEAM_DISTANCE:
                return None
        return hit


def _area(rect: QRect) -> int:
    """Return the area of a rectangle in logical pixels."""
    return rect.width() * rect.height()
