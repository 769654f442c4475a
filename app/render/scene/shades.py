"""Shades over whole cells: the light of the relief, water over low land, passability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from app.render.cell_colours import HINDRANCES
from app.render.cell_geometry import cell_outline
from app.render.piece import Piece
from app.render.relief import relief
from app.render.scene.batch import Batch
from app.render.water import water_opacity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtGui import QPainter

    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces
    from randomizer.model.layouts import Layout

SHADES = 32
"""The number of different lights of the relief, and of shades."""

STRONGEST = 140 / 256
"""The opacity of the brightest light and of the darkest shade."""

WATERS = 64
"""The number of different opacities of water."""


def relief_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """The light and shade of the relief."""
    if not part.overlays.shows_relief(part.system):
        return
    light = relief(part.battlemap, part.composite, part.cells)
    codes = np.rint(light * SHADES).astype(np.intp) + SHADES
    places = np.flatnonzero(codes != SHADES)

    def make(code: int) -> Piece:
        step = code - SHADES
        colour = QColor(255, 255, 255) if step > 0 else QColor(0, 0, 0)
        return _tile(pieces, colour, abs(step) / SHADES * STRONGEST)

    yield Batch(pieces.numbers("relief", codes[places], make), places)


def water_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """The surface of the water over cells below its level."""
    if not part.overlays.shows_water(part.system):
        return
    opacity = water_opacity(part.battlemap, part.composite, part.cells)
    if opacity is None:
        return
    codes = np.rint(opacity * WATERS).astype(np.intp)
    places = np.flatnonzero(codes)

    def make(code: int) -> Piece:
        return _tile(pieces, pieces.theme.water, code / WATERS)

    yield Batch(pieces.numbers("water", codes[places], make), places)


def passability_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """A shade over terrain that hinders those not native to it."""
    if not part.overlays.passability or part.system.terrain is None:
        return
    terrains = pieces.terrain_set.terrains
    hindering = np.array([bool(terrain.hinders) for terrain in terrains])
    places = np.flatnonzero(hindering[part.terrain])

    def make(code: int) -> Piece:
        shade, share = HINDRANCES[terrains[code].hinders]
        return _tile(pieces, QColor(shade), share)

    yield Batch(pieces.numbers("passability", part.terrain[places], make), places)


def _tile(pieces: Pieces, colour: QColor, opacity: float) -> Piece:
    """A cell of a translucent colour."""
    colour = QColor(colour)
    colour.setAlphaF(opacity)
    return tile(pieces.layout, colour)


def tile(layout: Layout, colour: QColor, grow: float = 0.0) -> Piece:
    """A cell of one colour, larger by the share ``grow``."""
    polygon = cell_outline(layout, 1 + grow)

    def draw(painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawConvexPolygon(polygon)

    return Piece(("tile", colour.rgba(), grow), polygon.boundingRect(), draw)
