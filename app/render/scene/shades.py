"""Shades over whole cells: colours of heights and depths, passability."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter

from app.render.cell_geometry import cell_outline
from app.render.cell_values.land_shades import ShadeOverlay, hindrance_colour, land_shade
from app.render.piece import Piece
from app.render.scene.batch import Batch
from app.render.scene.part import ScenePart
from app.render.scene.pieces import Pieces
from randomizer.model.grid.layouts import Layout


def land_batches(overlay: ShadeOverlay, pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the tiles of colour that an overlay lays over cells: one batch, none if it has none.

    ``land_shade`` gives each cell of the part the index of its colour, less than 0 for no tile.
    """
    shade = land_shade(overlay, part.battlemap, part.composite, part.overlays, part.cells)
    if shade is None:
        return
    rows = np.flatnonzero(shade.codes >= 0)
    colours = shade.colours

    def make(code: int) -> Piece:
        return tile(pieces.layout, colours[code])

    yield Batch(pieces.numbers(overlay, shade.codes[rows], make), rows)


def passability_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield a shade over ground that hinders units: as the system says, or by its terrain."""
    if part.system.terrain is None:
        return
    if part.system.passability_reach:
        yield from land_batches(ShadeOverlay.PASSABILITY, pieces, part)
        return
    terrains = pieces.terrain_set.terrains
    hindering = np.array([bool(terrain.hinders) for terrain in terrains])
    rows = np.flatnonzero(hindering[part.terrain])

    def make(code: int) -> Piece:
        return tile(pieces.layout, hindrance_colour(terrains[code].hinders))

    yield Batch(pieces.numbers("hindrance_colour", part.terrain[rows], make), rows)


def tile(layout: Layout, colour: QColor, grow: float = 0.0) -> Piece:
    """Return a cell of one colour, larger by the share ``grow``."""
    polygon = cell_outline(layout, 1 + grow)

    def draw(painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawConvexPolygon(polygon)

    key = ("tile", colour.rgba(), grow)
    box = polygon.boundingRect()
    return Piece(key, box, draw, draft=colour)
