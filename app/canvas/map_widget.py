"""A widget that shows the current map; it can be zoomed and panned.

``MapCanvas`` is made from it and adds what lies over the map and what the mouse does. Read first:

- ``paintEvent`` draws the rectangles that are dirty, by way of the renderer.
- ``_on_changed`` decides which rectangles an edit makes dirty.
- A frame for which pictures of cells are missing is a *draft*: it shows coarser ones, and
  ``_sharpen`` draws the missing ones a few at a time, in turns of the event loop.
- The *backdrop* is the stored picture of the ground, which is what cells show without things, names
  and other overlays. It reaches a little beyond the view, so that a pan has something to show.
- ``drawn_maps`` keeps what was drawn of the other open maps, so that they show at once again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import (
    QElapsedTimer,
    QEvent,
    QPointF,
    QRect,
    QRectF,
    QSize,
    QSizeF,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QCursor, QGuiApplication, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.appearance.painting import painting
from app.qt_guard import connect, guarded
from app.render.cell_geometry import SIDE_REACH
from app.render.drawing_faults import picture_part, without_undrawable
from app.render.level_of_detail import MARGIN
from app.render.raster.backdrop import AHEAD, Backdrop
from app.render.raster.far_tiles import MOST_BYTES, FarTiles
from app.render.renderer import Renderer
from app.render.scene.locks import AreaLocks, padlock_reach
from app.render.scene.things.names import NO_NAMES, Names
from app.render.scene.things.signs import NO_SIGNS, Signs
from app.render.scene.things.things import thing_reach
from app.render.style import style_of
from app.render.viewport import Viewport, fitting
from randomizer.model.edits.edit import Region
from randomizer.model.grid.grid import Hit
from randomizer.model.grid.indices import places_by_value
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite
from randomizer.model.players_view import players_view

if TYPE_CHECKING:
    from app.document.document import MapDocument

SHARPEN_MS = 120
"""How long after the last zoom the pictures of the cells are drawn for the new scale."""

DRAFT_FRAME_MS = 200
"""How often a draft is shown again while its pictures are drawn, with those drawn so far."""

TURN_MS = 8
"""How long pictures are drawn in one turn of the event loop."""

MANY_RECTS = 24
"""More dirty rectangles than these are drawn as one, their bounding box."""

DENSE_RATIO = 2
"""Dirty rectangles are drawn as one if the area of their bounding box is at most so many times
their own."""

FEW_POINTS = 12
"""Up to so many things that changed are repainted by a rectangle each."""

REPAINT_SQUARE = 320
"""Changes that lie far apart are repainted by squares of this side, in logical pixels."""

MOST_SQUARES_ACROSS = 4096
"""No view is so many of these squares wide: their columns and rows make one number with it."""

EDGE_MARGIN = 0.05
"""How far lines at the edges of cells reach beyond the hexsides on them, in map units."""

EDGE_PIXELS = 3
"""How far pens and rounding reach beyond that, in logical pixels."""

SEAM_DISTANCE = 1.5
"""A point of a cell is never so far from its centre to the right or left, in map units."""

USUAL_WIDTH = 320
"""The least width of the canvas, in logical pixels, on a screen of some size."""

LEAST_SHARE = 6
"""On a small screen the least width is this part of the screen's."""

LEAST_WIDTH = 120
"""The least width on the smallest screens, in logical pixels."""

USUAL_HEIGHT = 320
"""The least height, in logical pixels, beside which an open gallery and list of problems have
room."""

BARS = 140
"""On a small screen the least height is half of the screen's less what bars take, in pixels."""

LEAST_HEIGHT = 120
"""The least height on the smallest screens, in logical pixels."""


class _Drawn(NamedTuple):
    """The drawing of an open map, kept while another map is current."""

    state: object
    """The state of the map when it was drawn: for another state the drawing is out of date."""

    tiles: FarTiles | None
    """The pictures of the map from afar; None if it was not drawn from afar."""

    backdrop: Backdrop
    """The picture of the ground in the view."""

    @property
    def bytes(self) -> int:
        """The memory that it takes, in bytes."""
        if self.tiles is None:
            return self.backdrop.bytes
        return self.tiles.bytes + self.backdrop.bytes


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
        self.viewport = Viewport(40.0, 0.0, 0.0)
        """Maps map units to logical pixels; ``OpenMap.viewport`` keeps that of each open map."""
        self._fitted = True
        """Whether the whole map is shown and stays so when the window is resized."""
        self.keeps_view = False
        """True while something below takes part of the height of the map, for a while.

        Then a map that is shown as a whole is not made smaller: its cells would move under the
        mouse, and the next click would hit another one.
        """
        self._was_shown = False
        """Whether a first frame was drawn."""
        self._names = NO_NAMES
        """The names of things that were drawn last; after an edit the new ones are compared."""
        self._signs = NO_SIGNS
        """The signs of things from afar that were drawn last, compared likewise."""
        self._progressive = False
        """Whether the view is still settling, so that pictures are drawn coarsely first."""
        self._drafted = False
        """Whether the last frame was a draft, whose pictures are being drawn."""
        self._instead: Composite | None = None
        """What is shown in place of the map, None for the map itself."""
        self._players: tuple[BattleMap, Composite] | None = None
        """What players see of the map, and its composite, while the overlay of that name is on."""
        self._backdrop = Backdrop()
        """The picture of the ground of the current map, as it was drawn last."""
        self.drawn_maps: dict[str, _Drawn] = {}
        """What is drawn of other open maps, by their keys; the oldest first."""
        self.most_bytes = MOST_BYTES
        """What ``drawn_maps`` and what is drawn of the current map may take together."""
        self.turn_ms = TURN_MS
        """How long pictures are drawn in one turn of the event loop."""
        self._sharpen_timer = QTimer(self, singleShot=True)
        """Draws the missing pictures of a draft, a few each time that it runs out."""
        connect(self._sharpen_timer.timeout, self._sharpen)
        self._since_frame = QElapsedTimer()
        """The time since the last frame."""
        self._hidden_timer = QTimer(self)
        """Runs while a map that changed as a whole is drawn, in turns, before it is shown."""
        connect(self._hidden_timer.timeout, self._draw_hidden)

        renderer.translucent = True
        renderer.overview_ms = TURN_MS
        renderer.follow(document.battlemap)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName("Map")
        self.setMinimumSize(_least_size())

        connect(document.changed, self._on_changed)
        connect(document.map_leaving, self._keep_drawn)
        connect(document.map_replaced, self._on_replaced)
        connect(document.maps_changed, self._forget_closed)

    @guarded(default=QSize())
    def sizeHint(self) -> QSize:
        """Return a size in which a usual battleland is comfortable to paint on."""
        return QSize(720, 640)

    # --- the view ---------------------------------------------------------------------------

    @property
    def fitted(self) -> bool:
        """True if the whole map is shown and stays so when the window is resized."""
        return self._fitted

    @property
    def drafted(self) -> bool:
        """True if the picture is a draft: its pieces are still being drawn."""
        return self._drafted

    @property
    def is_sharp(self) -> bool:
        """True if the picture is final: nothing of it is drafted, and no view is still settling."""
        return self._was_shown and not self._progressive and not self._drafted

    def fit(self) -> None:
        """Show the whole map, and keep doing so when the window is resized.

        Its middle lies on a whole pixel, so that sprites drawn before a resize fit after it, too,
        if the scale is the same.
        """
        self._fitted = True
        even_size = QSizeF(self.width() // 2 * 2, self.height() // 2 * 2)
        self._set_viewport(fitting(self.document.battlemap.grid, even_size, MARGIN))

    def zoom(self, factor: float, anchor: QPointF | None = None) -> None:
        """Zoom by ``factor`` around a point of the widget (the middle if None)."""
        self._fitted = False
        if anchor is None:
            anchor = QPointF(self.rect().center())
        self._set_viewport(self.viewport.zoomed(factor, anchor))

    def pan(self, dx: int, dy: int) -> None:
        """Move the picture by whole logical pixels; only the strips that come in are drawn."""
        if dx == 0 and dy == 0:
            return
        self._fitted = False
        self._keep_viewport(self.viewport.panned(dx, dy))
        if self.devicePixelRatioF().is_integer():
            self.scroll(dx, dy)
        else:
            self.update()  # a scroll can only move by whole pixels of the screen
        self.viewport_changed.emit()

    def centre_on(self, x: float, y: float) -> None:
        """Pan the view so that a point of the map (map units) lies in its middle."""
        point = self.viewport.to_screen(x, y)
        middle = QPointF(self.rect().center())
        self.pan(*(middle - point).toPoint().toTuple())

    def show_viewport(self, viewport: Viewport) -> None:
        """Show this part of the map, which stays so when the window gets another size."""
        self._fitted = False
        self._set_viewport(viewport)

    def _set_viewport(self, viewport: Viewport) -> None:
        """Show this part of the map, drafted at first if its pictures take time."""
        self._keep_viewport(viewport)
        style = style_of(self.document.battlemap.system)
        if self._was_shown:
            self._progressive = True
            self._sharpen_timer.start(SHARPEN_MS)
        elif style.landscape or style.features:
            # Such styles take time even in the first frame; there is no end of a zoom to wait for.
            self._progressive = True
            self._sharpen_timer.start(0)
        self.update()
        self.viewport_changed.emit()

    def _keep_viewport(self, viewport: Viewport) -> None:
        """Store a viewport here and in the open map, which has None while the map is fitted."""
        self.viewport = viewport
        if self._fitted:
            self.document.current_map.viewport = None
        else:
            self.document.current_map.viewport = viewport

    def _keep_drawn(self) -> None:
        """Keep what is drawn of the current map, which another map is about to replace."""
        open_map = self.document.current_map
        if self._instead is None and self._players is None:
            drawn = _Drawn(open_map.state, self.renderer.leave(), self._backdrop)
            self.drawn_maps[open_map.key] = drawn

    def _forget_closed(self) -> None:
        """Free what was drawn of maps that are closed, and of the one that is current now."""
        keys = {open_map.key for open_map in self.document.maps}
        keys.discard(self.document.current_map.key)
        self.drawn_maps = {key: drawn for key, drawn in self.drawn_maps.items() if key in keys}

    def _bound_drawn(self) -> None:
        """Free what was drawn of the maps seen longest ago, down to ``most_bytes`` in all."""
        in_use = self.renderer.tile_bytes + self._backdrop.bytes
        total = in_use + sum(drawn.bytes for drawn in self.drawn_maps.values())
        while self.drawn_maps and total > self.most_bytes:
            oldest_key = next(iter(self.drawn_maps))
            total -= self.drawn_maps.pop(oldest_key).bytes

    def _on_replaced(self) -> None:
        """Show the new current map in the view in which it was left, or as a whole."""
        self._instead = None
        self._players = None
        self._hidden_timer.stop()
        open_map = self.document.current_map
        drawn = self.drawn_maps.pop(open_map.key, None)
        if drawn is None or drawn.state != open_map.state:
            self._backdrop = Backdrop()
            self.renderer.follow(open_map.battlemap)
        else:
            self._backdrop = drawn.backdrop
            self.renderer.follow(open_map.battlemap, drawn.tiles)
        self._bound_drawn()
        stored_viewport = open_map.viewport
        if stored_viewport is None:
            self.fit()
        else:
            self.show_viewport(stored_viewport)

    @guarded
    def resizeEvent(self, event: QResizeEvent) -> None:
        has_other_width = event.size().width() != event.oldSize().width()
        if self._fitted and (has_other_width or not self.keeps_view):
            self.fit()
        else:
            self.viewport_changed.emit()  # the view has another size at the same zoom
        super().resizeEvent(event)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.update()
        super().changeEvent(event)

    def show_instead(self, composite: Composite | None) -> None:
        """Show a composite in place of that of the map; None shows the map again.

        The map itself is not changed.
        """
        if composite is not self._instead:
            self._instead = composite
            self.renderer.follow(self.document.battlemap)
            self._backdrop.forget()
            self.update()

    @property
    def draws_hidden(self) -> bool:
        """True while a map that changed as a whole is drawn, and not shown yet."""
        return self._hidden_timer.isActive()

    @property
    def instead(self) -> Composite | None:
        """The composite shown in place of the map's, None for the map itself."""
        return self._instead

    @property
    def composite(self) -> Composite:
        """The shown composite: that of the map, or ``instead``."""
        if self._instead is None:
            return self.document.composite
        return self._instead

    # --- painting ---------------------------------------------------------------------------

    @guarded
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the map in the dirty rectangles, then the overlays."""
        self._since_frame.start()
        with painting(self) as painter:
            ratio = self.devicePixelRatioF()
            region: Any = event.region()
            rects: list[QRect] = list(region)
            if len(rects) == 1 or len(rects) > MANY_RECTS or not ratio.is_integer():
                self._paint(painter, QRectF(event.rect()), ratio)
            elif _area(event.rect()) <= DENSE_RATIO * sum(_area(rect) for rect in rects):
                self._paint_by_image(painter, event.rect(), ratio)
            else:
                for rect in rects:
                    self._paint_by_image(painter, rect, ratio)
        if not self._was_shown:
            self._was_shown = True
            self.painted.emit()

    def _paint(self, painter: QPainter, dirty: QRectF, ratio: float) -> None:
        """Draw the map and its overlays in one rectangle; ``ratio`` is that of device pixels."""
        painter.setClipRect(dirty)
        with picture_part(painter, "The map"):
            self.renderer.paint(
                painter,
                *self._drawable(),
                self.viewport,
                dirty,
                ratio,
                progressive=self._progressive,
                backdrop=self._backdrop,
            )
        self._names = self._names_now()
        self._signs = self._signs_now()
        if self.renderer.drafted:
            self._tell_drafted(True)
            if not self._sharpen_timer.isActive():
                self._sharpen_timer.start(0)
        self.paint_overlays(painter, dirty, ratio)

    def _drawable(self) -> tuple[BattleMap, Composite]:
        """Return the map to draw and its composite: of the map itself, or of what players see.

        If the map cannot be composed, because of a fault in it, both are what can be drawn of it.
        """
        battlemap = self.document.battlemap
        self._update_players()
        if self._players is not None:
            return self._players
        try:
            return battlemap, self.composite
        except Exception:
            # A fault in one layer must not leave an empty window, in which nothing can be mended.
            drawable_map = without_undrawable(battlemap, lambda part: part.composite())
            if drawable_map is None:
                raise
        return drawable_map, drawable_map.composite()

    def _update_players(self) -> None:
        """Compose what players see of the map while their overlay is on, and forget it after."""
        battlemap = self.document.battlemap
        shows_players = self.renderer.overlays.players and self._instead is None
        if shows_players and self._players is None:
            players_map = players_view(battlemap)
            if players_map is battlemap:  # nothing is secret
                composite = self.document.composite
            else:
                composite = players_map.composite()
            self._players = players_map, composite
            self.renderer.follow(players_map)
        elif not shows_players and self._players is not None:
            self._players = None
            self.renderer.follow(battlemap)

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

    def _sharpen(self) -> None:
        """Draw missing pictures for one turn; when all are there, show the final picture."""
        if self.renderer.drafted:
            if not self._prepare():
                self._sharpen_timer.start(0)
                frame_is_old = self._since_frame.elapsed() > DRAFT_FRAME_MS
                if self.renderer.has_new_tiles and frame_is_old:
                    self.update()
                return
            self.renderer.drafted = False
            self.update()
        self._progressive = False
        self._tell_drafted(False)

    def _tell_drafted(self, drafted: bool) -> None:
        """Emit ``drafted_changed`` if the picture became a draft or final."""
        if drafted is not self._drafted:
            self._drafted = drafted
            self.drafted_changed.emit(drafted)

    def _prepare(self) -> bool:
        """Draw pictures that the view needs for ``turn_ms``; return whether all are there now.

        Those at the mouse are drawn first, because people look there; without it those amid.
        """
        first_point = self.mapFromGlobal(QCursor.pos())
        if not self.rect().contains(first_point):
            first_point = self.rect().center()
        is_complete = self.renderer.prepare(
            *self._drawable(),
            self.viewport,
            QRectF(self.rect()),
            self.devicePixelRatioF(),
            self.turn_ms,
            self._backdrop,
            QPointF(first_point),
        )
        self._bound_drawn()
        return is_complete

    def _draw_hidden(self) -> None:
        """Draw a map that changed as a whole for one turn; show it when all of it is drawn."""
        if self._prepare():
            self._hidden_timer.stop()
            self.update()

    def _on_changed(self, region: Region) -> None:
        """Repaint what an edit changed, ``region``, and as little else as possible."""
        battlemap = self.document.battlemap
        self._forget_players_view()
        if region.reshaped:
            self._backdrop.forget()
            self.renderer.follow(battlemap)
            self.fit()
            return

        # The locks that are drawn now: ``renderer.changed`` forgets them.
        former_locks = self.renderer.placed_locks
        cells = self.renderer.changed(region)
        # A record, such as the kinds of things or the level of the water, can change any cell.
        changes_whole_picture = cells is None or region.records
        if changes_whole_picture:
            self._backdrop.forget()
        if region.everything and style_of(battlemap.system).features:
            # Such pictures take time: the map shows as it was until they are drawn.
            self._hidden_timer.start(0)
        elif cells is None or changes_whole_picture:
            self.update()
        else:
            self._update_cells(cells)
            if region.locks and self.renderer.overlays.locks:
                self._update_padlocks(former_locks)
            self.update_points(battlemap.grid.shown_points(region.points))
            if self._reaches_beyond_cells(region):
                self.update()

    def _forget_players_view(self) -> None:
        """Let what players see of the map be composed again, if an edit may have changed it.

        While players see the whole map, both are the same object, and nothing is to be done.
        """
        battlemap = self.document.battlemap
        if self._players is None:
            return
        players_map, _composite = self._players
        if players_map is not battlemap or players_view(battlemap) is not battlemap:
            self._players = None
            self._backdrop.forget()
            self.update()

    def _update_cells(self, cells: NDArray[np.intp]) -> None:
        """Repaint what ``cells`` (n,) show."""
        boxes = list(self._boxes_of(cells))
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
            return True  # countries reach as far around their units
        # The names and signs of other things may show or give way, too.
        return self._names is not self._names_now() or self._signs is not self._signs_now()

    def _update_padlocks(self, former: AreaLocks) -> None:
        """Repaint the padlocks of locked areas that have moved, grown or shrunk, come or gone."""
        locks = self.renderer.area_locks(self.document.battlemap)
        changed_locks = former.by_place() ^ locks.by_place()
        points = np.array([(x, y) for x, y, _size in changed_locks]).reshape(-1, 2)
        largest_size = max((size for _x, _y, size in changed_locks), default=0.0)
        reach = padlock_reach(largest_size, self.viewport.scale)
        self._update_boxes(self._boxes_around(points, (reach, reach)))

    def _names_now(self) -> Names:
        """Return the names of things in the view; the same object until one of them changes."""
        return self.renderer.names(self._drawable()[0], self.viewport.scale)

    def _signs_now(self) -> Signs:
        """Return the signs of things from afar; the same object until one of them changes."""
        return self.renderer.signs(self._drawable()[0], self.viewport.scale)

    def _boxes_of(self, cells: NDArray[np.intp]) -> Iterator[QRectF]:
        """Yield boxes of logical pixels around what cells (n,) show, also beyond their edges."""
        if not len(cells):
            return
        viewport = self.viewport
        grid = self.document.battlemap.grid
        half_width = max(x for x, _y in grid.layout.corners)
        half_height = max(y for _x, y in grid.layout.corners)
        beyond_edge = SIDE_REACH + EDGE_MARGIN
        across = (half_width + beyond_edge) * viewport.scale + EDGE_PIXELS
        down = (half_height + beyond_edge) * viewport.scale + EDGE_PIXELS
        if len(cells) == 1:  # without arrays this is quicker
            centre = viewport.to_screen(*grid.centre(int(cells[0])))
            yield QRectF(centre.x() - across, centre.y() - down, 2 * across, 2 * down)
            return
        yield from self._boxes_around(grid.centres_of(cells), (across, down))

    def update_points(self, points: NDArray[np.float64]) -> None:
        """Repaint the things at points (n, 2), in map units, with the rings around them."""
        if not len(points):
            return
        reach = thing_reach(self.document.battlemap, self.viewport.scale)
        if len(points) > FEW_POINTS:
            self._update_boxes(self._boxes_around(points, (reach, reach)))
            return
        diagonal = QPointF(reach, reach)
        centres = [self.viewport.to_screen(x, y) for x, y in points.tolist()]
        self._update_boxes(QRectF(centre - diagonal, centre + diagonal) for centre in centres)

    def _boxes_around(
        self, points: NDArray[np.float64], reaches: tuple[float, float]
    ) -> Iterator[QRectF]:
        """Yield boxes of logical pixels that hold the points (n, 2), in map units, near the view.

        Points near each other share a box; if they lie far apart, each square of the view
        (``REPAINT_SQUARE``) that has any has a box. ``reaches`` are how far a box reaches beyond
        its points to the right and left, and up and down, in logical pixels.
        """
        viewport = self.viewport
        reach = np.array(reaches)
        reach_ahead = reach + AHEAD  # the backdrop reaches beyond the view, and changes there, too
        size = np.array((self.width(), self.height()))
        pixels = points * viewport.scale + (viewport.dx, viewport.dy)
        is_near_view = ((pixels + reach_ahead > 0) & (pixels - reach_ahead < size)).all(axis=1)
        pixels = pixels[is_near_view]
        if not len(pixels):
            return

        groups = [pixels]
        lie_far_apart = (np.ptp(pixels, axis=0) > REPAINT_SQUARE).any()
        if lie_far_apart:
            columns, rows = (pixels // REPAINT_SQUARE).astype(np.intp).T
            squares = rows * MOST_SQUARES_ACROSS + columns  # one number for each square
            groups = [pixels[indices] for _square, indices in places_by_value(squares)]
        for group in groups:
            first = group.min(axis=0) - reach
            last = group.max(axis=0) + reach
            yield QRectF(QPointF(*first.tolist()), QPointF(*last.tolist()))

    def _update_boxes(self, boxes: Iterable[QRectF]) -> None:
        """Repaint the pixels of the widget that boxes touch."""
        inside = QRectF(self.rect())
        for box in boxes:
            self.update(box.intersected(inside).toAlignedRect())

    def hit_at(self, point: QPointF) -> Hit | None:
        """Return the cell, side and depth under a point of the widget, None outside the map."""
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


def _least_size() -> QSize:
    """Return the least size of the canvas, in logical pixels.

    A narrow window narrows its panels first; on a small screen it has to narrow the map.
    """
    # Not the screen() of the widget: the wrapper that PySide makes of it is destroyed with the
    # widget, and destroys the screen.
    screen = QGuiApplication.primaryScreen().availableSize()
    width = max(LEAST_WIDTH, min(screen.width() // LEAST_SHARE, USUAL_WIDTH))
    height = max(LEAST_HEIGHT, min(screen.height() // 2 - BARS, USUAL_HEIGHT))
    return QSize(width, height)


def _area(rect: QRect) -> int:
    """Return the area of a rectangle in logical pixels."""
    return rect.width() * rect.height()
