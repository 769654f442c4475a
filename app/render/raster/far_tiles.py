"""A map seen from afar: its picture, drawn larger and made smaller, stored in tiles.

There are tiles for some scales, the *levels*. A tile is a square of pixels that is drawn where it
is seen, *block* by block, so that a turn of the event loop ends in time; what an edit touches of a
block is *stale*, and drawn again. Of ``FarTiles`` the renderer calls ``follow`` for the map that it
shows, ``changed`` after an edit, ``prepare`` while there is time, and ``paint``.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from math import ceil, floor, hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QElapsedTimer, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import saved_state
from app.render.cell_geometry import SIDE_REACH, cell_box
from app.render.viewport import Viewport
from randomizer.model.basics.caches import register_bytes
from randomizer.model.grid.indices import places_by_value
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

Drawing = Generator[None, None, QImage | None]
"""Draws a block, some milliseconds until each ``yield``; returns the picture, None after a fault.

Until then the generator itself has what it has drawn.
"""

Draw = Callable[[BattleMap, Composite, "Level", QRect], Drawing]
"""Begins to draw a map in a box of pixels of ``Level.drawn``."""


TILE = 256
"""The width and height of a tile, in pixels."""

MOST_BYTES = 84 << 20
"""Tiles together take at most this, those of two and a half screens of 3840 x 2160 pixels.

Those seen last stay.
"""
register_bytes(f"{__name__}.MOST_BYTES", MOST_BYTES)

MOST_UNFINISHED = 3
"""So many blocks can be unfinished at a time, each with its picture and batches: some 3 MB.

Usually one is; a frame that draws what is stale of the view may begin others.
"""

MOST_CHANGED = 20_000
"""If more cells than these changed, all tiles are drawn again."""

MOST_NOTED = 1_000
"""The changes of so many cells are noted before it is looked for the tiles that show them."""

MAP_MARGIN = 2
"""Room around the map for its edges, in map units."""

VIEW_MARGIN = 2
"""So many pixels more than are seen are painted on each side, for those that are blended of two."""

SPRITE_MARGIN = 0.05
"""So much more than ``SIDE_REACH`` around a changed cell is drawn again, in map units."""

BYTES_OF_PIXEL = 4


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


LEVELS = (
    Level(unit=8, halvings=1, blocks=1),
    Level(unit=4, halvings=1, blocks=1),
    Level(unit=2, halvings=2, blocks=2),
    Level(unit=1, halvings=3, blocks=4),
)
"""All levels, the finest first. A tile of a coarser one shows more cells, and has more blocks."""


class LevelBox(NamedTuple):
    """A box of pixels of a level or of one of its tiles.

    ``right`` and ``bottom`` are behind it, as in slices; a ``DeviceBox`` has a width and a height.
    """

    left: int
    top: int
    right: int
    bottom: int


class _Tile:
    """A square of ``TILE`` pixels, of which some may be drawn as the map no longer is."""

    def __init__(self, blocks: int) -> None:
        self.pixels = np.zeros((TILE, TILE), np.uint32)
        """0xAARRGGBB, shape (rows, columns)."""
        self.stale_boxes: dict[tuple[int, int], LevelBox] = {}
        """What is not drawn as the map is now, by the column and row of its block."""
        self.is_whole = False
        """True once all of it was drawn, if only as the map was then."""
        for row in range(blocks):
            for column in range(blocks):
                self.stale_boxes[column, row] = _box_of_block(column, row, TILE // blocks)

    def make_stale(self, box: LevelBox, blocks: int) -> None:
        """Note that the map changed in a box, which may reach over the tile.

        Each block that it meets has one stale box, which grows around both.
        """
        side = TILE // blocks
        left, top, right, bottom = (min(max(end, 0), TILE) for end in box)
        nothing = LevelBox(TILE, TILE, 0, 0)  # around this and another box lies the other one
        for row in range(top // side, ceil(bottom / side)):
            for column in range(left // side, ceil(right / side)):
                block = _box_of_block(column, row, side)
                stale = self.stale_boxes.get((column, row), nothing)
                self.stale_boxes[column, row] = LevelBox(
                    max(block.left, min(left, stale.left)),
                    max(block.top, min(top, stale.top)),
                    min(block.right, max(right, stale.right)),
                    min(block.bottom, max(bottom, stale.bottom)),
                )


def _box_of_block(column: int, row: int, side: int) -> LevelBox:
    """Return the box of a block in its tile; ``side`` is its width and height in pixels."""
    left = column * side
    top = row * side
    return LevelBox(left, top, left + side, top + side)


class _View(NamedTuple):
    """The part of a level that a box of device pixels shows."""

    level: Level

    size: float
    """The device pixels that a pixel of the level is wide and high."""

    left: float
    """Where the left end of the level lies, in device pixels."""

    top: float
    """Where the top of the level lies, in device pixels."""

    box: LevelBox
    """The pixels of the level that are seen."""

    tile_positions: list[tuple[int, int]]
    """The columns and rows of the tiles that are seen."""

    def positions_from(self, nearest: QPointF | None) -> list[tuple[int, int]]:
        """Return ``tile_positions`` in the order of their distance from a device pixel."""
        if nearest is None:
            return self.tile_positions
        side = TILE * self.size  # in device pixels
        # The distance is that of the middles of tiles.
        nearest_column = (nearest.x() - self.left) / side - 0.5
        nearest_row = (nearest.y() - self.top) / side - 0.5

        def distance(position: tuple[int, int]) -> float:
            column, row = position
            return hypot(column - nearest_column, row - nearest_row)

        return sorted(self.tile_positions, key=distance)


class FarTiles:
    """The tiles of one map at all levels."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        """Begins to draw a block."""
        self.content: object = object()
        """Stands for what the map holds: another one where all of it may look different."""
        self._tiles: dict[tuple[Level, int, int], _Tile] = {}
        """The tiles by level, column and row; those seen last are last."""
        self._followed_map: tuple[BattleMap, Composite] | None = None
        """The map that is followed, None before ``follow``."""
        self._key: object = None
        """The key with which it is followed (``follow``)."""
        self._bounds = LevelBox(0, 0, 0, 0)
        """What tiles show, in whole map units: the map with a margin."""
        self._changed_cells: list[NDArray[np.intp]] = []
        """The cells that changed since tiles were needed last: their tiles are not yet stale.

        While one works on a map near by no tiles are seen, and edits follow one another.
        """
        self._changed_count = 0
        """The number of ``_changed_cells`` in all."""
        self._unfinished_drawings: dict[tuple[Level, tuple[int, int], LevelBox], Drawing] = {}
        """The drawings that were out of time, by level, tile position and box in the tile; those
        begun last are last."""

    def follow(self, battlemap: BattleMap, composite: Composite, key: object) -> None:
        """Show this map from now on; with another ``key`` all of it looks different."""
        self._followed_map = (battlemap, composite)
        if key != self._key:
            self.forget()
            self._key = key
            left, top, right, bottom = battlemap.grid.bounds
            self._bounds = LevelBox(
                floor(left) - MAP_MARGIN,
                floor(top) - MAP_MARGIN,
                ceil(right) + MAP_MARGIN,
                ceil(bottom) + MAP_MARGIN,
            )

    def forget(self) -> None:
        """Drop all tiles, drawn and unfinished ones."""
        self._tiles.clear()
        self._changed_cells.clear()
        self._changed_count = 0
        self.forget_unfinished()

    @property
    def unfinished_count(self) -> int:
        """The number of unfinished drawings, at most ``MOST_UNFINISHED``."""
        return len(self._unfinished_drawings)

    def forget_unfinished(self) -> None:
        """Drop the drawings that were out of time."""
        self._unfinished_drawings.clear()

    @property
    def bytes(self) -> int:
        """The memory that the tiles take, in bytes."""
        return len(self._tiles) * TILE * TILE * BYTES_OF_PIXEL

    def changed(self, cells: NDArray[np.intp]) -> None:
        """Note that these cells (n,) are drawn differently now."""
        self.forget_unfinished()  # they show the map as it was
        if not self._tiles or not len(cells):
            return
        self._changed_cells.append(cells)
        self._changed_count += len(cells)
        if self._changed_count > MOST_NOTED:
            self._update_stale()

    def _update_stale(self) -> None:
        """Make stale in all tiles what shows the cells that changed; before tiles are looked at."""
        if not self._changed_cells:
            return
        cells = np.concatenate(self._changed_cells)
        self._changed_cells.clear()
        self._changed_count = 0
        if len(cells) > MOST_CHANGED:
            self._tiles.clear()
            return
        assert self._followed_map is not None
        grid = self._followed_map[0].grid
        reach = cell_box(grid.layout, SIDE_REACH + SPRITE_MARGIN)
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
                    tile.make_stale(LevelBox(left, top, right, bottom), level.blocks)

    # --- what is seen -----------------------------------------------------------------------

    def _view(self, viewport: Viewport, ratio: float, box: QRect) -> _View:
        """Return what a box of device pixels shows, and of which level.

        That is the coarsest level whose pixels are no larger than device pixels, else the finest;
        but one whose tiles would take more than ``MOST_BYTES`` is not used.
        """
        view = self._view_of_level(LEVELS[-1], viewport, ratio, box)  # the coarsest
        for level in reversed(LEVELS[:-1]):
            if view.size <= 1:
                break
            finer_view = self._view_of_level(level, viewport, ratio, box)
            if len(finer_view.tile_positions) * TILE * TILE * BYTES_OF_PIXEL > MOST_BYTES:
                break  # a screen so large shows the coarser level, enlarged
            view = finer_view
        return view

    def _view_of_level(self, level: Level, viewport: Viewport, ratio: float, box: QRect) -> _View:
        """Return what a box of device pixels shows of a level."""
        unit = viewport.scale * ratio
        size = unit / level.unit
        left = viewport.dx * ratio + self._bounds.left * unit
        top = viewport.dy * ratio + self._bounds.top * unit
        width = (self._bounds.right - self._bounds.left) * level.unit
        height = (self._bounds.bottom - self._bounds.top) * level.unit
        # The ``right()`` and ``bottom()`` of a QRect are its last pixels.
        box_right = box.right() + 1
        box_bottom = box.bottom() + 1
        seen = LevelBox(
            max(0, floor((box.left() - left) / size) - VIEW_MARGIN),
            max(0, floor((box.top() - top) / size) - VIEW_MARGIN),
            min(width, ceil((box_right - left) / size) + VIEW_MARGIN),
            min(height, ceil((box_bottom - top) / size) + VIEW_MARGIN),
        )
        tile_positions = []
        for row in range(seen.top // TILE, ceil(seen.bottom / TILE)):
            for column in range(seen.left // TILE, ceil(seen.right / TILE)):
                tile_positions.append((column, row))
        return _View(level, size, left, top, seen, tile_positions)

    def covers(self, viewport: Viewport, ratio: float, box: QRect) -> bool:
        """Return whether all that a box of device pixels shows is drawn, and as it is now."""
        self._update_stale()
        view = self._view(viewport, ratio, box)
        tiles = (self._tiles.get((view.level, *position)) for position in view.tile_positions)
        return all(tile is not None and not tile.stale_boxes for tile in tiles)

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
        self._update_stale()
        clock = QElapsedTimer()
        clock.start()
        view = self._view(viewport, ratio, box)
        for position in view.positions_from(nearest):
            tile = self._tile_to_draw(view.level, position, only_drawn_once=only_drawn_once)
            if tile is None:
                continue
            if not self._draw_tile(tile, view.level, position, clock, budget_ms):
                return False
        self._drop_oldest_tiles(len(view.tile_positions))
        return True

    def _tile_to_draw(
        self, level: Level, position: tuple[int, int], *, only_drawn_once: bool
    ) -> _Tile | None:
        """Return the tile at a position, the last of all now; a new one if there was none.

        With ``only_drawn_once`` it is None for a tile that was never drawn to its end.
        """
        key = (level, *position)
        tile = self._tiles.pop(key, None)
        if tile is None:
            if only_drawn_once:
                return None
            tile = _Tile(level.blocks)
        self._tiles[key] = tile
        if only_drawn_once and not tile.is_whole:
            return None
        return tile

    def _drop_oldest_tiles(self, tiles_in_view: int) -> None:
        """Drop the tiles that were seen longest ago where all take too much memory.

        Those of the view, which are the last ones, stay.
        """
        while self.bytes > MOST_BYTES and len(self._tiles) > tiles_in_view:
            del self._tiles[next(iter(self._tiles))]

    def _draw_tile(
        self,
        tile: _Tile,
        level: Level,
        position: tuple[int, int],
        clock: QElapsedTimer,
        budget_ms: int,
    ) -> bool:
        """Draw what is stale of a tile; return whether there was time for all of it."""
        while tile.stale_boxes:
            if clock.elapsed() >= budget_ms:
                return False
            block, stale_box = next(iter(tile.stale_boxes.items()))
            image = self._draw_box(level, position, stale_box, clock, budget_ms)
            if image is None:
                return False
            rows = slice(stale_box.top, stale_box.bottom)
            columns = slice(stale_box.left, stale_box.right)
            tile.pixels[rows, columns] = _shrunken(image, level)
            del tile.stale_boxes[block]
        tile.is_whole = True
        return True

    def _draw_box(
        self,
        level: Level,
        position: tuple[int, int],
        box: LevelBox,
        clock: QElapsedTimer,
        budget_ms: int,
    ) -> QImage | None:
        """Go on drawing a box of a tile; return its picture, larger by ``Level.halvings``.

        None if it is out of time: it goes on at the next call. None, too, after a fault.
        """
        key = (level, position, box)
        drawing = self._unfinished_drawings.pop(key, None)
        if drawing is None:
            drawing = self._begin_to_draw(level, position, box)
        try:
            while clock.elapsed() < budget_ms:
                next(drawing)
        except StopIteration as end:
            image: QImage | None = end.value
            return image
        while len(self._unfinished_drawings) >= MOST_UNFINISHED:
            del self._unfinished_drawings[next(iter(self._unfinished_drawings))]
        self._unfinished_drawings[key] = drawing
        return None

    def _begin_to_draw(self, level: Level, position: tuple[int, int], box: LevelBox) -> Drawing:
        """Begin to draw a box of a tile, larger by ``Level.halvings``."""
        column, row = position
        corner = QPoint(
            self._bounds.left * level.unit + column * TILE + box.left,
            self._bounds.top * level.unit + row * TILE + box.top,
        )
        size = QSize(box.right - box.left, box.bottom - box.top)
        scale = 1 << level.halvings
        assert self._followed_map is not None
        return self._draw(*self._followed_map, level, QRect(corner * scale, size * scale))

    def paint(self, painter: QPainter, viewport: Viewport, ratio: float, box: QRect) -> None:
        """Paint what is drawn and not stale of a box of device pixels, the painter's unit."""
        self._update_stale()
        view = self._view(viewport, ratio, box)
        if view.box.right <= view.box.left or view.box.bottom <= view.box.top:
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
            painter.drawImage(view.box.left, view.box.top, image)

    def _pixels(self, view: _View) -> NDArray[np.uint32]:
        """Return the pixels of a view, (rows, columns); transparent where none are drawn."""
        left, top, right, bottom = view.box
        pixels = np.zeros((bottom - top, right - left), np.uint32)
        for column, row in view.tile_positions:
            tile = self._tiles.get((view.level, column, row))
            if tile is None or not tile.is_whole:
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
            for stale in tile.stale_boxes.values():
                # A slice that began or ended below 0 would count from the other end.
                start_x = max(0, tile_left - left + stale.left)
                end_x = max(0, tile_left - left + stale.right)
                start_y = max(0, tile_top - top + stale.top)
                end_y = max(0, tile_top - top + stale.bottom)
                pixels[start_y:end_y, start_x:end_x] = 0
        return pixels


def _shrunken(image: QImage, level: Level) -> NDArray[np.uint32]:
    """Return the pixels of a picture (rows, columns), smaller by ``Level.halvings``."""
    pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
    for _ in range(level.halvings):
        pixels = halved(pixels)
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
    even_columns = rows[:, 0::2]
    odd_columns = rows[:, 1::2]
    halves_of_difference = ((even_columns ^ odd_columns) & odd) >> np.uint32(1)
    return np.asarray((even_columns | odd_columns) - halves_of_difference)  # rounded up
