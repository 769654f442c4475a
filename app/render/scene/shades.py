"""Shades over whole cells: colours of heights and depths, water over low land, passability."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from app.render.cell_geometry import cell_outline
from app.render.cell_values.cell_colours import HINDRANCES, RAMPS
from app.render.cell_values.heat import DEPTH_STOPS, HEIGHT_STOPS, heat_colours
from app.render.cell_values.relief import depth_ramp, height_ramp, water_opacity
from app.render.piece import Piece
from app.render.scene.batch import Batch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray
    from PySide6.QtGui import QPainter

    from app.render.scene.part import ScenePart
    from app.render.scene.pieces import Pieces
    from randomizer.model.grid.layouts import Layout

WATERS = 64
"""The number of different opacities of water."""


RAMP_STEP = 4
"""Every so many colours of the ramp are drawn differently."""


def height_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the colours of heights."""
    if part.overlays.height_colours and part.system.height is not None:
        ramp = height_ramp(part.battlemap, part.composite, part.cells)
        yield _on_ramp(pieces, HEIGHT_STOPS, ramp)


def depth_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the colours of depths of water."""
    if part.overlays.water_depth and part.system.water_level(part.battlemap) is not None:
        ramp = depth_ramp(part.battlemap, part.composite, part.cells)
        yield _on_ramp(pieces, DEPTH_STOPS, ramp)


def _on_ramp(pieces: Pieces, stops: tuple[str, ...], ramp: NDArray[np.intp]) -> Batch:
    """Cells in colours of the ramp with these stops, none where ``ramp`` (n,) is -1."""
    places = np.flatnonzero(ramp >= 0)

    def make(code: int) -> Piece:
        colour = QColor.fromRgb(int(heat_colours(stops)[code * RAMP_STEP]))
        return _tile(pieces, colour, RAMPS)

    return Batch(pieces.numbers(stops[0], ramp[places] // RAMP_STEP, make), places)


def water_batches(pieces: Pieces, part: ScenePart) -> Iterator[Batch]:
    """Yield the surface of the water over cells below its level."""
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
    """Yield a shade over ground that hinders units: by its terrain, or as the system says."""
    if not part.overlays.passability or part.system.terrain is None:
        return
    hinders, codes = [terrain.hinders for terrain in pieces.terrain_set.terrains], part.terrain
    if part.system.passability_reach:
        planes = part.composite.planes
        kinds, codes = part.system.passability(part.battlemap, planes, part.cells)
        hinders = [each for _text, each in kinds]
    places = np.flatnonzero(np.array([bool(each) for each in hinders])[codes])

    def make(code: int) -> Piece:
        shade, share = HINDRANCES[hinders[code]]
        return _tile(pieces, QColor(shade), share)

    yield Batch(pieces.numbers("passability", codes[places], make), places)


def _tile(pieces: Pieces, colour: QColor, opacity: float) -> Piece:
    """A cell of a translucent colour."""
    colour = QColor(colour)
    colour.setAlphaF(opacity)
    return tile(pieces.layout, colour)


def tile(layout: Layout, colour: QColor, grow: float = 0.0) -> Piece:
    """Return a cell of one colour, larger by the share ``grow``."""
    polygon = cell_outline(layout, 1 + grow)

    def draw(painter: QPainter) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawConvexPolygon(polygon)

    key, box = ("tile", colour.rgba(), grow), polygon.boundingRect()
    return Piece(key, box, draw, draft=colour)
