"""A map seen from afar: its picture, drawn larger and made smaller, stored in tiles.

There are tiles for some scales, the *levels*. A tile is drawn where it is seen, *block* by block,
so that a turn of the event loop ends in time; ``tile_levels`` draws levels, tiles and blocks. What
an edit touches of a block is *stale*: it is not shown any more, and drawn again.

The renderer calls ``follow`` for the map that it shows, ``changed`` after an edit, ``prepare``
while there is time, and ``paint`` with each frame. Viewports and boxes in arguments are in device
pixels (``Viewport.in_device_pixels``).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Set
from math import ceil, floor, hypot
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QImage, QPainter

from app.appearance.painting import saved_state
from app.render.cell_geometry import SIDE_REACH, cell_box
from app.render.raster.far_tile import BYTES_OF_PIXEL, TILE_BYTES, FarTile, shrunken
from app.render.raster.tile_levels import LEVELS, TILE, Level, LevelBox, TileKey
from app.render.time_budget import TimeBudget
from app.render.viewport import Viewport
from randomizer.model.basics.caches import register_bytes
from randomizer.model.grid.indices import places_by_value
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.planes.composite import Composite

Drawing = Generator[None, None, QImage | None]
"""Draws a part of a block, some milliseconds until each ``yield``.

It returns the picture, or None after a fault. What is drawn until then is in the generator itself:
a drawing that is out of time is stored, and goes on in another turn.
"""

Draw = Callable[[BattleMap, Composite, "Level", QRect], Drawing]
"""Begins to draw a map in a box of pixels, of which ``Level.drawn_unit`` are a map unit."""

MAX_BYTES = 84 << 20
"""Tiles together take at most this, those of two and a half screens of 3840 x 2160 pixels.

Those seen last stay. With more of them more of a map shows at once when it is zoomed and panned.
"""
register_bytes(f"{__name__}.MAX_BYTES", MAX_BYTES)

MAX_UNFINISHED = 3
"""So many drawings can be unfinished at a time, each with its picture and batches: some 3 MB.

Usually one is; a frame that draws what is stale of the view may begin others.
"""

MAX_CHANGED = 20_000
"""If more cells than these changed, all tiles are drawn again."""

MAX_NOTED = 1_000
"""So many cells can have changed before the tiles that show them are looked for.

If it is larger more memory is taken while one works on a map near by, where no tiles are seen.
"""

MAP_MARGIN = 2
"""Room around the map for its edges, in map units."""

VIEW_MARGIN = 2
"""So many pixels more than are seen are painted on each side, for those that are blended of two."""

SPRITE_MARGIN = 0.05
"""So much more than ``SIDE_REACH`` around a changed cell is drawn again, in map units."""


class _View(NamedTuple):
    """The part of a level that a box of device pixels shows."""

    level: Level
    """The level whose tiles are seen."""

    size: float
    """The device pixels that a pixel of the level is wide and high."""

    left: float
    """Where the left end of the level lies, in device pixels."""

    top: float
    """Where the top of the level lies, in device pixels."""

    box: LevelBox
    """The pixels of the level that are seen."""

    tile_keys: list[TileKey]
    """The tiles that are seen, row by row."""

    def keys_from(self, nearest: QPointF | None) -> list[TileKey]:
        """Return ``tile_keys`` in the order of their distance from a device pixel, if not None."""
        if nearest is None:
            return self.tile_keys
        side = TILE * self.size  # in device pixels
        # The distance is that of the middles of tiles.
        nearest_column = (nearest.x() - self.left) / side - 0.5
        nearest_row = (nearest.y() - self.top) / side - 0.5

        def distance(key: TileKey) -> float:
            return hypot(key.column - nearest_column, key.row - nearest_row)

        return sorted(self.tile_keys, key=distance)


class _DrawingKey(NamedTuple):
    """The content of a drawing."""

    tile: TileKey
    """The tile that is drawn."""

    box: LevelBox
    """The box of pixels in the tile."""


class _Subject(NamedTuple):
    """The content of tiles."""

    battlemap: BattleMap
    """The map."""

    composite: Composite
    """The values that its cells show."""

    key: object
    """Stands for all that its look depends on but the values of cells (``FarTiles.follow``)."""

    bounds: LevelBox
    """The box of the map with a margin, in whole map units."""


class FarTiles:
    """The tiles of one map at all levels.

    ``draw`` begins to draw a box of a map.
    """

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.content: object = object()
        """Stands for what the map holds: another one where all of it may look different."""
        self._tiles: dict[TileKey, FarTile] = {}
        """The tiles; those seen last are last."""
        self._subject: _Subject | None = None
        """What the tiles show; None before ``follow``."""
        self._changed_cells: list[NDArray[np.intp]] = []
        """The cells that changed since tiles were needed last: their tiles are not yet stale.

        While one works on a map near by no tiles are seen, and edits follow one another.
        """
        self._changed_count = 0
        """The number of ``_changed_cells`` in all."""
        self._unfinished_drawings: dict[_DrawingKey, Drawing] = {}
        """The drawings that were out of time; those begun last are last."""

    def follow(self, battlemap: BattleMap, composite: Composite, key: object) -> None:
        """Show this map from now on; with another ``key`` all of it looks different."""
        if self._subject is None or key != self._subject.key:
            self.forget()
        left, top, right, bottom = battlemap.grid.bounds
        bounds = LevelBox(
            floor(left) - MAP_MARGIN,
            floor(top) - MAP_MARGIN,
            ceil(right) + MAP_MARGIN,
            ceil(bottom) + MAP_MARGIN,
        )
        self._subject = _Subject(battlemap, composite, key, bounds)

    def _followed(self) -> _Subject:
        """Return what the tiles show."""
        assert self._subject is not None, "a map is followed before tiles are looked at"
        return self._subject

    def all_changed(self) -> None:
        """Draw all of the map anew: all of it may look different."""
        self.forget()
        self.content = object()  # equal to nothing that was drawn

    def forget(self) -> None:
        """Drop all tiles, drawn and unfinished ones."""
        self._tiles.clear()
        self._changed_cells.clear()
        self._changed_count = 0
        self.forget_unfinished()

    @property
    def unfinished_count(self) -> int:
        """The number of unfinished drawings, at most ``MAX_UNFINISHED``."""
        return len(self._unfinished_drawings)

    def forget_unfinished(self) -> None:
        """Drop the drawings that were out of time."""
        self._unfinished_drawings.clear()

    @property
    def bytes(self) -> int:
        """The memory that the tiles take, in bytes."""
        return len(self._tiles) * TILE_BYTES

    def changed(self, cells: NDArray[np.intp]) -> None:
        """Note that these cells (n,) are drawn differently now."""
        self.forget_unfinished()  # they show the map as it was
        if not self._tiles or not len(cells):
            return
        self._changed_cells.append(cells)
        self._changed_count += len(cells)
        if self._changed_count > MAX_NOTED:
            self._update_stale()

    def _update_stale(self) -> None:
        """Make stale in all tiles what shows the cells that changed.

        It is called before tiles are looked at.
        """
        if not self._changed_cells:
            return
        cells = np.concatenate(self._changed_cells)
        self._changed_cells.clear()
        self._changed_count = 0
        if len(cells) > MAX_CHANGED:
            self._tiles.clear()
            return
        subject = self._followed()
        grid = subject.battlemap.grid
        reach = cell_box(grid.layout, SIDE_REACH + SPRITE_MARGIN)
        centres = grid.centres_of(cells) - (subject.bounds.left, subject.bounds.top)
        first = centres + np.array((reach.left(), reach.top()))
        last = centres + np.array((reach.right(), reach.bottom()))
        for level in {key.level for key in self._tiles}:
            # A pixel more, to which sprites are moved.
            pixel = 1 / level.drawn_unit
            starts = np.floor((first - pixel) * level.unit).astype(np.intp)
            ends = np.ceil((last + pixel) * level.unit).astype(np.intp)
            self._make_stale(level, starts, ends)

    def _make_stale(self, level: Level, starts: NDArray[np.intp], ends: NDArray[np.intp]) -> None:
        """Note in the tiles of a level that the map changed in n boxes of its pixels.

        ``starts`` (n, 2) are the left top corners (x, y), ``ends`` (n, 2) lie behind the right
        bottom corners.

        """
        for key, indices in _boxes_by_tile(level, starts, ends):
            tile = self._tiles.get(key)
            if tile is None:
                continue
            left, top = starts[indices].min(axis=0).tolist()
            right, bottom = ends[indices].max(axis=0).tolist()
            box = LevelBox(left, top, right, bottom)
            tile.make_stale(box.moved(-key.box.left, -key.box.top))

    # --- what is seen -----------------------------------------------------------------------

    def _view(self, viewport: Viewport, box: QRect) -> _View:
        """Return what a box of device pixels shows, and of which level.

        That is the coarsest level whose pixels are no larger than device pixels, else the finest;
        but one whose tiles would take more than ``MAX_BYTES`` is not used.
        """
        fine_levels = [level for level in LEVELS if level.unit >= viewport.scale]
        target = LEVELS[0]
        if fine_levels:
            target = fine_levels[-1]
        for level in LEVELS[LEVELS.index(target) :]:
            view = self._view_of_level(level, viewport, box)
            if len(view.tile_keys) * TILE_BYTES <= MAX_BYTES:
                break  # else the screen is so large that it shows a coarser level, enlarged
        return view

    def _view_of_level(self, level: Level, viewport: Viewport, box: QRect) -> _View:
        """Return what a box of device pixels shows of a level."""
        bounds = self._followed().bounds
        size = viewport.scale / level.unit
        left = viewport.dx + bounds.left * viewport.scale
        top = viewport.dy + bounds.top * viewport.scale
        width = (bounds.right - bounds.left) * level.unit
        height = (bounds.bottom - bounds.top) * level.unit
        # The ``right()`` and ``bottom()`` of a QRect are its last pixels.
        box_right = box.right() + 1
        box_bottom = box.bottom() + 1
        box_in_level = LevelBox(
            floor((box.left() - left) / size) - VIEW_MARGIN,
            floor((box.top() - top) / size) - VIEW_MARGIN,
            ceil((box_right - left) / size) + VIEW_MARGIN,
            ceil((box_bottom - top) / size) + VIEW_MARGIN,
        )
        seen = box_in_level.within(LevelBox(0, 0, width, height))
        tile_keys = []
        for row in range(seen.top // TILE, ceil(seen.bottom / TILE)):
            for column in range(seen.left // TILE, ceil(seen.right / TILE)):
                tile_keys.append(TileKey(level, column, row))
        return _View(level, size, left, top, seen, tile_keys)

    def covers(self, viewport: Viewport, box: QRect) -> bool:
        """Return whether all that a box of device pixels shows is drawn, and as it is now."""
        self._update_stale()
        tiles = (self._tiles.get(key) for key in self._view(viewport, box).tile_keys)
        return all(tile is not None and not tile.stale_boxes for tile in tiles)

    # --- drawing tiles ----------------------------------------------------------------------

    def prepare(
        self,
        viewport: Viewport,
        box: QRect,
        budget: TimeBudget,
        *,
        only_repair: bool = False,
        nearest: QPointF | None = None,
    ) -> bool:
        """Draw what a box of device pixels lacks while there is time; return whether all is drawn.

        With ``only_repair`` only what changed of tiles that were drawn before. The tiles nearest
        to the device pixel ``nearest`` are drawn first; None: those at the left top.
        """
        self._update_stale()
        view = self._view(viewport, box)
        is_drawn = True
        for key in view.keys_from(nearest):
            tile = self._touched_tile(key)
            if only_repair and (tile is None or not tile.is_whole):
                continue
            if tile is None:
                tile = FarTile(key.level)
                self._tiles[key] = tile
            if not self._draw_tile(tile, key, budget):
                is_drawn = False
                break
        # In each turn: while a view is moved on and on, none of its frames may be drawn to the end.
        self._drop_oldest_tiles(set(view.tile_keys))
        return is_drawn

    def _touched_tile(self, key: TileKey) -> FarTile | None:
        """Return the tile of a key, which is the one seen last now; None if there is none."""
        tile = self._tiles.pop(key, None)
        if tile is not None:
            self._tiles[key] = tile
        return tile

    def _drop_oldest_tiles(self, keys_in_view: Set[TileKey]) -> None:
        """Drop the tiles that were seen longest ago where all take too much memory.

        Those of the view stay.
        """
        if self.bytes <= MAX_BYTES:
            return
        for key in list(self._tiles):
            if key not in keys_in_view:
                del self._tiles[key]
                if self.bytes <= MAX_BYTES:
                    return

    def _draw_tile(self, tile: FarTile, key: TileKey, budget: TimeBudget) -> bool:
        """Draw what is stale of a tile; return whether there was time for all of it."""
        while tile.stale_boxes:
            if budget.is_spent:
                return False
            block, stale_box = next(iter(tile.stale_boxes.items()))
            image = self._draw_box(_DrawingKey(key, stale_box), budget)
            if image is None:
                return False
            tile.pixels[stale_box.slices] = shrunken(image, key.level)
            del tile.stale_boxes[block]
        tile.is_whole = True
        return True

    def _draw_box(self, key: _DrawingKey, budget: TimeBudget) -> QImage | None:
        """Go on drawing a box of a tile, or begin; return its picture, larger than the box.

        None if it is out of time: it goes on at the next call. None also after a fault: then who
        draws the boxes (``draw``) has reported it and uses these tiles no more.
        """
        drawing = self._unfinished_drawings.pop(key, None)
        if drawing is None:
            drawing = self._begin_to_draw(key)
        try:
            while not budget.is_spent:
                next(drawing)
        except StopIteration as end:
            image: QImage | None = end.value
            return image
        while len(self._unfinished_drawings) >= MAX_UNFINISHED:
            oldest_key = next(iter(self._unfinished_drawings))
            del self._unfinished_drawings[oldest_key]
        self._unfinished_drawings[key] = drawing
        return None

    def _begin_to_draw(self, key: _DrawingKey) -> Drawing:
        """Begin to draw a box of a tile, ``Level.shrink_factor`` times as large."""
        subject = self._followed()
        level = key.tile.level
        # From the pixels of the tile to those of the level, then to those around the map's origin.
        box = key.box.moved(key.tile.box.left, key.tile.box.top)
        box = box.moved(subject.bounds.left * level.unit, subject.bounds.top * level.unit)
        corner = QPoint(box.left, box.top) * level.shrink_factor
        size = QSize(box.right - box.left, box.bottom - box.top) * level.shrink_factor
        return self._draw(subject.battlemap, subject.composite, level, QRect(corner, size))

    # --- painting ---------------------------------------------------------------------------

    def paint(self, painter: QPainter, viewport: Viewport, box: QRect) -> None:
        """Paint what is drawn and not stale of a box of device pixels, the painter's unit."""
        self._update_stale()
        view = self._view(viewport, box)
        if view.box.is_empty:
            return
        pixels = self._pixels(view)
        height, width = pixels.shape
        image_format = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(pixels.data, width, height, BYTES_OF_PIXEL * width, image_format)
        with saved_state(painter):
            painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.translate(view.left, view.top)
            painter.scale(view.size, view.size)
            painter.drawImage(view.box.left, view.box.top, image)

    def _pixels(self, view: _View) -> NDArray[np.uint32]:
        """Return the pixels of a view, (rows, columns); transparent where none are drawn."""
        seen = view.box
        pixels = np.zeros((seen.bottom - seen.top, seen.right - seen.left), np.uint32)
        for key in view.tile_keys:
            tile = self._tiles.get(key)
            if tile is None or not tile.is_whole:
                continue
            tile_box = key.box
            common = tile_box.within(seen)  # in pixels of the level
            in_pixels = common.moved(-seen.left, -seen.top)
            in_tile = common.moved(-tile_box.left, -tile_box.top)
            pixels[in_pixels.slices] = tile.pixels[in_tile.slices]
            for stale_box in tile.stale_boxes.values():
                stale = stale_box.moved(tile_box.left, tile_box.top).within(seen)
                if not stale.is_empty:
                    pixels[stale.moved(-seen.left, -seen.top).slices] = 0
        return pixels


def _boxes_by_tile(
    level: Level, starts: NDArray[np.intp], ends: NDArray[np.intp]
) -> Iterator[tuple[TileKey, NDArray[np.intp]]]:
    """Yield tiles of a level, each with the indices of boxes of pixels that lie in it.

    ``starts`` and ``ends`` (n, 2) are as in ``FarTiles._make_stale``. The boxes, those of cells,
    are smaller than tiles. So each lies in the tiles of its four corners, often one tile alone: for
    each of the corners the boxes are grouped by the tile there, and a tile may occur several times.
    """
    # The column and row of the tile of each first and last pixel, shape (n, 2).
    first_tiles = starts // TILE
    last_tiles = (ends - 1) // TILE
    columns = [first_tiles[:, 0]]
    if (first_tiles[:, 0] != last_tiles[:, 0]).any():
        columns.append(last_tiles[:, 0])
    rows = [first_tiles[:, 1]]
    if (first_tiles[:, 1] != last_tiles[:, 1]).any():
        rows.append(last_tiles[:, 1])
    for column_of_corner in columns:
        for row_of_corner in rows:
            # One number for column and row, which stand in its upper and lower halves.
            tile_numbers = (column_of_corner << 32) + row_of_corner
            for _tile_number, indices in places_by_value(tile_numbers):
                column = int(column_of_corner[indices[0]])
                row = int(row_of_corner[indices[0]])
                yield TileKey(level, column, row), indices
