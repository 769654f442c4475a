"""Draws the overlays of cells: cell list, locks, elevation, names, labels."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QPen

from app.render.opacity_passes import flat
from app.render.overlays.lettering import Letters, blank, font, text_pixmap
from app.render.pixmap_cache import PixmapCache
from app.render.raster.fragments import draw_by_key
from randomizer.model.indices import places_by_value
from randomizer.model.planes import is_blank

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QFont, QPixmap

    from app.render.raster.frame import Frame
    from app.render.theme import Theme
    from randomizer.model.grid import Grid

LABEL_RAISED = {6: 0.57, 4: 0.39}
"""How far above a cell's centre its label is, by its sides, in map units: clear of cliffs at its
upper side and of what stands in it."""

LIGHT, DARK = QColor(255, 255, 255), QColor(0, 0, 0, 150)
"""The colour of letters on dark cells, and of their halo."""

LABEL_ROOM = 0.6
"""The share of a cell's width that its label may take."""

CACHED_BYTES = 2_000_000
"""The largest size of the pixmaps that are kept."""

CACHED_NAMES = 20_000
"""The largest number of names of cells that are kept."""


class CellOverlays:
    """Draws the overlays of cells in one theme, and keeps their pixmaps."""

    def __init__(self, theme: Theme) -> None:
        self._theme = theme
        self._pixmaps = PixmapCache(CACHED_BYTES)
        self._letters: dict[tuple[int, float, int], Letters] = {}
        self._names: dict[int, str] = {}
        self._named: Grid | None = None

    # --- icons and text ---------------------------------------------------------------------

    def paint_cell_list(self, frame: Frame, starts: NDArray[np.intp]) -> None:
        """Draw an outline and a flag in the cells ``starts`` (m,) of the cell list."""
        there = frame.some(np.isin(frame.cells, starts))
        if len(there.cells):
            there.draw_in_box(frame.sprites.start_outline(), frame.sprites.cell_box)
            flag = self._icon(frame, "cell-list", self._theme.cell_list)
            there.draw_centred(flag, -0.58 * _width(frame), 0.02)

    def paint_locks(self, frame: Frame) -> None:
        """Draw an icon in locked cells and on locked sides."""
        battlemap, corners = frame.battlemap, frame.sprites.layout.corners
        places: list[tuple[NDArray[np.bool_], float, float]] = []
        if not is_blank(battlemap.locked_cells):
            places.append((flat(battlemap.locked_cells)[frame.cells], 0.58 * _width(frame), 0.02))
        if not is_blank(battlemap.locked_sides):
            sides = flat(battlemap.locked_sides)[frame.cells]
            for side, (ax, ay) in enumerate(corners):
                bx, by = corners[(side + 1) % len(corners)]
                places.append((sides[:, side], (ax + bx) / 2, (ay + by) / 2))
        for locked, x, y in places:
            if locked.any():
                lock = self._icon(frame, "lock", self._theme.lock)
                frame.some(locked).draw_centred(lock, x, y)

    def paint_elevation(self, frame: Frame) -> None:
        """Draw a badge where the elevation is not 0."""
        plane = frame.composite.plane(frame.battlemap.system.elevation)
        if plane is None or is_blank(plane):
            return
        elevation = flat(plane)[frame.cells].astype(np.int64)
        raised = np.flatnonzero(elevation)
        below = np.array((0, 0.67 * _height(frame) * frame.unit))
        badge = partial(self._badge, frame)
        points = frame.at[raised] + below
        draw_by_key(frame.painter, elevation[raised], points, badge, centred=True)

    def paint_names(self, frame: Frame) -> None:
        """Draw the name of each cell's terrain."""
        plane = frame.composite.plane(frame.battlemap.system.terrain)
        if plane is None:
            return
        terrain = flat(plane)[frame.cells].astype(np.int64)
        terrains = frame.battlemap.terrain_set.terrains
        face = font(frame.viewport.scale * 0.145)
        for code, places in places_by_value(terrain):
            name = terrains[code].name
            key = ("name", name, face.pixelSize(), frame.ratio)
            inks = (self._theme.label_text, self._theme.label_halo)
            draw = partial(text_pixmap, name, face, frame.ratio, *inks)
            pixmap = self._pixmaps.get_or_draw(key, draw)
            frame.some(places).draw_centred(pixmap, 0, 0.43 * _height(frame))

    def paint_labels(self, frame: Frame, dark: NDArray[np.bool_]) -> None:
        """Draw each cell's name, unless the last cell's is too long for its cell.

        Letters are light on cells that are ``dark`` (n,).
        """
        battlemap, theme = frame.battlemap, self._theme
        face = font(frame.viewport.scale * 0.19)
        letters = self._letters_of(face, frame.ratio, theme.label_text, theme.label_halo)
        grid, name_of, names = battlemap.grid, battlemap.system.cell_name, self._names
        corners = frame.sprites.layout.corners
        room = (max(x for x, _ in corners) - min(x for x, _ in corners)) * frame.unit
        last = grid.size - 1 if grid.mask is None else int(grid.cells[-1])
        if letters.width(name_of(grid, last)) > room * LABEL_ROOM:
            return
        if self._named is not grid or len(names) > CACHED_NAMES:
            self._named = grid
            names.clear()
        for cell in frame.cells.tolist():
            if cell not in names:
                names[cell] = name_of(grid, cell)
        texts = [names[cell] for cell in frame.cells.tolist()]
        at = frame.at - np.array((0, LABEL_RAISED[battlemap.grid.degree] * frame.unit))
        if not dark.any():
            letters.write(frame.painter, texts, at)
            return
        light = self._letters_of(face, frame.ratio, LIGHT, DARK)
        for written, places in ((letters, ~dark), (light, dark)):
            some = [text for text, here in zip(texts, places.tolist(), strict=True) if here]
            written.write(frame.painter, some, at[places])

    # --- their pixmaps ----------------------------------------------------------------------

    def _letters_of(self, face: QFont, ratio: float, ink: QColor, halo: QColor) -> Letters:
        key = (face.pixelSize(), ratio, ink.rgba())
        found = self._letters.get(key)
        if found is None:
            if len(self._letters) > 3:
                self._letters.clear()
            found = self._letters[key] = Letters(face, ratio, ink, halo)
        return found

    def _badge(self, frame: Frame, elevation: int) -> QPixmap:
        radius = max(6, round(frame.viewport.scale * 0.125))
        key = ("badge", elevation, radius, frame.ratio)
        draw = partial(self._draw_badge, elevation, radius, frame.ratio)
        return self._pixmaps.get_or_draw(key, draw)

    def _draw_badge(self, elevation: int, radius: int, ratio: float) -> QPixmap:
        size = QSizeF(2 * radius + 4, 2 * radius + 4)
        with blank(size, ratio) as (pixmap, painter):
            box = QRectF(QPointF(), size)
            painter.setPen(QPen(self._theme.elevation_badge_text, max(1.0, radius * 0.12)))
            painter.setBrush(self._theme.elevation_badge_fill)
            painter.drawEllipse(box.center(), radius, radius)
            painter.setFont(font(radius * 1.35, bold=True))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(elevation))
        return pixmap

    def _icon(self, frame: Frame, name: str, colour: QColor) -> QPixmap:
        size = max(8, round(frame.viewport.scale * 0.26))
        key = (name, size, frame.ratio)
        draw = partial(self._draw_icon, name, size, frame.ratio, colour)
        return self._pixmaps.get_or_draw(key, draw)

    def _draw_icon(self, name: str, size: int, ratio: float, colour: QColor) -> QPixmap:
        """An icon on a disc."""
        from app.appearance.icons import icon_pixmap  # the first frame seldom needs it

        whole = QSizeF(size * 1.28, size * 1.28)
        with blank(whole, ratio) as (pixmap, painter):
            middle = QRectF(QPointF(), whole).center()
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._theme.label_halo)
            painter.drawEllipse(middle, size * 0.62, size * 0.62)
            painter.drawPixmap(
                middle - QPointF(size / 2, size / 2), icon_pixmap(name, size, ratio, colour)
            )
        return pixmap


def _width(frame: Frame) -> float:
    """How far a cell reaches to the right of its centre, in map units: 1 for flat hexes."""
    return max(x for x, _ in frame.sprites.layout.corners)


def _height(frame: Frame) -> float:
    """The height of a cell as a share of a hex's."""
    return 0.6 if frame.battlemap.grid.degree == 4 else 1.0
