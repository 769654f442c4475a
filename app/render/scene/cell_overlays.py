"""Texts and icons on cells: the cell list, labels, names, elevations, locks; and entry sides.

``CELL_OVERLAYS`` lists them in drawing order; ``Scene.cell_overlays`` draws those that are on. The
names of entry sides stand beside a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.cell_geometry import cell_box, cell_outline, map_box
from app.render.cell_values.cell_colours import listed_cells
from app.render.piece import Piece
from app.render.scene import locks
from app.render.scene.batch import AnyBatch, Batch, IconBatch, TextBatch
from app.render.scene.icons import (
    BADGE_RADIUS,
    LEAST_BADGE,
    LEAST_SIGN,
    SIGN_RADIUS,
    SIGN_SIZE,
    Badge,
    Sign,
    text_width,
)
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from app.render.theme import Theme
from randomizer.model.grid.grid import Grid
from randomizer.model.grid.layouts import Layout
from randomizer.model.map.battlemap import BattleMap
from randomizer.model.system.system import System

LABEL_RAISED = {6: 0.57, 4: 0.39}
"""How far above a cell's centre its label is, by its sides, in map units: clear of cliffs at its
upper side and of what stands in it.
"""

NAME_LOWERED = 0.43
"""How far below the centre of a hex the name of its terrain is, in map units; less below that of a
square (``_height``)."""

BADGE_LOWERED = 0.67
"""The same of the badge of its elevation."""

SIGN_ASIDE = 0.58
"""How far a sign is beside the centre of a cell, as a share of half the cell's width."""

SIGN_LOWERED = 0.02
"""How far it is below the centre, in map units."""

LABEL_SIZE = 0.19
"""The type size of the names of cells, in map units."""

NAME_SIZE = 0.145
"""The type size of the names of terrains, in map units."""

MOST_LABEL_PIXELS = 13.0
"""Names of cells are never larger on a screen, in logical pixels: near by they would stand out more
than the names of towns."""

LETTER = 0.62
"""The width of a letter as a share of its size."""

LABEL_ROOM = 0.6
"""The share of a cell's width that its label may take."""

RING = 0.74
"""The size of the outline in a listed cell, as a share of the cell's."""

RING_WIDTH = 0.04
"""The least width of that outline, in map units, ..."""

RING_PIXELS = 2
"""... and in pixels."""

LIGHT = QColor(255, 255, 255)
"""The colour of letters on dark cells."""

DARK = QColor(0, 0, 0, 150)
"""The colour of their halo."""

MOST_NAMES = 20_000
"""The largest number of names of cells that are kept for a grid."""

_names: WeakKeyDictionary[Grid, tuple[System, dict[int, str]]] = WeakKeyDictionary()
"""For each grid the system that names its cells, and the names that were asked for."""


def cell_list(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield an outline and a flag in each cell of the cell list."""
    listed = listed_cells(part.battlemap, part.composite)
    if len(listed):
        rows = np.flatnonzero(np.isin(part.cells, listed))
    else:
        rows = listed
    if len(rows):
        yield Batch(np.full(len(rows), pieces.number(_ring(pieces)), np.intp), rows)
        flag = _sign(pieces, "cell-list", pieces.theme.cell_list)
        yield _signs(flag, part.centres[rows] + _beside(pieces.layout, -SIGN_ASIDE))


def labels(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield the name of each cell; light letters on the cells that are ``part.dark``."""
    theme = pieces.theme
    grid = part.grid
    if part.is_on_screen and not _labels_fit(pieces, part):
        return
    names = _names_of(part.system, grid, part.cells.tolist())
    points = part.centres - np.array((0, LABEL_RAISED[pieces.layout.degree]))
    if part.is_dark is None:
        is_dark = np.zeros(len(points), np.bool_)
    else:
        is_dark = part.is_dark
    is_shown = np.ones(len(points), np.bool_)
    if grid.naming.step > 1:
        is_shown = np.array([grid.naming.is_shown(*grid.xy(cell)) for cell in part.cells.tolist()])
    size = LABEL_SIZE
    if part.is_on_screen:
        size = min(size, MOST_LABEL_PIXELS * pieces.pixel)
    longest = max((len(names[cell]) for cell in part.cells.tolist()), default=0)
    half = np.array((longest * LETTER, 1.0)) * size / 2
    is_shown &= ~part.occupied_boxes.overlap(points, half)
    for ink, halo, has_inks in (
        (theme.label_text, theme.label_halo, is_shown & ~is_dark),
        (LIGHT, DARK, is_shown & is_dark),
    ):
        if has_inks.any():
            texts = [names[cell] for cell in part.cells[has_inks].tolist()]
            yield TextBatch(texts, points[has_inks], size, ink, halo)


def names(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield the name of each cell's terrain."""
    if part.system.terrain is not None and len(part.cells):
        texts = [terrain.name for terrain in pieces.terrain_set.terrains]
        points = part.centres + np.array((0, NAME_LOWERED * _height(pieces.layout)))
        lengths = np.array([len(text) for text in texts])[part.terrain]
        halves = np.stack([lengths * LETTER, np.ones(len(lengths))], axis=1) * NAME_SIZE / 2
        free = ~part.occupied_boxes.overlap(points, halves)
        theme = pieces.theme
        inks = (theme.label_text, theme.label_halo)
        yield TextBatch(texts, points[free], NAME_SIZE, *inks, text_of=part.terrain[free])


def elevation(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield a badge where the elevation is not 0; none where elevations have pictures."""
    if not part.overlays.elevation or pieces.features is not None:
        return
    values = part.values(part.system.elevation).astype(np.int64)
    all_points = part.centres + np.array((0, BADGE_LOWERED * _height(pieces.layout)))
    radius = BADGE_RADIUS
    if part.is_on_screen:
        radius = max(radius, LEAST_BADGE / 2 * pieces.pixel)
    is_free = ~part.occupied_boxes.overlap(all_points, np.array((radius, radius)))
    (raised,) = ((values != 0) & is_free).nonzero()
    if not len(raised):
        return
    theme = pieces.theme
    lowest = int(values.min())
    used = np.flatnonzero(np.bincount(values[raised] - lowest)) + lowest
    inks = (theme.elevation_badge_text.rgba(), theme.elevation_badge_fill.rgba())
    icons = [Badge(number, *inks) for number in used.tolist()]
    icon_of = np.searchsorted(used, values[raised])
    yield IconBatch(icons, icon_of, all_points[raised], 2 * BADGE_RADIUS, smallest_px=LEAST_BADGE)


CellOverlay = Callable[[Pieces, ScenePart], Iterator[AnyBatch]]

CELL_OVERLAYS: list[tuple[str, str, CellOverlay]] = [
    ("cell_list", "The cell list", cell_list),
    ("labels", "The labels", labels),
    ("names", "The names", names),
    ("elevation_numbers", "The numbers of elevations", elevation),
    ("locks", "The locks", locks.batches),
]
"""In drawing order: the name in ``Overlays``, one for messages, and what yields the batches."""

AT_ALL_SIZES = frozenset({"locks"})
"""Those that are no texts in cells: they are drawn where cells are too small for texts, too."""


def _ring(pieces: Pieces) -> Piece:
    """Return the outline within a listed cell; it is simple enough to be always drawn at once."""
    colour = pieces.theme.cell_list
    width = max(RING_PIXELS * pieces.pixel, RING_WIDTH)
    pen = QPen(colour, width)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    ring = cell_outline(pieces.layout, RING)

    def draw(painter: QPainter) -> None:
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolygon(ring)

    return Piece(("listed cell",), cell_box(pieces.layout), draw, draft=colour)


def _sign(pieces: Pieces, name: str, colour: QColor) -> Sign:
    return Sign(name, colour.rgba(), pieces.theme.label_halo.rgba())


def _signs(sign: Sign, points: NDArray[np.float64]) -> IconBatch:
    """Return a batch with one sign at all points (n, 2)."""
    icon_of = np.zeros(len(points), np.intp)
    reach = 2 * SIGN_RADIUS / SIGN_SIZE
    return IconBatch([sign], icon_of, points, SIGN_SIZE, reach, LEAST_SIGN)


def _beside(layout: Layout, aside: float) -> tuple[float, float]:
    """Return where a sign lies from the centre of a cell, in map units."""
    return aside * cell_box(layout).right(), SIGN_LOWERED


def _labels_fit(pieces: Pieces, part: ScenePart) -> bool:
    """Return whether the last cell's name, a long one, is narrow enough in readable type."""
    grid = part.grid
    if grid.mask is None:
        last = grid.size - 1
    else:
        last = int(grid.cells[-1])
    last_name = _names_of(part.system, grid, [last])[last]
    room = LABEL_ROOM * cell_box(pieces.layout).width() / pieces.pixel
    return text_width(last_name, LABEL_SIZE / pieces.pixel) <= room


def _height(layout: Layout) -> float:
    """Return the height of a cell as a share of a hex's."""
    if layout.degree == 4:
        return 0.6
    return 1.0


def _names_of(system: System, grid: Grid, cells: list[int]) -> dict[int, str]:
    """Return names by cell, those of ``cells`` among them."""
    entry = _names.get(grid)
    if entry is None or entry[0] is not system or len(entry[1]) > MOST_NAMES:
        entry = _names[grid] = (system, {})
    result = entry[1]
    for cell in cells:
        if cell not in result:
            result[cell] = system.cell_name(grid, cell)
    return result


ENTRY_SIZE = 0.24
"""The type size in map units."""

APART = 0.28
"""How far outside the board a line of names is, in map units."""


_lines: WeakKeyDictionary[Grid, tuple[NDArray[np.float64], NDArray[np.float64]]] = (
    WeakKeyDictionary()
)
"""For each board the middles (n, 2) and the angles (n,) of the names of its sides."""


def entry_sides(battlemap: BattleMap, theme: Theme) -> Iterator[TextBatch]:
    """Yield the names of the entry sides, turned along their cells."""
    sides = battlemap.system.entry_sides
    if not sides:
        return
    if battlemap.grid not in _lines:
        lines = [_entry_line(battlemap.grid, cells) for _, cells in sides]
        points = np.array([line.center().toTuple() for line in lines])
        _lines[battlemap.grid] = points, np.array([_readable_angle(line) for line in lines])
    points, angles = _lines[battlemap.grid]
    names = [name for name, _ in sides]
    yield TextBatch(names, points, ENTRY_SIZE, theme.entry_side_text, angles=angles)


def _entry_line(grid: Grid, cells: tuple[int, ...]) -> QLineF:
    """Return a line outside the board along the cells of an entry side, in map units.

    It is parallel to the line from the first to the last cell, ``APART`` from the outermost corner.
    """
    first = QPointF(*grid.centre(cells[0]))
    last = QPointF(*grid.centre(cells[-1]))
    centre = (first + last) / 2
    along = QLineF(first, last).unitVector()
    outwards = QPointF(-along.dy(), along.dx())
    if QPointF.dotProduct(outwards, centre - map_box(grid).center()) < 0:
        outwards = -outwards
    farthest = 0.0
    for cell in cells:
        for number in range(grid.degree):
            to_corner = QPointF(*grid.corner(cell, number)) - centre
            farthest = max(farthest, QPointF.dotProduct(to_corner, outwards))
    middle = centre + outwards * (farthest + APART)
    half = (last - first) / 2
    return QLineF(middle - half, middle + half)


def _readable_angle(line: QLineF) -> float:
    """Return the rotation in degrees, clockwise, of a text along a line, not upside down."""
    angle = -line.angle()
    if -90 < (angle + 180) % 360 - 180 <= 90:
        return angle
    return angle + 180
