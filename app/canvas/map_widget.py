"""A widget that shows the current map; it can be zoomed and panned.

``paintEvent`` draws what is dirty, by way of the renderer. ``_on_changed`` decides what an edit
makes dirty. Where pictures are missing a frame is a draft, and ``_sharpen`` draws them in turns of
the event loop. ``MapCanvas`` adds what lies over the map and what the mouse does.
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

SHOWN_MS = 200
"""So often tiles are shown that are drawn while others of the view are not."""

TURN_MS = 8
"""How long such pictures are drawn in one turn of the event loop."""

MANY_RECTS = 24
"""More dirty rectangles than these are drawn as one, their bounding box."""

NEAR = 2
"""Dirty rectangles whose bounding box is at most so many times as large are drawn as one, too."""

FEW_POINTS = 12
"""So many things that changed are repainted by a rectangle each."""

PART = 320
"""Changed cells that lie far apart are repainted by squares of this many logical pixels."""

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
    """The state of the map when it was drawn: in another one the drawing is not true any more."""

    tiles: FarTiles | None
    """The pictures of the map from afar; None if it was not drawn so."""

    backdrop: Backdrop

    @property
    def bytes(self) -> int:
        """The memory that it takes, in bytes."""
        tile_bytes = 0 if self.tiles is None else self.tiles.bytes
        return tile_bytes + self.backdrop.bytes


class MapWidget(QWidget):
    """An opaque widget that repaints only the cells that changed."""

    viewport_changed = Signal()
    """The map was zoomed or panned."""
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
        self._was_shown = False
        """Whether a first frame was drawn."""
        self._names = NO_NAMES
        """The names that were drawn last: what changed is compared with them."""
        self._signs = NO_SIGNS
        """The signs that were drawn last."""
        self._progressive = False
        """Whether the view is still settling, so that pictures are drawn coarsely first."""
        self._drafted = False
        """Whether the last frame was a draft, whose pictures are being drawn."""
        self._instead: Composite | None = None
        """What is shown in place of the map, None for the map itself."""
        self._players: tuple[BattleMap, Composite] | None = None
        """What players see of the map, while the overlay of that name is on."""
        self._backdrop = Backdrop()
        """The ground of the current map as it was drawn last."""
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
        self._lay_timer = QTimer(self)
        """Draws a map that changed as a whole, in turns, before it is shown."""
        connect(self._lay_timer.timeout, self._lay)

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
        """Return a comfortable size for a battleland."""
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

        Its middle lies on a whole pixel: where a resize leaves the scale, the sprites fit again.
        """
        self._fitted = True
        even = QSizeF(self.width() // 2 * 2, self.height() // 2 * 2)
        self._set_viewport(fitting(self.document.battlemap.grid, even, MARGIN))

    def zoom(self, factor: float, anchor: QPointF | None = None) -> None:
        """Zoom by ``factor`` around a point of the widget (the middle if None)."""
        self._fitted = False
        middle = QPointF(self.rect().center())
        self._set_viewport(self.viewport.zoomed(factor, middle if anchor is None else anchor))

    def pan(self, dx: int, dy: int) -> None:
        """Move the picture by whole logical pixels; only the strips that come in are drawn."""
        if not dx and not dy:
            return
        self._fitted = False
        self._keep_viewport(self.viewport.panned(dx, dy))
        if self.devicePixelRatioF().is_integer():
            self.scroll(dx, dy)
        else:
            self.update()  # what is scrolled must come to lie on whole pixels of the screen
        self.viewport_changed.emit()

    def centre_on(self, x: float, y: float) -> None:
        """Bring a point of the map (map units) to the middle."""
        at = self.viewport.to_screen(x, y)
        middle = QPointF(self.rect().center())
        self.pan(*(middle - at).toPoint().toTuple())

    def show_viewport(self, viewport: Viewport) -> None:
        """Show this part of the map, which stays so when the window gets another size."""
        self._fitted = False
        self._set_viewport(viewport)

    def _set_viewport(self, viewport: Viewport) -> None:
        self._keep_viewport(viewport)
        style = style_of(self.document.battlemap.system)
        if self._was_shown or style.landscape or style.features:
            self._progressive = True  # such pictures take time even in the first frame
            self._sharpen_timer.start(SHARPEN_MS if self._was_shown else 0)
        self.update()
        self.viewport_changed.emit()

    def _keep_viewport(self, viewport: Viewport) -> None:
        self.viewport = viewport
        self.document.current_map.viewport = None if self._fitted else viewport

    def _keep_drawn(self) -> None:
        """Keep what is drawn of the current map: another one takes its place."""
        open_map = self.document.current_map
        if self._instead is None and self._players is None:
            drawn = _Drawn(open_map.state, self.renderer.leave(), self._backdrop)
            self.drawn_maps[open_map.key] = drawn

    def _forget_closed(self) -> None:
        """Let go of what was drawn of maps that are closed; that of the current one is in use."""
        keys = {open_map.key for open_map in self.document.maps}
        keys.discard(self.document.current_map.key)
        self.drawn_maps = {key: drawn for key, drawn in self.drawn_maps.items() if key in keys}

    def _bound_drawn(self) -> None:
        """Let go of what was drawn of the maps seen longest ago, if it is too much together."""
        in_use = self.renderer.tile_bytes + self._backdrop.bytes
        total = in_use + sum(drawn.bytes for drawn in self.drawn_maps.values())
        while self.drawn_maps and total > self.most_bytes:
            total -= self.drawn_maps.pop(next(iter(self.drawn_maps))).bytes

    def _on_replaced(self) -> None:
        """Show another map with the view that it was left with, or the whole of it."""
        self._instead = self._players = None
        self._lay_timer.stop()
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
        if self._fitted:
            self.fit()
        super().resizeEvent(event)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.update()
        super().changeEvent(event)

    def show_instead(self, composite: Composite | None) -> None:
        """Show this in place of what the map shows; None: the map again. The map stays as it is."""
        if composite is not self._instead:
            self._instead = composite
            self.renderer.follow(self.document.battlemap)
            self._backdrop.forget()
            self.update()

    @property
    def lays_more(self) -> bool:
        """True if more of the picture is laid in the next turns."""
        return self._lay_timer.isActive()

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
            elif _area(event.rect()) <= NEAR * sum(map(_area, rects)):
                self._paint_apart(painter, event.rect(), ratio)
            else:
                for rect in rects:
                    self._paint_apart(painter, rect, ratio)
        if not self._was_shown:
            self._was_shown = True
            self.painted.emit()

    def _paint(self, painter: QPainter, dirty: QRectF, ratio: float) -> None:
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
        """Return the map to draw, and what it shows: the map itself, or what players see of it.

        Of a map that cannot be composed, what can be.
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
        """Compose what players see of the map when it is first drawn so, and forget it after."""
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
        """Draw what lies over the map in ``dirty`` (logical pixels); nothing here."""

    def _paint_apart(self, painter: QPainter, rect: QRect, ratio: float) -> None:
        """Draw one of several rectangles by way of an image: a clip of several makes Qt slow."""
        image = QImage(rect.size() * ratio, QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        with painting(image) as on_image:
            on_image.translate(-rect.topLeft())
            self._paint(on_image, QRectF(rect), ratio)
        painter.drawImage(rect.topLeft(), image)

    def _sharpen(self) -> None:
        """Draw the pictures of the cells at the scale of the view, a few in each turn."""
        if self.renderer.drafted:
            if not self._prepare():
                self._sharpen_timer.start(0)
                if self.renderer.has_new_tiles and self._since_frame.elapsed() > SHOWN_MS:
                    self.update()
                return
            self.renderer.drafted = False
            self.update()
        self._progressive = False
        self._tell_drafted(False)

    def _tell_drafted(self, drafted: bool) -> None:
        if drafted is not self._drafted:
            self._drafted = drafted
            self.drafted_changed.emit(drafted)

    def _prepare(self) -> bool:
        """Draw pictures that the view needs for ``turn_ms``; return whether all are there now.

        Those at the mouse are drawn first: there somebody looks.
        """
        mouse = self.mapFromGlobal(QCursor.pos())
        is_complete = self.renderer.prepare(
            *self._drawable(),
            self.viewport,
            QRectF(self.rect()),
            self.devicePixelRatioF(),
            self.turn_ms,
            self._backdrop,
            QPointF(mouse if self.rect().contains(mouse) else self.rect().center()),
        )
        self._bound_drawn()
        return is_complete

    def _lay(self) -> None:
        """Show a map that changed as a whole once what lies on its ground is drawn."""
        if self._prepare():
            self._lay_timer.stop()
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

        # The locks that are drawn now: ``changed`` lets go of them.
        former_locks = self.renderer.placed_locks
        cells = self.renderer.changed(region)
        # A record, such as the kinds of things or the level of the water, can change any cell.
        changes_whole_picture = cells is None or region.records
        if changes_whole_picture:
            self._backdrop.forget()
        if region.everything and style_of(battlemap.system).features:
            # Such pictures take time: the map shows as it was until they are drawn.
            self._lay_timer.start(0)
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

        It has not where the players see the whole map: then both are the same object.
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
            return True  # what lies over the ground, such as the legend
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
        """Repaint the padlocks of locked areas that are elsewhere, or larger or smaller, now."""
        scale = self.viewport.scale
        locks = self.renderer.area_locks(self.document.battlemap)
        moved = former.by_place() ^ locks.by_place()
        points = np.array([(x, y) for x, y, _size in moved]).reshape(-1, 2)
        reach = padlock_reach(max((size for _x, _y, size in moved), default=0.0), scale)
        self._update_boxes(self._boxes_around(points, (reach, reach)))

    def _names_now(self) -> Names:
        """Return the names of things in the view; one object until something of them changes."""
        return self.renderer.names(self._drawable()[0], self.viewport.scale)

    def _signs_now(self) -> Signs:
        """Return the signs of things from afar; one object until something of them changes."""
        return self.renderer.signs(self._drawable()[0], self.viewport.scale)

    def _boxes_of(self, cells: NDArray[np.intp]) -> Iterator[QRectF]:
        """Yield boxes of logical pixels around what cells (n,) show, also beyond their edges."""
        if not len(cells):
            return
        viewport = self.viewport
        grid = self.document.battlemap.grid
        half_width = max(x for x, _y in grid.layout.corners)
        half_height = max(y for _x, y in grid.layout.corners)
        wide = (half_width + SIDE_REACH + 0.05) * viewport.scale + 3
        high = (half_height + SIDE_REACH + 0.05) * viewport.scale + 3
        if len(cells) == 1:  # without arrays this is quicker
            centre = viewport.to_screen(*grid.centre(int(cells[0])))
            yield QRectF(centre.x() - wide, centre.y() - high, 2 * wide, 2 * high)
            return
        yield from self._boxes_around(grid.centres_of(cells), (wide, high))

    def update_points(self, points: NDArray[np.float64]) -> None:
        """Repaint what lies at points (n, 2), in map units: things with the rings around them.

        One rectangle for each of few points.
        """
        reach = thing_reach(self.document.battlemap, self.viewport.scale)
        if len(points) > FEW_POINTS:
            self._update_boxes(self._boxes_around(points, (reach, reach)))
            return
        ends = QPointF(reach, reach)
        at = (self.viewport.to_screen(x, y) for x, y in points.tolist())
        self._update_boxes(QRectF(point - ends, point + ends) for point in at)

    def _boxes_around(
        self, points: NDArray[np.float64], reaches: tuple[float, float]
    ) -> Iterator[QRectF]:
        """Yield boxes of logical pixels around points (n, 2) in map units, as far as they are seen.

        Points near each other share a box; those that lie far apart have one for each square of
        the view. ``reaches`` are how far a box reaches beyond its points, to the sides and up and
        down, in logical pixels.
        """
        viewport = self.viewport
        reach = np.array(reaches)
        beyond = reach + AHEAD  # what is drawn ahead of the view changes, too
        size = np.array((self.width(), self.height()))
        middles = points * viewport.scale + (viewport.dx, viewport.dy)
        is_seen = ((middles + beyond > 0) & (middles - beyond < size)).all(axis=1)
        middles = middles[is_seen]
        if not len(middles):
            return

        groups = [middles]
        if (np.ptp(middles, axis=0) > PART).any():
            columns, rows = (middles // PART).astype(np.intp).T
            squares = rows * 4096 + columns  # one number a square: no view is so many squares wide
            groups = [middles[rows] for _square, rows in places_by_value(squares)]
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
        at = self.viewport.to_map(point)
        hit = grid.hit(*at)
        if hit is not None and grid.wrap and abs(grid.centre(hit.cell)[0] - at[0]) > 1.5:
            return None  # beyond the seam, where that cell is not drawn
        return hit


def _least_size() -> QSize:
    """Return the least size of the canvas, in logical pixels.

    A narrow window narrows its panels first; on a small screen it has to narrow the map.
    """
    # Not the screen() of the widget: the wrapper that PySide makes of it goes with the widget, and
    # takes the screen along.
    screen = QGuiApplication.primaryScreen().availableSize()
    width = max(LEAST_WIDTH, min(screen.width() // LEAST_SHARE, USUAL_WIDTH))
    height = max(LEAST_HEIGHT, min(screen.height() // 2 - BARS, USUAL_HEIGHT))
    return QSize(width, height)


def _area(rect: QRect) -> int:
    return rect.width() * rect.height()
