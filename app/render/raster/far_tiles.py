"""A map seen from afar: its picture, drawn larger and made smaller, kept in tiles.

Tiles are drawn where they are seen, block by block, so that a turn of the event loop ends in time.
An edit draws again the parts that it touches.
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
    """Tiles have ``unit`` pixels a map unit; they are drawn in so many blocks along a side.

    ``halvings``: how often what is drawn is halved.
    """

    unit: int
    halvings: int
    blocks: int

    @property
    def drawn(self) -> int:
        """The pixels a map unit in which a block is drawn."""
        return self.unit << self.halvings


LEVELS = (Level(8, 1, 1), Level(4, 1, 1), Level(2, 2, 2), Level(1, 3, 4))

Box = tuple[int, int, int, int]
"""Left, top, right and bottom, in pixels of a level or of one of its tiles."""


class _Tile:
    """``stale``: what is not drawn as it is now, by block. ``whole``: once all of it was drawn."""

    def __init__(self, blocks: int) -> None:
        self.pixels = np.zeros((TILE, TILE), np.uint32)
        side = TILE // blocks
        self.stale: dict[tuple[int, int], Box] = {
            (x, y): (x * side, y * side, (x + 1) * side, (y + 1) * side)
            for y in range(blocks)
            for x in range(blocks)
        }
        self.whole = False

    def make_stale(self, box: Box, blocks: int) -> None:
        """Note that the map changed in a box, which may reach over the tile."""
        side = TILE // blocks
        left, top, right, bottom = (min(max(end, 0), TILE) for end in box)
        for y in range(top // side, ceil(bottom / side)):
            for x in range(left // side, ceil(right / side)):
                area = self.stale.get((x, y), (TILE, TILE, 0, 0))
                self.stale[x, y] = (
                    max(x * side, min(left, area[0])),
                    max(y * side, min(top, area[1])),
                    min((x + 1) * side, max(right, area[2])),
                    min((y + 1) * side, max(bottom, area[3])),
                )


class _View(NamedTuple):
    """A box of a level: what device pixels show, where a pixel of the level has ``size`` of them.

    ``left``, ``top`` (device pixels): where the map's origin lies. ``places``: the tiles in it.
    """

    level: Level
    size: float
    left: float
    top: float
    box: Box
    places: list[tuple[int, int]]

    def places_from(self, nearest: QPointF | None) -> list[tuple[int, int]]:
        """Return the places in the order of their distance from a device pixel."""
        if nearest is None:
            return self.places
        side = TILE * self.size  # in device pixels
        column = (nearest.x() - self.left) / side - 0.5
        row = (nearest.y() - self.top) / side - 0.5
        return sorted(self.places, key=lambda at: hypot(at[0] - column, at[1] - row))


class FarTiles:
    """The tiles of one map at all levels; ``draw`` draws a block of it."""

    def __init__(self, draw: Draw) -> None:
        self._draw = draw
        self.content: object = object()
        """Stands for what the map holds: another one where all of it may look different."""
        self._tiles: dict[tuple[Level, int, int], _Tile] = {}  # those seen last are last
        self._shown: tuple[BattleMap, Composite] | None = None
        self._key: object = None
        self._bounds = (0, 0, 0, 0)
        self._begun: dict[tuple[Level, tuple[int, int], Box], Drawing] = {}

    def follow(self, battlemap: BattleMap, composite: Composite, key: object) -> None:
        """Show this map from now on; with another ``key`` all of it looks different."""
        self._shown = (battlemap, composite)
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
        return len(self._begun)

    def forget_begun(self) -> None:
        """Let go of what is half drawn."""
        self._begun.clear()

    @property
    def bytes(self) -> int:
        """The memory that the tiles take, in bytes."""
        return len(self._tiles) * TILE * TILE * 4

    def changed(self, cells: NDArray[np.intp]) -> None:
        """These cells (n,) are drawn differently now."""
        self.forget_begun()  # it shows the map as it was
        if len(cells) > MOST_CHANGED:
            self._tiles.clear()
        if not self._tiles or not len(cells) or self._shown is None:
            return
        grid = self._shown[0].grid
        reach = cell_box(grid.layout, SIDE_REACH + 0.05)
        centres = grid.centres_of(cells) - self._bounds[:2]
        first = centres + np.array((reach.left(), reach.top()))
        last = centres + np.array((reach.right(), reach.bottom()))
        for level in {level for level, _column, _row in self._tiles}:
            # A pixel more, to which sprites are moved.
            pixel = 1 / level.drawn
            ends = np.floor((first - pixel) * level.unit), np.ceil((last + pixel) * level.unit)
            boxes = np.concatenate(ends, axis=1).astype(np.intp)
            within = (boxes - (0, 0, 1, 1)) // TILE
            for across in (0, 2) if (within[:, 0] != within[:, 2]).any() else (0,):
                for down in (1, 3) if (within[:, 1] != within[:, 3]).any() else (1,):
                    keys = (within[:, across] << 32) + within[:, down]
                    for _key, which in places_by_value(keys):
                        column, row = within[which[0], [across, down]].tolist()
                        tile = self._tiles.get((level, column, row))
                        if tile is not None:
                            part = boxes[which] - (column * TILE, row * TILE) * 2
                            least = part[:, :2].min(axis=0)
                            most = part[:, 2:].max(axis=0)
                            tile.make_stale((*least.tolist(), *most.tolist()), level.blocks)

    # --- what is seen -----------------------------------------------------------------------

    def _view(self, viewport: Viewport, ratio: float, box: QRect) -> _View:
        """Return the level and the part of it that a box of device pixels shows."""
        unit = viewport.scale * ratio
        left = viewport.dx * ratio + self._bounds[0] * unit
        top = viewport.dy * ratio + self._bounds[1] * unit
        whole = self._bounds[2] - self._bounds[0], self._bounds[3] - self._bounds[1]
        for level in reversed(LEVELS):
            size = unit / level.unit
            seen = (
                max(0, floor((box.left() - left) / size) - MARGIN),
                max(0, floor((box.top() - top) / size) - MARGIN),
                min(whole[0] * level.unit, ceil((box.right() + 1 - left) / size) + MARGIN),
                min(whole[1] * level.unit, ceil((box.bottom() + 1 - top) / size) + MARGIN),
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
        tiles = (self._tiles.get((view.level, *place)) for place in view.places)
        return all(tile is not None and not tile.stale for tile in tiles)

    def prepare(
        self,
        viewport: Viewport,
        ratio: float,
        box: QRect,
        budget_ms: int,
        *,
        begun: bool = False,
        nearest: QPointF | None = None,
    ) -> bool:
        """Draw what a box of device pixels lacks, for ``budget_ms``; whether all is drawn.

        ``begun``: only of tiles that were drawn once. The tiles nearest to the device pixel
        ``nearest`` are drawn first; None: those at the left top.
        """
        clock = QElapsedTimer()
        clock.start()
        view = self._view(viewport, ratio, box)
        level = view.level
        for place in view.places_from(nearest):
            key = (level, *place)
            tile = self._tiles.pop(key, None)
            if tile is None and not begun:
                tile = _Tile(level.blocks)
            if tile is None:
                continue
            self._tiles[key] = tile
            if begun and not tile.whole:
                continue
            while tile.stale:
                if clock.elapsed() >= budget_ms:
                    return False
                block, part = next(iter(tile.stale.items()))
                if not self._draw_part(tile, level, place, part, clock, budget_ms):
                    return False
                del tile.stale[block]
            tile.whole = True
        while self.bytes > MOST_BYTES and len(self._tiles) > len(view.places):
            del self._tiles[next(iter(self._tiles))]
        return True

    def _draw_part(
        self,
        tile: _Tile,
        level: Level,
        place: tuple[int, int],
        part: Box,
        clock: QElapsedTimer,
        budget_ms: int,
    ) -> bool:
        """Go on drawing a part of a tile; whether there was time for all of it."""
        left, top, right, bottom = part
        at = QPoint(
            self._bounds[0] * level.unit + place[0] * TILE + left,
            self._bounds[1] * level.unit + place[1] * TILE + top,
        )
        size = QSize(right - left, bottom - top)
        larger = QRect(at * (1 << level.halvings), size * (1 << level.halvings))
        assert self._shown is not None
        drawing = self._begun.pop((level, place, part), None)
        if drawing is None:
            drawing = self._draw(*self._shown, level, larger)
        image: QImage | None = None
        try:
            while clock.elapsed() < budget_ms:
                next(drawing)
        except StopIteration as finished:
            image = finished.value
            if image is None:
                return False
        else:
            while len(self._begun) >= MOST_BEGUN:
                del self._begun[next(iter(self._begun))]
            self._begun[level, place, part] = drawing
            return False
        pixels = np.frombuffer(image.constBits(), np.uint32).reshape(image.height(), image.width())
        for _ in range(level.halvings):
            pixels = halved(pixels)
        tile.pixels[top:bottom, left:right] = pixels
        return True

    def paint(self, painter: QPainter, viewport: Viewport, ratio: float, box: QRect) -> None:
        """Draw what is drawn of a box of device pixels, the painter's unit."""
        view = self._view(viewport, ratio, box)
        left, top, right, bottom = view.box
        if right <= left or bottom <= top:
            return
        pixels = np.zeros((bottom - top, right - left), np.uint32)
        for x, y in view.places:
            tile = self._tiles.get((view.level, x, y))
            if tile is None or not tile.whole:
                continue
            to = []
            of = []
            for start, end, corner in ((top, bottom, y * TILE), (left, right, x * TILE)):
                first = max(start, corner)
                last = min(end, corner + TILE)
                to.append(slice(first - start, last - start))
                of.append(slice(first - corner, last - corner))
            pixels[*to] = tile.pixels[*of]
            for part in tile.stale.values():
                x0, x1 = (x * TILE - left + end for end in part[::2])
                y0, y1 = (y * TILE - top + end for end in part[1::2])
                pixels[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = 0
        height, width = pixels.shape
        form = QImage.Format.Format_ARGB32_Premultiplied
        image = QImage(pixels.data, width, height, 4 * width, form)
        with saved_state(painter):
            painter.setClipRect(box, Qt.ClipOperation.IntersectClip)
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.translate(view.left, view.top)
            painter.scale(view.size, view.size)
            painter.drawImage(left, top, image)


def halved(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return an image (height, width), 0xffRRGGBB, of half the height and width."""
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
                here = np.flatnonzero(ends & (codes[frame.cells] == code))
                marks.append((here, QColor(region.colour)))
    for places, colour in marks:
        if len(places):
            tile = frame.sprites.tile(colour)
            opacity = np.full(len(places), MARKED)
            frame.some(places).draw_in_box(tile, frame.sprites.cell_box, opacity)
