"""Draws a map: cells, hexsides, labels, start list, locks, the board's rim and its entry sides.

The renderer draws what lies in a rectangle and nothing else, so that an edit repaints only its
surroundings. It holds no map of its own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPixmap, QPolygonF

from app.drawing.pictures import OwnPictures, Pictures
from app.drawing.sprites import SIDE_REACH, Sprites
from app.drawing.view import View, fitting

if TYPE_CHECKING:
    from app.drawing.theme import Theme
    from randomizer.battlemap import BattleMap, Composite
    from randomizer.grid import Grid

LABELS_FROM = 16.0
"""Labels, badges and marks are drawn from this scale (hex radius in logical pixels) on."""

MARGIN = 0.75
"""Room around the board for the names of the entry sides, in map units."""

CACHED_SCALES = 3
"""Sprites of this many scales are kept: back and forth between two zooms costs nothing."""

CACHED_TEXTS = 1000

LABEL_RAISED = 0.57
"""How far above its centre a cell has its label, in map units: clear of the teeth of a cliff."""


@dataclass(frozen=True, slots=True)
class Overlays:
    """What is drawn besides cells and hexsides."""

    labels: bool = True
    names: bool = False
    elevation: bool = True
    start_list: bool = True
    locks: bool = True
    entry_sides: bool = True


class Renderer:
    """Draws maps of every layout at every scale; on ``paper`` it leaves the background alone."""

    def __init__(self, theme: Theme, pictures: Pictures | None = None) -> None:
        self.theme = theme
        self.pictures: Pictures = pictures or OwnPictures()
        self.overlays = Overlays()
        self.paper = False
        self._sprites: dict[tuple[object, ...], Sprites] = {}
        self._entries: dict[str, list[tuple[str, QLineF]]] = {}
        self._marks: dict[tuple[str, int, float], QPixmap] = {}
        self._texts: dict[tuple[str, int, float], QPixmap] = {}

    def set_look(self, theme: Theme, pictures: Pictures) -> None:
        """Draw with other colours or pictures from now on."""
        self.theme = theme
        self.pictures = pictures
        self._sprites.clear()
        self._marks.clear()
        self._texts.clear()

    def sprites(self, battlemap: BattleMap, scale: float, ratio: float) -> Sprites:
        """The sprites for one scale; those of the last few scales are kept."""
        key = (battlemap.grid.layout.name, battlemap.system.name, round(scale, 3), ratio)
        sprites = self._sprites.pop(key, None)
        if sprites is None:
            sprites = Sprites(
                battlemap.grid.layout,
                battlemap.system.terrain_set,
                self.pictures,
                self.theme,
                scale,
                ratio,
            )
        self._sprites[key] = sprites
        while len(self._sprites) > CACHED_SCALES:
            del self._sprites[next(iter(self._sprites))]
        if len(self._texts) > CACHED_TEXTS:
            self._texts.clear()
        return sprites

    # --- a frame ----------------------------------------------------------------------------

    def paint(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        composite: Composite,
        view: View,
        dirty: QRectF,
        ratio: float,
    ) -> None:
        """Draw everything of the map that lies in ``dirty`` (logical pixels)."""
        if not self.paper:
            painter.fillRect(dirty, self.theme.background)
        cells = self._cells_in(battlemap, view, dirty)
        sprites = self.sprites(battlemap, view.scale, ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_cells(painter, battlemap, composite, view, sprites, cells)
        self._paint_rim(painter, battlemap, view, sprites, cells)
        self._paint_sides(painter, battlemap, composite, view, sprites, cells)
        if view.scale >= LABELS_FROM:
            self._paint_marks(painter, battlemap, composite, view, sprites, cells)
            if self.overlays.entry_sides:
                self._paint_entry_sides(painter, battlemap, view, dirty)

    def _cells_in(self, battlemap: BattleMap, view: View, dirty: QRectF) -> list[int]:
        """The cells that may show in ``dirty``, hexsides reaching over included."""
        grid = battlemap.grid
        reach = (1 + SIDE_REACH) * view.scale + 2
        area = dirty.adjusted(-reach, -reach, reach, reach)
        found = []
        for cell in grid.cells.tolist():
            if area.contains(view.to_screen(*grid.centre(cell))):
                found.append(cell)
        return found

    def _paint_cells(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        composite: Composite,
        view: View,
        sprites: Sprites,
        cells: list[int],
    ) -> None:
        terrain = composite.planes["terrain"].ravel()
        elevation = composite.planes["elevation"].ravel()
        box = sprites.cell_box
        for cell in cells:
            x, y = battlemap.grid.centre(cell)
            shown = int(elevation[cell]) if self.overlays.elevation else 0
            at = view.to_screen(x + box.left(), y + box.top())
            painter.drawPixmap(at, sprites.cell(int(terrain[cell]), shown))

    def cell_polygon(
        self, battlemap: BattleMap, view: View, cell: int, size: float = 1.0
    ) -> QPolygonF:
        """The outline of a cell in logical pixels, scaled around its centre."""
        x, y = battlemap.grid.centre(cell)
        return QPolygonF(
            [
                view.to_screen(x + dx * size, y + dy * size)
                for dx, dy in battlemap.grid.layout.corners
            ]
        )

    def side_line(self, battlemap: BattleMap, view: View, cell: int, side: int) -> QLineF:
        """A side of a cell in logical pixels."""
        grid = battlemap.grid
        return QLineF(
            view.to_screen(*grid.corner(cell, side)), view.to_screen(*grid.corner(cell, side + 1))
        )

    def _paint_rim(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        view: View,
        sprites: Sprites,
        cells: list[int],
    ) -> None:
        grid = battlemap.grid
        for cell in cells:
            x, y = grid.centre(cell)
            for side in range(grid.degree):
                if grid.neighbour(cell, side) < 0:
                    box = sprites.side_box(side)
                    at = view.to_screen(x + box.left(), y + box.top())
                    painter.drawPixmap(at, sprites.rim(side))

    def _paint_sides(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        composite: Composite,
        view: View,
        sprites: Sprites,
        cells: list[int],
    ) -> None:
        hexsides = composite.planes["hexside"].reshape(battlemap.grid.size, -1)
        for cell in cells:
            codes = hexsides[cell]
            if codes.any():
                for side in range(battlemap.grid.degree):
                    if codes[side]:
                        self.paint_side(painter, battlemap, view, sprites, cell, side, codes[side])

    def paint_side(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        view: View,
        sprites: Sprites,
        cell: int,
        side: int,
        code: int,
    ) -> None:
        """Draw one hexside."""
        x, y = battlemap.grid.centre(cell)
        box = sprites.side_box(side)
        at = view.to_screen(x + box.left(), y + box.top())
        painter.drawPixmap(at, sprites.side(int(code), side))

    # --- labels and marks -------------------------------------------------------------------

    def _paint_marks(
        self,
        painter: QPainter,
        battlemap: BattleMap,
        composite: Composite,
        view: View,
        sprites: Sprites,
        cells: list[int],
    ) -> None:
        system, grid, ratio = battlemap.system, battlemap.grid, sprites.ratio
        terrain = composite.planes["terrain"].ravel()
        elevation = composite.planes["elevation"].ravel()
        start = set(composite.startlist or ())
        locked = battlemap.locked_cells.ravel()
        for cell in cells:
            x, y = grid.centre(cell)
            name = system.cell_name(grid, cell)
            if self.overlays.start_list and name in start:
                box = sprites.cell_box
                outline = view.to_screen(x + box.left(), y + box.top())
                painter.drawPixmap(outline, sprites.start_mark())
                at = view.to_screen(x - 0.58, y + 0.02)
                self._paint_mark(painter, at, "startlist", view, ratio)
            if self.overlays.labels:
                at = view.to_screen(x, y - LABEL_RAISED)
                self._paint_text(painter, at, name, view.scale * 0.19, ratio)
            if self.overlays.names:
                text = system.terrain_set.terrains[int(terrain[cell])].name
                at = view.to_screen(x, y + 0.43)
                self._paint_text(painter, at, text, view.scale * 0.145, ratio)
            if self.overlays.elevation and elevation[cell]:
                at = view.to_screen(x, y + 0.67)
                self._paint_badge(painter, at, int(elevation[cell]), view, ratio)
            if self.overlays.locks and locked[cell]:
                self._paint_mark(painter, view.to_screen(x + 0.58, y + 0.02), "lock", view, ratio)
        if self.overlays.locks:
            self._paint_side_locks(painter, battlemap, view, ratio, cells)

    def _paint_text(
        self, painter: QPainter, at: QPointF, text: str, pixels: float, ratio: float
    ) -> None:
        """A text with a halo, centred; drawn once, then copied."""
        font = _font(pixels)
        key = (text, font.pixelSize(), ratio)
        pixmap = self._texts.get(key)
        if pixmap is None:
            pixmap = self._texts[key] = self._draw_text(text, font, ratio)
        size = pixmap.deviceIndependentSize()
        painter.drawPixmap(at - QPointF(size.width() / 2, size.height() / 2), pixmap)

    def _draw_text(self, text: str, font: QFont, ratio: float) -> QPixmap:
        metrics = QFontMetricsF(font)
        size = QSizeF(metrics.horizontalAdvance(text) + 6, metrics.height() + 2)
        pixmap, painter = _blank(size, ratio)
        painter.setFont(font)
        box = QRectF(QPointF(), size)
        painter.setPen(self.theme.label_halo)
        for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            painter.drawText(box.translated(dx, dy), Qt.AlignmentFlag.AlignCenter, text)
        painter.setPen(self.theme.label_text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        painter.end()
        return pixmap

    def _paint_badge(
        self, painter: QPainter, at: QPointF, elevation: int, view: View, ratio: float
    ) -> None:
        radius = max(6, round(view.scale * 0.125))
        key = (f"badge {elevation}", radius, ratio)
        pixmap = self._texts.get(key)
        if pixmap is None:
            pixmap = self._texts[key] = self._draw_badge(elevation, radius, ratio)
        size = pixmap.deviceIndependentSize()
        painter.drawPixmap(at - QPointF(size.width() / 2, size.height() / 2), pixmap)

    def _draw_badge(self, elevation: int, radius: int, ratio: float) -> QPixmap:
        size = QSizeF(2 * radius + 4, 2 * radius + 4)
        pixmap, painter = _blank(size, ratio)
        box = QRectF(QPointF(), size)
        painter.setPen(QPen(self.theme.elevation_badge_text, max(1.0, radius * 0.12)))
        painter.setBrush(self.theme.elevation_badge_fill)
        painter.drawEllipse(box.center(), radius, radius)
        painter.setFont(_font(radius * 1.35, bold=True))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(elevation))
        painter.end()
        return pixmap

    def _paint_mark(
        self, painter: QPainter, at: QPointF, name: str, view: View, ratio: float
    ) -> None:
        size = max(10, round(view.scale * 0.26))
        colour = self.theme.lock if name == "lock" else self.theme.start_list
        key = (name, size, ratio)
        pixmap = self._marks.get(key)
        if pixmap is None:
            pixmap = self._marks[key] = self._draw_mark(name, size, ratio, colour)
        half = pixmap.deviceIndependentSize().width() / 2
        painter.drawPixmap(at - QPointF(half, half), pixmap)

    def _draw_mark(self, name: str, size: int, ratio: float, colour: QColor) -> QPixmap:
        """An icon on a round ground."""
        from app.drawing.icons import icon_pixmap  # most first pictures have no mark

        whole = QSizeF(size * 1.28, size * 1.28)
        pixmap, painter = _blank(whole, ratio)
        middle = QRectF(QPointF(), whole).center()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.theme.label_halo)
        painter.drawEllipse(middle, size * 0.62, size * 0.62)
        painter.drawPixmap(
            middle - QPointF(size / 2, size / 2), icon_pixmap(name, size, ratio, colour)
        )
        painter.end()
        return pixmap

    def _paint_side_locks(
        self, painter: QPainter, battlemap: BattleMap, view: View, ratio: float, cells: list[int]
    ) -> None:
        grid = battlemap.grid
        locked = battlemap.locked_sides.reshape(grid.size, -1)
        if not locked.any():
            return
        for cell in cells:
            for side in range(grid.degree):
                if locked[cell, side]:
                    middle = self.side_line(battlemap, view, cell, side).center()
                    self._paint_mark(painter, middle, "lock", view, ratio)

    # --- the names of the board's sides -----------------------------------------------------

    def _paint_entry_sides(
        self, painter: QPainter, battlemap: BattleMap, view: View, dirty: QRectF
    ) -> None:
        if not battlemap.system.entry_sides:
            return
        painter.setFont(_font(view.scale * 0.24))
        painter.setPen(self.theme.entry_side_text)
        metrics = QFontMetricsF(painter.font())
        for name, line in self._entry_lines(battlemap):
            at = view.to_screen(line.center().x(), line.center().y())
            angle = -line.angle()
            if not -90 < (angle + 180) % 360 - 180 <= 90:
                angle += 180
            width, height = metrics.horizontalAdvance(name), metrics.height()
            reach = math.hypot(width, height) / 2 + 2
            if not dirty.intersects(QRectF(at.x() - reach, at.y() - reach, 2 * reach, 2 * reach)):
                continue
            painter.save()
            painter.translate(at)
            painter.rotate(angle)
            box = QRectF(-width / 2 - 4, -height / 2, width + 8, height)
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, name)
            painter.restore()

    def _entry_lines(self, battlemap: BattleMap) -> list[tuple[str, QLineF]]:
        """The name of each entry side, and a line along it outside the board, in map units."""
        lines = self._entries.get(battlemap.system.name)
        if lines is None:
            lines = [
                (name, entry_line(battlemap.grid, cells))
                for name, cells in battlemap.system.entry_sides
            ]
            self._entries[battlemap.system.name] = lines
        return lines

    # --- whole pictures ---------------------------------------------------------------------

    def picture(
        self,
        battlemap: BattleMap,
        composite: Composite,
        width: int,
        height: int,
        margin: float,
        ratio: float = 1.0,
    ) -> QImage:
        """The whole map as an image of ``width`` x ``height`` logical pixels."""
        image = QImage(round(width * ratio), round(height * ratio), QImage.Format.Format_RGB32)
        image.setDevicePixelRatio(ratio)
        size = QRectF(0, 0, width, height)
        painter = QPainter(image)
        view = fitting(battlemap.grid, size.size(), margin)
        self.paint(painter, battlemap, composite, view, size, ratio)
        painter.end()
        return image


def entry_line(grid: Grid, cells: tuple[int, ...]) -> QLineF:
    """A line outside the board along the rim cells of an entry side, in map units."""
    left, top, right, bottom = grid.bounds
    middle = QPointF((left + right) / 2, (top + bottom) / 2)
    first, last = QPointF(*grid.centre(cells[0])), QPointF(*grid.centre(cells[-1]))
    centre = (first + last) / 2
    along = QLineF(first, last).unitVector()
    normal = QPointF(-along.dy(), along.dx())
    if QPointF.dotProduct(normal, centre - middle) < 0:
        normal = -normal
    farthest = max(
        QPointF.dotProduct(QPointF(*grid.corner(cell, i)) - centre, normal)
        for cell in cells
        for i in range(grid.degree)
    )
    away = centre + normal * (farthest + 0.28)
    return QLineF(away - (last - first) / 2, away + (last - first) / 2)


def _blank(size: QSizeF, ratio: float) -> tuple[QPixmap, QPainter]:
    """An empty pixmap of a logical size, and a painter on it."""
    pixmap = QPixmap(math.ceil(size.width() * ratio), math.ceil(size.height() * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    return pixmap, painter


def _font(pixels: float, *, bold: bool = False) -> QFont:
    font = QFont()
    font.setPixelSize(max(7, round(pixels)))
    font.setBold(bold)
    return font
