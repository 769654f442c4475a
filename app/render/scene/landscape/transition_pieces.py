"""Pieces of transitions: the ground of a terrain within a mask (``edge_masks``) with a soft rim.

``transitions`` finds which grounds reach into which cells, and asks for a piece for each code that
occurs::

    codes = transition_codes(transitions)        # arrays of many cells
    piece = transition_piece(pieces, code)       # one of these codes
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPolygonF

from app.appearance.painting import faint
from app.render.cell_values.cell_colours import DEEPEST
from app.render.cell_values.cell_colours import LEVELS as TINTS
from app.render.piece import Mask, Piece
from app.render.scene.landscape.edge_masks import EdgeMask, region
from app.render.scene.landscape.edge_patches import patches
from app.render.scene.landscape.edge_shapes import SHAPES, phase_of_shape
from app.render.scene.landscape.grounds import MASKS, ground_piece
from app.render.scene.landscape.mask_rims import (
    Rim,
    RimLevel,
    box_around,
    fill_rim,
    reach_over_sides,
)
from app.render.scene.landscape.piece_codes import pack, unpack
from app.render.scene.landscape.side_masks import all_sides
from app.render.scene.landscape.stored_lines import LEVELS
from app.render.scene.pieces import Pieces


class _RimStyle(NamedTuple):
    """The rim of a transition, in the colour of the ground that reaches in."""

    levels: Rim
    """The translucent levels of the mask, the outermost first."""

    opaque_level: int = LEVELS - 1
    """The level of the mask within which the ground covers all that lies below."""


CRISP = _RimStyle((RimLevel(4, 0.3), RimLevel(5, 0.5)))
"""The narrow rim of coasts and of what people made."""

SOFT = _RimStyle((RimLevel(0, 0.13), RimLevel(1, 0.2), RimLevel(2, 0.28), RimLevel(4, 0.5)))
"""The wide rim of land in the cells of other land: one fades into the other."""

ALL_AROUND = _RimStyle((RimLevel(0, 0.2), RimLevel(1, 0.3), RimLevel(2, 0.45)), opaque_level=3)
"""The wide rim of land all around a single cell of other land.

Of the other ground only a spot is left, as under the tents of a camp.
"""

PATCH_OPACITY = 0.55
"""With more, the patches that are scattered beyond a soft rim would look cut out."""


Number = TypeVar("Number", int, NDArray[np.intp])


class Transition(NamedTuple, Generic[Number]):
    """One transition, with six numbers, or n transitions, with six arrays (n,).

    Two cells whose transitions have the same six numbers are drawn by the same piece.
    """

    ground_code: Number
    """The ground that reaches into the cell."""
    mask: Number
    """The sides and corners over which it reaches in, as bits."""
    ground_mask: Number
    """Those of ``mask`` beyond which the ground itself lies.

    Beyond the others there is a higher one, below which it goes on (``transitions``).
    """
    shape: Number
    """The shape of the edge (``edge_shapes``), which has one phase of the ground's picture."""
    tint: Number
    """The elevation, counted from ``DEEPEST``: so it is never negative."""
    is_crisp: Number
    """1 for a ``CRISP`` rim, 0 for a ``SOFT`` one."""


_BASES = (MASKS, MASKS, SHAPES, TINTS, 2)
"""The bases of the fields of a ``Transition`` behind the first (``piece_codes``)."""


def transition_codes(transitions: Transition[NDArray[np.intp]]) -> NDArray[np.intp]:
    """Return the codes (n,) of n transitions."""
    return pack(transitions, _BASES)


def transition_piece(pieces: Pieces, code: int) -> Piece:
    """Return the ground of a terrain within a mask, with a rim, by a code of a transition."""
    transition = Transition(*unpack(code, _BASES))
    elevation = transition.tint + DEEPEST
    phase = phase_of_shape(pieces.layout, transition.shape)
    whole = ground_piece(pieces, transition.ground_code, phase, elevation)
    edge = EdgeMask(
        pieces.layout,
        transition.mask,
        transition.shape,
        overlap=reach_over_sides(pieces),
        overlapped_sides=transition.ground_mask,
    )
    is_crisp = bool(transition.is_crisp)
    rim = _rim_of(edge, is_crisp=is_crisp)
    innermost = RimLevel(rim.opaque_level, 1.0)
    scattered: tuple[QPolygonF, ...] = ()
    if not is_crisp:
        scattered = patches(edge)

    # The rim lies below the ground, whose picture is seen within the innermost level only.
    def draw_rim(painter: QPainter) -> None:
        colour = pieces.ground_colour(transition.ground_code, elevation)
        fill_rim(painter, edge, colour, rim.levels)
        _fill_patches(painter, scattered, colour)

    # Small sprites are the whole ground, cut out by a mask that is as opaque as rim and ground.
    def draw_mask(painter: QPainter) -> None:
        black = QColor("#000000")  # of masks only the opacity counts
        fill_rim(painter, edge, black, (*rim.levels, innermost))
        _fill_patches(painter, scattered, black)

    return Piece(
        ("transition", *transition),
        _box_of(edge, rim, scattered),
        whole.draw,
        clip=region(edge, innermost.level),
        draft=whole.draft,
        under=draw_rim,
        part_of=whole,
        terrain=transition.ground_code,
        mask=Mask((edge.mask, edge.overlapped_sides, edge.shape, rim), draw_mask),
    )


def _box_of(edge: EdgeMask, rim: _RimStyle, scattered: tuple[QPolygonF, ...]) -> QRectF:
    """Return the box around the outermost level of a rim and the patches beyond it."""
    box = box_around(region(edge, rim.levels[0].level))
    for patch in scattered:
        box = box.united(box_around(patch))
    return box


def _rim_of(edge: EdgeMask, *, is_crisp: bool) -> _RimStyle:
    """Return the rim of a transition."""
    if is_crisp:
        return CRISP
    if edge.mask == all_sides(edge.layout.degree):
        return ALL_AROUND
    return SOFT


def _fill_patches(painter: QPainter, scattered: tuple[QPolygonF, ...], colour: QColor) -> None:
    """Fill patches of a ground in a colour, through which what lies below shows."""
    if not scattered:
        return
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)  # patches may overlap
    for patch in scattered:
        path.addPolygon(patch)
        path.closeSubpath()
    painter.fillPath(path, faint(colour, PATCH_OPACITY))
