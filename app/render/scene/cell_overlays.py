"""Texts and icons on cells: marks of the cell list, labels, names, elevations, locks.

They are the *cell overlays*. Each is a function that yields its batches for a part of a map;
``CELL_OVERLAYS`` lists them all in drawing order, and packages add theirs to it::

    for overlay in CELL_OVERLAYS:
        if part.overlays.shows(overlay.option):
            yield from overlay.batches(pieces, part)

A cell has them at these places (``locks`` has its own)::

        A1          label, the name of the cell
     F      *       F: flag of the cell list
      Swamp         name of the terrain
        2           badge with the elevation

Texts make way for the names of things and regions (``ScenePart.occupied_boxes``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPen

from app.render.cell_geometry import cell_box, cell_outline
from app.render.cell_values.cell_colours import listed_cells
from app.render.piece import Piece
from app.render.scene import locks
from app.render.scene.batch import AnyBatch, Batch, IconBatch, TextBatch
from app.render.scene.cell_names import cell_names
from app.render.scene.icons import (
    BADGE_RADIUS,
    MIN_BADGE_PX,
    MIN_SIGN_PX,
    SIGN_RADIUS,
    SIGN_SIZE,
    Badge,
    Sign,
    text_width,
)
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.layouts import Layout

# Positions on a cell.

LABEL_RAISED = {6: 0.57, 4: 0.39}
"""How far above the centre of a cell its label is, in map units, by the number of the cell's sides:
clear of cliffs at its upper side and of what stands in it."""

NAME_LOWERED = 0.43
"""How far below the centre of a hex the name of its terrain is, in map units."""

BADGE_LOWERED = 0.67
"""How far below the centre of a hex the badge of its elevation is, in map units."""

LOWERED_IN_SQUARES = 0.6
"""In squares, which are less high, names and badges are lowered by this share of the above."""

FLAG_ASIDE = 0.58
"""How far left of the centre of a cell the flag of the cell list is, as a share of half the cell's
width."""

FLAG_LOWERED = 0.02
"""How far the flag is below the centre, in map units."""

# Texts.

LABEL_SIZE = 0.19
"""The type size of labels, in map units."""

NAME_SIZE = 0.145
"""The type size of the names of terrains, in map units."""

MAX_LABEL_PIXELS = 13.0
"""Labels are never larger on a screen, in logical pixels: near by they would stand out more than
the names of towns."""

LETTER = 0.62
"""About the width of a letter as a share of its size: if larger, more texts make way for others."""

LABEL_ROOM = 0.6
"""The share of a cell's width that its label may take."""

LIGHT = QColor(255, 255, 255)
"""The colour of labels on cells that a heat map darkens."""

LIGHT_HALO = QColor(0, 0, 0, 150)
"""The colour of the halo of these labels."""

# The outline in a cell of the cell list.

RING = 0.74
"""The size of the outline, as a share of the cell's."""

RING_WIDTH = 0.04
"""The least width of its line, in map units; it is at least ``RING_PIXELS`` wide, too."""

RING_PIXELS = 2
"""The least width of its line, in logical pixels."""


def cell_list(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield an outline and a flag in each cell of the cell list."""
    listed = listed_cells(part.battlemap, part.composite)
    if not len(listed):
        return
    rows = np.flatnonzero(np.isin(part.cells, listed))
    if not len(rows):
        return
    yield Batch(np.full(len(rows), pieces.number(_ring(pieces)), np.intp), rows)
    theme = pieces.theme
    flag = Sign("cell-list", theme.cell_list.rgba(), theme.label_halo.rgba())
    flag_from_centre = (-FLAG_ASIDE * cell_box(pieces.layout).right(), FLAG_LOWERED)
    yield IconBatch(
        [flag],
        icon_of=np.zeros(len(rows), np.intp),
        points=part.centres[rows] + flag_from_centre,
        size=SIGN_SIZE,
        reach=2 * SIGN_RADIUS / SIGN_SIZE,  # the disc of a sign is larger than its picture
        smallest_px=MIN_SIGN_PX,
    )


def labels(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield the names of cells; on a screen none are, if cells are too narrow for them.

    If names count in steps of n (``Grid.naming``), only every n-th column and row is labelled.
    """
    if part.is_on_screen and not _labels_fit(pieces, part):
        return
    labels_of_cells = cell_names(part.system, part.grid, part.cells.tolist())
    points = part.centres - np.array((0, LABEL_RAISED[pieces.layout.degree]))
    size = LABEL_SIZE
    if part.is_on_screen:
        size = min(size, MAX_LABEL_PIXELS * pieces.pixel)
    longest = max((len(label) for label in labels_of_cells), default=0)
    half_size = np.array((longest * LETTER, 1.0)) * size / 2
    is_shown = _counts_for_labels(part) & ~part.occupied_boxes.overlap(points, half_size)

    is_dark = part.is_dark
    if is_dark is None:
        is_dark = np.zeros(len(part.cells), np.bool_)
    theme = pieces.theme
    for ink, halo, has_ink in (
        (theme.label_text, theme.label_halo, is_shown & ~is_dark),
        (LIGHT, LIGHT_HALO, is_shown & is_dark),
    ):
        if has_ink.any():
            texts = [labels_of_cells[row] for row in np.flatnonzero(has_ink).tolist()]
            yield TextBatch(texts, points[has_ink], size, ink, halo)


def terrain_names(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield the name of each cell's terrain."""
    if part.system.terrain is None or not len(part.cells):
        return
    texts = [terrain.name for terrain in pieces.terrain_set.terrains]
    points = part.centres + np.array((0, _lowered(NAME_LOWERED, pieces.layout)))
    lengths = np.array([len(text) for text in texts])[part.terrain]
    half_sizes = np.stack([lengths * LETTER, np.ones(len(lengths))], axis=1) * NAME_SIZE / 2
    is_free = ~part.occupied_boxes.overlap(points, half_sizes)
    yield TextBatch(
        texts,
        points[is_free],
        NAME_SIZE,
        ink=pieces.theme.label_text,
        halo=pieces.theme.label_halo,
        text_of=part.terrain[is_free],
    )


def elevation_numbers(pieces: Pieces, part: ScenePart) -> Iterator[AnyBatch]:
    """Yield a badge where the elevation is not 0; none where ground features show elevations.

    They belong to what the overlay "elevation" shows, and are hidden with it.
    """
    if not part.overlays.elevation or pieces.features is not None:
        return
    elevations = part.values(part.system.elevation).astype(np.int64)
    points = part.centres + np.array((0, _lowered(BADGE_LOWERED, pieces.layout)))
    radius = BADGE_RADIUS
    if part.is_on_screen:
        radius = max(radius, MIN_BADGE_PX / 2 * pieces.pixel)
    is_free = ~part.occupied_boxes.overlap(points, np.array((radius, radius)))
    rows = np.flatnonzero((elevations != 0) & is_free)
    if not len(rows):
        return

    # One badge for each elevation that occurs, in ascending order.
    lowest = int(elevations.min())
    used_elevations = np.flatnonzero(np.bincount(elevations[rows] - lowest)) + lowest
    ink = pieces.theme.elevation_badge_text.rgba()
    disc = pieces.theme.elevation_badge_fill.rgba()
    badges = [Badge(number, ink, disc) for number in used_elevations.tolist()]
    badge_of = np.searchsorted(used_elevations, elevations[rows])
    yield IconBatch(badges, badge_of, points[rows], 2 * BADGE_RADIUS, smallest_px=MIN_BADGE_PX)


BatchesOfCells = Callable[[Pieces, ScenePart], Iterator[AnyBatch]]
"""Yields what an overlay shows in the cells of a part."""


class CellOverlay(NamedTuple):
    """One kind of texts or icons on cells that can be switched on."""

    option: str
    """The name by which ``Overlays.shows`` knows it."""

    name: str
    """What messages call it, such as "The labels"."""

    batches: BatchesOfCells
    """Yields what it shows."""

    is_at_all_sizes: bool = False
    """True if it is drawn where cells are too small for texts, too."""


CELL_OVERLAYS: list[CellOverlay] = [
    CellOverlay("cell_list", "The cell list", cell_list),
    CellOverlay("labels", "The labels", labels),
    CellOverlay("names", "The names", terrain_names),
    CellOverlay("elevation_numbers", "The numbers of elevations", elevation_numbers),
    CellOverlay("locks", "The locks", locks.band_and_side_batches, is_at_all_sizes=True),
]
"""All of them in drawing order; those of packages are appended."""


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


def _lowered(distance: float, layout: Layout) -> float:
    """Return how far below the centre of a cell lies what in hexes is lowered by ``distance``."""
    if layout.degree == 4:
        return distance * LOWERED_IN_SQUARES
    return distance


def _counts_for_labels(part: ScenePart) -> NDArray[np.bool_]:
    """Return which cells of a part have labels by the steps of the map's naming, (n,)."""
    grid = part.grid
    if grid.naming.step == 1:
        return np.ones(len(part.cells), np.bool_)
    shown = [grid.naming.is_shown(*grid.xy(cell)) for cell in part.cells.tolist()]
    return np.array(shown, np.bool_)


def _labels_fit(pieces: Pieces, part: ScenePart) -> bool:
    """Return whether the last cell's name, a long one, is narrow enough in readable type."""
    grid = part.grid
    if grid.mask is None:
        last = grid.size - 1
    else:
        last = int(grid.cells[-1])
    (last_name,) = cell_names(part.system, grid, [last])
    room = LABEL_ROOM * cell_box(pieces.layout).width() / pieces.pixel
    return text_width(last_name, LABEL_SIZE / pieces.pixel) <= room
