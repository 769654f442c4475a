"""A map seen from afar: its picture, drawn larger and made smaller, kept in tiles.

Tiles are drawn where they are seen, block by block, so that a turn of the event loop ends in time.
An edit draws again the parts that it touches. Of ``FarTiles`` the renderer calls ``follow`` for the
map that it shows, ``changed`` after an edit, ``prepare`` while there is time, and ``paint``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from math import ceil, floor, hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import saved_state
from app.render.cell_geometry import SIDE_REACH, cell_box, side_middle
from app.render.cell_values.cell_colours import MARKED, listed_cells
from app.render.overlay_options import Overlays
from app.render.raster.frame import Frame
from app.render.scene.regions import has_regions
from app.render.viewport import Viewport
from randomizer.model.basics.caches import register_bytes
from randomizer.model.grid.indices import places_by_value
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.map.regions import at_borders, codes_of, regions_of
from randomizer.model.planes.composite import Composite
from randomizer.model.planes.planes import is_blank
from randomizer.model.planes.routes import SIDES

Drawing = Generator[None, None, QImage | None]
"""Draws a block: some milliseconds until each ``yield``; it returns the picture, None for a fault.

What it has made until then is kept by the generator itself.
"""

Draw = Callable[[BattleMap, Composite, "Level", QRect], Drawing]
"""Begins to draw a map in a box of pixels of ``Level.drawn``."""


TILE = 256
"""The width and height of a tile, in pixels."""

MOST_BYTES = 96 << 20
"""Tiles together take at most this; those seen last stay."""
register_bytes(f"{__name__}.MOST_BYTES", MOST_BYTES)

MOST_BEGUN = 3
"""So many blocks can be begun at a time, each with its picture and batches: some 3 MB.

Usually one is; a frame that draws changed parts of what is shown may begin others.
"""

MOST_CHANGED = 20_000
"""If more cells than these changed, all tiles are drawn again."""

MARGIN = 2
"""Room around the map for its edges, in map units; so many pixels around a part that is scaled."""


class Level(NamedTuple):
    """A scale of which there are tiles."""

    unit: int
    """The pixels a map unit of a tile."""

    halvings: int
    """How often what is drawn is halved to become the tile."""

    blocks: int
    """How many blocks a tile has along a side; each is drawn on its own."""

    @property
    def drawn(self) -> int:
        """The pixels a map unit in which a block is drawn."""
        return self.unit << self.halvings


LEVELS = (Level(8, 1, 1), Level(4, 1, 1), Level(2, 2, 2), Level(1, 3, 4))

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels of a level or of one of its tiles."""


class _Tile:
    """A square of ``TILE`` pixels, of which parts may be drawn as the map no longer is."""

    def __init__(self, blocks: int) -> None:
        self.pixels = np.zeros((TILE, TILE), np.uint32)
        """0xAARRGGBB, shape (rows, columns)."""
        self.stale: dict[tuple[int, int], Box] = {}
        """What is not drawn as the map is now, by the column and row of its block."""
        self.whole = False
        """True once all of it was drawn, if only as the map was then."""
        side = TILE // blocks
        for y in range(blocks):
            for x in range(blocks):
                self.stale[x, y] = (x * side, y * side, (x + 1) * side, (y + 1) * side)

    def make_stale(self, box: Box, blocks: int) -> None:
        """Note that the map changed in a box, which may reach over the tile.

        Each block that it meets has one stale box, which grows around both.
        """
        side = TILE // blocks
        left, top, right, bottom = (min(max(end, 0), TILE) for end in box)
        for y in range(top // side, ceil(bottom / side)):
            for x in range(left // side, ceil(right / side)):
                # A block without a stale box: around an empty one only the new box counts.
                stale = self.stale.get((x, y), (TILE, TILE, 0, 0))
                self.stale[x, y] = (
                    max(x * side, min(left, stale[0])),
                    max(y * side, min(top, stale[1])),
                    min((x + 1) * side, max(right, stale[2])),
                    min((y + 1) * side, max(bottom, stale[3])),
                )


class _View(NamedTuple):
    """What a box of device pixels shows of a level."""

    level: Level

    size: float
    """The device pixels that a pixel of the level is wide and high."""

    left: float
    """Where the left end of the level lies, in device pixels."""

    top: float
    """Where the top of the level lies, in device pixels."""

    box: Box
    """The pixels of the level that are seen."""

    tile_positions: list[tuple[int, int]]
    """The columns and rows of the tiles that are seen."""

    def positions_from(self, nearest: QPointF | None) -> list[tuple[int, int]]:
        """Return the places in the order of their distance from a device pixel."""
        if nearest is None:
            return self.tile_positions
        side = TILE * self.size  # in device pixels
        column = (nearest.x() - self.left) / side - 0.5
        row = (nearest.y() - self.top) / side - 0.5
        return sorted(self.tile_positions, key=lambda at: hypot(at[0] - column, at[1] - row))


class FarTiles:
    """The tiles of one map at all levels; ``draw`` draws a block of it."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.content: object = object()
        """Stands for what the map holds: another one where all of it may look different."""
        self._tiles: dict[tuple[Level, int, int], _Tile] = {}
        """The tiles by level, column and row; those seen last are last."""
        self._followed_map: tuple[BattleMap, Composite] | None = None
        """The map that is followed."""
        self._key: object = None
        """The key with which it is followed (``follow``)."""
        self._bounds = (0, 0, 0, 0)
        """Left, top, right and bottom of what tiles show, in whole map units."""
        self._unfinished_drawings: dict[tuple[Level, tuple[int, int], Box], Drawing] = {}
        """The drawings that were out of time, by level, place of the tile and part of it."""

    def follow(self, battlemap: BattleMap, composite: Composite, key: object) -> None:
        """Show this map from now on; with another ``key`` all of it looks different."""
        self._followed_map = (battlemap, composite)
        if key != self._key:
            self.forget()
            self._key = key
            left, top, right, bottom = battlemap.grid.bounds
            self._bounds = (
                floor(left) - MARGIN,
                floor(top) - MARGIN,
                ceil(right) + MARGIN,
                ceil(bottom) + MARGIN,
            )

    def forget(self) -> None:
        """Let go of all tiles."""
        self._tiles.clear()
        self.forget_begun()

    @property
    def begun_count(self) -> int:
        """The number of tiles drawn in part, at most ``MOST_BEGUN``."""
        return len(self._unfinished_drawings)

    def forget_begun(self) -> None:
        """Let go of what is half drawn."""
        self._unfinished_drawings.clear()

    @property
    def bytes(self) -> int:
        """The memory that the tiles take, in bytes."""
        return len(self._tiles) * TILE * TILE * 4

    def changed(self, cells: NDArray[np.intp]) -> None:
        """Note that these cells (n,) are drawn differently now."""
        self.forget_begun()  # it shows the map as it was
        if len(cells) > MOST_CHANGED:
            self._tiles.clear()
        if not self._tiles or not len(cells) or self._followed_map is None:
            return
        grid = self._followed_map[0].grid
        reach = cell_box(grid.layout, SIDE_REACH + 0.05)
        centres = grid.centres_of(cells) - self._bounds[:2]
        first = centres + np.array((reach.left(), reach.top()))
        last = centres + np.array((reach.right(), reach.bottom()))
        for level in {level for level, _column, _row in self._tiles}:
            # A pixel more, to which sprites are moved.
            pixel = 1 / level.drawn
            starts = np.floor((first - pixel) * level.unit)
            ends = np.ceil((last + pixel) * level.unit)
            self._make_stale(level, np.concatenate([starts, ends], axis=1).astype(np.intp))

    def _make_stale(self, level: Level, boxes: NDArray[np.intp]) -> None:
        """Note in the tiles of a level that the map changed in ``boxes`` of its pixels, (n, 4).

        Boxes, those of cells, are smaller than tiles: each lies in the tiles of its four corners,
        often one tile alone. For each corner boxes are grouped by its tile.
        """
        # The columns (0 and 2) and rows (1 and 3) of the tiles of the first and last pixels.
        tiles_of_ends = (boxes - (0, 0, 1, 1)) // TILE
        columns = [0]
        if (tiles_of_ends[:, 0] != tiles_of_ends[:, 2]).any():
            columns.append(2)
        rows = [1]
        if (tiles_of_ends[:, 1] != tiles_of_ends[:, 3]).any():
            rows.append(3)
        for column_end in columns:
            for row_end in rows:
                keys = (tiles_of_ends[:, column_end] << 32) + tiles_of_ends[:, row_end]
                for _key, numbers in places_by_value(keys):
                    column, row = tiles_of_ends[numbers[0], [column_end, row_end]].tolist()
                    tile = self._tiles.get((level, column, row))
                    if tile is None:
                        continue
                    in_tile = boxes[numbers] - (column * TILE, row * TILE) * 2
                    left, top = in_tile[:, :2].min(axis=0).tolist()
                    right, bottom = in_tile[:, 2:].max(axis=0).tolist()
                    tile.make_stale((left, top, right, bottom), level.blocks)

    # --- what is seen -----------------------------------------------------------------------

    def _view(self, viewport: Viewport, ratio: float, box: QRect) -> _View:
        """Return the level and the part of it that a box of device pixels shows.

        That is the coarsest level whose pixels are no larger than device pixels, else the finest;
        but one whose tiles would take more than ``MOST_BYTES`` is not used.
        """
        unit = viewport.scale * ratio
        left = viewport.dx * ratio + self._bounds[0] * unit
        top = viewport.dy * ratio + self._bounds[1] * unit
        width = self._bounds[2] - self._bounds[0]
        height = self._bounds[3] - self._bounds[1]
        for level in reversed(LEVELS):
            size = unit / level.unit
            seen = (
                max(0, floor((box.left() - left) / size) - MARGIN),
                max(0, floor((box.top() - top) / size) - MARGIN),
                min(width * level.unit, ceil((box.right() + 1 - left) / size) + MARGIN),
                min(height * level.unit, ceil((box.bottom() + 1 - top) / size) + MARGIN),
            )
            columns = range(seen[0] // TILE, ceil(seen[2] / TILE))
            rows = range(seen[1] // TILE, ceil(seen[3] / TILE))
            if len(columns) * len(rows) * TILE * TILE * 4 > MOST_BYTES and level.unit > 1:
                break  # a screen so large shows the level before, enlarged
            view = _View(level, size, left, top, seen, [(x, y) for y in rows for x in columns])
            if size <= 1:
                break
        return view

    def covers(self, viewport: Viewport, ratio: float, box: QRect) -> bool:
        """Return whether all that a box of device pixels shows is drawn, and as it is now."""
        view = self._view(viewport, ratio, box)
        tiles = (self._tiles.get((view.level, *position)) for position in view.tile_positions)
        return all(tile is not None and not tile.stale for tile in tiles)

    def prepare(
        self,
        viewport: Viewport,
        ratio: float,
        box: QRect,
        budget_ms: int,
        *,
        only_drawn_once: bool = False,
        nearest: QPointF | None = None,
    ) -> bool:
        """Draw what a box of device pixels lacks, for ``budget_ms``; return whether all is drawn.

        ``only_drawn_once``: only of tiles that were drawn before, and changed since. The tiles
        nearest to the device pixel ``nearest`` are drawn first; None: those at the left top.
        """
        clock = QElapsedTimer()
        clock.start()
        view = self._view(viewport, ratio, box)
        level = view.level
        for position in view.positions_from(nearest):
            key = (level, *position)
            tile = self._tiles.pop(key, None)
            if tile is None and not only_drawn_once:
                tile = _Tile(level.blocks)
            if tile is None:
                continue
            self._tiles[key] = tile
            if only_drawn_once and not tile.whole:
                continue
            while tile.stale:
                if clock.elapsed() >= budget_ms:
                    return False
                block, part = next(iter(tile.stale.items()))
                if not self._draw_part(tile, level, position, part, clock, budget_ms):
                    return False
                del tile.stale[block]
            tile.whole = True
        while self.bytes > MOST_BYTES and len(self._tiles) > len(view.tile_positions):
            del self._tiles[next(iter(self._tiles))]
        return True

    def _draw_part(
        self,
        tile: _Tile,
        level: Level,
        position: tuple[int, int],
        part: Box,
        clock: QElapsedTimer,
        budget_ms: int,
    ) -> bool:
        """Go on drawing a part of a tile; return whether there was time for all of it.

        A drawing that is out of time is kept, and goes on at the next call.
        """
        key = (level, position, part)
        drawing = self._unfinished_drawings.pop(key, None)
        if drawing is None:
            drawing = self._begin(level, position, part)
        image: QImage | None = None
        try:
            while clock.elapsed() < budget_ms:
                next(drawing)
        except StopIteration as finished:
            image = finished.value
        else:
            while len(self._unfinished_drawings) >= MOST_BEGUN:
                del self._unfinished_drawings[next(iter(self._unfinished_drawings))]
            self._unfinished_drawings[key] = drawing
            return False
        if image is None:  # a fault
            return False
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
        for _ in range(level.halvings):
            pixels = halved(pixels)
        left, top, right, bottom = part
        tile.pixels[top:bottom, left:right] = pixels
        return True

    def _begin(self, level: Level, position: tuple[int, int], part: Box) -> Drawing:
        """Begin to draw a part of a tile, larger by ``Level.halvings``."""
        left, top, right, bottom = part
        column, row = position
        corner = QPoint(
            self._bounds[0] * level.unit + column * TILE + left,
            self._bounds[1] * level.unit + row * TILE + top,
        )
        size = QSize(right - left, bottom - top)
        scale = 1 << level.halvings
        assert self._followed_map is not None
        return self._draw(*self._followed_map, level, QRect(corner * scale, size * scale))

    def paint(self, painter: QPainter, viewport: Viewport, ratio: float, box: QRect) -> None:
        """Paint what is drawn and not stale of a box of device pixels, the painter's unit."""
        view = self._view(viewport, ratio, box)
        left, top, right, bottom = view.box
        if right <= left or bottom <= top:
            return
        pixels = self._pixels(view)
        height, width = pixels.shape
        image_format = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(pixels.data, width, height, 4 * width, image_format)
        with saved_state(painter):
            painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.translate(view.left, view.top)
            painter.scale(view.size, view.size)
            painter.drawImage(left, top, image)

    def _pixels(self, view: _View) -> NDArray[np.uint32]:
        """Return the pixels of a view, (rows, columns); transparent where none are drawn."""
        left, top, right, bottom = view.box
        pixels = np.zeros((bottom - top, right - left), np.uint32)
        for column, row in view.tile_positions:
            tile = self._tiles.get((view.level, column, row))
            if tile is None or not tile.whole:
                continue
            tile_left = column * TILE
            tile_top = row * TILE
            first_x = max(left, tile_left)
            last_x = min(right, tile_left + TILE)
            first_y = max(top, tile_top)
            last_y = min(bottom, tile_top + TILE)
            pixels[first_y - top : last_y - top, first_x - left : last_x - left] = tile.pixels[
                first_y - tile_top : last_y - tile_top, first_x - tile_left : last_x - tile_left
            ]
            for stale_left, stale_top, stale_right, stale_bottom in tile.stale.values():
                # A slice that began or ended below 0 would count from the other end.
                start_x = max(0, tile_left - left + stale_left)
                end_x = max(0, tile_left - left + stale_right)
                start_y = max(0, tile_top - top + stale_top)
                end_y = max(0, tile_top - top + stale_bottom)
                pixels[start_y:end_y, start_x:end_x] = 0
        return pixels


def halved(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return an image (height, width), 0xffRRGGBB, of half the height and width.

    The mean of two numbers is ``(a & b) + ((a ^ b) >> 1)``, rounded down, or ``(a | b) - ((a ^ b)
    >> 1)``, rounded up. So the four channels of a pixel are worked out in one number, if the lowest
    bit of each is cleared before the shift. Rows are rounded down and columns up: the errors do not
    add up.
    """
    odd = np.uint32(0xFEFEFEFE)  # without the lowest bit of each channel
    above = pixels[0::2]
    below = pixels[1::2]
    rows = (above & below) + (((above ^ below) & odd) >> np.uint32(1))  # rounded down
    left = rows[:, 0::2]
    right = rows[:, 1::2]
    return np.asarray((left | right) - (((left ^ right) & odd) >> np.uint32(1)))  # and up


# --- what would be lost in pictures made smaller ---------------------------------------------

WAYS_AT_LEAST = 4
"""In tiles of so many pixels a map unit and fewer, ways are drawn at least a pixel wide."""

BORDERS_AT_LEAST = 2
"""In tiles of so many pixels a map unit and fewer, borders of regions are as wide as cells."""

WIDE = 1.4
"""So many pixels of a tile: it is shown somewhat smaller."""


def paint_ways(frame: Frame, pixels: float) -> None:
    """Draw the ways of the cells of a frame as plain lines; a pixel of the tile has ``pixels``."""
    battlemap = frame.battlemap
    layout = frame.battlemap.grid.layout
    painter = frame.painter
    theme = frame.sprites.theme
    half = WIDE * pixels / 2
    for route in battlemap.system.routes_of(battlemap.terrain_set):
        plane = frame.composite.planes[route.plane]
        if is_blank(plane):
            continue
        values = plane.reshape(-1)[frame.cells]
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.WindingFill)
        for side in range(layout.degree):
            middle = side_middle(layout, side) * frame.unit
            share = half / hypot(middle.x(), middle.y())
            across = QPointF(-middle.y(), middle.x()) * share
            beyond = middle * (1 + share / 2)
            for x, y in frame.at[route.runs(values) & ((values & SIDES) >> side & 1 > 0)].tolist():
                at = QPointF(x, y)
                ends = (at + across, at + beyond + across, at + beyond - across, at - across)
                path.addPolygon(QPolygonF(ends))
        with saved_state(painter):
            # A slanting line with a pen depends on the painter's clip.
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
            painter.fillPath(path, theme.route_cell_colour(route))


def paint_marks(frame: Frame, overlays: Overlays, unit: int) -> None:
    """Draw the colours of locks and of the cell list, which near by have icons and texts.

    In tiles of few pixels a map unit (``unit``) cells at borders of regions have these colours.
    """
    battlemap = frame.battlemap
    theme = frame.sprites.theme
    marks: list[tuple[NDArray[np.intp], QColor]] = []
    if overlays.cell_list:
        starts = listed_cells(battlemap, frame.composite)
        marks.append((np.flatnonzero(np.isin(frame.cells, starts)), theme.cell_list))
    if overlays.locks and not is_blank(battlemap.locked_cells):
        locked = battlemap.locked_cells.reshape(-1)[frame.cells]
        marks.append((np.flatnonzero(locked), theme.lock))
    if overlays.regions and unit <= BORDERS_AT_LEAST and has_regions(battlemap, frame.composite):
        codes = codes_of(battlemap, frame.composite)
        ends = at_borders(battlemap.grid, codes, frame.cells)
        for code, region in enumerate(regions_of(battlemap.records)):
            if region is not None:
                rows = np.flatnonzero(ends & (codes[frame.cells] == code))
                marks.append((rows, QColor(region.colour)))
    for tile_positions, colour in marks:
        if len(tile_positions):
            tile = frame.sprites.tile(colour)
            opacity = np.full(len(tile_positions), MARKED)
            frame.some(tile_positions).draw_in_box(tile, frame.sprites.cell_box, opacity)
